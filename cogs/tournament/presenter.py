"""Keeps all messages about tournaments up to date, and posts each only once.

Every change marks its tournament. For a marked tournament, one task at a time compares the messages it should have with
those stored, and posts or edits the differences in order of time. Requests that Discord refuses are tried again later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import discord
from discord.ext import commands

from bot.clocks.clock import MINUTE, Clock
from bot.i18n import Words
from bot.tournaments.core.changes import TournamentChanged
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Place
from bot.tournaments.service import TournamentPost, TournamentService
from cogs.shared.discord_api import interactions
from cogs.shared.posting.edit_schedule import Alarm
from cogs.tournament.final_results import Closing
from cogs.tournament.sender import TournamentSender
from cogs.tournament.threads import MatchPlaces
from cogs.tournament.wanted_messages import WantedMessage, rounds_with_standings, wanted_messages

AGAIN: Final = MINUTE
"""Milliseconds until a failed request is tried again."""

LOOKED_AT: Final = 2
"""The number of newest rounds whose standings are kept up to date."""


class TournamentPresenter:
    """Updates the messages of all tournaments; one object for the whole process."""

    def __init__(
        self,
        tournaments: TournamentService,
        sending: TournamentSender,
        *,
        places: MatchPlaces,
        closing: Closing,
        clock: Clock,
    ) -> None:
        self._tournaments = tournaments
        self._sending = sending
        self._places = places
        self._closing = closing
        self._clock = clock
        self._marked: set[int] = set()
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._wrote: dict[tuple[int, str], int] = {}
        self._right: dict[int, tuple[Tournament, Words]] = {}
        self._alarm = Alarm(clock, self.mark)
        self._begun = False

    def changed(self, change: TournamentChanged) -> None:
        """Mark the tournament for update; called by the tournament service after each change."""
        self.mark(change.tournament)

    def mark(self, number: int) -> None:
        """Update the tournament's messages soon."""
        self._marked.add(number)
        self._start_worker(number)

    def start(self) -> asyncio.Task[None]:
        """Start and return the timer's task; no messages are sent before `begin`."""
        return self._alarm.start()

    async def begin(self) -> None:
        """Begin to update messages, now that the guilds and their languages are known."""
        self._begun = True
        for number in {*self._marked, *await self._tournaments.overview.to_show()}:
            self.mark(number)

    async def thread_lost(self, guild: int, thread: int) -> None:
        """Give the match of a deleted thread a new thread, and call it there without notifying anyone."""
        for one in await self._tournaments.overview.open_in(guild):
            if await self._places.replace_thread(one, thread):
                self.mark(one.id)

    async def idle(self) -> None:
        """Wait until all updates are done, except those scheduled for later."""
        while self._workers:
            await asyncio.wait(list(self._workers.values()))

    async def close(self) -> None:
        """Finish the updates under way and start no others."""
        self._begun = False
        await self._alarm.stop()
        tasks = list(self._workers.values())
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- one tournament

    def _start_worker(self, number: int) -> None:
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
        except Exception as error:  # noqa: BLE001 - an error in one tournament must not stop the others
            self._marked.discard(number)
            interactions.log_unexpected_error(error, "showing a tournament", tournament=number)
        finally:
            self._workers.pop(number, None)

    async def _present(self, number: int) -> int | None:
        """Update all messages; return the milliseconds until the next attempt, or None if all is done."""
        tournament = await self._tournaments.overview.look(number)
        if self._sending.guild_of(tournament) is None:
            return None
        await self._places.report_missing(tournament)
        waits = [None if await self._places.place_matches(tournament) else AGAIN]
        tournament = await self._tournaments.overview.look(number)
        words = self._sending.words_of(tournament)
        posts = await self._tournaments.overview.posts(number)
        pictures = await self._closing.pictures(words, tournament)
        before, said = self._right.get(number, (None, words))
        shown = await asyncio.to_thread(
            wanted_messages,
            words,
            tournament,
            await self._standings(tournament),
            pictures,
            before=before if said is words else None,
            posted={one.name for one in posts.values() if one.message is not None},
        )
        waits += [await self._update_message(tournament, one, posts.get(one.name)) for one in shown]
        wait = min((one for one in waits if one is not None), default=None)
        if wait is None:
            self._right[number] = tournament, words
        return wait

    async def _standings(self, tournament: Tournament) -> Mapping[int, tuple[Place, ...]]:
        shown = rounds_with_standings(tournament)[-LOOKED_AT:]
        return {one: await self._tournaments.overview.places(tournament.id, after_round=one) for one in shown}

    async def _update_message(
        self, tournament: Tournament, one: WantedMessage, post: TournamentPost | None
    ) -> int | None:
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
    """Listens to Discord events about guilds and threads."""

    def __init__(self, presenter: TournamentPresenter) -> None:
        self._presenter = presenter

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        await self._presenter.begin()

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self._presenter.thread_lost(payload.guild_id, payload.thread_id)
