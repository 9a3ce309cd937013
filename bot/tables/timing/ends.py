"""Ends of a game that its rules do not know: so many deals are played, or the latest end has come."""

from __future__ import annotations

from collections.abc import Iterable

from bot.tables.events import AnyEvent, Deadline, DeadlineSet, GameConcluded
from bot.tables.record import TableState
from bot.tables.record_folding import fold
from bot.tables.timing.clocks import Conclusion


def concluded(record: TableState, ended: Iterable[AnyEvent], following: tuple[AnyEvent, ...]) -> tuple[AnyEvent, ...]:
    """What follows the end of a deal (`ended`), or the end of the game in its place where no other deal is to come."""
    after = fold(record, (*ended, *following))
    if after.game is None or after.game.winner is not None:
        return following
    settings = record.settings
    if record.last_deal:
        how = "latest_end"
    elif settings.deals is not None and after.game.deal >= settings.deals:
        how = "played"
    else:
        return following
    waits = (DeadlineSet(kind, None) for kind in after.deadlines if kind is not Deadline.EXPIRE)
    return (*following, *waits, GameConcluded(conclusion(after, how)))


def conclusion(record: TableState, how: str) -> Conclusion:
    """The end of a game as its finished deals stand: the best score wins, and nobody where that is shared."""
    scores = () if record.game is None else record.game.scores
    best = [side for side, score in enumerate(scores) if score == max(scores)]
    return Conclusion(how, best[0] if len(best) == 1 else None, scores)
