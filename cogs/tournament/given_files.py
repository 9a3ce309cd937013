"""What a tournament gives away as files: its page with replays, its document, its tables."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.i18n import Words
from bot.tables.service import TableService
from bot.tournaments.event.values import Stage, Tournament
from bot.tournaments.export.document import document, document_text
from bot.tournaments.export.material import Material
from bot.tournaments.export.sheets import archive
from cogs.tournament.page.replays import replay
from cogs.tournament.page.whole_page import page

LARGEST: Final = 7_000_000
"""The bytes that a page may have, so that three files together can be sent anywhere."""

Replays = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class Given:
    """A file: its name, what is in it, and what it is in words."""

    name: str
    data: bytes
    told: str


async def export_files(words: Words, tables: TableService, material: Material) -> tuple[Given, ...]:
    """The page, the document and the tables; replays are in the page once all is played."""
    over = material.tournament.stage in (Stage.CLOSING, Stage.CLOSED)
    replays = await replays_of(words, tables, material.tournament) if over else {}
    return await asyncio.to_thread(_files, words, material, replays)


def _files(words: Words, material: Material, replays: Replays) -> tuple[Given, ...]:
    number = material.tournament.id
    return (
        Given(f"canasta-event-{number}.html", page_bytes(words, material, replays), words("export.page")),
        Given(f"canasta-event-{number}.json", document_text(material).encode(), words("export.document")),
        Given(f"canasta-event-{number}.zip", archive(document(material)), words("export.sheets")),
    )


def page_bytes(words: Words, material: Material, replays: Replays, *, largest: int = LARGEST) -> bytes:
    """The page; without replays, and saying so, where it would be too large with them."""
    made = page(words, material, replays).encode()
    return made if len(made) <= largest else page(words, material, {}, left_out=True).encode()


async def replays_of(words: Words, tables: TableService, tournament: Tournament) -> dict[tuple[int, int], str]:
    """Every finished deal of the tournament as HTML, by its match and the number of the deal or board."""
    found: dict[tuple[int, int], str] = {}
    for match in tournament.matches:
        if match.voided:
            continue
        count = 0
        for one in match.tables:
            for deal in await tables.contest_replays(one.table):
                count += 1
                key = match.id, count if one.board is None else one.board
                told = await asyncio.to_thread(replay, words, deal, board=one.board is not None)
                found[key] = found.get(key, "") + told
    return found
