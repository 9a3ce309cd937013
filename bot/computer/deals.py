"""Deals among computer players without a table; each sees only its own view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.computer.memory import begin_memory
from bot.computer.player import ComputerPlayer
from bot.engine.cards.cards import Card
from bot.engine.moves.actions import StartDeal
from bot.engine.moves.events import DealEnd
from bot.engine.moves.refusals import Refusal
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, actor, new_game
from bot.engine.table.views import public_event

Watcher = Callable[[State], None]


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """The result of one deal; scores, canastas and openings are by side."""

    reason: DealEnd
    turns: int
    actions: int
    illegal: int
    scores: tuple[int, ...]
    canastas: tuple[int, ...]
    opened: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal to play: the pack, the dealer, the totals and number of deals before it.

    Totals or deals decide the minimum of the initial meld.
    """

    rules: RuleSet
    pack: tuple[Card, ...]
    dealer: int
    totals: tuple[int, ...]
    before: int = 0


def play_deal(deal: Deal, players: Sequence[ComputerPlayer], watch: Watcher | None = None) -> PlayedDeal:
    """Play a deal to its end; a refused step is counted and replaced by the first legal one.

    `watch` is called with every state before a step is chosen.
    """
    start = replace(new_game(deal.rules, dealer=deal.dealer, scores=deal.totals), deal=deal.before)
    state, actions, illegal = play_next_deal(start, deal.pack, players, watch)
    result = state.results[-1]
    return PlayedDeal(
        reason=result.reason,
        turns=state.turns,
        actions=actions,
        illegal=illegal,
        scores=tuple(lines.total for lines in result.lines),
        canastas=tuple(spread.canastas for spread in state.spreads),
        opened=state.opened,
    )


def play_next_deal(
    state: State, pack: tuple[Card, ...], players: Sequence[ComputerPlayer], watch: Watcher | None = None
) -> tuple[State, int, int]:
    """Play the game's next deal with that pack.

    Return the state, and the numbers of steps taken and refused.
    """
    state = fold(state, decide(state, None, StartDeal(pack)))
    memory = begin_memory(state.rules.players, state.pile[state.hidden :])
    actions = illegal = 0
    while (seat := actor(state)) is not None:
        if watch is not None:
            watch(state)
        view = seat_view(state, seat)
        try:
            events = decide(state, seat, players[seat].choose(view, memory).step)
        except Refusal:
            illegal += 1
            events = decide(state, seat, view.legal[0])
        state, memory = fold(state, events), memory.after(map(public_event, events))
        actions += 1
    return state, actions, illegal
