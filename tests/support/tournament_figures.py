"""Recompute a tournament from its exported results alone; nothing is shared with the program.

It reads the JSON form of `docs/tournaments.md` 6 and computes section 4. `find_differences` lists everything in an
export that does not follow from its own results: match points, standings after each round, boards.
"""

from __future__ import annotations

import math
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from itertools import permutations
from typing import Any

Json = dict[str, Any]

CLOSE = 1e-6
IMP_LADDER = "20 50 90 130 170 220 270 320 370 430 500 600 750 900 1100 1300 1500 1750 2000 2250 2500 3000 3500 4000"


def find_differences(export: Json) -> list[str]:
    """Return an error text for each figure of an export that does not follow from its results."""
    found = _points_that_differ(export) + _boards_that_differ(export)
    for exported in export["standings"]:
        after = exported["after_round"]
        mine = standings_after_round(export, after)
        if mine is not None:
            found += [f"after round {after}: {line}" for line in _rows_that_differ(mine, exported["rows"])]
    return found


def standings_after_round(export: Json, after: int) -> list[Json] | None:
    """Return the standings after a round.

    None if places come from a bracket or a ladder.
    """
    event = export["event"]
    if event["kind"] in ("single", "double", "ladder"):
        return None
    if event["kind"] == "duplicate" and event["duplicate"]["scoring"] in ("mp", "ximp"):
        return _pair_rows(export)
    return _entry_rows(export, after)


# --- rounds and matches ----------------------------------------------------------------------------------------------


def _entry_numbers(side: Json) -> list[int]:
    return list(side["entries"]) if "entries" in side else [side["entry"]]


def _rounds_by_entry(export: Json, after: int) -> dict[int, list[Json]]:
    """Return the rounds of each entry: how each round ended, its points, opponents, result and net scores."""
    robin = export["event"]["kind"] == "round_robin"
    gone_early = {entry["number"] for entry in export["entries"] if entry["annulled"]} if robin else set()
    history: dict[int, list[Json]] = {entry["number"]: [] for entry in export["entries"]}
    for one in sorted(export["rounds"], key=lambda item: item["number"]):
        if one["number"] > after:
            break
        for entry in export["entries"]:
            line = _history_line(one, entry, gone_early)
            if line is not None:
                history[entry["number"]].append(line)
    return history


def _history_line(round_data: Json, entry: Json, gone_early: set[int]) -> Json | None:
    me = entry["number"]
    mine = [match for match in round_data["matches"] if any(me in _entry_numbers(side) for side in match["sides"])]
    for match in mine:
        everybody = {number for side in match["sides"] for number in _entry_numbers(side)}
        if match["kind"] != "void" and not everybody & gone_early:
            return _match_line(match, me)
    for sat in round_data["unpaired"]:
        if sat["entry"] == me:
            return {"how": "bye" if sat["code"] == "bye" else "own choice", "points": sat["points"], "against": []}
    if mine:
        return {"how": "bye", "points": 0, "against": []}
    if not any(first <= round_data["number"] <= (math.inf if last is None else last) for first, last in entry["spans"]):
        return {"how": "own choice", "points": 0, "against": []}
    return None


def _match_line(match: Json, me: int) -> Json:
    own = next(number for number, side in enumerate(match["sides"]) if me in _entry_numbers(side))
    rest = [side for number, side in enumerate(match["sides"]) if number != own]
    points, others = match["sides"][own]["points"], [side["points"] for side in rest]
    how = "played"
    if match["kind"] == "double_forfeit" or (match["kind"] == "forfeit" and points < max(others)):
        how = "own choice"
    elif match["kind"] == "forfeit":
        how = "forfeit won"
    result = "won" if points > max(others) else "tied" if points == min(others) == max(others) else ""
    nets = []
    if how == "played" and not match["set_by_director"]:
        for deal in match["deals"]:
            if not deal["void"]:
                nets += [deal["scores"][own] - score for place, score in enumerate(deal["scores"]) if place != own]
    against = [number for side in rest for number in _entry_numbers(side)]
    return {"how": how, "points": points, "against": against, "result": result, "nets": nets}


# --- standings of entries --------------------------------------------------------------------------------------------


def _entry_rows(export: Json, after: int) -> list[Json]:
    event = export["event"]
    history = _rounds_by_entry(export, after)
    listed = [entry for entry in export["entries"] if entry["spans"][0][0] <= max(1, after)]
    last = [entry["number"] for entry in listed if entry["annulled"]]
    numbers = [entry["number"] for entry in listed if not entry["annulled"]]
    points = {number: sum(line["points"] for line in lines) for number, lines in history.items()}
    for penalty in export["penalties"]:
        if penalty["round"] <= after and penalty["entry"] in points:
            points[penalty["entry"]] -= penalty["points"]
    used = event["tiebreaks"]
    figures = {number: _tie_break_figures(export, history, number) for number in history}
    ways = _head_to_head(event["kind"], numbers, points, history) if "h2h" in used else dict.fromkeys(numbers, ())
    keys = {
        number: (points[number], *ways[number], *(figures[number][name] for name in used if name != "h2h"))
        for number in numbers
    }
    places = {number: 1 + sum(other > keys[number] for other in keys.values()) for number in numbers}
    places.update(dict.fromkeys(last, len(numbers) + 1))
    rows = []
    for number in sorted(places, key=lambda number: (places[number], number)):
        shown = {name: figures[number][name] for name in used if name != "h2h"}
        if "h2h" in used:
            shown["h2h"] = ways[number][0] if number in ways and ways[number][0] >= 0 else None
        rows.append({"place": places[number], "entry": number, "points": points[number], "list": "", "figures": shown})
    return rows


def _tie_break_figures(export: Json, history: dict[int, list[Json]], me: int) -> Json:
    event = export["event"]
    lines = history[me]
    robin = event["kind"] == "round_robin"
    worth = {number: _opponent_value(event, other) for number, other in history.items()}
    met = [worth[me] if line["how"] != "played" else sum(worth[o] for o in line["against"]) for line in lines]
    chosen = [value for value, line in zip(met, lines, strict=True) if line["how"] == "own choice"]
    berger = Fraction(0)
    nets = []
    for line in lines:
        for other in line["against"]:
            if line["result"] == "won" and (robin or line["how"] == "played"):
                berger += worth[other]
            if line["result"] == "tied" and line["how"] == "played":
                berger += Fraction(worth[other], 2)
        nets += [max(-event["net_cap"], min(event["net_cap"], net)) for net in line.get("nets", [])]
    return {
        "bc1": sum(met) - min(chosen or met or [0]),
        "sb": berger,
        "net": Fraction(sum(nets), max(1, len(nets))),
        "wins": sum(line["how"] == "played" and line["result"] == "won" for line in lines),
    }


def _opponent_value(event: Json, lines: list[Json]) -> int:
    """Return A(o) of the specification: an opponent's points, adjusted for unplayed rounds."""
    if event["kind"] == "round_robin":
        return sum(line["points"] for line in lines)
    tie = event["scoring"]["tie"]
    return sum(line["points"] if line["how"] == "played" else tie for line in lines)


def _head_to_head(
    kind: str, numbers: list[int], points: dict[int, int], history: dict[int, list[Json]]
) -> dict[int, tuple[int, ...]]:
    """Return each entry's points against its equals, then against those still equal, and so on.

    Entries that have not all met get -1.
    """
    won: Counter[tuple[int, int]] = Counter()
    met = set()
    for me, lines in history.items():
        for line in lines:
            if line["how"] == "played" or kind == "round_robin":
                for other in line["against"]:
                    won[me, other] += line["points"]
                    met.add((me, other))
    ways: dict[int, tuple[int, ...]] = dict.fromkeys(numbers, ())
    while True:
        longer = {}
        for me in numbers:
            equals = [n for n in numbers if (points[n], ways[n]) == (points[me], ways[me])]
            all_met = len(equals) > 1 and all(pair in met for pair in permutations(equals, 2))
            longer[me] = (*ways[me], sum(won[me, other] for other in equals) if all_met else -1)
        parts = [len({(points[n], found[n]) for n in numbers}) for found in (ways, longer)]
        ways = longer
        if parts[0] == parts[1]:
            return ways


# --- match points ----------------------------------------------------------------------------------------------------


def _points_that_differ(export: Json) -> list[str]:
    found = []
    for one in export["rounds"]:
        for match in one["matches"]:
            mine = _points_of(export, match)
            given = [side["points"] for side in match["sides"]]
            if mine is not None and any(abs(a - b) > CLOSE for a, b in zip(mine, given, strict=True)):
                found.append(f"match {match['id']}: points {given}, not {mine}")
            if match["kind"] in ("played", "adjusted") and match["deals"] and not match["set_by_director"]:
                sums = [
                    sum(deal["scores"][place] for deal in match["deals"] if not deal["void"])
                    for place in range(len(match["sides"]))
                ]
                if sums != [side["score"] for side in match["sides"]]:
                    found.append(f"match {match['id']}: scores are {sums}")
    return found


def _points_of(export: Json, match: Json) -> list[float] | None:
    """Return the match points of each side; None if they do not follow from scores."""
    event = export["event"]
    if match["kind"] not in ("played", "adjusted") or match["set_by_director"]:
        return None
    if event["kind"] in ("single", "double", "ladder"):
        return None
    if "tables" in match:
        return _team_points(export, match)
    scores = [side["score"] for side in match["sides"]]
    scale = [event["scoring"]["win"], event["scoring"]["loss"]]
    if len(scores) == 3:
        scale = [4, 2, 0]
    elif event["entry_size"] * 3 == event["table_players"]:
        scale = [3, 1]
    if len(set(scores)) == 1 and scale == [event["scoring"]["win"], event["scoring"]["loss"]]:
        return [event["scoring"]["tie"]] * 2
    order = sorted(scores, reverse=True)
    shares: dict[int, list[int]] = {}
    for score, worth in zip(order, scale, strict=True):
        shares.setdefault(score, []).append(worth)
    return [sum(shares[score]) / len(shares[score]) for score in scores]


def _team_points(export: Json, match: Json) -> list[float]:
    """Return the victory points of both sides, scaled so that 20 of them are worth a win."""
    boards = {board["number"]: board for board in export["boards"]}
    gains = []
    for number in match["boards"]:
        two = [next(r for r in boards[number]["results"] if r["table"] == table) for table in match["tables"]]
        gain = _team_gain(two, export["event"]["swing_unit"])
        if gain is not None:
            gains.append(gain)
    first, second = victory_points(sum(gains), len(gains))
    factor = Decimal(export["event"]["scoring"]["win"]) / 20
    return [float(first * factor), float(second * factor)]


def _team_gain(two: list[Json], unit: int) -> int | None:
    nets = [_net_score(result) for result in two]
    if any(result["scores"] is None and result["adjusted"] is None for result in two):
        return None
    if None not in nets:
        return imps_for(nets[0] - nets[1], unit)
    lean = 0
    nothing = True
    for result, sign in zip(two, (1, -1), strict=True):
        given = result["adjusted"]
        if given and tuple(given) != (50, 50):
            nothing = False
            lean += sign * (given[0] - given[1])
    return None if nothing else 3 * ((lean > 0) - (lean < 0))


# --- boards ----------------------------------------------------------------------------------------------------------


def imps_for(difference: int, unit: int) -> int:
    """Return the signed IMPs for a difference."""
    climbed = sum(abs(difference) >= int(step) * unit for step in IMP_LADDER.split())
    return int(math.copysign(climbed, difference))


def victory_points(margin: int, boards: int) -> tuple[Decimal, Decimal]:
    """Return the victory points of both sides, by the continuous scale."""
    if not boards:
        return Decimal(10), Decimal(10)
    getcontext().prec = 60
    r = (Decimal(5).sqrt() - 1) / 2
    b = 15 * Decimal(boards).sqrt()
    exact = 10 + 10 * (1 - r ** (3 * Decimal(abs(margin)) / b)) / (1 - r**3)
    more = min(Decimal(20), exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP))
    return (more, 20 - more) if margin >= 0 else (20 - more, more)


def _net_score(result: Json) -> Any:
    """Return North-South's score less East-West's, None if the board was not played or was adjusted."""
    if result["scores"] is None or result["adjusted"] is not None:
        return None
    return result["scores"][0] - result["scores"][1]


def boards_of(export: Json) -> dict[int, list[Json] | None]:
    """Return the matchpoints and cross-IMPs of every board by table.

    None for sealed boards and those that count for no pair.
    """
    return {board["number"]: _board_figures(board, export["event"]["swing_unit"]) for board in export["boards"]}


def _board_figures(board: Json, unit: int) -> list[Json] | None:
    results = board["results"]
    nets = [_net_score(result) for result in results]
    unfinished = any(result["scores"] is None and result["adjusted"] is None for result in results)
    known = [net for net in nets if net is not None]
    if unfinished or not known or len(results) < 2:
        return None
    tables, scored, top = len(results), len(known), 2 * len(results) - 2
    found = []
    for result, net in zip(results, nets, strict=True):
        if net is None:
            shares = [Fraction(percent * top, 100) for percent in result["adjusted"]]
            means = [Fraction({40: -3, 50: 0, 60: 3}[percent]) for percent in result["adjusted"]]
        else:
            below, equal = sum(k < net for k in known), sum(k == net for k in known) - 1
            north = Fraction((2 * below + equal) * tables + tables - scored, scored)
            shares = [north, top - north]
            mean = Fraction(sum(imps_for(net - k, unit) for k in known), max(1, scored - 1))
            means = [mean, -mean]
        found.append({"table": result["table"], "mp": shares, "ximp": means})
    return found


def _boards_that_differ(export: Json) -> list[str]:
    found = []
    mine = boards_of(export) if export["event"]["kind"] == "duplicate" else {}
    for board in export["boards"]:
        scores = mine.get(board["number"])
        for place, result in enumerate(board["results"]):
            for name in ("mp", "ximp"):
                expected = None if scores is None else [float(value) for value in scores[place][name]]
                given = result.get(name)
                if (expected is None) != (given is None) or (
                    expected and any(abs(a - b) > CLOSE for a, b in zip(expected, given, strict=True))
                ):
                    found.append(f"board {board['number']}, table {result['table']}: {name} {given}, not {expected}")
    return found


def _pair_rows(export: Json) -> list[Json]:
    """Return the standings of pairs in a duplicate, ordered by the mean of their open boards, list by list.

    Pairs that played fewer than half of them have no place.
    """
    by_imps = export["event"]["duplicate"]["scoring"] == "ximp"
    scores = boards_of(export)
    seats: dict[int, list[str]] = {}
    values: dict[int, list[Fraction]] = {}
    played: Counter[int] = Counter()
    for board in export["boards"]:
        found = scores[board["number"]]
        for place, result in enumerate(board["results"]):
            for side, name in enumerate(("ns", "ew")):
                pair = result[name]
                seats.setdefault(pair, []).append(name)
                values.setdefault(pair, [])
                if found is not None:
                    top = 2 * len(board["results"]) - 2
                    value = found[place]["ximp"][side] if by_imps else 100 * found[place]["mp"][side] / top
                    values[pair].append(value)
                    played[pair] += _net_score(result) is not None
    movement = export["event"]["movement"]
    one_list = movement is None or movement["winners"] == 1
    lists = {pair: "" if one_list else names[0] for pair, names in seats.items()}
    means = {pair: sum(listed, Fraction(0)) / len(listed) if listed else None for pair, listed in values.items()}
    ranked = {pair: mean for pair, mean in means.items() if mean is not None and 2 * played[pair] >= len(values[pair])}
    rows = []
    for pair in seats:
        ahead = [other for other, mean in ranked.items() if lists[other] == lists[pair] and mean > ranked.get(pair, 0)]
        rows.append(
            {
                "place": 1 + len(ahead) if pair in ranked else None,
                "entry": pair,
                "points": means[pair],
                "list": lists[pair],
                "figures": {"boards": played[pair]},
            }
        )
    return rows


# --- comparing -------------------------------------------------------------------------------------------------------


def _rows_that_differ(expected_rows: list[Json], exported_rows: list[Json]) -> list[str]:
    theirs = {row["entry"]: row for row in exported_rows}
    found = [f"entries {sorted(theirs)}"] if sorted(theirs) != sorted(row["entry"] for row in expected_rows) else []
    for row in expected_rows:
        other = theirs.get(row["entry"])
        if other is None:
            continue
        values = {"place": row["place"], "points": row["points"], **row["figures"]}
        shown = {"place": other["place"], "points": other["points"], **other["figures"]}
        found += [
            f"entry {row['entry']}: {name} {shown.get(name)}, not {value}"
            for name, value in values.items()
            if not _are_equal(value, shown.get(name))
        ]
        if row["list"] != other["list"]:
            found.append(f"entry {row['entry']}: list {other['list']!r}, not {row['list']!r}")
    return found


def _are_equal(expected: Any, exported: Any) -> bool:
    """Return whether both figures are missing, or equal up to rounding."""
    if expected is None or exported is None:
        return expected is None and exported is None
    return abs(float(expected) - float(exported)) <= CLOSE
