"""`/play`, and the buttons of the message that lists a server's open seats."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Final
from weakref import WeakValueDictionary

import discord
from discord import app_commands
from discord.ext import commands

from bot.clocks.time_rules import PRESETS
from bot.profiles.guild_settings import ServerSettings
from bot.tables.open_seats import SeatWish
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.discord_calls import FailedCall
from cogs.shared.discord_api.interactions import Interaction, answer_in_time
from cogs.shared.posting.threads import place_link_lines
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import option_choices
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import TableWish, new_table_settings, offer_lessons, open_table
from cogs.shared.serving.quiet_hours import ask_newcomer_for_quiet_hours
from cogs.shared.showing.lobby import join_result
from cogs.shared.showing.open_seats_page import CALL_ME, OPEN

LIVE: Final = "live"
SLOW: Final = "slow"
PACES: Final = (LIVE, SLOW)
"""Paces to choose from: a game in one go, or one over days."""

Chosen = tuple[str, ...]


class PlayCommand(commands.Cog):
    """The command `/play`, and the buttons *Open a table* and *Call me for a game*."""

    help_group = "table"

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        self._searches: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        context.router.add(OPEN, self.open_usual_table)
        context.router.add(CALL_ME, self.toggle_call_role)

    @app_commands.command(name="play")
    @app_commands.guild_only()
    @app_commands.choices(pace=option_choices.value_choices("pace", PACES))
    async def play(
        self,
        interaction: Interaction,
        game: str | None = None,
        pace: str | None = None,
        rated: bool | None = None,  # noqa: FBT001
    ) -> None:
        async with answer_in_time(interaction):
            guild = table_places.place_of_interaction(interaction).guild
            offer = None if game is None else await self.tables.rules.rules_named(guild, game)
            slow = None if pace is None else pace == SLOW
            wish = SeatWish(offer=offer, slow=slow, rated=rated)
            await self._seat_or_open_table(interaction, guild, wish)

    async def _seat_or_open_table(self, interaction: Interaction, guild: int, wish: SeatWish) -> None:
        """Seat the person at a lobby that fits the wish, or open one.

        A server's requests run one after another, so that two strangers meet at one table.
        """
        search = self._searches.setdefault(guild, asyncio.Lock())
        with ExitStack() as turn:
            await search.acquire()
            turn.callback(search.release)
            caller = interactions.caller_of(interaction)
            found = await self.tables.open_seats.seat_caller(
                caller, wish, may_see=lambda one: _may_see_channel(interaction, one)
            )
            if found is None:
                asked = _table_wish(wish, await self.context.servers.settings(guild))
                snapshot = await open_table(self.context, interaction, asked, opened=turn.close)
                words = interactions.words_for(interaction)
                await interactions.answer_privately(interaction, words("open_seats.opened", table=snapshot.id))
                return
        await self._answer_with_seat(interaction, *found)

    async def _answer_with_seat(self, interaction: Interaction, snapshot: TableSnapshot, was_seated: bool) -> None:  # noqa: FBT001
        """Answer with where the person sits and how to get there.

        Newcomers are also offered quiet hours and lessons.
        """
        words = interactions.words_for(interaction)
        text = (
            words("open_seats.already", table=snapshot.id)
            if was_seated
            else join_result(words, snapshot, interaction.user.id)
        )
        await interactions.answer_privately(interaction, text, *place_link_lines(words, snapshot, interaction))
        await ask_newcomer_for_quiet_hours(self.context, interaction, snapshot)
        await offer_lessons(self.context, interaction)

    @play.autocomplete("game")
    async def suggest_games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await option_choices.rule_choices(self.context, interaction, typed)

    async def open_usual_table(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        """Open a table in the message's channel, by the server's usual rules and clock."""
        await open_table(self.context, interaction)

    async def toggle_call_role(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        """Give the person the role that is mentioned for open seats, or take it away."""
        guild, member = interaction.guild, interaction.user
        if guild is None or not isinstance(member, discord.Member):
            raise InputProblem(InputCode.IN_SERVER_ONLY)
        role = (await self.context.servers.settings(guild.id)).call_role
        if role is None or guild.get_role(role) is None:
            raise InputProblem(InputCode.NO_CALL_ROLE)
        has = await self.context.open_seats.toggle_role(member, role)
        if isinstance(has, FailedCall):
            raise InputProblem(InputCode.ROLE_TOO_HIGH, {"role": role})
        text = "open_seats.called" if has else "open_seats.not_called"
        await interactions.answer_privately(interaction, interactions.words_for(interaction)(text, role=f"<@&{role}>"))


def _may_see_channel(interaction: Interaction, channel: int) -> bool:
    """Return whether the person may see that channel of the server."""
    there = None if interaction.guild is None else interaction.guild.get_channel(channel)
    member = interaction.user
    return there is not None and isinstance(member, discord.Member) and there.permissions_for(member).view_channel


def _table_wish(wish: SeatWish, server: ServerSettings) -> TableWish:
    """Return the settings for a new table: the person's choices, else the server's defaults."""
    usual = new_table_settings(server, clock=server.clock).is_slow
    clock = None if wish.slow in (None, usual) else PRESETS["daily" if wish.slow else "live"].name
    return TableWish(rules=None if wish.offer is None else wish.offer.name, clock=clock, rated=bool(wish.rated))
