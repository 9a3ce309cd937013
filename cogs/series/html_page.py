"""The lasting page of a series: one HTML file with standings, nights, champions and titles.

It has no scripts, loads nothing, is readable at 360 px, and is smaller than a mebibyte: the older a season, the fewer
details it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from bot.i18n import Words
from bot.series.series import Night, NightStage, Series
from bot.series.standings import SeasonRow, season_to_show, standings, winners_of
from bot.series.titles import Achievements
from cogs.series import wording
from cogs.shared.discord_api.components import Attachment
from cogs.shared.telling.series_titles_text import halved_points_text, titles_text
from cogs.tournament.page.html import escape_html, name_html, section_html
from cogs.tournament.page.style import STYLE

MOST_BYTES: Final = 1024 * 1024

ROWS: Final = (2_000, 500, 100, 20)
"""Most rows of a list; fewer are tried until the page is small enough."""


@dataclass(frozen=True, slots=True)
class _PageSource:
    words: Words
    series: Series
    fame: Sequence[Achievements]
    rows: int

    def people_html(self, persons: Iterable[int]) -> str:
        """Return several people's names as HTML."""
        return ", ".join(self.person_html(one) for one in persons)

    def person_html(self, person: int) -> str:
        """Return a person's name as HTML."""
        return name_html(self.words("seat.former") if person < 0 else self.series.names.get(person) or "?")


def series_page_file(words: Words, series: Series, fame: Sequence[Achievements]) -> Attachment:
    """Return the page of a series as a file."""
    known = [one for one in fame if one.person in series.names]
    tried = (_page_html(_PageSource(words, series, known, rows)).encode() for rows in ROWS)
    data = next((one for one in tried if len(one) < MOST_BYTES), b"")
    return Attachment(f"series-{series.id}.html", data)


def _page_html(source: _PageSource) -> str:
    words, series = source.words, source.series
    title = escape_html(series.name)
    newest = season_to_show(series)
    seasons = "".join(_season_html(source, one, rows=source.rows) for one in range(newest, max(0, newest - 20), -1))
    champions = f'<p class="champion">{source.people_html(series.champions[-1].people)}</p>' if series.champions else ""
    head = wording.series_headline(words, series).replace("**", "")
    return (
        f'<!doctype html><html lang="{escape(words.locale)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>{STYLE}</style></head><body>"
        f"<header><h1>{title}</h1><p>{escape_html(head)}</p>{champions}</header>"
        f"<main>{seasons}{_champions_html(source)}{_titles_html(source)}</main></body></html>"
    )


def _season_html(source: _PageSource, season: int, *, rows: int) -> str:
    words, series = source.words, source.series
    title = words("series.season", season=season)
    if series.plan.divisions is not None:
        return section_html(
            f"season-{season}", title, *(_division_html(source, one) for one in series.divisions_of(season))
        )
    listed = standings(series, season)[:rows]
    table = _table_html(source, listed) if listed else ""
    nights = [one for one in series.nights if one.season == season]
    return section_html(f"season-{season}", title, table, _nights_html(source, nights))


def _table_html(source: _PageSource, rows: Sequence[SeasonRow]) -> str:
    words = source.words
    head = (
        '<th scope="col" class="p">#</th>'
        f'<th scope="col">{escape_html(words("series_page.name"))}</th>'
        f'<th scope="col" class="t">{escape_html(words("series_page.points"))}</th>'
        f'<th scope="col">{escape_html(words("series_page.nights"))}</th>'
    )
    body = "".join(
        f'<tr><td class="p"><span class="{_medal_class(row.first)}">{row.first}</span></td>'
        f'<th scope="row" class="n">{source.person_html(row.person)}</th>'
        f'<td class="t">{halved_points_text(words, row.total)}</td><td>{_points_text(source, row)}</td></tr>'
        for row in rows
    )
    return f'<table class="places"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _points_text(source: _PageSource, row: SeasonRow) -> str:
    """Return a sum of the points of the nights that count, followed by the others struck through."""
    counted = " + ".join(halved_points_text(source.words, one.points) for one in row.counted)
    dropped = ", ".join(halved_points_text(source.words, one.points) for one in row.dropped)
    return f"{counted} <s>{dropped}</s>" if dropped else counted


def _medal_class(place: int) -> str:
    """Return the CSS class of a medal for places 1 to 3, else ""."""
    return {1: "gold", 2: "silver", 3: "bronze"}.get(place, "")


def _nights_html(source: _PageSource, nights: Sequence[Night]) -> str:
    """Return the nights of a season with their date, entries and winners."""
    lines = "".join(f"<li>{_night_html(source, one)}</li>" for one in nights)
    return f"<h3>{escape_html(source.words('series_page.nights'))}</h3><ul>{lines}</ul>" if lines else ""


def _night_html(source: _PageSource, night: Night) -> str:
    words = source.words
    label = words("series_page.final") if night.final else words("series_page.night", night=night.number)
    text = f"{escape_html(label)} · {night.date}"
    if night.has_results:
        count = escape_html(words("series_page.entries", count=night.entries))
        return f"{text} · {count} · <b>{source.people_html(winners_of(night))}</b>"
    stage = "empty" if night.stage is NightStage.CLOSED else night.stage.value
    return f"{text} · {escape_html(words(f'series_night.{stage}'))}"


def _division_html(source: _PageSource, division: Night) -> str:
    """Return a division's places as HTML, or its state if it has not been played."""
    words = source.words
    title = f"<h3>{escape_html(words('series_page.division', division=division.number))}</h3>"
    if not division.has_results:
        return f"{title}<p>{escape_html(words(f'series_night.{division.stage.value}'))}</p>"
    rows = "".join(
        f'<tr><td class="p"><span class="{_medal_class(row.first)}">{row.first}</span></td>'
        f'<th scope="row" class="n">{source.people_html(row.people)}</th></tr>'
        for row in division.placed[: source.rows]
    )
    return f'{title}<table class="places"><tbody>{rows}</tbody></table>'


def _champions_html(source: _PageSource) -> str:
    words = source.words
    lines = "".join(
        f"<li>{escape_html(words('series.season', season=one.season))}: <b>{source.people_html(one.people)}</b></li>"
        for one in reversed(source.series.champions)
    )
    return section_html("champions", words("series_page.champions"), f"<ul>{lines}</ul>" if lines else "")


def _titles_html(source: _PageSource) -> str:
    """Return the section on the titles held in the server."""
    words = source.words
    held = [one for one in source.fame if one.title or one.seasons or one.divisions][: source.rows]
    lines = "".join(
        f"<li>{source.person_html(one.person)}: {escape_html(titles_text(words, one))}</li>" for one in held
    )
    return section_html("titles", words("series_page.titles"), f"<ul>{lines}</ul>" if lines else "")
