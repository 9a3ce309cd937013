"""`canasta-bot demo` as a process: it serves the page, survives a kill, and stops in order."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from bot.config import Settings
from bot.demo import demo_database
from bot.loopback.process import Process, ProcessStarter, start_process
from tests.support.forked_processes import start_forked
from tests.support.page_visitor import Visitor

ROOT = Path(__file__).parent.parent.parent
CARDS = re.compile(r"(\d+) cards, -?\d+ points: ([^\"\\]+)")


class Demo:
    """A running demo process with a visitor at its page; `log` is its output."""

    def __init__(self, process: Process, visitor: Visitor, log: Path) -> None:
        self.process = process
        self.visitor = visitor
        self.log = log

    async def stop_and_read_log(self, by: signal.Signals) -> tuple[int, str]:
        """Stop the process with a signal; return its exit status and its output."""
        self.process.send_signal(by)
        return await self.process.wait(), read_log(self.log)

    async def cards_of_hand(self) -> str:
        found = CARDS.search(await self.visitor.run_and_read_answer("hand"))
        assert found is not None
        return found[0]


@asynccontextmanager
async def running_demo(folder: Path, *options: str, start: ProcessStarter = start_forked) -> AsyncIterator[Demo]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("CANASTA_", "DISCORD_"))}
    environment |= {"CANASTA_DATABASE": str(folder / "c.db"), "CANASTA_COMPUTER_PACE": "0", "PYTHONPATH": str(ROOT)}
    arguments = ("demo", "--port", "0", "--no-browser", *options)
    path = new_log(folder)
    with path.open("wb") as log:
        process = await start("bot", *arguments, cwd=folder, env=environment, log=log)
    try:
        async with aiohttp.ClientSession() as session:
            visitor = Visitor(await wait_for_address(process, path), session)
            await visitor.open_page()
            yield Demo(process, visitor, path)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def new_log(folder: Path) -> Path:
    """Return the path for the log of the next demo."""
    return folder / f"{len(list(folder.glob('*.log')))}.log"


async def wait_for_address(process: Process, log: Path) -> str:
    """Return the address that a starting demo prints; fail if it ends before."""
    while not (address := printed_address(log)):
        assert process.returncode is None, read_log(log)
        await asyncio.sleep(0.02)
    return address


def printed_address(log: Path) -> str:
    """Return the address in a demo's output, or an empty text."""
    found = re.search(r"http://\S+(?=\s)", read_log(log))
    return found[0] if found else ""


def read_log(log: Path) -> str:
    return log.read_text(encoding="utf-8")


async def test_a_game_goes_on_after_the_process_was_killed_in_the_middle_of_a_turn(tmp_path: Path) -> None:
    async with running_demo(tmp_path, start=start_process) as one:
        await one.visitor.run_and_read_answer("table new", players="2", computers="1")
        await one.visitor.run_and_read_answer("table start")
        while "Your turn" not in await one.visitor.run_and_read_answer("hand"):
            await asyncio.sleep(0.05)
        await one.visitor.run_and_read_answer("draw")
        before = await one.cards_of_hand()
        await one.stop_and_read_log(signal.SIGKILL)

    async with running_demo(tmp_path) as one:
        assert before == await one.cards_of_hand()
        assert "discard" in (await one.visitor.run_and_read_answer("hand")).casefold()
        while not [message for message in await one.visitor.message_texts() if ", your turn" in message]:
            await asyncio.sleep(0.05)
        status, errors = await one.stop_and_read_log(signal.SIGINT)
    assert status == 0
    assert "ERROR" not in errors
    assert "Traceback" not in errors


async def test_a_second_demo_on_the_same_file_is_refused_and_a_fresh_one_forgets_the_games(tmp_path: Path) -> None:
    async with running_demo(tmp_path) as one:
        await one.visitor.run_and_read_answer("table new")
        for options in ([], ["--fresh"]):
            with pytest.raises(AssertionError, match=r"canasta-bot: .*c-demo\.db"):
                async with running_demo(tmp_path, *options):
                    pytest.fail("it was not refused")
        assert await one.visitor.run_and_read_answer("table list")
        status, errors = await one.stop_and_read_log(signal.SIGTERM)
    assert status == 0
    assert "Traceback" not in errors
    async with running_demo(tmp_path, "--fresh") as one:
        assert "Table 1" in await one.visitor.run_and_read_answer("table new")


def test_the_demo_uses_its_own_database_file() -> None:
    assert demo_database(Settings(database=Path("data/club.db"))) == Path("data/club-demo.db")
