"""Texts of event notices: votes, proposals, ends, seats and lost channels. No card is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.clocks.time_rules import DAY
from bot.i18n import Words
from bot.tables.open_seats import count_free_seats
from bot.tables.state.absence import AbsenceReason
from bot.tables.state.snapshots import ClosingReason, TableSnapshot
from cogs.shared.discord_api.components import Page, button_rows, page, text
from cogs.shared.notices.event_buttons import event_buttons
from cogs.shared.notices.event_notices import NoticeKind, PendingNotice
from cogs.shared.notices.links import Links
from cogs.shared.showing import open_questions
from cogs.shared.telling import names, status_text
from cogs.shared.telling.numbers import group_thousands


def event_page(
    words: Words, snapshot: TableSnapshot, notices: Sequence[PendingNotice], *, mention: bool, addresses: Links
) -> Page:
    """Return the message for the persons notified of the same event by these notices.

    With `mention` it mentions them all at the table; otherwise it is a direct message to the first.
    """
    matter = notices[0]
    called = (
        ", ".join(f"<@{one.person}>" for one in notices) if mention else _person_name(words, snapshot, matter.person)
    )
    message = words("matters.to", names=called, told=_TEXTS[matter.kind](words, snapshot, matter))
    those = event_buttons(words, snapshot, matter, addresses, at_table=mention)
    return page([text(message), *button_rows(those)], (), tuple(one.person for one in notices) if mention else ())


def _person_name(words: Words, snapshot: TableSnapshot, person: int) -> str:
    """Return the person's name at the table."""
    for holder in snapshot.seats:
        if holder.person == person:
            return names.escape_name(holder.name)
        if holder.kept_for == person:
            return names.escape_name(holder.kept_name)
    silent = () if snapshot.missed is None else snapshot.missed.holders
    for one in silent:
        if one.person == person:
            return names.escape_name(one.name)
    return words("seat.former")


def _seat_name(words: Words, snapshot: TableSnapshot, notice: PendingNotice) -> str:
    """Return the name of the player of the notice's seat, also if that player is absent."""
    holder = snapshot.seats[notice.seat]
    return (
        names.seat_name(words, snapshot, notice.seat)
        if holder.kept_for is None
        else names.escape_name(holder.kept_name)
    )


# --- the text of each kind of event -----------------------------------------------------------------------------------


def _vote_text(words: Words, snapshot: TableSnapshot, notice: PendingNotice) -> str:
    vote = snapshot.vote
    if vote is None:
        return ""
    gone = vote.why is AbsenceReason.GONE
    key = "matters.vote_gone" if gone else "matters.vote"
    when = status_text.discord_timestamp(
        snapshot.vote_until or vote.at + DAY, status_text.ABSOLUTE if gone else status_text.RELATIVE
    )
    return words(key, name=_seat_name(words, snapshot, notice), table=snapshot.id, when=when)


def _claim_text(words: Words, snapshot: TableSnapshot, notice: PendingNotice) -> str:
    claim = snapshot.absence.claim(notice.seat)
    asked = "" if claim is None else open_questions.claim_line(words, snapshot, claim)
    return words("matters.asked", table=snapshot.id, asked=asked)


def _proposal_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    asked = "" if snapshot.proposal is None else open_questions.proposal_line(words, snapshot, snapshot.proposal)
    return words("matters.asked", table=snapshot.id, asked=asked)


def _latest_end_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    return words(
        "matters.ends",
        table=snapshot.id,
        when=status_text.discord_timestamp(snapshot.absence.ends_at or 0, status_text.ABSOLUTE),
    )


def _inactivity_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    return open_questions.idle_line(words, snapshot, snapshot.absence.idle_at or 0)


def _game_over_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    winner, view = snapshot.winner, snapshot.view
    if winner is None or view is None:
        return words("matters.over_tied", table=snapshot.id)
    scores = [total.score for total in view.totals] if snapshot.conclusion is None else snapshot.conclusion.scores
    side = names.score_holder_names(words, snapshot, winner)
    return words("matters.over", table=snapshot.id, side=side, score=group_thousands(words, scores[winner]))


def _computer_keeps_seat_text(words: Words, snapshot: TableSnapshot, notice: PendingNotice) -> str:
    return words("matters.given", name=_seat_name(words, snapshot, notice), table=snapshot.id)


def _player_returned_text(words: Words, snapshot: TableSnapshot, notice: PendingNotice) -> str:
    return words("matters.back", name=_seat_name(words, snapshot, notice), table=snapshot.id)


def _lost_thread_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    return words("matters.moved", table=snapshot.id)


def _own_seat_vote_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    if snapshot.vote_until is None:
        return words("matters.voted_soon", table=snapshot.id)
    return words("matters.voted", table=snapshot.id, when=status_text.discord_timestamp(snapshot.vote_until))


def _others_extra_time_text(words: Words, snapshot: TableSnapshot, notice: PendingNotice) -> str:
    until = None if snapshot.clocks is None else snapshot.clocks.decided_at
    key = f"matters_allowance.{snapshot.settings.policy.value}"
    when = status_text.deadline_text(snapshot, until or 0)
    return words(key, name=_seat_name(words, snapshot, notice), table=snapshot.id, when=when)


def _unopposed_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    away, count = open_questions.absent_players_text(snapshot)
    when = status_text.discord_timestamp(snapshot.choice_at or 0, status_text.ABSOLUTE)
    return words("matters.unopposed", names=away, count=count, table=snapshot.id, when=when)


def _end_choice_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    away, count = open_questions.absent_players_text(snapshot)
    return words("matters.choice", names=away, count=count, table=snapshot.id)


def _absent_opponents_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    when = status_text.discord_timestamp(snapshot.choice_at or 0, status_text.ABSOLUTE)
    return words("matters.away", table=snapshot.id, when=when)


def _absent_end_choice_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    return words("matters.away_choice", table=snapshot.id)


def _missed_roll_call_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    silent = () if snapshot.missed is None else snapshot.missed.holders
    message = " & ".join(names.escape_name(one.name) for one in silent)
    when = status_text.discord_timestamp(snapshot.expires_at or 0)
    return words("roll_call.missed", names=message, count=len(silent), table=snapshot.id, when=when)


def _lobby_wait_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    level = words(f"level.{snapshot.settings.level}")
    return words("waiting.asked", table=snapshot.id, count=count_free_seats(snapshot), level=level)


def _own_missed_roll_call_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    return words("roll_call.silent", table=snapshot.id)


def _closed_table_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    if snapshot.closed_because is ClosingReason.IDLE:
        return words("absence.closed_idle", table=snapshot.id)
    return words("roll_call.closed" if snapshot.view is None else "matters.over_tied", table=snapshot.id)


def _lost_channel_text(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> str:
    return words("matters.gone", table=snapshot.id)


_TEXTS: Final[Mapping[NoticeKind, Callable[[Words, TableSnapshot, PendingNotice], str]]] = {
    NoticeKind.VOTE: _vote_text,
    NoticeKind.CLAIM: _claim_text,
    NoticeKind.OFFER: _proposal_text,
    NoticeKind.ENDS: _latest_end_text,
    NoticeKind.IDLE: _inactivity_text,
    NoticeKind.OVER: _game_over_text,
    NoticeKind.GIVEN: _computer_keeps_seat_text,
    NoticeKind.BACK: _player_returned_text,
    NoticeKind.MOVED: _lost_thread_text,
    NoticeKind.GONE: _lost_channel_text,
    NoticeKind.VOTED_ON: _own_seat_vote_text,
    NoticeKind.ALLOWANCE: _others_extra_time_text,
    NoticeKind.UNOPPOSED: _unopposed_text,
    NoticeKind.CHOICE: _end_choice_text,
    NoticeKind.AWAY: _absent_opponents_text,
    NoticeKind.AWAY_CHOICE: _absent_end_choice_text,
    NoticeKind.MISSED: _missed_roll_call_text,
    NoticeKind.SILENT: _own_missed_roll_call_text,
    NoticeKind.WAIT_ON: _lobby_wait_text,
    NoticeKind.CLOSED: _closed_table_text,
}
