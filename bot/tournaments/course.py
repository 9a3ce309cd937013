"""The course of a tournament: everything that counts so far, from which pairings, standings and exports follow.

A course is made of final results only: what a director has ruled stands in it in place of what was played. Entries are
known by their numbers, from 1 in no order that means anything; sides and deals count from 0 as at a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.tournaments.traits import TRAITS, FormatKind, Traits


class Played(StrEnum):
    """How the result of a match came about; the value is its stable name."""

    PLAYED = "played"
    FORFEIT = "forfeit"  # one side did not play, or gave up
    DOUBLE_FORFEIT = "double_forfeit"
    ADJUSTED = "adjusted"  # played, and a director has changed the result
    VOID = "void"  # counts for nobody, as if it had never been paired


class Unpaired(StrEnum):
    """Why an entry has no match in a round; the value is its stable name."""

    BYE = "bye"  # nobody was left to meet
    HALF = "half"  # announced to sit out, or entered one round late
    ZERO = "zero"  # not in the tournament yet, or no longer
    ABSENT = "absent"  # away without a right to points


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: a person, a pair or a trio. `rank` is its place in the start order, from 1.

    It takes part from round `from_round` to `last_round`, None while it has not left. `annulled` entries have left a
    round robin early: their matches count for nobody.
    """

    number: int
    people: tuple[int, ...]
    rank: int
    from_round: int = 1
    last_round: int | None = None
    annulled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A side of a match: its entries (two where partners change), its persons, its match points and its score.

    `score` is the sum over the deals that count.
    """

    entries: tuple[int, ...]
    people: tuple[int, ...] = ()
    points: int = 0
    score: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """One deal of a match with the points of each side; a `void` one counts for nobody.

    `as_played` is what was played where a director has changed it.
    """

    number: int
    scores: tuple[int, ...]
    as_played: tuple[int, ...] | None = None
    void: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match that is over. `id` is its number in the tournament, `table` its number in the round, both from 1.

    `slot` is its place in a bracket (`bot.tournaments.brackets`), empty elsewhere. `set_by_director` tells that the
    points were given without deals, so that no net is known. The winner of an elimination match is `winner`, the
    number of a side; None where nobody goes on, and in other formats.
    """

    id: int
    table: int
    kind: Played
    sides: tuple[Side, ...]
    deals: tuple[Deal, ...] = ()
    slot: str = ""
    winner: int | None = None
    set_by_director: bool = False
    unrated: bool = False
    reason: str = ""
    finished_at: int | None = None

    @property
    def met(self) -> bool:
        """Whether the sides have met at a table, as far as the result tells."""
        return self.kind in (Played.PLAYED, Played.ADJUSTED)

    def side_of(self, entry: int) -> int | None:
        """The side that the entry was part of; None where it was not in the match."""
        return next((number for number, side in enumerate(self.sides) if entry in side.entries), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SatOut:
    """An entry without a match in a round, and the match points it has for it."""

    entry: int
    code: Unpaired
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round that is over. `order` are the entries as they stood when it was drawn, best first.

    `stage` is empty but in brackets; `cost` are the six sums that a Swiss pairing makes least, empty elsewhere.
    """

    number: int
    stage: str = ""
    order: tuple[int, ...] = ()
    cost: tuple[int, ...] = ()
    by_hand: bool = False
    matches: tuple[Match, ...] = ()
    unpaired: tuple[SatOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """What a director has imposed on an entry after a round; `points` are taken off its match points.

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
    """What results are worth, in match points, and how far one deal can count.

    `swing_unit` is U of `docs/tournaments.md` 4, in card points; a deal's difference counts up to `net_cap` points
    either way. `bye`, `half` are the points of those who sit out so.
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
    """What has been played, round by round from 1 without a gap, the newest last.

    `sides` is how many sides a table has: 2, or 3 where pods play. `rounds_planned` is None where nobody knows yet.
    """

    kind: FormatKind
    entries: tuple[Entry, ...]
    rounds: tuple[Round, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    scoring: Scoring = field(default_factory=Scoring)
    sides: int = 2
    rounds_planned: int | None = None

    @property
    def traits(self) -> Traits:
        """What is true of its format."""
        return TRAITS[self.kind]

    def entry(self, number: int) -> Entry:
        """The entry of that number. Raises `KeyError`."""
        for entry in self.entries:
            if entry.number == number:
                return entry
        raise KeyError(number)
