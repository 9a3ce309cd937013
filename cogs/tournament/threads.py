"""Where the matches of a tournament are played: a thread each, or its channel where it may not open threads."""

from __future__ import annotations

from functools import partial
from typing import Final

import discord

from bot.i18n import Words
from bot.tables.service import TableService
from bot.tables.state.refusals import TableRefusal
from bot.tournaments.event.boards import people_in, rooms_of
from bot.tournaments.event.match_state import MatchStage, MatchState, RoundStage
from bot.tournaments.event.steps import active_entrants
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.service import TournamentService
from cogs.shared.door.calls import Failed, Trouble
from cogs.shared.posting.budget import Priority
from cogs.shared.posting.mentions import Members
from cogs.tournament import wording
from cogs.tournament.sender import Sending

NOT_ALLOWED: Final = (Trouble.NO_PERMISSION, Trouble.NO_ACCESS, Trouble.NOT_TAKEN)
"""What keeps a channel from having threads; the channel itself stands in then."""

LONGEST_NAME: Final = 100


class Places:
    """Makes the threads of matches that are called, one after the other within the bot's budget."""

    def __init__(
        self, tournaments: TournamentService, tables: TableService, members: Members, sending: Sending
    ) -> None:
        self._tournaments = tournaments
        self._tables = tables
        self._members = members
        self._sending = sending

    async def made(self, tournament: Tournament) -> bool:
        """Give every called match its place, whose clock starts with it; False where some have to wait."""
        if tournament.stage is not Stage.RUNNING or tournament.paused:
            return True
        waiting = [
            (one, room)
            for one in tournament.matches
            for room in rooms_of(one)
            if one.stage in (MatchStage.CALLED, MatchStage.PLAYING) and one.place_in(room) is None
            if one.result is None and not one.voided
        ]
        complete = True
        for match, room in waiting:
            complete = await self._placed(tournament, match, room) and complete
        return complete

    async def _placed(self, tournament: Tournament, match: MatchState, room: int) -> bool:
        """Give a room of a match a place, to which a table that it has already moves; False where it has to wait."""
        place = await self._place_for(tournament, match, room)
        if place is None:
            return False
        await self._tournaments.playing.place(tournament.id, match.id, place, room=room)
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

    async def missing(self, tournament: Tournament) -> bool:
        """Whether somebody who is about to be called has left the server; the tournament is told of it."""
        turn = tournament.current
        if tournament.stage is not Stage.RUNNING or turn is None or turn.stage is not RoundStage.DRAWN:
            return False
        found = False
        for person in [person for one in active_entrants(tournament) for person in one.people if person > 0]:
            if await self._members.is_gone(tournament.guild, person):
                await self._tournaments.entering.gone(tournament.id, person)
                found = True
        return found

    async def lost(self, tournament: Tournament, thread: int) -> bool:
        """A thread was deleted; whether a match of the tournament lived there, which lives in a new one now."""
        for match in tournament.matches:
            room = next((one for one in rooms_of(match) if match.place_in(one) == thread), None)
            if room is not None and match.result is None and not match.voided:
                return await self._placed(tournament, match, room)
        return False

    async def _place_for(self, tournament: Tournament, match: MatchState, room: int) -> int | None:
        """The thread that the room has from now on, or the channel; None where it has to wait for either."""
        guild = self._sending.guild_of(tournament)
        channel = None if guild is None else guild.get_channel(tournament.channel)
        private = tournament.plan.duplicate is not None
        if not isinstance(channel, discord.TextChannel):
            return None if private else tournament.channel
        kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
        name = thread_name(self._sending.words_of(tournament), tournament, match, room)
        make = (
            partial(channel.create_thread, name=name, type=kind, invitable=False)
            if private
            else partial(channel.create_thread, name=name, type=kind)
        )
        thread = await self._sending.request(Priority.NOTIFY, make, "opening a thread for a match")
        if isinstance(thread, Failed):
            return tournament.channel if thread.trouble in NOT_ALLOWED and not private else None
        if private:
            for person in [one for one in people_in(match, room) if one is not None]:
                add = partial(thread.add_user, discord.Object(person))
                await self._sending.request(Priority.EDIT, add, "adding somebody to a thread")
        return thread.id


def thread_name(words: Words, tournament: Tournament, match: MatchState, room: int) -> str:
    """The name of the thread of a match, or of one of its rooms."""
    key = "thread_room" if len(rooms_of(match)) > 1 else "thread"
    told = words(f"tournament.{key}", name=tournament.plan.name, round=match.round, table=match.table, room=room)
    return wording.plain(told, longest=LONGEST_NAME)
