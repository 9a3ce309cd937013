"""The bot crashes and restarts: nothing is lost or doubled.

Source: `docs/tournaments.md` 2; 8, case 21; 9.1 and 9.2.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, ClockTerms
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Status
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.plan import SLOW, Duplicate
from bot.tournaments.event.tournament import BoardStage, Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.standings.rows import standings
from tests.support.clock import ManualClock
from tests.support.tournaments import Evening, news_codes, one_round_rules, open_evening, pairs, usual_plan

ONCE = ("check_in_open", "closed")
"""What is told once a tournament, however often the bot crashes."""


class DatabaseCopies:
    """Copies of the file after stored changes, as a crash would leave it, each with its instant."""

    def __init__(self, evening: Evening, source: Path, *, every: int = 1) -> None:
        self.found: list[tuple[Path, int]] = []
        self._evening, self._source = evening, source
        self._changes, self._every = 0, every
        evening.events.subscribe(lambda _: self.copy_file())
        evening.world.service.subscribe(lambda _: self.copy_file())

    def copy_file(self) -> None:
        self._changes += 1
        if self._changes % self._every:
            return
        target = self._source.with_name(f"{len(self.found)}.db")
        with closing(sqlite3.connect(self._source)) as source, closing(sqlite3.connect(target)) as copied:
            source.backup(copied)
        self.found.append((target, self._evening.clock.now()))


async def check_evening(evening: Evening, tournament: Tournament) -> None:
    """Check that every match has its tables and one result, and that each announcement was sent once."""
    assert Stage.CLOSED is tournament.stage
    told = Counter(news_codes(tournament))
    assert [1] * len(ONCE) == [told[code] for code in ONCE]
    rounds = [one.numbers["round"] for one in tournament.news if one.code == "next_round"]
    assert sorted(set(rounds)) == rounds
    rows = await evening.world.service.contest.tables_of(tournament.id)
    assert sorted(row.table for row in rows) == sorted(
        one.table for match in tournament.matches for one in match.tables
    )
    assert {Status.FINISHED} == {row.status for row in rows}
    for match in tournament.matches:
        assert match.result is not None
        assert max(1, len(match.boards)) + match.further == len(match.tables)
        outcomes = [await evening.world.service.contest.result(one.table) for one in match.tables]
        played = [deal.points for outcome in outcomes for deal in outcome.deals]
        assert played == [deal.scores for deal in match.result.deals]


@pytest.mark.parametrize(
    "chosen",
    [{}, {"kind": FormatKind.DOUBLE}, {"kind": FormatKind.DUPLICATE, "duplicate": Duplicate(boards=3, in_a_round=1)}],
    ids=["swiss", "double", "duplicate"],
)
async def test_9_1_killed_after_any_stored_change_nothing_is_lost_or_doubled(
    tmp_path: Path, chosen: dict[str, Any]
) -> None:
    path = tmp_path / "canasta.db"
    async with open_evening(path) as evening:
        number = await evening.begin_tournament(usual_plan(**chosen, rules=one_round_rules()), pairs(4))
        copies = DatabaseCopies(evening, path, every=13)
        await check_evening(evening, await evening.play_all_rounds(number))
    step = max(1, len(copies.found) // 4)
    for file, at in copies.found[1::step]:
        async with open_evening(file, clock=ManualClock(at), first_request=7_000_000) as evening:
            view = await evening.events.overview.get_tournament(number)
            await check_evening(evening, view if view.stage is Stage.CLOSED else await evening.play_all_rounds(number))


async def test_8_21_a_table_finished_during_an_outage_is_found(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        number = await evening.begin_round(usual_plan(rules=one_round_rules()), pairs(3))
        table = (await evening.events.overview.get_tournament(number)).matches[0].tables[0].table
        copies = DatabaseCopies(evening, path)
        await evening.play_table(table)
        await evening.wait_until_idle()
        assert (await evening.events.overview.get_tournament(number)).matches[0].result is not None
    for file, at in copies.found:
        async with open_evening(file, clock=ManualClock(at), first_request=7_000_000) as evening:
            over = (await evening.world.service.reading.snapshot(table)).status is Status.FINISHED
            assert over is ((await evening.events.overview.get_tournament(number)).matches[0].result is not None)


async def test_a_cancelled_tournament_closes_its_tables_after_a_crash_too(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_evening(path) as evening:
        number = await evening.begin_round(usual_plan(), pairs(4))
        copies = DatabaseCopies(evening, path)
        await evening.events.desk.cancel(evening.director, number, reason="a storm")
    for file, at in copies.found:
        async with open_evening(file, clock=ManualClock(at), first_request=7_000_000) as evening:
            rows = await evening.world.service.contest.tables_of(number)
            assert {Status.CLOSED} == {row.status for row in rows}


async def test_9_2_nine_hours_of_outage_are_not_charged_and_delay_the_rounds_end(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        patient = TableSettings(clock=ClockTerms("a fortnight", 14 * DAY, 0, 14 * DAY), vacation=0)
        slow: dict[str, Any] = {**SLOW, "settings": patient, "starts_at": clock.now() + 100 * HOUR}
        number = await evening.begin_round(usual_plan(**slow), pairs(10))
        before = await evening.events.overview.get_tournament(number)
        match = before.matches[0]
        for person in match.seats:
            await evening.events.entering.mark_arrived(person or 0, number, match.id)
        await evening.wait_until_idle()
        await evening.pass_time(DAY)
        thought = (await evening.world.service.contest.result(match.tables[0].table)).thought
    clock.advance(9 * HOUR)
    async with open_evening(path, clock=clock, first_request=7_000_000) as evening:
        after = await evening.events.overview.get_tournament(number)
        assert [(one.due or 0) + 9 * HOUR for one in before.matches] == [one.due for one in after.matches]
        assert thought == (await evening.world.service.contest.result(match.tables[0].table)).thought
        away = [one.numbers for one in after.news if one.code == "was_away"]
        assert [{"minutes": 540, "until": (match.due or 0) + 9 * HOUR, "round": 1}] == away
        await evening.advance_to((match.due or 0) + 9 * HOUR - 1)
        assert 1 == len((await evening.events.overview.get_tournament(number)).rounds)


async def test_an_outage_in_a_pause_counts_once(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        number = await evening.begin_round(usual_plan(), pairs(4))
        due = (await evening.events.overview.get_tournament(number)).matches[0].due or 0
        await evening.events.desk.pause(evening.director, number)
    clock.advance(9 * HOUR)
    async with open_evening(path, clock=clock, first_request=7_000_000) as evening:
        await evening.events.desk.resume(evening.director, number)
        assert due + 9 * HOUR == (await evening.events.overview.get_tournament(number)).matches[0].due


async def test_a_round_whose_call_falls_into_an_outage_is_called_once(tmp_path: Path) -> None:
    clock, path = ManualClock(), tmp_path / "canasta.db"
    async with open_evening(path, clock=clock) as evening:
        number = await evening.begin_tournament(usual_plan(), pairs(4))
        call_at = (await evening.events.overview.get_tournament(number)).rounds[0].call_at
    clock.advance(25 * MINUTE)
    async with open_evening(path, clock=clock, first_request=7_000_000) as evening:
        assert call_at + 25 * MINUTE == (await evening.events.overview.get_tournament(number)).rounds[0].call_at
        view = await evening.play_all_rounds(number)
        assert (Stage.CLOSED, 3) == (view.stage, len(view.rounds))
        assert 3 * 4 == sum(row.points for row in standings(course_of(view)))


async def test_boards_are_opened_even_if_the_bot_crashed_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "canasta.db"
    async with open_evening(path) as evening:
        plan = usual_plan(kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=3, in_a_round=1))
        number = await evening.begin_round(plan, pairs(4))
        await evening.play_match(number, 1)
        copies = DatabaseCopies(evening, path)
        await evening.play_match(number, 2)
    for file, at in copies.found[-3:]:
        async with open_evening(file, clock=ManualClock(at), first_request=7_000_000) as evening:
            view = await evening.events.overview.get_tournament(number)
            assert BoardStage.OPEN is view.boards[0].stage
