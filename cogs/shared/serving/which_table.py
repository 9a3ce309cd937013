"""Find the table a command means: that of its thread, the person's only one, or the named one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tables.service import TableService
from bot.tables.state.snapshots import TableRef, TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.ambiguous_table import MOST_BUTTONS, AmbiguousTable
from cogs.shared.discord_api.components import LONGEST_OPTION, fit_text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import MOST_CHOICES
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.telling import names

_NUMBER: Final = re.compile(r"(?:table)?\s*#?([1-9][0-9]{0,15})(?::.*)?", re.IGNORECASE)


async def find_own_table(tables: TableService, interaction: Interaction, named: str | None) -> int:
    """Return the number of the player's own table that a command means.

    It is the named one, the one in this channel, or their only one. Raises `InputProblem` if that is unclear. If the
    person has no seat here, tables at which a computer player keeps a seat for them count as theirs.
    """
    if named:
        return parse_table_number(named)
    place = table_places.place_of_interaction(interaction)
    mine = await tables.reading.open_refs_of(interaction.user.id, place.guild)
    here = [one for one in mine if table_places.place_of_table(one).post_channel == place.post_channel]
    if not here:
        kept = await tables.reading.refs_with_kept_seat(interaction.user.id, place.guild)
        here = [one for one in kept if table_places.place_of_table(one).post_channel == place.post_channel]
        mine = mine or kept
    return await _single_table(tables, here or mine, InputCode.NO_TABLE)


async def find_any_table(tables: TableService, interaction: Interaction, named: str | None) -> int:
    """Return the number of the table meant by a command that anyone may use.

    It is the named table, else one in this channel (the person's own first), else the person's own one, else the
    server's only one. Raises `InputProblem` if that is unclear.
    """
    if named:
        return parse_table_number(named)
    place = table_places.place_of_interaction(interaction)
    everything = await tables.reading.open_refs_in(place.guild)
    here = [one for one in everything if table_places.place_of_table(one).post_channel == place.post_channel]
    own = {one.id for one in await tables.reading.open_refs_of(interaction.user.id, place.guild)}
    mine = [one for one in here or everything if one.id in own]
    return await _single_table(tables, mine or here or everything, InputCode.NO_TABLE_HERE)


async def find_past_table(tables: TableService, interaction: Interaction, named: str | None) -> int:
    """Return the number of the table that a command looks back at.

    If the channel has no open table, it is the one finished last here; otherwise as in `find_any_table`.
    """
    if named:
        return parse_table_number(named)
    place = table_places.place_of_interaction(interaction)
    here = [
        one
        for one in await tables.reading.open_refs_in(place.guild)
        if table_places.place_of_table(one).post_channel == place.post_channel
    ]
    past = [
        one
        for one in await tables.past.finished_tables_in(place.guild)
        if table_places.place_of_table(one).post_channel == place.post_channel
    ]
    if not here and past:
        return past[0].id
    return await find_any_table(tables, interaction, None)


def parse_table_number(text: str) -> int:
    """Return the table number that was typed. Raises `InputProblem`."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise InputProblem(InputCode.NOT_A_TABLE, {"text": text[:40]})
    return int(match[1])


async def table_choices(tables: TableService, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
    """Return labels and values for the `table:` option, the person's own tables first.

    In a guild with many tables only some are read; a typed number selects among them.
    """
    if interaction.guild_id is None:
        return []
    words = interactions.words_for(interaction)
    own = {one.id for one in await tables.reading.open_refs_of(interaction.user.id, interaction.guild_id)}
    number = "".join(filter(str.isdecimal, typed))
    ordered = sorted(
        await tables.reading.open_refs_in(interaction.guild_id),
        key=lambda one: (bool(number) and number not in str(one.id), one.id not in own, one.id),
    )
    snapshots = await tables.reading.cached_snapshots(ordered, most=MOST_CHOICES)
    labelled = [(table_label(words, snapshot), str(snapshot.id)) for snapshot in snapshots]
    return [one for one in labelled if typed.casefold() in one[0].casefold()][:MOST_CHOICES]


async def past_table_choices(tables: TableService, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
    """Return labels and values for the `table:` option of commands that look back.

    Finished games, the latest first, then open ones.
    """
    if interaction.guild_id is None:
        return []
    words, number = interactions.words_for(interaction), "".join(filter(str.isdecimal, typed))
    past = await tables.past.finished_tables_in(interaction.guild_id)
    ordered = sorted(past, key=lambda one: bool(number) and number not in str(one.id))[:MOST_CHOICES]
    labelled = [
        (table_label(words, snapshot), str(snapshot.id))
        for snapshot in await tables.reading.cached_snapshots(ordered, most=MOST_CHOICES)
    ]
    found = [one for one in labelled if typed.casefold() in one[0].casefold()]
    return (found + await table_choices(tables, interaction, typed))[:MOST_CHOICES]


def table_label(words: Words, snapshot: TableSnapshot) -> str:
    """Return one line of plain text about a table, for a choice of a command."""
    seated = ", ".join(
        name
        for name, holder in zip(names.all_seat_names(words, snapshot), snapshot.seats, strict=True)
        if holder.kind != "empty"
    )
    return fit_text(words("list.choice", table=snapshot.id, names=seated), LONGEST_OPTION, may_be_cut=True)


async def _single_table(tables: TableService, tables_found: Sequence[TableRef], problem_if_none: InputCode) -> int:
    """Return the number of the only table found.

    Raises the problem `problem_if_none` if there is no table, or `AmbiguousTable` for several.
    """
    if not tables_found:
        raise InputProblem(problem_if_none)
    if len(tables_found) > 1:
        raise AmbiguousTable(await tables.reading.cached_snapshots(tables_found[:MOST_BUTTONS], most=MOST_BUTTONS))
    return tables_found[0].id
