"""Roll calls on Discord: one message with mentions, one button to answer."""

from __future__ import annotations

from pathlib import Path

from bot.clocks.time_rules import DAY
from bot.tables.state.snapshots import Status
from tests.support.clock import ShiftedClock
from tests.support.discord import discord_world, enabled_actions, text_of


async def test_an_early_entrant_is_mentioned_and_begins_the_game(tmp_path: Path) -> None:
    clock = ShiftedClock()
    async with discord_world(tmp_path, clock=clock) as discord:
        you, friend = discord.person(0), discord.person(1)
        await you.run("table new", players=2, clock="daily")
        await friend.click(await discord.board(), "sit")
        clock.forward += DAY
        said = await you.click(await discord.board(), "start")
        assert "The game begins when Ben answers" in text_of(said)
        call = next(one for one in discord.world.canasta.history() if "Are you in?" in text_of(one))
        assert f"<@{friend.id}>, table 1 begins. Are you in?" in text_of(call)
        assert {"present"} == set(enabled_actions(call))
        board = await discord.board()
        assert {"present", "setup", "leave", "rules", "lesson_list"} == set(enabled_actions(board))
        assert "You are not asked to confirm your seat" in text_of(await you.click(board, "present"))
        assert "you are in" in text_of(await friend.click(call, "present"))
        assert Status.PLAYING is (await discord.snapshot()).status
        assert "Already decided: the game at table 1 has begun." in text_of(await friend.click(call, "present"))
