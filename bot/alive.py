"""The sign of life: a small file beside the database that says how the running bot is (`canasta-bot health`)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from bot.clocks.clock import SECOND, Clock

EVERY: Final = 15 * SECOND
"""How often the file is written, in milliseconds."""

LONGEST: Final = 45 * SECOND
"""How old it may be before the bot counts as dead."""


@dataclass(frozen=True, slots=True)
class SignOfLife:
    """How the bot was at an instant (UTC milliseconds).

    `state` is ``ready``, ``connecting``, ``pausing`` (before it connects again) or ``stopping``.
    """

    at: int
    state: str
    shards: int = 0
    commits: int = 0


def file_of(database: Path) -> Path:
    """Return the file with the sign of life of the bot on that database."""
    return database.with_name(f"{database.name}.alive")


def write_sign(database: Path, sign: SignOfLife) -> None:
    """Write the sign of life, whole or not at all; a disk that refuses it shows as a bot that is dead."""
    path = file_of(database)
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text(json.dumps(asdict(sign)), "utf-8")
        new.replace(path)
    except OSError:
        return


def read_sign(database: Path) -> SignOfLife | None:
    """Return the last sign of life; None if there is none that can be read."""
    try:
        data = json.loads(file_of(database).read_text("utf-8"))
        return SignOfLife(int(data["at"]), str(data["state"]), int(data["shards"]), int(data["commits"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_alive(sign: SignOfLife | None, now: int) -> bool:
    """Return whether a bot that gave that sign is well: it is recent, and the bot serves or waits on purpose."""
    return sign is not None and 0 <= now - sign.at < LONGEST and sign.state in ("ready", "pausing")


async def keep_signing(database: Path, clock: Clock, look: Callable[[int], SignOfLife]) -> None:
    """Write a sign of life every 15 seconds and when the state changes; `look` returns how the bot is."""
    last: SignOfLife | None = None
    while True:
        sign = look(clock.now())
        if last is None or sign.state != last.state or sign.at - last.at >= EVERY:
            write_sign(database, sign)
            last = sign
        await clock.sleep(SECOND)
