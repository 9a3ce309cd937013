"""The directors' lists of unusual play: who is listed, how often, and next to which average."""

from __future__ import annotations

from fractions import Fraction

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.tournaments.desk import unusual_play
from bot.tournaments.desk.unusual_play import FirstDiscard, Meeting, SuspiciousEvent, UnusualPlayKind, UnusualPlayRow


def noted_pile_gift(giver: int, taker: int, match: int) -> SuspiciousEvent:
    return SuspiciousEvent(what=UnusualPlayKind.PILES, persons=(giver,), others=(taker,), match=match)


def test_the_player_who_gave_most_piles_is_listed_first() -> None:
    noted = [
        noted_pile_gift(1, 2, 7),
        noted_pile_gift(3, 4, 8),
        noted_pile_gift(1, 2, 9),
        noted_pile_gift(1, 2, 9),
        noted_pile_gift(1, 4, 9),
    ]
    found = unusual_play.list_people_with_events(UnusualPlayKind.PILES, noted, people=10)
    assert UnusualPlayRow(persons=(1,), others=(2,), count=3, matches=(7, 9)) == found.rows[0]
    assert [3, 1, 1] == [row.count for row in found.rows]
    assert Fraction(1, 2) == found.mean


def test_a_list_counts_only_its_own_kind_and_has_mean_0_without_players() -> None:
    noted = [noted_pile_gift(1, 2, 7), SuspiciousEvent(what=UnusualPlayKind.HARM, persons=(1,), match=7)]
    assert [1] == [
        row.count for row in unusual_play.list_people_with_events(UnusualPlayKind.HARM, noted, people=4).rows
    ]
    empty = unusual_play.list_people_with_events(UnusualPlayKind.FORFEITS, noted, people=0, least=2)
    assert ((), Fraction(0)) == (empty.rows, empty.mean)


def test_only_repeated_forfeits_among_the_same_people_are_listed() -> None:
    lost = [
        SuspiciousEvent(what=UnusualPlayKind.FORFEITS, persons=(1, 2), others=(3, 4), match=match) for match in (5, 6)
    ]
    other = SuspiciousEvent(what=UnusualPlayKind.FORFEITS, persons=(1, 2), others=(5, 6), match=7)
    found = unusual_play.list_people_with_events(
        UnusualPlayKind.FORFEITS, [*lost, other], people=2, least=unusual_play.FORFEITS
    )
    assert [UnusualPlayRow(persons=(1, 2), others=(3, 4), count=2, matches=(5, 6))] == list(found.rows)
    assert Fraction(3, 2) == found.mean


def meetings_of_four_at(*instant: int) -> list[Meeting]:
    return [Meeting(persons=frozenset({1, 2, 3, 4}), at=one) for one in instant]


def test_three_meetings_of_the_same_people_in_a_week_are_listed() -> None:
    others = [Meeting(persons=frozenset({1, 2, 3, 5}), at=DAY)]
    found = unusual_play.list_frequent_meetings([*meetings_of_four_at(0, DAY, 7 * DAY - 1), *others])
    assert [UnusualPlayRow(persons=(1, 2, 3, 4), count=3)] == list(found.rows)
    assert Fraction(2) == found.mean


def test_meetings_seven_days_apart_are_not_in_the_same_week() -> None:
    assert () == unusual_play.list_frequent_meetings(meetings_of_four_at(0, DAY, 7 * DAY)).rows
    assert 2 == unusual_play.most_instants_in_a_week([0, 7 * DAY - 1, 14 * DAY])


def make_first_discard(chosen: int, match: int, *, began: int, ended: int | None = None) -> FirstDiscard:
    over = began + HOUR if ended is None else ended
    return FirstDiscard(board=1, seat=2, chosen=chosen, persons=(match,), match=match, began=began, ended=over)


def test_a_rare_discard_repeated_after_another_table_finished_the_board_is_listed() -> None:
    usual = [make_first_discard(4, match, began=0) for match in (1, 2, 3)]
    found = unusual_play.list_repeated_discards(
        [*usual, make_first_discard(9, 4, began=0), make_first_discard(9, 5, began=HOUR)]
    )
    assert [UnusualPlayRow(persons=(5,), others=(4,), count=1, matches=(4, 5))] == list(found.rows)
    assert Fraction(1, 5) == found.mean


def test_simultaneous_or_frequent_discards_and_those_at_few_tables_are_not_listed() -> None:
    usual = [make_first_discard(4, match, began=0) for match in (1, 2, 3)]
    assert (
        ()
        == unusual_play.list_repeated_discards(
            [*usual, make_first_discard(9, 4, began=0), make_first_discard(9, 5, began=HOUR - 1)]
        ).rows
    )
    assert () == unusual_play.list_repeated_discards([*usual, make_first_discard(4, 4, began=HOUR)]).rows
    assert (
        ()
        == unusual_play.list_repeated_discards(
            [make_first_discard(9, 4, began=0), make_first_discard(9, 5, began=HOUR), make_first_discard(4, 6, began=0)]
        ).rows
    )
