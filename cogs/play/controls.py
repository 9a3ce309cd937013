"""The controls of the private panel that play. Each says what it wants of the table as it was drawn from.

One action, from its wish to the player's fresh panel.

Questions before a discard: which card is meant, and whether it is meant at all.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol, TypeAlias

from bot.engine.cards.cards import JOKER, TWO, Card, Kind
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
    TakePile,
)
from bot.engine.moves.refusals import Refusal
from bot.engine.rules.rule_set import RuleSet, card_class
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.profiles.people import Preferences
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import ActionResult, Caller, SeatSnapshot
from cogs.shared.door import interactions
from cogs.shared.door.components import Page
from cogs.shared.door.interactions import Interaction
from cogs.shared.reading import cards as card_text
from cogs.shared.reading import draft as drafts
from cogs.shared.reading import priced_attempts, typed_steps
from cogs.shared.reading.cards import DISCARD_VALUES
from cogs.shared.reading.draft import NOTHING, Draft
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.routing import Handler
from cogs.shared.showing.panels.panel import Side, View
from cogs.shared.telling.explain import explain

Problem: TypeAlias = InputProblem | Refusal | TableRefusal


class PlayCall(Protocol):
    """A method of the table service that plays for a caller and needs nothing else said."""

    async def __call__(self, caller: Caller, table: int, *, expected_version: int | None = None) -> ActionResult: ...


async def act(
    context: Context,
    interaction: Interaction,
    table: int,
    action: Action,
    *,
    expected_version: int | None = None,
    draft: Draft = NOTHING,
) -> Page:
    """Play, and answer with the fresh hand and a word on what came of it.

    What was put together and not laid is kept as far as the hand still holds it. Refusals of somebody without a seat
    here are raised.
    """
    try:
        outcome = await context.tables.play.act(
            interactions.caller_of(interaction), table, action, expected_version=expected_version
        )
    except (Refusal, TableRefusal) as problem:
        return await panel.refused_page(context, interaction, table, problem, view=View(draft=draft), action=action)
    left = NOTHING if isinstance(action, LayMelds | TakePile | Attempt) else draft
    return await panel.outcome_page(context, interaction, outcome, draft=left)


async def reason_of(context: Context, control: ControlId, look: SeatSnapshot, problem: Problem) -> Problem:
    """Return why a control's action could not be made out: play has moved on since it was drawn, or else `problem`."""
    if look.view is None or await context.tables.play.is_current(control.table, control.version):
        return problem
    detail = {"table": control.table, "expected": control.version, "version": look.table.version}
    return TableRefusal(TableCode.STALE_REQUEST, detail)


_WILD = (TWO, JOKER)


def question(words: Words, view: SeatView, kind: Kind, preferences: Preferences) -> View | None:
    """What is asked before a card of that rank is discarded; None where it goes at once.

    A wild card is always asked about, every card for somebody who wants that; where there are runs, or penalty cards
    lie open, and several suits of the rank are held, which of them.
    """
    cards = {card for card in view.hand if card >> 2 == kind}
    suits_matter = "seq" in view.table.rules.meld_kinds and kind not in _WILD
    if suits_matter and len(cards) > 1:
        return View(side=Side.SUITS, kind=kind)
    if kind in _WILD or preferences.discarding == "always":
        return View(note=_warning(words, view.table.rules, kind), side=Side.SURELY, kind=kind)
    return None


def _warning(words: Words, rules: RuleSet, kind: Kind) -> str:
    card = card_text.kind_word(words, kind)
    freezes = card_class(kind) in rules.freeze_discards
    return words("panel.surely_freezes" if freezes else "panel.surely", card=card)


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
        await panel.answer(self.context, interaction, self._opened(interaction, control, draft))

    async def _opened(self, interaction: Interaction, control: ControlId, draft: Draft) -> Page:
        look = await panel.look_of(self.context, interaction, control.table)
        staged = () if look.view is None else drafts.melds(drafts.fit_to_hand(draft, look.view.hand), look.view)
        offers = await self.tables.reading.offers(
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
        await self.act(interaction, control, lambda look: typed_steps.step_of(_view(look), control.argument))

    async def move(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """Make the move that was chosen in a menu."""
        named = chosen[0] if chosen else ""
        draft = drafts.read(control.argument)
        await self.act(interaction, control, lambda look: typed_steps.step_of(_view(look), named), draft=draft)

    async def lay(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Lay what is put together."""
        draft = drafts.read(control.argument)
        await self.act(interaction, control, lambda look: LayMelds(drafts.melds(draft, _view(look))), draft=draft)

    async def undo(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Take back what was laid last, all that was laid in one go."""
        await self._doing(interaction, control, self.tables.play.undo)

    async def out(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Go out in the way that the panel named."""
        await self._doing(interaction, control, self.tables.play.go_out)

    async def anyway(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Do what was refused, at the price that was told with the control."""

        def wanted(_look: SeatSnapshot) -> Action:
            tried = priced_attempts.from_argument(control.argument)
            if tried is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return Attempt(tried)

        await self.act(interaction, control, wanted)

    # --- discarding

    async def discard(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """Discard a card of that rank, or ask first which one, or whether it is meant."""
        kind = _kind_of(chosen[0] if chosen else control.argument)
        await panel.answer(self.context, interaction, self._asked_first(interaction, control, kind))

    async def _asked_first(self, interaction: Interaction, control: ControlId, kind: Kind) -> Page:
        look = await panel.look_of(self.context, interaction, control.table)
        preferences = await self.context.profiles.person(interaction.user.id)
        asked = None
        if control.version == look.table.version or await self.tables.play.is_current(control.table, control.version):
            with suppress(TableRefusal):  # without a game there is nothing to ask
                asked = question(interactions.words_for(interaction), _view(look), kind, preferences)
        if asked is not None:
            return await panel.page_of(self.context, interaction, look, asked)
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
        await panel.answer(self.context, interaction, self._played(interaction, control, draft, wanted))

    async def _played(self, interaction: Interaction, control: ControlId, draft: Draft, wanted: Wanted) -> Page:
        look = await panel.look_of(self.context, interaction, control.table)
        try:
            _view(look)
            action = wanted(look)
        except (InputProblem, Refusal, TableRefusal) as problem:
            why = await reason_of(self.context, control, look, problem)
            note = explain(interactions.words_for(interaction), why, look.table)
            return await panel.page_of(self.context, interaction, look, View(note=note, draft=draft))
        return await act(
            self.context, interaction, control.table, action, expected_version=control.version, draft=draft
        )

    async def _doing(self, interaction: Interaction, control: ControlId, do: PlayCall) -> None:
        """Let the service do what it knows how to do, if the table still stands as the control was drawn."""

        async def done() -> Page:
            try:
                outcome = await do(interactions.caller_of(interaction), control.table, expected_version=control.version)
            except (Refusal, TableRefusal) as problem:
                return await panel.refused_page(self.context, interaction, control.table, problem)
            return await panel.outcome_page(self.context, interaction, outcome)

        await panel.answer(self.context, interaction, done())

    async def next_deal(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Begin the next deal."""
        await panel.answer(self.context, interaction, self._next_deal(interaction, control))

    async def _next_deal(self, interaction: Interaction, control: ControlId) -> Page:
        try:
            look = await self.tables.play.next_deal(
                interactions.caller_of(interaction), control.table, expected_version=control.version
            )
        except (Refusal, TableRefusal) as problem:
            return await panel.refused_page(self.context, interaction, control.table, problem)
        return await panel.page_of(self.context, interaction, look)


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
