"""Scores of random deals under the variants' parameters equal an independent computation.

The other computation is `tests.support.independent_score`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import JOKER, TWO
from bot.engine.cards.meld_places import FAMILIES, WILD_MELD, first_free_place, run_place
from bot.engine.cards.notation import parse_cards
from bot.engine.law.scoring import deal_end_events, score_deal
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.events import DealEnd, DealEnded, GameEnded
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State, new_game
from tests.support.independent_score import RUN_ORDER, score_lines_of_deal

CLASSIC = rule_set("classic", 4)
SUITS = "shdc"
BONUS_WILD = [
    {"any": 2000},
    {"7_twos": 4000, "4_jokers_3_twos": 3000, "any": 2000},
    {"7_twos": 3000, "twos_and_jokers": 2000},
    {"7_twos": 3000, "7_jokers": 3000, "twos_and_jokers": 2000},
    {"7_twos": 3000, "4_jokers": 2500, "any": 2000},
]
OPTIONS: Mapping[str, list[Any]] = {
    "ace_value": [15, 20],
    "bonus_natural": [500, 600],
    "bonus_mixed": [200, 300],
    "bonus_seq": [0, 1500],
    "bonus_wild": [{}, *BONUS_WILD],
    "bonus_wild_out_only": [True, False],
    "bonus_rank": [{}, {"A_natural": 800, "A_mixed": 500}, {"7": 1500}, {"A": 2500, "7_natural": 2500}],
    "incomplete_penalty": [{}, {"seq": -1000}, {"7": -2500, "A": -2500, "wild": -2000, "wild_4_jokers": -2500}],
    "hand_penalty": [{}, {"3_aces": -1500, "3_sevens": -1500}, {"4_black_threes": -500}],
    "collection_bonus": [
        {},
        {"5_natural": 2000, "4_natural_1_mixed": 1000, "10_any": 2000},
        {"10_any": 500},
        {"7_any": 5000},
    ],
    "card_points": ["net", "swing"],
    "count_card_values_in_canasta": [True, False],
    "red3_sign": ["opened", *(f"canastas>={count}" for count in range(1, 5)), "swing", "sevens", "always"],
    "red3_values": [[100, 200, 300, 800], [100, 300, 500, 1000], [100, 200, 300, 400, 500, 1000]],
    "black3_values": [[], [100, 300, 500, 1000]],
    "red3_in_hand": [-500, -100],
    "black3_in_hand": [-5, -100],
    "out_bonus": [100, 200, 300],
    "concealed_extra": [0, 100],
}


def random_meld(random: Random) -> str:
    """Return a set, a run or wild cards, of any possible length."""
    kind = random.random()
    if kind < 0.2:
        length, suit = random.randint(3, 7), random.choice(SUITS)
        start = random.randrange(len(RUN_ORDER) - length + 1)
        return " ".join(rank + suit for rank in RUN_ORDER[start : start + length])
    jokers = random.randint(0, 4)
    if kind < 0.4:
        twos = random.randint(max(0, 3 - jokers), 7 - jokers)
        return " ".join(["2s"] * twos + ["JK"] * jokers)
    rank = random.choice("77AAK49")
    naturals = random.choice((3, 4, 5, 7, 7, 8))
    wilds = random.choice((0, 0, 0, 1, 2, 3))
    return " ".join([rank + random.choice(SUITS) for _ in range(naturals)] + ["2h"] * wilds)


def melds_from_texts(melds: list[str]) -> tuple[TableMeld, ...]:
    """Return melds written as texts in the engine's form, each in a place of its own."""
    taken: set[int] = set()
    made = []
    for text in melds:
        cards = tuple(sorted(parse_cards(text)))
        naturals = [card for card in cards if card >> 2 not in (TWO, JOKER)]
        kinds = {card >> 2 for card in naturals}
        family = WILD_MELD if not kinds else kinds.pop() if len(kinds) == 1 else run_place(cards[0] & 3)
        place = first_free_place(family, taken)
        taken.add(place)
        made.append(TableMeld(place, len(naturals), len(cards) - len(naturals), cards))
    return tuple(made)


def random_hand(random: Random) -> str:
    cards = [rank + suit for rank in "3A7K452" for suit in SUITS] * 2 + ["JK", "3s", "3c", "3s", "3c", "As", "7s"]
    return " ".join(random.sample(cards, random.randrange(16)))


def make_state(rules: RuleSet, melds: list[str], hands: list[str], threes: str) -> State:
    return replace(
        new_game(rules, dealer=0),
        deal=1,
        hands=tuple(tuple(sorted(parse_cards(hand))) for hand in hands),
        melds=(melds_from_texts(melds), ()),
        red_threes=(parse_cards(threes), ()),
        opened=(bool(melds), False),
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_score_of_a_deal_matches_the_independent_score(seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        options = {name: random.choice(values) for name, values in OPTIONS.items()}
        rules = read_options(CLASSIC, options)
        melds = [random_meld(random) for _ in range(random.choice((0, 1, 2, 3, 6, 12)))]
        hands = [random_hand(random) for _ in range(4)]
        red, black = random.randrange(5), random.randrange(5)
        state = make_state(rules, melds, hands, " ".join(["3h"] * red + ["3s"] * black))
        went_out, concealed = random.choice(((None, False), (0, False), (2, True), (1, False)))
        expected = score_lines_of_deal(
            options,
            melds,
            [hands[0], hands[2]],
            red=red,
            black=black,
            went_out=went_out in (0, 2),
            concealed=concealed,
        )
        lines, _ = score_deal(state, went_out, concealed=concealed)
        assert expected == {name: getattr(lines, name) for name in expected}
        assert sum(expected.values()) == lines.total


@pytest.mark.parametrize("seed", range(4))
def test_a_view_shows_the_score_if_no_player_goes_out(seed: int) -> None:
    random = Random(seed)
    for _ in range(30):
        options = {name: random.choice(values) for name, values in OPTIONS.items()}
        rules = read_options(CLASSIC, options)
        melds = [random_meld(random) for _ in range(random.randrange(8))]
        state = make_state(rules, melds, [random_hand(random) for _ in range(4)], "3h 3d 3s")
        lines, _ = score_deal(state, None, concealed=False)
        side = public_view(state).sides[0]
        assert lines.total - lines.in_hand == side.on_table
        assert lines.in_hand == -seat_view(state, 0).hand_points - seat_view(state, 2).hand_points


def test_seven_canastas_win_the_game_if_the_rules_say_so() -> None:
    rules = replace(CLASSIC, auto_win="7_canastas")
    melds = tuple(TableMeld(kind, 7, 0, (kind * 4,) * 7) for kind in range(7))
    state = replace(make_state(rules, [], ["4s", "4s", "4s", "4s"], ""), melds=(melds, ()), opened=(True, False))
    ended, over = deal_end_events(state, DealEnd.SEVEN_CANASTAS)
    assert isinstance(ended, DealEnded)
    assert 5000 == ended.lines[0].bonuses
    assert GameEnded(0) == over
    fewer = replace(state, melds=(melds[:6], ()))
    assert 1 == len(deal_end_events(fewer, DealEnd.STOCK))


def test_the_minimum_depends_on_the_deals_number_if_the_rules_say_so() -> None:
    table = ((1, 50), (2, 90), (3, 120), (4, 150))
    rules = replace(CLASSIC, open_by="round", open_table=table)
    assert [50, 90, 120, 150, 150] == [rules.initial_meld_minimum(9000, deal) for deal in range(1, 6)]
    assert 50 == public_view(new_game(rules, dealer=0)).sides[0].minimum
    after_two = replace(new_game(rules, dealer=0), deal=2)
    assert 120 == public_view(after_two).sides[0].minimum


def test_any_canasta_of_sevens_counts_even_with_several_melds_of_sevens() -> None:
    rules = read_options(CLASSIC, {"red3_sign": "sevens"})
    second = TableMeld(3 + FAMILIES, 7, 0, (12,) * 7)
    state = replace(make_state(rules, [], ["", "", "", ""], "3h"), melds=((second,), ()))
    assert 100 == score_deal(state, None, concealed=False)[0].red_threes
