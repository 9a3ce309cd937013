"""Layings: of all the steps that lay cards the few that one would take, the best first.

Takes: the ways to take the pile, with the melds from the hand that open a side which has not opened.

The offers of a seat, all together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.engine.cards.cards import ACE, JOKER, TWO, Card
from bot.engine.cards.places import Place, family_of
from bot.engine.law import hand_first
from bot.engine.moves import phases
from bot.engine.moves.actions import Lay, LayMelds, LayRun, Meld, Step, Take, TakePile
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide, why_not
from bot.engine.play.legal import legal_actions
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.evolve import fold
from bot.engine.table.melds import cards_for
from bot.engine.table.queries import minimum
from bot.engine.table.state import State, actor
from bot.tables.advice.openings import completed, completions, opened_with, opening_of
from bot.tables.advice.ruling import blinded
from bot.tables.advice.staged_melds import CLAIM, LayingStep, StagedMelds, begun_with, laying_of
from bot.tables.advice.ways_out import way_out
from bot.tables.state.snapshots import NOTHING, Laying, Offers, Opening, TakeWay


def takes_of(state: State, legal: Sequence[Step], staged: Sequence[Lay]) -> Iterator[TakeWay]:
    """Each legal way to take the pile, with the melds put together; none that was found to open no side."""
    for step in legal:
        if isinstance(step, Take):
            found = _with_staged(state, step, staged)
            if found is not None:
                yield found


def _with_staged(state: State, step: Take, staged: Sequence[Lay]) -> TakeWay | None:
    claim = cards_for(state, step)
    if not staged and state.opened[state.side]:
        return TakeWay(step, step, claim, (), None, 0)
    taken = fold(state, decide(state, state.turn, step))
    if not staged and taken.opened[taken.side]:  # the take itself may form the sides
        return _tried(state, step, claim, (), (), ())
    try:
        begun = _begun(taken, staged)
    except Refusal:
        return None
    if begun.state.opened[begun.state.side]:
        return _tried(state, step, claim, (), tuple(staged), ())
    for steps in completions(begun.state, legal_actions(begun.state)):
        more, melds, added = completed(state, begun, steps)
        found = _tried(state, step, claim, more, melds, added)
        if found is not None:
            return found
    return None


def _begun(taken: State, staged: Sequence[Lay]) -> StagedMelds:
    """The melds put together, laid after the top card, which lies where the pile was claimed."""
    begun = begun_with(taken, staged)
    claimed: dict[Place, int] = {} if taken.claimed is None else {taken.claimed: CLAIM}
    return StagedMelds(begun.state, begun.lays, claimed | dict(begun.places))


def _tried(
    state: State,
    step: Take,
    claim: tuple[Card, ...],
    more: tuple[Card, ...],
    melds: tuple[Lay, ...],
    added: tuple[Laying, ...],
) -> TakeWay | None:
    """The way that this is; None where the rules refuse it."""
    places = list(state.spreads[state.side].by_place)
    onto = places.index(step.onto) if step.onto is not None else None
    action = TakePile((*claim, *more), melds, onto) if more or melds else step
    try:
        events = decide(state, state.turn, action)
    except Refusal:
        return None
    return TakeWay(step, action, claim, added, opened_with(events), minimum(state, state.side))


MOST_LAYINGS: Final = 8
"""More are not offered."""


def layings(state: State, legal: Sequence[Step], *, most: int = MOST_LAYINGS) -> tuple[Laying, ...]:
    """At most so many of the steps: those first that make canastas, then those that count most.

    Where the side has opened, melds that take wild cards, which are better kept, come after those that take none.
    """
    steps: list[LayingStep] = [*_sets(state, legal), *_runs(state, legal)]
    found = [laying_of(state, step, cards_for(state, step)) for step in steps]
    opened = state.opened[state.side]

    def order(laying: Laying) -> tuple[bool, bool, int]:
        spends = opened and isinstance(laying.step, Meld) and _wilds(laying.step) > 0
        return not laying.canasta, spends, -laying.points

    return tuple(sorted(found, key=order)[:most])


# --- sets, and wild cards alone --------------------------------------------------------------------------------------


def _sets(state: State, legal: Sequence[Step]) -> Iterator[Meld]:
    """For each rank and each place all naturals, and as few wild cards as make a meld or a canasta of them."""
    by_place: dict[Place, list[Meld]] = {}
    for step in legal:
        if isinstance(step, Meld):
            by_place.setdefault(step.place, []).append(step)
    joined = {family_of(place) for place in by_place if place in state.spreads[state.side].by_place}
    for place, steps in by_place.items():
        lies = place in state.spreads[state.side].by_place
        if lies or family_of(place) not in joined:  # cards join what lies there before they begin another of the rank
            yield from _at_place(state, place, steps, lies=lies)


def _at_place(state: State, place: Place, steps: Sequence[Meld], *, lies: bool) -> Iterator[Meld]:
    if family_of(place) > ACE:  # black threes, twos as a rank, wild cards alone
        yield max(steps, key=lambda step: step.size)
        return
    natural = max((step for step in steps if not _wilds(step)), key=lambda step: step.naturals, default=None)
    if natural is not None:
        yield natural
    before = state.spreads[state.side].by_place[place].size if lies else 0
    missing = state.rules.canasta_size - before
    if natural is not None and natural.size >= missing > 0:
        return
    with_wilds = [step for step in steps if _wilds(step) and (0 < missing <= step.size or (not lies and not natural))]
    if with_wilds:
        yield min(with_wilds, key=lambda step: (wild_worth(state.rules, step), -step.naturals))


def _wilds(step: Meld) -> int:
    return step.twos + step.jokers


def wild_worth(rules: RuleSet, step: Meld) -> int:
    """What the wild cards count that the step takes: the fewer and the cheaper, the better."""
    return step.twos * rules.card_values[TWO] + step.jokers * rules.card_values[JOKER]


# --- runs ------------------------------------------------------------------------------------------------------------


def _runs(state: State, legal: Sequence[Step]) -> Iterable[LayRun]:
    """The longest at each place and end; of those that begin a run none that shares a card with a longer one."""
    runs = sorted([step for step in legal if isinstance(step, LayRun)], key=lambda run: (-run.size, run.place, run.low))
    taken: set[Card] = set()
    for run in runs:
        cards = cards_for(state, run)
        if taken.isdisjoint(cards):
            taken.update(cards)
            yield run


def offers_of(game: State, seat: int, staged: Sequence[Lay] = (), *, legal: Sequence[Step] | None = None) -> Offers:
    """What the seat is offered that is to act, from what it may know; `staged` are the melds it has put together.

    `legal` are the seat's legal steps where they are at hand.
    """
    if actor(game) != seat or game.phase is phases.ANSWER:
        return NOTHING
    state = blinded(game, seat)
    steps = legal_actions(state) if legal is None else legal
    own, opening = _laid_now(state, steps, staged)
    refusal = why_not(state, seat, LayMelds(tuple(staged))) if staged and state.phase is phases.PLAY else None
    return Offers(
        layings=own,
        opening=opening,
        takes=tuple(takes_of(state, steps, staged)) if state.phase is phases.DRAW else (),
        way_out=way_out(state, steps),
        why_not=refusal,
    )


def _laid_now(state: State, legal: Sequence[Step], staged: Sequence[Lay]) -> tuple[tuple[Laying, ...], Opening | None]:
    """What can be laid before the turn goes on, and how that opens a side which has not opened."""
    if state.phase is phases.DRAW and not hand_first.opens_from_hand(state):
        return (), None
    try:
        begun = begun_with(state, staged) if staged else StagedMelds(state)
    except Refusal:
        return (), None
    steps = legal_actions(begun.state) if staged else legal
    opening = None if state.opened[state.side] else opening_of(state, begun, steps)
    return layings(begun.state, steps), opening
