"""Matches as they are handed to ratings: who played how much of them, and how they ended.

A match has sides, a side has seats, and in a seat several persons may have sat one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.rules.sets.choosing import FAMILIES


@dataclass(frozen=True, slots=True, order=True)
class Ladder:
    """Ratings that are compared with one another: a family of rule sets, and how many play."""

    family: str
    players: int

    @property
    def name(self) -> str:
        """A stable name: ``classic-4``."""
        return f"{self.family}-{self.players}"


def ladder_of(rules: str, players: int) -> Ladder:
    """The ladder of a rule set with so many players. Raises `LookupError` where there is no such rule set."""
    for family, names in FAMILIES.items():
        if rules in names:
            return Ladder(family, players)
    raise LookupError(rules)


def ladder_named(name: str) -> Ladder:
    """The ladder of that stable name. Raises `LookupError`."""
    family, _, players = name.rpartition("-")
    if family not in FAMILIES or not players.isdecimal():
        raise LookupError(name)
    return Ladder(family, int(players))


@dataclass(frozen=True, slots=True, order=True)
class MatchId:
    """A match: its number in its tournament; a table without a tournament is a match of tournament 0."""

    tournament: int
    number: int


@dataclass(frozen=True, slots=True)
class SeatPlayed:
    """Who has played a seat: persons in the order in which they sat down, each with the deals played, and a computer.

    `lost` is the one of them who gave the seat up, for whom the match is lost whatever came of it.
    """

    persons: tuple[tuple[int, int], ...]
    computer: int = 0
    lost: int | None = None

    @property
    def deals(self) -> int:
        """How many deals were played there."""
        return self.computer + sum(deals for _, deals in self.persons)


@dataclass(frozen=True, slots=True)
class SidePlayed:
    """The seats of a side and its total as played; one that has given up comes `last`."""

    seats: tuple[SeatPlayed, ...]
    total: int
    last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedMatch:
    """A match that counts for ratings, finished at an instant (UTC milliseconds) in a server."""

    id: MatchId
    at: int
    ladder: Ladder
    guild: int
    sides: tuple[SidePlayed, ...]

    @property
    def ranks(self) -> tuple[int, ...]:
        """The place of each side from 1; equal totals share one."""
        worth = [(not side.last, 0 if side.last else side.total) for side in self.sides]
        return tuple(1 + sum(other > own for other in worth) for own in worth)
