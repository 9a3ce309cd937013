"""Games of several rule sets on the demo's page, played with the panel's controls.

Each goes to the end of a deal. They take minutes each, so `make nightly` plays them. `make games` keeps pictures of the
page in ``build/games``; ``TRANSCRIPT=FOLDER`` names another folder.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.engine.cards.cards import NATURAL_KINDS, RANK_LETTERS
from bot.engine.moves.actions import LayRun
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.rules.parameters import BY_NAME
from bot.engine.table.state import State
from cogs.shared.reading import penalty_attempts
from cogs.shared.telling.turn_text import ways_to_take
from tests.support.computer_choices import Move
from tests.support.demo_page_player import PHONE, DemoPagePlayer, by_night, load_picture_driver, make_transcript_folder

pytestmark = by_night


@dataclass(frozen=True, slots=True)
class Game:
    """A game to play: its table, its number of deals, and the events that must occur, by name.

    As long as one is missing, another deal is played, up to `most`.
    """

    rules: str
    players: int | None = None
    theme: str | None = None
    penalties: str | None = None
    width: int = 1000
    deals: int = 1
    most: int = 4
    happens: tuple[str, ...] = ()


GAMES = {
    "samba": Game("samba", happens=("you: melded a run",)),
    "hand-and-foot": Game("hand-and-foot", happens=("you: took_foot",)),
    "five": Game("classic", players=5, deals=2),
    "themed": Game("classic", theme="Royal start, One of each"),
    "penalties": Game("classic", penalties="laws", happens=("you: penalized",)),
    "modern-american": Game("modern-american", happens=("took_talon",)),
    "pennies": Game("pennies"),
    "phone": Game("classic", players=2, width=PHONE),
}


def take_pile_without_use(anna: DemoPagePlayer, state: State) -> bool:
    """Take the pile without a use for its top card, and pay the penalty.

    Return whether that was possible.
    """
    view = seat_view(state, anna.seat)
    # The board has no button for a closed pile, such as one with a black three on top.
    if ways_to_take(view) or view.table.pile.closed or not penalty_attempts.may_try_taking_pile(view):
        return False
    anna.press_newest_button("board.take")
    assert "Price: 50 points" in anna.panel_text()
    anna.take_pictures("price-of-the-pile")
    assert anna.words("irregularity.unused_pile") in anna.press_button("anyway_undone")
    anna.take_pictures("paid-for-the-pile")
    return True


def make_initial_meld_with_too_few_points(anna: DemoPagePlayer, state: State) -> bool:
    """Meld three of a rank with too few points for the initial meld, and pay for it.

    Return whether that was possible.
    """
    view = seat_view(state, anna.seat)
    held = Counter(card >> 2 for card in view.hand)
    values = view.table.rules.card_values
    short = [kind for kind in NATURAL_KINDS if held[kind] >= 3 and held[kind] * values[kind] < view.side.minimum]
    if view.table.phase is not Phase.PLAY or view.side.opened or not short:
        return False
    anna.press_button("other")
    anna.choose_option("choose", RANK_LETTERS[short[0]])
    text = anna.press_button("lay_points")
    assert anna.words("irregularity.short_opening") in text
    anna.take_pictures("price-of-a-short-opening")
    assert "Your side pays" in anna.press_button("anyway_undone")
    anna.take_pictures("paid-for-a-short-opening")
    return True


def lay_a_run(anna: DemoPagePlayer, state: State) -> bool:
    """Meld a run, or add to one, and return whether that was legal yet."""
    view = seat_view(state, anna.seat)
    runs = sorted((step for step in view.legal if isinstance(step, LayRun)), key=lambda run: run.size)
    if not runs or not view.side.opened:
        return False
    anna.make_move(Move(runs[-1]))
    anna.take_pictures("my-run")
    return True


TRIES: dict[str, tuple[Callable[[DemoPagePlayer, State], bool], ...]] = {
    "samba": (lay_a_run,),
    "penalties": (take_pile_without_use, make_initial_meld_with_too_few_points),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played_in_the_browser(name: str, tmp_path: Path) -> None:
    game, shots = GAMES[name], load_picture_driver()
    folder = make_transcript_folder(name, tmp_path)
    with shots.run_demo(tmp_path, pace=0.1) as address, shots.visit_demo(address, width=game.width) as guest:
        anna = DemoPagePlayer(shots.Player(guest.page), tmp_path / "c-demo.db", folder)
        anna.tries = list(TRIES.get(name, ()))
        try:
            open_table(anna, game)
            turns = play_deals(anna, game)
        finally:
            anna.take_pictures("last")
            told = {"turns": anna.turns, "events": anna.event_counts(), "controls": anna.done}
            folder.joinpath("played.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    assert turns > 0
    assert not anna.tries
    for event in game.happens:
        assert anna.event_counts()[event], event


def open_table(anna: DemoPagePlayer, game: Game) -> None:
    """Open a table, choose its rules, and start the game."""
    options = {"rules": game.rules, "players": game.players, "theme": game.theme}
    anna.player.command("table new", **{name: value for name, value in options.items() if value is not None})
    anna.take_pictures("lobby")
    if game.penalties is not None:
        choose_penalties(anna, game.penalties)
    anna.press_newest_button("board.rules")
    anna.take_pictures("rules")
    anna.press_newest_button("lobby.start")


def choose_penalties(anna: DemoPagePlayer, regime: str) -> None:
    """Choose the penalties in the panel of house rules."""
    anna.press_newest_button("lobby.setup")
    anna.press_newest_button("setup.house_rules")
    anna.take_pictures("options")
    anna.player.choose_values(anna.words("options.topics"), BY_NAME["penalties"].topic.value)
    anna.player.choose_values(anna.words("options.parameters"), "penalties")
    anna.take_pictures("options-penalties")
    anna.player.choose_last(regime)
    anna.take_pictures("options-saved")


def play_deals(anna: DemoPagePlayer, game: Game) -> int:
    """Play that many deals to their score sheets, which stay in the channel.

    Return the number of Anna's turns.
    """
    turns = 0
    for deal in range(1, game.most + 1):
        turns += anna.play_deal()
        anna.player.score_sheet().filter(has_text=f"Deal {deal} · ").wait_for()
        anna.take_pictures(f"deal-{deal}-over")
        happened = anna.event_counts()
        if deal >= game.deals and all(happened[event] for event in game.happens) and not anna.tries:
            break
        if anna.game_state().phase is Phase.BETWEEN:  # otherwise the next deal has already begun by itself
            anna.press_button("next_deal")
    return turns
