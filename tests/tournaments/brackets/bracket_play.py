"""Play brackets: random results or by strength, stage by stage as a tournament does or in any order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from bot.tournaments.brackets.bracket import Bracket, ReadyMatch, build_bracket
from bot.tournaments.brackets.results import BracketTerms, SlotOutcome
from bot.tournaments.course import ResultKind
from bot.tournaments.format_traits import FormatKind

SINGLE = BracketTerms(kind=FormatKind.SINGLE)
DOUBLE = BracketTerms(kind=FormatKind.DOUBLE)
CHANCE = BracketTerms(kind=FormatKind.SINGLE, third_place=False, second_chance=True)

Decide = Callable[[ReadyMatch], SlotOutcome]


def reverse_draw(numbers: Sequence[int]) -> Sequence[int]:
    """Return a draw that is easy to follow."""
    return tuple(reversed(numbers))


def lower_number_wins(fixture: ReadyMatch) -> SlotOutcome:
    """Let the lower number win."""
    return SlotOutcome(sides=fixture.sides, winner=min(fixture.sides))


def random_results(random: Random, *, forfeits: float = 0.0) -> Decide:
    """Return a function that draws random results; the share `forfeits` are forfeits, half of them double."""

    def decide(fixture: ReadyMatch) -> SlotOutcome:
        sides = fixture.sides if random.random() < 0.5 else fixture.sides[::-1]
        if random.random() >= forfeits:
            return SlotOutcome(sides=sides, winner=sides[0])
        if random.random() < 0.5:
            return SlotOutcome(sides=sides, winner=sides[0], kind=ResultKind.FORFEIT)
        return SlotOutcome(sides=sides, winner=None, kind=ResultKind.DOUBLE_FORFEIT)

    return decide


def lower_number_wins_except(given: dict[str, SlotOutcome]) -> Decide:
    """Return results in which the lower number wins except in these slots."""
    return lambda fixture: given.get(fixture.slot) or lower_number_wins(fixture)


def entry_numbers(entries: int) -> range:
    return range(1, entries + 1)


def play_bracket(terms: BracketTerms, entries: int, decide: Decide) -> tuple[Bracket, dict[str, SlotOutcome]]:
    """Play a bracket stage by stage; return it with its results in order of play."""
    results: dict[str, SlotOutcome] = {}
    while True:
        now = build_bracket(terms, entry_numbers(entries), results=results, draw=reverse_draw)
        stage = now.due_stage
        if stage is None:
            return now, results
        assert stage.ready
        assert [slot for slot in stage.slots if not now.slot_state(slot).is_decided] == [
            fixture.slot for fixture in stage.ready
        ]
        results |= {fixture.slot: decide(fixture) for fixture in stage.ready}


def pairings(terms: BracketTerms, entries: int, decide: Decide = lower_number_wins) -> list[tuple[str, str]]:
    """Return every stage of a bracket and its matches: `("W1", "4–5 3–6 2–7")`."""
    results: dict[str, SlotOutcome] = {}
    found: list[tuple[str, str]] = []
    while (
        stage := build_bracket(terms, entry_numbers(entries), results=results, draw=reverse_draw).due_stage
    ) is not None:
        found.append((stage.name, spell_fixtures(stage.ready)))
        results |= {fixture.slot: decide(fixture) for fixture in stage.ready}
    return found


def spell_fixtures(fixtures: Iterable[ReadyMatch]) -> str:
    return " ".join(f"{fixture.sides[0]}–{fixture.sides[1]}" for fixture in fixtures)


def final_places(shown: Bracket) -> dict[int, tuple[int, int]]:
    """Return the places of a bracket by its entries."""
    return {placed.entry: (placed.first, placed.last) for placed in shown.main.places}
