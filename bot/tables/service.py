"""The table service: everything that can be asked of a table, from the lobby to the end of the game.

Whatever a person asks comes with a `Caller`. A method either does what it says, completely and stored, or raises
`TableRefusal` (or, from the rules, `bot.engine.refusals.Refusal`) and nothing has changed. A request id that has
been served is answered again and not done again. A table of another server is refused wherever an id comes from
a person.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.engine.actions import Action, Step
from bot.tables.looks import BoardMessage, Caller, Changed, Outcome, SeatLook, TableLook


class TableService:
    """One for the whole process; the only way to change a table."""

    async def create(
        self,
        caller: Caller,
        *,
        channel: int,
        thread: int | None = None,
        rules: str = "classic",
        players: int = 4,
        target: int | None = None,
        computers: int = 0,
    ) -> TableLook:
        """Open a lobby; the caller is its host and takes the first seat, the computer players the next ones.

        Refusals: unknown_rules, players_not_offered, target_out_of_range, computers_out_of_range, too_many_tables,
        too_many_lobbies, too_many_seats, too_fast.
        """

    async def join(self, caller: Caller, table: int, *, seat: int | None = None) -> TableLook:
        """Take that seat, or the first empty one; who is seated moves to it. Who left a running game takes it up again.

        Refusals: table_full, seat_taken, no_such_seat, already_seated, already_started, table_closed,
        game_finished, too_many_seats.
        """

    async def leave(self, caller: Caller, table: int) -> TableLook:
        """Give up one's seat. In a running game a computer player takes it over, and `join` takes it back.

        The lobby of a leaving host passes to the next person; with nobody left it closes. Refusals: not_seated,
        table_closed, game_finished.
        """

    async def add_computer(self, caller: Caller, table: int, *, seat: int | None = None) -> TableLook:
        """Seat a computer player there, or in the first empty seat.

        Refusals: not_host, table_full, seat_taken, no_such_seat, already_started, table_closed.
        """

    async def remove_computer(self, caller: Caller, table: int, *, seat: int | None = None) -> TableLook:
        """Send away the computer player there, or the last one.

        Refusals: not_host, no_computer, no_such_seat, already_started, table_closed.
        """

    async def start(self, caller: Caller, table: int, *, fill: bool = False) -> TableLook:
        """Deal; with `fill` computer players take the empty seats first.

        Refusals: not_host, not_enough_players, already_started, table_closed.
        """

    async def close(self, caller: Caller, table: int, *, moderator: bool = False) -> TableLook:
        """Close a lobby, or give up a running game without a result. A moderator of the server need not be its host.

        Refusals: not_host, table_closed, game_finished.
        """

    async def rematch(self, caller: Caller, table: int) -> TableLook:
        """Open a lobby with the same rules, persons and computer players, one seat on; the caller is its host.

        One finished table has one rematch: whoever asks later gets the same lobby. Refusals: not_seated,
        not_finished, too_many_tables, too_many_lobbies, too_many_seats.
        """

    async def next_deal(self, caller: Caller, table: int, *, expected_version: int | None = None) -> SeatLook:
        """Begin the next deal now instead of waiting for it; anybody seated may.

        Refusals: not_seated, not_started, game_finished, table_closed, stale_request; from the rules: deal_running.
        """

    async def act(
        self, caller: Caller, table: int, action: Action, *, expected_version: int | None = None
    ) -> Outcome:
        """Play: the one entrance for everything that a person does in a game.

        With an `expected_version` the action is refused when the table has moved on. Refusals: stale_request,
        not_seated, not_started, game_finished, table_closed, too_fast; and whatever the rules refuse.
        """

    async def act_as_computer(self, table: int, seat: int, step: Step, *, expected_version: int) -> TableLook:
        """Play for a computer player: the same path without a person.

        Refusals: not_seated when no computer player holds the seat; otherwise as `act`.
        """

    async def look(self, table: int) -> TableLook:
        """The table, for callers whose id comes from the program itself. Refusal: unknown_table."""

    async def look_for(self, table: int, *, guild: int | None) -> TableLook:
        """The table, for ids that come from a person. Refusals: unknown_table, wrong_server."""

    async def seat_look(self, table: int, *, person: int, guild: int | None) -> SeatLook:
        """The person's own seat. Refusals: unknown_table, wrong_server, not_seated."""

    async def computer_look(self, table: int) -> SeatLook | None:
        """The seat to act if a computer player holds it and a person is seated to play with; else None."""

    async def tables_in(self, guild: int) -> tuple[TableLook, ...]:
        """The lobbies and running games of a server, oldest first."""

    async def tables_of(self, person: int, guild: int | None = None) -> tuple[TableLook, ...]:
        """The lobbies and running games where the person is seated, in one server or in all, oldest first."""

    async def playing(self) -> tuple[int, ...]:
        """Every running game."""

    async def move(self, table: int, *, channel: int, thread: int | None) -> None:
        """Note where the table lives now."""

    async def message(self, table: int) -> BoardMessage | None:
        """The message that shows the table."""

    async def record_message(self, message: BoardMessage) -> None:
        """Note the message that shows the table, and which version it shows."""

    async def forget_message(self, table: int) -> None:
        """Note that no message shows the table."""

    async def messages_behind(self, limit: int = 50) -> tuple[int, ...]:
        """Tables whose message shows an older version than theirs, or that have none though they are open."""

    async def timer_due(self, table: int, kind: str) -> None:
        """Do what a deadline of the table asks for, if it is still to be done. For the scheduler."""

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Have `listener` called after every stored change; the answer ends that."""

    async def finish(self) -> None:
        """Wait until everything begun is stored."""
