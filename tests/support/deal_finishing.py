"""Play a running deal to its end, or for some steps, in one stored change; this saves tests time."""

from __future__ import annotations

from collections.abc import Callable

from bot.engine.moves.actions import Step
from bot.engine.moves.events import Event
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.tables.play.deals import add_events_of_deal_end
from bot.tables.play.moves import running_game
from bot.tables.service import TableService
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.table import Table


async def finish_deal(
    service: TableService, table: int, choose: Callable[[State, int], Step], *, max_steps: int | None = None
) -> None:
    """Play the running deal to its score, or that many steps at most; `choose` picks every step."""

    def decide_rest_of_deal(current_table: Table) -> Decision:
        game, events, steps = running_game(current_table), list[Event](), 0
        while (seat := seat_to_act(game)) is not None and steps != max_steps:
            steps += 1
            happened = decide(game, seat, choose(game, seat))
            events += happened
            game = fold(game, happened)
        return add_events_of_deal_end(service._context, current_table, tuple(events))

    await service._context.repository.change(table, TableRequest("finish_deal", {}), decide_rest_of_deal)
