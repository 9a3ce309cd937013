"""Parsing texts that name cards, as people write them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import ACE, EIGHT, KING, QUEEN, SEVEN, Card, Kind, full_pack
from bot.engine.cards.notation import card_text, cards_text, parse_cards
from cogs.shared.reading.card_picking import pick_card, pick_melds
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_cards import LONGEST
from cogs.shared.reading.vocabulary import vocabulary_of

KNOWN = vocabulary_of()

HAND = parse_cards("Ks Kh Kd 2s 2h JK JK Qs Qh Qd 7s 7h 7d Th Ts As Ah 3s 4c")
MELDS = (KING, EIGHT)


def read_melds(text: str, hand: tuple[Card, ...] = HAND, melds: tuple[Kind, ...] = MELDS) -> list[str]:
    """Return the melds of a text, parsed and written in strict notation.

    Additions name the meld on the table.
    """
    found = pick_melds(text, hand, melds, KNOWN)
    return [cards_text(lay.cards) + ("" if lay.onto is None else f">{lay.onto}") for lay in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("KKK2", ["Ks Kh Kd 2s"]),
        ("kkk2", ["Ks Kh Kd 2s"]),
        ("3 kings and a joker", ["Ks Kh Kd JK"]),
        ("three kings, a joker", ["Ks Kh Kd JK"]),
        ("Q Q Q 2, 7 7 7", ["Qs Qh Qd 2s", "7s 7h 7d"]),
        ("Q Q Q 2 7 7 7", ["Qs Qh Qd 2s", "7s 7h 7d"]),
        ("777; QQQ", ["7s 7h 7d", "Qs Qh Qd"]),
        ("Ks Kh", ["Ks Kh"]),
        ("KsKhKd", ["Ks Kh Kd"]),
        ("kings", ["Ks Kh Kd"]),
        ("all the kings", ["Ks Kh Kd"]),
        ("pair of kings", ["Ks Kh"]),
        ("both tens plus a wild", ["Ts Th 2s"]),
        ("10 10 2", ["Ts Th 2s"]),
        ("1010", ["Ts Th"]),
        ("TT", ["Ts Th"]),
        ("3x7", ["7s 7h 7d"]),
        ("7 ×3", ["7s 7h 7d"]),
        ("3 K 2", ["Ks Kh Kd 2s"]),
        ("Jkr Jkr K K", ["JK JK Ks Kh"]),
        ("K×3 + joker", ["Ks Kh Kd JK"]),
        ("3 7s", ["7s 7h 7d"]),
        ("7s", ["7s 7h 7d"]),
        ("sevens and two jokers", ["7s 7h 7d JK JK"]),
        ("3 king 2 joker", ["Ks Kh Kd JK JK"]),
        ("7 7 joker", ["7s 7h JK"]),
        ("3 K", ["Ks Kh Kd"]),
        ("K, K, K, 2", ["Ks Kh Kd 2s"]),
        ("joker KKK", ["JK Ks Kh Kd"]),
        ("A A 2", ["As Ah 2s"]),
        ("A A Joker", ["As Ah JK"]),
        ("a a 2", ["As Ah 2s"]),
        ("two aces and a two", ["As Ah 2s"]),
        ("king of hearts and king of diamonds", ["Kh Kd"]),
        ("K♥ K♦", ["Kh Kd"]),
        ("black three", ["3s"]),
        ("2 on kings", ["2s>0"]),
        ("a joker onto the eights", ["JK>1"]),
        ("JK on 8", ["JK>1"]),
        ("joker, KKK", ["JK Ks Kh Kd"]),
        ("2 on queens, QQQ", ["Qs Qh Qd 2s"]),
    ],
)
def test_typed_melds_are_parsed(text: str, expected: list[str]) -> None:
    assert [sorted(parse_cards(one.split(">")[0])) for one in expected] == [
        sorted(parse_cards(one.split(">")[0])) for one in read_melds(text)
    ]
    assert [one.partition(">")[2] for one in expected] == [one.partition(">")[2] for one in read_melds(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", "7s"),
        ("7s", "7s"),
        ("7h", "7h"),
        ("10h", "Th"),
        ("the ten of spades", "Ts"),
        ("joker", "JK"),
        ("a two", "2s"),
        ("Ace", "As"),
        ("3", "3s"),
        ("sevens", "7s"),
    ],
)
def test_a_typed_single_card_is_parsed(text: str, expected: str) -> None:
    assert expected == card_text(pick_card(text, HAND, KNOWN))


def test_7s_may_be_any_seven_because_s_is_also_a_plural() -> None:
    assert pick_card("7s", parse_cards("7h 7d"), KNOWN) >> 2 == SEVEN


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        ("", InputCode.NO_CARDS, {}),
        (" , ;", InputCode.NO_CARDS, {}),
        ("foo", InputCode.NOT_UNDERSTOOD, {"word": "foo"}),
        ("KKK bar", InputCode.NOT_UNDERSTOOD, {"word": "bar"}),
        ("on kings on", InputCode.NOT_UNDERSTOOD, {"word": "on"}),
        ("four kings", InputCode.NOT_HELD, {"kind": "K", "held": 3, "needed": 4}),
        ("KK, KK", InputCode.NOT_HELD, {"kind": "K", "held": 3, "needed": 4}),
        ("9 9 9", InputCode.NOT_HELD, {"kind": "9", "held": 0, "needed": 3}),
        ("0 kings", InputCode.NOT_UNDERSTOOD, {"word": "0"}),
        ("9", InputCode.NOT_HELD, {"kind": "9", "held": 0, "needed": 1}),
        ("three jokers", InputCode.NOT_HELD, {"kind": "JK", "held": 2, "needed": 3}),
        ("3h", InputCode.NOT_HELD, {"kind": "3", "held": 0, "needed": 1}),
        ("Kc", InputCode.NOT_HELD_SUIT, {"card": 39, "held": "36,37,38"}),
        ("2", InputCode.TWO_TARGETS, {"rank": "K"}),
        ("K" * 4000, InputCode.TOO_LONG, {"length": 4000, "allowed": LONGEST}),
    ],
)
def test_a_typed_word_that_is_no_card_is_named_in_the_error(
    text: str, code: InputCode, detail: dict[str, object]
) -> None:
    with pytest.raises(InputProblem) as caught:
        read_melds(text)
    assert (code, detail) == (caught.value.code, dict(caught.value.detail))


def test_a_typed_wild_card_and_a_typed_two_need_two_wild_cards_in_the_hand() -> None:
    with pytest.raises(InputProblem) as caught:
        read_melds("KK wild, QQ 2", parse_cards("Ks Kh Qs Qh 2s JK"))
    assert {"kind": "2", "held": 1, "needed": 2} == dict(caught.value.detail)


@pytest.mark.parametrize("text", ["7 7", "KKK", "7, 8", "two kings"])
def test_a_text_of_two_cards_is_not_a_single_card(text: str) -> None:
    with pytest.raises(InputProblem) as caught:
        pick_card(text, parse_cards("7s 7h Ks Kh Kd 8s"), KNOWN)
    assert caught.value.code is InputCode.ONE_CARD


RANKS = ["K", "KK", "2", "22", "JK", "joker", "jokers", "3", "4", "10", "kings", "king", "7s", "7h", "Ks", "sevens"]
COUNTS = ["a", "an", "the", "x3", "3x", "3xK", "Kx3", "all", "both", "pair", "two", "three", "one", "12"]
OTHERS = ["of", "on", "to", "onto", "and", "with", ",", ";", "wild", "red", "black", "hearts", "♥", "foo", "+", "*"]
WORDS = st.sampled_from([*RANKS, *COUNTS, *OTHERS])


@given(st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=12).map(" ".join)))
def test_any_text_is_refused_or_chooses_cards_of_the_hand(text: str) -> None:
    for melds in ((), (KING,), (KING, QUEEN, ACE)):
        try:
            chosen = [card for lay in pick_melds(text, HAND, melds, KNOWN) for card in lay.cards]
        except InputProblem:
            continue
        assert not Counter(chosen) - Counter(HAND)


@given(st.sampled_from(sorted(set(full_pack(2, 2)))))
def test_the_strict_notation_is_parsed_too(card: Card) -> None:
    assert card == pick_card(card_text(card), (card,), KNOWN)
