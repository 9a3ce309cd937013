"""The desk's page of the log, latest entry first, and its page of lists with unusual figures.

The lists only inform directors: they prove nothing, and nothing happens automatically because of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.tournaments.desk.director_views import LogRow
from bot.tournaments.desk.unusual_play import UnusualPlay, UnusualPlayRow
from bot.tournaments.event.tournament import News
from cogs.shared.discord_api.components import LONGEST_OPTION, Option, Page, button_row, fit_text, select
from cogs.shared.reading.custom_ids import MOST_OPTIONS
from cogs.shared.telling import names
from cogs.shared.telling.status_text import discord_timestamp
from cogs.tournament import wording
from cogs.tournament.desk.desk_view import DeskView, titled_page
from cogs.tournament.desk.rounds import ruling_line
from cogs.tournament.news import ON_PAGES, news_line

ON_A_PAGE: Final = 12

UNTOLD: Final = ("table", "place", "arrive")
"""Log entries that only record events at tables; the page does not show them."""

LONGEST: Final = 220


def log_page(view: DeskView, log: Sequence[LogRow], first: int) -> Page:
    """Return the page with a part of the log, and with a menu of the rulings that can be undone."""
    words = view.words
    told = [one for one in log if one.kind not in UNTOLD and (one.kind != "clock" or one.told)]
    first = max(0, min(first, (len(told) - 1) // ON_A_PAGE * ON_A_PAGE))
    lines = [log_entry_line(view, one) for one in told[first : first + ON_A_PAGE]]
    held = [one for one in reversed(view.tournament.rulings) if not one.undone][:MOST_OPTIONS]
    options = (
        [Option(str(one.number), fit_text(ruling_line(view, one), LONGEST_OPTION, may_be_cut=True)) for one in held]
        if view.can_rule_on_results
        else []
    )
    menu = select(view.control("desk_undo"), words("desk.which_ruling"), options)
    ways = [
        view.button("desk_log", max(0, to), label=label, enabled=0 <= to < len(told))
        for to, label in ((first - ON_A_PAGE, "◀"), (first + ON_A_PAGE, "▶"))
        if len(told) > ON_A_PAGE
    ]
    return titled_page(view, words("desk.log_title"), lines, menu, button_row(*ways, view.back_button()))


def log_entry_line(view: DeskView, row: LogRow) -> str:
    """Return one line about a log entry: when, who, what, why."""
    words, tournament = view.words, view.tournament
    who = words("desk.by_clock") if row.by is None else wording.person_name(words, tournament, row.by)
    return words("desk.log_row", when=discord_timestamp(row.at, "f"), who=who, what=_action_text(view, row))


def _news_text(view: DeskView, news: News) -> str:
    """Return a piece of news as text, in short if it has its own message."""
    if news.code in ON_PAGES:
        return view.words(f"desk_clock.{news.code}")
    return news_line(view.words, view.tournament, news)


def _action_text(view: DeskView, row: LogRow) -> str:
    """Return text on what was done, with its reason; automatic steps are described by their news."""
    words, tournament = view.words, view.tournament
    if row.kind == "clock":
        return " ".join(dict.fromkeys(_news_text(view, one) for one in row.told))[:LONGEST]
    values: dict[str, object] = dict(row.detail)
    match = next((one for one in tournament.matches if one.id == row.detail.get("match")), None)
    values["table"] = "?" if match is None else words("desk.round_table", round=match.round, table=match.table)
    if "entry" in row.detail:
        values["entry"] = wording.entry_name(words, tournament, int(row.detail["entry"]))
    if "amount" in row.detail:
        values["amount"] = wording.duration_text(words, int(row.detail["amount"]))
    if "category" in row.detail:
        values["category"] = words(f"desk_category.{row.detail['category']}")
    text = words(f"desk_step.{row.kind}", **values) if f"desk_step.{row.kind}" in words else row.kind
    why = str(row.detail.get("reason") or row.detail.get("text") or "")
    return words("desk.because", what=text, reason=names.escape_name(why, longest=LONGEST)) if why else text


MOST_ROWS: Final = 6


def unusual_figures_page(view: DeskView, unusual_plays: Sequence[UnusualPlay]) -> Page:
    """Return the page with all lists of unusual figures and their means.

    An empty list is marked as such.
    """
    lines = [view.words("desk.not_proof")]
    for one in unusual_plays:
        lines += ["", _figure_heading(view, one), *(_figure_row(view, row) for row in one.rows[:MOST_ROWS])]
        if len(one.rows) > MOST_ROWS:
            lines.append(view.words("desk.more_rows", count=len(one.rows) - MOST_ROWS))
        if not one.rows:
            lines.append(view.words("desk.nothing_listed"))
    return titled_page(view, view.words("desk.lists_title"), lines, button_row(view.back_button()))


def _figure_heading(view: DeskView, unusual_play: UnusualPlay) -> str:
    return view.words(
        "desk.list_heading",
        name=view.words(f"desk_list.{unusual_play.what.value}"),
        mean=f"{float(unusual_play.mean):.2f}",
    )


def _figure_row(view: DeskView, row: UnusualPlayRow) -> str:
    words, tournament = view.words, view.tournament
    persons = wording.person_names(words, tournament, row.persons)
    others = wording.person_names(words, tournament, row.others)
    named = words("desk.to", first=persons, second=others) if others else persons
    matches = {match.id: match for match in tournament.matches}
    tables = [
        words("desk.round_table", round=matches[number].round, table=matches[number].table)
        for number in row.matches
        if number in matches
    ]
    where = f" ({', '.join(tables)})" if tables else ""
    return words("desk.list_row", names=named, count=row.count) + where
