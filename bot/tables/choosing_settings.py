"""Choosing what a table is set to: which settings there may be, and a host who chooses others. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.clocks.written import unfit
from bot.tables.events import AnyEvent, Deadline, DeadlineSet, SettingsChosen
from bot.tables.lobby import require_host, require_lobby
from bot.tables.looks import Caller
from bot.tables.record import Table
from bot.tables.refusals import Detail, TableCode, TableRefusal
from bot.tables.timing.settings import IDLE, LATEST_END, MOST_DEALS, MOST_VACATION, TableSettings

RANGES: Final = {
    "deals": (1, MOST_DEALS),
    "vacation": (0, MOST_VACATION),
    "latest_end": LATEST_END,
    "idle": IDLE,
}
"""The lowest and the highest number that each setting may have, by the name of its field."""


def require_settings(settings: TableSettings) -> None:
    """Refuse what no table can be set to: clock_bank, clock_increment, clock_cap, setting_out_of_range."""
    for refusal in _refusals(settings):
        raise refusal


def _refusals(settings: TableSettings) -> Iterator[TableRefusal]:
    for problem in unfit(settings.clock):
        yield TableRefusal(TableCode(problem.value))
    for name, (lowest, highest) in RANGES.items():
        chosen = getattr(settings, name)
        if chosen is not None and not lowest <= chosen <= highest:
            detail: Detail = {"setting": name, "lowest": lowest, "highest": highest}
            yield TableRefusal(TableCode.SETTING_OUT_OF_RANGE, detail)


def choose(table: Table, caller: Caller, settings: TableSettings, *, expires_at: int) -> tuple[AnyEvent, ...]:
    """A lobby's host sets the table to these; one that becomes slow, or is no longer, waits until `expires_at`."""
    require_lobby(table)
    require_host(table, caller)
    require_settings(settings)
    before = table.record.settings
    if settings == before:
        return ()
    chosen = SettingsChosen(settings)
    return (chosen,) if settings.slow == before.slow else (chosen, DeadlineSet(Deadline.EXPIRE, expires_at))
