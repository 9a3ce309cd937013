"""Taking wild cards back from a canasta: offered in the panel, typed, announced, confirmed."""

from __future__ import annotations

import pytest

from bot.engine.cards.cards import KING
from bot.engine.cards.notation import cards_text
from bot.engine.moves.actions import Reclaim
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.engine.table.views import public_event
from bot.i18n import words
from bot.tables.state.snapshots import ActionResult
from cogs.play import option_suggestions
from cogs.shared.reading import typed_play, typed_steps
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.shared.telling import explanations, play_text, rules_text, text_only
from tests.cogs.test_house_rules_panel import open_parameter
from tests.support.discord import Discord, enabled_actions, labels, text_of
from tests.support.discord_limits import broken_limits
from tests.support.engine_games import seat_snapshot
from tests.support.panel_pages import panel_page
from tests.support.stacked_packs import stack_pack

KNOWN = vocabulary_of()

WORDS = words()
KINGS = "Kh Ks Kd Kc Kh Ks Kd 2s JK"


def position(hand: str = "4s 5s 6h", melds: str = KINGS) -> State:
    return read_position(
        {
            "options": {"wild_reclaim": "natural_canasta"},
            "position": {"phase": "play", "hands": {"0": hand}, "stock": "7d 9c", "melds": {"0": ["8s 8h 8d", melds]}},
        }
    )


@pytest.mark.parametrize("text", ["reclaim kings", "Reclaim the wild cards from my kings", "riprendi le pinelle di K"])
def test_wild_cards_are_reclaimed_by_a_typed_command(text: str) -> None:
    state = position()
    step = typed_play.parse_melds_or_step(text, seat_view(state, 0), vocabulary_of("it"))
    assert Reclaim(KING) == step
    after = fold(state, decide(state, 0, step))
    assert "4s 5s 6h 2s JK" == cards_text(after.hands[0])
    assert not after.laid


def test_reclaiming_is_offered_if_it_is_legal() -> None:
    view = seat_view(position(), 0)
    (move,) = [move for move in typed_steps.moves_for_menu(view) if isinstance(move, Reclaim)]
    assert move == typed_steps.parse_step(view, typed_steps.menu_value(move))
    assert "Take back 2♠ Joker from K K K K K K K 2 Joker" == typed_steps.move_in_words(WORDS, view, move)
    assert "reclaim K" in [value for _, value in option_suggestions.suggest_melds(WORDS, view, "")]
    assert "take the wild cards back from your canasta of kings" in text_only.allowed_actions_text(WORDS, view)
    assert [] == broken_limits(panel_page(WORDS, seat_snapshot(position(), 0)).view.to_components())  # type: ignore[no-untyped-call]
    bare = seat_view(position(melds="Kh Ks Kd Kc Kh Ks 2s"), 0)
    assert not [move for move in typed_steps.moves_for_menu(bare) if isinstance(move, Reclaim)]
    assert "reclaim K" not in [value for _, value in option_suggestions.suggest_melds(WORDS, bare, "")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("reclaim aces", InputCode.NO_SUCH_MELD),
        ("reclaim kings and eights", InputCode.NOT_UNDERSTOOD),
        ("reclaim everything", InputCode.NOT_UNDERSTOOD),
        ("reclaim", InputCode.NO_CARDS),
    ],
)
def test_a_request_to_reclaim_that_names_no_such_canasta_is_refused(text: str, code: InputCode) -> None:
    with pytest.raises(InputProblem) as problem:
        typed_play.parse_melds_or_step(text, seat_view(position(), 0), KNOWN)
    assert code is problem.value.code


@pytest.mark.parametrize("locale", ["en", "it"])
def test_reclaiming_is_announced_to_all_and_confirmed(locale: str) -> None:
    said, state = words(locale), position()
    events = decide(state, 0, Reclaim(KING))
    snapshot = seat_snapshot(fold(state, events), 0)
    text = play_text.own_action_text(said, ActionResult(snapshot, tuple(map(public_event, events)), repeated=False))
    assert "2♠" in text
    assert all(explanations.action_in_words(said, step) for step in (Reclaim(KING),))
    assert said("rules_text.reclaim", canasta_size=7) in rules_text.all_rules_text(said, state.rules)


async def test_wild_cards_are_reclaimed_through_the_panel(discord: Discord) -> None:
    rules = rule_set("classic", 2)
    hands = {0: "Kh Ks Kd Kc Kh Ks Kd 2s", 1: ""}
    discord.dealer.pack = stack_pack(rules, hands, "4s", dealer=1)
    you = discord.person(0)
    await you.run("table new", players=2, computers=1)
    panel = await open_parameter(you, await you.run("table options"), "wild_reclaim")
    panel = await you.choose(panel, "options_set", "natural_canasta")
    assert "experimental" in text_of(panel)
    await you.run("table start")
    await you.run("draw")
    panel = await you.run("meld", cards="7 kings and a 2")
    assert any(one.startswith("Take back 2♠") for one in labels(panel))
    panel = await you.click(panel, "play", f"w{KING}")
    assert "You took back 2♠: your canasta of kings is natural now." in text_of(panel)
    assert "undo" not in enabled_actions(panel)
    board = text_of(await discord.board())
    assert "took 2 back from the canasta of kings" in board
    refused = text_of(await you.run("meld", cards="2 on kings"))
    assert "That canasta has 7 natural cards: you may take its wild cards back, but you may not add any." in refused
    text = text_of(await you.run("rules show"))
    assert "Once it has 7 natural cards, you may take its wild cards back into your hand" in text
