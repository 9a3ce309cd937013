"""The controls of the private panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from bot.engine.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    DRAW_KEEPING,
    NO,
    PASS,
    SHOW,
    TAKE_BACK,
    YES,
    Action,
    Attempt,
    Discard,
    LayMelds,
)
from bot.engine.cards import Kind
from bot.engine.refusals import Code, Refusal
from bot.engine.views import SeatView
from bot.tables.looks import SeatLook
from bot.tables.refusals import TableCode, TableRefusal
from cogs.play import taking
from cogs.play.acting import act
from cogs.shared import attempts, hands, moves, pages, replies
from cogs.shared import draft as drafts
from cogs.shared.context import Context
from cogs.shared.draft import Draft
from cogs.shared.explain import explain
from cogs.shared.ids import ControlId
from cogs.shared.inputs import InputCode, InputProblem
from cogs.shared.layout import Page
from cogs.shared.panel import DISCARD_VALUES
from cogs.shared.replies import Interaction
from cogs.shared.routing import Handler

Chosen: TypeAlias = tuple[str, ...]
Changing: TypeAlias = Callable[[Draft, SeatView, Chosen], Draft]

_PLAIN: Final[dict[str, Action]] = {
    "draw": DRAW,
    "keep": DRAW_KEEPING,
    "undo": TAKE_BACK,
    "ask": ASK,
    "announce": ANNOUNCE,
    "yes": YES,
    "no": NO,
    "pass": PASS,
    "show": SHOW,
}
"""Controls that ask for one action, whatever the hand."""


class PanelControls:
    """Answers every control of a panel, in the panel's own message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        for name in _PLAIN:
            context.router.add(name, self.plain)
        for name, change in _CHANGES.items():
            context.router.add(name, self._changing(change))
        context.router.add("anyway", self.anyway)
        context.router.add("take", self.take)
        context.router.add("take_way", self.take_way)
        context.router.add("move", self.move)
        context.router.add("lay", self.lay)
        context.router.add("discard", self.discard)
        context.router.add("next", self.next_deal)
        context.router.add("refresh", self.refresh)
        context.router.add("text", self.text)

    # --- what plays

    async def plain(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        draft = drafts.read(control.argument)
        await self._act(interaction, control, draft, lambda _view: _PLAIN[control.action])

    async def anyway(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Do what was refused, at the price that was told with the control."""

        def wanted(_view: SeatView) -> Action:
            tried = attempts.read(control.argument)
            if tried is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return Attempt(tried)

        await self._act(interaction, control, drafts.NOTHING, wanted)

    async def take(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        way, _, melds = control.argument.partition(".")
        await self._take(interaction, control, way, drafts.read(melds))

    async def take_way(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        await self._take(interaction, control, chosen[0] if chosen else "", drafts.read(control.argument))

    async def _take(self, interaction: Interaction, control: ControlId, way: str, draft: Draft) -> None:
        def wanted(view: SeatView) -> Action:
            try:
                return taking.by_draft(view, way, draft)
            except LookupError:
                raise Refusal(Code.PILE_EMPTY) from None

        await self._act(interaction, control, draft, wanted)

    async def move(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = drafts.read(control.argument)
        named = chosen[0] if chosen else ""
        await self._act(interaction, control, draft, lambda view: moves.move_of(view, named))

    async def lay(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        draft = drafts.read(control.argument)
        await self._act(interaction, control, draft, lambda view: LayMelds(drafts.melds(draft, view)))

    async def discard(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        draft = drafts.read(control.argument)

        def wanted(_view: SeatView) -> Action:
            if draft:
                raise InputProblem(InputCode.UNLAID)
            return Discard(_kind_of(chosen[0] if chosen else ""))

        await self._act(interaction, control, draft, wanted)

    async def _act(
        self, interaction: Interaction, control: ControlId, draft: Draft, wanted: Callable[[SeatView], Action]
    ) -> None:
        """Play what is wanted, if the table still stands as the control was drawn."""
        await replies.answer(
            interaction, self._played(interaction, control, draft, wanted), update=_in_panel(interaction)
        )

    async def _played(
        self, interaction: Interaction, control: ControlId, draft: Draft, wanted: Callable[[SeatView], Action]
    ) -> Page:
        look = await hands.look_of(self.context, interaction, control.table)
        try:
            action = _wanted(look, control, wanted)
        except (InputProblem, Refusal, TableRefusal) as problem:
            note = explain(replies.words_for(interaction), problem, look.table)
            return await hands.page_of(self.context, interaction, look, note=note, draft=draft)
        return await act(
            self.context, interaction, control.table, action, expected_version=control.version, draft=draft
        )

    async def next_deal(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        await replies.answer(interaction, self._next_deal(interaction, control), update=_in_panel(interaction))

    async def _next_deal(self, interaction: Interaction, control: ControlId) -> Page:
        try:
            look = await self.tables.next_deal(
                replies.caller_of(interaction), control.table, expected_version=control.version
            )
        except (Refusal, TableRefusal) as problem:
            return await hands.refused_page(self.context, interaction, control.table, problem)
        note = replies.words_for(interaction)("done.next_deal")
        return await hands.page_of(self.context, interaction, look, note=note)

    # --- what only shows

    def _changing(self, change: Changing) -> Handler:
        async def changed(interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
            await replies.answer(
                interaction, self._changed(interaction, control, chosen, change), update=_in_panel(interaction)
            )

        return changed

    async def _changed(self, interaction: Interaction, control: ControlId, chosen: Chosen, change: Changing) -> Page:
        look = await hands.look_of(self.context, interaction, control.table)
        draft, note = drafts.read(control.argument), ""
        if look.view is not None:
            draft = drafts.fitted(draft, look.view.hand)
            try:
                draft = change(draft, look.view, chosen)
            except InputProblem as problem:
                note = explain(replies.words_for(interaction), problem, look.table)
        return await hands.page_of(self.context, interaction, look, note=note, draft=draft)

    async def refresh(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        draft = drafts.read(control.argument)
        await replies.answer(
            interaction,
            hands.hand_page(self.context, interaction, control.table, draft=draft),
            update=_in_panel(interaction),
        )

    async def text(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await hands.look_of(self.context, interaction, control.table)
        words = replies.words_for(interaction)
        if look.view is None:
            await replies.say(interaction, words("panel.lobby"))
            return
        preferences = await self.context.profiles.person(interaction.user.id)
        await replies.say(interaction, pages.told_hand(words, look, look.view, preferences))


def _in_panel(interaction: Interaction) -> bool:
    """Whether the control stands in a private message, which the answer replaces."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _wanted(look: SeatLook, control: ControlId, wanted: Callable[[SeatView], Action]) -> Action:
    if look.view is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": look.table.id})
    if look.table.version != control.version:
        detail = {"table": look.table.id, "expected": control.version, "version": look.table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
    return wanted(look.view)


def _kind_of(text: str) -> Kind:
    """The kind that a menu's value names. Raises `InputProblem`."""
    if text not in DISCARD_VALUES:
        raise InputProblem(InputCode.OLD_CONTROL)
    return DISCARD_VALUES.index(text)


def _joined(draft: Draft, _view: SeatView, chosen: Chosen) -> Draft:
    return drafts.join(draft, _kind_of(chosen[0] if chosen else ""))


def _without(_draft: Draft, _view: SeatView, _chosen: Chosen) -> Draft:
    return drafts.NOTHING


def _altered(draft: Draft, view: SeatView, chosen: Chosen) -> Draft:
    return drafts.fitted(drafts.changed(draft, chosen[0] if chosen else ""), view.hand)


_CHANGES: Final[dict[str, Changing]] = {
    "choose": drafts.add,
    "change": _altered,
    "target": _joined,
    "clear": _without,
}
"""Controls that change what is put together, and nothing at the table."""
