"""A deal's log in words, a line a turn: "Turn 7: Ben drew, laid 777, discarded 4♣."."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.engine.moves.events import DealEnd, DealEnded
from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.past.past_looks import DealLog, PlayedTurn
from cogs.shared.telling import happened, turn_text
from cogs.shared.telling.turn_text import Turn
from cogs.shared.telling.voices import LOGGED


def turn_line(words: Words, look: TableSnapshot, deal: int, turn: PlayedTurn) -> str:
    """A turn as a sentence; empty where there is nothing to tell of it yet."""
    said = turn_text.line(words, look, Turn(deal, turn.number, turn.seat, turn.events), voice=LOGGED)
    return words("past.turn", turn=turn.number + 1, line=said) if said else ""


def lines(words: Words, log: DealLog) -> list[str]:
    """All turns of a deal, and how it ended."""
    return list(filter(None, _lines(words, log)))


def _lines(words: Words, log: DealLog) -> Iterator[str]:
    for turn in log.turns:
        yield turn_line(words, log.look, log.deal, turn)
        for event in turn.events:
            if isinstance(event, DealEnded) and event.reason is not DealEnd.OUT:
                how = happened.how_it_ended(words, log.look, event)
                yield words("happened.deal_over", deal=event.deal, how=how)


def parts(lines: Iterable[str], *, room: int) -> list[list[str]]:
    """The lines on as many pages as it takes, each of at most `room` characters."""
    pages: list[list[str]] = [[]]
    taken = 0
    for line in lines:
        if pages[-1] and taken + len(line) > room:
            pages.append([])
            taken = 0
        pages[-1].append(line)
        taken += len(line) + 1
    return pages
