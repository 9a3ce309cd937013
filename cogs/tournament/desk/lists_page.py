"""The desk's page of what stands out, beside what is usual; it proves nothing, and nothing follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.tournaments.desk.honesty import Listed, Row
from cogs.shared.door.components import Page, buttons
from cogs.tournament import wording
from cogs.tournament.desk.look import DeskView, framed

MOST_ROWS: Final = 6


def lists_page(look: DeskView, found: Sequence[Listed]) -> Page:
    """Every list with its mean; lists without a row say so."""
    lines = [look.words("desk.not_proof")]
    for one in found:
        lines += ["", _heading(look, one), *(_row(look, row) for row in one.rows[:MOST_ROWS])]
        if len(one.rows) > MOST_ROWS:
            lines.append(look.words("desk.more_rows", count=len(one.rows) - MOST_ROWS))
        if not one.rows:
            lines.append(look.words("desk.nothing_listed"))
    return framed(look, look.words("desk.lists_title"), lines, buttons(look.back()))


def _heading(look: DeskView, one: Listed) -> str:
    return look.words(
        "desk.list_heading", name=look.words(f"desk_list.{one.what.value}"), mean=f"{float(one.mean):.2f}"
    )


def _row(look: DeskView, row: Row) -> str:
    words, tournament = look.words, look.tournament
    persons = wording.persons(words, tournament, row.persons)
    others = wording.persons(words, tournament, row.others)
    named = words("desk.to", first=persons, second=others) if others else persons
    matches = {match.id: match for match in tournament.matches}
    tables = [
        words("desk.round_table", round=matches[number].round, table=matches[number].table)
        for number in row.matches
        if number in matches
    ]
    where = f" ({', '.join(tables)})" if tables else ""
    return words("desk.list_row", names=named, count=row.count) + where
