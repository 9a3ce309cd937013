"""Derive the course of a tournament: results as played, corrected by rulings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.tournaments.counted_results import (
    Course,
    Deal,
    Entry,
    EntryWithoutMatch,
    Match,
    Penalty,
    ResultKind,
    Round,
    Side,
    UnpairedReason,
)
from bot.tournaments.event import rulings, teams
from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.match_state import MatchStage, MatchState, Result, RoundStage, RoundState
from bot.tournaments.event.matches import side_of_seat
from bot.tournaments.event.tournament import BoardStage, Ruling, RulingKind, Tournament
from bot.tournaments.standings.points_by_round import match_points

UNRATED = (ResultKind.FORFEIT, ResultKind.DOUBLE_FORFEIT, ResultKind.VOID)

PLAYED_ROUNDS = (RoundStage.COMPLETE, RoundStage.FINAL)


def course_of(tournament: Tournament, *, running: bool = False) -> Course:
    """Return the results so far: those of completed rounds and, with `running`, of the round in play."""
    plan = tournament.plan
    counted = tuple(one for one in tournament.rounds if one.stage in PLAYED_ROUNDS or running)
    last = counted[-1].number if counted else 0
    return Course(
        kind=plan.kind,
        entries=tuple(_counted_entry(one) for one in tournament.entrants if one.rank > 0),
        rounds=tuple(_counted_round(tournament, one) for one in counted),
        penalties=tuple(_counted_penalty(one) for one in rulings.penalties(tournament) if one.round <= last),
        scoring=plan.scoring,
        sides=plan.sides,
        rounds_planned=tournament.rounds_planned,
    )


def _counted_entry(entrant: Entrant) -> Entry:
    return Entry(
        number=entrant.number,
        people=entrant.people,
        rank=entrant.rank,
        spans=entrant.spans,
        annulled=entrant.annulled,
    )


def _counted_penalty(ruling: Ruling) -> Penalty:
    return Penalty(
        round=ruling.round,
        entry=ruling.entry or 0,
        category=ruling.category,
        level=ruling.level,
        points=ruling.points[0],
        reason=ruling.reason,
        by=ruling.by,
        at=ruling.at,
    )


def _counted_round(tournament: Tournament, round_state: RoundState) -> Round:
    matches = (one for one in tournament.matches_of(round_state.number) if one.result is not None)
    return Round(
        number=round_state.number,
        stage=round_state.part,
        order=round_state.order,
        cost=round_state.cost,
        by_hand=round_state.by_hand,
        matches=tuple(match_as_counted(tournament, one) for one in matches),
        unpaired=(
            *(EntryWithoutMatch(entry=one.entry, code=one.code, points=one.points) for one in round_state.away),
            *_missed_rounds(tournament, round_state.number),
        ),
    )


def _missed_rounds(tournament: Tournament, round_number: int) -> Iterator[EntryWithoutMatch]:
    """Yield the late entries that missed that round: with half points in round 1, else without points.

    Source: `docs/tournaments.md` 3.
    """
    for one in tournament.entrants:
        if one.rank and round_number < one.from_round:
            code = UnpairedReason.HALF if round_number == 1 else UnpairedReason.ZERO
            yield EntryWithoutMatch(
                entry=one.number, code=code, points=tournament.plan.scoring.half if round_number == 1 else 0
            )


def match_as_counted(tournament: Tournament, match: MatchState) -> Match:
    """Return the match as it counts after rulings. Raises `ValueError` while it has no result."""
    if match.stage is not MatchStage.DONE or match.result is None:
        raise ValueError(f"match {match.id} is not over")
    ruling = rulings.valid_ruling(tournament, match.id)
    result = match.result
    kind, deals, winner = _result_kind(result), _deals_of_open_boards(tournament, result.deals), result.winner
    forfeited: Sequence[int] = result.forfeited
    if ruling is not None:
        kind = _RULED[ruling.what]
        winner = ruling.winner
        forfeited = ruling.sides
        if ruling.what is RulingKind.ADJUST and match.boards:
            first = [one for one in teams.board_tables_of(tournament, match, sealed=False) if one[1] == 1]
            deals = teams.deals_of(tournament, match, first)
        elif ruling.what is RulingKind.ADJUST:
            deals = _adjusted_deals(deals, ruling.scores)
        elif len(forfeited) > 1:
            kind = ResultKind.DOUBLE_FORFEIT
    totals = side_totals(deals, len(match.sides))
    given = tuple(ruling.points) if ruling is not None and ruling.what is RulingKind.POINTS else None
    points = given or _match_points(tournament, match, kind, totals, forfeited)
    if tournament.plan.is_for_teams and kind in (ResultKind.PLAYED, ResultKind.ADJUSTED) and given is None:
        points, deals = teams.compare_rooms(tournament, match).points, ()
    if winner is None and kind in (ResultKind.PLAYED, ResultKind.ADJUSTED) and len(set(points)) > 1:
        winner = max(range(len(points)), key=lambda side: points[side])
    return Match(
        id=match.id,
        table=match.table,
        kind=kind,
        sides=tuple(
            Side(
                entries=entries,
                people=_players_of_side(tournament, match, side),
                points=points[side],
                score=totals[side],
            )
            for side, entries in enumerate(match.sides)
        ),
        deals=deals,
        slot=match.slot,
        winner=winner,
        set_by_director=given is not None,
        unrated=kind in UNRATED or given is not None or bool(result.forfeited),
        reason="" if ruling is None else ruling.reason,
        finished_at=result.finished_at,
    )


_RULED = {
    RulingKind.ADJUST: ResultKind.ADJUSTED,
    RulingKind.POINTS: ResultKind.ADJUSTED,
    RulingKind.FORFEIT: ResultKind.FORFEIT,
    RulingKind.VOID: ResultKind.VOID,
}


def _result_kind(result: Result) -> ResultKind:
    if result.void:
        return ResultKind.VOID
    return (
        (ResultKind.PLAYED, ResultKind.FORFEIT)[bool(result.forfeited)]
        if len(result.forfeited) < 2
        else (ResultKind.DOUBLE_FORFEIT)
    )


def _deals_of_open_boards(tournament: Tournament, deals: tuple[Deal, ...]) -> tuple[Deal, ...]:
    """Return these deals without those of sealed boards."""
    sealed = {one.number for one in tournament.boards if one.stage is not BoardStage.OPEN}
    return tuple(one for one in deals if one.number not in sealed) if sealed else deals


def _adjusted_deals(deals: tuple[Deal, ...], scores: Sequence[Sequence[int]]) -> tuple[Deal, ...]:
    """Return the deals with a director's scores. Deals that the director added have no `as_played`."""
    by_number = dict(enumerate(deals))
    found = []
    for number, given in enumerate(scores):
        played = by_number.get(number)
        changed = played is None or played.scores != tuple(given)
        as_played = played.scores if played is not None and changed else None
        named = number + 1 if played is None else played.number  # a deal of a board has the board's number
        found.append(Deal(number=named, scores=tuple(given), as_played=as_played))
    return tuple(found)


def side_totals(deals: Sequence[Deal], sides: int) -> tuple[int, ...]:
    """Return each side's total over the deals that count."""
    return tuple(sum(one.scores[side] for one in deals if not one.void) for side in range(sides))


def _match_points(
    tournament: Tournament, match: MatchState, kind: ResultKind, totals: Sequence[int], forfeited: Sequence[int]
) -> tuple[int, ...]:
    """Return the match points of each side."""
    scoring, pods = tournament.plan.scoring, tournament.plan.sides == 3
    if kind is ResultKind.VOID:
        return (0,) * len(match.sides)
    return match_points(scoring, totals, forfeited=forfeited, three_sided=pods)


def _players_of_side(tournament: Tournament, match: MatchState, side: int) -> tuple[int, ...]:
    """Return the persons who played for that side; if the match was never called, its entries' persons."""
    if match.seats:
        return tuple(
            person
            for seat, person in enumerate(match.seats)
            if person is not None and side_of_seat(tournament, match, seat) == side
        )
    return tuple(person for entry in match.sides[side] for person in tournament.entrant(entry).players)
