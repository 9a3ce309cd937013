"""The pictures as PNG files: drawn by one thread of their own, finished ones kept by what they show.

Giving memory back to the system.

Pictures are made of large images that come and go between small ones that stay. The C library keeps what lies between
them, some 50 MB after a thousand pictures; asked, it gives it back in a few milliseconds.

What waits to be drawn: everybody in turn, and of one person only what that person still wants.

Whoever asks has an owner's place in the round. A newer request of the same owner for the same thing takes the place of
the older one, which nobody looks at any more; an owner with too much waiting loses the oldest of it.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, cast

from bot.engine.cards.cards import HELD_KINDS, card_of
from render.drawing.draw import draw
from render.drawing.emojis import emojis
from render.drawing.encode import png
from render.drawing.fallback_fonts import installed
from render.drawing.fonts import FontRuler
from render.inputs import BoardPicture, HandPicture, Picture, ScorePicture
from render.items import Box, Face, Layout
from render.layouts import layout_of
from render.layouts.hand import CARD, HEADER, ROW, SHOWN, WIDEST_STEP
from render.theme import THEMES


def _trim() -> Callable[[int], int] | None:
    """Return the C library's own function, where it has one: glibc does."""
    try:
        return cast(Callable[[int], int], ctypes.CDLL(None).malloc_trim)
    except (OSError, AttributeError, TypeError):
        return None


_give_back = _trim()


def give_back() -> None:
    """Give what is not in use back to the system, if the C library can."""
    if _give_back is not None:
        _give_back(0)


MOST_WAITING: Final = 3
"""Pictures that one owner may have waiting."""


class Superseded(Exception):
    """The picture was not drawn, because its owner has asked for a newer one since."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture that somebody waits for."""

    picture: Picture
    drawn: asyncio.Future[bytes]


class Waiting:
    """The requests that have not been begun, by owner; the owner whose turn is next comes first."""

    def __init__(self) -> None:
        self._owners: OrderedDict[Hashable, OrderedDict[Hashable, Wanted]] = OrderedDict()
        self._served: Hashable = None

    def add(self, wanted: Wanted, owner: Hashable, subject: Hashable) -> None:
        """Let a picture wait; those it supersedes raise `Superseded` for who waits for them."""
        own = self._owners.setdefault(owner, OrderedDict())
        older = own.get(subject)
        own[subject] = wanted  # in the older one's place: who asks again and again does not fall back
        if older is not None:
            _give_up(older)
        elif len(own) > MOST_WAITING:
            _give_up(own.popitem(last=False)[1])

    def next(self) -> Wanted | None:
        """Return the picture to draw now; whoever was served last comes after everybody who waits."""
        if self._served in self._owners:
            self._owners.move_to_end(self._served)
        while self._owners:
            self._served, own = next(iter(self._owners.items()))
            _, wanted = own.popitem(last=False)
            if own:
                self._owners.move_to_end(self._served)
            else:
                del self._owners[self._served]
            if not wanted.drawn.done():  # else nobody waits for it any more
                return wanted
        return None

    def refuse(self, error: BaseException) -> None:
        """Let nobody wait any longer."""
        while (wanted := self.next()) is not None:
            wanted.drawn.set_exception(error)


def _give_up(wanted: Wanted) -> None:
    if not wanted.drawn.done():
        wanted.drawn.set_exception(Superseded())


KEPT: Final = 48
"""Finished pictures kept, of 50 to 90 kB."""

TIDIED: Final = 32
"""After so many pictures memory is given back."""


class Pictures:
    """Draws pictures off the event loop. One thread is enough, and no more would be quicker.

    Whoever is named as the `owner` of what is asked for waits in turn with the others, and for the newest picture of
    a `subject` only (`render.pictures`): the older request raises `Superseded`. Without an owner every request waits
    for itself.
    """

    def __init__(self) -> None:
        self._ruler: FontRuler | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._finished: OrderedDict[Layout, bytes] = OrderedDict()
        self._made = 0
        self._waiting = Waiting()
        self._drawing: asyncio.Task[None] | None = None

    async def board(self, picture: BoardPicture, *, owner: Hashable = None, subject: Hashable = "board") -> bytes:
        """Return the table, as a PNG file."""
        return await self.drawn(picture, owner=owner, subject=subject)

    async def hand(self, picture: HandPicture, *, owner: Hashable = None, subject: Hashable = "hand") -> bytes:
        """Return a hand, as a PNG file for its holder alone."""
        return await self.drawn(picture, owner=owner, subject=subject)

    async def score(self, picture: ScorePicture, *, owner: Hashable = None, subject: Hashable = "score") -> bytes:
        """Return a score sheet, as a PNG file."""
        return await self.drawn(picture, owner=owner, subject=subject)

    async def drawn(self, picture: Picture, *, owner: Hashable = None, subject: Hashable = None) -> bytes:
        """Any picture, as a PNG file. Raises `Superseded` where its owner has asked for a newer one meanwhile."""
        loop = asyncio.get_running_loop()
        wanted = Wanted(picture, loop.create_future())
        self._waiting.add(wanted, object() if owner is None else owner, subject)
        if self._drawing is None or self._drawing.done() or self._drawing.get_loop() is not loop:
            self._drawing = asyncio.create_task(self._draw(), name="pictures")
        return await wanted.drawn

    async def emojis(self) -> Mapping[str, bytes]:
        """Cards and signs as emojis: PNG files by name (`render.drawing.emojis`)."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, emojis)

    async def warm(self) -> None:
        """Draw every card once, so that no player waits for it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._warm)

    def close(self) -> None:
        """End the thread; a picture that has been begun is still finished, those that wait are not."""
        self._waiting.refuse(RuntimeError("no more pictures are drawn"))
        self._thread.shutdown()

    def picture(self, picture: Picture) -> bytes:
        """Return the picture drawn here and now; blocks, so not for the event loop. Call it from one thread only."""
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

    async def _draw(self) -> None:
        """Draw what waits, one after the other."""
        loop = asyncio.get_running_loop()
        while (wanted := self._waiting.next()) is not None:
            try:
                data = await loop.run_in_executor(self._thread, self.picture, wanted.picture)
            except Exception as error:  # noqa: BLE001 - it belongs to whoever asked for the picture
                if not wanted.drawn.done():
                    wanted.drawn.set_exception(error)
            else:
                if not wanted.drawn.done():
                    wanted.drawn.set_result(data)

    def _warm(self) -> None:
        cards = sorted({card_of(kind, suit) for kind in range(HELD_KINDS) for suit in range(4)})
        place = Box(10, 40, *CARD)
        faces = tuple(Face(card, place, None, (width, SHOWN)) for card in cards for width in (WIDEST_STEP, CARD[0]))
        draw(Layout(HEADER + ROW, faces))
        installed()
