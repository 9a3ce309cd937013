"""Play deals among computer players without a table; each player sees only its own view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.computer.memory_of_a_deal import begin_memory
from bot.computer.player import ComputerPlayer
from bot.engine.cards.cards import Card
from bot.engine.moves.actions import StartDeal
from bot.engine.moves.events import DealEnd, Events, TookTop
from bot.engine.moves.refusals import Refusal
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act
from bot.engine.table.views import public_event

Watcher = Callable[[State], None]


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """The result of one deal; scores, canastas, openings and penalties are by side.

    `feet_left` is the number of feet that were never picked up. `given` is the number of canastas that a side completed
    with the pile's top alone, a discard of the seat before.
    """

    reason: DealEnd
    turns: int
    actions: int
    illegal: int
    scores: tuple[int, ...]
    canastas: tuple[int, ...]
    opened: tuple[bool, ...]
    penalties: tuple[int, ...] = ()
    feet_left: int = 0
    given: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal to play: the pack, the dealer, the totals before it, and the number of deals before it.

    The totals or that number decide the minimum of the initial meld.
    """

    rules: RuleSet
    pack: tuple[Card, ...]
    dealer: int
    totals: tuple[int, ...]
    before: int = 0


def play_deal(deal: Deal, players: Sequence[ComputerPlayer], on_state: Watcher | None = None) -> PlayedDeal:
    """Play a deal to its end and return its result.

    A refused step is counted, and replaced by the first legal one. `on_state` is called with every state before a
    step is chosen.
    """
    start = replace(new_game(deal.rules, dealer=deal.dealer, scores=deal.totals), deal=deal.before)
    given = 0

    def note_canastas_completed_by_top(state: State, events: Events) -> None:
        """Note the canastas that the pile's top alone completes when it is taken."""
        nonlocal given
        given += sum(isinstance(event, TookTop) and _does_top_complete_canasta(state, event) for event in events)

    state, actions, illegal = play_next_deal(start, deal.pack, players, on_state, note_canastas_completed_by_top)
    result = state.results[-1]
    return PlayedDeal(
        reason=result.reason,
        turns=state.turns,
        actions=actions,
        illegal=illegal,
        scores=tuple(lines.total for lines in result.lines),
        canastas=tuple(spread.canastas for spread in state.spreads),
        opened=state.opened,
        penalties=tuple(lines.penalties for lines in result.lines),
        feet_left=sum(bool(foot) for foot in state.feet),
        given=given,
    )


def _does_top_complete_canasta(state: State, event: TookTop) -> bool:
    """Return whether the pile's top card alone completes a canasta."""
    lying = state.spreads[state.side].by_place.get(event.place)
    return not event.cards and lying is not None and len(lying.cards) == state.rules.canasta_size - 1


def play_next_deal(
    state: State,
    pack: tuple[Card, ...],
    players: Sequence[ComputerPlayer],
    on_state: Watcher | None = None,
    on_events: Callable[[State, Events], None] | None = None,
) -> tuple[State, int, int]:
    """Play the game's next deal with that pack; call `on_events` with the events of every step.

    Return the state, and the numbers of steps taken and refused.
    """
    state = fold(state, decide(state, None, StartDeal(pack)))
    memory = begin_memory(state.rules.players, state.pile[state.hidden :])
    actions = illegal = 0
    while (seat := seat_to_act(state)) is not None:
        if on_state is not None:
            on_state(state)
        view = seat_view(state, seat)
        try:
            events = decide(state, seat, players[seat].choose(view, memory).action)
        except Refusal:
            illegal += 1
            events = decide(state, seat, view.legal[0])
        if on_events is not None:
            on_events(state, events)
        state, memory = fold(state, events), memory.with_events(map(public_event, events))
        actions += 1
    return state, actions, illegal
