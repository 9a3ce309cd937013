"""Invariants: conditions that must hold in every state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from bot.engine.cards.cards import Card, full_pack
from bot.engine.cards.packed_counts import pack_hand
from bot.engine.melds.side_melds import spread_of
from bot.engine.melds.table_meld import is_possible_meld, meld_of
from bot.engine.moves.phases import Phase
from bot.engine.play.legal_steps import legal_actions
from bot.engine.table.applying_meld_events import may_be_merged
from bot.engine.table.bonus_threes import has_bonus_three, split_threes, unlaid_last_three
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import is_before_second_turn


def broken_invariants(state: State, *, complete: bool = True) -> tuple[str, ...]:
    """Return every broken invariant, in words for a log that name no card; empty if the state is valid.

    `complete` demands the whole pack, which a position made by hand need not have.
    """
    if not state.hands:
        return ()
    return tuple(_state_problems(state, complete=complete))


def _state_problems(state: State, *, complete: bool) -> Iterator[str]:
    """Yield every broken invariant of the state."""
    rules = state.rules
    if complete and sorted(_all_cards(state)) != _sorted_pack(rules.decks, rules.jokers_per_deck):
        yield "the cards in play are not the pack"
    for seat, hand in enumerate(state.hands):
        if hand and seat not in state.seating.seats:
            yield f"seat {seat} rests and holds cards"
        if list(hand) != sorted(hand):
            yield f"the hand of seat {seat} is not in order"
        if pack_hand(hand, red_threes=rules.counts_red_threes) != state.packed[seat]:
            yield f"the counts of seat {seat} are not those of its hand"
        if has_bonus_three(rules, hand) and not may_hold_threes(state, seat):
            yield f"seat {seat} holds a three that is laid out"
    for seat, foot in enumerate(state.feet):
        if list(foot) != sorted(foot) or not rules.foot_size:
            yield f"the foot of seat {seat} is not in order"
    yield from _meld_problems(state)
    yield from _penalty_problems(state)
    yield from _stream_problems(state)
    if any(score % 5 for score in state.scores):
        yield "a score is no multiple of five"
    if seat_to_act(state) is not None and not legal_actions(state):
        yield f"seat {seat_to_act(state)} has nothing it may do"
    if state.phase is Phase.OVER and state.winner is None:
        yield "the game is over without a winner"


def _stream_problems(state: State) -> Iterator[str]:
    """Yield broken invariants of the stock's streams."""
    if state.streams and sum(state.streams) < len(state.stock):
        yield "the streams have fewer cards than the stock"


def _meld_problems(state: State) -> Iterator[str]:
    """Yield broken invariants of melds on the table."""
    rules = state.rules
    for side, melds in enumerate(state.melds):
        if spread_of(rules, melds) != state.spreads[side]:
            yield f"the spread of side {side} is not that of its melds"
        if len({meld.place for meld in melds}) != len(melds):
            yield f"side {side} has two melds of one rank"
        for meld in melds:
            if meld.naturals + meld.wilds != meld.size or meld != meld_of(meld.place, tuple(sorted(meld.cards))):
                yield f"a meld of side {side} is miscounted"
            if not is_possible_meld(rules, meld) and not may_be_merged(state, meld):
                yield f"a meld of side {side} is none"
        if melds and not state.opened[side] and not state.laid_points:
            yield f"side {side} has melds and has not opened"


def _penalty_problems(state: State) -> Iterator[str]:
    """Yield broken invariants of penalties and penalty cards."""
    penalties = state.penalties
    if penalties is None:
        return
    for seat, exposed in enumerate(penalties.exposed):
        if Counter(exposed) - Counter(state.hands[seat]):
            yield f"a penalty card of seat {seat} is not in its hand"
        if list(exposed) != sorted(exposed):
            yield f"the penalty cards of seat {seat} are not in order"
    if any(points < 0 or points % 5 for points in (*penalties.points, *penalties.raised)):
        yield "a penalty is no multiple of five"


def may_hold_threes(state: State, seat: int) -> bool:
    """Return whether the seat may hold threes that others would have to lay out.

    Its first turn is still to come (`docs/law/classic.md 1.7`); or it keeps a three for a special hand, until its next
    turn if the side opens; or it drew a three as the last card (`docs/law/variants.md 3.10`).
    """
    drew_last = state.rules.last_three is not None and state.stock_out == seat
    if len(split_threes(state.rules, state.hands[seat])[1]) <= state.rules.keeps_three + drew_last:
        return True
    if state.turn == seat and unlaid_last_three(state) is not None:
        return True
    waits = state.rules.red3_timing == "first_turn" and is_before_second_turn(state, seat)
    return waits and (seat != state.turn or state.phase is Phase.BETWEEN)


def count_all_cards(state: State) -> Counter[int]:
    """Return the number of copies of each card anywhere in the deal."""
    return Counter(_all_cards(state))


def _all_cards(state: State) -> list[Card]:
    """Return every card anywhere in the deal."""
    cards = [*state.stock, *state.pile]
    for group in (*state.hands, *state.feet, *state.talons, *state.red_threes, *state.set_aside):
        cards += group
    for melds in state.melds:
        for meld in melds:
            cards += meld.cards
    return cards


@lru_cache(maxsize=16)
def _sorted_pack(decks: int, jokers_per_deck: int) -> list[Card]:
    """Return all cards of a game, sorted."""
    return sorted(full_pack(decks, jokers_per_deck))
