"""The score in words: deal by deal, line by line."""

from __future__ import annotations

from bot.engine.cards import BLACK_THREE
from bot.engine.events import DealEnded
from bot.engine.views import PublicView, SideView
from bot.i18n import Words
from bot.tables.looks import TableLook
from cogs.shared import happened, names
from cogs.shared.picture_words import picture_words


def last_deal(words: Words, look: TableLook, view: PublicView) -> str:
    """The last deal's score, one line a side."""
    return deal(words, look, view.results[-1]) if view.results else words("score.none")


def deal(words: Words, look: TableLook, result: DealEnded) -> str:
    """One deal's score, one line a side."""
    lines = [words("score.deal", deal=result.deal, how=happened.how_it_ended(words, look, result))]
    for number, (counted, score) in enumerate(zip(result.lines, result.scores, strict=True)):
        lines.append(
            words(
                "score.line",
                side=names.of_total(words, look, number),
                lines=_counted(words, look, result, number),
                total=counted.total,
                score=score,
            )
        )
    return "\n".join(lines)


def whole(words: Words, look: TableLook, view: PublicView, most: int = 5) -> str:
    """The game's score: totals, then the latest deals line by line, the others in short."""
    lines = [words("score.title", table=look.id)]
    lines += [
        words("score.total", side=names.of_total(words, look, number), score=total.score)
        for number, total in enumerate(view.totals)
    ]
    rounds = look.terms.rounds
    lines.append(words("score.target", target=look.target) if rounds is None else words("score.deals", count=rounds))
    if not view.results:
        return "\n".join([*lines, words("score.none")])
    lines += [deal(words, look, result) for result in reversed(view.results[-most:])]
    lines += [_in_short(words, look, result) for result in reversed(view.results[:-most])]
    return "\n".join(lines + how_to_check(words, look))


def _in_short(words: Words, look: TableLook, result: DealEnded) -> str:
    """What each side made in a deal, and what it came to."""
    said = picture_words(words)
    sides = (
        said.say_gain.format(name=names.of_total(words, look, number), gain=counted.total, n=score)
        for number, (counted, score) in enumerate(zip(result.lines, result.scores, strict=True))
    )
    return f"{said.deal.format(n=result.deal)}: {', '.join(sides)}."


def scores_of(side: SideView) -> str:
    """A side's score, or those of its seats where each has one."""
    return " / ".join(str(score) for score in side.scores)


def how_to_check(words: Words, look: TableLook) -> list[str]:
    """The command that checks the last deal whose seed is published (`docs/shuffle.md`)."""
    revealed = [shuffle for shuffle in look.shuffle if shuffle.seed is not None and shuffle.contributions is not None]
    if not revealed:
        return []
    last = revealed[-1]
    command = f"canasta-bot verify --table {look.id} --deal {last.deal} --commitment {last.commitment}"
    command += f" --seed {last.seed}"
    if last.contributions:
        command += f" --contributions {','.join(last.contributions)}"
    return [words("score.check", deal=last.deal), f"```\n{command}\n```"]


def _counted(words: Words, look: TableLook, result: DealEnded, number: int) -> str:
    """What a side's deal is made of; where threes of both colours count, not of red ones."""
    names_of_lines = {"red_threes": "threes"} if BLACK_THREE in look.terms.laid_out else {}
    lines = [
        words(f"score.{names_of_lines.get(name, name)}", points=points)
        for name, points in result.parts(number)
        if points
    ]
    return ", ".join(lines) or words("score.nothing")
