"""The board: a pure rendering of a table for everybody, from the first deal to the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from discord import ui

from bot.engine.moves.phases import Phase
from bot.engine.table.views import PublicView
from bot.i18n import Words
from bot.tables.looks import ClosedBecause, Shuffle, Status, TableSnapshot
from cogs.shared.door.components import (
    GOLD,
    GREEN,
    GREY,
    PRIMARY,
    SUCCESS,
    Page,
    Part,
    Picture,
    button,
    buttons,
    container,
    gallery,
    page,
    rows,
    text,
)
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing.absence import absence_buttons, absence_lines
from cogs.shared.showing.consent import go_on_button, question_buttons, question_text
from cogs.shared.showing.paused import back_button, paused_text
from cogs.shared.telling import conclusions, happened
from cogs.shared.telling.rule_names import themes_of
from cogs.shared.telling.table_lines import headline, penalties, resting, result, totals
from cogs.shared.telling.time_lines import calling_line, clock_line, instant, waits_since

LAST_ROUND: Final = 1200
"""Characters that the last round may take."""

_CLOSED: Final = {
    ClosedBecause.ASKED: "lobby.closed_asked",
    ClosedBecause.AGREED: "lobby.closed_agreed",
    ClosedBecause.EMPTY: "lobby.closed_empty",
    ClosedBecause.EXPIRED: "lobby.closed_expired",
    ClosedBecause.IDLE: "absence.closed_idle",
    ClosedBecause.VOID: "contest.closed_void",
}


def board(
    words: Words, look: TableSnapshot, *, picture: Picture | None = None, mention: int | None = None, told: str = ""
) -> Page:
    """The message that shows a table whose game has begun, or that is closed.

    `mention` is the person it notifies, `told` what stands for its picture.
    """
    pictures = () if picture is None else (picture,)
    mentions = () if mention is None else (mention,)
    parts = [*_body(words, look, picture, mention, told), *_rows(words, look)]
    return page([container(*parts, edge=_edge(look))], pictures, mentions)


def _edge(look: TableSnapshot) -> int:
    """Gold while a person is to act, green at the end, else grey. RGB."""
    if look.status is Status.FINISHED:
        return GREEN
    return GOLD if look.actor is not None and look.actor.person is not None else GREY


# --- what it says -----------------------------------------------------------------------------------------------------


def _body(
    words: Words, look: TableSnapshot, picture: Picture | None, mention: int | None, told: str
) -> list[Part | None]:
    if look.status is Status.CLOSED:
        key = _CLOSED[look.closed_because or ClosedBecause.ASKED]
        scores = "" if look.view is None else totals(words, look, look.view)
        return [text("\n".join(filter(None, [words(key, table=look.id), scores])))]
    if look.view is None:
        return []
    if look.status is Status.FINISHED:
        scores = totals(words, look, look.view) if picture is None and look.conclusion is None else ""
        ended = [result(words, look, look.view), *conclusions.details(words, look), scores, _rematch(words, look)]
        return [text("\n".join(filter(None, ended))), gallery(picture)]
    if look.view.phase is Phase.BETWEEN:
        return [text(_between(words, look, look.view))]
    top = "\n".join([*_standing(words, look, mention), *themes_of(words, look)])
    return [text(top), gallery(picture), text(_below(words, look, look.view, told))]


def _standing(words: Words, look: TableSnapshot, mention: int | None) -> list[str]:
    """Whose turn it is, or that the game rests; who is absent, and what all are asked."""
    rests = paused_text(words, look)
    lines = [rests or _whose_turn(words, look, mention), *absence_lines(words, look), question_text(words, look)]
    return [line for line in lines if line]


def _whose_turn(words: Words, look: TableSnapshot, mention: int | None) -> str:
    """Whose turn it is, since and until when; a person who is to be notified is called by a mention."""
    called = "" if mention is None else calling_line(words, look, f"<@{mention}>")
    if called:
        return called
    line = headline(words, look)
    if mention is not None and look.view is not None and look.view.actor is not None:
        key = "answer_person" if look.view.phase is Phase.ANSWER else "turn_person"
        line = words(f"board.{key}", name=f"<@{mention}>")
    since = words("board.since", turn=line, when=instant(waits_since(look)))
    return "\n".join(filter(None, [since, clock_line(words, look)]))


def _below(words: Words, look: TableSnapshot, view: PublicView, told: str) -> str:
    """What the picture does not say: the last round, what irregularities have cost; or the table in words."""
    lines = [told] if told else penalties(words, look, view)
    happenings = [] if told else happened.last_round(words, look, room=LAST_ROUND)
    if happenings:
        lines = [*lines, words("board.last_round"), *(f"-# {line}" for line in happenings)]
    return "\n".join(line for line in lines if line) or words("board.no_round_yet", deal=view.deal)


def _between(words: Words, look: TableSnapshot, view: PublicView) -> str:
    """How the game stands, and when the next deal begins; or that nobody is seated."""
    deal = view.deal + 1
    rests = paused_text(words, look)
    if rests:
        begins = rests
    elif look.next_deal_at is not None:
        begins = words("board.next_soon", deal=deal, when=instant(look.next_deal_at))
    else:
        begins = words("board.next", deal=deal)
    rest = resting(words, look, view.resting_next, "board.resting_next")
    lines = [f"**{totals(words, look, view)}**", begins, rest, *absence_lines(words, look), question_text(words, look)]
    return "\n".join(filter(None, lines))


def _rematch(words: Words, look: TableSnapshot) -> str:
    return "" if look.rematch is None else words("board.rematch_at", table=look.rematch)


def shuffle_of(look: TableSnapshot, deal: int) -> Shuffle | None:
    """What is published of that deal's shuffle."""
    return next((shuffle for shuffle in look.shuffle if shuffle.deal == deal), None)


# --- controls ---------------------------------------------------------------------------------------------------------


def _rows(words: Words, look: TableSnapshot) -> list[Part | None]:
    def control(action: str) -> ControlId:
        return ControlId(look.id, look.version, action)

    if look.status in (Status.LOBBY, Status.CLOSED) or look.view is None:
        return []
    more = button(control("more"), "⋯")
    if look.status is Status.FINISHED:
        again = button(control("rematch"), words("board.rematch"), style=SUCCESS)
        return [buttons(again if look.rematch is None and look.contest is None else None, more)]
    back = back_button(words, look)
    question = [*rows(absence_buttons(words, look)), buttons(*question_buttons(words, look))]
    if look.paused:
        return [buttons(back, more)]
    if look.pause is not None:
        hand = button(control("hand"), words("board.my_hand"))
        return [buttons(go_on_button(words, look), hand, back, more), *question]
    if look.view.phase is Phase.BETWEEN:
        following = button(control("next_deal"), words("board.next_deal"), style=PRIMARY)
        return [buttons(following, button(control("word"), words("board.add_word")), back, more), *question]
    if look.view.phase is Phase.ANSWER:
        return [buttons(button(control("hand"), words("board.answer"), style=PRIMARY), back, more), *question]
    hand = button(control("hand"), words("board.my_hand"))
    return [buttons(*_drawing(words, look, look.view, control), hand, back, more), *question]


def _drawing(
    words: Words, look: TableSnapshot, view: PublicView, control: Callable[[str], ControlId]
) -> list[ui.Button[Any]]:
    """Draw and Take for the person whose turn begins, as far as what all can see allows them."""
    actor = look.actor
    if view.phase is not Phase.DRAW or actor is None or actor.person is None:
        return []
    found = [button(control("draw"), words("board.draw"), style=PRIMARY)] if view.stock else []
    if view.pile.top is not None and not view.pile.closed:
        found.append(button(control("board_take"), words("board.take")))
    return found
