"""Opening a table with its lobby message and thread, by the guild's settings for new tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import discord

from bot.clocks.time_rules import ClockTerms
from bot.profiles.guild_settings import USUAL_IDLE, ServerSettings
from bot.tables.state.clocks import DEFAULT_LEVEL, Level, TableSettings
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import LONGEST_OPTION, button_row, fit_text, page, text
from cogs.shared.discord_api.discord_calls import FailedCall, attempt_call
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.discord_api.table_places import Place
from cogs.shared.posting.threads import announcement_page
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import option_choices
from cogs.shared.serving.context import Context
from cogs.shared.serving.quiet_hours import ask_newcomer_for_quiet_hours
from cogs.shared.showing.lobby import learn_button
from cogs.shared.telling import names


async def require_tables_allowed(context: Context, place: Place) -> ServerSettings:
    """Return the guild's settings. Raises `InputProblem` if tables are not allowed in this channel."""
    server = await context.servers.settings(place.guild)
    if not server.allows_tables_in(place.channel):
        raise InputProblem(InputCode.NOT_HERE, {"channels": ",".join(str(one) for one in server.channels)})
    return server


def new_table_settings(
    server: ServerSettings,
    *,
    clock: ClockTerms | None,
    deals: int | None = None,
    rated: bool = False,
    level: Level | None = None,
) -> TableSettings:
    """Return the settings of a new table."""
    return TableSettings(
        clock=clock,
        deals=deals,
        idle=None if server.idle == USUAL_IDLE else server.idle,
        private_thread=server.has_private_threads,
        rated=rated,
        level=level or DEFAULT_LEVEL,
    )


_THREAD_MINUTES: Final = 10080
"""Minutes without a message until a thread is archived: a week, the longest that Discord allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableWish:
    """The settings that a person requested for a new table.

    Settings that are not given get the defaults of `LobbyService.create`.
    """

    rules: str | None = None
    players: int | None = None
    target: int | None = None
    computers: int = 0
    themes: tuple[str, ...] = ()
    clock: str | None = None
    length: int | None = None
    rated: bool = False
    level: Level | None = None


USUAL: Final = TableWish()


async def open_table(
    context: Context,
    interaction: Interaction,
    wish: TableWish = USUAL,
    settings: TableSettings | None = None,
    *,
    opened: Callable[[], None] = lambda: None,
) -> TableSnapshot:
    """Open a table in the channel of the interaction, if the server allows tables there.

    Answer the interaction and return the table. `settings` replace those derived from the wish and the server. `opened`
    is called as soon as others can find the table, before it is announced. Refusals as `LobbyService.create`; raises
    `InputProblem` for an unreadable clock or a forbidden channel.
    """
    place = table_places.place_of_interaction(interaction)
    server = await require_tables_allowed(context, place)
    table_places.require_permissions(interaction)
    if settings is None:
        clock = server.clock if wish.clock is None else option_choices.parse_clock(wish.clock)
        settings = new_table_settings(server, clock=clock, deals=wish.length, rated=wish.rated, level=wish.level)
    private = settings.private_thread
    in_thread = place.thread is None and table_places.may_open_threads(interaction, private=private)
    if in_thread:
        interactions.acknowledge_publicly(interaction)
    with context.board_updater.hold_new_boards(place.post_channel):
        snapshot = await context.tables.lobby.create(
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
        opened()
        if in_thread:
            await _announce_table(context, interaction, snapshot)
        else:
            await interactions.answer_privately(
                interaction, interactions.words_for(interaction)("done.created", table=snapshot.id)
            )
    await ask_newcomer_for_quiet_hours(context, interaction, snapshot)
    await offer_lessons(context, interaction)
    return snapshot


async def offer_lessons(context: Context, interaction: Interaction) -> None:
    """Offer the lessons to a newcomer once, privately."""
    if await context.lessons.mark_offered_to_newcomer(interaction.user.id):
        words = interactions.words_for(interaction)
        parts = [text(words("lesson.offer")), button_row(learn_button(words))]
        await interactions.show_page(interaction, page(part for part in parts if part is not None))


async def _announce_table(context: Context, interaction: Interaction, snapshot: TableSnapshot) -> None:
    """Announce the table in the channel and create its thread.

    If no thread can be created the table stays in the channel. A private thread belongs to no message, so the
    announcement of such a table is never updated.
    """
    words = interactions.server_words(interaction, context.servers.locale(snapshot.guild))
    message = await interactions.show_page(interaction, announcement_page(words, snapshot), private=False)
    if message is None:
        return
    host = names.all_seat_names(words, snapshot)[snapshot.seat_of(snapshot.host) or 0]
    name = fit_text(words("lobby.thread_name", table=snapshot.id, host=host), LONGEST_OPTION, may_be_cut=True)
    private, channel = snapshot.settings.private_thread, interaction.channel
    if private and isinstance(channel, discord.TextChannel):
        opening = channel.create_thread(
            name=name,
            type=discord.ChannelType.private_thread,
            auto_archive_duration=_THREAD_MINUTES,
            invitable=not interaction.app_permissions.manage_threads,
        )
    else:
        opening = message.create_thread(name=name, auto_archive_duration=_THREAD_MINUTES)
    opened = await attempt_call(opening, "opening a thread", table=snapshot.id)
    if isinstance(opened, FailedCall):
        return
    await context.tables.places.move(snapshot.id, channel=snapshot.channel, thread=opened.id)
    if not private:
        await context.tables.places.record_thread_message(snapshot.id, joinable=True)
    told = announcement_page(words, await context.tables.reading.snapshot(snapshot.id))
    await attempt_call(message.edit(view=told.view), "telling of a thread", table=snapshot.id)
