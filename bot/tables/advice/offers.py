"""The offers to a seat: the best few melds and additions, and the ways to take the pile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import ACE, JOKER, TWO, Card
from bot.engine.cards.meld_places import Place, family_of
from bot.engine.law import opening_from_hand
from bot.engine.moves import phases
from bot.engine.moves.actions import Lay, LayMelds, LayRun, Meld, Step, Take, TakePile
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.applying_meld_events import cards_melded_by
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import opening_minimum
from bot.tables.advice.cheapest_openings import add_steps_to_melds, find_opening, opening_points, opening_steps
from bot.tables.advice.ruling import state_without_hidden_cards
from bot.tables.advice.staged_melds import CLAIM, LayingStep, StagedMelds, lay_offer_of, stage_melds
from bot.tables.advice.turn_prospects import (
    first_melds_of,
    penalty_change_between,
    penalty_change_of_action,
    penalty_change_of_step,
    refusal_to_take_pile,
)
from bot.tables.advice.ways_out import find_way_out
from bot.tables.state.offers import NOTHING, LayOffer, Offers, Opening, TakeWay


def ways_to_take_pile(state: State, legal_steps: Sequence[Step], staged: Sequence[Lay]) -> Iterator[TakeWay]:
    """Yield each legal way to take the pile, together with the staged melds.

    If the side has not opened, ways without melds that open it, as far as found, are left out.
    """
    for step in legal_steps:
        if isinstance(step, Take):
            found = _take_way_with_staged_melds(state, step, staged)
            if found is not None:
                yield found


def _take_way_with_staged_melds(state: State, step: Take, staged: Sequence[Lay]) -> TakeWay | None:
    """Return the step as a way to take the pile, with the staged melds; None if it is illegal."""
    claim = cards_melded_by(state, step)
    if not staged and state.opened[state.side]:
        return TakeWay(step, step, claim, (), None, 0, penalty_change_of_action(state, step))
    taken = fold(state, decide(state, state.turn, step))
    if not staged and taken.opened[taken.side]:  # taking the pile may itself decide who plays together
        return _try_to_take_pile(state, step, claim, (), (), ())
    try:
        begun = _stage_melds_after_take(taken, staged)
    except Refusal:
        return None
    if begun.state.opened[begun.state.side]:
        return _try_to_take_pile(state, step, claim, (), tuple(staged), ())
    for steps in opening_steps(begun.state, legal_actions(begun.state)):
        more, melds, added = add_steps_to_melds(state, begun, steps)
        found = _try_to_take_pile(state, step, claim, more, melds, added)
        if found is not None:
            return found
    return None


def _stage_melds_after_take(taken: State, staged: Sequence[Lay]) -> StagedMelds:
    """Return the melds `staged` after the pile is taken; `CLAIM` names the meld with its top card."""
    begun = stage_melds(taken, staged)
    claimed: dict[Place, int] = {} if taken.claimed is None else {taken.claimed: CLAIM}
    return StagedMelds(begun.state, begun.lays, claimed | dict(begun.places))


def _try_to_take_pile(
    state: State,
    step: Take,
    claim: tuple[Card, ...],
    more: tuple[Card, ...],
    melds: tuple[Lay, ...],
    added: tuple[LayOffer, ...],
) -> TakeWay | None:
    """Return the pile's taking with these cards and melds as an offer; None if the rules refuse it."""
    places = list(state.spreads[state.side].by_place)
    onto = places.index(step.onto) if step.onto is not None else None
    action = TakePile((*claim, *more), melds, onto) if more or melds else step
    try:
        events = decide(state, state.turn, action)
    except Refusal:
        return None
    price = penalty_change_of_action(state, action)
    return TakeWay(step, action, claim, added, opening_points(events), opening_minimum(state, state.side), price)


MOST_LAYINGS: Final = 8
"""Number of melds and additions offered at most."""


def lay_offers(state: State, legal_steps: Sequence[Step], *, most: int = MOST_LAYINGS) -> tuple[LayOffer, ...]:
    """Return at most `most` melds and additions: first those that make canastas, then the highest values.

    If the side has opened, melds with wild cards, which are better kept, come after those without.
    """
    steps: list[LayingStep] = [*_same_rank_melds_to_offer(state, legal_steps), *_runs_to_offer(state, legal_steps)]
    found = [lay_offer_of(state, step, cards_melded_by(state, step)) for step in steps]
    if state.rules.incomplete_penalty:
        found = [replace(one, price=penalty_change_of_step(state, one.step)) for one in found]
    opened = state.opened[state.side]

    def sort_key(laying: LayOffer) -> tuple[bool, bool, int]:
        """Return the sort key: canastas first, then melds without wild cards, then the highest values."""
        spends = opened and isinstance(laying.step, Meld) and _wild_count(laying.step) > 0
        return not laying.canasta, spends, -laying.points

    return tuple(sorted(found, key=sort_key)[:most])


# --- sets, and wild cards alone --------------------------------------------------------------------------------------


def _same_rank_melds_to_offer(state: State, legal_steps: Sequence[Step]) -> Iterator[Meld]:
    """Yield the melds and additions of one rank to offer: all naturals and the fewest wild cards needed.

    The wild cards complete a meld or a canasta.
    """
    by_place: dict[Place, list[Meld]] = {}
    for step in legal_steps:
        if isinstance(step, Meld):
            by_place.setdefault(step.place, []).append(step)
    joined = {family_of(place) for place in by_place if place in state.spreads[state.side].by_place}
    for place, steps in by_place.items():
        lies = place in state.spreads[state.side].by_place
        # Another meld of a rank is offered only if no card can be added to an existing meld of the rank.
        if lies or family_of(place) not in joined:
            yield from _melds_to_offer_at(state, place, steps, is_on_table=lies)


def _melds_to_offer_at(state: State, place: Place, steps: Sequence[Meld], *, is_on_table: bool) -> Iterator[Meld]:
    """Yield the melds to offer for one meld of the table: all naturals, and the fewest wild cards needed."""
    if family_of(place) > ACE:  # black threes, twos as a rank, wild cards alone
        yield max(steps, key=lambda step: step.size)
        return
    natural = max((step for step in steps if not _wild_count(step)), key=lambda step: step.naturals, default=None)
    if natural is not None:
        yield natural
    before = state.spreads[state.side].by_place[place].size if is_on_table else 0
    missing = state.rules.canasta_size - before
    if natural is not None and natural.size >= missing > 0:
        return
    with_wilds = [
        step for step in steps if _wild_count(step) and (0 < missing <= step.size or (not is_on_table and not natural))
    ]
    if with_wilds:
        yield min(with_wilds, key=lambda step: (wild_card_value(state.rules, step), -step.naturals))


def _wild_count(step: Meld) -> int:
    """Return the number of wild cards in the step."""
    return step.twos + step.jokers


def wild_card_value(rules: RuleSet, step: Meld) -> int:
    """Return the points of the wild cards that the step uses; fewer are better."""
    return step.twos * rules.card_values[TWO] + step.jokers * rules.card_values[JOKER]


# --- runs ------------------------------------------------------------------------------------------------------------


def _runs_to_offer(state: State, legal_steps: Sequence[Step]) -> Iterable[LayRun]:
    """Yield the runs to offer, longest first; no two runs share a card."""
    runs = sorted(
        [step for step in legal_steps if isinstance(step, LayRun)], key=lambda run: (-run.size, run.place, run.low)
    )
    taken: set[Card] = set()
    for run in runs:
        cards = cards_melded_by(state, run)
        if taken.isdisjoint(cards):
            taken.update(cards)
            yield run


def offers_to_seat(
    game: State, seat: int, staged: Sequence[Lay] = (), *, legal_steps: Sequence[Step] | None = None
) -> Offers:
    """Return the offers to the seat that must act, from what it may know; `staged` are its staged melds.

    `legal_steps` are the seat's legal steps, if already known.
    """
    if seat_to_act(game) != seat or game.phase is phases.ANSWER:
        return NOTHING
    state = state_without_hidden_cards(game, seat)
    steps = legal_actions(state) if legal_steps is None else legal_steps
    begun = _stage_melds_if_legal(state, staged)
    own, opening = ((), None) if begun is None else _find_lay_offers(state, begun, steps)
    refusal = why_not_allowed(state, seat, LayMelds(tuple(staged))) if staged and state.phase is phases.PLAY else None
    takes = tuple(ways_to_take_pile(state, steps, staged)) if state.phase is phases.DRAW else ()
    return Offers(
        layings=own,
        opening=opening,
        takes=takes,
        way_out=find_way_out(state, steps),
        why_not=refusal,
        staged_price=penalty_change_between(state, begun.state) if begun is not None and begun.lays else 0,
        pile_refusal=None if takes or staged else refusal_to_take_pile(state),
        first_melds=None if staged else first_melds_of(state),
    )


def _stage_melds_if_legal(state: State, staged: Sequence[Lay]) -> StagedMelds | None:
    """Return the state as if the staged melds were laid; None if that is illegal now."""
    if state.phase is phases.DRAW and not opening_from_hand.may_open_from_hand(state):
        return None
    try:
        return stage_melds(state, staged) if staged else StagedMelds(state)
    except Refusal:
        return None


def _find_lay_offers(
    state: State, staged: StagedMelds, legal_steps: Sequence[Step]
) -> tuple[tuple[LayOffer, ...], Opening | None]:
    """Return the melds and additions that can follow the staged ones, and an opening of the side.

    `legal_steps` are the legal steps of `state`, in which no meld is staged.
    """
    steps = legal_actions(staged.state) if staged.lays else legal_steps
    opening = None if state.opened[state.side] else find_opening(state, staged, steps)
    return lay_offers(staged.state, steps), opening
