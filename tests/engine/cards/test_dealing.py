"""Dealing and piles of the variants: face-down cards, threes of both colours, a reshuffled pile."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import BLACK_THREE, RED_THREE
from bot.engine.cards.notation import card_text, cards_text, parse_card, parse_cards
from bot.engine.cards.shuffling import first_reshuffle_key, next_reshuffle_key, reshuffle_cards
from bot.engine.moves.actions import DRAW, Discard, Take
from bot.engine.moves.events import DealEnd, DealEnded, Drew, Gathered, Reshuffled
from bot.engine.play.building_views import public_view
from bot.engine.play.decide import decide
from bot.engine.play.invariants import broken_invariants
from bot.engine.positions.position_reading import PositionError, read_position, write_position
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.dealing import number_under_upcard
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import public_event
from tests.support.independent_score import score_lines_of_deal
from tests.support.random_play import deal_with_minimum, play_random_game, replay_events, seeded_pack, steps_of_a_deal

CLASSIC = rule_set("classic", 4)
ITALIAN = rule_set("italian", 4)


def state_with(options: Mapping[str, Any], **position: Any) -> State:
    hands = {"0": "Ks Kh 5s 6s", "1": "4c 4d 8h"}
    return read_position({"options": options, "position": {"turn": 0, "hands": hands, "stock": "7d 6h", **position}})


# --- cards that lie face down ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "count"), [("4s", 4), ("9d", 9), ("Th", 10), ("Jc", 11), ("Qs", 12), ("Kd", 13), ("Ac", 1), ("3s", 0)]
)
def test_the_rank_of_the_upcard_sets_the_number_of_cards_under_it(card: str, count: int) -> None:
    assert count == number_under_upcard(ITALIAN, parse_card(card))
    assert 3 == number_under_upcard(read_options(CLASSIC, {"pile_hidden": 3}), parse_card(card))


def test_hidden_cards_come_with_the_pile_and_only_the_taker_sees_them() -> None:
    state = state_with({}, pile="9c 3h Jd Qd Kc", hidden=3, frozen=True, melds={"0": ["8s 8h 8d"]})
    assert (5, 3) == (public_view(state).pile.cards, public_view(state).pile.hidden)
    events = decide(state, 0, Take(naturals=2))
    gathered = next(event for event in events if isinstance(event, Gathered))
    assert Gathered(0, parse_cards("Qd"), parse_cards("3h"), parse_cards("9c Jd"), 2) == gathered
    assert 3 == gathered.count
    shown = public_event(gathered)
    assert Gathered(0, parse_cards("Qd"), parse_cards("3h"), (), 2) == shown
    after = fold(state, events)
    assert parse_cards("5s 6s Qd 9c Jd") == tuple(sorted(after.hands[0], key=parse_cards("5s 6s Qd 9c Jd").index))
    assert (0, ()) == (after.hidden, after.pile)


def test_a_wild_card_that_lies_face_down_freezes_nothing() -> None:
    state = state_with({}, pile="2c Jd Kc", hidden=1, melds={"0": ["Jh Js Jc"]})
    assert not state.frozen
    assert state_with({}, pile="2c Jd Kc", melds={"0": ["Jh Js Jc"]}).frozen


def test_the_top_of_the_pile_never_lies_face_down() -> None:
    with pytest.raises(PositionError, match=r"position\.hidden"):
        state_with({}, pile="2c Jd Kc", hidden=3)


def test_without_an_upcard_the_pile_begins_empty() -> None:
    state = deal_with_minimum(read_options(CLASSIC, {"upcard": False}), 3)
    assert ((), 108 - 44) == (state.pile, len(state.stock) + sum(map(len, state.red_threes)))
    assert not public_view(state).pile.frozen


# --- threes of both colours, threes set aside ------------------------------------------------------------------------


def test_threes_in_a_taken_pile_go_where_the_rules_say() -> None:
    pile = "3s Jd 3h 3c Kc"
    both = state_with({"black3_role": "bonus", "black3_values": [100] * 4}, pile=pile, melds={"0": ["8s 8h 8d"]})
    after = fold(both, decide(both, 0, Take(naturals=2)))
    assert tuple(sorted(parse_cards("3s 3c 3h"))) == after.red_threes[0]
    assert {"0": "3s 3c 3h", "1": ""} == write_position(after)["position"]["threes"]
    aside = state_with({"black3_in_pile": "set_aside"}, pile=pile, melds={"0": ["8s 8h 8d"]})
    after = fold(aside, decide(aside, 0, Take(naturals=2)))
    assert (parse_cards("3s 3c"), parse_cards("3h")) == (after.set_aside[0], after.red_threes[0])
    assert (
        after == read_position(write_position(after))
        or {"0": "3s 3c", "1": ""} == (write_position(after)["position"]["set_aside"])
    )
    assert not {BLACK_THREE, RED_THREE} & {card >> 2 for card in after.hands[0]}


# --- a pile that becomes the stock -----------------------------------------------------------------------------------

RESHUFFLED = read_options(CLASSIC, {"stock_end": "reshuffle"})


def documented_order(cards: list[str], key: str) -> list[str]:
    """Return the order of a reshuffled stock by steps 5 to 7 of `docs/shuffle.md` with that key."""
    numbers: list[int] = []
    for block in range(64):
        digest = hmac.new(key.encode(), block.to_bytes(8, "big"), hashlib.sha256).digest()
        numbers += [int.from_bytes(digest[start : start + 4], "big") for start in range(0, 32, 4)]
    order = list(range(len(cards)))
    for last in range(len(cards) - 1, 0, -1):
        while (number := numbers.pop(0)) >= 2**32 - 2**32 % (last + 1):
            pass
        chosen = number % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return [cards[place] for place in order]


def test_the_order_of_a_reshuffled_stock_is_the_documented_one() -> None:
    pack = seeded_pack(CLASSIC, 7)
    named = b"canasta-reshuffle-v1\0"
    key = hashlib.sha256(named + cards_text(pack).encode()).hexdigest()
    assert key == first_reshuffle_key(pack)
    assert hashlib.sha256(named + key.encode()).hexdigest() == next_reshuffle_key(key)
    pile = pack[:60]
    assert documented_order([card_text(card) for card in pile], key) == list(map(card_text, reshuffle_cards(pile, key)))


def test_the_pile_without_its_top_becomes_the_stock_when_the_stock_is_out() -> None:
    state = state_with({"stock_end": "reshuffle"}, phase="play", stock="", pile="9c 2d Jd Qd", frozen=True)
    events = decide(state, 0, Discard(1))
    reshuffled = next(event for event in events if isinstance(event, Reshuffled))
    assert 4 == reshuffled.count
    assert sorted(parse_cards("9c 2d Jd Qd")) == sorted(reshuffled.cards)
    assert Reshuffled((), 4) == public_event(reshuffled)
    after = fold(state, events)
    assert (parse_cards("5s"), 4, False, 1) == (after.pile, len(after.stock), after.frozen, seat_to_act(after))
    assert after.shuffle_key != state.shuffle_key
    drew = decide(after, 1, DRAW)[0]
    assert Drew(1, reshuffled.cards[:1], (), 1) == drew


def test_a_pile_of_one_card_is_not_shuffled() -> None:
    state = state_with({"stock_end": "reshuffle"}, phase="play", stock="", pile="")
    ended = decide(state, 0, Discard(1))[-1]
    assert isinstance(ended, DealEnded)
    assert DealEnd.STOCK is ended.reason


def test_deals_with_a_reshuffled_pile_replay_identically_from_their_log() -> None:
    shuffled = 0
    for seed in range(6):
        events = [event for played in play_random_game(RESHUFFLED, seed, most_deals=1) for event in played.events]
        shuffled += sum(isinstance(event, Reshuffled) for event in events)
        last = replay_events(RESHUFFLED, seed % 4, events)
        assert () == broken_invariants(last)
    assert shuffled


# --- random deals with random values of these parameters --------------------------------------------------------------

OPTIONS: Mapping[str, list[Any]] = {
    "upcard": [True, True, False],
    "pile_hidden": [0, 3],
    "pile_hidden_by_rank": [False, True],
    "pile_frozen": ["by_card", "always"],
    "black3_role": ["stopper", "bonus"],
    "black3_values": [[100, 300, 500, 1000]],
    "black3_in_pile": ["hand", "set_aside"],
    "stock_end": ["pile_play", "reshuffle", "stop"],
    "auto_win": ["none", "7_canastas"],
    "draw": [1, 2],
    "draw_with_pile": [0, 1],
    "card_points": ["net", "swing"],
    "red3_sign": ["opened", "canastas>=1", "swing", "always"],
    "bonus_rank": [{}, {"A_natural": 800, "A_mixed": 500, "7": 1500}],
    "incomplete_penalty": [{}, {"7": -2500, "A": -2500}],
    "hand_penalty": [{}, {"3_aces": -1500, "3_sevens": -1500, "4_black_threes": -500}],
    "collection_bonus": [{}, {"5_natural": 2000, "4_natural_1_mixed": 1000}],
    "black3_in_hand": [-5, -100],
    "concealed_extra": [0, 100],
}


def random_rules(random: Random) -> tuple[RuleSet, dict[str, Any]]:
    options = {name: random.choice(values) for name, values in OPTIONS.items()}
    return read_options(CLASSIC, options), options


def independent_score_lines(state: State, options: Mapping[str, Any], ended: DealEnded) -> list[dict[str, int]]:
    """Return the score lines of each side, computed by `tests.support.independent_score`."""
    sides = []
    for side in range(2):
        laid = state.red_threes[side]
        black = sum(card >> 2 == BLACK_THREE for card in laid)
        lines = score_lines_of_deal(
            options,
            [cards_text(meld.cards) for meld in state.melds[side]],
            [cards_text(state.hands[seat]) for seat in (side, side + 2)],
            red=len(laid) - black,
            black=black,
            went_out=ended.went_out in (side, side + 2),
            concealed=ended.concealed,
        )
        aside = len(state.set_aside[side])
        lines["bonuses"] += ([0, 100, 300, 500] + [1000] * 9)[aside] if aside else 0
        lines["bonuses"] += 5000 * (ended.reason is DealEnd.SEVEN_CANASTAS and _count_canastas(state, side) >= 7)
        sides.append(lines)
    return sides


def _count_canastas(state: State, side: int) -> int:
    return sum(meld.size >= 7 for meld in state.melds[side])


@pytest.mark.parametrize("block", range(6))
def test_random_deals_are_valid_and_score_as_computed_independently(block: int) -> None:
    for seed in range(block * 8, block * 8 + 8):
        random = Random(seed)
        rules, options = random_rules(random)
        state = deal_with_minimum(rules, seed, dealer=seed % 4)
        assert () == broken_invariants(state), options
        for played in steps_of_a_deal(state, random, max_steps=20_000):
            assert () == broken_invariants(played.after), options
            for event in played.events:
                if isinstance(event, DealEnded):
                    for line, expected in zip(
                        event.lines, independent_score_lines(played.after, options, event), strict=True
                    ):
                        assert expected == {name: getattr(line, name) for name in expected}, options
