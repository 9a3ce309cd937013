"""The computer player pursues the special bonuses of each family of games, in easy positions."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards.cards import ACE, KING, QUEEN, SEVEN
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, is_run
from bot.engine.moves.actions import DRAW, DRAW_KEEPING, Discard, LayRun, Meld, Step, Take, discard_step
from bot.engine.moves.events import DealEnd
from tests.computer.positions import FILLER, casual_step, make_state, play_turn

SIX_OF_A_RUN = "5s 6s 7s 8s 9s Ts"
PURE_KINGS = "Ks Kh Kd Kc Ks Kh Kd"
MIXED_QUEENS = "Qs Qh Qd Qc Qs 2s 2h"


def laid_runs(steps: Sequence[Step]) -> list[LayRun]:
    return [step for step in steps if isinstance(step, LayRun)]


def wild_melds(steps: Sequence[Step]) -> list[Meld]:
    return [step for step in steps if isinstance(step, Meld) and step.kind in (WILD_MELD, DEUCE_MELD)]


# --- runs (samba, bolivia, brazilian, chilean) -----------------------------------------------------------------------


def test_a_casual_player_lays_the_seventh_card_of_a_run() -> None:
    for rules in ("samba", "bolivia", "brazilian", "chilean"):
        steps, state = play_turn(make_state("Js 4h 6d 9c 9h Qd Kc", rules=rules, melds={"0": [SIX_OF_A_RUN]}))
        assert 1 == len(laid_runs(steps)), rules
        assert 7 == max(meld.size for meld in state.melds[0] if is_run(meld.place)), rules


def test_a_casual_player_keeps_the_card_that_a_long_run_needs_out_of_a_set() -> None:
    steps, _ = play_turn(make_state("Js Jh Jd 4h 6d 9c Qd Kc", rules="samba", melds={"0": [SIX_OF_A_RUN]}))
    assert [7] == [step.low for step in laid_runs(steps)]


def test_a_casual_player_takes_the_pile_for_the_seventh_card_of_a_run() -> None:
    state = make_state("4h 6d 9c Qd Kc Kd", rules="samba", phase="draw", pile="4c Js", melds={"0": [SIX_OF_A_RUN]})
    step = casual_step(state)
    assert isinstance(step, Take)
    assert step.onto is not None
    assert is_run(step.onto)


def test_a_casual_player_does_not_discard_the_card_that_a_long_run_needs() -> None:
    state = make_state("Js 4h 6d 9c Qd Kc", rules="bolivia", melds={"0": ["5s 6s 7s 8s 9s"]})
    steps, _ = play_turn(state)
    assert discard_step(7) not in [step for step in steps if isinstance(step, Discard)]


# --- wild cards alone ------------------------------------------------------------------------------------------------


def test_a_casual_player_adds_the_seventh_wild_card() -> None:
    six = "2s 2h 2d 2c JK JK"
    for rules in ("bolivia", "tampa", "cuban", "joker", "uruguay", "hand-and-foot-pagat", "modern-american"):
        melds = {"0": [six, "Ks Kh Kd Kc Ks"]}
        steps, state = play_turn(make_state("2s 4h 6d 9c Qd Kc Kd", rules=rules, melds=melds))
        assert 1 == len(wild_melds(steps)), rules
        assert 7 == max(meld.size for meld in state.melds[0] if meld.kind == WILD_MELD), rules


def test_a_casual_player_does_not_begin_a_wild_meld_that_would_cost_points_unfinished() -> None:
    melds = {"0": ["Ks Kh Kd Kc"], "1": [PURE_KINGS.replace("K", "Q"), "Js Jh Jd Jc Js Jh Jd"]}
    state = make_state("2s 2h 2d 4h 6d 9c Td", rules="modern-american", melds=melds, pile="4d")
    assert [] == wild_melds(play_turn(state)[0])


# --- canastas of kinds -----------------------------------------------------------------------------------------------


def test_a_casual_player_does_not_add_wild_cards_to_a_clean_canasta_that_is_needed() -> None:
    for rules in ("hand-and-foot-us", "hand-and-foot-pagat", "uruguay-modern", "pennies"):
        players = 6 if rules == "pennies" else 4
        melds = {"0": [PURE_KINGS, MIXED_QUEENS]}
        state = make_state("2s 2h 4h 6d 9c Td 8d", rules=rules, players=players, melds=melds)
        steps, _ = play_turn(state)
        assert [] == [step for step in steps if isinstance(step, Meld) and step.kind == KING], rules


def test_a_casual_player_keeps_a_long_meld_clean_if_only_a_natural_canasta_is_missing() -> None:
    melds = {"0": ["Ks Kh Kd Kc Ks Kh", MIXED_QUEENS]}
    state = make_state("2c 4h 6d 9c Td 8d", rules="uruguay-modern", melds=melds)
    assert [] == [step for step in play_turn(state)[0] if isinstance(step, Meld) and step.kind == KING]


def test_a_casual_player_completes_the_natural_canasta_by_hand() -> None:
    melds = {"0": ["Ks Kh Kd Kc Ks Kh", MIXED_QUEENS]}
    _, state = play_turn(make_state("Kd 4h 6d 9c Td 8d", rules="uruguay-modern", melds=melds))
    assert any(meld.kind == KING and meld.size == 7 for meld in state.melds[0])


# --- melds that cost points (modern american) ------------------------------------------------------------------------


def test_a_casual_player_does_not_begin_sevens_or_aces_that_it_cannot_finish() -> None:
    for three in ("7s 7h 7d", "As Ah Ad"):
        state = make_state(
            f"{three} 4h 6d 9c Td 8c 5d", rules="modern-american", melds={"0": ["Ks Kh Kd Kc"]}, pile="4d"
        )
        steps, _ = play_turn(state)
        assert [] == [step for step in steps if isinstance(step, Meld) and step.kind in (SEVEN, ACE)]


def test_a_casual_player_finishes_sevens_that_are_nearly_there() -> None:
    melds = {"0": ["Ks Kh Kd Kc", "7s 7h 7d 7c 7s 7h"]}
    steps, _ = play_turn(make_state("7d 4h 6d 9c Td 8c", rules="modern-american", melds=melds, pile="4d"))
    assert [SEVEN] == [step.kind for step in steps if isinstance(step, Meld)]


def test_a_casual_player_parts_with_aces_that_would_cost_points_while_there_are_turns_left() -> None:
    melds = {"0": ["Qs Qh Qd Qc", "9s 9h 9d 9c 9s 9h 9d"]}
    state = make_state(
        "As Ah Ad Ac Kd", rules="modern-american", stock="4s 5h 6d 8d 9h Td Js Qd", melds=melds, pile="4c 5c"
    )
    steps, _ = play_turn(state)
    assert [discard_step(ACE)] == steps


# --- going out with more than sets -----------------------------------------------------------------------------------


def test_a_casual_player_goes_out_with_a_run_that_gives_the_canasta_needed() -> None:
    melds = {"0": [SIX_OF_A_RUN, PURE_KINGS]}
    _, state = play_turn(make_state("Js 4h", rules="bolivia", melds=melds, hands={"2": "4s 5s"}))
    assert state.results[-1].reason is DealEnd.OUT
    assert state.results[-1].went_out == 0


def test_a_casual_player_goes_out_by_laying_a_new_run_and_a_set() -> None:
    melds = {"0": [PURE_KINGS, MIXED_QUEENS]}
    state = make_state("4h 5h 6h 9s 9d 9c 8d", rules="samba", melds=melds, hands={"2": "4s 5s"})
    assert play_turn(state)[1].results[-1].went_out == 0


# --- the foot --------------------------------------------------------------------------------------------------------


def test_a_casual_player_melds_its_whole_hand_to_reach_the_foot() -> None:
    state = make_state(
        "Kd Qd 9s 9d 9c",
        rules="hand-and-foot-us",
        melds={"0": ["Ks Kh Kd Kc", "Qs Qh Qd"]},
        feet={"0": "4s 5h 6d 7c 8s 9h Td Js 4d 5c 6s"},
    )
    steps, after = play_turn(state)
    assert not after.feet[0]
    assert {KING, QUEEN, 5} <= {step.kind for step in steps if isinstance(step, Meld)}


def test_a_casual_player_spends_wild_cards_on_the_canasta_with_which_its_foot_is_taken_up() -> None:
    feet = {str(seat): FILLER for seat in range(6)}
    for melds, wilds in (("Ks Kh Kd Kc Ks", 2), ("Ks Kh Kd Kc", 3)):
        state = make_state("2s 2h 2d 4h 6d 9c Qd 5h", rules="pennies", players=6, feet=feet, melds={"0": [melds]})
        steps, after = play_turn(state)
        assert [(KING, wilds)] == [(step.kind, step.twos) for step in steps if isinstance(step, Meld)]
        assert not after.feet[0]


# --- drawing ---------------------------------------------------------------------------------------------------------


def test_a_casual_player_draws_rather_than_begin_costly_sevens_with_the_pile() -> None:
    state = make_state(
        "7s 7h 4h 6d 9c Td 8c", rules="modern-american", phase="draw", pile="7c", melds={"0": ["Ks Kh Kd Kc"]}
    )
    assert casual_step(state) in (DRAW, DRAW_KEEPING)
