"""Alarms of a tournament. They are derived from its state, so that none has to be stored.

If the bot was away, all future instants are first delayed by the time missed (`delay_by_bot_absence`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY
from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.ladder import next_deadline
from bot.tournaments.event.match_state import MatchStage, MatchState, RoundStage, RoundState
from bot.tournaments.event.matches import OVERTIME, WARNING, awaited_turns, no_show_deadline
from bot.tournaments.event.slow.agreed_times import next_time_alarm
from bot.tournaments.event.tournament import BoardStage, Stage, Tournament
from bot.tournaments.event.tournament_changes import LIVE, add_news

REMINDERS: Final = (48 * HOUR, 12 * HOUR)
"""Times before a slow round's end at which the player to move is reminded."""

TOLD_FROM: Final = 5 * MINUTE
"""The shortest absence of the bot that is announced."""

REOPENABLE: Final = 7 * DAY
"""How long after its close a tournament may be opened again."""


class AlarmKind(StrEnum):
    """Kinds of alarms of a tournament; the value is its stable name."""

    PARTNER = "partner"
    REGULAR = "regular"
    CHECK_IN = "check_in"
    CHECK_IN_OVER = "check_in_over"
    CALL = "call"
    BOARD = "board"
    ABSENT = "absent"
    WARN = "warn"
    REMIND = "remind"
    ROUND_OVER = "round_over"
    OVERTIME_OVER = "overtime_over"
    LADDER = "ladder"
    AGREED = "agreed"
    CLOSE = "close"


@dataclass(frozen=True, slots=True, order=True)
class Alarm:
    """An event due at an instant. `of` is the number of its entry, match or board; 0 for none."""

    at: int
    ring: AlarmKind
    of: int = 0


def alarms(tournament: Tournament) -> tuple[Alarm, ...]:
    """Return all alarms of the current state, earliest first; none while it is paused."""
    if tournament.is_paused:
        return ()
    return tuple(sorted(_unsorted_alarms(tournament)))


def _unsorted_alarms(tournament: Tournament) -> Iterator[Alarm]:
    plan, stage = tournament.plan, tournament.stage
    for one in tournament.entrants:
        if one.stage is EntryStage.ASKED and one.asked_until is not None:
            yield Alarm(one.asked_until, AlarmKind.PARTNER, one.number)
        if one.asked and stage in LIVE and not one.has_left:
            yield Alarm(min(each.until for each in one.asked), AlarmKind.REGULAR, one.number)
    if plan.signs_up:
        return
    if stage is Stage.OPEN and not plan.traits.has_rounds:
        yield Alarm(plan.starts_at, AlarmKind.CHECK_IN_OVER)
    elif stage is Stage.OPEN:
        yield Alarm(plan.starts_at - plan.check_in_from, AlarmKind.CHECK_IN)
    elif stage is Stage.CHECK_IN:
        yield Alarm(plan.starts_at - plan.check_in_until, AlarmKind.CHECK_IN_OVER)
    elif stage is Stage.RUNNING and tournament.current_round is not None:
        yield from _round_alarms(tournament, tournament.current_round)
        deadline = None if tournament.ladder is None else next_deadline(tournament.ladder)
        if deadline is not None:
            yield Alarm(deadline, AlarmKind.LADDER)
    elif stage is Stage.CLOSING and tournament.current_round is not None:
        yield Alarm((tournament.current_round.complete_at or 0) + plan.between, AlarmKind.CLOSE)


def _round_alarms(tournament: Tournament, round_state: RoundState) -> Iterator[Alarm]:
    """Yield the alarms of the round `round_state`, its matches and its boards."""
    if round_state.stage is RoundStage.DRAWN:
        yield Alarm(round_state.call_at, AlarmKind.CALL)
    duplicate = tournament.plan.duplicate
    if duplicate is not None and not tournament.plan.live:
        for board in tournament.boards:
            if board.began_at is not None and board.stage is not BoardStage.OPEN:
                yield Alarm(board.began_at + duplicate.board_time, AlarmKind.BOARD, board.number)
    for match in tournament.matches_of(round_state.number):
        if match.stage is MatchStage.PLAYING and match.due is not None:
            yield from _match_alarms(tournament, match, match.due)


def _match_alarms(tournament: Tournament, match: MatchState, due: int) -> Iterator[Alarm]:
    """Yield the alarms of a match."""
    live = tournament.plan.live
    agreed = next_time_alarm(match)
    if agreed is not None and not match.ending:
        yield Alarm(agreed, AlarmKind.AGREED, match.id)
    for turn in awaited_turns(match) if match.agreed_at is None else ():
        yield Alarm(no_show_deadline(tournament, turn), AlarmKind.ABSENT, match.id)
    if match.ending:
        yield Alarm(due + (OVERTIME if live else 0), AlarmKind.OVERTIME_OVER, match.id)
    else:
        yield Alarm(due, AlarmKind.ROUND_OVER, match.id)
        if live and match.warned == 0 and (match.opened_at or 0) < due - WARNING:
            yield Alarm(due - WARNING, AlarmKind.WARN, match.id)
        elif not live and match.warned < len(REMINDERS):
            yield Alarm(due - REMINDERS[match.warned], AlarmKind.REMIND, match.id)


def count_due_reminders(due: int, now: int) -> int:
    """Return how many reminders of a slow round were due by `now`. Missed ones are sent as one."""
    return sum(now >= due - before for before in REMINDERS)


def delay_by_bot_absence(tournament: Tournament, delay: int, now: int) -> Tournament:
    """Return the tournament with future instants delayed by `delay` milliseconds, while the bot was away.

    A delayed start, or a long absence during a round, is announced.
    """
    if delay <= 0 or tournament.is_paused:  # resuming from a pause delays all instants anyway
        return replace(tournament, since=now)
    after = replace(delay_future_instants(tournament, delay, now), since=now)
    if after.plan.starts_at != tournament.plan.starts_at:
        return add_news(after, "postponed", now, numbers={"until": after.plan.starts_at, "round": 0})
    if delay < TOLD_FROM or tournament.stage is not Stage.RUNNING:
        return after
    turn = after.current_round
    due = max((one.due or 0 for one in after.matches_of(turn.number)), default=0) if turn is not None else 0
    numbers = {"minutes": delay // MINUTE, "until": due, "round": 0 if turn is None else turn.number}
    return add_news(after, "was_away", now, numbers=numbers)


def delay_future_instants(tournament: Tournament, delay: int, now: int) -> Tournament:
    """Return the tournament with all future instants delayed by `delay` milliseconds.

    Before check-in, the start is delayed only as far as check-in is overdue at `now`.
    """
    plan = tournament.plan
    if tournament.stage is Stage.CHECK_IN:
        plan = replace(plan, starts_at=plan.starts_at + delay)
    elif tournament.stage is Stage.OPEN and plan.traits.has_rounds and not plan.signs_up:
        missed = now - (plan.starts_at - plan.check_in_from)
        plan = replace(plan, starts_at=plan.starts_at + max(0, min(delay, missed)))
    entrants = tuple(_delay_invitations(one, delay) for one in tournament.entrants)
    return replace(
        tournament,
        plan=plan,
        entrants=entrants,
        rounds=tuple(_delay_round(one, delay) for one in tournament.rounds),
        matches=tuple(_delay_match(one, delay, now) for one in tournament.matches),
        boards=tuple(
            one if one.began_at is None or one.stage is BoardStage.OPEN else replace(one, began_at=one.began_at + delay)
            for one in tournament.boards
        ),
    )


def _delay_invitations(entrant: Entrant, delay: int) -> Entrant:
    """Return the entry with the deadlines of its invitations delayed; unchanged if none is open."""
    if entrant.asked:
        entrant = replace(entrant, asked=tuple(replace(one, until=one.until + delay) for one in entrant.asked))
    return entrant if entrant.asked_until is None else replace(entrant, asked_until=entrant.asked_until + delay)


def _delay_round(round_state: RoundState, delay: int) -> RoundState:
    if round_state.stage is RoundStage.DRAWN:
        return replace(round_state, call_at=round_state.call_at + delay)
    if round_state.stage is RoundStage.COMPLETE and round_state.complete_at is not None:
        return replace(round_state, complete_at=round_state.complete_at + delay)
    return round_state


def _delay_match(match: MatchState, delay: int, now: int) -> MatchState:
    if match.result is not None or match.opened_at is None or match.due is None:
        return match
    turns = tuple(replace(one, since=one.since + delay) for one in match.turns)
    begun = match.agreed_at is not None and match.agreed_at <= now  # only its end is delayed then
    agreed = match.agreed_at + delay if begun and match.agreed_at is not None else match.agreed_at
    until = None if match.hours_until is None else match.hours_until + delay
    delayed = replace(match, opened_at=match.opened_at + delay, due=match.due + delay, turns=turns)
    return replace(delayed, agreed_at=agreed, hours_until=until)
