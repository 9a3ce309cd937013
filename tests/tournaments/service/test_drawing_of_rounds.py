"""Rounds are drawn outside the event loop; a draw from outdated data is not stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.tournaments.event.tournament import Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.formats.format import Format
from bot.tournaments.service import TournamentService
from tests.support.tournaments import Evening, open_evening, pairs, usual_plan

PATIENCE = 60.0
"""Seconds in which the event loop answers a thread; only one that is blocked needs as many."""


class FormatsWithDelayedDrawing:
    """A lookup of formats whose first drawing waits while something happens on the event loop.

    `drawn` lists the number of active entries at each drawing. A drawing that blocked the event loop would fail.
    """

    def __init__(self, kind: FormatKind, *methods: str) -> None:
        self.drawn: list[int] = []
        self.happens: Callable[[], Awaitable[object]] | None = None
        self._loop = asyncio.get_running_loop()
        of_kind = type(FORMATS[kind])
        watched = {method: self._delay_drawing(getattr(of_kind, method)) for method in methods}
        self._format: Format = type("Watched", (of_kind,), watched)()

    def __call__(self, _tournament: Tournament) -> Format:
        return self._format

    def _delay_drawing(self, method: Callable[..., object]) -> Callable[..., object]:
        def draw(of_kind: Format, *given: object) -> object:
            tournaments = [one for one in given if isinstance(one, Tournament)]
            self.drawn.append(sum(one.is_active for one in tournaments[-1].entrants))
            asyncio.run_coroutine_threadsafe(self._run_given_event(), self._loop).result(PATIENCE)
            return method(of_kind, *given)

        return draw

    async def _run_given_event(self) -> None:
        if len(self.drawn) == 1 and self.happens is not None:
            await self.happens()


def paired_entries(tournament: Tournament) -> set[int]:
    """Return the entries paired in the newest round or in the rounds planned after it."""
    turn = tournament.current_round
    assert turn is not None
    planned_sides = (side for one in tournament.schedule for fixture in one.fixtures for side in fixture.sides)
    drawn_sides = (side for match in tournament.matches_of(turn.number) for side in match.sides)
    return {entry for sides in (drawn_sides, planned_sides) for side in sides for entry in side}


@pytest.mark.parametrize("methods", [("draw_next_round",), ("prepare_start", "with_consequences")])
async def test_the_bot_answers_while_a_round_is_drawn(tmp_path: Path, methods: tuple[str, ...]) -> None:
    watched = FormatsWithDelayedDrawing(FormatKind.INDIVIDUAL, *methods)
    async with open_evening(tmp_path / "canasta.db", formats=watched) as evening:
        asked: list[asyncio.Task[Tournament]] = []

        async def leave_first_entry() -> None:
            assert (await evening.events.overview.open_tournaments_in(evening.director.guild or 0))[0].rounds == ()
            asked.append(asyncio.create_task(evening.events.entering.leave(evening.caller(1), 1)))

        watched.happens = leave_first_entry
        number = await evening.begin_tournament(
            usual_plan(kind=FormatKind.INDIVIDUAL, rounds=3), [(one,) for one in range(1, 10)]
        )
        after = await asked[0]
        assert number == after.id
        assert (9, 8) == (watched.drawn[0], watched.drawn[-1]), "drawn again after a player has left meanwhile"
        assert set(range(2, 10)) == paired_entries(after)


async def test_a_round_is_drawn_again_if_another_process_wrote_meanwhile(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    watched = FormatsWithDelayedDrawing(FormatKind.SWISS, "draw_next_round")
    async with open_evening(tmp_path / "canasta.db", formats=watched) as evening:
        another = _service_of_another_process(evening)
        watched.happens = lambda: another.entering.withdraw_person(1, 1)
        await evening.begin_tournament(usual_plan(), pairs(5))
        assert "the stored tournament is not the cached one" in caplog.text
        assert [5, 4] == watched.drawn
        assert {2, 3, 4, 5} == paired_entries(await evening.events.overview.get_tournament(1))


def _service_of_another_process(evening: Evening) -> TournamentService:
    return TournamentService(
        evening.world.store, evening.clock, evening.world.service, away=evening.world.readiness.outages
    )
