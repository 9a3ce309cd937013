"""The part of the table service that sets a lobby's clock and what goes with it."""

from __future__ import annotations

from bot.tables import choosing_settings as choosing
from bot.tables.asked import Asked, Plan
from bot.tables.desk import Desk
from bot.tables.looks import Caller, TableLook
from bot.tables.record import Table
from bot.tables.timing.settings import TableSettings


class SettingsService(Desk):
    """What a host can ask about a lobby's settings."""

    async def choose_settings(self, caller: Caller, table: int, settings: TableSettings) -> TableLook:
        """Set a lobby to these.

        Refusals: not_host, already_started, table_closed, game_finished, clock_bank, clock_increment, clock_cap,
        setting_out_of_range.
        """
        self._admit(caller)
        expires_at = self._ledger.clock.now() + self._limits.lobby(settings)

        async def decide(found: Table) -> Plan:
            return Plan(choosing.choose(found, caller, settings, expires_at=expires_at))

        return await self._ask(table, Asked("choose_settings", {}, caller=caller), decide)
