"""The board: one message for each table, kept current, posted again at turns and when lost."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.clocks.clock import MINUTE
from bot.engine.moves.actions import DRAW, Discard
from bot.engine.moves.phases import Phase
from bot.tables.state.snapshots import Caller
from tests.support.clock import ManualClock
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import Discord, Person, discord_world, text_of


class RecordedRequests:
    """The bot's requests about a channel, recorded from now on."""

    def __init__(self, discord: Discord) -> None:
        self.discord = discord
        self.start = len(discord.environment.http_requests)

    def requests_about_messages(self) -> list[tuple[str, dict[str, Any]]]:
        """Return method and body of every request about messages of channels."""
        new = self.discord.environment.http_requests[self.start :]
        self.start = len(self.discord.environment.http_requests)
        about = [one for one in new if one.path.startswith("/channels/") and "/messages" in one.path]
        return [(one.method, one.json if isinstance(one.json, dict) else {}) for one in about]

    def methods(self) -> list[str]:
        return [method for method, _ in self.requests_about_messages()]


def mentioned_people(body: dict[str, Any]) -> list[str]:
    """Return the ids of the people whom a message notifies."""
    allowed = body["allowed_mentions"]
    assert not allowed.get("parse")
    return [str(one) for one in allowed.get("users", [])]


async def start_game_of_two(discord: Discord, channel: Any = None) -> tuple[Person, Person]:
    """Start a game of two, and return its people, the one in turn first."""
    you, friend = discord.person(0, channel), discord.person(1, channel)
    await you.run("table new", players=2)
    await friend.run("table join", table="1")
    await you.run("table start", table="1")
    await discord.wait_until_boards_shown()
    actor = (await discord.snapshot()).actor
    assert actor is not None
    return (you, friend) if actor.person == you.id else (friend, you)


async def start_game_without_panels(discord: Discord) -> Person:
    """Start a game of two in which no panel is open; return the person in turn."""
    tables, you, friend = discord.application.tables, discord.person(0), discord.person(1)
    await tables.lobby.create(caller(discord, you), channel=discord.world.canasta.id, players=2)
    await tables.lobby.join(caller(discord, friend), 1)
    snapshot = await tables.lobby.start(caller(discord, you), 1)
    await discord.wait_until_boards_shown()
    assert snapshot.actor is not None
    return you if snapshot.actor.person == you.id else friend


async def play_turn(discord: Discord, person: Person) -> None:
    """Draw, and discard a card."""
    await person.run("draw", table="1")
    card = (await discord.game_state()).hands[(await discord.snapshot()).seat_of(person.id) or 0][0]
    await discord.application.tables.play.act(caller(discord, person), 1, Discard(card >> 2))
    await discord.environment.settle()
    await discord.wait_until_boards_shown()


def caller(discord: Discord, person: Person) -> Caller:
    caller.request += 1  # type: ignore[attr-defined]
    return Caller(person.id, "x", discord.world.server.id, caller.request)  # type: ignore[attr-defined]


caller.request = 10**15  # type: ignore[attr-defined]


async def test_only_the_player_in_turn_is_notified_and_only_once(discord: Discord) -> None:
    first, second = await start_game_of_two(discord)
    requests = RecordedRequests(discord)
    await first.run("draw")
    ((method, body),) = requests.requests_about_messages()
    assert "PATCH" == method
    assert [] == mentioned_people(body)
    before = await discord.board()
    await play_by_command(first, next_move(await discord.game_state()))
    while (await discord.snapshot()).actor == (await discord.snapshot()).seats[
        0 if first.id == discord.person(0).id else 1
    ]:
        await play_by_command(first, next_move(await discord.game_state()))
    await discord.wait_until_boards_shown()
    made = requests.requests_about_messages()
    posts = [body for method, body in made if method == "POST"]
    assert [[str(second.id)]] == [mentioned_people(body) for body in posts]
    assert "DELETE" == made[-1][0]
    after = await discord.board()
    assert before.id != after.id
    assert f"<@{second.id}>, your turn" in text_of(after).replace("**", "")
    assert before.id not in [message.id for message in discord.world.canasta.history()]
    await second.run("draw")
    assert [("PATCH", [])] == [(method, mentioned_people(body)) for method, body in requests.requests_about_messages()]


async def test_a_lone_player_against_computer_players_is_never_mentioned(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=3)
    await you.run("table start")
    await discord.wait_until_boards_shown()
    requests = RecordedRequests(discord)
    for _ in range(12):
        if (await discord.game_state()).phase is Phase.BETWEEN:
            break
        await play_by_command(you, next_move(await discord.game_state()))
    assert {("PATCH", ())} == {
        (method, tuple(mentioned_people(body))) for method, body in requests.requests_about_messages()
    }


async def test_a_game_begins_with_a_message_that_holds_its_fingerprint_and_stays(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    shuffle = (await discord.snapshot()).shuffle[0]
    await discord.restart()
    await play_turn(discord, first)
    texts = [text_of(message) for message in discord.world.canasta.history()]
    opening = [text for text in texts if "has begun" in text]
    assert 1 == len(opening)
    assert f"`{shuffle.commitment[:8]}…`" in opening[0]
    assert shuffle.commitment not in opening[0]
    assert texts.index(opening[0]) < texts.index(text_of(await discord.board()))


async def test_a_restart_repeats_no_notification(discord: Discord) -> None:
    first, _ = await start_game_of_two(discord)
    await discord.restart()
    requests = RecordedRequests(discord)
    await first.run("draw")
    assert [("PATCH", [])] == [(method, mentioned_people(body)) for method, body in requests.requests_about_messages()]


async def test_changes_during_shutdown_are_shown_at_the_next_start(discord: Discord) -> None:
    first = await start_game_without_panels(discord)
    shown = await discord.application.tables.places.board_message(1)
    await discord.application.client.board_updater.close()
    requests = RecordedRequests(discord)
    await discord.application.tables.play.act(caller(discord, first), 1, DRAW)
    await discord.wait_until_boards_shown()
    assert [] == requests.methods()
    await discord.restart()
    await discord.board()
    found = await discord.application.tables.places.board_message(1)
    assert shown is not None
    assert found is not None
    assert shown.version < found.version == (await discord.snapshot()).version


@pytest.fixture
async def discord_and_clock(tmp_path: Path) -> AsyncIterator[tuple[Discord, ManualClock]]:
    clock = ManualClock()
    async with discord_world(tmp_path, clock=clock) as world:
        yield world, clock


async def test_an_hour_old_message_is_posted_again_instead_of_edited(
    discord_and_clock: tuple[Discord, ManualClock],
) -> None:
    discord, clock = discord_and_clock
    first = await start_game_without_panels(discord)
    requests = RecordedRequests(discord)
    clock.advance(56 * MINUTE)
    await discord.application.tables.play.act(caller(discord, first), 1, DRAW)
    await discord.wait_until_boards_shown()
    made = requests.requests_about_messages()
    assert ["POST", "DELETE"] == [method for method, _ in made]
    assert [] == mentioned_people(made[0][1])
