"""Scores of boards by comparing their tables, and the ranking of pairs (`docs/tournaments.md` 4)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from enum import StrEnum
from fractions import Fraction
from typing import Final

from bot.tournaments.boards.board import ADJUSTED_IMPS, Board

STEPS: Final = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)
"""The least difference, in units of swing, for 1 IMP, 2 IMPs and so on."""

MOST: Final = 2000
"""The most victory points of a match (20), in hundredths."""
EVEN: Final = MOST // 2
BYE: Final = 1200
"""Victory points of a team for a round without a match, in hundredths."""

_PRECISION: Final = 50


def imps_of_difference(difference: int, unit: int) -> int:
    """Return the IMPs, with sign, of a difference in card points.

    `unit` is the points of one step of the scale.
    """
    steps = bisect_right(STEPS, Fraction(abs(difference), unit))
    return steps if difference >= 0 else -steps


def victory_points(margin: int, boards: int) -> tuple[int, int]:
    """Return both teams' victory points, in hundredths, for a margin of IMPs; equal without boards.

    The continuous scale of the World Bridge Federation, as the specification gives it: 15 times the root of the
    number of boards wins all 20, rounded half up to hundredths.
    """
    if boards == 0:
        return (EVEN, EVEN)
    with localcontext() as context:
        context.prec = _PRECISION
        golden = (Decimal(5).sqrt() - 1) / 2
        whole = 15 * Decimal(boards).sqrt()
        share = (1 - golden ** (3 * abs(margin) / whole)) / (1 - golden**3)
        ahead = min(MOST, int((EVEN + EVEN * share).quantize(Decimal(1), rounding=ROUND_HALF_UP)))
    return (ahead, MOST - ahead) if margin >= 0 else (MOST - ahead, ahead)


def matchpoints(nets: Sequence[int | None], adjusted: Sequence[int | None]) -> tuple[Fraction, ...]:
    """Return one side's matchpoints at every table: 2 for each score beaten, 1 for each equal score.

    They are scaled up to all tables: (M·E+E−A)/A for A of E tables scored. A table without a net gets its adjusted
    per cent of the maximum. At least one net is required.
    """
    tables, scored = len(nets), [net for net in nets if net is not None]
    most = 2 * (tables - 1)
    found = []
    for net, percent in zip(nets, adjusted, strict=True):
        if net is None:
            found.append(Fraction(most * (percent or 0), 100))
        else:
            beaten = sum(2 * (other < net) + (other == net) for other in scored) - 1
            found.append(Fraction(beaten * tables + tables - len(scored), len(scored)))
    return tuple(found)


def cross_imps(nets: Sequence[int | None], adjusted: Sequence[int | None], unit: int) -> tuple[Fraction, ...]:
    """Return one side's mean IMPs at every table against the others; `adjusted` are IMPs given instead."""
    scored = [net for net in nets if net is not None]
    found = []
    for net, given in zip(nets, adjusted, strict=True):
        if net is None:
            found.append(Fraction(given or 0))
        else:
            total = sum(
                imps_of_difference(net - other, unit) for other in scored
            )  # comparing a table with itself adds 0
            found.append(Fraction(total, max(1, len(scored) - 1)))
    return tuple(found)


class RankingMethod(StrEnum):
    """Ways to rank pairs; the value is the stable name."""

    MATCHPOINTS = "mp"  # pairs are ranked by their mean per cent
    CROSS_IMPS = "ximp"  # pairs are ranked by their mean IMPs per board


ALL: Final = ""
NORTH_SOUTH: Final = "ns"
EAST_WEST: Final = "ew"
"""Names of ranking lists: one for all pairs, or one for each direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableScore:
    """A table's scores on a board: matchpoints and mean IMPs of North–South and East–West."""

    table: int
    mp: tuple[Fraction, Fraction]
    ximp: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredBoard:
    """A board with the scores of its tables; None while it is sealed or if it does not count.

    `most` are the matchpoints for beating all other tables.
    """

    number: int
    most: int
    tables: tuple[TableScore, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """A pair in its ranking list: its mean, and how many boards it has played.

    Equal pairs share a place. `place` is None for a pair that has played under half of the boards that the movement
    gave it, or of whose boards none is open yet; `mean` is None only in the latter case. Means of different lists are
    not comparable.
    """

    place: int | None
    entry: int
    mean: Fraction | None
    boards: int
    list_name: str = ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardScores:
    """The scores of all boards by number, and the pairs of each list, best first."""

    boards: tuple[ScoredBoard, ...]
    rows: tuple[PairRow, ...]


def score_boards(
    boards: Sequence[Board], *, unit: int, method: RankingMethod = RankingMethod.MATCHPOINTS, winners: int = 1
) -> BoardScores:
    """Score all boards that are open and rank the pairs; `unit` is the unit of swing in card points.

    With two `winners` each direction has a list of its own.
    """
    scored = tuple(score_board(board, unit=unit) for board in boards)
    return BoardScores(boards=scored, rows=_ranked_rows(boards, scored, method=method, winners=winners))


def score_board(board: Board, *, unit: int) -> ScoredBoard:
    """Return one board's scores at each table; scores are None until its last table is done."""
    most = 2 * (len(board.results) - 1)
    if not board.is_open or not board.is_comparable:
        return ScoredBoard(number=board.number, most=most, tables=None)
    results = board.results
    points, means = [], []
    for side, sign in ((0, 1), (1, -1)):
        nets = [None if result.net is None else sign * result.net for result in results]
        given = [result.adjusted[side] if result.adjusted else None for result in results]
        points.append(matchpoints(nets, given))
        means.append(cross_imps(nets, [None if percent is None else ADJUSTED_IMPS[percent] for percent in given], unit))
    return ScoredBoard(
        number=board.number,
        most=most,
        tables=tuple(
            TableScore(
                table=result.table,
                mp=(points[0][number], points[1][number]),
                ximp=(means[0][number], means[1][number]),
            )
            for number, result in enumerate(results)
        ),
    )


def ranking_lists(boards: Iterable[Board], *, winners: int) -> dict[int, str]:
    """Return the name of each pair's ranking list, by pair.

    There is one list if there is one winner, else one for each direction; a pair is in that of its main direction.
    """
    seats: dict[int, list[str]] = {}
    for board in boards:
        for result in board.results:
            seats.setdefault(result.ns, []).append(NORTH_SOUTH)
            seats.setdefault(result.ew, []).append(EAST_WEST)
    if winners == 1:
        return dict.fromkeys(seats, ALL)
    return {entry: NORTH_SOUTH if 2 * sat.count(NORTH_SOUTH) >= len(sat) else EAST_WEST for entry, sat in seats.items()}


# --- places ----------------------------------------------------------------------------------------------------------


def _ranked_rows(
    boards: Sequence[Board], scored: Sequence[ScoredBoard], *, method: RankingMethod, winners: int
) -> tuple[PairRow, ...]:
    """Return the ranked pairs of all lists."""
    lists = ranking_lists(boards, winners=winners)
    values: dict[int, list[Fraction]] = {entry: [] for entry in lists}
    played = dict.fromkeys(lists, 0)
    for board, found in zip(boards, scored, strict=True):
        if found.tables is None:
            continue
        for result, score in zip(board.results, found.tables, strict=True):
            for side, entry in enumerate((result.ns, result.ew)):
                values[entry].append(
                    score.ximp[side] if method is RankingMethod.CROSS_IMPS else 100 * score.mp[side] / found.most
                )
                played[entry] += result.net is not None
    rows = [
        PairRow(
            place=None,
            entry=entry,
            mean=sum(own, Fraction(0)) / len(own) if own else None,
            boards=played[entry],
            list_name=lists[entry],
        )
        for entry, own in values.items()
    ]
    qualified = frozenset(entry for entry, own in values.items() if own and 2 * played[entry] >= len(own))
    names = dict.fromkeys(row.list_name for row in rows)
    return tuple(
        row
        for name in sorted(names, reverse=True)  # the list of North–South comes first
        for row in _rank_list([row for row in rows if row.list_name == name], qualified)
    )


def _rank_list(rows: Sequence[PairRow], qualified: Collection[int]) -> list[PairRow]:
    """Return the rows of one list, best first, with places; pairs that have not qualified come last."""
    ranked = [(row.mean, row) for row in rows if row.mean is not None and row.entry in qualified]
    ranked.sort(key=lambda pair: (-pair[0], pair[1].entry))
    rest = sorted((row for row in rows if row.entry not in qualified), key=lambda row: row.entry)
    return [replace(row, place=1 + sum(other > mean for other, _ in ranked)) for mean, row in ranked] + rest
