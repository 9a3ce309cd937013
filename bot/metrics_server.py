"""The HTTP page of Prometheus metrics, on a loopback address only (`CANASTA_METRICS`)."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Final

from aiohttp import web

from bot.clocks.clock import Clock
from bot.metrics import METRICS, Labels
from bot.operations.backup import FOLDER, backups_in
from bot.store.store import Store

Gauges = dict[tuple[str, Labels], float]

LAG_EVERY: Final = 1.0
"""Seconds between two measurements of the event loop's lag."""


async def stored_gauges(store: Store, database: Path, clock: Clock) -> Gauges:
    """Return the gauges whose values are read from the database and its disk."""
    found: Gauges = {}
    for status, count in (await store.count_tables()).items():
        found["tables", (("status", status),)] = count
    for kind, count in (await store.outbox.count_promises_by_kind()).items():
        found["outbox", (("kind", kind),)] = count
    for kind, count in store.set_aside.counts().items():
        found["set_aside", (("kind", kind),)] = count
    found["boards_behind", ()] = await store.messages.count_outdated_messages()
    found["disk_free_bytes", ()] = shutil.disk_usage(database.parent).free
    backups = backups_in(database.parent / FOLDER, database.stem)
    if backups:
        found["backup_age_seconds", ()] = max(0, clock.now() - backups[-1][0]) // 1000
    return found


@asynccontextmanager
async def serve_metrics(
    address: str, read: Callable[[], Awaitable[Mapping[tuple[str, Labels], float]]]
) -> AsyncIterator[str]:
    """Serve the metrics at the path ``/metrics`` of `address` while the `with` block runs; yield the URL.

    `read` returns the current values of gauges. Raises `OSError` for an address in use.
    """

    async def answer(_request: web.Request) -> web.Response:
        lines = METRICS.lines(await read())
        return web.Response(text="\n".join(lines) + "\n", content_type="text/plain", charset="utf-8")

    app = web.Application()
    app.router.add_get("/metrics", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    lag = asyncio.create_task(_measure_lag(), name="loop lag")
    try:
        host, _, port = address.rpartition(":")
        site = web.TCPSite(runner, host.strip("[]"), int(port))
        await site.start()
        yield str(runner.addresses[0][1])
    finally:
        lag.cancel()
        await asyncio.gather(lag, return_exceptions=True)
        await runner.cleanup()


async def _measure_lag() -> None:
    """Measure the event loop's lag (late wake-ups) every second and record it as a metric."""
    while True:
        began = perf_counter()
        await asyncio.sleep(LAG_EVERY)
        METRICS.set_gauge("loop_lag_seconds", max(0.0, perf_counter() - began - LAG_EVERY))
