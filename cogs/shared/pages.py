"""Pages with their pictures: boards and panels as they are sent.

A picture that cannot be drawn is left out; the words beside it say the same.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable
from typing import Final

from bot.engine.phases import Phase
from bot.engine.views import PublicView, SeatView
from bot.i18n import Words
from bot.tables.looks import SeatLook, Status, TableLook
from cogs.shared import board as boards
from cogs.shared import draft as drafts
from cogs.shared import errors, happened, names
from cogs.shared.draft import NOTHING, Draft
from cogs.shared.inputs import InputProblem
from cogs.shared.layout import Page, Picture
from cogs.shared.panel import panel
from render import describe
from render.inputs import BoardPicture, HandPicture, ScorePicture
from render.pictures import Pictures

_MARKUP: Final = re.compile(r"\\(.)|\*\*|^-# |^#+ ", re.MULTILINE)


class Pages:
    """Makes pages; owns nothing but the way to the pictures."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures

    async def board(self, words: Words, look: TableLook, *, mention: int | None = None, serial: int = 0) -> Page:
        """The table for everybody; `serial` tells apart pictures of one version."""
        return boards.board(words, look, picture=await self._board_picture(words, look, serial), mention=mention)

    async def panel(
        self, words: Words, look: SeatLook, *, draft: Draft = NOTHING, note: str = "", serial: int = 0
    ) -> Page:
        """A seat's own panel; what the draft names and the hand no longer holds is left out of it."""
        if look.view is None:
            return panel(words, look, note=note)
        fitting = drafts.fitted(draft, look.view.hand)
        picture = await self._hand_picture(words, look, fitting, serial)
        return panel(words, look, draft=fitting, note=note, picture=picture)

    async def score_picture(self, words: Words, look: TableLook, serial: int = 0) -> Picture | None:
        """The score sheet, once a deal has been scored."""
        if look.view is None or not look.view.results:
            return None
        asked = score_input(words, look, look.view)
        name = f"score-{look.id}-{look.version}-{serial}.png"
        return await _drawn(self._pictures.score(asked), name, describe.score_alt(asked), describe.score_text(asked))

    async def _board_picture(self, words: Words, look: TableLook, serial: int) -> Picture | None:
        view = look.view
        if view is None or look.status is Status.CLOSED or not view.deal:
            return None
        if view.phase in (Phase.BETWEEN, Phase.OVER):
            return await self.score_picture(words, look, serial)
        asked = board_input(words, look, view)
        name = f"table-{look.id}-{look.version}-{serial}.png"
        return await _drawn(self._pictures.board(asked), name, describe.board_alt(asked), describe.board_text(asked))

    async def _hand_picture(self, words: Words, look: SeatLook, draft: Draft, serial: int) -> Picture | None:
        if look.view is None or not look.view.hand:
            return None
        asked = hand_input(words, look, look.view, draft)
        name = f"hand-{look.table.id}-{look.table.version}-{serial}.png"
        return await _drawn(self._pictures.hand(asked), name, describe.hand_alt(asked), describe.hand_text(asked))


def board_input(words: Words, look: TableLook, view: PublicView) -> BoardPicture:
    """What the picture of the table shows."""
    return BoardPicture(
        view=view,
        names=names.of_seats(words, look),
        headline=unmarked(boards.headline(words, look)),
        advice=boards.advice(words, view),
        last=tuple(unmarked(line) for line in reversed(happened.recent_lines(words, look))),
    )


def hand_input(words: Words, look: SeatLook, view: SeatView, draft: Draft = NOTHING) -> HandPicture:
    """What the picture of a hand shows."""
    try:
        staged = tuple(lay.cards for lay in drafts.melds(draft, view))
    except InputProblem:
        staged = ()
    return HandPicture(
        view=view,
        title=names.of_seats(words, look.table)[look.seat],
        staged=staged,
        staged_points=draft.points(view.table.rules),
    )


def score_input(words: Words, look: TableLook, view: PublicView) -> ScorePicture:
    """What the score sheet shows."""
    seats = names.of_seats(words, look)
    return ScorePicture(
        results=view.results,
        side_names=tuple(" & ".join(seats[seat] for seat in side.seats) for side in view.sides),
        target=look.target,
        rules_name=boards.rules_name(words, look.rules),
        winner=view.winner,
        banner=unmarked(boards.result(words, look, view)) if view.winner is not None else "",
    )


def unmarked(text: str) -> str:
    """A message's text without its markup, for pictures and descriptions."""
    return _MARKUP.sub(lambda match: match[1] or "", text)


async def _drawn(drawing: Awaitable[bytes], name: str, caption: str, full: str) -> Picture | None:
    try:
        return Picture(name, await drawing, caption, full)
    except Exception as error:  # noqa: BLE001 - a game goes on without its picture
        errors.unexpected(error, "drawing a picture")
        return None
