"""People chosen as partners or regulars, in a menu or in a command."""

from __future__ import annotations

from typing import Any, Final

import discord

from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.input_problems import InputCode, InputProblem

Chosen = tuple[str, ...]

LONGEST_ID: Final = 20
"""Most digits of a Discord id."""


def parse_chosen_ids(values: Chosen) -> Chosen:
    """Return the chosen ids. Raises `InputProblem` if there are none, or if one is not a number."""
    if not values or not all(one.isdecimal() and len(one) <= LONGEST_ID for one in values):
        raise InputProblem(InputCode.OLD_CONTROL)
    return values


def partners_in_menu(interaction: Interaction, values: Chosen) -> dict[int, str]:
    """Return the partners chosen in a menu, by id, with their names.

    Raises `InputProblem` for the user themselves and for bots.
    """
    data: dict[str, Any] = dict(interaction.data or {})
    known = data.get("resolved", {})
    users, members = known.get("users", {}), known.get("members", {})
    found: dict[int, str] = {}
    for one in values:
        user = users.get(one, {})
        nick = members.get(one, {}).get("nick")
        found[int(one)] = str(nick or user.get("global_name") or user.get("username") or one)
        require_possible_partner(interaction, int(one), bot=bool(user.get("bot")))
    return found


def partners_in_command(interaction: Interaction, *members: discord.Member | None) -> dict[int, str]:
    """Return the partners named in a command, by id, with their names.

    Raises `InputProblem` for the user themselves and for bots.
    """
    found = [one for one in members if one is not None]
    for one in found:
        require_possible_partner(interaction, one.id, bot=one.bot)
    return {one.id: one.display_name for one in found}


def require_possible_partner(interaction: Interaction, person: int, *, bot: bool) -> None:
    """Raise `InputProblem` if the chosen partner is the user themselves or a bot."""
    if bot or person == interaction.user.id:
        raise InputProblem(InputCode.NO_PARTNER)
