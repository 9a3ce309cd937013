"""Properties of brackets of every size from 2 to 33, with random results and forfeits."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.tournaments.brackets.bracket import Bracket, build_bracket
from bot.tournaments.brackets.bracket_slots import BracketPart
from bot.tournaments.brackets.results import BracketTerms, SlotOutcome, SlotProgress
from bot.tournaments.format_traits import FormatKind
from tests.support.seeds import example_count, seeds
from tests.tournaments.brackets.bracket_play import (
    CHANCE,
    DOUBLE,
    SINGLE,
    numbers_of_entries,
    play_bracket,
    random_results,
    reverse_draw,
)
from tests.tournaments.brackets.paper_brackets import double_elimination_on_paper, single_elimination_on_paper

SIZES = range(2, 34)
WITHOUT_THIRD = BracketTerms(third_place=False)
TERMS = (SINGLE, WITHOUT_THIRD, DOUBLE)


def decided_matches(bracket: Bracket) -> list[tuple[str, frozenset[int]]]:
    return [
        (view.slot.name, frozenset(view.known_entries))
        for view in bracket.slot_states
        if view.state is SlotProgress.DECIDED
    ]


def check_places_are_complete(bracket: Bracket, entries: int) -> None:
    groups = Counter((placed.first, placed.last) for placed in bracket.main.places)
    assert set(numbers_of_entries(entries)) == {placed.entry for placed in bracket.main.places}
    assert list(numbers_of_entries(entries)) == [
        place for first, last in sorted(groups) for place in range(first, last + 1)
    ]
    assert all(number == last - first + 1 for (first, last), number in groups.items())


@pytest.mark.parametrize("forfeits", [0.0, 0.3])
@pytest.mark.parametrize("terms", TERMS, ids=["single", "no_third", "double"])
def test_every_bracket_keeps_the_rules_of_elimination(terms: BracketTerms, forfeits: float) -> None:
    for entries, random in product(SIZES, seeds(1)):
        bracket, results = play_bracket(terms, entries, random_results(Random(random), forfeits=forfeits))
        check_places_are_complete(bracket, entries)
        assert all(len(pair) == 2 for _, pair in decided_matches(bracket))
        assert set(results) == {slot for slot, _ in decided_matches(bracket)}
        assert list(range(1, len(bracket.stages) + 1)) == [stage.number for stage in bracket.stages]
        best = bracket.main.places[0]
        assert bracket.main.champion == (best.entry if best.last == 1 else None)


@settings(max_examples=example_count(20))
@given(st.sampled_from((*TERMS, CHANCE)), st.integers(2, 33), st.integers(0, 2**32))
@example(CHANCE, 9, 9)  # an entry that wins by forfeits alone
@example(CHANCE, 10, 10)  # an entry that wins by byes alone
def test_a_stage_that_has_begun_keeps_its_number_and_its_matches(
    terms: BracketTerms, entries: int, chance: int
) -> None:
    decide = random_results(Random(chance), forfeits=0.25)
    results: dict[str, SlotOutcome] = {}
    begun = []
    while (
        stage := build_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw).due_stage
    ) is not None:
        begun.append((stage.number, stage.name, stage.slots))
        for fixture in stage.ready:
            now = build_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw)
            assert begun == [(each.number, each.name, each.slots) for each in now.stages[: len(begun)]]
            results[fixture.slot] = decide(fixture)
    bracket = build_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw)
    assert begun == [(each.number, each.name, each.slots) for each in bracket.stages]


@pytest.mark.parametrize("entries", SIZES)
def test_all_but_one_lose_once_in_a_single_elimination(entries: int) -> None:
    bracket, results = play_bracket(WITHOUT_THIRD, entries, random_results(Random(entries)))
    losers = Counter(outcome.loser for outcome in results.values())
    assert set(numbers_of_entries(entries)) - {bracket.main.champion} == set(losers)
    assert entries - 1 == losers.total()
    assert (entries - 1).bit_length() == len(bracket.stages)


@pytest.mark.parametrize("entries", SIZES)
def test_all_but_one_lose_twice_in_a_double_elimination(entries: int) -> None:
    for random in seeds(1):
        bracket, results = play_bracket(DOUBLE, entries, random_results(Random(random)))
        losses = Counter(outcome.loser for outcome in results.values())
        champion = bracket.main.champion
        assert champion is not None
        assert {2} == {losses[entry] for entry in numbers_of_entries(entries) if entry != champion}
        final = results["F"]
        undefeated = bracket.slot_state("F").sides[0]
        assert ("F2" in results) == (final.loser == undefeated)
        assert losses[champion] == int("F2" in results)


@pytest.mark.parametrize("terms", [WITHOUT_THIRD, DOUBLE], ids=["single", "double"])
def test_a_bracket_gives_the_same_result_as_on_paper(terms: BracketTerms) -> None:
    on_paper = double_elimination_on_paper if terms.kind is FormatKind.DOUBLE else single_elimination_on_paper
    for entries, random in product(range(2, 33), seeds(1)):
        bracket, results = play_bracket(terms, entries, random_results(Random(random), forfeits=0.2))
        paper, champion = on_paper(entries, results)
        assert sorted(paper.met, key=lambda match: match[0]) == sorted(
            decided_matches(bracket), key=lambda match: match[0]
        )
        assert champion == bracket.main.champion


@pytest.mark.parametrize("entries", SIZES)
def test_losers_do_not_meet_again_in_early_rounds_of_the_lower_half(entries: int) -> None:
    """In the lower half, two entries meet again only in rounds of at most two matches."""
    for random in seeds(2):
        bracket, _ = play_bracket(DOUBLE, entries, random_results(Random(random)))
        wide = Counter(view.slot.group for view in bracket.slot_states)
        met: set[frozenset[int]] = set()
        for stage in bracket.stages:
            pairs = {slot: frozenset(bracket.slot_state(slot).known_entries) for slot in stage.slots}
            early = {
                slot
                for slot in pairs
                if bracket.slot_state(slot).slot.part is BracketPart.LOWER and wide[slot.partition(".")[0]] > 2
            }
            assert not {slot for slot in early if pairs[slot] in met}
            met |= set(pairs.values())


@settings(max_examples=example_count(20))
@given(st.sampled_from(TERMS), st.integers(2, 33), st.integers(0, 2**32))
def test_matches_may_be_played_in_any_order(terms: BracketTerms, entries: int, chance: int) -> None:
    """The order of play does not change the bracket, and a decided match stays decided."""
    random = Random(chance)
    decide = random_results(random, forfeits=0.2)
    bracket = build_bracket(terms, numbers_of_entries(entries), results={})
    results = {}
    while not bracket.is_over:
        fixture = random.choice(bracket.ready_matches)
        results[fixture.slot] = decide(fixture)
        before, bracket = bracket, build_bracket(terms, numbers_of_entries(entries), results=results)
        assert set(before.main.places) <= set(bracket.main.places)
        assert before.main.champion in (None, bracket.main.champion)
    by_stage, _ = play_bracket(terms, entries, lambda fixture: results[fixture.slot])
    assert by_stage == build_bracket(terms, numbers_of_entries(entries), results=results)
