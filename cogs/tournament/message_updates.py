"""Keeps all messages about tournaments up to date; each is posted only once.

Every change marks its tournament. For a marked tournament, one task at a time compares the messages it should have with
those stored, and posts or edits the differences, in each channel in order of time. Another task gives called matches
their threads meanwhile. Requests that Discord refuses are tried again later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final

import discord
from discord.ext import commands

from bot.clocks.clock import MINUTE, Clock
from bot.i18n import Words
from bot.tournaments.core.repository import TournamentChanged
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats.ranking import Place
from bot.tournaments.service import TournamentPost, TournamentService
from cogs.shared.posting.update_queue import UpdateQueue, run_concurrently
from cogs.tournament.final_results import ClosingPictures
from cogs.tournament.sender import TournamentSender
from cogs.tournament.threads import MatchThreads
from cogs.tournament.wanted_messages import WantedMessage, rounds_with_standings, wanted_messages

RETRY_DELAY: Final = MINUTE
"""Milliseconds until a failed request is tried again."""

ROUNDS_KEPT_UP_TO_DATE: Final = 2
"""The number of newest rounds whose standings are kept up to date."""


class TournamentMessageUpdater:
    """Updates the messages of all tournaments; one object for the whole process."""

    def __init__(
        self,
        tournaments: TournamentService,
        sender: TournamentSender,
        *,
        places: MatchThreads,
        closing: ClosingPictures,
        clock: Clock,
    ) -> None:
        self._tournaments = tournaments
        self._sender = sender
        self._threads = places
        self._closing_pictures = closing
        self._clock = clock
        self._edited_at: dict[tuple[int, str], int] = {}
        self._shown: dict[int, tuple[Tournament, Words]] = {}
        """Each tournament in the state, and the language, that its messages show."""
        self._thread_queue = UpdateQueue(
            self._place_matches_or_retry, clock=clock, subject="tournament", gone=TournamentRefusal
        )
        self._message_queue = UpdateQueue(
            self._update_messages_or_retry, clock=clock, subject="tournament", gone=TournamentRefusal
        )

    def on_change(self, change: TournamentChanged) -> None:
        """Request an update of the tournament's messages; the tournament service calls this after each change."""
        self.request_update(change.tournament)

    def request_update(self, tournament_number: int) -> None:
        """Update the tournament's messages soon."""
        self._thread_queue.request_update(tournament_number)
        self._message_queue.request_update(tournament_number)

    def start(self) -> asyncio.Task[None]:
        """Start and return the timers' task; no messages are sent before `begin`."""
        timers = self._thread_queue.start(), self._message_queue.start()

        async def run_alarms() -> None:
            await asyncio.gather(*timers)

        return asyncio.create_task(run_alarms(), name="timers of tournaments")

    async def begin(self) -> None:
        """Begin to update messages, now that the guilds and their languages are known."""
        numbers = await self._tournaments.overview.numbers_to_update_after_start()
        self._thread_queue.begin(numbers)
        self._message_queue.begin(numbers)

    async def replace_lost_thread(self, guild: int, thread: int) -> None:
        """Give the match of a deleted thread a new thread, and call it there without notifying anyone."""
        for one in await self._tournaments.overview.open_tournaments_in(guild):
            if await self._threads.replace_thread(one, thread):
                self.request_update(one.id)

    async def wait_until_idle(self) -> None:
        """Wait until all updates are done, except those scheduled for later."""
        await self._thread_queue.wait_until_idle()
        await self._message_queue.wait_until_idle()

    async def close(self) -> None:
        """Finish the updates under way and start no others."""
        await asyncio.gather(self._thread_queue.close(), self._message_queue.close())

    # --- one tournament

    async def _place_matches_or_retry(self, tournament_number: int) -> int | None:
        """Give all called matches their threads; return when to try again, or None if all have theirs."""
        tournament = await self._tournaments.overview.get_tournament(tournament_number)
        if self._sender.guild_of(tournament) is None:
            return None
        await self._threads.withdraw_missing_players(tournament)
        tournament = await self._tournaments.overview.get_tournament(tournament_number)
        return None if await self._threads.place_matches(tournament) else self._clock.now() + RETRY_DELAY

    async def _update_messages_or_retry(self, tournament_number: int) -> int | None:
        """Update all messages; return when to try again (UTC milliseconds), or None if all is done."""
        wait = await self._update_all_messages(tournament_number)
        return None if wait is None else self._clock.now() + wait

    async def _update_all_messages(self, tournament_number: int) -> int | None:
        """Update all messages; return in how many milliseconds to try again, or None if all is done."""
        tournament = await self._tournaments.overview.get_tournament(tournament_number)
        if self._sender.guild_of(tournament) is None:
            return None
        words = self._sender.words_of(tournament)
        posts = await self._tournaments.overview.posts(tournament_number)
        pictures = await self._closing_pictures.draw(words, tournament)
        before, said = self._shown.get(tournament_number, (None, words))
        shown = await asyncio.to_thread(
            wanted_messages,
            words,
            tournament,
            await self._load_standings(tournament),
            pictures,
            previous=before if said is words else None,
            posted={one.name for one in posts.values() if one.message is not None},
        )
        in_threads = {
            channel: wanted for channel, wanted in _group_by_channel(shown).items() if channel != tournament.channel
        }
        posts_calls = any(_is_message_missing(one, posts) for wanted in in_threads.values() for one in wanted)
        waits = await run_concurrently(
            self._update_messages(tournament, wanted, posts) for wanted in in_threads.values()
        )
        if posts_calls and self._message_queue.is_update_requested(tournament_number):
            return None  # more tables wait for their calls, which must not wait for edits in the channel
        rest = [one for one in shown if one.channel == tournament.channel]
        waits.append(await self._update_messages(tournament, rest, posts))
        wait = min((one for one in waits if one is not None), default=None)
        if wait is None:
            self._shown[tournament_number] = tournament, words
        return wait

    async def _load_standings(self, tournament: Tournament) -> Mapping[int, tuple[Place, ...]]:
        shown = rounds_with_standings(tournament)[-ROUNDS_KEPT_UP_TO_DATE:]
        return {one: await self._tournaments.overview.places(tournament.id, after_round=one) for one in shown}

    async def _update_messages(
        self, tournament: Tournament, wanted: Sequence[WantedMessage], posts: Mapping[str, TournamentPost]
    ) -> int | None:
        """Update the messages of one channel in order.

        Return in how many milliseconds to try again, or None if all is done.
        """
        waits = [await self._update_message(tournament, one, posts.get(one.name)) for one in wanted]
        return min((one for one in waits if one is not None), default=None)

    async def _update_message(
        self, tournament: Tournament, wanted: WantedMessage, post: TournamentPost | None
    ) -> int | None:
        key = tournament.id, wanted.name
        if post is None or post.message is None:
            failed = await self._sender.post(tournament, wanted, post)
        elif not wanted.is_updated or post.digest == wanted.digest:
            return None
        else:
            since = self._clock.now() - self._edited_at.get(key, 0)
            if since < wanted.edit_interval:
                return wanted.edit_interval - since
            failed = await self._sender.edit(tournament, wanted, post)
        if wanted.edit_interval:
            self._edited_at[key] = self._clock.now()
        return None if failed is None else RETRY_DELAY


def _is_message_missing(wanted: WantedMessage, posts: Mapping[str, TournamentPost]) -> bool:
    """Return whether the message has not been posted yet."""
    post = posts.get(wanted.name)
    return post is None or post.message is None


def _group_by_channel(messages: Sequence[WantedMessage]) -> Mapping[int, Sequence[WantedMessage]]:
    """Return the messages by the channel or thread in which they belong, in unchanged order."""
    found: dict[int, list[WantedMessage]] = {}
    for one in messages:
        found.setdefault(one.channel, []).append(one)
    return found


class TournamentEventListener(commands.Cog):
    """Listens to Discord events about guilds and threads."""

    def __init__(self, updater: TournamentMessageUpdater) -> None:
        self._updater = updater

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        await self._updater.begin()

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self._updater.replace_lost_thread(payload.guild_id, payload.thread_id)
