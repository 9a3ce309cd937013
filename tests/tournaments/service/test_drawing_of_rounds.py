"""Rounds are drawn outside the event loop; a draw from data that changed meanwhile is not stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.formats import individual
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.formats.format import Format
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.service import TournamentService
from bot.tournaments.traits import FormatKind
from tests.support.tournaments import Evening, open_evening, pairs, plan

PATIENCE = 60.0
"""Seconds in which the event loop answers a thread; only one that is blocked needs as many."""


def while_drawing(
    monkeypatch: pytest.MonkeyPatch, kind: FormatKind, name: str, happens: Callable[[], Awaitable[object]]
) -> list[int]:
    """Let something happen on the event loop during each drawing; return how many entries each drawing knew."""
    loop = asyncio.get_running_loop()
    drawn: list[int] = []
    owner: object = individual if name == "plan_rounds" else type(FORMATS[kind])
    found: Callable[[Format, Tournament, SeededDraw], object] = getattr(owner, name)

    async def once() -> None:
        if len(drawn) == 1:
            await happens()

    def drawing(of: Format, tournament: Tournament, lot: SeededDraw) -> object:
        drawn.append(sum(one.active for one in tournament.entrants))
        asyncio.run_coroutine_threadsafe(once(), loop).result(PATIENCE)
        return found(of, tournament, lot)

    monkeypatch.setattr(owner, name, drawing)
    return drawn


def meeting(tournament: Tournament) -> set[int]:
    """Return the paired entries of the newest round and of those planned after it."""
    turn = tournament.current
    assert turn is not None
    planned_sides = (side for one in tournament.schedule for fixture in one.fixtures for side in fixture.sides)
    drawn_sides = (side for match in tournament.matches_of(turn.number) for side in match.sides)
    return {entry for sides in (drawn_sides, planned_sides) for side in sides for entry in side}


@pytest.mark.parametrize("name", ["next_round", "plan_rounds"])
async def test_the_bot_answers_while_a_round_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        asked: list[asyncio.Task[Tournament]] = []

        async def leaves() -> None:
            assert (await evening.events.overview.open_in(evening.director.guild or 0))[0].rounds == ()
            asked.append(asyncio.create_task(evening.events.entering.leave(evening.caller(1), 1)))

        drawn = while_drawing(monkeypatch, FormatKind.INDIVIDUAL, name, leaves)
        number = await evening.begun(plan(kind=FormatKind.INDIVIDUAL, rounds=3), [(one,) for one in range(1, 10)])
        after = await asked[0]
        assert number == after.id
        assert [9, 8] == drawn[:2], "whoever leaves meanwhile comes afterwards, and it is drawn anew"
        assert set(range(2, 10)) == meeting(after)


async def test_a_foreign_write_makes_the_drawing_start_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        another = _another_process(evening)
        drawn = while_drawing(monkeypatch, FormatKind.SWISS, "next_round", lambda: another.entering.gone(1, 1))
        with pytest.raises(TournamentRefusal) as stale:
            await evening.begun(plan(), pairs(5))
        assert TournamentCode.STALE_TOURNAMENT is stale.value.code
        assert "the stored tournament is not the cached one" in caplog.text
        await evening.events.alarms.fire_deadline(1, "clock")
        assert [5, 4] == drawn
        assert {2, 3, 4, 5} == meeting(await evening.events.overview.look(1))


def _another_process(evening: Evening) -> TournamentService:
    return TournamentService(
        evening.world.store, evening.clock, evening.world.service, away=evening.world.readiness.away
    )
