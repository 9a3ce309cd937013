from __future__ import annotations

from pathlib import Path

from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.tournament import Stage
from bot.tournaments.standings.rows import standings
from tests.support.tournaments import one_round_rules, open_evening, pairs, usual_plan


async def test_a_swiss_of_six_pairs_is_played_to_its_close(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rules=one_round_rules()), pairs(6))
        view = await evening.play_all_rounds(number)
        assert Stage.CLOSED is view.stage
        assert 4 == len(view.rounds) == view.rounds_planned
        rows = standings(course_of(view))
        assert 6 == len(rows)
        assert 4 * 3 * 2 == sum(row.points for row in rows)
        assert view.lot_shown
