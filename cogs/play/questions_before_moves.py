"""Questions that the panel asks before a move.

Which card to discard, whether really to discard it, whether to ask the partner without a way to go out. They follow
from public facts and the player's own hand.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import ACE, JOKER, TWO, Kind
from bot.engine.melds.meld_shapes import can_join_meld
from bot.engine.moves.actions import ASK, Discard, DiscardCard
from bot.engine.rules.rule_set import card_class
from bot.engine.table.views import MeldView, SeatView
from bot.i18n import Words
from bot.profiles.preferences import Preferences
from bot.tables.state.snapshots import SeatSnapshot
from cogs.shared.reading import card_text
from cogs.shared.showing.panels.panel import PanelPart, PanelView
from cogs.shared.telling import names

_WILD: Final = (TWO, JOKER)

LARGE_PILE: Final = 5
"""Size of a pile (with the discard) from which the panel asks before the player gives it away."""


def discard_question(words: Words, snapshot: SeatSnapshot, kind: Kind, preferences: Preferences) -> PanelView | None:
    """Return the question to ask before discarding a card of that rank, or None to discard at once.

    If suits matter (runs, open penalty cards) and the hand holds several suits of the rank, the question is which card.
    """
    view = snapshot.view
    if view is None:
        return None
    suits_matter = "seq" in view.table.rules.meld_kinds and kind not in _WILD
    if suits_matter and len({card for card in view.hand if card >> 2 == kind}) > 1:
        return PanelView(side=PanelPart.SUITS, kind=kind)
    note = discard_warning(words, snapshot, kind, always=preferences.discarding == "always")
    return PanelView(note=note, side=PanelPart.SURELY, kind=kind) if note else None


def discard_warning(words: Words, snapshot: SeatSnapshot, kind: Kind, *, always: bool) -> str:
    """Return the sentence to confirm before discarding a card of that rank, or "" to discard it at once.

    Wild cards need a confirmation, natural ones if they give the next player a large pile; all others with `always`.
    """
    view = snapshot.view
    if view is None:
        return ""
    card = card_text.kind_word(words, kind)
    if kind in _WILD:
        freezes = card_class(kind) in view.table.rules.freeze_discards
        return words("panel.surely_freezes" if freezes else "panel.surely", card=card)
    if (seat := seat_given_the_pile(view, kind)) is not None:
        return words(
            "panel.surely_feeds",
            card=card,
            name=names.seat_name(words, snapshot.table, seat),
            count=view.table.pile.cards + 1,
            kinds=card_text.kind_word(words, kind, 2),
        )
    return words("panel.surely", card=card) if always else ""


def command_discard_question(words: Words, snapshot: SeatSnapshot, action: DiscardCard) -> PanelView | None:
    """Return the question before a typed discard, or None to play it without a question.

    Illegal discards are refused by the rules. Where suits matter the card was named exactly and is discarded at once,
    unless it is wild.
    """
    view, kind = snapshot.view, action.card >> 2
    if view is None or not any(isinstance(step, Discard) and step.kind == kind for step in view.legal):
        return None
    if "seq" in view.table.rules.meld_kinds and kind not in _WILD:
        return None
    note = discard_warning(words, snapshot, kind, always=False)
    return PanelView(note=note, side=PanelPart.SURELY, kind=kind) if note else None


def seat_given_the_pile(view: SeatView, kind: Kind) -> int | None:
    """Return the next seat if discarding that rank lets it take a large pile, else None.

    It takes five cards or more by adding the card to a meld. Only public facts count: its side has opened, the pile is
    not frozen for it, and a meld of its side takes the card. Also None if no other rank may be discarded.
    """
    table, pile = view.table, view.table.pile
    others = [step for step in view.legal if isinstance(step, Discard) and step.kind != kind]
    if kind > ACE or not others or pile.cards + 1 < LARGE_PILE or "add" not in table.rules.take_open:
        return None
    order = table.playing
    following = order[(order.index(view.seat) + 1) % len(order)]
    info = table.seats[following]
    side = table.sides[info.side]
    if side.side == view.side.side or not side.opened or pile.frozen or info.frozen:
        return None
    return following if any(meld.kind == kind and _can_top_card_join(view, meld) for meld in side.melds) else None


def _can_top_card_join(view: SeatView, meld: MeldView) -> bool:
    """Return whether the pile's top card alone may join the meld."""
    rules = view.table.rules
    if not rules.take_add_canasta and meld.size >= rules.canasta_size:
        return False
    return can_join_meld(rules, (meld.naturals, meld.wilds), 1, 0)


def question_before_asking_partner(words: Words, snapshot: SeatSnapshot) -> PanelView | None:
    """Return the question to confirm before asking the partner without a way to go out.

    Return None if there is a way, or if asking is illegal.
    """
    view = snapshot.view
    if view is None or ASK not in view.legal or snapshot.offers.way_out is not None:
        return None
    return PanelView(note=words("panel.ask_without_way"), side=PanelPart.ASK)
