"""Whole deals of computer players: only legal steps, always an end, and repeatable."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.computer.deals import PlayedDeal, play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum, players_by_seat
from bot.computer.player import ALL_LEVELS, player_for
from bot.computer.seeded_random import shuffled_packs
from bot.engine.moves.events import DealEnd
from bot.engine.play.invariants import broken_invariants
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.tables.state.clocks import LEVELS
from tests.support.seeds import SEARCHING

DEALS = 30 if SEARCHING else 5
EVERY = 7


def play_deals(
    players: int, minimum: int, levels: tuple[str, ...], *, seed: int = 5, count: int = DEALS
) -> list[PlayedDeal]:
    """Play deals among these levels and return them; check every seventh position in full."""
    rules = rule_set("classic", players)
    seen = 0

    def check_state(state: State) -> None:
        nonlocal seen
        seen += 1
        if seen % EVERY == 0:
            assert () == broken_invariants(state)

    return [
        play_deal(
            deal_with_opening_minimum(rules, pack, number, minimum=minimum),
            players_by_seat(rules, levels, seed, number),
            check_state,
        )
        for number, pack in enumerate(islice(shuffled_packs(rules, seed), count))
    ]


@pytest.mark.parametrize("minimum", [15, 50, 90, 120])
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("levels", [("casual",), ("casual", "random")], ids="-".join)
def test_every_deal_ends_without_an_illegal_step(players: int, minimum: int, levels: tuple[str, ...]) -> None:
    deals = play_deals(players, minimum, levels)
    assert {0} == {deal.illegal for deal in deals}
    assert all(deal.reason in DealEnd and deal.turns > 0 for deal in deals)


def test_deals_among_equal_players_have_the_known_length_and_scores() -> None:
    """The bounds are wide, around figures of many classic deals."""
    deals = play_deals(4, 50, ("casual",), count=12) + play_deals(4, 50, ("casual",), seed=6, count=12)
    assert 0.9 <= sum(deal.reason is DealEnd.OUT for deal in deals) / len(deals)
    assert 18 <= sum(deal.turns for deal in deals) / len(deals) <= 34
    assert 500 <= sum(score for deal in deals for score in deal.scores) / (2 * len(deals)) <= 950


def test_the_same_cards_are_played_in_the_same_way() -> None:
    assert play_deals(4, 90, ("casual", "random")) == play_deals(4, 90, ("casual", "random"))


def test_only_levels_for_comparisons_are_not_offered_at_tables() -> None:
    assert {"former", "plain", "random"} == set(ALL_LEVELS) - set(LEVELS)


def test_an_unknown_level_has_no_player() -> None:
    with pytest.raises(LookupError):
        player_for("perfect", 1)
