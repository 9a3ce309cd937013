"""Single situations of the standings from `docs/tournaments.md` 8 and 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from bot.tournaments.counted_results import (
    Course,
    Deal,
    Entry,
    Match,
    Penalty,
    ResultKind,
    Round,
    Scoring,
    Side,
    Span,
    UnpairedReason,
)
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.standings.changed_places import PlaceChange, ReversedResult, changed_results, place_changes
from bot.tournaments.standings.rows import StandingsRow, standings
from tests.support.tournament_examples import (
    entry_that_sat_out,
    forfeited_match,
    match_of_deals,
    match_of_differences,
    ranked_pairs,
    swiss_example,
)


def swiss_course(*rounds: Round, count: int = 4, kind: FormatKind = FormatKind.SWISS) -> Course:
    return Course(kind=kind, entries=ranked_pairs(count), rounds=rounds, scoring=Scoring(net_cap=1000))


def round_of(round_number: int, *matches: Match) -> Round:
    return Round(number=round_number, matches=matches)


def row_of(course: Course, entry: int) -> StandingsRow:
    return next(one for one in standings(course) if one.entry == entry)


def places(course: Course) -> list[tuple[int, int]]:
    return [(one.place, one.entry) for one in standings(course)]


def order_without_entry(course: Course, entry: int) -> list[int]:
    return [one.entry for one in standings(course) if one.entry != entry]


def test_before_the_first_round_all_share_the_first_place() -> None:
    assert [(1, 1), (1, 2), (1, 3), (1, 4)] == places(swiss_course())


def test_case_8_an_entry_that_leaves_keeps_its_results() -> None:
    first = round_of(1, match_of_differences(1, 1, 2, [100]), match_of_differences(2, 3, 4, [50]))
    course = swiss_course(first, round_of(2, match_of_differences(3, 2, 3, [10])))
    gone = replace(course, entries=(replace(course.entries[0], spans=(Span(1, 1),)), *course.entries[1:]))
    assert 2 == row_of(gone, 1).points
    assert Fraction(100) == row_of(gone, 1).figures.net


def test_case_11_an_entry_that_returns_scores_nothing_for_missed_rounds() -> None:
    first = round_of(1, match_of_differences(1, 1, 2, [100]), match_of_differences(2, 3, 4, [50]))
    away = Round(
        number=2,
        matches=(match_of_differences(3, 2, 3, [10]),),
        unpaired=(entry_that_sat_out(1, UnpairedReason.ZERO, 0),),
    )
    assert 2 == row_of(swiss_course(first, away, round_of(3, match_of_differences(4, 1, 3, [-10]))), 1).points


def test_case_14_an_entry_that_leaves_changes_no_other_figures_or_order() -> None:
    course = swiss_example()
    stayed = Round(
        number=6,
        matches=(
            match_of_differences(30, 6, 4, [50]),
            match_of_differences(31, 2, 10, [40]),
            match_of_differences(32, 8, 7, [30]),
        ),
    )
    on = replace(course, rounds=(*course.rounds, stayed))
    gone = replace(on, entries=tuple(replace(e, spans=(Span(1, 5),)) if e.number == 1 else e for e in on.entries))
    sat = replace(
        on, rounds=(*course.rounds, replace(stayed, unpaired=(entry_that_sat_out(1, UnpairedReason.ABSENT, 0),)))
    )
    for number in (2, 4, 6, 7, 8, 10):
        assert row_of(gone, number).figures == row_of(sat, number).figures
    assert order_without_entry(sat, 1) == order_without_entry(gone, 1)


def test_case_16_a_match_that_is_not_over_does_not_count() -> None:
    first = round_of(1, match_of_differences(1, 1, 2, [100]), match_of_differences(2, 3, 4, [50]))
    running = round_of(2, match_of_differences(3, 1, 3, [20]))
    before, after = swiss_course(first), swiss_course(first, running)
    for number in (2, 4):
        old, new = row_of(before, number), row_of(after, number)
        assert (old.points, old.figures.bc1, old.figures.net) == (new.points, new.figures.bc1, new.figures.net)


def test_case_18_a_leader_who_leaves_stays_listed() -> None:
    course = swiss_example()
    gone = replace(
        course,
        entries=tuple(replace(entry, spans=(Span(1, 5),)) if entry.number == 6 else entry for entry in course.entries),
    )
    assert 6 == standings(gone)[0].entry
    assert standings(course) == standings(gone)


def test_case_29_a_forfeit_does_not_count_as_a_meeting_in_a_swiss() -> None:
    course = swiss_course(
        round_of(1, forfeited_match(1, 1, 2), match_of_differences(2, 3, 4, [50])),
        round_of(2, match_of_differences(3, 2, 3, [300]), match_of_differences(4, 1, 4, [-100])),
    )
    assert [2, 2] == [row_of(course, number).points for number in (1, 2)]
    assert None is row_of(course, 1).figures.h2h
    assert 0 == row_of(course, 1).figures.wins


def test_case_41_head_to_head_needs_that_all_equal_entries_have_met() -> None:
    course = swiss_course(
        round_of(1, match_of_differences(1, 1, 2, [100]), match_of_differences(2, 3, 4, [10])),
        round_of(2, match_of_differences(3, 3, 1, [20]), match_of_differences(4, 2, 4, [5])),
        round_of(3, match_of_differences(5, 4, 3, [50])),
    )
    course = replace(course, penalties=(penalty(3, 2),))
    assert [2, 2, 2, 2] == [row_of(course, number).points for number in (1, 2, 3, 4)]
    assert {None} == {one.figures.h2h for one in standings(course)}


def penalty(entry: int, points: int) -> Penalty:
    return Penalty(round=1, entry=entry, category="slow", level=3, points=points, reason="", by=9, at=0)


def test_head_to_head_is_repeated_among_entries_still_equal() -> None:
    """Four equal entries have 4, 4, 2 and 2 points from their mutual matches.

    In each half the winner of the mutual match is ahead.
    """
    course = swiss_course(
        round_of(1, match_of_differences(1, 1, 2, [10]), match_of_differences(2, 3, 4, [10])),
        round_of(2, match_of_differences(3, 1, 3, [10]), match_of_differences(4, 2, 4, [10])),
        round_of(3, match_of_differences(5, 4, 1, [500]), match_of_differences(6, 2, 3, [10])),
        kind=FormatKind.ROUND_ROBIN,
    )
    course = replace(course, penalties=(penalty(1, 2), penalty(2, 2)))
    assert [2, 2, 2, 2] == [one.points for one in standings(course)]
    assert [(1, 1, 4), (2, 2, 4), (3, 3, 2), (4, 4, 2)] == [
        (one.place, one.entry, one.figures.h2h) for one in standings(course)
    ]


def test_head_to_head_is_not_used_again_after_another_figure_has_separated_entries() -> None:
    """Three have beaten each other in a circle.

    Once net points separate one, the other two are not compared again.
    """
    course = swiss_course(
        round_of(1, match_of_differences(1, 1, 2, [10]), forfeited_match(2, 3, 4)),
        round_of(2, match_of_differences(3, 2, 3, [30]), forfeited_match(4, 1, 4)),
        round_of(3, match_of_differences(5, 3, 1, [20]), forfeited_match(6, 2, 4)),
    )
    rows = standings(course)[:3]
    assert [(1, 2, 2), (2, 1, 2), (2, 3, 2)] == [(one.place, one.entry, one.figures.h2h) for one in rows]
    assert [10, -5, -5] == [one.figures.net for one in rows]


def test_equal_entries_share_a_place_and_the_next_places_are_skipped() -> None:
    course = swiss_course(round_of(1, match_of_differences(1, 1, 2, [100]), match_of_differences(2, 3, 4, [100])))
    assert [(1, 1), (1, 3), (3, 2), (3, 4)] == places(course)


def test_fractions_are_compared_exactly() -> None:
    third = round_of(1, match_of_differences(1, 1, 2, [100, 0, 0]), match_of_differences(2, 3, 4, [33, 33, 33]))
    assert [(1, 1), (2, 3), (3, 4), (4, 2)] == places(swiss_course(third))


def test_each_deal_is_capped_before_the_mean_and_void_deals_are_left_out() -> None:
    deals = (
        Deal(number=1, scores=(5000, 0)),
        Deal(number=2, scores=(0, 400)),
        Deal(number=3, scores=(9000, 0), void=True),
    )
    course = swiss_course(round_of(1, match_of_deals(1, (1, 2), deals)), count=2)
    assert Fraction(300) == row_of(course, 1).figures.net


def test_a_result_set_by_a_director_has_points_but_no_net_points() -> None:
    match = replace(match_of_differences(1, 1, 2, [700]), kind=ResultKind.ADJUSTED, set_by_director=True)
    one = row_of(swiss_course(round_of(1, match), count=2), 1)
    assert (2, Fraction(0), 1) == (one.points, one.figures.net, one.figures.wins)


def test_a_void_match_counts_for_no_entry() -> None:
    match = replace(match_of_differences(1, 1, 2, [700]), kind=ResultKind.VOID)
    assert [(0, 0), (0, 0)] == [
        (one.points, one.figures.wins) for one in standings(swiss_course(round_of(1, match), count=2))
    ]


def test_a_void_match_that_was_played_again_in_its_round_counts_once() -> None:
    void = replace(match_of_differences(1, 1, 2, [700]), kind=ResultKind.VOID)
    again = swiss_course(round_of(1, void, match_of_differences(2, 1, 2, [-40])), count=2)
    assert standings(swiss_course(round_of(1, match_of_differences(2, 1, 2, [-40])), count=2)) == standings(again)


def test_penalties_change_no_figures_of_other_entries() -> None:
    course = swiss_example()
    harsh = replace(course, penalties=(*course.penalties, replace(course.penalties[0], entry=6, points=3)))
    assert {one.entry: replace(one.figures, h2h=None) for one in standings(course)} == {
        one.entry: replace(one.figures, h2h=None) for one in standings(harsh)
    }


def test_a_late_entry_is_listed_from_its_round_on() -> None:
    assert [9, 10] == [len(standings(swiss_example(), after)) for after in (1, 2)]


def test_each_round_that_an_opponent_missed_counts_one_for_sonneborn_berger() -> None:
    course = swiss_course(
        round_of(1, match_of_differences(1, 1, 2, [100])),
        round_of(2, match_of_differences(2, 1, 3, [50]), match_of_differences(3, 2, 4, [70])),
        round_of(3, match_of_differences(4, 1, 4, [20])),
    )
    spans = {3: (2, 2), 2: (1, 2)}
    told = replace(
        course,
        entries=tuple(
            replace(one, spans=(Span(*spans[one.number]),)) if one.number in spans else one for one in course.entries
        ),
    )
    assert 3 + 2 + 0 == row_of(told, 1).figures.sb  # entry 2 left after a win, entry 3 came for one lost match


# --- round robin -----------------------------------------------------------------------------------------------------


def test_matches_of_an_annulled_entry_do_not_count_and_it_ranks_last() -> None:
    course = swiss_course(
        round_of(1, match_of_differences(1, 1, 2, [100]), match_of_differences(2, 3, 4, [50])),
        round_of(2, match_of_differences(3, 2, 4, [10]), match_of_differences(4, 3, 1, [900])),
        kind=FormatKind.ROUND_ROBIN,
    )
    annulled = replace(
        course,
        entries=tuple(replace(e, annulled=True, spans=(Span(1, 2),)) if e.number == 3 else e for e in course.entries),
    )
    assert [(1, 1), (2, 2), (3, 4), (4, 3)] == places(annulled)
    assert [(1, 2), (2, 2), (4, 0)] == [(one.entry, one.points) for one in standings(annulled) if one.entry != 3]
    assert Fraction(100) == row_of(annulled, 1).figures.net


# --- pods and individual ---------------------------------------------------------------------------------------------


def pod_match(match_number: int, entries_: Sequence[int], *scores: Sequence[int]) -> Match:
    deals = tuple(Deal(number=n, scores=tuple(line)) for n, line in enumerate(scores, start=1))
    return match_of_deals(match_number, entries_, deals, pods=True)


def test_pods_are_ranked_by_points_then_net_then_wins() -> None:
    course = replace(
        swiss_course(
            round_of(1, pod_match(1, (1, 2, 3), (300, 100, 200)), pod_match(2, (4, 5, 6), (500, 100, 100))), count=6
        ),
        sides=3,
    )
    rows = standings(course)
    assert [(1, 4, 4), (2, 1, 4), (3, 3, 2), (4, 5, 1), (4, 6, 1), (6, 2, 0)] == [
        (one.place, one.entry, one.points) for one in rows
    ]
    assert [400, 150, 0, -200, -200, -150] == [one.figures.net for one in rows]
    assert {(None, None, None)} == {(one.figures.h2h, one.figures.bc1, one.figures.sb) for one in standings(course)}


def test_in_individuals_each_player_scores_the_points_of_the_side() -> None:
    people = tuple(Entry(number=n, people=(n,), rank=n) for n in range(1, 6))
    match = Match(
        id=1,
        table=1,
        kind=ResultKind.PLAYED,
        sides=(Side(entries=(1, 4), points=2, score=350), Side(entries=(2, 3), points=0, score=100)),
        deals=(Deal(number=1, scores=(350, 100)),),
    )
    one = Round(number=1, matches=(match,), unpaired=(entry_that_sat_out(5, UnpairedReason.BYE, 1),))
    course = Course(kind=FormatKind.INDIVIDUAL, entries=people, rounds=(one,))
    assert [(1, 1, 2), (1, 4, 2), (3, 5, 1), (4, 2, 0), (4, 3, 0)] == [
        (row.place, row.entry, row.points) for row in standings(course)
    ]
    assert [250, 250, 0, -250, -250] == [row.figures.net for row in standings(course)]


# --- effects of a ruling ----------------------------------------------------------------------------------------------


def test_a_tie_and_a_lost_match_are_explained_and_an_unchanged_order_is_not() -> None:
    before = swiss_course(round_of(1, match_of_differences(1, 1, 2, [100]), match_of_differences(2, 3, 4, [50])))
    tied = swiss_course(round_of(1, match_of_differences(1, 1, 2, [0]), match_of_differences(2, 3, 4, [60])))
    void = swiss_course(
        round_of(
            1, replace(match_of_differences(1, 1, 2, [100]), kind=ResultKind.VOID), match_of_differences(2, 3, 4, [50])
        )
    )
    assert (ReversedResult(match=1, groups=((1, 2),)),) == changed_results(before, tied)
    assert (ReversedResult(match=1, groups=()),) == changed_results(before, void)
    assert () == changed_results(before, before)


def test_an_entry_that_is_newly_listed_had_no_place() -> None:
    course = swiss_example()
    first = replace(course, rounds=course.rounds[:1])
    second = replace(course, rounds=course.rounds[:2])
    assert PlaceChange(entry=10, before=None, after=7) in place_changes(first, second)
