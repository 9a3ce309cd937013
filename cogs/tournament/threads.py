"""Creates the threads in which matches are played, or uses the channel if threads are not allowed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import discord

from bot.clocks.clock import Clock
from bot.i18n import Words
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tournaments.event.boards import rooms_of
from bot.tournaments.event.match_state import MatchStage, MatchState, RoundStage
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import active_entrants
from bot.tournaments.service import TournamentService
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall
from cogs.shared.posting.mentions import Members
from cogs.shared.posting.request_budget import Priority
from cogs.shared.posting.update_queue import run_concurrently
from cogs.tournament import wording
from cogs.tournament.sender import TournamentSender

NOT_ALLOWED: Final = (CallTrouble.NO_PERMISSION, CallTrouble.NO_ACCESS, CallTrouble.NOT_TAKEN)
"""Failures that mean the bot cannot create threads, so that the channel itself is used."""

LONGEST_NAME: Final = 100


OPENED_AT_ONCE: Final = 8
"""Most threads that are opened at the same time; more would keep the calls of the first tables waiting."""

A_WAY: Final = 4
"""Threads that are opened for each request under way.

The library pauses for a whole window of Discord's limit as soon as the requests under way could use it up; a small
round would notice that.
"""


class MatchThreads:
    """Creates threads for called matches, a few at a time within the request budget."""

    def __init__(
        self,
        tournaments: TournamentService,
        tables: TableService,
        members: Members,
        sending: TournamentSender,
        *,
        clock: Clock,
    ) -> None:
        self._tournaments = tournaments
        self._tables = tables
        self._members = members
        self._sending = sending
        self._clock = clock

    async def place_matches(self, tournament: Tournament) -> bool:
        """Give every called match its thread or channel, which starts its clock; return whether all have one."""
        if tournament.stage is not Stage.RUNNING or tournament.is_paused:
            return True
        waiting = [
            (one, room)
            for one in tournament.matches
            if one.stage in (MatchStage.CALLED, MatchStage.PLAYING) and one.result is None and not one.voided
            for room in rooms_of(one)
            if one.channel_of_room(room) is None
        ]
        opened: list[discord.Thread] = []
        shared, at_once = iter(waiting), min(OPENED_AT_ONCE, max(1, len(waiting) // A_WAY))
        complete = await run_concurrently(self._place_rooms(tournament, shared, opened) for _ in range(at_once))
        await self._delete_thread_notices(opened)
        return all(complete)

    async def _place_rooms(
        self, tournament: Tournament, waiting: Iterator[tuple[MatchState, int]], opened: list[discord.Thread]
    ) -> bool:
        """Give the rooms of matches their threads one by one; return whether all have one.

        Several such workers share the iterator.
        """
        complete = True
        for match, room in waiting:
            complete = await self._place_room(tournament, match, room, opened) and complete
        return complete

    async def _place_room(
        self, tournament: Tournament, match: MatchState, room: int, opened: list[discord.Thread]
    ) -> bool:
        """Give a room of a match a thread or channel and move its table there; return False if it must wait.

        A new public thread is added to `opened`.
        """
        place = await self._open_thread(tournament, match, room, opened)
        if place is None:
            return False
        await self._tournaments.playing.set_match_channel(tournament.id, match.id, place, room=room)
        for one in match.tables:
            if one.room != room:
                continue
            try:
                await self._tables.places.move(
                    one.table, channel=tournament.channel, thread=place if place != tournament.channel else None
                )
            except TableRefusal:
                continue
        return True

    async def withdraw_missing_players(self, tournament: Tournament) -> bool:
        """Withdraw players of coming matches who left the server; return whether there were any.

        The search ends when the round is called, because the call must not wait for it.
        """
        turn = tournament.current_round
        if tournament.stage is not Stage.RUNNING or turn is None or turn.stage is not RoundStage.DRAWN:
            return False
        found = False
        for person in [person for one in active_entrants(tournament) for person in one.members if person > 0]:
            if self._clock.now() >= turn.call_at:
                break
            if await self._members.has_left_server(tournament.guild, person):
                await self._tournaments.entering.withdraw_person(tournament.id, person)
                found = True
        return found

    async def replace_thread(self, tournament: Tournament, thread: int) -> bool:
        """Replace a match's deleted thread; return whether a match of the tournament was played there."""
        for match in tournament.matches:
            room = next((one for one in rooms_of(match) if match.channel_of_room(one) == thread), None)
            if room is not None and match.result is None and not match.voided:
                opened: list[discord.Thread] = []
                done = await self._place_room(tournament, match, room, opened)
                await self._delete_thread_notices(opened)
                return done
        return False

    async def _open_thread(
        self, tournament: Tournament, match: MatchState, room: int, opened: list[discord.Thread]
    ) -> int | None:
        """Return the id of a new thread for the room, or of the channel; None if the room must wait."""
        guild = self._sending.guild_of(tournament)
        channel = None if guild is None else guild.get_channel(tournament.channel)
        private = tournament.plan.duplicate is not None
        if not isinstance(channel, discord.TextChannel):
            return None if private else tournament.channel
        kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
        name = thread_name(self._sending.words_of(tournament), tournament, match, room)
        before = self._find_unused_thread(tournament, channel, name)
        if before is not None:
            return before.id
        make = (
            partial(channel.create_thread, name=name, type=kind, invitable=False)
            if private
            else partial(channel.create_thread, name=name, type=kind)
        )
        thread = await self._sending.request(Priority.NOTIFY, make, "opening a thread for a match")
        if isinstance(thread, FailedCall):
            return tournament.channel if thread.trouble in NOT_ALLOWED and not private else None
        if not private:
            opened.append(thread)
        return thread.id

    def _find_unused_thread(
        self, tournament: Tournament, channel: discord.TextChannel, name: str
    ) -> discord.Thread | None:
        """Return the bot's own thread of that name that belongs to no match, or None.

        There is one if the bot crashed after opening the thread and before storing it.
        """
        placed = {match.channel_of_room(room) for match in tournament.matches for room in rooms_of(match)}
        for thread in channel.threads:
            ours = thread.owner_id == channel.guild.me.id and thread.name == name
            if ours and not thread.archived and thread.id not in placed:
                return thread
        return None

    async def _delete_thread_notices(self, threads: Sequence[discord.Thread]) -> None:
        """Delete Discord's own messages about new public threads.

        They are found by one request for all threads.
        """
        channel = threads[0].parent if threads else None
        if not isinstance(channel, discord.TextChannel):
            return
        names = {one.id: one.name for one in threads}

        async def fetch_newest_messages() -> list[discord.Message]:
            return [one async for one in channel.history(limit=len(threads) + OTHER_MESSAGES)]

        found = await self._sending.request(Priority.MEND, fetch_newest_messages, "looking for the lines about threads")
        for one in () if isinstance(found, FailedCall) else found:
            line = one.type is discord.MessageType.thread_created and one.author.id == threads[0].owner_id
            about = None if one.reference is None else one.reference.channel_id
            if line and (about in names or (about is None and one.content in names.values())):
                await self._sending.request(Priority.MEND, one.delete, "deleting a thread's line")


OTHER_MESSAGES: Final = 50
"""How many other messages may stand between the lines about new threads."""


def thread_name(words: Words, tournament: Tournament, match: MatchState, room: int) -> str:
    """Return the name of the thread of a match or of one of its rooms."""
    key = "thread_room" if len(rooms_of(match)) > 1 else "thread"
    text = words(f"tournament.{key}", name=tournament.plan.name, round=match.round, table=match.table, room=room)
    return wording.plain_text(text, longest=LONGEST_NAME)
