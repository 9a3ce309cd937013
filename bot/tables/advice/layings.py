"""Layings: of all the steps that lay cards the few that one would take, the best first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.engine.cards.cards import ACE, JOKER, TWO, Card
from bot.engine.cards.places import Place, family_of
from bot.engine.moves.actions import LayRun, Meld, Step
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.chosen import cards_for
from bot.engine.table.state import State
from bot.tables.advice.hand_cards import LayingStep, laying_of
from bot.tables.advice.offered import Laying

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
