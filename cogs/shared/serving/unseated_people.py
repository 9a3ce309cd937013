"""Private pages for people without a seat at a table: a lost seat, a free one, watching."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Final

from discord import ui

from bot.i18n import Words
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page, button, button_rows, page, text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.posting.mentions import persons_known_to_have_left
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.showing.lost_seat_page import lost_seat_page
from cogs.shared.telling import names

MOST_SEATS: Final = 5
"""Maximum number of seats offered."""


async def panel_or_unseated_page(context: Context, interaction: Interaction, table: int) -> Page:
    """Return the person's panel; without a seat, the page of what they can do at a running game."""
    snapshot = await context.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id)
    if snapshot.status is Status.PLAYING and snapshot.seat_of(interaction.user.id) is None:
        return await page_without_seat(context, interaction, snapshot)
    if snapshot.vote is not None and interaction.user.id in persons_known_to_have_left(snapshot):
        await context.tables.absence.handle_return(table, interaction.user.id)
    return await panel.hand_page(context, interaction, table)


async def page_unless_seat_lost(
    context: Context, interaction: Interaction, table: int, page: Coroutine[Any, Any, Page]
) -> Page:
    """Await and return the page; if the person has lost their seat, the page that offers it back.

    Raises its refusals; a person who never sat at the table gets `not_seated`.
    """
    try:
        return await page
    except TableRefusal as refusal:
        if refusal.code is not TableCode.NOT_SEATED:
            raise
        snapshot = await context.tables.reading.snapshot_for(
            table, person=interaction.user.id, guild=interaction.guild_id
        )
        if lost_seat_page(interactions.words_for(interaction), snapshot, interaction.user.id) is None:
            raise
        return await page_without_seat(context, interaction, snapshot)


async def page_without_seat(context: Context, interaction: Interaction, snapshot: TableSnapshot) -> Page:
    """Return the page with what a person without a seat can do at a running game."""
    person = interaction.user.id
    watches = any(one.person == person for one in await context.tables.places.spectators(snapshot.id))
    return unseated_page(interactions.words_for(interaction), snapshot, person, watches=watches)


def unseated_page(words: Words, snapshot: TableSnapshot, person: int, *, watches: bool) -> Page:
    """Return the page for a person without a seat at a running game: watch, or take a seat."""
    lost = lost_seat_page(words, snapshot, person)
    if lost is not None and any(holder.kept_for == person for holder in snapshot.seats):
        return lost
    if watches:
        stop = action_button(snapshot, "watch_no", words("watching.stop"))
        return _buttons_page(words("watching.watches"), [*_free_seat_buttons(words, snapshot), stop])
    watch = [action_button(snapshot, "watch", words("watching.watch"))] if snapshot.settings.watching else []
    return _buttons_page(words("watching.no_seat"), [*watch, *_free_seat_buttons(words, snapshot)])


def watching_page(words: Words, snapshot: TableSnapshot) -> Page:
    """Return the page that asks a spectator whether to send a message after each deal."""
    return _buttons_page(
        words("watching.question"),
        [
            action_button(snapshot, "watch_yes", words("watching.yes")),
            action_button(snapshot, "watch_no", words("watching.no")),
        ],
    )


def _free_seat_buttons(words: Words, snapshot: TableSnapshot) -> list[ui.Button[Any]]:
    """Return one button per seat that a computer player holds, to take that seat."""
    if snapshot.status is not Status.PLAYING:
        return []
    found = []
    free = [seat for seat, holder in enumerate(snapshot.seats) if holder.kind == "computer"]
    for seat in free[:MOST_SEATS]:
        name = names.holder_name(words, snapshot.seats[seat])[:60]
        found.append(action_button(snapshot, "take_seat", words("watching.take", name=name), str(seat)))
    return found


def action_button(snapshot: TableSnapshot, action: str, label: str, argument: str = "") -> ui.Button[Any]:
    """Return a button for an action at the table in its current version."""
    return button(ControlId(snapshot.id, snapshot.version, action, argument), label)


def _buttons_page(message: str, buttons: list[ui.Button[Any]]) -> Page:
    return page([text(message), *button_rows(buttons)])
