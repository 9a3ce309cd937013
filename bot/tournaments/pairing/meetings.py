"""What a course tells about who has met whom, sat out and sat first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from bot.tournaments.course import Course, Match, Played, Unpaired


@dataclass(frozen=True, slots=True)
class History:
    """What has happened so far; what did not happen is missing from a mapping.

    `meetings` and `partners` count by pairs of entries, the lower number first: how often the two sat at a table as
    opponents, and as partners. Forfeits are no meetings. `spared` had a bye or won by forfeit. `first` counts matches
    as the first side, `sat_out` rounds without an opponent for want of one. `tokens` stand for entries where lots are
    drawn: the sorted persons, or the number of an entry without any.
    """

    meetings: Mapping[tuple[int, int], int]
    partners: Mapping[tuple[int, int], int]
    spared: frozenset[int]
    first: Mapping[int, int]
    sat_out: Mapping[int, int]
    tokens: Mapping[int, tuple[int, ...]]

    def met(self, one: int, other: int) -> int:
        """How often the two have been opponents."""
        return self.meetings.get((min(one, other), max(one, other)), 0)

    def token(self, entry: int) -> tuple[int, ...]:
        """What stands for the entry where lots are drawn."""
        return self.tokens.get(entry, (entry,))


def history(course: Course) -> History:
    """What the course tells about its entries."""
    meetings: Counter[tuple[int, int]] = Counter()
    partners: Counter[tuple[int, int]] = Counter()
    first: Counter[int] = Counter()
    sat_out: Counter[int] = Counter()
    spared: set[int] = set()
    for one in course.rounds:
        for match in one.matches:
            spared |= _spared(match)
            if match.met:
                meetings.update(_opponents(match))
                partners.update(_partners(match))
                first.update(match.sides[0].entries)
        sat_out.update(out.entry for out in one.unpaired if out.code in (Unpaired.BYE, Unpaired.HALF))
        spared |= {out.entry for out in one.unpaired if out.code is Unpaired.BYE}
    tokens = {entry.number: tuple(sorted(entry.people)) or (entry.number,) for entry in course.entries}
    return History(meetings, partners, frozenset(spared), first, sat_out, tokens)


def _spared(match: Match) -> set[int]:
    """Who has won that match because others did not play."""
    if match.kind is not Played.FORFEIT:
        return set()
    most = max(side.points for side in match.sides)
    return {entry for side in match.sides if side.points == most > 0 for entry in side.entries}


def _opponents(match: Match) -> Iterator[tuple[int, int]]:
    for one, other in combinations(match.sides, 2):
        yield from ((min(a, b), max(a, b)) for a in one.entries for b in other.entries)


def _partners(match: Match) -> Iterator[tuple[int, int]]:
    for side in match.sides:
        yield from combinations(sorted(side.entries), 2)
