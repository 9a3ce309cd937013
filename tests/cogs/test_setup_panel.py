"""Setting up a table: the host's private panel, and answers to other people and old controls."""

from __future__ import annotations

import pytest

from bot.tables.state.snapshots import Status
from tests.support.discord import Discord, Message, Person, controls, enabled_actions, press_stale_control, text_of


def offered_values(panel: Message, action: str) -> list[str]:
    return [option["label"] for option in controls(panel)[action]["options"]]


async def open_setup(discord: Discord, **terms: int) -> tuple[Person, Message]:
    """Open a lobby; return its host and the setup panel."""
    host = discord.person(0)
    await host.run("table new", **terms)
    return host, await host.click(await discord.board(), "setup")


async def test_the_panel_is_for_the_host_and_shows_all_settings(discord: Discord) -> None:
    host, panel = await open_setup(discord, computers=1)
    assert panel.ephemeral
    assert "Set up table 1" in text_of(panel)
    assert "**Side 2**\nComputer 1 (casual) · *free seat*" in text_of(panel)
    assert {"picker", "players", "place", "computers", "options", "close"} <= enabled_actions(panel)
    assert ["Anna · Seat 1", "Computer 1 · Seat 2"] == offered_values(panel, "place")
    assert text_of(panel) == text_of(await host.run("table set-up"))


async def test_other_people_learn_that_only_the_host_sets_the_table_up(discord: Discord) -> None:
    await open_setup(discord)
    friend = discord.person(1)
    answer = await friend.click(await discord.board(), "setup")
    assert answer.ephemeral
    assert "Only Anna, the host, can set up this table." == text_of(answer)
    assert "Only <@" in text_of(await friend.run("table set-up", table="1"))


async def test_the_host_chooses_the_game_and_comes_back(discord: Discord) -> None:
    host, panel = await open_setup(discord, computers=1)
    picker = await host.click(panel, "picker")
    assert panel.id == picker.id
    chosen = await host.press_exact_button(picker, "pick", "favourites.samba")
    back = await host.click(chosen, "setup")
    assert panel.id == back.id
    assert "**Samba**\nRuns count too" in text_of(back)
    assert "players" in controls(back)
    assert "Table 1 · Samba" in text_of(await discord.board())


async def test_the_host_chooses_the_number_of_players(discord: Discord) -> None:
    host, panel = await open_setup(discord, computers=1)
    assert ["2 players", "3 players", "4 players", "5 players", "6 players"] == offered_values(panel, "players")
    panel = await host.choose(panel, "players", "3")
    assert "3 players." in text_of(panel)
    assert "**Seats**\nAnna · Computer 1 (casual) · *free seat*" in text_of(await discord.board())
    await discord.person(1).click(await discord.board(), "sit")
    await host.choose(await host.click(await discord.board(), "setup"), "computers", "0")
    await discord.person(2).click(await discord.board(), "sit")
    panel = await host.choose(await host.click(await discord.board(), "setup"), "players", "2")
    assert 3 == (await discord.snapshot()).players
    assert "Set up table 1\n> " in text_of(panel)


async def test_a_start_waits_if_the_game_was_changed_unseen(discord: Discord) -> None:
    host, panel = await open_setup(discord, computers=1)
    start = controls(await discord.board())["start"]["custom_id"]
    await host.press_exact_button(await host.click(panel, "picker"), "pick", "favourites.samba")
    shown = await press_stale_control(discord, host, await discord.board(), start)
    assert "The table had already moved on" in text_of(shown)
    assert "Table 1 · Samba" in text_of(shown)
    assert Status.LOBBY is (await discord.snapshot()).status


async def test_the_host_chooses_how_many_computer_players_sit_down(discord: Discord) -> None:
    host, panel = await open_setup(discord)
    panel = await host.choose(panel, "computers", "3")
    assert "3 computer players are seated." in text_of(panel)
    assert "All seats are taken." in text_of(await discord.board())
    panel = await host.choose(panel, "computers", "1")
    assert "1 computer player is seated." in text_of(panel)
    assert ["person", "computer", "empty", "empty"] == [holder.kind for holder in (await discord.snapshot()).seats]


async def test_the_host_moves_a_player_to_another_seat(discord: Discord) -> None:
    host, panel = await open_setup(discord, computers=1)
    await discord.person(1).press_exact_button(await discord.board(), "sit", "3")
    panel = await host.click(await discord.board(), "setup")
    panel = await host.choose(panel, "place", "3")
    assert ["Seat 1 · swaps with Anna", "Seat 2 · swaps with Computer 1", "Seat 3"] == offered_values(panel, "place_at")
    panel = await host.choose(panel, "place_at", "2")
    assert "Ben: Seat 3 · with Anna." in text_of(panel)
    assert "place_at" not in controls(panel)
    assert "**Side 1**\nAnna · Ben" in text_of(await discord.board())


async def test_a_seat_change_in_an_old_panel_is_not_made(discord: Discord) -> None:
    host, panel = await open_setup(discord, computers=1)
    panel = await host.choose(panel, "place", "1")
    await discord.person(1).press_exact_button(await discord.board(), "sit", "2")
    panel = await host.choose(panel, "place_at", "2")
    assert "The table had already moved on" in text_of(panel)
    assert "**Side 1**\nAnna · Ben" in text_of(panel)


async def test_house_rules_open_from_the_panel(discord: Discord) -> None:
    host, panel = await open_setup(discord)
    assert "options_topic" in enabled_actions(await host.click(panel, "options"))


async def test_closing_the_table_closes_its_panel(discord: Discord) -> None:
    host, panel = await open_setup(discord)
    closed = await host.click(panel, "close")
    assert panel.id == closed.id
    assert "Table 1 is closed." == text_of(closed)
    assert set() == enabled_actions(closed)
    assert "Table 1 is closed" in text_of(await discord.board())


@pytest.mark.parametrize("action", ["place", "computers", "close", "setup"])
async def test_no_settings_are_offered_once_the_game_has_begun(discord: Discord, action: str) -> None:
    host, panel = await open_setup(discord, computers=3)
    button = controls(await discord.board())["setup"]["custom_id"]
    await host.run("table start")
    version = (await discord.snapshot()).version
    if action in ("place", "computers"):
        answer = await host.choose(panel, action, "0")
    elif action == "close":
        answer = await host.click(panel, "close")
    else:
        answer = await press_stale_control(discord, host, await discord.board(), button)
    assert "already started" in text_of(answer) or "The table had already moved on" in text_of(answer)
    snapshot = await discord.snapshot()
    assert (Status.PLAYING, version) == (snapshot.status, snapshot.version)
