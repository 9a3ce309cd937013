"""Questions before a discard: which card is meant, and whether it is meant at all."""

from __future__ import annotations

from bot.engine.cards.cards import JOKER, TWO, Kind
from bot.engine.rules.rule_set import RuleSet, card_class
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.profiles.preferences import Preferences
from cogs.shared.reading import card_text
from cogs.shared.showing.panels.view import Side, View

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
