"""The buttons Draw and Take of the board and the panel, and reading the chosen way to take the pile.

On the board they act for the player whose turn it is and answer with the private panel. Another person who clicks gets
their own panel, which shows whose turn it is; a second click shows the result of the first.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import JOKER, JOKER_CARD, TWO, Card
from bot.engine.cards.meld_places import is_run
from bot.engine.moves.actions import DRAW, DRAW_KEEPING, Action, Lay, Take, TakePile
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.advice import TakeWay
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import SeatSnapshot
from cogs.play.panel_controls import play_action, reason_for_failure
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction, is_in_private_message
from cogs.shared.reading import card_picking, typed_play, typed_steps
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import Draft, StagedMeld
from cogs.shared.reading.vocabulary import Vocabulary, fold_case, remove_accents, vocabulary_of
from cogs.shared.serving import panel
from cogs.shared.serving.context import Context
from cogs.shared.showing.panels.panel import PanelView
from cogs.shared.telling.explanations import explain_problem
from cogs.shared.telling.turn_text import WAYS, cards_melded_with_top, way_to_take_in_words, ways_to_take

_TAKING: Final = {"pair": "p", "two": "2", "joker": "j", "add": "a", "twos": "w"}
"""The way to take the pile for each word list in section `take` of `reading.toml`."""


def parse_take(words: Words, view: SeatView, way: str | None, melds: str | None) -> TakePile:
    """Return the action that takes the pile as a command describes it.

    Raises `InputProblem`, and `Refusal` if the pile is empty.
    """
    top = view.table.pile.top
    if top is None:
        raise Refusal(Code.PILE_EMPTY)
    vocabulary = vocabulary_of(words.locale)
    lays = () if not melds else typed_play.parse_melds(melds, view, vocabulary)
    claiming = [lay for lay in lays if any(card >> 2 == top >> 2 for card in lay.cards)]
    others = tuple(lay for lay in lays if lay not in claiming)
    onto = _find_take_by_named_meld(view, way or "", vocabulary)
    if onto is not None and onto.onto is not None:
        claimed = StagedMeld(top >> 2, onto.naturals, onto.twos, onto.jokers)
        number = [meld.place for meld in view.side.melds].index(onto.onto)
        return TakePile(_cards_to_meld_with_top(_cards_left_after_melds(view.hand, lays), claimed), lays, number)
    if claiming and not way:
        return TakePile(claiming[0].cards, others)
    chosen = _choose_way_to_take(words, view, way)
    hand = _cards_left_after_melds(tuple(drafts.hand_in_melding_order(view)), others)
    named = claiming[0].cards if claiming else ()
    claim = cards_melded_with_top(view, chosen)
    if _includes_claim(named, claim):
        return TakePile(named, others)
    return TakePile(
        (*_cards_to_meld_with_top(_cards_left_after_melds(tuple(hand), (Lay(named),)), claim), *named), others
    )


def _find_take_by_named_meld(view: SeatView, way: str, vocabulary: Vocabulary) -> Take | None:
    """Return the step that takes the pile onto the meld (or the run) that `way` names, else None."""
    named, found = way.strip().casefold(), typed_steps.takes_by_typed_meld(view)
    texts = [word for word in remove_accents(fold_case(way)).split() if not vocabulary.has_use(word, "fillers")]
    if texts and vocabulary.has_use(texts[-1], "run") and all(vocabulary.has_use(word, "onto") for word in texts[:-1]):
        return next((take for take in found.values() if is_run(take.onto or 0)), None)
    return next((take for text, take in found.items() if text.casefold() == named), None)


def _includes_claim(named: tuple[Card, ...], claim: drafts.StagedMeld) -> bool:
    """Return whether the named cards include all that must be melded with the top card."""
    kinds = [card >> 2 for card in named]
    wanted = ((claim.kind, claim.naturals), (TWO, claim.twos), (JOKER, claim.jokers))
    return all(kinds.count(kind or 0) >= count for kind, count in wanted)


def default_take(view: SeatView) -> TakePile:
    """Return an action to take the pile, for a player who has no legal way to do so.

    The engine refuses it with the reason. It melds up to two cards of the top card's rank. Raises `Refusal` if the pile
    is empty.
    """
    top = view.table.pile.top
    if top is None:
        raise Refusal(Code.PILE_EMPTY)
    naturals = tuple(card for card in view.hand if card >> 2 == top >> 2)[:2]
    return TakePile(naturals)


def _choose_way_to_take(words: Words, view: SeatView, named: str | None) -> str:
    """Return the letter of a way to take the pile: the named one, else the cheapest or only one.

    Raises `InputProblem` if there are several and none is cheapest.
    """
    if named:
        return _find_named_way_to_take(view, named, vocabulary_of(words.locale))
    ways = ways_to_take(view)
    cheapest = next((way for way in ("a", "p") if way in ways), None)
    if cheapest is not None or len(ways) == 1:
        return cheapest or ways[0]
    top = view.table.pile.top
    if len(ways) > 1 and top is not None:
        text = ", ".join(way_to_take_in_words(words, top >> 2, way) for way in ways)
        raise InputProblem(InputCode.TAKE_WHICH, {"ways": text})
    return "p"


def _find_named_way_to_take(view: SeatView, named: str, vocabulary: Vocabulary) -> str:
    """Return the letter of the way to take the pile that a typed text names by letter, word or cards."""
    text = remove_accents(fold_case(named)).strip()
    if text in WAYS:
        return text
    message = next((way for use, way in _TAKING.items() if vocabulary.has_use(text, f"take.{use}")), None)
    if message is not None:
        return message
    top = view.table.pile.top
    cards = [card for lay in card_picking.pick_melds(named, view.hand, (), vocabulary) for card in lay.cards]
    naturals = sum(1 for card in cards if top is not None and card >> 2 == top >> 2)
    jokers = sum(1 for card in cards if card == JOKER_CARD)
    return "p" if naturals >= 2 else "j" if jokers else "2" if len(cards) > naturals else "p"


def _cards_to_meld_with_top(hand: list[Card], claim: drafts.StagedMeld) -> tuple[Card, ...]:
    """Return the cards of the hand that are to be melded with the top card; some may be missing.

    The engine reports missing ones.
    """
    wanted = ((claim.kind, claim.naturals), (TWO, claim.twos), (JOKER, claim.jokers))
    return tuple(card for kind, count in wanted for card in [one for one in hand if one >> 2 == kind][:count])


def _cards_left_after_melds(hand: tuple[Card, ...], melds: tuple[Lay, ...]) -> list[Card]:
    """Return the hand without the cards of these melds."""
    left = list(hand)
    for lay in melds:
        for card in lay.cards:
            left.remove(card)
    return left


Chosen = tuple[str, ...]


class DrawAndTakeControls:
    """Handlers of the controls `draw`, `take` and `board_take`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        context.router.add("draw", self.draw_card)
        context.router.add("take", self.take_pile)
        context.router.add("board_take", self.take_from_board)

    async def draw_card(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Draw a card for the player.

        The button on the public board does so only if the player has no choice to make first.
        """
        await panel.answer_with_panel(self.context, interaction, self._page_after_draw(interaction, control))

    async def _page_after_draw(self, interaction: Interaction, control: ControlId) -> Page:
        version, draft = control.version, drafts.read_draft(control.argument)
        if not is_in_private_message(interaction):
            snapshot = await panel.load_seat(self.context, interaction, control.table)
            if not _can_draw_at_once(snapshot):
                return await panel.panel_page(self.context, interaction, snapshot)
            version = snapshot.table.version
        return await play_action(self.context, interaction, control.table, DRAW, expected_version=version, draft=draft)

    async def take_from_board(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Take the pile if there is only one way; else show the ways, or why there is none."""
        await panel.answer_with_panel(self.context, interaction, self._page_after_take(interaction, control.table))

    async def _page_after_take(self, interaction: Interaction, table: int) -> Page:
        snapshot = await panel.load_seat(self.context, interaction, table)
        view = snapshot.view
        if view is None or not view.must_act or view.table.phase is not Phase.DRAW:
            return await panel.panel_page(self.context, interaction, snapshot)
        takes = snapshot.offers.takes
        if len(takes) == 1 and view.side.opened:
            return await self._play_shown_action(interaction, snapshot, takes[0].action)
        if takes:
            return await panel.panel_page(self.context, interaction, snapshot)
        return await self._play_shown_action(interaction, snapshot, default_take(view))

    async def _play_shown_action(self, interaction: Interaction, snapshot: SeatSnapshot, action: Action) -> Page:
        """Play the action if the table is still at the version shown, and return the panel."""
        return await play_action(
            self.context, interaction, snapshot.table.id, action, expected_version=snapshot.table.version
        )

    async def take_pile(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Take the pile in the way that the panel's button numbers, with the melds of the draft."""
        await panel.answer_with_panel(self.context, interaction, self._take_numbered_way(interaction, control))

    async def _take_numbered_way(self, interaction: Interaction, control: ControlId) -> Page:
        number, _, melds = control.argument.partition(".")
        snapshot = await panel.load_seat(self.context, interaction, control.table)
        draft = drafts.read_draft(melds)
        try:
            way = await self._find_way_to_take(interaction, snapshot, number, draft)
        except (InputProblem, Refusal, TableRefusal) as problem:
            why = await reason_for_failure(self.context, control, snapshot, problem)
            note = explain_problem(interactions.words_for(interaction), why, snapshot.table)
            return await panel.panel_page(self.context, interaction, snapshot, PanelView(note=note))
        action = _action_to_take_pile(snapshot, way, draft)
        return await play_action(
            self.context, interaction, control.table, action, expected_version=control.version, draft=draft
        )

    async def _find_way_to_take(
        self, interaction: Interaction, snapshot: SeatSnapshot, way_number: str, draft: Draft
    ) -> TakeWay:
        """Return the way to take the pile with that number. Raises `InputProblem` if it is not offered."""
        view = snapshot.view
        if view is None:
            raise InputProblem(InputCode.OLD_CONTROL)
        offers = snapshot.offers
        if draft:
            fitting = drafts.draft_without_top_card_meld(drafts.fit_draft_to_hand(draft, view.hand), view)
            staged = drafts.melds_to_lay(fitting, view)
            offers = await self.tables.reading.offers(
                snapshot.table.id, person=interaction.user.id, guild=interaction.guild_id, staged=staged
            )
        if not (way_number.isdecimal() and int(way_number) < len(offers.takes)):
            raise InputProblem(InputCode.OLD_CONTROL)
        return offers.takes[int(way_number)]


def _action_to_take_pile(snapshot: SeatSnapshot, way: TakeWay, draft: Draft) -> Action:
    """Return the action that takes the pile in this way.

    If the draft has cards of the top card's rank, they are melded with it, and its other melds are laid too.
    """
    top = None if snapshot.view is None else snapshot.view.table.pile.top
    if snapshot.view is None or top is None or way.step.onto is not None or not draft.meld_of(top >> 2).size:
        return way.action
    claim = StagedMeld(top >> 2, way.step.naturals, way.step.twos, way.step.jokers)
    return drafts.take_action_with_draft(drafts.fit_draft_to_hand(draft, snapshot.view.hand), snapshot.view, claim)


def _can_draw_at_once(snapshot: SeatSnapshot) -> bool:
    """Return whether the seat can draw now and has no choice, such as whether to keep a three."""
    view = snapshot.view
    return view is not None and view.must_act and DRAW in view.legal and DRAW_KEEPING not in view.legal
