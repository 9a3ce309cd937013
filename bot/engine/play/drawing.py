"""Drawing: cards from the stock, the threes among them that are laid out and replaced, and the pile as a new stock.

The answers are events. Whether the seat may draw has been asked before.

Decides `docs/law/classic.md 1.7, 1.9, 1.19, 2.1` and `docs/law/variants.md 2, 3.10`. Reads `black3_role`, `draw`,
`last_red3_ends`, `last_three`, `red3_role`, `special_hands`, `stock_end`.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards.shuffling import reshuffled
from bot.engine.law import foot
from bot.engine.law.scoring import deal_end
from bot.engine.moves.actions import PASS
from bot.engine.moves.events import DealEnd, DealEnded, Drew, Events, LaidOut, Reshuffled
from bot.engine.play.legal import can_take, legal_actions
from bot.engine.rules.rule_set import in_deal
from bot.engine.table import threes
from bot.engine.table.evolve import evolve, fold
from bot.engine.table.state import State
from bot.engine.table.threes import keeps, stuck

MOST_TURNS: Final = 1_200
"""The number of turns after which a stock that is out stays out.

A deal of the largest pack seldom has three hundred.
"""


def draw_cards(state: State, *, keep: bool = False) -> Events:
    """Return the seat draws as many cards as the rules say.

    With `keep` one three stays in its hand (`docs/law/variants.md 3.10`).
    """
    rules = state.rules
    wanted = in_deal(rules.draw, state.deal)
    kept = rules.keeps_three and threes.are_among(rules, state.hands[state.turn])
    if wanted == 1 and not kept and state.stock[-1] >> 2 not in rules.laid_out:
        return (Drew(state.turn, state.stock[-1:], (), 1),)
    if keep:
        return draw_from_stock(state, wanted, keep=not keeps(state, state.turn))
    before = _lay_out(state) if rules.keeps_three else ()
    if any(isinstance(event, DealEnded) for event in before):
        return before
    return (*before, *draw_from_stock(fold(state, before), wanted))


def draw_from_stock(state: State, wanted: int, *, keep: bool = False) -> Events:
    """So many cards come to the hand; threes that are laid out are replaced.

    A three as the very last card, which nothing replaces, ends the deal (`docs/law/classic.md 1.19, 2.1`). In some
    games the seat first lays what it can.
    """
    rules = state.rules
    drawn = state.stock[: -wanted - 1 : -1]
    if (len(drawn) == wanted or not rules.laid_out) and not threes.are_among(rules, drawn):
        return (Drew(state.turn, drawn, (), len(drawn)),)
    kept, laid = threes.from_stock(rules, state.stock, wanted, keep=keep)
    drew = Drew(state.turn, kept, laid, len(kept))
    if kept and rules.last_three is None:
        return (drew,)
    after = evolve(state, drew)
    if kept and stuck(after) is None:
        return (drew,)
    if can_reshuffle(after) and not kept:
        shuffled = reshuffle(after)
        return (drew, shuffled, *draw_from_stock(evolve(after, shuffled), wanted))
    if not rules.last_red3_ends and any(step is not PASS for step in legal_actions(after)):
        return (drew,)
    return (drew, *deal_end(after, DealEnd.LAST_RED_THREE))


def can_reshuffle(state: State) -> bool:
    """Return whether the pile becomes the stock, which is out (`docs/law/variants.md 2`).

    After `MOST_TURNS` it no longer does: cards that nobody can lay would go round for ever.
    """
    if state.rules.stock_end != "reshuffle" or state.stock or len(state.pile) < 2:
        return False
    return state.turns < MOST_TURNS


def reshuffle(state: State) -> Reshuffled:
    """Return the pile but for its top becomes the stock, in an order that follows from the order of the pack."""
    cards = reshuffled(state.pile[:-1], state.shuffle_key)
    return Reshuffled(cards, len(cards))


def begin_turn(state: State) -> Events:
    """What happens by itself as a turn begins.

    Threes held are laid out and replaced (`docs/law/classic.md 1.7`): those dealt, at the seat's first turn, where they
    are not laid out at once; and one kept for a special hand, once the side has opened. Cards set aside for the seat
    come before that (`bot.engine.law.foot`).
    """
    if foot.waits_for_bonus_cards(state, state.turn):
        return _take_talon(state)
    return () if keeps(state, state.turn) else _lay_out(state)


def _take_talon(state: State) -> Events:
    """Return the cards set aside for the seat come to its hand (`docs/law/variants.md 3.10`)."""
    took = foot.take(state, state.turn)
    after = evolve(state, took)
    if ended_by_three(state, after):
        return (took, *deal_end(after, DealEnd.LAST_RED_THREE))
    then = _lay_out(after)
    if then or after.stock or can_take(after):
        return (took, *then)
    return (took, *deal_end(after, DealEnd.STOCK))


def _lay_out(state: State) -> Events:
    """Return the threes in the hand of the seat in turn are laid out and replaced.

    Nothing happens where there are none.
    """
    rules = state.rules
    _, held = threes.parted(rules, state.hands[state.turn])
    if not held:
        return ()
    kept, drawn = threes.from_stock(rules, state.stock, len(held))
    laid_out = LaidOut(state.turn, kept, held + drawn, len(kept))
    after = evolve(state, laid_out)
    if ended_by_three(state, after):
        return (laid_out, *deal_end(after, DealEnd.LAST_RED_THREE))
    if after.stock or can_take(after):
        return (laid_out,)
    return (laid_out, *deal_end(after, DealEnd.STOCK))


def ended_by_three(before: State, after: State) -> bool:
    """Return whether the deal ends since a three as the last card of the stock replaced one that was laid out.

    Source: `docs/law/classic.md 1.19`.
    """
    last = before.stock and not after.stock and before.stock[0] >> 2 in before.rules.laid_out
    return bool(last) and before.rules.last_red3_ends
