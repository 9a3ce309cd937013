"""Finished games of a server: their results, and the ways to replay, record, log and fairness checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.service import TableService
from cogs.shared.door import replies, table_places
from cogs.shared.door.components import Option, Page, Part, button, buttons, container, page, select, text, text_page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing import log_page
from cogs.shared.telling import names
from cogs.shared.telling.numbers import grouped
from cogs.shared.telling.rule_names import rules_of

TURNED: Final = "finished"
CHOSEN: Final = "finished_game"
REPLAY: Final = "finished_replay"
RECORD: Final = "finished_record"

ON_A_PAGE: Final = 10


async def finished_page(tables: TableService, interaction: Interaction, first: int = 0) -> Page:
    """The finished games of the server from that one on, the latest first."""
    words = replies.words_for(interaction)
    found = await tables.finished_in(table_places.of_interaction(interaction).guild)
    looks = await tables.some_looks(found[first : first + ON_A_PAGE], most=ON_A_PAGE)
    return list_page(words, looks, first=first, count=len(found)) if looks else text_page(words("finished.none"))


def list_page(words: Words, looks: Sequence[TableSnapshot], *, first: int, count: int) -> Page:
    """So many finished games from that one on, of `count` in all."""
    lines = [words("finished.title", count=count), *(line(words, look) for look in looks)]
    options = [
        Option(str(look.id), words("finished.choice", table=look.id, names=_names(words, look))) for look in looks
    ]
    menu = select(ControlId(0, 0, CHOSEN), words("finished.which"), options)
    return page([container(text("\n".join(lines)), menu, _turning(words, first, count))])


def line(words: Words, look: TableSnapshot) -> str:
    """A finished game in a line: what was played, when it ended, and the scores of all sides."""
    return words(
        "finished.line",
        table=look.id,
        rules=rules_of(words, look),
        when=f"<t:{look.updated_at // 1000}:d>",
        result=" – ".join(_scores(words, look)),
    )


def game_page(words: Words, look: TableSnapshot) -> Page:
    """One finished game with the ways to what is kept of it."""

    def control(action: str, argument: str = "") -> ControlId:
        return ControlId(look.id, look.version, action, argument)

    ways = buttons(
        button(control(REPLAY), words("finished.replay")),
        button(control(RECORD), words("finished.record")),
        button(control(log_page.TURNED, "1"), words("finished.log")),
        button(control("sheet_text"), words("finished.scores")),
        button(control("fair_check"), words("finished.fair")),
    )
    return page([container(text(line(words, look)), ways)])


def _scores(words: Words, look: TableSnapshot) -> list[str]:
    view = look.view
    if view is None:
        return []
    last = view.results[-1].scores if view.results else (0,) * len(view.totals)
    then = look if not view.results else look.at_end_of(view.results[-1].deal)
    return [f"{names.of_total(words, then, number)} {grouped(words, score)}" for number, score in enumerate(last)]


def _names(words: Words, look: TableSnapshot) -> str:
    return ", ".join(names.of_seats(words, look))


def _turning(words: Words, first: int, count: int) -> Part | None:
    if count <= ON_A_PAGE:
        return None
    newer, older = max(0, first - ON_A_PAGE), first + ON_A_PAGE
    return buttons(
        button(ControlId(0, 0, TURNED, str(newer)), words("finished.newer"), enabled=first > 0),
        button(ControlId(0, 0, TURNED, str(older)), words("finished.older"), enabled=older < count),
    )
