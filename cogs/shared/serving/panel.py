"""Answer with the person's private panel, built from the table's current state."""

from __future__ import annotations

from collections.abc import Coroutine
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any

from bot.engine.moves.actions import Action
from bot.engine.moves.refusals import Refusal
from bot.engine.rules.irregularities import Penalty
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.logs import label_log_lines
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import ActionResult, SeatSnapshot, TableSnapshot
from bot.tournaments.event.refusals import TournamentRefusal
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.discord_calls import CallTrouble
from cogs.shared.discord_api.interactions import Interaction, is_in_private_message
from cogs.shared.posting.board_updates import BoardUpdater
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading import penalty_attempts
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.reading.meld_draft import NOTHING, Draft
from cogs.shared.serving.context import Context
from cogs.shared.showing.panels.panel import PLAIN, PanelView
from cogs.shared.telling import explanations, play_text
from cogs.shared.telling.turn_text import MARKED, SPOKEN


async def load_seat(context: Context, interaction: Interaction, table: int) -> SeatSnapshot:
    """Return the person's seat at the table. Refusals as `ReadingService.seat_snapshot`."""
    return await context.tables.reading.seat_snapshot(table, person=interaction.user.id, guild=interaction.guild_id)


async def load_view(context: Context, interaction: Interaction, table: int) -> tuple[SeatView, int]:
    """Return the player's view and its version. Refusals as `ReadingService.view_for_person`."""
    return await context.tables.reading.view_for_person(table, person=interaction.user.id, guild=interaction.guild_id)


async def answer_with_panel(
    context: Context,
    interaction: Interaction,
    page_to_await: Coroutine[Any, Any, Page],
    *,
    in_new_message: bool = False,
) -> None:
    """Await the panel, answer with it, and keep it up to date from then on.

    If a control of a private message was used, that message is edited. Otherwise, and with `in_new_message`, the panel
    is a new private message.
    """
    page = await page_to_await
    with label_log_lines(table=page.shown.table) if page.shown is not None else nullcontext():
        message = await interactions.show_page(
            interaction, page, update=is_in_private_message(interaction) and not in_new_message
        )
    if page.shown is not None and message is not None:
        context.panels.register_panel(interaction, message, page.shown)
        context.board_updater.retry_board(page.shown.table)


async def hand_page(context: Context, interaction: Interaction, table: int, *, note: str = "") -> Page:
    """Return the person's panel, with a `note`.

    At a tournament's table this also marks the person as present.
    """
    snapshot = await load_seat(context, interaction, table)
    if snapshot.table.contest is not None:
        with suppress(TournamentRefusal):
            await context.tournaments.entering.mark_arrived(interaction.user.id, *snapshot.table.contest.key)
    return await panel_page(context, interaction, snapshot, PanelView(note=note))


async def panel_page(
    context: Context,
    interaction: Interaction,
    snapshot: SeatSnapshot,
    view: PanelView = PLAIN,
    *,
    pictured: bool = True,
) -> Page:
    """Return the panel of a seat, with a note if the table's board cannot be shown.

    Without `pictured` the panel is text only.
    """
    words = interactions.words_for(interaction)
    notes = [view.note, board_trouble_note(words, context.board_updater, snapshot.table)]
    preferences = await context.profiles.preferences_of(interaction.user.id)
    preferences = preferences if pictured else replace(preferences, pictures="text")
    snapshot, draft = await _seat_with_draft(context, interaction, snapshot, view.draft)
    shown = replace(view, note="\n".join(filter(None, notes)), draft=draft)
    return await context.pages.panel(words, snapshot, shown, preferences=preferences, serial=interaction.id % 1_000_000)


async def current_panel_page(
    context: Context, interaction: Interaction, snapshot: SeatSnapshot, draft: Draft, *, pictured: bool = True
) -> Page:
    """Return the panel in the table's present state, for the person of an earlier interaction."""
    return await panel_page(context, interaction, snapshot, PanelView(draft=draft), pictured=pictured)


async def outcome_page(
    context: Context, interaction: Interaction, outcome: ActionResult, *, draft: Draft = NOTHING
) -> Page:
    """Return the panel after an action, with a note on what the action did."""
    text_only = (await context.profiles.preferences_of(interaction.user.id)).is_text_only
    note = play_text.own_action_text(
        interactions.words_for(interaction), outcome, text_style=SPOKEN if text_only else MARKED
    )
    return await panel_page(context, interaction, outcome.snapshot, PanelView(note=note, draft=draft))


async def _seat_with_draft(
    context: Context, interaction: Interaction, snapshot: SeatSnapshot, draft: Draft
) -> tuple[SeatSnapshot, Draft]:
    """Return the seat with the moves that the draft leaves possible, and the draft without missing cards.

    Missing cards are those that the hand no longer holds.
    """
    if snapshot.view is None or not draft:
        return snapshot, NOTHING
    fitting = drafts.fit_draft_to_hand(draft, snapshot.view.hand)
    try:
        staged = drafts.melds_to_lay(drafts.draft_without_top_card_meld(fitting, snapshot.view), snapshot.view)
    except InputProblem:
        return snapshot, fitting
    offers = await context.tables.reading.offers(
        snapshot.table.id, person=interaction.user.id, guild=interaction.guild_id, staged=staged
    )
    return replace(snapshot, offers=offers), fitting


async def refusal_page(
    context: Context,
    interaction: Interaction,
    table: int,
    problem: Refusal | TableRefusal | InputProblem,
    *,
    view: PanelView = PLAIN,
    action: Action | None = None,
) -> Page:
    """Return the panel with the reason for a refusal; raises `problem` for a person without a panel.

    If the table allows the refused action at a penalty, the panel offers it.
    """
    if isinstance(problem, TableRefusal) and problem.code in _WITHOUT_PANEL:
        raise problem
    snapshot = await load_seat(context, interaction, table)
    words = interactions.words_for(interaction)
    view = replace(view, note=explanations.explain_problem(words, problem, snapshot.table))
    if isinstance(problem, Refusal) and problem.penalty is not None and action is not None:
        view = _view_with_penalty_offer(words, view, problem.penalty, penalty_attempts.attempt_to_argument(action))
    return await panel_page(context, interaction, snapshot, view)


def _view_with_penalty_offer(words: Words, view: PanelView, penalty: Penalty, offer: str) -> PanelView:
    """Return the view with an offer to do the refused action at its penalty, if a control can hold it."""
    if not offer:
        return view
    told = explanations.irregularity_words(words, penalty)
    happens = penalty.cost.stands or penalty.cost.binds
    note = view.note + "\n" + words("panel.offered" if happens else "panel.offered_undone", **told)
    label = words("panel.anyway" if happens else "panel.anyway_undone", price=told["cost"])
    return replace(view, note=note, offer=offer, offer_label=label, paragraph=penalty.cost.paragraph)


def board_trouble_note(words: Words, board_updater: BoardUpdater, snapshot: TableSnapshot) -> str:
    """Return a note on what to repair so that the table's board can be shown again, or ""."""
    trouble = board_updater.board_trouble(snapshot.id)
    if trouble is None:
        return ""
    place = table_places.place_of_table(snapshot)
    needed = ", ".join(
        words(f"permission.{name}") for name in table_places.needed_permissions(thread=place.thread is not None)
    )
    key = {
        CallTrouble.NO_PERMISSION: "no_permission",
        CallTrouble.NO_ACCESS: "no_access",
        CallTrouble.CHANNEL_GONE: "channel_gone",
        CallTrouble.MESSAGE_GONE: "channel_gone",
        CallTrouble.ARCHIVED: "archived",
    }.get(trouble, "posting")
    return words(f"trouble.{key}", channel=f"<#{place.post_channel}>", permissions=needed)


_WITHOUT_PANEL = frozenset(
    {
        TableCode.UNKNOWN_TABLE,
        TableCode.UNREADABLE_TABLE,
        TableCode.WRONG_SERVER,
        TableCode.NOT_SEATED,
        TableCode.REQUEST_REUSED,
    }
)
