"""Convert deals and views with runs to the rollout world, and its moves back to steps and exact cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.computer.memory_of_a_deal import Memory
from bot.computer.rollout.form import BLACK_THREE, KINDS, RANKS, TWO, WILD_RANK, Form
from bot.computer.rollout.policy_numbers import CardsToLay, ClaimingCards
from bot.computer.rollout.runs.moves import ONTO_RUN, suits_of
from bot.computer.rollout.runs.suits_and_runs import CARDS, RUN, Suits
from bot.computer.rollout.world import World
from bot.engine.cards.cards import Card, full_pack
from bot.engine.cards.meld_places import Place, first_free_place
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.actions import TAKE_ADD, TAKE_PAIR, Combine, Step, Take, meld_step, run_step
from bot.engine.table.views import MeldView, SeatView

OnTable = MeldView | TableMeld
"""A meld on the table, as views or the engine hold it."""


# --- deals and views --------------------------------------------------------------------------------------------------


def fill_dealt_suits(
    suits: Suits, hands: Sequence[Sequence[Card]], stock: Sequence[Card], pile: Sequence[Card]
) -> None:
    """Fill in the suits of a new deal; `hands` are those of the playing seats, in order."""
    for place, hand in enumerate(hands):
        _count_cards_of_hand(suits.hands, place, hand)
    suits.stock = [card & 3 for card in stock]
    suits.pile = [card & 3 for card in pile]


def fill_seen_suits(
    suits: Suits, own: int, hand: Sequence[Card], known: Sequence[Sequence[Card]], pile: Sequence[Card]
) -> None:
    """Fill in the suits that a seat sees: its hand, the pile, and the cards known to be in hands."""
    _count_cards_of_hand(suits.hands, own, hand)
    for place, cards in enumerate(known):
        _count_cards_of_hand(suits.known, place, cards)
    suits.pile = [card & 3 for card in pile]


def _count_cards_of_hand(counts: list[int], place: int, cards: Iterable[Card]) -> None:
    """Count the cards from four to ace of the hand at that place."""
    for card in cards:
        if card < CARDS:
            counts[place * CARDS + card] += 1


def unseen_cards_with_suits(view: SeatView, memory: Memory) -> list[Card]:
    """Return the cards that the seat has not seen, in ascending order."""
    table = view.table
    rules = table.rules
    left = [0] * (KINDS * 4)
    for card in full_pack(rules.decks, rules.jokers_per_deck):
        left[card] += 1
    known = [memory.known_cards(seat) for seat in table.playing if seat != view.seat]
    melds = [meld.cards for side in table.sides for meld in side.melds]
    reds = [side.red_threes for side in table.sides]
    for cards in (view.hand, memory.pile[: table.pile.cards], *known, *melds, *reds):
        for card in cards:
            left[card] -= 1
    return [card for card, count in enumerate(left) for _ in range(max(0, count))]


def place_melds(world: World, side: int, melds: Sequence[OnTable]) -> None:
    """Put the melds of a side into the world; its canastas are counted there already.

    Unfinished sets of a rank that may be merged are counted as one, which may make it a canasta.
    """
    suits, form = suits_of(world), world.form
    for one in melds:
        for card in one.cards:
            world.on_table[card >> 2] += 1
        if one.kind == BLACK_THREE:
            world.blacks[side] += one.size
    _place_wild_melds(world, side, [one for one in melds if one.kind == WILD_RANK])
    for kind in range(RANKS):
        _place_sets(world, side, kind, [one for one in melds if one.kind == kind])
    for suit in range(4):
        runs = [one for one in melds if one.kind == RUN + suit]
        open_run = largest_unfinished_meld(runs, form.canasta)
        for one in runs:
            if one is open_run:
                suits.lows[side * 4 + suit], suits.highs[side * 4 + suit] = one.cards[0] >> 2, one.cards[-1] >> 2
                continue
            suits.closed[side] += sum(form.values[card >> 2] for card in one.cards)
            if one.size >= form.canasta:
                suits.closed[side] += form.run_bonus
                suits.finished[side] += 1


def _place_wild_melds(world: World, side: int, melds: Sequence[OnTable]) -> None:
    """Put the melds of wild cards into the world: the unfinished one, and the others as closed."""
    form = world.form
    unfinished = largest_unfinished_meld(melds, form.canasta)
    for one in melds:
        twos = sum(card >> 2 == TWO for card in one.cards)
        if one is unfinished:
            world.wild_twos[side], world.wild_jokers[side] = twos, one.size - twos
            continue
        suits_of(world).closed[side] += sum(form.values[card >> 2] for card in one.cards)
        if one.size >= form.canasta:
            suits_of(world).closed[side] += form.wild_bonus[one.size - twos]


def _place_sets(world: World, side: int, kind: int, sets: Sequence[OnTable]) -> None:
    """Put the sets of one rank into the world: the one that may still grow as open, the others as closed."""
    suits, form = suits_of(world), world.form
    last = largest_unfinished_meld(sets, form.canasta) or (sets[-1] if sets else None)
    merged = [one for one in sets if one.size < form.canasta]
    if sum(one.wilds for one in merged) > form.max_wilds:
        merged = []
    meld_at = side * RANKS + kind
    for one in sets:
        twos = sum(card >> 2 == TWO for card in one.cards)
        if one is last or one in merged:
            world.naturals[meld_at] += one.naturals
            world.twos[meld_at] += twos
            world.jokers[meld_at] += one.wilds - twos
            world.sizes[meld_at] += one.size
            continue
        suits.closed[side] += sum(form.values[card >> 2] for card in one.cards)
        if one.size >= form.canasta:
            suits.closed[side] += form.mixed_bonus[kind] if one.wilds else form.natural_bonus[kind]
    if merged and world.sizes[meld_at] >= form.canasta:
        world.canastas[side] += 1


def largest_unfinished_meld(melds: Iterable[OnTable], canasta: int) -> OnTable | None:
    """Return the largest unfinished one of these melds, the first of equal ones; None if all are finished."""
    return max((one for one in melds if one.size < canasta), key=lambda one: one.size, default=None)


# --- the rollout world's moves as steps of the engine -----------------------------------------------------------------


def laying_step(laying: CardsToLay, melds: Sequence[OnTable], form: Form) -> Step:
    """Return the step that lays these cards, given the melds of the side."""
    kind, naturals, twos, jokers = laying
    taken = {one.place for one in melds}
    of_kind = [one for one in melds if one.kind == kind]
    unfinished = largest_unfinished_meld(of_kind, form.canasta)
    if kind >= RUN:
        return run_step(first_free_place(kind, taken) if unfinished is None else unfinished.place, naturals, twos)
    if unfinished is not None:
        place: Place = unfinished.place
    elif kind != WILD_RANK and of_kind and (naturals < form.min_naturals or naturals + twos + jokers < form.meld_min):
        place = of_kind[-1].place
    else:
        place = first_free_place(kind, taken)
    return meld_step(place, naturals, twos, jokers)


def taking_step(claim: ClaimingCards, top: Card, melds: Sequence[OnTable], form: Form) -> Take:
    """Return the step that takes the pile, given the melds of the side."""
    if claim[0] > 0:
        return TAKE_PAIR
    if claim[0] == ONTO_RUN:
        run = largest_unfinished_meld([one for one in melds if one.kind == RUN + (top & 3)], form.canasta)
        return Take(onto=None if run is None else run.place)
    sets = [one for one in melds if one.kind == top >> 2]
    unfinished = largest_unfinished_meld(sets, form.canasta)
    return TAKE_ADD if len(sets) == 1 or unfinished is None else Take(onto=unfinished.place)


def merging_step(legal: Iterable[Step], melds: Sequence[OnTable], form: Form) -> Combine | None:
    """Return the legal step that merges two unfinished sets of a rank; None if there is none."""
    sizes = {one.place: one.size for one in melds}
    return next(
        (
            step
            for step in legal
            if isinstance(step, Combine) and max(sizes[step.place], sizes[step.onto]) < form.canasta
        ),
        None,
    )
