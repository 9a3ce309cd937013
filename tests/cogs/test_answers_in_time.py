"""The bot answers a press in time however long a picture takes, and in another way if Discord refuses it."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable

import pytest

from bot.tables.state.snapshots import Status
from render.picture_inputs import Picture
from render.picture_queue import PictureQueue
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import Discord, Person, controls, enabled_actions, picture_captions, text_of


@pytest.fixture
async def seated_player(discord: Discord) -> Person:
    """Return a person at a started table, in turn."""
    you = discord.person(0)
    await you.run("table new", computers=3, target=500)
    await you.run("table start")
    return you


class SlowPictures(PictureQueue):
    """A picture queue that takes longer than an answer may wait."""

    async def draw_png(self, picture: Picture, *, owner: Hashable = None, subject: Hashable = None) -> bytes:
        await asyncio.sleep(0.05)
        return await super().draw_png(picture, owner=owner, subject=subject)


class BrokenPictures(PictureQueue):
    """A picture queue that fails at every picture."""

    def draw_blocking(self, picture: Picture) -> bytes:
        raise MemoryError(type(picture).__name__)


@pytest.fixture
async def use_slow_pictures(discord: Discord) -> None:
    """Restart the bot with slow pictures."""
    discord.options["pictures"] = SlowPictures
    await discord.restart()
    discord.application.client.patience = 0.01


def first_answer_kind(discord: Discord) -> int:
    """Return Discord's type number of the first answer to the last interaction.

    4 and 7 are messages, 5 and 6 put the answer off.
    """
    answers = [one.json for one in discord.environment.http_requests if one.path.endswith("/callback")]
    assert isinstance(answers[-1], dict)
    return int(answers[-1]["type"])


async def test_a_quick_reply_is_sent_at_once(discord: Discord, seated_player: Person) -> None:
    panel = await seated_player.run("hand")
    assert 4 == first_answer_kind(discord)
    await seated_player.click(panel, "draw")
    assert 7 == first_answer_kind(discord)


@pytest.mark.usefixtures("use_slow_pictures")
async def test_a_slow_reply_is_acknowledged_first(discord: Discord, seated_player: Person) -> None:
    panel = await seated_player.run("hand")
    assert 5 == first_answer_kind(discord)
    assert panel.ephemeral
    assert picture_captions(panel)
    drawn = await seated_player.click(panel, "draw")
    assert 6 == first_answer_kind(discord)
    assert panel.id == drawn.id
    assert "You drew" in text_of(drawn)


@pytest.mark.usefixtures("use_slow_pictures")
@pytest.mark.parametrize("code", [50035, 0])
async def test_a_refused_late_answer_is_sent_as_a_new_message(
    discord: Discord, seated_player: Person, code: int
) -> None:
    """Discord has refused pictures in late answers now and then.

    The requested action is done all the same.
    """
    discord.environment.inject_error("PATCH", "/webhooks/*/messages/@original", status=400, code=code)
    message = await seated_player.run("draw")
    assert 5 == first_answer_kind(discord)
    assert message.ephemeral
    assert "You drew" in text_of(message)


async def test_a_panel_that_cannot_be_updated_is_sent_again(discord: Discord, seated_player: Person) -> None:
    panel = await seated_player.run("hand")
    discord.environment.inject_error("POST", "/interactions/*/*/callback", status=400, code=50035)
    answer = await seated_player.actor.click(panel, custom_id=controls(panel)["draw"]["custom_id"])
    assert answer.response is not None
    assert panel.id != answer.response.id
    assert "You drew" in text_of(answer.response)


async def test_a_picture_that_cannot_be_drawn_is_left_out(
    discord: Discord, seated_player: Person, caplog: pytest.LogCaptureFixture
) -> None:
    discord.options["pictures"] = BrokenPictures
    await discord.restart()
    drawn = await seated_player.run("draw")
    assert "You drew" in text_of(drawn)
    assert [] == picture_captions(drawn)
    assert "discard" in enabled_actions(drawn)
    assert [] == picture_captions(await discord.board())
    assert all("drawing a picture failed: MemoryError" in record.getMessage() for record in caplog.records[-1:])
    caplog.clear()


async def test_a_rematch_is_offered_after_the_game(discord: Discord, seated_player: Person) -> None:
    while (await discord.snapshot()).status is Status.PLAYING:
        if (await discord.snapshot()).actor is None:
            await seated_player.run("next")
        else:
            await play_by_command(seated_player, next_move(await discord.game_state()))
    board = await discord.board()
    assert {"more", "rematch"} == enabled_actions(board)
    assert "won with" in text_of(board)
    assert "won" in text_of(await seated_player.run("hand", table="1"))
    assert "The game at table 1 is over" in text_of(await seated_player.run("draw", table="1"))
    said = await seated_player.click(board, "rematch")
    assert "Table 2 is open for the rematch" in text_of(said)
    assert "Table 2 · Classic" in text_of(await discord.board(2))
    assert "The rematch is table 2" in text_of(await discord.board())
    assert "rematch" not in enabled_actions(await discord.board())
