"""What a picture is asked to show: views of the engine with the words around them, ready to be drawn.

Every text comes in the viewer's language; names may be any display names, they are bounded here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.engine.cards import Card
from bot.engine.views import PublicView, SeatView
from render.words import ENGLISH, Words


class Lines(Protocol):
    """One side's deal line by line, as the engine scores it (`ScoreLines`). Points."""

    @property
    def natural_canastas(self) -> int: ...
    @property
    def mixed_canastas(self) -> int: ...
    @property
    def other_canastas(self) -> int: ...
    @property
    def red_threes(self) -> int: ...
    @property
    def going_out(self) -> int: ...
    @property
    def melded(self) -> int: ...
    @property
    def in_hand(self) -> int: ...
    @property
    def penalties(self) -> int: ...
    @property
    def bonuses(self) -> int: ...
    @property
    def total(self) -> int: ...


class Result(Protocol):
    """A deal that is over, as the engine tells it (`DealEnded`): its number, lines and totals after it by side."""

    @property
    def deal(self) -> int: ...
    @property
    def lines(self) -> Sequence[Lines]: ...
    @property
    def scores(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardPicture:
    """The table for everybody. `names` go by seat; `last` are the last actions, the latest first."""

    view: PublicView
    names: tuple[str, ...]
    headline: str = ""
    advice: str = ""
    last: tuple[str, ...] = ()
    words: Words = ENGLISH


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPicture:
    """A seat's own hand, for its holder alone.

    `selected` are the cards chosen at the moment, `staged` the melds put together but not yet laid and
    `staged_points` what they count; both are cards of the hand.
    """

    view: SeatView
    title: str = ""
    selected: tuple[Card, ...] = ()
    staged: tuple[tuple[Card, ...], ...] = ()
    staged_points: int = 0
    words: Words = ENGLISH


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePicture:
    """The score after a deal, or at the end of the game where there is a `winner` (a side).

    `results` are the deals so far, at least one; `side_names` go by side; `banner` stands above all, such as who
    has won.
    """

    results: Sequence[Result]
    side_names: tuple[str, ...]
    target: int
    rules_name: str = ""
    winner: int | None = None
    banner: str = ""
    words: Words = ENGLISH
