"""The board: a pure rendering of a table for everybody, from the first deal to the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from discord import ui

from bot.engine.moves.phases import Phase
from bot.engine.table.views import PublicView
from bot.i18n import Words, theme_words
from bot.tables.looks import ClosedBecause, Shuffle, Status, TableLook
from cogs.shared.boards.absence import absence_buttons, absence_lines
from cogs.shared.boards.consent import go_on_button, question_buttons, question_text
from cogs.shared.boards.paused import back_button, paused_text
from cogs.shared.cards import card_text
from cogs.shared.interactions.edges import GOLD, GREEN, GREY
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.layout import (
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
from cogs.shared.telling import conclusions, happened, names
from cogs.shared.telling.figures import grouped
from cogs.shared.telling.times import calling_line, clock_line, instant, waits_since

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
    words: Words, look: TableLook, *, picture: Picture | None = None, mention: int | None = None, told: str = ""
) -> Page:
    """The message that shows a table whose game has begun, or that is closed.

    `mention` is the person it notifies, `told` what stands for its picture.
    """
    pictures = () if picture is None else (picture,)
    mentions = () if mention is None else (mention,)
    parts = [*_body(words, look, picture, mention, told), *_rows(words, look)]
    return page([container(*parts, edge=_edge(look))], pictures, mentions)


def _edge(look: TableLook) -> int:
    """Gold while a person is to act, green at the end, else grey. RGB."""
    if look.status is Status.FINISHED:
        return GREEN
    return GOLD if look.actor is not None and look.actor.person is not None else GREY


def aim(words: Words, look: TableLook) -> str:
    """What the game is played to: points, or a number of deals."""
    if look.terms.rounds is not None:
        return words("aim.deals", count=look.terms.rounds)
    return words("aim.points", target=grouped(words, look.target))


def rules_name(words: Words, rules: str) -> str:
    """A rule set's name in words."""
    key = f"rules.{rules}"
    return words(key) if key in words else names.shown(rules)


def base_name(words: Words, look: TableLook) -> str:
    """The name of the rules that a table was opened with: the server's own, or that of a rule set."""
    return names.shown(look.saved_as) if look.saved_as else rules_name(words, look.rules)


def rules_of(words: Words, look: TableLook) -> str:
    """The name of what a table plays, and whether its host has changed that; target and themes are told beside it."""
    same = replace(look.terms, target=look.base.target, theme=look.base.theme) == look.base
    name = base_name(words, look)
    return name if same else words("offer.house_rules", rules=name)


def headline(words: Words, look: TableLook) -> str:
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


def moved(words: Words, look: TableLook) -> str:
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


# --- what it says -----------------------------------------------------------------------------------------------------


def _body(words: Words, look: TableLook, picture: Picture | None, mention: int | None, told: str) -> list[Part | None]:
    if look.status is Status.CLOSED:
        key = _CLOSED[look.closed_because or ClosedBecause.ASKED]
        scores = "" if look.view is None else _totals(words, look, look.view)
        return [text("\n".join(filter(None, [words(key, table=look.id), scores])))]
    if look.view is None:
        return []
    if look.status is Status.FINISHED:
        ended = [result(words, look, look.view), *conclusions.details(words, look), _rematch(words, look)]
        return [text("\n".join(filter(None, ended))), gallery(picture)]
    if look.view.phase is Phase.BETWEEN:
        return [text(_between(words, look, look.view))]
    top = "\n".join([*_standing(words, look, mention), *themes_of(words, look)])
    return [text(top), gallery(picture), text(_below(words, look, look.view, told))]


def _standing(words: Words, look: TableLook, mention: int | None) -> list[str]:
    """Whose turn it is, or that the game rests; who is absent, and what all are asked."""
    rests = paused_text(words, look)
    lines = [rests or _whose_turn(words, look, mention), *absence_lines(words, look), question_text(words, look)]
    return [line for line in lines if line]


def themes_of(words: Words, look: TableLook) -> list[str]:
    """The themes that lie over a table's rules, each with what it asks in this deal."""
    lines = []
    for theme in look.terms.theme:
        title = theme_words.title(words, theme.name)
        now = "" if look.view is None else theme_words.in_deal(words, theme, look.view.deal)
        if now:
            lines.append(words("board.theme_now", title=title, condition=now))
        else:
            lines.append(words("board.theme", title=title, about=theme_words.told(words, theme)))
    return lines


def _whose_turn(words: Words, look: TableLook, mention: int | None) -> str:
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


def _below(words: Words, look: TableLook, view: PublicView, told: str) -> str:
    """What the picture does not say: the last round, what irregularities have cost; or the table in words."""
    lines = [told] if told else penalties(words, look, view)
    happenings = [] if told else happened.last_round(words, look, room=LAST_ROUND)
    if happenings:
        lines = [*lines, words("board.last_round"), *(f"-# {line}" for line in happenings)]
    return "\n".join(line for line in lines if line) or words("board.no_round_yet", deal=view.deal)


def penalties(words: Words, look: TableLook, view: PublicView) -> list[str]:
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


def resting(words: Words, look: TableLook, seats: Sequence[int], key: str = "board.resting") -> str:
    """Who rests, in words; empty where everybody plays."""
    return words(key, names=names.of_those(words, look, seats), count=len(seats)) if seats else ""


def _totals(words: Words, look: TableLook, view: PublicView) -> str:
    """Every score in one line: "Anna & Ben 2,450 · Computer 1 & Computer 2 2,690"."""
    return " · ".join(
        words("board.total", side=names.of_total(words, look, number), score=grouped(words, total.score))
        for number, total in enumerate(view.totals)
    )


def _between(words: Words, look: TableLook, view: PublicView) -> str:
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
    lines = [f"**{_totals(words, look, view)}**", begins, rest, *absence_lines(words, look), question_text(words, look)]
    return "\n".join(filter(None, lines))


def result(words: Words, look: TableLook, view: PublicView) -> str:
    """Who has won, and with how many points; or that nobody has."""
    if look.conclusion is not None:
        return conclusions.heading(words, look)
    winner = view.winner if view.winner is not None else 0
    side = names.of_total(words, look, winner)
    return words("board.winner", table=look.id, side=side, score=grouped(words, view.totals[winner].score))


def _rematch(words: Words, look: TableLook) -> str:
    return "" if look.rematch is None else words("board.rematch_at", table=look.rematch)


def shuffle_of(look: TableLook, deal: int) -> Shuffle | None:
    """What is published of that deal's shuffle."""
    return next((shuffle for shuffle in look.shuffle if shuffle.deal == deal), None)


# --- controls ---------------------------------------------------------------------------------------------------------


def _rows(words: Words, look: TableLook) -> list[Part | None]:
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
    words: Words, look: TableLook, view: PublicView, control: Callable[[str], ControlId]
) -> list[ui.Button[Any]]:
    """Draw and Take for the person whose turn begins, as far as what all can see allows them."""
    actor = look.actor
    if view.phase is not Phase.DRAW or actor is None or actor.person is None:
        return []
    found = [button(control("draw"), words("board.draw"), style=PRIMARY)] if view.stock else []
    if view.pile.top is not None and not view.pile.closed:
        found.append(button(control("board_take"), words("board.take")))
    return found
