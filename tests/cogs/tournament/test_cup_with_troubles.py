"""A cup with late, leaving and missing players, and a bot that is restarted in the second round."""

from __future__ import annotations

from pathlib import Path

from bot.clocks.clock import MINUTE
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.tournament import Stage
from bot.tournaments.format_traits import FormatKind
from tests.support.cup_evening import CupEvening
from tests.support.discord_tournaments import cup_world
from tests.support.tournament_figures import find_differences

LATE, LEAVING, ABSENT, MISSING = (14, 15), 2, 5, 13


async def test_a_cup_survives_a_late_entry_a_drop_out_a_no_show_and_a_restart(tmp_path: Path) -> None:
    async with cup_world(tmp_path, people=16) as cup:
        night = CupEvening(cup, absent={ABSENT})
        await cup.publish(kind=FormatKind.SWISS, drawn=False, entry_size=2, rounds=3, places=32)
        assert "must say yes until" in await night.press_enter(0, 3)
        await night.answer_invitation(3, accepts=False)
        for first in range(0, 14, 2):
            await night.enter_together(first, first + 1)
        await night.check_in([place for place in range(14) if place != MISSING])

        await night.wait_for_matches_of_round(1)
        tournament = await night.tournament()
        assert EntryStage.LEFT is next(one for one in tournament.entrants if one.captain == cup.person(12).id).stage
        await night.open_hands(1)
        await night.enter_together(*LATE)
        await night.play_round(1)
        assert "Sure?" in await night.press_leave(LEAVING)
        cup.message(f"forfeit, {cup.actors[ABSENT].user.global_name} did not come.")

        night.absent.clear()
        opening, *others = await night.wait_for_matches_of_round(2)
        await night.play_match(opening)
        await cup.discord.restart(meanwhile=lambda: cup.clock.advance(MINUTE))
        await cup.wait_until_idle()
        assert [one.id for one in others] == [one.id for one in (await night.tournament()).matches_of(2)[1:]]
        await night.play_round(2)
        await night.play_round(3)
        await cup.advance_to(Stage.CLOSED)

        assert [] == find_differences(await night.request_export())
        results = [one.result for one in (await night.tournament()).matches]
        assert [1] == [len(one.forfeited) for one in results if one is not None and one.forfeited]
        assert {1} == set(night.count_mentions_by_round().values())
        assert {1} == set(night.count_mentions().values())
        assert [] == night.texts_posted_twice()
