"""Keepsakes: the messages of a game that stay and that nobody edits: how it began, and each deal's sheet.

Each is posted once, above the board. A crash between posting and noting one makes Discord take the second for the
first, for it has the same name.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial

from bot.i18n import Words
from bot.profiles.service import ProfileService
from bot.tables.looks import Status, TableSnapshot
from bot.tables.service import TableService
from cogs.shared.door.calls import Failed
from cogs.shared.door.components import Page, text_page
from cogs.shared.reading.discord_limits import LONGEST_NONCE
from cogs.shared.showing import fair
from cogs.shared.showing.pages import Pages
from cogs.shared.showing.table_board import shuffle_of

Post = Callable[[Page, str], Awaitable[Failed | None]]
"""Posts a page where the table lives, under that name; what went wrong, if anything did."""

Note = Callable[[], Awaitable[None]]


class KeptMessages:
    """Knows which of them a table still lacks."""

    def __init__(self, tables: TableService, profiles: ProfileService, pages: Pages) -> None:
        self._tables = tables
        self._profiles = profiles
        self._pages = pages

    async def post(self, words: Words, look: TableSnapshot, post: Post) -> bool | Failed:
        """Post those that are due, and note each; whether there were any, or why one could not be posted."""
        posted = False
        async for page, name, note in self._due(words, look):
            failed = await post(page, name[-LONGEST_NONCE:])
            if failed is not None:
                return failed
            await note()
            posted = True
        return posted

    async def _due(self, words: Words, look: TableSnapshot) -> AsyncIterator[tuple[Page, str, Note]]:
        """The pages in order, the name of each, and what notes it."""
        opening = await self._opening(words, look)
        if opening is not None:
            yield opening, f"begun.{look.id}", partial(self._tables.note_begun, look.id)
        last = look.view.results[-1].deal if look.view is not None and look.view.results else 0
        shown = await self._tables.sheet_shown(look.id) if last else 0
        for deal in range(shown + 1, last + 1):
            preferences = await self._profiles.server(look.guild)
            page = await self._pages.sheet(words, look, deal, preferences=preferences)
            yield page, f"sheet.{look.id}.{deal}", partial(self._tables.record_sheet, look.id, deal)

    async def _opening(self, words: Words, look: TableSnapshot) -> Page | None:
        """The message that opens the game, with the seal of its first deal, or whose cards that has."""
        view = look.view
        if view is None or look.status is not Status.PLAYING or view.deal != 1 or view.results:
            return None
        seal = shuffle_of(look, view.deal)
        known = fair.known_cards(words, look)
        if (seal is None and not known) or (await self._tables.showing(look.id)).begun:
            return None
        if seal is None:
            return text_page(*known)
        return text_page(words("message.begun", table=look.id, deal=view.deal, commitment=seal.commitment))
