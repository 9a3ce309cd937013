"""The presenter of tournaments: keeps every message about them up to date, and posts each once.

Whatever changes a tournament marks it; a marked one is compared with the messages that were noted, and what differs is
posted or edited, in the order in which it happened. A tournament has one writer at a time. What Discord refuses is
tried again with the next change, and after a while.

What tournaments do by themselves on Discord: they are shown once it can be asked, and threads that go come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import discord
from discord.ext import commands

from bot.clocks.clock import MINUTE, Clock
from bot.tournaments.core.changes import TournamentChanged
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Place
from bot.tournaments.service import TournamentPost, TournamentService
from cogs.shared.door import interactions
from cogs.shared.posting.schedule import Alarm
from cogs.tournament.calendar import Calendar
from cogs.tournament.closing import Closing
from cogs.tournament.letters import Letters
from cogs.tournament.pages import Wanted, rounds_shown, wanted
from cogs.tournament.sender import Sending
from cogs.tournament.threads import Places

AGAIN: Final = MINUTE
"""What Discord did not take is tried again after so long."""

LOOKED_AT: Final = 2
"""Standings of so many rounds are kept up to date, the newest."""


class TournamentPresenter:
    """One for the whole process."""

    def __init__(
        self,
        tournaments: TournamentService,
        sending: Sending,
        *,
        places: Places,
        letters: Letters,
        calendar: Calendar,
        closing: Closing,
        clock: Clock,
    ) -> None:
        self._tournaments = tournaments
        self._sending = sending
        self._places = places
        self._letters = letters
        self._calendar = calendar
        self._closing = closing
        self._clock = clock
        self._marked: set[int] = set()
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._wrote: dict[tuple[int, str], int] = {}
        self._alarm = Alarm(clock, self.mark)
        self._begun = False

    def changed(self, change: TournamentChanged) -> None:
        """A tournament changed: listener of the tournament service."""
        self.mark(change.tournament)

    def mark(self, number: int) -> None:
        """Show the tournament soon."""
        self._marked.add(number)
        self._wake(number)

    def start(self) -> None:
        """Begin to keep the time; nothing is shown yet."""
        self._alarm.start()

    async def begin(self) -> None:
        """Show tournaments from now on: the servers and their languages are known."""
        self._begun = True
        for number in {*self._marked, *await self._tournaments.overview.to_show()}:
            self.mark(number)

    async def thread_lost(self, guild: int, thread: int) -> None:
        """A thread was deleted: a match that lived there has a new one, and is called there without a sound."""
        for one in await self._tournaments.overview.open_in(guild):
            if await self._places.lost(one, thread):
                self.mark(one.id)

    async def idle(self) -> None:
        """Return when everything is shown that is not left for later."""
        while self._workers:
            await asyncio.wait(list(self._workers.values()))

    async def close(self) -> None:
        """Finish what is being shown and show nothing more."""
        self._begun = False
        await self._alarm.stop()
        tasks = list(self._workers.values())
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- one tournament

    def _wake(self, number: int) -> None:
        if self._begun and number in self._marked and number not in self._workers:
            self._workers[number] = asyncio.create_task(self._work(number), name=f"present tournament {number}")

    async def _work(self, number: int) -> None:
        try:
            while self._begun and number in self._marked:
                self._marked.discard(number)
                wait = await self._present(number)
                if wait is not None:
                    self._alarm.set(number, self._clock.now() + wait)
        except TournamentRefusal:
            self._marked.discard(number)
        except Exception as error:  # noqa: BLE001 - one tournament's trouble must not end the others' messages
            self._marked.discard(number)
            interactions.unexpected(error, "showing a tournament")
        finally:
            self._workers.pop(number, None)

    async def _present(self, number: int) -> int | None:
        """Bring everything into line; after how long to look again where something is left (milliseconds)."""
        tournament = await self._tournaments.overview.look(number)
        if self._sending.guild_of(tournament) is None:
            return None
        await self._places.missing(tournament)
        waits = [None if await self._places.made(tournament) else AGAIN]
        tournament = await self._tournaments.overview.look(number)
        words = self._sending.words_of(tournament)
        posts = await self._tournaments.overview.posts(number)
        pictures = await self._closing.pictures(words, tournament)
        shown = wanted(words, tournament, await self._standings(tournament), pictures)
        waits += [await self._bring(tournament, one, posts.get(one.name)) for one in shown]
        waits.append(None if await self._letters.sent(tournament, words, posts) else AGAIN)
        await self._calendar.tended(tournament, words, posts)
        return min((one for one in waits if one is not None), default=None)

    async def _standings(self, tournament: Tournament) -> Mapping[int, tuple[Place, ...]]:
        shown = rounds_shown(tournament)[-LOOKED_AT:]
        return {one: await self._tournaments.overview.places(tournament.id, after_round=one) for one in shown}

    async def _bring(self, tournament: Tournament, one: Wanted, post: TournamentPost | None) -> int | None:
        key = tournament.id, one.name
        if post is None or post.message is None:
            failed = await self._sending.post(tournament, one, post)
        elif not one.kept or post.digest == one.digest:
            return None
        else:
            since = self._clock.now() - self._wrote.get(key, 0)
            if since < one.apart:
                return one.apart - since
            failed = await self._sending.edit(tournament, one, post)
        if one.apart:
            self._wrote[key] = self._clock.now()
        return None if failed is None else AGAIN


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
