"""Texts of turn notices: whose turn it is, at which table and until when. No card is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from discord import ui

from bot.clocks.law import Stage
from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door import places
from cogs.shared.door.components import Page, Part, button, buttons, page, text
from cogs.shared.notices.decisions import Owed
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing.paused import back_button
from cogs.shared.telling import names, status_text

MOST_NAMED: Final = 20
"""Maximum number of tables named in one notice."""


def turns_page(words: Words, waiting: Sequence[tuple[TableSnapshot, Owed]], stage: Stage, *, mention: bool) -> Page:
    """Return the notice for a person about one table, or about several that wait."""
    look, owed = waiting[0]
    if len(waiting) > 1:
        return several_page(words, waiting, mention=mention)
    return (kept_page if stage is Stage.LAPSED else partial(notice_page, stage=stage))(
        words, look, owed, mention=mention
    )


def notice_page(words: Words, look: TableSnapshot, owed: Owed, *, stage: Stage, mention: bool) -> Page:
    """Return the notice about one table: a mention with a hand button, or a direct message with a link."""
    said = _TEXTS[stage](words, look, owed, _person_name(words, look, owed, mention=mention))
    if not mention:
        return page([text(said), link_row(words, look)])
    return _mention_page(said, owed.person, button(ControlId(look.id, look.version, "hand"), words("board.my_hand")))


def several_page(words: Words, waiting: Sequence[tuple[TableSnapshot, Owed]], *, mention: bool) -> Page:
    """Return one notice about the turns at several tables."""
    look, owed = waiting[0]
    tables = ", ".join(_turn_in_list(words, one, debt) for one, debt in waiting[:MOST_NAMED])
    name = _person_name(words, look, owed, mention=mention)
    said = words("notices.several", name=name, count=len(waiting), tables=tables)
    return _mention_page(said, owed.person) if mention else page([text(said), link_row(words, look)])


def kept_page(words: Words, look: TableSnapshot, owed: Owed, *, mention: bool) -> Page:
    """Return the notice to a player whose seat a computer keeps, with a button to return."""
    name = f"<@{owed.person}>" if mention else names.shown(look.seats[owed.seat].kept_name)
    clocks = look.clocks
    used_up = clocks is not None and clocks.seats[owed.seat].left == 0
    said = words("notices.kept_lapsed" if used_up else "notices.kept", name=name, table=look.id)
    return (
        _mention_page(said, owed.person, back_button(words, look))
        if mention
        else page([text(said), link_row(words, look)])
    )


def link_row(words: Words, look: TableSnapshot) -> Part:
    """Return a link button to the table's channel."""
    place = places.of_table(look)
    url = f"https://discord.com/channels/{place.guild}/{place.posts_in}"
    return ui.ActionRow(ui.Button(label=words("notices.open"), url=url))


def _mention_page(said: str, person: int, *those: ui.Button[Any] | None) -> Page:
    row = buttons(*those)
    return page([text(said), *([] if row is None else [row])], (), (person,))


def _person_name(words: Words, look: TableSnapshot, owed: Owed, *, mention: bool) -> str:
    return f"<@{owed.person}>" if mention else names.of_seat(words, look, owed.seat)


def _turn_in_list(words: Words, look: TableSnapshot, owed: Owed) -> str:
    if owed.until is None:
        return words("notices.one_table_only", table=look.id)
    return words("notices.one_table", table=look.id, until=status_text.when(look, owed.until))


# --- stages -----------------------------------------------------------------------------------------------------------


def _turn_text(words: Words, look: TableSnapshot, owed: Owed, name: str) -> str:
    since = status_text.instant(owed.since)
    if owed.until is None:
        return words("notices.turn_only", name=name, table=look.id, since=since)
    return words("notices.turn", name=name, table=look.id, since=since, until=_deadline(look, owed))


def _half_text(words: Words, look: TableSnapshot, owed: Owed, name: str) -> str:
    since = status_text.instant(owed.since)
    return words("notices.half", name=name, table=look.id, since=since, until=_deadline(look, owed))


def _last_text(words: Words, look: TableSnapshot, owed: Owed, name: str) -> str:
    then = status_text.time_out_text(words, look, owed.seat)
    since = status_text.instant(owed.since)
    return words("notices.last", name=name, table=look.id, since=since, until=_deadline(look, owed), then=then)


def _extended_text(words: Words, look: TableSnapshot, owed: Owed, name: str) -> str:
    policy = status_text.time_out_text(words, look, owed.seat)
    return words("notices.extended", name=name, table=look.id, until=_deadline(look, owed), policy=policy)


def _vacation_text(words: Words, look: TableSnapshot, owed: Owed, name: str) -> str:
    return words("notices.vacation", name=name, table=look.id, until=_deadline(look, owed))


_TEXTS: Final[Mapping[Stage, Callable[[Words, TableSnapshot, Owed, str], str]]] = {
    Stage.RUNNING: _turn_text,
    Stage.HALF: _half_text,
    Stage.LAST: _last_text,
    Stage.EXTENDED: _extended_text,
    Stage.VACATION: _vacation_text,
}


def _deadline(look: TableSnapshot, owed: Owed) -> str:
    return status_text.when(look, owed.until or owed.since)
