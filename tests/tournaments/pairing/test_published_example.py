"""Example A of `docs/tournaments.md` 4: each round is paired as published, at the published cost."""

from __future__ import annotations

from typing import Final

import pytest

from bot.tournaments.counted_results import Course, EntryWithoutMatch, Match, ResultKind, Round, UnpairedReason
from bot.tournaments.pairing.by_hand import hand_paired_round
from bot.tournaments.pairing.standing_order import EntryStanding, OrderedEntry, standing_order
from bot.tournaments.pairing.swiss import draw_swiss_round
from bot.tournaments.seeded_draw import SeededDraw
from tests.support.brute_force_pairing import match_of, new_course

LOT = SeededDraw(b"example A")

ROUNDS: Final = (
    (((1, 5), (2, 6), (3, 7), (4, 8)), 9, (0, 0, 0, 0, 0, 0)),
    (((1, 4), (3, 6), (9, 10), (2, 7), (8, 5)), None, (0, 0, 0, 1, 0, 0)),
    (((6, 1), (4, 3), (2, 8), (10, 5)), 7, (0, 0, 0, 4, 0, 2)),
    (((6, 4), (1, 2), (10, 3), (7, 8)), 5, (0, 0, 0, 9, 0, 3)),
    (((6, 10), (2, 4), (1, 8), (5, 7)), 3, (0, 0, 2, 9, 2, 4)),
)
"""Who met whom, who had the bye, and what it cost."""

TABLES: Final = (
    {1: (1, 2), 2: (6, 0), 3: (2, 2), 4: (3, 2), 5: (9, 0), 6: (4, 2), 7: (8, 0), 8: (7, 0), 9: (5, 2)},
    {1: (2, 4), 2: (6, 2), 3: (5, 2), 4: (4, 2), 5: (9, 0), 6: (1, 4), 7: (10, 0), 8: (8, 2), 9: (3, 3), 10: (7, 2)},
    {1: (2, 4), 2: (3, 4), 3: (7, 2), 4: (4, 4), 5: (10, 0), 6: (1, 6), 7: (8, 2), 8: (9, 1), 9: (6, 3), 10: (5, 4)},
    {1: (4, 4), 2: (2, 6), 3: (8, 2), 4: (5, 4), 5: (9, 2), 6: (1, 8), 7: (10, 2), 8: (7, 3), 9: (6, 3), 10: (3, 6)},
)
"""After each round but the last: the place and the points of every entry."""


def standing_before_round(before: int) -> tuple[OrderedEntry, ...]:
    """Return the entries in order of the published table after `before` rounds.

    Entry 10 joins for round 2 with 1 point.
    """
    if before == 0:
        return tuple(OrderedEntry(entry, 0) for entry in range(1, 10))
    table = [
        EntryStanding(entry=entry, points=points, place=place, rank=entry)
        for entry, (place, points) in TABLES[before - 1].items()
    ]
    late = [EntryStanding(entry=10, points=1, place=None, rank=10)] if before == 1 else []
    return standing_order([*table, *late])


def rounds_before(before: int) -> Course:
    """Return the first `before` rounds as pairing needs them; the first side wins each match.

    Pairing considers no winner but that of the forfeit in round 3.
    """
    rounds = []
    for number, (tables, bye, _) in enumerate(ROUNDS[:before], 1):
        matches: list[Match] = []
        for one, other in tables:
            kind = ResultKind.FORFEIT if (number, one, other) == (3, 4, 3) else ResultKind.PLAYED
            matches.append(match_of([((one,), 2), ((other,), 0)], kind=kind))
        unpaired = () if bye is None else (EntryWithoutMatch(entry=bye, code=UnpairedReason.BYE, points=2),)
        rounds.append(Round(number=number, matches=tuple(matches), unpaired=unpaired))
    return Course(kind=new_course(10).kind, entries=new_course(10).entries, rounds=tuple(rounds))


@pytest.mark.parametrize("before", range(5))
def test_a_round_is_drawn_and_costs_as_published(before: int) -> None:
    tables, bye, cost = ROUNDS[before]
    byes = [] if bye is None else [bye]
    present = {entry for table in tables for entry in table} | set(byes)
    drawn_round = draw_swiss_round(rounds_before(before), standing_before_round(before), present=present, draws=LOT)
    published = hand_paired_round(
        rounds_before(before), standing_before_round(before), tables=tables, byes=byes, draws=LOT
    )
    assert cost == published.cost
    assert cost == drawn_round.cost
    assert {frozenset(table) for table in tables} == {frozenset(match.entries) for match in drawn_round.matches}
    assert byes == [out.entry for out in drawn_round.unpaired]
