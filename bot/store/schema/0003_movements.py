"""Version 3: pairs of a duplicate keep the movement and the lists with which they were dealt.

Before, the movement was computed again for each round, and its directions decided how many lists there were. This file
has that computation, for tournaments that had drawn a round.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations, product
from random import Random
from typing import Any

from bot.store.engines.interface import Session

TRIED = 12
"""Most tables in all rounds for which every combination of directions was tried."""
STARTS = 24

UPDATE_ROUND = """
UPDATE tournament_parts SET value = :value WHERE tournament_id = :id AND part = 'rounds' AND number = :number
"""

Rounds = list[list[tuple[int, int]]]


def migrate(session: Session) -> None:
    """Store the movement of every pairs duplicate that has a round, and name the pairs that sit out."""
    for (number,) in session.execute("SELECT id FROM tournaments ORDER BY id").rows:
        (stored,) = session.execute(
            "SELECT CAST(snapshot AS BLOB) FROM tournaments WHERE id = :id", {"id": number}
        ).rows[0]
        try:
            value, parts = json.loads(stored.decode()), _load_parts(session, number)
            changed = _add_movement(value, parts)
        except (ValueError, TypeError, KeyError, AttributeError):
            continue  # an unreadable tournament stays; the bot reports it as a fault
        if not changed:
            continue
        session.execute(
            "UPDATE tournaments SET snapshot = :snapshot WHERE id = :id", {"id": number, "snapshot": _json(value)}
        )
        for place, one in parts["rounds"].items():
            session.execute(UPDATE_ROUND, {"id": number, "number": place, "value": _json(one)})


def _load_parts(session: Session, number: int) -> dict[str, dict[int, Any]]:
    found: dict[str, dict[int, Any]] = {"entrants": {}, "rounds": {}}
    sql = "SELECT part, number, CAST(value AS BLOB) FROM tournament_parts WHERE tournament_id = :id"
    for part, place, value in session.execute(sql, {"id": number}).rows:
        if part in found:
            found[part][place] = json.loads(value.decode())
    return found


def _add_movement(value: dict[str, Any], parts: dict[str, dict[int, Any]]) -> bool:
    """Add the movement to a tournament's value; return whether it has one."""
    boards = value["plan"].get("duplicate")
    if value["plan"].get("kind") != "duplicate" or boards is None or boards.get("scoring") == "imp_vp":
        return False
    entrants = sorted((one for one in parts["entrants"].values() if one.get("rank")), key=lambda one: one["rank"])
    entries = [one["number"] for one in entrants]
    if not parts["rounds"] or len(entries) < 4:
        return False
    seatings, winners = movement(len(entries), boards.get("boards", 6), boards.get("in_a_round", 2))
    named = [[[entries[ns], entries[ew]] for ns, ew in seating] for seating in seatings]
    value["movement"] = {"name": "circle", "rounds": named, "winners": winners}
    for one in parts["rounds"].values():
        for away in one.get("away", []):
            away["code"] = "sit_out"
    return True


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# --- the former movement ---------------------------------------------------------------------------------------------


def movement(pairs: int, boards: int, in_a_round: int) -> tuple[Rounds, int]:
    """Return the pairs, from 0, at North–South and East–West in every round, and the number of lists."""
    sizes = [min(in_a_round, boards - first) for first in range(0, boards, in_a_round)]
    cycle = _circle_rounds(pairs)
    rounds = _choose_directions(pairs, [cycle[number % len(cycle)] for number in range(len(sizes))])
    north, played = [0] * pairs, [0] * pairs
    for seating, size in zip(rounds, sizes, strict=True):
        for ns, ew in seating:
            north[ns] += size
            played[ns] += size
            played[ew] += size
    even = all(all_ <= 3 * some <= 2 * all_ for some, all_ in zip(north, played, strict=True) if all_)
    return rounds, 1 if even else 2


def _circle_rounds(entries: int) -> Rounds:
    """Return the rounds of a round robin by the circle method."""
    size = entries + entries % 2
    ring = list(range(1, size))
    rounds = []
    for _ in range(size - 1):
        line = [0, *ring]
        tables = zip(line[: size // 2], reversed(line[size // 2 :]), strict=True)
        rounds.append([table for table in tables if max(table) < entries])
        ring = ring[-1:] + ring[:-1]
    return rounds


def _choose_directions(pairs: int, rounds: Rounds) -> Rounds:
    """Return the rounds with directions swapped at the tables where that makes the movement fairest."""
    tables = sum(len(seating) for seating in rounds)
    if tables > TRIED:
        source = Random(tables)  # noqa: S311 - no secret depends on it, and the same has to be found
        starts = [[source.random() < 0.5 for _ in range(tables)] for _ in range(STARTS)]
        found = [_improve_balance(pairs, _swap_directions_at_tables(rounds, way)) for way in starts]
    else:
        found = [_swap_directions_at_tables(rounds, (False, *way)) for way in product((False, True), repeat=tables - 1)]
    return min(found, key=lambda seatings: _directions_unevenness(pairs, seatings))


def _directions_unevenness(pairs: int, rounds: Rounds) -> tuple[int, int]:
    ways = _directions_by_round(pairs, rounds)
    between = sum(_direction_agreement(one, other) ** 2 for one, other in combinations(ways, 2))
    return between, sum(sum(way) ** 2 for way in ways)


def _directions_by_round(pairs: int, rounds: Rounds) -> list[list[int]]:
    """Return for each pair its direction in every round: 1 North–South, -1 East–West, 0 without a table."""
    ways = [[0] * len(rounds) for _ in range(pairs)]
    for number, seating in enumerate(rounds):
        for ns, ew in seating:
            ways[ns][number], ways[ew][number] = 1, -1
    return ways


def _direction_agreement(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _swap_directions_at_tables(rounds: Rounds, turns: Sequence[bool]) -> Rounds:
    remaining = iter(turns)
    return [[(ew, ns) if next(remaining) else (ns, ew) for ns, ew in seating] for seating in rounds]


def _improve_balance(pairs: int, rounds: Rounds) -> Rounds:
    """Return the rounds after swapping directions at single tables as long as that makes them fairer."""
    ways = _directions_by_round(pairs, rounds)
    same = [[_direction_agreement(one, other) for other in ways] for one in ways]
    better = True
    while better:
        better = False
        for number, seating in enumerate(rounds):
            for table in seating:
                if _change_in_unevenness(ways, same, number, table) < (0, 0):
                    _swap_directions_at_table(ways, same, number, table)
                    better = True
    return [
        [(ns, ew) if ways[ns][number] > 0 else (ew, ns) for ns, ew in seating] for number, seating in enumerate(rounds)
    ]


def _change_in_unevenness(
    ways: list[list[int]], same: list[list[int]], number: int, table: tuple[int, int]
) -> tuple[int, int]:
    between = evenness = 0
    for one in table:
        way = ways[one][number]
        for other, row in enumerate(ways):
            if other not in table:
                step = -2 * way * row[number]
                between += step * (2 * same[one][other] + step)
        evenness += -2 * way * (2 * sum(ways[one]) - 2 * way)
    return between, evenness


def _swap_directions_at_table(
    ways: list[list[int]], same: list[list[int]], number: int, table: tuple[int, int]
) -> None:
    for one in table:
        for other, row in enumerate(ways):
            if other not in table:
                same[one][other] -= 2 * ways[one][number] * row[number]
                same[other][one] = same[one][other]
    for one in table:
        ways[one][number] = -ways[one][number]
