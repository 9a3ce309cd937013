"""The table service: everything that can be asked of a table, from the lobby to the end of the game.

Whatever a person asks comes with a `Caller`. A method either does what it says, completely and stored, or raises
`TableRefusal` (or, from the rules, `bot.engine.refusals.Refusal`) and nothing has changed. A request id that has
been served is answered again and not done again. A table of another server is refused wherever an id comes from
a person. Every method with a caller may refuse with unknown_table, wrong_server and too_fast.
"""

from __future__ import annotations

from collections.abc import Callable

from bot.clocks.clock import Clock
from bot.engine.actions import Action
from bot.store.protocol import MessageRow, Store, TableSummary
from bot.tables import showing
from bot.tables.ledger import Ledger
from bot.tables.limits import Limits, Pace
from bot.tables.lobby import require_seat
from bot.tables.lobby_service import LobbyService
from bot.tables.looks import OPEN, BoardMessage, Changed, SeatLook, TableLook
from bot.tables.play import running_game
from bot.tables.play_service import PlayService
from bot.tables.record import Table
from bot.tables.refusals import TableCode, TableRefusal
from bot.tables.ruling import Ruling, ruling


class TableService(LobbyService, PlayService):
    """One for the whole process; the only way to change a table.

    The lobby's methods are in `LobbyService`, those about rules in `RulesService`, those of the game in `PlayService`;
    here is what looks at tables.
    """

    def __init__(self, store: Store, clock: Clock, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        super().__init__(Ledger(store, clock), Pace(limits), limits)

    # --- looking -----------------------------------------------------------------------------------------------------

    async def look(self, table: int) -> TableLook:
        """The table, for callers whose id comes from the program itself. Refusal: unknown_table."""
        return showing.table_look(await self._ledger.table(table))

    async def look_for(self, table: int, *, guild: int | None) -> TableLook:
        """The table, for ids that come from a person. Refusals: unknown_table, wrong_server."""
        return showing.table_look(await self._table_of(table, guild))

    async def seat_look(self, table: int, *, person: int, guild: int | None) -> SeatLook:
        """The person's own seat. Refusals: unknown_table, wrong_server, not_seated."""
        return showing.person_look(await self._table_of(table, guild), person)

    async def judge(self, table: int, action: Action, *, person: int, guild: int | None) -> Ruling:
        """Whether the person's seat may act so, and why; nothing changes and nothing hidden is told.

        Refusals: unknown_table, wrong_server, not_seated, not_started, game_finished, table_closed. What the rules
        refuse is in the ruling.
        """
        found = await self._table_of(table, guild)
        seat = require_seat(found, person)
        return ruling(running_game(found), seat, action)

    async def computer_look(self, table: int) -> SeatLook | None:
        """The seat that is to act if a computer player holds it and a person is seated to play with; else None."""
        found = await self._ledger.table(table)
        seat = found.record.actor
        if seat is None or found.record.seats[seat].kind != "computer" or not found.record.persons:
            return None
        return showing.seat_look(found, seat)

    async def tables_in(self, guild: int) -> tuple[TableLook, ...]:
        """The lobbies and running games of a server, oldest first."""
        return await self._looks(await self._ledger.store.tables(guild, OPEN))

    async def tables_of(self, person: int, guild: int | None = None) -> tuple[TableLook, ...]:
        """The lobbies and running games where the person is seated, in one server or in all, oldest first."""
        return await self._looks(await self._ledger.store.tables_of(person, OPEN, guild=guild))

    async def playing(self) -> tuple[int, ...]:
        """Every running game."""
        return tuple(summary.id for summary in await self._ledger.store.playing())

    async def _looks(self, summaries: tuple[TableSummary, ...]) -> tuple[TableLook, ...]:
        return tuple([showing.table_look(await self._ledger.table(summary.id)) for summary in summaries])

    async def _table_of(self, table: int, guild: int | None) -> Table:
        found = await self._ledger.table(table)
        if found.guild != guild:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
        return found

    # --- where a table is shown --------------------------------------------------------------------------------------

    async def move(self, table: int, *, channel: int, thread: int | None) -> None:
        """Note where the table lives now."""
        await self._ledger.store.move(table, channel=channel, thread=thread)

    async def message(self, table: int) -> BoardMessage | None:
        """The message that shows the table."""
        row = await self._ledger.store.message(table)
        return None if row is None else BoardMessage(row.table, row.channel, row.message, row.version, row.posted_at)

    async def record_message(self, message: BoardMessage) -> None:
        """Note the message that shows the table, and which version it shows."""
        row = MessageRow(message.table, message.channel, message.message, message.version, message.posted_at)
        await self._ledger.store.set_message(row)

    async def forget_message(self, table: int) -> None:
        """Note that no message shows the table."""
        await self._ledger.store.clear_message(table)

    async def messages_behind(self, limit: int = 50) -> tuple[int, ...]:
        """Tables whose message shows an older version than theirs, or that have none though they are open."""
        return tuple(summary.id for summary in await self._ledger.store.messages_behind(limit))

    async def sheet_shown(self, table: int) -> int:
        """The last deal whose sheet stands in a message of its own; 0 where none does yet."""
        return await self._ledger.store.sheet(table)

    async def record_sheet(self, table: int, deal: int) -> None:
        """Note that the sheet of that deal stands, and with it those of the deals before."""
        await self._ledger.store.set_sheet(table, deal)

    # --- being told --------------------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Have `listener` called after every stored change; the answer ends that."""
        return self._ledger.subscribe(listener)

    async def finish(self) -> None:
        """Wait until everything begun is stored."""
        await self._ledger.finish()
