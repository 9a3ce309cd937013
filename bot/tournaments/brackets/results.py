"""What the matches of a bracket have come to by its terms, and who stands in its slots after that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeAlias

from bot.tournaments.brackets.plan import Slot, Source, Take
from bot.tournaments.course import Match, Played, Round
from bot.tournaments.traits import FormatKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is agreed about a bracket. A match for third place and a second chance exist in a single one only.

    Raises `ValueError` for a kind that is no elimination.
    """

    kind: FormatKind = FormatKind.SINGLE
    third_place: bool = True
    second_chance: bool = False

    def __post_init__(self) -> None:
        if self.kind not in (FormatKind.SINGLE, FormatKind.DOUBLE):
            raise ValueError(f"no elimination: {self.kind}")

    @property
    def double(self) -> bool:
        """Whether an entry is out after two defeats."""
        return self.kind is FormatKind.DOUBLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What the match of a slot has come to, as it counts: its two entries in any order and which of them goes on.

    Without a `winner` both are out of the tournament. Raises `ValueError` for what is no result: a void match, one
    entry twice, a winner who was not in it.
    """

    sides: tuple[int, int]
    winner: int | None
    kind: Played = Played.PLAYED

    def __post_init__(self) -> None:
        first, second = self.sides
        if first == second or self.winner not in (None, first, second) or self.kind is Played.VOID:
            raise ValueError(f"no result of a match: {self}")

    @property
    def loser(self) -> int | None:
        """Who has lost to somebody who goes on; None where both are out."""
        if self.winner is None:
            return None
        first, second = self.sides
        return second if self.winner == first else first

    @property
    def met(self) -> bool:
        """Whether the two have met at a table: a forfeit is no played match."""
        return self.kind in (Played.PLAYED, Played.ADJUSTED)


Results: TypeAlias = Mapping[str, Outcome]
"""What matches have come to, by the names of their slots."""

Draw: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Puts numbers into the order of the tournament's lot; equal numbers always into the same order."""


def outcomes(rounds: Iterable[Round]) -> dict[str, Outcome]:
    """What each slot has come to: its newest match that is not void, whose entries count whoever played for them."""
    return {
        match.slot: _outcome(match)
        for played in rounds
        for match in played.matches
        if match.slot and match.kind is not Played.VOID
    }


def _outcome(match: Match) -> Outcome:
    first, second = (side.entries[0] for side in match.sides)
    winner = None if match.winner is None else match.sides[match.winner].entries[0]
    return Outcome(sides=(first, second), winner=winner, kind=match.kind)


class State(StrEnum):
    """How far a slot is; the value is its stable name."""

    WAITING = "waiting"  # for a match before it
    READY = "ready"  # both are known: to be played
    BYE = "bye"  # one comes alone and is passed on without a match
    EMPTY = "empty"  # nobody comes
    DECIDED = "decided"  # by a match


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotState:
    """A slot and who stands in it: entries by number, None for nobody and, where not `known`, for nobody yet.

    `winner` goes on from here, after a match or alone; `loser` has lost to that winner. Where both are out, neither is.
    """

    slot: Slot
    sides: tuple[int | None, int | None]
    known: tuple[bool, bool]
    state: State
    winner: int | None = None
    loser: int | None = None
    outcome: Outcome | None = None

    @property
    def over(self) -> bool:
        """Whether it is known who goes on from here, if anybody does."""
        return self.state in (State.BYE, State.EMPTY, State.DECIDED)

    @property
    def present(self) -> tuple[int, ...]:
        """The entries that are known to be here."""
        return tuple(side for side in self.sides if side is not None)


class _Yet(Enum):
    """Somebody or nobody: the slot before is not over."""

    UNKNOWN = "unknown"


_Who: TypeAlias = int | _Yet | None


def resolved(slots: Iterable[Slot], seeds: Sequence[int], *, results: Results) -> dict[str, SlotState]:
    """Each slot's look by its name; `slots` are in an order in which each stands behind those that it depends on.

    A result of other entries than those of its slot counts for nothing.
    """
    looks: dict[str, SlotState] = {}
    for slot in slots:
        first, second = (_coming(source, seeds, looks=looks) for source in slot.sources)
        looks[slot.name] = _look(slot, (first, second), outcome=results.get(slot.name))
    return looks


def _coming(source: Source, seeds: Sequence[int], *, looks: Mapping[str, SlotState]) -> _Who:
    if source.take is Take.SEED:
        return seeds[source.seed - 1] if source.seed <= len(seeds) else None
    look = looks[source.slot]
    if not look.over:
        return _Yet.UNKNOWN
    if source.take is Take.WINNER:
        return look.winner
    if source.take is Take.LOSER:
        return look.loser
    undefeated, challenger = look.sides
    if look.loser is None or look.loser != undefeated:
        return None
    return undefeated if source.take is Take.UNDEFEATED else challenger


def _look(slot: Slot, coming: tuple[_Who, _Who], *, outcome: Outcome | None) -> SlotState:
    first, second = (None if isinstance(who, _Yet) else who for who in coming)
    known = (not isinstance(coming[0], _Yet), not isinstance(coming[1], _Yet))
    bare = SlotState(slot=slot, sides=(first, second), known=known, state=State.WAITING)
    if not all(known):
        return bare
    if first is None or second is None:
        alone = first if second is None else second
        state = State.EMPTY if alone is None else State.BYE
        return SlotState(slot=slot, sides=(first, second), known=known, state=state, winner=alone)
    if outcome is None or {first, second} != set(outcome.sides):
        return SlotState(slot=slot, sides=(first, second), known=known, state=State.READY)
    return SlotState(
        slot=slot,
        sides=(first, second),
        known=known,
        state=State.DECIDED,
        winner=outcome.winner,
        loser=outcome.loser,
        outcome=outcome,
    )
