"""Texts of turn notices: whose turn it is, at which table and until when. No card is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from discord import ui

from bot.clocks.time_rules import Stage
from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import Page, button, button_rows, page, text
from cogs.shared.notices import links
from cogs.shared.notices.links import Links
from cogs.shared.notices.turn_decisions import AwaitedTurn
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing.paused_games import return_to_seat_button
from cogs.shared.telling import names, status_text

MOST_NAMED: Final = 20
"""Maximum number of tables named in one notice."""


def turns_page(
    words: Words,
    waiting: Sequence[tuple[TableSnapshot, AwaitedTurn]],
    stage: Stage,
    *,
    mention: bool,
    addresses: Links,
    present: bool = True,
) -> Page:
    """Return the notice for a person about one table, or about several that wait.

    With `mention` it is posted in the table's channel; otherwise it is a direct message, which links to the tables'
    messages. `present`: the person has used the bot lately; if not, the last reminder adds that using it brings time.
    """
    snapshot, owed = waiting[0]
    if len(waiting) > 1:
        return several_tables_page(words, waiting, mention=mention, addresses=addresses)
    kept = stage is Stage.LAPSED
    name = _person_name(words, snapshot, owed, mention=mention)
    message = _kept_seat_text(words, snapshot, owed, name) if kept else _TEXTS[stage](words, snapshot, owed, name)
    if stage is Stage.LAST:
        message = _last_reminder(words, snapshot, owed, name, present=present)
    opens = links.table_button(words, snapshot, addresses)
    if not mention:
        return _notice_page(message, owed.person, [opens], mention=False)
    if kept:
        return _notice_page(message, owed.person, [return_to_seat_button(words, snapshot) or opens], mention=True)
    hand = button(ControlId(snapshot.id, snapshot.version, "hand"), words("board.my_hand"))
    return _notice_page(message, owed.person, [hand, opens], mention=True)


def several_tables_page(
    words: Words, waiting: Sequence[tuple[TableSnapshot, AwaitedTurn]], *, mention: bool, addresses: Links
) -> Page:
    """Return one notice about the turns at several tables."""
    snapshot, owed = waiting[0]
    tables = ", ".join(_turn_list_line(words, one, awaited) for one, awaited in waiting[:MOST_NAMED])
    name = _person_name(words, snapshot, owed, mention=mention)
    message = words("notices.several", name=name, count=len(waiting), tables=tables)
    opens = links.table_buttons(words, [one for one, _ in waiting], addresses)
    return _notice_page(message, owed.person, opens, mention=mention)


def _notice_page(message: str, person: int, buttons: Sequence[ui.Button[Any]], *, mention: bool) -> Page:
    return page([text(message), *button_rows(buttons)], (), (person,) if mention else ())


def _kept_seat_text(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn, name: str) -> str:
    """Return the text for a player whose seat a computer player keeps."""
    clocks = snapshot.clocks
    used_up = clocks is not None and clocks.seats[turn.seat].time_left == 0
    return words("notices.kept_lapsed" if used_up else "notices.kept", name=name, table=snapshot.id)


def _person_name(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn, *, mention: bool) -> str:
    holder = snapshot.seats[turn.seat]
    if mention:
        return f"<@{turn.person}>"
    return (
        names.seat_name(words, snapshot, turn.seat) if holder.kept_for is None else names.escape_name(holder.kept_name)
    )


def _turn_list_line(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn) -> str:
    if turn.until is None:
        return words("notices.one_table_only", table=snapshot.id)
    return words("notices.one_table", table=snapshot.id, until=status_text.deadline_text(snapshot, turn.until))


# --- stages -----------------------------------------------------------------------------------------------------------


def _turn_text(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn, name: str) -> str:
    since = status_text.discord_timestamp(turn.since)
    if turn.until is None:
        return words("notices.turn_only", name=name, table=snapshot.id, since=since)
    return words("notices.turn", name=name, table=snapshot.id, since=since, until=_deadline(snapshot, turn))


def _half_time_reminder(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn, name: str) -> str:
    """Return the reminder after half of the time."""
    since = status_text.discord_timestamp(turn.since)
    return words("notices.half", name=name, table=snapshot.id, since=since, until=_deadline(snapshot, turn))


def _last_reminder(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn, name: str, *, present: bool = True) -> str:
    """Return the last reminder before the time runs out.

    For a person who is not `present` it adds that using the bot brings an allowance of time.
    """
    then = status_text.time_out_text(words, snapshot, turn.seat, present=present)
    more = "" if present else status_text.allowance_hint(words, snapshot, turn.seat)
    until, since = _deadline(snapshot, turn), status_text.discord_timestamp(turn.since)
    message = words("notices.last", name=name, table=snapshot.id, until=until, then=then)
    return " ".join(filter(None, [message, more, words("notices.came", since=since)]))


def _extra_time_text(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn, name: str) -> str:
    """Return the text for a turn in its extra time: its end, and what happens after it."""
    policy = status_text.time_out_text(words, snapshot, turn.seat)
    return words("notices.extended", name=name, table=snapshot.id, until=_deadline(snapshot, turn), policy=policy)


def _vacation_day_text(words: Words, snapshot: TableSnapshot, turn: AwaitedTurn, name: str) -> str:
    return words("notices.vacation", name=name, table=snapshot.id, until=_deadline(snapshot, turn))


_TEXTS: Final[Mapping[Stage, Callable[[Words, TableSnapshot, AwaitedTurn, str], str]]] = {
    Stage.RUNNING: _turn_text,
    Stage.HALF: _half_time_reminder,
    Stage.LAST: _last_reminder,
    Stage.EXTENDED: _extra_time_text,
    Stage.VACATION: _vacation_day_text,
}


def _deadline(snapshot: TableSnapshot, turn: AwaitedTurn) -> str:
    return status_text.deadline_text(snapshot, turn.until or turn.since)
