"""The rollout world, the expert's fast model, agrees with the engine in whole deals, step by step."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from bot.computer.memory_of_a_deal import Memory
from bot.computer.rollout.engine_conversion import claim_as_step, is_playable, world_of
from bot.computer.rollout.policy import ways_to_take_pile
from bot.computer.seeded_random import shuffled_packs
from bot.engine.moves.actions import Step, Take
from bot.engine.moves.events import DealEnd
from bot.engine.play.building_views import seat_view
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.rules.themes.named_themes import with_themes
from tests.computer.positions import make_state
from tests.support.rollout_world_comparison import CLAIMED, SHORT_EVERY, ComparisonCounts, compare_deal_with_engine
from tests.support.seeds import SEARCHING, seeds

AT_NIGHT = 20_000


def compare_deals(name: str, players: int, numbers: Collection[int], *, seed: int) -> ComparisonCounts:
    rules, random, found = rule_set(name, players), Random(seed), ComparisonCounts()
    for number, pack in enumerate(islice(shuffled_packs(rules, seed), max(numbers) + 1)):
        if number in numbers:
            compare_deal_with_engine(rules, pack, number, random, found)
    return found


@pytest.mark.parametrize(("name", "players"), CLAIMED)
def test_deals_of_the_rollout_world_agree_with_the_engine(name: str, players: int) -> None:
    """A normal run plays two whole deals, other ones for each form, and two with a short stock.

    A search plays 200 deals.
    """
    turn = CLAIMED.index((name, players)) % (SHORT_EVERY - 2)
    numbers = range(200) if SEARCHING else (turn, turn + 1, *range(SHORT_EVERY - 1, 3 * SHORT_EVERY, SHORT_EVERY))
    found = compare_deals(name, players, numbers, seed=20)
    assert len(numbers) == sum(found.ends.values())
    assert found.ends[DealEnd.STOCK] + found.ends[DealEnd.LAST_RED_THREE]
    assert found.further <= found.positions / 100


@pytest.mark.nightly
@pytest.mark.timeout(0)
@pytest.mark.parametrize(("name", "players"), CLAIMED)
def test_many_deals_of_the_rollout_world_agree_with_the_engine(name: str, players: int) -> None:
    (seed,) = seeds(1) if SEARCHING else (22,)
    found = compare_deals(name, players, range(AT_NIGHT), seed=seed)
    assert found.ends[DealEnd.STOCK]
    assert found.ends[DealEnd.OUT]
    assert found.further <= found.positions / 100


SIX_TO_EIGHT = ["6h 6h 6d 6c 6s 2h 2d", "8h 8h 8d 8c 8s 8s 2s"]


@pytest.mark.parametrize(
    ("hand", "pile", "melds", "offered"),
    [
        ("Th Td", "Ts", SIX_TO_EIGHT, set()),
        ("Th Td", "5c Ts", SIX_TO_EIGHT, {Take(naturals=2)}),
        ("Th Td", "5c Ts", [*SIX_TO_EIGHT, "7h 7h 7d 7c"], set()),
        ("Th Td", "5c Ts", [*SIX_TO_EIGHT, "2c 2c Jk Jk"], set()),
        ("Ah Ad", "5c As", SIX_TO_EIGHT, set()),
        ("Th Td 4c", "5c Ts", [*SIX_TO_EIGHT, "7h 7h 7d 7c"], {Take(naturals=2)}),
    ],
)
def test_a_pile_that_ends_the_deal_is_taken_only_where_going_out_is_allowed(
    hand: str, pile: str, melds: list[str], offered: set[Step]
) -> None:
    """Modern American requires a card to discard, and all special melds to be finished."""
    state = make_state(hand, rules="modern-american", phase="draw", pile=pile, melds={"0": melds, "1": []})
    view = seat_view(state, 0)
    assert offered == {step for step in view.legal if isinstance(step, Take)}
    assert offered == {
        claim_as_step(claim) for claim in ways_to_take_pile(world_of(view, Memory(state.pile, ((),) * 4)))
    }


@pytest.mark.parametrize(("pile", "offered"), [("Qs 3s Js", set()), ("Qs Ks Js", {Take(naturals=2)})])
def test_a_three_that_goes_to_the_table_does_not_come_with_the_pile(pile: str, offered: set[Step]) -> None:
    """In Cuban a side without a canasta must keep two cards, and black threes of the pile are set aside."""
    melds = {"0": ["Ts Th Td Tc 2h", "6s 6h 6d 6c 2d"], "1": []}
    state = make_state("Jh Jd", rules="cuban", phase="draw", pile=pile, melds=melds)
    view = seat_view(state, 0)
    assert offered == {step for step in view.legal if isinstance(step, Take)}
    assert offered == {
        claim_as_step(claim) for claim in ways_to_take_pile(world_of(view, Memory(state.pile, ((),) * 4)))
    }


def test_the_rollout_world_plays_only_forms_with_plain_sets_or_runs() -> None:
    assert {(name, players) for name in ("classic", "samba") for players in (2, 3, 4, 5, 6)} <= set(CLAIMED)
    assert {("bolivia", 4), ("chilean", 4)} <= set(CLAIMED)
    assert not is_playable(replace(rule_set("samba", 4), wild_on_canasta="to_max"))
    assert not is_playable(replace(rule_set("samba", 4), take_add_canasta=True))
    assert not is_playable(rule_set("classic-cut-throat", 3))
    assert not is_playable(with_themes(rule_set("classic", 4), ("golden-aces",)))
    assert len(CLAIMED) < sum(map(len, RULE_SETS.values()))
