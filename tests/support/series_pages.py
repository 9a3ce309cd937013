"""Every page and dialog of series, with the longest names and full lists."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.rules.sets import rule_set
from bot.i18n import DEFAULT, locales, words
from bot.series.series import (
    Asked,
    Asking,
    Champion,
    DivisionPlan,
    Night,
    NightStage,
    Placed,
    Series,
    SeriesPlan,
    SeriesStage,
)
from bot.series.service import SeriesFault
from bot.series.titles import achievements_of
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Audience, News
from cogs.series import pages
from cogs.series.desk import desk_page, non_host_page
from cogs.series.fault_messages import fault_page
from cogs.series.repeat_button import divisions_form, series_numbers_form, time_zone_page, which_series_page
from cogs.shared.discord_api.components import Form, Page
from cogs.tournament.control_ids import control
from tests.support.seeds import sample_cases
from tests.support.tournament_pages import BIG, LONG, NOW

CODES = (
    "night_missed",
    "nobody_came",
    "series_paused",
    "series_goes_on",
    "series_ended",
    "no_hosts",
    "final_asked",
    "no_final",
    "champion",
    "play_again",
    "divisions_drawn",
    "season_put_off",
    "title",
)


def long_series(people: int = 1000) -> Series:
    """Return a series in its second season, with that many people in each night."""
    pattern = Plan(name="N" * 60, rules=rule_set("classic", 4))
    dates = tuple(f"2030-{month:02d}-{day:02d}" for month in range(1, 13) for day in (4, 11, 18))
    plan = SeriesPlan(
        pattern=pattern, zone="America/Argentina/ComodRivadavia", anchor="2026-01-02", minutes=1439, weeks=4,
        nights=52, best=52, final=16, left_out=dates,
    )  # fmt: skip
    those = tuple(Person(BIG + one) for one in range(people))
    rows = tuple(Placed(people=(one,), first=place, last=place, ranked=people) for place, one in enumerate(those, 1))
    nights = tuple(
        Night(
            season=season,
            number=number,
            date="2026-01-02",
            starts_at=NOW,
            stage=NightStage.AWAY if number == 3 else NightStage.CLOSED,
            tournament=number + 100 * season,
            placed=rows,
            entries=people,
        )
        for season in (1, 2)
        for number in range(1, 6)
    )
    numbers = {
        "night": 52,
        "nights": 3,
        "at": NOW,
        "place": 1000,
        "listed": 1000,
        "season": 9,
        "people": 3,
        "divisions": 4,
    }
    news = tuple(
        News(
            number=place,
            code=code,
            at=NOW,
            persons=those[:16],
            numbers=numbers,
            texts={"title": "grand_master"},
            audience=Audience.ALL,
        )
        for place, code in enumerate(CODES, 1)
    )
    return Series(
        plan=plan,
        hosts=those[:5],
        created_at=NOW,
        last_date="2026-01-02",
        id=BIG,
        guild=1,
        channel=BIG,
        season=2,
        nights=nights,
        guests=those[-25:],
        champions=tuple(Champion(season=one, people=those[:16]) for one in range(1, 30)),
        news=news,
        names=dict.fromkeys(those, LONG),
    )


def series_in_every_stage() -> list[Series]:
    """Return a long series in every stage: running, paused, ending, over, and others.

    Among these are one without hosts, one whose finalists are asked, and a new one.
    """
    series = long_series()
    order = tuple((one, 1) for one in series.hosts)
    asking = Asking(
        season=2,
        date="2026-01-02",
        starts_at=NOW,
        order=order,
        listed=5,
        asked=tuple(Asked(person=one, place=1, at=NOW) for one, _ in order),
    )
    return [
        series,
        replace(series, stage=SeriesStage.PAUSED),
        replace(series, ending=True, hosts=()),
        replace(series, stage=SeriesStage.ENDED),
        replace(series, asking=asking),
        replace(series, nights=(), champions=(), guests=(), season=1),
        replace(series, plan=replace(series.plan, divisions=DivisionPlan())),
        replace(series, plan=replace(series.plan, divisions=DivisionPlan()), nights=(), season=1),
    ]


def series_pages() -> list[Page]:
    """Return all pages of series, in English for all stages, in every other language for some."""
    found: list[Page] = []
    stages = [(one, achievements_of([one])) for one in series_in_every_stage()]
    for turn, locale in enumerate(locales()):
        said = words(locale)
        for one, famous in stages if locale == DEFAULT else sample_cases(stages, turn):
            found += [
                pages.announcement_page(said, one),
                pages.hall_of_fame_page(said, one, famous),
                desk_page(said, one, note="x" * 300),
            ]
            found += [pages.standings_page(said, one, season, reader=BIG + 900) for season in (None, 1)]
            found += [pages.news_page(said, one, news) for news in one.news]
            faults = (
                SeriesFault(series=one.id, code="ffff", tries=tries, again_at=NOW, told_at=NOW, mended=mended)
                for tries, mended in ((1, False), (99, False), (99, True))
            )
            found += [fault_page(said, one, fault) for fault in faults]
            found += [
                non_host_page(said, one, may_take=True),
                which_series_page(said, 1, [replace(one, id=number) for number in range(1, 11)]),
                time_zone_page(said, 1),
            ]
    return found


def series_forms() -> list[Form]:
    """Return all forms (dialogs) of series."""
    series, said = long_series(5), words("en")
    links = (control(1, action) for action in ("s_begin", "s_numbered", "s_zoned"))
    return [*(series_numbers_form(said, link, "x" * 100, series.plan, "") for link in links), divisions_form(said, 1)]
