"""What the events of a tournament make of a table's place in it."""

from __future__ import annotations

from dataclasses import replace

from bot.tables.contest.events import ContestEvent, ContestOpened, PlayerArrived, SubstituteNamed
from bot.tables.contest.values import ContestTable, PendingSubstitute


def evolve(contest: ContestTable | None, event: ContestEvent) -> ContestTable:
    """The place after one event; the first one is a `ContestOpened`."""
    if isinstance(event, ContestOpened):
        return event.contest
    if contest is None:
        raise ValueError(f"{type(event).__name__} at a table of no tournament")
    if isinstance(event, SubstituteNamed):
        return replace(
            contest, substitutes=(*_others(contest, event.seat), PendingSubstitute(event.seat, event.holder))
        )
    if isinstance(event, PlayerArrived):
        return replace(contest, came=(*contest.came, event.seat))
    return replace(contest, sealed=False)


def seated(contest: ContestTable | None, seat: int) -> ContestTable | None:
    """The place once somebody else has that seat: whoever was to come to it waits no more."""
    if contest is None or not contest.substitutes:
        return contest
    return replace(contest, substitutes=_others(contest, seat))


def _others(contest: ContestTable, seat: int) -> tuple[PendingSubstitute, ...]:
    return tuple(one for one in contest.substitutes if one.seat != seat)
