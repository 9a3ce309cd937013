"""Explanations of why an entry plays against its opponents or sits out."""

from __future__ import annotations

from bot.tournaments.counted_results import Course, EntryWithoutMatch, UnpairedReason
from bot.tournaments.pairing.drawn_round import DrawnRound, Pairing
from bot.tournaments.pairing.standing_order import OrderedEntry
from bot.tournaments.pairing.swiss import PairingReason, PairingReasonCode, draw_swiss_round, pairing_reason
from bot.tournaments.seeded_draw import SeededDraw
from tests.support.brute_force_pairing import match_of, new_course, standings_by_points, with_round

LOT = SeededDraw(b"why")


def course_after_two_rounds() -> Course:
    """Return five entries after two rounds, with 4, 2, 2, 2 and 2 points; 5 and 4 had byes."""
    course = with_round(
        new_course(5), [match_of([((1,), 2), ((3,), 0)]), match_of([((2,), 2), ((4,), 0)])], [entry_with_bye(5)]
    )
    return with_round(course, [match_of([((1,), 2), ((2,), 0)]), match_of([((3,), 2), ((5,), 0)])], [entry_with_bye(4)])


def entry_with_bye(entry: int) -> EntryWithoutMatch:
    return EntryWithoutMatch(entry=entry, code=UnpairedReason.BYE, points=2)


def test_the_nearest_unmet_opponent_is_explained() -> None:
    course = course_after_two_rounds()
    standing = standings_by_points(course)
    drawn_round = draw_swiss_round(course, standing, present=range(1, 6), draws=LOT)
    opponent = next(match.opponents(1)[0] for match in drawn_round.matches if 1 in match.entries)
    expected = PairingReason(
        entry=1, code=PairingReasonCode.NEAREST, points=4, opponents=(opponent,), opponent_points=(2,), crossing=1
    )
    assert expected == pairing_reason(course, standing, drawn_round, 1)


def test_nearer_entries_with_other_opponents_are_explained() -> None:
    course, standing = new_course(4), [OrderedEntry(1, 6), OrderedEntry(2, 4), OrderedEntry(3, 2), OrderedEntry(4, 0)]
    drawn_round = DrawnRound((Pairing(((1,), (4,))), Pairing(((3,), (2,)))))
    assert PairingReason(
        entry=1, code=PairingReasonCode.NEAR, points=6, opponents=(4,), opponent_points=(0,), nearer=2, crossing=2
    ) == pairing_reason(course, standing, drawn_round, 1)


def test_a_rematch_is_explained() -> None:
    course = with_round(new_course(2), [match_of([((1,), 2), ((2,), 0)])])
    drawn_round = draw_swiss_round(course, standings_by_points(course), present=[1, 2], draws=LOT)
    found = pairing_reason(course, standings_by_points(course), drawn_round, 2)
    assert (PairingReasonCode.AGAIN, 1, (1,)) == (found.code, found.met, found.opponents)


def test_byes_have_their_reasons() -> None:
    course = course_after_two_rounds()
    standing = standings_by_points(course)
    drawn_round = draw_swiss_round(course, standing, present=range(1, 6), draws=LOT)
    (out,) = drawn_round.unpaired
    assert PairingReasonCode.BYE_LAST is pairing_reason(course, standing, drawn_round, out.entry).code
    other = 2 if out.entry == 3 else 3
    by_others = DrawnRound((Pairing(((1,), (out.entry,))), Pairing(((4,), (5,)))), (entry_with_bye(other),))
    assert PairingReasonCode.BYE is pairing_reason(course, standing, by_others, other).code
    again = DrawnRound((Pairing(((1,), (2,))), Pairing(((4,), (3,)))), (entry_with_bye(5),))
    assert PairingReasonCode.BYE_AGAIN is pairing_reason(course, standing, again, 5).code


def test_absences_are_explained() -> None:
    course = new_course(3)
    drawn_round = draw_swiss_round(course, standings_by_points(course), present=[1, 2], draws=LOT)
    assert PairingReasonCode.AWAY is pairing_reason(course, standings_by_points(course), drawn_round, 3).code


def test_partners_are_not_listed_as_opponents() -> None:
    course = new_course(4)
    drawn_round = DrawnRound((Pairing(((1, 3), (2, 4))),))
    assert (2, 4) == pairing_reason(course, standings_by_points(course), drawn_round, 1).opponents
