"""Legal additions to a meld are looked up in precomputed lists, which agree with trying every card."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from bot.engine.cards.cards import ACE, FOUR, SEVEN, TWO, Card, full_pack
from bot.engine.cards.meld_places import DEUCE_MELD, FAMILIES, RUN, WILD_MELD, Place
from bot.engine.cards.packed_counts import pack_counts
from bot.engine.melds.side_melds import spread_of
from bot.engine.melds.table_meld import TableMeld, meld_of
from bot.engine.moves.actions import LayRun, Meld, meld_step
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.runs import run_steps, why_not_run
from bot.engine.reach.set_steps import HELD, LYING, is_possible_addition, set_steps
from bot.engine.reach.turn_outlook import Standing
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set

SETS = ("samba", "bolivia", "italian", "cuban", "brazilian", "hand-and-foot-us", "modern-american", "uruguay", "joker")
PLACES: tuple[Place, ...] = (FOUR, SEVEN, ACE, FOUR + FAMILIES, DEUCE_MELD, WILD_MELD)
MELDS = ((0, 0), (2, 1), (3, 0), (4, 2), (6, 1), (7, 0), (5, 3), (0, 4))


def standing_with(rules: RuleSet, melds: list[TableMeld], *, opening: bool = False) -> Standing:
    return Standing(rules, spread_of(rules, melds), frozenset(), opening, None)


def places_to_try(rules: RuleSet) -> Iterator[tuple[Place, tuple[int, int], Standing]]:
    """Yield a place, the numbers of naturals and wild cards melded there, and the whole standing.

    In the place of a rank's second meld, the first one is a full canasta.
    """
    for place in PLACES:
        for lying in MELDS:
            before = [TableMeld(FOUR, 7, 0, (0,) * 7)] if place >= FAMILIES else []
            melds = [*before, TableMeld(place, *lying, (0,) * sum(lying))] if sum(lying) else before
            for opening in (False, True) if rules.opening_matters else (False,):
                yield place, lying, standing_with(rules, melds, opening=opening)


@pytest.mark.parametrize("name", SETS)
def test_the_listed_steps_of_a_meld_are_those_found_by_trying(name: str) -> None:
    rules = rule_set(name, 4)
    for place, lying, standing in places_to_try(rules):
        family = place % FAMILIES
        if not sum(lying) and (place != standing.new_place(family) or not standing.may_begin_meld(family)):
            continue
        for naturals, twos, jokers in ((1, 0, 0), (3, 1, 1), (5, 4, 2), (0, 3, 1)):
            if naturals and family in (DEUCE_MELD, WILD_MELD):
                continue
            tried = [
                meld_step(place, natural, two, joker)
                for natural in range(naturals + 1)
                for two in range(twos + 1)
                for joker in range(jokers + 1)
                if natural + two + joker and why_not_join(standing, place, natural, two, joker) is None
            ]
            there = lying[1] << 8 | lying[0]
            held = naturals | twos << 8 | jokers << 16
            size, steps, _ = set_steps(rules, opening=standing.opening)[place | there << LYING | held << HELD]
            assert tried == list(steps)
            assert max([step.size for step in tried], default=0) == size


@pytest.mark.parametrize("name", SETS)
def test_a_step_is_legal_if_its_cards_are_held_and_may_join(name: str) -> None:
    rules = rule_set(name, 4)
    hand: tuple[Card, ...] = (0, 1, 2, 12, 13, 40, 41, 42, TWO << 2, TWO << 2 | 1, 52)
    held = {FOUR: 3, SEVEN: 2, ACE: 3}
    for place, _, standing in places_to_try(rules):
        family = place % FAMILIES
        if family > ACE:
            continue
        for naturals in range(-1, 5):
            for twos, jokers in ((0, 0), (1, 0), (0, 1), (2, 1), (3, 0), (0, 2), (-1, 1)):
                step = Meld(place, naturals, twos, jokers)
                has = 0 <= naturals <= held[family] and 0 <= twos <= 2 and 0 <= jokers <= 1 and step.size > 0
                joins = has and why_not_join(standing, place, naturals, twos, jokers) is None
                assert joins == is_possible_addition(standing, pack_counts(hand), step)


@pytest.mark.parametrize("name", ["samba", "bolivia", "brazilian", "chilean", "tampa"])
def test_the_listed_runs_of_a_hand_are_those_found_by_trying(name: str) -> None:
    rules = rule_set(name, 4)
    random = Random(name)
    whole = full_pack(rules.decks, rules.jokers_per_deck)
    for _ in range(60):
        hand = tuple(sorted(random.sample(whole, 22)))
        low = random.randrange(FOUR, ACE - 3)
        place = RUN + random.randrange(4)
        run = meld_of(place, LayRun(place, low, random.randrange(low + 2, min(low + 7, ACE + 1))).cards)
        standing = standing_with(rules, [run] if random.random() < 0.7 else [])
        tried = {
            LayRun(one, first, last)
            for suit in range(4)
            for one in standing.possible_places(RUN + suit)
            for first in range(ACE + 1)
            for last in range(first, ACE + 1)
            if all(card in hand for card in LayRun(one, first, last).cards)
            and why_not_run(standing, one, first, last) is None
        }
        found = run_steps(standing, hand)
        assert tried == set(found)
        assert len(tried) == len(found)
