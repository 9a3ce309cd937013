"""Writes the pages of series into the operator's folder, if the server allows it.

See `docs/series.md` 4.
"""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path

from bot.logs import record_failure

logger = logging.getLogger("canasta.series")


class PageFolder:
    """A folder with one page for each series; the file's name is the series' number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def write(self, series: int, data: bytes) -> None:
        """Write the page of a series, unless the file has this content already. A failure is logged."""
        await self._write_in_background(series, data)

    async def remove(self, series: int) -> None:
        """Delete the page of a series, if there is one. A failure is logged."""
        await self._write_in_background(series, None)

    async def _write_in_background(self, series: int, data: bytes | None) -> None:
        """Write or delete a page in a thread, so that the event loop does not wait for the disk."""
        path = self._folder / f"series-{series}.html"
        try:
            await asyncio.to_thread(_write_or_delete, path, data)
        except OSError as error:
            record_failure(logger, f"writing the page of series {series}", error)


def _write_or_delete(path: Path, data: bytes | None) -> None:
    """Write the file atomically, so that readers never see a part of it; `data` None deletes it."""
    if data is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_file() and path.read_bytes() == data:
        return
    part = path.with_suffix(".part")
    part.write_bytes(data)
    os.replace(part, path)  # noqa: PTH105 - as atomic as the file system allows
