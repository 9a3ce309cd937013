"""Plays the same deal in the computer players' rollout world and on the engine, and compares them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from random import Random

from bot.computer.chosen_step import Choice
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.player import player_for
from bot.computer.rollout.discards import choose_discard
from bot.computer.rollout.engine_conversion import claim_as_step, deal_world, discard_as_step, is_playable, meld_as_step
from bot.computer.rollout.form import KINDS, RANKS
from bot.computer.rollout.limited.foot_turns import is_whole_hand_laid
from bot.computer.rollout.moves import discard_card, draw_cards, lay_meld, take_pile
from bot.computer.rollout.policy import choose_melds, choose_way_to_take, ways_to_take_pile
from bot.computer.rollout.policy_numbers import numbers_before_fitting
from bot.computer.rollout.runs import moves
from bot.computer.rollout.runs import policy as runs
from bot.computer.rollout.runs.conversion_with_suits import laying_step, merging_step, taking_step
from bot.computer.rollout.runs.discards import choose_discarded_card
from bot.computer.rollout.runs.suits_and_runs import CARDS
from bot.computer.rollout.scores import score_of_side, table_points
from bot.computer.rollout.search import ExpertPlayer
from bot.computer.rollout.world import LAST_RED, OUT, RUNNING, STOCK, World
from bot.engine.cards.cards import Card, card_of, counts_of
from bot.engine.melds.points import score_lines_on_table
from bot.engine.moves.actions import ASK, DRAW, PASS, YES, Action, DiscardCard, StartDeal, Take
from bot.engine.moves.events import DealEnd
from bot.engine.moves.phases import Phase
from bot.engine.play.decide import decide
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act
from bot.engine.table.views import SeatView
from tests.support.seeds import SEARCHING

CLAIMED = [
    (name, players) for name, forms in RULE_SETS.items() for players, rules in forms.items() if is_playable(rules)
]

UNCLAIMED = [
    (name, players) for name, forms in RULE_SETS.items() for players in forms if (name, players) not in CLAIMED
]

ENDS = {OUT: DealEnd.OUT, STOCK: DealEnd.STOCK, LAST_RED: DealEnd.LAST_RED_THREE}

SHORT_EVERY = 8
"""One deal of so many has a short stock, because in some forms a whole stock hardly ever runs out."""

SHORT_STOCK = 3
"""Cards in a short stock for each seat."""


@dataclass(slots=True)
class ComparisonCounts:
    """Counts of the compared deals by their end, of positions, and of positions with `further` takes.

    In these the engine has more ways to take the pile than the simulation.
    """

    ends: Counter[DealEnd] = field(default_factory=Counter)
    positions: int = 0
    further: int = 0


class QuickExpert:
    """An expert computer player that leaves two of three choices to a casual player, which is far quicker.

    In a search (`make nightly`) it makes every choice itself.
    """

    def __init__(self) -> None:
        self._expert, self._casual = ExpertPlayer(rollouts=1), player_for("casual")
        self._asked = 0

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        self._asked += 1
        player = self._expert if SEARCHING or self._asked % 3 == 1 else self._casual
        return player.choose(view, memory)


def random_player_parameters(random: Random, *, runs: bool = False) -> list[float]:
    """Return random parameters for the computer players, some of which cause unusual play."""
    return [number * random.choice((0.5, 1, 1, 1.5, 2)) for number in numbers_before_fitting(runs=runs)]


def compare_deal_with_engine(
    rules: RuleSet, pack: tuple[Card, ...], deal_number: int, random: Random, counts: ComparisonCounts
) -> None:
    """Play a deal in the simulation and on the engine, and fail if they ever differ.

    Compared are the hands, the pile, the stock, the ways to take the pile, the end and the score. The last of every
    eight deals has a short stock.
    """
    deal = 1 + deal_number % 3
    seats = seating_of(rules.teams, rules.players, deal).seats
    dealer = seats[deal_number % len(seats)]
    totals = tuple(random.choice((0, 0, 1500, 3000, -100)) for _ in range(rules.sides))
    state = replace(new_game(rules, dealer=dealer, scores=totals), deal=deal - 1, dealer=dealer)
    state = fold(state, decide(state, None, StartDeal(pack)))
    world, seats = deal_world(rules, pack, dealer=dealer, totals=totals, number=deal)
    if deal_number % SHORT_EVERY == SHORT_EVERY - 1:
        state = _shorten_stock(world, state, SHORT_STOCK * len(seats))
    numbers = random_player_parameters(random, runs=world.form.runs)
    while world.ended == RUNNING:
        assert_same_cards(world, state, seats)
        counts.positions += 1
        state = _play_turn(world, state, numbers, counts)
    assert state.phase in (Phase.BETWEEN, Phase.OVER)
    result = state.results[-1]
    assert result.reason is ENDS[world.ended]
    sides = [state.seating.side_by_seat[score] for score in range(rules.sides)]
    won = [rules.game_bonus if deal_number == state.winner else 0 for deal_number in range(rules.sides)]
    assert [lines.total for lines in result.lines] == [
        score_of_side(world, side) + bonus for side, bonus in zip(sides, won, strict=True)
    ]
    counts.ends[result.reason] += 1


def _shorten_stock(world: World, state: State, left: int) -> State:
    """Remove the lowest cards of both stocks, so that `left` cards remain; return the engine's new state."""
    away = max(0, world.left - left)
    world.stock = world.stock[away:]
    world.left -= away
    if world.suits is not None:
        world.suits.stock = world.suits.stock[away:]
    return replace(state, stock=state.stock[away:])


def _play_turn(world: World, state: State, numbers: list[float], counts: ComparisonCounts) -> State:
    if world.suits is not None:
        return _play_turn_with_runs(world, state, numbers, counts)
    legal = legal_actions(state)
    offered = ways_to_take_pile(world)
    takes = {step for step in legal if isinstance(step, Take)}
    assert {claim_as_step(claim) for claim in offered} <= takes
    counts.further += len(offered) < len(takes)
    claim = choose_way_to_take(world, numbers, offered)
    if claim is not None:
        take_pile(world, *claim)
        state = _apply_step(state, claim_as_step(claim))
    elif world.left:
        draw_cards(world)
        state = _apply_step(state, DRAW)
    else:
        world.ended = STOCK
        return _apply_step(state, PASS) if PASS in legal else state
    while world.ended == RUNNING and world.drew and (plan := choose_melds(world, numbers)):
        if world.form.asks and is_whole_hand_laid(world, plan) and state.permission is None:
            state = _apply_step(_apply_step(state, ASK), YES)
        for laying in plan:
            step = meld_as_step(world, laying)
            lay_meld(world, *laying)
            state = _apply_step(state, step)
    if world.ended == RUNNING and world.drew:
        kind = choose_discard(world, numbers)
        discard_card(world, kind)
        state = _apply_step(state, discard_as_step(kind))
    if world.ended == RUNNING and state.phase in (Phase.BETWEEN, Phase.OVER):
        assert not world.left
        assert not ways_to_take_pile(world)
        world.ended = STOCK
    return state


def _play_turn_with_runs(world: World, state: State, numbers: list[float], counts: ComparisonCounts) -> State:
    """Play a turn in both, and return the engine's new state.

    All cards and points on the table are compared before the discard.
    """
    legal, form = legal_actions(state), world.form
    offered = runs.ways_to_take_pile(world)
    takes = {step for step in legal if isinstance(step, Take)}
    own = state.melds[state.side]
    steps = {claim: taking_step(claim, state.pile[-1], own, form) for claim in offered}
    assert set(steps.values()) <= takes
    counts.further += len(steps) < len(takes)
    claim = runs.choose_way_to_take(world, numbers, offered)
    if claim is not None:
        side = state.side
        moves.take_pile(world, *claim)
        state = _apply_step(state, steps[claim])
        if world.ended == RUNNING and (merging := merging_step(legal_actions(state), state.melds[side], form)):
            state = _apply_step(state, merging)
    elif world.left:
        moves.draw_cards(world)
        state = _apply_step(state, DRAW)
    else:
        world.ended = STOCK
        return _apply_step(state, PASS) if PASS in legal else state
    while world.ended == RUNNING and (plan := runs.choose_melds(world, numbers)):
        for laying in plan:
            step = laying_step(laying, state.melds[state.side], form)
            assert step in legal_actions(state)
            moves.lay_meld(world, *laying)
            state = _apply_step(state, step)
    if world.ended == RUNNING:
        assert_same_table(world, state)
        kind, suit = choose_discarded_card(world, numbers)
        moves.discard_card(world, kind, suit)
        state = _apply_step(state, discard_action(kind, suit))
    if world.ended == RUNNING and state.phase in (Phase.BETWEEN, Phase.OVER):
        assert not world.left
        assert not runs.ways_to_take_pile(world)
        world.ended = STOCK
    return state


def discard_action(kind: int, suit: int) -> Action:
    """Return the engine's action that discards that card.

    For wild cards and threes the simulation knows only the kind.
    """
    return DiscardCard(card_of(kind, suit)) if kind < RANKS else discard_as_step(kind)


def assert_same_table(world: World, state: State) -> None:
    """Fail unless both have the same suits in hands and pile, and the same melds of every side.

    Melds are compared by their points and canastas, and by whether the side has opened.
    """
    assert world.suits is not None
    for place, seat in enumerate(state.seating.seats):
        held = Counter(card for card in state.hands[seat] if card < CARDS)
        own = world.suits.hands[place * CARDS : (place + 1) * CARDS]
        assert held == Counter({card: count for card, count in enumerate(own) if count})
    assert [card & 3 for card in state.pile if card >> 2 < RANKS] == [
        suit for kind, suit in zip(world.pile, world.suits.pile, strict=True) if kind < RANKS
    ]
    for side, spread in enumerate(state.spreads):
        assert spread.canastas == world.canastas[side]
        assert state.opened[side] == world.opened[side]
        (number,) = {state.rules.side_of(seat) for seat in state.seating.seats_of(side)}
        lines = score_lines_on_table(state.rules, state.melds[side], state.red_threes[number])
        assert lines.total == table_points(world, side)


def _apply_step(state: State, step: Action) -> State:
    return fold(state, decide(state, seat_to_act(state), step))


def assert_same_cards(world: World, state: State, seats: tuple[int, ...]) -> None:
    """Fail unless both have the same seat in turn, hands, stock and pile."""
    assert seats[world.turn] == state.turn
    for place, seat in enumerate(seats):
        assert tuple(world.hands[place * KINDS : (place + 1) * KINDS]) == counts_of(state.hands[seat])
        if world.feet is not None:
            assert tuple(world.feet.cards[place * KINDS : (place + 1) * KINDS]) == counts_of(state.feet[seat])
    assert len(state.stock) == world.left
    assert [card >> 2 for card in state.pile] == world.pile
