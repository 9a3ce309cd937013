"""The changes that events make to the melds of a side and the hands of its seats.

Each function writes to a fresh copy of the state, like those of `bot.engine.table.applying_events`. The counts of a
hand change together with its cards. Steps name only kinds and numbers; `cards_melded_by` picks the cards. Penalty cards
leave the hand before equal cards (`docs/law/classic.md 1.22`), the others in the order of the hand.

Decides `docs/law/classic.md 2.2`. Reads `max_wilds`, `meld_min`, `min_naturals`, `open_count_top`, `same_rank_melds`,
`teams`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.engine.cards.cards import Card, with_item_replaced
from bot.engine.cards.meld_places import Place, family_of, first_free_place, natural_kind
from bot.engine.cards.packed_counts import ONE
from bot.engine.melds.side_melds import spread_of
from bot.engine.melds.table_meld import (
    TableMeld,
    Wanted,
    card_points_of,
    cards_wanted_by,
    meld_of,
    merge_cards,
    pick_cards,
    without_cards,
)
from bot.engine.moves import phases
from bot.engine.moves.actions import LayRun, Meld, Take
from bot.engine.moves.events import Combined, Melded, Opened, Reclaimed, SidesFormed, TookBack, TookTop
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.seating import seating_of
from bot.engine.table.charged_penalties import penalty_cards, remove_if_held
from bot.engine.table.state import Laid, State


def cards_melded_by(state: State, step: Meld | LayRun | Take, seat: int | None = None) -> tuple[Card, ...]:
    """Return the cards that the step melds from the hand of a seat, as far as they are held.

    By default it is the seat in turn. The cards of a run follow from the step, whether they are held or not.
    """
    if isinstance(step, LayRun):
        return step.cards
    top = state.pile[-1] >> 2 if state.pile else None
    kind = natural_kind(step.place) if isinstance(step, Meld) else top
    return pick_from_hand(state, state.turn if seat is None else seat, cards_wanted_by(step, kind))


def pick_from_hand(state: State, seat: int, wanted: Wanted) -> tuple[Card, ...]:
    """Return the wanted cards from the seat's hand, as far as it holds them; penalty cards first."""
    return pick_cards(state.hands[seat], wanted, () if state.penalties is None else penalty_cards(state, seat))


# --- melds ------------------------------------------------------------------------------------------------------------


def put_on_table(after: State, laying: Melded | TookTop, exposed: tuple[Card, ...]) -> None:
    """Put cards that have left the hand on the table, with the pile's top if it was taken with them.

    `exposed` are those of the cards that were penalty cards.
    """
    rules = after.rules
    place, cards = laying.place, laying.cards
    top = laying.top if isinstance(laying, TookTop) else None
    side = after.seating.side_by_seat[laying.seat]
    started = after.started
    after.laid += (Laid(place, cards, top, False, after.laid_points, started, after.joined, (), exposed),)
    laid = cards if top is None else (*cards, top)
    spreads = list(after.spreads)
    onto = spreads[side].by_place.get(place)
    if onto is None:
        meld = meld_of(place, tuple(sorted(laid)))
        after.started = started | {place}
    else:
        meld = meld_of(place, tuple(sorted(onto.cards + laid)))
        if place not in started:
            after.joined = True
    spreads[side] = spread = spreads[side].with_meld(rules, meld)
    melds = list(after.melds)
    melds[side] = tuple(spread.by_place.values())
    after.spreads = tuple(spreads)
    after.melds = tuple(melds)
    if not after.opened[side]:
        after.laid_points += card_points_of(rules, laid if rules.open_count_top else cards)


def apply_melded(after: State, event: Melded) -> None:
    """Apply `Melded`: move cards from the hand to the table."""
    exposed = remove_from_hand(after, event.seat, event.cards)
    put_on_table(after, event, exposed)


def apply_combined(after: State, event: Combined) -> None:
    """Apply `Combined`: merge the meld at one place into the meld at another."""
    side = after.seating.side_by_seat[event.seat]
    melds = dict(after.spreads[side].by_place)
    moved, lying = melds.pop(event.place), melds[event.onto]
    before = after.melds[side]
    after.laid += (Laid(event.onto, (), None, False, after.laid_points, after.started, after.joined, before),)
    melds[event.onto] = meld_of(event.onto, merge_cards(lying.cards, moved.cards))
    _replace_melds(after, side, melds)
    after.joined = after.joined or event.onto not in after.started
    after.started -= {event.place}


def apply_reclaimed(after: State, event: Reclaimed) -> None:
    """Apply `Reclaimed`: return wild cards to the hand.

    Earlier melds can no longer be taken back, since the returned cards may be used anywhere.
    """
    side = after.seating.side_by_seat[event.seat]
    melds = dict(after.spreads[side].by_place)
    melds[event.place] = meld_of(event.place, without_cards(melds[event.place].cards, event.cards))
    _replace_melds(after, side, melds)
    add_to_hand(after, event.seat, event.cards, ())
    after.laid = ()
    after.joined = after.joined or event.place not in after.started


def _replace_melds(after: State, side: int, melds: Mapping[Place, TableMeld]) -> None:
    """Store these melds as all melds of the side."""
    after.melds = with_item_replaced(after.melds, side, tuple(melds.values()))
    after.spreads = with_item_replaced(after.spreads, side, spread_of(after.rules, melds.values()))


def apply_opened(after: State, event: Opened) -> None:
    """Apply `Opened`: the last cards laid completed the side's initial meld."""
    after.opened = with_item_replaced(after.opened, after.seating.side_by_seat[event.seat], True)
    after.laid = (*after.laid[:-1], replace(after.laid[-1], opened=True)) if after.laid else ()


def apply_took_back(after: State, event: TookBack) -> None:
    """Apply `TookBack`: return the last cards laid, and restore the turn's earlier record."""
    laid = after.laid[-1]
    side = after.seating.side_by_seat[event.seat]
    cards = laid.cards if laid.top is None else (*laid.cards, laid.top)
    melds = dict(after.spreads[side].by_place)
    left = without_cards(melds[laid.place].cards, cards)
    if laid.before:
        melds = {meld.place: meld for meld in laid.before}
    elif left:
        melds[laid.place] = meld_of(laid.place, left)
    else:
        del melds[laid.place]
    _replace_melds(after, side, melds)
    fresh = after.fresh
    add_to_hand(after, event.seat, laid.cards, ())
    after.fresh = fresh
    if laid.exposed and after.penalties is not None:
        after.penalties = after.penalties.with_penalty_cards(event.seat, laid.exposed)
    if laid.opened:
        after.opened = with_item_replaced(after.opened, side, False)
    if laid.top is not None:
        after.pile = (*after.pile, laid.top)
        after.aside = False
        after.claimed = None
        after.drew = None
        after.phase = phases.DRAW
    after.laid = after.laid[:-1]
    after.laid_points = laid.laid_points
    after.started = laid.started
    after.joined = laid.joined


# --- merging the melds of several sides -------------------------------------------------------------------------------


def apply_sides_formed(after: State, event: SidesFormed) -> None:
    """Apply `SidesFormed`: one seat plays alone against the others from now on."""
    rules = after.rules
    before = after.seating
    seating = seating_of(rules.teams, rules.players, after.deal, event.seat)
    former = [[before.side_by_seat[seat] for seat in seating.seats_of(side)] for side in range(seating.sides)]
    after.alone = event.seat
    after.seating = seating
    after.side = seating.side_by_seat[after.turn]
    after.opened = tuple([any(after.opened[one] for one in sides) for sides in former])
    after.melds = tuple(
        [_merge_melds_of_sides(rules, [meld for one in sides for meld in after.melds[one]]) for sides in former]
    )
    after.spreads = tuple([spread_of(rules, melds) for melds in after.melds])


def _merge_melds_of_sides(rules: RuleSet, melds: Iterable[TableMeld]) -> tuple[TableMeld, ...]:
    """Return the melds that one side has after several sides have become one.

    If a side has one meld per rank, two of a rank are merged. No source says what happens if the meld then has too many
    wild cards. They stay, and the meld takes no more of them (`docs/law/classic.md 2.2`).
    """
    by_place: dict[Place, TableMeld] = {}
    for meld in melds:
        place, cards = meld.place, meld.cards
        if place in by_place and rules.same_rank_melds == "one":
            cards = merge_cards(by_place[place].cards, cards)
        elif place in by_place:
            place = first_free_place(family_of(place), by_place)
        by_place[place] = meld_of(place, cards)
    return tuple(by_place.values())


def may_be_merged(state: State, meld: TableMeld) -> bool:
    """Return whether the meld may be a merger of two legal melds of a rank."""
    rules = state.rules
    enough = meld.naturals >= 2 * rules.min_naturals and meld.size >= 2 * rules.meld_min
    return state.alone is not None and enough and meld.wilds <= 2 * rules.max_wilds


# --- cards to and from hands ------------------------------------------------------------------------------------------


def add_to_hand(after: State, seat: int, cards: tuple[Card, ...], red_threes: tuple[Card, ...]) -> None:
    """Add cards to a hand; `red_threes` are laid out for its side."""
    if cards:
        hands = list(after.hands)
        counts = list(after.packed)
        hands[seat] = tuple(sorted(hands[seat] + cards))
        for card in cards:
            counts[seat] += ONE[card]
        after.hands = tuple(hands)
        after.packed = tuple(counts)
        after.fresh += cards
    if red_threes:
        side = after.rules.side_of(seat)
        after.red_threes = with_item_replaced(after.red_threes, side, merge_cards(after.red_threes[side], red_threes))


def remove_from_hand(after: State, seat: int, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Remove the cards from the hand; return those of them that were penalty cards."""
    hands = list(after.hands)
    counts = list(after.packed)
    hand = list(hands[seat])
    left = counts[seat]
    for card in cards:
        hand.remove(card)
        left -= ONE[card]
    hands[seat] = tuple(hand)
    counts[seat] = left
    after.hands = tuple(hands)
    after.packed = tuple(counts)
    before = after.penalties
    if before is None or not before.exposed[seat]:
        return ()
    after.penalties = before.without_cards(seat, cards)
    return remove_if_held(before.exposed[seat], after.penalties.exposed[seat])
