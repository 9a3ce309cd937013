"""Invitations to the final: the best players in the standings are asked first, then the next.

Source: `docs/series.md` 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from bot.clocks.clock import HOUR
from bot.series.dates import night_start
from bot.series.nights import LATEST, add_news, upcoming_date
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.series.series import Asked, Asking, Series
from bot.series.standings import standings
from bot.tournaments.event.entries import Person
from bot.tournaments.event.tournament import Audience

CHAIN: Final = 48 * HOUR
"""Time before the final from which silence counts as no and the next persons are asked."""

ANSWER: Final = 12 * HOUR
"""Time that persons asked later have to answer before silence counts as no."""

LEAST: Final = 4
"""Minimum of players in a final."""

Shuffle = Callable[[Sequence[Person]], Sequence[Person]]
"""Shuffles persons with equal places by the random draw of the last night."""


def invite_to_final(series: Series, shuffle: Shuffle, now: int) -> Series:
    """Ask the best players in the standings whether they will play the final."""
    rows = standings(series, series.season)
    order: list[tuple[Person, int]] = []
    for place in sorted({row.first for row in rows}):
        tied = [row.person for row in rows if row.first == place]
        order += [(person, place) for person in (shuffle(tied) if len(tied) > 1 else tied)]
    date = upcoming_date(series)
    asking = Asking(
        season=series.season,
        date=date,
        starts_at=night_start(series.plan, date),
        order=tuple(one for one in order if one[0] > 0)[: 2 * series.plan.final],
        listed=len(rows),
    )
    return _invite_next_persons(replace(series, asking=asking), series.plan.final, now)


def _invite_next_persons(series: Series, count: int, now: int) -> Series:
    """Ask up to `count` further persons, in order of the standings, whether they will play the final."""
    asking = series.asking
    if asking is None or count <= 0:
        return series
    known = {one.person for one in asking.asked}
    following = [one for one in asking.order if one[0] not in known][:count]
    asked = tuple(Asked(person=person, place=place, at=now) for person, place in following)
    series = replace(series, asking=replace(asking, asked=(*asking.asked, *asked)))
    for one in asked:
        series = add_news(
            series,
            "final_asked",
            now,
            audience=Audience.PERSONS,
            persons=(one.person,),
            numbers={"place": one.place, "listed": asking.listed, "at": asking.starts_at},
            pings=True,
        )
    return series


def answer_invitation(series: Series, person: int, *, yes: bool) -> Series:
    """Record whether a person will play the final; they may change their answer.

    Refusals: not_asked_for_final, final_full.
    """
    asking = series.asking
    mine = None if asking is None else next((one for one in asking.asked if one.person == person), None)
    if asking is None or mine is None:
        raise SeriesRefusal(SeriesCode.NOT_ASKED)
    if mine.answer is yes:
        return series
    if yes and len(finalists(series)) >= series.plan.final:
        raise SeriesRefusal(SeriesCode.FINAL_FULL, {"size": series.plan.final})
    asked = tuple(replace(one, answer=yes) if one is mine else one for one in asking.asked)
    return replace(series, asking=replace(asking, asked=asked))


def finalists(series: Series) -> tuple[Person, ...]:
    """Return the persons who will play the final, best place in the standings first."""
    return () if series.asking is None else tuple(one.person for one in series.asking.asked if one.answer)


def answer_deadline(invitations: Asking, asked_person: Asked) -> int:
    """Return the instant from which a person's silence counts as no."""
    chain = invitations.starts_at - CHAIN
    return asked_person.at + ANSWER if asked_person.at >= chain else chain


def next_invitation_at(series: Series) -> int | None:
    """Return the instant at which to ask further persons.

    None if all have been asked, or all places in the final are taken.
    """
    asking = series.asking
    if asking is None or len(asking.asked) >= len(asking.order):
        return None
    if sum(one.answer is not False for one in asking.asked) < series.plan.final:
        return asking.starts_at - CHAIN
    return min((answer_deadline(asking, one) for one in asking.asked if one.answer is None), default=None)


def invite_further_persons(series: Series, now: int) -> Series:
    """In the last 48 hours before the final, ask as many further persons as places are free.

    Persons who have not answered in time first count as having said no.
    """
    asking = series.asking
    if asking is None or now < asking.starts_at - CHAIN or now >= asking.starts_at - LATEST:
        return series
    asked = tuple(
        replace(one, answer=False) if one.answer is None and now >= answer_deadline(asking, one) else one
        for one in asking.asked
    )
    after = series if asked == asking.asked else replace(series, asking=replace(asking, asked=asked))
    return _invite_next_persons(after, series.plan.final - sum(one.answer is not False for one in asked), now)
