"""A ladder: entries on rungs challenge entries above them (`docs/tournaments.md` 3).

Its order is computed from its events, so that after a ruling on a result all later events are applied again. Rungs
count from 1, the best. Instants are UTC milliseconds. Each step returns a new ladder or raises `LadderRefusal`. Call
`apply_deadlines` before reading a ladder, or passed deadlines are missing from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.clocks.clock import HOUR
from bot.clocks.quiet_hours import DAY


class LadderCode(StrEnum):
    """Reasons why a ladder refuses a step: stable names, with the numbers that their texts need."""

    ALREADY_ON = "already_on"  # its text needs "entry", "rung"
    NOT_ON = "not_on"  # its text needs "entry"
    ONESELF = "oneself"  # its text needs "entry"
    NOT_ABOVE = "not_above"  # its text needs "rung", "own"
    TOO_FAR = "too_far"  # too many rungs above, and how many are allowed; its text needs "distance", "reach"
    BUSY = "busy"  # the entry has an open challenge already; its text needs "entry", "challenge"
    TOO_SOON = "too_soon"  # the same two have just met; `at` is when they may again; its text needs "at"
    NO_CHALLENGE = "no_challenge"  # there is no open challenge of that number; its text needs "challenge"
    ALREADY_ACCEPTED = "already_accepted"  # its text needs "challenge"
    NOT_ACCEPTED = "not_accepted"  # its text needs "challenge"
    NOT_IN_IT = "not_in_it"  # the given winner is not in the challenge; its text needs "entry", "challenge"


class LadderRefusal(Exception):
    """A step that a ladder refuses: `code` is the reason, `detail` its numbers."""

    def __init__(self, code: LadderCode, **detail: int) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderTerms:
    """The terms of a ladder; times are in milliseconds.

    An entry may challenge others up to `reach` rungs above it.
    """

    reach: int = 10
    accept_within: int = 72 * HOUR
    again_after: int = 7 * DAY
    idle_after: int = 60 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """An entry on the ladder, and when it last entered, challenged, answered or played."""

    entry: int
    active_at: int


class LadderEventKind(StrEnum):
    """Kinds of events that move entries; the value is its stable name."""

    ENTERED = "entered"
    LEFT = "left"
    DECLINED = "declined"
    LAPSED = "lapsed"
    RESULT = "result"
    RUNG = "rung"  # a director set the rung


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderEvent:
    """An event that moves an entry on the ladder.

    In a result, `entry` is the challenger and `other` the challenged entry; `winner` is None if no entry moves. If a
    director set the rung, `rung` is that rung and `ruling` the number of the ruling.
    """

    at: int
    what: LadderEventKind
    entry: int
    other: int | None = None
    winner: int | None = None
    challenge: int = 0
    rung: int = 0
    ruling: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """An open challenge; once accepted, its match is to be played. `number` counts from 1 on each ladder."""

    number: int
    challenger: int
    challenged: int
    at: int
    accepted_at: int | None = None

    @property
    def both_entries(self) -> tuple[int, int]:
        """The two entries, the challenger first."""
        return self.challenger, self.challenged


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """When the last challenge between two entries ended; `first` is the lower of their entry numbers."""

    first: int
    second: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A ladder: its rungs, the best first, and its open challenges, the oldest first.

    The rungs are in the order that its `events` give. An entry is in at most one open challenge. `meetings` has each
    pair of entries once.
    """

    terms: LadderTerms = field(default_factory=LadderTerms)
    rungs: tuple[Rung, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    next_number: int = 1
    events: tuple[LadderEvent, ...] = ()

    @property
    def entries(self) -> tuple[int, ...]:
        """All entries, the best first."""
        return tuple(rung.entry for rung in self.rungs)

    def rung_of(self, entry: int) -> int:
        """The rung of an entry, from 1. Raises `LadderRefusal` not_on if it is not on the ladder."""
        if entry not in self.entries:
            raise LadderRefusal(LadderCode.NOT_ON, entry=entry)
        return self.entries.index(entry) + 1

    def find_open_challenge(self, challenge_number: int) -> Challenge:
        """The open challenge of that number. Raises `LadderRefusal` no_challenge if there is none."""
        for challenge in self.challenges:
            if challenge.number == challenge_number:
                return challenge
        raise LadderRefusal(LadderCode.NO_CHALLENGE, challenge=challenge_number)

    def challenge_of(self, entry: int) -> Challenge | None:
        """The open challenge that an entry is in, as challenger or challenged; None without one."""
        return next((challenge for challenge in self.challenges if entry in challenge.both_entries), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderAfterDeadlines:
    """A ladder after its deadlines: the challenges that expired, and the idle entries removed."""

    ladder: Ladder
    lapsed: tuple[Challenge, ...]
    idle: tuple[int, ...]


def add_entry(ladder: Ladder, entry: int, *, now: int) -> Ladder:
    """Return the ladder with that entry on its last rung. Raises `LadderRefusal` already_on."""
    if entry in ladder.entries:
        raise LadderRefusal(LadderCode.ALREADY_ON, entry=entry, rung=ladder.rung_of(entry))
    on = replace(ladder, rungs=(*ladder.rungs, Rung(entry=entry, active_at=now)))
    return _with_event(on, LadderEvent(at=now, what=LadderEventKind.ENTERED, entry=entry))


def remove_entry(ladder: Ladder, entry: int, *, now: int) -> Ladder:
    """Return the ladder without that entry and its open challenge; entries below move up one rung.

    An accepted match must be decided before. Raises `LadderRefusal` if the entry is not on the ladder.
    """
    ladder.rung_of(entry)
    others = tuple(challenge for challenge in ladder.challenges if entry not in challenge.both_entries)
    gone = LadderEvent(at=now, what=LadderEventKind.LEFT, entry=entry)
    return _with_event(replace(ladder, challenges=others), gone)


def add_challenge(ladder: Ladder, challenger: int, *, challenged: int, now: int) -> Ladder:
    """Return the ladder with a new challenge, the last of the list. Raises `LadderRefusal`."""
    own, rung = ladder.rung_of(challenger), ladder.rung_of(challenged)
    if own == rung:
        raise LadderRefusal(LadderCode.ONESELF, entry=challenger)
    if rung > own:
        raise LadderRefusal(LadderCode.NOT_ABOVE, rung=rung, own=own)
    if own - rung > ladder.terms.reach:
        raise LadderRefusal(LadderCode.TOO_FAR, distance=own - rung, reach=ladder.terms.reach)
    for entry in (challenger, challenged):
        if (taken := ladder.challenge_of(entry)) is not None:
            raise LadderRefusal(LadderCode.BUSY, entry=entry, challenge=taken.number)
    again_at = _next_challenge_allowed_at(ladder, {challenger, challenged})
    if again_at is not None and now < again_at:
        raise LadderRefusal(LadderCode.TOO_SOON, at=again_at)
    made = Challenge(number=ladder.next_number, challenger=challenger, challenged=challenged, at=now)
    return replace(
        _mark_entries_active(ladder, (challenger,), now=now),
        challenges=(*ladder.challenges, made),
        next_number=ladder.next_number + 1,
    )


def accept_open_challenge(ladder: Ladder, challenge_number: int, *, now: int) -> Ladder:
    """Return the ladder with that challenge accepted.

    Raises `LadderRefusal` if the challenge is not open, is accepted, or its time is over.
    """
    accepted = _find_unanswered_challenge(ladder, challenge_number, now=now)
    challenges = tuple(replace(other, accepted_at=now) if other is accepted else other for other in ladder.challenges)
    return replace(_mark_entries_active(ladder, (accepted.challenged,), now=now), challenges=challenges)


def decline_open_challenge(ladder: Ladder, challenge_number: int, *, now: int) -> Ladder:
    """Return the ladder with that challenge declined: the challenged entry loses one rung.

    Raises `LadderRefusal` if the challenge is not open, is accepted, or its time is over.
    """
    declined = _find_unanswered_challenge(ladder, challenge_number, now=now)
    lost = LadderEvent(at=now, what=LadderEventKind.DECLINED, entry=declined.challenged, challenge=challenge_number)
    return _mark_entries_active(
        _with_event(_end_challenge(ladder, declined, now=now), lost), (declined.challenged,), now=now
    )


def record_result(ladder: Ladder, challenge_number: int, *, winner: int | None, now: int) -> Ladder:
    """Return the ladder after an accepted challenge; only a winner from below moves up.

    A winner on rung s who beats rung r above moves to ⌊(r + s) / 2⌋, and the entries passed move down one rung.
    Rungs are those at the end of the match, `now`. Raises `LadderRefusal`.
    """
    played = ladder.find_open_challenge(challenge_number)
    if played.accepted_at is None:
        raise LadderRefusal(LadderCode.NOT_ACCEPTED, challenge=challenge_number)
    if winner is not None and winner not in played.both_entries:
        raise LadderRefusal(LadderCode.NOT_IN_IT, entry=winner, challenge=challenge_number)
    after = _mark_entries_active(_end_challenge(ladder, played, now=now), played.both_entries, now=now)
    made = LadderEvent(
        at=now,
        what=LadderEventKind.RESULT,
        entry=played.challenger,
        other=played.challenged,
        winner=winner,
        challenge=challenge_number,
    )
    return _with_event(after, made)


def replay_results(ladder: Ladder, winners: Mapping[int, int | None], rungs: Sequence[LadderEvent]) -> Ladder:
    """Return the ladder after all its events with other results and other rungs set by directors.

    `winners` are the winners by challenge. `rungs` are all rungs that directors have set.
    """
    kept = (one for one in ladder.events if one.what is not LadderEventKind.RUNG)
    played = (
        replace(one, winner=winners.get(one.challenge)) if one.what is LadderEventKind.RESULT else one for one in kept
    )
    events = tuple(sorted((*played, *rungs), key=lambda one: one.at))
    return ladder if events == ladder.events else _with_rungs_replayed(replace(ladder, events=events))


def order_after_events(events: Iterable[LadderEvent]) -> tuple[int, ...]:
    """Return the entries in the order that these events give, the best first."""
    order: list[int] = []
    for one in sorted(events, key=lambda one: one.at):
        if one.what is LadderEventKind.ENTERED:
            order.append(one.entry)
        elif one.entry not in order:
            continue
        elif one.what is LadderEventKind.LEFT:
            order.remove(one.entry)
        elif one.what is LadderEventKind.RUNG:
            _move_entry(order, one.entry, min(one.rung, len(order)) - 1)
        elif one.what is not LadderEventKind.RESULT:
            _move_entry(order, one.entry, min(order.index(one.entry) + 1, len(order) - 1))
        elif one.winner in order and one.other in order:
            loser = one.entry if one.winner == one.other else one.other
            upper, own = order.index(loser) + 1, order.index(one.winner) + 1
            _move_entry(order, one.winner, min(own, (upper + own) // 2) - 1)
    return tuple(order)


def _move_entry(order: list[int], entry: int, place: int) -> None:
    """Move an entry to a place in the order."""
    order.remove(entry)
    order.insert(place, entry)


def apply_deadlines(ladder: Ladder, *, now: int) -> LadderAfterDeadlines:
    """Apply all deadlines up to now.

    An entry that did not answer a challenge in time loses one rung. Idle entries are removed unless they are in a
    challenge.
    """
    after = ladder
    lapsed = [open_one for open_one in ladder.challenges if open_one.accepted_at is None]
    lapsed = [open_one for open_one in lapsed if open_one.at + ladder.terms.accept_within <= now]
    for late in lapsed:
        at = late.at + ladder.terms.accept_within
        lost = LadderEvent(at=at, what=LadderEventKind.LAPSED, entry=late.challenged, challenge=late.number)
        after = _with_event(_end_challenge(after, late, now=at), lost)
    idle = tuple(
        rung.entry
        for rung in after.rungs
        if rung.active_at + ladder.terms.idle_after <= now and after.challenge_of(rung.entry) is None
    )
    for entry in idle:
        after = remove_entry(after, entry, now=now)
    return LadderAfterDeadlines(ladder=after, lapsed=tuple(lapsed), idle=idle)


def next_deadline(ladder: Ladder) -> int | None:
    """Return when `apply_deadlines` next changes the ladder; None if there is no deadline."""
    answers = [
        open_one.at + ladder.terms.accept_within for open_one in ladder.challenges if open_one.accepted_at is None
    ]
    idle = [
        rung.active_at + ladder.terms.idle_after for rung in ladder.rungs if ladder.challenge_of(rung.entry) is None
    ]
    return min((*answers, *idle), default=None)


def _find_unanswered_challenge(ladder: Ladder, challenge_number: int, *, now: int) -> Challenge:
    """Return an open challenge that may still be answered. Raises `LadderRefusal`."""
    found = ladder.find_open_challenge(challenge_number)
    if found.accepted_at is not None:
        raise LadderRefusal(LadderCode.ALREADY_ACCEPTED, challenge=challenge_number)
    if now >= found.at + ladder.terms.accept_within:
        raise LadderRefusal(LadderCode.NO_CHALLENGE, challenge=challenge_number)
    return found


def _next_challenge_allowed_at(ladder: Ladder, entries: set[int]) -> int | None:
    """Return the instant from which these two may challenge each other again.

    None if they have not met lately.
    """
    for meeting in ladder.meetings:
        if {meeting.first, meeting.second} == entries:
            return meeting.at + ladder.terms.again_after
    return None


def _mark_entries_active(ladder: Ladder, entries: tuple[int, ...], *, now: int) -> Ladder:
    """Return the ladder with `now` as these entries' last activity."""
    rungs = tuple(replace(rung, active_at=now) if rung.entry in entries else rung for rung in ladder.rungs)
    return replace(ladder, rungs=rungs)


def _end_challenge(ladder: Ladder, challenge: Challenge, *, now: int) -> Ladder:
    """Return the ladder without that challenge; the same two may not meet again for a while."""
    first, second = sorted(challenge.both_entries)
    meeting = Meeting(first=first, second=second, at=now)
    others = (other for other in ladder.meetings if (other.first, other.second) != (first, second))
    recent = (other for other in others if other.at + ladder.terms.again_after > now)
    return replace(
        ladder,
        challenges=tuple(other for other in ladder.challenges if other.number != challenge.number),
        meetings=(*recent, meeting),
    )


def _with_event(ladder: Ladder, event: LadderEvent) -> Ladder:
    """Return the ladder with an event added and its rungs recomputed."""
    return _with_rungs_replayed(replace(ladder, events=(*ladder.events, event)))


def _with_rungs_replayed(ladder: Ladder) -> Ladder:
    """Return the ladder with its rungs in the order of its events."""
    active = {rung.entry: rung.active_at for rung in ladder.rungs}
    return replace(
        ladder, rungs=tuple(Rung(entry=one, active_at=active[one]) for one in order_after_events(ladder.events))
    )
