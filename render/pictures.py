"""The pictures as PNG files: drawn by one thread of their own, finished ones kept by what they show."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from bot.engine.cards import HELD_KINDS, card_of
from render.draw import draw
from render.emojis import emojis
from render.encode import png
from render.fallback import installed
from render.inputs import BoardPicture, HandPicture, Picture, ScorePicture
from render.items import Box, Face, Layout
from render.layout import layout_of
from render.layout_hand import CARD, HEADER, ROW, SHOWN, WIDEST_STEP
from render.memory import give_back
from render.text import FontRuler
from render.theme import THEMES

KEPT: Final = 48
"""Finished pictures kept, of 50 to 90 kB."""

TIDIED: Final = 32
"""After so many pictures memory is given back."""


class Pictures:
    """Draws pictures off the event loop. One thread is enough, and no more would be quicker."""

    def __init__(self) -> None:
        self._ruler: FontRuler | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._finished: OrderedDict[Layout, bytes] = OrderedDict()
        self._made = 0

    async def board(self, picture: BoardPicture) -> bytes:
        """The table, as a PNG file."""
        return await self._drawn(picture)

    async def hand(self, picture: HandPicture) -> bytes:
        """A hand, as a PNG file for its holder alone."""
        return await self._drawn(picture)

    async def score(self, picture: ScorePicture) -> bytes:
        """A score sheet, as a PNG file."""
        return await self._drawn(picture)

    async def drawn(self, picture: Picture) -> bytes:
        """Any picture, as a PNG file."""
        return await self._drawn(picture)

    async def emojis(self) -> Mapping[str, bytes]:
        """Cards and signs as emojis: PNG files by name (`render.emojis`)."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, emojis)

    async def warm(self) -> None:
        """Draw every card once, so that no player waits for it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._warm)

    def close(self) -> None:
        """End the thread; pictures being asked for are still finished."""
        self._thread.shutdown()

    def picture(self, picture: Picture) -> bytes:
        """The picture drawn here and now; blocks, so not for the event loop. Call it from one thread only."""
        if self._ruler is None:
            self._ruler = FontRuler(installed())
        layout = layout_of(picture, self._ruler)
        if (known := self._finished.get(layout)) is not None:
            self._finished.move_to_end(layout)
            return known
        data = png(draw(layout), THEMES[layout.theme].palette)
        self._finished[layout] = data
        if len(self._finished) > KEPT:
            self._finished.popitem(last=False)
        self._made += 1
        if self._made % TIDIED == 0:
            give_back()
        return data

    async def _drawn(self, picture: Picture) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self.picture, picture)

    def _warm(self) -> None:
        cards = sorted({card_of(kind, suit) for kind in range(HELD_KINDS) for suit in range(4)})
        place = Box(10, 40, *CARD)
        faces = tuple(Face(card, place, None, (width, SHOWN)) for card in cards for width in (WIDEST_STEP, CARD[0]))
        draw(Layout(HEADER + ROW, faces))
        installed()
