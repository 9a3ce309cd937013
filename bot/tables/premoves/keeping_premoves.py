"""Keeping what is prepared: as JSON text in the store, beside the tables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, cast

from bot.store.errors import Undecodable
from bot.store.forms import CARD, CARDS, FLAG, KIND, NUMBER, Form, one_of, optional, several, whole
from bot.store.premoves import PremoveStore
from bot.tables.premoves.values import PlannedTurn, Premove, PremoveBasis, PremoveEnd

_WISH: Final = Form(
    "wish", PlannedTurn, {"draw": FLAG, "ranks": several(KIND), "discard": optional(CARD), "agree": FLAG}
)
_UPON: Final = Form(
    "upon",
    PremoveBasis,
    {
        "seat": NUMBER,
        "deal": NUMBER,
        "turn": NUMBER,
        "comes": NUMBER,
        "takes": NUMBER,
        "hand": CARDS,
        "melds": several(CARDS),
    },
)
_PREMOVE: Final = Form(
    "premove", Premove, {"wish": whole(_WISH), "upon": whole(_UPON), "ended": optional(one_of(PremoveEnd))}
)


def write(premove: Premove) -> str:
    """What is prepared as JSON text."""
    return json.dumps(_PREMOVE.write(premove), separators=(",", ":"))


def read(text: str) -> Premove:
    """What is prepared. Raises `Undecodable`."""
    try:
        return cast(Premove, _PREMOVE.read(json.loads(text)))
    except ValueError as error:
        raise Undecodable(f"premove: {type(error).__name__}") from None


class Premoves:
    """What is prepared at every table, by person; text that cannot be read is taken for nothing."""

    def __init__(self, premoves: PremoveStore) -> None:
        self._premoves = premoves

    async def at(self, table: int) -> Mapping[int, Premove]:
        """What is prepared at a table, by person."""
        found = {}
        for person, text in (await self._premoves.at_table(table)).items():
            with suppress(Undecodable):
                found[person] = read(text)
        return found

    async def of(self, table: int, person: int) -> Premove | None:
        """What that person has prepared there."""
        return (await self.at(table)).get(person)

    async def tables(self) -> tuple[int, ...]:
        """The tables at which anything is prepared."""
        return await self._premoves.tables()

    async def keep(self, table: int, person: int, premove: Premove) -> None:
        """Keep that, in place of what was there."""
        await self._premoves.set(table, person, write(premove))

    async def change(self, table: int, person: int, before: Premove, after: Premove | None) -> None:
        """Put another, or nothing, in the place of just that one."""
        prepared = None if after is None else write(after)
        await self._premoves.change(table, person, prepared, before=write(before))

    async def forget(self, table: int, person: int) -> None:
        """Keep nothing prepared by that person."""
        await self._premoves.forget(table, person)
