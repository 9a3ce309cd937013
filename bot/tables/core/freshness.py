"""Old clicks: what may happen to a table after a message was drawn, without a click on it meaning something else.

Every control carries the version that it was drawn from. A click on an older one does what its person meant, or is
refused as stale_request:

- **Sit here**, **Join** are never stale: whoever else has come meanwhile, a free seat is what is wanted.
- **Leave** is stale once the game has begun: it gave a seat of a lobby back, and would now give a hand away.
- **Start** is stale once other rules or another clock are to be played by. Who has come or gone since matters not:
  free seats are filled.
- **Add a computer player** and **moving** somebody are stale once anybody's seat has changed: of two clicks one counts.
- **Close** in a lobby is stale once the game has begun, which needs everybody's consent, or a person has sat down.
- **The number of players**, **of computer players** and **rules** name what shall be; twice is as good as once.
- **Whatever is played** is stale once anything else has happened than that somebody has come late to a tournament's
  table, or that a clock has run: cards, seats and questions are as they were shown then.
- An answer to what is proposed belongs to that question (`bot.tables.consent`), not to a version.
- An answer to the question whether to close a game belongs to that question (`bot.tables.lobby.closing`), not to a
  version.
- A vote about an absent person's seat, and an answer to somebody who would have a seat, belong to their questions too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from bot.store.store import Store
from bot.tables.core import forms
from bot.tables.state.contest import PlayerArrived
from bot.tables.state.events import (
    AnyEvent,
    ClockRuns,
    ClockSet,
    ClockStopped,
    DeadlineSet,
    GameStarted,
    RulesChanged,
    RulesChosen,
    SeatChanged,
    SettingsChosen,
    StageReached,
)
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.table import Table

Harm: TypeAlias = Callable[[AnyEvent], bool]
"""Whether an event since a message was drawn makes a click on it mean something else."""

TIME_EVENTS: Final = (ClockSet, ClockRuns, ClockStopped, StageReached, DeadlineSet)
"""What clocks do at a table by themselves."""

MOST_LOOKED_AT: Final = 500
"""Changes since the click's version; a click older than that is stale without looking."""


def harms_leave(event: AnyEvent) -> bool:
    """Return whether the seat given up has become a hand."""
    return isinstance(event, GameStarted)


def harms_start(event: AnyEvent) -> bool:
    """Return whether other rules would be played, or by another clock."""
    return isinstance(event, RulesChanged | RulesChosen | SettingsChosen)


def harms_seating(event: AnyEvent) -> bool:
    """Return whether a seat changed."""
    return isinstance(event, SeatChanged | RulesChosen | GameStarted)


def harms_close(event: AnyEvent) -> bool:
    """Return whether others would lose their seats, or their game."""
    return isinstance(event, GameStarted) or (isinstance(event, SeatChanged) and event.holder.person is not None)


def harms_play(event: AnyEvent) -> bool:
    """Return whether play has moved on."""
    return not isinstance(event, (*TIME_EVENTS, PlayerArrived))


HARMS: Final[Mapping[str, Harm]] = {
    "add_computer": harms_seating,
    "close": harms_close,
    "leave": harms_leave,
    "place": harms_seating,
    "start": harms_start,
}
"""What makes a click stale, by the kind of its request; every other kind plays (`harms_play`)."""


async def is_current(store: Store, table: Table, seen: int | None, kind: str) -> bool:
    """Return whether nothing has happened since version `seen` that harms a request of that kind."""
    if seen is None or seen >= table.version:
        return True
    since = await store.tables.actions(table.id, after=seen, limit=MOST_LOOKED_AT)
    harm = HARMS.get(kind, harms_play)
    return since[-1].version == table.version and not any(
        harm(event) for row in since for event in forms.read_payload(row.payload, table.holders)
    )


async def require_current(store: Store, table: Table, seen: int | None, kind: str) -> None:
    """Refuse a request of that kind which was drawn from an older version: stale_request."""
    if seen is not None and not await is_current(store, table, seen, kind):
        detail = {"table": table.id, "expected": seen, "version": table.version}
        raise TableRefusal(TableCode.STALE_REQUEST, detail)
