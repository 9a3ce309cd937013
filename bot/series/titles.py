"""Titles of people in a server: earned by points from all its nights, never lost (`docs/series.md` 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from bot.series.nights import add_news
from bot.series.series import Night, Series
from bot.series.standings import night_scores, winners_of
from bot.tournaments.event.entries import Person

TITLES: Final = ((25, "club_player"), (100, "club_master"), (300, "master"), (1000, "grand_master"))
"""The minimum points of each title, lowest first."""

LEAST_ENTRIES: Final = 4
"""Minimum of entries in a night for it to count for titles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Achievements:
    """A person's doubled points, and how many nights, divisions and seasons they won in a server's series."""

    person: Person
    points: int = 0
    nights: int = 0
    divisions: int = 0
    seasons: int = 0

    @property
    def title(self) -> str:
        """The highest title for the points; empty if they are below the lowest title."""
        return title_of(self.points)


def title_of(points: int) -> str:
    """Return the highest title for doubled points; empty if they are below the lowest title."""
    return next((name for least, name in reversed(TITLES) if points >= 2 * least), "")


def achievements_of(all_series: Iterable[Series]) -> tuple[Achievements, ...]:
    """Return the achievements of all persons in these series, most points first."""
    points: Counter[Person] = Counter()
    nights: Counter[Person] = Counter()
    divisions: Counter[Person] = Counter()
    seasons: Counter[Person] = Counter()
    for series in all_series:
        divided = series.plan.divisions is not None
        for night in series.nights:
            if divided and night.has_results:
                divisions.update(winners_of(night))
            elif _counts_for_titles(night):
                points.update({person: scored.points for person, scored in night_scores(night)})
                nights.update(winners_of(night))
        for champion in series.champions:
            seasons.update(champion.people)
    found = (
        Achievements(person=one, points=points[one], nights=nights[one], divisions=divisions[one], seasons=seasons[one])
        for one in {*points, *divisions, *seasons}
    )
    return tuple(sorted(found, key=lambda one: (-one.points, -one.seasons, -one.divisions, one.person)))


def _counts_for_titles(night: Night) -> bool:
    """Return whether the results of a night count for titles."""
    return night.has_results and not night.final and night.entries >= LEAST_ENTRIES


def announce_titles(series: Series, other_series: Iterable[Series], now: int) -> Series:
    """Return the series with news of each title that was newly reached.

    Points in the server's `other_series` series count as well.
    """
    other_series = tuple(other_series)
    known = {one for other in other_series for one in other.told} | set(series.told)
    elsewhere = {one.person: one.points for one in achievements_of(other_series)}
    told = []
    for one in achievements_of([series]):
        total = one.points + elsewhere.get(one.person, 0)
        reached = [name for least, name in TITLES if total >= 2 * least and (one.person, name) not in known]
        if reached and one.person > 0:
            told += [(one.person, name) for name in reached]
            series = add_news(series, "title", now, persons=(one.person,), texts={"title": reached[-1]})
    return replace(series, told=(*series.told, *told)) if told else series
