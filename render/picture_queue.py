"""Draw pictures as PNG files in one thread, with a cache and a fair queue.

The queue serves owners in turn. A newer request of an owner for the same subject replaces the older one, and an owner
with too many waiting requests loses the oldest. Large images leave some 50 MB of unused memory in the C library after a
thousand pictures, so it is returned to the system from time to time.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from PIL import Image

from bot.engine.cards.cards import HELD_KINDS, card_of
from render.colour_themes import PIXELS, THEMES
from render.drawing.emojis import draw_emojis
from render.drawing.fallback_fonts import installed_fonts
from render.drawing.fonts import FontRuler
from render.drawing.paint_layout import draw_layout
from render.drawing.png import encode_png
from render.layout_items import Box, CardFace, Layout
from render.layouts import layout_of
from render.layouts.hand import CARD, HEADER, ROW, VISIBLE_HEIGHT, WIDEST_STEP
from render.picture_inputs import BoardPicture, HandPicture, Picture, ScorePicture


def _find_malloc_trim() -> Callable[[int], int] | None:
    """Return glibc's function `malloc_trim`, or None with other C libraries."""
    try:
        return cast(Callable[[int], int], ctypes.CDLL(None).malloc_trim)
    except (OSError, AttributeError, TypeError):
        return None


_malloc_trim = _find_malloc_trim()


def return_memory_to_system() -> None:
    """Return unused memory to the system, if the C library can."""
    if _malloc_trim is not None:
        _malloc_trim(0)


MOST_WAITING: Final = 3
"""Most waiting pictures of one owner."""


class RequestSuperseded(Exception):
    """The picture was not drawn, because its owner has requested a newer one."""


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A waiting request for a picture."""

    picture: Picture
    drawn: asyncio.Future[bytes]


class WaitingRequests:
    """The waiting requests for pictures by owner; the owner to be served next is first."""

    def __init__(self) -> None:
        self._owners: OrderedDict[Hashable, OrderedDict[Hashable, PictureRequest]] = OrderedDict()
        self._served: Hashable = None

    def add_request(self, wanted: PictureRequest, owner: Hashable, subject: Hashable) -> None:
        """Queue a request for a picture; waiters of requests that it replaces get `RequestSuperseded`."""
        own = self._owners.setdefault(owner, OrderedDict())
        older = own.get(subject)
        own[subject] = wanted  # the older request's place is kept, so that repeating a request does not delay it
        if older is not None:
            _supersede_request(older)
        elif len(own) > MOST_WAITING:
            _supersede_request(own.popitem(last=False)[1])

    def next_request(self) -> PictureRequest | None:
        """Remove and return the next request, or None; its owner is then served after all others."""
        if self._served in self._owners:
            self._owners.move_to_end(self._served)
        while self._owners:
            self._served, own = next(iter(self._owners.items()))
            _, wanted = own.popitem(last=False)
            if own:
                self._owners.move_to_end(self._served)
            else:
                del self._owners[self._served]
            if not wanted.drawn.done():  # if done, nobody waits for it: its waiter was cancelled
                return wanted
        return None

    def fail_all_requests(self, error: BaseException) -> None:
        """Fail all waiting requests with this error."""
        while (wanted := self.next_request()) is not None:
            wanted.drawn.set_exception(error)


def _supersede_request(wanted: PictureRequest) -> None:
    """Tell the waiter of a request that a newer one has replaced it."""
    if not wanted.drawn.done():
        wanted.drawn.set_exception(RequestSuperseded())


MOST_CACHED: Final = 48
"""Number of finished pictures in the cache, of 50 to 90 kB each."""

RETURN_MEMORY_AFTER: Final = 32
"""Memory is returned to the system each time this many pictures were drawn."""


Wanted = TypeVar("Wanted", Layout, Picture)


def _find_cached_file(files: OrderedDict[Wanted, bytes], wanted: Wanted) -> bytes | None:
    """Return the cached file of this request and mark it as most recent; None if there is none."""
    if wanted in files:
        files.move_to_end(wanted)
    return files.get(wanted)


def _keep_in_cache(files: OrderedDict[Wanted, bytes], wanted: Wanted, data: bytes) -> None:
    """Store the file in the cache; if that is full, remove the least recently used file."""
    files[wanted] = data
    if len(files) > MOST_CACHED:
        files.popitem(last=False)


class PictureQueue:
    """Draws pictures off the event loop in one thread; more threads would not be faster.

    Requests with an `owner` are served in turn with other owners' requests, and only the newest request for a `subject`
    is drawn: older ones raise `RequestSuperseded`. Requests without an owner are independent. All pictures are `pixels`
    wide, with the layout scaled from the usual width. `encode` makes a file of an image and its palette.
    """

    def __init__(self, *, pixels: int = PIXELS, encode: Callable[[Image.Image, str], bytes] = encode_png) -> None:
        self._pixels = pixels
        self._encode = encode
        self._ruler: FontRuler | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._finished: OrderedDict[Layout, bytes] = OrderedDict()
        self._by_input: OrderedDict[Picture, bytes] = OrderedDict()
        self._made = 0
        self._waiting = WaitingRequests()
        self._drawing: asyncio.Task[None] | None = None

    async def draw_board(self, picture: BoardPicture, *, owner: Hashable = None, subject: Hashable = "board") -> bytes:
        """Return the table as a PNG file."""
        return await self.draw_png(picture, owner=owner, subject=subject)

    async def draw_hand(self, picture: HandPicture, *, owner: Hashable = None, subject: Hashable = "hand") -> bytes:
        """Return a hand as a PNG file, private to its holder."""
        return await self.draw_png(picture, owner=owner, subject=subject)

    async def draw_score(self, picture: ScorePicture, *, owner: Hashable = None, subject: Hashable = "score") -> bytes:
        """Return a score sheet as a PNG file."""
        return await self.draw_png(picture, owner=owner, subject=subject)

    async def draw_png(self, picture: Picture, *, owner: Hashable = None, subject: Hashable = None) -> bytes:
        """Return any picture as a PNG file. Raises `RequestSuperseded` if replaced by a newer request."""
        loop = asyncio.get_running_loop()
        wanted = PictureRequest(picture, loop.create_future())
        self._waiting.add_request(wanted, object() if owner is None else owner, subject)
        if self._drawing is None or self._drawing.done() or self._drawing.get_loop() is not loop:
            self._drawing = asyncio.create_task(self._draw_waiting_requests(), name="pictures")
        return await wanted.drawn

    async def draw_emojis(self) -> Mapping[str, bytes]:
        """Return cards and signs as emojis: PNG files by name (`render.drawing.emojis`)."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, draw_emojis)

    async def fill_caches(self) -> None:
        """Draw every card once into the caches, so that no player waits for it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._draw_every_card)

    def close(self) -> None:
        """End the thread after the current picture; waiting requests fail."""
        self._waiting.fail_all_requests(RuntimeError("no more pictures are drawn"))
        self._thread.shutdown()

    def draw_blocking(self, picture: Picture) -> bytes:
        """Return the picture as a PNG file, drawn in the calling thread.

        It blocks, and must always be called from the same thread.
        """
        if self._ruler is None:
            self._ruler = FontRuler(installed_fonts())
        layout = layout_of(picture, self._ruler)
        if (known := _find_cached_file(self._finished, layout)) is not None:
            return known
        data = self._encode(draw_layout(layout, pixels=self._pixels), THEMES[layout.theme].palette)
        _keep_in_cache(self._finished, layout, data)
        self._made += 1
        if self._made % RETURN_MEMORY_AFTER == 0:
            return_memory_to_system()
        return data

    async def _draw_waiting_requests(self) -> None:
        """Draw waiting pictures one after the other."""
        while (wanted := self._waiting.next_request()) is not None:
            try:
                data = await self._find_or_draw_picture(wanted.picture)
            except Exception as error:  # noqa: BLE001 - passed on to the waiting caller
                if not wanted.drawn.done():
                    wanted.drawn.set_exception(error)
            else:
                if not wanted.drawn.done():
                    wanted.drawn.set_result(data)

    async def _find_or_draw_picture(self, picture: Picture) -> bytes:
        """Return the picture as a file, from the cache if the input equals that of a recent picture.

        A panel shows the same hand on each of its pages.
        """
        data = _find_cached_file(self._by_input, picture)
        if data is None:
            data = await asyncio.get_running_loop().run_in_executor(self._thread, self.draw_blocking, picture)
            _keep_in_cache(self._by_input, picture, data)
        return data

    def _draw_every_card(self) -> None:
        """Draw every card once, which fills the caches of their images."""
        cards = sorted({card_of(kind, suit) for kind in range(HELD_KINDS) for suit in range(4)})
        place = Box(10, 40, *CARD)
        faces = tuple(
            CardFace(card, place, None, (width, VISIBLE_HEIGHT)) for card in cards for width in (WIDEST_STEP, CARD[0])
        )
        draw_layout(Layout(HEADER + ROW, faces))
        installed_fonts()
