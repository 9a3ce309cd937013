"""The decisions of hosts about a series; they never affect published nights (`docs/series.md` 1)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from bot.series.dates import dates_after, day_before, local_day, next_date, night_start
from bot.series.nights import LATEST, add_news, has_season_begun, is_final_next, upcoming_date, upcoming_start
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.series.series import FINALS, MOST_HOSTS, Night, NightStage, Series, SeriesPlan, SeriesStage
from bot.series.standings import champions
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Audience


def require_host(series: Series, person: int) -> None:
    """Raise `SeriesRefusal` not_host unless the person is a host."""
    if person not in series.hosts:
        raise SeriesRefusal(SeriesCode.NOT_HOST)


def require_open_series(series: Series) -> None:
    """Raise `SeriesRefusal` series_over if the series has ended."""
    if series.stage is SeriesStage.ENDED:
        raise SeriesRefusal(SeriesCode.SERIES_OVER)


def require_possible_plan(plan: SeriesPlan) -> None:
    """Raise `SeriesRefusal` if the plan is impossible: best_too_many, final_size, not_repeatable."""
    if not 1 <= plan.best <= plan.nights:
        raise SeriesRefusal(SeriesCode.BEST_TOO_MANY, {"best": plan.best, "nights": plan.nights})
    if plan.final not in FINALS:
        raise SeriesRefusal(SeriesCode.FINAL_SIZE, {"size": plan.final})
    fits = can_be_series_nights(plan.pattern) if plan.divisions is None else can_be_divisions(plan.pattern)
    if not fits:
        raise SeriesRefusal(SeriesCode.NOT_REPEATABLE)


def can_be_divisions(pattern: Plan) -> bool:
    """Return whether tournaments of that plan can be divisions: slow round robins with fixed partners."""
    return not pattern.live and pattern.traits.makes_divisions and not pattern.drawn


def can_be_series_nights(pattern: Plan) -> bool:
    """Return whether tournaments of that plan can be the nights of a series: live ones with rounds."""
    return pattern.live and pattern.traits.has_rounds


def default_plan(pattern: Plan, zone: str, now: int) -> SeriesPlan:
    """Return the default plan of a series whose nights are like `pattern`.

    Nights are on the weekday and at the hour of the pattern's start, in that time zone.
    """
    day, minutes = local_day(zone, pattern.starts_at)
    plan = SeriesPlan(pattern=replace(pattern, starts_at=0), zone=zone, anchor=day, minutes=minutes)
    while night_start(plan, plan.anchor) < now + LATEST:
        plan = replace(plan, anchor=next(iter(dates_after(plan, plan.anchor))))
    return plan


def change_plan(series: Series, plan: SeriesPlan, *, host: int, now: int) -> Series:
    """Change a series' plan.

    Refusals: not_host, series_over, season_begun, best_too_many, final_size, not_repeatable.
    """
    require_host(series, host)
    require_open_series(series)
    require_possible_plan(plan)
    fixed = (plan.nights, plan.best, plan.final) != (series.plan.nights, series.plan.best, series.plan.final)
    if fixed and has_season_begun(series):
        raise SeriesRefusal(SeriesCode.SEASON_BEGUN)
    if plan.weeks != series.plan.weeks:
        plan = replace(plan, anchor=upcoming_date(series))
    after = replace(series, plan=plan)
    for night in tuple(after.nights):
        if night.date in plan.left_out and _is_upcoming_night(night, now):
            after = _remove_night(after, night)
    if after.asking is not None and after.asking.date in plan.left_out:
        after = replace(after, asking=None)
    return after


def change_pattern(series: Series, pattern: Plan, *, host: int, now: int) -> Series:
    """Use another tournament plan for unpublished nights.

    Refusals: not_host, series_over, not_repeatable.
    """
    require_host(series, host)
    require_open_series(series)
    require_possible_plan(replace(series.plan, pattern=pattern))
    if series.plan.divisions is not None:
        return replace(series, plan=replace(series.plan, pattern=replace(pattern, starts_at=0)))
    day, minutes = local_day(series.plan.zone, pattern.starts_at)
    plan = replace(series.plan, pattern=replace(pattern, starts_at=0))
    if pattern.starts_at >= now and pattern.starts_at != upcoming_start(series):
        plan = replace(plan, anchor=day, minutes=minutes)
        series = replace(series, last_date=max(series.last_date, day_before(day)))
    return replace(series, plan=plan)


def _is_upcoming_night(night: Night, now: int) -> bool:
    """Return whether the night is published but has not begun."""
    return night.stage is NightStage.MADE and night.starts_at > now


def _remove_night(series: Series, night: Night) -> Series:
    """Remove a published night from the series; the next night gets its number."""
    left = tuple(one for one in series.nights if one is not night)
    season = night.season if not any(one.season > night.season for one in left) else series.season
    return replace(series, nights=left, season=season)


def record_unpublished_night(series: Series, tournament: int, now: int) -> Series:
    """Record that a night was made but not published in time; it keeps its number.

    A final is removed instead, so that its players are asked again.
    """
    night = series.night_of(tournament)
    if night is None or night.stage is not NightStage.MADE:
        return series
    if night.final:
        return _remove_night(series, night)
    missed = replace(night, stage=NightStage.AWAY, tournament=0)
    after = replace(series, nights=tuple(missed if one is night else one for one in series.nights))
    return add_news(after, "night_missed", now, numbers={"night": night.number})


def removed_tournaments(before: Series, after: Series) -> tuple[int, ...]:
    """Return the tournaments of the nights that `before` has and `after` has not."""
    kept = {one.tournament for one in after.nights}
    return tuple(one.tournament for one in before.nights if one.tournament and one.tournament not in kept)


def skip_next_date(series: Series, *, host: int, now: int) -> Series:
    """Leave out the next date; a night already published for it is removed.

    Refusals: not_host, series_over.
    """
    require_host(series, host)
    require_open_series(series)
    published = min((one.date for one in series.nights if _is_upcoming_night(one, now)), default=None)
    asking = None if series.asking is None else series.asking.date
    day = published or asking or upcoming_date(series)
    return change_plan(series, replace(series.plan, left_out=(*series.plan.left_out, day)), host=host, now=now)


def pause_series(series: Series, *, host: int, now: int) -> Series:
    """Pause the series: create no further nights. Refusals: not_host, series_over, series_paused."""
    require_host(series, host)
    require_open_series(series)
    if series.stage is SeriesStage.PAUSED:
        raise SeriesRefusal(SeriesCode.SERIES_PAUSED)
    return add_news(replace(series, stage=SeriesStage.PAUSED, asking=None), "series_paused", now)


def resume_series(series: Series, *, host: int, now: int) -> Series:
    """Resume a paused series, from the first date whose night can still be published.

    Refusals: not_host, series_over, series_not_paused.
    """
    require_host(series, host)
    require_open_series(series)
    if series.stage is not SeriesStage.PAUSED:
        raise SeriesRefusal(SeriesCode.NOT_PAUSED)
    if series.plan.divisions is not None:
        starts = {"at": night_start(series.plan, series.plan.anchor)}
        return add_news(replace(series, stage=SeriesStage.RUNNING), "series_goes_on", now, numbers=starts)
    date = next_date(series.plan, series.last_date, not_before=now + LATEST)
    running = replace(series, stage=SeriesStage.RUNNING, last_date=max(series.last_date, day_before(date)))
    return add_news(running, "series_goes_on", now, numbers={"at": night_start(running.plan, date)})


def end_series(series: Series, *, host: int, now: int) -> Series:
    """End the series after the published night, or at once if there is none.

    Refusals: not_host, series_over.
    """
    require_host(series, host)
    require_open_series(series)
    return end_series_by_operator(series, now=now)


def end_series_by_operator(series: Series, *, now: int) -> Series:
    """End the series at the request of the bot's operator, who uses the command line.

    It ends after the published night, or at once if there is none. A series that has ended does not change.
    """
    if series.stage is SeriesStage.ENDED:
        return series
    sign_up = series.sign_up_of(series.season) if series.plan.divisions is not None else None
    if sign_up is not None and sign_up.stage is NightStage.MADE:
        series = _remove_night(series, sign_up)
    if any(one.stage is NightStage.MADE for one in series.nights):
        return replace(series, ending=True, asking=None, stage=SeriesStage.RUNNING)
    after = add_news(replace(series, stage=SeriesStage.ENDED, asking=None), "series_ended", now)
    return replace(after, champions=champions(after))


def set_hosts(series: Series, people: Collection[int], *, host: int) -> Series:
    """Replace the hosts by these people; `host` always remains a host.

    Refusals: not_host, too_many_hosts.
    """
    require_host(series, host)
    chosen = tuple(dict.fromkeys((Person(host), *(Person(one) for one in people))))
    if len(chosen) > MOST_HOSTS:
        raise SeriesRefusal(SeriesCode.TOO_MANY_HOSTS, {"most": MOST_HOSTS})
    return replace(series, hosts=chosen)


def set_guests(series: Series, people: Collection[int], *, host: int) -> Series:
    """Replace the guests, who are not in the standings but count when points of others are computed.

    Refusal: not_host.
    """
    require_host(series, host)
    return replace(series, guests=tuple(dict.fromkeys(Person(one) for one in people)))


def move_series(series: Series, channel: int, *, host: int) -> Series:
    """Move the series and its future nights to another channel. Refusals: not_host, series_over."""
    require_host(series, host)
    require_open_series(series)
    return replace(series, channel=channel) if channel != series.channel else series


def take_over_series(series: Series, *, moderator: int) -> Series:
    """Make a moderator of the server the host of a series without hosts.

    Refusals: series_over, has_hosts.
    """
    require_open_series(series)
    if series.hosts:
        raise SeriesRefusal(SeriesCode.HAS_HOSTS)
    return replace(series, hosts=(Person(moderator),))


def remove_lost_host(series: Series, person: int, now: int) -> Series:
    """Return the series without a host who left the server or was forgotten; the series continues."""
    if person not in series.hosts:
        return series
    left = tuple(one for one in series.hosts if one != person)
    after = replace(series, hosts=left)
    return (
        after if left or series.stage is SeriesStage.ENDED else add_news(after, "no_hosts", now, audience=Audience.ALL)
    )


def postpone_final(series: Series) -> Series:
    """Return the series with its final, which was missed, on the next date."""
    date = upcoming_date(series)
    return replace(series, last_date=date, asking=None)


def is_final_missed(series: Series, now: int) -> bool:
    """Return whether the season's final comes next but it is too late to ask players."""
    return is_final_next(series) and now > upcoming_start(series) - LATEST
