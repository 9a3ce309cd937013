"""A computer player knows what a person in its seat knows: hidden cards do not change what it does."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import get_type_hints

import pytest

from bot.computer.casual import CasualPlayer
from bot.computer.chance import packs
from bot.computer.duplicate import seat_players, totals_for
from bot.computer.match import Deal, play_deal
from bot.computer.player import ALL_LEVELS, ComputerPlayer, player_for
from bot.engine.rulesets import rule_set
from bot.engine.state import State, actor
from bot.engine.viewing import seat_view
from bot.engine.views import SeatView
from tests.computer.scenes import with_hidden_cards_redealt

REDEALS = 4
DEALS = 12
EVERY = 3


def positions(players: int, minimum: int, levels: tuple[str, ...]) -> list[State]:
    """Every third position in which somebody has a choice, from a few deals."""
    rules = rule_set("classic", players)
    reached: list[State] = []
    for number, pack in enumerate(islice(packs(rules, 11), DEALS)):
        deal = Deal(rules, pack, number % players, totals_for(rules, minimum))
        play_deal(deal, seat_players(rules, levels, 11, number), reached.append)
    return reached[::EVERY]


@pytest.mark.parametrize("minimum", [50, 120])
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("levels", [("casual",), ("casual", "random")], ids="-".join)
def test_redealing_the_hidden_cards_does_not_change_the_choice(
    players: int, minimum: int, levels: tuple[str, ...]
) -> None:
    chance = Random(3)
    player = CasualPlayer()
    changed = 0
    for state in positions(players, minimum, levels):
        seat = actor(state)
        assert seat is not None
        view = seat_view(state, seat)
        choice = player.choose(view)
        for _ in range(REDEALS):
            other = with_hidden_cards_redealt(state, seat, chance)
            changed += other.hands != state.hands
            assert view == seat_view(other, seat)
            assert choice == player.choose(seat_view(other, seat))
    assert changed > 500  # the cards were really others


@pytest.mark.parametrize("level", ALL_LEVELS)
def test_a_player_is_given_a_view_of_its_seat_and_nothing_else(level: str) -> None:
    assert SeatView is get_type_hints(type(player_for(level, 1)).choose)["view"]
    assert SeatView is get_type_hints(ComputerPlayer.choose)["view"]


def test_equal_views_get_equal_choices_from_different_players() -> None:
    """Nothing is remembered: a player that has seen nothing chooses as one that has seen the whole deal."""
    seasoned = CasualPlayer()
    for state in positions(4, 90, ("casual",)):
        seat = actor(state)
        assert seat is not None
        assert CasualPlayer().choose(seat_view(state, seat)) == seasoned.choose(seat_view(state, seat))
