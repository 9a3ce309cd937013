"""Who stands where: one table of places for every format (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from bot.tournaments.boards.board import Board
from bot.tournaments.boards.scoring import BoardScores, Method, score_boards
from bot.tournaments.course import FormatKind
from bot.tournaments.event.course import course_of
from bot.tournaments.event.matches import is_team_match
from bot.tournaments.event.plan import BoardScoring
from bot.tournaments.event.teams import board_result
from bot.tournaments.event.tournament import BoardStage, Tournament
from bot.tournaments.formats.format import bracket_of
from bot.tournaments.seeded_draw import SeededDraw
from bot.tournaments.standings.rows import standings
from bot.tournaments.standings.tie_breaks import TieBreaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An entry in the table of places. Several that share a place have the same `first`.

    `first` is None for who is not ranked. `last` is behind it where a bracket has not parted who went out together.
    `points` are match points, or the mean per cent or IMPs of a duplicate; None where there are none. `list_name` tells
    lists apart that are never joined: the directions of a duplicate, ``second`` for the second chance.
    """

    first: int | None
    last: int | None
    entry: int
    points: Fraction | None = None
    figures: TieBreaks | None = None
    boards: int | None = None
    list_name: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The places after a round, list by list, best first; `figures` names those that part equal points, in order."""

    after_round: int
    places: tuple[Place, ...]
    figures: tuple[str, ...] = field(default=())


def ranking(tournament: Tournament, lot: SeededDraw, *, after_round: int | None = None) -> Ranking:
    """The places after a round, with what is in of its results; None is the newest round."""
    kind = tournament.plan.kind
    last = len(tournament.rounds) if after_round is None else after_round
    if kind is FormatKind.LADDER:
        return Ranking(last, _rungs(tournament))
    if kind in (FormatKind.SINGLE, FormatKind.DOUBLE):
        return Ranking(last, _bracket(tournament, lot))
    if kind is FormatKind.DUPLICATE and not is_team_match(tournament):
        return Ranking(last, _pairs(tournament), ("boards",))
    course = course_of(tournament, running=True)
    rows = standings(course, None if after_round is None else min(after_round, len(course.rounds)))
    shared = Counter(row.place for row in rows)
    hundredths = 100 if is_team_match(tournament) else 1
    return Ranking(
        last,
        tuple(
            Place(
                first=row.place,
                last=row.place + shared[row.place] - 1,
                entry=row.entry,
                points=Fraction(row.points, hundredths),
                figures=row.figures,
                list_name=row.list_name,
            )
            for row in rows
        ),
        ("h2h", "bc1", "sb", "net", "wins"),
    )


def _rungs(tournament: Tournament) -> tuple[Place, ...]:
    ladder = tournament.ladder
    rungs = () if ladder is None else ladder.entries
    return tuple(Place(first=rung, last=rung, entry=entry) for rung, entry in enumerate(rungs, 1))


def _bracket(tournament: Tournament, lot: SeededDraw) -> tuple[Place, ...]:
    now = bracket_of(tournament, lot)
    found = [Place(first=one.first, last=one.last, entry=one.entry) for one in now.main.places]
    placed = {one.entry for one in found}
    playing = [Place(first=None, last=None, entry=one) for one in now.main.entries if one not in placed]
    second = () if now.second is None else now.second.places
    chance = [Place(first=one.first, last=one.last, entry=one.entry, list_name="second") for one in second]
    return (*playing, *found, *chance) if not found or found[0].first != 1 else (*found, *playing, *chance)


def boards_of(tournament: Tournament) -> tuple[Board, ...]:
    """The boards of a duplicate for pairs with what was made of them; of sealed ones nothing."""
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
    """The scores of all boards that are open, by matchpoints or cross-IMPs as the tournament counts."""
    duplicate = tournament.plan.duplicate
    imps = duplicate is not None and duplicate.scoring is BoardScoring.CROSS_IMP
    method = Method.CROSS_IMPS if imps else Method.MATCHPOINTS
    return score_boards(boards_of(tournament), unit=tournament.plan.scoring.swing_unit, method=method)


def _pairs(tournament: Tournament) -> tuple[Place, ...]:
    return tuple(
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
