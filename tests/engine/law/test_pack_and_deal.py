"""`docs/law/classic.md` 1.1–1.7 about the pack, the seats and the deal."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.engine.cards.cards import BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, TWO, full_pack, suit_of
from bot.engine.cards.notation import card_text, cards_text, parse_cards
from bot.engine.moves.actions import StartDeal
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import why_not_allowed
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import new_game
from tests.support.random_play import apply_action, deal_with_minimum, seeded_pack
from tests.support.stacked_packs import deal_hands, stack_pack

TWO_PLAYERS = rule_set("classic", 2)
FOUR_PLAYERS = rule_set("classic", 4)
FORMS = (TWO_PLAYERS, FOUR_PLAYERS)


def test_1_1_two_packs_with_four_jokers_are_108_cards() -> None:
    pack = full_pack(2, 2)
    counts = Counter(card >> 2 for card in pack)
    assert len(pack) == 108
    assert all(counts[kind] == 8 for kind in NATURAL_KINDS)
    assert (counts[TWO], counts[JOKER], counts[BLACK_THREE], counts[RED_THREE]) == (8, 4, 4, 4)
    assert set(Counter(card for card in pack if card >> 2 != JOKER).values()) == {2}


def test_1_1_black_threes_are_of_spades_and_clubs_and_red_ones_of_hearts_and_diamonds() -> None:
    assert [card >> 2 for card in parse_cards("3s 3c 3h 3d")] == [BLACK_THREE, BLACK_THREE, RED_THREE, RED_THREE]
    assert {suit_of(card) for card in full_pack(2, 2) if card >> 2 == BLACK_THREE} == {0, 3}


def test_1_1_every_card_has_its_value() -> None:
    values = FOUR_PLAYERS.card_values
    written = {card_text(card): values[card >> 2] for card in parse_cards("JK 2s As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s")}
    tens = dict.fromkeys(("Ks", "Qs", "Js", "Ts", "9s", "8s"), 10)
    fives = dict.fromkeys(("7s", "6s", "5s", "4s", "3s"), 5)
    assert {"JK": 50, "2s": 20, "As": 20, **tens, **fives} == written


def test_1_2_partners_sit_opposite() -> None:
    four = new_game(FOUR_PLAYERS, dealer=3).seating
    assert (0, 1, 0, 1) == four.side_by_seat
    assert (2, 3, 0, 1) == four.partner_by_seat
    two = new_game(TWO_PLAYERS, dealer=1).seating
    assert (0, 1) == two.side_by_seat
    assert (None, None) == two.partner_by_seat


@pytest.mark.parametrize("dealer", range(4))
def test_1_4_each_player_is_dealt_eleven_cards_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    pack = tuple(card for card in seeded_pack(FOUR_PLAYERS, 1) if card >> 2 != RED_THREE)
    pack += tuple(card for card in full_pack(2, 2) if card >> 2 == RED_THREE)
    state = apply_action(new_game(FOUR_PLAYERS, dealer=dealer), None, StartDeal(pack))
    for place in range(4):
        assert tuple(sorted(pack[place:44:4])) == state.hands[(dealer + 1 + place) % 4]
    assert pack[44] == state.pile[0]


def test_1_4_the_rest_of_the_pack_is_the_stock_and_the_upcard() -> None:
    assert (63, 1) == (len(deal_hands(FOUR_PLAYERS).stock), len(deal_hands(FOUR_PLAYERS).pile))
    assert (77, 1) == (len(deal_hands(TWO_PLAYERS, dealer=1).stock), len(deal_hands(TWO_PLAYERS, dealer=1).pile))


def test_2_1_each_of_two_players_is_dealt_fifteen_cards() -> None:
    assert [15, 15] == [len(hand) for hand in deal_hands(TWO_PLAYERS, dealer=1).hands]


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.players}p")
def test_1_5_the_player_to_the_dealers_left_begins(rules: RuleSet) -> None:
    for dealer in range(rules.players):
        state = deal_hands(rules, dealer=dealer)
        assert ((dealer + 1) % rules.players, Phase.DRAW, 0) == (state.turn, state.phase, state.turns)


@pytest.mark.parametrize(
    ("turned", "pile", "frozen"),
    [
        ("9c 5d", "9c", False),
        ("JK 9c 5d", "JK 9c", True),
        ("2d 9c 5d", "2d 9c", True),
        ("3h 9c 5d", "3h 9c", True),
        ("2d JK 3h 9c 5d", "2d JK 3h 9c", True),
        ("3s 5d", "3s", False),
        ("2d 3s 5d", "2d 3s", True),
    ],
)
def test_1_6_the_upcard_is_turned_until_it_is_neither_wild_nor_a_red_three(
    turned: str, pile: str, *, frozen: bool
) -> None:
    state = deal_hands(FOUR_PLAYERS, next_cards=turned)
    assert (pile, frozen) == (cards_text(state.pile), state.frozen)
    assert "5d" == cards_text(state.stock[-1:])


def test_4_73_the_upcards_that_were_covered_stay_in_the_pile() -> None:
    state = deal_hands(FOUR_PLAYERS, next_cards="JK 3h 9d 5c")
    assert ("JK 3h 9d", True) == (cards_text(state.pile), state.frozen)
    assert ((), ()) == state.red_threes


def test_4_74_a_black_three_stays_as_upcard_and_does_not_freeze() -> None:
    state = deal_hands(FOUR_PLAYERS, {0: "3s 3c"}, "3s 5d")
    assert ("3s", False) == (cards_text(state.pile), state.frozen)


def test_1_7_red_threes_dealt_are_laid_out_and_replaced_at_once() -> None:
    state = deal_hands(FOUR_PLAYERS, {0: "3h", 1: "3d 3h"}, "9c 5d 6d 7d 8d")
    assert "9c" == cards_text(state.pile)
    assert ("3h", "3h 3d") == tuple(map(cards_text, state.red_threes))
    assert [11] * 4 == [len(hand) for hand in state.hands]
    assert "8d" == cards_text(state.stock[-1:])


def test_1_7_a_replacement_that_is_a_red_three_is_replaced_too() -> None:
    state = deal_hands(FOUR_PLAYERS, {0: "3h"}, "9c 3d 3h 3d 6d 7d")
    assert "3h 3h 3d 3d" == cards_text(state.red_threes[0])
    assert parse_cards("6d")[0] in state.hands[0]
    assert "7d" == cards_text(state.stock[-1:])


def test_1_7_replacements_go_round_from_the_dealers_left() -> None:
    state = deal_hands(FOUR_PLAYERS, {2: "3h", 0: "3d"}, "9c 5d 6d", dealer=1)
    first, second = parse_cards("5d 6d")
    assert (True, True) == (first in state.hands[2], second in state.hands[0])


def test_1_7_no_hand_ever_holds_a_red_three() -> None:
    for seed in range(50):
        state = deal_with_minimum(FOUR_PLAYERS, seed)
        assert not any(card >> 2 == RED_THREE for hand in state.hands for card in hand)


def test_1_4_a_pack_that_is_not_the_whole_pack_is_refused() -> None:
    game = new_game(FOUR_PLAYERS, dealer=0)
    pack = full_pack(2, 2)
    for wrong in ((), pack[:-1], (*pack[:-1], pack[0]), (*pack, pack[0])):
        refusal = why_not_allowed(game, None, StartDeal(wrong))
        assert refusal is not None
        assert (Code.WRONG_PACK, len(wrong), 108) == (
            refusal.code,
            refusal.detail["cards"],
            refusal.detail["required"],
        )


def test_1_4_a_second_deal_is_refused_while_one_is_played() -> None:
    state = deal_with_minimum(FOUR_PLAYERS, 1)
    refusal = why_not_allowed(state, None, StartDeal(stack_pack(FOUR_PLAYERS, {}, "4s", dealer=0)))
    assert refusal is not None
    assert Code.DEAL_RUNNING == refusal.code
