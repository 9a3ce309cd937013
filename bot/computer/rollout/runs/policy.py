"""The rollout player's policy in forms with runs: `bot.computer.rollout.policy`, with suits.

It takes piles with a pair, a set or a run, lays runs before sets, and parts with the card of a rank whose suit is worth
least. Its numbers are those of `bot.computer.rollout.policy_numbers.RUN_HABITS` behind the others.
"""

from __future__ import annotations

from typing import Final

from bot.computer.rollout.finishing import LARGEST, finishing_plan, should_go_out
from bot.computer.rollout.form import JOKER, KINDS, RANKS, RED_THREE, TWO
from bot.computer.rollout.opening import ANY_COST, opening_plan
from bot.computer.rollout.policy import may_deal_end_before_next_turn
from bot.computer.rollout.policy_numbers import (
    ADD_KEEP,
    KEEP_FOR_SET,
    LEND,
    LONG_SET,
    MOST_WILDS,
    OPEN_COST,
    PAIR_MELD,
    RUN_KEEP,
    RUN_START,
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_RUN,
    TAKE_WILD,
    CardsToLay,
    ClaimingCards,
)
from bot.computer.rollout.runs.discards import choose_discarded_card
from bot.computer.rollout.runs.moves import ONTO_RUN, SMALLEST, discard_card, draw_cards, lay_meld, suits_of, take_pile
from bot.computer.rollout.runs.suits_and_runs import CARDS, NONE, RUN
from bot.computer.rollout.wild_melds import meld_with_wilds, wild_meld_to_lay
from bot.computer.rollout.world import RUNNING, STOCK, World, copy_world, may_go_out

ALL_SUITS: Final = 15

BY_PAIR: Final[ClaimingCards] = (2, 0, 0)
BY_SET: Final[ClaimingCards] = (0, 0, 0)
BY_RUN: Final[ClaimingCards] = (ONTO_RUN, 0, 0)

# --- the start of a turn ----------------------------------------------------------------------------------------------


def ways_to_take_pile(world: World) -> list[ClaimingCards]:
    """Return the ways in which the seat in turn may take the pile."""
    found: list[ClaimingCards] = []
    form, seat = world.form, world.turn
    if not world.pile or world.pile[-1] >= RANKS or (len(world.pile) == 1 and world.held[seat] == 1):
        return found
    kind = world.pile[-1]
    side = form.side_of[seat]
    held = world.hands[seat * KINDS + kind]
    if not world.opened[side]:
        if held >= 2 and opening_plan_with_runs(world, ANY_COST, with_top=True):
            found.append(BY_PAIR)
        return found
    if held >= 2 and _may_end_turn(world, 2):
        found.append(BY_PAIR)
    if not world.frozen and _may_end_turn(world, 0):
        if 0 < world.sizes[side * RANKS + kind] < form.canasta:
            found.append(BY_SET)
        if size_of_run_with(world, side, kind, suits_of(world).pile[-1]):
            found.append(BY_RUN)
    return found


def size_of_run_with(world: World, side: int, kind: int, suit: int) -> int:
    """Return the size that a side's run would have with that card at its end; 0 if it fits none."""
    suits, place = suits_of(world), side * 4 + suit
    low, high = suits.lows[place], suits.highs[place]
    return high - low + 2 if low != NONE and (kind == low - 1 or kind == high + 1) else 0


def _may_end_turn(world: World, used: int) -> bool:
    """Return whether the seat can end its turn after taking the pile with `used` cards.

    It must have two cards left, or be allowed to go out.
    """
    left = world.held[world.turn] - used + len(world.pile) - 1 - world.in_pile[RED_THREE]
    return left >= 2 or may_go_out(world, world.form.side_of[world.turn])


def choose_way_to_take(world: World, numbers: list[float], claims: list[ClaimingCards]) -> ClaimingCards | None:
    """Return the best of these ways to take the pile; None to draw or pass instead."""
    if not claims:
        return None
    side, form = world.form.side_of[world.turn], world.form
    kind = world.pile[-1]
    size: float = len(world.pile) + (numbers[TAKE_WILD] - 1) * (world.in_pile[TWO] + world.in_pile[JOKER])
    if not world.left:
        size += 100
    if BY_RUN in claims:
        grown = size_of_run_with(world, side, kind, suits_of(world).pile[-1])
        if grown >= form.canasta or size >= numbers[TAKE_RUN]:
            return BY_RUN
    if BY_SET in claims and size >= numbers[TAKE_ADD]:
        return BY_SET
    if BY_PAIR in claims and (size >= numbers[TAKE_PAIR] or not world.opened[side]):
        return BY_PAIR
    return None


# --- melds ------------------------------------------------------------------------------------------------------------


def choose_melds(world: World, numbers: list[float], *, stays: bool = False) -> list[CardsToLay]:
    """Return the melds to lay next, in order; empty if the seat discards.

    With `stays` the seat does not go out.
    """
    side = world.form.side_of[world.turn]
    if not world.opened[side]:
        return opening_plan_with_runs(world, ANY_COST if world.laid_points else int(numbers[OPEN_COST]))
    runs = run_additions(world)
    if not stays:
        plan = finishing_plan_with_runs(world, runs)
        if plan and should_go_out(world, numbers):
            return plan
    hurry = may_deal_end_before_next_turn(world, numbers)
    laying, worth = _next_set(world, numbers, hurry=hurry)
    if worth:
        run = _next_run(world, numbers, runs, hurry=hurry)
        if run is not None:
            return [run]
        alone = wild_meld_to_lay(world, numbers) if world.form.wild_melds else None
        if alone is not None:
            return [alone]
    return [] if laying is None else [laying]


def _next_run(world: World, numbers: list[float], found: list[tuple[int, int]], *, hurry: bool) -> CardsToLay | None:
    """Return the longest run to lay or lengthen that keeps enough cards; None if there is none.

    `found` are the `run_additions` of the hand.
    """
    suits, seat = suits_of(world), world.turn
    side, held = world.form.side_of[seat], world.held[seat]
    best: CardsToLay | None = None
    longest = 0
    for suit in range(4):
        low, high = found[suit]
        count = high - low + 1
        if count <= 0:
            continue
        place = side * 4 + suit
        lies = suits.lows[place] != NONE
        size = count + (suits.highs[place] - suits.lows[place] + 1 if lies else 0)
        keep = 2 if lies or hurry else max(2, int(numbers[RUN_KEEP]))
        if size > longest and held - count >= keep and (lies or hurry or size >= numbers[RUN_START]):
            best, longest = (RUN + suit, low, high, 0), size
    return best


def run_additions(world: World) -> list[tuple[int, int]]:
    """Return the result of `run_addition` for each suit."""
    return [run_addition(world, suit) for suit in range(4)]


def run_addition(world: World, suit: int) -> tuple[int, int]:
    """Return the first and last rank of cards in hand that lengthen the side's run of a suit.

    If the side has no such run, the cards begin one. The last rank is below the first if there are no cards.
    """
    suits, form, seat = suits_of(world), world.form, world.turn
    place, cards = form.side_of[seat] * 4 + suit, seat * CARDS + suit
    low, high = suits.lows[place], suits.highs[place]
    if low == NONE:
        return _longest_run_in_hand(suits.hands, cards, form.canasta)
    room = form.canasta - (high - low + 1)
    above = below = 0
    while above < room and high + above + 1 < RANKS and suits.hands[cards + (high + above + 1) * 4]:
        above += 1
    while below < room and low - below - 1 >= 0 and suits.hands[cards + (low - below - 1) * 4]:
        below += 1
    return (high + 1, high + above) if above >= below else (low - below, low - 1)


def _longest_run_in_hand(hands: list[int], cards: int, most: int) -> tuple[int, int]:
    """Return the first and last rank of the longest run of one suit in hand, of at most `most` cards.

    `cards` is the place of the suit's four in `hands`. The last rank is below the first if there is no run.
    """
    best, first = 0, 0
    start = 0
    for kind in range(RANKS):
        if not hands[cards + kind * 4]:
            start = kind + 1
        elif kind - start + 1 > best and kind - start < most:
            best, first = kind - start + 1, start
    return (first, first + best - 1) if best >= SMALLEST else (0, -1)


def _next_set(world: World, numbers: list[float], *, hurry: bool) -> tuple[CardsToLay | None, int]:
    """Return the best set to lay or to add to, keeping two cards, with its priority.

    Priority 0 completes a canasta; with 9 there is no such set.
    """
    held = world.held[world.turn]
    missing = not may_go_out(world, world.form.side_of[world.turn])
    found: CardsToLay | None = None
    rank = 9
    base, first = world.turn * KINDS, world.form.side_of[world.turn] * RANKS
    for kind in range(RANKS):
        if world.hands[base + kind] < 2 and not world.sizes[first + kind]:
            continue
        wish, worth = _set_to_lay(world, numbers, kind, hurry=hurry, missing=missing)
        if wish is not None and worth < rank and held - wish[1] - wish[2] - wish[3] >= 2:
            found, rank = wish, worth
    return found, rank


def _set_to_lay(
    world: World, numbers: list[float], kind: int, *, hurry: bool, missing: bool
) -> tuple[CardsToLay | None, int]:
    """Return the cards of a rank worth laying now, with their priority: 0 is the best, 9 is none.

    `missing` says that the side may not go out yet.
    """
    form, seat = world.form, world.turn
    base, meld = seat * KINDS, form.side_of[seat] * RANKS + kind
    count, lying, held = world.hands[base + kind], world.sizes[meld], world.held[seat]
    twos = world.hands[base + TWO]
    wilds = twos + world.hands[base + JOKER]
    if form.wild_melds and not hurry:
        wilds = 0  # wild cards are kept for melds of their own, where they are worth more
    if 0 < lying < form.canasta:
        room = min(wilds, form.max_wilds - world.twos[meld] - world.jokers[meld], form.canasta - lying)
        return _addition_to_set(world, numbers, kind, room, hurry=hurry, missing=missing)
    if count >= form.meld_min:
        at_once = hurry or not missing or count >= numbers[LONG_SET]
        return ((kind, count, 0, 0), 1) if held - count > (0 if at_once else numbers[KEEP_FOR_SET]) else (None, 9)
    if lying:
        return ((kind, count, 0, 0), 2) if count and (hurry or held > numbers[ADD_KEEP]) else (None, 9)
    if form.meld_min - count <= wilds and (hurry or (missing and held >= numbers[PAIR_MELD])):
        return meld_with_wilds(kind, count, form.meld_min - count, twos), 2
    return None, 9


def _addition_to_set(
    world: World, numbers: list[float], kind: int, room: int, *, hurry: bool, missing: bool
) -> tuple[CardsToLay | None, int]:
    """Return the cards worth adding to the unfinished set of a rank, with their priority.

    The set takes at most `room` wild cards. Priority 0 is the best, 9 is none.
    """
    form, seat = world.form, world.turn
    count, twos = world.hands[seat * KINDS + kind], world.hands[seat * KINDS + TWO]
    lacks = form.canasta - world.sizes[form.side_of[seat] * RANKS + kind] - count
    lent = lacks - 1
    if 0 < lacks <= room and (lacks <= numbers[MOST_WILDS] or hurry):
        return meld_with_wilds(kind, count, lacks, twos), 0
    if missing and 0 < lent <= min(room, int(numbers[LEND])):
        return meld_with_wilds(kind, count, lent, twos), 1
    if count and (hurry or lacks <= 0 or count > 1 or world.held[seat] > numbers[ADD_KEEP]):
        return (kind, count, 0, 0), 0 if lacks <= 0 else 1
    return (meld_with_wilds(kind, 0, room, twos), 2) if hurry and room > 0 else (None, 9)


# --- opening and going out --------------------------------------------------------------------------------------------


def opening_plan_with_runs(world: World, most: int, *, with_top: bool = False) -> list[CardsToLay]:
    """Return melds that open the side, if possible with runs; empty if sets would cost `most` or more.

    With `with_top` the pile's top joins a pair of the hand.
    """
    top = world.pile[-1] if with_top else -1
    waiting = len(world.pile) - 1 if with_top else len(world.pile) if world.waiting else 0
    keep = max(0, 2 - waiting) + (2 if with_top else 0)
    held, side = 0, world.form.side_of[world.turn]
    for suit in range(4):
        low, high = run_addition(world, suit)
        held |= (high >= low) << suit
    chosen = held
    while chosen:
        scratch = copy_world(world)
        runs = lay_runs(scratch, chosen, keep=keep, spared_rank=top)
        if runs and scratch.opened[side]:
            return runs
        sets = opening_plan(scratch, with_top=with_top, most=most) if runs else []
        if sets:
            return runs + sets
        chosen = chosen - 1 & held
    return opening_plan(world, with_top=with_top, most=most)


def lay_runs(world: World, suits: int, *, keep: int, spared_rank: int = -1) -> list[CardsToLay]:
    """Lay the runs of these suits in the world, and return them as melds.

    `suits` has a bit for each suit. `keep` cards stay in the hand, and so does the rank `spared_rank`.
    """
    seat, laid = world.turn, list[CardsToLay]()
    for suit in range(4):
        while suits >> suit & 1 and world.ended == RUNNING:
            low, high = run_addition(world, suit)
            if high < low or world.held[seat] - (high - low + 1) < keep or low <= spared_rank <= high:
                break
            laid.append((RUN + suit, low, high, 0))
            lay_meld(world, RUN + suit, low, high, 0)
    return laid


def finishing_plan_with_runs(world: World, found: list[tuple[int, int]]) -> list[CardsToLay] | None:
    """Return melds that lay the whole hand but at most one card to discard; None if there are none.

    `found` are the `run_additions` of the hand.
    """
    seat = world.turn
    side = world.form.side_of[seat]
    if world.held[seat] > LARGEST or world.waiting or not _may_lay_whole_hand(world, side, found):
        return None
    scratch = copy_world(world)
    runs = lay_runs(scratch, ALL_SUITS, keep=0)
    if scratch.ended != RUNNING:
        return runs if may_go_out(scratch, side) else None
    if runs:
        plan = _finishing_sets(scratch, side)
        if plan is not None:
            return runs + plan
    return _finishing_sets(world, side)


def _finishing_sets(world: World, side: int) -> list[CardsToLay] | None:
    """Return sets that lay the whole hand but at most one card; None if there are none.

    None too if the side lacks a run that going out needs.
    """
    return finishing_plan(world) if suits_of(world).finished[side] >= world.form.runs_needed else None


def _may_lay_whole_hand(world: World, side: int, found: list[tuple[int, int]]) -> bool:
    """Return whether, by a quick count, the seat may be able to lay its hand but one card.

    The canastas that its side lacks must be within reach too. `found` are the `run_additions` of the hand.
    """
    form, suits, base = world.form, suits_of(world), world.turn * KINDS
    lacking, stuck = form.canastas_needed - world.canastas[side], 0
    wilds = min(form.max_wilds, world.hands[base + TWO] + world.hands[base + JOKER])
    for kind in range(RANKS):
        count, lying = world.hands[base + kind], world.sizes[side * RANKS + kind]
        if lying < form.canasta <= lying + count + wilds:
            lacking -= 1
        elif count == 1 and not lying:
            stuck += 1
            for low, high in found:
                if low <= kind <= high:
                    stuck -= 1
                    break
            if stuck > 1:
                return False
    if lacking <= 0:
        return True
    for suit in range(4):
        low, high = found[suit]
        place = side * 4 + suit
        size = high - low + 1 + (suits.highs[place] - suits.lows[place] + 1 if suits.lows[place] != NONE else 0)
        lacking -= size >= form.canasta
    return lacking <= 0


# --- whole turns ------------------------------------------------------------------------------------------------------


def start_turn(world: World, numbers: list[float]) -> None:
    """Draw or take the pile; the deal may end instead if the stock is empty."""
    claim = choose_way_to_take(world, numbers, ways_to_take_pile(world))
    if claim is not None:
        take_pile(world, claim[0], claim[1], claim[2])
    elif world.left:
        draw_cards(world)
    else:
        world.ended = STOCK


def finish_turn(world: World, numbers: list[float]) -> None:
    """Lay melds and discard, after the draw."""
    while world.ended == RUNNING:
        plan = choose_melds(world, numbers)
        if not plan:
            break
        for kind, naturals, twos, jokers in plan:
            lay_meld(world, kind, naturals, twos, jokers)
    if world.ended == RUNNING:
        kind, suit = choose_discarded_card(world, numbers)
        discard_card(world, kind, suit)


def play_to_end_with_runs(world: World, numbers: list[list[float]]) -> None:
    """Play the deal to its end; `numbers` has the policy numbers (`policy_numbers`) for each side."""
    side_of = world.form.side_of
    while world.ended == RUNNING:
        own = numbers[side_of[world.turn]]
        if not world.drew:
            start_turn(world, own)
        if world.ended == RUNNING:
            finish_turn(world, own)
