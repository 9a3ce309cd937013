"""The part of the table service that sets a lobby's clock and what goes with it."""

from __future__ import annotations

from bot.tables import choosing_settings as choosing
from bot.tables.asked import Decision, TableRequest
from bot.tables.desk import TableContext
from bot.tables.looks import Caller, TableSnapshot
from bot.tables.record import Table
from bot.tables.timing.settings import TableSettings


class SettingsService(TableContext):
    """What a host can ask about a lobby's settings."""

    async def choose_settings(self, caller: Caller, table: int, settings: TableSettings) -> TableSnapshot:
        """Set a lobby to these.

        Refusals: not_host, already_started, table_closed, game_finished, clock_bank, clock_increment, clock_cap,
        setting_out_of_range.
        """
        self._admit(caller)
        expires_at = self._ledger.clock.now() + self._limits.lobby(settings)

        async def decide(found: Table) -> Decision:
            return Decision(choosing.choose(found, caller, settings, expires_at=expires_at))

        return await self._ask(table, TableRequest("choose_settings", {}, caller=caller), decide)
