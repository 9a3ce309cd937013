"""Count the parts of the program that everyday actions use.

These are files, functions, loaded tables and SELECT statements. `pytest -s tests/cogs/test_costs_of_actions.py` prints
the counts; `MOST` bounds them. Only the event loop's thread is counted: pictures are drawn and rules computed in
threads of their own.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY, Stage
from tests.cogs.test_computed_views import play_to_first_melds
from tests.support.clock import START
from tests.support.computer_choices import play_by_command
from tests.support.discord import Discord, control_arguments, discord_world, text_of
from tests.support.discord_month import SharedClock
from tests.support.discord_tournaments import RARELY, cup_world
from tests.support.project_files import ROOT
from tests.support.slow_discord_games import SlowGames

PROGRAM = tuple(str(ROOT / part) + "/" for part in ("bot", "cogs", "render"))

LOADS_TABLE = re.compile(r"\bsnapshot\b[^()]* FROM tables\b[^()]* WHERE id = ", re.IGNORECASE)
"""A statement that reads a whole table."""

ASKS_FOR_DUE = re.compile(r"\bmin\(due_at\)|\bdue_at <= ")
"""A query of the scheduler, which is not counted: it depends on how often the scheduler wakes."""

NO_BOARDS = replace(RARELY, between=1000 * DAY, panels=1000 * DAY)
"""An edit schedule by which boards are written only when their table begins."""


class ActionCosts(NamedTuple):
    """The numbers of files, functions and database statements that one action uses."""

    files: int
    functions: int
    loads: int
    selects: int


MOST = {
    "discard": ActionCosts(145, 839, 0, 9),
    "meld": ActionCosts(181, 1075, 0, 9),
    "deadline": ActionCosts(92, 440, 0, 9),
    "match": ActionCosts(208, 1290, 0, 75),
}
"""The most that each action may count."""


@dataclass(slots=True)
class CostCounter:
    """Collects the functions and statements that are used inside `count`."""

    codes: set[CodeType] = field(default_factory=set)
    statements: list[str] = field(default_factory=list)
    open: bool = False

    def note_call(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.codes.add(frame.f_code)

    def note_statement(self, statement: str) -> None:
        if self.open:
            self.statements.append(" ".join(statement.split()))

    def reset(self) -> None:
        """Forget what was counted so far."""
        self.codes.clear()
        self.statements.clear()

    @contextmanager
    def count(self, name: str) -> Iterator[None]:
        """Count what is used in this context, print the counts, and fail if they exceed the bounds."""
        self.open = True
        sys.setprofile(self.note_call)
        try:
            yield
        finally:
            sys.setprofile(None)
            self.open = False
        counts = self.counts()
        sys.stdout.write(f"\n{name}: {counts}\n")
        over = {what: count for what, count in counts._asdict().items() if count > getattr(MOST[name], what)}
        assert not over, f"{name}: the bounds are {MOST[name]}"
        assert counts.files, "nothing of the program was entered"

    def counts(self) -> ActionCosts:
        own = {(code.co_filename, code.co_qualname) for code in self.codes if code.co_filename.startswith(PROGRAM)}
        return ActionCosts(
            files=len({file for file, _ in own}),
            functions=len(own),
            loads=sum(LOADS_TABLE.search(one) is not None for one in self.statements),
            selects=sum(one.upper().startswith("SELECT") and not ASKS_FOR_DUE.search(one) for one in self.statements),
        )


@pytest.fixture
async def discord_without_time(cost_counter: CostCounter, tmp_path: Path) -> AsyncIterator[Discord]:
    """Yield a Discord in which no time passes, so that no deadline is due while an action is counted."""
    assert not cost_counter.open, "the counter has to listen before the database is opened"
    clock = SharedClock(START)
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY) as discord:
        clock.environment = discord.environment
        yield discord


@pytest.fixture
def cost_counter(monkeypatch: pytest.MonkeyPatch) -> CostCounter:
    """Return a counter that notes the statements of every database opened from now on."""
    found = CostCounter()
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def connect_traced(*given: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*given, **named)
        connection.set_trace_callback(found.note_statement)
        return connection

    # The program opens its connections itself, so only a patch can see their statements.
    monkeypatch.setattr(sqlite3, "connect", connect_traced)
    return found


async def test_a_discard_by_panel_stays_in_its_cost_bounds(
    cost_counter: CostCounter, discord_without_time: Discord
) -> None:
    people = {person.id: person for person in (discord_without_time.person(0), discord_without_time.person(1))}
    you, friend = people.values()
    await you.run("table new", players=2)
    await friend.run("table join")
    await you.run("table start")
    board = await discord_without_time.board()
    panels = {person.id: await person.click(board, "hand") for person in people.values()}
    actor = (await discord_without_time.snapshot()).actor
    assert actor is not None
    assert actor.person is not None
    panel = await people[actor.person].click(panels[actor.person], "draw")
    card = control_arguments(panel, "discard")[0]
    await discord_without_time.board()
    with cost_counter.count("discard"):
        panel = await people[actor.person].click(panel, "discard", card)
        await discord_without_time.board()
    assert "You discarded" in text_of(panel)


async def test_a_typed_meld_stays_in_its_cost_bounds(cost_counter: CostCounter, discord_without_time: Discord) -> None:
    person, move = await play_to_first_melds(discord_without_time)
    await discord_without_time.board()
    with cost_counter.count("meld"):
        answer = await play_by_command(person, move)
        await discord_without_time.board()
    assert "You laid" in text_of(answer)


async def test_reading_a_table_from_the_file_counts_as_a_load(
    cost_counter: CostCounter, discord_without_time: Discord
) -> None:
    """A load by a statement that the counter does not recognise would count as none."""
    await discord_without_time.person(0).run("table new", players=2)
    cost_counter.open = True
    await discord_without_time.restart()
    await discord_without_time.snapshot()
    assert cost_counter.counts().loads >= 1


async def advance_until_changed(changed: asyncio.Event, clock: SharedClock, counter: CostCounter) -> None:
    """Advance the clock until the scheduler has changed a table; count only from the last advance.

    The scheduler misses an advance that is made while it is busy.
    """
    while not changed.is_set():
        counter.reset()
        clock.advance(2 * MINUTE)
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), 5)


async def test_a_deadline_at_night_stays_in_its_cost_bounds(cost_counter: CostCounter, tmp_path: Path) -> None:
    """The scheduler ends a day of an absent player's vacation and begins the next one.

    Nothing is posted.
    """
    clock = SharedClock(START)
    async with discord_world(tmp_path, clock=clock, silence=1000 * DAY, rhythm=NO_BOARDS) as discord:
        clock.environment = discord.environment
        games = SlowGames(discord, clock)
        await games.start_game()
        absent = await games.person_in_turn()
        for passes in (20 * HOUR + MINUTE, DAY, DAY - 2 * MINUTE):
            discord.application.client.notices.record_activity(absent.id)
            await games.pass_time(passes)
        assert await games.clock_stage() is Stage.VACATION
        before, changed = (await discord.snapshot()).version, asyncio.Event()
        discord.application.tables.subscribe(lambda _: changed.set())
        with cost_counter.count("deadline"):
            await advance_until_changed(changed, clock, cost_counter)
            await games.wait_until_idle()
        assert (await discord.snapshot()).version > before
        assert await games.clock_stage() is Stage.VACATION


async def test_a_tournament_match_up_to_its_standings_stays_in_its_cost_bounds(
    cost_counter: CostCounter, tmp_path: Path
) -> None:
    async with cup_world(tmp_path) as cup:
        await cup.publish()
        announcement = cup.message("**Friday cup**")
        for place in range(8):
            await cup.person(place).click(announcement, "t_enter")
        await cup.pass_time(30 * MINUTE)
        check_in = cup.message("Check-in is open until")
        for place in range(8):
            await cup.person(place).click(check_in, "t_here")
        await cup.pass_time(30 * MINUTE)
        first, second = (await cup.tournament()).matches
        await cup.play_match(first)
        await cup.pass_time(15 * SECOND)
        with cost_counter.count("match"):
            await cup.play_match(second)
            await cup.pass_time(15 * SECOND)
        cup.message("**Friday cup**, standings after round 1")
