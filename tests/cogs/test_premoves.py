"""Premoves: set in the panel of a waiting player, and played in turn, even after a restart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.clocks.clock import SECOND
from bot.engine.cards.notation import parse_card, parse_cards
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.rules.sets import rule_set
from bot.i18n import words
from bot.tables.premoves.premove_player import SLOW
from bot.tables.state.premoves import PlannedTurn, Premove, PremoveBasis
from cogs.play.premoves import premove_page
from tests.cogs.test_asking_the_partner import stacked_pack
from tests.support.discord import (
    Discord,
    Person,
    all_content_text,
    control_arguments,
    controls,
    enabled_actions,
    labels,
    text_of,
)
from tests.support.discord_limits import broken_limits
from tests.support.engine_games import played_positions, seat_snapshot
from tests.support.stacked_packs import stack_pack

HANDS = {0: "4s 5h 6h 8s 9d Ts Jh Qd Kc Ac 3s 2s 5c 6c Jd", 1: "Ks Kh 3s 3c 4h 7s 8c 9c Tc Jc 5s 6s As Ah Ad"}
AFTER = "7d Qs Kd Qh 8d 8h"
"""The upcard, then the cards that the two players draw."""


@pytest.fixture
async def game_of_two(live_discord: Discord) -> tuple[Person, Person]:
    """Start a game of Anna, who is in turn, and Ben, who waits; return both."""
    pack = stack_pack(rule_set("classic", 2), HANDS, AFTER, dealer=1)
    live_discord.dealer.pack = pack
    you, friend = live_discord.person(0), live_discord.person(1)
    await you.run("table new", players=2, clock="daily")
    await friend.run("table join")
    await you.run("table start")
    return you, friend


async def pass_premove_delay(discord: Discord) -> None:
    """Let the longest delay of a premove at a slow table pass.

    The delay of a fast table passes while SimCord waits for the bot.
    """
    await discord.pass_time(SLOW[1] / SECOND + 1)
    await discord.environment.settle()


async def test_a_prepared_turn_is_played_and_shown(live_discord: Discord, game_of_two: tuple[Person, Person]) -> None:
    you, friend = game_of_two
    board = all_content_text(await live_discord.board())
    panel = await friend.run("hand")
    assert "When my turn comes" in labels(panel)
    page = await friend.click(panel, "premove")
    assert "You have prepared nothing." in text_of(page)
    assert "I do this for you when your turn comes, unless something changes before. Only you see it." in text_of(page)
    assert {"premove_draw", "premove_discard", "refresh"} == enabled_actions(page)
    page = await friend.choose(page, "premove_draw", "any")
    assert "Draw unless you can take the pile." in text_of(page)
    page = await friend.click(page, "premove_discard", str(parse_card("3c")))
    assert "Then discard 3♣." in text_of(page)
    assert board == all_content_text(await live_discord.board())
    panel = await friend.click(page, "refresh")
    assert "When your turn comes: Draw unless you can take the pile. Then discard 3♣." in text_of(panel)
    await you.run("draw")
    await you.run("discard", card="Q")
    for _ in range(2):  # a slow machine may show the draw and the discard together
        await pass_premove_delay(live_discord)
    state = await live_discord.game_state()
    assert (0, Phase.DRAW, parse_card("3c")) == (state.turn, state.phase, state.pile[-1])
    await pass_premove_delay(live_discord)
    panel = friend.panel()
    assert "I played the move you had prepared." in text_of(panel)
    assert "Ben drew 2 · discarded 3♣" in text_of(panel)
    assert "prepared" not in all_content_text(await live_discord.board())


async def test_a_premove_survives_a_restart(live_discord: Discord, game_of_two: tuple[Person, Person]) -> None:
    you, friend = game_of_two
    page = await friend.click(await friend.run("hand"), "premove")
    await friend.click(page, "premove_discard", str(parse_card("3c")))
    await live_discord.restart()
    await you.run("draw")
    await you.run("discard", card="Q")
    await live_discord.restart()
    for _ in range(2):
        await pass_premove_delay(live_discord)
    assert parse_card("3c") == (await live_discord.game_state()).pile[-1]


async def test_a_premove_does_not_draw_if_the_pile_can_be_taken(
    live_discord: Discord, game_of_two: tuple[Person, Person]
) -> None:
    you, friend = game_of_two
    page = await friend.click(await friend.run("hand"), "premove")
    page = await friend.choose(page, "premove_draw", "A", "K")
    assert "Draw unless you can take the pile with aces or kings on top." in text_of(page)
    await you.run("draw")
    await you.run("discard", card="K")
    for _ in range(2):
        await pass_premove_delay(live_discord)
    assert (1, Phase.DRAW) == ((await live_discord.game_state()).turn, (await live_discord.game_state()).phase)
    panel = await friend.run("hand")
    assert "Nothing was played automatically, because you can now take the pile." in text_of(panel)
    assert {"draw", "take"} <= enabled_actions(panel)


async def test_cancel_deletes_a_premove(live_discord: Discord, game_of_two: tuple[Person, Person]) -> None:
    you, friend = game_of_two
    page = await friend.click(await friend.run("hand"), "premove")
    page = await friend.choose(page, "premove_draw", "any")
    page = await friend.click(page, "premove_cancel")
    assert "You have prepared nothing." in text_of(page)
    assert "premove_cancel" not in controls(page)
    await you.run("draw")
    await you.run("discard", card="Q")
    await pass_premove_delay(live_discord)
    assert Phase.DRAW is (await live_discord.game_state()).phase


async def test_a_black_three_pressed_again_stays_in_the_hand(game_of_two: tuple[Person, Person]) -> None:
    _, friend = game_of_two
    page = await friend.click(await friend.run("hand"), "premove")
    assert [str(parse_card("3s")), str(parse_card("3c"))] == control_arguments(page, "premove_discard")
    page = await friend.click(page, "premove_discard", str(parse_card("3s")))
    assert "Draw unless you can take the pile.\nThen discard 3♠." in text_of(page)
    page = await friend.click(page, "premove_discard", str(parse_card("3s")))
    assert "Then discard" not in text_of(page)
    assert "Draw unless you can take the pile." in text_of(page)


async def test_no_premove_is_offered_during_the_players_turn(game_of_two: tuple[Person, Person]) -> None:
    you, friend = game_of_two
    page = await friend.click(await friend.run("hand"), "premove")
    await you.run("draw")
    await you.run("discard", card="Q")
    shown = await friend.choose(page, "premove_draw", "any")
    assert "You cannot prepare anything now" in text_of(shown)
    assert "draw" in enabled_actions(shown)


async def test_premoves_are_not_offered_to_a_lone_player(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=3)
    await you.run("table start")
    assert "premove" not in controls(await you.run("hand"))


async def test_a_prepared_yes_is_given_automatically(live_discord: Discord) -> None:
    live_discord.dealer.pack = stacked_pack()
    you, friend = live_discord.person(0), live_discord.person(1)
    await you.run("table new", clock="daily")
    await friend.run("table join", seat=3)
    await you.run("table start", fill=True)
    await you.run("draw")
    await you.run("meld", cards="7 kings")
    await you.run("discard", card="5")
    await friend.run("draw")
    await friend.run("discard", card="5")
    assert 0 == (await live_discord.game_state()).turn
    page = await friend.click(await friend.run("hand"), "premove")
    page = await friend.click(page, "premove_agree")
    assert "Yes if your partner asks." in text_of(page)
    await you.run("draw")
    panel = await you.click(await live_discord.board(), "hand")
    assert "You asked Ben." in text_of(await you.click(panel, "ask"))
    assert Phase.ANSWER is (await live_discord.game_state()).phase
    await pass_premove_delay(live_discord)
    state = await live_discord.game_state()
    assert (Phase.PLAY, True) == (state.phase, state.permission)


# --- the page by itself -----------------------------------------------------------------------------------------------


def test_the_premove_page_fits_with_any_hand() -> None:
    state = next(one for one in played_positions(1) if one.phase is Phase.PLAY)
    seat = (state.turn + 1) % 4
    snapshot, view = seat_snapshot(state, seat), seat_view(state, seat)
    kinds = parse_cards("4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 3s 3c 3s")
    view = replace(view, hand=kinds)
    upon = PremoveBasis(seat=seat, deal=1, turn=0, comes=1, takes=0, hand=(), melds=())
    full = PlannedTurn(draw=True, ranks=tuple(range(11)), discard=kinds[-1], agree=True)
    for catalogue in (words(), words("it")):
        for wish in (PlannedTurn(), full):
            premove = Premove(wish=wish, upon=upon) if wish else None
            made = premove_page(catalogue, replace(snapshot, premove=premove), view)
            shown = made.view.to_components()  # type: ignore[no-untyped-call]
            assert [] == broken_limits(shown)
