"""Which table a command means: the one of its thread, else the person's only one, else the one that is named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tables.looks import TableLook
from bot.tables.service import TableService
from cogs.shared import names, places, replies
from cogs.shared.inputs import InputCode, InputProblem
from cogs.shared.replies import Interaction

_NUMBER: Final = re.compile(r"(?:table)?\s*#?([1-9][0-9]{0,15})(?::.*)?", re.IGNORECASE)
MOST_CHOICES: Final = 25
LONGEST_CHOICE: Final = 100


async def own_table(tables: TableService, interaction: Interaction, named: str | None) -> int:
    """The table a player's command means. Raises `InputProblem` if that is not clear."""
    if named:
        return number_of(named)
    place = places.of_interaction(interaction)
    mine = await tables.tables_of(interaction.user.id, place.guild)
    here = [look for look in mine if places.of_table(look).posts_in == place.posts_in]
    return _only(here or mine, InputCode.NO_TABLE)


async def any_table(tables: TableService, interaction: Interaction, named: str | None) -> int:
    """The table that a command of anybody means: one here, one's own, or the only one there is."""
    if named:
        return number_of(named)
    place = places.of_interaction(interaction)
    everything = await tables.tables_in(place.guild)
    here = [look for look in everything if places.of_table(look).posts_in == place.posts_in]
    mine = [look for look in here or everything if look.seat_of(interaction.user.id) is not None]
    return _only(mine or here or everything, InputCode.NO_TABLE_HERE)


def number_of(text: str) -> int:
    """The number of a table as a person writes it. Raises `InputProblem`."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise InputProblem(InputCode.NOT_A_TABLE, {"text": text[:40]})
    return int(match[1])


async def choices(tables: TableService, interaction: Interaction, typed: str) -> list[tuple[str, str]]:
    """Labels and values for the `table:` option: one's own tables first."""
    if interaction.guild_id is None:
        return []
    words = replies.words_for(interaction)
    looks = await tables.tables_in(interaction.guild_id)
    ordered = sorted(looks, key=lambda look: (look.seat_of(interaction.user.id) is None, look.id))
    labelled = [(label(words, look), str(look.id)) for look in ordered]
    return [one for one in labelled if typed.casefold() in one[0].casefold()][:MOST_CHOICES]


def label(words: Words, look: TableLook) -> str:
    """A table in one line of plain text."""
    seated = ", ".join(
        name for name, holder in zip(names.of_seats(words, look), look.seats, strict=True) if holder.kind != "empty"
    )
    return words("list.choice", table=look.id, names=seated)[:LONGEST_CHOICE]


def _only(looks: Sequence[TableLook], none: InputCode) -> int:
    if not looks:
        raise InputProblem(none)
    if len(looks) > 1:
        numbers = ", ".join(str(look.id) for look in looks[:10])
        raise InputProblem(InputCode.WHICH_TABLE, {"tables": numbers})
    return looks[0].id
