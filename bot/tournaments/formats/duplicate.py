"""Duplicate: all play the same boards and are compared by board (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bot.tournaments.boards.board import Board
from bot.tournaments.boards.movement import movement
from bot.tournaments.boards.scoring import BoardScores, Method, score_boards
from bot.tournaments.boards.teams import VICTORY
from bot.tournaments.course import Unpaired
from bot.tournaments.event.fitness import Unfit, unfit_seats
from bot.tournaments.event.match_state import RoundDraw, UnpairedEntry
from bot.tournaments.event.plan import MOST_BOARDS, BoardScoring, Duplicate, Plan
from bot.tournaments.event.teams import board_result
from bot.tournaments.event.tournament import BoardStage, Tournament
from bot.tournaments.formats.format import Format, entries_gone, new_fixture, started_entries, with_scoring
from bot.tournaments.formats.ranking import Place, Ranking, newest_round, ranking_by_points
from bot.tournaments.formats.round_robin import scheduled_round
from bot.tournaments.formats.swiss import Swiss
from bot.tournaments.seeded_draw import SeededDraw


class DuplicateFormat(Format):
    """Moves pairs between boards; teams of two pairs play a round robin, or Swiss if rounds are few."""

    def fitted(self, plan: Plan) -> Plan:
        """Return the plan with its boards set, and for teams with entries of two pairs."""
        with_boards = replace(super().fitted(plan), duplicate=plan.duplicate or Duplicate())
        if not with_boards.for_teams:
            return with_boards
        for_teams = replace(with_boards, entry_size=2 * with_boards.entry_size, drawn=False)
        return with_scoring(for_teams, VICTORY)

    def unfit(self, plan: Plan) -> Iterator[Unfit]:
        """Yield why the plan cannot be played: boards need two pairs at a table."""
        yield from unfit_seats(plan)
        if plan.sides == 3:
            yield Unfit.PODS_ARE_SWISS
        duplicate = plan.duplicate
        if duplicate is None:
            yield Unfit.BOARDS
            return
        if plan.players != 4 or plan.sides != 2:
            yield Unfit.DUPLICATE_AT_FOUR
        if not 1 <= duplicate.boards <= MOST_BOARDS or duplicate.in_a_round < 1 or not duplicate.minimums:
            yield Unfit.BOARDS

    def least_entries(self, plan: Plan) -> int:
        """Return two teams, or four pairs to compare boards."""
        return 2 if plan.for_teams else 4

    def usual_rounds(self, plan: Plan, entries: int) -> int | None:
        """Return the number of rounds that the boards take."""
        del entries
        return None if plan.duplicate is None else -(-plan.duplicate.boards // plan.duplicate.in_a_round)

    def next_round(self, tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
        """Draw the next round with its boards; None after the last."""
        number = len(tournament.rounds) + 1
        duplicate = tournament.plan.duplicate
        if duplicate is None or number > (tournament.rounds_planned or 0):
            return None
        first = (number - 1) * duplicate.in_a_round + 1
        boards = tuple(range(first, min(first + duplicate.in_a_round, duplicate.boards + 1)))
        drawing = self._teams(tournament, lot) if tournament.plan.for_teams else _pairs(tournament, duplicate, number)
        if drawing is None:
            return None
        return replace(drawing, fixtures=tuple(replace(one, boards=boards) for one in drawing.fixtures))

    def _teams(self, tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
        """Draw a round robin if there are enough rounds, else a Swiss round."""
        entries = len(started_entries(tournament))
        enough = (tournament.rounds_planned or 0) >= entries - 1 + entries % 2
        if enough:
            return scheduled_round(tournament, lot, bye=self.unpaired_points(tournament.plan.scoring, Unpaired.BYE))
        return Swiss().next_round(tournament, lot)

    def ranking(self, tournament: Tournament, lot: SeededDraw, after_round: int | None) -> Ranking:
        """Return the places of teams by points, of pairs by boards, possibly a list for each direction."""
        del lot
        if tournament.plan.for_teams:
            return ranking_by_points(tournament, after_round)
        places = tuple(
            Place(
                first=row.place,
                last=row.place,
                entry=row.entry,
                points=row.mean,
                boards=row.boards,
                list_name=row.list_name,
            )
            for row in board_scores(tournament).rows
        )
        return Ranking(newest_round(tournament, after_round), places, ("boards",))


def _pairs(tournament: Tournament, duplicate: Duplicate, number: int) -> RoundDraw:
    entries = [one.number for one in started_entries(tournament)]
    places = movement(len(entries), duplicate.boards, duplicate.in_a_round)[number - 1]
    gone = entries_gone(tournament)
    fixtures = tuple(new_fixture(((entries[one.ns],), (entries[one.ew],)), gone) for one in places)
    paired = {entry for one in fixtures for side in one.sides for entry in side}
    away = tuple(UnpairedEntry(entry=one, code=Unpaired.BYE, points=0) for one in entries if one not in paired)
    return RoundDraw(fixtures=fixtures, away=away)


def boards_of(tournament: Tournament) -> tuple[Board, ...]:
    """Return the boards of pairs with their results; sealed ones without."""
    found = []
    for state in tournament.boards:
        results = tuple(
            board_result(tournament, match, state.number, room=1, sides=(match.sides[0][0], match.sides[1][0]))
            for match in tournament.matches
            if state.number in match.boards and not match.voided
        )
        if state.stage is not BoardStage.OPEN:
            results = tuple(type(one)(table=one.table, ns=one.ns, ew=one.ew) for one in results)
        found.append(Board(number=state.number, minimum=state.minimum, dealer=state.dealer, results=results))
    return tuple(found)


def board_scores(tournament: Tournament) -> BoardScores:
    """Score all open boards by the tournament's method."""
    duplicate = tournament.plan.duplicate
    imps = duplicate is not None and duplicate.scoring is BoardScoring.CROSS_IMP
    method = Method.CROSS_IMPS if imps else Method.MATCHPOINTS
    return score_boards(boards_of(tournament), unit=tournament.plan.scoring.swing_unit, method=method)
