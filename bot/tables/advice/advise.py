"""The offers of a seat, all together."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.law import hand_first
from bot.engine.moves import phases
from bot.engine.moves.actions import Lay, LayMelds, Step
from bot.engine.moves.refusals import Refusal
from bot.engine.play.decide import why_not
from bot.engine.play.legal import legal_actions
from bot.engine.table.state import State, actor
from bot.tables.advice.advised_takes import takes_of
from bot.tables.advice.advised_ways_out import way_out
from bot.tables.advice.hand_cards import StagedMelds, begun_with
from bot.tables.advice.layings import layings
from bot.tables.advice.offered import NOTHING, Laying, Offers, Opening
from bot.tables.advice.opening_melds import opening_of
from bot.tables.ruling import blinded


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
    if state.phase is phases.DRAW and not hand_first.is_on(state):
        return (), None
    try:
        begun = begun_with(state, staged) if staged else StagedMelds(state)
    except Refusal:
        return (), None
    steps = legal_actions(begun.state) if staged else legal
    opening = None if state.opened[state.side] else opening_of(state, begun, steps)
    return layings(begun.state, steps), opening
