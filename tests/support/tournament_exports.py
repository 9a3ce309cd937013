"""Tournaments that were played to their close, with names that would like to be markup, given away as files."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bot.i18n import words
from bot.tables.looks import Caller
from bot.tournaments.course import Kind
from bot.tournaments.event.event_plan import Duplicate
from cogs.tournament.given_files import Given, export_files
from tests.support.tables import GUILD
from tests.support.tournaments import Evening, open_evening, pairs, plan

HOSTILE: Final = {
    1: "<script>window.evil=1</script>",
    2: '"><img src=x onerror="window.evil=1">',
    3: "\u202eevil\u2066",
    4: "Maximiliane-Wilhelmina von Hohen",
    5: "Жёлтый ёж",
    6: "😀 Gus",
    7: "a" * 32,
    8: "=1+1",
}
"""Names by person; all others are called by their numbers."""

CUPS: Final[dict[str, tuple[dict[str, Any], Sequence[tuple[int, ...]]]]] = {
    "swiss": ({"kind": Kind.SWISS, "deals": 2, "rounds": 2}, pairs(5)),
    "bracket": ({"kind": Kind.SINGLE, "second_chance": True, "third_place": True}, pairs(7)),
    "boards": ({"kind": Kind.DUPLICATE, "duplicate": Duplicate(boards=2, in_a_round=2)}, pairs(4)),
}


async def played(evening: Evening, name: str) -> int:
    """That cup, played to its close; the first match of the Swiss one was adjusted, and somebody was late."""
    chosen, entries = CUPS[name]
    draft = plan("Friday </title> cup", **chosen)
    number = (await evening.published(draft)).id
    for first, second in entries:
        await evening.events.enter(named(evening, first), number, partners={second: HOSTILE.get(second, f"P{second}")})
        await evening.events.answer_partner(named(evening, second), number, yes=True)
    look = await evening.events.look(number)
    await evening.until(look.plan.starts_at - look.plan.check_in_from)
    for one in (one for people in entries for one in people):
        await evening.events.here(named(evening, one), number)
    await evening.until(look.plan.starts_at - look.plan.check_in_until)
    if name == "swiss":
        look = await evening.play_round(number)
        scores, reason = [(10, 500), (0, 30)], "wrong <b>count</b>"
        await evening.events.adjust(evening.director, number, look.matches[0].id, scores=scores, reason=reason)
        await evening.events.penalise(evening.director, number, 2, category="late", level=3, reason="<u>late</u>")
    await evening.play_all(number)
    return number


def named(evening: Evening, person: int) -> Caller:
    """That person under a name of above."""
    return Caller(person, HOSTILE.get(person, f"P{person}"), GUILD, next(evening.world.requests))


async def files(path: Path, name: str, *, locale: str = "en") -> tuple[Given, ...]:
    """What that cup gives away at its close."""
    async with open_evening(path / f"{name}.db") as evening:
        number = await played(evening, name)
        material = await evening.events.material(number, person=99)
        return await export_files(words(locale), evening.world.service, material)


def written(path: Path, name: str, *, locale: str = "en") -> Path:
    """The page of that cup, in a file."""
    html, *_ = asyncio.run(files(path, name, locale=locale))
    file = path / f"{name}-{locale}.html"
    file.write_bytes(html.data)
    return file
