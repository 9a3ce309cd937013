"""The seats that play and the seats that rest, deal by deal (`docs/law/classic.md 2.3, 2.4`)."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from bot.engine.moves.actions import DRAW, StartDeal
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import is_allowed, why_not_allowed
from bot.engine.rules.seating import seating_of
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.state import State
from tests.support.random_play import apply_action, deal_with_minimum, seeded_pack, steps_of_a_deal

FIVES = [name for name, forms in RULE_SETS.items() if 5 in forms and forms[5].teams == "2v3"]
ROTATING = [name for name, forms in RULE_SETS.items() if 6 in forms and forms[6].teams == "3v3"]


def playing_seats(name: str, players: int, deals: int) -> list[tuple[int, ...]]:
    """Return the seats that play in each of the first `deals` deals, in ascending order."""
    teams = rule_set(name, players).teams
    return [tuple(sorted(seating_of(teams, players, deal).seats)) for deal in range(1, deals + 1)]


@pytest.mark.parametrize("name", FIVES)
def test_2_3_two_play_against_three_and_one_of_the_three_rests(name: str) -> None:
    """The trio has the first, third and fifth seat; its third player rests first, its first player last."""
    assert [(0, 1, 2, 3), (0, 1, 3, 4), (1, 2, 3, 4), (0, 1, 2, 3)] == playing_seats(name, 5, 4)


@pytest.mark.parametrize("name", ROTATING)
def test_2_4_of_two_trios_one_of_each_rests(name: str) -> None:
    assert [(0, 1, 2, 3), (0, 1, 4, 5), (2, 3, 4, 5), (0, 1, 2, 3)] == playing_seats(name, 6, 4)


@pytest.mark.parametrize(("name", "players"), [*((name, 5) for name in FIVES), *((name, 6) for name in ROTATING)])
def test_2_3_only_four_are_dealt_cards_and_the_resting_seat_may_not_act(name: str, players: int) -> None:
    state = deal_with_minimum(rule_set(name, players), 1)
    resting = sorted(set(range(players)) - set(state.seating.seats))
    assert players - 4 == len(resting)
    assert all(not state.hands[seat] for seat in resting)
    assert all(len(state.hands[seat]) >= 10 for seat in state.seating.seats)
    for seat in resting:
        refusal = why_not_allowed(state, seat, DRAW)
        assert refusal is not None
        assert Code.RESTING is refusal.code
    assert is_allowed(state, state.turn, DRAW)


@pytest.mark.parametrize(("name", "players"), [("singkep", 5), ("singkep-rotating", 6)])
def test_2_3_the_pairs_change_from_deal_to_deal_and_the_sides_keep_their_scores(name: str, players: int) -> None:
    random = Random(3)
    state = deal_with_minimum(rule_set(name, players), 1)
    seats = []
    totals = [state.scores]
    for deal in range(1, 4):
        assert deal == state.deal
        seats.append(state.seating.seats)
        sides = {seat: state.seating.side_by_seat[seat] for seat in range(players)}
        assert {seat: seat % 2 for seat in range(players)} == sides
        after = play_out_deal(state, random)
        totals.append(after.scores)
        state = apply_action(after, None, StartDeal(seeded_pack(after.rules, 100 + deal)))
    assert 3 == len(set(seats))
    assert all(len(scores) == 2 for scores in totals)
    assert any(before != after for before, after in pairwise(totals))


def play_out_deal(state: State, random: Random) -> State:
    """Play this deal at random to its end; return the state after it."""
    *_, last = steps_of_a_deal(state, random)
    return last.after
