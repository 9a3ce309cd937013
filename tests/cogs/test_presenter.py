"""The board: one message a table, up to date, posted anew when somebody's turn comes, mended when it is lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord as library
import pytest

from bot.clocks.clock import MINUTE
from bot.engine.actions import DRAW, Discard
from bot.engine.phases import Phase
from bot.tables.looks import Caller
from cogs.shared.calls import Trouble
from tests.support.clock import ManualClock
from tests.support.discord import Discord, Person, discord_world, text_of
from tests.support.players import by_command, next_move


class Requests:
    """What the bot asks of a channel from now on."""

    def __init__(self, discord: Discord) -> None:
        self.discord = discord
        self.start = len(discord.environment.http_requests)

    def made(self) -> list[tuple[str, dict[str, Any]]]:
        """Method and body of every request about messages of channels."""
        new = self.discord.environment.http_requests[self.start :]
        self.start = len(self.discord.environment.http_requests)
        about = [one for one in new if one.path.startswith("/channels/") and "/messages" in one.path]
        return [(one.method, one.json if isinstance(one.json, dict) else {}) for one in about]

    def methods(self) -> list[str]:
        return [method for method, _ in self.made()]


def pinged(body: dict[str, Any]) -> list[str]:
    """Who a message notifies."""
    allowed = body["allowed_mentions"]
    assert not allowed.get("parse")
    return [str(one) for one in allowed.get("users", [])]


async def game_of_two(discord: Discord, channel: Any = None) -> tuple[Person, Person]:
    """A started game of two; the person who is to act first."""
    you, friend = discord.person(0, channel), discord.person(1, channel)
    await you.types("table new", players=2)
    await friend.types("table join", table="1")
    await you.types("table start", table="1")
    actor = (await discord.look()).actor
    assert actor is not None
    return (you, friend) if actor.person == you.id else (friend, you)


async def whole_turn(discord: Discord, person: Person) -> None:
    """Draw, and discard something."""
    await person.types("draw", table="1")
    card = (await discord.state()).hands[(await discord.look()).seat_of(person.id) or 0][0]
    await discord.application.tables.act(caller(discord, person), 1, Discard(card >> 2))
    await discord.environment.settle()


def caller(discord: Discord, person: Person) -> Caller:
    caller.request += 1  # type: ignore[attr-defined]
    return Caller(person.id, "x", discord.world.server.id, caller.request)  # type: ignore[attr-defined]


caller.request = 10**15  # type: ignore[attr-defined]


async def test_a_person_whose_turn_has_come_is_told_once_and_nobody_else(discord: Discord) -> None:
    first, second = await game_of_two(discord)
    requests = Requests(discord)
    await first.types("draw")
    ((method, body),) = requests.made()
    assert "PATCH" == method
    assert [] == pinged(body)
    before = await discord.board()
    await by_command(first, next_move(await discord.state()))
    while (await discord.look()).actor == (await discord.look()).seats[0 if first.id == discord.person(0).id else 1]:
        await by_command(first, next_move(await discord.state()))
    made = requests.made()
    posts = [body for method, body in made if method == "POST"]
    assert [[str(second.id)]] == [pinged(body) for body in posts]
    assert "DELETE" == made[-1][0]
    after = await discord.board()
    assert before.id != after.id
    assert f"<@{second.id}>, it is your turn" in text_of(after).replace("**", "")
    assert before.id not in [message.id for message in discord.world.canasta.history()]
    await second.types("draw")
    assert [("PATCH", [])] == [(method, pinged(body)) for method, body in requests.made()]


async def test_somebody_who_plays_alone_against_computer_players_is_never_pinged(discord: Discord) -> None:
    you = discord.person(0)
    await you.types("table new", computers=3)
    requests = Requests(discord)
    await you.types("table start")
    for _ in range(12):
        if (await discord.state()).phase is Phase.BETWEEN:
            break
        await by_command(you, next_move(await discord.state()))
    made = requests.made()
    assert 3 <= sum(method == "POST" for method, _ in made)
    assert not any(pinged(body) for method, body in made if method in ("POST", "PATCH"))


async def test_many_quick_changes_make_one_edit(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    tables = discord.application.tables
    requests = Requests(discord)
    async with discord.application.client.presenter.holding(discord.world.canasta.id):
        await tables.act(caller(discord, first), 1, DRAW)
        for _ in range(3):
            move = next_move(await discord.state())
            if not move.melds:
                break
            await by_command(first, move)
        assert [] == requests.made()
    await discord.application.client.presenter.idle()
    assert ["PATCH"] == requests.methods()
    row = await tables.message(1)
    assert row is not None
    assert row.version == (await discord.look()).version


async def test_a_restart_tells_nobody_again(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    await discord.restart()
    requests = Requests(discord)
    await first.types("draw")
    assert [("PATCH", [])] == [(method, pinged(body)) for method, body in requests.made()]


async def test_a_board_left_behind_by_a_crash_is_mended_by_the_sweep(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    async with discord.application.client.presenter.holding(discord.world.canasta.id):
        await discord.application.tables.act(caller(discord, first), 1, DRAW)
        await discord.restart()
    row = await discord.application.tables.message(1)
    assert row is not None
    assert row.version == (await discord.look()).version
    assert "then discard" in text_of(await discord.board())


@pytest.fixture
async def clocked(tmp_path: Path) -> AsyncIterator[tuple[Discord, ManualClock]]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock) as world:
        yield world, clock


async def test_a_message_of_an_hour_is_not_edited_but_posted_anew(clocked: tuple[Discord, ManualClock]) -> None:
    discord, clock = clocked
    first, _ = await game_of_two(discord)
    requests = Requests(discord)
    clock.advance(56 * MINUTE)
    await first.types("draw")
    made = requests.made()
    assert ["POST", "DELETE"] == [method for method, _ in made]
    assert [] == pinged(made[0][1])


@pytest.mark.parametrize(
    ("status", "code"),
    [(404, 10008), (429, 30046), (400, 50083), (400, 50035)],
    ids=["gone", "old", "archived", "media"],
)
async def test_an_edit_that_is_not_taken_becomes_a_new_message(discord: Discord, status: int, code: int) -> None:
    first, _ = await game_of_two(discord)
    before = await discord.board()
    discord.environment.inject_error("PATCH", "/channels/*/messages/*", status=status, code=code)
    await first.types("draw")
    after = await discord.board()
    assert before.id != after.id
    assert "then discard" in text_of(after)
    assert discord.application.client.presenter.trouble(1) is None


async def test_a_deleted_board_is_posted_again(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    board = await discord.board()
    discord.environment.backend.delete_message(board.channel.id, board.id)
    await first.types("draw")
    assert "then discard" in text_of(await discord.board())


async def test_a_deleted_thread_moves_the_table_into_its_channel(discord: Discord) -> None:
    channel = discord.world.tables
    first, _ = await game_of_two(discord, channel)
    (thread,) = channel.threads
    assert (await discord.look()).thread == thread.id
    discord.environment.backend.delete_channel(thread.id)
    answer = await first.types("draw", table="1")
    assert "You drew" in text_of(answer)
    assert (await discord.look()).thread is None
    assert (await discord.board()).channel.id == channel.id


async def test_a_deleted_channel_is_told_and_the_table_can_be_shown_elsewhere(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    discord.environment.backend.delete_channel(discord.world.canasta.id)
    elsewhere = Person(first.actor, discord.world.tables)
    await elsewhere.types("draw", table="1")
    said = text_of(await elsewhere.types("hand", table="1"))
    assert "channel of this table was deleted" in said
    await elsewhere.types("table show", table="1")
    assert (await discord.board()).channel.id == discord.world.tables.id
    assert "deleted" not in text_of(await elsewhere.types("hand", table="1"))


async def test_a_lost_permission_is_told_and_the_game_goes_on(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    discord.environment.inject_error("*", "/channels/*/messages*", status=403, code=50013, times=None)
    assert "You drew" in text_of(await first.types("draw"))
    assert discord.application.client.presenter.trouble(1) is Trouble.NO_PERMISSION
    said = text_of(await first.types("hand"))
    assert f"I may not write in <#{discord.world.canasta.id}>" in said
    assert "Attach Files" in said
    discord.environment.backend.faults.clear()
    move = next_move(await discord.state())
    await by_command(first, move)
    assert discord.application.client.presenter.trouble(1) is None
    assert "I may not write" not in text_of(await first.types("hand"))


async def test_a_table_is_not_opened_where_the_bot_could_not_show_it(discord: Discord) -> None:
    server = discord.world.server
    deny = library.PermissionOverwrite(attach_files=False, send_messages=False)
    channel = server.create_text_channel("quiet", overwrites={server.default_role: deny})
    answer = await discord.person(0, channel).types("table new")
    assert answer.ephemeral
    assert f"allow me in <#{channel.id}>: Send Messages, Attach Files" in text_of(answer)
    assert () == await discord.application.tables.tables_in(server.id)


async def test_a_discord_that_is_down_costs_nothing_but_the_board(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    discord.environment.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001, times=None)
    await first.types("draw")
    assert "can no longer see" in text_of(await first.types("hand"))
    discord.environment.backend.faults.clear()
    await by_command(first, next_move(await discord.state()))
    row = await discord.application.tables.message(1)
    assert row is not None
    assert row.version == (await discord.look()).version


async def test_an_answer_that_discord_does_not_take_leaves_the_move_done(discord: Discord) -> None:
    first, _ = await game_of_two(discord)
    version = (await discord.look()).version
    discord.environment.inject_error("POST", "/interactions/*/*/callback", status=404, code=10062)
    await first.actor.slash(first.channel, "draw")
    assert version + 1 == (await discord.look()).version
    assert "17 cards" in text_of(await first.types("hand"))
