"""Opening a table with its lobby message and thread, and closing it with `/table close`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import discord

from bot.tables.state.clocks import Level
from bot.tables.state.proposals import ProposalKind
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.door import interactions, places
from cogs.shared.door.calls import Failed, attempt
from cogs.shared.door.components import Page, text_page
from cogs.shared.door.interactions import Interaction
from cogs.shared.posting.threads import announcement
from cogs.shared.serving import choices
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import require_admitted, settings_of
from cogs.shared.serving.quiet_hours import ask_newcomer
from cogs.shared.showing.questions import alone_page, outcome_text
from cogs.shared.telling import names
from cogs.table.proposers import Proposers


async def close_page(context: Context, interaction: Interaction, table: int, proposers: Proposers) -> Page:
    """Close a lobby, or propose to end the game; the only human player must first confirm.

    Refusals as `LobbyService.close`.
    """
    look = await context.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if plays_alone(look, interaction.user.id):
        return alone_page(interactions.words_for(interaction), look)
    moderator = interaction.permissions.manage_guild
    look = await context.tables.lobby.close(interactions.caller_of(interaction), table, moderator=moderator)
    words = interactions.words_for(interaction)
    if look.status is Status.CLOSED:
        return text_page(words("done.closed", table=look.id))
    proposers.note(interaction, look)
    return text_page(outcome_text(words, look, ProposalKind.END, "consent.asked"))


def plays_alone(look: TableSnapshot, person: int) -> bool:
    """Return whether the person plays a running game with computer players only."""
    return look.status is Status.PLAYING and look.persons == (person,)


_THREAD_MINUTES: Final = 10080
"""Minutes without a message until a thread is archived: a week, the longest that Discord allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The wished settings of a new table; those left out get the defaults of `LobbyService.create`."""

    rules: str | None = None
    players: int | None = None
    target: int | None = None
    computers: int = 0
    level: Level | None = None
    themes: tuple[str, ...] = ()
    clock: str | None = None
    length: int | None = None
    rated: bool = False


USUAL: Final = Wish()


async def open_table(context: Context, interaction: Interaction, wish: Wish = USUAL) -> None:
    """Open a table in the channel of the interaction, if the guild allows tables there, and answer.

    Refusals as `LobbyService.create`; raises `InputProblem` for an unreadable clock or a forbidden channel.
    """
    place = places.of_interaction(interaction)
    server = await require_admitted(context, place)
    places.require_permissions(interaction)
    clock = server.clock if wish.clock is None else choices.typed_clock(wish.clock)
    settings = settings_of(server, clock=clock, deals=wish.length, rated=wish.rated, level=wish.level)
    private = settings.private_thread
    in_thread = place.thread is None and places.may_open_threads(interaction, private=private)
    if in_thread:
        interactions.acknowledge_publicly(interaction)
    with context.presenter.placing(place.posts_in):
        look = await context.tables.lobby.create(
            interactions.caller_of(interaction),
            channel=place.channel,
            thread=place.thread,
            rules=wish.rules,
            players=wish.players,
            target=wish.target,
            computers=wish.computers,
            themes=wish.themes,
            settings=settings,
        )
        if in_thread:
            await _announce(context, interaction, look)
        else:
            await interactions.say(interaction, interactions.words_for(interaction)("done.created", table=look.id))
    await ask_newcomer(context, interaction, look)


async def _announce(context: Context, interaction: Interaction, look: TableSnapshot) -> None:
    """Announce the table in the channel and create its thread.

    If no thread can be created the table stays in the channel. A private thread belongs to no message, so the
    announcement of such a table is never updated.
    """
    words = interactions.words_for_all(interaction, context.servers.locale(look.guild))
    message = await interactions.show(interaction, announcement(words, look), private=False)
    if message is None:
        return
    host = names.of_seats(words, look)[look.seat_of(look.host) or 0]
    name = words("lobby.thread_name", table=look.id, host=host)[:100]
    private, channel = look.settings.private_thread, interaction.channel
    if private and isinstance(channel, discord.TextChannel):
        opening = channel.create_thread(
            name=name,
            type=discord.ChannelType.private_thread,
            auto_archive_duration=_THREAD_MINUTES,
            invitable=not interaction.app_permissions.manage_threads,
        )
    else:
        opening = message.create_thread(name=name, auto_archive_duration=_THREAD_MINUTES)
    opened = await attempt(opening, "opening a thread", table=look.id)
    if isinstance(opened, Failed):
        return
    await context.tables.places.move(look.id, channel=look.channel, thread=opened.id)
    if not private:
        await context.tables.places.note_announced(look.id, joinable=True)
    told = announcement(words, await context.tables.reading.snapshot(look.id))
    await attempt(message.edit(view=told.view), "telling of a thread", table=look.id)
