"""Steps out: the steps that lead the seat in turn out, found one after another, supposing that it has to go out.

Once a yes binds a seat, the rules let it take only steps from which it can still go out. So each legal step leads
there, and which is taken decides only what the deal counts: naturals are laid first, then melds are laid together,
then wild cards go where they count most; one card is discarded at the end where that counts more. To list what is
legal for a bound seat is dear where runs are in the game and the hand is long, so that the first steps are chosen from
what is legal for a free one, and asked one by one whether the seat can still go out after them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.engine.cards.places import Place
from bot.engine.law import turn_end
from bot.engine.melds.bonuses import canasta_points
from bot.engine.melds.melds import TableMeld, grown, points_of
from bot.engine.melds.unfinished import unfinished_points
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, Discard, LayRun, Meld, Step
from bot.engine.moves.events import Announced, DealEnd, DealEnded, Event
from bot.engine.moves.refusals import Refusal
from bot.engine.play import steps
from bot.engine.play.legal import legal_actions
from bot.engine.reach.standing import outlook_of
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.chosen import cards_for
from bot.engine.table.evolve import evolve, fold
from bot.engine.table.state import State
from bot.tables.advice.hand_cards import LayingStep

LONGEST: Final = 40
"""Steps of a turn that are followed."""

SHORT_HAND: Final = 5
"""Cards of a hand from which on what is legal for a bound seat is listed."""

MOST_ASKED: Final = 30
"""Steps of a free seat of which is asked whether it can go out after them."""

WILD_CHOICES: Final = 3
"""Layings of wild cards of which that is asked before the list of the bound seat is."""

TAKEN: Final[Mapping[type[Step], Callable[[State, Any], tuple[Event, ...]]]] = {
    Meld: steps.meld,
    LayRun: steps.lay_run,
    Combine: steps.combine,
    Discard: steps.discard,
}
"""What steps bring about; they raise the refusal alone, without the list of what would be legal, which is dear."""


def has_agreed(state: State) -> State:
    """The state as if the seat had to go out now."""
    return state if state.permission is True else evolve(state, Announced(state.turn))


def may_go_out(state: State) -> bool:
    """Whether the seat, which has drawn and has to go out, can, or nearly so: most hands answer no at once."""
    return turn_end.may_go_out(state, outlook_of(state))


def steps_out(state: State) -> list[Step] | None:
    """Steps by which the seat in turn, which has drawn, goes out if nothing has to be said; None where none led out."""
    if not may_go_out(has_agreed(state)):
        return None
    taken, now = _free(state)
    bound = has_agreed(now)
    while len(taken) < LONGEST:
        for step in _next(bound):
            try:
                events = TAKEN[type(step)](bound, step)
            except Refusal:
                continue
            taken.append(step)
            ended = [event.reason for event in events if isinstance(event, DealEnded)]
            if ended:
                return taken if ended == [DealEnd.OUT] else None
            bound = fold(bound, events)
            break
        else:
            return None
        if not _goes_on(bound, state.turn) or bound.permission is not True:
            return None
    return None


def _goes_on(state: State, seat: int) -> bool:
    """Whether it is still the seat's turn, with cards to lay or to discard."""
    return state.phase is phases.PLAY and state.turn == seat


# --- a free seat -----------------------------------------------------------------------------------------------------


def _free(state: State) -> tuple[list[Step], State]:
    """Steps of a seat that nothing binds, after each of which it can go out, as long as its hand is not short."""
    free = replace(state, permission=None) if state.permission else state
    taken: list[Step] = []
    asked = 0
    found = True
    while found and len(free.hands[free.turn]) > SHORT_HAND:
        found = False
        choices = _choices(free)
        for step in (*choices.plain, *choices.wild[:WILD_CHOICES]):
            if found and isinstance(step, Meld) and step.twos + step.jokers:
                break  # where they count most may be another place now
            after = _after(free, step)
            if after is None:
                continue
            asked += 1
            if asked > MOST_ASKED:
                return taken, free
            if may_go_out(has_agreed(after)):
                taken.append(step)
                free, found = after, True
    return taken, free


def _after(free: State, step: Step) -> State | None:
    """The state after the step; None where it is not legal, or leaves so few cards that the bound seat decides."""
    try:
        events = TAKEN[type(step)](free, step)
    except Refusal:
        return None
    if any(isinstance(event, DealEnded) for event in events):
        return None
    after = fold(free, events)
    return after if _goes_on(after, free.turn) and len(after.hands[after.turn]) > 1 else None


# --- which step ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Choices:
    """What may be done next, the best first: at each place the most naturals, then melds laid together; wild cards."""

    plain: tuple[Step, ...]
    wild: tuple[Meld, ...]
    discards: tuple[Discard, ...]


def _choices(state: State) -> _Choices:
    legal = legal_actions(state)
    largest: dict[Place, LayingStep] = {}
    wild: list[Meld] = []
    for step in legal:
        if isinstance(step, Meld) and step.twos + step.jokers:
            wild.append(step)
        elif isinstance(step, Meld | LayRun) and (step.place not in largest or step.size > largest[step.place].size):
            largest[step.place] = step
    wild.sort(key=lambda step: _gain(state, step), reverse=True)
    plain = sorted(largest.values(), key=lambda step: -step.size)
    united = [step for step in legal if isinstance(step, Combine)]
    return _Choices((*plain, *united), tuple(wild), tuple([step for step in legal if isinstance(step, Discard)]))


def _next(bound: State) -> Iterator[Step]:
    """The steps of a bound seat; a discard goes before wild cards where these lose points."""
    choices = _choices(bound)
    yield from choices.plain
    if choices.wild and choices.discards:
        more, _, cards = _gain(bound, choices.wild[0])
        yield from choices.discards if more + cards < 0 else ()
    yield from choices.wild
    yield from choices.discards


def _gain(state: State, step: LayingStep) -> tuple[int, int, int]:
    """What canastas and unfinished melds count more after the step, how few cards make a canasta, what cards count."""
    cards = cards_for(state, step)
    lying = state.spreads[state.side].by_place.get(step.place)
    after = grown(step.place, lying, cards)
    more = _worth(state.rules, after) - (0 if lying is None else _worth(state.rules, lying))
    return more, -len(cards) if more > 0 else len(cards), points_of(state.rules, cards)


def _worth(rules: RuleSet, meld: TableMeld) -> int:
    """What a meld counts beside its cards."""
    natural, mixed, others = canasta_points(rules, (meld,), out=True)
    return natural + mixed + others.total + (unfinished_points(rules, (meld,)) if rules.incomplete_penalty else 0)
