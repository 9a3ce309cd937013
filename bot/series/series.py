"""A series as one value: its plan, its nights with results, the invitations to its final, its news.

Instants are UTC milliseconds, durations milliseconds, dates local and written as in ISO 8601. Points are doubled, so
that shared places have whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.clocks.time_rules import DAY
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import News

MOST_HOSTS: Final = 5
MOST_SERIES: Final = 10
"""Maximum of unfinished series per server."""

WEEKS: Final = (1, 4)
NIGHTS: Final = (2, 52)
FINALS: Final = (0, 4, 8, 12, 16)
MOST_LEFT_OUT: Final = 40


class SeriesStage(StrEnum):
    """Stages of a series; the value is its stable name."""

    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class NightStage(StrEnum):
    """Stages of a night; the value is its stable name."""

    MADE = "made"  # its tournament is published and not over
    CLOSED = "closed"  # its results count
    AWAY = "away"  # not played: the bot was away
    CANCELLED = "cancelled"  # cancelled by a director; it keeps its number
    FEW = "few"  # a final with too few players


@dataclass(frozen=True, slots=True, kw_only=True)
class DivisionPlan:
    """Divisions of about `size` entries; the next season begins `pause` after the last division ends."""

    size: int = 6
    pause: int = 14 * DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPlan:
    """The settings of a series. `pattern` is the plan of each night; its start is not used.

    Nights begin `minutes` after local midnight in the time zone, every `weeks` weeks counted from the date `anchor`,
    except on the dates `left_out`. A season has `nights` nights, of which the `best` ones count; its final is for
    `final` persons, 0 for none. A night is published `ahead` milliseconds before its start. With `divisions` its
    tournaments are slow divisions instead, and `anchor` is the date on which the next season begins.
    """

    pattern: Plan
    zone: str
    anchor: str
    minutes: int
    weeks: int = 1
    nights: int = 10
    best: int = 7
    final: int = 8
    left_out: tuple[str, ...] = ()
    ahead: int = 6 * DAY
    divisions: DivisionPlan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry in the ranking of a closed night: the persons who get its points, and its place.

    The place is shared from `first` to `last`. `ranked` is the number of ranked entries of its list. A `removed` entry
    has 0 points, which count.
    """

    people: tuple[Person, ...]
    first: int
    last: int
    ranked: int
    removed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """A night of a season, or its final. A final has the number after the last night.

    In a series in divisions, each division of a season is a night: number 1 is the highest, and 0 the sign-up.

    `date` is its planned date. `placed` are its results once it is closed, `entries` the number of its ranked entries,
    0 if no entry came.
    """

    season: int
    number: int
    date: str
    starts_at: int
    final: bool = False
    stage: NightStage = NightStage.MADE
    tournament: int = 0
    placed: tuple[Placed, ...] = ()
    entries: int = 0

    @property
    def has_results(self) -> bool:
        """Whether the night has results that count."""
        return self.stage is NightStage.CLOSED and self.entries > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A person asked to play the final: their `place` in the standings and their `answer`; None before it."""

    person: Person
    place: int
    at: int
    answer: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The invitations to a season's final.

    They have the candidates with their places, in order, and the persons asked so far.
    """

    season: int
    date: str
    starts_at: int
    order: tuple[tuple[Person, int], ...]
    listed: int
    asked: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Champion:
    """The champion of a season; several if they share the title."""

    season: int
    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """A series as one value. `hosts` direct each night; there may be none.

    `season` is that of the next night, which is on the first date after `last_date`. With `ending` no night follows.
    `guests` play but are left out of the standings. `told` are the titles that were announced, each with its person.
    `names` are the names of all persons.
    """

    plan: SeriesPlan
    hosts: tuple[Person, ...]
    created_at: int
    last_date: str
    id: int = 0
    version: int = 0
    guild: int = 0
    channel: int = 0
    stage: SeriesStage = SeriesStage.RUNNING
    ending: bool = False
    season: int = 1
    nights: tuple[Night, ...] = ()
    guests: tuple[Person, ...] = ()
    asking: Asking | None = None
    champions: tuple[Champion, ...] = ()
    news: tuple[News, ...] = ()
    told: tuple[tuple[Person, str], ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the series, which is that of its pattern."""
        return self.plan.pattern.name

    def nights_of(self, season: int) -> tuple[Night, ...]:
        """Return the nights of a season without its final, by number."""
        return tuple(one for one in self.nights if one.season == season and not one.final)

    def divisions_of(self, season: int) -> tuple[Night, ...]:
        """Return the divisions of a season, the highest first."""
        return tuple(one for one in self.nights if one.season == season and one.number > 0)

    def sign_up_of(self, season: int) -> Night | None:
        """Return the sign-up of a season of divisions, or None."""
        return next((one for one in self.nights if one.season == season and one.number == 0), None)

    def final_of(self, season: int) -> Night | None:
        """Return the final of a season, even if it was not played; None if it does not exist yet."""
        return next((one for one in self.nights if one.season == season and one.final), None)

    def night_of(self, tournament: int) -> Night | None:
        """Return the night whose tournament has that number, or None."""
        return next((one for one in self.nights if one.tournament == tournament), None)
