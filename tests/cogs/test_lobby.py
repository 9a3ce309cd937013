"""Opening, finding, joining, leaving and closing tables, by commands and by the lobby's buttons."""

from __future__ import annotations

import discord as library
import pytest

from bot.tables.state.snapshots import Status
from tests.support.discord import Discord, Person, all_components, controls, enabled_actions, text_of
from tests.support.rollout_world_comparison import UNCLAIMED


async def test_a_lobby_shows_its_seats_and_offers_all_actions(discord: Discord) -> None:
    you = discord.person(0)
    answer = await you.run("table new", players=4, computers=1, target=1000)
    assert answer.ephemeral
    board = await discord.board()
    text = text_of(board)
    assert "Table 1 · Classic\nCollect cards of the same rank; seven make a canasta." in text
    assert "4 players · to 1,000 points, about one deal · easy" in text
    assert "Host: **Anna**" in text
    assert "**Side 1**\nAnna · *free seat*" in text
    assert "**Side 2**\nComputer 1 (casual) · *free seat*" in text
    assert "Computer players take the free seats." in text
    assert {"sit", "rules", "start", "setup", "leave", "lesson_list"} == enabled_actions(board)


async def test_the_lobbys_buttons_update_their_own_message(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new")
    board = await discord.board()
    changed = await friend.click(board, "sit")
    assert board.id == changed.id
    assert "**Side 2**\nBen · *free seat*" in text_of(changed)
    changed = await friend.click(changed, "leave")
    assert "**Side 2**\n*free seat* · *free seat*" in text_of(changed)
    assert board.id == (await discord.board()).id
    closed = await you.click(changed, "leave")
    assert "Table 1 is closed: all players left" in text_of(closed)
    assert set() == enabled_actions(closed)


async def test_one_press_chooses_the_partner_and_another_changes_seats(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new")
    await friend.press_exact_button(await discord.board(), "sit", "2")
    assert [you.id, None, friend.id, None] == [holder.person for holder in (await discord.snapshot()).seats]
    board = await friend.press_exact_button(await discord.board(), "sit", "1")
    assert [you.id, friend.id, None, None] == [holder.person for holder in (await discord.snapshot()).seats]
    assert "**Side 1**\nAnna · *free seat*" in text_of(board)


async def test_without_partners_all_seats_are_one_list(discord: Discord) -> None:
    await discord.person(0).run("table new", players=3, computers=1)
    board = await discord.board()
    assert "**Seats**\nAnna · Computer 1 (casual) · *free seat*" in text_of(board)
    board = await discord.person(1).click(board, "sit")
    assert "Anna · Computer 1 (casual) · Ben" in text_of(board)
    assert "All seats are taken." in text_of(board)
    assert {"rules", "start", "setup", "leave", "lesson_list"} == enabled_actions(board)


async def test_a_lobby_can_be_run_by_commands(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=4)
    assert "seat 3" in text_of(await friend.run("table join", seat=3))
    await you.run("table add-computer", seat=2)
    await you.run("table remove-computer")
    await you.run("table add-computer")
    assert ["Anna", "Ben", "Computer 1 (casual)", "*free seat*"] == people_by_side(text_of(await discord.board()))
    assert "Ben: Seat 2." in text_of(await you.run("table move", seat=3, to=2))
    assert ["Anna", "Computer 1 (casual)", "Ben", "*free seat*"] == people_by_side(text_of(await discord.board()))
    await friend.run("table leave")
    assert "Table 1" in text_of(await friend.run("table list"))
    assert (await you.run("table start", fill=True)).ephemeral
    assert (await discord.snapshot()).status is Status.PLAYING


async def test_everybody_sees_how_well_computer_players_play(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", level="strong", computers=1)
    await you.run("table add-computer", level="easy")
    board = text_of(await discord.board())
    assert ["Anna", "Computer 2 ▼ (easy)", "Computer 1 ▲ (strong)", "*free seat*"] == people_by_side(board)
    await you.run("table start", fill=True)
    assert ["casual", "strong", "easy", "strong"] == [holder.level for holder in (await discord.snapshot()).seats]
    assert "Anna, Computer 1 ▲, Computer 2 ▼, Computer 3 ▲" in text_of(await you.run("table list"))


async def test_the_level_of_a_table_is_that_of_all_its_computer_players(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=2)
    panel = await you.click(await you.run("table set-up"), "table_settings")
    await you.choose(panel, "table_level", "expert")
    seated = [holder for holder in (await discord.snapshot()).seats if holder.kind == "computer"]
    assert ["expert", "expert"] == [holder.level for holder in seated]
    assert "Computer 1 ● (expert)" in text_of(await discord.board())


async def test_the_lobby_says_where_an_expert_plays_no_better_than_a_strong_player(discord: Discord) -> None:
    you = discord.person(0)
    name = next(name for name, players in UNCLAIMED if players == 4)
    await you.run("table new", rules=name, level="expert")
    assert "expert computer players play no better than strong ones" in text_of(await discord.board())
    setup = await you.click(await discord.board(), "setup")
    options = controls(await you.click(setup, "table_settings"))["table_level"]["options"]
    assert ["In this game no better than strong"] == [one["description"] for one in options if "description" in one]
    await you.run("table new", rules="samba", level="expert")
    assert "no better than strong" not in text_of(await discord.board(2))


async def test_suggested_seats_name_the_players_on_their_side(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", computers=1)

    async def suggestion_labels(person: Person, command: str, option: str) -> list[str]:
        found = await person.actor.autocomplete(person.channel, command, option, "")
        return [choice["name"] for choice in found]

    assert ["Seat 3 · with Anna", "Seat 4 · with Computer 1"] == await suggestion_labels(friend, "table join", "seat")
    assert ["Seat 3 · with Anna", "Seat 4 · with Computer 1"] == await suggestion_labels(
        you, "table add-computer", "seat"
    )
    assert ["Computer 1 · Seat 2"] == await suggestion_labels(you, "table remove-computer", "seat")
    assert ["Anna · Seat 1", "Computer 1 · Seat 2"] == await suggestion_labels(you, "table move", "seat")
    assert ["1", "2", "3", "4"] == list(map(str, await you.suggestions("table move", "to")))
    assert ["4"] == list(map(str, await you.suggestions("table join", "seat", "computer 1")))
    await you.run("table start", fill=True)
    assert [] == await friend.suggestions("table join", "seat")


def people_by_side(text: str) -> list[str]:
    """Return the text of each seat of a lobby, one side after the other."""
    lines = text.splitlines()
    sides = [lines[number + 1] for number, line in enumerate(lines) if line.startswith("**Side")]
    return [seat for line in sides for seat in line.split(" · ")]


async def test_a_table_gets_its_own_thread_if_the_bot_may_open_one(discord: Discord) -> None:
    you = discord.person(0, discord.world.tables)
    announced = await you.run("table new")
    assert not announced.ephemeral
    assert "opened **table 1**" in text_of(announced)
    (thread,) = discord.world.tables.threads
    assert (await discord.snapshot()).thread == thread.id
    assert [(await discord.board()).id] == [message.id for message in thread.history() if message.components]
    joined = await discord.person(1, discord.world.tables).click(announced, "join")
    assert joined.ephemeral
    assert "**Side 2**\nBen" in text_of(await discord.board())
    inside = discord.person(0, thread)
    await inside.run("table start", fill=True)
    assert "your turn" in text_of(await discord.board())


async def test_many_tables_in_one_channel_can_be_distinguished(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    for _ in range(2):
        await you.run("table new", players=2, computers=1)
    await friend.run("table new", players=2, computers=1)
    for table in ("1", "2"):
        await you.run("table start", table=table)
    unclear = await you.run("hand")
    assert "Which table do you mean? 1, 2." in text_of(unclear)
    labels = [one["label"] for one in all_components(unclear) if one["type"] == 2]
    assert ["Table 1: Anna, Computer 1", "Table 2: Anna, Computer 1"] == labels
    assert "Your turn: draw" in text_of(await you.click(unclear, "hand"))
    assert ["1", "2", "3"] == await you.suggestions("hand", "table")
    assert ["3"] == await you.suggestions("hand", "table", "Ben")
    assert "Your turn: draw" in text_of(await you.run("hand", table="2"))
    assert "not started" in text_of(await friend.run("hand"))
    listed = text_of(await you.run("table list"))
    assert 3 == listed.count("**Table")


async def test_showing_a_table_here_posts_it_again(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new")
    before = await discord.board()
    await you.run("table show")
    after = await discord.board()
    assert before.id != after.id
    assert before.id not in [message.id for message in discord.world.canasta.history()]
    seen = await friend.run("table show")
    assert seen.ephemeral
    assert "**Side 1**\nAnna" in text_of(seen)
    assert after.id == (await discord.board()).id


async def test_a_moderator_may_close_a_table_and_others_may_not(discord: Discord) -> None:
    await discord.person(0).run("table new")
    refused = await discord.person(1).run("table close", table="1")
    assert f"Only <@{discord.person(0).id}>" in text_of(refused)
    assert (await discord.snapshot()).status is Status.LOBBY
    role = discord.world.server.create_role("Keeper", permissions=library.Permissions(manage_guild=True))
    keeper = discord.world.server.add_member(discord.environment.create_user("keeper"), roles=[role])
    answer = await keeper.slash(discord.world.canasta, "table close", table="1")
    assert "closed" in text_of(answer.response)
    assert (await discord.snapshot()).status is Status.CLOSED


@pytest.mark.parametrize(
    "name", ["@everyone", "<@123>", "**bold**", "# title", "a\nb", "https://x.example", "\u202eevil"]
)
async def test_names_in_a_lobby_are_neither_markup_nor_mentions(discord: Discord, name: str) -> None:
    member = discord.world.server.add_member(discord.environment.create_user("someone", global_name=name))
    await member.slash(discord.world.canasta, "table new", computers=3)
    board = await discord.board()
    lines = text_of(board).splitlines()
    assert not any(mention in text_of(board) for mention in ("@everyone", "<@123>", "**bold**", "https://x", "\u202e"))
    assert 1 == sum(line == "**Side 1**" for line in lines)
    assert 4 == len(people_by_side(text_of(board)))
    for request in discord.environment.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        allowed = body.get("allowed_mentions", body.get("data", {}).get("allowed_mentions", {}))
        assert not allowed.get("parse")
        assert not allowed.get("users")


async def test_help_and_rules_are_shown_in_private(discord: Discord) -> None:
    you = discord.person(0)
    assert "/table new" in text_of(await you.run("help"))
    await you.run("table new", players=2)
    rules = await you.run("rules show")
    assert rules.ephemeral
    assert "draw two or take the whole pile" in text_of(rules)
    assert "with two canastas" in text_of(rules)
    assert text_of(rules) == text_of(await discord.person(1).click(await discord.board(), "rules"))
