"""The times in which a table was halted, and how they postpone its deadlines. Pure.

A table is halted while it is paused, while its channel is gone, and while the bot is not ready (`docs/long-games.md`,
3). A deadline of length L that was set at s is over at the first t with t - s - halted(s, t) = L. No alarm rings while
the table is halted. Once it goes on, nothing ends for a while, so that players can still act.
"""

from __future__ import annotations

from bot.clocks.clock import Spans, instant_after, merge_spans
from bot.clocks.time_rules import SLOW_AFTER_OUTAGE, ClockTerms
from bot.tables.state.events import MOVED_BY_OUTAGES, Deadline
from bot.tables.state.table import TableState


def stopped_spans(record: TableState, away_spans: Spans, now: int) -> Spans:
    """Return the spans in which the table was halted, up to now.

    `away_spans` are those in which the bot was not ready.
    """
    running = (since for since in (record.place_lost, None if record.pause is None else record.pause.since))
    return merge_spans(record.stood, away_spans, ((since, now) for since in running if since is not None))


def earliest_deadline(terms: ClockTerms | None, stopped_spans: Spans) -> int:
    """Return the first instant at which a deadline may pass after a halt of the table.

    0 if the table was never halted.
    """
    grace = SLOW_AFTER_OUTAGE if terms is None else terms.grace_after_outage
    return stopped_spans[-1][1] + grace if stopped_spans else 0


def deadline_passes_at(record: TableState, deadline: Deadline, away_spans: Spans, now: int) -> int:
    """Return the instant at which the deadline passes, as far as is known now."""
    due_at, set_at = record.deadlines[deadline], record.set_at[deadline]
    if deadline in MOVED_BY_OUTAGES:
        return instant_after(away_spans, set_at, due_at - set_at)
    standing = stopped_spans(record, away_spans, now)
    over = instant_after(standing, set_at, due_at - set_at)
    # No grace for the next deal, for deadlines set after the last halt, and for those that passed before it.
    if deadline is Deadline.NEXT_DEAL or not standing or set_at >= standing[-1][1] or over <= standing[-1][0]:
        return over
    return max(over, earliest_deadline(record.settings.clock, standing))
