"""Random courses of tournaments, and the JSON of courses and boards (`docs/tournaments.md` 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bot.tournaments.boards.board import Board
from bot.tournaments.boards.movement import seatings_of_round_robin
from bot.tournaments.boards.scoring import RankingMethod, score_boards
from bot.tournaments.counted_results import (
    Course,
    Deal,
    Entry,
    EntryWithoutMatch,
    Match,
    Penalty,
    ResultKind,
    Round,
    Scoring,
    Span,
    UnpairedReason,
)
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.standings.points_by_round import match_points
from bot.tournaments.standings.rows import standings, tiebreaks
from tests.support.tournament_examples import match_of_deals, match_of_differences, ranked_pairs

Json = dict[str, Any]


def random_course(kind: FormatKind, seed: int, *, sides: int = 2) -> Course:
    """Return a random course with nearly everything that can happen in a tournament.

    Small differences make many entries equal.
    """
    random = Random(f"{kind}{sides}{seed}")
    count, planned = random.randint(4, 10), random.randint(1, 6)
    drawn = tuple(_random_entry(random, kind, number, planned) for number in range(1, count + 1))
    ids = iter(range(1, 1000))
    course = Course(kind=kind, entries=drawn, scoring=Scoring(net_cap=150), sides=sides, rounds_planned=planned)
    rounds = tuple(_random_round(random, course, number, ids) for number in range(1, planned + 1))
    penalties = tuple(
        Penalty(
            round=random.randint(1, planned),
            entry=entry.number,
            category="late",
            level=3,
            points=1,
            reason="",
            by=1,
            at=1,
        )
        for entry in drawn
        if random.random() < 0.1
    )
    return replace(course, rounds=rounds, penalties=penalties)


def random_round_robin(kind: FormatKind, seed: int) -> Course:
    """Return a random course in which each entry has met each other one.

    Few different results make many entries equal.
    """
    random = Random(f"{kind}{seed}")
    count = random.randint(3, 6)
    rounds = tuple(
        Round(
            number=number,
            matches=tuple(
                match_of_differences(
                    10 * number + table, one + 1, other + 1, [random.choice((-100, 0, 100))], table=table
                )
                for table, (one, other) in enumerate(seating, start=1)
            ),
        )
        for number, seating in enumerate(seatings_of_round_robin(count), start=1)
    )
    return Course(kind=kind, entries=ranked_pairs(count), rounds=rounds)


def _random_entry(random: Random, kind: FormatKind, entry_number: int, planned: int) -> Entry:
    first = (
        1
        if entry_number == 1 or kind is FormatKind.ROUND_ROBIN or random.random() < 0.8
        else random.randint(1, planned)
    )
    leaves = random.random() < 0.2
    return Entry(
        number=entry_number,
        people=(entry_number, 100 + entry_number),
        rank=entry_number,
        spans=_random_spans(random, first, planned, leaves=leaves),
        annulled=leaves and kind is FormatKind.ROUND_ROBIN and random.random() < 0.5,
    )


def _random_spans(random: Random, first: int, planned: int, *, leaves: bool) -> tuple[Span, ...]:
    """Return the spans of rounds in which an entry takes part; one that leaves sometimes returns later."""
    if not leaves:
        return (Span(first),)
    last = random.randint(first, planned)
    back = Span(last + 2) if last + 2 <= planned and random.random() < 0.5 else None
    return (Span(first, last), *(() if back is None else (back,)))


def _random_round(random: Random, course: Course, round_number: int, ids: Iterator[int]) -> Round:
    there = [e.number for e in course.entries if e.takes_part_in(round_number)]
    random.shuffle(there)
    out = [entry for entry in there if random.random() < 0.08]
    there = [entry for entry in there if entry not in out]
    each = 4 if course.kind is FormatKind.INDIVIDUAL else course.sides
    matches: list[Match] = []
    while len(there) >= each or (course.sides == 3 and len(there) == 2):
        seated, there = there[:each], there[each:]
        if random.random() < 0.05:
            continue  # entries in a running match have no result
        matches.append(_random_match(random, course, next(ids), len(matches) + 1, seated))
    unpaired = [_random_entry_without_match(course, entry, UnpairedReason.BYE) for entry in there]
    unpaired += [
        _random_entry_without_match(
            course, entry, random.choice((UnpairedReason.HALF, UnpairedReason.ABSENT, UnpairedReason.ZERO))
        )
        for entry in out
    ]
    return Round(number=round_number, matches=tuple(matches), unpaired=tuple(unpaired))


def _random_entry_without_match(course: Course, entry: int, code: UnpairedReason) -> EntryWithoutMatch:
    return EntryWithoutMatch(entry=entry, code=code, points=FORMATS[course.kind].unpaired_points(course.scoring, code))


def _random_match(random: Random, course: Course, match_number: int, table: int, seated: list[int]) -> Match:
    pods = course.sides == 3
    count = 2 if course.kind is FormatKind.INDIVIDUAL else len(seated)
    deals = tuple(
        Deal(
            number=deal,
            scores=tuple(100 * random.randint(0, 2) for _ in range(count)),
            void=random.random() < 0.1,
        )
        for deal in range(1, random.randint(1, 3) + 1)
    )
    match = match_of_deals(match_number, seated[:count], deals, scoring=course.scoring, table=table, pods=pods)
    if course.kind is FormatKind.INDIVIDUAL:
        halves = (tuple(seated[:2]), tuple(seated[2:]))
        match = replace(
            match,
            sides=tuple(replace(side, entries=half) for side, half in zip(match.sides, halves, strict=True)),
        )
    return _vary_match(random, course, match)


def _vary_match(random: Random, course: Course, match: Match) -> Match:
    """Return the match as it is, or at random with a forfeit or a ruling of the director."""
    drawn = random.random()
    if drawn < 0.7:
        return match
    if drawn < 0.8:
        return replace(match, kind=ResultKind.VOID)
    if drawn < 0.85:
        turned = tuple(side.points for side in reversed(match.sides))
        return _with_points(replace(match, kind=ResultKind.ADJUSTED, set_by_director=True, deals=()), turned)
    count = len(match.sides)
    gone = range(count) if drawn > 0.95 else (random.randrange(count),)
    kind = ResultKind.DOUBLE_FORFEIT if len(gone) == count else ResultKind.FORFEIT
    scores = [side.score for side in match.sides]
    points = match_points(course.scoring, scores, forfeited=gone, three_sided=course.sides == 3)
    return _with_points(replace(match, kind=kind), points)


def _with_points(match: Match, points: Sequence[int]) -> Match:
    """Return the match with these points for its sides."""
    sides = tuple(replace(side, points=worth) for side, worth in zip(match.sides, points, strict=True))
    return replace(match, sides=sides)


# --- as exported -----------------------------------------------------------------------------------------------------


def export_course(
    course: Course,
    boards: Sequence[Board] = (),
    *,
    method: str | None = None,
    opposed: dict[int, Json] | None = None,
    winners: int = 1,
) -> Json:
    """Return the course and the boards as exported JSON, with the figures that the program computes.

    `opposed` has `tables` and `boards` of each match of teams by its number.
    """
    pairs = method in tuple(RankingMethod)
    return {
        "event": {
            "kind": course.kind.value,
            "entry_size": 2,
            "table_players": 2 * course.sides,
            "scoring": {name: getattr(course.scoring, name) for name in ("win", "tie", "loss", "bye", "half")},
            "tiebreaks": [] if pairs else list(tiebreaks(course)),
            "swing_unit": course.scoring.swing_unit,
            "net_cap": course.scoring.net_cap,
            "duplicate": {"scoring": method} if method else None,
            "movement": {"winners": winners} if pairs else None,
        },
        "entries": [
            {
                "number": entry.number,
                "spans": [[span.first, span.last] for span in entry.spans],
                "annulled": entry.annulled,
            }
            for entry in course.entries
        ],
        "rounds": [_round_json(one, opposed or {}) for one in course.rounds],
        "penalties": [
            {"round": penalty.round, "entry": penalty.entry, "points": penalty.points} for penalty in course.penalties
        ],
        "standings": _pairs_json(course, boards, RankingMethod(method), winners)
        if pairs and method
        else _standings_json(course),
        "boards": _boards_json(course, boards),
    }


def _round_json(course_round: Round, opposed: dict[int, Json]) -> Json:
    return {
        "number": course_round.number,
        "matches": [{**_match_json(match), **opposed.get(match.id, {})} for match in course_round.matches],
        "unpaired": [
            {"entry": sat.entry, "code": sat.code.value, "points": sat.points} for sat in course_round.unpaired
        ],
    }


def _match_json(match: Match) -> Json:
    return {
        "id": match.id,
        "table": match.table,
        "kind": match.kind.value,
        "sides": [
            {
                **({"entry": side.entries[0]} if len(side.entries) == 1 else {"entries": list(side.entries)}),
                "points": side.points,
                "score": side.score,
            }
            for side in match.sides
        ],
        "deals": [{"number": deal.number, "scores": list(deal.scores), "void": deal.void} for deal in match.deals],
        "set_by_director": match.set_by_director,
    }


def _standings_json(course: Course) -> list[Json]:
    return [
        {
            "after_round": after,
            "rows": [
                {
                    "place": row.place,
                    "entry": row.entry,
                    "points": row.points,
                    "list": row.list_name,
                    "figures": {
                        "h2h": row.figures.h2h,
                        "bc1": row.figures.bc1,
                        "sb": None if row.figures.sb is None else float(row.figures.sb),
                        "net": float(row.figures.net),
                        "wins": row.figures.wins,
                    },
                }
                for row in standings(course, after)
            ],
        }
        for after in range(len(course.rounds) + 1)
    ]


def _pairs_json(course: Course, boards: Sequence[Board], method: RankingMethod, winners: int) -> list[Json]:
    rows = score_boards(boards, unit=course.scoring.swing_unit, method=method, winners=winners).rows
    return [
        {
            "after_round": len(course.rounds),
            "rows": [
                {
                    "place": row.place,
                    "entry": row.entry,
                    "points": None if row.mean is None else float(row.mean),
                    "list": row.list_name,
                    "figures": {"boards": row.boards},
                }
                for row in rows
            ],
        }
    ]


def _boards_json(course: Course, boards: Sequence[Board]) -> list[Json]:
    found = []
    for board, scored in zip(boards, score_boards(boards, unit=course.scoring.swing_unit).boards, strict=True):
        shown = course.kind is FormatKind.DUPLICATE and scored.tables is not None
        results = [
            {
                "table": result.table,
                "ns": result.ns,
                "ew": result.ew,
                "scores": result.scores,
                "adjusted": result.adjusted,
                "mp": [float(value) for value in scored.tables[place].mp] if shown and scored.tables else None,
                "ximp": [float(value) for value in scored.tables[place].ximp] if shown and scored.tables else None,
            }
            for place, result in enumerate(board.results)
        ]
        found.append({"number": board.number, "results": results})
    return found
