"""The command `doctor`: checks an installation, even while the bot runs, and suggests remedies."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import stat
from functools import partial
from pathlib import Path
from typing import Any, Final

import aiohttp

from bot import config
from bot.clocks.clock import HOUR, Clock, SystemClock
from bot.exit_codes import ExitCode
from bot.heartbeat_file import LONGEST, read_heartbeat
from bot.operations.backup import FOLDER, backups_in
from bot.operations.database_checks import check_file
from bot.operations.report import Report, add_common_arguments, run_on_file_or_server, server_settings
from bot.operations.server_check import check_fleet, check_server
from bot.operations.settings_check import unreadable_settings
from bot.operations.text_formats import duration_text, number_with_noun
from bot.ratings.service import RatingService
from bot.series.series import SeriesStage
from bot.series.stored_forms import read_series
from bot.start_guard import PATIENT_STARTS
from bot.store.engines import sqlite_copies as copies
from bot.store.errors import UndecodableData
from bot.store.ratings import RatingStore
from bot.store.series.store import SeriesStore
from bot.store.tournaments import TournamentStore
from bot.store.upkeep import repairs, restoring
from bot.store.upkeep.offline_databases import (
    DatabasePlace,
    OfflineDatabase,
    OfflineReads,
    newest_schema_version,
    open_database_for_reading,
)
from bot.store.upkeep.pending_counts import count_pending_work
from bot.tournaments.core.stored_forms import TournamentPersons, read_tournament

DISCORD: Final = "https://discord.com/api/v10"

STALE_BACKUP: Final = 36 * HOUR
OLD_PROMISE: Final = 24 * HOUR


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for the checks to run and for strictness."""
    parser.add_argument(
        "--discord", action="store_true", help="ask Discord for shards and identifies left (needs DISCORD_TOKEN)"
    )
    parser.add_argument("--strict", action="store_true", help="exit with status 1 for warnings too")
    add_common_arguments(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Check the installation. Return 0 if nothing is bad, else 1, or the status of an unreadable database.

    With `--strict`, a warning counts as bad.
    """
    return run_on_file_or_server("doctor", arguments, partial(_run_checks, arguments))


def _run_checks(arguments: argparse.Namespace, place: DatabasePlace, report: Report) -> ExitCode:
    """Run all checks and add their findings to the report."""
    clock = SystemClock()
    _check_settings(report)
    if not place.url:
        _check_files(place.path, report, clock)
    with open_database_for_reading(place) as found:
        if place.url:
            check_server(found.session, report, clock)
        _report_schema(found, report)
        check_file(found, "open", report)
        if found.is_current():
            asyncio.run(_check_tournaments_and_ratings(found, report))
            _report_unreadable_settings(found, report)
            _report_pending_work(found, report, clock)
        _check_clock(found, report, clock)
        if place.url:
            check_fleet(found.session, report)
    if not place.url:
        _check_heartbeat(place.path, report, clock)
    if arguments.discord:
        asyncio.run(report_discord_limits(report, config.load_settings(config.read_environment()).discord_token))
    failed = report.worst_level == "bad" or (arguments.strict and report.worst_level == "warn")
    return ExitCode.FAILED if failed else ExitCode.DONE


def _check_settings(report: Report) -> None:
    """Check the settings for unknown variables and a missing token."""
    said = config.read_environment()
    try:
        found = server_settings()
    except config.SettingsError as error:
        for problem in error.problems:
            report.add_error("settings", problem, ".env.example describes each.")
        return
    for name in config.unknown_variables(said):
        report.add_warning("settings", f"{name} is no setting of ours", ".env.example lists all.")
    token = "with a token" if found.discord_token else "without a token"
    report.add_ok("settings", f"can be read, {token}")


def _check_files(database: Path, report: Report, clock: Clock) -> None:
    """Check the database file, the free disk space and the newest backup."""
    if not database.is_file():
        return  # opening the file later reports that it is missing
    mode = stat.S_IMODE(database.stat().st_mode)
    if os.name == "posix" and mode & 0o077:
        report.add_warning("file", f"others may read it (mode {mode:04o})", f"chmod 600 {database}")
    size, free = copies.size_with_log(database), shutil.disk_usage(database.resolve().parent).free
    text = f"the file has {-(-size // 2**20)} MB, {free // 2**20} MB are free"
    if free < copies.NEEDED * size:
        report.add_warning("disk", text, "A migration or a restore needs 1.2 times the file: make room.")
    else:
        report.add_ok("disk", text)
    backups = backups_in(database.resolve().parent / FOLDER, database.stem)
    if not backups:
        report.add_warning("backup", f"none in {FOLDER}/ beside the database", "`canasta-bot backup`, each night.")
    elif (age := clock.now() - backups[-1][0]) > STALE_BACKUP:
        report.add_warning("backup", f"the newest is {duration_text(age)} old", "Does the timer run?")
    else:
        report.add_ok("backup", f"the newest of {len(backups)} is {duration_text(age)} old")


def _report_schema(file: OfflineDatabase, report: Report) -> None:
    """Report the version of the schema, and the database program with its version."""
    version, known = file.version(), newest_schema_version()
    if version < known:
        report.add_warning("schema", f"version {version}; the next start brings it to {known}", "Make a backup before.")
    else:
        report.add_ok("schema", f"version {version}")
    report.add_ok(*file.product_and_version)


async def _check_tournaments_and_ratings(file: OfflineDatabase, report: Report) -> None:
    """Report unreadable tournaments and series, and ratings that differ from the log of matches."""
    reads = OfflineReads(file)
    tournaments, unreadable = TournamentStore(reads), []
    for number in count_pending_work(file).tournaments:
        people = TournamentPersons(await tournaments.people(number))
        try:
            stored = await tournaments.load(number)
            _ = None if stored is None else read_tournament(stored, people)
        except UndecodableData:
            unreadable.append(number)
    for number in unreadable:
        report.add_error(
            f"tournament {number}",
            "cannot be read",
            f"`canasta-bot repair tournament {number} --from BACKUP`, bot stopped.",
        )
    if not unreadable:
        report.add_ok("tournaments", "all can be read")
    await _check_series(reads, report)
    differing = await RatingService(RatingStore(reads), SystemClock()).differing_ladders()
    if differing:
        text = number_with_noun(len(differing), "ladder is", "ladders are")
        remedy = "`canasta-bot repair ratings`, bot stopped."
        report.add_error("ratings", f"{text} not what the log of matches leads to", remedy)
    else:
        report.add_ok("ratings", "agree with their log")


async def _check_series(reads: OfflineReads, report: Report) -> None:
    """Report unreadable series."""
    store, unreadable = SeriesStore(reads), 0
    for number in await store.series_with_stage([one.value for one in SeriesStage]):
        stored, people = await store.load(number), TournamentPersons(await store.people(number))
        try:
            _ = None if stored is None else read_series(stored, people)
        except UndecodableData:
            unreadable += 1
            remedy = f"`canasta-bot repair series {number} --from BACKUP`, bot stopped."
            report.add_error(f"series {number}", "cannot be read", remedy)
    if not unreadable:
        report.add_ok("series", "all can be read")


def _report_unreadable_settings(file: OfflineDatabase, report: Report) -> None:
    """Report settings that cannot be read, with the command that repairs them."""
    for owner, number in repairs.owners_of_settings(file):
        if unreadable_settings(file, owner, number):
            remedy = f"`canasta-bot repair settings {owner} {number}`, bot stopped."
            report.add_warning("settings", f"some of a {owner} cannot be read", remedy)


def _report_pending_work(file: OfflineDatabase, report: Report, clock: Clock) -> None:
    """Report side effects that wait too long in the outbox, outdated table messages, and failed starts."""
    counts = count_pending_work(file, before=clock.now() - OLD_PROMISE)
    if counts.old_promises:
        text = number_with_noun(counts.old_promises, "promise has waited", "promises have waited")
        report.add_warning("outbox", f"{text} for more than a day", "The log names what fails.")
    else:
        report.add_ok("outbox", number_with_noun(counts.promises, "promise waits", "promises wait"))
    report.add_ok("boards", number_with_noun(counts.boards_behind, "is behind or missing", "are behind or missing"))
    text = f"{counts.starts} in the last day, {counts.bad_starts} of them without ten minutes of service"
    text += f"; {number_with_noun(counts.identifies, 'identify', 'identifies')}"
    report.facts |= {"starts": counts.starts, "bad_starts": counts.bad_starts, "identifies": counts.identifies}
    if counts.bad_starts > PATIENT_STARTS:
        report.add_warning("starts", text, "Each further start waits longer. The log says what ends it.")
    else:
        report.add_ok("starts", text)


def _check_clock(file: OfflineDatabase, report: Report, clock: Clock) -> None:
    """Report whether the machine's clock is behind the database's last heartbeat."""
    ahead = restoring.last_heartbeat(file) - clock.now()
    if ahead > HOUR:
        report.add_error("clock", f"the database was used {duration_text(ahead)} from now", "Set the machine's clock.")
    else:
        report.add_ok("clock", "agrees with the database")


def _check_heartbeat(database: Path, report: Report, clock: Clock) -> None:
    """Report whether the bot is running, by its heartbeat file."""
    sign = read_heartbeat(database)
    if sign is None or clock.now() - sign.at > LONGEST or sign.state == "stopping":
        report.add_ok("bot", "does not run on this database")
    elif sign.state == "connecting":
        report.add_warning("bot", "is not connected to Discord", "After some minutes: `canasta-bot doctor --discord`.")
    else:
        report.add_ok("bot", f"{sign.state}, {number_with_noun(sign.shards, 'shard')}")


async def report_discord_limits(report: Report, token: str, base: str = DISCORD) -> None:
    """Report how many shards Discord recommends, and how many identifies (logins) are left today."""
    if not token:
        report.add_error("discord", "DISCORD_TOKEN is not set")
        return
    data: dict[str, Any] = {}
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(20)) as session,
            session.get(f"{base}/gateway/bot", headers={"Authorization": f"Bot {token}"}) as answer,
        ):
            status = answer.status
            data = await answer.json() if status == 200 else {}
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        report.add_error("discord", f"cannot be reached: {type(error).__name__}", "Is the network up?")
        return
    if status == 401:
        report.add_error("discord", "refuses the token", "Reset it in the developer portal, write it to .env, restart.")
    elif status != 200:
        report.add_error("discord", f"answers with {status}")
    else:
        limit = data.get("session_start_limit", {})
        left, total, shards = limit.get("remaining", 0), limit.get("total", 0), data.get("shards", 0)
        text = f"{left} of {total} identifies left, {number_with_noun(shards, 'shard')} recommended"
        if left < 50:
            report.add_warning("discord", text, "Do not restart until Discord has reset them.")
        else:
            report.add_ok("discord", text)
