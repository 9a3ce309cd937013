"""Clicks on outdated messages: two at the same time, or after another person has changed the table."""

from __future__ import annotations

from bot.engine.rules.parameters import BY_NAME
from bot.tables.state.snapshots import Status
from tests.support.discord import Discord, controls, press_stale_control, text_of


async def test_two_clicks_on_start_begin_one_game(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=3)
    board = await discord.board()
    button = controls(board)["start"]["custom_id"]
    async with discord.hold_requests():
        shown = [await you.actor.click(board, custom_id=button) for _ in range(2)]
    assert all(one.acknowledged for one in shown)
    snapshot = await discord.snapshot()
    assert snapshot.view is not None
    assert (Status.PLAYING, 1) == (snapshot.status, snapshot.view.deal)
    assert 1 == sum("already started" in text_of(one.response) for one in shown)


async def test_two_clicks_on_an_outdated_add_computer_button_seat_one(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new")
    board, snapshot = await discord.board(), await discord.snapshot()
    control = f"cn:1:{snapshot.version}:computer:"
    await press_stale_control(discord, you, board, control)
    answer = await press_stale_control(discord, you, board, control)
    assert "The table had already moved on" in text_of(answer)
    assert "Computer 1 (casual) · *free seat*" in text_of(answer)
    assert 1 == sum(holder.kind == "computer" for holder in (await discord.snapshot()).seats)


async def test_the_second_person_to_sit_down_gets_another_seat_of_the_side(discord: Discord) -> None:
    you, friend, neighbour = (discord.person(index) for index in range(3))
    await you.run("table new")
    board = await discord.board()
    async with discord.hold_requests():
        for one in (friend, neighbour):
            await one.actor.click(board, custom_id=f"cn:1:{(await discord.snapshot()).version}:sit:1")
    assert [you.id, friend.id, None, neighbour.id] == [holder.person for holder in (await discord.snapshot()).seats]


async def test_leaving_as_the_game_begins_keeps_the_seat_and_says_so(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=2)
    await friend.click(await discord.board(), "sit")
    board = await discord.board()
    leave = controls(board)["leave"]["custom_id"]
    await you.click(board, "start")
    left = await press_stale_control(discord, friend, await discord.board(), leave)
    assert "The table had already moved on" in text_of(left)
    assert "You play after Anna" in text_of(left)
    assert (you.id, friend.id) == (await discord.snapshot()).persons


async def test_starting_under_changed_rules_shows_them_first(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=3)
    seen = await discord.board()
    button = controls(seen)["start"]["custom_id"]
    panel = await you.run("table options")
    panel = await you.choose(panel, "options_topic", BY_NAME["top_blocks"].topic.value)
    panel = await you.choose(panel, "options_pick", "top_blocks")
    await you.choose(panel, "options_set", "7")
    shown = await press_stale_control(discord, you, await discord.board(), button)
    assert "The table had already moved on" in text_of(shown)
    assert "House rules" in text_of(shown)
    assert Status.LOBBY is (await discord.snapshot()).status
    await you.click(await discord.board(), "start")
    assert Status.PLAYING is (await discord.snapshot()).status
