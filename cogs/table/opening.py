"""Opening a table: the lobby, and the thread in which it lives where there may be one.

Closing a table: what `/table close` answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import discord

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
from cogs.table.confirmations import Askers


async def close_page(context: Context, interaction: Interaction, table: int, askers: Askers) -> Page:
    """Close a table, or propose to end its game; a person who is alone at a game is asked to confirm it first.

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
    askers.note(interaction, look)
    return text_page(outcome_text(words, look, ProposalKind.END, "consent.asked"))


def plays_alone(look: TableSnapshot, person: int) -> bool:
    """Whether that person has a running game with computer players to itself."""
    return look.status is Status.PLAYING and look.persons == (person,)


_THREAD_MINUTES: Final = 10080
"""A thread is archived after a week without a message, the longest Discord knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants a new table to be; what is left out is as usual (`LobbyService.create`)."""

    rules: str | None = None
    players: int | None = None
    target: int | None = None
    computers: int = 0
    themes: tuple[str, ...] = ()
    clock: str | None = None
    length: int | None = None
    rated: bool = False


USUAL: Final = Wish()


async def open_table(context: Context, interaction: Interaction, wish: Wish = USUAL) -> None:
    """Open a table where somebody asks for it and the server wants tables, and answer.

    Refusals as `LobbyService.create`; raises `InputProblem` for a clock that cannot be read, and elsewhere.
    """
    place = places.of_interaction(interaction)
    server = await require_admitted(context, place)
    places.require_permissions(interaction)
    clock = server.clock if wish.clock is None else choices.typed_clock(wish.clock)
    settings = settings_of(server, clock=clock, deals=wish.length, rated=wish.rated)
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
    """Tell the channel, and give the table a thread below that message; without one it lives in the channel.

    A private thread hangs below no message, so the one that tells of it cannot be found again and stays as it is.
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
