"""Proposals of a player to the others, one at a time, until it is agreed, refused or out of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.clocks.time_rules import ClockTerms
from bot.engine.rules.rule_set import RuleSet
from bot.tables.state.person_annotation import Person


class ProposalKind(StrEnum):
    """The kind of a proposal; the value is its stable name."""

    END = "end"  # end the game now; the deal in play does not count
    PAUSE = "pause"  # pause the game for some days
    UNDO = "undo"  # take back the asker's last move although it showed hidden cards
    SLOWER_CLOCK = "slower_clock"  # change to a slower clock
    SUBSTITUTE = "substitute"  # let a computer player hold the asker's seat until a substitute takes it
    RESIGN = "resign"  # give the game up; only the asker's partner is asked


SHARED: Final = frozenset({ProposalKind.END, ProposalKind.PAUSE, ProposalKind.SLOWER_CLOCK, ProposalKind.RESIGN})
"""Kinds that mean the same for every asker: proposing one that is already open counts as a yes."""

LONGEST_PAUSE: Final = 14
"""Longest pause that can be proposed, in days."""

MOST_PAUSES: Final = 2
"""Number of agreed pauses in one game."""

MOST_PROPOSED: Final = 3
"""Number of proposals of each kind that a person may make in one deal."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An open proposal: its kind, the asker, its start (UTC milliseconds), and the people who have agreed.

    `agreed` begins with the asker. `days` is the length of a pause, `clock` the slower clock, `version` the version of
    the table to which an undo goes back.
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
    """A proposal made in the current deal: who made it, and its kind. It limits repetitions."""

    person: Person
    kind: ProposalKind


@dataclass(frozen=True, slots=True)
class SubstituteSearch:
    """A search for a substitute: the seat, and when the search began (UTC milliseconds)."""

    seat: int
    at: int


def voters(proposal: Proposal, persons: Sequence[int | None], rules: RuleSet) -> tuple[int, ...]:
    """Return the people who must agree to the proposal, the asker among them, in seat order.

    `persons` are the holders of the seats.
    """
    asker = persons.index(proposal.by) if proposal.by in persons else None
    if proposal.kind is not ProposalKind.RESIGN or asker is None:
        return tuple(person for person in persons if person is not None)
    side = rules.side_of(asker)
    return tuple(one for seat, one in enumerate(persons) if one is not None and rules.side_of(seat) == side)


def unanswered_people(proposal: Proposal | None, persons: Sequence[int | None], rules: RuleSet) -> tuple[int, ...]:
    """Return the people who have not answered the proposal yet, in seat order; none without a proposal."""
    if proposal is None:
        return ()
    return tuple(person for person in voters(proposal, persons, rules) if person not in proposal.agreed)
