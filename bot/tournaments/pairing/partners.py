"""Draw partners, and compute the start order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

from bot.ratings.rating_rules import MU
from bot.tournaments.seeded_draw import SeededDraw


@dataclass(frozen=True, slots=True)
class RatedPerson:
    """A player with their rating; None if unrated."""

    person: int
    rating: float | None


@dataclass(frozen=True, slots=True)
class DrawnTeams:
    """The drawn teams, best first within each; `waiting` are the people left over, in order of entry."""

    teams: tuple[tuple[int, ...], ...]
    waiting: tuple[int, ...]


class Seeding(StrEnum):
    """Ways to order entries at the start; the value is its stable name."""

    RATING = "rating"
    LOT = "lot"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class EntryToSeed:
    """An entry to be ordered, with its persons.

    `together` is their rating as a pair, if that is sure enough.
    """

    number: int
    people: tuple[RatedPerson, ...]
    together: float | None = None


def draw_partners(people: Sequence[RatedPerson], *, draws: SeededDraw, size: int = 2) -> DrawnTeams:
    """Draw balanced teams of `size`: the best with the last, the second with the last but one, and so on.

    `people` are in order of entry; surplus ones, the last, wait. People without a rating count as the median of the
    others; the draw decides between equals. In teams of three, the first third of the order gets mates from the second
    third backwards and from the last third forwards.
    """
    playing = people[: len(people) - len(people) % size]
    missing = _median_rating(playing)
    ratings = {one.person: missing if one.rating is None else one.rating for one in playing}
    order = sorted(draws.draw_order(ratings, "partners"), key=lambda person: -ratings[person])
    teams = len(order) // size
    rows = [order[row * teams : (row + 1) * teams] for row in range(size)]
    return DrawnTeams(
        teams=tuple(zip(*(row[::-1] if number % 2 else row for number, row in enumerate(rows)), strict=True)),
        waiting=tuple(one.person for one in people[len(playing) :]),
    )


def start_order(
    entries: Iterable[EntryToSeed], seeding: Seeding, *, draws: SeededDraw, by_hand: Sequence[int] = ()
) -> tuple[int, ...]:
    """Return the entries from the first seed to the last.

    By rating, a pair has its rating as a pair; any other entry has `MU`, the average rating, plus the difference of
    each of its persons from `MU`. Unrated persons count as the median of all rated ones; the draw decides between
    equals. By hand, the entries in `by_hand` come first as given, the others after them by rating.
    """
    seeds = {tuple(sorted(one.person for one in entry.people)) or (entry.number,): entry for entry in entries}
    drawn = [seeds[token] for token in draws.draw_order(seeds, "start order")]
    if seeding is not Seeding.LOT:
        missing = _median_rating([one for entry in drawn for one in entry.people])
        drawn.sort(key=lambda entry: -_rating_of_entry(entry, missing))
    if seeding is Seeding.HAND:
        given = {number: place for place, number in enumerate(by_hand)}
        drawn.sort(key=lambda entry: given.get(entry.number, len(given)))
    return tuple(entry.number for entry in drawn)


def _median_rating(people: Iterable[RatedPerson]) -> float:
    ratings = [one.rating for one in people if one.rating is not None]
    return median(ratings) if ratings else MU


def _rating_of_entry(entry: EntryToSeed, default_rating: float) -> float:
    """Return the rating of an entry as one player; unrated persons count as `default_rating`."""
    if entry.together is not None:
        return entry.together
    ratings = sorted(default_rating if one.rating is None else one.rating for one in entry.people)
    return MU + sum(rating - MU for rating in ratings)
