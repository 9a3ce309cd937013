"""The nights of a series: creating the next one, skipping a missed one, and applying results.

Each function takes a series, and returns it changed or a fact about it (`docs/series.md` 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypedDict, Unpack

from bot.clocks.clock import HOUR, MINUTE
from bot.series.dates import next_date, night_start
from bot.series.series import Night, NightStage, Placed, Series, SeriesStage
from bot.series.standings import champions
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Audience, News, NightOf, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS, check_plan

LATEST: Final = 2 * HOUR
"""Minimum time between publishing a night and its start; a later night is skipped."""

EMPTY_NIGHTS: Final = 3
"""Number of consecutive nights without entries after which the series pauses."""

SHORTLY: Final = MINUTE
"""Time between creating a division and its start, because a tournament must be published first."""

KEPT_NEWS: Final = 100
LONGEST_PART: Final = 50
MOST_FINAL_ROUNDS: Final = 7


class SeriesNewsFields(TypedDict, total=False):
    """Optional fields of a news item."""

    audience: Audience
    persons: tuple[Person, ...]
    numbers: Mapping[str, int]
    texts: Mapping[str, str]
    pings: bool


def add_news(series: Series, code: str, now: int, **told: Unpack[SeriesNewsFields]) -> Series:
    """Return the series with a news item added; only the newest items are kept."""
    number = series.news[-1].number + 1 if series.news else 1
    return replace(series, news=(*series.news, News(number=number, code=code, at=now, **told))[-KEPT_NEWS:])


def upcoming_date(series: Series) -> str:
    """Return the date of the next night or final that is to be created."""
    return next_date(series.plan, series.last_date)


def upcoming_start(series: Series) -> int:
    """Return the instant at which the next night or final to be created begins."""
    return night_start(series.plan, upcoming_date(series))


def is_final_next(series: Series) -> bool:
    """Return whether all nights of the season exist, so that its final comes next."""
    return len(series.nights_of(series.season)) >= series.plan.nights


def has_season_begun(series: Series) -> bool:
    """Return whether a night of the season is published or played.

    From then on the season's numbers cannot change.
    """
    return any(one.stage in (NightStage.MADE, NightStage.CLOSED) for one in series.nights_of(series.season))


def add_night(series: Series, stage: NightStage, *, tournament: int = 0, starts_at: int = 0) -> Series:
    """Add the next night of the season.

    If it is the last one and there is no final, the next season begins.
    """
    date = upcoming_date(series)
    number = len(series.nights_of(series.season)) + 1
    night = Night(
        season=series.season,
        number=number,
        date=date,
        starts_at=starts_at or night_start(series.plan, date),
        stage=stage,
        tournament=tournament,
    )
    over = number >= series.plan.nights and not series.plan.final
    return replace(
        series, nights=(*series.nights, night), last_date=date, season=series.season + 1 if over else series.season
    )


def record_missed_night(series: Series, now: int) -> Series:
    """Record the next night as missed, because the bot was offline; it keeps its number."""
    number = len(series.nights_of(series.season)) + 1
    after = add_night(series, NightStage.AWAY)
    return with_champions(add_news(after, "night_missed", now, numbers={"night": number}), now)


def add_final(series: Series, stage: NightStage, *, tournament: int = 0) -> Series:
    """Add the season's final, and begin the next season."""
    asking = series.asking
    if asking is None:
        raise ValueError("nobody was asked for a final")
    night = Night(
        season=asking.season,
        number=len(series.nights_of(asking.season)) + 1,
        date=asking.date,
        starts_at=asking.starts_at,
        final=True,
        stage=stage,
        tournament=tournament,
    )
    return replace(
        series,
        nights=(*series.nights, night),
        last_date=max(series.last_date, asking.date),
        season=asking.season + 1,
        asking=None,
    )


def with_night_result(
    series: Series, tournament: int, stage: NightStage, placed: tuple[Placed, ...], names: Mapping[int, str], now: int
) -> Series:
    """Return the series after a night was closed or reopened, with the night's results.

    What follows from them is applied too.
    """
    night = series.night_of(tournament)
    if night is None:
        return series
    placed = _with_known_former_people(placed, night.placed)
    if (night.stage, night.placed) == (stage, placed):
        return series
    changed = replace(night, stage=stage, placed=placed, entries=len(placed))
    people: dict[int, str] = {person: names[person] for one in placed for person in one.people if names.get(person)}
    after = replace(
        series,
        nights=tuple(changed if one.tournament == tournament else one for one in series.nights),
        names={**series.names, **people},
    )
    if stage is NightStage.CLOSED and night.stage is NightStage.MADE and series.plan.divisions is None:
        after = _pause_if_nobody_enters(after, now)
    if after.plan.divisions is not None and _are_all_divisions_over(after):
        after = prepare_next_season(after, now)
    if after.ending and not any(one.stage is NightStage.MADE for one in after.nights):
        after = add_news(replace(after, stage=SeriesStage.ENDED, ending=False), "series_ended", now)
    return with_champions(after, now)


def _with_known_former_people(placed: Sequence[Placed], before: Sequence[Placed]) -> tuple[Placed, ...]:
    """Return the places with deleted people under the numbers that the series has for them.

    Each tournament numbers deleted people in its own way.
    """
    known: dict[tuple[int, ...], list[Placed]] = {}
    for one in before:
        known.setdefault(tuple(max(person, 0) for person in one.people), []).append(one)
    found = []
    for one in placed:
        same = known.get(tuple(max(person, 0) for person in one.people)) if min(one.people, default=0) < 0 else None
        found.append(replace(one, people=same.pop(0).people) if same else one)
    return tuple(found)


def _are_all_divisions_over(series: Series) -> bool:
    """Return whether all divisions of the season are over."""
    divisions = series.divisions_of(series.season)
    return bool(divisions) and all(one.stage is not NightStage.MADE for one in divisions)


def prepare_next_season(series: Series, now: int) -> Series:
    """Return the series prepared for its next season; its divisions must be over.

    The players are asked whether they play again.
    """
    pause = 0 if series.plan.divisions is None else series.plan.divisions.pause
    anchor = next_date(series.plan, series.plan.anchor, not_before=now + pause)
    people = tuple(
        person
        for one in series.divisions_of(series.season)
        for row in one.placed
        for person in row.people
        if person > 0
    )
    after = replace(series, season=series.season + 1, plan=replace(series.plan, anchor=anchor))
    if series.ending:
        return after
    return ask_about_next_season(after, people, now)


def ask_about_next_season(series: Series, people: tuple[Person, ...], now: int) -> Series:
    """Return the series with news that asks these people whether they will play the next season."""
    starts = {"at": night_start(series.plan, series.plan.anchor), "season": series.season}
    return add_news(series, "play_again", now, audience=Audience.PERSONS, persons=people, numbers=starts)


def _pause_if_nobody_enters(series: Series, now: int) -> Series:
    """Return the series paused if nobody entered several nights in a row."""
    over = [one for one in series.nights if one.stage is NightStage.CLOSED and not one.final]
    last = over[-EMPTY_NIGHTS:]
    if len(last) < EMPTY_NIGHTS or any(one.entries for one in last) or series.stage is not SeriesStage.RUNNING:
        return series
    paused = replace(series, stage=SeriesStage.PAUSED, asking=None)
    return add_news(paused, "nobody_came", now, audience=Audience.DIRECTORS, numbers={"nights": EMPTY_NIGHTS})


def with_champions(series: Series, now: int) -> Series:
    """Return the series with its champions computed again; each new champion is announced once."""
    found = champions(series)
    if found == series.champions:
        return series
    announced = {one.season for one in series.champions} | {
        one.numbers["season"] for one in series.news if one.code == "champion"
    }
    after = replace(series, champions=found)
    for one in found:
        if one.season not in announced:
            after = add_news(after, "champion", now, persons=one.people, numbers={"season": one.season})
    return after


# --- tournaments -----------------------------------------------------------------------------------------------------


def night_plan(series: Series) -> Plan:
    """Return the plan of the next night."""
    number = len(series.nights_of(series.season)) + 1
    name = f"{series.name[:LONGEST_PART]} {number}/{series.plan.nights}"
    return replace(series.plan.pattern, name=name, starts_at=upcoming_start(series))


def final_plan(series: Series, *, starts_at: int, now: int) -> Plan:
    """Return the plan of a final: individual format, or Swiss if the rules have no partners."""
    pattern = replace(
        series.plan.pattern,
        name=f"{series.name[:LONGEST_PART]} \N{TROPHY}",
        starts_at=starts_at,
        places=series.plan.final,
        rounds=MOST_FINAL_ROUNDS,
        drawn=False,
        late_entry=False,
        themes_by_round=series.plan.pattern.themes_by_round[-1:],
    )
    individual = FORMATS[FormatKind.INDIVIDUAL].fill_in_plan(replace(pattern, kind=FormatKind.INDIVIDUAL))
    if not check_plan(individual, now).unfit:
        return individual
    return FORMATS[FormatKind.SWISS].fill_in_plan(replace(pattern, kind=FormatKind.SWISS, rounds=None))


def draft_night(
    series: Series, plan: Plan, now: int, *, season: int, night_number: int, final: bool = False
) -> Tournament:
    """Return a draft tournament for a night, with the hosts as directors."""
    return Tournament(
        night=NightOf(series=series.id, name=series.name, season=season, number=night_number, final=final),
        plan=plan,
        directors=series.hosts,
        created_at=now,
        since=now,
        guild=series.guild,
        channel=series.channel,
        names={one: series.names[one] for one in series.hosts if one in series.names},
    )


def correctable_nights(series: Series, instant: int) -> Iterable[Night]:
    """Yield the nights whose results may still change: not over, or started after `instant`."""
    for one in series.nights:
        if one.tournament and (one.stage is NightStage.MADE or one.starts_at >= instant):
            yield one


def sign_up_plan(series: Series) -> Plan:
    """Return the plan of the tournament that takes entries for the next season."""
    name = f"{series.name[:LONGEST_PART]} {series.season}"
    starts_at = night_start(series.plan, series.plan.anchor)
    return replace(series.plan.pattern, name=name, starts_at=starts_at, signs_up=True)


def division_plan(series: Series, division: int, now: int) -> Plan:
    """Return the plan of the tournament of that division, which starts at once."""
    name = f"{series.name[:LONGEST_PART]} {series.season} \N{MIDDLE DOT} {division}"
    return replace(series.plan.pattern, name=name, starts_at=now + SHORTLY)
