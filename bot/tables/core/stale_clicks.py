"""Stale clicks: changes to a table after which a click on an older message must be refused.

Every control carries the version of the table that it shows. A click on an older version either still does what the
player meant, or raises stale_request:

- **Sit here**, **Join**: never stale. The player wants a free seat, even if others have joined.
- **Leave**: stale once the game has begun. It gave up a seat in a lobby and would now give up a hand.
- **Start**: stale once the rules or the clock have changed. Players who came or left do not matter: free seats are
  filled.
- **Add a computer player** and **moving** a player: stale once any seat has changed, so that of two clicks one counts.
- **Close** in a lobby: stale once the game has begun (closing then needs everyone's consent) or a person has sat down.
- **Number of players**, **number of computer players**, **rules**: never stale. They name the result, so a second click
  changes nothing.
- **Moves in the game**: stale once anything has happened, except that a player arrived late at a tournament's table,
  was given a hint, or that a clock event occurred. Otherwise cards, seats and questions are as shown.
- Answers to a proposal (`bot.tables.consent`), to the question whether to close a game (`bot.tables.lobby.closing`),
  votes about an absent player's seat and answers to a claim to a seat belong to their question, not to a version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from bot.store.store import Store
from bot.tables.core import stored_forms
from bot.tables.state.contest import PlayerArrived
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    ClockStopped,
    DeadlineSet,
    GameStarted,
    HintGiven,
    RulesChanged,
    RulesChosen,
    SeatChanged,
    SettingsChosen,
    StageReached,
)
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.table import Table

StaleTest: TypeAlias = Callable[[AnyEvent], bool]
"""A function that returns whether an event changes the meaning of an older click."""

TIME_EVENTS: Final = (ClockSet, ClockRuns, ClockStopped, StageReached, DeadlineSet)
"""Events that clocks cause by themselves."""

MOST_LOOKED_AT: Final = 500
"""Number of changes examined since a click."""


def makes_leave_click_stale(event: AnyEvent) -> bool:
    """Return whether the event begins the game, so that leaving would now give up a hand."""
    return isinstance(event, GameStarted)


def makes_start_click_stale(event: AnyEvent) -> bool:
    """Return whether the event changes the rules or the clock, so that **Start** is refused."""
    return isinstance(event, RulesChanged | RulesChosen | SettingsChosen)


def makes_seating_click_stale(event: AnyEvent) -> bool:
    """Return whether the event changes the holder of a seat."""
    return isinstance(event, SeatChanged | RulesChosen | GameStarted)


def makes_close_click_stale(event: AnyEvent) -> bool:
    """Return whether the event begins a game or seats a person, so that **Close** is refused."""
    return isinstance(event, GameStarted) or (isinstance(event, SeatChanged) and event.holder.person is not None)


def makes_play_click_stale(event: AnyEvent) -> bool:
    """Return whether the event makes a click on an older board or hand out of date."""
    return not isinstance(event, (*TIME_EVENTS, PlayerArrived, HintGiven))


STALE_TESTS: Final[Mapping[str, StaleTest]] = {
    "add_computer": makes_seating_click_stale,
    "close": makes_close_click_stale,
    "leave": makes_leave_click_stale,
    "place": makes_seating_click_stale,
    "start": makes_start_click_stale,
}
"""The `StaleTest` of each request kind; every kind not listed is a move in the game (`makes_play_click_stale`)."""


async def is_request_current(
    store: Store, table: Table, expected_version: int | None, kind: str, *, row_limit: int = MOST_LOOKED_AT
) -> bool:
    """Return whether a request made on version `expected_version` of the table still counts.

    It does if no later event makes requests of this `kind` stale. At most `row_limit` changes are examined; with more
    since then the request does not count.
    """
    if expected_version is None or expected_version == table.version:
        return True
    if expected_version > table.version:  # the database lost its last moments, or a backup was restored
        return False
    since = await store.tables.actions(table.id, after=expected_version, limit=row_limit)
    makes_stale = STALE_TESTS.get(kind, makes_play_click_stale)
    return since[-1].version == table.version and not any(
        makes_stale(event) for row in since for event in stored_forms.read_payload(row.payload, table.holders)
    )


async def require_current(store: Store, table: Table, expected_version: int | None, kind: str) -> None:
    """Raise stale_request if an event since version `expected_version` makes requests of this `kind` stale."""
    if expected_version is not None and not await is_request_current(store, table, expected_version, kind):
        detail = {"table": table.id, "expected": expected_version, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
