"""Notices that are not about turns: their recipients, time and texts, decided without Discord."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.clocks.time_rules import DAY, PRESETS
from bot.i18n import locales, words
from bot.tables.people.notices import Contact, NoticePreferences
from bot.tables.state.absence import (
    Absence,
    AbsenceChoice,
    AbsenceReason,
    Ballot,
    Claim,
    ClaimAnswer,
    ClaimKind,
    SeatReturn,
    Vote,
)
from bot.tables.state.clocks import Conclusion, Pause, TableSettings
from bot.tables.state.proposals import Proposal
from bot.tables.state.proposals import ProposalKind as Offer
from bot.tables.state.snapshots import SeatHolder, Status, TableSnapshot
from cogs.shared.notices.event_notices import NoticeKind, PendingNotice, pending_notices
from cogs.shared.notices.event_notifier import TOLD, decide_event_notice
from cogs.shared.notices.event_texts import event_page
from cogs.shared.notices.notice_records import Reachability
from cogs.shared.notices.turn_decisions import CheckLater, Delivery, NotifyNow, SkipNotice
from tests.cogs.test_message_timing import NOW, running_table
from tests.support.discord_limits import all_components, broken_limits

DAILY = TableSettings(clock=PRESETS["daily"])
LIVE = TableSettings(clock=PRESETS["live"])
KEPT = SeatHolder("computer", number=1, kept_for=1, kept_name="Ben")
NEW = SeatHolder("person", person=9, name="Zoe")


def table(*numbers: int | None, settings: TableSettings = DAILY, absence: Absence | None = None) -> TableSnapshot:
    """Return a running game of people with these ids, with person 2 as host."""
    snapshot = running_table(*(numbers or (1, 2, 3, 4)))
    return replace(snapshot, host=2, settings=settings, absence=absence or Absence())


def table_with_kept_seat(**known: object) -> TableSnapshot:
    """Return the table with a computer player in the first seat."""
    snapshot = table(absence=replace(Absence(kept=(0,)), **known))  # type: ignore[arg-type]
    return replace(snapshot, seats=(KEPT, *snapshot.seats[1:]))


def notified_events(snapshot: TableSnapshot, *, now: int = NOW) -> list[tuple[str, int]]:
    """Return the subject and the recipient of each notice that the table needs."""
    return [(one.about, one.person) for one in pending_notices(snapshot, now=now) if one.needed]


VOTE = Vote(0, 1, AbsenceReason.LAPSED, 7, (Ballot(2, AbsenceChoice.WAIT),))
OBJECT = Claim(ClaimKind.OBJECT, 0, NEW, 7)
TAKE = Claim(ClaimKind.TAKE, 0, NEW, 7, answers=(ClaimAnswer(1, agrees=True),))


@pytest.mark.parametrize(
    ("snapshot", "expected"),
    [
        (table(), []),
        (table(absence=Absence(vote=VOTE)), [("vote.0.7", 2), ("vote.0.7", 4), ("voted.1.0", 1)]),
        (table(settings=LIVE, absence=Absence(vote=VOTE)), [("vote.0.7", 2), ("vote.0.7", 4), ("voted.1.0", 1)]),
        (table(absence=Absence(claims=(TAKE,))), [("claim.0.7", 1), ("claim.0.7", 3), ("claim.0.7", 4)]),
        (table(absence=Absence(claims=(OBJECT,))), [("claim.0.7", 2), ("claim.0.7", 4)]),
        (replace(table(), proposal=Proposal(Offer.END, 2, 7, (2, 3))), [("offer.7", 1), ("offer.7", 4)]),
        (replace(table(), proposal=Proposal(Offer.RESIGN, 2, 7, (2,))), [("offer.7", 4)]),
        (table(1, 2, None, None, absence=Absence(ends_at=NOW + 6 * DAY)), []),
        (
            table(1, 2, None, None, absence=Absence(ends_at=NOW + 6 * DAY, ends_told=True)),
            [("ends.7", 1), ("ends.7", 2)],
        ),
        (table(1, 2, None, None, absence=Absence(ends_at=NOW + DAY, ends_told=True)), [("ends.1", 1), ("ends.1", 2)]),
        (replace(table(absence=Absence(ends_at=NOW, ends_told=True)), last_deal=True), []),
        (table(1, 2, None, None, absence=Absence(idle_at=9)), [("idle", 1), ("idle", 2)]),
        (table(1, None, None, None, absence=Absence(idle_at=9)), []),
        (table_with_kept_seat(), [("given.0", 2)]),
        (replace(table_with_kept_seat(), settings=LIVE), [("given.0", 2)]),
        (replace(table_with_kept_seat(kept=()), settings=LIVE), []),
        (replace(table_with_kept_seat(), host=1), []),
        (table(absence=Absence(returned=SeatReturn(0, (1, 4)))), [("back.0.1.4", 2)]),
        (table(absence=Absence(returned=SeatReturn(0, (0, 4)))), []),
        (table(absence=Absence(returned=SeatReturn(1, (1, 4)))), []),
        (replace(table(), status=Status.FINISHED), [("over", person) for person in (1, 2, 3, 4)]),
        (replace(table_with_kept_seat(), status=Status.FINISHED), [("over", person) for person in (1, 2, 3, 4)]),
        (replace(table(settings=LIVE), status=Status.FINISHED), []),
        (replace(table(absence=Absence(vote=VOTE, idle_at=9)), status=Status.CLOSED), []),
    ],
)
def test_notices_besides_turns_go_to_the_right_people(snapshot: TableSnapshot, expected: list[tuple[str, int]]) -> None:
    assert expected == notified_events(snapshot)


def test_in_a_pause_no_notices_are_sent_and_old_ones_stay() -> None:
    absence = Absence(vote=VOTE, ends_at=NOW + 2 * DAY, ends_told=True)
    snapshot = replace(table(absence=absence), pause=Pause(2, NOW, None))
    assert [] == notified_events(snapshot, now=NOW + 2 * DAY)
    assert {"vote.0.7", "ends.7"} < {one.about for one in pending_notices(snapshot, now=NOW + 2 * DAY)}


def test_the_host_is_notified_of_a_lost_place_while_the_table_uses_it() -> None:
    snapshot = table()
    gone, moved = pending_notices(snapshot, now=NOW, lost_place=True, moved_place=True)
    assert (NoticeKind.GONE, f"gone.{snapshot.channel}", 2, True, True) == (
        gone.kind,
        gone.about,
        gone.person,
        gone.needed,
        gone.directly,
    )
    assert (NoticeKind.MOVED, f"moved.{snapshot.channel}", 2, True, False) == (
        moved.kind,
        moved.about,
        moved.person,
        moved.needed,
        moved.directly,
    )
    assert [False, False] == [one.needed for one in pending_notices(snapshot, now=NOW)]


# --- time and form ----------------------------------------------------------------------------------------------------

MATTER = PendingNotice(NoticeKind.VOTE, "vote.0.7", 2)
DIRECT = replace(MATTER, directly=True)
CALLED = Contact(pings=(NOW - 1,) * 4)
SHUT = Contact(closed=5)


@pytest.mark.parametrize(
    ("notice", "wishes", "contact", "expected"),
    [
        (MATTER, NoticePreferences(), Contact(), NotifyNow(TOLD, Delivery.MENTION)),
        (MATTER, NoticePreferences("dm"), Contact(), NotifyNow(TOLD, Delivery.MESSAGE)),
        (MATTER, NoticePreferences("dm"), SHUT, NotifyNow(TOLD, Delivery.MENTION)),
        (MATTER, NoticePreferences("none"), Contact(), SkipNotice(TOLD)),
        (MATTER, NoticePreferences(pings=4), CALLED, SkipNotice(TOLD)),
        (MATTER, NoticePreferences(pings=12), CALLED, NotifyNow(TOLD, Delivery.MENTION)),
        (DIRECT, NoticePreferences(), Contact(), NotifyNow(TOLD, Delivery.MESSAGE)),
        (DIRECT, NoticePreferences(), SHUT, SkipNotice(TOLD)),
        (DIRECT, NoticePreferences("none"), Contact(), SkipNotice(TOLD)),
    ],
)
def test_each_person_is_notified_in_the_chosen_way(
    notice: PendingNotice, wishes: NoticePreferences, contact: Contact, expected: SkipNotice | NotifyNow
) -> None:
    assert expected == decide_event_notice(notice, Reachability(wishes, contact, NOW, None, 0))


def test_no_notices_are_sent_in_quiet_hours_or_right_after_an_outage() -> None:
    assert CheckLater(NOW + 5) == decide_event_notice(
        MATTER, Reachability(NoticePreferences(), Contact(), NOW, NOW + 5, 0)
    )
    assert CheckLater(NOW + 6) == decide_event_notice(
        MATTER, Reachability(NoticePreferences(), Contact(), NOW, NOW + 5, NOW + 6)
    )


# --- texts ------------------------------------------------------------------------------------------------------------


def notice_text(
    snapshot: TableSnapshot, *, locale: str = "en", mention: bool = True, lost: bool = False, moved: bool = False
) -> str:
    """Return the text of the first notice that the table needs."""
    needed = [one for one in pending_notices(snapshot, now=NOW, lost_place=lost, moved_place=moved) if one.needed]
    those = [one for one in needed if one.about == needed[0].about]
    page = event_page(words(locale), snapshot, those if mention else those[:1], mention=mention, addresses={})
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    assert (tuple(one.person for one in those) if mention else ()) == page.mentions
    return "\n".join(str(one["content"]) for one in all_components(components) if "content" in one)


def test_notices_of_events_have_the_expected_texts() -> None:
    day, late = f"<t:{(DAY + 7) // 1000}:R>", f"<t:{(NOW + DAY) // 1000}:f>"
    gone = replace(VOTE, why=AbsenceReason.GONE)
    offer = replace(table(1, 2, None, None), proposal=Proposal(Offer.PAUSE, 2, 7, (2,), days=3), proposal_until=DAY)
    near = table(1, 2, None, None, absence=Absence(ends_at=NOW + DAY, ends_told=True))
    back = table(absence=Absence(returned=SeatReturn(0, (1, 4))))
    over = replace(table(1, 2, None, None), status=Status.FINISHED)
    first = table().seats[0].name
    expected = {
        notice_text(table(absence=Absence(vote=VOTE))): f"<@2>, <@4>: {first}'s time at table 42 is up. What now? "
        f"A player who does not vote counts as voting for the computer. Voting ends {day}.",
        notice_text(table(absence=Absence(vote=gone))): f"<@2>, <@4>: {first} has left this server. What now at "
        f"table 42? Without a decision a computer plays from <t:{(DAY + 7) // 1000}:f>.",
        notice_text(
            table(absence=Absence(claims=(OBJECT,)))
        ): "<@2>, <@4>: A question for you at table 42: Zoe is back once more. If "
        f"all opponents object, a computer takes the seat again. Voting ends {day}.",
        notice_text(
            offer
        ): f"<@1>: A question for you at table 42: {offer.seats[1].name} offers a pause of 3 days. All must agree "
        f"until <t:{DAY // 1000}:f>.",
        notice_text(
            near
        ): f"<@1>, <@2>: The game at table 42 has a latest end: the deal being played on {late} is its last.",
        notice_text(
            table(1, 2, None, None, absence=Absence(idle_at=DAY))
        ): "<@1>, <@2>: Table 42 has had no move for at least 29 "
        f"days. It closes <t:{DAY // 1000}:R> unless a player moves.",
        notice_text(table_with_kept_seat()): "<@2>: At table 42 a computer plays for Ben until Ben is back.",
        notice_text(back): f"<@2>: {first} is back at table 42.",
        notice_text(
            replace(over, conclusion=Conclusion("agreed", None, (0, 0)))
        ): "<@1>, <@2>: The game at table 42 is over and has no winner.",
        notice_text(table(), moved=True): "<@2>: The thread of table 42 was deleted. The game goes on in the channel.",
        notice_text(
            table(), lost=True
        ): "<@2>: The channel of table 42 was deleted. `/table show` in any channel brings the table there.",
    }
    assert list(expected.values()) == list(expected)
    assert "won with 1,500 points." in notice_text(replace(over, conclusion=Conclusion("resigned", 1, (200, 1_500))))
    assert "Ben: The game at table 42 is over" in notice_text(
        replace(table_with_kept_seat(), status=Status.FINISHED, conclusion=Conclusion("agreed", None, (0, 0))),
        mention=False,
    )
    for locale in locales():
        assert "{" not in notice_text(near, locale=locale)
