"""Plackett–Luce ratings by the published formulas, computed without the library that the program uses.

R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning Research 12
(2011), algorithm 4. In addition, the use of matches by `docs/tournaments.md` 5, on plain data as in
`tests/data/ratings/golden.json`.
"""

from __future__ import annotations

from collections import defaultdict
from math import exp, sqrt
from typing import Any

BETA = 25 / 6
KAPPA = 0.0001
TAU = 25 / 300
MONTH = 2_592_000_000

Pair = tuple[float, float]


def plackett_luce_ratings(teams: list[list[Pair]], ranks: list[int]) -> list[list[Pair]]:
    """Return means and deviations after a game of teams; the lowest rank is the best."""
    players = [[(mu, sigma**2 + TAU**2) for mu, sigma in team] for team in teams]
    theta = [sum(mu for mu, _ in team) for team in players]
    variance = [sum(square for _, square in team) for team in players]
    c = sqrt(sum(one + BETA**2 for one in variance))
    everybody = range(len(teams))
    found = []
    for i in everybody:
        omega = delta = 0.0
        for q in everybody:
            if ranks[q] > ranks[i]:
                continue
            tied = sum(ranks[s] == ranks[q] for s in everybody)
            random = exp(theta[i] / c) / sum(exp(theta[s] / c) for s in everybody if ranks[s] >= ranks[q])
            omega += ((i == q) - random) / tied
            delta += random * (1 - random) / tied
        omega *= variance[i] / c
        delta *= sqrt(variance[i]) / c * variance[i] / c**2
        found.append(
            [
                (
                    mu + square / variance[i] * omega,
                    sqrt(square * max(1 - square / variance[i] * delta, KAPPA)),
                )
                for mu, square in players[i]
            ]
        )
    return found


def ranks_of(sides: list[dict[str, Any]]) -> list[int]:
    """Return the place of each side by its total, 1 for the best; sides that gave up come last."""
    worth = [(0, 0) if side["last"] else (1, side["total"]) for side in sides]
    return [1 + len([other for other in worth if other > one]) for one in worth]


def rated_people_by_side(match: dict[str, Any]) -> list[list[dict[str, Any]]] | None:
    """Return the rated people of each side of a match; None if the match is not rated."""
    sides, computers = [], False
    for side in match["sides"]:
        row = []
        for seat in side["seats"]:
            whole = seat["computer"] + sum(deals for _, deals in seat["persons"])
            computers = computers or seat["computer"] > whole / 2
            if seat["lost"] is not None:
                row.append({"person": seat["lost"], "share": 1.0, "lost": True})
                continue
            if not seat["persons"]:
                return None
            most = max(deals for _, deals in seat["persons"])
            person = next(person for person, deals in seat["persons"] if deals == most)
            row.append({"person": person, "share": most / whole, "lost": False})
        sides.append(row)
    if computers:
        for row in sides:
            for place in row:
                place["share"] = 1.0 if place["lost"] else 0.0
        if not any(place["lost"] for row in sides for place in row):
            return None
    return sides


def first_side_score(match: dict[str, Any]) -> float | None:
    """Return the first side's score from 0 to 1: by margin if known, else by rank.

    Return None unless there are two sides.
    """
    if len(match["sides"]) != 2:
        return None
    one, other = match["sides"]
    if match.get("deals") and not one["last"] and not other["last"]:
        z = (one["total"] - other["total"]) / (250 * match["unit"] * sqrt(match["deals"]))
        return 1 / (1 + exp(-z))
    first, second = ranks_of(match["sides"])
    return {-1: 1.0, 0: 0.5, 1: 0.0}[(first > second) - (first < second)]


def ratings_after_match(
    before: list[list[Pair]], places: list[list[dict[str, Any]]], ranks: list[int], score: float | None
) -> list[list[Pair | None]]:
    """Return each player's mean and deviation after a match; None for unrated players."""
    found = []
    for i, row in enumerate(places):
        best, worst = ([bound if i == j else rank for j, rank in enumerate(ranks)] for bound in (-99, 99))
        won, lost, ranked = (plackett_luce_ratings(before, one)[i] for one in (best, worst, ranks))
        own = score if i == 0 or score is None else 1 - score
        after: list[Pair | None] = []
        for j, place in enumerate(row):
            if place["lost"]:
                whole = lost[j]
            elif own is None:
                whole = ranked[j]
            else:
                variance = own * won[j][1] ** 2 + (1 - own) * lost[j][1] ** 2
                whole = (own * won[j][0] + (1 - own) * lost[j][0], sqrt(variance))
            after.append(_rating_after(before[i][j], whole, place))
        found.append(after)
    return found


def rate_ladder(matches: list[dict[str, Any]]) -> tuple[dict[int, Any], dict[str, Any]]:
    """Return the ratings after each match of a ladder, by match number, and all final ratings.

    Persons are named by their number, pairs by both, the lower one first: ``3+17``.
    """
    state: dict[str, tuple[float, float, int]] = {}
    left: dict[int, Any] = {}
    for match in sorted(matches, key=lambda one: (one["at"], one["number"])):
        sides = rated_people_by_side(match)
        if sides is None:
            continue
        alone = [[{**place, "name": str(place["person"])} for place in row] for row in sides]
        together = [
            [
                {
                    "name": "+".join(map(str, sorted(place["person"] for place in row))),
                    "share": min(place["share"] for place in row),
                    "lost": any(place["lost"] for place in row),
                }
            ]
            for row in sides
        ]
        are_pairs = all(len(row) == 2 and min(place["share"] for place in row) >= 0.5 for row in sides)
        results: dict[str, Any] = {}
        for places in (alone, together) if are_pairs else (alone,):
            before = [[_rating_before(state.get(place["name"]), match["at"]) for place in row] for row in places]
            after = ratings_after_match(before, places, ranks_of(match["sides"]), first_side_score(match))
            for row, pairs in zip(places, after, strict=True):
                results |= {place["name"]: pair for place, pair in zip(row, pairs, strict=True)}
        left[match["number"]] = results
        for name, pair in results.items():
            if pair is not None:
                state[name] = (*pair, match["at"])
    return left, state


def _rating_before(known_rating: tuple[float, float, int] | None, at: int) -> Pair:
    if known_rating is None:
        return 25.0, 25 / 3
    mu, sigma, last = known_rating
    return mu, min(25 / 3, sqrt(sigma * sigma + max(0, (at - last) // MONTH - 1)))


def _rating_after(before: Pair, whole: Pair, place: dict[str, Any]) -> Pair | None:
    share = place["share"]
    if share < 0.5:
        return None
    mu = (1 - share) * before[0] + share * whole[0]
    return mu, sqrt((1 - share) * before[1] ** 2 + share * whole[1] ** 2)


def valid_matches(arrivals: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the valid matches by ladder: the last arrival of each match number, unless it is void."""
    last = {one["number"]: one for one in arrivals}
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in last.values():
        if not one.get("void"):
            found[one["ladder"]].append(one)
    return dict(found)
