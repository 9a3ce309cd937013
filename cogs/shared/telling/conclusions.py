"""How a game ended that was not played to its end by its rules, in words."""

from __future__ import annotations

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from cogs.shared.telling import names
from cogs.shared.telling.numbers import grouped


def heading(words: Words, look: TableSnapshot) -> str:
    """Who has won with how many points, or that nobody has; for a game with a conclusion."""
    conclusion = look.conclusion
    if conclusion is None or conclusion.winner is None:
        played = look.view is not None and bool(look.view.results)
        return words("conclusion.tied" if played else "conclusion.no_deal", table=look.id)
    side = names.of_total(words, look, conclusion.winner)
    return words("board.winner", table=look.id, side=side, score=grouped(words, conclusion.scores[conclusion.winner]))


def details(words: Words, look: TableSnapshot) -> list[str]:
    """How the game came to its end, and the scores of the finished deals; nothing without a conclusion."""
    conclusion = look.conclusion
    if conclusion is None:
        return []
    last = "" if conclusion.last is None else names.of_total(words, look, conclusion.last)
    scores = " · ".join(
        words("board.total", side=names.of_total(words, look, number), score=grouped(words, score))
        for number, score in enumerate(conclusion.scores)
    )
    nobody_came = conclusion.how == "forfeited" and conclusion.winner is None and conclusion.last is None
    return [words("contest.nobody_came" if nobody_came else f"conclusion.{conclusion.how}", side=last), scores]
