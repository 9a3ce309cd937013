"""The game from deal to deal: dealer, minimums and end (`docs/law/classic.md` 1.3, 1.11, 1.21)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.law.scoring import index_of_winning_score
from bot.engine.moves.actions import DRAW, StartDeal
from bot.engine.moves.events import DealEnded, DealStarted, Drew, GameEnded
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State, new_game, seat_to_act
from tests.support.random_play import apply_action, deal_with_minimum, play_random_game, seeded_pack, steps_of_a_deal

FORMS = (rule_set("classic", 2), rule_set("classic", 4))
KINGS = "Ks Ks Kh Kh Kd Kd Kc"


def deal_after_going_out(scores: list[int]) -> State:
    """Return the state after seat 0 has gone out with eight kings, which score 680 points."""
    case = {
        "scores": scores,
        "position": {"turn": 0, "phase": "play", "hands": {"0": "Kc"}, "stock": "9c", "melds": {"0": [KINGS]}},
    }
    state = read_position(case)
    return apply_action(state, 0, next(step for step in legal_actions(state) if step != DRAW))


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.players}p")
def test_1_3_the_deal_passes_to_the_left(rules: RuleSet) -> None:
    dealers = [
        event.dealer
        for played in play_random_game(rules, 5)
        for event in played.events
        if isinstance(event, DealStarted)
    ]
    assert len(dealers) > 2
    assert [(dealers[0] + number) % rules.players for number in range(len(dealers))] == dealers


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.players}p")
def test_1_4_hands_and_draws_may_differ_from_deal_to_deal(rules: RuleSet) -> None:
    rules = read_options(rules, {"hand_size": [7, 15, 11], "draw": [3, 1, 2], "target": 100_000})
    for played in play_random_game(rules, 3, most_deals=5):
        deal = played.after.deal
        if isinstance(played.action, StartDeal):
            size = {1: 7, 2: 15}.get(deal, 11)
            assert [size] * rules.players == [len(hand) for hand in played.after.hands]
        elif played.action == DRAW and len(played.before.stock) > 3:
            (drew,) = (event for event in played.events if isinstance(event, Drew))
            assert {1: 3, 2: 1}.get(deal, 2) == len(drew.cards)


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.players}p")
def test_1_20_the_lines_of_every_deal_add_up_to_the_totals(rules: RuleSet) -> None:
    totals = (0,) * rules.sides
    for played in play_random_game(rules, 7):
        for event in played.events:
            if isinstance(event, DealEnded):
                totals = tuple(total + lines.total for total, lines in zip(totals, event.lines, strict=True))
                assert totals == event.scores == played.after.scores


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.players}p")
def test_1_21_the_game_ends_with_the_first_deal_that_takes_a_side_to_the_target(rules: RuleSet) -> None:
    for seed in range(3):
        last = None
        for played in play_random_game(rules, seed):
            last = played
            if played.after.phase is Phase.BETWEEN:
                assert max(played.after.scores) < 5000
        assert last is not None
        assert isinstance(last.events[-1], GameEnded)
        assert max(last.after.scores) == last.after.scores[last.events[-1].winner]
        assert max(last.after.scores) >= 5000


def test_1_21_nothing_can_be_done_when_the_game_is_over() -> None:
    over = deal_after_going_out([4900, 0])
    assert (Phase.OVER, 0, None, ()) == (over.phase, over.winner, seat_to_act(over), legal_actions(over))
    for seat, action in ((0, DRAW), (None, StartDeal(seeded_pack(over.rules, 1)))):
        refusal = why_not_allowed(over, seat, action)
        assert refusal is not None
        assert Code.GAME_OVER == refusal.code


def test_1_21_between_two_deals_no_seat_is_to_act() -> None:
    between = deal_after_going_out([0, 0])
    refusal = why_not_allowed(between, 0, DRAW)
    assert refusal is not None
    assert (Code.NO_DEAL, None) == (refusal.code, seat_to_act(between))


@pytest.mark.parametrize(
    ("scores", "won"),
    [
        ((4995, 0), None),
        ((5000, 0), 0),
        ((5000, 5005), 1),
        ((6000, 5005), 0),
        ((5000, 5000), None),
        ((7000, 7000), None),
        ((4995, 4995), None),
        ((-200, 5000), 1),
    ],
)
def test_4_67_the_higher_total_wins_and_a_tie_goes_on(scores: tuple[int, int], won: int | None) -> None:
    assert won == index_of_winning_score(rule_set("classic", 4), scores)


def test_4_67_after_a_tie_another_deal_is_played() -> None:
    tied = deal_after_going_out([4320, 5000])
    assert ((5000, 5000), Phase.BETWEEN, None) == (tied.scores, tied.phase, tied.winner)
    assert Phase.DRAW is apply_action(tied, None, StartDeal(seeded_pack(tied.rules, 1))).phase


@pytest.mark.parametrize(("score", "minimum"), [(-700, 15), (0, 50), (815, 50), (820, 90), (2315, 90), (2320, 120)])
def test_4_17_the_score_after_one_deal_sets_the_minimum_of_the_next(score: int, minimum: int) -> None:
    after = deal_after_going_out([score, 0])
    next_deal = apply_action(after, None, StartDeal(seeded_pack(after.rules, 3)))
    assert minimum == next_deal.rules.initial_meld_minimum(next_deal.scores[0])
    assert 2 == next_deal.deal


def test_4_24_the_next_deal_begins_with_an_unfrozen_pile_and_without_melds() -> None:
    for rules in FORMS:
        state = deal_with_minimum(rules, 11)
        frozen_once = False
        for played in steps_of_a_deal(state, Random(11)):
            frozen_once = frozen_once or played.after.frozen
            state = played.after
        assert frozen_once
        following = apply_action(state, None, StartDeal(seeded_pack(rules, 12)))
        assert (False, ((),) * rules.sides, (False,) * rules.sides) == (
            following.frozen,
            following.melds,
            following.opened,
        )
        assert frozenset() == following.melded_seats


def test_4_66_the_target_is_checked_only_when_the_deal_is_over() -> None:
    state = deal_with_minimum(rule_set("classic", 4), 2)
    rich = replace(state, scores=(4995, 4995))
    for played in steps_of_a_deal(rich, Random(2)):
        if not any(isinstance(event, DealEnded) for event in played.events):
            assert Phase.OVER is not played.after.phase


def test_1_3_a_game_may_begin_with_any_dealer() -> None:
    for dealer in range(4):
        assert dealer == new_game(rule_set("classic", 4), dealer=dealer).dealer
