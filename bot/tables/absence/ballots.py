"""Who votes about an absent person's seat, and for what (`docs/long-games.md`, 4); for records and looks alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, Protocol

from bot.engine.rules.rule_set import RuleSet
from bot.tables.absence.values import Absence, AbsenceChoice, AbsenceReason, Claim, ClaimKind, Vote

MOST_WAITS: Final = 3
"""So many days are granted to a seat in a game."""


class Holder(Protocol):
    """Who sits in a seat."""

    @property
    def person(self) -> int | None:
        """The person, if it is one."""

    @property
    def kept_for(self) -> int | None:
        """The person for whom a computer player keeps it."""


def always_alone(seats: Iterable[Holder], earlier: Iterable[Holder]) -> bool:
    """Whether nobody but one person has a seat in the game, or has had one `earlier`."""
    return len({one.person or one.kept_for for one in chain(seats, earlier)} - {None}) < 2


def voters(seats: Sequence[Holder], vote: Vote) -> tuple[int, ...]:
    """The seats whose persons decide."""
    return tuple(seat for seat, holder in enumerate(seats) if holder.person not in (None, vote.person))


def choices(seats: Sequence[Holder], rules: RuleSet, absence: Absence, vote: Vote) -> tuple[AbsenceChoice, ...]:
    """What can be voted for. The end of the game needs somebody of every side among the voters."""
    found = [AbsenceChoice.COMPUTER, AbsenceChoice.SUBSTITUTE]
    if vote.why is AbsenceReason.LAPSED and absence.waits.count(vote.seat) < MOST_WAITS:
        found.insert(0, AbsenceChoice.WAIT)
    if {rules.side_of(seat) for seat in voters(seats, vote)} == set(range(rules.sides)):
        found.append(AbsenceChoice.END)
    return tuple(found)


def asked(seats: Sequence[Holder], rules: RuleSet, claim: Claim) -> tuple[int, ...]:
    """The seats whose persons answer a claim: all, or to one to object the opponents."""
    found = tuple(seat for seat, holder in enumerate(seats) if holder.person is not None)
    if claim.kind is not ClaimKind.OBJECT:
        return found
    return tuple(seat for seat in found if rules.side_of(seat) != rules.side_of(claim.seat))
