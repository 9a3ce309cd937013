"""Titles: what is wanted of a seat in one line, and the sentences that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.engine.cards.cards import ACE
from bot.engine.law.special_hands import special_points
from bot.engine.moves.actions import Show
from bot.engine.rules.irregularities import late_questions_bind
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.looks import SeatSnapshot
from cogs.shared.reading import card_text
from cogs.shared.showing.panels import outs
from cogs.shared.showing.panels.stages import FINISHING, Stage
from cogs.shared.showing.paused import paused_text
from cogs.shared.telling import conclusions, names
from cogs.shared.telling.numbers import grouped, signed


def title(words: Words, look: SeatSnapshot, stage: Stage) -> str:
    """What is wanted, or what the seat waits for."""
    return _TITLES[stage](words, look) if stage in _TITLES else words(_PLAINLY[stage])


def told(words: Words, look: SeatSnapshot, stage: Stage) -> list[str]:
    """What the title needs beside it: why the pile cannot be taken, the way out, what a partner has to know."""
    view = look.view
    if view is None:
        return []
    if stage in FINISHING and look.offers.way_out is not None:
        return [outs.in_words(words, look, look.offers.way_out, stage)]
    if stage is Stage.BOUND:
        return [words("panel.bound_no_more")]
    if stage is Stage.OVER:
        return conclusions.details(words, look.table)
    if stage is Stage.PAUSED:
        return [paused_text(words, look.table)]
    if stage is Stage.ASKED:
        return [_asked(words, look, view)]
    said_no = view.table.permission is False and stage is not Stage.REFUSED and view.table.actor == look.seat
    frozen = _frozen(words, view) if stage is Stage.DRAW else ""
    return [*([_refused(words, look)] if said_no else []), *([frozen] if frozen else [])]


def consequences(words: Words, look: SeatSnapshot) -> str:
    """What a partner's yes and no mean, for below the picture."""
    rules = look.table.terms
    binds = rules.yes_binds or rules.needs_word
    return words("panel.yes_or_no" if binds else "panel.yes_is_leave", name=_in_turn(words, look))


# --- titles -----------------------------------------------------------------------------------------------------------


def _waiting(words: Words, look: SeatSnapshot) -> str:
    order = look.table.view.playing if look.table.view is not None else ()
    before = order[order.index(look.seat) - 1] if look.seat in order else look.seat
    return words("panel.title_waiting", name=names.of_seat(words, look.table, before))


def _unanswered(words: Words, look: SeatSnapshot) -> str:
    view = look.table.view
    asked = None if view is None else view.actor
    return words("panel.title_unanswered", name=names.of_seat(words, look.table, look.seat if asked is None else asked))


def _of_whoever_asks(words: Words, look: SeatSnapshot) -> str:
    return words("panel.title_asked", name=_in_turn(words, look))


def _in_turn(words: Words, look: SeatSnapshot) -> str:
    return "?" if look.table.view is None else names.of_seat(words, look.table, look.table.view.turn)


def _bound(words: Words, look: SeatSnapshot) -> str:
    if look.table.terms.out_announce:
        return words("panel.title_announced")
    if late_questions_bind(look.table.terms):
        return words("panel.title_bound_by_asking")  # perhaps the partner was not heard
    return words("panel.title_bound", name=partners(words, look))


def _must_ask(words: Words, look: SeatSnapshot) -> str:
    return words("panel.title_must_ask", name=partners(words, look))


def _refused(words: Words, look: SeatSnapshot) -> str:
    return words("panel.title_refused", name=partners(words, look))


def _resting(words: Words, look: SeatSnapshot) -> str:
    return words("panel.title_resting", deal=0 if look.view is None else look.view.table.deal + 1)


def _special(words: Words, look: SeatSnapshot) -> str:
    legal = () if look.view is None else look.view.legal
    hand = next((step.hand for step in legal if isinstance(step, Show) and step.hand), "")
    points = special_points(look.table.terms, hand)
    return words("panel.title_special", hand=words(f"special_hand.{hand}"), points=grouped(words, points))


def _between(words: Words, look: SeatSnapshot) -> str:
    view = look.table.view
    if view is None or not view.results:
        return words("panel.deal_over")
    number, result = own_total(look), view.results[-1]
    return words(
        "panel.title_between",
        deal=result.deal,
        points=signed(words, result.lines[number].total),
        score=grouped(words, result.scores[number]),
    )


def _over(words: Words, look: SeatSnapshot) -> str:
    view = look.table.view
    winner = look.table.winner
    if view is None or winner is None:
        return words("panel.over")
    scores = [total.score for total in view.totals]
    own = own_total(look)
    others = max((score for number, score in enumerate(scores) if number != own), default=0)
    won = winner == own
    return words(
        "panel.title_won" if won else "panel.title_lost",
        own=grouped(words, scores[own]),
        others=grouped(words, others),
        name=names.of_total(words, look.table, winner),
        score=grouped(words, scores[winner]),
    )


_TITLES: Final[Mapping[Stage, Callable[[Words, SeatSnapshot], str]]] = {
    Stage.WAITING: _waiting,
    Stage.UNANSWERED: _unanswered,
    Stage.ASKED: _of_whoever_asks,
    Stage.BOUND: _bound,
    Stage.MUST_ASK: _must_ask,
    Stage.REFUSED: _refused,
    Stage.RESTING: _resting,
    Stage.SPECIAL: _special,
    Stage.BETWEEN: _between,
    Stage.OVER: _over,
}
"""Titles with names and numbers in them."""

_PLAINLY: Final[Mapping[Stage, str]] = {
    Stage.LOBBY: "panel.title_lobby",
    Stage.CLOSED: "panel.title_closed",
    Stage.PAUSED: "consent.paused",
    Stage.DRAW: "panel.title_draw",
    Stage.WAYS: "panel.title_ways",
    Stage.STOCK_OUT: "panel.title_stock_out",
    Stage.OPENING_FIRST: "panel.title_opening_first",
    Stage.CAN_GO_OUT: "panel.title_can_go_out",
    Stage.MUST_ANNOUNCE: "panel.title_must_announce",
    Stage.ASIDE: "panel.title_aside",
    Stage.DISCARD: "panel.title_discard",
    Stage.LAY: "panel.title_lay",
}
"""Titles that are one sentence each."""


# --- what belongs to them ---------------------------------------------------------------------------------------------


def own_total(look: SeatSnapshot) -> int:
    """The number of the score that the seat shares."""
    totals = () if look.table.view is None else look.table.view.totals
    return next((number for number, total in enumerate(totals) if look.seat in total.seats), 0)


def partners(words: Words, look: SeatSnapshot) -> str:
    """The names of those who play with the seat."""
    seats = () if look.view is None else look.view.side.seats
    return names.of_those(words, look.table, (seat for seat in seats if seat != look.seat))


def _asked(words: Words, look: SeatSnapshot, view: SeatView) -> str:
    """What the partner needs to know to answer."""
    asking, side = view.table.seats[view.table.turn], view.side
    others = [info for info in view.table.seats if info.side != side.side and not info.resting]
    return words(
        "panel.asked_because",
        name=_in_turn(words, look),
        cards=asking.cards,
        own=len(view.hand),
        points=grouped(words, view.hand_points),
        table=signed(words, side.on_table),
        theirs=" / ".join(signed(words, one.on_table) for one in view.table.sides if one.side != side.side),
        held=sum(info.cards for info in others),
    )


def _frozen(words: Words, view: SeatView) -> str:
    """Why a frozen pile cannot be taken, where it is for want of a pair."""
    pile, top = view.table.pile, view.table.pile.top
    if top is None or top >> 2 > ACE or not (pile.frozen or view.table.seats[view.seat].frozen):
        return ""
    held = sum(1 for card in view.hand if card >> 2 == top >> 2)
    return words("panel.frozen_no_pair", kinds=card_text.kind_word(words, top >> 2, 2)) if held < 2 else ""
