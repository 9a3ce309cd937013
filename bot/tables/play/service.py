"""The service for a running game: actions of people and computer players, and deals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.moves.actions import DRAW, TAKE_BACK, Action
from bot.engine.moves.events import Event
from bot.engine.moves.refusals import Code, Refusal
from bot.store.game_forms import encode_action
from bot.tables.context import TableContext
from bot.tables.core.stale_clicks import is_request_current
from bot.tables.play.deals import add_events_of_deal_end, decide_next_deal
from bot.tables.play.moves import (
    decide_action,
    decide_going_out,
    require_hints,
    running_game,
    visible_events,
)
from bot.tables.play.shuffle_words import give_shuffle_word, require_valid_word
from bot.tables.play.undoing import count_melds_of_last_action, take_back_melds
from bot.tables.seating import seats
from bot.tables.state.events import Deadline, HintGiven
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import DeadlineHandler, Decide, Decision, TableRequest
from bot.tables.state.snapshots import ActionResult, Caller, SeatSnapshot, TableSnapshot
from bot.tables.state.table import Table

TURN_ROWS: Final = 100
"""Number of log rows searched for a seat's latest move; no turn has more."""


class PlayService:
    """Requests about a running game."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    async def act(
        self, caller: Caller, table: int, action: Action, *, expected_version: int | None = None
    ) -> ActionResult:
        """Play a person's action.

        With an `expected_version` the action is refused if a move has been played since then. Refusals: stale_request,
        not_seated, not_started, game_paused, game_finished, table_closed; and every refusal of the rules.
        """

        async def decide_events(current_table: Table) -> Decision:
            seats.require_unpaused_game(current_table)
            seat = seats.require_seat(current_table, caller.person)
            return add_events_of_deal_end(
                self._context, current_table, await self._events_of_action(current_table, seat, action)
            )

        form = encode_action(action)
        request = TableRequest(form["action"], form, caller=caller, expected_version=expected_version)
        return await self._change_and_show(caller, table, request, decide_events)

    async def is_current(self, table: int, version: int) -> bool:
        """Return whether no move has been played since that version.

        Refusals: unknown_table, unreadable_table.
        """
        return await is_request_current(self._context.store, await self._context.repository.get(table), version, "act")

    async def undo(self, caller: Caller, table: int, *, expected_version: int | None = None) -> ActionResult:
        """Take back the caller's last melding action of this turn, as a whole. Refusals as `act`."""

        async def decide_events(current_table: Table) -> Decision:
            seats.require_unpaused_game(current_table)
            game = running_game(current_table)
            seat = seats.require_seat(current_table, caller.person)
            rows = await self._context.log_entries(current_table, after=max(0, current_table.version - TURN_ROWS))
            count = count_melds_of_last_action(rows, seat)
            return Decision(await self._context.rules_thread.run(game.rules, take_back_melds, game, seat, count))

        form = encode_action(TAKE_BACK)
        request = TableRequest(form["action"], form, caller=caller, expected_version=expected_version)
        return await self._change_and_show(caller, table, request, decide_events)

    async def go_out(self, caller: Caller, table: int, *, expected_version: int | None = None) -> ActionResult:
        """Go out by the offered way as a whole, or first ask the partner if the rules require it.

        Refusals: as `act`, and stale_request if no way is offered.
        """

        async def decide_events(current_table: Table) -> Decision:
            seats.require_unpaused_game(current_table)
            seat = seats.require_seat(current_table, caller.person)
            rules = running_game(current_table).rules
            return add_events_of_deal_end(
                self._context,
                current_table,
                await self._context.rules_thread.run(rules, decide_going_out, current_table, seat),
            )

        request = TableRequest("go_out", {}, caller=caller, expected_version=expected_version)
        return await self._change_and_show(caller, table, request, decide_events)

    async def _change_and_show(self, caller: Caller, table: int, request: TableRequest, decide: Decide) -> ActionResult:
        """Store the change that `decide` makes, and return its result as the caller may see it."""
        result = await self._context.repository.change(table, request, decide)
        snapshot = await self._context.snapshots.person_snapshot(result.table, caller.person)
        return ActionResult(snapshot, visible_events(snapshot.seat, result.events), result.repeated)

    async def draw_automatically(self, table: int, seat: int, *, expected_version: int) -> None:
        """Draw a card for a person who has chosen to draw automatically. Refusals as `act`."""

        async def decide_events(current_table: Table) -> Decision:
            seats.require_unpaused_game(current_table)
            return add_events_of_deal_end(
                self._context, current_table, await self._events_of_action(current_table, seat, DRAW)
            )

        form = encode_action(DRAW)
        request = TableRequest(form["action"], form, seat=seat, expected_version=expected_version)
        await self._context.repository.change(table, request, decide_events)

    async def count_hint(self, caller: Caller, table: int) -> SeatSnapshot:
        """Record that the caller was given a hint for the turn; a further one in the same turn is not counted.

        Refusals: not_seated, not_started, game_paused, game_finished, table_closed, hints_off; not_your_turn.
        """

        async def decide_events(current_table: Table) -> Decision:
            seats.require_unpaused_game(current_table)
            seat, game = seats.require_seat(current_table, caller.person), running_game(current_table)
            require_hints(current_table)
            if current_table.record.actor != seat:
                raise Refusal(Code.NOT_YOUR_TURN, {"turn": game.turn})
            return Decision((HintGiven(seat, game.deal, game.turns),))

        request = TableRequest("hint", {}, caller=caller)
        result = await self._context.repository.change(table, request, decide_events)
        return await self._context.snapshots.person_snapshot(result.table, caller.person)

    async def act_for_computer(self, table: int, seat: int, step: Action, *, expected_version: int) -> TableSnapshot:
        """Play for a computer player, like `act` but without a person.

        Refusals: not_seated when no computer player holds the seat; otherwise as `act`.
        """

        async def decide_events(current_table: Table) -> Decision:
            seats.require_unpaused_game(current_table)
            if current_table.record.seats[seat].kind != "computer":
                raise TableRefusal(TableCode.NOT_SEATED, {"table": table})
            return add_events_of_deal_end(
                self._context, current_table, await self._events_of_action(current_table, seat, step)
            )

        form = encode_action(step)
        request = TableRequest(form["action"], form, seat=seat, expected_version=expected_version)
        return await self._context.snapshots.table_snapshot(
            (await self._context.repository.change(table, request, decide_events)).table
        )

    async def _events_of_action(self, table: Table, seat: int, action: Action) -> tuple[Event, ...]:
        """Return the events of a seat's action, computed in the rules thread if the rules are slow."""
        return await self._context.rules_thread.run(table.record.rules, decide_action, table, seat, action)

    async def begin_next_deal(self, caller: Caller, table: int, *, expected_version: int | None = None) -> SeatSnapshot:
        """Begin the next deal now instead of waiting for it; every seated person may.

        Refusals: not_seated, not_started, game_paused, game_finished, table_closed, stale_request; from the rules:
        deal_running.
        """

        async def decide_events(current_table: Table) -> Decision:
            seats.require_seat(current_table, caller.person)
            return await decide_next_deal(self._context, current_table, caller)

        request = TableRequest("next_deal", {}, caller=caller, expected_version=expected_version)
        return await self._context.snapshots.person_snapshot(
            (await self._context.repository.change(table, request, decide_events)).table, caller.person
        )

    async def give_shuffle_word(self, caller: Caller, table: int, word: str) -> tuple[str, TableSnapshot]:
        """Set the seat's word for the next deal's shuffle; return the word as stored, and the table.

        It replaces the seat's previous word. Refusals: not_seated, table_closed, game_finished, no_deal_to_come,
        word_empty, word_too_long, word_unfit.
        """
        kept = require_valid_word(word)
        return kept, await self._context.change(
            table,
            TableRequest("contribute", {"word": kept}, caller=caller),
            lambda found: Decision(give_shuffle_word(found, caller, kept)),
        )

    @property
    def deadlines(self) -> Mapping[Deadline, DeadlineHandler]:
        """The handlers of this service's deadlines."""
        return {Deadline.NEXT_DEAL: lambda found: decide_next_deal(self._context, found, None)}
