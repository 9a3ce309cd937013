"""Opening a tournament for entries, and undoing that while it has none (`docs/tournaments.md` 2)."""

from __future__ import annotations

from pathlib import Path

from bot.clocks.clock import HOUR
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.event.tournament import Stage
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import open_evening, pairs, refusal_of, usual_plan


async def test_a_tournament_without_entries_becomes_a_draft_again(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan())).id
        draft = await evening.events.entering.unpublish(evening.director, number)
        assert Stage.DRAFT is draft.stage
        closed = await refusal_of(evening.events.entering.enter(evening.caller(1), number, partners={2: "P2"}))
        assert (TournamentCode.WRONG_STAGE, {"stage": "draft"}) == closed
        await evening.pass_time(3 * HOUR)
        assert Stage.DRAFT is (await evening.events.overview.get_tournament(number)).stage, "no clock begins a draft"
        later = usual_plan("Saturday cup", starts_at=evening.clock.now() + 2 * HOUR)
        await evening.events.entering.change_plan(evening.director, number, later)
        await evening.events.entering.publish(evening.director, number)
        await evening.enter(number, (1, 2))
        assert "Saturday cup" == (await evening.events.overview.get_tournament(number)).plan.name


async def test_a_republished_tournament_has_a_new_seed_and_new_boards(
    tmp_path: Path,
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        plan = usual_plan(kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=3, in_a_round=1))
        before = await evening.publish(plan)
        await evening.events.entering.unpublish(evening.director, before.id)
        after = await evening.events.entering.publish(evening.director, before.id)
        assert before.commitment != after.commitment
        assert {one.commitment for one in before.boards}.isdisjoint(one.commitment for one in after.boards)
        for people in pairs(4):
            await evening.enter(after.id, people)
        await evening.advance_to(after.plan.starts_at - after.plan.check_in_from)
        await evening.check_in(after.id, range(1, 9))
        await evening.advance_to(after.plan.starts_at)
        view = await evening.play_all_rounds(after.id)
        assert Stage.CLOSED is view.stage
        assert [one.commitment for one in after.boards] == [one.commitment for one in view.boards]


async def test_a_tournament_with_an_entry_or_invitation_stays_open(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan())).id
        await evening.events.entering.enter(evening.caller(1), number, partners={2: "P2"})
        why = await refusal_of(evening.events.entering.unpublish(evening.director, number))
        assert (TournamentCode.SOMEBODY_ENTERED, {"entries": 1}) == why
        await evening.events.entering.leave(evening.caller(1), number)
        assert Stage.DRAFT is (await evening.events.entering.unpublish(evening.director, number)).stage


async def test_only_a_director_unpublishes_and_only_an_open_tournament(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan())).id
        assert (
            TournamentCode.NOT_DIRECTOR
            is (await refusal_of(evening.events.entering.unpublish(evening.caller(1), number)))[0]
        )
        await evening.events.entering.unpublish(evening.director, number)
        assert (
            TournamentCode.WRONG_STAGE
            is (await refusal_of(evening.events.entering.unpublish(evening.director, number)))[0]
        )
