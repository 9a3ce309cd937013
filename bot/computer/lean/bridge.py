"""Convert rule sets, packs and views to the lean world, and its moves back to steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from bot.computer.lean.form import (
    BLACK_THREE,
    FORCED_ADD,
    FORCED_ALWAYS,
    FORCED_NEVER,
    JOKER,
    KINDS,
    ONE_MORE,
    PILE_PLAY,
    RANKS,
    RED_THREE,
    STOP,
    TWO,
    WILD_RANK,
    Form,
)
from bot.computer.lean.numbers import Claim, Laying
from bot.computer.lean.runs.steps import deal_suits, place_melds, see_suits
from bot.computer.lean.world import World, begin_turn, empty_world
from bot.computer.memory_of_a_deal import Memory
from bot.engine.cards.cards import ACE, RANK_LETTERS, SEVEN, Card, card_of, counts_of, full_pack
from bot.engine.melds.points import CANASTAS_FOR_THREES, wild_points
from bot.engine.moves.actions import Meld, Step, Take, discard, meld
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.table.dealing import deal
from bot.engine.table.views import SeatView

_PLAIN: Final[dict[str, object]] = {
    "foot_size": 0,
    "upcard": True,
    "pile_hidden": 0,
    "pile_hidden_by_rank": False,
    "pile_take": None,
    "discard_bans": frozenset(),
    "wild_ratio": "none",
    "wild_gate": 0,
    "wild_reclaim": "none",
    "meld_max": None,
    "same_rank_melds": "one",
    "no_wild_ranks": frozenset(),
    "open_wild_ranks": frozenset(),
    "dead_ranks": False,
    "wild_lock": "none",
    "black3_meld": "go_out",
    "open_by": "score",
    "open_shape": "any",
    "open_pile": "yes",
    "open_count_top": True,
    "talon": (),
    "frozen_unopened": True,
    "frozen_untaken": False,
    "top_blocks": frozenset({"W", "B3"}),
    "take_frozen": "pair",
    "take_twos": False,
    "meld_after_take": True,
    "one_card_guard": True,
    "one_card_guard_stock_out": True,
    "black3_in_pile": "hand",
    "red3_role": "bonus",
    "black3_role": "stopper",
    "bonus_seq": 0,
    "incomplete_penalty": (),
    "collection_bonus": (),
    "card_points": "net",
    "count_card_values_in_canasta": True,
    "bonus_black_threes": 0,
    "out_canastas_before": False,
    "out_excludes": frozenset(),
    "out_discard": "optional",
    "out_announce": False,
    "out_clean": False,
    "out_red_threes": 0,
    "foot_pickup": "none",
    "last_red3_ends": True,
    "last_three": None,
    "special_hands": frozenset(),
    "auto_win": "none",
    "theme": (),
}
"""Parameter values that the lean world can play; other parameters, such as card values, may have any value."""

_CLAIMS: Final[tuple[Callable[[RuleSet], bool], ...]] = (
    lambda rules: isinstance(rules.draw, int),
    lambda rules: {"set"} <= rules.meld_kinds <= {"set", "wild"},
    lambda rules: rules.red3_sign == "opened" or rules.red3_sign in CANASTAS_FOR_THREES,
    lambda rules: rules.red3_sign != "swing" and not rules.bonus_wild_out_only,
    lambda rules: {name for name, _ in rules.out_need} <= {"natural", "mixed", "wild"},
    lambda rules: rules.wild_on_canasta != "never",
    lambda rules: rules.open_waiver <= {"concealed", "first_canasta_top"},
    lambda rules: {"pair"} <= rules.take_open <= {"pair", "card+wild", "add"},
    lambda rules: {"W"} <= rules.freeze_discards <= {"W", "B3"},
    lambda rules: rules.ask_partner != "mandatory" and not rules.cut_throat,
    lambda rules: rules.stock_end != "reshuffle",
)
"""Tests of parameters of which the lean world can play several values, but not all."""

_WITH_RUNS: Final[dict[str, object]] = {
    **_PLAIN,
    "same_rank_melds": "many",
    "take_open": frozenset({"pair", "add", "add_seq"}),
    "take_add_canasta": False,
    "take_pair_canasta": True,
    "wild_on_canasta": "never",
    "pile_frozen": "by_card",
    "draw_with_pile": 0,
    "stock_end": "pile_play",
    "red3_timing": "immediate",
    "hand_penalty": (),
    "bonus_rank": (),
    "concealed_extra": 0,
}
"""Parameter values of forms with runs that the lean world can play."""

_CLAIMS_WITH_RUNS: Final[tuple[Callable[[RuleSet], bool], ...]] = (
    lambda rules: isinstance(rules.draw, int) and rules.seq_rule != "none",
    lambda rules: {"set", "seq"} <= rules.meld_kinds <= {"set", "seq", "wild"} and not rules.bonus_wild_out_only,
    lambda rules: rules.red3_sign == "opened" or rules.red3_sign in CANASTAS_FOR_THREES,
    lambda rules: rules.red3_sign != "swing" and rules.ask_partner != "mandatory" and not rules.cut_throat,
    lambda rules: {name for name, _ in rules.out_need} <= {"seq"},
    lambda rules: rules.open_waiver <= {"concealed"} and rules.concealed_test != "all_melded_no_discard",
    lambda rules: {"W"} <= rules.freeze_discards <= {"W", "B3"},
)
"""Tests of parameters of forms with runs of which the lean world can play several values, but not all."""


@cache
def is_claimed(rules: RuleSet) -> bool:
    """Return whether the lean world can play these rules."""
    values, tests = (_WITH_RUNS, _CLAIMS_WITH_RUNS) if has_runs(rules) else (_PLAIN, _CLAIMS)
    played = all(getattr(rules, name) == value for name, value in values.items() if name != "bonus_seq")
    return played and all(test(rules) for test in tests) and (has_runs(rules) or not rules.bonus_seq)


def has_runs(rules: RuleSet) -> bool:
    """Return whether melds may be runs."""
    return "seq" in rules.meld_kinds


def form_of(rules: RuleSet, sides: Sequence[int]) -> Form:
    """Return the form of rules the lean world plays; `sides` are the playing seats' sides, in playing order."""
    form = Form(seats=len(sides), sides=max(sides) + 1, side_of=list(sides))
    form.values = list(rules.card_values)
    form.held_values = list(rules.held_values)
    form.red_values = [0, *rules.red3_values]
    form.totals = list(counts_of(full_pack(rules.decks, rules.jokers_per_deck)))
    form.out_bonus = rules.out_bonus
    form.concealed_extra = rules.concealed_extra
    form.concealed_waives = "concealed" in rules.open_waiver
    form.concealed_needs_canasta = rules.concealed_test == "no_prior_meld_and_own_canasta"
    form.meld_min = rules.meld_min
    form.min_naturals = rules.min_naturals
    form.max_wilds = rules.max_wilds
    form.canasta = rules.canasta_size
    form.draw = rules.draw if isinstance(rules.draw, int) else 1
    form.freezes_black = "B3" in rules.freeze_discards
    forced = {"never": FORCED_NEVER, "whenever_able": FORCED_ALWAYS}
    form.forced = forced.get(rules.stock_out_force, FORCED_ADD)
    form.late_reds = rules.red3_timing == "first_turn"
    _add_piles(form, rules)
    _add_bonuses(form, rules)
    _add_runs(form, rules)
    return form


def _add_runs(form: Form, rules: RuleSet) -> None:
    """Add to the form what runs change; nobody opens and finishes two canastas in a turn without the minimum."""
    form.runs = has_runs(rules)
    form.shuts_wilds = form.runs and rules.wild_on_canasta == "never"
    form.concealed_waives = form.concealed_waives and not form.runs
    form.run_bonus = rules.bonus_seq
    form.runs_needed = sum(number for name, number in rules.out_need if name == "seq")
    form.needs_sorts = form.needs_sorts and not form.runs


def _add_bonuses(form: Form, rules: RuleSet) -> None:
    """Add to the form the bonuses of canastas and the costs of hands."""
    special = {str(name): points for name, points in rules.bonus_rank}
    letters = RANK_LETTERS[:RANKS]
    form.natural_bonus = [special.get(f"{rank}_natural", special.get(rank, rules.bonus_natural)) for rank in letters]
    form.mixed_bonus = [special.get(f"{rank}_mixed", special.get(rank, rules.bonus_mixed)) for rank in letters]
    form.wild_melds = "wild" in rules.meld_kinds
    size = rules.canasta_size
    wild = [(card_of(TWO, 0),) * (size - jokers) + (card_of(JOKER, 0),) * jokers for jokers in range(size + 1)]
    form.wild_bonus = [wild_points(rules, cards) for cards in wild]
    sorts = {str(name): number for name, number in rules.out_need}
    form.needs_sorts = bool(sorts)
    form.natural_needed, form.mixed_needed = sorts.get("natural", 0), sorts.get("mixed", 0)
    form.wild_needed = sorts.get("wild", 0)
    form.canastas_needed = rules.canastas_needed
    form.reds_need = CANASTAS_FOR_THREES.get(rules.red3_sign, 0)
    form.hand_penalties = [(*_UNLUCKY[name], -cost) for name, cost in rules.hand_penalty]


_UNLUCKY: Final[dict[str, tuple[int, int]]] = {
    "3_aces": (ACE, 3),
    "3_sevens": (SEVEN, 3),
    "4_black_threes": (BLACK_THREE, 4),
}
"""The kind and the number of cards that cost more in a hand, by the rules' word."""


def _add_piles(form: Form, rules: RuleSet) -> None:
    """Add to the form how the pile is taken, and how a deal goes on without a stock."""
    form.takes_with_wild = "card+wild" in rules.take_open
    form.takes_by_adding = "add" in rules.take_open
    form.top_onto_canasta = rules.take_add_canasta
    form.pair_onto_canasta = rules.take_pair_canasta
    form.canasta_of_top_opens = "first_canasta_top" in rules.open_waiver
    form.concealed_without_discard = rules.concealed_test == "all_melded_no_discard"
    form.always_frozen = rules.pile_frozen == "always"
    form.draw_with_pile = rules.draw_with_pile
    form.stock_end = {"one_more": ONE_MORE, "stop": STOP}.get(rules.stock_end, PILE_PLAY)


def deal_world(
    rules: RuleSet, pack: Sequence[Card], *, dealer: int, totals: Sequence[int], number: int = 1
) -> tuple[World, tuple[int, ...]]:
    """Return a new deal as a lean world, and the seats that play in it, in playing order."""
    seating = seating_of(rules.teams, rules.players, number)
    dealt = deal(rules, seating, dealer, pack, number=number)
    world = empty_world(form_of(rules, [seating.side_by_seat[seat] for seat in seating.seats]))
    for place, seat in enumerate(seating.seats):
        world.hands[place * KINDS : (place + 1) * KINDS] = counts_of(dealt.hands[seat])
        world.held[place] = len(dealt.hands[seat])
    for score in range(rules.sides):
        side = seating.side_by_seat[score]
        world.reds[side] += len(dealt.threes[score])
        world.minimum[side] = rules.initial_meld_minimum(totals[score], number)
    world.stock = [card >> 2 for card in dealt.stock]
    world.left = len(world.stock)
    world.pile = [card >> 2 for card in dealt.pile]
    world.in_pile = list(counts_of(dealt.pile))
    world.frozen = dealt.frozen
    if world.suits is not None:
        deal_suits(world.suits, [dealt.hands[seat] for seat in seating.seats], dealt.stock, dealt.pile)
    first = dealer if rules.first_player == "dealer" else seating.next_seat[dealer]
    world.turn = seating.place_of(first)
    begin_turn(world)
    return world, seating.seats


def world_of(view: SeatView, memory: Memory) -> World:
    """Return the world as the seat sees it: its own hand, other hands' sizes and known cards, no stock."""
    table = view.table
    rules = table.rules
    world = empty_world(_form_at(rules, tuple(table.seats[seat].side for seat in table.playing)))
    for place, seat in enumerate(table.playing):
        world.held[place] = table.seats[seat].cards
        known = counts_of(view.hand if seat == view.seat else memory.of(seat))
        if seat == view.seat:
            world.hands[place * KINDS : (place + 1) * KINDS] = known
            known = counts_of(memory.of(seat))
        world.known[place * KINDS : (place + 1) * KINDS] = known
        world.certain[place] = sum(known)
    for side in table.sides:
        number = side.side
        for one in side.melds if world.suits is None else ():
            counts = counts_of(one.cards)
            for kind, count in enumerate(counts):
                world.on_table[kind] += count
            if one.kind == WILD_RANK:
                world.wild_twos[number], world.wild_jokers[number] = counts[TWO], counts[JOKER]
                continue
            if one.kind >= RANKS:
                world.blacks[number] += one.size
                continue
            meld_at = number * RANKS + one.kind
            world.naturals[meld_at] = counts[one.kind]
            world.twos[meld_at], world.jokers[meld_at] = counts[TWO], counts[JOKER]
            world.sizes[meld_at] = one.size
        world.canastas[number] = side.canastas
        world.opened[number] = side.opened
        world.minimum[number] = side.minimum
        world.reds[number] = len(side.red_threes)
    if world.suits is not None:
        for side in table.sides:
            place_melds(world, side.side, side.melds)
        cards = [memory.of(seat) for seat in table.playing]
        see_suits(world.suits, table.playing.index(view.seat), view.hand, cards, memory.pile[: table.pile.cards])
    world.pile = [card >> 2 for card in memory.pile[: table.pile.cards]]
    world.in_pile = list(counts_of(memory.pile[: table.pile.cards]))
    world.melded = [world.opened[side] for side in world.form.side_of]
    world.frozen = table.pile.frozen
    world.left = table.stock
    world.turn = table.playing.index(table.turn)
    world.turns = table.turns
    world.drew = table.drew is not None
    world.from_stock = table.drew == "stock"
    world.laid_points = 0 if view.side.opened else view.laid_points
    world.waiting = table.pile.aside
    if not world.left:
        world.stock_out = world.turn if world.from_stock else (world.turn or world.form.seats) - 1
    return world


@cache
def _form_at(rules: RuleSet, sides: tuple[int, ...]) -> Form:
    """Return the form, cached."""
    return form_of(rules, sides)


def unseen_cards(view: SeatView, world: World) -> list[int]:
    """Return the kinds of all cards that the seat has not seen, in ascending order."""
    totals = list(world.form.totals)
    for kind in range(KINDS):
        totals[kind] -= world.on_table[kind] + world.in_pile[kind]
    for kind, count in enumerate(counts_of(view.hand)):
        totals[kind] -= count
    for place, seat in enumerate(view.table.playing):
        if seat != view.seat:
            for kind in range(KINDS):
                totals[kind] -= world.known[place * KINDS + kind]
    totals[RED_THREE] -= sum(world.reds)
    return [kind for kind in range(KINDS) for _ in range(max(0, totals[kind]))]


# --- steps ------------------------------------------------------------------------------------------------------------


def take_of(claim: Claim) -> Take:
    """Return the step that takes the pile with these cards."""
    return Take(*claim)


def meld_of(laying: Laying) -> Meld:
    """Return the step that lays these cards."""
    return meld(*laying)


def discard_of(kind: int) -> Step:
    """Return the step that discards a card of that kind."""
    return discard(kind)
