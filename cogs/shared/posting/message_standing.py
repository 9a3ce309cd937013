"""How a table stands with its message: what is asked, what was shown, and what Discord has refused."""

from __future__ import annotations

from dataclasses import dataclass

from cogs.shared.door.calls import Trouble
from cogs.shared.posting import rhythm
from cogs.shared.posting.rhythm import EditRequest


@dataclass(slots=True)
class MessageState:
    """What is known of a table in this process; instants in milliseconds.

    `dirty` is a table that is to be shown, marked `marks` times, first at `since`; `joined` one where somebody new may
    be seated; `answering` counts presses that may be answered by showing it. After `refused` refusals in a row, the
    last at `tried`, nothing is written before `not_before`.
    """

    dirty: bool = False
    marks: int = 0
    since: int = 0
    wrote: int = 0
    anew: bool = False
    again: bool = False
    joined: bool = False
    answering: int = 0
    trouble: Trouble | None = None
    refused: int = 0
    tried: int = 0
    not_before: int = 0
    shown: bool = False

    @property
    def asked(self) -> EditRequest:
        """What was asked besides showing the table."""
        return EditRequest(anew=self.anew, again=self.again)

    def mark(self, now: int, *, anew: bool, again: bool) -> None:
        """Note that the table is to be shown; `anew` does not wait for what was refused."""
        self.marks += 1
        if not self.dirty:
            self.dirty, self.since = True, now
        self.anew = self.anew or anew
        self.again = self.again or again
        self.not_before = 0 if anew else self.not_before

    def begin(self) -> EditRequest:
        """What was asked, which is being written from now on: what comes meanwhile is for the next time."""
        asked = self.asked
        self.dirty = self.anew = self.again = False
        return asked

    def refuse(self, now: int, trouble: Trouble) -> None:
        """Note what Discord refused, and when to try again."""
        self.trouble, self.tried = trouble, now
        self.refused += 1
        self.not_before = now + rhythm.pause_after(trouble, self.refused)

    def succeed(self) -> None:
        """Note that the table is shown."""
        self.trouble, self.refused, self.not_before, self.shown = None, 0, 0, True
