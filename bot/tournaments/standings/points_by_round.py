"""Each entry's match points by round, the basis of all standings (`docs/tournaments.md` 3, 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.tournaments.counted_results import Course, Match, ResultKind, Round, Scoring, UnpairedReason


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRound:
    """One round of an entry: its match points, its match if that counts, and its side there.

    `voluntary` means that the entry chose not to play: it was absent, sat out, forfeited, had not entered yet or was
    gone. A round whose match is void has no match either, but is not voluntary.
    """

    points: int
    match: Match | None = None
    side: int = 0
    voluntary: bool = False

    @property
    def is_at_table(self) -> bool:
        """Whether the entry played an opponent at a table."""
        return self.match is not None and self.match.is_played

    @property
    def opponents(self) -> tuple[int, ...]:
        """The entries of the other sides; empty without a match."""
        if self.match is None:
            return ()
        return tuple(
            entry for number, side in enumerate(self.match.sides) if number != self.side for entry in side.entries
        )

    @property
    def is_won(self) -> bool:
        """Whether the match was won: every other side has fewer match points."""
        return self.match is not None and all(
            self.points > side.points for number, side in enumerate(self.match.sides) if number != self.side
        )

    @property
    def is_tied(self) -> bool:
        """Whether the match was tied: all sides have equal match points."""
        return self.match is not None and all(self.points == side.points for side in self.match.sides)


RoundsByEntry = Mapping[int, tuple[EntryRound, ...]]
"""The rounds of each entry, except those with an unfinished match."""


def rounds_by_entry(course: Course, after_round: int) -> RoundsByEntry:
    """Return the rounds of every entry, up to and including `after_round`."""
    turns: dict[int, list[EntryRound]] = {entry.number: [] for entry in course.entries}
    annulled = frozenset(entry.number for entry in course.entries if entry.annulled)
    for one in course.rounds[:after_round]:
        found = dict(_entry_rounds(one, annulled))
        for entry in course.entries:
            if entry.number in found:
                turns[entry.number].append(found[entry.number])
            elif not entry.takes_part_in(one.number):
                turns[entry.number].append(EntryRound(points=0, voluntary=True))
    return {number: tuple(listed) for number, listed in turns.items()}


def _entry_rounds(played_round: Round, annulled: frozenset[int]) -> Iterator[tuple[int, EntryRound]]:
    """Yield each entry with its part in one round; a later item for an entry replaces an earlier one."""
    void = [
        match for match in played_round.matches if match.kind is ResultKind.VOID or _has_one_of_entries(match, annulled)
    ]
    for match in void:
        for side in match.sides:
            yield from ((entry, EntryRound(points=0)) for entry in side.entries)
    for sat in played_round.unpaired:
        yield sat.entry, EntryRound(points=sat.points, voluntary=sat.code is not UnpairedReason.BYE)
    for match in played_round.matches:
        if match in void:
            continue
        best = max(side.points for side in match.sides)
        for number, side in enumerate(match.sides):
            lost = match.kind is ResultKind.DOUBLE_FORFEIT or (match.kind is ResultKind.FORFEIT and side.points < best)
            for entry in side.entries:
                yield entry, EntryRound(points=side.points, match=match, side=number, voluntary=lost)


def _has_one_of_entries(match: Match, entries: frozenset[int]) -> bool:
    return any(entry in entries for side in match.sides for entry in side.entries)


POD: Final = (4, 2, 0)
"""Match points by place at a table of three sides; equal sides share."""

PART_OF_PODS: Final = (3, 1)
"""Match points by place at a table of two sides in a round of pods."""


def match_points(
    scoring: Scoring, scores: Sequence[int], *, forfeited: Collection[int] = (), three_sided: bool = False
) -> tuple[int, ...]:
    """Return the match points of each side of a match; with `three_sided` at tables of three sides.

    The sides in `forfeited` are last regardless of their scores, and get nothing at tables of three sides.
    """
    left = [score for side, score in enumerate(scores) if side not in forfeited]
    if three_sided or len(scores) > 2:
        worth = POD if len(scores) > 2 else PART_OF_PODS
        return tuple(0 if side in forfeited else _points_share(score, left, worth) for side, score in enumerate(scores))
    if not forfeited and scores[0] == scores[1]:
        return (scoring.tie, scoring.tie)
    best = max(left, default=0)
    return tuple(
        scoring.win if side not in forfeited and score == best else scoring.loss for side, score in enumerate(scores)
    )


def _points_share(score: int, scores: Sequence[int], worth: Sequence[int]) -> int:
    """Return the match points of a score by its place; equal scores share the points of their places."""
    above = sum(other > score for other in scores)
    equal = scores.count(score)
    return sum(worth[above : above + equal]) // equal
