"""A player's word for the shuffle: its button and form, the answer, and the check of the deal."""

from __future__ import annotations

from bot.i18n import words
from bot.tables.state.snapshots import Shuffle
from cogs.shared.discord_api.components import button_row, page
from cogs.shared.showing.board import shuffle_check_command
from cogs.shared.showing.pages import add_shuffle_word_button
from tests.support.discord import Discord, Message, text_of

ENGLISH = words("en-US")


async def post_button(discord: Discord) -> Message:
    """Post a message with just the button for the word, and return it."""
    row = button_row(add_shuffle_word_button(ENGLISH, await discord.snapshot()))
    assert row is not None
    channel = discord.application.client.get_partial_messageable(discord.world.canasta.id)
    sent = await channel.send(view=page([row]).view)
    return next(message for message in discord.world.canasta.history() if message.id == sent.id)


async def test_a_word_for_the_shuffle_is_stored_and_confirmed_in_private(discord: Discord) -> None:
    you, friend, stranger = discord.person(0), discord.person(1), discord.person(2)
    await you.run("table new", players=2)
    await friend.run("table join", table="1")
    message = await post_button(discord)
    answer = await you.fill_form(message, "word", "  una parola   mia ")
    assert text_of(answer).startswith("“una parola mia” goes into the shuffle of deal 1.")
    assert answer.id not in [one.id for one in friend.visible_messages()]
    refused = await friend.fill_form(message, "word", "one, two")
    assert ENGLISH("table_refusal.word_unfit") == text_of(refused)
    assert ENGLISH("table_refusal.not_seated", table=1) == text_of(await stranger.click(message, "word"))
    await you.run("table start", table="1")
    contributions = (await discord.snapshot()).shuffle[0].contributions or ()
    assert "una parola mia" in contributions
    assert 2 == len(contributions)


async def test_the_command_that_checks_a_deal_can_be_typed_as_it_is_shown(discord: Discord) -> None:
    await discord.person(0).run("table new", players=2)
    snapshot = await discord.snapshot()
    for given, text in ((("a word", "7"), "--contributions 'a word,7'"), (("6", "7"), "--contributions 6,7")):
        assert shuffle_check_command(snapshot, Shuffle(1, "c" * 64, given, "d" * 64)).endswith(text)
