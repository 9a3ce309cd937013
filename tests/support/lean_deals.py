"""Plays the same deal in the lean simulation and on the engine, and compares them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

from bot.computer.lean.bridge import deal_world, discard_of, is_claimed, meld_of, take_of
from bot.computer.lean.discards import choose_discard
from bot.computer.lean.form import KINDS
from bot.computer.lean.numbers import usual_numbers
from bot.computer.lean.policy import choose_claim, choose_melds, claims
from bot.computer.lean.world import LAST_RED, OUT, RUNNING, STOCK, World, discard, draw, lay, score, take
from bot.engine.cards.cards import Card, counts_of
from bot.engine.moves.actions import DRAW, PASS, StartDeal, Step, Take
from bot.engine.moves.events import DealEnd
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game

CLAIMED = [
    (name, players) for name, forms in RULE_SETS.items() for players, rules in forms.items() if is_claimed(rules)
]

ENDS = {OUT: DealEnd.OUT, STOCK: DealEnd.STOCK, LAST_RED: DealEnd.LAST_RED_THREE}


@dataclass(slots=True)
class Agreement:
    """Counts of compared deals by end, and of positions in which only the engine has further ways to take the pile."""

    ends: Counter[DealEnd] = field(default_factory=Counter)
    positions: int = 0
    further: int = 0


def varied_numbers(chance: Random) -> list[float]:
    """Return random player parameters that also produce unusual play."""
    return [number * chance.choice((0.5, 1, 1, 1.5, 2)) for number in usual_numbers()]


def compare_deal(rules: RuleSet, pack: tuple[Card, ...], number: int, chance: Random, found: Agreement) -> None:
    """Play a deal in both; fail if any hand, the pile, the stock, a take, the end or the score differs."""
    deal = 1 + number % 3
    seats = seating_of(rules.teams, rules.players, deal).seats
    dealer = seats[number % len(seats)]
    totals = tuple(chance.choice((0, 0, 1500, 3000, -100)) for _ in range(rules.sides))
    state = replace(new_game(rules, dealer=dealer, scores=totals), deal=deal - 1, dealer=dealer)
    state = fold(state, decide(state, None, StartDeal(pack)))
    world, seats = deal_world(rules, pack, dealer=dealer, totals=totals, number=deal)
    numbers = varied_numbers(chance)
    while world.ended == RUNNING:
        assert_same(world, state, seats)
        found.positions += 1
        state = _play_turn(world, state, numbers, found)
    assert state.phase in (Phase.BETWEEN, Phase.OVER)
    result = state.results[-1]
    assert result.reason is ENDS[world.ended]
    sides = [state.seating.side_by_seat[score] for score in range(rules.sides)]
    won = [rules.game_bonus if number == state.winner else 0 for number in range(rules.sides)]
    assert [lines.total for lines in result.lines] == [
        score(world, side) + bonus for side, bonus in zip(sides, won, strict=True)
    ]
    found.ends[result.reason] += 1


def _play_turn(world: World, state: State, numbers: list[float], found: Agreement) -> State:
    legal = legal_actions(state)
    offered = claims(world)
    takes = {step for step in legal if isinstance(step, Take)}
    assert {take_of(claim) for claim in offered} <= takes
    found.further += len(offered) < len(takes)
    claim = choose_claim(world, numbers, offered)
    if claim is not None:
        take(world, *claim)
        state = _step(state, take_of(claim))
    elif world.left:
        draw(world)
        state = _step(state, DRAW)
    else:
        world.ended = STOCK
        return _step(state, PASS) if PASS in legal else state
    while world.ended == RUNNING and (plan := choose_melds(world, numbers)):
        for laying in plan:
            lay(world, *laying)
            state = _step(state, meld_of(laying))
    if world.ended == RUNNING:
        kind = choose_discard(world, numbers)
        discard(world, kind)
        state = _step(state, discard_of(kind))
    if world.ended == RUNNING and state.phase in (Phase.BETWEEN, Phase.OVER):
        assert not world.left
        assert not claims(world)
        world.ended = STOCK
    return state


def _step(state: State, step: Step) -> State:
    return fold(state, decide(state, state.turn, step))


def assert_same(world: World, state: State, seats: tuple[int, ...]) -> None:
    """Fail unless both have the same turn, hands, stock and pile."""
    assert seats[world.turn] == state.turn
    for place, seat in enumerate(seats):
        assert tuple(world.hands[place * KINDS : (place + 1) * KINDS]) == counts_of(state.hands[seat])
    assert len(state.stock) == world.left
    assert [card >> 2 for card in state.pile] == world.pile
