"""The course of a tournament: all results that count, the input of pairings, standings and exports.

A course has final results only, with directors' rulings in place of the results they changed. Entry numbers start at 1
and their order has no meaning; sides and deals count from 0 as at a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.tournaments.format_traits import TRAITS, FormatKind, FormatTraits


class ResultKind(StrEnum):
    """The ways in which a match got its result; the value is the stable name."""

    PLAYED = "played"
    FORFEIT = "forfeit"  # one side did not play, or gave up
    DOUBLE_FORFEIT = "double_forfeit"
    ADJUSTED = "adjusted"  # the match was played, and a director has changed its result
    VOID = "void"  # the match does not count, as if it had never been paired


class UnpairedReason(StrEnum):
    """The reasons why an entry has no match in a round; the value is the stable name."""

    BYE = "bye"  # no opponent was left for the entry
    HALF = "half"  # the entry announced to sit out, or entered one round late
    ZERO = "zero"  # the entry is not in the tournament yet, or no longer
    ABSENT = "absent"  # the entry is away without a right to points
    SIT_OUT = "sit_out"  # the movement of a duplicate leaves the entry free, without a score


@dataclass(frozen=True, slots=True)
class Span:
    """Consecutive rounds in which an entry takes part; `last` is None while it has not left.

    A `last` before `first` means that the entry left before its first round was called.
    """

    first: int = 1
    last: int | None = None

    def __contains__(self, number: int) -> bool:
        """Return whether the entry takes part in the round of that number."""
        return self.first <= number and (self.last is None or number <= self.last)


FROM_THE_START: Final = (Span(),)
"""The spans of an entry that takes part in every round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry: a person, a pair or a trio. `rank` is its place in the start order, from 1.

    It takes part in the rounds of its `spans`, at least one, in order. `annulled` entries left a round robin early:
    their matches do not count.
    """

    number: int
    people: tuple[int, ...]
    rank: int
    spans: tuple[Span, ...] = FROM_THE_START
    annulled: bool = False

    @property
    def from_round(self) -> int:
        """The first round that the entry entered for."""
        return self.spans[0].first

    def takes_part_in(self, round_number: int) -> bool:
        """Return whether the entry takes part in the round of that number."""
        return any(round_number in span for span in self.spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side of a match: its entries (two where partners change), people, match points and score.

    `score` is the sum over the deals that count.
    """

    entries: tuple[int, ...]
    people: tuple[int, ...] = ()
    points: int = 0
    score: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """A deal of a match with the points of each side; a `void` deal does not count.

    `as_played` are the original points if a director has changed them.
    """

    number: int
    scores: tuple[int, ...]
    as_played: tuple[int, ...] | None = None
    void: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A finished match. `id` is its number in the tournament, `table` that in the round, both from 1.

    `slot` is its place in a bracket (`bot.tournaments.brackets`), empty elsewhere. `set_by_director` means that
    points were given without deals, so no net is known. `winner` is the side that goes on in an elimination; None
    if neither does, and in other formats.
    """

    id: int
    table: int
    kind: ResultKind
    sides: tuple[Side, ...]
    deals: tuple[Deal, ...] = ()
    slot: str = ""
    winner: int | None = None
    set_by_director: bool = False
    unrated: bool = False
    reason: str = ""
    finished_at: int | None = None

    @property
    def is_played(self) -> bool:
        """Whether the sides really played each other, as far as the result shows."""
        return self.kind in (ResultKind.PLAYED, ResultKind.ADJUSTED)

    def side_of(self, entry: int) -> int | None:
        """Return the side that the entry was part of; None if it was not in the match."""
        return next((number for number, side in enumerate(self.sides) if entry in side.entries), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWithoutMatch:
    """An entry without a match in a round, and the match points it gets for it."""

    entry: int
    code: UnpairedReason
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round that is over. `order` are the entries by standing when it was drawn, best first.

    `stage` is empty except in brackets; `cost` are the six sums that a Swiss pairing minimises, empty elsewhere.
    """

    number: int
    stage: str = ""
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()
    by_hand: bool = False
    matches: tuple[Match, ...] = ()
    unpaired: tuple[EntryWithoutMatch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A director's penalty for an entry after a round; `points` are subtracted from its match points.

    `at` is in UTC milliseconds, `by` a person.
    """

    round: int
    entry: int
    category: str
    level: int
    points: int
    reason: str
    by: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The match points of results, and limits on how much one deal counts.

    `swing_unit` is U of `docs/tournaments.md` 4, in card points; a deal's difference counts up to `net_cap` points
    either way. `bye` and `half` are the points for sitting out.
    """

    win: int = 2
    tie: int = 1
    loss: int = 0
    bye: int = 2
    half: int = 1
    swing_unit: int = 2
    net_cap: int = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The rounds played, from 1 without gaps, the newest last.

    `sides` is the number of sides at a table, 2 or 3. `rounds_planned` is None while the number is unknown.
    """

    kind: FormatKind
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    scoring: Scoring = field(default_factory=Scoring)
    sides: int = 2
    rounds_planned: int | None = None

    @property
    def traits(self) -> FormatTraits:
        """The facts of the tournament's format."""
        return TRAITS[self.kind]

    def entry(self, entry_number: int) -> Entry:
        """Return the entry of that number. Raises `KeyError`."""
        for entry in self.entries:
            if entry.number == entry_number:
                return entry
        raise KeyError(entry_number)
