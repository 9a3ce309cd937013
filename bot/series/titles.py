"""Titles of a server, which never fall: points of all its nights ever, and what was won (`docs/series.md` 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.series.nights import tell
from bot.series.series import Night, Series
from bot.series.standings import scored_in, winners_of
from bot.tournaments.event.entries import Person

TITLES: Final = ((25, "club_player"), (100, "club_master"), (300, "master"), (1000, "grand_master"))
"""The points from which on each title is held, lowest first."""

LEAST_ENTRIES: Final = 4
"""The least number of entries of a night that counts for titles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fame:
    """What a person has won in the series of a server; `points` are doubled."""

    person: Person
    points: int = 0
    nights: int = 0
    divisions: int = 0
    seasons: int = 0

    @property
    def title(self) -> str:
        """The highest title that the points give; empty below all of them."""
        return title_of(self.points)


def title_of(points: int) -> str:
    """Return the title for doubled points, or an empty text."""
    return next((name for least, name in reversed(TITLES) if points >= 2 * least), "")


def fame(every: Iterable[Series]) -> tuple[Fame, ...]:
    """Return the persons of some series with what they have won, the most points first."""
    points: Counter[Person] = Counter()
    nights: Counter[Person] = Counter()
    divisions: Counter[Person] = Counter()
    seasons: Counter[Person] = Counter()
    for series in every:
        divided = series.plan.divisions is not None
        for night in series.nights:
            if divided and night.played:
                divisions.update(winners_of(night))
            elif _counts(night):
                points.update({person: scored.points for person, scored in scored_in(night)})
                nights.update(winners_of(night))
        for champion in series.champions:
            seasons.update(champion.people)
    found = (
        Fame(person=one, points=points[one], nights=nights[one], divisions=divisions[one], seasons=seasons[one])
        for one in {*points, *divisions, *seasons}
    )
    return tuple(sorted(found, key=lambda one: (-one.points, -one.seasons, -one.divisions, one.person)))


def _counts(night: Night) -> bool:
    return night.played and not night.final and night.entries >= LEAST_ENTRIES


def announce_titles(series: Series, others: Iterable[Series], now: int) -> Series:
    """Announce each title that somebody has reached with the other series of the server, once."""
    others = tuple(others)
    known = {one for other in others for one in other.told} | set(series.told)
    elsewhere = {one.person: one.points for one in fame(others)}
    told = []
    for one in fame([series]):
        total = one.points + elsewhere.get(one.person, 0)
        reached = [name for least, name in TITLES if total >= 2 * least and (one.person, name) not in known]
        if reached and one.person > 0:
            told += [(one.person, name) for name in reached]
            series = tell(series, "title", now, persons=(one.person,), texts={"title": reached[-1]})
    return replace(series, told=(*series.told, *told)) if told else series
