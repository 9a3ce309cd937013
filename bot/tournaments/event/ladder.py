"""A ladder: entries on rungs, who challenge those above them (`docs/tournaments.md` 3).

Rungs count from 1, the best. Instants are UTC milliseconds. A ladder is a value; each step gives the ladder after it,
or raises `LadderRefusal` and has changed nothing. Deadlines pass with `sweep` alone, so that whoever reads a ladder
sweeps it first.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.clocks.clock import HOUR
from bot.clocks.quiet_hours import DAY


class LadderCode(StrEnum):
    """Every reason for which a ladder refuses; the value is its stable name."""

    ALREADY_ON = "already_on"  # {"entry", "rung"}
    NOT_ON = "not_on"  # {"entry"}
    ONESELF = "oneself"  # {"entry"}
    NOT_ABOVE = "not_above"  # {"rung", "own"}
    TOO_FAR = "too_far"  # so many rungs above, and how many it may be: {"distance", "reach"}
    BUSY = "busy"  # has an open challenge already: {"entry", "challenge"}
    TOO_SOON = "too_soon"  # the same two have just met; they may again at that instant: {"at"}
    NO_CHALLENGE = "no_challenge"  # not open, or no longer: {"challenge"}
    ALREADY_ACCEPTED = "already_accepted"  # {"challenge"}
    NOT_ACCEPTED = "not_accepted"  # {"challenge"}
    NOT_IN_IT = "not_in_it"  # whoever should have won does not play: {"entry", "challenge"}


class LadderRefusal(Exception):
    """A step that a ladder does not take: `code` names the reason, `detail` its numbers."""

    def __init__(self, code: LadderCode, **detail: int) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderTerms:
    """How far up one may challenge, in rungs, and the ladder's times in milliseconds."""

    reach: int = 10
    accept_within: int = 72 * HOUR
    again_after: int = 7 * DAY
    idle_after: int = 60 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """An entry on the ladder, and when it last did something: entered, challenged, answered or played."""

    entry: int
    active_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """An open challenge; once it is accepted a match is to be played. `number` is its own on this ladder, from 1."""

    number: int
    challenger: int
    challenged: int
    at: int
    accepted_at: int | None = None

    @property
    def both(self) -> tuple[int, int]:
        """The two entries, the challenger first."""
        return self.challenger, self.challenged


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """When the last challenge between two entries ended, however it did; `first` has the lower number."""

    first: int
    second: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A ladder as it stands: its rungs, the best first, and its open challenges, the oldest first.

    An entry is in one open challenge at most. `meetings` has each two entries once.
    """

    terms: LadderTerms = field(default_factory=LadderTerms)
    rungs: tuple[Rung, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    next_number: int = 1

    @property
    def entries(self) -> tuple[int, ...]:
        """All entries, the best first."""
        return tuple(rung.entry for rung in self.rungs)

    def rung_of(self, entry: int) -> int:
        """The rung of an entry, from 1. Raises `LadderRefusal`: not on the ladder."""
        if entry not in self.entries:
            raise LadderRefusal(LadderCode.NOT_ON, entry=entry)
        return self.entries.index(entry) + 1

    def open_challenge(self, number: int) -> Challenge:
        """The open challenge of that number. Raises `LadderRefusal`: no such challenge."""
        for challenge in self.challenges:
            if challenge.number == number:
                return challenge
        raise LadderRefusal(LadderCode.NO_CHALLENGE, challenge=number)

    def challenge_of(self, entry: int) -> Challenge | None:
        """The open challenge that an entry is in, on either side."""
        return next((challenge for challenge in self.challenges if entry in challenge.both), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderExpiry:
    """A ladder after its deadlines: the challenges that nobody accepted in time, and the entries that were idle."""

    ladder: Ladder
    lapsed: tuple[Challenge, ...]
    idle: tuple[int, ...]


def enter(ladder: Ladder, entry: int, *, now: int) -> Ladder:
    """The ladder with that entry on its last rung. Raises `LadderRefusal` for one who is on it."""
    if entry in ladder.entries:
        raise LadderRefusal(LadderCode.ALREADY_ON, entry=entry, rung=ladder.rung_of(entry))
    return replace(ladder, rungs=(*ladder.rungs, Rung(entry=entry, active_at=now)))


def leave(ladder: Ladder, entry: int) -> Ladder:
    """The ladder without that entry and its open challenge; those below are one rung up.

    A match that it owes is to be decided before. Raises `LadderRefusal` for one who is not on it.
    """
    ladder.rung_of(entry)
    return replace(
        ladder,
        rungs=tuple(rung for rung in ladder.rungs if rung.entry != entry),
        challenges=tuple(challenge for challenge in ladder.challenges if entry not in challenge.both),
    )


def challenge(ladder: Ladder, challenger: int, *, challenged: int, now: int) -> Ladder:
    """The ladder with that challenge, its newest. Raises `LadderRefusal` with why it may not be."""
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
    again_at = _may_meet_at(ladder, {challenger, challenged})
    if again_at is not None and now < again_at:
        raise LadderRefusal(LadderCode.TOO_SOON, at=again_at)
    made = Challenge(number=ladder.next_number, challenger=challenger, challenged=challenged, at=now)
    return replace(
        _active(ladder, (challenger,), now=now),
        challenges=(*ladder.challenges, made),
        next_number=ladder.next_number + 1,
    )


def accept(ladder: Ladder, number: int, *, now: int) -> Ladder:
    """The ladder with that challenge accepted: a match is to be played. Raises `LadderRefusal`, when too late, too."""
    accepted = _unanswered(ladder, number, now=now)
    challenges = tuple(replace(other, accepted_at=now) if other is accepted else other for other in ladder.challenges)
    return replace(_active(ladder, (accepted.challenged,), now=now), challenges=challenges)


def decline(ladder: Ladder, number: int, *, now: int) -> Ladder:
    """The ladder after a no to that challenge: whoever says it loses one rung. Raises `LadderRefusal`."""
    declined = _unanswered(ladder, number, now=now)
    return _active(_one_down(_ended(ladder, declined, now=now), declined.challenged), (declined.challenged,), now=now)


def result(ladder: Ladder, number: int, *, winner: int | None, now: int) -> Ladder:
    """The ladder after the match of an accepted challenge; nobody moves without a winner, or if the upper one wins.

    A winner from rung s who has beaten rung r, above it, comes to half the way, ⌊(r + s) / 2⌋, and those from there on
    are one rung down. Rungs are those at the end of the match. Raises `LadderRefusal`.
    """
    played = ladder.open_challenge(number)
    if played.accepted_at is None:
        raise LadderRefusal(LadderCode.NOT_ACCEPTED, challenge=number)
    if winner is not None and winner not in played.both:
        raise LadderRefusal(LadderCode.NOT_IN_IT, entry=winner, challenge=number)
    after = _active(_ended(ladder, played, now=now), played.both, now=now)
    if winner is None:
        return after
    loser = played.challenged if winner == played.challenger else played.challenger
    upper, own = after.rung_of(loser), after.rung_of(winner)
    return after if own < upper else _moved(after, own, to=(upper + own) // 2)


def sweep(ladder: Ladder, *, now: int) -> LadderExpiry:
    """The ladder after all deadlines up to now.

    Whoever has not accepted in time loses one rung. Idle entries are off, but not while they are in a challenge.
    """
    after = ladder
    lapsed = [open_one for open_one in ladder.challenges if open_one.accepted_at is None]
    lapsed = [open_one for open_one in lapsed if open_one.at + ladder.terms.accept_within <= now]
    for late in lapsed:
        after = _one_down(_ended(after, late, now=late.at + ladder.terms.accept_within), late.challenged)
    idle = tuple(
        rung.entry
        for rung in after.rungs
        if rung.active_at + ladder.terms.idle_after <= now and after.challenge_of(rung.entry) is None
    )
    for entry in idle:
        after = leave(after, entry)
    return LadderExpiry(ladder=after, lapsed=tuple(lapsed), idle=idle)


def next_deadline(ladder: Ladder) -> int | None:
    """When `sweep` next has something to do; None while nothing is open."""
    answers = [
        open_one.at + ladder.terms.accept_within for open_one in ladder.challenges if open_one.accepted_at is None
    ]
    idle = [
        rung.active_at + ladder.terms.idle_after for rung in ladder.rungs if ladder.challenge_of(rung.entry) is None
    ]
    return min((*answers, *idle), default=None)


def _unanswered(ladder: Ladder, number: int, *, now: int) -> Challenge:
    found = ladder.open_challenge(number)
    if found.accepted_at is not None:
        raise LadderRefusal(LadderCode.ALREADY_ACCEPTED, challenge=number)
    if now >= found.at + ladder.terms.accept_within:
        raise LadderRefusal(LadderCode.NO_CHALLENGE, challenge=number)
    return found


def _may_meet_at(ladder: Ladder, both: set[int]) -> int | None:
    for meeting in ladder.meetings:
        if {meeting.first, meeting.second} == both:
            return meeting.at + ladder.terms.again_after
    return None


def _active(ladder: Ladder, entries: tuple[int, ...], *, now: int) -> Ladder:
    rungs = tuple(replace(rung, active_at=now) if rung.entry in entries else rung for rung in ladder.rungs)
    return replace(ladder, rungs=rungs)


def _ended(ladder: Ladder, over: Challenge, *, now: int) -> Ladder:
    """The ladder without that challenge, which the two will not repeat for a while."""
    first, second = sorted(over.both)
    meeting = Meeting(first=first, second=second, at=now)
    others = (other for other in ladder.meetings if (other.first, other.second) != (first, second))
    recent = (other for other in others if other.at + ladder.terms.again_after > now)
    return replace(
        ladder,
        challenges=tuple(other for other in ladder.challenges if other.number != over.number),
        meetings=(*recent, meeting),
    )


def _one_down(ladder: Ladder, entry: int) -> Ladder:
    """The ladder with that entry and the one below it changed; nobody falls below the last rung."""
    rung = ladder.rung_of(entry)
    return ladder if rung == len(ladder.rungs) else _moved(ladder, rung + 1, to=rung)


def _moved(ladder: Ladder, rung: int, *, to: int) -> Ladder:
    """The ladder with whoever stands on a rung moved up; those passed are one rung down."""
    rungs = list(ladder.rungs)
    rungs.insert(to - 1, rungs.pop(rung - 1))
    return replace(ladder, rungs=tuple(rungs))
