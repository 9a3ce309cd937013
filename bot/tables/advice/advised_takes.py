"""Takes: the ways to take the pile, with the melds from the hand that open a side which has not opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.cards.cards import Card
from bot.engine.cards.places import Place
from bot.engine.moves.actions import Lay, Step, Take, TakePile
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import decide
from bot.engine.play.legal import legal_actions
from bot.engine.table.chosen import cards_for
from bot.engine.table.evolve import fold
from bot.engine.table.queries import minimum
from bot.engine.table.state import State
from bot.tables.advice.completing import completions
from bot.tables.advice.hand_cards import CLAIM, StagedMelds, begun_with
from bot.tables.advice.offered import Laying, TakeWay
from bot.tables.advice.opening_melds import completed, opened_with


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
