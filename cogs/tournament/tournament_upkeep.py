"""What tournaments do by themselves on Discord: they are shown once it can be asked, and threads that go come again."""

from __future__ import annotations

import discord
from discord.ext import commands

from cogs.tournament.tournament_presenter import TournamentPresenter


class TournamentUpkeep(commands.Cog):
    """Listens to what happens to servers and threads."""

    def __init__(self, presenter: TournamentPresenter) -> None:
        self._presenter = presenter

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        await self._presenter.begin()

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self._presenter.thread_lost(payload.guild_id, payload.thread_id)
