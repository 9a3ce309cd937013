"""Canastas: their kinds, and the kinds needed to go out (`docs/law/variants.md 3`, A.1 H)."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from bot.engine.cards.cards import FIVE, JOKER_CARD, KING, NATURAL_KINDS, SEVEN, TWO, card_of
from bot.engine.cards.meld_places import DEUCE_MELD, FAMILIES, WILD_MELD, run_place
from bot.engine.melds.canastas import (
    canasta_kind,
    canasta_kind_at,
    canasta_tally,
    has_enough_canastas,
    is_enough_to_go_out,
    why_too_few_canastas,
)
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set

CLASSIC = rule_set("classic", 4)


def meld_of_rank(kind: int, naturals: int, wilds: int = 0) -> TableMeld:
    return TableMeld(kind, naturals, wilds, (card_of(kind),) * naturals + (JOKER_CARD,) * wilds)


def meld_of_wilds(twos: int, jokers: int, place: int = WILD_MELD) -> TableMeld:
    cards = (card_of(TWO),) * twos + (JOKER_CARD,) * jokers
    naturals = twos if place == DEUCE_MELD else 0
    return TableMeld(place, naturals, len(cards) - naturals, cards)


def run_of_length(length: int) -> TableMeld:
    return TableMeld(run_place(2), length, 0, tuple(card_of(kind, 2) for kind in range(length)))


def test_a_canasta_has_seven_cards_and_its_kind_follows_from_place_and_wild_cards() -> None:
    expected = [
        (meld_of_rank(KING, 7), "natural"),
        (meld_of_rank(KING, 4, 3), "mixed"),
        (meld_of_rank(KING, 6), None),
        (meld_of_rank(SEVEN + FAMILIES, 8, 1), "mixed"),
        (meld_of_wilds(7, 0), "wild"),
        (meld_of_wilds(3, 4), "wild"),
        (meld_of_wilds(4, 2), None),
        (meld_of_wilds(7, 0, DEUCE_MELD), "wild"),
        (meld_of_wilds(5, 2, DEUCE_MELD), "wild"),
        (run_of_length(7), "seq"),
        (run_of_length(6), None),
    ]
    assert [kind for _, kind in expected] == [canasta_kind(CLASSIC, meld) for meld, _ in expected]


def rules_needing(needs: dict[str, int], *, of: int = 0, excludes: frozenset[str] = frozenset()) -> RuleSet:
    values: dict[str, Any] = {"out_need": tuple(needs.items()), "out_canastas": of, "out_excludes": excludes}
    return replace(CLASSIC, **values)


def test_missing_canastas_are_reported_with_numbers() -> None:
    rules = rules_needing({"natural": 1, "mixed": 2}, of=3)
    melds = [meld_of_rank(KING, 7), meld_of_rank(FIVE, 5, 2)]
    assert not has_enough_canastas(rules, melds)
    detail: Detail = {"canastas": 2, "required": 3, "left": 1, "missing": "mixed:1"}
    assert Refusal(Code.NEEDS_CANASTA, detail) == why_too_few_canastas(rules, melds, left=1)
    melds.append(meld_of_wilds(7, 0))
    assert Refusal(
        Code.NEEDS_CANASTA_KIND, {"canasta": "mixed", "held": 1, "required": 2, "left": 0}
    ) == why_too_few_canastas(rules, melds, left=0)
    melds.append(meld_of_rank(SEVEN, 4, 3))
    assert has_enough_canastas(rules, melds)
    assert why_too_few_canastas(rules, melds, left=0) is None


def test_excluded_wild_canastas_do_not_help_to_go_out() -> None:
    rules = rules_needing({}, of=2, excludes=frozenset({"wild"}))
    melds = [meld_of_rank(KING, 7), meld_of_wilds(7, 0, DEUCE_MELD)]
    assert 1 == canasta_tally(rules, melds).counting
    assert not has_enough_canastas(rules, melds)
    assert has_enough_canastas(rules, [*melds, meld_of_rank(FIVE, 6, 1)])


def can_meet_needs(rules: RuleSet, melds: list[TableMeld]) -> bool:
    """Return whether each needed canasta can be another one of the melds; tries every way."""
    needs = [kind for kind, count in rules.out_need for _ in range(count)]
    canastas = [meld for meld in melds if len(meld.cards) >= 7]

    def meets_need(meld: TableMeld, need: str) -> bool:
        return meld.kind == SEVEN if need == "7" else canasta_kind_at(meld.place, meld.wilds) == need

    return any(
        all(meets_need(meld, need) for meld, need in zip(chosen, needs, strict=True))
        for chosen in permutations(canastas, len(needs))
    )


@pytest.mark.parametrize("seed", range(8))
def test_one_canasta_meets_only_one_need(seed: int) -> None:
    random = Random(seed)
    stock = [
        *(
            meld_of_rank(kind, *shape)
            for kind, shape in product((SEVEN, SEVEN + FAMILIES, KING), ((7, 0), (5, 2), (4, 0)))
        ),
        meld_of_wilds(7, 0),
        run_of_length(7),
    ]
    met = 0
    for _ in range(150):
        kinds = random.sample(("natural", "mixed", "wild", "seq", "7"), random.randrange(4))
        rules = rules_needing({kind: random.randint(1, 2) for kind in kinds})
        melds = random.sample(stock, random.randrange(6))
        expected = can_meet_needs(rules, melds)
        met += expected
        assert (
            expected
            == is_enough_to_go_out(rules, canasta_tally(rules, melds))
            == (why_too_few_canastas(rules, melds, left=1) is None)
        )
    assert 0 < met < 150


def test_canastas_of_any_kind_allow_going_out_if_the_rules_need_only_a_number() -> None:
    melds = [meld_of_rank(kind, 7 if kind % 2 else 5) for kind in NATURAL_KINDS]
    assert 5 == canasta_tally(CLASSIC, melds).total == canasta_tally(CLASSIC, melds).counting
