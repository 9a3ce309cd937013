"""Proposals: one question at a time, open until all whom it concerns agree, one says no, or its time is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.clocks.law import ClockTerms
from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.persons import Person


class ProposalKind(StrEnum):
    """What is proposed; the value is its stable name."""

    END = "end"  # the game is over as it stands; the deal in play does not count
    PAUSE = "pause"  # the game stands still for some days
    UNDO = "undo"  # the asker's last move is taken back, though it has shown hidden cards
    SLOWER_CLOCK = "slower_clock"  # the table plays with another clock from now on
    SUBSTITUTE = "substitute"  # a computer player keeps the asker's seat until somebody takes it
    RESIGN = "resign"  # the asker's side gives the game up; its partner alone is asked


SHARED: Final = frozenset({ProposalKind.END, ProposalKind.PAUSE, ProposalKind.SLOWER_CLOCK, ProposalKind.RESIGN})
"""Kinds that mean the same whoever asks: asking again is a yes."""

LONGEST_PAUSE: Final = 14
"""Days."""

MOST_PAUSES: Final = 2
"""In one game."""

MOST_PROPOSED: Final = 3
"""Of each kind, by one person in one deal."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question: what is proposed, by which person, since when (UTC milliseconds), and who has agreed so far.

    `agreed` begins with the asker. `days` is how long a pause would last, `clock` the slower clock, `version` that of
    the table to which an undo would go back.
    """

    kind: ProposalKind
    by: Person
    at: int
    agreed: tuple[Person, ...]
    days: int = 0
    clock: ClockTerms | None = None
    version: int = 0


@dataclass(frozen=True, slots=True)
class PastProposal:
    """A person has proposed that in the running deal."""

    person: Person
    kind: ProposalKind


@dataclass(frozen=True, slots=True)
class SubstituteSearch:
    """For that seat a substitute is sought since that instant (UTC milliseconds)."""

    seat: int
    at: int


def voters(proposal: Proposal, persons: Sequence[int | None], rules: RuleSet) -> tuple[int, ...]:
    """The persons whose yes is needed, in seat order, the asker among them; `persons` holds who sits at each seat."""
    asker = persons.index(proposal.by) if proposal.by in persons else None
    if proposal.kind is not ProposalKind.RESIGN or asker is None:
        return tuple(person for person in persons if person is not None)
    side = rules.side_of(asker)
    return tuple(one for seat, one in enumerate(persons) if one is not None and rules.side_of(seat) == side)


def awaited(proposal: Proposal | None, persons: Sequence[int | None], rules: RuleSet) -> tuple[int, ...]:
    """The persons who have not answered yet, in seat order; none where nothing is proposed."""
    if proposal is None:
        return ()
    return tuple(person for person in voters(proposal, persons, rules) if person not in proposal.agreed)
