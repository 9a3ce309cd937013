"""Swiss: entries meet opponents with similar points; all play in every round.

Source: `docs/tournaments.md` 3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from bot.tournaments.counted_results import Course, EntryWithoutMatch
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.match_state import RoundDraw, RoundStage
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.plan_check import PlanError, seat_errors
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.event.tournament_changes import active_entrants
from bot.tournaments.formats.format import Format, absent_entries, to_round_draw
from bot.tournaments.pairing.by_hand import hand_paired_round, problem_of_hand_pairing
from bot.tournaments.pairing.drawn_round import DrawnRound, Pairing
from bot.tournaments.pairing.standing_order import EntryStanding, OrderedEntry, standing_order
from bot.tournaments.pairing.swiss import PairingReason, draw_swiss_round, pairing_reason
from bot.tournaments.pairing.three_sided_rounds import draw_three_sided_round
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.standings.points_by_round import rounds_by_entry
from bot.tournaments.standings.rows import standings
from bot.tournaments.standings.tie_breaks import points_of


class SwissFormat(Format):
    """The Swiss format, for tables of two sides or of three."""

    def plan_errors(self, plan: Plan) -> Iterator[PlanError]:
        """Yield why the plan cannot be played as a Swiss; tables of three sides are allowed."""
        yield from seat_errors(plan)
        if plan.duplicate is not None:
            yield PlanError.BOARDS

    def default_rounds(self, plan: Plan, entries: int) -> int:
        """Return the chosen number of rounds, else as many as are needed to rank that many entries."""
        usual = (entries - 1).bit_length() + 1 if plan.rounds is None else plan.rounds
        return max(1, min(entries - 1, usual))

    def draw_next_round(self, tournament: Tournament, draws: SeededDraw) -> RoundDraw | None:
        """Return a draw of the next round by the standings; None after the last."""
        number = len(tournament.rounds) + 1
        if number > (tournament.rounds_planned or 0):
            return None
        course = course_of(tournament)
        inside = active_entrants(tournament)
        resting = tuple(one for one in inside if number in one.sits_out)
        present = {one.number for one in inside if one not in resting}
        order = entries_by_standing(course, inside)
        if tournament.plan.sides == 3:
            drawn_round = draw_three_sided_round(course, order, present=present, draws=draws, two_sides=False)
        else:
            drawn_round = draw_swiss_round(course, order, present=present, draws=draws)
        return to_round_draw(drawn_round, absent_entries(self, resting, tournament.plan.scoring, number))

    def pair_by_hand(
        self, tournament: Tournament, draws: SeededDraw, *, tables: Sequence[Sequence[int]], byes: Sequence[int]
    ) -> RoundDraw:
        """Return the newest round with these tables and byes, as a director has chosen. Refusal: left_out."""
        number = len(tournament.rounds)
        resting = tuple(one for one in active_entrants(tournament) if number in one.sits_out)
        inside = [one for one in active_entrants(tournament) if one not in resting]
        present = {one.number for one in inside}
        problem = problem_of_hand_pairing(tables, byes, present=present, sides=tournament.plan.sides)
        if problem is not None:
            detail: dict[str, int | str] = {"entry": problem.entries[0], "problem": problem.code.value}
            raise TournamentRefusal(TournamentCode.LEFT_OUT, detail)
        course = course_of(replace(tournament, rounds=tournament.rounds[:-1]))
        drawn_round = hand_paired_round(
            course, entries_by_standing(course, inside), tables=tables, byes=byes, draws=draws
        )
        return replace(
            to_round_draw(drawn_round, absent_entries(self, resting, tournament.plan.scoring, number)), by_hand=True
        )

    def explain_pairing(self, tournament: Tournament, person: int, round_number: int) -> PairingReason | None:
        """Return why the person's entry got its opponent in that round, by the results as they are now."""
        turn = next((one for one in tournament.rounds if one.number == round_number), None)
        own = next((one.number for one in tournament.entrants if person in one.members and one.rank), None)
        if turn is None or own is None or own not in turn.order or turn.by_hand:
            return None
        rounds = tuple(replace(one, stage=RoundStage.FINAL) for one in tournament.rounds if one.number < round_number)
        course = course_of(replace(tournament, rounds=rounds))
        order = entries_by_standing(course, [one for one in tournament.entrants if one.number in turn.order])
        drawn_round = DrawnRound(
            matches=tuple(Pairing(one.sides) for one in tournament.matches_of(round_number)),
            unpaired=tuple(EntryWithoutMatch(entry=one.entry, code=one.code, points=one.points) for one in turn.away),
            order=turn.order,
            cost=turn.cost,
        )
        return pairing_reason(course, order, drawn_round, own)


def entries_by_standing(course: Course, people: Collection[Entrant]) -> tuple[OrderedEntry, ...]:
    """Return the entries in standing order, best first.

    A late entry follows all entries with at least as many points.
    """
    played = len(course.rounds)
    points = points_of(course, rounds_by_entry(course, played), played) if played else {}
    places = {row.entry: row.place for row in standings(course)} if played else {}
    return standing_order(
        EntryStanding(
            entry=one.number,
            points=points.get(one.number, 0),
            place=places.get(one.number, 1) if one.from_round <= max(played, 1) else None,
            rank=one.rank,
        )
        for one in people
    )
