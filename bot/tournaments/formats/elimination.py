"""A bracket after a ruling: the matches of who should not have gone on are void, and who should have plays."""

from __future__ import annotations

from dataclasses import replace

from bot.tournaments.brackets.mending import mended as mended_bracket
from bot.tournaments.brackets.results import Terms, outcomes
from bot.tournaments.event.course import course_of
from bot.tournaments.event.match_state import MatchState, RoundStage
from bot.tournaments.event.matches import called
from bot.tournaments.event.steps import tell, with_turn
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.seeded_draw import SeededDraw


def mended(tournament: Tournament, lot: SeededDraw, *, now: int) -> Tournament:
    """The tournament with no match in its bracket that has the wrong sides; what is ready instead is called at once."""
    plan, turn = tournament.plan, tournament.current
    if turn is None:
        return tournament
    seeds = tuple(one.number for one in sorted(tournament.entrants, key=lambda one: one.rank) if one.rank)
    open_matches = [one for one in tournament.matches if one.result is None and not one.voided]
    found = mended_bracket(
        Terms(kind=plan.kind, third_place=plan.third_place, second_chance=plan.second_chance),
        seeds,
        results=outcomes(course_of(tournament, running=True).rounds),
        playing={one.slot: (one.sides[0][0], one.sides[1][0]) for one in open_matches},
        draw=lambda numbers: lot.order(numbers, "second chance"),
    )
    if not found.void:
        return tournament
    matches = tuple(replace(one, voided=True) if one.slot in found.void else one for one in tournament.matches)
    after = tell(replace(tournament, matches=matches), "bracket_mended", now, numbers={"matches": len(found.void)})
    anew = tuple(
        one
        for one in found.ready
        if not any(one.slot == open_.slot for open_ in open_matches if open_.slot not in found.void)
    )
    return _played_anew(after, [(one.slot, one.sides) for one in anew], now)


def _played_anew(tournament: Tournament, wanted: list[tuple[str, tuple[int, int]]], now: int) -> Tournament:
    turn = tournament.current
    if turn is None or not wanted:
        return tournament
    number = max((one.id for one in tournament.matches), default=0)
    table = len(tournament.matches_of(turn.number))
    added = []
    for place, (slot, sides) in enumerate(wanted, 1):
        match = MatchState(
            id=number + place,
            round=turn.number,
            table=table + place,
            sides=tuple((entry,) for entry in sides),
            slot=slot,
        )
        added.append(match if turn.stage is RoundStage.DRAWN else called(tournament, match, now))
    after = replace(tournament, matches=(*tournament.matches, *added), stage=Stage.RUNNING)
    if turn.stage in (RoundStage.COMPLETE, RoundStage.FINAL):
        after = with_turn(after, replace(turn, stage=RoundStage.CALLED, complete_at=None))
    return after
