"""Brackets played through: results by chance or by strength, stage by stage as a tournament does or in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from bot.tournaments.brackets.bracket import Bracket, Fixture, bracket
from bot.tournaments.brackets.results import Outcome, Terms
from bot.tournaments.course import Played
from bot.tournaments.traits import FormatKind

SINGLE = Terms(kind=FormatKind.SINGLE)
DOUBLE = Terms(kind=FormatKind.DOUBLE)
CHANCE = Terms(kind=FormatKind.SINGLE, third_place=False, second_chance=True)

Decide = Callable[[Fixture], Outcome]


def backwards(numbers: Sequence[int]) -> Sequence[int]:
    """A draw that everybody can follow."""
    return tuple(reversed(numbers))


def favourite(fixture: Fixture) -> Outcome:
    """The lower number wins."""
    return Outcome(sides=fixture.sides, winner=min(fixture.sides))


def by_chance(random: Random, *, forfeits: float = 0.0) -> Decide:
    """Anybody wins; so large a part of the matches is not played, half of those by neither side."""

    def decide(fixture: Fixture) -> Outcome:
        sides = fixture.sides if random.random() < 0.5 else fixture.sides[::-1]
        if random.random() >= forfeits:
            return Outcome(sides=sides, winner=sides[0])
        if random.random() < 0.5:
            return Outcome(sides=sides, winner=sides[0], kind=Played.FORFEIT)
        return Outcome(sides=sides, winner=None, kind=Played.DOUBLE_FORFEIT)

    return decide


def except_for(given: dict[str, Outcome]) -> Decide:
    """The lower number wins but in these slots."""
    return lambda fixture: given.get(fixture.slot) or favourite(fixture)


def entered(entries: int) -> range:
    return range(1, entries + 1)


def played(terms: Terms, entries: int, decide: Decide) -> tuple[Bracket, dict[str, Outcome]]:
    """A bracket played stage by stage to its end, and its results in the order in which they came."""
    results: dict[str, Outcome] = {}
    while True:
        now = bracket(terms, entered(entries), results=results, draw=backwards)
        stage = now.due
        if stage is None:
            return now, results
        assert stage.ready
        assert [slot for slot in stage.slots if not now.look(slot).over] == [fixture.slot for fixture in stage.ready]
        results |= {fixture.slot: decide(fixture) for fixture in stage.ready}


def pairings(terms: Terms, entries: int, decide: Decide = favourite) -> list[tuple[str, str]]:
    """Return every stage of a bracket and its matches: `("W1", "4–5 3–6 2–7")`."""
    results: dict[str, Outcome] = {}
    found: list[tuple[str, str]] = []
    while (stage := bracket(terms, entered(entries), results=results, draw=backwards).due) is not None:
        found.append((stage.name, written(stage.ready)))
        results |= {fixture.slot: decide(fixture) for fixture in stage.ready}
    return found


def written(fixtures: Iterable[Fixture]) -> str:
    return " ".join(f"{fixture.sides[0]}–{fixture.sides[1]}" for fixture in fixtures)


def ends(shown: Bracket) -> dict[int, tuple[int, int]]:
    """The places of a bracket by its entries."""
    return {placed.entry: (placed.first, placed.last) for placed in shown.main.places}
