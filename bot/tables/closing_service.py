"""The part of the table service that closes tables."""

from __future__ import annotations

from bot.tables import closing, stale
from bot.tables.desk import Desk
from bot.tables.ledger import Asked, Plan
from bot.tables.looks import Caller, TableLook
from bot.tables.record import Table


class ClosingService(Desk):
    """What can be asked about the end of a table before its game is over."""

    async def close(self, caller: Caller, table: int, *, moderator: bool = False, seen: int | None = None) -> TableLook:
        """Close a lobby; close a running game without a result, or ask the persons seated whether to.

        A moderator of the server need be neither host nor seated. `seen` is the version that was clicked on: a lobby
        is closed only as it was seen. Refusals: not_host (lobby), not_seated, not_silent (moderator), already_agreed,
        stale_request, table_closed, game_finished.
        """
        self._admit(caller)
        now, silence = self._ledger.clock.now(), self._limits.silence

        async def decide(found: Table) -> Plan:
            await stale.require_fresh(self._ledger.store, found, seen, stale.closing)
            return Plan(closing.close(found, caller, moderator=moderator, now=now, silence=silence))

        return await self._ask(table, Asked("close", {"moderator": moderator}, caller=caller), decide)

    async def answer_close(self, caller: Caller, table: int, *, agrees: bool, asked_at: int | None = None) -> TableLook:
        """Agree that a running game is closed, which closes it when all have; or say no, which ends the question.

        Refusals: not_seated, already_agreed, not_started, table_closed, game_finished; stale_request where nobody asks,
        or another question than that of `asked_at`.
        """
        self._admit(caller)

        async def decide(found: Table) -> Plan:
            return Plan(closing.answer(found, caller, agrees=agrees, asked_at=asked_at))

        asked = Asked("answer_close", {"agrees": agrees, "asked_at": asked_at}, caller=caller)
        return await self._ask(table, asked, decide)
