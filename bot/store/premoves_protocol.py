"""The part of the Store protocol that is about what persons have prepared for their next turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class PremoveStore(Protocol):
    """What persons have prepared, as text that the store never looks into; a table's version stays as it is."""

    async def premoves(self, table: int) -> Mapping[int, str]:
        """What is prepared at a table, by person."""

    async def tables_with_premoves(self) -> tuple[int, ...]:
        """The tables at which anything is prepared, oldest first."""

    async def set_premove(self, table: int, person: int, prepared: str) -> None:
        """Keep what a person prepares, in place of what was there. Raises `UnknownTable`."""

    async def change_premove(self, table: int, person: int, prepared: str | None, *, before: str) -> None:
        """Put something else, or nothing, in the place of just that; nothing happens where it is no longer there."""

    async def forget_premove(self, table: int, person: int) -> None:
        """Keep nothing prepared by that person at that table."""
