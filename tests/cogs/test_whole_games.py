"""Whole games through the whole bot: by commands and buttons, with restarts on the way."""

from __future__ import annotations

from bot.engine.moves.phases import Phase
from bot.i18n import words
from bot.store.store import open_store
from bot.tables.state.fold import apply_table_events
from bot.tables.state.snapshots import Status
from bot.tables.state.table import TableState
from cogs.shared.telling.numbers import group_thousands
from tests.support.computer_choices import finish_deal_and_show, next_move, play_by_command, play_by_panel
from tests.support.discord import Discord, enabled_actions, text_of
from tests.support.stored_table_data import events_of


async def test_a_game_with_two_restarts_equals_the_replay_of_its_log(discord: Discord) -> None:
    """At least three deals are partly typed and partly clicked; the bot restarts within two turns.

    Deals that begin after the second start are played in one change each.
    """
    you = discord.person(0)
    await you.run("table new", computers=3, target=3000)
    panel = await you.click(await discord.board(), "start")
    moves, restarts, deals = 0, 0, 1
    while (snapshot := await discord.snapshot()).status is Status.PLAYING:
        assert snapshot.view is not None
        if snapshot.view.phase is Phase.BETWEEN:
            deals += 1
            panel = await (you.run("next") if deals % 2 else you.click(await discord.board(), "next_deal"))
            if restarts == 2:
                await finish_deal_and_show(discord)
            continue
        assert snapshot.view.actor == snapshot.seat_of(you.id)
        move = next_move(await discord.game_state())
        if moves % 5 < 3:
            panel = await play_by_command(you, move)
            assert panel.ephemeral
        else:
            panel = await play_by_panel(you, await you.run("hand"), move)
        assert (await discord.snapshot()).version > snapshot.version, text_of(panel)
        moves += 1
        before = await discord.game_state()
        if moves > 15 * (restarts + 1) and restarts < 2 and before.phase is Phase.PLAY:
            await discord.restart()
            restarts += 1
            assert before == await discord.game_state()
    assert restarts == 2
    shown, live, message = await discord.snapshot(), await discord.game_state(), await discord.board()
    board = text_of(message)
    assert shown.status is Status.FINISHED
    assert "won with" in board
    assert "rematch" in enabled_actions(message)
    assert shown.view is not None
    assert len(shown.view.results) >= 3
    replayed = (await record_from_log(discord)).game
    assert replayed is not None
    assert live == replayed
    assert [side.score for side in shown.view.sides] == list(replayed.scores)
    assert group_thousands(words(), max(replayed.scores)) in board
    assert [total.score for total in shown.view.totals] == list(replayed.scores)


async def record_from_log(discord: Discord) -> TableState:
    """Close the bot, and return the table as rebuilt from its stored log."""
    await discord.stack.aclose()
    async with open_store(discord.database) as store:
        return apply_table_events(None, await events_of(store, 1))
