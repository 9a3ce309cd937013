"""`/rules`: the rules of a table, all rule sets, and rules saved by a server."""

from __future__ import annotations

import dataclasses

import discord as library

from bot.i18n import words
from cogs.shared.reading.input_problems import InputCode
from cogs.shared.showing.picture_inputs import picture_rules_name
from tests.cogs.test_client import lobby_with_many_changes
from tests.cogs.test_house_rules_panel import open_parameter
from tests.cogs.test_personal_settings import add_manager
from tests.support.discord import Discord, Person, input_error_text, text_of


async def open_table_with_hand_size(person: Person, size: str = "13") -> None:
    """Open a new table with hands of that size."""
    await person.run("table new")
    panel = await open_parameter(person, await person.run("table options"), "hand_size")
    await person.choose(panel, "options_set", size)


async def test_a_server_saves_rules_plays_them_and_makes_them_its_default(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await open_table_with_hand_size(you)
    text = text_of(await manager.run("rules save", name="Friday night", table="1"))
    assert "saved as **Friday night**" in text
    assert "Friday night" == (await you.suggestions("table new", "rules"))[0]
    await you.run("table new", rules="Friday night")
    snapshot = await discord.snapshot(2)
    assert ("Friday night", 13) == (snapshot.saved_as, snapshot.terms.hand_size)
    assert "Table 2 · Friday night\n" in text_of(await discord.board(2))
    assert "House rules" not in text_of(await discord.board(2))
    assert "play **Friday night**" in text_of(await manager.run("rules default", rules="Friday night"))
    await discord.restart()
    listed = await you.run("rules list")
    assert "**Friday night**\n-# 4 players · about 7 deals · easy · this server's own · **default here**" in text_of(
        listed
    )
    assert "**Singkep**" in text_of(await you.choose(listed, "rules_family", "singkep"))
    await you.run("table new")
    assert "Friday night" == (await discord.snapshot(3)).saved_as
    told = await you.run("rules show", table="3")
    assert "**Friday night**, two pairs, to 5,000. Two packs, 13 cards each." in text_of(told)
    await you.click(told, "every_point")
    text = "\n".join(text_of(message) for message in you.visible_messages())
    assert "Cards dealt to each: 13 (classic: 11; § 1.4)" in text
    assert ["4"] == [str(count) for count in await you.suggestions("table new", "players")]


async def test_saved_rules_are_replaced_and_deleted_and_tables_keep_theirs(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await open_table_with_hand_size(you)
    await manager.run("rules save", name="Mine", table="1")
    assert "now holds the rules" in text_of(await manager.run("rules save", name="MINE", table="1"))
    await you.run("table new", rules="mine")
    await manager.run("rules default", rules="MINE")
    assert ["MINE"] == await manager.suggestions("rules forget", "rules")
    assert "is deleted" in text_of(await manager.run("rules forget", rules="mine"))
    assert [] == await manager.suggestions("rules forget", "rules")
    assert "I do not know the rules “mine”" in text_of(await you.run("table new", rules="mine"))
    assert ("MINE", 13) == ((await discord.snapshot(2)).saved_as, (await discord.snapshot(2)).terms.hand_size)
    assert "I do not know the rules" in text_of(await manager.run("rules forget", rules="classic"))
    await you.run("table close", table="1")
    await you.run("table new")
    assert "" == (await discord.snapshot(3)).saved_as


async def test_only_server_managers_save_rules(discord: Discord) -> None:
    you = discord.person(0)
    await open_table_with_hand_size(you)
    for command, options in (
        ("rules save", {"name": "Mine"}),
        ("rules default", {"rules": "singkep"}),
        ("rules forget", {"rules": "mine"}),
    ):
        assert "you need the permission to manage this server" in text_of(await you.run(command, **options))
    assert "saved no rules of its own" in text_of(await you.run("rules list"))


async def test_a_built_in_or_invisible_name_is_refused_and_mentions_are_not_shown(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await open_table_with_hand_size(you)
    for name, text in (
        ("Classic", "“Classic” is the name of a built-in rule set"),
        ("italian CLUB", "is the name of a built-in rule set"),
        ("\u200b", "need a name"),
    ):
        assert text in text_of(await manager.run("rules save", name=name, table="1"))
    await manager.run("rules save", name="**<@&1>** @everyone", table="1")
    listed = text_of(await you.run("rules list"))
    assert "<@&1>" not in listed
    assert "@everyone" not in listed
    for number in range(19):
        await manager.run("rules save", name=f"Set {number}", table="1")
    assert "has saved 20 rule sets; the most is 20" in text_of(
        await manager.run("rules save", name="One more", table="1")
    )
    offered = await you.suggestions("table new", "rules")
    assert len(offered) <= 25
    assert ["Set 17"] == await you.suggestions("table new", "rules", "set 17")


async def test_the_rules_of_any_set_can_be_read(discord: Discord) -> None:
    you = discord.person(0)
    page = await you.run("rules show", rules="italian-club")
    assert text_of(page).startswith("**Italian club**, two pairs, to 5,000.")
    assert "if you announce it before your last card" in text_of(page)
    assert "one-page Italian club text" in text_of(await you.click(page, "doubts"))
    paragraph = text_of(await you.choose(page, "paragraph", "1.15"))
    assert paragraph.startswith("### § 1.15 · Going out\nA side with a canasta may go out")
    assert "three players, each alone" in text_of(await you.run("rules show", rules="singkep", players=3))
    assert "is for 4 players, not 3" in text_of(await you.run("rules show", rules="italian-club", players=3))
    assert "I do not know the rules “bridge”" in text_of(await you.run("rules show", rules="bridge"))


async def test_the_rules_of_every_set_open_from_the_list(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await open_table_with_hand_size(you)
    await manager.run("rules save", name="Mine", table="1")
    page = await you.run("rules list")
    opened = await you.click(page, "rules_read")
    assert text_of(opened).startswith("**Mine**, two pairs")
    assert "Mine: where this comes from" in text_of(await you.click(opened, "doubts"))
    page = await you.choose(page, "rules_family", "american")
    assert "Special hands, banned discards" in text_of(page)
    await manager.run("rules forget", rules="Mine")
    assert "out of date" in text_of(await you.click(opened, "every_point"))


async def test_a_paragraph_can_be_looked_up_and_opened_where_it_is_cited(discord: Discord) -> None:
    you = discord.person(0)
    assert "### § 1.12 · Taking the pile" in text_of(await you.run("rules paragraph", number="1.12"))
    assert "Samba" in text_of(await you.run("rules paragraph", number="§ v3.2"))
    assert input_error_text(InputCode.NO_PARAGRAPH, number="9.9") == text_of(
        await you.run("rules paragraph", number="9.9")
    )
    assert "1.13" == (await you.suggestions("rules paragraph", "number", "frozen"))[0]
    await you.run("table new", players=2, computers=1)
    await you.run("table start")
    ruling = await you.run("referee discard", card="7")
    assert "§ 1.9" in text_of(ruling) or "§ 1.5" in text_of(ruling)
    assert text_of(await you.click(ruling, "paragraph")).startswith("### § 1.")


async def test_rules_is_a_command_group_visible_to_everyone(discord: Discord) -> None:
    tree = discord.application.client.tree
    (rules,) = [command for command in tree.get_commands() if command.name == "rules"]
    told = rules.to_dict(tree)
    assert {"show", "list", "save", "default", "forget", "paragraph"} == {one["name"] for one in told["options"]}
    assert told["default_member_permissions"] is None
    assert library.AppCommandType.chat_input.value == told["type"]


def test_pictures_show_the_rule_sets_name_if_a_saved_name_cannot_be_drawn() -> None:
    snapshot = dataclasses.replace(lobby_with_many_changes(), terms=lobby_with_many_changes().base)
    assert "Friday *night*" == picture_rules_name(words(), dataclasses.replace(snapshot, saved_as="Friday *night*"))
    assert "Classic" == picture_rules_name(words(), dataclasses.replace(snapshot, saved_as="\ue000"))
    assert "Classic with house rules" == picture_rules_name(
        words(), dataclasses.replace(lobby_with_many_changes(), saved_as="")
    )
