"""The worked examples of `docs/tournaments.md` 4 as courses, boards and figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from bot.tournaments.boards.board import FAULT_OF_EAST_WEST, NOBODYS_FAULT, Board, BoardResult
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
    Side,
    Span,
    UnpairedReason,
)
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.standings.points_by_round import match_points


def ranked_pairs(count: int) -> tuple[Entry, ...]:
    """Return that many pairs of two people each, ranked by their numbers."""
    return tuple(Entry(number=n, people=(100 + n, 200 + n), rank=n) for n in range(1, count + 1))


def match_of_differences(
    match_number: int,
    first: int,
    second: int,
    differences: Sequence[int],
    *,
    scoring: Scoring | None = None,
    table: int = 1,
) -> Match:
    """Return a match of two entries, built from the first entry's lead in each deal."""
    deals = tuple(
        Deal(number=deal, scores=(max(0, difference), max(0, -difference)))
        for deal, difference in enumerate(differences, start=1)
    )
    return match_of_deals(match_number, (first, second), deals, scoring=scoring, table=table)


def match_of_deals(
    match_number: int,
    sides: Sequence[int],
    deals: tuple[Deal, ...],
    *,
    scoring: Scoring | None = None,
    table: int = 1,
    pods: bool = False,
) -> Match:
    """Return a match of these entries, built from the scores of its deals."""
    scores = [sum(deal.scores[side] for deal in deals if not deal.void) for side in range(len(sides))]
    points = match_points(scoring or Scoring(), scores, three_sided=pods)
    return Match(
        id=match_number,
        table=table,
        kind=ResultKind.PLAYED,
        sides=tuple(
            Side(entries=(entry,), people=(100 + entry, 200 + entry), points=worth, score=score)
            for entry, worth, score in zip(sides, points, scores, strict=True)
        ),
        deals=deals,
    )


def forfeited_match(
    match_number: int, winner: int, loser: int, *, scoring: Scoring | None = None, table: int = 1
) -> Match:
    """Return a match of two entries that the second has forfeited."""
    worth = scoring or Scoring()
    return Match(
        id=match_number,
        table=table,
        kind=ResultKind.FORFEIT,
        sides=(Side(entries=(winner,), points=worth.win), Side(entries=(loser,), points=worth.loss)),
        reason="did not come",
    )


def entry_that_sat_out(entry: int, code: UnpairedReason, points: int) -> EntryWithoutMatch:
    """Return an entry's round without a match, with the reason as `code`."""
    return EntryWithoutMatch(entry=entry, code=code, points=points)


# --- A: Swiss of nine ------------------------------------------------------------------------------------------------

_A_ROUNDS: Final[tuple[tuple[str, str, dict[int, UnpairedReason]], ...]] = (
    ("1–5 960,1000,−565; 2–6 1270,−25,−1555; 3–7 120,630,−210; 4–8 555,−760,655", "000000", {9: UnpairedReason.BYE}),
    ("1–4 230,160,−345; 3–6 −740,−50,570; 9–10 285,−190,−95; 2–7 60,15,−30; 8–5 −250,−320,925", "000100", {}),
    ("6–1 505,−350,−140; 4–3 forfeit; 2–8 165,805,−480; 10–5 460,110,−145", "000402", {7: UnpairedReason.BYE}),
    ("6–4 145,75,75; 1–2 35,−430,55; 10–3 240,20,50; 7–8 −455,−225,−715", "000903", {5: UnpairedReason.BYE}),
    (
        "6–10 785,−115,−400; 2–4 −1080,540,−450; 1–8 135,−945,−1520; 5–7 −1100,−210,−100",
        "002924",
        {3: UnpairedReason.BYE},
    ),
)

_A_PLACES: Final = """
1|1. 2 465|2. 4 2/2/240|2. 4 9/3/158.3|4. 4 h2 17/4/90.4|6. 4 27/6/−48.3|2
2|6. 0 −8.3|6. 2 4/0/3.3|3. 4 8/3/56.7|2. 6 16/9/70.8|3. 6 25/13/−4|3
3|2. 2 180|5. 2 4/0/53.3|7. 2 h2 7/1/53.3|8. 2 15/1/1.1|7. 4 23/3/1.1|1
4|3. 2 150|4. 2 4/2/67.5|4. 4 7/2/67.5|5. 4 h0 16/4/12.2|2. 6 27/12/85|2
5|9. 0 −465|9. 0 4/0/−291.7|10. 0 8/0/−241.7|9. 2 14/0/−241.7|10. 2 19/0/−290.4|0
6|4. 2 8.3|1. 4 2/4/40.8|1. 6 8/11/28.9|1. 8 13/16/46.3|1. 10 21/25/55|5
7|8. 0 −180|10. 0 2/0/−97.5|8. 2 h0 7/0/−97.5|10. 2 13/0/−220|8. 4 19/1/−55.8|1
8|7. 0 −150|8. 2 2/0/−15.8|9. 1 7/0/−65|7. 3 10/2/67.5|5. 5 18/8/174.7|3
9|5. 2 0|3. 3 2/1/0|6. 3 7/2/0|6. 3 14/3/0|9. 3 21/3/0|0
10||7. 2 2/1/0|5. 4 3/1.5/70.8|3. 6 8/6/81.7|4. 6 20/7.5/38.8|2
"""

Printed = tuple[int, int, int, int | None, str, str, str]
"""One line of a round: place, entry, points, head to head, cut 1, Sonneborn–Berger and net as they are printed."""


def swiss_example(*, as_played: bool = False) -> Course:
    """Return five rounds of the Swiss tournament.

    With `as_played`, deal 2 of match 6–4 has the score that was played, not the adjusted one.
    """
    rounds: list[Round] = []
    ids = iter(range(1, 100))
    for number, (text, cost, free) in enumerate(_A_ROUNDS, start=1):
        matches = tuple(
            _parse_match(next(ids), table, part.strip()) for table, part in enumerate(text.split(";"), start=1)
        )
        unpaired = [entry_that_sat_out(entry, code, 2) for entry, code in free.items()]
        if number == 1:
            unpaired.append(entry_that_sat_out(10, UnpairedReason.HALF, 1))
        if number > 2:
            unpaired.append(entry_that_sat_out(9, UnpairedReason.ZERO, 0))
        rounds.append(Round(number=number, cost=tuple(map(int, cost)), matches=matches, unpaired=tuple(unpaired)))
    rounds[3] = _fourth_round(rounds[3], as_played=as_played)
    course = Course(
        kind=FormatKind.SWISS,
        entries=tuple(
            replace(entry, spans=(Span(2 if entry.number == 10 else 1, 2 if entry.number == 9 else None),))
            for entry in ranked_pairs(10)
        ),
        rounds=tuple(rounds),
        penalties=(
            Penalty(round=3, entry=8, category="conduct", level=3, points=1, reason="shouting", by=900, at=1_000),
        ),
        scoring=Scoring(net_cap=1000, swing_unit=2),
        rounds_planned=5,
    )
    return replace(
        course, rounds=tuple(replace(one, order=_entry_order_after(one.number - 1)) for one in course.rounds)
    )


def _parse_match(match_number: int, table: int, text: str) -> Match:
    pair, rest = text.replace("−", "-").split(" ", 1)
    first, second = map(int, pair.split("–"))
    if rest == "forfeit":
        return forfeited_match(match_number, first, second, table=table)
    return match_of_differences(match_number, first, second, [int(word) for word in rest.split(",")], table=table)


def _fourth_round(whole_round: Round, *, as_played: bool) -> Round:
    """Return round 4, with deal 2 of its first match `as_played` or adjusted by the director."""
    match = whole_round.matches[0]
    wrong = match_of_differences(match.id, 6, 4, [145, -225, 75])
    if as_played:
        return replace(whole_round, matches=(wrong, *whole_round.matches[1:]))
    deals = tuple(
        replace(deal, as_played=old.scores if deal.number == 2 else None)
        for deal, old in zip(match.deals, wrong.deals, strict=True)
    )
    changed = replace(match, kind=ResultKind.ADJUSTED, deals=deals, reason="wrong count in deal 2")
    return replace(whole_round, matches=(changed, *whole_round.matches[1:]))


def _entry_order_after(after_round: int) -> tuple[int, ...]:
    """Return the order of the entries after a round; after round 0 it is their seeding.

    A late entry follows its equals.
    """
    if not after_round:
        return tuple(range(1, 10))
    order = [line[1] for line in printed_standings_of_example_a(after_round)]
    late = () if after_round > 1 else (10,)
    gone = 9 if after_round > 1 else None
    return tuple(entry for entry in (*order, *late) if entry != gone)


def printed_standings_of_example_a(after_round: int) -> list[Printed]:
    """Return the rows of the printed standings after a round, best first."""
    lines = []
    for line in _A_PLACES.strip().splitlines():
        entry, *cells = line.split("|")
        if cells[after_round - 1]:
            lines.append(_parse_standings_cell(int(entry), cells[after_round - 1]))
    return sorted(lines)


def wins_in_example_a() -> dict[int, int]:
    """Return the wins of each entry, from the last printed column."""
    rows = [line.split("|") for line in _A_PLACES.strip().splitlines()]
    return {int(row[0]): int(row[-1]) for row in rows}


def _parse_standings_cell(entry: int, cell: str) -> Printed:
    """Return the figures in one cell of the printed standings."""
    words = cell.split()
    place, points, figures = int(words[0].rstrip(".")), int(words[1]), words[-1].split("/")
    h2h = int(words[2][1:]) if words[2].startswith("h") else None
    cut, berger, net = figures if len(figures) == 3 else ("0", "0", figures[0])
    return (place, entry, points, h2h, cut, berger, net.replace("−", "-"))


def format_figure(value: Fraction | int, digits: int = 1) -> str:
    """Return a figure as the specification prints it: rounded, without zeros at the end.

    Halves are rounded away from zero.
    """
    scaled = abs(value) * 10**digits
    whole = int(scaled + Fraction(1, 2))
    text = f"{whole // 10**digits}.{whole % 10**digits:0{digits}}".rstrip("0").rstrip(".")
    return ("-" if value < 0 and whole else "") + text


# --- B: duplicate ----------------------------------------------------------------------------------------------------

B_UNIT: Final = 2
B_NETS: Final[Mapping[int, Sequence[int | str]]] = {
    1: (320, -150, 540, 320),
    2: (-410, 95, -700, 205),
    3: (1180, 640, 915, -60),
    4: (-35, -380, 250, -125),
    5: (760, 1450, "–", 430),
    6: (-890, "A+", -365, -240),
}
B_MATCHPOINTS: Final[Mapping[int, Sequence[str]]] = {
    1: ("3", "0", "6", "3"),
    2: ("2", "4", "0", "6"),
    3: ("6", "2", "4", "0"),
    4: ("4", "0", "6", "2"),
    5: ("3", "5.67", "3", "0.33"),
    6: ("0.33", "3.6", "3", "5.67"),
}
B_CROSS_IMPS: Final[Mapping[int, Sequence[str]]] = {
    1: ("1", "-6.67", "4.67", "1"),
    2: ("-3", "4.33", "-7.67", "6.33"),
    3: ("7.67", "-1", "3.33", "-10"),
    4: ("0.67", "-5", "5.33", "-1"),
    5: ("-2", "9.5", "0", "-7.5"),
    6: ("-7", "3", "2", "5"),
}
B_PER_CENT: Final = {1: "50.93", 2: "42.41", 3: "61.11", 4: "47.22", 5: "49.07", 6: "57.59", 7: "38.89", 8: "52.78"}
B_IMPS_A_BOARD: Final = {1: "-0.444", 2: "0.694", 3: "1.278", 4: "-1.028"}


def duplicate_example() -> tuple[Board, ...]:
    """Return six boards played at four tables.

    At table t, pair t sits North–South and pair t + 4 East–West.
    """
    return tuple(
        Board(
            number=number,
            minimum=(50, 90, 120)[(number - 1) % 3],
            dealer=number % 4,
            results=tuple(_board_result(table, net) for table, net in enumerate(nets, start=1)),
        )
        for number, nets in B_NETS.items()
    )


def _board_result(table: int, net: int | str) -> BoardResult:
    if isinstance(net, int):
        return BoardResult(table=table, ns=table, ew=table + 4, scores=(max(0, net), max(0, -net)))
    given = {"–": NOBODYS_FAULT, "A+": FAULT_OF_EAST_WEST}[net]
    return BoardResult(table=table, ns=table, ew=table + 4, adjusted=given)


# --- C: round robin --------------------------------------------------------------------------------------------------

C_NAMES: Final = "ABCDE"


def round_robin_example() -> Course:
    """Return a round robin of five entries, three deals a match.

    The entries A to E are numbered 1 to 5.
    """
    nets = {
        ("A", "B"): (100, 100, 100),
        ("B", "C"): (50, 50, 0),
        ("C", "A"): (100, 100, -15),
        ("C", "D"): (300, 300, 200),
        ("A", "D"): (300, 300, 160),
        ("B", "D"): (300, 300, 300),
        ("A", "E"): (300, 300, 125),
        ("B", "E"): (400, 400, 320),
        ("D", "E"): (55, -100, 45),
    }
    lines: tuple[tuple[str, str, str], ...] = (
        ("AB", "CD", "E"),
        ("CA", "BE", "D"),
        ("AD", "CE", "B"),
        ("BC", "DE", "A"),
        ("AE", "BD", "C"),
    )
    ids = iter(range(1, 100))
    rounds = tuple(
        Round(
            number=number,
            matches=tuple(
                _round_robin_match(next(ids), table, pair, nets) for table, pair in enumerate(line[:2], start=1)
            ),
            unpaired=(entry_that_sat_out(_entry_number(line[2]), UnpairedReason.BYE, 0),),
        )
        for number, line in enumerate(lines, start=1)
    )
    return Course(kind=FormatKind.ROUND_ROBIN, entries=ranked_pairs(5), rounds=rounds, rounds_planned=5)


def _round_robin_match(
    match_number: int, table: int, pair: str, nets: Mapping[tuple[str, str], Sequence[int]]
) -> Match:
    """Return the match of two entries, given as a pair of letters; C forfeits to E."""
    first, second = tuple(pair)
    if (first, second) == ("C", "E"):
        return forfeited_match(match_number, _entry_number(first), _entry_number(second), table=table)
    return match_of_differences(
        match_number, _entry_number(first), _entry_number(second), nets[first, second], table=table
    )


def _entry_number(name: str) -> int:
    return C_NAMES.index(name) + 1


def letters_of_entries(numbers: Iterable[int]) -> str:
    """Return the letters of these entries of example C as one text."""
    return "".join(C_NAMES[number - 1] for number in numbers)
