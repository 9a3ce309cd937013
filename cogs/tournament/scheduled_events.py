"""Keeps a Discord scheduled event for every tournament, if the bot has the permission."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import discord

from bot.clocks.clock import HOUR, Clock
from bot.clocks.time_rules import DAY
from bot.i18n import Words
from bot.outbox import CannotKeepPromise, Promised, PromiseKind, PromiseMustWait
from bot.tournaments.core.promised_effects import scheduled_event_content
from bot.tournaments.event.plan import Plan, total_time
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.service import TournamentPost, TournamentService
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall
from cogs.shared.posting.outbox_tasks import require_success
from cogs.shared.posting.request_budget import Priority
from cogs.tournament import wording
from cogs.tournament.sender import TournamentSender

NAME: Final = "calendar"

LONGEST_NAME: Final = 100

USUAL: Final = 3 * HOUR
"""The duration of an event whose tournament has no known length."""

OVER: Final = (Stage.CLOSING, Stage.CLOSED)
TAKEN_AWAY: Final = (Stage.CANCELLED, Stage.DRAFT)


class ScheduledEvents:
    """Creates, changes, starts, ends and deletes the scheduled events of tournaments.

    The outbox calls it after the steps of a tournament that matter for its event.
    """

    def __init__(self, tournaments: TournamentService, sending: TournamentSender, clock: Clock) -> None:
        self._tournaments = tournaments
        self._sending = sending
        self._clock = clock

    def outbox_handler(self) -> PromiseKind:
        """Return the handler with which the outbox updates an event."""
        return PromiseKind(self.update_event, online=True)

    async def update_event(self, row: Promised) -> None:
        """Update the event of the tournament in an outbox row.

        Raises `CannotKeepPromise` on failures later than a day after the tournament's end.
        """
        try:
            tournament = await self._tournaments.overview.get_tournament(int(row.key[1:]))
        except TournamentRefusal:
            return
        try:
            await self._update_scheduled_event(tournament)
        except Exception as error:
            if self._clock.now() > _end_instant(tournament.plan) + DAY:
                raise CannotKeepPromise from error
            raise

    async def _update_scheduled_event(self, tournament: Tournament) -> None:
        guild, digest = self._sending.guild_of(tournament), _event_digest(tournament)
        if guild is None:
            raise PromiseMustWait
        post = (await self._tournaments.overview.posts(tournament.id)).get(NAME)
        if post is not None and post.digest == digest:
            return
        number: int | None = None if post is None else post.message
        if number is None and tournament.stage in (Stage.OPEN, Stage.CHECK_IN):
            number = await self._create_scheduled_event(guild, tournament)
        elif number is not None:
            await self._edit_scheduled_event(guild, number, tournament)
            number = None if tournament.stage is Stage.DRAFT else number
        await self._tournaments.overview.record_post(tournament.id, TournamentPost(NAME, 0, number, digest))

    async def _create_scheduled_event(self, guild: discord.Guild, tournament: Tournament) -> int | None:
        """Create an event and return its id.

        If an earlier attempt created one but its answer was lost, that one is used.
        """
        start = tournament.plan.starts_at
        if start <= self._clock.now():
            return None
        name = event_name(tournament)
        known = require_success(
            await self._sending.request(
                Priority.DELETE, partial(guild.fetch_scheduled_events, with_counts=False), "looking for an event"
            )
        )
        for event in known:
            if (event.creator_id, event.name, event.start_time) == (guild.me.id, name, _as_datetime(start)):
                return event.id
        make = partial(
            guild.create_scheduled_event,
            name=name,
            description=_event_description(self._sending.words_of(tournament), tournament.plan),
            start_time=_as_datetime(start),
            end_time=_as_datetime(_end_instant(tournament.plan)),
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
            location=_event_location(guild, tournament),
        )
        return require_success(await self._sending.request(Priority.DELETE, make, "scheduling an event")).id

    async def _edit_scheduled_event(self, guild: discord.Guild, event_number: int, tournament: Tournament) -> None:
        found = await self._sending.request(
            Priority.DELETE, partial(guild.fetch_scheduled_event, event_number), "looking a scheduled event up"
        )
        if isinstance(found, FailedCall) and found.trouble is CallTrouble.MESSAGE_GONE:
            return  # the event was deleted at Discord
        event = require_success(found)
        call: Any = partial(event.edit, **_changed_values(tournament, event))
        if tournament.stage in TAKEN_AWAY or not call.keywords:
            call = event.delete if tournament.stage in TAKEN_AWAY else None
        if call is not None:
            require_success(await self._sending.request(Priority.DELETE, call, "changing a scheduled event"))


def event_name(tournament: Tournament) -> str:
    """Return the name of a tournament's scheduled event on Discord.

    It is not escaped, because Discord shows no markup there.
    """
    return wording.plain_text(tournament.plan.name, longest=LONGEST_NAME)


def _end_instant(plan: Plan) -> int:
    return plan.starts_at + (total_time(plan) or USUAL)


def _changed_values(tournament: Tournament, event: discord.ScheduledEvent) -> dict[str, Any]:
    """Return the values to change in a scheduled event; a started event keeps its times."""
    if tournament.stage in OVER:
        active = event.status is discord.EventStatus.active
        return {"status": discord.EventStatus.completed} if active else {}
    if tournament.stage is Stage.RUNNING:
        scheduled = event.status is discord.EventStatus.scheduled
        return {"status": discord.EventStatus.active} if scheduled else {}
    start = tournament.plan.starts_at
    return {
        "name": event_name(tournament),
        "start_time": _as_datetime(start),
        "end_time": _as_datetime(_end_instant(tournament.plan)),
    }


def _event_digest(tournament: Tournament) -> str:
    text = " ".join(map(str, scheduled_event_content(tournament)))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _event_description(words: Words, plan: Plan) -> str:
    return words(
        "tournament.calendar", rules=wording.plain_rules_name(words, plan), people=wording.entrants_text(words, plan)
    )


def _event_location(guild: discord.Guild, tournament: Tournament) -> str:
    channel = guild.get_channel_or_thread(tournament.channel)
    return "#canasta" if channel is None else f"#{channel.name}"[:LONGEST_NAME]


def _as_datetime(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
