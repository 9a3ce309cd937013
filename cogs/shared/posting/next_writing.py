"""What is to be written of a table next, and when."""

from __future__ import annotations

from collections import Counter
from typing import Final

from bot.clocks.clock import Clock
from bot.tables.looks import BoardMessage, TableSnapshot
from cogs.shared.door import table_places
from cogs.shared.posting import rhythm
from cogs.shared.posting.budget import Budget
from cogs.shared.posting.message_standing import MessageState
from cogs.shared.posting.poster import Poster
from cogs.shared.posting.rhythm import AT_ONCE, EditRequest, EditSchedule

ANSWERING: Final = 1_500
"""Milliseconds for which an answer to a press on a message may be what shows the table."""


class EditPlanner:
    """Works that out of what a table's message shows, what stands below it, and what the budget allows.

    In the channels of `placing` a new table is finding its place; no board is posted there meanwhile.
    """

    def __init__(self, poster: Poster, *, clock: Clock, budget: Budget, pace: EditSchedule) -> None:
        self._poster = poster
        self._clock = clock
        self._budget = budget
        self._pace = pace
        self._newest: dict[int, int] = {}
        self.placing: Counter[int] = Counter()

    def seen(self, channel: int, message: int) -> None:
        """Note the latest message of a channel."""
        self._newest[channel] = max(message, self._newest.get(channel, 0))

    def wanted(
        self, look: TableSnapshot, shown: BoardMessage | None, asked: EditRequest, *, muted: bool = False
    ) -> rhythm.PlannedEdit | None:
        """What is to be written; None where the message shows the table. `muted` calls nobody."""
        return rhythm.writing(
            look,
            shown,
            asked,
            now=self._clock.now(),
            newest=0 if shown is None else self._newest.get(shown.channel, 0),
            pictures_refused=self._poster.pictures_refused,
            muted=muted,
        )

    def wait(self, look: TableSnapshot, shown: BoardMessage | None, standing: MessageState) -> int | None:
        """Milliseconds until the table is to be shown; None where nothing is to be done, or nobody knows when."""
        now = self._clock.now()
        if self.wanted(look, shown, standing.asked) is None:
            standing.shown = True
            return None
        if standing.not_before > now:
            return standing.not_before - now if standing.trouble in rhythm.PASSING else None
        if shown is None and self.placing[table_places.of_table(look).posts_in]:
            return ANSWERING
        pace = AT_ONCE if standing.anew else self._pace
        due = rhythm.due(look, "" if shown is None else shown.told, pace, since=standing.since, wrote=standing.wrote)
        due = max(due, standing.since + ANSWERING) if standing.answering else due
        return max(due - now, self._budget.paused_until - now, 0)
