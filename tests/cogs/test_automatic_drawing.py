"""Automatic drawing: only if a player chose it, and if the pile is plainly out of reach for all."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.moves.actions import ANNOUNCE, ASK, DRAW
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import PublicView
from cogs.play.auto_draw import can_only_draw
from tests.support.computer_choices import confirm_if_asked
from tests.support.discord import Discord, Person, enabled_actions, picture_captions, text_of
from tests.support.engine_games import played_positions
from tests.support.stacked_packs import stack_pack
from tests.tables.test_hidden_cards import redeal_hidden_cards

BARRED = ("3s", "2s", "JK")
"""Cards that nobody can take while they lie on top of the pile."""


async def start_game_of_two(discord: Discord, *, drawing: str, second: str) -> tuple[Person, Person]:
    """Start a game of Anna, who has drawn, and Ben, with `drawing` as his preference; return both."""
    hands = {0: "3s 2s JK 4s 5h 6h 8s 9d Ts Jh Qd Kc Ac 6s 5c", 1: second}
    pack = stack_pack(rule_set("classic", 2), hands, "7d Qs Kh", dealer=1)
    discord.dealer.pack = pack
    you, friend = discord.person(0), discord.person(1)
    await friend.run("me settings", drawing=drawing)
    await you.run("table new", players=2, clock="none")
    await friend.run("table join")
    await you.run("table start")
    await you.run("draw")
    return you, friend


async def has_drawn(discord: Discord, you: Person, card: str) -> bool:
    """Discard this card, and return whether the next player has drawn automatically and no more."""
    await confirm_if_asked(you, await you.run("discard", card=card), "discard_surely")
    await discord.environment.settle()
    state = await discord.game_state()
    assert 1 == state.turn
    return state.phase is Phase.PLAY


PAIRS = "4h 4c 5s 5d 8h 8c 9h 9c Th Tc Jc Jd Qh Qc 7s"
"""A hand with a pair of nearly every rank that the other player may discard."""


@pytest.mark.parametrize("card", BARRED)
async def test_a_card_is_drawn_automatically_if_no_player_can_take_the_pile(live_discord: Discord, card: str) -> None:
    you, friend = await start_game_of_two(live_discord, drawing="itself", second=PAIRS)
    panel = await friend.run("hand")
    assert await has_drawn(live_discord, you, card)
    await live_discord.pass_time()
    assert panel.id == friend.panel().id
    assert "discard" in enabled_actions(friend.panel())
    assert "Your hand, 17 cards" in picture_captions(friend.panel())[0]
    assert {"hand", "more"} == enabled_actions(await live_discord.board())


@pytest.mark.parametrize("second", [PAIRS, "4h 5s 8h 9h Th Jc Qh Kd Ah 4c 5d 8c 9c Tc Ad"], ids=["a pair", "no pair"])
@pytest.mark.parametrize("card", ["J", "4", "9"])
async def test_no_card_is_drawn_automatically_if_a_player_could_take_the_pile(
    discord: Discord, card: str, second: str
) -> None:
    """Whatever the hand: an immediate draw would show the others which cards it lacks."""
    you, _ = await start_game_of_two(discord, drawing="itself", second=second)
    assert not await has_drawn(discord, you, card)


@pytest.mark.parametrize("card", BARRED)
async def test_no_card_is_drawn_automatically_for_players_who_have_not_chosen_it(discord: Discord, card: str) -> None:
    you, _ = await start_game_of_two(discord, drawing="touch", second=PAIRS)
    assert not await has_drawn(discord, you, card)


async def test_one_card_is_drawn_and_the_player_continues_the_turn(discord: Discord) -> None:
    you, friend = await start_game_of_two(discord, drawing="itself", second=PAIRS)
    assert await has_drawn(discord, you, "3s")
    before = await discord.game_state()
    assert 17 == len(before.hands[1])
    assert "You have drawn already" in text_of(await friend.run("draw"))
    assert before == await discord.game_state()
    await friend.run("discard", card="7")
    assert (0, Phase.DRAW) == ((await discord.game_state()).turn, (await discord.game_state()).phase)


def check_no_other_move_is_legal(state: State) -> None:
    """Fail if a card would be drawn automatically though the seat to act has another move.

    It can only draw, ask or announce; it can still ask or announce after the draw.
    """
    seat = seat_to_act(state)
    if seat is not None and can_only_draw(public_view(state)):
        legal = set(seat_view(state, seat).legal)
        assert DRAW in legal
        assert legal <= {DRAW, ASK, ANNOUNCE}


@pytest.mark.parametrize("seed", range(4))
def test_automatic_drawing_does_not_depend_on_the_hand(seed: int) -> None:
    random, met = Random(seed), set()
    for state in played_positions(seed, level="casual", deals=3):
        if (seat := seat_to_act(state)) is None or state.phase is not Phase.DRAW or state.aside:
            continue
        drawn = can_only_draw(public_view(state))
        met.add(drawn)
        assert drawn == can_only_draw(public_view(redeal_hidden_cards(state, random, None)))
        if not drawn:
            continue
        for _ in range(5):
            assert {DRAW} == set(seat_view(redeal_hidden_cards(state, random, None), seat).legal) - {ASK}
    assert {True, False} == met


def view_with_empty_pile(view: PublicView) -> PublicView:
    return replace(view, pile=replace(view.pile, top=None, cards=0))


def test_a_card_is_drawn_automatically_with_an_empty_pile_but_not_with_an_empty_stock() -> None:
    state = next(
        state for state in played_positions(3) if state.phase is Phase.DRAW and not public_view(state).pile.closed
    )
    view = public_view(state)
    assert not can_only_draw(view)
    assert can_only_draw(view_with_empty_pile(view))
    assert not can_only_draw(replace(view_with_empty_pile(view), stock=0))
    assert not can_only_draw(replace(view_with_empty_pile(view), phase=Phase.PLAY))


@pytest.mark.parametrize("name", ["modern-american"])
def test_automatic_drawing_leaves_every_choice_before_the_draw(name: str) -> None:
    """Only the seat knows whether it may show a special hand, keep a three, or lay cards first."""
    for state in played_positions(1, name=name):
        assert not can_only_draw(public_view(state))
