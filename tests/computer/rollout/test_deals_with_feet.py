"""Feet in the rollout world: hidden from everyone, each card dealt once, and deals played to the end."""

from __future__ import annotations

from random import Random

import pytest

from bot.computer.deals import play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum
from bot.computer.player import player_for
from bot.computer.rollout.engine_conversion import unseen_cards, world_of
from bot.computer.rollout.form import KINDS
from bot.computer.rollout.rollouts import redeal_hidden_cards
from bot.computer.rollout.search import hidden_cards_of
from bot.computer.rollout.world import World
from bot.computer.seeded_random import shuffled_packs
from bot.engine.play.building_views import seat_view
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import seat_to_act
from tests.computer.test_hidden_cards import positions_with_memory
from tests.support.rollout_world_comparison import QuickExpert
from tests.support.seeds import SEARCHING

WITH_FEET = [("hand-and-foot", 2), ("hand-and-foot-us", 3), ("hand-and-foot-us", 4), ("hand-and-foot-pagat", 4)]


def cards_of_seat(counts: list[int], seat: int) -> list[int]:
    """Return the kinds of cards of one seat, from the counts of all seats."""
    return [kind for kind in range(KINDS) for _ in range(counts[seat * KINDS + kind])]


def hidden_kinds(world: World, own: int) -> list[int]:
    """Return the kinds of all cards unknown to seat `own`: in other hands, feet and the stock."""
    assert world.feet is not None
    found = world.stock[: world.left]
    for seat in range(world.form.seats):
        found = found + cards_of_seat(world.feet.cards, seat)
        if seat != own:
            unknown = [held - known for held, known in zip(world.hands, world.known, strict=True)]
            found += cards_of_seat(unknown, seat)
    return found


@pytest.mark.parametrize(("name", "players"), WITH_FEET)
def test_hidden_cards_are_dealt_to_hands_feet_and_stock_once_each(name: str, players: int) -> None:
    met = 0
    for state, memory in positions_with_memory(rule_set(name, players), seed=5, every=7):
        seat = seat_to_act(state)
        assert seat is not None
        view = seat_view(state, seat)
        world = world_of(view, memory)
        dealt = redeal_hidden_cards(world, hidden_cards_of(view, memory, world), Random(1))
        assert dealt.feet is not None
        assert unseen_cards(view, world) == sorted(hidden_kinds(dealt, world.turn))
        assert len(state.stock) == dealt.left
        for place, other in enumerate(state.seating.seats):
            assert len(state.feet[other]) == len(cards_of_seat(dealt.feet.cards, place)) == dealt.feet.waiting[place]
            assert len(state.hands[other]) == len(cards_of_seat(dealt.hands, place)) == dealt.held[place]
        met += any(dealt.feet.waiting)
    assert met


@pytest.mark.parametrize(
    ("name", "players"),
    [*WITH_FEET, ("hand-and-foot-pagat", 2)] if SEARCHING else [("hand-and-foot-us", 4), ("hand-and-foot-pagat", 2)],
)
def test_an_expert_plays_a_deal_with_feet_to_its_end(name: str, players: int) -> None:
    rules = rule_set(name, players)
    others = [player_for("casual") for _ in range(players - 1)]
    deal = deal_with_opening_minimum(rules, next(shuffled_packs(rules, 31)), 0, minimum=rules.initial_meld_minimum(0))
    played = play_deal(deal, [QuickExpert(), *others])
    assert not played.illegal
    assert played.turns > players
    assert all(played.opened)
