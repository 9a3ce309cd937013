"""A season of divisions: its sign-up, and the division of its entries (`docs/series.md` 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.series.dates import next_date, night_start
from bot.series.divisions import LEAST, Team, next_divisions
from bot.series.nights import add_news, ask_about_next_season, division_plan, draft_night, sign_up_plan
from bot.series.series import DivisionPlan, Night, NightStage, Series
from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.tournament import Tournament


def sign_up_draft(series: Series, now: int) -> Tournament:
    """Return a draft of the tournament that takes entries for the next season."""
    return draft_night(series, sign_up_plan(series), now, season=series.season, night_number=0)


def add_sign_up(series: Series, tournament: int) -> Series:
    """Return the series with this tournament as the season's sign-up."""
    night = Night(
        season=series.season,
        number=0,
        date=series.plan.anchor,
        starts_at=night_start(series.plan, series.plan.anchor),
        tournament=tournament,
    )
    return replace(series, nights=(*series.nights, night))


def signed_up_entries(tournament: Tournament) -> tuple[Team, ...]:
    """Return the entries of a sign-up in order of entry."""
    inside = (one for one in tournament.entrants if one.stage in (EntryStage.ENTERED, EntryStage.WAITING))
    return tuple(tuple(sorted(one.people)) for one in sorted(inside, key=lambda one: (one.entered_at, one.number)))


def newcomers(series: Series, teams: Sequence[Team]) -> tuple[Team, ...]:
    """Return the entries that did not finish the last season: new ones, withdrawn ones, removed ones."""
    ended = {row.people for one in series.divisions_of(series.season - 1) for row in one.placed if not row.removed}
    return tuple(one for one in teams if one not in ended)


def divide_entries(series: Series, teams: Sequence[Team], by_rating: Sequence[Team]) -> tuple[tuple[Team, ...], ...]:
    """Return the entries of each division of the next season, the highest first.

    `by_rating` holds the newcomers, best first.
    """
    last = [[row.people for row in one.placed] for one in series.divisions_of(series.season - 1)]
    return next_divisions(last, set(teams) - set(by_rating), by_rating, _division_settings(series).size)


def _division_settings(series: Series) -> DivisionPlan:
    """Return the division plan of a series that has divisions."""
    return series.plan.divisions or DivisionPlan()


def has_enough_entries(teams: Sequence[Team]) -> bool:
    """Return whether there are enough entries for a season."""
    return len(teams) >= LEAST


def postpone_season(series: Series, now: int, *, sign_up_is_over: bool) -> Series:
    """Postpone a season with too few entries, and ask the players of the last season again.

    If `sign_up_is_over`, the sign-up is dropped, so that another one is made.
    """
    anchor = next_date(series.plan, series.plan.anchor, not_before=now + _division_settings(series).pause)
    plan = replace(series.plan, anchor=anchor)
    starts_at = night_start(plan, anchor)
    nights = tuple(
        replace(one, date=anchor, starts_at=starts_at) if (one.season, one.number) == (series.season, 0) else one
        for one in series.nights
    )
    people = tuple(
        person
        for one in series.divisions_of(series.season - 1)
        for row in one.placed
        for person in row.people
        if person > 0
    )
    if sign_up_is_over:
        nights = tuple(one for one in nights if (one.season, one.number) != (series.season, 0))
    after = replace(series, plan=plan, nights=nights)
    told = add_news(after, "season_put_off", now, numbers={"at": starts_at, "season": series.season})
    return ask_about_next_season(told, people, now) if people else told


def division_drafts(
    series: Series, divisions: Sequence[Sequence[Team]], sign_up: Tournament, now: int
) -> tuple[tuple[int, int, Tournament], ...]:
    """Return (season, number, draft) for the tournament of each division, with its entries."""
    found = []
    rosters = {tuple(sorted(one.people)): one for one in sign_up.entrants if not one.has_left}
    for number, teams in enumerate(divisions, 1):
        entrants = tuple(_new_entrant(place, people, rosters.get(people), now) for place, people in enumerate(teams, 1))
        plan = replace(division_plan(series, number, now), places=max(2, sum(len(people) for people in teams)))
        draft = draft_night(series, plan, now, season=series.season, night_number=number)
        entered: dict[int, str] = {person: sign_up.names.get(person, "") for one in entrants for person in one.members}
        names = {**draft.names, **entered}
        found.append((series.season, number, replace(draft, entrants=entrants, names=names)))
    return tuple(found)


def _new_entrant(entry_number: int, people: Team, earlier_entrant: Entrant | None, now: int) -> Entrant:
    """Return an entry of a division, with the regulars and the line-up that it had in the sign-up."""
    entered = Entrant(
        number=entry_number, people=people, captain=people[0], stage=EntryStage.HERE, entered_at=now, agreed=people
    )
    if earlier_entrant is not None:
        entered = replace(
            entered, captain=earlier_entrant.captain, regulars=earlier_entrant.regulars, lineup=earlier_entrant.lineup
        )
    return replace(entered, here=entered.players)


def add_divisions(series: Series, tournaments: Sequence[int], now: int) -> Series:
    """Return the series with these tournaments as its divisions, and with its sign-up closed."""
    over = tuple(
        replace(one, stage=NightStage.CANCELLED) if (one.season, one.number) == (series.season, 0) else one
        for one in series.nights
    )
    made = tuple(
        Night(season=series.season, number=number, date=series.plan.anchor, starts_at=now, tournament=tournament)
        for number, tournament in enumerate(tournaments, 1)
    )
    after = replace(series, nights=(*over, *made))
    return add_news(after, "divisions_drawn", now, numbers={"season": series.season, "divisions": len(made)})
