"""Write `tests/data/ratings/golden.json`: 200 matches in order of arrival, and the ratings after them.

The ratings are computed independently of the program, by `tests.support.published_rating_formulas`. Run it with
``python -m tests.support.write_golden_ratings``.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from tests.support.published_rating_formulas import rate_ladder, valid_matches

FILE = Path(__file__).resolve().parents[1] / "data" / "ratings" / "golden.json"
DAY = 86_400_000
LADDERS = {"classic-4": (2, 2), "classic-3": (3, 1), "foot-6": (3, 2), "runs-2": (2, 1)}
"""Numbers of sides and of seats per side."""


def random_seat(random: Random, person: int, substitute: int, deals: int) -> dict[str, Any]:
    """Return the players of a seat: mostly one person, or several, a computer player, or one who gave up."""
    kind = random.choices(("whole", "shared", "thirds", "computer", "lost"), (70, 12, 4, 10, 4))[0]
    first = random.randint(1, deals)
    if kind == "shared":
        persons = [[person, first], [substitute, deals - first]] if first < deals else [[person, deals]]
        return {"persons": persons, "computer": 0, "lost": None}
    if kind == "thirds" and deals >= 3:
        return {"persons": [[person, 1], [substitute, 1]], "computer": deals - 2, "lost": None}
    if kind in ("computer", "lost"):
        lost = person if kind == "lost" else None
        return {"persons": [[person, first]], "computer": deals - first, "lost": lost}
    return {"persons": [[person, deals]], "computer": 0, "lost": None}


def random_match(random: Random, match_number: int, at: int) -> dict[str, Any]:
    """Return a match of people out of 24."""
    name = random.choice(sorted(LADDERS))
    sides, seats = LADDERS[name]
    people = random.sample(range(1, 25), 2 * sides * seats)
    deals = random.randint(1, 6)
    made = []
    for _ in range(sides):
        filled = [random_seat(random, people.pop(), people.pop(), deals) for _ in range(seats)]
        made.append({"seats": filled, "total": random.randrange(-2, 9) * 500, "last": random.random() < 0.03})
    kept = random.random() < 0.8
    return {
        "number": match_number,
        "ladder": name,
        "at": at,
        "sides": made,
        "deals": deals if kept else None,
        "unit": 2,
    }


def random_matches_as_they_arrive(random: Random) -> list[dict[str, Any]]:
    """Return 200 matches over three years in the order in which they arrive.

    Some are late; at the end a few are corrected and one is withdrawn.
    """
    at, matches = 1_700_000_000_000, []
    for number in range(1, 201):
        at += random.choice((0, 1, 3 * DAY, 7 * DAY, 12 * DAY)) if number % 50 else 95 * DAY
        matches.append(random_match(random, number, at))
    arriving = sorted(matches, key=lambda one: one["number"] + random.choice((0, 0, 0, 4)))
    for number in (17, 90, 151):
        wrong = matches[number - 1]
        arriving.append(
            {
                **random_match(random, number, wrong["at"]),
                "ladder": wrong["ladder"],
                "sides": with_exchanged_totals(wrong),
            }
        )
    arriving.append({**matches[60], "void": True})
    return arriving


def with_exchanged_totals(match: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a correction of a match: its sides with their totals exchanged, the first 5 higher."""
    totals = [side["total"] for side in match["sides"]][::-1]
    totals[0] += 5
    return [{**side, "total": total} for side, total in zip(match["sides"], totals, strict=True)]


def final_ratings(arriving: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the final ratings of every ladder."""
    found = {}
    for name, matches in sorted(valid_matches(arriving).items()):
        left, state = rate_ladder(matches)
        found[name] = {
            "after": {str(number): row for number, row in left.items()},
            "ratings": dict(sorted(state.items())),
        }
    return found


def golden_file_content() -> dict[str, Any]:
    """Return the content of the file as data."""
    arriving = random_matches_as_they_arrive(Random(20_260_101))
    return {"arrivals": arriving, "expected": final_ratings(arriving)}


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(json.dumps(golden_file_content(), separators=(",", ":")) + "\n")
