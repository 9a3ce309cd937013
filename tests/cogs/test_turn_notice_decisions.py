"""Whether a person is notified of a turn now, later, or never (`docs/long-games.md`, 5)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY, PRESETS, SeatClock, Stage
from bot.engine.moves.phases import Phase
from bot.i18n import locales, words
from bot.tables.people.notices import Contact, NoticePreferences, SentNotice, notice_preferences_of
from bot.tables.state.absence import Absence
from bot.tables.state.clocks import Clocks, Pause, TableSettings
from bot.tables.state.snapshots import SeatHolder, TableSnapshot
from cogs.shared.notices import daily_digests, turn_decisions, turn_texts
from cogs.shared.notices.turn_decisions import (
    CALLING,
    WAITING,
    AwaitedTurn,
    CheckLater,
    Decision,
    Delivery,
    NoticeFacts,
    NotifyNow,
    SkipNotice,
)
from cogs.shared.showing.board import board_page
from cogs.shared.telling import status_text
from tests.cogs.test_message_timing import running_table
from tests.engine.table.test_views import redeal_hidden_cards
from tests.support.clock import START
from tests.support.discord_limits import all_components, broken_limits
from tests.support.engine_games import played_positions, table_snapshot

WORDS = words()
NOW = START
TURN = "1.4"
MENTION, MESSAGE = Delivery.MENTION, Delivery.MESSAGE
DAILY = TableSettings(clock=PRESETS["daily"])
LIVE = TableSettings(clock=PRESETS["live"])


def awaited_turn(stage: Stage = Stage.RUNNING) -> AwaitedTurn:
    return AwaitedTurn(0, 1, TURN, stage, NOW - HOUR, NOW + HOUR)


def sent_notice(stage: str) -> SentNotice:
    return SentNotice(12, 1, TURN, stage, None, None, NOW - HOUR)


def notice_case(
    stage: Stage = Stage.RUNNING, notice: str | None = WAITING, wishes: NoticePreferences | None = None
) -> NoticeFacts:
    return NoticeFacts(
        awaited_turn(stage),
        None if notice is None else sent_notice(notice),
        wishes or NoticePreferences(),
        Contact(),
        NOW,
    )


def snapshot_with_running_clock(
    snapshot: TableSnapshot, stage: Stage = Stage.RUNNING, settings: TableSettings = DAILY
) -> TableSnapshot:
    """Return the table with two hours left on the clock of the player in turn."""
    assert snapshot.view is not None
    seat = snapshot.view.actor
    clocks = Clocks(
        (SeatClock(18 * HOUR, vacation_days=1),) * snapshot.players, seat, NOW - HOUR, NOW + 2 * HOUR, stage
    )
    return replace(snapshot, settings=settings, clocks=clocks, waits_since=NOW - HOUR)


def texts_of(snapshot: TableSnapshot, mention: int | None = None) -> str:
    return _words_in(board_page(WORDS, snapshot, mention=mention).view.to_components())  # type: ignore[no-untyped-call]


def _words_in(components: list[dict[str, object]]) -> str:
    return "\n".join(str(one["content"]) for one in all_components(components) if "content" in one)


# --- the decision -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        # A new turn has a notice of its own only if the table's message did not announce it.
        (notice_case(), NotifyNow(Stage.RUNNING, MENTION)),
        (notice_case(notice=None), None),
        (notice_case(notice="running"), None),
        (notice_case(notice=CALLING), None),
        # Each reminder is sent once, after any earlier notices of the turn, and never right after another one.
        (notice_case(Stage.HALF, None), NotifyNow(Stage.HALF, MENTION)),
        (notice_case(Stage.HALF, "running"), NotifyNow(Stage.HALF, MENTION)),
        (notice_case(Stage.HALF), NotifyNow(Stage.HALF, MENTION)),
        (notice_case(Stage.HALF, "half"), None),
        (notice_case(Stage.LAST, "half"), NotifyNow(Stage.LAST, MENTION)),
        (notice_case(Stage.LAST, None), NotifyNow(Stage.LAST, MENTION)),
        (notice_case(Stage.HALF, "last"), None),
        (notice_case(Stage.EXTENDED, "last"), NotifyNow(Stage.EXTENDED, MENTION)),
        (notice_case(Stage.VACATION, "extended"), NotifyNow(Stage.VACATION, MENTION)),
        (notice_case(Stage.LAPSED, None), NotifyNow(Stage.LAPSED, MENTION)),
        # Preferences decide whether and how notices come.
        (notice_case(wishes=NoticePreferences("dm")), NotifyNow(Stage.RUNNING, MESSAGE)),
        (notice_case(Stage.LAST, "half", NoticePreferences("dm")), NotifyNow(Stage.LAST, MESSAGE)),
        (notice_case(wishes=NoticePreferences("none")), SkipNotice(Stage.RUNNING)),
        (notice_case(Stage.LAST, "half", NoticePreferences("none")), SkipNotice(Stage.LAST)),
        (notice_case(Stage.HALF, "running", NoticePreferences(reminders="last")), None),
        (notice_case(Stage.HALF, WAITING, NoticePreferences(reminders="last")), NotifyNow(Stage.RUNNING, MENTION)),
        (notice_case(Stage.LAST, "running", NoticePreferences(reminders="last")), NotifyNow(Stage.LAST, MENTION)),
        (notice_case(Stage.LAST, "running", NoticePreferences(reminders="none")), None),
        (
            notice_case(Stage.EXTENDED, "running", NoticePreferences(reminders="none")),
            NotifyNow(Stage.EXTENDED, MENTION),
        ),
    ],
)
def test_each_notice_has_its_text(given: NoticeFacts, expected: Decision) -> None:
    assert expected == turn_decisions.decide_notice(given)


def test_a_new_turn_is_announced_by_the_table_message_if_mentions_are_allowed() -> None:
    assert NotifyNow(Stage.RUNNING, MENTION) == turn_decisions.decide_notice_of_new_turn(notice_case(notice=None))
    assert CheckLater(NOW + HOUR) == turn_decisions.decide_notice_of_new_turn(
        replace(notice_case(notice=None), quiet_until=NOW + HOUR)
    )
    assert NotifyNow(Stage.RUNNING, MESSAGE) == turn_decisions.decide_notice_of_new_turn(
        notice_case(notice=None, wishes=NoticePreferences("dm"))
    )


def test_no_notices_are_sent_in_quiet_hours() -> None:
    for stage in (Stage.HALF, Stage.LAST, Stage.EXTENDED, Stage.LAPSED):
        assert CheckLater(NOW + HOUR) == turn_decisions.decide_notice(
            replace(notice_case(stage), quiet_until=NOW + HOUR)
        )


def test_after_an_absence_each_table_notifies_at_its_own_time() -> None:
    moments = {turn_decisions.earliest_notice_time(table, NOW) for table in range(1, 200)}
    assert len(moments) > 150
    assert NOW <= min(moments) <= max(moments) < NOW + 10 * MINUTE
    assert 0 == turn_decisions.earliest_notice_time(12, 0)
    assert CheckLater(NOW + 5) == turn_decisions.decide_notice(
        replace(notice_case(Stage.LAST, "half"), not_before=NOW + 5)
    )


def test_while_a_call_is_unseen_other_turns_wait_three_hours_and_reminders_do_not() -> None:
    contact = Contact(seen=NOW - 2 * HOUR, pings=(NOW - HOUR,))
    assert CheckLater(NOW + 2 * HOUR) == turn_decisions.decide_notice(replace(notice_case(), contact=contact))
    assert NotifyNow(Stage.HALF, MENTION) == turn_decisions.decide_notice(
        replace(notice_case(Stage.HALF), contact=contact)
    )
    assert NotifyNow(Stage.RUNNING, MENTION) == turn_decisions.decide_notice(
        replace(notice_case(), contact=replace(contact, seen=NOW))
    )
    later = replace(notice_case(), contact=contact, now=NOW + 2 * HOUR)
    assert NotifyNow(Stage.RUNNING, MENTION) == turn_decisions.decide_notice(later)


def test_above_the_daily_limit_only_the_last_reminder_is_sent() -> None:
    wishes = NoticePreferences(pings=4)
    called = Contact(seen=NOW, pings=tuple(NOW - number * HOUR for number in range(4)))
    assert SkipNotice(Stage.RUNNING) == turn_decisions.decide_notice(
        replace(notice_case(wishes=wishes), contact=called)
    )
    assert SkipNotice(Stage.HALF) == turn_decisions.decide_notice(
        replace(notice_case(Stage.HALF, wishes=wishes), contact=called)
    )
    assert NotifyNow(Stage.LAST, MENTION) == turn_decisions.decide_notice(
        replace(notice_case(Stage.LAST, wishes=wishes), contact=called)
    )
    assert NotifyNow(Stage.RUNNING, MENTION) == turn_decisions.decide_notice(
        replace(notice_case(wishes=NoticePreferences(pings=None)), contact=called)
    )
    tomorrow = replace(notice_case(wishes=wishes), contact=called, now=NOW + DAY)
    assert NotifyNow(Stage.RUNNING, MENTION) == turn_decisions.decide_notice(tomorrow)


def test_after_a_failed_direct_message_mentions_are_used_until_the_person_acts() -> None:
    shut = replace(notice_case(wishes=NoticePreferences("dm")), contact=Contact(seen=NOW - HOUR, closed=NOW - MINUTE))
    assert NotifyNow(Stage.RUNNING, MENTION) == turn_decisions.decide_notice(shut)
    assert NotifyNow(Stage.RUNNING, MESSAGE) == turn_decisions.decide_notice(
        replace(shut, contact=replace(shut.contact, seen=NOW))
    )


def test_preferences_are_those_chosen_or_the_defaults() -> None:
    assert NoticePreferences("thread", "both", 12, "") == notice_preferences_of({})
    chosen = {"notices": "dm", "reminders": "last", "pings": "all", "language": "it"}
    assert NoticePreferences("dm", "last", None, "it") == notice_preferences_of(chosen)
    assert "" == notice_preferences_of({"language": "discord"}).language


# --- the person for whom a table waits --------------------------------------------------------------------------------


def test_a_table_waits_for_the_person_whose_clock_runs() -> None:
    snapshot = snapshot_with_running_clock(running_table(1, 2, 3, 4), Stage.HALF)
    found = turn_decisions.awaited_turn(snapshot)
    assert found is not None
    assert (1, Stage.HALF, NOW - HOUR, NOW + 2 * HOUR) == (found.person, found.stage, found.since, found.until)
    assert turn_decisions.awaited_turn(replace(snapshot, pause=Pause(1, NOW, None))) is None
    assert turn_decisions.awaited_turn(snapshot_with_running_clock(running_table(1, None, None, None))) is None
    assert turn_decisions.awaited_turn(snapshot_with_running_clock(running_table(None, 2, 3, 4))) is None
    assert turn_decisions.awaited_turn(snapshot_with_running_clock(running_table(1, 2, 3, 4), settings=LIVE)) is None
    unclocked = turn_decisions.awaited_turn(running_table(1, 2, 3, 4))
    assert unclocked is not None
    assert unclocked.until is None


def test_a_person_out_of_time_learns_that_a_computer_player_keeps_the_seat() -> None:
    snapshot = snapshot_with_running_clock(running_table(None, 2, 3, 4))
    assert snapshot.clocks is not None
    lapsed = (SeatClock(0, lapses=1), *snapshot.clocks.seats[1:])
    kept = SeatHolder("computer", number=1, kept_for=1, kept_name="Ben")
    clocks = replace(snapshot.clocks, owes=None, seats=lapsed)
    gone = replace(snapshot, seats=(kept, *snapshot.seats[1:]), clocks=clocks, absence=Absence(kept=(0,)))
    assert () == turn_decisions.turns_to_notify(replace(gone, absence=Absence(kept=(0,), left=(0,)))), (
        "who left on purpose knows that"
    )
    (awaited,) = turn_decisions.turns_to_notify(gone)
    assert (1, "kept.1", Stage.LAPSED) == (awaited.person, awaited.turn, awaited.stage)
    page = turn_texts.turns_page(WORDS, [(gone, awaited)], Stage.LAPSED, mention=True, addresses={})
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert "<@1>, your time at table 42 is up. A computer plays for you" in _words_in(components)
    replaced = replace(gone, clocks=replace(clocks, seats=(SeatClock(HOUR), *clocks.seats[1:])))
    (awaited,) = turn_decisions.turns_to_notify(replaced)
    page = turn_texts.turns_page(WORDS, [(replaced, awaited)], Stage.LAPSED, mention=True, addresses={})
    said_then = _words_in(page.view.to_components())  # type: ignore[no-untyped-call]
    assert "<@1>, a computer plays for you at table 42" in said_then
    assert ["back"] == [one["custom_id"].split(":")[3] for one in all_components(components) if "custom_id" in one]


# --- texts ------------------------------------------------------------------------------------------------------------


def notice_text(snapshot: TableSnapshot, stage: Stage, *, mention: bool = True) -> str:
    awaited = turn_decisions.awaited_turn(snapshot)
    assert awaited is not None
    page = turn_texts.turns_page(WORDS, [(snapshot, awaited)], stage, mention=mention, addresses={})
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    assert (() if not mention else (awaited.person,)) == page.mentions
    return _words_in(components)


def test_notices_have_the_expected_texts() -> None:
    snapshot = replace(snapshot_with_running_clock(running_table(1, 2, 3, 4)), id=12)
    until, since = f"<t:{(NOW + 2 * HOUR) // 1000}:f>", f"<t:{(NOW - HOUR) // 1000}:R>"
    assert f"<@1>, your turn at table 12 came {since}. You have until {until}." == notice_text(snapshot, Stage.RUNNING)
    assert f"<@1>, half your time at table 12 is gone. You have until {until}; your turn came {since}." == notice_text(
        snapshot, Stage.HALF
    )
    last = f"last reminder for table 12: you have until {until}. Then your extra day begins. Your turn came {since}."
    assert f"<@1>, {last}" == notice_text(snapshot, Stage.LAST)
    assert f"P1, {last}" == notice_text(snapshot, Stage.LAST, mention=False)
    bare = replace(snapshot, settings=replace(DAILY, extension=False, vacation=0))
    assert notice_text(bare, Stage.LAST).endswith(f"Then the others vote. Your turn came {since}.")
    assert "A day of your vacation has begun" in notice_text(snapshot, Stage.VACATION)
    clocks = snapshot.clocks
    assert clocks is not None
    extended = replace(
        snapshot, clocks=replace(clocks, seats=tuple(replace(one, extended=True) for one in clocks.seats))
    )
    ends = f"Your extra day runs until {until}; then "
    assert f"{ends}a day of your vacation begins if one is left; otherwise the others vote." in notice_text(
        extended, Stage.EXTENDED
    )
    assert f"{ends}the others vote." in notice_text(
        replace(extended, settings=replace(DAILY, vacation=0)), Stage.EXTENDED
    )


def test_one_notice_names_the_turns_at_several_tables() -> None:
    snapshot = snapshot_with_running_clock(running_table(1, 2, 3, 4))
    awaited = turn_decisions.awaited_turn(snapshot)
    assert awaited is not None
    waiting = [(replace(snapshot, id=number), awaited) for number in range(1, 40)]
    page = turn_texts.turns_page(WORDS, waiting, Stage.RUNNING, mention=True, addresses={})
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    assert "<@1>, it is your turn at 39 tables: table 1 until <t:" in _words_in(components)


def test_boards_show_the_deadline() -> None:
    snapshot = snapshot_with_running_clock(running_table(1, 2, 3, 4))
    until = f"<t:{(NOW + 2 * HOUR) // 1000}"
    assert f"<@1>, your turn. You have until {until}:f>." in texts_of(snapshot, mention=1)
    assert f"Until {until}:f>." in texts_of(snapshot)
    assert f"Time ends {until}:R>." in texts_of(snapshot_with_running_clock(snapshot, settings=LIVE))
    extended = f"P1's time is up. P1's extra day runs until {until}:f>; then the others vote."
    assert extended in texts_of(snapshot_with_running_clock(snapshot, Stage.EXTENDED))
    assert f"P1 is on vacation: day 1 of 7, until {until}:f>." in texts_of(
        snapshot_with_running_clock(snapshot, Stage.VACATION)
    )


def test_boards_show_since_when_a_turn_waits() -> None:
    snapshot = replace(snapshot_with_running_clock(running_table(1, 2, 3, 4)), updated_at=NOW)
    assert f"your turn · <t:{(NOW - HOUR) // 1000}:R>" in texts_of(snapshot)


@pytest.mark.parametrize("locale", locales())
def test_the_player_s_own_time_is_shown(locale: str) -> None:
    snapshot = snapshot_with_running_clock(running_table(1, 2, 3, 4))
    assert f"<t:{(NOW + 2 * HOUR) // 1000}:f>" in status_text.own_time_line(words(locale), snapshot, 0)
    assert status_text.duration_text(words(locale), 18 * HOUR) in status_text.own_time_line(words(locale), snapshot, 1)
    assert "" == status_text.own_time_line(words(locale), running_table(1, 2, 3, 4), 1)


@pytest.mark.parametrize(
    ("amount", "expected"),
    [
        (2 * DAY + 18 * HOUR, "2 d 18 h"),
        (18 * HOUR, "18 h"),
        (HOUR + MINUTE, "1 h 1 min"),
        (90 * SECOND, "1 min 30 s"),
        (5 * MINUTE, "5 min"),
        (30 * SECOND, "30 s"),
    ],
)
def test_lengths_of_time_are_written_in_words(amount: int, expected: str) -> None:
    assert expected == status_text.duration_text(WORDS, amount)


# --- secrets ----------------------------------------------------------------------------------------------------------


def test_notices_of_two_states_that_differ_in_hidden_cards_are_equal() -> None:
    """Notices about a turn use only public facts (acceptance 8 of `docs/long-games.md`)."""
    random, compared = Random(8), 0
    for state in list(played_positions(4))[::9]:
        if state.phase in (Phase.BETWEEN, Phase.OVER) or state.aside:
            continue
        one, other = (
            snapshot_with_running_clock(table_snapshot(found))
            for found in (state, redeal_hidden_cards(state, None, random))
        )
        for stage in (Stage.RUNNING, Stage.HALF, Stage.LAST, Stage.EXTENDED, Stage.VACATION):
            for mention in (True, False):
                compared += 1
                assert notice_text(one, stage, mention=mention) == notice_text(other, stage, mention=mention)
        assert texts_of(one, mention=100) == texts_of(other, mention=100)
        assert daily_digests.game_lines(WORDS, (one,), 100) == daily_digests.game_lines(WORDS, (other,), 100)
    assert compared > 50


# --- the digest -------------------------------------------------------------------------------------------------------


def test_a_digest_lists_waiting_games_first_and_is_empty_without_any() -> None:
    mine, theirs = (
        snapshot_with_running_clock(running_table(1, 2, 3, 4)),
        snapshot_with_running_clock(running_table(2, 1, 3, 4)),
    )
    sent_notice = daily_digests.game_lines(WORDS, (replace(theirs, id=3), replace(mine, id=7)), 1).split("\n")
    came, until = f"<t:{(NOW - HOUR) // 1000}:R>", f"<t:{(NOW + 2 * HOUR) // 1000}:f>"
    assert f"Table 7 · Classic · deal 1 · 0 to 0 · **your turn** (came {came}), until {until}" == sent_notice[0]
    assert "Table 3 · Classic · deal 1 · 0 to 0 · P2's turn" == sent_notice[1]
    assert daily_digests.daily_digest_page(WORDS, (theirs,), 1, {}) is None
    assert daily_digests.daily_digest_page(WORDS, (mine, theirs), 1, {}) is not None
    alone = daily_digests.game_line(WORDS, running_table(1, None, None, None), 1)
    assert alone.endswith("**your turn** (came <t:0:R>) · kept a year")


def test_a_digest_of_many_games_fits_into_one_message() -> None:
    snapshots = [replace(snapshot_with_running_clock(running_table(1, 2, 3, 4)), id=number) for number in range(1, 300)]
    page = daily_digests.daily_digest_page(WORDS, snapshots, 1, {})
    assert page is not None
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    assert "more" in _words_in(components).split("\n")[-1]


def test_a_digest_is_sent_once_a_day_at_its_hour_or_shortly_after() -> None:
    rome, began = "Europe/Rome", daily_digests.last_start_of_hour(NOW, 9, "Europe/Rome")
    assert daily_digests.is_digest_due(began, 9, rome, last=0)
    assert not daily_digests.is_digest_due(began - 1, 9, rome, last=began - DAY)
    assert not daily_digests.is_digest_due(began + HOUR, 9, rome, last=began)
    assert not daily_digests.is_digest_due(began + 7 * HOUR, 9, rome, last=0)
    assert daily_digests.is_digest_due(began + DAY, 9, rome, last=began)
    assert HOUR == daily_digests.last_start_of_hour(NOW, 9, "nowhere") - daily_digests.last_start_of_hour(NOW, 9, rome)
