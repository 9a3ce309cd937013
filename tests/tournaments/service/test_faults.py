"""A failed step of a tournament is skipped, reported, and tried again (`docs/tournaments.md` 2).

The report comes within a minute.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.outbox import PromiseKind
from bot.store.contest_tables import ContestRow
from bot.store.outbox import FAULT, OutboxRow
from bot.tables.contest.service import ContestService
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.formats.format import Format
from tests.support.clock import ManualClock
from tests.support.tables import GUILD
from tests.support.tournaments import DIRECTOR, Evening, open_evening, pairs, refusal_of, standing_figures, usual_plan


class FailingFormat:
    """A lookup of formats that fails for the tournament of that name until `mended` is set."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.mended = False
        of_kind = type(FORMATS[FormatKind.SWISS])

        def prepare_start(own: Format, tournament: Tournament, *given: Any) -> Tournament:
            if tournament.plan.name == self._name and not self.mended:
                raise ZeroDivisionError
            return of_kind.prepare_start(own, tournament, *given)

        self._format: Format = type("Failing", (of_kind,), {"prepare_start": prepare_start})()

    def __call__(self, _tournament: Tournament) -> Format:
        return self._format


def collect_fault_letters(evening: Evening) -> list[tuple[int, str]]:
    """Return a list to which the outbox adds each report to the directors, as instant and text."""
    told: list[tuple[int, str]] = []

    async def keep_letter(row: OutboxRow) -> None:
        number, what, subject = row.key.split(":")
        fault, outline = await evening.events.alarms.fault_with_outline(int(number), (what, int(subject)))
        assert fault is not None
        assert outline is not None
        assert (DIRECTOR,) == outline.directors
        told.append((evening.clock.now(), f"{row.key} {'works' if fault.mended else fault.tries}"))
        if fault.mended:
            await evening.events.alarms.delete_ended_fault(fault)

    evening.outbox.register(FAULT, PromiseKind(keep_letter))
    return told


async def let_time_pass(evening: Evening, milliseconds: int) -> None:
    """Let that much time pass, and do everything that is due on the way."""
    end = evening.clock.now() + milliseconds
    while evening.clock.now() < end:
        await evening.advance_to(min(end, evening.clock.now() + 20 * SECOND))
        await evening.outbox.carry_out_due_effects()


async def test_a_failing_alarm_is_skipped_reported_and_tried_again_until_it_works(tmp_path: Path) -> None:
    failing = FailingFormat("Bad cup")
    async with open_evening(tmp_path / "canasta.db", formats=failing) as evening:
        told = collect_fault_letters(evening)
        bad, good = [
            (await evening.publish(usual_plan(name, partner_answer=30 * MINUTE))).id for name in ("Bad cup", "Good cup")
        ]
        for number, first in ((bad, 1), (good, 101)):
            for people in pairs(4, first):
                await evening.enter(number, people)
        view = await evening.events.overview.get_tournament(bad)
        await evening.advance_to(view.plan.starts_at - view.plan.check_in_from)
        for number, first in ((bad, 1), (good, 101)):
            await evening.check_in(number, range(first, first + 8))
        starts = view.plan.starts_at - view.plan.check_in_until
        await evening.events.entering.enter(evening.caller(70), bad, partners={71: "P71"})
        await evening.advance_to(starts)
        await evening.outbox.carry_out_due_effects()
        tournaments = [await evening.events.overview.get_tournament(number) for number in (bad, good)]
        assert [Stage.CHECK_IN, Stage.RUNNING] == [one.stage for one in tournaments]
        assert tournaments[0].entry_of(70) is not None
        await let_time_pass(evening, 3 * HOUR)
        assert (await evening.events.overview.get_tournament(bad)).entry_of(70) is None, "its other alarms are done"
        (key,) = {line.split(" ")[0] for _, line in told}
        assert f"{bad}:check_in_over:0" == key
        minutes = [(at - starts) // MINUTE for at, _ in told]
        assert 0 == minutes[0], "told at once"
        assert [1, 7, 8] == [int(line.split(" ")[1]) for _, line in told], "told again after 63, 127 … minutes"
        failing.mended = True
        await let_time_pass(evening, HOUR + 5 * MINUTE)
        assert told[-1][1].endswith("works")
        assert Stage.RUNNING is (await evening.events.overview.get_tournament(bad)).stage
        assert () == await evening.world.store.tournaments.faults()


async def test_a_director_tries_again_at_once_and_nobody_else_may(tmp_path: Path) -> None:
    failing = FailingFormat("Bad cup")
    async with open_evening(tmp_path / "canasta.db", formats=failing) as evening:
        told = collect_fault_letters(evening)
        number = await evening.begin_tournament(usual_plan("Bad cup"), pairs(4))
        await evening.outbox.carry_out_due_effects()
        (fault,) = await evening.world.store.tournaments.faults()
        assert (1, 4) == (fault.tries, len(fault.code))
        key = (fault.what, fault.subject)
        code, _ = await refusal_of(evening.events.alarms.retry_task(7, number, key))
        assert TournamentCode.NOT_DIRECTOR is code
        assert not await evening.events.alarms.retry_task(DIRECTOR, number, key)
        failing.mended = True
        assert await evening.events.alarms.retry_task(DIRECTOR, number, key)
        assert Stage.RUNNING is (await evening.events.overview.get_tournament(number)).stage
        await evening.outbox.carry_out_due_effects()
        assert [f"{number}:check_in_over:0 {one}" for one in (1, "works")] == [line for _, line in told]


async def test_a_fault_survives_a_restart_and_ends_when_its_step_is_no_longer_needed(tmp_path: Path) -> None:
    path, clock = tmp_path / "canasta.db", ManualClock()
    async with open_evening(path, clock=clock, formats=FailingFormat("Bad cup")) as evening:
        number = await evening.begin_tournament(usual_plan("Bad cup"), pairs(4))
    async with open_evening(path, clock=clock, formats=FailingFormat("Bad cup"), first_request=7_000_000) as evening:
        told = collect_fault_letters(evening)
        await let_time_pass(evening, 2 * MINUTE)
        (fault,) = await evening.world.store.tournaments.faults()
        assert 1 < fault.tries
        await evening.events.desk.cancel(evening.director, number)
        await evening.wait_until_idle()
        await evening.outbox.carry_out_due_effects()
        assert () == await evening.world.store.tournaments.faults()
        assert not [line for _, line in told if line.endswith("works")]


class FailingTables(ContestService):
    """A contest service whose lookup of tables fails until `mended` is set."""

    mended = False

    async def tables_of(self, tournament: int, match: int | None = None) -> tuple[ContestRow, ...]:
        if not self.mended:
            raise ZeroDivisionError
        return await super().tables_of(tournament, match)


async def test_a_tournaments_failed_update_of_its_tables_is_reported_and_retried(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        told = collect_fault_letters(evening)
        number = await evening.begin_tournament(usual_plan(), pairs(4))
        locked = FailingTables(evening.world.service.contest._context)
        evening.world.service.contest = locked
        await evening.advance_to((await evening.events.overview.get_tournament(number)).rounds[0].call_at)
        await evening.give_matches_channels(number)
        await evening.outbox.carry_out_due_effects()
        assert [f"{number}:tables:0 1"] == [line for _, line in told]
        assert not any(one.tables for one in (await evening.events.overview.get_tournament(number)).matches)
        locked.mended = True
        await let_time_pass(evening, 10 * MINUTE)
        assert f"{number}:tables:0 works" == told[-1][1]
        assert all(one.tables for one in (await evening.events.overview.get_tournament(number)).matches)


# --- rows that cannot be read ----------------------------------------------------------------------------------------

Damage = Callable[[int], str]
"""Returns the statement that damages a row of that tournament."""

UPDATE = "UPDATE {0} SET {1} = CAST({2} AS TEXT) WHERE {3} = {4}"


def damage_statement(table: str, column: str, value: str, where: str = "", *, key: str = "tournament_id") -> Damage:
    """Return a function that makes an SQL statement to damage a row of a tournament."""
    return lambda number: UPDATE.format(table, column, value, key, number) + where


def damage_part_statement(kind: str, value: str) -> Damage:
    return damage_statement("tournament_parts", "value", value, f" AND part = '{kind}' AND number = 1")


UNREADABLE: dict[str, Damage] = {
    "own row, not UTF-8": damage_statement("tournaments", "snapshot", "X'FF' || snapshot", key="id"),
    "own row, cut": damage_statement("tournaments", "snapshot", "substr(snapshot, 1, 99)", key="id"),
    "own row, unknown field": damage_statement("tournaments", "snapshot", "json_set(snapshot, '$.odd', 1)", key="id"),
    "entry": damage_part_statement("entrants", "X'FF' || value"),
    "round": damage_part_statement("rounds", "substr(value, 2)"),
    "match": damage_part_statement("matches", "json_set(value, '$.odd', 1)"),
    "news": damage_part_statement("news", "'[]'"),
    "a person": "DELETE FROM tournament_people WHERE tournament_id = {} AND number = 3".format,
}
"""Rows without which a tournament cannot be read."""

HARMLESS: dict[str, Damage] = {
    "a name": damage_statement("tournament_people", "name", "X'FF'", " AND number = 3"),
    "a step": damage_statement("tournament_steps", "detail", "X'FF'", " AND version = 3"),
    "its name": damage_statement("tournaments", "name", "X'FF'", key="id"),
}
"""Rows that are only shown."""

CUPS = 20


async def _begin_twenty_cups(evening: Evening) -> list[int]:
    """Begin twenty small cups and call their first rounds; return their numbers."""
    numbers = [(await evening.publish(usual_plan(f"Cup {place}", rounds=2))).id for place in range(CUPS)]
    for place, number in enumerate(numbers):
        for people in pairs(2, 1 + 10 * place):
            await evening.enter(number, people)
    view = await evening.events.overview.get_tournament(numbers[0])
    await evening.advance_to(view.plan.starts_at - view.plan.check_in_from)
    for place, number in enumerate(numbers):
        await evening.check_in(number, range(1 + 10 * place, 5 + 10 * place))
    await evening.advance_to(view.plan.starts_at)
    return numbers


async def _play_to_the_end(evening: Evening, tournament_numbers: list[int]) -> dict[int, object]:
    """Play these cups to the end; return the final figures by number of the cup."""
    for number in tournament_numbers:
        await evening.give_matches_channels(number)
    for number in tournament_numbers:
        await evening.play_all_rounds(number)
    return {
        number: standing_figures(await evening.events.overview.get_tournament(number)) for number in tournament_numbers
    }


async def test_broken_rows_of_every_kind_harm_no_other_tournament_and_are_reported(tmp_path: Path) -> None:
    path, clock = tmp_path / "canasta.db", ManualClock()
    async with open_evening(path, clock=clock) as evening:
        numbers = await _begin_twenty_cups(evening)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = 1")
        kinds = [*UNREADABLE.values(), *HARMLESS.values()]
        for number, statement in zip(numbers, kinds, strict=False):
            assert connection.execute(statement(number)).rowcount, "nothing was damaged"
        connection.commit()
    broken, others = numbers[: len(UNREADABLE)], numbers[len(UNREADABLE) :]
    async with open_evening(path, clock=clock, first_request=7_000_000) as evening:
        told = collect_fault_letters(evening)
        await let_time_pass(evening, MINUTE)
        assert {f"{number}:read:0" for number in broken} == {line.split(" ")[0] for _, line in told}
        assert broken == [one.id for one in await evening.events.overview.unreadable_outlines_in(GUILD)]
        assert {f"Cup {place}" for place in range(len(broken))} == {
            one.name for one in await evening.events.overview.unreadable_outlines_in(GUILD)
        }
        assert others == [one.id for one in await evening.events.overview.open_tournaments_in(GUILD)]
        assert {Stage.CLOSED} == {
            (await evening.events.overview.get_tournament(number)).stage
            for number in others
            if await _play_to_the_end(evening, [number])
        }
        person = 1
        assert [broken[0]] == [
            row["tournament"] for row in (await evening.world.store.players.personal_data(person))["tournaments"]
        ]
        evening.world.service.people.subscribe_after_deletion(evening.events.forget)
        await evening.events.entering.withdraw_all_entries(person)
        await evening.world.service.people.forget(evening.caller(person))
        assert () == (await evening.world.store.players.personal_data(person))["tournaments"]


@pytest.mark.parametrize("kind", UNREADABLE)
async def test_a_tournament_that_was_repaired_goes_on(tmp_path: Path, kind: str) -> None:
    path, clock = tmp_path / "canasta.db", ManualClock()
    async with open_evening(path, clock=clock) as evening:
        number = await evening.begin_round(usual_plan(), pairs(2))
        whole = await evening.events.overview.get_tournament(number)
    rows = "SELECT * FROM {0}"
    with closing(sqlite3.connect(path)) as connection:
        kept = {one: connection.execute(rows.format(one)).fetchall() for one in ("tournament_people",)}
        connection.execute("CREATE TABLE kept AS SELECT * FROM tournaments")
        connection.execute("CREATE TABLE kept_parts AS SELECT * FROM tournament_parts")
        assert connection.execute(UNREADABLE[kind](number)).rowcount
        connection.commit()
    async with open_evening(path, clock=clock, first_request=7_000_000) as evening:
        code, _ = await refusal_of(evening.events.overview.get_tournament(number))
        assert TournamentCode.UNREADABLE is code
        with closing(sqlite3.connect(path)) as connection:
            for row in kept["tournament_people"]:
                connection.execute("INSERT OR REPLACE INTO tournament_people VALUES (?, ?, ?, ?, ?)", row)
            connection.execute("UPDATE tournaments SET snapshot = (SELECT snapshot FROM kept)")
            connection.execute("INSERT OR REPLACE INTO tournament_parts SELECT * FROM kept_parts")
            connection.commit()
        assert await evening.events.alarms.retry_task(DIRECTOR, number, ("read", 0))
        assert whole.matches == (await evening.events.overview.get_tournament(number)).matches
