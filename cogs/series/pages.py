"""The messages of a series: announcement, standings, hall of fame, and the question for the final."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.series.dates import day_before, night_start
from bot.series.nights import is_final_next, upcoming_start
from bot.series.series import Night, NightStage, Series, SeriesStage
from bot.series.standings import SeasonRow, season_to_show, standings
from bot.series.titles import Achievements
from bot.tournaments.event.tournament import Audience, News
from cogs.series import wording
from cogs.series.html_page import series_page_file
from cogs.shared.discord_api.components import (
    GREEN,
    SUCCESS,
    Page,
    Part,
    button,
    button_row,
    container,
    file_page,
    page,
    separator,
    small_text,
    text,
)
from cogs.shared.telling.series_titles_text import halved_points_text, titles_text
from cogs.tournament.control_ids import control
from cogs.tournament.wording import count_fitting_lines, ordinal

MOST_LETTERS: Final = 3_000
"""Most characters of a list in a message."""

MOST_CHAMPIONS: Final = 10


def announcement_page(words: Words, series: Series) -> Page:
    """Return the message that shows a series in its present state."""
    lines = [wording.series_headline(words, series), *state_lines(words, series)]
    row = button_row(
        button(control(series.id, "s_standings"), words("series_button.standings")),
        button(control(series.id, "s_hall"), words("series_button.hall")),
        button(control(series.id, "s_desk"), words("series_button.desk")),
    )
    return page([container(text("\n".join(lines)), row, edge=GREEN)])


def state_lines(words: Words, series: Series) -> list[str]:
    """Return lines on the next date (or why there is none) and on the dates left out."""
    if series.stage is SeriesStage.ENDED:
        return [words("series.ended")]
    lines = [_season_line(words, series) if series.plan.divisions is not None else _next_date_line(words, series)]
    dates = wording.skipped_dates_text(series.plan, after=day_before(series.last_date))
    if dates:
        lines.append(words("series.not_on", dates=dates))
    if series.ending:
        lines.append(words("series.ending"))
    if not series.hosts:
        lines.append(words("series.no_hosts"))
    return lines


def _season_line(words: Words, series: Series) -> str:
    """Return a line on the season of divisions that is being played or begins next."""
    if series.stage is SeriesStage.PAUSED:
        return words("series.paused")
    playing = [one for one in series.divisions_of(series.season) if one.stage is NightStage.MADE]
    if playing:
        return words("series.season_in_play", season=series.season, divisions=len(series.divisions_of(series.season)))
    starts_at = night_start(series.plan, series.plan.anchor)
    return words("series.sign_up_next", season=series.season, when=wording.timestamp_text(starts_at))


def _next_date_line(words: Words, series: Series) -> str:
    """Return a line on the next night or final, or why there is none."""
    if series.stage is SeriesStage.PAUSED:
        return words("series.paused")
    waiting = [one for one in series.nights if one.stage is NightStage.MADE]
    if waiting:
        night = waiting[-1]
        return words(
            f"series.{_night_kind(night)}_next", night=night.number, when=wording.timestamp_text(night.starts_at)
        )
    if series.asking is not None:
        return words("series.final_next", night=0, when=wording.timestamp_text(series.asking.starts_at))
    if series.ending:
        return words("series.none_follows")
    number = len(series.nights_of(series.season)) + 1
    kind = "final" if is_final_next(series) else "night"
    return words(f"series.{kind}_next", night=number, when=wording.timestamp_text(upcoming_start(series)))


def _night_kind(night: Night) -> str:
    return "final" if night.final else "night"


# --- standings -------------------------------------------------------------------------------------------------------


def standings_page(words: Words, series: Series, season: int | None = None, *, reader: int = 0) -> Page:
    """Return the page with the standings of a season, by default the newest that has had a night.

    The reader's own row is always on it.
    """
    shown = season or season_to_show(series)
    if series.plan.divisions is not None:
        return _divisions_page(words, series, shown)
    rows, nights = standings(series, shown), series.nights_of(shown)
    title = words(
        "series.standings_title",
        name=wording.series_name(series),
        season=shown,
        count=sum(one.has_results for one in nights),
        nights=series.plan.nights,
    )
    parts: list[Part | None] = [text(f"{title}\n{words('series.best_count', count=series.plan.best)}"), separator()]
    parts.append(text(_standings_rows_text(words, series, rows, reader) if rows else words("series.no_night_yet")))
    missed = [one for one in nights if one.stage in (NightStage.AWAY, NightStage.CANCELLED)]
    parts.append(
        small_text("\n".join(words(f"series_unplayed.{one.stage.value}", night=one.number) for one in missed[:10]))
    )
    if series.guests:
        parts.append(small_text(words("series.guests", names=wording.person_names(words, series, series.guests[:20]))))
    return page([container(*parts, _season_buttons(words, series, shown), edge=GREEN)])


def _season_buttons(words: Words, series: Series, shown: int) -> Part | None:
    """Return the buttons to the seasons before and after the one that is shown."""
    others = [one for one in (shown - 1, shown + 1) if 1 <= one <= season_to_show(series)]
    return button_row(
        *(button(control(series.id, "s_standings", one), words("series.season", season=one)) for one in others)
    )


def _divisions_page(words: Words, series: Series, season: int) -> Page:
    """Return the page of a season's divisions, with the places in finished ones."""
    title = words("series.division_season", name=wording.series_name(series), season=season)
    lines = [line for one in series.divisions_of(season) for line in _division_lines(words, series, one)]
    count = count_fitting_lines(lines, MOST_LETTERS)
    texts = lines[:count] or [words("series.division_none")]
    if count < len(lines):
        texts.append(words("series.more", count=len(lines) - count))
    parts: list[Part | None] = [text(title), separator(), text("\n".join(texts))]
    return page([container(*parts, _season_buttons(words, series, season), edge=GREEN)])


def _division_lines(words: Words, series: Series, division: Night) -> list[str]:
    lines = [words("series.division_title", division=division.number)]
    if division.stage is NightStage.MADE:
        return [*lines, words("series.division_open")]
    for row in division.placed:
        names = wording.person_names(words, series, row.people)
        message = words("series.division_out", names=names) if row.removed else names
        lines.append(words("series.division_row", place=row.first, names=message))
    return lines


def _standings_rows_text(words: Words, series: Series, rows: Sequence[SeasonRow], reader: int) -> str:
    lines = [_standings_row_line(words, series, row) for row in rows]
    count = count_fitting_lines(lines, MOST_LETTERS)
    texts = lines[:count]
    own = next((place for place, row in enumerate(rows) if row.person == reader and place >= count), None)
    if own is not None:
        texts.append(f"…\n{lines[own]}")
    if count < len(lines):
        texts.append(words("series.more", count=len(lines) - count))
    return "\n".join(texts)


def _standings_row_line(words: Words, series: Series, row: SeasonRow) -> str:
    counted = " + ".join(halved_points_text(words, one.points) for one in row.counted)
    dropped = ", ".join(halved_points_text(words, one.points) for one in row.dropped)
    return words(
        "series.row_dropped" if dropped else "series.row",
        place=row.first,
        name=wording.person_name(words, series, row.person),
        total=halved_points_text(words, row.total),
        counted=counted,
        dropped=dropped,
    )


def hall_of_fame_page(words: Words, series: Series, fame: Sequence[Achievements] = ()) -> Page:
    """Return the hall of fame: the last champions, and the titles of the server."""
    lines = [words("series.hall_title", name=wording.series_name(series))]
    lines += _champion_lines(words, series) or [words("series.no_champion_yet")]
    held = [one for one in fame if one.title or one.seasons or one.divisions]
    titles = [
        words("series.title_line", name=wording.person_name(words, series, one.person), titles=titles_text(words, one))
        for one in held
        if one.person in series.names
    ]
    count = count_fitting_lines(titles, MOST_LETTERS - sum(map(len, lines)))
    parts: list[Part | None] = [text("\n".join(lines))]
    if count > 0:
        parts += [separator(), text("\n".join([words("series.titles_title"), *titles[:count]]))]
    return page([container(*parts, edge=GREEN)])


def _champion_lines(words: Words, series: Series) -> list[str]:
    return [
        words("series.champion_line", season=one.season, names=wording.person_names(words, series, one.people))
        for one in reversed(series.champions[-MOST_CHAMPIONS:])
    ]


def series_page_message(words: Words, series: Series, fame: Sequence[Achievements]) -> Page:
    """Return the message with the page of a series, and the last champions."""
    lines = [words("series_page.file", name=wording.series_name(series)), *_champion_lines(words, series)]
    return file_page(series_page_file(words, series, fame), *lines)


# --- news ------------------------------------------------------------------------------------------------------------


def news_line(words: Words, series: Series, news: News) -> str:
    """Return the sentence for a piece of news."""
    values: dict[str, object] = dict(news.numbers)
    if "at" in news.numbers:
        values["at"] = wording.timestamp_text(news.numbers["at"])
    if "place" in news.numbers:
        values["place"] = ordinal(words, news.numbers["place"])
    values |= {"name": wording.series_name(series), "names": wording.person_names(words, series, news.persons)}
    values |= {"count": len(news.persons)}
    values |= {key: words(f"series_title.{value}") for key, value in news.texts.items()}
    return words(f"series_news.{news.code}", **values)


def news_page(
    words: Words, series: Series, news: News, *, called: Sequence[int] | None = None, text_before: str = ""
) -> Page:
    """Return a piece of news as a message.

    It notifies the people in the news or, if `called` is given, those. `text_before` is put in front of the sentence.
    """
    parts: list[Part] = [text(text_before + news_line(words, series, news))]
    row = None
    if news.code == "final_asked":
        row = button_row(
            button(control(series.id, "s_yes"), words("series_button.yes"), style=SUCCESS),
            button(control(series.id, "s_no"), words("series_button.no")),
        )
    elif news.code == "nobody_came":
        row = button_row(
            button(control(series.id, "s_go_on"), words("series_button.go_on"), style=SUCCESS),
            button(control(series.id, "s_desk"), words("series_button.desk")),
        )
    elif news.code == "play_again":
        row = button_row(button(control(series.id, "s_again"), words("series_button.again"), style=SUCCESS))
    elif news.code == "no_hosts":
        row = button_row(button(control(series.id, "s_take_over"), words("series_button.take_over")))
    parts += [] if row is None else [row]
    ping = (news.persons if news.pings else ()) if called is None else called
    return page(parts, mentions=[one for one in ping if one > 0])


def private_recipients(series: Series, news: News) -> tuple[int, ...]:
    """Return the persons who each get a private message with the news; none for news to everyone."""
    to = {Audience.PERSONS: news.persons, Audience.DIRECTORS: series.hosts}.get(news.audience, ())
    return tuple(one for one in to if one > 0)


def message_heading(words: Words, series: Series) -> str:
    """Return the heading of a direct message: the series and its channel."""
    return words("tournament.letter", name=wording.series_name(series), place=f"<#{series.channel}>")
