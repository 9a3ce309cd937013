"""A table in lines: whose turn it is, what may be done, what irregularities have cost, how it stands and ended."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.moves.phases import Phase
from bot.engine.table.views import PublicView
from bot.i18n import Words
from bot.tables.looks import Status, TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.telling import conclusions, names
from cogs.shared.telling.numbers import grouped
from cogs.shared.telling.time_lines import instant


def headline(words: Words, look: TableSnapshot) -> str:
    """Whose turn it is, or how the table stands, in one line without markup of its own."""
    view = look.view
    if look.paused:
        return words("paused.paused")
    if look.pause is not None:
        return words("consent.paused")
    if view is None or view.actor is None or look.status is not Status.PLAYING:
        return ""
    asked = view.phase is Phase.ANSWER
    person = look.seats[view.actor].kind == "person"
    key = ("answer" if asked else "turn") + ("_person" if person else "_computer")
    return words(f"board.{key}", name=names.of_seat(words, look, view.actor))


def moved(words: Words, look: TableSnapshot) -> str:
    """How long the table has stood as it stands: the reader's own clock counts on, so it never ages."""
    return words("board.moved", when=instant(look.updated_at))


def advice(words: Words, view: PublicView) -> str:
    """What may be done now."""
    if view.phase is Phase.DRAW:
        if not view.stock:
            return words("board.stock_out")
        return words("board.to_draw_only" if view.pile.closed else "board.to_draw")
    if view.phase is Phase.ANSWER:
        return words("board.to_answer")
    if view.phase is Phase.PLAY:
        if not view.laying:
            return words("board.to_discard")
        return words("board.to_play_aside" if view.pile.aside else "board.to_play")
    return ""


def penalties(words: Words, look: TableSnapshot, view: PublicView) -> list[str]:
    """What irregularities have cost in the running deal: points and raised minimums by side, open penalty cards."""
    told = []
    for side in view.sides:
        costs = [words("penalty.points", points=side.penalties)] if side.penalties else []
        costs += [words("penalty.raised", points=side.raised)] if side.raised and not side.opened else []
        if costs:
            told.append(words("board.penalties", side=names.of_side(words, look, side.side), costs=", ".join(costs)))
    for info in view.seats:
        if info.exposed:
            name = names.of_seat(words, look, info.seat)
            cards = ", ".join(map(card_text.card, info.exposed))
            told.append(words("board.exposed", name=name, cards=cards))
    return told


def resting(words: Words, look: TableSnapshot, seats: Sequence[int], key: str = "board.resting") -> str:
    """Who rests, in words; empty where everybody plays."""
    return words(key, names=names.of_those(words, look, seats), count=len(seats)) if seats else ""


def totals(words: Words, look: TableSnapshot, view: PublicView) -> str:
    """Every score in one line: "Anna & Ben 2,450 · Computer 1 & Computer 2 2,690"."""
    return " · ".join(
        words("board.total", side=names.of_total(words, look, number), score=grouped(words, total.score))
        for number, total in enumerate(view.totals)
    )


def result(words: Words, look: TableSnapshot, view: PublicView) -> str:
    """Who has won, and with how many points; or that nobody has."""
    if look.conclusion is not None:
        return conclusions.heading(words, look)
    winner = view.winner if view.winner is not None else 0
    side = names.of_total(words, look, winner)
    return words("board.winner", table=look.id, side=side, score=grouped(words, view.totals[winner].score))
