"""A director who plays may run rounds but make no rulings (`docs/tournaments.md` 7)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import MINUTE
from bot.tables.state.snapshots import Caller
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.refusals import TournamentCode
from bot.tournaments.service import TournamentService
from tests.support.clock import ManualClock
from tests.support.directed_tournament import FIRST, VERA, DirectedEvening
from tests.support.tables import CHANNEL, GUILD, open_world
from tests.support.tournaments import refusal_of

ANA = FIRST
"""The number of Ana, who directs and plays."""

EVE = 60
"""The number of Eve, who moderates the server."""


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[DirectedEvening]:
    clock = ManualClock()
    async with open_world(tmp_path / "canasta.db", clock=clock) as world:
        service = TournamentService(world.store, clock, world.service, away=world.readiness.outages)
        made = DirectedEvening(service, clock, GUILD, CHANNEL)
        yield made
        await service.playing.finish()


async def call_round_directed_by_ana(evening: DirectedEvening) -> int:
    """Call round 1 with Ana as a director; return a match in which she does not play."""
    await evening.draw_first_round()
    await evening.service.desk_entries.add_director(evening.caller(), evening.number, person=ANA, name="Ana")
    view = await evening.begin_round()
    return next(one.id for one in view.matches_of(1) if ANA not in one.seats)


Asked = Callable[[TournamentService, Caller, int, int], Awaitable[Any]]

RULINGS: dict[str, Asked] = {
    "adjust": lambda all_, by, t, m: all_.desk.adjust_scores(by, t, m, scores=((1, 2),), reason="r"),
    "points": lambda all_, by, t, m: all_.desk.give_points(by, t, m, points=(1, 1), reason="r"),
    "forfeit": lambda all_, by, t, m: all_.desk.forfeit_match(by, t, m, sides=(0,), reason="r"),
    "void": lambda all_, by, t, m: all_.desk.void_match(by, t, m, reason="r"),
    "board": lambda all_, by, t, m: all_.desk.adjust_board(by, t, m, board=1, sides=(), reason="r"),
    "undo": lambda all_, by, t, _: all_.desk.undo_ruling(by, t, ruling=1),
    "void round": lambda all_, by, t, _: all_.desk.void_round(by, t, reason="r"),
    "pair again": lambda all_, by, t, _: all_.desk.pair_again(by, t),
    "pair by hand": lambda all_, by, t, _: all_.desk.pair_by_hand(by, t, tables=[(1, 2), (3, 4)], byes=[]),
    "penalty": lambda all_, by, t, _: all_.desk_entries.penalise_entry(by, t, 4, category="late", level=3, reason="r"),
    "remove": lambda all_, by, t, _: all_.desk_entries.remove_entry(by, t, 4),
    "bring back": lambda all_, by, t, _: all_.desk_entries.bring_back_entry(by, t, 4),
    "seeds": lambda all_, by, t, _: all_.desk_entries.set_start_order(by, t, order=[4, 3, 2, 1]),
    "case": lambda all_, by, t, _: all_.desk_entries.answer_director_call(by, t, 1, text="no"),
}


@pytest.mark.parametrize("what", RULINGS)
async def test_8_50_a_director_who_plays_may_not_rule(evening: DirectedEvening, what: str) -> None:
    match = await call_round_directed_by_ana(evening)
    asked = RULINGS[what](evening.service, evening.caller(ANA), evening.number, match)
    before = await evening.tournament()
    assert (TournamentCode.DIRECTOR_PLAYS, {}) == await refusal_of(asked)
    assert before == await evening.tournament()


async def test_8_50_a_director_who_plays_may_run_rounds_and_tables_of_others(evening: DirectedEvening) -> None:
    match = await call_round_directed_by_ana(evening)
    ana, desk, number = evening.caller(ANA), evening.service.desk, evening.number
    await desk.wait_longer(ana, number, match)
    await desk.extend_match(evening.caller(ANA), number, match, amount=5 * MINUTE)
    await desk.substitute(evening.caller(ANA), number, match, seat=0, person=77, name="Sub")
    await desk.announce(evening.caller(ANA), number, text="Welcome")
    await desk.pause(evening.caller(ANA), number)
    await desk.resume(evening.caller(ANA), number)
    view = await evening.tournament()
    own = next(one.id for one in view.matches_of(1) if ANA in one.seats)
    mine = await refusal_of(desk.wait_longer(evening.caller(ANA), number, own))
    assert (TournamentCode.OWN_MATCH, {"match": own}) == mine
    await evening.finish_round([(500, 300)], [(700, 100)])
    await desk.postpone(evening.caller(ANA), number, amount=MINUTE)
    await desk.call_round(evening.caller(ANA), number)
    assert 2 == len((await evening.tournament()).rounds)


async def test_8_50_a_director_who_left_the_tournament_may_rule_except_on_her_own_entry(
    evening: DirectedEvening,
) -> None:
    match = await call_round_directed_by_ana(evening)
    await evening.service.entering.leave(evening.caller(ANA), evening.number)
    await evening.service.desk.forfeit_match(evening.caller(ANA), evening.number, match, sides=(0,), reason="late")
    own = evening.service.desk_entries.bring_back_entry(evening.caller(ANA), evening.number, 1)
    assert TournamentCode.OWN_MATCH is (await refusal_of(own))[0]


async def test_8_50_a_person_who_is_only_asked_as_a_partner_does_not_play(evening: DirectedEvening) -> None:
    await evening.enter_all_pairs()
    await evening.service.entering.enter(evening.caller(EVE), evening.number, partners={VERA: "Vera"})
    view = await evening.service.desk_entries.remove_entry(evening.caller(), evening.number, 1)
    assert EntryStage.REMOVED is view.entrant(1).stage


async def test_8_50_a_moderator_who_plays_may_not_act_as_director(evening: DirectedEvening) -> None:
    await evening.enter_all_pairs()
    stepped = evening.service.desk_entries.become_director(evening.caller(ANA), evening.number)
    assert (TournamentCode.DIRECTOR_PLAYS, {}) == await refusal_of(stepped)
    view = await evening.service.desk_entries.become_director(evening.caller(EVE), evening.number)
    assert (VERA, EVE) == view.directors
