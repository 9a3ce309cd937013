"""Time at a table in words: whose clock runs and until when, and how much one has left.

Instants are Discord's timestamps, so each reader sees them in their own time and they never age.
"""

from __future__ import annotations

from typing import Final

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.law import DAY, Stage
from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.looks import Status, TableSnapshot
from cogs.shared.telling import happened, names

ABSOLUTE: Final = "f"
RELATIVE: Final = "R"


def instant(milliseconds: int, style: str = RELATIVE) -> str:
    """An instant that each reader sees in their own time."""
    return f"<t:{milliseconds // 1000}:{style}>"


def when(look: TableSnapshot, until: int) -> str:
    """When somebody's time ends: as a date at a slow table, as a distance at a fast one."""
    return instant(until, ABSOLUTE if look.settings.slow else RELATIVE)


def waits_since(look: TableSnapshot) -> int:
    """Since when a table waits for whoever is to act: since that clock runs, or else since its last change."""
    clocks = look.clocks
    return look.updated_at if clocks is None or clocks.owes is None else clocks.since


def duration(words: Words, milliseconds: int) -> str:
    """A length of time in its two largest units."""
    minutes, seconds = divmod(milliseconds // SECOND, MINUTE // SECOND)
    if milliseconds >= DAY:
        return words("times.days", days=milliseconds // DAY, hours=milliseconds % DAY // HOUR)
    if milliseconds >= HOUR:
        rest = minutes % 60
        return words("times.hours_minutes" if rest else "times.hours", hours=minutes // 60, minutes=rest)
    if minutes:
        return words("times.minutes_seconds" if seconds else "times.minutes", minutes=minutes, seconds=seconds)
    return words("times.seconds", seconds=seconds)


def policy(words: Words, look: TableSnapshot) -> str:
    """What happens to a seat whose time is used up."""
    return words(f"policy.{look.settings.policy.value}")


def after_zero(words: Words, look: TableSnapshot, seat: int) -> str:
    """What comes when the seat's time is used up, as far as the table's settings say."""
    settings, clocks = look.settings, look.clocks
    clock = None if clocks is None else clocks.seats[seat]
    if clock is not None and settings.extension and not clock.extended:
        return words("notices.then_extra")
    told = policy(words, look)
    if clock is not None and settings.vacation > clock.vacation_days:
        return words("notices.then_vacation", policy=told)
    return told


def running(look: TableSnapshot) -> tuple[int, int] | None:
    """The seat whose clock runs, and until when; None where nobody's does."""
    clocks = look.clocks
    if clocks is None or clocks.owes is None or clocks.until is None or look.status is not Status.PLAYING:
        return None
    return clocks.owes, clocks.until


def clock_line(words: Words, look: TableSnapshot) -> str:
    """Until when whoever is on the clock has time, and what helps them out; empty where nobody's clock runs.

    Who plays alone at a table with a clock is told that there is none.
    """
    now, clocks = running(look), look.clocks
    if now is None or clocks is None:
        alone = look.status is Status.PLAYING and look.settings.slow and len(look.persons) == 1
        return words("times.alone") if alone and not any(holder.kept_for for holder in look.seats) else ""
    (seat, until), slow = now, look.settings.slow
    name, ends = names.of_seat(words, look, seat), when(look, until)
    if clocks.stage is Stage.EXTENDED:
        key = "times.extended" if slow else "times.extended_fast"
        return words(key, name=name, when=ends, policy=policy(words, look))
    if clocks.stage is Stage.VACATION:
        spent = clocks.seats[seat].vacation_days
        return words("times.vacation", name=name, day=spent, days=look.settings.vacation, when=ends)
    return words("times.until" if slow else "times.ends", when=ends)


def calling_line(words: Words, look: TableSnapshot, mention: str) -> str:
    """What calls a person to a turn at a slow table: what the player before did, and until when there is time.

    Empty at other tables.
    """
    now = running(look)
    if now is None or not look.settings.slow or look.view is None:
        return ""
    if look.view.phase is Phase.ANSWER:
        return words("times.answer", mention=mention, when=when(look, now[1]))
    told = happened.turn_before(words, look)
    before = words("times.before", told=told) if told else ""
    return words("times.turn", mention=mention, before=before, when=when(look, now[1]))


def own_line(words: Words, look: TableSnapshot, seat: int) -> str:
    """One's own time: until when it runs, or how much there is; empty where nobody's time is counted."""
    clocks, now = look.clocks, running(look)
    if clocks is None or look.status is not Status.PLAYING or look.seats[seat].person is None:
        return ""
    if now is None or now[0] != seat:
        return words("times.own_left", time=duration(words, clocks.seats[seat].left))
    ends = when(look, now[1])
    if clocks.stage is Stage.EXTENDED:
        key = "times.own_extended" if look.settings.slow else "times.own_extended_fast"
        return words(key, when=ends, policy=after_zero(words, look, seat))
    return words("times.own_runs", when=ends)
