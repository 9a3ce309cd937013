"""Rhythm: when a table's message is written, and how; pure decisions on milliseconds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.tables.looks import BoardMessage, Status, TableSnapshot
from cogs.shared.door import table_places
from cogs.shared.door.calls import Trouble
from cogs.shared.posting import whom_to_call
from cogs.shared.posting.budget import BURST, RATE, Priority

YOUNG: Final = 55 * MINUTE
"""Until which age a message is edited: Discord allows few edits of those over an hour old. Milliseconds."""

SETTLED: Final = 10 * MINUTE
"""From which age a message is posted anew where others stand below it. Milliseconds."""


@dataclass(frozen=True, slots=True)
class EditSchedule:
    """How long a board waits before it is written again.

    `between` two writings of one board there is always so much time. While a computer player is to act the board
    waits for a person's turn, but no longer than `computers`; of somebody who plays alone against computer players the
    steps of one turn are gathered for `alone`. `panels` is how long a living panel waits before it turns.
    `rate` and `burst` are those of the budget of requests.
    """

    between: int = 2 * SECOND
    computers: int = 10 * SECOND
    alone: int = 4 * SECOND
    panels: int = 2 * SECOND
    rate: int = RATE
    burst: int = BURST


AT_ONCE: Final = EditSchedule(0, 0, 0, 0, rate=1_000_000, burst=1_000)
"""Every change is shown as soon as it can be."""


def due(look: TableSnapshot, told: str, rhythm: EditSchedule, *, since: int, wrote: int) -> int:
    """The instant to write a board that has not been right since `since` and was written last at `wrote`."""
    return max(since + _gathers(look, told, rhythm), wrote + rhythm.between)


def _gathers(look: TableSnapshot, told: str, rhythm: EditSchedule) -> int:
    if look.status is not Status.PLAYING or look.actor is None:
        return 0
    if look.actor.kind == "computer" and look.persons:
        return rhythm.computers
    return rhythm.alone if whom_to_call.plays_alone(look) and whom_to_call.newcomer(look, told) is None else 0


# --- how --------------------------------------------------------------------------------------------------------------


class EditKind(StrEnum):
    """How a message comes to show its table."""

    EDIT = "edit"
    POST = "post"


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """What is to be written: how, and the person it calls."""

    way: EditKind
    calls: int | None = None

    @property
    def priority(self) -> Priority:
        """What it goes before."""
        return Priority.EDIT if self.calls is None else Priority.NOTIFY


@dataclass(frozen=True, slots=True)
class EditRequest:
    """What was asked beside showing the table: to post its message `anew` where it lives, or to write it `again`."""

    anew: bool = False
    again: bool = False


def writing(
    look: TableSnapshot,
    shown: BoardMessage | None,
    asked: EditRequest,
    *,
    now: int,
    newest: int,
    pictures_refused: bool,
    muted: bool = False,
) -> PlannedEdit | None:
    """What the table's message needs, None for nothing.

    `newest` is the latest message known in the channel of the message that is shown. With `pictures_refused` Discord
    takes no edit with a picture: then the board is posted anew when a turn changes hands, and otherwise waits. A
    `muted` message calls nobody.
    """
    if shown is None:
        calls = None if muted else whom_to_call.called(look, "")
        return None if look.status is Status.CLOSED else PlannedEdit(EditKind.POST, calls)
    if shown.version == look.version and not (asked.anew or asked.again):
        return None
    calls = None if muted else whom_to_call.called(look, shown.told)
    if asked.anew or calls is not None or _is_out_of_place(look, shown, now, newest):
        return PlannedEdit(EditKind.POST, calls)
    if pictures_refused and look.view is not None:
        return PlannedEdit(EditKind.POST) if whom_to_call.changed_hands(look, shown.told) else None
    return PlannedEdit(EditKind.EDIT)


def _is_out_of_place(look: TableSnapshot, shown: BoardMessage, now: int, newest: int) -> bool:
    """Whether the message lies elsewhere, is too old to be edited, or has scrolled away."""
    age = now - shown.posted_at
    moved = shown.channel != table_places.of_table(look).posts_in
    return moved or age > YOUNG or (age > SETTLED and newest > shown.message)


# --- after a refusal --------------------------------------------------------------------------------------------------

PASSING: Final = frozenset({Trouble.DISCORD_DOWN, Trouble.NO_CONNECTION, Trouble.TOO_MANY, Trouble.SHUT_OUT})
"""Troubles that pass by themselves: the board is tried again without being asked for."""


def pause_after(trouble: Trouble, refused: int) -> int:
    """How long a table is left alone that was refused so many times in a row."""
    first, longest = (5 * SECOND, 5 * MINUTE) if trouble in PASSING else (30 * SECOND, HOUR)
    return int(min(first * 2 ** min(refused - 1, 20), longest))
