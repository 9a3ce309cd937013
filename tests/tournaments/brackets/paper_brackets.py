"""Eliminations computed as on paper: lists of names, and tables of where losers continue.

They share only the type of outcomes with the program, so that the two can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.tournaments.brackets.results import SlotOutcome

START = {
    2: [1, 2],
    4: [1, 4, 2, 3],
    8: [1, 8, 4, 5, 2, 7, 3, 6],
    16: [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11],
    32: [
        *(1, 32, 16, 17, 8, 25, 9, 24, 4, 29, 13, 20, 5, 28, 12, 21),
        *(2, 31, 15, 18, 7, 26, 10, 23, 3, 30, 14, 19, 6, 27, 11, 22),
    ],
}
DROPS = {
    4: {2: [1]},
    8: {2: [2, 1], 3: [1]},
    16: {2: [3, 4, 1, 2], 3: [1, 2], 4: [1]},
    32: {2: [5, 6, 7, 8, 1, 2, 3, 4], 3: [2, 1, 4, 3], 4: [2, 1], 5: [1]},
}
"""Which loser of each upper round meets the first, second … of those already in the lower half."""

Line = list[int | None]


class PaperBracket:
    """One elimination on paper; `met` lists the played matches with their slots."""

    def __init__(self, results: Mapping[str, SlotOutcome]) -> None:
        self.results = results
        self.met: list[tuple[str, frozenset[int]]] = []

    def play_match(self, slot: str, first: int | None, second: int | None) -> tuple[int | None, int | None]:
        """Return the winner and the loser of a match; None for an entry that does not exist or forfeited."""
        if first is None or second is None:
            return (first or second), None
        self.met.append((slot, frozenset((first, second))))
        winner = self.results[slot].winner
        if winner is None:
            return None, None
        return winner, second if winner == first else first

    def play_round(self, name: str, pairs: list[tuple[int | None, int | None]]) -> tuple[Line, Line]:
        """Return the winners and the losers of a round, in the order of its matches."""
        both = [self.play_match(f"{name}.{number}", *pair) for number, pair in enumerate(pairs, 1)]
        return [pair[0] for pair in both], [pair[1] for pair in both]


def bracket_size_for(entries: int) -> int:
    return next(size for size in (2, 4, 8, 16, 32) if size >= entries)


def seeds_in_bracket_order(entries: int) -> Line:
    return [seed if seed <= entries else None for seed in START[bracket_size_for(entries)]]


def pairs_of_neighbours(line: Line) -> list[tuple[int | None, int | None]]:
    return list(zip(line[::2], line[1::2], strict=True))


def single_elimination_on_paper(entries: int, results: Mapping[str, SlotOutcome]) -> tuple[PaperBracket, int | None]:
    """Return a single elimination without a match for third place, and its champion."""
    paper, line, number = PaperBracket(results), seeds_in_bracket_order(entries), 1
    while len(line) > 2:
        line, _ = paper.play_round(f"W{number}", pairs_of_neighbours(line))
        number += 1
    return paper, paper.play_match("F", line[0], line[1])[0]


def double_elimination_on_paper(entries: int, results: Mapping[str, SlotOutcome]) -> tuple[PaperBracket, int | None]:
    """Return a double elimination, and its champion."""
    paper, line = PaperBracket(results), seeds_in_bracket_order(entries)
    drops = DROPS.get(len(line), {})
    line, lower = paper.play_round("W1", pairs_of_neighbours(line))
    number = 1
    for upper_round, table in drops.items():
        lower, _ = paper.play_round(f"L{number}", pairs_of_neighbours(lower))
        line, losers = paper.play_round(f"W{upper_round}", pairs_of_neighbours(line))
        dropping = [losers[place - 1] for place in table]
        lower, _ = paper.play_round(f"L{number + 1}", list(zip(dropping, lower, strict=True)))
        number += 2
    undefeated, challenger = line[0], lower[0]
    winner, loser = paper.play_match("F", undefeated, challenger)
    if loser is None or loser != undefeated:
        return paper, winner
    return paper, paper.play_match("F2", undefeated, challenger)[0]
