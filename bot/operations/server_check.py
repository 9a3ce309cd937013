"""Checks of a PostgreSQL server and of the fleet on it, for `doctor` and `fleet`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from bot.clocks.clock import MOST_SKEW, SECOND, Clock
from bot.operations.report import Report
from bot.operations.text_formats import number_with_noun
from bot.store.engines.interface import Session

_MOST_TOLD: Final = 20


def check_server(session: Session, report: Report, clock: Clock) -> None:
    """Report whether a server is suitable, its clock, its size, and whether it archives its log."""
    from bot.store.engines.postgres_upkeep import server_health  # noqa: PLC0415 - psycopg is optional

    health = server_health(session, clock.now())
    if health.unsuitable:
        report.add_error("server", health.unsuitable, "The bot does not start on it.")
    else:
        report.add_ok("server", "keeps what it acknowledges")
    skew = abs(health.skew) / SECOND
    if abs(health.skew) > MOST_SKEW:
        report.add_error(
            "server clock", f"differs from this machine's by {skew:.1f} s", "Set the clocks of both machines."
        )
    else:
        report.add_ok("server clock", f"differs from this machine's by {skew:.1f} s")
    report.add_ok("size", f"the database has {-(-health.bytes_used // 2**20)} MB")
    if health.archiving == "failing":
        report.add_warning("backup", "the server cannot archive its log", "Its own log says why.")
    elif health.archiving == "off":
        report.add_ok("backup", "the server archives no log: dumps are the only backups")
    else:
        report.add_ok("backup", "the server archives its log")


def check_fleet(session: Session, report: Report) -> None:
    """Report the processes of the fleet, or that none runs."""
    from bot.store.engines.postgres_upkeep import fleet_state  # noqa: PLC0415 - psycopg is optional

    if fleet_state(session).processes:
        report_fleet(session, report)
    else:
        report.add_ok("bot", "does not run on this database")


def report_fleet(session: Session, report: Report) -> bool:
    """Report the processes of the fleet and how much they send; return whether every shard has an owner."""
    from bot.store.engines.postgres_upkeep import fleet_state  # noqa: PLC0415 - psycopg is optional

    state = fleet_state(session)
    rates = [one.requests_per_second for one in state.processes if one.requests_per_second is not None]
    left = min((one.identifies_left for one in state.processes if one.identifies_left is not None), default=None)
    report.facts |= {"count": state.count, "schema": state.schema, "held": len(state.held)}
    report.facts |= {"requests_per_second": round(sum(rates), 1), "identifies_left": left}
    report.facts["processes"] = [asdict(one) for one in state.processes]
    text = f"{number_with_noun(state.count, 'shard')}, schema {state.schema}, {sum(rates):.1f} requests a second"
    report.add_ok("fleet", text if left is None else f"{text}, {number_with_noun(left, 'identify', 'identifies')} left")
    for one in state.processes:
        sends = "" if one.requests_per_second is None else f", {one.requests_per_second:.1f} requests a second"
        report.add_ok("process", " ".join(filter(None, (one.name, one.shards, one.state))) + sends)
    missing = sorted(set(range(state.count)) - set(state.held))
    if missing:
        text = ", ".join(map(str, missing[:_MOST_TOLD]))
        report.add_error("shards", f"nobody holds {text}", "Is a process missing? The log of each tells.")
    return not missing
