"""Draw and Take on the board: offered in turns in which public facts alone allow them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import public_view
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.state import State, seat_to_act
from bot.i18n import words
from bot.tables.state.snapshots import SeatHolder, TableSnapshot
from cogs.shared.showing.board import board_page
from tests.cogs.test_automatic_drawing import check_no_other_move_is_legal
from tests.engine.table.test_views import redeal_hidden_cards
from tests.support.discord import Discord, enabled_actions, text_of
from tests.support.discord_limits import all_components
from tests.support.engine_games import table_snapshot
from tests.support.random_play import deal_with_minimum, one_form_of_each_rule_set, steps_of_a_deal
from tests.support.seeds import SEARCHING

WORDS = words()
NAMES = ("North", "East", "South", "West", "Sixth", "Fifth")
FORMS = (
    [rules for forms in RULE_SETS.values() for rules in forms.values()] if SEARCHING else one_form_of_each_rule_set()
)
DRAWING = {"draw", "board_take"}


def board_actions(snapshot: TableSnapshot) -> set[str]:
    """Return the actions of the buttons on a table's board."""
    components = board_page(WORDS, snapshot).view.to_components()  # type: ignore[no-untyped-call]
    return {one["custom_id"].split(":")[3] for one in all_components(components) if "custom_id" in one}


def snapshot_of(state: State) -> TableSnapshot:
    return table_snapshot(state, names=NAMES)


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_draw_and_take_depend_on_public_facts_and_cards_are_drawn_automatically_only_without_a_choice(
    rules: RuleSet,
) -> None:
    """Both are tried in the same deal, because playing it takes longer than either."""
    random, met = Random(5), set()
    for number, played in enumerate(steps_of_a_deal(deal_with_minimum(rules, 17), random)):
        state = played.after
        check_no_other_move_is_legal(state)
        if number % 3 and seat_to_act(state) is not None and not SEARCHING:
            continue
        view = public_view(state)
        offered = board_actions(snapshot_of(state))
        shown = offered & DRAWING
        met.add(frozenset(shown))
        begins = state.phase is Phase.DRAW and seat_to_act(state) is not None
        assert (begins and view.stock > 0) == ("draw" in shown)
        assert (begins and view.pile.top is not None and not view.pile.closed) == ("board_take" in shown)
        if seat_to_act(state) is not None and not state.aside:
            assert offered == board_actions(snapshot_of(redeal_hidden_cards(state, None, random)))
    assert {frozenset(), frozenset(DRAWING)} <= met


def test_no_moves_are_offered_while_a_computer_player_is_to_act() -> None:
    for played in steps_of_a_deal(deal_with_minimum(RULE_SETS["classic"][4], 3), Random(2)):
        if (seat := seat_to_act(played.after)) is None:
            break
        snapshot = snapshot_of(played.after)
        seats = list(snapshot.seats)
        seats[seat] = SeatHolder("computer", number=1)
        assert not DRAWING & board_actions(replace(snapshot, seats=tuple(seats)))


async def test_a_press_out_of_turn_opens_the_players_panel_and_plays_nothing(discord: Discord) -> None:
    you, friend, stranger = (discord.person(index) for index in range(3))
    await you.run("table new", players=2)
    await friend.run("table join")
    await you.run("table start")
    holder = (await discord.snapshot()).actor
    assert holder is not None
    first, second = (you, friend) if holder.person == you.id else (friend, you)
    before, version = await discord.game_state(), (await discord.snapshot()).version
    for action in ("draw", "board_take"):
        panel = await second.click(await discord.board(), action)
        assert panel.ephemeral
        assert "You play after" in text_of(panel)
        assert {"refresh", "premove", "more"} == enabled_actions(panel)
        answer = await stranger.click(await discord.board(), action)
        assert answer.ephemeral
        assert "You have no seat at table 1" in text_of(answer)
    assert (before, version) == (await discord.game_state(), (await discord.snapshot()).version)
    drawn = await first.click(await discord.board(), "draw")
    assert "You drew" in text_of(drawn)
    assert DRAWING & enabled_actions(await discord.board()) == set()
