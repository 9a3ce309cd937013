"""Threes that are bonus cards: wherever they turn up they are laid out and replaced.

In most games they are the red threes, in some the black ones besides; `RuleSet.laid_out` says which.

Decides `docs/law/classic.md 1.7` and `docs/law/variants.md 3.9, 3.10, 3.11`. Reads `black3_role`, `last_three`,
`red3_in_hand`, `red3_role`, `red3_timing`, `special_hands`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.cards.cards import Card
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State


def why_not_melded(rules: RuleSet) -> Refusal:
    """Return why no red three is melded.

    It is a bonus card, or one that costs points to whoever holds it at the end.
    """
    if rules.red3_role == "penalty":
        return Refusal(Code.MELD_RED_THREE_HELD, {"points": -rules.red3_in_hand})
    return Refusal(Code.MELD_RED_THREE)


def are_among(rules: RuleSet, cards: Iterable[Card]) -> bool:
    """Return whether one of the cards is a three that is laid out."""
    return not rules.laid_out.isdisjoint([card >> 2 for card in cards])


def parted(rules: RuleSet, cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards that are kept, and the threes among them that are laid out."""
    kinds = rules.laid_out
    kept = tuple([card for card in cards if card >> 2 not in kinds])
    return kept, tuple([card for card in cards if card >> 2 in kinds]) if len(kept) < len(cards) else ()


def from_stock(
    rules: RuleSet, stock: Sequence[Card], wanted: int, *, keep: bool = False
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the next `wanted` cards of the stock that are kept, and the threes laid out that came between them.

    With `keep` the first three is kept. The last card of the stock is kept whatever it is, where the rules say so
    (`last_three`).
    """
    kinds = rules.laid_out
    kept: list[Card] = []
    threes: list[Card] = []
    left = len(stock)
    for card in reversed(stock):
        if len(kept) == wanted:
            break
        left -= 1
        three = card >> 2 in kinds
        stays = not three or keep or (not left and rules.last_three is not None)
        (kept if stays else threes).append(card)
        keep = keep and not three
    return tuple(kept), tuple(threes)


def with_replacements(
    rules: RuleSet, cards: Sequence[Card], stock: Sequence[Card]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """What cards come to a hand as: those kept with what replaces the threes, and all threes that are laid out."""
    kept, laid = parted(rules, cards)
    drawn, more = from_stock(rules, stock, len(laid))
    return kept + drawn, laid + more


# --- threes in a hand -------------------------------------------------------------------------------------------------


def keeps(state: State, seat: int) -> bool:
    """Return whether the seat holds a single three that it may keep, since its side has not opened."""
    return may_keep(state, seat) and len(parted(state.rules, state.hands[seat])[1]) == 1


def may_keep(state: State, seat: int) -> bool:
    """Return whether the seat may hold a three for the special hand `straight`.

    A three dealt to it is laid out at its first turn nevertheless, where threes are not laid out at once.
    """
    rules = state.rules
    if not rules.keeps_three or state.opened[state.seating.side_by_seat[seat]]:
        return False
    return rules.red3_timing == "immediate" or state.turns >= len(state.seating.seats)


def stuck(state: State) -> Card | None:
    """The three that the seat in turn has just drawn as the last card of the stock, where it stays in its hand."""
    rules = state.rules
    if rules.last_three is None or state.stock or state.stock_out != state.turn or not state.fresh:
        return None
    last = state.fresh[-1]
    return last if last >> 2 in rules.laid_out else None
