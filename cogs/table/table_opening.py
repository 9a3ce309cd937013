"""Opening a table: the lobby, and the thread in which it lives where there may be one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import discord

from bot.tables.looks import TableSnapshot
from cogs.shared.door import patience, replies, table_places
from cogs.shared.door.calls import Failed, attempt
from cogs.shared.door.replies import Interaction
from cogs.shared.posting.threads import announcement
from cogs.shared.serving import clock_offers
from cogs.shared.serving.context import Context
from cogs.shared.serving.new_tables import admitted, settings_of
from cogs.shared.serving.quiet_question import ask_newcomer
from cogs.shared.telling import names

_THREAD_MINUTES: Final = 10080
"""A thread is archived after a week without a message, the longest Discord knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants a new table to be; what is left out is as usual (`TableService.create`)."""

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

    Refusals as `TableService.create`; raises `InputProblem` for a clock that cannot be read, and elsewhere.
    """
    place = table_places.of_interaction(interaction)
    server = await admitted(context, place)
    table_places.require_permissions(interaction)
    clock = server.clock if wish.clock is None else clock_offers.typed_clock(wish.clock)
    settings = settings_of(server, clock=clock, deals=wish.length, rated=wish.rated)
    private = settings.private_thread
    in_thread = place.thread is None and table_places.may_open_threads(interaction, private=private)
    if in_thread:
        patience.publicly(interaction)
    with context.presenter.placing(place.posts_in):
        look = await context.tables.create(
            replies.caller_of(interaction),
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
            await replies.say(interaction, replies.words_for(interaction)("done.created", table=look.id))
    await ask_newcomer(context, interaction, look)


async def _announce(context: Context, interaction: Interaction, look: TableSnapshot) -> None:
    """Tell the channel, and give the table a thread below that message; without one it lives in the channel.

    A private thread hangs below no message, so the one that tells of it cannot be found again and stays as it is.
    """
    words = replies.words_for_all(interaction, context.servers.locale(look.guild))
    message = await replies.show(interaction, announcement(words, look), private=False)
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
    await context.tables.move(look.id, channel=look.channel, thread=opened.id)
    if not private:
        await context.tables.note_announced(look.id, joinable=True)
    told = announcement(words, await context.tables.look(look.id))
    await attempt(message.edit(view=told.view), "telling of a thread", table=look.id)
