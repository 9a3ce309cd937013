"""Who meets whom next: what each format says of a round, from all that counts so far (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.tournaments.boards.movement import movement
from bot.tournaments.brackets.bracket import Bracket, bracket
from bot.tournaments.brackets.results import Terms, outcomes
from bot.tournaments.course import Course, Entry, FormatKind, SatOut, Unpaired
from bot.tournaments.event.course import course_of
from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.match_state import Fixture, RoundDraw, UnpairedEntry
from bot.tournaments.event.plan import BoardScoring, Plan
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.steps import active
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.pairing.by_hand import by_hand as paired_by_hand
from bot.tournaments.pairing.by_hand import problem_of_hand_pairing
from bot.tournaments.pairing.drawn import DrawnRound, Pairing
from bot.tournaments.pairing.individual import individual
from bot.tournaments.pairing.order import EntryStanding, OrderedEntry, standing_order
from bot.tournaments.pairing.pods import pods
from bot.tournaments.pairing.robin import round_robin
from bot.tournaments.pairing.swiss import swiss
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.standings.ledger import ledger, unpaired_points
from bot.tournaments.standings.rows import standings
from bot.tournaments.standings.tie_breaks import points_of


def next_round(tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
    """The round that follows those played; None where nothing is left to be played."""
    return _FORMATS[tournament.plan.kind](tournament, lot)


def usual_rounds(plan: Plan, entries: int) -> int | None:
    """How many rounds a tournament of so many entries has (3); None where nobody knows before."""
    swiss_rounds = max(1, min(entries - 1, (entries - 1).bit_length() + 1))
    match plan.kind:
        case FormatKind.SWISS:
            return swiss_rounds if plan.rounds is None else max(1, min(plan.rounds, entries - 1))
        case FormatKind.ROUND_ROBIN:
            return (entries - 1 + entries % 2) * plan.cycles
        case FormatKind.INDIVIDUAL:
            return min(plan.rounds or entries - 1, max(1, entries - 1))
        case FormatKind.DUPLICATE if plan.duplicate is not None:
            each = plan.duplicate.in_a_round
            return -(-plan.duplicate.boards // each)
        case _:
            return None


def standing(course: Course, people: Collection[Entrant]) -> tuple[OrderedEntry, ...]:
    """The given entries as they stand, best first, a late one after those with at least its points."""
    played = len(course.rounds)
    points = points_of(course, ledger(course, played), played) if played else {}
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


# --- Swiss ------------------------------------------------------------------------------------------------------------


def _swiss(tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
    number = len(tournament.rounds) + 1
    if number > (tournament.rounds_planned or 0):
        return None
    course = course_of(tournament)
    inside = active(tournament)
    resting = tuple(one for one in inside if number in one.sits_out)
    present = {one.number for one in inside if one not in resting}
    order = standing(course, inside)
    if tournament.plan.sides == 3:
        drawn = pods(course, order, present=present, lot=lot, two_sides=False)
    else:
        drawn = swiss(course, order, present=present, lot=lot)
    return _of(drawn, more=_resting(tournament, resting, number))


def _of(drawn: DrawnRound, *, more: tuple[UnpairedEntry, ...] = (), part: str = "") -> RoundDraw:
    return RoundDraw(
        fixtures=tuple(Fixture(sides=one.sides) for one in drawn.matches),
        away=(*(_away(one) for one in drawn.unpaired), *more),
        order=drawn.order,
        cost=drawn.cost,
        part=part,
    )


def _away(out: SatOut) -> UnpairedEntry:
    return UnpairedEntry(entry=out.entry, code=out.code, points=out.points)


def by_hand(
    tournament: Tournament, lot: SeededDraw, *, tables: Sequence[Sequence[int]], byes: Sequence[int]
) -> RoundDraw:
    """The newest round of a Swiss as a director pairs it, by entries. Refusals: wrong_stage, left_out."""
    if tournament.plan.kind is not FormatKind.SWISS:
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
    number = len(tournament.rounds)
    resting = tuple(one for one in active(tournament) if number in one.sits_out)
    inside = [one for one in active(tournament) if one not in resting]
    present = {one.number for one in inside}
    problem = problem_of_hand_pairing(tables, byes, present=present, sides=tournament.plan.sides)
    if problem is not None:
        raise TournamentRefusal(TournamentCode.LEFT_OUT, {"entry": problem.entries[0], "problem": problem.code.value})
    before = replace(tournament, rounds=tournament.rounds[:-1])
    course = course_of(before)
    order = standing(course, inside)
    drawn = paired_by_hand(course, order, tables=tables, byes=byes, lot=lot)
    return replace(_of(drawn, more=_resting(tournament, resting, number)), by_hand=True)


def _resting(tournament: Tournament, entrants: Sequence[Entrant], number: int) -> tuple[UnpairedEntry, ...]:
    """Who announced to miss the round: that gives a point once, afterwards nothing (3)."""
    plan = tournament.plan
    half = unpaired_points(plan.kind, plan.scoring, Unpaired.HALF)
    return tuple(
        UnpairedEntry(entry=one.number, code=Unpaired.HALF, points=half)
        if number == min(one.sits_out)
        else UnpairedEntry(entry=one.number, code=Unpaired.ABSENT, points=0)
        for one in entrants
    )


# --- round robin ------------------------------------------------------------------------------------------------------


def _robin(tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
    plan, number = tournament.plan, len(tournament.rounds) + 1
    entries = tuple(_as_entry(one) for one in tournament.entrants if one.rank)
    rounds = round_robin(entries, cycles=plan.cycles, lot=lot)
    if number > len(rounds):
        return None
    gone = {one.number for one in tournament.entrants if one.rank and not one.active}
    annulled = {one.number for one in tournament.entrants if one.annulled}
    met = [one for one in rounds[number - 1] if annulled.isdisjoint(one.entries)]
    paired = {entry for one in met for entry in one.entries}
    free = tuple(
        UnpairedEntry(
            entry=one.number, code=Unpaired.BYE, points=unpaired_points(plan.kind, plan.scoring, Unpaired.BYE)
        )
        for one in entries
        if one.number not in paired and one.number not in annulled
    )
    return RoundDraw(fixtures=tuple(_given(one.sides, gone) for one in met), away=free)


def _as_entry(entrant: Entrant) -> Entry:
    return Entry(number=entrant.number, people=entrant.people, rank=entrant.rank)


def _given(sides: tuple[tuple[int, ...], ...], gone: Collection[int], slot: str = "") -> Fixture:
    forfeited = tuple(number for number, entries in enumerate(sides) if not set(entries).isdisjoint(gone))
    return Fixture(sides=sides, slot=slot, forfeited=forfeited)


# --- elimination ------------------------------------------------------------------------------------------------------


def bracket_of(tournament: Tournament, lot: SeededDraw, *, running: bool = True) -> Bracket:
    """The bracket as it stands, with the results of the round that is played unless they are not wanted."""
    plan = tournament.plan
    terms = Terms(kind=plan.kind, third_place=plan.third_place, second_chance=plan.second_chance)
    seeds = tuple(one.number for one in sorted(tournament.entrants, key=lambda one: one.rank) if one.rank)
    results = outcomes(course_of(tournament, running=running).rounds)
    return bracket(terms, seeds, results=results, draw=lambda numbers: lot.order(numbers, "second chance"))


def _elimination(tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
    now = bracket_of(tournament, lot)
    if now.due is None or not now.ready:
        return None
    gone = {one.number for one in tournament.entrants if one.rank and not one.active}
    ready = now.due.ready or now.ready
    fixtures = tuple(_given(tuple((entry,) for entry in one.sides), gone, one.slot) for one in ready)
    return RoundDraw(fixtures=fixtures, part=now.due.name)


# --- partners who change ---------------------------------------------------------------------------------------------


def planned(tournament: Tournament, lot: SeededDraw) -> tuple[RoundDraw, ...]:
    """The rounds that are left for partners who change, as near to the present plan as they can be."""
    left = (tournament.rounds_planned or 0) - len(tournament.rounds)
    present = {one.number for one in active(tournament)}
    if left < 1 or len(present) < tournament.plan.players:
        return ()
    before = tuple(_as_drawn(one) for one in tournament.schedule)
    course = replace(course_of(tournament), rounds_planned=tournament.rounds_planned)
    first = len(tournament.rounds) + 1
    resting = [
        tuple(one for one in active(tournament) if number in one.sits_out) for number in range(first, first + left)
    ]
    rounds = individual(
        course,
        present,
        rounds=left,
        seats=tournament.plan.players,
        lot=lot,
        before=before if tournament.rounds else (),
        away=[{one.number for one in out} for out in resting],
    )
    return tuple(
        _of(drawn, more=_resting(tournament, out, number))
        for number, (drawn, out) in enumerate(zip(rounds, resting, strict=True), first)
    )


def _as_drawn(drawing: RoundDraw) -> DrawnRound:
    return DrawnRound(
        matches=tuple(Pairing(one.sides) for one in drawing.fixtures),
        unpaired=tuple(SatOut(entry=one.entry, code=one.code, points=one.points) for one in drawing.away),
    )


def _individual(tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
    del lot
    return tournament.schedule[0] if tournament.schedule else None


# --- duplicate --------------------------------------------------------------------------------------------------------


def _duplicate(tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
    plan, number = tournament.plan, len(tournament.rounds) + 1
    duplicate = plan.duplicate
    if duplicate is None or number > (tournament.rounds_planned or 0):
        return None
    boards = tuple(
        board
        for board in range((number - 1) * duplicate.in_a_round + 1, number * duplicate.in_a_round + 1)
        if board <= duplicate.boards
    )
    if duplicate.scoring is BoardScoring.VICTORY_POINTS:
        drawing = _teams(tournament, lot)
        return (
            None
            if drawing is None
            else replace(drawing, fixtures=tuple(replace(one, boards=boards) for one in drawing.fixtures))
        )
    entries = [one.number for one in sorted(tournament.entrants, key=lambda one: one.rank) if one.rank]
    places = movement(len(entries), duplicate.boards, duplicate.in_a_round)[number - 1]
    gone = {one.number for one in tournament.entrants if one.rank and not one.active}
    fixtures = tuple(replace(_given(((entries[one.ns],), (entries[one.ew],)), gone), boards=boards) for one in places)
    paired = {entry for one in fixtures for side in one.sides for entry in side}
    away = tuple(UnpairedEntry(entry=one, code=Unpaired.BYE, points=0) for one in entries if one not in paired)
    return RoundDraw(fixtures=fixtures, away=away)


def _teams(tournament: Tournament, lot: SeededDraw) -> RoundDraw | None:
    """Everybody against everybody where the rounds allow it, else like a Swiss."""
    entries = sum(1 for one in tournament.entrants if one.rank)
    everybody = (tournament.rounds_planned or 0) >= entries - 1 + entries % 2
    return _robin(tournament, lot) if everybody else _swiss(tournament, lot)


def _none(_tournament: Tournament, _lot: SeededDraw) -> RoundDraw | None:
    """A ladder has no rounds: who challenges is met."""
    return None


_FORMATS: Final[Mapping[FormatKind, Callable[[Tournament, SeededDraw], RoundDraw | None]]] = {
    FormatKind.SWISS: _swiss,
    FormatKind.ROUND_ROBIN: _robin,
    FormatKind.SINGLE: _elimination,
    FormatKind.DOUBLE: _elimination,
    FormatKind.INDIVIDUAL: _individual,
    FormatKind.DUPLICATE: _duplicate,
    FormatKind.LADDER: _none,
}
