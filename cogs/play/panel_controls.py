"""The controls of the private panel that make a move, with the questions asked before a discard.

Each control carries the table version that its panel showed, so a click on an outdated panel plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

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
    TakePile,
)
from bot.engine.moves.refusals import Refusal
from bot.engine.table.views import SeatView
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import ActionResult, Caller, SeatSnapshot
from cogs.play.questions_before_moves import discard_question
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading import penalty_attempts, typed_steps
from cogs.shared.reading.card_text import DISCARD_VALUES
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import NOTHING, Draft
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.serving.routing import Handler
from cogs.shared.showing.panels.panel import PanelView
from cogs.shared.telling.explanations import explain_problem

Problem: TypeAlias = InputProblem | Refusal | TableRefusal


class PlayServiceMethod(Protocol):
    """A method of the table service that plays for a caller at a table, without further choices."""

    async def __call__(self, caller: Caller, table: int, *, expected_version: int | None = None) -> ActionResult: ...


async def play_action(
    context: Context,
    interaction: Interaction,
    table: int,
    action: Action,
    *,
    expected_version: int | None = None,
    draft: Draft = NOTHING,
) -> Page:
    """Play an action and return the player's new panel with a note on the result.

    Cards of the draft that were not laid stay in it while the hand holds them. Raises the refusals of a person without
    a seat at this table.
    """
    try:
        outcome = await context.tables.play.act(
            interactions.caller_of(interaction), table, action, expected_version=expected_version
        )
    except (Refusal, TableRefusal) as problem:
        return await panel.refusal_page(
            context, interaction, table, problem, view=PanelView(draft=draft), action=action
        )
    left = NOTHING if isinstance(action, LayMelds | TakePile | Attempt) else draft
    return await panel.outcome_page(context, interaction, outcome, draft=left)


async def reason_for_failure(context: Context, control: ControlId, snapshot: SeatSnapshot, problem: Problem) -> Problem:
    """Return `problem`, or a `stale_request` refusal if play has moved on since the control was shown."""
    if snapshot.view is None or await context.tables.play.is_current(control.table, control.version):
        return problem
    detail = {"table": control.table, "expected": control.version, "version": snapshot.table.version}
    return TableRefusal(TableCode.STALE_REQUEST, detail)


Chosen: TypeAlias = tuple[str, ...]
ActionOf: TypeAlias = Callable[[SeatSnapshot], Action]
"""A function that returns the action to play on the table as the seat sees it.

Raises `InputProblem`, `Refusal` or `TableRefusal`.
"""

_SIMPLE_ACTIONS: Final[dict[str, Action]] = {
    "keep": DRAW_KEEPING,
    "ask": ASK,
    "announce": ANNOUNCE,
    "yes": YES,
    "no": NO,
    "pass": PASS,
    "show": SHOW,
}
"""The action of each control whose action does not depend on the hand."""


class PanelControls:
    """Handlers of all panel controls that make a move; each updates the panel's message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        for name, action in _SIMPLE_ACTIONS.items():
            context.router.add(name, self._make_handler(action))
        handlers: dict[str, Handler] = {
            "open": self.lay_initial_meld,
            "play": self.play_step,
            "move": self.play_move,
            "lay": self.lay_draft,
            "undo": self.undo_last_action,
            "out": self.go_out,
            "discard": self.discard_rank,
            "discard_card": self.discard_card,
            "discard_surely": self.discard_after_confirmation,
            "anyway": self.try_refused_action_at_penalty,
            "next": self.begin_next_deal,
        }
        for name, handler in handlers.items():
            context.router.add(name, handler)

    # --- moves

    def _make_handler(self, action: Action) -> Handler:
        """Return a handler that plays this action and keeps the draft that the control stores."""

        async def handle(interaction: Interaction, control: ControlId, _values: Chosen) -> None:
            await self.play_chosen_action(
                interaction, control, lambda _snapshot: action, draft=drafts.read_draft(control.argument)
            )

        return handle

    async def lay_initial_meld(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Lay the suggested opening melds together with the melds of the draft."""
        draft = drafts.read_draft(control.argument)
        await panel.answer_with_panel(
            self.context, interaction, self._page_after_initial_meld(interaction, control, draft)
        )

    async def _page_after_initial_meld(self, interaction: Interaction, control: ControlId, draft: Draft) -> Page:
        snapshot = await panel.load_seat(self.context, interaction, control.table)
        staged = (
            ()
            if snapshot.view is None
            else drafts.melds_to_lay(drafts.fit_draft_to_hand(draft, snapshot.view.hand), snapshot.view)
        )
        offers = await self.tables.reading.offers(
            control.table, person=interaction.user.id, guild=interaction.guild_id, staged=staged
        )
        opening = offers.opening

        def choose_action(_snapshot: SeatSnapshot) -> Action:
            if opening is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return opening.action

        return await self._page_after_action(interaction, control, draft, choose_action)

    async def play_step(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Play the step in the button's argument."""
        await self.play_chosen_action(
            interaction, control, lambda snapshot: typed_steps.parse_step(_require_view(snapshot), control.argument)
        )

    async def play_move(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Play the move that was chosen in a menu."""
        named = values[0] if values else ""
        draft = drafts.read_draft(control.argument)
        await self.play_chosen_action(
            interaction, control, lambda snapshot: typed_steps.parse_step(_require_view(snapshot), named), draft=draft
        )

    async def lay_draft(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Lay the melds that the player has prepared (the draft)."""
        draft = drafts.read_draft(control.argument)
        await self.play_chosen_action(
            interaction,
            control,
            lambda snapshot: LayMelds(drafts.melds_to_lay(draft, _require_view(snapshot))),
            draft=draft,
        )

    async def undo_last_action(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Take back all cards that the player's last action laid."""
        await self._call_service(interaction, control, self.tables.play.undo)

    async def go_out(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Go out in the way that the panel suggests."""
        await self._call_service(interaction, control, self.tables.play.go_out)

    async def try_refused_action_at_penalty(
        self, interaction: Interaction, control: ControlId, _values: Chosen
    ) -> None:
        """Try a refused action anyway, at the penalty shown on the button."""

        def choose_action(_snapshot: SeatSnapshot) -> Action:
            tried = penalty_attempts.parse_attempt(control.argument)
            if tried is None:
                raise InputProblem(InputCode.OLD_CONTROL)
            return Attempt(tried)

        await self.play_chosen_action(interaction, control, choose_action)

    # --- discarding

    async def discard_rank(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Discard a card of the button's rank; if needed, first ask which card or for confirmation."""
        kind = _parse_kind(values[0] if values else control.argument)
        await panel.answer_with_panel(
            self.context, interaction, self._discard_or_ask_to_confirm(interaction, control, kind)
        )

    async def _discard_or_ask_to_confirm(self, interaction: Interaction, control: ControlId, kind: Kind) -> Page:
        snapshot = await panel.load_seat(self.context, interaction, control.table)
        preferences = await self.context.profiles.preferences_of(interaction.user.id)
        question = None
        if control.version == snapshot.table.version or await self.tables.play.is_current(
            control.table, control.version
        ):
            question = discard_question(interactions.words_for(interaction), snapshot, kind, preferences)
        if question is not None:
            return await panel.panel_page(self.context, interaction, snapshot, question)
        return await self._page_after_action(interaction, control, NOTHING, lambda _snapshot: Discard(kind))

    async def discard_after_confirmation(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Discard a card of that rank after the player's confirmation."""
        await self.play_chosen_action(interaction, control, lambda _snapshot: Discard(_parse_kind(control.argument)))

    async def discard_card(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Discard exactly the card in the button's argument."""
        await self.play_chosen_action(
            interaction, control, lambda snapshot: DiscardCard(_parse_card(snapshot, control.argument))
        )

    # --- helpers

    async def play_chosen_action(
        self, interaction: Interaction, control: ControlId, choose_action: ActionOf, *, draft: Draft = NOTHING
    ) -> None:
        """Play the action that `choose_action` returns, if the table is unchanged since the control was shown."""
        await panel.answer_with_panel(
            self.context, interaction, self._page_after_action(interaction, control, draft, choose_action)
        )

    async def _page_after_action(
        self, interaction: Interaction, control: ControlId, draft: Draft, choose_action: ActionOf
    ) -> Page:
        """Return the panel after the action, or with the reason why the action was refused."""
        snapshot = await panel.load_seat(self.context, interaction, control.table)
        try:
            _require_view(snapshot)
            action = choose_action(snapshot)
        except (InputProblem, Refusal, TableRefusal) as problem:
            why = await reason_for_failure(self.context, control, snapshot, problem)
            note = explain_problem(interactions.words_for(interaction), why, snapshot.table)
            return await panel.panel_page(self.context, interaction, snapshot, PanelView(note=note, draft=draft))
        return await play_action(
            self.context, interaction, control.table, action, expected_version=control.version, draft=draft
        )

    async def _call_service(
        self, interaction: Interaction, control: ControlId, service_method: PlayServiceMethod
    ) -> None:
        """Call a method of the table service, if the table is unchanged since the control was shown."""

        async def call_service_and_show_panel() -> Page:
            try:
                outcome = await service_method(
                    interactions.caller_of(interaction), control.table, expected_version=control.version
                )
            except (Refusal, TableRefusal) as problem:
                return await panel.refusal_page(self.context, interaction, control.table, problem)
            return await panel.outcome_page(self.context, interaction, outcome)

        await panel.answer_with_panel(self.context, interaction, call_service_and_show_panel())

    async def begin_next_deal(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Begin the next deal."""
        await panel.answer_with_panel(self.context, interaction, self._page_of_next_deal(interaction, control))

    async def _page_of_next_deal(self, interaction: Interaction, control: ControlId) -> Page:
        try:
            snapshot = await self.tables.play.begin_next_deal(
                interactions.caller_of(interaction), control.table, expected_version=control.version
            )
        except (Refusal, TableRefusal) as problem:
            return await panel.refusal_page(self.context, interaction, control.table, problem)
        return await panel.panel_page(self.context, interaction, snapshot)


def _require_view(snapshot: SeatSnapshot) -> SeatView:
    """Return the seat's view. Raises `TableRefusal` before the game has started."""
    if snapshot.view is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": snapshot.table.id})
    return snapshot.view


def _parse_kind(text: str) -> Kind:
    """Return the kind of card that a control names. Raises `InputProblem`."""
    if text not in DISCARD_VALUES:
        raise InputProblem(InputCode.OLD_CONTROL)
    return DISCARD_VALUES.index(text)


def _parse_card(snapshot: SeatSnapshot, text: str) -> Card:
    """Return the card of the hand that a control names. Raises `InputProblem`."""
    held = () if snapshot.view is None else snapshot.view.hand
    card = next((card for card in held if str(card) == text), None)
    if card is None:
        raise InputProblem(InputCode.OLD_CONTROL)
    return card
