"""Swiss rounds have the least of six costs, compared with brute force (`docs/tournaments.md` 3, 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from bot.tournaments.counted_results import Course, Entry, EntryWithoutMatch, ResultKind, Span, UnpairedReason
from bot.tournaments.pairing.drawn_round import DrawnRound
from bot.tournaments.pairing.past_meetings import count_past_meetings
from bot.tournaments.pairing.standing_order import EntryStanding, OrderedEntry, standing_order
from bot.tournaments.pairing.swiss import draw_swiss_round
from bot.tournaments.seeded_draw import SeededDraw
from tests.support.brute_force_pairing import (
    brute_force_for_next_round,
    match_of,
    new_course,
    play_round,
    points_by_entry,
    standings_by_points,
    with_round,
)
from tests.support.seeds import seeds

LOT = SeededDraw(b"sixteen bytes or more")
EVENTS = 160
"""Number of small tournaments paired in every run; `make nightly` pairs many times as many."""


def entries_in_round(drawn_round: DrawnRound) -> list[int]:
    return sorted(
        [e for match in drawn_round.matches for e in match.entries] + [out.entry for out in drawn_round.unpaired]
    )


def pairs_and_byes(drawn_round: DrawnRound) -> list[tuple[int, ...]]:
    return [match.entries for match in drawn_round.matches] + [(out.entry,) for out in drawn_round.unpaired]


def shuffle_course(course: Course, random: Random) -> Course:
    """Return the course with its entries and matches in another order."""
    rounds = [replace(one, matches=tuple(random.sample(one.matches, len(one.matches)))) for one in course.rounds]
    return replace(course, entries=tuple(random.sample(course.entries, len(course.entries))), rounds=tuple(rounds))


@pytest.mark.parametrize("seed", seeds(EVENTS // 20))
def test_small_tournaments_are_paired_as_brute_force_would(seed: int) -> None:
    for event in range(20):
        random = Random(seed * 20 + event)
        course = new_course(random.randint(3, 9))
        left: set[int] = set()
        late: list[int] = []
        for number in range(1, random.randint(2, 6)):
            present = [entry.number for entry in course.entries if entry.number not in left]
            standing = standings_by_points(course, late)
            drawn_round = draw_swiss_round(course, standing, present=present, draws=LOT)
            oracle = brute_force_for_next_round(course, standing, present)
            assert sorted(present) == entries_in_round(drawn_round)
            assert oracle.cost(pairs_and_byes(drawn_round)) == drawn_round.cost
            assert oracle.least_costs() == drawn_round.cost
            random.shuffle(present)
            assert drawn_round == draw_swiss_round(shuffle_course(course, random), standing, present=present, draws=LOT)
            course, late = play_round(course, drawn_round, random), []
            if random.random() < 0.15 and len(present) > 2:
                left.add(random.choice(present))
            if random.random() < 0.15 and len(course.entries) < 9:
                late = [len(course.entries) + 1]
                newcomer = Entry(
                    number=late[0], people=(late[0],), rank=random.randint(1, 9), spans=(Span(number + 1),)
                )
                out = EntryWithoutMatch(entry=late[0], code=UnpairedReason.HALF, points=1)
                rounds = (*course.rounds[:-1], replace(course.rounds[-1], unpaired=(*course.rounds[-1].unpaired, out)))
                course = replace(course, entries=(*course.entries, newcomer), rounds=rounds)


@pytest.mark.parametrize(("entries", "rounds"), [(31, 7), (64, 6), (65, 7)])
def test_many_entries_meet_at_most_once_and_have_at_most_one_bye(entries: int, rounds: int) -> None:
    course, random, byes = new_course(entries), Random(entries), []
    for _ in range(rounds):
        drawn_round = draw_swiss_round(course, standings_by_points(course), present=range(1, entries + 1), draws=LOT)
        assert list(range(1, entries + 1)) == entries_in_round(drawn_round)
        assert (0, 0) == drawn_round.cost[:2]
        byes += [out.entry for out in drawn_round.unpaired]
        course = play_round(course, drawn_round, random)
    assert len(set(byes)) == len(byes) == rounds * (entries % 2)


@pytest.mark.parametrize(("entries", "rounds"), [(71, 4), pytest.param(255, 5, marks=pytest.mark.nightly)])
def test_pairing_among_candidates_costs_hardly_more_than_among_all(entries: int, rounds: int) -> None:
    course, random = new_course(entries), Random(entries)
    for _ in range(rounds):
        few, all_ = (
            draw_swiss_round(course, standings_by_points(course), present=range(1, entries + 1), draws=LOT, exact=exact)
            for exact in (0, entries)
        )
        assert list(range(1, entries + 1)) == entries_in_round(few)
        assert all_.cost[:5] == few.cost[:5]
        assert 0 <= few.cost[5] - all_.cost[5] <= 4
        course = play_round(course, few, random)


def test_if_all_candidates_have_met_pairing_continues_among_all_entries() -> None:
    course, random = new_course(24), Random(24)
    for _ in range(22):
        drawn_round = draw_swiss_round(course, standings_by_points(course), present=range(1, 25), draws=LOT, exact=0)
        assert list(range(1, 25)) == entries_in_round(drawn_round)
        assert 0 == drawn_round.cost[1]
        course = play_round(course, drawn_round, random)


def test_the_first_round_pairs_the_upper_half_with_the_lower() -> None:
    drawn_round = draw_swiss_round(new_course(9), standings_by_points(new_course(9)), present=range(1, 10), draws=LOT)
    assert [{1, 5}, {2, 6}, {3, 7}, {4, 8}] == [set(match.entries) for match in drawn_round.matches]
    assert (EntryWithoutMatch(entry=9, code=UnpairedReason.BYE, points=2),) == drawn_round.unpaired
    assert (0,) * 6 == drawn_round.cost


def test_without_entries_a_round_is_empty_and_a_single_entry_has_a_bye() -> None:
    course = new_course(3)
    assert DrawnRound((), (), (1, 2, 3), (0,) * 6) == draw_swiss_round(
        course, standings_by_points(course), present=(), draws=LOT
    )
    assert [2] == entries_in_round(draw_swiss_round(course, standings_by_points(course), present=[2], draws=LOT))


def test_a_rematch_is_preferred_to_a_second_bye() -> None:
    """Case 9: of three entries 1 has left, and 2 and 3 have had byes; they meet again."""
    course = with_round(new_course(3), [match_of([((1,), 2), ((2,), 0)])], [entry_with_bye(3)])
    course = with_round(course, [match_of([((1,), 2), ((3,), 0)])], [entry_with_bye(2)])
    course = with_round(course, [match_of([((2,), 2), ((3,), 0)])], [entry_with_bye(1)])
    assert (0, 1) == draw_swiss_round(course, standings_by_points(course), present=[2, 3], draws=LOT).cost[:2]
    spared_twice = replace(course, rounds=course.rounds[:2])
    drawn_round = draw_swiss_round(spared_twice, standings_by_points(spared_twice), present=[1, 2, 3], draws=LOT)
    assert ([1], (0, 0, 4)) == ([out.entry for out in drawn_round.unpaired], drawn_round.cost[:3])
    met = with_round(spared_twice, [match_of([((2,), 2), ((3,), 0)])])
    drawn_round = draw_swiss_round(met, standings_by_points(met), present=[1, 2, 3], draws=LOT)
    assert ([1], (0, 1, 4)) == ([out.entry for out in drawn_round.unpaired], drawn_round.cost[:3])


def entry_with_bye(entry: int) -> EntryWithoutMatch:
    return EntryWithoutMatch(entry=entry, code=UnpairedReason.BYE, points=2)


def standing_in_order(*entries: int) -> tuple[OrderedEntry, ...]:
    return tuple(OrderedEntry(entry, 0) for entry in entries)


def test_the_leader_has_no_bye_while_others_are_free() -> None:
    """Case 10: of the three entries without a bye, the lowest gets one and not the leader."""
    course = new_course(5)
    course = with_round(
        course, [match_of([((1,), 2), ((4,), 0)]), match_of([((2,), 2), ((3,), 0)])], [entry_with_bye(5)]
    )
    course = with_round(
        course, [match_of([((1,), 2), ((2,), 0)]), match_of([((5,), 2), ((3,), 0)])], [entry_with_bye(4)]
    )
    drawn_round = draw_swiss_round(course, standings_by_points(course), present=range(1, 6), draws=LOT)
    assert [3] == [out.entry for out in drawn_round.unpaired]


def test_a_forfeit_counts_as_the_winners_bye_and_not_as_a_meeting() -> None:
    """Cases 9 and 29: the two may meet again, and the winner has no bye while another entry can have it."""
    course = with_round(new_course(3), [match_of([((2,), 0), ((3,), 2)], kind=ResultKind.FORFEIT)], [entry_with_bye(1)])
    past = count_past_meetings(course)
    assert (0, frozenset({1, 3})) == (past.times_met(2, 3), past.spared)
    drawn_round = draw_swiss_round(course, standing_in_order(1, 2, 3), present=[1, 2, 3], draws=LOT)
    assert [2] == [out.entry for out in drawn_round.unpaired]
    assert (0, 0) == draw_swiss_round(course, standing_in_order(1, 2, 3), present=[2, 3], draws=LOT).cost[:2]


def test_the_leader_meets_the_last_only_after_meeting_all_others() -> None:
    """Case 17: with 4, 2, 2 and 0 points the leader meets an entry with 2 if it has not met both."""
    course = new_course(4)
    course = with_round(course, [match_of([((1,), 2), ((3,), 0)]), match_of([((2,), 2), ((4,), 0)])])
    course = with_round(course, [match_of([((1,), 2), ((2,), 0)]), match_of([((3,), 2), ((4,), 0)])])
    assert {1: 4, 2: 2, 3: 2, 4: 0} == points_by_entry(course)
    assert [{1, 4}, {2, 3}] == [
        set(match.entries)
        for match in draw_swiss_round(course, standings_by_points(course), present=range(1, 5), draws=LOT).matches
    ]
    free = replace(course, rounds=course.rounds[1:])
    assert [{1, 3}, {2, 4}] == [
        set(match.entries)
        for match in draw_swiss_round(free, standings_by_points(course), present=range(1, 5), draws=LOT).matches
    ]


def test_the_entry_that_sat_first_less_often_sits_first_or_the_seed_decides() -> None:
    course = with_round(new_course(4), [match_of([((2,), 2), ((1,), 0)]), match_of([((3,), 2), ((4,), 0)])])
    drawn_round = draw_swiss_round(course, standings_by_points(course), present=range(1, 5), draws=LOT)
    assert {(2, 3), (1, 4)} == {tuple(sorted(match.entries)) for match in drawn_round.matches}
    assert (1, 4) not in {
        match.entries
        for match in draw_swiss_round(course, standing_in_order(1, 3, 2, 4), present=[1, 3], draws=LOT).matches
    }
    assert [(1, 3)] == [
        match.entries for match in draw_swiss_round(course, standing_in_order(3, 1), present=[1, 3], draws=LOT).matches
    ]
    firsts = {
        draw_swiss_round(new_course(2), standing_in_order(1, 2), present=[1, 2], draws=SeededDraw(bytes([number])))
        .matches[0]
        .entries
        for number in range(20)
    }
    assert {(1, 2), (2, 1)} == firsts


def test_a_late_entry_ranks_after_all_with_at_least_its_points() -> None:
    def entry_at(entry: int, points: int, place: int | None) -> EntryStanding:
        return EntryStanding(entry=entry, points=points, place=place, rank=entry)

    entries = [
        entry_at(1, 2, 1),
        entry_at(3, 2, 2),
        entry_at(2, 0, 3),
        entry_at(4, 0, 3),
        entry_at(9, 1, None),
        entry_at(8, 0, None),
    ]
    assert [1, 3, 9, 2, 4, 8] == [one.entry for one in standing_order(entries)]
    assert standing_order(entries) == standing_order(reversed(entries))


@pytest.mark.parametrize(
    ("standing", "present"),
    [([(1, 0), (2, 2)], [1, 2]), ([(1, 2), (1, 2), (2, 0)], [1, 2]), ([(1, 2)], [1, 2])],
    ids=["points rise", "stands twice", "does not stand"],
)
def test_an_invalid_standing_is_reported(standing: Sequence[tuple[int, int]], present: Sequence[int]) -> None:
    with pytest.raises(ValueError, match=r"points fall|stands once"):
        draw_swiss_round(new_course(2), [OrderedEntry(*one) for one in standing], present=present, draws=LOT)
