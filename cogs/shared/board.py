"""The board: a pure rendering of a table for everybody, from the first deal to the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.engine.phases import Phase
from bot.engine.views import PublicView, SideView
from bot.i18n import Words, theme_words
from bot.tables.looks import ClosedBecause, Shuffle, Status, TableLook
from cogs.shared import card_text, happened, names, score_text
from cogs.shared.closing import closing_buttons, closing_text
from cogs.shared.ids import ControlId
from cogs.shared.layout import (
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
    text,
)
from cogs.shared.paused import back_button, paused_text

LAST_ROUND: Final = 1200
"""Characters that the last round may take."""

_CLOSED: Final = {
    ClosedBecause.ASKED: "lobby.closed_asked",
    ClosedBecause.AGREED: "lobby.closed_agreed",
    ClosedBecause.EMPTY: "lobby.closed_empty",
    ClosedBecause.EXPIRED: "lobby.closed_expired",
}


def board(
    words: Words, look: TableLook, *, picture: Picture | None = None, mention: int | None = None, told: str = ""
) -> Page:
    """The message that shows a table whose game has begun, or that is closed.

    `mention` is the person it notifies, `told` what stands for its picture.
    """
    pictures = () if picture is None else (picture,)
    mentions = () if mention is None else (mention,)
    parts = [container(*_body(words, look, picture, mention, told)), *_rows(words, look)]
    return page([part for part in parts if part is not None], pictures, mentions)


def aim(words: Words, look: TableLook) -> str:
    """What the game is played to: points, or a number of deals."""
    if look.terms.rounds is not None:
        return words("aim.deals", count=look.terms.rounds)
    return words("aim.points", target=look.target)


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


def instant(milliseconds: int, style: str = "R") -> str:
    """An instant that each reader sees in their own time."""
    return f"<t:{milliseconds // 1000}:{style}>"


def headline(words: Words, look: TableLook) -> str:
    """Whose turn it is, or how the table stands, in one line without markup of its own."""
    view = look.view
    if look.paused:
        return words("paused.paused")
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
        return [
            text(words(key, table=look.id)),
            *([] if look.view is None else [text(_scores(words, look, look.view))]),
        ]
    if look.view is None:
        return []
    if look.status is Status.FINISHED:
        return [text(result(words, look, look.view)), gallery(picture), text(_finished(words, look, look.view))]
    if look.view.phase is Phase.BETWEEN:
        return [
            text(words("board.between", table=look.id, deal=look.view.deal)),
            gallery(picture),
            _between(words, look),
        ]
    top = [words("board.title", table=look.id, deal=look.view.deal), *_standing(words, look, mention)]
    top += themes_of(words, look)
    return [text("\n".join([*top, moved(words, look)])), gallery(picture), text(_playing(words, look, look.view, told))]


def _standing(words: Words, look: TableLook, mention: int | None) -> list[str]:
    """Whose turn it is, or that nobody is seated; and whether the table is to be closed."""
    lines = [paused_text(words, look) or _whose_turn(words, look, mention), closing_text(words, look)]
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
    """Whose turn it is; a person who is to be notified is called by a mention."""
    line = headline(words, look)
    actor = look.actor
    if look.paused or mention is None or actor is None or look.view is None or look.view.actor is None:
        return line
    key = "answer_person" if look.view.phase is Phase.ANSWER else "turn_person"
    return words(f"board.{key}", name=f"<@{mention}>")


def _playing(words: Words, look: TableLook, view: PublicView, told: str) -> str:
    lines = [told or playing_text(words, look, view)]
    if not told:
        lines += [words("board.last", line=line) for line in happened.last_round(words, look, room=LAST_ROUND)]
    shuffle = shuffle_of(look, view.deal)
    if shuffle is not None:
        lines.append(words("board.committed", deal=shuffle.deal, commitment=shuffle.commitment))
    return "\n".join(line for line in lines if line)


def playing_text(words: Words, look: TableLook, view: PublicView) -> str:
    """What the picture of a running deal shows, in words: what may be done, the scores, the piles."""
    may = "" if look.paused else advice(words, view)
    lines = [may, _scores(words, look, view), *penalties(words, look, view), _pile(words, look, view)]
    lines.append(resting(words, look, view.resting))
    return "\n".join(line for line in lines if line)


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


def _scores(words: Words, look: TableLook, view: PublicView) -> str:
    if view.phase in (Phase.BETWEEN, Phase.OVER):
        return "\n".join(
            words("board.side_line", side=names.of_total(words, look, number), score=total.score)
            for number, total in enumerate(view.totals)
        )
    return "\n".join(_side(words, look, side) for side in view.sides)


def _side(words: Words, look: TableLook, side: SideView) -> str:
    name, score = names.of_side(words, look, side.side), score_text.scores_of(side)
    line = words("board.side_line_deal", side=name, score=score, on_table=side.on_table)
    if side.opened:
        return line + words("board.opened", canastas=side.canastas)
    return line + words("board.needs", minimum=side.minimum)


def _pile(words: Words, look: TableLook, view: PublicView) -> str:
    line = words("board.pile", stock=view.stock, pile=view.pile.cards)
    if view.pile.top is not None:
        line += words("board.pile_top", top=card_text.card(view.pile.top))
    if view.pile.frozen:
        return line + words("board.pile_frozen")
    waits = view.phase is Phase.DRAW and bool(view.pile.cards) and view.seats[view.turn].frozen
    return line + words("board.pile_frozen_untaken", name=names.of_seat(words, look, view.turn)) if waits else line


def _between(words: Words, look: TableLook) -> Part:
    view = look.view
    lines = [] if view is None else [score_text.last_deal(words, look, view)]
    if view is not None and view.resting_next:
        lines.append(resting(words, look, view.resting_next, "board.resting_next"))
    lines += _standing(words, look, None)
    if look.paused:
        return text("\n".join([*lines, *_revealed(words, look)]))
    if look.next_deal_at is not None:
        lines.append(words("board.next_soon", when=instant(look.next_deal_at)))
    else:
        lines.append(words("board.next"))
    return text("\n".join([*lines, *_revealed(words, look)]))


def result(words: Words, look: TableLook, view: PublicView) -> str:
    """Who has won, and with how many points."""
    winner = view.winner if view.winner is not None else 0
    side = names.of_total(words, look, winner)
    return words("board.winner", table=look.id, side=side, score=view.totals[winner].score)


def _finished(words: Words, look: TableLook, view: PublicView) -> str:
    lines = [score_text.last_deal(words, look, view), *_revealed(words, look)]
    if look.rematch is not None:
        lines.append(words("board.rematch_at", table=look.rematch))
    return "\n".join(lines)


def _revealed(words: Words, look: TableLook) -> list[str]:
    """The last deal's seed and how to check it, and the commitment to the next one's."""
    lines = []
    for shuffle in look.shuffle[-2:]:
        if shuffle.seed is not None and shuffle.contributions is not None:
            told = {"deal": shuffle.deal, "seed": shuffle.seed, "commitment": shuffle.commitment}
            lines.append(words("board.revealed", contributions=",".join(shuffle.contributions) or "–", **told))
        elif look.status is Status.PLAYING:
            lines.append(words("board.committed", deal=shuffle.deal, commitment=shuffle.commitment))
    return lines


def shuffle_of(look: TableLook, deal: int) -> Shuffle | None:
    """What is published of that deal's shuffle."""
    return next((shuffle for shuffle in look.shuffle if shuffle.deal == deal), None)


# --- controls ---------------------------------------------------------------------------------------------------------


def _rows(words: Words, look: TableLook) -> list[Part | None]:
    def control(action: str) -> ControlId:
        return ControlId(look.id, look.version, action)

    if look.status in (Status.LOBBY, Status.CLOSED):
        return []
    shown = [button(control("score"), words("board.score")), button(control("rules"), words("board.rules"))]
    if look.status is Status.FINISHED:
        rematch = button(control("rematch"), words("board.rematch"), style=SUCCESS, enabled=look.rematch is None)
        return [buttons(rematch, *shown)]
    closing = buttons(*closing_buttons(words, look))
    if look.paused:
        return [buttons(back_button(words, look), *shown)]
    if look.view is not None and look.view.phase is Phase.BETWEEN:
        next_deal = button(control("next_deal"), words("board.next_deal"), style=PRIMARY)
        return [buttons(next_deal, *shown, back_button(words, look)), closing]
    hand = button(control("hand"), words("board.my_hand"), style=PRIMARY)
    text_button = button(control("board_text"), words("board.text"))
    return [buttons(hand, *shown, text_button, back_button(words, look)), closing]
