"""Starts, stops and kills the bot as a separate process."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.loopback.rest import Rest

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START = 30.0


@dataclass(slots=True)
class Bot:
    """A running bot process; its log is in the folder of its database."""

    process: asyncio.subprocess.Process
    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "canasta.db"

    @property
    def log(self) -> str:
        """Return everything that the process has logged."""
        return (self.folder / "bot.log").read_text(encoding="utf-8")

    async def kill(self) -> None:
        """Kill the process without warning."""
        self.process.kill()
        await self.process.wait()

    async def stop(self) -> None:
        """Stop the process in an orderly way, unless it has already ended."""
        if self.process.returncode is None:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), 10)
            except TimeoutError:
                await self.kill()


@asynccontextmanager
async def running_bot(rest: Rest, folder: Path, **settings: str) -> AsyncIterator[Bot]:
    """Run a connected bot with its database in this folder; `settings` are environment variables without the prefix."""
    variables = {f"CANASTA_{name.upper()}": value for name, value in settings.items()}
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": "none.of.yours",
        "CANASTA_DATABASE": str(folder / "canasta.db"),
        "CANASTA_EMOJIS": "off",
        **variables,
    }
    with (folder / "bot.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot.loopback.bootstrap", rest.address),
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )
    bot = Bot(process, folder)
    try:
        await asyncio.wait_for(rest.gateway.identified.wait(), SECONDS_TO_START)
        yield bot
    finally:
        await bot.stop()
