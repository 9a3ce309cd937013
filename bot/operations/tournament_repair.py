"""Repairs of tournaments and series that cannot be read: their rows come from a backup, or they end."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from bot.clocks.clock import SystemClock
from bot.config import ServerUrl
from bot.engine.rules.sets import rule_set
from bot.exit_codes import ExitCode
from bot.operations.report import Report
from bot.operations.text_formats import file_stamp
from bot.series.hosting import end_series_by_operator
from bot.series.refusals import SeriesCode, SeriesRefusal
from bot.series.repository import SeriesRepository
from bot.series.series import Series
from bot.store.errors import UndecodableData
from bot.store.people.personal_data import PERSONAL
from bot.store.tournaments import StoredTournament, TournamentPart, TournamentStore
from bot.store.upkeep import repairs, restoring
from bot.store.upkeep.deletions import deleted_since
from bot.store.upkeep.offline_databases import (
    DatabasePlace,
    OfflineDatabase,
    OfflineReads,
    open_database_for_changes,
    open_database_for_reading,
    open_store_alone,
)
from bot.tournaments.core.repository import TournamentRepository, TournamentRequest
from bot.tournaments.core.stored_forms import TournamentPersons, unreadable_rows, write_tournament
from bot.tournaments.event import rounds
from bot.tournaments.event.entries import Person
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.seeded_draw import commitment

PLAYED: Final = (Stage.CLOSING, Stage.CLOSED, Stage.CANCELLED)
"""Stages in which a tournament cannot be cancelled any more."""


def repair_tournament(arguments: argparse.Namespace, place: DatabasePlace, report: Report) -> ExitCode:
    """Cancel a tournament, or copy its rows from a backup."""
    number, about = arguments.number, f"tournament {arguments.number}"
    with open_database_for_changes(place) as file:
        if not repairs.has_tournament(file, number):
            report.add_error(about, "there is no such tournament")
            return ExitCode.FAILED
        if not arguments.cancel:
            return _copy_from_backup(arguments, file, "tournament", report)
        if repairs.stage_of_tournament(file, number) in PLAYED:
            report.add_error(about, "is played to its end, or cancelled; there is nothing to cancel")
            return ExitCode.FAILED
        unreadable = _unreadable_rows(file, number)
        if arguments.yes and unreadable is not None:
            _move_out_unreadable_rows(file, unreadable, report)
    if arguments.yes:
        asyncio.run(_cancel_tournament(place, number))
    what = "cancelled" if unreadable is None else "cancelled; what cannot be read of it moves to a file"
    return report_repair(report, about, what, done=arguments.yes)


def repair_series(arguments: argparse.Namespace, place: DatabasePlace, report: Report) -> ExitCode:
    """End a series, or copy its rows from a backup."""
    number, about = arguments.number, f"series {arguments.number}"
    with open_database_for_changes(place) as file:
        if not repairs.has_series(file, number):
            report.add_error(about, "there is no such series")
            return ExitCode.FAILED
        if not arguments.end:
            return _copy_from_backup(arguments, file, "series", report)
    if arguments.yes and not asyncio.run(_end_series_if_readable(place, number)):
        with open_database_for_changes(place) as file:
            repairs.end_series(file, number)
    return report_repair(report, about, "ended; its tournaments go on", done=arguments.yes)


def _copy_from_backup(
    arguments: argparse.Namespace, file: OfflineDatabase, kind: Literal["tournament", "series"], report: Report
) -> ExitCode:
    """Replace the rows of a tournament or series with those of the backup.

    People who were deleted since the backup are deleted again.
    """
    number, about = arguments.number, f"{kind} {arguments.number}"
    with open_database_for_reading(_place_of_backup(arguments.backup)) as backup:
        is_there = repairs.has_tournament if kind == "tournament" else repairs.has_series
        if backup.version() != file.version() or not is_there(backup, number):
            report.add_error(about, "that backup does not have it, or is of another release")
            return ExitCode.FAILED
        if kind == "series":
            made = repairs.nights_since(file, number, backup)
            if made:
                numbers = ", ".join(map(str, made))
                report.add_warning(about, f"tournaments it made since become tournaments of their own: {numbers}")
        if arguments.yes:
            repairs.copy_from_backup(file, kind, number, backup)
            _delete_people_again(file)
    return report_repair(report, about, f"as it is in {arguments.backup}", done=arguments.yes)


def _place_of_backup(backup: Path | ServerUrl) -> DatabasePlace:
    """Return where a backup is: a file, or a database on a server into which a dump was put back."""
    return DatabasePlace(backup) if isinstance(backup, Path) else DatabasePlace(Path(), backup)


def _delete_people_again(file: OfflineDatabase) -> None:
    """Delete the people again who were deleted after the backup was made."""
    for person in deleted_since(restoring.people_in_database(file), file.deletions(), since=0):
        for one in PERSONAL:
            file.session.execute(one.forget, {"person": person})


# --- cancelling a tournament -----------------------------------------------------------------------------------------


UnreadableTournament = tuple[StoredTournament, TournamentPersons, bool, tuple[TournamentPart, ...]]
"""A tournament with its people, whether its own row cannot be read, and the parts that cannot."""


def _unreadable_rows(file: OfflineDatabase, number: int) -> UnreadableTournament | None:
    """Return a tournament with its rows that cannot be read; None if all can be read."""
    stored, people = asyncio.run(_load_tournament(TournamentStore(OfflineReads(file)), number))
    own, parts = unreadable_rows(stored, people)
    return (stored, people, own, parts) if own or parts else None


async def _load_tournament(tournaments: TournamentStore, number: int) -> tuple[StoredTournament, TournamentPersons]:
    """Return a stored tournament, with its people. Raises `UndecodableData` if it is missing."""
    stored = await tournaments.load(number)
    if stored is None:
        raise UndecodableData(f"tournament {number} is missing")
    return stored, TournamentPersons(await tournaments.people(number))


def _move_out_unreadable_rows(file: OfflineDatabase, unreadable: UnreadableTournament, report: Report) -> None:
    """Move the rows of a tournament that cannot be read to a private file.

    If its own row is among them, replace it by a minimal one.
    """
    stored, people, own, parts = unreadable
    at = SystemClock().now()
    kept = file.path.with_name(f"{file.path.name}.tournament-{stored.id}-{file_stamp(at)}")
    texts = [("own row", 0, stored.snapshot)] if own else []
    repairs.write_private(kept, _json_lines([*texts, *((one.part, one.number, one.value) for one in parts)]))
    report.add_ok("file", f"{kept} has the rows that went")
    report.facts["kept"] = str(kept)
    snapshot = (
        asyncio.run(_minimal_tournament_row(TournamentStore(OfflineReads(file)), stored, people)) if own else None
    )
    repairs.replace_tournament(file, stored.id, snapshot, [one for one in stored.parts if one not in parts], at=at)


def _json_lines(rows: Iterable[tuple[str, int, bytes]]) -> str:
    """Return rows as JSON lines."""
    named = (
        {"part": part, "number": number, "value": value.decode("utf-8", "replace")} for part, number, value in rows
    )
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in named)


async def _minimal_tournament_row(
    tournaments: TournamentStore, stored: StoredTournament, people: TournamentPersons
) -> bytes:
    """Return a minimal own row for a tournament whose value cannot be read.

    It has the name, the directors and the commitment, which are stored elsewhere.
    """
    outline, seed = await tournaments.outline(stored.id), await tournaments.secret(stored.id, "lot")
    at = SystemClock().now()
    empty = Tournament(
        plan=Plan(name="" if outline is None else outline.name, rules=rule_set("classic", 4)),
        directors=tuple(Person(one) for one in (() if outline is None else outline.directors)),
        created_at=at,
        since=at,
        stage=Stage.RUNNING,
        commitment="" if seed is None else commitment(seed),
    )
    return write_tournament(empty, people).snapshot


async def _cancel_tournament(place: DatabasePlace, number: int) -> None:
    """Cancel a tournament by an ordinary step. At the next start its tables end and this is announced."""
    async with open_store_alone(place) as store:
        repository = TournamentRepository(store, SystemClock(), away=lambda: ())

        async def cancel_found(tournament: Tournament, now: int) -> Tournament:
            return rounds.cancel_by_operator(tournament, now=now)

        await repository.change(number, TournamentRequest("cancel", None, {"reason": ""}), cancel_found)
        await repository.finish()


async def _end_series_if_readable(place: DatabasePlace, number: int) -> bool:
    """End a series by an ordinary step; return whether that was possible. It is not if it cannot be read."""
    async with open_store_alone(place) as store:
        clock = SystemClock()
        repository = SeriesRepository(store, clock, TournamentRepository(store, clock, away=lambda: ()))

        async def end_found(series: Series, now: int) -> Series:
            return end_series_by_operator(series, now=now)

        try:
            await repository.change(number, "end", end_found)
        except SeriesRefusal as refusal:
            if refusal.code is SeriesCode.UNKNOWN_SERIES:
                return False
            raise
        finally:
            await repository.finish()
    return True


def report_repair(report: Report, about: str, how: str, *, done: bool) -> ExitCode:
    """Report a repair as done or, in a dry run, as possible; return the exit status."""
    if done:
        report.add_ok(about, f"is now {how}")
    else:
        report.add_warning(about, f"would be {how}", "Add --yes to do it.")
    return ExitCode.DONE
