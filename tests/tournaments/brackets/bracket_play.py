"""Helpers that play brackets with given or random results, stage by stage as a tournament does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from bot.tournaments.brackets.bracket import Bracket, ReadyMatch, build_bracket
from bot.tournaments.brackets.results import BracketTerms, SlotOutcome
from bot.tournaments.counted_results import ResultKind
from bot.tournaments.format_traits import FormatKind

SINGLE = BracketTerms(kind=FormatKind.SINGLE)
DOUBLE = BracketTerms(kind=FormatKind.DOUBLE)
CHANCE = BracketTerms(kind=FormatKind.SINGLE, third_place=False, second_chance=True)

Decide = Callable[[ReadyMatch], SlotOutcome]


def reverse_draw(numbers: Sequence[int]) -> Sequence[int]:
    """Return the numbers in reverse order, as a predictable draw."""
    return tuple(reversed(numbers))


def outcome_if_lower_number_wins(fixture: ReadyMatch) -> SlotOutcome:
    """Return a result in which the entry with the lower number wins."""
    return SlotOutcome(sides=fixture.sides, winner=min(fixture.sides))


def random_results(random: Random, *, forfeits: float = 0.0) -> Decide:
    """Return a function that draws a random result for a match.

    The share `forfeits` of them are forfeits, half of these double.
    """

    def decide(fixture: ReadyMatch) -> SlotOutcome:
        sides = fixture.sides if random.random() < 0.5 else fixture.sides[::-1]
        if random.random() >= forfeits:
            return SlotOutcome(sides=sides, winner=sides[0])
        if random.random() < 0.5:
            return SlotOutcome(sides=sides, winner=sides[0], kind=ResultKind.FORFEIT)
        return SlotOutcome(sides=sides, winner=None, kind=ResultKind.DOUBLE_FORFEIT)

    return decide


def lower_number_wins_except(exceptions: dict[str, SlotOutcome]) -> Decide:
    """Return a function that gives the listed slots their results; elsewhere the lower number wins."""
    return lambda fixture: exceptions.get(fixture.slot) or outcome_if_lower_number_wins(fixture)


def numbers_of_entries(entries: int) -> range:
    return range(1, entries + 1)


def play_bracket(terms: BracketTerms, entries: int, decide: Decide) -> tuple[Bracket, dict[str, SlotOutcome]]:
    """Play a bracket stage by stage; return it with the result of each slot."""
    results: dict[str, SlotOutcome] = {}
    while True:
        now = build_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw)
        stage = now.due_stage
        if stage is None:
            return now, results
        assert stage.ready
        assert [slot for slot in stage.slots if not now.slot_state(slot).is_decided] == [
            fixture.slot for fixture in stage.ready
        ]
        results |= {fixture.slot: decide(fixture) for fixture in stage.ready}


def stages_with_pairings(
    terms: BracketTerms, entries: int, decide: Decide = outcome_if_lower_number_wins
) -> list[tuple[str, str]]:
    """Return the name of each stage and its matches in play order, such as `("W1", "4–5 3–6 2–7")`."""
    results: dict[str, SlotOutcome] = {}
    found: list[tuple[str, str]] = []
    while (
        stage := build_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw).due_stage
    ) is not None:
        found.append((stage.name, spell_fixtures(stage.ready)))
        results |= {fixture.slot: decide(fixture) for fixture in stage.ready}
    return found


def spell_fixtures(fixtures: Iterable[ReadyMatch]) -> str:
    return " ".join(f"{fixture.sides[0]}–{fixture.sides[1]}" for fixture in fixtures)


def final_places(bracket: Bracket) -> dict[int, tuple[int, int]]:
    """Return each entry's first and last possible place; they differ if the place is shared."""
    return {placed.entry: (placed.first, placed.last) for placed in bracket.main.places}
