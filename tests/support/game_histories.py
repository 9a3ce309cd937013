"""Histories of games from given events, and stored example records."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bot.engine.moves.events import Event
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.tables.past.history import History, history_of
from bot.tables.past.record_rules import digest_of
from bot.tables.state.events import AnyEvent, GameStarted, LobbyOpened, SeatChanged
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import SeatHolder
from bot.tables.state.table import Table
from tests.support.tables import World

RECORDS = Path(__file__).parents[1] / "data" / "records"
PEOPLE = ("Ana", "Ben", "Chi", "Dev", "Eva", "Fay")


def example_record() -> str:
    """Return the stored example of a table's game record, in the newest version of the format."""
    return _read_record("version-2-table.json")


def short_example_record() -> str:
    """Return the full record of which `docs/record.md` shows a shortened form."""
    return _read_record("version-2.json")


def example_record_of_version_1() -> str:
    """Return a version 1 record, with its "…" replaced by the actual digest of the rules."""
    return _read_record("example.json").replace("…", digest_of(rule_set("classic", 4)))


def _read_record(name: str) -> str:
    return (RECORDS / name).read_text(encoding="utf-8").rstrip("\n")


def history_of_table(rules: RuleSet, dealer: int, events: Iterable[Event]) -> History:
    """Return the history of a table with these events."""
    return history_of(log_of(rules, dealer, events))


def log_of(rules: RuleSet, dealer: int, events: Iterable[Event]) -> tuple[AnyEvent, ...]:
    """Return the log of a table with these events."""
    seated = [SeatChanged(seat, SeatHolder("person", 10 + seat, PEOPLE[seat])) for seat in range(rules.players)]
    return (LobbyOpened(rules, 10, 0), *seated, GameStarted(dealer), *events)


async def apply_events(world: World, table: int, *events: AnyEvent) -> None:
    """Store these events at a table, as one change that no person requested."""

    async def decide_given_events(_: Table) -> Decision:
        return Decision(events)

    await world.service._context.repository.change(table, TableRequest("happens", {}), decide_given_events)
