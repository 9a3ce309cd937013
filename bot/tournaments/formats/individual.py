"""Individual format: partners change every round, all drawn in advance (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.tournaments.counted_results import EntryWithoutMatch, Scoring, UnpairedReason
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.match_state import RoundDraw, RoundStage
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.plan_check import PlanError, seat_errors
from bot.tournaments.event.tournament import Audience, Stage, Tournament
from bot.tournaments.event.tournament_changes import active_entrants, add_news, continuing_entries
from bot.tournaments.formats.format import Format, absent_entries, to_round_draw
from bot.tournaments.pairing.drawn_round import DrawnRound, Pairing
from bot.tournaments.pairing.individual import plan_individual_rounds
from bot.tournaments.seeded_draw import SeededDraw


class IndividualFormat(Format):
    """The individual format. Its future rounds are in `Tournament.schedule`, the next one first."""

    def fill_in_plan(self, plan: Plan) -> Plan:
        """Return the plan without a draw of permanent partners."""
        return replace(super().fill_in_plan(plan), drawn=False)

    def plan_errors(self, plan: Plan) -> Iterator[PlanError]:
        """Yield why the plan cannot be played as individuals; tables of three sides are allowed."""
        yield from seat_errors(plan)
        if plan.duplicate is not None:
            yield PlanError.BOARDS

    def least_entries(self, plan: Plan) -> int:
        """Return the minimum number of entries: the seats of one table."""
        return plan.players

    def default_rounds(self, plan: Plan, entries: int) -> int:
        """Return the chosen number of rounds, else as many as all need to partner each other."""
        return min(plan.rounds or entries - 1, max(1, entries - 1))

    def prepare_start(self, tournament: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Return the tournament with all its rounds scheduled."""
        return add_news(replace(tournament, schedule=plan_rounds(self, tournament, draws)), "partners_planned", now)

    def draw_next_round(self, tournament: Tournament, draws: SeededDraw) -> RoundDraw | None:
        """Return the first scheduled round; None if none is left."""
        del draws
        return tournament.schedule[0] if tournament.schedule else None

    def with_consequences(self, before: Tournament, after: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Reschedule future rounds if the players have changed or a round was removed.

        While a round is drawn but not called, nothing changes: drawing it again first removes it.
        """
        turn = after.current_round
        if after.stage is not Stage.RUNNING or (turn is not None and turn.stage is RoundStage.DRAWN):
            return after
        in_play = turn is not None and turn.stage is RoundStage.CALLED
        taken_back = len(after.rounds) < len(before.rounds) and not in_play
        others = turn is not None and continuing_entries(before) != continuing_entries(after)
        return _reschedule_rounds(self, after, draws, now) if taken_back or others else after

    def unpaired_points(self, scoring: Scoring, code: UnpairedReason) -> int:
        """Return the points of an entry without a match: those of a tie, or none if it is absent."""
        return 0 if code in (UnpairedReason.ZERO, UnpairedReason.ABSENT) else scoring.tie


def plan_rounds(individual: IndividualFormat, tournament: Tournament, draws: SeededDraw) -> tuple[RoundDraw, ...]:
    """Return a draw of all remaining rounds, as close to the current schedule as possible."""
    left = (tournament.rounds_planned or 0) - len(tournament.rounds)
    present = {one.number for one in active_entrants(tournament)}
    if left < 1 or len(present) < tournament.plan.players:
        return ()
    before = tuple(_to_drawn_round(one) for one in tournament.schedule)
    course = replace(course_of(tournament), rounds_planned=tournament.rounds_planned)
    first = len(tournament.rounds) + 1
    resting = [
        tuple(one for one in active_entrants(tournament) if number in one.sits_out)
        for number in range(first, first + left)
    ]
    rounds = plan_individual_rounds(
        course,
        present,
        rounds=left,
        seats=tournament.plan.players,
        draws=draws,
        before=before if tournament.rounds else (),
        away=[{one.number for one in out} for out in resting],
    )
    return tuple(
        to_round_draw(drawn_round, absent_entries(individual, out, tournament.plan.scoring, number))
        for number, (drawn_round, out) in enumerate(zip(rounds, resting, strict=True), first)
    )


def _to_drawn_round(draw: RoundDraw) -> DrawnRound:
    """Convert a scheduled round into the form in which rounds are paired."""
    return DrawnRound(
        matches=tuple(Pairing(one.sides) for one in draw.fixtures),
        unpaired=tuple(EntryWithoutMatch(entry=one.entry, code=one.code, points=one.points) for one in draw.away),
    )


def _reschedule_rounds(individual: IndividualFormat, tournament: Tournament, draws: SeededDraw, now: int) -> Tournament:
    """Reschedule future rounds with few changes, and notify only the players whose rounds change.

    Source: `docs/tournaments.md` 1.4.
    """
    before, after = tournament.schedule, plan_rounds(individual, tournament, draws)
    changed = affected_entries(before, after)
    persons = tuple(person for one in active_entrants(tournament) if one.number in changed for person in one.people)
    planned_again = replace(tournament, schedule=after)
    if not persons:
        return planned_again
    return add_news(planned_again, "planned_anew", now, audience=Audience.PERSONS, persons=persons)


def affected_entries(before: Sequence[RoundDraw], after: Sequence[RoundDraw]) -> frozenset[int]:
    """Return the entries that have other partners or opponents in the second schedule."""
    found: set[int] = set()
    for old, new in zip(before, after, strict=False):
        tables = {entry: one.sides for one in old.fixtures for side in one.sides for entry in side}
        for one in new.fixtures:
            found |= {
                entry
                for side in one.sides
                for entry in side
                if _partnerships(tables.get(entry)) != _partnerships(one.sides)
            }
        found |= {one.entry for one in new.away if one.entry in tables}
    return frozenset(found)


def _partnerships(sides: tuple[tuple[int, ...], ...] | None) -> frozenset[frozenset[int]]:
    """Return the sides of a table as sets of entries."""
    return frozenset(frozenset(side) for side in sides or ())


def partners_of(tournament: Tournament, entry: int) -> tuple[int, ...]:
    """Return all partners of an entry, past and scheduled, in order of rounds."""
    drawn = [side for one in tournament.matches if not one.voided for side in one.sides]
    coming = [side for drawing in tournament.schedule for one in drawing.fixtures for side in one.sides]
    return tuple(one for side in (*drawn, *coming) if entry in side for one in side if one != entry)
