"""The lean world is the game: whole deals agree with the engine step by step, with the same scores."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bot.computer.lean.bridge import is_claimed
from bot.computer.seeded_random import packs
from bot.engine.moves.events import DealEnd
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.rules.themes.named_themes import with_themes
from tests.support.lean_deals import CLAIMED, Agreement, compare_deal
from tests.support.seeds import SEARCHING, seeds

DEALS = 8
AT_NIGHT = 20_000


def compare(name: str, players: int, *, deals: int, seed: int) -> Agreement:
    rules, chance, found = rule_set(name, players), Random(seed), Agreement()
    for number, pack in enumerate(islice(packs(rules, seed), deals)):
        compare_deal(rules, pack, number, chance, found)
    return found


@pytest.mark.parametrize(("name", "players"), CLAIMED)
def test_deals_agree_with_the_engine(name: str, players: int) -> None:
    found = compare(name, players, deals=DEALS, seed=21)
    assert DEALS == sum(found.ends.values())
    assert found.further <= found.positions / 100


@pytest.mark.nightly
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("name", "players"), CLAIMED)
def test_many_deals_agree_with_the_engine(name: str, players: int) -> None:
    (seed,) = seeds(1) if SEARCHING else (22,)
    found = compare(name, players, deals=AT_NIGHT, seed=seed)
    assert found.ends[DealEnd.STOCK]
    assert found.further <= found.positions / 100


def test_forms_of_plain_sets_and_of_runs_are_claimed_and_others_are_not() -> None:
    assert {(name, players) for name in ("classic", "samba") for players in (2, 3, 4, 5, 6)} <= set(CLAIMED)
    assert {("bolivia", 4), ("chilean", 4)} <= set(CLAIMED)
    assert not is_claimed(replace(rule_set("samba", 4), wild_on_canasta="to_max"))
    assert not is_claimed(replace(rule_set("samba", 4), take_add_canasta=True))
    assert not is_claimed(rule_set("classic-cut-throat", 3))
    assert not is_claimed(with_themes(rule_set("classic", 4), ("golden-aces",)))
    assert len(CLAIMED) < sum(map(len, RULE_SETS.values()))
