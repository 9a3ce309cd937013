"""Faults of series: a lost channel or permission is reported to the hosts, and retried.

Source: `docs/series.md` 1. A fault is stored as a row of its own, and a message about it in the outbox in the same
transaction, as with tournaments.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from zlib import crc32

from bot.clocks.clock import MINUTE, Clock
from bot.series.series import Series
from bot.store.outbox import SERIES_FAULT, Promise
from bot.store.series.store import SeriesFault
from bot.store.store import Store
from bot.tournaments.core.faults import LONGEST_WAIT, TOLD_AGAIN

logger = logging.getLogger("canasta.series")


class SeriesFaults:
    """The faults of all series; each series has at most one."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def fault_of(self, series: int) -> SeriesFault | None:
        """Return the fault of a series, even one that has ended but is not reported yet."""
        return await self._store.series.fault(series)

    async def record_failure(self, series: Series, reason: str) -> SeriesFault:
        """Record that a series cannot be shown.

        It is retried after 1, 2, 4 … 64 minutes, and reported at first and then hourly.
        """
        now, before = self._clock.now(), await self.fault_of(series.id)
        if before is not None and before.mended:
            before = None
        if before is not None and now < before.again_at:
            return before  # another change met the same fault; its retry is not due yet
        tries = 1 if before is None else before.tries + 1
        code = f"{crc32(f'series {series.id}:{now}'.encode()) & 0xFFFF:04x}" if before is None else before.code
        tell = before is None or now - before.told_at >= TOLD_AGAIN
        fault = SeriesFault(
            series=series.id,
            code=code,
            tries=tries,
            again_at=now + min(MINUTE << min(tries - 1, 10), LONGEST_WAIT),
            told_at=now if before is None or tell else before.told_at,
            mended=False,
        )
        if before is None:
            logger.warning("a series cannot be shown: %s (fault %s)", reason, code, extra={"series": series.id})
        await self._store_fault(fault, series.guild, notify_hosts=tell)
        return fault

    async def record_recovery(self, series: Series) -> None:
        """End the fault of a series, if it has one, and report its end to the hosts."""
        fault = await self.fault_of(series.id)
        if fault is not None and not fault.mended:
            await self._store_fault(replace(fault, mended=True), series.guild, notify_hosts=True)

    async def retry_now(self, series: int) -> None:
        """Make a fault due for a retry now; the hosts are notified of the result in any case."""
        fault = await self.fault_of(series)
        if fault is not None and not fault.mended:
            await self._store_fault(replace(fault, again_at=self._clock.now(), told_at=0), None, notify_hosts=False)

    async def delete_ended_fault(self, fault: SeriesFault) -> None:
        """Delete a fault after its end was reported."""
        await self._store.series.end_fault(fault.series)

    async def _store_fault(self, fault: SeriesFault, guild: int | None, *, notify_hosts: bool) -> None:
        """Store a fault and, if `notify_hosts` is set, promise a message about it to the hosts."""
        promises = (Promise(kind=SERIES_FAULT, key=str(fault.series), guild=guild),) if notify_hosts else ()
        await self._store.series.set_fault(fault, promises, self._clock.now())
        if notify_hosts:
            self._store.outbox.notify_listener()
