"""The strong player's rules of thumb: piles, feet, and what other seats have discarded."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum, players_by_seat
from bot.computer.heuristics.level_player import habits_for
from bot.computer.heuristics.rule_of_thumb_player import RuleOfThumbPlayer
from bot.computer.heuristics.situation import Situation
from bot.computer.heuristics.ways_out import FinishCheck
from bot.computer.memory_of_a_deal import Memory, begin_memory
from bot.computer.player import player_for
from bot.computer.seeded_random import shuffled_packs
from bot.engine.cards.cards import FOUR, JACK, card_of
from bot.engine.moves.actions import DRAW, TAKE_PAIR, Discard, Step, discard_step
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from tests.computer.positions import make_state


def strong_step(state: State, memory: Memory) -> Step:
    """Return the step that the strong player's rules of thumb choose for seat 0."""
    return RuleOfThumbPlayer(habits_for("strong", state.rules), remembers=True).choose(seat_view(state, 0), memory).step


@pytest.mark.parametrize(("below", "wanted"), [("7d 7c 7s 7h", TAKE_PAIR), ("4d 8c 8s 8h", DRAW)])
def test_a_strong_player_takes_a_pile_of_sevens_only_if_they_finish_the_meld(below: str, wanted: Step) -> None:
    """An unfinished meld of sevens costs 2,500, so the cards below the top decide."""
    melds = {"0": ["Ks Kh Kd Kc", "9s 9h 9d"], "1": ["Qs Qh Qd Qc"]}
    state = make_state("7s 7h 4h 6d 9c", rules="modern-american", phase="draw", pile=f"{below} 7d", melds=melds)
    assert wanted == strong_step(state, begin_memory(4, state.pile))


@pytest.mark.parametrize("kind", [FOUR, JACK])
@pytest.mark.parametrize("rules", ["modern-american", "hand-and-foot-us", "hand-and-foot-pagat"])
def test_a_strong_player_discards_what_the_next_player_discarded(rules: str, kind: int) -> None:
    melds = {"0": ["Ks Kh Kd Kc"], "1": ["Qs Qh Qd Qc"]}
    state = make_state("4s 8h Jd", rules=rules, melds=melds, pile="5h 5d 6c 6d")
    memory = replace(begin_memory(4, state.pile), dropped=((), (card_of(kind, 3),), (), ()))
    assert discard_step(kind) == strong_step(state, memory)


def test_a_rank_beside_an_unfinished_meld_is_the_safer_discard() -> None:
    """Only a pair takes the pile, and a side would add such a pair to its meld rather than keep it."""
    melds = {"0": ["Ks Kh Kd Kc"], "1": ["Js Jh Jc Jc"]}
    state = make_state("8h Jd", rules="hand-and-foot-us", melds=melds, pile="5h 5d 6c 6d")
    assert discard_step(JACK) == strong_step(state, begin_memory(4, state.pile))


def count_reachable_feet(name: str, level: str) -> tuple[int, int]:
    """Return the number of turns in three deals in which a foot could be reached, and how many missed it."""
    rules = rule_set(name, 4)
    met = missed = 0
    for number, pack in enumerate(islice(shuffled_packs(rules, 23), 3)):
        reached: list[State] = []
        deal = deal_with_opening_minimum(rules, pack, number, minimum=50)
        play_deal(deal, players_by_seat(rules, (level,), 23, number), reached.append)
        could = {(state.turns, state.turn) for state in reached if can_empty_hand(state)}
        waiting = {(state.turns, seat) for state in reached for seat, foot in enumerate(state.feet) if foot}
        met += len(could)
        missed += sum((turn + 1, seat) in waiting for turn, seat in could)
    return met, missed


def can_empty_hand(state: State) -> bool:
    """Return whether the seat in turn can meld its whole hand and so take up its foot."""
    if state.phase is not Phase.PLAY or not state.opened[state.side]:
        return False
    return FinishCheck(Situation(seat_view(state, state.turn)), frozenset(), to_foot=True).is_possible


@pytest.mark.parametrize("name", ["hand-and-foot-us", "hand-and-foot"])
def test_a_strong_player_takes_up_its_foot_in_every_turn_in_which_it_can_empty_its_hand(name: str) -> None:
    met, missed = count_reachable_feet(name, "strong")
    assert met >= 8
    assert 0 == missed


def test_the_casual_player_sometimes_misses_a_reachable_foot() -> None:
    assert count_reachable_feet("hand-and-foot-us", "casual")[1] > 0


@pytest.mark.parametrize("level", ["casual", "strong"])
def test_a_natural_canasta_stays_natural_even_when_the_deal_may_end_at_once(level: str) -> None:
    """A wild card on it would save 20 points and cost 200."""
    melds = {"0": ["Ks Kh Kd Kc Ks Kh Kd"], "1": ["Qs Qh Qd Qc Qs Qh Qd"]}
    state = make_state("2s 4h 9d 7c", melds=melds, hands={"1": "5s"}, pile="6h")
    step = player_for(level).choose(seat_view(state, 0), begin_memory(4, state.pile)).step
    assert isinstance(step, Discard)


@pytest.mark.parametrize(
    ("hand", "mine", "theirs", "wanted"),
    [
        ("Js Jh Jd 9c", "Js Jh Jd Jc Js Jh Jd", "Qs Qh Qd", JACK),
        ("Js Jh 4s 4h", "Ks Kh Kd", "Js Jh Jd Jc Js", JACK),
        ("Js Jh 4s 4h", "Ks Kh Kd", "4s 4h 4d 4c 4s", FOUR),
    ],
    ids=["own meld is full", "a pair has no room in their jacks", "a pair has no room in their fours"],
)
def test_a_strong_player_discards_cards_that_no_meld_can_take(hand: str, mine: str, theirs: str, wanted: int) -> None:
    """In Pennies a side has one meld of a rank, of at most seven cards, and only a pair takes the pile."""
    state = make_state(hand, rules="pennies", players=6, melds={"0": [mine], "1": [theirs]}, pile="5h 5d 6c 6d 9c Th")
    assert discard_step(wanted) == strong_step(state, begin_memory(6, state.pile))
