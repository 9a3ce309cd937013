"""The controls with which a person prepares their own next turn. What they answer only that person sees.

The page on which a person prepares their own next turn.
"""

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
from cogs.shared.door import interactions
from cogs.shared.door.components import (
    DANGER,
    GREY,
    SECONDARY,
    SUCCESS,
    Option,
    Page,
    Part,
    button,
    container,
    page,
    rows,
    select,
    text,
)
from cogs.shared.door.interactions import Interaction
from cogs.shared.door.panel_state import PanelState
from cogs.shared.reading import cards
from cogs.shared.reading.cards import KIND_LETTERS
from cogs.shared.reading.draft import NOTHING
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.routing import Handler
from cogs.shared.showing.panels.titles import Stage, stage_of
from cogs.shared.telling import spoken, status_text

ANY: Final = "any"
"""The choice of a menu that names no rank: the pile whatever lies on top."""

EMPTY: Final = PlannedTurn()


def standing(look: SeatSnapshot) -> PlannedTurn:
    """What is prepared and still stands."""
    premove = look.premove
    return EMPTY if premove is None or premove.ended is not None else premove.wish


def premove_page(words: Words, look: SeatSnapshot, view: SeatView, *, text_only: bool = False) -> Page:
    """What is prepared, and everything that could be; the panel comes back with the next thing that happens."""
    wish = standing(look)
    wished = list(status_text.wish_lines(words, wish)) or [words("premove.nothing")]
    said = [spoken.spell_cards(words, one) for one in wished] if text_only else wished
    last = [button(_control(look, "premove_cancel"), words("premove.cancel"), style=DANGER)] if wish else []
    last.append(button(_control(look, "refresh"), words("panel.back")))
    parts = [
        text("\n".join([f"### {words('premove.title')}", *said, words("premove.by_itself")])),
        _draws(words, look, view, wish),
        *rows(_choices(words, look, view, wish)),
        *rows(last),
    ]
    made = page([container(*parts, edge=GREY)])
    return Page(made.view, shown=PanelState(look.table.id, look.table.version, NOTHING, waits=True))


def _draws(words: Words, look: SeatSnapshot, view: SeatView, wish: PlannedTurn) -> Part | None:
    """The menu of the ranks for which the pile is left to its owner."""
    options = [Option(ANY, words("premove.any"), chosen=wish.draw and not wish.ranks)]
    options += [
        Option(KIND_LETTERS[kind], cards.kind_word(words, kind, 2), chosen=kind in wish.ranks) for kind in ranks(view)
    ]
    return select(_control(look, "premove_draw"), words("premove.draw"), options, most=len(options))


def _choices(words: Words, look: SeatSnapshot, view: SeatView, wish: PlannedTurn) -> list[ui.Button[Any]]:
    """A button for each black three, and the answer to a partner who may ask; what is chosen is green."""
    found = [
        button(
            _control(look, "premove_discard", str(card)),
            words("premove.discard", card=cards.card(card)),
            style=_style(chosen=card == wish.discard),
        )
        for card in black_threes(view)
    ]
    if may_be_asked(view) or wish.agree:
        agree = _control(look, "premove_agree")
        found.append(button(agree, words("premove.agree"), style=_style(chosen=wish.agree)))
    return found


def _control(look: SeatSnapshot, action: str, argument: str = "") -> ControlId:
    return ControlId(look.table.id, look.table.version, action, argument)


def ranks(view: SeatView) -> tuple[Kind, ...]:
    """The ranks with which the seat could ever take the pile: those it holds, and those its side has laid."""
    held = {card >> 2 for card in view.hand}
    laid = {meld.kind for meld in view.side.melds}
    return tuple(kind for kind in reversed(NATURAL_KINDS) if kind in held | laid)


def black_threes(view: SeatView) -> tuple[Card, ...]:
    """The black threes in the hand, each card once."""
    return tuple(sorted({card for card in view.hand if card >> 2 == BLACK_THREE}))


def may_be_asked(view: SeatView) -> bool:
    """Whether a partner may still ask before the seat's own turn."""
    order = view.table.playing
    turns = order[order.index(view.table.turn) :] + order
    before = turns[: turns.index(view.seat)]
    return view.table.rules.asks and any(seat in view.side.seats for seat in before)


def _style(*, chosen: bool) -> discord.ButtonStyle:
    return SUCCESS if chosen else SECONDARY


Chosen = tuple[str, ...]
Changing = Callable[[SeatSnapshot, PlannedTurn], PlannedTurn]
"""What a control makes of a wish. Raises `InputProblem`."""


class PremoveControls:
    """Answers `premove` and the controls of its page."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers: dict[str, Handler] = {
            "premove": self.show,
            "premove_draw": self.draw,
            "premove_discard": self.discard,
            "premove_agree": self.agree,
            "premove_cancel": self.cancel,
        }
        for name, handler in handlers.items():
            context.router.add(name, handler)

    async def show(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The page; in one's own turn the panel."""
        await panel.answer(self.context, interaction, self._shown(interaction, control.table))

    async def _shown(self, interaction: Interaction, table: int) -> Page:
        return await self._page(interaction, await panel.look_of(self.context, interaction, table))

    async def draw(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """Draw unless the pile can be taken with one of these ranks, or at all."""

        def changed(look: SeatSnapshot, wish: PlannedTurn) -> PlannedTurn:
            open_to = () if look.view is None else ranks(look.view)
            named = tuple(kind for kind in open_to if KIND_LETTERS[kind] in chosen)
            return replace(wish, draw=True, ranks=() if ANY in chosen else named)

        await self._wishes(interaction, control, changed)

    async def discard(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Discard that black three after drawing; pressed again, not."""

        def changed(look: SeatSnapshot, wish: PlannedTurn) -> PlannedTurn:
            held = () if look.view is None else black_threes(look.view)
            card = next((card for card in held if str(card) == control.argument), None)
            if card is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return replace(wish, discard=None if card == wish.discard else card)

        await self._wishes(interaction, control, changed)

    async def agree(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Say yes if the partner asks; pressed again, not."""
        await self._wishes(interaction, control, lambda _look, wish: replace(wish, agree=not wish.agree))

    async def cancel(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Prepare nothing."""
        await self._wishes(interaction, control, lambda _look, _wish: EMPTY)

    async def _wishes(self, interaction: Interaction, control: ControlId, changed: Changing) -> None:
        await panel.answer(self.context, interaction, self._wished(interaction, control, changed))

    async def _wished(self, interaction: Interaction, control: ControlId, changed: Changing) -> Page:
        look = await panel.look_of(self.context, interaction, control.table)
        caller = interactions.caller_of(interaction)
        try:
            wish = changed(look, standing(look))
            if wish:
                look = await self.tables.premoves.prepare(caller, control.table, wish)
            else:
                look = await self.tables.premoves.forget_premove(caller, control.table)
        except (InputProblem, TableRefusal) as problem:
            return await panel.refused_page(self.context, interaction, control.table, problem)
        return await self._page(interaction, look)

    async def _page(self, interaction: Interaction, look: SeatSnapshot) -> Page:
        view = look.view
        if view is None or stage_of(look) is not Stage.WAITING:
            return await panel.page_of(self.context, interaction, look)
        preferences = await self.context.profiles.person(interaction.user.id)
        return premove_page(interactions.words_for(interaction), look, view, text_only=preferences.text_only)
