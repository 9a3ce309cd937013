"""The heartbeat file, in which a running bot records its state for `canasta-bot health`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bot.clocks.clock import SECOND, Clock

EVERY: Final = 15 * SECOND
"""Interval between two writes of the file, in milliseconds."""

LONGEST: Final = 45 * SECOND
"""Age of the file, in milliseconds, after which the bot counts as dead."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The bot's state at an instant (UTC milliseconds), as stored in the heartbeat file.

    `state` is ``ready``, ``connecting``, ``pausing`` (before it connects again), ``waiting`` (for shards of a fleet)
    or ``stopping``.
    """

    at: int
    state: str
    shards: int = 0
    commits: int = 0


def heartbeat_file(database: Path) -> Path:
    """Return the path of the heartbeat file of the bot that uses this database."""
    return database.with_name(f"{database.name}.alive")


def write_heartbeat(database: Path, heartbeat: Heartbeat) -> None:
    """Replace the content of the heartbeat file atomically.

    If the disk refuses it, the old file becomes outdated and the bot counts as dead.
    """
    path = heartbeat_file(database)
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text(json.dumps(asdict(heartbeat)), "utf-8")
        new.replace(path)
    except OSError:
        return


def read_heartbeat(database: Path) -> Heartbeat | None:
    """Return the last heartbeat from the file; None if the file is missing or cannot be read."""
    try:
        data = json.loads(heartbeat_file(database).read_text("utf-8"))
        return Heartbeat(int(data["at"]), str(data["state"]), int(data["shards"]), int(data["commits"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_alive(heartbeat: Heartbeat | None, now: int) -> bool:
    """Return whether the last heartbeat shows a healthy bot.

    It must be recent, and the bot must serve players or wait on purpose.
    """
    return (
        heartbeat is not None
        and 0 <= now - heartbeat.at < LONGEST
        and heartbeat.state in ("ready", "pausing", "waiting")
    )


async def keep_writing_heartbeats(database: Path, clock: Clock, current_heartbeat: Callable[[int], Heartbeat]) -> None:
    """Write the heartbeat file every 15 seconds and on each change of state.

    `current_heartbeat` returns the heartbeat for an instant. The function never returns.
    """
    last: Heartbeat | None = None
    while True:
        sign = current_heartbeat(clock.now())
        if last is None or sign.state != last.state or sign.at - last.at >= EVERY:
            write_heartbeat(database, sign)
            last = sign
        await clock.sleep(SECOND)
