"""Every kind of rule set is played through the whole bot.

Among them are announcing, red threes laid in the first turn, and three sides.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from bot.engine.cards.cards import HEARTS, RED_THREE
from bot.engine.moves.actions import ANNOUNCE, LayMelds
from bot.engine.moves.events import LaidOut
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.table.state import State, seat_to_act
from bot.i18n import words
from bot.tables.play.moves import visible_events
from bot.tables.state.snapshots import ActionResult, Status
from cogs.play import option_suggestions
from cogs.shared.reading import card_picking
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.shared.telling import play_text, text_only
from cogs.shared.telling.numbers import group_thousands
from tests.support.computer_choices import MIDDLE, next_move, play_by_command, play_by_panel, skip_to_last_turns
from tests.support.discord import Discord, text_of
from tests.support.discord_limits import all_components
from tests.support.engine_games import played_positions, public_text, seat_snapshot, table_snapshot
from tests.support.panel_pages import panel_page
from tests.support.seeds import SEARCHING

KNOWN = vocabulary_of()

ENGLISH: Final = words()
FORMS: Final = [
    ("italian-club", 4, 2),
    ("singkep", 3, 3),
    ("singkep", 6, 3),
    ("afrikaans", 2, 2),
    ("classic-cut-throat", 3, 2),
    ("modern-american", 4, 2),
]


@pytest.mark.parametrize(("rules", "players", "sides"), FORMS)
async def test_a_deal_by_commands_and_buttons_has_a_correct_score(
    discord: Discord, rules: str, players: int, sides: int
) -> None:
    you = discord.person(0)
    await you.run("table new", rules=rules, players=players, computers=players - 1)
    panel = await you.run("table start")
    moves = 0
    while (snapshot := await discord.snapshot()).view is not None and snapshot.view.phase not in (
        Phase.BETWEEN,
        Phase.OVER,
    ):
        move = next_move(await discord.game_state())
        if moves % 2:
            panel = await play_by_panel(you, await you.run("hand"), move)
        else:
            panel = await play_by_command(you, move)
        assert (await discord.snapshot()).version > snapshot.version, text_of(panel)
        moves += 1
        if moves == MIDDLE and not SEARCHING:
            await skip_to_last_turns(discord, 0)
    assert snapshot.view is not None
    assert snapshot.status in (Status.PLAYING, Status.FINISHED)
    (result,) = snapshot.view.results
    assert [total.score for total in snapshot.view.totals] == [lines.total for lines in result.lines]
    board = text_of(await discord.board())
    assert sides == len(snapshot.view.sides)
    assert all(group_thousands(ENGLISH, total.score) in board for total in snapshot.view.totals)


def controls_of(state: State, seat: int) -> dict[str, dict[str, Any]]:
    """Return the controls of a seat's panel by action."""
    shown = all_components(panel_page(ENGLISH, seat_snapshot(state, seat)).view.to_components())  # type: ignore[no-untyped-call]
    return {one["custom_id"].split(":")[3]: one for one in shown if "custom_id" in one}


def test_announcing_can_be_pressed_where_legal_and_all_see_it() -> None:
    found: set[bool] = set()
    for state in played_positions(3, level="casual", deals=3, name="italian-club"):
        if (seat := seat_to_act(state)) is None:
            continue
        legal = ANNOUNCE in seat_view(state, seat).legal
        assert legal is ("announce" in controls_of(state, seat))
        found.add(legal)
        if legal:
            (event,) = decide(state, seat, ANNOUNCE)
            snapshot = table_snapshot(state)
            assert public_text(ENGLISH, snapshot, event).endswith(" announced going out")
            assert "announce that you go out" in text_only.allowed_actions_text(ENGLISH, seat_view(state, seat))
    assert {True, False} == found


def test_announcing_is_not_offered_where_it_is_not_needed() -> None:
    for state in played_positions(1, level="casual", name="afrikaans"):
        assert "announce" not in controls_of(state, 0)


@pytest.mark.parametrize("name", ["bicycle", "singkep"])
def test_red_threes_that_wait_in_a_hand_are_shown_and_never_offered(name: str) -> None:
    waiting = 0
    for state in played_positions(2, players=2, level="casual", deals=6, name=name):
        for seat in range(2):
            snapshot = seat_snapshot(state, seat)
            assert snapshot.view is not None
            if not any(card >> 2 == RED_THREE for card in snapshot.view.hand):
                continue
            waiting += 1
            assert controls_of(state, seat).keys() & {"choose", "discard"} == set()
            assert [] == option_suggestions.suggest_discards(ENGLISH, snapshot.view, "")
            shown_text = text_only.describe_hand_and_table(ENGLISH, snapshot, snapshot.view, snapshot.view.hand)
            assert "3 of hearts" in shown_text or "3 of diamonds" in shown_text
            three = next(card for card in snapshot.view.hand if card >> 2 == RED_THREE)
            typed = "3h" if three & 3 == HEARTS else "3d"
            assert three == card_picking.pick_card(typed, snapshot.view.hand, KNOWN)
            refusal = why_not_allowed(
                state, seat, LayMelds(card_picking.pick_melds(typed, snapshot.view.hand, [], KNOWN))
            )
            assert refusal is not None
    assert waiting


def test_only_the_viewers_red_threes_are_called_theirs() -> None:
    for state in played_positions(2, players=2, level="casual", name="bicycle"):
        if (seat := seat_to_act(state)) is None:
            continue
        for step in seat_view(state, seat).legal:
            events = decide(state, seat, step)
            if any(isinstance(event, LaidOut) for event in events):
                outcome = ActionResult(seat_snapshot(state, seat), visible_events(seat, events), repeated=False)
                assert "red three" not in play_text.own_action_text(ENGLISH, outcome)
                assert "laid out 3" in public_text(ENGLISH, outcome.snapshot.table, events[-1])
                return
    pytest.fail("nobody was dealt a red three")
