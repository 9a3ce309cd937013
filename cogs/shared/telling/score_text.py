"""Scores in words, and a deal's log with a line per turn: "Turn 7: Ben drew, discarded 4♣."."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.engine.cards.cards import BLACK_THREE
from bot.engine.moves.events import DealEnd, DealEnded
from bot.engine.table.views import PublicView, SideView
from bot.i18n import Words
from bot.tables.past.history import DealLog, PlayedTurn
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.telling import names, play_text, turn_text
from cogs.shared.telling.names import picture_words
from cogs.shared.telling.numbers import group_thousands
from cogs.shared.telling.turn_text import LOGGED, Turn


def last_deal_text(words: Words, snapshot: TableSnapshot, view: PublicView) -> str:
    """Return the score of the last deal as text, one line per side."""
    return deal_score_text(words, snapshot, view.results[-1]) if view.results else words("score.none")


def deal_score_text(words: Words, snapshot: TableSnapshot, result: DealEnded) -> str:
    """Return the score of a deal as text: how it ended, then one line per side."""
    head = words("score.deal", deal=result.deal, how=play_text.deal_end_text(words, snapshot, result))
    return "\n".join([head, *side_score_lines(words, snapshot, result)])


def side_score_lines(words: Words, snapshot: TableSnapshot, result: DealEnded) -> list[str]:
    """Return the score of a deal, one line per side; players have the names that they had then."""
    then = snapshot.with_holders_at_end_of(result.deal)
    return [
        words(
            "score.line",
            side=names.score_holder_names(words, then, number),
            lines=_score_parts(words, snapshot, result, number),
            total=group_thousands(words, counted.total),
            score=group_thousands(words, score),
        )
        for number, (counted, score) in enumerate(zip(result.lines, result.scores, strict=True))
    ]


def game_score_text(words: Words, snapshot: TableSnapshot, view: PublicView, most: int = 5) -> str:
    """Return the score of the game as text: totals, the latest deals in detail, the others in short."""
    lines = [words("score.title", table=snapshot.id)]
    lines += [
        words(
            "score.total",
            side=names.score_holder_names(words, snapshot, number),
            score=group_thousands(words, total.score),
        )
        for number, total in enumerate(view.totals)
    ]
    deals = names.fixed_deal_count(snapshot)
    target = group_thousands(words, snapshot.target)
    lines.append(words("score.target", target=target) if deals is None else words("score.deals", count=deals))
    if not view.results:
        return "\n".join([*lines, words("score.none")])
    lines += [deal_score_text(words, snapshot, result) for result in reversed(view.results[-most:])]
    lines += [short_score_text(words, snapshot, result) for result in reversed(view.results[:-most])]
    return "\n".join(lines)


def short_score_text(words: Words, snapshot: TableSnapshot, result: DealEnded) -> str:
    """Return text with each side's points in a deal and its total after it."""
    said, then = picture_words(words), snapshot.with_holders_at_end_of(result.deal)
    gains = (
        said.say_gain.format(name=names.score_holder_names(words, then, number), gain=counted.total, n=score)
        for number, (counted, score) in enumerate(zip(result.lines, result.scores, strict=True))
    )
    return f"{said.deal.format(n=result.deal)}: {', '.join(gains)}."


def side_scores_text(side: SideView) -> str:
    """Return a side's score as text, or those of its seats if each seat has its own."""
    return " / ".join(str(score) for score in side.scores)


def _score_parts(words: Words, snapshot: TableSnapshot, result: DealEnded, score_index: int) -> str:
    """Return the parts of a side's score in a deal as text.

    They say "threes" instead of "red threes" if threes of both colours count.
    """
    names_of_lines = {"red_threes": "threes"} if BLACK_THREE in snapshot.terms.laid_out else {}
    lines = [
        words(f"score.{names_of_lines.get(name, name)}", points=group_thousands(words, points))
        for name, points in result.parts(score_index)
        if points
    ]
    return ", ".join(lines) or words("score.nothing")


def turn_line(words: Words, snapshot: TableSnapshot, deal: int, turn: PlayedTurn) -> str:
    """Return a line that describes a turn of a deal's log; "" if it has no events yet."""
    text = turn_text.turn_line(words, snapshot, Turn(deal, turn.number, turn.seat, turn.events), text_style=LOGGED)
    return words("past.turn", turn=turn.number + 1, line=text) if text else ""


def log_lines(words: Words, log: DealLog) -> list[str]:
    """Return a line for each turn of a deal, and one on how it ended."""
    return list(filter(None, _iterate_log_lines(words, log)))


def _iterate_log_lines(words: Words, log: DealLog) -> Iterator[str]:
    for turn in log.turns:
        yield turn_line(words, log.snapshot, log.deal, turn)
        for event in turn.events:
            if isinstance(event, DealEnded) and event.reason is not DealEnd.OUT:
                how = play_text.deal_end_text(words, log.snapshot, event)
                yield words("happened.deal_over", deal=event.deal, how=how)


def split_into_pages(lines: Iterable[str], *, room: int) -> list[list[str]]:
    """Return the lines split into pages of at most `room` characters."""
    pages: list[list[str]] = [[]]
    taken = 0
    for line in lines:
        if pages[-1] and taken + len(line) > room:
            pages.append([])
            taken = 0
        pages[-1].append(line)
        taken += len(line) + 1
    return pages
