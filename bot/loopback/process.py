"""Start, stop and kill the bot as a separate process."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from bot.loopback.rest import RestServer

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_START = 90.0
"""Far more than it should take, for machines that do much else meanwhile."""

PROGRAM = ("bot.loopback.bootstrap",)
"""The unmodified bot."""


class InputStream(Protocol):
    """The stream that writes to the standard input of a bot's process."""

    def write(self, data: bytes) -> None: ...

    async def drain(self) -> None: ...


class Process(Protocol):
    """The methods of a process that this module needs; `asyncio.subprocess.Process` has them."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    @property
    def stdin(self) -> InputStream | None: ...

    async def wait(self) -> int: ...

    def send_signal(self, signal: int) -> None: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


class ProcessStarter(Protocol):
    """The interface of a function that starts a process like ``python -m MODULE``."""

    async def __call__(
        self, module: str, /, *arguments: str, cwd: Path, env: Mapping[str, str], log: BinaryIO
    ) -> Process: ...


async def start_process(
    module: str, /, *arguments: str, cwd: Path, env: Mapping[str, str], log: BinaryIO
) -> asyncio.subprocess.Process:
    """Start a process that runs a module and writes its output and errors into `log`."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", module, *arguments),
        stdin=asyncio.subprocess.PIPE,
        cwd=cwd,
        env=env,
        stdout=log,
        stderr=log,
    )


@dataclass(slots=True)
class BotProcess:
    """A running bot process; its log is in the folder of its database."""

    process: Process
    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "canasta.db"

    @property
    def log(self) -> str:
        """Return everything that the process has logged."""
        return (self.folder / "bot.log").read_text(encoding="utf-8")

    async def put_clock_forward(self, milliseconds: int) -> None:
        """Tell the bot, by its standard input, to set its clock forward.

        This needs a program that reads such input.
        """
        if self.process.stdin is not None:
            self.process.stdin.write(b"%d\n" % milliseconds)
            await self.process.stdin.drain()

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
async def run_bot(
    rest: RestServer,
    folder: Path,
    *,
    program: Sequence[str] = PROGRAM,
    connects: bool = True,
    start: ProcessStarter = start_process,
    **settings: str,
) -> AsyncIterator[BotProcess]:
    """Run a connected bot with its database in this folder.

    `settings` are environment variables without the prefix. `program` is a module, which makes the library use the
    address in its first argument, followed by further arguments. With `connects` the function waits until the bot is
    connected.
    """
    variables = {f"CANASTA_{name.upper()}": value for name, value in settings.items()}
    environment = {
        **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": "none.of.yours",
        "CANASTA_DATABASE": str(folder / "canasta.db"),
        "CANASTA_EMOJIS": "off",
        "SSL_CERT_FILE": os.devnull,  # nothing is encrypted here, and reading all certificates would take a while
        **variables,
    }
    with (folder / "bot.log").open("ab") as log:
        process = await start(program[0], rest.address, *program[1:], cwd=folder, env=environment, log=log)
    bot = BotProcess(process, folder)
    try:
        if connects:
            await asyncio.wait_for(rest.gateway.identified.wait(), SECONDS_TO_START)
        yield bot
    finally:
        await bot.stop()
