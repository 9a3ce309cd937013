"""Cut-throat for three: the partners are settled during the deal (`docs/law/classic.md 2.2`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from bot.engine.cards.cards import full_pack
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.actions import ASK, Lay, TakePile
from bot.engine.moves.events import DealEnded, Event, Gathered, Opened, SidesFormed
from bot.engine.moves.refusals import Code
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.play.invariants import broken_invariants, count_all_cards
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.applying_events import evolve
from bot.engine.table.state import State, seat_to_act
from tests.support.legal_step_oracle import legal_steps
from tests.support.random_play import PlayedAction, play_random_game, steps_of_a_deal
from tests.support.seeds import seeds
from tests.support.small_positions import engine_step, oracle_position

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values() if rules.cut_throat]
CLASSIC = rule_set("classic-cut-throat", 3)


def name_of(rules: RuleSet) -> str:
    return rules.name


@cache
def deals_of_games(rules: RuleSet) -> tuple[tuple[list[Event], PlayedAction], ...]:
    """Return the deals of twelve games: the events of each, and its last step."""
    return tuple(deal for seed in range(12) for deal in deals_of_random_game(rules, seed))


def deals_of_random_game(rules: RuleSet, seed: int, max_deals: int = 6) -> Iterator[tuple[list[Event], PlayedAction]]:
    """Yield for each deal of a random game its events and its last step."""
    events: list[Event] = []
    for played in play_random_game(rules, seed, most_deals=max_deals):
        events += played.events
        if any(isinstance(event, DealEnded) for event in played.events):
            yield events, played
            events = []


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_2_2_the_first_player_to_take_the_pile_or_go_out_plays_alone(rules: RuleSet) -> None:
    settled: set[str] = set()
    for events, played in deals_of_games(rules):
        formed = [event.seat for event in events if isinstance(event, SidesFormed)]
        takers = [event.seat for event in events if isinstance(event, Gathered)]
        (ended,) = [event for event in events if isinstance(event, DealEnded)]
        out = [] if ended.went_out is None else [ended.went_out]
        assert (takers + out)[:1] == formed
        assert (formed[0] if formed else None) == played.after.alone
        settled.add("taken" if takers else "out" if out else "nobody")
    assert "taken" in settled


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_2_2_partners_score_the_same_except_for_their_red_threes(rules: RuleSet) -> None:
    seen = 0
    for _, played in deals_of_games(rules):
        alone, lines = played.after.alone, played.after.results[-1].lines
        if alone is None:
            continue
        first, second = (lines[seat] for seat in range(3) if seat != alone)
        assert first.total - first.red_threes == second.total - second.red_threes
        seen += first.red_threes != second.red_threes
    assert seen


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_2_2_no_card_is_lost_when_sides_are_formed(rules: RuleSet) -> None:
    pack = Counter(full_pack(rules.decks, rules.jokers_per_deck))
    for seed in seeds(3):
        for played in play_random_game(rules, seed, most_deals=4):
            state = played.before
            for event in played.events:
                state = evolve(state, event)
                assert pack == count_all_cards(state)
            assert () == broken_invariants(state)


def position_in_turn(turn: int, hand: str, melds: dict[str, list[str]], **more: object) -> State:
    """Return a state in which the seat in turn holds that hand; the pile's top card is a ten."""
    hands = {**{str(seat): "4s 5d 6h" for seat in range(3)}, str(turn): hand}
    position = {"turn": turn, "phase": "play", "hands": hands, "stock": "7d 8h 9c Jd", "pile": "6d Tc", "melds": melds}
    return read_position({"rules": CLASSIC.name, "players": 3, "position": {**position, **more}})


def test_2_2_each_partner_may_add_to_the_melds_of_both() -> None:
    melds = {"0": ["Qs Qh Qd", "Ks Kh Kd"], "1": ["As Ah Ad"]}
    for seat in (0, 2):
        view = seat_view(position_in_turn(seat, "Qc Kc 4c 5c", melds, alone=1), seat)
        assert (0, 2) == view.side.seats
        assert 2 == sum(1 for step in view.legal if str(step).startswith("Meld"))
    assert [(0, 2), (1,)] == [side.seats for side in public_view(position_in_turn(1, "4c 5c", melds, alone=1)).sides]


def test_4_76_each_partner_sees_their_own_minimum() -> None:
    state = read_position(
        {
            "rules": CLASSIC.name,
            "players": 3,
            "scores": [0, 1600, 3200],
            "sides": [[0], [1, 2]],
            "position": {"turn": 0, "hands": {"0": "4s 5s", "1": "4c 5c", "2": "4d 5d"}, "stock": "9c 9d"},
        }
    )
    assert [50, 90, 120] == [seat_view(state, seat).side.minimum for seat in range(3)]
    assert (1600, 3200) == public_view(state).sides[1].scores
    assert [((0,), 0), ((1,), 1600), ((2,), 3200)] == [(one.seats, one.score) for one in public_view(state).totals]


@pytest.mark.parametrize("seed", range(40))
def test_2_2_the_listed_steps_are_those_of_the_oracle(seed: int) -> None:
    """When partners' melds are merged, a meld may exceed the limit of wild cards.

    Such a meld then takes only naturals.
    """
    random = Random(seed)
    ranks = random.sample("89TJQKA", 3)
    pack = [rank + suit for rank in ranks for suit in "shdcshdc"] + ["2s", "2h", "2d", "2c", "JK", "JK", "JK", "2s"]
    random.shuffle(pack)
    first, second = ranks[:2]
    united = f"{first}s {first}h 2s 2h {first}d {first}c 2d JK"
    hand = " ".join(pack[: random.choice((3, 4, 5, 6))])
    state = position_in_turn(2, hand, {"0": [united, f"{second}s {second}h {second}d"]}, alone=1)
    assert {engine_step(step) for step in legal_steps(oracle_position(state))} == set(legal_actions(state))


def test_2_2_partners_do_not_ask_each_other() -> None:
    state = position_in_turn(2, "Ks Kh Kd", {"0": ["Qs Qh Qd Qc Qs Qh Qd"]}, alone=1)
    refusal = why_not_allowed(state, 2, ASK)
    assert refusal is not None
    assert Code.ASK_OFF is refusal.code


def test_every_player_begins_a_new_deal_alone() -> None:
    seen: set[int | None] = set()
    for played in play_random_game(CLASSIC, 3, most_deals=4):
        if played.seat == -1:
            assert (None, (0, 1, 2), 3) == (
                played.after.alone,
                played.after.seating.side_by_seat,
                len(played.after.melds),
            )
        seen.add(played.after.alone)
    assert None in seen
    assert len(seen) > 1


def test_a_deal_goes_on_with_the_next_seat_when_sides_are_formed() -> None:
    for seed in range(5):
        state = next(iter(play_random_game(CLASSIC, seed))).after
        for played in steps_of_a_deal(state, Random(seed)):
            if seat_to_act(played.after) is not None and played.after.turns > played.before.turns:
                assert (played.before.turn + 1) % 3 == played.after.turn


@pytest.mark.parametrize("options", [{}, {"meld_kinds": ["set", "seq"], "seq_rule": "closed"}])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_taking_the_pile_and_melding_in_one_act_forms_the_sides_and_opens(
    turn: int, options: dict[str, object]
) -> None:
    """The act is checked for the side that it forms, and that side must open."""
    hands = {str(seat): "4c 5c 6c" for seat in range(3)} | {str(turn): "Ks Kh Qs Qh Qd 4s 5s"}
    position = {"turn": turn, "phase": "draw", "hands": hands, "pile": "9s Kd", "stock": "9c 9d"}
    state = read_position({"rules": CLASSIC.name, "players": 3, "options": options, "position": position})
    kings, queens, low = parse_cards("Ks Kh"), parse_cards("Qs Qh Qd"), parse_cards("4s 5s")
    events = decide(state, turn, TakePile(kings, (Lay(queens),)))
    assert {SidesFormed, Opened} <= {type(event) for event in events}
    refusal = why_not_allowed(state, turn, TakePile(kings, (Lay(low),)))
    assert refusal is not None
