"""Drawing from the stock, laying out and replacing threes, and reshuffling the pile into a stock.

The functions return events. Whether the seat may draw is checked before.

Decides `docs/law/classic.md 1.7, 1.9, 1.19, 2.1` and `docs/law/variants.md 2, 3.10`. Reads `black3_role`, `draw`,
`last_red3_ends`, `last_three`, `red3_role`, `special_hands`, `stock_end`.
"""

from __future__ import annotations

from typing import Final

from bot.engine.cards.shuffling import reshuffle_cards
from bot.engine.law import foot_and_talon
from bot.engine.law.scoring import deal_end_events
from bot.engine.moves.actions import PASS
from bot.engine.moves.events import DealEnd, DealEnded, Drew, Events, LaidOut, Reshuffled
from bot.engine.play.legal_steps import can_take_pile, legal_actions
from bot.engine.rules.rule_set import number_in_deal
from bot.engine.table import bonus_threes
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.bonus_threes import holds_kept_three, unlaid_last_three
from bot.engine.table.state import State

MOST_TURNS: Final = 1_200
"""The number of turns after which an empty stock stays empty.

A deal with the largest pack seldom has three hundred turns.
"""


def events_of_drawing(state: State, *, keep: bool = False) -> Events:
    """Return the events of drawing as many cards as the rules say.

    With `keep` one three stays in the hand (`docs/law/variants.md 3.10`).
    """
    rules = state.rules
    wanted = number_in_deal(rules.draw, state.deal)
    kept = rules.keeps_three and bonus_threes.has_bonus_three(rules, state.hands[state.turn])
    if wanted == 1 and not kept and state.stock[-1] >> 2 not in rules.laid_out:
        return (Drew(state.turn, state.stock[-1:], (), 1),)
    if keep:
        return events_of_drawing_number(state, wanted, keep=not holds_kept_three(state, state.turn))
    before = _events_of_laying_out_threes(state) if rules.keeps_three else ()
    if any(isinstance(event, DealEnded) for event in before):
        return before
    return (*before, *events_of_drawing_number(fold(state, before), wanted))


def events_of_drawing_number(state: State, wanted: int, *, keep: bool = False) -> Events:
    """Return the events of drawing `wanted` cards; bonus threes are laid out and replaced.

    If the last card of the stock is a three, which nothing can replace, the deal ends (`docs/law/classic.md 1.19,
    2.1`); in some games the seat may meld before that.
    """
    rules = state.rules
    drawn = state.stock[: -wanted - 1 : -1]
    if (len(drawn) == wanted or not rules.laid_out) and not bonus_threes.has_bonus_three(rules, drawn):
        return (Drew(state.turn, drawn, (), len(drawn)),)
    kept, laid = bonus_threes.draw_past_threes(rules, state.stock, wanted, keep=keep)
    drew = Drew(state.turn, kept, laid, len(kept))
    if kept and rules.last_three is None:
        return (drew,)
    after = evolve(state, drew)
    if kept and unlaid_last_three(after) is None:
        return (drew,)
    if can_reshuffle(after) and not kept:
        shuffled = reshuffle_event(after)
        return (drew, shuffled, *events_of_drawing_number(evolve(after, shuffled), wanted))
    if not rules.last_red3_ends and any(step is not PASS for step in legal_actions(after)):
        return (drew,)
    return (drew, *deal_end_events(after, DealEnd.LAST_RED_THREE))


def can_reshuffle(state: State) -> bool:
    """Return whether the pile becomes the new stock when the stock is empty.

    It does not after `MOST_TURNS`, because cards that no one can meld would go round for ever. Source:
    `docs/law/variants.md 2`.
    """
    if state.rules.stock_end != "reshuffle" or state.stock or len(state.pile) < 2:
        return False
    return state.turns < MOST_TURNS


def reshuffle_event(state: State) -> Reshuffled:
    """Return the event that makes the pile except its top the stock, shuffled by the key of the state."""
    cards = reshuffle_cards(state.pile[:-1], state.shuffle_key)
    return Reshuffled(cards, len(cards))


def start_of_turn_events(state: State) -> Events:
    """Return the automatic events at the beginning of a turn.

    Held threes are laid out and replaced (`docs/law/classic.md 1.7`): dealt ones at the seat's first turn, if they are
    not laid out at once; and one kept for a special hand, once the side has opened. Before that the seat receives its
    talon (`bot.engine.law.foot_and_talon`).
    """
    if foot_and_talon.has_talon_waiting(state, state.turn):
        return _events_of_taking_talon(state)
    return () if holds_kept_three(state, state.turn) else _events_of_laying_out_threes(state)


def _events_of_taking_talon(state: State) -> Events:
    """Return the events of receiving the talon (`docs/law/variants.md 3.10`)."""
    took = foot_and_talon.event_of_taking_talon(state, state.turn)
    after = evolve(state, took)
    if is_ended_by_three(state, after):
        return (took, *deal_end_events(after, DealEnd.LAST_RED_THREE))
    then = _events_of_laying_out_threes(after)
    if then or after.stock or can_take_pile(after):
        return (took, *then)
    return (took, *deal_end_events(after, DealEnd.STOCK))


def _events_of_laying_out_threes(state: State) -> Events:
    """Return the events of laying out and replacing the threes of the seat in turn; empty without threes."""
    rules = state.rules
    _, held = bonus_threes.split_threes(rules, state.hands[state.turn])
    if not held:
        return ()
    kept, drawn = bonus_threes.draw_past_threes(rules, state.stock, len(held))
    laid_out = LaidOut(state.turn, kept, held + drawn, len(kept))
    after = evolve(state, laid_out)
    if is_ended_by_three(state, after):
        return (laid_out, *deal_end_events(after, DealEnd.LAST_RED_THREE))
    if after.stock or can_take_pile(after):
        return (laid_out,)
    return (laid_out, *deal_end_events(after, DealEnd.STOCK))


def is_ended_by_three(before: State, after: State) -> bool:
    """Return whether a laid out three was replaced by the stock's last card, itself a three.

    That ends the deal. Source: `docs/law/classic.md 1.19`.
    """
    last = before.stock and not after.stock and before.stock[0] >> 2 in before.rules.laid_out
    return bool(last) and before.rules.last_red3_ends
