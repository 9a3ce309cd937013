"""The commands of a fleet on a server: `fleet`, `deletions`, `restored`."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from bot.exit_codes import ExitCode
from bot.operations.report import Report, add_json, carry_out_on_server


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option for JSON."""
    add_json(parser)


def execute(arguments: argparse.Namespace) -> int:
    """Show the fleet; return 0 if all shards are held, else 1."""
    return carry_out_on_server("fleet", arguments, _show)


def _show(url: str, report: Report) -> ExitCode:
    """Report which processes run and which shards they hold."""
    from bot.store.engines.postgres_upkeep import fleet_state, look_at  # noqa: PLC0415 - psycopg is optional

    with look_at(url) as session:
        state = fleet_state(session)
    rates = [one.requests_per_second for one in state.processes if one.requests_per_second is not None]
    left = min((one.identifies_left for one in state.processes if one.identifies_left is not None), default=None)
    report.facts |= {"count": state.count, "schema": state.schema, "held": len(state.held)}
    report.facts |= {"requests_per_second": round(sum(rates), 1), "identifies_left": left}
    report.facts["processes"] = [asdict(one) for one in state.processes]
    told = f"{state.count} shards, schema {state.schema}, {sum(rates):.1f} requests a second"
    report.ok("fleet", told if left is None else f"{told}, {left} identifies left")
    for one in state.processes:
        sends = "" if one.requests_per_second is None else f", {one.requests_per_second:.1f} requests a second"
        report.ok("process", " ".join(filter(None, (one.name, one.shards, one.state))) + sends)
    missing = sorted(set(range(state.count)) - set(state.held))
    if not missing:
        return ExitCode.DONE
    told = ", ".join(map(str, missing[:20]))
    report.bad("shards", f"nobody holds {told}", "Is a process missing? The log of each tells.")
    return ExitCode.FAILED
