"""What somebody is told who takes a seat back: what was played there meanwhile, and how much time is left."""

from __future__ import annotations

from itertools import groupby

from bot.clocks.clock import HOUR, MINUTE
from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from cogs.shared.telling import turn_text
from cogs.shared.telling.turn_text import Turn


def welcome(words: Words, look: TableSnapshot, person: int) -> str:
    """The sentence for the person, who sits there again."""
    seat = look.seat_of(person)
    if seat is None:
        return ""
    played = [told for told in _played(words, look, seat, person) if told]
    said = [words("absence.welcome")]
    if played:
        said.append(words("absence.played", deeds="; ".join(played)))
    if look.clocks is not None:
        said.append(words("absence.have", time=amount(words, look.clocks.seats[seat].left)))
    return " ".join(said)


def _played(words: Words, look: TableSnapshot, seat: int, person: int) -> list[str]:
    """The remembered turns that a computer player has had in the seat, for that person."""
    turns = groupby(look.recent, key=lambda one: (one.deal, one.turn))
    found = []
    for (deal, number), those in turns:
        events = tuple(one.event for one in those if one.seat == seat)
        if events and look.holder_at(seat, deal, number).kept_for == person:
            found.append(turn_text.deeds(words, look, Turn(deal, number, seat, events)))
    return found


def amount(words: Words, milliseconds: int) -> str:
    """A length of time in whole hours, or in minutes where it is shorter."""
    if milliseconds >= HOUR:
        return words("absence.hours", count=milliseconds // HOUR)
    return words("absence.minutes", count=milliseconds // MINUTE)
