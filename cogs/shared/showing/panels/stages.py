"""Stages: which state a seat is in, so that its panel says and offers just what is wanted there."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final

from bot.engine.moves.actions import ANNOUNCE, ASK, DRAW, Discard, LayRun, Meld, Show
from bot.engine.moves.phases import Phase
from bot.engine.table.views import SeatView
from bot.tables.advice import WayOut
from bot.tables.looks import SeatSnapshot, Status
from cogs.shared.door.components import GOLD, GREEN, GREY


class Stage(Enum):
    """What is wanted of a seat, or what it waits for."""

    LOBBY = auto()
    CLOSED = auto()
    OVER = auto()
    PAUSED = auto()  # the game stands still
    BETWEEN = auto()
    RESTING = auto()
    WAITING = auto()  # somebody else plays
    UNANSWERED = auto()  # the partner has been asked
    ASKED = auto()  # the partner asks
    DRAW = auto()
    WAYS = auto()  # draw, or take the pile
    STOCK_OUT = auto()  # take the pile, or pass
    OPENING_FIRST = auto()  # the initial meld lies there, now the pile is taken
    SPECIAL = auto()  # a special hand can be shown
    BOUND = auto()  # a yes or an announcement obliges to go out
    CAN_GO_OUT = auto()
    MUST_ASK = auto()  # can go out if the partner agrees
    MUST_ANNOUNCE = auto()  # can go out, and has to say so before
    ASIDE = auto()  # the pile waits for the rest of the initial meld
    REFUSED = auto()  # the partner said no
    DISCARD = auto()
    LAY = auto()


_EDGES: Final[Mapping[Stage, int]] = {
    Stage.LOBBY: GREEN,
    Stage.CLOSED: GREY,
    Stage.OVER: GREEN,
    Stage.PAUSED: GREY,
    Stage.BETWEEN: GREY,
    Stage.RESTING: GREY,
    Stage.WAITING: GREY,
    Stage.UNANSWERED: GREY,
    Stage.SPECIAL: GREEN,
    Stage.BOUND: GREEN,
    Stage.CAN_GO_OUT: GREEN,
    Stage.MUST_ASK: GREEN,
    Stage.MUST_ANNOUNCE: GREEN,
}
"""Colours of a panel's edge, RGB; gold, for acting, where a stage has none of its own."""

WAITING: Final = frozenset({Stage.LOBBY, Stage.PAUSED, Stage.RESTING, Stage.WAITING, Stage.UNANSWERED})
"""Stages in which the seat waits for others."""

FINISHING: Final = frozenset({Stage.BOUND, Stage.CAN_GO_OUT, Stage.MUST_ASK, Stage.MUST_ANNOUNCE})
"""Stages in which a way out is told."""


def edge_of(stage: Stage) -> int:
    """The colour of a panel's edge: gold to act, green to finish, grey to wait. RGB."""
    return _EDGES.get(stage, GOLD)


def stage_of(look: SeatSnapshot) -> Stage:
    """The state the seat is in."""
    view = look.view
    if look.table.status is Status.CLOSED:
        return Stage.CLOSED
    if view is None:
        return Stage.LOBBY
    if look.table.status is Status.FINISHED or view.table.phase is Phase.OVER:
        return Stage.OVER
    if look.table.pause is not None:
        return Stage.PAUSED
    if view.table.phase is Phase.BETWEEN:
        return Stage.BETWEEN
    if view.resting:
        return Stage.RESTING
    if not view.to_act:
        asking = view.table.phase is Phase.ANSWER and view.table.turn == view.seat
        return Stage.UNANSWERED if asking else Stage.WAITING
    if view.table.phase is Phase.ANSWER:
        return Stage.ASKED
    if (ending := _of_the_end(look, view)) is not None:
        return ending
    return _at_the_draw(look, view) if view.table.phase is Phase.DRAW else _in_play(view)


def _of_the_end(look: SeatSnapshot, view: SeatView) -> Stage | None:
    """The stage of a seat that may end the deal, or has to; None for any other."""
    if any(isinstance(step, Show) for step in view.legal):
        return Stage.SPECIAL
    if view.table.permission:
        return Stage.BOUND
    return None if look.offers.way_out is None else _with_a_way_out(look.offers.way_out)


def _at_the_draw(look: SeatSnapshot, view: SeatView) -> Stage:
    if DRAW not in view.legal:
        return Stage.OPENING_FIRST if view.table.stock else Stage.STOCK_OUT
    return Stage.WAYS if look.offers.takes else Stage.DRAW


def _in_play(view: SeatView) -> Stage:
    if view.table.pile.aside:
        return Stage.ASIDE
    if not any(not isinstance(step, Discard) for step in view.legal if step not in (ASK, ANNOUNCE)):
        return Stage.DISCARD
    return Stage.REFUSED if view.table.permission is False else Stage.LAY


def _with_a_way_out(way: WayOut) -> Stage:
    if way.word == "ask":
        return Stage.MUST_ASK
    return Stage.MUST_ANNOUNCE if way.word == "announce" else Stage.CAN_GO_OUT


def may_lay(view: SeatView) -> bool:
    """Whether any meld or run may be laid now."""
    return any(isinstance(step, Meld | LayRun) for step in view.legal)
