"""`canasta-bot demo` as a process of its own: it serves, survives being killed, and stops in order."""

import asyncio
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.config import Settings
from bot.demo import database_of
from tests.support.page_visitor import Visitor

ROOT = Path(__file__).parent.parent.parent
CARDS = re.compile(r"(\d+) cards, -?\d+ points: ([^\"\\]+)")


class Demo:
    """A running demo with a visitor."""

    def __init__(self, process: asyncio.subprocess.Process, visitor: Visitor) -> None:
        self.process = process
        self.visitor = visitor

    async def end(self, by: signal.Signals) -> tuple[int, str]:
        """Stop it with a signal; return its exit status and its error output."""
        self.process.send_signal(by)
        _, errors = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, errors.decode()

    async def hand(self) -> str:
        found = CARDS.search(await self.visitor.run_and_read_answer("hand"))
        assert found is not None
        return found[0]


@asynccontextmanager
async def demo(folder: Path, *options: str) -> AsyncIterator[Demo]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CANASTA_", "DISCORD_"))}
    environment |= {"CANASTA_DATABASE": str(folder / "c.db"), "CANASTA_COMPUTER_PACE": "0", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "bot", "demo", "--port", "0", "--no-browser", *options]
    process = await asyncio.create_subprocess_exec(
        *command, env=environment, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        said = (await process.stdout.readline()).decode()
        address = re.search(r"http://\S+", said)
        assert address is not None, (await process.communicate())[1].decode()
        async with aiohttp.ClientSession() as session:
            visitor = Visitor(address[0], session)
            await visitor.open_page()
            yield Demo(process, visitor)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def test_a_game_goes_on_after_the_process_was_killed_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    async with demo(tmp_path) as one:
        await one.visitor.run_and_read_answer("table new", players="2", computers="1")
        await one.visitor.run_and_read_answer("table start")
        while "Your turn" not in await one.visitor.run_and_read_answer("hand"):
            await asyncio.sleep(0.05)
        await one.visitor.run_and_read_answer("draw")
        before = await one.hand()
        await one.end(signal.SIGKILL)

    async with demo(tmp_path) as one:
        assert before == await one.hand()
        assert "discard" in (await one.visitor.run_and_read_answer("hand")).casefold()
        while not [message for message in await one.visitor.message_texts() if ", your turn" in message]:
            await asyncio.sleep(0.05)
        status, errors = await one.end(signal.SIGINT)
    assert status == 0
    assert "ERROR" not in errors
    assert "Traceback" not in errors


async def test_a_second_demo_on_the_same_file_is_refused_and_a_fresh_one_forgets_the_games(tmp_path: Path) -> None:
    async with demo(tmp_path) as one:
        await one.visitor.run_and_read_answer("table new")
        for options in ([], ["--fresh"]):
            with pytest.raises(AssertionError, match=r"canasta-bot: .*c-demo\.db"):
                async with demo(tmp_path, *options):
                    pytest.fail("it was not refused")
        assert await one.visitor.run_and_read_answer("table list")
        status, errors = await one.end(signal.SIGTERM)
    assert status == 0
    assert "Traceback" not in errors
    async with demo(tmp_path, "--fresh") as one:
        assert "Table 1" in await one.visitor.run_and_read_answer("table new")


def test_the_demo_uses_its_own_database_file() -> None:
    assert database_of(Settings(database=Path("data/club.db"))) == Path("data/club-demo.db")
