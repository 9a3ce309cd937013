"""Initial melds of modern American canasta, against every way to split a hand into melds.

The oracle is written from the rules (`docs/law/variants.md 3.10`) and does not use the engine's look-ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from bot.engine.cards.cards import BLACK_THREE, JOKER, NATURAL_KINDS, RED_THREE, SEVEN, TWO, Card, full_pack
from bot.engine.cards.notation import cards_text
from bot.engine.moves.actions import Meld
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import rule_set

PACK = [card for card in full_pack(2, 2) if card >> 2 not in (BLACK_THREE, RED_THREE)]
MINIMUM = {0: 125, 3000: 155, 5000: 180}
SIZE = 7


class LaidMelds(NamedTuple):
    """Totals of some melds: cards, points, and whether a clean meld, wild meld or splash is among them."""

    cards: int = 0
    points: int = 0
    clean: bool = False
    wild: bool = False
    splash: bool = False


def combine_melds(first: LaidMelds, second: LaidMelds) -> LaidMelds:
    """Return the totals of two groups of melds together."""
    return LaidMelds(
        first.cards + second.cards,
        first.points + second.points,
        first.clean or second.clean,
        first.wild or second.wild,
        first.splash or second.splash,
    )


def possible_melds(held: list[int], values: tuple[int, ...], top: int | None) -> Iterator[LaidMelds]:
    """Yield the totals of every way to meld some of the cards.

    A pair of rank `top` stays in the hand, to take the pile.
    """
    yield from _melds_of_ranks(held, values, top, list(NATURAL_KINDS), held[TWO], held[JOKER])


def _melds_of_ranks(
    held: list[int], values: tuple[int, ...], top: int | None, kinds: list[int], twos: int, jokers: int
) -> Iterator[LaidMelds]:
    if not kinds:
        yield LaidMelds()
        for two in range(twos + 1):
            for joker in range(jokers + 1):
                if 3 <= two + joker <= SIZE:
                    points = two * values[TWO] + joker * values[JOKER]
                    yield LaidMelds(two + joker, points, False, True, two + joker == SIZE)
        return
    kind, rest = kinds[0], kinds[1:]
    yield from _melds_of_ranks(held, values, top, rest, twos, jokers)
    claim = 3 if kind == top else 0
    for naturals in range(2, held[kind] - (2 if claim else 0) + 1):
        for two in range(min(2, twos) + 1):
            for joker in range(min(2 - two, jokers) + 1):
                wilds = two + joker
                size = naturals + wilds
                if not 3 <= size <= SIZE or (wilds and kind == SEVEN) or size + claim > SIZE - bool(wilds):
                    continue
                points = naturals * values[kind] + two * values[TWO] + joker * values[JOKER]
                clean = not wilds
                laid = LaidMelds(size, points, clean, False, clean and size == SIZE)
                for others in _melds_of_ranks(held, values, top, rest, twos - two, jokers - joker):
                    yield combine_melds(laid, others)


def can_open(name: str, hand: list[Card], score: int, *, stock: int, pile: list[Card] | None) -> bool:
    """Return whether the hand can open after a draw, or, if a pile is given, before taking it."""
    held = [0] * 15
    for card in hand:
        held[card >> 2] += 1
    top = pile[-1] >> 2 if pile else None
    if top is not None and held[top] < 2:
        return False
    keep = (1 if stock >= 9 else 2) if pile is None else 2 - (len(pile) - 1) + 2
    with_wilds = name == "modern-american-pagat"
    for laid in possible_melds(held, rule_set(name, 4).card_values, top):
        opens = laid.points >= MINIMUM[score] and (laid.clean or (with_wilds and laid.wild))
        if len(hand) - laid.cards >= max(keep, 0 if top is None else 2) and (opens or (with_wilds and laid.splash)):
            return True
    return False


@pytest.mark.parametrize("name", ["modern-american", "modern-american-pagat"])
@pytest.mark.parametrize("phase", ["play", "draw"])
def test_a_step_is_listed_exactly_if_the_hand_makes_an_initial_meld(name: str, phase: str) -> None:
    random = Random(f"{name} {phase}")
    found = {True: 0, False: 0}
    for _ in range(250):
        kinds = {*random.sample(NATURAL_KINDS, random.choice((4, 5, 6))), TWO, JOKER}
        cards = [card for card in PACK if card >> 2 in kinds]
        hand = random.sample(cards, random.choice((8, 11, 13)))
        score, stock = random.choice((0, 3000, 5000)), random.choice((4, 9))
        pile = [
            *random.sample(cards, random.choice((0, 1, 2))),
            random.choice([card for card in cards if card >> 2 < TWO]),
        ]
        place = {
            "turn": 0,
            "phase": phase,
            "hands": {"0": cards_text(hand)},
            "stock": cards_text(random.sample(PACK, stock)),
            "pile": cards_text(pile),
        }
        state = read_position({"rules": name, "scores": [score, 0], "position": place})
        listed = any(isinstance(step, Meld) for step in legal_actions(state))
        expected = can_open(name, hand, score, stock=stock, pile=pile if phase == "draw" else None)
        assert expected == listed, cards_text(sorted(hand))
        found[expected] += 1
    assert min(found.values()) > 10
