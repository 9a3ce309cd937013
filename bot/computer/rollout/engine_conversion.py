"""Convert rule sets, packs and views to the rollout world, and its moves back to steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from bot.computer.memory_of_a_deal import Memory
from bot.computer.rollout.form import (
    BLACK_THREE,
    FORCED_ADD,
    FORCED_ALWAYS,
    FORCED_NEVER,
    JOKER,
    KINDS,
    ONE_MORE,
    PILE_PLAY,
    RANKS,
    RATIO_FEWER,
    RATIO_HALF,
    RATIO_NONE,
    RED_THREE,
    STOP,
    TWO,
    WILD_RANK,
    Form,
)
from bot.computer.rollout.limited.face_down_feet import count_closed_meld
from bot.computer.rollout.moves import begin_turn, close_wild_meld
from bot.computer.rollout.policy_numbers import CardsToLay, ClaimingCards
from bot.computer.rollout.rules_with_meld_limits import LIMITED, has_playable_limits, set_limits
from bot.computer.rollout.runs.conversion_with_suits import fill_dealt_suits, fill_seen_suits, place_melds
from bot.computer.rollout.world import World, empty_world
from bot.engine.cards.cards import ACE, RANK_LETTERS, SEVEN, Card, card_of, counts_of, full_pack
from bot.engine.cards.meld_places import FAMILIES
from bot.engine.melds.points import CANASTAS_FOR_THREES, wild_canasta_points
from bot.engine.moves.actions import Meld, Step, Take, discard_step, meld_step
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.table.dealing import deal_pack
from bot.engine.table.views import MeldView, SeatView

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
"""Parameter values that the rollout world can play; other parameters, such as card values, may have any value."""

_CLAIMS: Final[tuple[Callable[[RuleSet], bool], ...]] = (
    lambda rules: isinstance(rules.draw, int),
    lambda rules: {"set"} <= rules.meld_kinds <= {"set", "wild"},
    lambda rules: {name for name, _ in rules.out_need} <= {"natural", "mixed", "wild"},
    lambda rules: {"pair"} <= rules.take_open <= {"pair", "card+wild", "add"},
    lambda rules: {"W"} <= rules.freeze_discards <= {"W", "B3"},
    lambda rules: not rules.cut_throat and not rules.bonus_wild_out_only,
)
"""Tests of parameters of which the rollout world can play several values, but not all."""

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
"""Parameter values of forms with runs that the rollout world can play."""

_CLAIMS_WITH_RUNS: Final[tuple[Callable[[RuleSet], bool], ...]] = (
    lambda rules: isinstance(rules.draw, int) and rules.seq_rule != "none",
    lambda rules: {"set", "seq"} <= rules.meld_kinds <= {"set", "seq", "wild"} and not rules.bonus_wild_out_only,
    lambda rules: rules.red3_sign == "opened" or rules.red3_sign in CANASTAS_FOR_THREES,
    lambda rules: rules.red3_sign != "swing" and rules.ask_partner != "mandatory" and not rules.cut_throat,
    lambda rules: {name for name, _ in rules.out_need} <= {"seq"},
    lambda rules: rules.open_waiver <= {"concealed"} and rules.concealed_test != "all_melded_no_discard",
    lambda rules: {"W"} <= rules.freeze_discards <= {"W", "B3"},
)
"""Tests of parameters of forms with runs of which the rollout world can play several values, but not all."""
_PLAIN_CLAIMS: Final[tuple[Callable[[RuleSet], bool], ...]] = (
    lambda rules: rules.red3_sign == "opened" or rules.red3_sign in CANASTAS_FOR_THREES,
    lambda rules: rules.red3_sign != "swing",
    lambda rules: rules.wild_on_canasta != "never",
    lambda rules: rules.open_waiver <= {"concealed", "first_canasta_top"},
    lambda rules: rules.ask_partner != "mandatory",
    lambda rules: rules.stock_end != "reshuffle",
)
"""Tests of other parameters of rules without feet."""


_FEET: Final[dict[str, tuple[object, ...]]] = {
    "foot_pickup": ("hand_empty",),
    "black3_meld": ("never",),
    "black3_role": ("penalty",),
    "open_by": ("round", "score"),
    "pile_frozen": ("always",),
    "red3_role": ("bonus", "penalty"),
    "red3_sign": ("opened", "always"),
    "stock_end": ("pile_play", "stop"),
    "upcard_specials": ("keep_in_pile", "reinsert_all"),
    "top_blocks": (frozenset({"W", "B3"}), frozenset({"W", "B3", "R3"})),
    "wild_ratio": ("none", "nat>w", "nat>=2w"),
    "take_pair_canasta": (True,),
    "draw_with_pile": (0,),
    "bonus_rank": ((),),
    "hand_penalty": ((),),
    "concealed_test": ("no_prior_meld_and_own_canasta", "no_prior_meld"),
}
"""Parameter values that the rollout world can play in rules with feet, in place of the plain ones."""

_GROWING: Final[dict[str, object]] = {"same_rank_melds": "one", "wild_on_canasta": "to_max"}
_CLOSING: Final[dict[str, object]] = {"same_rank_melds": "after_close", "wild_on_canasta": "never"}
"""Rules for canastas: they take more cards, or are closed so that another meld of their rank may begin."""

_FEET_CLAIMS: Final[tuple[Callable[[RuleSet], bool], ...]] = (
    lambda rules: rules.pile_take is None or isinstance(rules.pile_take, int),
    lambda rules: rules.open_waiver <= {"concealed"} and not rules.out_announce,
    lambda rules: rules.canastas_needed > 0,
    lambda rules: _has_values(rules, _GROWING if rules.meld_max is None else _CLOSING),
    lambda rules: rules.meld_max in (None, rules.canasta_size),
)
"""Tests of other parameters of rules with feet."""


def _is_playable_with_feet(rules: RuleSet) -> bool:
    """Return whether the rollout world can play these rules, given that they have feet."""
    apart = {*_FEET, *_GROWING, *_CLOSING, "meld_max", "foot_size", "pile_take"}
    plain = {name: value for name, value in _PLAIN.items() if name not in apart}
    usual = all(getattr(rules, name) in values for name, values in _FEET.items())
    return usual and _has_values(rules, plain) and all(test(rules) for test in _FEET_CLAIMS)


def _has_values(rules: RuleSet, values: Mapping[str, object]) -> bool:
    """Return whether the rules have these values of parameters."""
    return all(getattr(rules, name) == value for name, value in values.items())


@cache
def is_playable(rules: RuleSet) -> bool:
    """Return whether the rollout world can play these rules."""
    if has_runs(rules):
        return _is_playable_with_runs(rules)
    if rules.bonus_seq or not all(test(rules) for test in _CLAIMS):
        return False
    if rules.foot_size:
        return _is_playable_with_feet(rules)
    return _is_playable_with_limits(rules) if rules.meld_max is not None else _is_playable_without_feet(rules)


def _is_playable_with_limits(rules: RuleSet) -> bool:
    """Return whether the rollout world can play these rules, in which canastas take no further cards."""
    apart = {*LIMITED, "meld_max", "special_hands"}
    plain = {name: value for name, value in _PLAIN.items() if name not in apart}
    return has_playable_limits(rules) and _has_values(rules, plain)


def is_searched_by_experts(rules: RuleSet) -> bool:
    """Return whether expert players search under these rules.

    They do if the rollout world can play the rules, except rules with both feet and asking.
    """
    return is_playable(rules) and not (rules.foot_size and rules.needs_word)


def has_runs(rules: RuleSet) -> bool:
    """Return whether melds may be runs under these rules."""
    return "seq" in rules.meld_kinds


def _is_playable_with_runs(rules: RuleSet) -> bool:
    """Return whether the rollout world can play these rules, given that they have runs."""
    plain = {name: value for name, value in _WITH_RUNS.items() if name != "bonus_seq"}
    return _has_values(rules, plain) and all(test(rules) for test in _CLAIMS_WITH_RUNS)


def _is_playable_without_feet(rules: RuleSet) -> bool:
    """Return whether the rollout world can play these rules, given that they have neither feet nor runs."""
    return _has_values(rules, _PLAIN) and all(test(rules) for test in _PLAIN_CLAIMS)


def form_of(rules: RuleSet, sides: Sequence[int]) -> Form:
    """Return the numbers by which the rollout world plays these rules.

    `sides` are the playing seats' sides, in playing order.
    """
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
    _set_pile_rules(form, rules)
    _set_bonuses(form, rules)
    _set_run_numbers(form, rules)
    if rules.foot_size:
        _set_foot_numbers(form, rules)
    set_limits(form, rules)
    return form


def _set_run_numbers(form: Form, rules: RuleSet) -> None:
    """Set the form's numbers that concern runs.

    Going out concealed waives no minimum there, because it would take two canastas in the turn that opens.
    """
    form.runs = has_runs(rules)
    form.shuts_wilds = form.runs and rules.wild_on_canasta == "never"
    form.concealed_waives = form.concealed_waives and not form.runs
    form.run_bonus = rules.bonus_seq
    form.runs_needed = sum(number for name, number in rules.out_need if name == "seq")
    form.needs_sorts = form.needs_sorts and not form.runs


def _set_foot_numbers(form: Form, rules: RuleSet) -> None:
    """Set the form's numbers that concern feet."""
    ratios = {"none": RATIO_NONE, "nat>w": RATIO_FEWER, "nat>=2w": RATIO_HALF}
    form.foot_size = rules.foot_size
    form.foot_runs = rules.foot_run
    form.foot_gate = rules.foot_partner_gate == "in_foot"
    form.pile_take = rules.pile_take if isinstance(rules.pile_take, int) else 0
    form.keeps_reds = rules.red3_role == "penalty"
    form.reds_always = rules.red3_sign == "always"
    form.closes = rules.same_rank_melds == "after_close"
    form.ratio = ratios[rules.wild_ratio]
    form.asks = rules.needs_word


def _set_bonuses(form: Form, rules: RuleSet) -> None:
    """Set the form's bonuses of canastas and its costs of cards left in hands."""
    special = {str(name): points for name, points in rules.bonus_rank}
    letters = RANK_LETTERS[:RANKS]
    form.natural_bonus = [special.get(f"{rank}_natural", special.get(rank, rules.bonus_natural)) for rank in letters]
    form.mixed_bonus = [special.get(f"{rank}_mixed", special.get(rank, rules.bonus_mixed)) for rank in letters]
    form.wild_melds = "wild" in rules.meld_kinds
    size = rules.canasta_size
    wild = [(card_of(TWO, 0),) * (size - jokers) + (card_of(JOKER, 0),) * jokers for jokers in range(size + 1)]
    form.wild_bonus = [wild_canasta_points(rules, cards) for cards in wild]
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
"""For each value of the rules' hand penalty: the kind of card, and how many of it in hand cost points."""


def _set_pile_rules(form: Form, rules: RuleSet) -> None:
    """Set the form's rules for taking the pile, and for a deal that goes on without a stock."""
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
    """Return a new deal as a rollout world, and the seats that play in it, in playing order."""
    seating = seating_of(rules.teams, rules.players, number)
    dealt = deal_pack(rules, seating, dealer, pack, number=number)
    world = empty_world(form_of(rules, [seating.side_by_seat[seat] for seat in seating.seats]))
    for place, seat in enumerate(seating.seats):
        world.hands[place * KINDS : (place + 1) * KINDS] = counts_of(dealt.hands[seat])
        world.held[place] = len(dealt.hands[seat])
        if world.feet is not None:
            world.feet.cards[place * KINDS : (place + 1) * KINDS] = counts_of(dealt.feet[seat])
            world.feet.waiting[place] = len(dealt.feet[seat])
    for score in range(rules.sides):
        side = seating.side_by_seat[score]
        threes = counts_of(dealt.threes[score])
        world.reds[side] += threes[RED_THREE]
        world.aside[side] += threes[BLACK_THREE]
        world.minimum[side] = rules.initial_meld_minimum(totals[score], number)
    world.stock = [card >> 2 for card in dealt.stock]
    world.left = len(world.stock)
    world.pile = [card >> 2 for card in dealt.pile]
    world.in_pile = list(counts_of(dealt.pile))
    world.frozen = dealt.frozen
    if world.suits is not None:
        fill_dealt_suits(world.suits, [dealt.hands[seat] for seat in seating.seats], dealt.stock, dealt.pile)
    first = dealer if rules.first_player == "dealer" else seating.next_seat[dealer]
    world.turn = seating.place_of(first)
    begin_turn(world)
    return world, seating.seats


def world_of(view: SeatView, memory: Memory) -> World:
    """Return the world as the seat sees it.

    It has the seat's own hand, the sizes and known cards of other hands, and no cards in the stock.
    """
    table = view.table
    rules = table.rules
    world = empty_world(_cached_form(rules, tuple(table.seats[seat].side for seat in table.playing)))
    for place, seat in enumerate(table.playing):
        world.held[place] = table.seats[seat].cards
        known = counts_of(view.hand if seat == view.seat else memory.known_cards(seat))
        if seat == view.seat:
            world.hands[place * KINDS : (place + 1) * KINDS] = known
            known = counts_of(memory.known_cards(seat))
        world.known[place * KINDS : (place + 1) * KINDS] = known
        world.certain[place] = sum(known)
        if world.feet is not None:
            world.feet.waiting[place] = table.seats[seat].foot or 0
    for side in table.sides:
        number = side.side
        world.canastas[number] = side.canastas
        for one in side.melds if world.suits is None else ():
            _place_meld(world, number, one)
        world.opened[number] = side.opened
        world.minimum[number] = side.minimum
        threes = counts_of((*side.red_threes, *side.set_aside))
        world.reds[number], world.aside[number] = threes[RED_THREE], threes[BLACK_THREE]
    if world.suits is not None:
        for side in table.sides:
            place_melds(world, side.side, side.melds)
        hands = [memory.known_cards(seat) for seat in table.playing]
        fill_seen_suits(world.suits, table.playing.index(view.seat), view.hand, hands, memory.pile[: table.pile.cards])
    world.pile = [card >> 2 for card in memory.pile[: table.pile.cards]]
    world.in_pile = list(counts_of(memory.pile[: table.pile.cards]))
    world.melded = [world.opened[side] for side in world.form.side_of]
    world.frozen = table.pile.frozen
    world.left = table.stock
    world.turn = table.playing.index(table.turn)
    world.turns = table.turns
    world.drew = table.drew is not None
    world.from_stock = table.drew == "stock"
    world.opens = not view.side.opened or view.laid_points > 0
    world.talons = [[RED_THREE] * table.seats[seat].talon for seat in table.playing]
    world.laid_points = 0 if view.side.opened else view.laid_points
    world.waiting = table.pile.aside
    if not world.left:
        world.stock_out = world.turn if world.from_stock else (world.turn or world.form.seats) - 1
    return world


def _place_meld(world: World, side: int, meld: MeldView) -> None:
    """Put a meld of a side on the table of a world."""
    counts = counts_of(meld.cards)
    for kind, count in enumerate(counts):
        world.on_table[kind] += count
    if meld.kind == WILD_RANK:
        world.wild_twos[side], world.wild_jokers[side] = counts[TWO], counts[JOKER]
        if meld.size >= world.form.canasta and world.feet is not None:
            close_wild_meld(world, side)
    elif meld.kind >= RANKS:
        world.blacks[side] += meld.size
    elif world.feet is not None and world.form.closes and meld.size >= world.form.canasta:
        count_closed_meld(world.feet, world.form, side, meld.kind, (counts[meld.kind], counts[TWO], counts[JOKER]))
    else:
        meld_at = side * RANKS + meld.kind
        world.naturals[meld_at] = counts[meld.kind]
        world.twos[meld_at], world.jokers[meld_at] = counts[TWO], counts[JOKER]
        world.sizes[meld_at] = meld.size


@cache
def _cached_form(rules: RuleSet, sides: tuple[int, ...]) -> Form:
    """Return the form of these rules and sides, from the cache if it was made before."""
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
    totals[BLACK_THREE] -= sum(world.aside)
    return [kind for kind in range(KINDS) for _ in range(max(0, totals[kind]))]


# --- the rollout world's moves as steps of the engine -----------------------------------------------------------------


def claim_as_step(claim: ClaimingCards) -> Take:
    """Return the step that takes the pile with these cards."""
    return Take(*claim)


def meld_as_step(world: World, laying: CardsToLay) -> Meld:
    """Return the step by which the seat in turn lays these cards now."""
    kind, naturals, twos, jokers = laying
    side = world.form.side_of[world.turn]
    if world.feet is not None:
        kind += FAMILIES * (world.feet.wild[side] if kind == WILD_RANK else world.feet.closed[side * RANKS + kind])
    return meld_step(kind, naturals, twos, jokers)


def discard_as_step(kind: int) -> Step:
    """Return the step that discards a card of that kind."""
    return discard_step(kind)
