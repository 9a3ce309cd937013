"""Tournaments played until they are closed, with names that look like markup, and exported as files.

Each is played once a process; its file is copied for every test.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bot.i18n import words
from bot.tables.state.snapshots import Caller
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.format_traits import FormatKind
from cogs.tournament.final_results import ExportFile, export_files
from tests.support.clock import ManualClock
from tests.support.tables import GUILD
from tests.support.tournaments import Evening, open_evening, pairs, rules_with_endless_deals, usual_plan

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
    "swiss": ({"kind": FormatKind.SWISS, "deals": 2, "rounds": 2, "rules": rules_with_endless_deals()}, pairs(5)),
    "bracket": ({"kind": FormatKind.SINGLE, "second_chance": True, "third_place": True}, pairs(7)),
    "boards": ({"kind": FormatKind.DUPLICATE, "duplicate": Duplicate(boards=3, in_a_round=1)}, pairs(4)),
}


async def _play_cup_to_close(evening: Evening, name: str) -> int:
    """Play a cup until it is closed, and return its number.

    In the Swiss one, the director adjusts a match and penalises an entry for coming late.
    """
    chosen, entries = CUPS[name]
    draft = usual_plan("Friday </title> cup", **chosen)
    number = (await evening.publish(draft)).id
    for first, second in entries:
        await evening.events.entering.enter(
            hostile_caller(evening, first), number, partners={second: HOSTILE.get(second, f"P{second}")}
        )
        await evening.events.entering.answer_partner_invitation(hostile_caller(evening, second), number, yes=True)
    view = await evening.events.overview.get_tournament(number)
    await evening.advance_to(view.plan.starts_at - view.plan.check_in_from)
    for one in (one for people in entries for one in people):
        await evening.events.entering.check_in(hostile_caller(evening, one), number)
    await evening.advance_to(view.plan.starts_at - view.plan.check_in_until)
    if name == "swiss":
        view = await evening.play_round(number)
        scores, reason = [(10, 500), (0, 30)], "wrong <b>count</b>"
        await evening.events.desk.adjust_scores(
            evening.director, number, view.matches[0].id, scores=scores, reason=reason
        )
        await evening.events.desk_entries.penalise_entry(
            evening.director, number, 2, category="late", level=3, reason="<u>late</u>"
        )
    await evening.play_all_rounds(number)
    return number


def hostile_caller(evening: Evening, person: int) -> Caller:
    """Return the `Caller` of that person under a name from `HOSTILE`, which looks like markup."""
    return Caller(person, HOSTILE.get(person, f"P{person}"), GUILD, next(evening.world.requests))


_closed: dict[str, tuple[bytes, int, int]] = {}
"""For each cup already played: its file, the time of its close and its number."""


@asynccontextmanager
async def open_services_with_closed_cup(path: Path, name: str) -> AsyncIterator[tuple[Evening, int]]:
    """Yield the services with a closed cup (`Evening`), on a copy of its database, and the cup's number."""
    if name not in _closed:
        with TemporaryDirectory() as folder:
            played = Path(folder) / "canasta.db"
            at, number = await _play_cup_in_new_file(played, name)
            _closed[name] = played.read_bytes(), at, number
    data, at, number = _closed[name]
    file = path / f"{name}.db"
    file.touch(0o600)
    file.write_bytes(data)
    async with open_evening(file, clock=ManualClock(at), first_request=7_000_000) as evening:
        yield evening, number


async def _play_cup_in_new_file(path: Path, name: str) -> tuple[int, int]:
    """Play that cup on a new file; return the instant of its close, and its number."""
    async with open_evening(path) as evening:
        number = await _play_cup_to_close(evening, name)
        return evening.clock.now(), number


async def files_of_closed_cup(path: Path, name: str, *, locale: str = "en") -> tuple[ExportFile, ...]:
    """Return the files that the closed cup exports."""
    async with open_services_with_closed_cup(path, name) as (evening, number):
        material = await evening.events.exports.export_input(number, person=99)
        return await export_files(words(locale), evening.world.service, material)


def write_export_page(path: Path, name: str, *, locale: str = "en") -> Path:
    """Write the closed cup's web page to a file, and return its path."""
    html, *_ = asyncio.run(files_of_closed_cup(path, name, locale=locale))
    file = path / f"{name}-{locale}.html"
    file.write_bytes(html.data)
    return file
