"""A tournament ends the same although its process is killed after any step.

The file is copied after every commit, as a kill would leave it, and a new process plays the copy to its close. Each
match's result is derived from its number, so that both runs have the same results. The exports must be equal, and all
matches rated.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from bot.ratings.service import RatingService
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.counted_results import Deal
from bot.tournaments.event import matches
from bot.tournaments.event.match_state import MatchSeat, MatchStage, MatchState, Result
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import tournament_document
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.match_ratings import TournamentRatings
from tests.support.clock import ManualClock
from tests.support.seeds import SEARCHING
from tests.support.tables import CHANNEL
from tests.support.tournaments import DIRECTOR, Evening, open_evening, pairs, usual_plan
from tests.tournaments.service.test_ratings_of_final_rounds import DatabaseCopies

TRIED: Final = 3
"""Points of a tournament at which the process is killed by day; by night it is at every point."""

KINDS: Final[dict[str, tuple[dict[str, Any], int]]] = {
    "swiss": ({"rounds": 3}, 5),
    "robin": ({"kind": FormatKind.ROUND_ROBIN}, 4),
    "single": ({"kind": FormatKind.SINGLE, "second_chance": True}, 8),
    "double": ({"kind": FormatKind.DOUBLE}, 5),
}


def made_up_result(match: MatchState, now: int) -> Result:
    """Return a made-up result that depends only on the match; every fifth is a forfeit."""
    if match.id % 5 == 0:
        return Result(forfeited=(1,), winner=0, finished_at=now)
    net = (match.id * 37 % 11 - 5) * 100 + 50
    seated = tuple(MatchSeat(person=person, seat=seat, deals=1) for seat, person in enumerate(match.seats))
    deals = (Deal(number=1, scores=(1000 + net, 1000)),)
    return Result(deals=deals, winner=int(net < 0), seated=seated, finished_at=now)


async def end_match(evening: Evening, tournament_number: int, match: MatchState) -> None:
    async def set_made_up_result(tournament: Tournament, now: int) -> Tournament:
        return matches.set_result(tournament, match=match.id, result=made_up_result(match, now))

    await evening.events.playing.change(
        tournament_number, TournamentRequest("result", None, {"match": match.id}), set_made_up_result
    )
    await evening.wait_until_idle()


async def finish_tournament(evening: Evening, tournament_number: int) -> dict[str, Any]:
    """Continue the tournament from its current state to its close; return its export."""
    ratings = RatingService(evening.world.store.ratings, evening.clock)
    evening.events.rounds.set_ratings(TournamentRatings(ratings))
    await evening.wait_until_idle()
    view = await evening.events.overview.get_tournament(tournament_number)
    while view.stage is not Stage.CLOSED:
        open_ = [one for one in view.matches if one.result is None and not one.voided]
        called = next((one for one in open_ if one.stage in (MatchStage.CALLED, MatchStage.PLAYING)), None)
        if called is None:
            due = await evening.events.alarms.next_due_at()
            assert due is not None, "nothing would ever happen again"
            await evening.advance_to(max(due, evening.clock.now() + 1))
        elif called.id % 4 == 1 and called.place is None:
            await evening.events.playing.set_match_channel(tournament_number, called.id, CHANNEL)
            await evening.wait_until_idle()
        else:
            await end_match(evening, tournament_number, called)
        view = await evening.events.overview.get_tournament(tournament_number)
    shown = tournament_document(await evening.events.exports.export_input(tournament_number, person=DIRECTOR))
    played = {one["id"] for turn in shown["rounds"] for one in turn["matches"] if not one["unrated"]}
    assert played == {one["match"] for one in shown["ratings"]["log"]}, "a closed match is unrated"
    return {name: json.loads(json.dumps(shown[name])) for name in shown if name not in ("audit", "generated_at")}


@pytest.mark.parametrize("more", range(4 if SEARCHING else 1))
@pytest.mark.parametrize("kind", KINDS)
async def test_a_kill_after_any_step_does_not_change_how_the_tournament_ends(
    tmp_path: Path, kind: str, more: int
) -> None:
    chosen, count = KINDS[kind]
    count += more
    path = tmp_path / "canasta.db"
    instants: list[int] = []
    async with open_evening(path) as evening:
        number = await evening.begin_tournament(usual_plan(rated=True, **chosen), pairs(count))
        copies = DatabaseCopies(path, tmp_path)
        evening.events.subscribe(copies.on_changed)
        evening.events.subscribe(lambda _: instants.append(evening.clock.now()))
        wanted = await finish_tournament(evening, number)
    points = list(zip(copies.made, instants, strict=True))
    tried = points if SEARCHING else points[:: max(1, len(points) // TRIED)]
    assert len(points) >= 8
    for (copy, step), now in tried:
        async with open_evening(copy, clock=ManualClock(now), first_request=9_000_000) as evening:
            assert wanted == await finish_tournament(evening, number), f"killed after {step}"
