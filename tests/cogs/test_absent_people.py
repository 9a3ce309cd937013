"""Absent people on Discord: votes on the board, ways to return, departed members.

Also spectators and substitutes.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import discord as library
from simcord import UserHandle

from bot.clocks.clock import HOUR, MINUTE
from bot.clocks.time_rules import DAY, PRESETS
from bot.profiles.guild_settings import ServerSettingsService
from bot.tables.people.notices import NoticeRepository
from bot.tables.state.absence import AbsenceReason
from bot.tables.state.clocks import TableSettings
from bot.tables.state.snapshots import Caller, TableSnapshot
from cogs.shared.discord_api.components import Layout
from cogs.shared.posting.direct_messages import DirectMessages
from cogs.shared.posting.request_budget import Budget
from cogs.table.spectators import SpectatorMessages
from tests.support.clock import ShiftedClock
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import (
    Discord,
    Person,
    controls,
    discord_world,
    enabled_actions,
    labels,
    picture_captions,
    press_stale_control,
    text_of,
)
from tests.support.tables import EAST, NORTH, SOUTH, WEST, open_world

DAILY = TableSettings(clock=PRESETS["daily"], extension=False, vacation=0)


async def start_game(
    discord: Discord, persons: int, *, settings: TableSettings | None = None, players: int = 0
) -> list[Person]:
    """Start a game with that many people, at least two, and return them."""
    those = [discord.person(index) for index in range(persons)]
    if settings is None:
        await those[0].run("table new", players=players or max(2, persons))
    else:
        await open_clock_lobby(discord, those[0], settings, players or max(2, persons))
    for person in those[1:]:
        await person.click(await discord.board(), "sit")
    await those[0].run("table start", fill=True)
    return those


async def test_a_table_that_all_have_left_is_paused_and_they_come_back(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    left = await you.run("table leave")
    assert "You left table 1. A computer player takes over your seat." in text_of(left)
    assert {"back"} == enabled_actions(left)
    board = await discord.board()
    assert "Paused" not in text_of(board)
    assert "back" in enabled_actions(board)
    last = await friend.run("table leave", table="1")
    assert "You left table 1. **Paused: no player is seated.**" in text_of(last)
    board = await discord.board()
    assert "Paused: no player is seated." in text_of(board)
    assert not [claim for claim in ("is playing", "Draw") if claim in text_of(board)]
    assert not [caption for caption in picture_captions(board) if "Draw" in caption]
    assert {"back", "more"} == enabled_actions(board)
    other = await discord.person(2).click(board, "back")
    assert "You have no seat here." in text_of(other)
    panel = await friend.click(board, "back")
    assert "Welcome back." in text_of(panel)
    assert (friend.id,) == (await discord.snapshot()).persons
    assert "Paused" not in text_of(await discord.board())
    await you.click(left, "back")
    await friend.click(await discord.board(), "seat_yes")
    assert {you.id, friend.id} == set((await discord.snapshot()).persons)
    assert "back" not in enabled_actions(await discord.board())


async def test_a_seat_is_not_taken_back_twice(discord: Discord) -> None:
    you, friend = await start_game(discord, 2)
    left = await you.run("table leave")
    back = controls(left)["back"]["custom_id"]
    asked = await you.click(left, "back")
    assert "You left this table, so Ben must agree" in text_of(asked)
    assert "would like the seat back" in text_of(await discord.board())
    again = await press_stale_control(discord, you, asked, back)
    assert "already asked for seat 1" in text_of(again)
    await friend.click(await discord.board(), "seat_yes")
    assert "You play after Ben" in text_of(await press_stale_control(discord, you, await discord.board(), back))


async def open_clock_lobby(discord: Discord, host: Person, settings: TableSettings, players: int) -> None:
    """Open a lobby with these settings in the channel."""
    caller = Caller(host.id, "Anna", discord.world.server.id, 1)
    await discord.application.tables.lobby.create(
        caller, channel=discord.world.canasta.id, players=players, settings=settings
    )


async def advance_and_run_due_work(discord: Discord, milliseconds: int) -> TableSnapshot:
    """Advance the time, do everything that is due then, and return the table."""
    clock = discord.options["clock"]
    assert isinstance(clock, ShiftedClock)
    clock.forward += milliseconds
    store, tables = discord.application.tables._context.repository.store, discord.application.tables
    for timer in await store.times.due_timers(clock.now(), 50):
        await tables.deadlines.fire_deadline(timer.table, timer.kind)
    await discord.environment.settle()
    return await discord.snapshot()


async def start_game_with_no_time_left(discord: Discord, persons: int, *, players: int = 0) -> list[Person]:
    """Start a game in which Anna has used up all time, and return its people."""
    people = await start_game(discord, persons, settings=DAILY, players=players)
    await advance_and_run_due_work(discord, 72 * HOUR + MINUTE)
    return people


async def test_the_board_asks_the_others_about_an_absent_player_and_tells_their_decision(tmp_path: Path) -> None:
    async with discord_world(tmp_path, clock=ShiftedClock()) as discord:
        you, friend, neighbour = await start_game_with_no_time_left(discord, 3)
        board = await discord.board()
        snapshot = await discord.snapshot()
        assert snapshot.vote_until is not None
        text = "Anna's time is up. What now? 0 of 2 have voted. A player who does not vote counts as "
        assert text in text_of(board)
        assert {"vote_wait", "vote_computer", "vote_substitute"} <= enabled_actions(board)
        assert "vote_end" not in enabled_actions(board), "nobody of Anna's side could vote"
        assert ["Wait a day", "Computer", "Find a substitute"] == [
            one for one in labels(board) if one in ("Wait a day", "Computer", "Find a substitute", "End the game")
        ]
        assert "Your vote: Wait a day. You can change it until" in text_of(await friend.click(board, "vote_wait"))
        assert "1 of 2 have voted" in text_of(await discord.board())
        assert "You have no vote on this." in text_of(await you.click(await discord.board(), "vote_wait"))
        assert "That decided the vote." in text_of(await neighbour.click(await discord.board(), "vote_computer"))
        board = await discord.board()
        assert "A computer plays for Anna until Anna is back. It sees only Anna's cards." in text_of(board)
        panel = await you.click(board, "back")
        assert "Welcome back." in text_of(panel)
        assert "You have 18 h." in text_of(panel)
        assert "Anna is back." in text_of(await discord.board())


async def test_the_notice_mentions_the_extra_day_and_vacation_days(tmp_path: Path) -> None:
    settings = TableSettings(clock=PRESETS["daily"], vacation=2)
    async with discord_world(tmp_path, clock=ShiftedClock()) as discord:
        you, _, _ = await start_game(discord, 3, settings=settings)
        assert "This game ends <t:" in text_of(await discord.board())
        await advance_and_run_due_work(discord, 71 * HOUR)
        await you.run("hand")
        await advance_and_run_due_work(discord, HOUR + MINUTE)
        board = text_of(await discord.board())
        assert "Anna's time is up. Anna's extra day runs until <t:" in board
        assert "If Anna does not play, you decide on <t:" in board
        await advance_and_run_due_work(discord, 24 * HOUR + MINUTE)
        assert "Anna is on vacation: day 1 of 2, until <t:" in text_of(await discord.board())


async def test_a_returning_player_sees_the_moves_played_during_the_absence(tmp_path: Path) -> None:
    async with discord_world(tmp_path, clock=ShiftedClock(), pace=0) as discord:
        you, friend = await start_game_with_no_time_left(discord, 2)
        await friend.click(await discord.board(), "vote_computer")
        await discord.environment.settle()
        for _ in range(40):
            if (await discord.snapshot()).actor != (await discord.snapshot()).seats[0]:
                break
            await discord.pass_time(1)
        panel = await you.click(await discord.board(), "back")
        assert "Welcome back. Played for you: drew" in text_of(panel)
        assert 1 == text_of(panel).count("You have ")
        assert "discarded" in text_of(panel)


async def test_the_seat_of_a_member_who_left_the_server_is_voted_on_at_their_turn(tmp_path: Path) -> None:
    """This is acceptance line 6 of `docs/long-games.md`."""
    async with discord_world(tmp_path, clock=ShiftedClock()) as discord:
        you, friend, neighbour = await start_game(discord, 3, settings=DAILY)
        discord.world.server.remove_member(friend.actor)
        discord.options["clock"].forward += 2 * HOUR
        while (await discord.snapshot()).seats[0] == (await discord.snapshot()).actor:
            await play_by_command(you, next_move(await discord.game_state()))
        await discord.board()
        snapshot = await discord.snapshot()
        assert snapshot.vote is not None
        assert (friend.id, AbsenceReason.GONE) == (snapshot.vote.person, snapshot.vote.why)
        board = await discord.board()
        assert "Ben has left this server. Vote now; otherwise a computer plays from <t:" in text_of(board)
        assert f"<@{friend.id}>" not in text_of(board)
        assert {"vote_computer", "vote_substitute"} <= enabled_actions(board)
        assert "vote_wait" not in enabled_actions(board)
        snapshot = await advance_and_run_due_work(discord, DAY + MINUTE)
        assert ("computer", friend.id) == (snapshot.seats[1].kind, snapshot.seats[1].kept_for)
        assert neighbour.id == snapshot.seats[2].person
        again = discord.world.server.add_member(
            UserHandle(discord.environment, discord.environment.backend.users[friend.id])
        )
        friend = Person(again, discord.world.canasta)
        page = await friend.click(await discord.board(), "hand")
        assert "A computer plays for you at table 1." in text_of(page)
        assert "Welcome back." in text_of(await friend.click(page, "back"))
        assert friend.id == (await discord.snapshot()).seats[1].person


async def test_a_player_who_returns_before_the_decision_plays_on(discord: Discord) -> None:
    _, friend, _ = await start_game(discord, 3)
    await discord.application.tables.absence.handle_departure(1, friend.id)
    assert "Ben has left this server." in text_of(await discord.board())
    panel = await friend.click(await discord.board(), "hand")
    assert {"more"} <= enabled_actions(panel)
    assert "Ben has left this server." not in text_of(await discord.board())
    assert (None, friend.id) == ((await discord.snapshot()).vote, (await discord.snapshot()).seats[1].person)


async def test_a_person_without_a_seat_may_watch_or_ask_for_one(discord: Discord) -> None:
    you, friend = await start_game(discord, 2, players=4)
    stranger = discord.person(2)
    page = await stranger.click(await discord.board(), "hand")
    assert "You have no seat here." in text_of(page)
    assert ["Watch", "Take Computer 1's seat", "Take Computer 2's seat"] == labels(page)
    question = await stranger.click(page, "watch")
    assert "You see what everyone sees. Would you like a message with the scores after each deal?" in text_of(question)
    assert "I send you the scores as a direct message" in text_of(await stranger.click(question, "watch_yes"))
    watching = await stranger.click(await discord.board(), "hand")
    assert "You are watching. When the deal is over, `/replay` shows all hands." in text_of(watching)
    assert [] == picture_captions(watching)
    assert "You get no messages." in text_of(await stranger.click(question, "watch_no"))
    asked = await stranger.press_exact_button(page, "take_seat", "2")
    assert "I have asked Anna & Ben." in text_of(asked)
    board = await discord.board()
    assert "would like to take over Computer 1's seat" in text_of(board)
    await you.click(board, "seat_yes")
    assert "That decided the vote." in text_of(await friend.click(await discord.board(), "seat_yes"))
    assert stranger.id == (await discord.snapshot()).seats[2].person


async def test_a_stranger_is_informed_when_watching_is_not_allowed(discord: Discord) -> None:
    await start_game(discord, 2, settings=TableSettings(watching=False))
    stranger = discord.person(2)
    page = await stranger.click(await discord.board(), "hand")
    assert "watch" not in controls(page)
    answer = await press_stale_control(discord, stranger, page, "cn:1:0:watch:")
    assert "Table 1 does not allow watching." == text_of(answer)


async def test_the_owner_of_a_kept_seat_is_informed(discord: Discord) -> None:
    you, _ = await start_game(discord, 2)
    await you.run("table leave")
    page = await you.click(await discord.board(), "hand")
    assert "You left table 1." in text_of(page)
    assert {"back"} == enabled_actions(page)


class Mailbox(library.abc.Messageable):
    """A recipient of direct messages that keeps their texts."""

    def __init__(self) -> None:
        self.said: list[str] = []

    async def _get_channel(self) -> library.abc.MessageableChannel:
        raise LookupError("no channel of Discord's")

    async def send(self, *_: Any, view: Layout, **__: Any) -> None:  # type: ignore[override]
        self.said += [one.content for one in view.walk_children() if isinstance(one, library.ui.TextDisplay)]


class DirectMessageSender:
    """A notice sender that puts direct messages into a `Mailbox`."""

    def __init__(self) -> None:
        self.boxes: dict[int, Mailbox] = {}

    def get_guild(self, _id: int, /) -> library.Guild | None:
        return None

    def get_partial_messageable(self, number: int, *, guild_id: int | None = None) -> Mailbox:
        del guild_id
        return self.boxes.setdefault(number, Mailbox())


async def test_spectators_who_want_it_get_one_line_after_each_deal(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db") as world:
        post: Any = DirectMessageSender()
        book = NoticeRepository(world.store)
        direct = DirectMessages(post, book, clock=world.clock, budget=Budget(world.clock))
        for person in (SOUTH, WEST, EAST):
            await book.store_direct_channel(person, person, 0)
        lines = SpectatorMessages(world.service, ServerSettingsService(world.store), book, post, direct)
        snapshot = await world.start_game(NORTH, EAST, players=2)
        for person, wants in ((SOUTH, True), (WEST, True), (WEST, False), (EAST, True)):
            await world.service.places.set_spectator(snapshot, person, is_spectator=wants)
        stop = world.service.subscribe(lines.on_change)
        await world.play_deal(snapshot.id, Random(3))
        await lines.wait_until_idle()
        await world.service.play.give_shuffle_word(world.caller(NORTH), snapshot.id, "a word")
        await lines.wait_until_idle()
        stop()
        assert {SOUTH} == set(post.boxes), "West wants none any more, and East sits there"
        (said,) = post.boxes[SOUTH].said
        assert said.startswith("Table 1, deal 1: North ")
        assert " · East " in said
