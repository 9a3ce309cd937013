"""A person's games, a line each: for the digest that comes once a day, and for whoever asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from bot.clocks.clock import HOUR
from bot.clocks.quiet import is_zone
from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.looks import Status, TableSnapshot
from cogs.shared.door.components import Page, page, text
from cogs.shared.posting import whom_to_call
from cogs.shared.telling import names, time_lines
from cogs.shared.telling.numbers import grouped
from cogs.shared.telling.rule_names import rules_of

LONGEST: Final = 3_500
"""Characters that the lines may take."""

LATE: Final = 6 * HOUR
"""How late a digest still goes out that could not at its hour. Milliseconds."""

YEAR: Final = 365


def waits_for(look: TableSnapshot, person: int) -> bool:
    """Whether the table waits for that person."""
    playing = look.status is Status.PLAYING and look.pause is None
    return playing and look.actor is not None and look.actor.person == person


def line(words: Words, look: TableSnapshot, person: int) -> str:
    """A game in one line: the table, what is played, how it stands, and whose turn it is."""
    rules = rules_of(words, look)
    if look.view is None:
        return words("digest.lobby", table=look.id, rules=rules)
    parts = [_score(words, look, person), _stands(words, look, person), _kept(words, look)]
    stands = " · ".join(part for part in parts if part)
    return words("digest.line", table=look.id, rules=rules, deal=look.view.deal, stands=stands)


def lines(words: Words, looks: Sequence[TableSnapshot], person: int) -> str:
    """The games as lines, those first that wait for the person; as many as there is room for."""
    ordered = sorted(looks, key=lambda look: (not waits_for(look, person), look.id))
    told: list[str] = []
    for look in ordered:
        told.append(line(words, look, person))
        if sum(map(len, told)) > LONGEST:
            told.pop()
            break
    left = len(ordered) - len(told)
    return "\n".join([*told, *([words("digest.more", count=left)] if left else [])])


def digest_page(words: Words, looks: Sequence[TableSnapshot], person: int) -> Page | None:
    """The digest; None where nothing waits for the person."""
    if not any(waits_for(look, person) for look in looks):
        return None
    return page([text(words("digest.title")), text(lines(words, looks, person))])


def last_hour(now: int, hour: int, zone: str) -> int:
    """When that hour of the day last began in a time zone; in UTC where there is no such zone."""
    local = datetime.fromtimestamp(now / 1000, ZoneInfo(zone if is_zone(zone) else "UTC"))
    today = round(local.replace(hour=hour, minute=0, second=0, microsecond=0).timestamp()) * 1000
    return today if today <= now else today - 24 * HOUR


def is_due(now: int, hour: int, zone: str, *, last: int) -> bool:
    """Whether a digest is to go out now, the last one having gone out at `last`."""
    began = last_hour(now, hour, zone)
    return last < began and now - began < LATE


def _score(words: Words, look: TableSnapshot, person: int) -> str:
    """The person's own score and the best of the others."""
    seat, totals = look.seat_of(person), () if look.view is None else look.view.totals
    own = next((total.score for total in totals if seat in total.seats), None)
    if own is None:
        return ""
    others = max((total.score for total in totals if seat not in total.seats), default=0)
    return words("digest.score", own=grouped(words, own), others=grouped(words, others))


def _stands(words: Words, look: TableSnapshot, person: int) -> str:
    view = look.view
    if look.pause is not None or look.paused:
        return words("digest.paused")
    if view is None or view.actor is None or view.phase is Phase.BETWEEN:
        return words("digest.between")
    if not waits_for(look, person):
        return words("digest.others", name=names.of_seat(words, look, view.actor))
    running = time_lines.running(look)
    if running is None:
        return words("digest.yours")
    return words("digest.yours_until", until=time_lines.when(look, running[1]))


def _kept(words: Words, look: TableSnapshot) -> str:
    """How long a game is kept in which nobody else waits."""
    if not whom_to_call.plays_alone(look):
        return ""
    days = look.settings.idle_days(alone=True)
    return words("digest.kept_year") if days == YEAR else words("digest.kept_days", days=days)
