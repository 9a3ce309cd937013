"""Hands: the private panel as an answer, fresh from the table."""

from __future__ import annotations

from bot.engine.actions import Action
from bot.engine.refusals import Refusal
from bot.i18n import Words
from bot.tables.looks import SeatLook, TableLook
from bot.tables.refusals import TableCode, TableRefusal
from cogs.shared import attempts, places, replies, turn_text
from cogs.shared.calls import Trouble
from cogs.shared.context import Context
from cogs.shared.draft import NOTHING, Draft
from cogs.shared.explain import explain
from cogs.shared.inputs import InputProblem
from cogs.shared.layout import Page
from cogs.shared.presenter import Presenter
from cogs.shared.replies import Interaction


async def look_of(context: Context, interaction: Interaction, table: int) -> SeatLook:
    """The seat of the person who asks. Refusals as `TableService.seat_look`."""
    return await context.tables.seat_look(table, person=interaction.user.id, guild=interaction.guild_id)


async def hand_page(
    context: Context, interaction: Interaction, table: int, *, note: str = "", draft: Draft = NOTHING
) -> Page:
    """The person's panel as the table stands now."""
    look = await look_of(context, interaction, table)
    return await page_of(context, interaction, look, note=note, draft=draft)


async def page_of(
    context: Context,
    interaction: Interaction,
    look: SeatLook,
    *,
    note: str = "",
    draft: Draft = NOTHING,
    offer: str = "",
) -> Page:
    """The panel of a look that is at hand; what keeps the board from being shown is told with it.

    `offer` names what was refused and can be done anyway (`cogs.shared.attempts`).
    """
    context.presenter.touched(look.table.id)
    words = replies.words_for(interaction)
    notes = [note, trouble_note(words, context.presenter, look.table)]
    serial = interaction.id % 1_000_000
    preferences = await context.profiles.person(interaction.user.id)
    return await context.pages.panel(
        words,
        look,
        preferences=preferences,
        draft=draft,
        note="\n".join(filter(None, notes)),
        serial=serial,
        offer=offer,
    )


async def refused_page(
    context: Context,
    interaction: Interaction,
    table: int,
    problem: Refusal | TableRefusal | InputProblem,
    *,
    draft: Draft = NOTHING,
    action: Action | None = None,
) -> Page:
    """The fresh panel with a word why nothing was done; raises the problem for somebody without a panel here.

    Where the table has a price for the refused action, the panel tells it and offers to do it anyway.
    """
    if isinstance(problem, TableRefusal) and problem.code in _WITHOUT_PANEL:
        raise problem
    look = await look_of(context, interaction, table)
    words = replies.words_for(interaction)
    note, offer = explain(words, problem, look.table), ""
    if isinstance(problem, Refusal) and problem.penalty is not None and action is not None:
        offer = attempts.written(action)
        told = turn_text.irregularity_words(words, problem.penalty)
        note += "\n" + words("panel.offered", paragraph=problem.penalty.cost.paragraph, **told) if offer else ""
    return await page_of(context, interaction, look, note=note, draft=draft, offer=offer)


def trouble_note(words: Words, presenter: Presenter, look: TableLook) -> str:
    """What to repair so that the table's board can be shown again; empty if nothing."""
    trouble = presenter.trouble(look.id)
    if trouble is None:
        return ""
    place = places.of_table(look)
    needed = ", ".join(words(f"permission.{name}") for name in places.needed(thread=place.thread is not None))
    key = {
        Trouble.NO_PERMISSION: "no_permission",
        Trouble.NO_ACCESS: "no_access",
        Trouble.CHANNEL_GONE: "channel_gone",
        Trouble.MESSAGE_GONE: "channel_gone",
        Trouble.ARCHIVED: "archived",
    }.get(trouble, "posting")
    return words(f"trouble.{key}", channel=f"<#{place.posts_in}>", permissions=needed)


_WITHOUT_PANEL = frozenset(
    {
        TableCode.UNKNOWN_TABLE,
        TableCode.UNREADABLE_TABLE,
        TableCode.WRONG_SERVER,
        TableCode.NOT_SEATED,
        TableCode.REQUEST_REUSED,
    }
)
