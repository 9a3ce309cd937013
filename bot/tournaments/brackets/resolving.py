"""Who stands in the slots of a bracket, as far as the results say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TypeAlias

from bot.tournaments.brackets.slots import Slot, Source, Take
from bot.tournaments.brackets.terms import Outcome, Results


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
