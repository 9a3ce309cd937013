"""Background work of the bot, and reactions to guilds, channels and threads that come and go."""

from __future__ import annotations

import discord
from discord.ext import commands, tasks

from bot.outbox import Outbox
from cogs.shared.notices.daily_digests import DailyDigests
from cogs.shared.notices.notifier import Notifier
from cogs.shared.serving.context import Context


class Housekeeping(commands.Cog):
    """Starts boards and notices once guilds are known; repairs outdated boards in the background."""

    def __init__(
        self,
        bot: commands.AutoShardedBot,
        context: Context,
        notices: Notifier,
        digests: DailyDigests,
        outbox: Outbox | None,
    ) -> None:
        self._bot = bot
        self._notices = notices
        self._digests = digests
        self._outbox = outbox
        self._tables = context.tables
        self._board_updater = context.board_updater
        self._open_seats = context.open_seats

    async def cog_load(self) -> None:
        self.repair_boards.start()

    async def cog_unload(self) -> None:
        self.repair_boards.cancel()

    @tasks.loop(minutes=5)
    async def repair_boards(self) -> None:
        """Update the boards that are outdated, for example after a crash."""
        await self._board_updater.repair_boards()

    @repair_boards.before_loop
    async def wait_until_servers_are_known(self) -> None:
        """Wait until Discord has reported the servers, because boards use their server's language."""
        await self._bot.wait_until_ready()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        self._board_updater.begin()
        await self._open_seats.begin()
        self._notices.begin()
        self._digests.begin()
        if self._outbox is not None:
            self._outbox.go_online()
        for guild in await self._tables.places.record_present_guilds({guild.id for guild in self._bot.guilds}):
            await self._stop_clocks_of_server(guild)
        await self._board_updater.repair_boards()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause the games of a server that the bot left, after which their boards are no longer written."""
        await self._tables.places.record_left_guild(guild.id)
        await self._stop_clocks_of_server(guild.id)

    async def _stop_clocks_of_server(self, guild: int) -> None:
        """Stop all clocks at the tables of a guild that the bot left."""
        for one in await self._tables.reading.open_refs_in(guild):
            await self._tables.places.record_lost_guild(one.id)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._tables.places.record_rejoined_guild(guild.id)
        for one in await self._tables.reading.open_refs_in(guild.id):
            self._board_updater.request_update(one.id, repost=True)
        self._open_seats.request_update(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._board_updater.handle_lost_channel(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self._board_updater.handle_lost_channel(payload.guild_id, payload.thread_id)
