"""Keeps a Discord scheduled event for every tournament, if the bot has the permission."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import discord

from bot.clocks.clock import HOUR, Clock
from bot.i18n import Words
from bot.tournaments.event.plan import Plan, length
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.service import TournamentPost, TournamentService
from cogs.shared.door.calls import Failed
from cogs.shared.posting.budget import Priority
from cogs.tournament import wording
from cogs.tournament.sender import TournamentSender

NAME: Final = "calendar"

LONGEST_NAME: Final = 100

USUAL: Final = 3 * HOUR
"""The duration of an event whose tournament has no known length."""

OVER: Final = (Stage.CLOSING, Stage.CLOSED)
TAKEN_AWAY: Final = (Stage.CANCELLED, Stage.DRAFT)


class Calendar:
    """Creates and updates the scheduled events; does nothing where the bot lacks the permission."""

    def __init__(self, tournaments: TournamentService, sending: TournamentSender, clock: Clock) -> None:
        self._tournaments = tournaments
        self._sending = sending
        self._clock = clock

    async def update(self, tournament: Tournament, words: Words, posts: Mapping[str, TournamentPost]) -> None:
        """Create, change, start, end or delete the scheduled event to match the tournament."""
        guild, post = self._sending.guild_of(tournament), posts.get(NAME)
        digest = _digest(tournament)
        if guild is None or not tournament.commitment or (post is not None and post.digest == digest):
            return
        number: int | None = None if post is None else post.message
        if number is None and tournament.stage in (Stage.OPEN, Stage.CHECK_IN):
            number = await self._create(guild, tournament, words)
        elif number is not None:
            await self._edit(guild, number, tournament)
            number = None if tournament.stage is Stage.DRAFT else number
        await self._tournaments.overview.note_post(tournament.id, TournamentPost(NAME, 0, number, digest))

    async def _create(self, guild: discord.Guild, tournament: Tournament, words: Words) -> int | None:
        start = tournament.plan.starts_at
        if start <= self._clock.now():
            return None
        make = partial(
            guild.create_scheduled_event,
            name=tournament.plan.name[:LONGEST_NAME],
            description=_description(words, tournament.plan),
            start_time=_instant(start),
            end_time=_instant(start + (length(tournament.plan) or USUAL)),
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
            location=_location(guild, tournament),
        )
        made = await self._sending.request(Priority.DELETE, make, "scheduling an event")
        return None if isinstance(made, Failed) else made.id

    async def _edit(self, guild: discord.Guild, number: int, tournament: Tournament) -> None:
        found = await self._sending.request(
            Priority.DELETE, partial(guild.fetch_scheduled_event, number), "looking a scheduled event up"
        )
        if isinstance(found, Failed):
            return
        call: Any = partial(found.edit, **_values(tournament, found))
        if tournament.stage in TAKEN_AWAY or not call.keywords:
            call = found.delete if tournament.stage in TAKEN_AWAY else None
        if call is not None:
            await self._sending.request(Priority.DELETE, call, "changing a scheduled event")


def _values(tournament: Tournament, found: discord.ScheduledEvent) -> dict[str, Any]:
    """Return the values to change in a scheduled event; a started event keeps its times."""
    if tournament.stage in OVER:
        active = found.status is discord.EventStatus.active
        return {"status": discord.EventStatus.completed} if active else {}
    if tournament.stage is Stage.RUNNING:
        scheduled = found.status is discord.EventStatus.scheduled
        return {"status": discord.EventStatus.active} if scheduled else {}
    start = tournament.plan.starts_at
    return {
        "name": tournament.plan.name[:LONGEST_NAME],
        "start_time": _instant(start),
        "end_time": _instant(start + (length(tournament.plan) or USUAL)),
    }


def _digest(tournament: Tournament) -> str:
    stage = tournament.stage
    told = "over" if stage in OVER else "soon" if stage in (Stage.OPEN, Stage.CHECK_IN) else stage.value
    shown = f"{tournament.plan.name} {tournament.plan.starts_at} {told}"
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def _description(words: Words, plan: Plan) -> str:
    return words("tournament.calendar", rules=wording.rules(words, plan), people=wording.people(words, plan))


def _location(guild: discord.Guild, tournament: Tournament) -> str:
    channel = guild.get_channel_or_thread(tournament.channel)
    return "#canasta" if channel is None else f"#{channel.name}"[:LONGEST_NAME]


def _instant(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
