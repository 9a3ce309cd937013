"""Five players for two deals, by commands and by the panel: a different player rests in each."""

from __future__ import annotations

import pytest

from bot.engine.moves.phases import Phase
from bot.tables.state.snapshots import Status
from tests.support.computer_choices import (
    MIDDLE,
    finish_deal_and_show,
    next_move,
    play_by_command,
    play_by_panel,
    skip_to_last_turns,
)
from tests.support.discord import Discord, Person, controls, enabled_actions, text_of
from tests.support.seeds import SEARCHING

RUNNING = (Phase.DRAW, Phase.PLAY, Phase.ANSWER)


@pytest.fixture
async def three_partners(discord: Discord) -> dict[int, Person]:
    """Return three people by seat, all partners; computer players have the two opposing seats."""
    you, friend, neighbour = (discord.person(index) for index in range(3))
    await you.run("table new", players=5)
    await neighbour.run("table join", seat=3)
    await friend.run("table join", seat=5)
    await you.run("table start", fill=True)
    return {0: you, 2: neighbour, 4: friend}


async def play_deal(discord: Discord, three_partners: dict[int, Person], *, moves: int | None = None) -> None:
    """Play that many moves, or to the deal's end.

    The person in seat 0 plays by commands, the others by panels.
    """
    done = 0
    while done != moves and (snapshot := await discord.snapshot()).view is not None and snapshot.view.phase in RUNNING:
        assert snapshot.view.actor is not None
        person, move = three_partners[snapshot.view.actor], next_move(await discord.game_state())
        if snapshot.view.actor == 0:
            await play_by_command(person, move)
        else:
            await play_by_panel(person, await person.click(await discord.board(), "hand"), move)
        assert (await discord.snapshot()).version > snapshot.version
        done += 1


async def check_resting_person(discord: Discord, person: Person, deal: int) -> None:
    """Check that a resting person sees the table without a hand or buttons, and may not move."""
    panel = await person.click(await discord.board(), "hand")
    assert f"You rest; you play again in deal {deal + 1}" in text_of(panel)
    assert {"refresh", "more"} == enabled_actions(panel)
    before = (await discord.snapshot()).version
    refused = await person.run("draw")
    assert f"You rest in deal {deal}. You play again when the next deal begins." in text_of(refused)
    assert before == (await discord.snapshot()).version
    text = text_of(await person.open_description(refused))
    assert "Resting" in text
    assert "Your hand" not in text


async def test_another_player_rests_in_each_of_two_deals(discord: Discord, three_partners: dict[int, Person]) -> None:
    await check_resting_person(discord, three_partners[4], 1)
    first = await discord.snapshot()
    assert first.view is not None
    assert ((0, 1, 2, 3), (4,)) == (first.view.playing, first.view.resting_seats)
    assert "hand" in controls(await discord.board())
    if not SEARCHING:
        await play_deal(discord, three_partners, moves=MIDDLE)
        await skip_to_last_turns(discord, 0)
    await play_deal(discord, three_partners)
    between = await discord.snapshot()
    assert (Status.PLAYING, (2,)) == (between.status, between.view.seats_resting_next if between.view else ())
    board = text_of(await discord.board())
    assert "In the next deal Carla rests." in board
    assert "Anna & Carla & Ben" in board
    refused = await three_partners[4].run("draw")
    assert "rest" not in text_of(refused)

    await three_partners[4].click(await discord.board(), "next_deal")
    second = await discord.snapshot()
    assert second.view is not None
    assert (2, (0, 1, 4, 3), (2,)) == (second.view.deal, second.view.playing, second.view.resting_seats)
    await check_resting_person(discord, three_partners[2], 2)
    await play_deal(discord, three_partners, moves=12)
    over = await finish_deal_and_show(discord)
    assert over.view is not None
    totals = [sum(result.lines[number].total for result in over.view.results) for number in range(2)]
    assert totals == [total.score for total in over.view.totals]
    assert 2 == len(over.view.results)
