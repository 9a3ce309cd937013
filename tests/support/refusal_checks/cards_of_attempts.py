"""The cards of a refused attempt, and copies of the attempt with other cards in hand or on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from bot.engine.cards.cards import ACE, FOUR, JOKER, RED_THREE, TWO, Card, Kind, card_of
from bot.engine.cards.meld_places import DEUCE_MELD, family_of, is_run
from bot.engine.melds.table_meld import TableMeld, meld_of
from bot.engine.moves import phases
from bot.engine.moves.actions import Action, Lay, LayMelds, LayRun, Meld, Take, TakePile
from bot.engine.moves.refusals import kind_name
from bot.engine.table.state import State
from tests.support.refusal_checks.refused_attempts import RefusedAttempt, Trial

LETTERS: Final = "456789TJQKA"


# --- cards on the table and in the hand -------------------------------------------------------------------------------


def kinds_of(cards: Sequence[Card]) -> Counter[Kind]:
    return Counter(card >> 2 for card in cards)


def count_held(attempt: RefusedAttempt) -> Counter[Kind]:
    """Return how many cards of each kind the seat in turn holds."""
    return kinds_of(hand_of(attempt))


def hand_of(attempt: RefusedAttempt) -> tuple[Card, ...]:
    return attempt.state.hands[attempt.state.turn]


def own_melds(state: State) -> tuple[TableMeld, ...]:
    return state.melds[state.side]


def top_kind(state: State) -> Kind:
    return state.pile[-1] >> 2


def kind_named(name: object) -> Kind:
    """Return the kind that has this name in a refusal."""
    return next(kind for kind in range(RED_THREE + 1) if kind_name(kind) == name)


def cards_of(kind: Kind, count: int) -> tuple[Card, ...]:
    return tuple(card_of(kind, number % 4) if kind != JOKER else JOKER << 2 for number in range(count))


def unused_ranks(attempt: RefusedAttempt) -> list[Kind]:
    """Return the ranks that are in no meld, not in the hand of the attempt, and not in the pile."""
    state = attempt.state
    taken = {card >> 2 for card in (*hand_of(attempt), *state.pile)}
    taken |= {family_of(meld.place) for side in state.melds for meld in side}
    banned = {LETTERS.index(rank) for rank in "7A" if rank in state.rules.no_wild_ranks | state.rules.open_wild_ranks}
    free = [kind for kind in range(FOUR, ACE + 1) if kind not in taken]
    return sorted(free, key=lambda kind: (kind in banned, -kind))


# --- the same attempt with other cards --------------------------------------------------------------------------------


def with_hand(attempt: RefusedAttempt, *added: Card, without: Sequence[Card] = ()) -> Trial:
    """Return the same attempt with cards added to the hand or removed from it."""
    state = attempt.state
    cards = list(hand_of(attempt))
    for card in without:
        cards.remove(card)
    hands = tuple(
        tuple(sorted([*cards, *added])) if seat == state.turn else hand for seat, hand in enumerate(state.hands)
    )
    return attempt.with_state(hands=hands)


def with_melds(attempt: RefusedAttempt, melds: Sequence[TableMeld]) -> Trial:
    """Return the same attempt with these melds on the table for the side in turn."""
    state = attempt.state
    return attempt.with_state(
        melds=tuple(tuple(melds) if side == state.side else lying for side, lying in enumerate(state.melds))
    )


def trial_with_action(trial: Trial, action: Action) -> Trial:
    return replace(trial, action=action)


def make_meld(kind: Kind, naturals: int, wilds: int = 0, meld_number: int = 0) -> TableMeld:
    """Return a meld of that rank; wild cards only if `naturals` is 0."""
    return meld_of(kind + 32 * meld_number, tuple(sorted((*cards_of(kind, naturals), *cards_of(TWO, wilds)))))


def with_side_opened(attempt: RefusedAttempt, trial: Trial | None = None) -> Trial:
    """Return the same attempt with the side in turn opened."""
    state = attempt.state if trial is None else trial.state
    sides = tuple(True if side == state.side else was for side, was in enumerate(state.opened))
    return Trial(replace(state, opened=sides), attempt.seat, attempt.action if trial is None else trial.action)


def undo_melds_of_turn(state: State, **fields: Any) -> State:
    """Return the state as if the seat had melded nothing in this turn, with `fields` replaced."""
    nothing: dict[str, Any] = {"laid": (), "laid_points": 0, "started": frozenset(), "joined": False, "aside": False}
    return replace(state, **{**nothing, "claimed": None, **fields})


# --- cards that an attempt melds --------------------------------------------------------------------------------------


def cards_melded_by(attempt: RefusedAttempt) -> tuple[Card, ...] | None:
    """Return the cards of the hand that the attempt melds.

    None if it melds no cards, or makes several melds.
    """
    match attempt.action:
        case LayMelds((Lay() as lay,)):
            return lay.cards
        case LayRun():
            return attempt.action.cards
        case Meld(place, naturals, twos, jokers):
            kind = family_of(place)
            return (*cards_of(kind if naturals else TWO, naturals), *cards_of(TWO, twos), *cards_of(JOKER, jokers))
        case TakePile(cards, ()):
            return cards
        case Take(naturals, twos, jokers):
            return (*cards_of(top_kind(attempt.state), naturals), *cards_of(TWO, twos), *cards_of(JOKER, jokers))
    return None


def takes_pile(attempt: RefusedAttempt) -> bool:
    return isinstance(attempt.action, Take | TakePile)


def target_meld(attempt: RefusedAttempt) -> TableMeld | None:
    """Return the meld on the table that the attempt adds to; None for a new meld."""
    melds = own_melds(attempt.state)
    cards = cards_melded_by(attempt) or ()
    if takes_pile(attempt) and top_kind(attempt.state) != TWO:
        cards = (*cards, attempt.state.pile[-1])
    match attempt.action:
        case Meld(place) | LayRun(place):
            return next((meld for meld in melds if meld.place == place), None)
        case LayMelds((Lay(_, int(onto)),)) | TakePile(_, (), int(onto)):
            return melds[onto] if 0 <= onto < len(melds) else None
        case Take(onto=int(onto)):
            return next((meld for meld in melds if meld.place == onto), None)
    ranks = {card >> 2 for card in cards} - {TWO, JOKER}
    lying = [meld for meld in melds if family_of(meld.place) in ranks] if len(ranks) == 1 else []
    if len(lying) > 1:  # several melds of the rank: the last unfinished one, as a person would choose
        lying = [meld for meld in lying if meld.size < attempt.state.rules.canasta_size][-1:] or lying[-1:]
    return lying[0] if lying else None


def is_single_set(attempt: RefusedAttempt) -> bool:
    """Return whether the attempt melds one set, so that its result can be counted without the engine."""
    cards = cards_melded_by(attempt)
    if cards is None or isinstance(attempt.action, LayRun):
        return False
    if attempt.state.rules.same_rank_melds != "one" or attempt.state.phase is phases.DRAW:
        return False
    ranks = {card >> 2 for card in cards} - {TWO, JOKER}
    lying = target_meld(attempt)
    return len(ranks) <= 1 and not (lying is not None and is_run(lying.place)) and bool(ranks or lying)


def meld_counts_after(attempt: RefusedAttempt) -> tuple[int, int]:
    """Return the numbers of naturals and wild cards in the meld after a plain attempt."""
    lying = target_meld(attempt)
    cards = cards_melded_by(attempt) or ()
    deuces = lying is not None and family_of(lying.place) == DEUCE_MELD
    wild = {JOKER} if deuces else {TWO, JOKER}
    naturals = sum(card >> 2 not in wild for card in cards)
    before = (0, 0) if lying is None else (lying.naturals, lying.wilds)
    return before[0] + naturals, before[1] + len(cards) - naturals


def with_cards_melded(attempt: RefusedAttempt, cards: Sequence[Card]) -> Action:
    """Return the attempted action with these cards in its only meld."""
    match attempt.action:
        case LayMelds((Lay(_, onto),)):
            return LayMelds((Lay(tuple(cards), onto),))
        case TakePile(_, melds, onto):
            return TakePile(tuple(cards), melds, onto)
    counts = kinds_of(cards)
    naturals = sum(count for kind, count in counts.items() if kind not in (TWO, JOKER))
    match attempt.action:
        case Meld(place):
            return Meld(place, naturals, counts[TWO], counts[JOKER])
        case Take(onto=onto):
            return Take(naturals, counts[TWO], counts[JOKER], onto)
    raise TypeError(attempt.action)


def with_more_naturals(attempt: RefusedAttempt, count: int) -> Iterator[Trial]:
    """Yield the attempt with `count` more naturals of its rank, which are added to the hand too."""
    cards = cards_melded_by(attempt)
    lying = target_meld(attempt)
    if cards is None or isinstance(attempt.action, LayRun):
        return
    ranks = sorted({card >> 2 for card in cards} - {TWO, JOKER}) or ([] if lying is None else [family_of(lying.place)])
    if isinstance(attempt.action, Meld):
        ranks = [family_of(attempt.action.place)]
    if len(ranks) == 1 and ranks[0] <= ACE:
        more = cards_of(ranks[0], count)
        yield trial_with_action(with_hand(attempt, *more), with_cards_melded(attempt, (*cards, *more)))


def with_fewer_wilds(attempt: RefusedAttempt, count: int) -> Iterator[Trial]:
    """Yield the attempt with `count` fewer wild cards, or with none if it has not that many."""
    cards = cards_melded_by(attempt)
    if cards is not None and not isinstance(attempt.action, LayRun):
        wilds = [card for card in cards if card >> 2 in (TWO, JOKER)]
        left = list(cards)
        for card in wilds[:count]:
            left.remove(card)
        if wilds:
            yield attempt.with_action(with_cards_melded(attempt, left))
