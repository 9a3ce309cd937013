"""The controls of the private panel that play. Each says what it wants of the table as it was drawn from."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from bot.engine.cards.cards import Card, Kind
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW_KEEPING,
    NO,
    PASS,
    SHOW,
    YES,
    Action,
    Attempt,
    Discard,
    DiscardCard,
    LayMelds,
)
from bot.engine.moves.refusals import Refusal
from bot.engine.table.views import SeatView
from bot.tables.looks import SeatSnapshot
from bot.tables.refusals import TableCode, TableRefusal
from cogs.play.one_act import PlayCall, act
from cogs.play.questions import question
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading import attempts, moves
from cogs.shared.reading import draft as drafts
from cogs.shared.reading.card_signs import DISCARD_VALUES
from cogs.shared.reading.draft import Draft
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import own_panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.routing import Handler
from cogs.shared.showing.panels.view import View
from cogs.shared.telling.explain import explain

Chosen: TypeAlias = tuple[str, ...]
Wanted: TypeAlias = Callable[[SeatSnapshot], Action]
"""What is wanted of the table as the seat sees it. Raises `InputProblem`, `Refusal` or `TableRefusal`."""

_PLAIN: Final[dict[str, Action]] = {
    "keep": DRAW_KEEPING,
    "ask": ASK,
    "announce": ANNOUNCE,
    "yes": YES,
    "no": NO,
    "pass": PASS,
    "show": SHOW,
}
"""Controls that ask for one action, whatever the hand."""


class PanelControls:
    """Answers every control of a panel that plays, in the panel's own message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        for name, action in _PLAIN.items():
            context.router.add(name, self._plainly(action))
        handlers: dict[str, Handler] = {
            "open": self.open,
            "play": self.play,
            "move": self.move,
            "lay": self.lay,
            "undo": self.undo,
            "out": self.out,
            "discard": self.discard,
            "discard_card": self.discard_card,
            "discard_surely": self.discard_surely,
            "anyway": self.anyway,
            "next": self.next_deal,
        }
        for name, handler in handlers.items():
            context.router.add(name, handler)

    # --- what plays

    def _plainly(self, action: Action) -> Handler:
        async def plainly(interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
            await self.act(interaction, control, lambda _look: action, draft=drafts.read(control.argument))

        return plainly

    async def open(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Lay the melds that open the side, with those put together."""
        draft = drafts.read(control.argument)
        await own_panel.answer(self.context, interaction, self._opened(interaction, control, draft))

    async def _opened(self, interaction: Interaction, control: ControlId, draft: Draft) -> Page:
        look = await own_panel.look_of(self.context, interaction, control.table)
        staged = () if look.view is None else drafts.melds(drafts.fitted(draft, look.view.hand), look.view)
        offers = await self.tables.offers(
            control.table, person=interaction.user.id, guild=interaction.guild_id, staged=staged
        )
        opening = offers.opening

        def wanted(_look: SeatSnapshot) -> Action:
            if opening is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return opening.action

        return await self._played(interaction, control, draft, wanted)

    async def play(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Take one step that the panel named."""
        await self.act(interaction, control, lambda look: moves.step_of(_view(look), control.argument))

    async def move(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """Make the move that was chosen in a menu."""
        named = chosen[0] if chosen else ""
        draft = drafts.read(control.argument)
        await self.act(interaction, control, lambda look: moves.step_of(_view(look), named), draft=draft)

    async def lay(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Lay what is put together."""
        draft = drafts.read(control.argument)
        await self.act(interaction, control, lambda look: LayMelds(drafts.melds(draft, _view(look))), draft=draft)

    async def undo(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Take back what was laid last, all that was laid in one go."""
        await self._doing(interaction, control, self.tables.undo)

    async def out(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Go out in the way that the panel named."""
        await self._doing(interaction, control, self.tables.go_out)

    async def anyway(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Do what was refused, at the price that was told with the control."""

        def wanted(_look: SeatSnapshot) -> Action:
            tried = attempts.read(control.argument)
            if tried is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return Attempt(tried)

        await self.act(interaction, control, wanted)

    # --- discarding

    async def discard(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """Discard a card of that rank, or ask first which one, or whether it is meant."""
        kind = _kind_of(chosen[0] if chosen else control.argument)
        await own_panel.answer(self.context, interaction, self._asked_first(interaction, control, kind))

    async def _asked_first(self, interaction: Interaction, control: ControlId, kind: Kind) -> Page:
        look = await own_panel.look_of(self.context, interaction, control.table)
        preferences = await self.context.profiles.person(interaction.user.id)
        asked = None
        with suppress(TableRefusal):  # of an old control there is nothing to ask: what is played is refused
            await self.tables.require_as_shown(control.table, control.version)
            asked = question(replies.words_for(interaction), _view(look), kind, preferences)
        if asked is not None:
            return await own_panel.page_of(self.context, interaction, look, asked)
        return await self._played(interaction, control, drafts.NOTHING, lambda _look: Discard(kind))

    async def discard_surely(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Discard a card of that rank, as was confirmed."""
        await self.act(interaction, control, lambda _look: Discard(_kind_of(control.argument)))

    async def discard_card(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Discard just that card."""
        await self.act(interaction, control, lambda look: DiscardCard(_card_of(look, control.argument)))

    # --- how it is done

    async def act(
        self, interaction: Interaction, control: ControlId, wanted: Wanted, *, draft: Draft = drafts.NOTHING
    ) -> None:
        """Play what is wanted, if the table still stands as the control was drawn."""
        await own_panel.answer(self.context, interaction, self._played(interaction, control, draft, wanted))

    async def _played(self, interaction: Interaction, control: ControlId, draft: Draft, wanted: Wanted) -> Page:
        look = await own_panel.look_of(self.context, interaction, control.table)
        try:
            _view(look)
            await self.tables.require_as_shown(control.table, control.version)
            action = wanted(look)
        except (InputProblem, Refusal, TableRefusal) as problem:
            note = explain(replies.words_for(interaction), problem, look.table)
            return await own_panel.page_of(self.context, interaction, look, View(note=note, draft=draft))
        return await act(
            self.context, interaction, control.table, action, expected_version=control.version, draft=draft
        )

    async def _doing(self, interaction: Interaction, control: ControlId, do: PlayCall) -> None:
        """Let the service do what it knows how to do, if the table still stands as the control was drawn."""

        async def done() -> Page:
            try:
                outcome = await do(replies.caller_of(interaction), control.table, expected_version=control.version)
            except (Refusal, TableRefusal) as problem:
                return await own_panel.refused_page(self.context, interaction, control.table, problem)
            return await own_panel.outcome_page(self.context, interaction, outcome)

        await own_panel.answer(self.context, interaction, done())

    async def next_deal(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Begin the next deal."""
        await own_panel.answer(self.context, interaction, self._next_deal(interaction, control))

    async def _next_deal(self, interaction: Interaction, control: ControlId) -> Page:
        try:
            look = await self.tables.next_deal(
                replies.caller_of(interaction), control.table, expected_version=control.version
            )
        except (Refusal, TableRefusal) as problem:
            return await own_panel.refused_page(self.context, interaction, control.table, problem)
        return await own_panel.page_of(self.context, interaction, look)


def _view(look: SeatSnapshot) -> SeatView:
    if look.view is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": look.table.id})
    return look.view


def _kind_of(text: str) -> Kind:
    """The kind that a control names. Raises `InputProblem`."""
    if text not in DISCARD_VALUES:
        raise InputProblem(InputCode.OLD_CONTROL)
    return DISCARD_VALUES.index(text)


def _card_of(look: SeatSnapshot, text: str) -> Card:
    """The card of the hand that a control names. Raises `InputProblem`."""
    held = () if look.view is None else look.view.hand
    card = next((card for card in held if str(card) == text), None)
    if card is None:
        raise InputProblem(InputCode.OLD_CONTROL)
    return card
