"""Results of bracket matches, and the slots filled from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeAlias

from bot.tournaments.brackets.bracket_slots import Slot, SlotSource, SourceEntry
from bot.tournaments.counted_results import Match, ResultKind, Round
from bot.tournaments.format_traits import FormatKind


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketTerms:
    """Options of a bracket; third place and second chance exist in single elimination only.

    Raises `ValueError` for a kind that is not an elimination.
    """

    kind: FormatKind = FormatKind.SINGLE
    third_place: bool = True
    second_chance: bool = False

    def __post_init__(self) -> None:
        if self.kind not in (FormatKind.SINGLE, FormatKind.DOUBLE):
            raise ValueError(f"no elimination: {self.kind}")

    @property
    def is_double(self) -> bool:
        """Whether an entry is out only after two losses."""
        return self.kind is FormatKind.DOUBLE


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotOutcome:
    """The result of a slot's match, as it counts: its two entries in any order, and the one that goes on.

    Without a `winner` both are out of the tournament. Raises `ValueError` for a void match, the same entry twice,
    or a winner who was not in it.
    """

    sides: tuple[int, int]
    winner: int | None
    kind: ResultKind = ResultKind.PLAYED

    def __post_init__(self) -> None:
        first, second = self.sides
        if first == second or self.winner not in (None, first, second) or self.kind is ResultKind.VOID:
            raise ValueError(f"no result of a match: {self}")

    @property
    def loser(self) -> int | None:
        """The entry that lost; None if both are out."""
        if self.winner is None:
            return None
        first, second = self.sides
        return second if self.winner == first else first

    @property
    def is_played(self) -> bool:
        """Whether the two entries really played each other, so that it was no forfeit."""
        return self.kind in (ResultKind.PLAYED, ResultKind.ADJUSTED)


Results: TypeAlias = Mapping[str, SlotOutcome]
"""Outcomes of matches by the names of their slots."""

Draw: TypeAlias = Callable[[Sequence[int]], Sequence[int]]
"""Shuffles numbers by the tournament's seed; the same numbers always get the same order."""


def slot_outcomes(rounds: Iterable[Round]) -> dict[str, SlotOutcome]:
    """Return the outcome of each slot by its name: that of its newest match that is not void."""
    return {
        match.slot: _slot_outcome(match)
        for played in rounds
        for match in played.matches
        if match.slot and match.kind is not ResultKind.VOID
    }


def _slot_outcome(match: Match) -> SlotOutcome:
    """Return the bracket outcome of a finished match."""
    first, second = (side.entries[0] for side in match.sides)
    winner = None if match.winner is None else match.sides[match.winner].entries[0]
    return SlotOutcome(sides=(first, second), winner=winner, kind=match.kind)


class SlotProgress(StrEnum):
    """Progress of a slot; the value is its stable name."""

    WAITING = "waiting"  # an earlier match must be decided first
    READY = "ready"  # both entries are known, so the match can be played
    BYE = "bye"  # one entry goes on without a match
    EMPTY = "empty"  # no entry reaches this slot
    DECIDED = "decided"  # decided by a match


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotState:
    """A slot and its two entries, by number. An entry is None if it is not `known` yet, or if none comes.

    `winner` goes on from here, after a match or by a bye; `loser` lost to that winner. If both are out, both are None.
    """

    slot: Slot
    sides: tuple[int | None, int | None]
    known: tuple[bool, bool]
    state: SlotProgress
    winner: int | None = None
    loser: int | None = None
    outcome: SlotOutcome | None = None

    @property
    def is_decided(self) -> bool:
        """Whether the slot is decided: an entry goes on, or none does."""
        return self.state in (SlotProgress.BYE, SlotProgress.EMPTY, SlotProgress.DECIDED)

    @property
    def known_entries(self) -> tuple[int, ...]:
        """The entries known to be in this slot."""
        return tuple(side for side in self.sides if side is not None)


class _Undecided(Enum):
    """Placeholder for a side whose entry is not decided yet."""

    UNKNOWN = "unknown"


_EntryOrUndecided: TypeAlias = int | _Undecided | None


def fill_slots(slots: Iterable[Slot], seeds: Sequence[int], *, results: Results) -> dict[str, SlotState]:
    """Return each slot's state by its name; `slots` must come after those they depend on.

    A result whose entries do not match its slot is ignored.
    """
    slot_states: dict[str, SlotState] = {}
    for slot in slots:
        first, second = (_entry_from_source(source, seeds, slot_states=slot_states) for source in slot.sources)
        slot_states[slot.name] = _slot_state(slot, (first, second), outcome=results.get(slot.name))
    return slot_states


def _entry_from_source(
    source: SlotSource, seeds: Sequence[int], *, slot_states: Mapping[str, SlotState]
) -> _EntryOrUndecided:
    """Return the entry that a source provides: its number, None if no entry comes, or `UNKNOWN`."""
    if source.take is SourceEntry.SEED:
        return seeds[source.seed - 1] if source.seed <= len(seeds) else None
    view = slot_states[source.slot]
    if not view.is_decided:
        return _Undecided.UNKNOWN
    if source.take is SourceEntry.WINNER:
        return view.winner
    if source.take is SourceEntry.LOSER:
        return view.loser
    undefeated, challenger = view.sides
    if view.loser is None or view.loser != undefeated:
        return None
    return undefeated if source.take is SourceEntry.UNDEFEATED else challenger


def _slot_state(
    slot: Slot, entries: tuple[_EntryOrUndecided, _EntryOrUndecided], *, outcome: SlotOutcome | None
) -> SlotState:
    """Return a slot's state from its two sides and its outcome."""
    first, second = (None if isinstance(who, _Undecided) else who for who in entries)
    known = (not isinstance(entries[0], _Undecided), not isinstance(entries[1], _Undecided))
    bare = SlotState(slot=slot, sides=(first, second), known=known, state=SlotProgress.WAITING)
    if not all(known):
        return bare
    if first is None or second is None:
        alone = first if second is None else second
        state = SlotProgress.EMPTY if alone is None else SlotProgress.BYE
        return SlotState(slot=slot, sides=(first, second), known=known, state=state, winner=alone)
    if outcome is None or {first, second} != set(outcome.sides):
        return SlotState(slot=slot, sides=(first, second), known=known, state=SlotProgress.READY)
    return SlotState(
        slot=slot,
        sides=(first, second),
        known=known,
        state=SlotProgress.DECIDED,
        winner=outcome.winner,
        loser=outcome.loser,
        outcome=outcome,
    )
