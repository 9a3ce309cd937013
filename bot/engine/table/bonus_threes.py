"""Threes that are bonus cards: they are laid out and replaced when they appear.

In most games they are the red threes, in some the black ones too; `RuleSet.laid_out` says which.

Decides `docs/law/classic.md 1.7` and `docs/law/variants.md 3.9, 3.10, 3.11`. Reads `black3_role`, `last_three`,
`red3_in_hand`, `red3_role`, `red3_timing`, `special_hands`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.engine.cards.cards import Card
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State


def why_not_meld_red_three(rules: RuleSet) -> Refusal:
    """Return the refusal for melding a red three: a bonus card, or a penalty for its holder."""
    if rules.red3_role == "penalty":
        return Refusal(Code.MELD_RED_THREE_HELD, {"points": -rules.red3_in_hand})
    return Refusal(Code.MELD_RED_THREE)


def has_bonus_three(rules: RuleSet, cards: Iterable[Card]) -> bool:
    """Return whether one of the cards is a bonus three."""
    return not rules.laid_out.isdisjoint([card >> 2 for card in cards])


def split_threes(rules: RuleSet, cards: Sequence[Card]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards without bonus threes, and the bonus threes."""
    kinds = rules.laid_out
    kept = tuple([card for card in cards if card >> 2 not in kinds])
    return kept, tuple([card for card in cards if card >> 2 in kinds]) if len(kept) < len(cards) else ()


def draw_past_threes(
    rules: RuleSet, stock: Sequence[Card], wanted: int, *, keep: bool = False
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the next `wanted` cards of the stock, and the bonus threes that came between them.

    With `keep` the first three is kept. The last card of the stock is kept whatever it is, if the rules say so
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


def replace_threes(
    rules: RuleSet, cards: Sequence[Card], stock: Sequence[Card]
) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the hand with its bonus threes replaced from the stock, and the threes to lay out.

    These include threes that are drawn as replacements.
    """
    kept, laid = split_threes(rules, cards)
    drawn, more = draw_past_threes(rules, stock, len(laid))
    return kept + drawn, laid + more


# --- threes in a hand -------------------------------------------------------------------------------------------------


def holds_kept_three(state: State, seat: int) -> bool:
    """Return whether the seat holds a single three that it may keep because its side has not opened."""
    return may_keep_three(state, seat) and len(split_threes(state.rules, state.hands[seat])[1]) == 1


def may_keep_three(state: State, seat: int) -> bool:
    """Return whether the seat may hold a three for the special hand `straight`.

    A dealt three is still laid out at the seat's first turn, if threes are not laid out at once.
    """
    rules = state.rules
    if not rules.keeps_three or state.opened[state.seating.side_by_seat[seat]]:
        return False
    return rules.red3_timing == "immediate" or state.turns >= len(state.seating.seats)


def unlaid_last_three(state: State) -> Card | None:
    """Return the three drawn as the stock's last card if it is still in the hand, else None.

    The hand is that of the seat in turn.
    """
    rules = state.rules
    if rules.last_three is None or state.stock or state.stock_out != state.turn or not state.fresh:
        return None
    last = state.fresh[-1]
    return last if last >> 2 in rules.laid_out else None
