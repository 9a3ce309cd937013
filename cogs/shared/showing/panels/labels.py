"""Short labels of buttons that lay or discard cards."""

from __future__ import annotations

from bot.engine.cards.cards import BLACK_THREE, TWO, Kind
from bot.engine.cards.meld_places import family_of, is_run, natural_kind
from bot.engine.melds.points import unfinished_points
from bot.engine.melds.table_meld import TableMeld, cards_wanted_by, meld_with_cards, pick_cards
from bot.engine.moves.actions import Combine, LayRun, Meld, Reclaim
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.advice import LayOffer
from cogs.shared.reading import card_text, typed_steps
from cogs.shared.reading.meld_draft import StagedMeld
from cogs.shared.telling.numbers import number_with_sign


def cards_label(laying: LayOffer) -> str:
    """Return the label of the cards to lay: by rank, ``Q Q Q``; a run by its ends, ``4♥–7♥``."""
    if isinstance(laying.step, LayRun) or is_run(laying.place):
        return (
            typed_steps.run_ends_text(laying.cards) if len(laying.cards) > 1 else card_text.card_label(laying.cards[0])
        )
    return card_text.ranks_label(laying.cards)


def laying_label_in_list(words: Words, laying: LayOffer) -> str:
    """Return a meld's label for a list of several: its cards, and the meld they join, if any."""
    if laying.new:
        return cards_label(laying)
    kinds = card_text.meld_word(words, family_of(laying.place), 2)
    return words("panel.button_add", cards=cards_label(laying), kinds=kinds)


def laying_label(words: Words, view: SeatView, laying: LayOffer) -> str:
    """Return the label of a button that lays cards, with points or the meld they join.

    Such as "Q Q Q · 30", "9 9 → nines", "4♥–7♥ · 20", "K 2 → kings · canasta"; "9 → 9 9 9 2" where the side has
    different melds of nines.
    """
    cards = cards_label(laying)
    if laying.new:
        label = words("panel.button_lay", cards=cards, points=laying.points)
    else:
        kinds = typed_steps.joined_meld_text(words, view, laying.place)
        label = words("panel.button_add", cards=cards, kinds=kinds)
    label = words("panel.button_canasta", what=label) if laying.canasta else label
    return label_with_price(words, label, laying.price)


def label_with_price(words: Words, label: str, price: int) -> str:
    """Return a label with the points lost or saved if the deal ends now: "7 7 7 7 · 20 · now −2,500"."""
    return words("panel.button_price", what=label, points=number_with_sign(words, price)) if price else label


def price_of_step(view: SeatView, step: Meld | LayRun) -> int:
    """Return the points that laying these cards loses or saves if the deal ends now.

    They come from unfinished melds; a loss is negative.
    """
    rules = view.table.rules
    if not rules.incomplete_penalty:
        return 0
    wanted = () if isinstance(step, LayRun) else cards_wanted_by(step, natural_kind(step.place))
    added = step.cards if isinstance(step, LayRun) else pick_cards(view.hand, wanted)
    meld = next((one for one in view.side.melds if one.place == step.place), None)
    lying = None if meld is None else TableMeld(meld.place, meld.naturals, meld.wilds, meld.cards)
    before = 0 if lying is None else unfinished_points(rules, [lying])
    return unfinished_points(rules, [meld_with_cards(step.place, lying, added)]) - before


def step_label(words: Words, view: SeatView, step: Combine | Reclaim) -> str:
    """Return the label of a button that joins two melds or takes back wild cards."""
    return typed_steps.move_in_words(words, view, step)


def staged_meld_label(staged: StagedMeld) -> str:
    """Return the label of a prepared meld: ``K K K 2``."""
    if staged.kind is None:
        return card_text.meld_text(TWO, staged.twos, 0, staged.jokers)
    return card_text.meld_text(staged.kind, staged.naturals, staged.twos, staged.jokers)


def step_as_staged_meld(step: Meld | LayRun) -> StagedMeld | None:
    """Return a step as a prepared meld; None for runs and wild cards alone, which ranks cannot express."""
    if isinstance(step, LayRun) or step.kind > BLACK_THREE:
        return None
    return StagedMeld(step.kind, step.naturals, step.twos, step.jokers)


def discard_label(words: Words, kind: Kind, held: int, rules: RuleSet, *, pictured: bool) -> str:
    """Return the label of a rank to discard with its number of cards; next to a picture only the number."""
    name = "" if pictured else card_text.discard_label(words, kind, red_threes_stay=rules.counts_red_threes)
    return f"{name} ×{held}".strip() if held > 1 else name
