"""Duplicate: all tables play the same boards, and their results are compared.

Source: `docs/tournaments.md` 3, 4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from bot.tournaments.boards.board import Board
from bot.tournaments.boards.movement import (
    LEAST_PAIRS,
    MOST_PAIRS,
    Movement,
    fitting_boards_a_round,
    make_movement,
    most_rounds_without_rematch,
    rounds_for_boards,
)
from bot.tournaments.boards.scoring import BoardScores, RankingMethod, score_boards
from bot.tournaments.boards.teams import VICTORY
from bot.tournaments.counted_results import UnpairedReason
from bot.tournaments.event.match_state import RoundDraw, UnpairedEntry
from bot.tournaments.event.plan import MOST_BOARDS, BoardScoring, Duplicate, Plan
from bot.tournaments.event.plan_check import PlanError, seat_errors
from bot.tournaments.event.teams import board_result
from bot.tournaments.event.tournament import BoardStage, Tournament
from bot.tournaments.event.tournament_changes import add_news
from bot.tournaments.formats.format import Format, departed_entries, new_fixture, started_entries, with_scoring
from bot.tournaments.formats.ranking import Place, Ranking, ranking_by_points, round_number_or_newest
from bot.tournaments.formats.round_robin import scheduled_round
from bot.tournaments.formats.swiss import SwissFormat
from bot.tournaments.seeded_draw import SeededDraw


class DuplicateFormat(Format):
    """The duplicate format. Pairs meet by a movement; teams play a round robin, or a short Swiss."""

    def fill_in_plan(self, plan: Plan) -> Plan:
        """Return the plan with boards; an entry of a team tournament has two pairs."""
        with_boards = replace(super().fill_in_plan(plan), duplicate=plan.duplicate or Duplicate())
        if not with_boards.is_for_teams:
            return with_boards
        is_for_teams = replace(with_boards, entry_size=2 * with_boards.entry_size, drawn=False)
        return with_scoring(is_for_teams, VICTORY)

    def plan_errors(self, plan: Plan) -> Iterator[PlanError]:
        """Yield why the plan cannot be played as a duplicate."""
        yield from seat_errors(plan)
        if plan.sides == 3:
            yield PlanError.PODS_ARE_SWISS
        duplicate = plan.duplicate
        if duplicate is None:
            yield PlanError.BOARDS
            return
        if plan.players != 4 or plan.sides != 2:
            yield PlanError.DUPLICATE_AT_FOUR
        if not 1 <= duplicate.boards <= MOST_BOARDS or duplicate.in_a_round < 1 or not duplicate.minimums:
            yield PlanError.BOARDS
        elif not plan.is_for_teams:
            yield from _movement_errors(plan, duplicate)

    def least_entries(self, plan: Plan) -> int:
        """Return the minimum number of entries: two teams, or four pairs, since boards must be compared."""
        return 2 if plan.is_for_teams else LEAST_PAIRS

    def default_rounds(self, plan: Plan, entries: int) -> int | None:
        """Return the number of rounds needed for the boards.

        Pairs play only as many rounds as they can without meeting twice.
        """
        if plan.duplicate is None:
            return None
        count = rounds_for_boards(plan.duplicate.boards, plan.duplicate.in_a_round)
        if plan.is_for_teams or entries < LEAST_PAIRS:
            return count
        return min(count, most_rounds_without_rematch(entries, two_winners=plan.duplicate.two_winners))

    def prepare_start(self, tournament: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Return the tournament with the movement of its pairs, which is announced; teams have none.

        Boards for which the movement has too few rounds are left out.
        """
        del draws
        duplicate = tournament.plan.duplicate
        if duplicate is None or tournament.plan.is_for_teams:
            return tournament
        entries = [one.number for one in started_entries(tournament)]
        movement = make_movement(entries, tournament.rounds_planned or 1, two_winners=duplicate.two_winners)
        played = tournament.boards[: len(movement.rounds) * duplicate.in_a_round]
        after = replace(tournament, movement=movement, boards=played)
        return add_news(after, "movement", now, numbers={"boards": len(played), "of": len(tournament.boards)})

    def draw_next_round(self, tournament: Tournament, draws: SeededDraw) -> RoundDraw | None:
        """Draw the next round with its boards; None after the last."""
        number = len(tournament.rounds) + 1
        duplicate = tournament.plan.duplicate
        if duplicate is None or number > (tournament.rounds_planned or 0):
            return None
        first = (number - 1) * duplicate.in_a_round + 1
        boards = tuple(range(first, min(first + duplicate.in_a_round, duplicate.boards + 1)))
        drawing = (
            self._next_team_round(tournament, draws)
            if tournament.plan.is_for_teams
            else _next_pairs_round(tournament, number)
        )
        if drawing is None:
            return None
        return replace(drawing, fixtures=tuple(replace(one, boards=boards) for one in drawing.fixtures))

    def _next_team_round(self, tournament: Tournament, draws: SeededDraw) -> RoundDraw | None:
        """Return the next round of teams: of a round robin if there are enough rounds, else of a Swiss."""
        entries = len(started_entries(tournament))
        enough = (tournament.rounds_planned or 0) >= entries - 1 + entries % 2
        if enough:
            return scheduled_round(
                tournament, draws, bye=self.unpaired_points(tournament.plan.scoring, UnpairedReason.BYE)
            )
        return SwissFormat().draw_next_round(tournament, draws)

    def ranking(self, tournament: Tournament, draws: SeededDraw, after_round: int | None) -> Ranking:
        """Return the places: of teams by points, of pairs by boards.

        With two winners, each direction of the pairs has a list of its own.
        """
        del draws
        if tournament.plan.is_for_teams:
            return ranking_by_points(tournament, after_round)
        rows = board_scores(tournament, after_round).rows
        sharing = Counter((row.list_name, row.place) for row in rows)
        places = tuple(
            Place(
                first=row.place,
                last=None if row.place is None else row.place + sharing[row.list_name, row.place] - 1,
                entry=row.entry,
                points=row.mean,
                boards=row.boards,
                list_name=row.list_name,
            )
            for row in rows
        )
        return Ranking(round_number_or_newest(tournament, after_round), places, ("boards",))


def _movement_errors(plan: Plan, duplicate: Duplicate) -> Iterator[PlanError]:
    """Yield why the planned pairs cannot play the planned boards."""
    pairs = planned_pair_count(plan)
    if pairs < LEAST_PAIRS:
        yield PlanError.TOO_FEW_PAIRS
    elif pairs > MOST_PAIRS:
        yield PlanError.TOO_MANY_PAIRS
    elif not possible_boards_a_round(plan):
        yield PlanError.BOARDS_DO_NOT_FIT
    elif duplicate.in_a_round not in possible_boards_a_round(plan):
        yield PlanError.ROUNDS_OF_BOARDS


def planned_pair_count(plan: Plan) -> int:
    """Return the number of pairs that the tournament has places for."""
    return plan.places // plan.entry_size


def movement_values(plan: Plan) -> dict[str, int | str]:
    """Return the values that explain why no movement fits the plan; empty if it has no boards."""
    duplicate = plan.duplicate
    if duplicate is None:
        return {}
    pairs = planned_pair_count(plan)
    return {
        "pairs": pairs,
        "places": plan.places,
        "boards": duplicate.boards,
        "most": most_rounds_without_rematch(pairs, two_winners=duplicate.two_winners),
        "fitting": ", ".join(str(one) for one in possible_boards_a_round(plan)),
    }


def possible_boards_a_round(plan: Plan) -> tuple[int, ...]:
    """Return the possible numbers of boards in a round, so that all planned pairs can play all boards."""
    duplicate = plan.duplicate or Duplicate()
    return fitting_boards_a_round(duplicate.boards, planned_pair_count(plan), two_winners=duplicate.two_winners)


def planned_movement(plan: Plan) -> Movement | None:
    """Return the movement of the plan if all its places are taken.

    None for teams, for other formats, or if the number of pairs is not possible. It takes up to a second for forty
    pairs.
    """
    duplicate, pairs = plan.duplicate, planned_pair_count(plan)
    if duplicate is None or plan.is_for_teams or not LEAST_PAIRS <= pairs <= MOST_PAIRS:
        return None
    count = rounds_for_boards(duplicate.boards, duplicate.in_a_round)
    return make_movement(range(1, pairs + 1), count, two_winners=duplicate.two_winners)


def _next_pairs_round(tournament: Tournament, round_number: int) -> RoundDraw | None:
    """Return a round of the pairs' movement; None after the last."""
    movement = tournament.movement
    if movement is None or round_number > len(movement.rounds):
        return None
    seating, gone = movement.rounds[round_number - 1], departed_entries(tournament)
    fixtures = tuple(new_fixture(((ns,), (ew,)), gone) for ns, ew in seating)
    paired = {entry for table in seating for entry in table}
    away = tuple(
        UnpairedEntry(entry=one, code=UnpairedReason.SIT_OUT, points=0) for one in movement.entries if one not in paired
    )
    return RoundDraw(fixtures=fixtures, away=away)


def boards_of(tournament: Tournament, after_round: int | None = None) -> tuple[Board, ...]:
    """Return the boards of pairs with their results up to a round, by default the newest.

    Sealed boards have no scores.
    """
    found, last = [], round_number_or_newest(tournament, after_round)
    for state in tournament.boards:
        results = tuple(
            board_result(tournament, match, state.number, room=1, sides=(match.sides[0][0], match.sides[1][0]))
            for match in tournament.matches
            if state.number in match.boards and not match.voided and match.round <= last
        )
        if state.stage is not BoardStage.OPEN:
            results = tuple(type(one)(table=one.table, ns=one.ns, ew=one.ew) for one in results)
        found.append(Board(number=state.number, minimum=state.minimum, dealer=state.dealer, results=results))
    return tuple(found)


def board_scores(tournament: Tournament, after_round: int | None = None) -> BoardScores:
    """Return the scores of all open boards up to that round, by default the newest.

    They are computed by the tournament's scoring method.
    """
    duplicate = tournament.plan.duplicate
    imps = duplicate is not None and duplicate.scoring is BoardScoring.CROSS_IMP
    method = RankingMethod.CROSS_IMPS if imps else RankingMethod.MATCHPOINTS
    winners = 1 if tournament.movement is None else tournament.movement.winners
    return score_boards(
        boards_of(tournament, after_round), unit=tournament.plan.scoring.swing_unit, method=method, winners=winners
    )
