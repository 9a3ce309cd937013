"""A stock in streams: every seat draws cards of its own, whatever others draw (`docs/shuffle.md`)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.engine.cards.cards import Card
from bot.engine.cards.shuffling import rearrange_streams, split_into_streams
from bot.engine.moves import phases
from bot.engine.moves.actions import StartDeal
from bot.engine.moves.events import Drew
from bot.engine.play.decide import decide
from bot.engine.play.invariants import broken_invariants
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game
from bot.store.game_forms import STATE
from tests.support.random_play import one_form_of_each_rule_set, seeded_pack, steps_of_a_deal


def deal_streams(rules: RuleSet, seed: int, dealer: int = 0) -> State:
    start = new_game(rules, dealer=dealer)
    return fold(start, decide(start, None, StartDeal(seeded_pack(rules, seed), streams=True)))


def streams_by_seat(state: State) -> dict[int, tuple[Card, ...]]:
    """Return each seat's stream after the deal, in the order in which its cards are drawn."""
    seats = state.seating.seats
    place = seats.index(state.turn)
    order = (*seats[place:], *seats[:place])
    ranked = [order[0], *sorted(order[1:], key=lambda seat: -state.streams[seat])]
    cards, found = list(reversed(state.stock)), {}
    for seat in ranked:
        stream = tuple(cards[: state.streams[seat]])
        found[seat] = stream if seat == state.turn else stream[::-1]
        cards = cards[state.streams[seat] :]
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_seats_draws_do_not_depend_on_other_seats(seed: int) -> None:
    rules = rule_set("classic", 4)
    first = deal_streams(rules, seed)
    own = streams_by_seat(first)
    for way in range(3):
        drawn: dict[int, list[Card]] = {seat: [] for seat in range(4)}
        lasts = dict.fromkeys(range(4), True)
        for played in steps_of_a_deal(first, Random(f"{seed} {way}")):
            for event in played.events:
                if isinstance(event, Drew):
                    came = Counter((*event.cards, *event.red_threes))
                    count, before = came.total(), len(drawn[event.seat])
                    lasts[event.seat] = lasts[event.seat] and before + count <= len(own[event.seat])
                    if lasts[event.seat]:
                        assert Counter(own[event.seat][before : before + count]) == came
                    drawn[event.seat] += came.elements()
        assert any(drawn.values())


@pytest.mark.parametrize("rules", one_form_of_each_rule_set(), ids=lambda rules: f"{rules.name}-{rules.players}")
def test_every_rule_set_is_played_with_streams_to_the_end_of_the_deal(rules: RuleSet) -> None:
    state = deal_streams(rules, 5)
    for number, played in enumerate(steps_of_a_deal(state, Random(5))):
        state = played.after
        assert [] == list(broken_invariants(state))
        if not number % 40:
            assert state == STATE.read(STATE.write(state))
    assert state.phase in (phases.BETWEEN, phases.OVER)


def test_the_streams_are_every_nth_card_from_the_seat_that_begins() -> None:
    stock, lengths = split_into_streams(tuple(range(10, 0, -1)), (2, 0, 1), 3)
    assert (3, 3, 4) == lengths
    assert (1, 4, 7, 10, 8, 5, 2, 9, 6, 3) == tuple(reversed(stock))


def test_the_next_seat_finds_its_own_stream_on_top() -> None:
    stock, lengths = split_into_streams(tuple(range(10, 0, -1)), (2, 0, 1), 3)
    stock, lengths = rearrange_streams(stock[:-2], lengths, (2, 0, 1), (0, 1, 2))
    assert (3, 3, 2) == lengths
    assert (2, 5, 8, 9, 6, 3, 10, 7) == tuple(reversed(stock))


def test_a_seat_with_an_empty_stream_draws_the_last_cards_of_the_longest_stream() -> None:
    stock, lengths = split_into_streams(tuple(range(10, 0, -1)), (2, 0, 1), 3)
    stock, lengths = rearrange_streams(stock[:-5], lengths, (2, 0, 1), (1, 2, 0))
    assert (2, 3, 0) == lengths
    assert (3, 6, 9, 5, 2) == tuple(reversed(stock))
    stock, lengths = rearrange_streams(stock, lengths, (1, 2, 0), (2, 0, 1))
    assert (9, 6, 3, 5, 2) == tuple(reversed(stock))
    assert (2, 3, 0) == lengths


def test_a_stock_without_streams_is_drawn_in_its_order() -> None:
    rules = rule_set("classic", 4)
    start = new_game(rules, dealer=0)
    pack = seeded_pack(rules, 3)
    plain = fold(start, decide(start, None, StartDeal(pack)))
    assert () == plain.streams
    assert sorted(plain.stock) == sorted(deal_streams(rules, 3).stock)
