"""Opening, finding, joining, leaving and closing tables, by commands and by the lobby's buttons."""

from __future__ import annotations

import discord as library
import pytest

from bot.tables.looks import Status
from tests.support.discord import Discord, enabled, text_of


async def test_a_lobby_shows_who_sits_where_and_offers_what_can_be_done(discord: Discord) -> None:
    you = discord.person(0)
    answer = await you.types("table new", players=4, computers=1, target=1000)
    assert answer.ephemeral
    board = await discord.board()
    assert "Classic, 4 players, to 1000 points" in text_of(board)
    assert "Side 1: 1. Anna · 3. empty" in text_of(board)
    assert "Side 2: 2. Computer 1 · 4. empty" in text_of(board)
    assert {"join", "leave", "computer", "start", "close", "rules", "options"} == enabled(board)


async def test_the_lobby_s_buttons_change_the_message_they_stand_on(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.types("table new")
    board = await discord.board()
    changed = await friend.clicks(board, "join")
    assert board.id == changed.id
    assert "2. Ben" in text_of(changed)
    changed = await you.clicks(changed, "computer")
    assert "3. Computer 1" in text_of(changed)
    changed = await friend.clicks(changed, "leave")
    assert "2. empty" in text_of(changed)
    assert board.id == (await discord.board()).id
    closed = await you.clicks(changed, "close")
    assert "Table 1 is closed" in text_of(closed)
    assert set() == enabled(closed)


async def test_the_same_by_commands(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.types("table new", players=4)
    assert "seat 3" in text_of(await friend.types("table join", seat=3))
    await you.types("table add-computer", seat=2)
    await you.types("table remove-computer")
    await you.types("table add-computer")
    assert ["Anna", "Computer 1", "Ben", "empty"] == [
        name.split(". ")[1] for name in seats(text_of(await discord.board()))
    ]
    await friend.types("table leave")
    assert "Table 1" in text_of(await friend.types("table list"))
    assert (await you.types("table start", fill=True)).ephemeral
    assert (await discord.look()).status is Status.PLAYING


def seats(text: str) -> list[str]:
    """The seats of a lobby in order."""
    lines = [line.partition(": ")[2] for line in text.splitlines() if line.startswith("Side")]
    return sorted(seat for line in lines for seat in line.split(" · "))


async def test_a_table_gets_a_thread_of_its_own_where_the_bot_may_open_one(discord: Discord) -> None:
    you = discord.person(0, discord.world.tables)
    announced = await you.types("table new")
    assert not announced.ephemeral
    assert "opened **table 1**" in text_of(announced)
    (thread,) = discord.world.tables.threads
    assert (await discord.look()).thread == thread.id
    assert [(await discord.board()).id] == [message.id for message in thread.history() if message.components]
    joined = await discord.person(1, discord.world.tables).clicks(announced, "join")
    assert joined.ephemeral
    assert "2. Ben" in text_of(await discord.board())
    inside = discord.person(0, thread)
    await inside.types("table start", fill=True)
    assert "it is" in text_of(await discord.board()) or "is playing" in text_of(await discord.board())


async def test_many_tables_in_one_channel_are_told_apart(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    for _ in range(2):
        await you.types("table new", players=2, computers=1)
    await friend.types("table new", players=2, computers=1)
    for table in ("1", "2"):
        await you.types("table start", table=table)
    unclear = text_of(await you.types("hand"))
    assert "Which table do you mean? 1, 2." in unclear
    assert ["1", "2", "3"] == await you.suggested("hand", "table")
    assert ["3"] == await you.suggested("hand", "table", "Ben")
    assert "cards" in text_of(await you.types("hand", table="2"))
    assert "not started" in text_of(await friend.types("hand"))
    listed = text_of(await you.types("table list"))
    assert 3 == listed.count("**Table")


async def test_a_table_shown_here_is_posted_anew(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.types("table new")
    before = await discord.board()
    await you.types("table show")
    after = await discord.board()
    assert before.id != after.id
    assert before.id not in [message.id for message in discord.world.canasta.history()]
    seen = await friend.types("table show")
    assert seen.ephemeral
    assert "1. Anna" in text_of(seen)
    assert after.id == (await discord.board()).id


async def test_a_moderator_may_close_a_table_and_others_may_not(discord: Discord) -> None:
    await discord.person(0).types("table new")
    refused = await discord.person(1).types("table close", table="1")
    assert f"Only <@{discord.person(0).id}>" in text_of(refused)
    assert (await discord.look()).status is Status.LOBBY
    role = discord.world.server.create_role("Keeper", permissions=library.Permissions(manage_guild=True))
    keeper = discord.world.server.add_member(discord.environment.create_user("keeper"), roles=[role])
    shown = await keeper.slash(discord.world.canasta, "table close", table="1")
    assert "closed" in text_of(shown.response)
    assert (await discord.look()).status is Status.CLOSED


@pytest.mark.parametrize(
    "name", ["@everyone", "<@123>", "**bold**", "# title", "a\nb", "https://x.example", "\u202eevil"]
)
async def test_names_are_neither_markup_nor_mentions(discord: Discord, name: str) -> None:
    member = discord.world.server.add_member(discord.environment.create_user("someone", global_name=name))
    await member.slash(discord.world.canasta, "table new", computers=3)
    board = await discord.board()
    lines = text_of(board).splitlines()
    assert not any(mention in text_of(board) for mention in ("@everyone", "<@123>", "**bold**", "://x", "\u202e"))
    assert 1 == sum(line.startswith("Side 1: 1. ") for line in lines)
    for request in discord.environment.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        allowed = body.get("allowed_mentions", body.get("data", {}).get("allowed_mentions", {}))
        assert not allowed.get("parse")
        assert not allowed.get("users")


async def test_help_and_rules_are_told_in_private(discord: Discord) -> None:
    you = discord.person(0)
    assert "/table new" in text_of(await you.types("help"))
    await you.types("table new", players=2)
    rules = await you.types("rules show")
    assert rules.ephemeral
    assert "draw two or take the whole pile" in text_of(rules)
    assert "with two canastas" in text_of(rules)
    assert text_of(rules) == text_of(await discord.person(1).clicks(await discord.board(), "rules"))
