"""Changed results of a bracket: exactly one side advances (`docs/tournaments.md` 2; 8, case 26)."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.brackets.bracket import ReadyMatch, build_bracket
from bot.tournaments.brackets.results import BracketTerms, SlotOutcome, slot_outcomes
from bot.tournaments.brackets.voided_matches import forfeits_of_departed, repair_bracket
from bot.tournaments.counted_results import Match, ResultKind, Round, Side
from tests.support.seeds import example_count
from tests.tournaments.brackets.bracket_play import (
    CHANCE,
    DOUBLE,
    SINGLE,
    Decide,
    final_places,
    lower_number_wins_except,
    numbers_of_entries,
    outcome_if_lower_number_wins,
    play_bracket,
    random_results,
    reverse_draw,
)
from tests.tournaments.brackets.paper_brackets import double_elimination_on_paper

ALL = (SINGLE, DOUBLE, CHANCE)


def reverse_result(outcome: SlotOutcome) -> SlotOutcome:
    """Return the reversed result: the other entry wins; after a double forfeit the first one."""
    first, second = outcome.sides
    winner = second if outcome.winner == first else first
    return SlotOutcome(sides=outcome.sides, winner=winner, kind=ResultKind.ADJUSTED)


def finish_bracket(
    terms: BracketTerms, entries: int, given: dict[str, SlotOutcome], decide: Decide
) -> dict[str, SlotOutcome]:
    """Play a bracket on from the given results; return all results by slot."""
    results = dict(given)
    while (
        now := build_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw)
    ).due_stage is not None:
        results |= {fixture.slot: decide(fixture) for fixture in now.ready_matches}
    return results


def test_a_wrongly_advanced_entrys_next_match_is_void_and_played_by_the_right_one() -> None:
    results = {
        "W1.1": SlotOutcome(sides=(1, 8), winner=8, kind=ResultKind.ADJUSTED),
        "W1.2": SlotOutcome(sides=(4, 5), winner=4),
        "W1.3": SlotOutcome(sides=(2, 7), winner=2),
        "W1.4": SlotOutcome(sides=(3, 6), winner=3),
        "W2.1": SlotOutcome(sides=(1, 4), winner=1),
    }
    repair = repair_bracket(SINGLE, numbers_of_entries(8), results=results, playing={"W2.2": (3, 2)})
    assert ("W2.1",) == repair.void
    assert (ReadyMatch(slot="W2.1", sides=(8, 4)),) == repair.ready
    assert {"W1.1", "W1.2", "W1.3", "W1.4"} == set(repair.results)


def test_a_match_in_play_of_a_wrongly_advanced_entry_is_void() -> None:
    _, results = play_bracket(SINGLE, 8, lower_number_wins_except({}))
    results = {slot: results[slot] for slot in ("W1.1", "W1.2", "W1.3", "W1.4")}
    results["W1.4"] = reverse_result(results["W1.4"])
    repair = repair_bracket(SINGLE, numbers_of_entries(8), results=results, playing={"W2.1": (1, 4), "W2.2": (2, 3)})
    assert (("W2.2",), (ReadyMatch(slot="W2.2", sides=(2, 6)),)) == (repair.void, repair.ready)


def test_a_reversed_result_of_sixteen_swaps_winner_and_loser_between_halves() -> None:
    """The first match is reversed after two stages; only its two next matches are replayed."""
    _, results = play_bracket(DOUBLE, 16, lower_number_wins_except({}))
    begun = {slot: outcome for slot, outcome in results.items() if slot[:2] in {"W1", "W2", "L1"}}
    repair = repair_bracket(DOUBLE, numbers_of_entries(16), results=begun | {"W1.1": reverse_result(begun["W1.1"])})
    assert ("W2.1", "L1.1") == repair.void
    replayed = {(fixture.slot, fixture.sides) for fixture in repair.ready if fixture.slot in repair.void}
    assert {("W2.1", (16, 8)), ("L1.1", (1, 9))} == replayed


def test_a_repeated_final_is_void_when_the_undefeated_has_won_the_first() -> None:
    _, results = play_bracket(DOUBLE, 8, lower_number_wins_except({"F": SlotOutcome(sides=(1, 2), winner=2)}))
    repair = repair_bracket(DOUBLE, numbers_of_entries(8), results=results | {"F": reverse_result(results["F"])})
    assert (("F2",), (), 1) == (repair.void, repair.ready, repair.bracket.main.champion)


@pytest.mark.parametrize("terms", ALL, ids=["single", "double", "second"])
@pytest.mark.parametrize("entries", [2, 3, 4, 5, 7, 8, 9, 13, 16])
def test_unchanged_results_make_no_match_void(terms: BracketTerms, entries: int) -> None:
    bracket, results = play_bracket(terms, entries, random_results(Random(entries), forfeits=0.2))
    repair = repair_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw)
    assert ((), (), bracket, results) == (repair.void, repair.ready, repair.bracket, repair.results)


@pytest.mark.parametrize("terms", ALL, ids=["single", "double", "second"])
@pytest.mark.parametrize("entries", [3, 4, 7, 8, 9, 13, 16])
def test_a_corrected_bracket_equals_one_with_the_right_result_from_the_start(terms: BracketTerms, entries: int) -> None:
    """Each result of a finished bracket is reversed in turn, and the rest is played again."""
    decide = random_results(Random(entries), forfeits=0.2)
    _, results = play_bracket(terms, entries, decide)
    for slot in results:
        changed = results | {slot: reverse_result(results[slot])}
        repair = repair_bracket(terms, numbers_of_entries(entries), results=changed, draw=reverse_draw)
        assert set(changed) == set(repair.void) | set(repair.results)
        assert slot in repair.results
        again = repair_bracket(terms, numbers_of_entries(entries), results=repair.results, draw=reverse_draw)
        assert ((), repair.bracket) == (again.void, again.bracket)
        end = finish_bracket(terms, entries, repair.results, lower_number_wins_except({}))
        straight, _ = play_bracket(terms, entries, lower_number_wins_except(end))
        assert straight == build_bracket(terms, numbers_of_entries(entries), results=end, draw=reverse_draw)


@settings(max_examples=example_count(20))
@given(st.sampled_from(ALL), st.integers(2, 33), st.integers(0, 2**32))
def test_results_may_change_at_any_time(terms: BracketTerms, entries: int, chance: int) -> None:
    random = Random(chance)
    decide = random_results(random, forfeits=0.2)
    results: dict[str, SlotOutcome] = {}
    for _ in range(random.randrange(4 * entries)):
        now = build_bracket(terms, numbers_of_entries(entries), results=results, draw=reverse_draw)
        if results and random.random() < 0.2:
            slot = random.choice(sorted(results))
            repair = repair_bracket(
                terms,
                numbers_of_entries(entries),
                results=results | {slot: reverse_result(results[slot])},
                draw=reverse_draw,
            )
            results = dict(repair.results)
        elif now.ready_matches:
            fixture = random.choice(now.ready_matches)
            results[fixture.slot] = decide(fixture)
    end = finish_bracket(terms, entries, results, decide)
    assert () == repair_bracket(terms, numbers_of_entries(entries), results=end, draw=reverse_draw).void
    straight, _ = play_bracket(terms, entries, lambda fixture: end[fixture.slot])
    assert straight == build_bracket(terms, numbers_of_entries(entries), results=end, draw=reverse_draw)


def test_entries_that_left_forfeit_every_match_that_waits_for_them() -> None:
    given_up = forfeits_of_departed(DOUBLE, numbers_of_entries(4), results={}, departed=frozenset({2, 3}))
    assert {"W1.2": None} == {slot: outcome.winner for slot, outcome in given_up.items()}
    assert ResultKind.DOUBLE_FORFEIT == given_up["W1.2"].kind
    given_up = forfeits_of_departed(SINGLE, numbers_of_entries(4), results={}, departed=frozenset({1}))
    assert {"W1.1": SlotOutcome(sides=(1, 4), winner=4, kind=ResultKind.FORFEIT)} == given_up


@pytest.mark.parametrize("terms", ALL, ids=["single", "double", "second"])
@pytest.mark.parametrize("entries", [5, 8, 9, 16])
def test_a_bracket_whose_entries_all_leave_is_over(terms: BracketTerms, entries: int) -> None:
    given_up = forfeits_of_departed(
        terms,
        numbers_of_entries(entries),
        results={},
        departed=frozenset(numbers_of_entries(entries)),
        draw=reverse_draw,
    )
    bracket = build_bracket(terms, numbers_of_entries(entries), results=given_up, draw=reverse_draw)
    assert (True, set(numbers_of_entries(entries))) == (bracket.is_over, set(final_places(bracket)))


def test_an_entry_is_out_after_not_coming_to_two_matches() -> None:
    absent = lower_number_wins_except({})
    given_up: dict[str, SlotOutcome] = {}

    def decide(fixture: ReadyMatch) -> SlotOutcome:
        if 1 not in fixture.sides:
            return absent(fixture)
        other = sum(fixture.sides) - 1
        given_up[fixture.slot] = SlotOutcome(sides=fixture.sides, winner=other, kind=ResultKind.FORFEIT)
        return given_up[fixture.slot]

    bracket, _ = play_bracket(DOUBLE, 16, decide)
    assert (["W1.1", "L1.1"], (13, 16), 2) == (list(given_up), final_places(bracket)[1], bracket.main.champion)


@pytest.mark.parametrize("entries", [7, 9, 13, 16])
def test_a_double_with_no_shows_and_a_changed_result_ends_as_on_paper(entries: int) -> None:
    """Entry 3 never comes, 6 and 7 miss their matches after the first stage; then match 2 is reversed."""

    def decide(fixture: ReadyMatch) -> SlotOutcome:
        away = {3} if fixture.slot.startswith("W1") else {3, 6, 7}
        missed = SlotOutcome(sides=fixture.sides, winner=None, kind=ResultKind.DOUBLE_FORFEIT)
        here = [entry for entry in fixture.sides if entry not in away]
        if len(here) == 1:
            return SlotOutcome(sides=fixture.sides, winner=here[0], kind=ResultKind.FORFEIT)
        return outcome_if_lower_number_wins(fixture) if here else missed

    results: dict[str, SlotOutcome] = {}
    for _ in range(3):
        stage = build_bracket(DOUBLE, numbers_of_entries(entries), results=results).due_stage
        assert stage is not None
        results |= {fixture.slot: decide(fixture) for fixture in stage.ready}
    repair = repair_bracket(
        DOUBLE, numbers_of_entries(entries), results=results | {"W1.2": reverse_result(results["W1.2"])}
    )
    assert "W2.1" in repair.void
    end = finish_bracket(DOUBLE, entries, repair.results, decide)
    paper, champion = double_elimination_on_paper(entries, end)
    assert {slot: frozenset(outcome.sides) for slot, outcome in end.items()} == dict(paper.met)
    bracket = build_bracket(DOUBLE, numbers_of_entries(entries), results=end)
    assert (1, champion, True) == (champion, bracket.main.champion, bracket.is_over)
    assert set(numbers_of_entries(entries)) == set(final_places(bracket))


def bracket_match(
    match_number: int, slot: str, *, people: tuple[int, int], kind: ResultKind = ResultKind.PLAYED
) -> Match:
    """Return a match of entries 1 and 8 in that slot; entry 8 has won, unless the match is void."""
    sides = (Side(entries=(1,), people=people[:1]), Side(entries=(8,), people=people[1:]))
    return Match(
        id=match_number, table=1, kind=kind, sides=sides, slot=slot, winner=None if kind is ResultKind.VOID else 1
    )


def test_an_entry_advances_even_if_a_substitute_played_for_it() -> None:
    substituted = Round(number=1, matches=(bracket_match(1, "W1.1", people=(100, 999)),))
    results = slot_outcomes([substituted])
    assert 8 == build_bracket(SINGLE, numbers_of_entries(8), results=results).slot_state("W2.1").sides[0]


def test_void_matches_and_those_outside_the_bracket_count_for_nothing() -> None:
    matches = (
        bracket_match(1, "W1.1", people=(100, 800)),
        bracket_match(2, "", people=(100, 800)),
        bracket_match(3, "W1.1", people=(100, 800), kind=ResultKind.ADJUSTED),
        bracket_match(4, "W1.1", people=(100, 800), kind=ResultKind.VOID),
    )
    expected = {"W1.1": SlotOutcome(sides=(1, 8), winner=8, kind=ResultKind.ADJUSTED)}
    assert expected == slot_outcomes([Round(number=1, matches=matches[:2]), Round(number=2, matches=matches[2:])])
