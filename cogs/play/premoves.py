"""The private page on which a player prepares their next turn, and its controls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import discord
from discord import ui

from bot.engine.cards.cards import BLACK_THREE, NATURAL_KINDS, Card, Kind
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.state.premoves import PlannedTurn
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import SeatSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    DANGER,
    GREY,
    SECONDARY,
    SUCCESS,
    Option,
    Page,
    Part,
    button,
    button_rows,
    container,
    page,
    select,
    text,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.discord_api.panel_state import PanelState
from cogs.shared.reading import card_text
from cogs.shared.reading.card_text import KIND_LETTERS
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import NOTHING
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.routing import Handler
from cogs.shared.showing.panels.titles import Stage, stage_of
from cogs.shared.telling import status_text
from cogs.shared.telling import text_only as spoken

ANY: Final = "any"
"""The menu choice for the pile with any top card, instead of one rank."""

EMPTY: Final = PlannedTurn()


def valid_prepared_turn(snapshot: SeatSnapshot) -> PlannedTurn:
    """Return the prepared turn if it is still valid, else an empty one."""
    premove = snapshot.premove
    return EMPTY if premove is None or premove.ended is not None else premove.wish


def premove_page(words: Words, snapshot: SeatSnapshot, view: SeatView, *, text_only: bool = False) -> Page:
    """Return the page with the prepared moves and the moves that can be prepared.

    The next event at the table replaces the page by the panel.
    """
    wish = valid_prepared_turn(snapshot)
    wished = list(status_text.prepared_move_lines(words, wish)) or [words("premove.nothing")]
    texts = [spoken.spell_cards(words, one) for one in wished] if text_only else wished
    last = [button(_control_id(snapshot, "premove_cancel"), words("premove.cancel"), style=DANGER)] if wish else []
    last.append(button(_control_id(snapshot, "refresh"), words("panel.back")))
    parts = [
        text("\n".join([f"### {words('premove.title')}", *texts, words("premove.by_itself")])),
        _pile_menu(words, snapshot, view, wish),
        *button_rows(_black_three_and_agree_buttons(words, snapshot, view, wish)),
        *button_rows(last),
    ]
    made = page([container(*parts, edge=GREY)])
    return Page(made.view, shown=PanelState(snapshot.table.id, snapshot.table.version, NOTHING, waits=True))


def _pile_menu(words: Words, snapshot: SeatSnapshot, view: SeatView, planned_turn: PlannedTurn) -> Part | None:
    """Return the menu of ranks for which the player wants to choose themselves.

    If the pile's top card has a chosen rank, the bot does not draw automatically.
    """
    options = [Option(ANY, words("premove.any"), chosen=planned_turn.draw and not planned_turn.ranks)]
    options += [
        Option(KIND_LETTERS[kind], card_text.kind_word(words, kind, 2), chosen=kind in planned_turn.ranks)
        for kind in takeable_ranks(view)
    ]
    return select(_control_id(snapshot, "premove_draw"), words("premove.draw"), options, most=len(options))


def _black_three_and_agree_buttons(
    words: Words, snapshot: SeatSnapshot, view: SeatView, planned_turn: PlannedTurn
) -> list[ui.Button[Any]]:
    """Return a button for each black three and one for agreeing with the partner; chosen ones are green."""
    found = [
        button(
            _control_id(snapshot, "premove_discard", str(card)),
            words("premove.discard", card=card_text.card_label(card)),
            style=_button_style(chosen=card == planned_turn.discard),
        )
        for card in black_threes(view)
    ]
    if may_partner_ask_to_go_out(view) or planned_turn.agree:
        agree = _control_id(snapshot, "premove_agree")
        found.append(button(agree, words("premove.agree"), style=_button_style(chosen=planned_turn.agree)))
    return found


def _control_id(snapshot: SeatSnapshot, action: str, argument: str = "") -> ControlId:
    return ControlId(snapshot.table.id, snapshot.table.version, action, argument)


def takeable_ranks(view: SeatView) -> tuple[Kind, ...]:
    """Return the ranks of top cards that the player might take.

    These are the ranks in the hand and those of the side's melds.
    """
    held = {card >> 2 for card in view.hand}
    laid = {meld.kind for meld in view.side.melds}
    return tuple(kind for kind in reversed(NATURAL_KINDS) if kind in held | laid)


def black_threes(view: SeatView) -> tuple[Card, ...]:
    """Return the black threes in the hand, equal cards once."""
    return tuple(sorted({card for card in view.hand if card >> 2 == BLACK_THREE}))


def may_partner_ask_to_go_out(view: SeatView) -> bool:
    """Return whether a partner may still ask to go out before the seat's next turn."""
    order = view.table.playing
    turns = order[order.index(view.table.turn) :] + order
    before = turns[: turns.index(view.seat)]
    return view.table.rules.asks and any(seat in view.side.seats for seat in before)


def _button_style(*, chosen: bool) -> discord.ButtonStyle:
    return SUCCESS if chosen else SECONDARY


Chosen = tuple[str, ...]
PlanChange = Callable[[SeatSnapshot, PlannedTurn], PlannedTurn]
"""Returns the prepared turn as a control changes it. Raises `InputProblem`."""


class PremoveControls:
    """Handlers of the control `premove` and of the controls on its page."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers: dict[str, Handler] = {
            "premove": self.show_page,
            "premove_draw": self.plan_draw,
            "premove_discard": self.plan_discard,
            "premove_agree": self.plan_yes_to_partner,
            "premove_cancel": self.cancel_plan,
        }
        for name, handler in handlers.items():
            context.router.add(name, handler)

    async def show_page(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the page of prepared moves, or the normal panel if it is already the player's turn."""
        await panel.answer_with_panel(self.context, interaction, self._current_page(interaction, control.table))

    async def _current_page(self, interaction: Interaction, table: int) -> Page:
        return await self._plan_page(interaction, await panel.load_seat(self.context, interaction, table))

    async def plan_draw(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Plan to draw, unless the pile's top card has a chosen rank (or can be taken at all, with *any*)."""

        def change_plan(snapshot: SeatSnapshot, planned_turn: PlannedTurn) -> PlannedTurn:
            open_to = () if snapshot.view is None else takeable_ranks(snapshot.view)
            named = tuple(kind for kind in open_to if KIND_LETTERS[kind] in values)
            return replace(planned_turn, draw=True, ranks=() if ANY in values else named)

        await self._change_plan(interaction, control, change_plan)

    async def plan_discard(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Plan to discard that black three after drawing; a second click removes it from the plan."""

        def change_plan(snapshot: SeatSnapshot, planned_turn: PlannedTurn) -> PlannedTurn:
            held = () if snapshot.view is None else black_threes(snapshot.view)
            card = next((card for card in held if str(card) == control.argument), None)
            if card is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return replace(planned_turn, discard=None if card == planned_turn.discard else card)

        await self._change_plan(interaction, control, change_plan)

    async def plan_yes_to_partner(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Plan to say yes if the partner asks; a second click removes it from the plan."""
        await self._change_plan(interaction, control, lambda _snapshot, wish: replace(wish, agree=not wish.agree))

    async def cancel_plan(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Remove the prepared turn."""
        await self._change_plan(interaction, control, lambda _snapshot, _wish: EMPTY)

    async def _change_plan(self, interaction: Interaction, control: ControlId, change: PlanChange) -> None:
        await panel.answer_with_panel(self.context, interaction, self._changed_page(interaction, control, change))

    async def _changed_page(self, interaction: Interaction, control: ControlId, change: PlanChange) -> Page:
        snapshot = await panel.load_seat(self.context, interaction, control.table)
        caller = interactions.caller_of(interaction)
        try:
            wish = change(snapshot, valid_prepared_turn(snapshot))
            if wish:
                snapshot = await self.tables.premoves.store_premove(caller, control.table, wish)
            else:
                snapshot = await self.tables.premoves.forget_premove(caller, control.table)
        except (InputProblem, TableRefusal) as problem:
            return await panel.refusal_page(self.context, interaction, control.table, problem)
        return await self._plan_page(interaction, snapshot)

    async def _plan_page(self, interaction: Interaction, snapshot: SeatSnapshot) -> Page:
        view = snapshot.view
        if view is None or stage_of(snapshot) is not Stage.WAITING:
            return await panel.panel_page(self.context, interaction, snapshot)
        preferences = await self.context.profiles.preferences_of(interaction.user.id)
        return premove_page(interactions.words_for(interaction), snapshot, view, text_only=preferences.is_text_only)
