"""Bad input gets a clear private answer, changes nothing, and logs no error (see `conftest`)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from simcord import ChannelHandle

from bot.engine.cards.cards import HELD_KINDS
from cogs.shared.discord_api import table_places
from cogs.shared.reading.input_problems import InputCode, InputProblem
from tests.support.computer_choices import spell_rank
from tests.support.discord import Discord, Message, Person, controls, text_of


async def refused_answer(discord: Discord, person: Person, command: str, **options: Any) -> str:
    """Run a command, check that it has changed nothing, and return its answer."""
    await discord.wait_until_boards_shown()
    before = [
        (snapshot.version, snapshot)
        for snapshot in await discord.application.tables.reading.open_tables_in(discord.world.server.id)
    ]
    public = len([message for message in discord.world.canasta.history() if not message.flags.ephemeral])
    answer = await person.run(command, **options)
    assert answer.ephemeral
    after = [
        (snapshot.version, snapshot)
        for snapshot in await discord.application.tables.reading.open_tables_in(discord.world.server.id)
    ]
    assert before == after
    assert public == len([one for one in discord.world.canasta.history() if not one.flags.ephemeral])
    return text_of(answer)


IMPOSSIBLE_TABLES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"rules": "bridge"}, "I do not know the rules “bridge”"),
    ({"rules": "**x** <@&5> " + "y" * 4000}, "I do not know the rules"),
    ({"players": 7}, "is for 2, 3, 4, 5, 6 players, not 7"),
    ({"players": -1}, "not -1"),
    ({"players": 2**40}, "not 1099511627776"),
    ({"target": 7}, "The target must be from"),
    ({"target": -5000}, "The target must be from"),
    ({"target": 2**50}, "The target must be from"),
    ({"computers": 4}, "0 to 3 computer players, not 4"),
    ({"computers": -1}, "0 to 3 computer players, not -1"),
)
"""Options of a table, and what the answer says of them."""


async def test_opening_a_table_with_impossible_options_is_refused(discord: Discord) -> None:
    for options, text in IMPOSSIBLE_TABLES:
        assert text in await refused_answer(discord, discord.person(0), "table new", **options), options


@pytest.fixture
async def game(discord: Discord) -> Discord:
    """Return a started game in which the first player has drawn."""
    you = discord.person(0)
    await you.run("table new", computers=3)
    await you.run("table start")
    await you.run("draw")
    return discord


SENSELESS: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("meld", {"cards": "xyzzy"}, "I do not understand “xyzzy”"),
    ("meld", {"cards": "K" * 4000}, "4000 characters"),
    ("meld", {"cards": "🂡🂢 ½ ∞ \u202e <@1>"}, "I do not understand"),
    ("meld", {"cards": ",,,;"}, "Name some cards"),
    ("meld", {"cards": "drop table; --"}, "I do not understand “drop”"),
    ("meld", {"cards": "9" * 150}, "You do not hold that"),
    ("meld", {"cards": "99 kings"}, "You do not hold that"),
    ("discard", {"card": "K K"}, "exactly one card"),
    ("discard", {"card": "hello"}, "I do not understand “hello”"),
    ("discard", {"card": "3h"}, "You do not hold that"),
    ("draw", {}, "You have drawn already"),
    ("take", {}, "You have drawn already"),
    ("take", {"with": "nonsense"}, "I do not understand “nonsense”"),
    ("undo", {}, "nothing to take back"),
    ("ask", {}, "To go out your side needs a canasta"),
    ("answer", {"answer": "yes"}, "No player has asked"),
    ("pass", {}, "You have drawn already"),
    ("next", {}, "Deal 1 is still being played"),
    ("hand", {"table": "99"}, "There is no table 99"),
    ("hand", {"table": "seven"}, "“seven” is not the number of a table"),
    ("hand", {"table": "9" * 500}, "is not the number of a table"),
    ("table start", {}, "has already started"),
    ("table join", {"table": "1"}, "You already have a seat at table 1"),
    ("table add-computer", {}, "has already started"),
)
"""Commands in a game with senseless options, and what the answer says of them."""


async def test_game_commands_with_senseless_options_are_refused(game: Discord) -> None:
    for command, options, text in SENSELESS:
        assert text in await refused_answer(game, game.person(0), command, **options), (command, options)


async def test_a_card_that_is_not_held_is_refused(game: Discord) -> None:
    hand = (await game.game_state()).hands[0]
    missing = next(kind for kind in range(HELD_KINDS) if not any(card >> 2 == kind for card in hand))
    assert "You do not hold that" in await refused_answer(game, game.person(0), "discard", card=spell_rank(missing))


async def test_an_addition_to_a_missing_meld_is_refused(game: Discord) -> None:
    kind = (await game.game_state()).hands[0][0] >> 2
    other = spell_rank((kind + 1) % 11)
    assert "no such meld" in await refused_answer(
        game, game.person(0), "meld", cards=f"a {spell_rank(kind)} on {other}"
    )


async def test_a_move_out_of_turn_is_refused(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", players=2)
    await friend.run("table join")
    await you.run("table start")
    actor = (await discord.snapshot()).actor
    assert actor is not None
    other = friend if actor.person == you.id else you
    for command, options in (("draw", {}), ("discard", {"card": "joker"}), ("meld", {"cards": "2"}), ("pass", {})):
        text = await refused_answer(discord, other, command, **options)
        assert "turn." in text or "hold" in text or "Only wild cards" in text
    assert "turn." in await refused_answer(discord, other, "draw")


async def test_a_move_by_a_person_without_a_seat_is_refused(game: Discord) -> None:
    stranger = game.person(3)
    for command in ("hand", "draw", "take", "undo", "ask", "pass", "next", "table leave", "table start"):
        assert "You are not seated at a table in this server" in await refused_answer(game, stranger, command)
    for command in ("draw", "next", "table leave"):
        assert "You have no seat at table 1" in await refused_answer(game, stranger, command, table="1")


async def test_a_table_of_another_server_is_unknown_here(game: Discord) -> None:
    elsewhere = game.environment.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("cards")
    user = game.environment.backend.get_user(game.person(0).id)
    member = elsewhere.add_member(type(game.environment.create_user("x"))(game.environment, user))
    person = Person(member, channel)
    before = await game.snapshot()
    for command in ("hand", "draw", "score", "rules show", "table show", "table join", "table close"):
        answer = await person.run(command, table="1")
        assert answer.ephemeral
        assert "There is no table 1" in text_of(answer)
    assert "no open table" in text_of(await person.run("table list"))
    assert [] == await person.suggestions("hand", "table")
    assert before == await game.snapshot()


async def test_a_board_copied_into_another_server_does_nothing(game: Discord) -> None:
    elsewhere = game.environment.create_guild("Elsewhere")
    channel = elsewhere.create_text_channel("cards")
    member = elsewhere.add_member(game.environment.create_user("someone"))
    copied = await copy_board_to_channel(game, channel)
    before = await game.snapshot()
    for action in controls(copied):
        answer = await Person(member, channel).click(copied, action)
        assert answer.ephemeral
        assert "There is no table 1" in text_of(answer)
    assert before == await game.snapshot()


async def copy_board_to_channel(game: Discord, channel: ChannelHandle) -> Message:
    """Return a message in another channel that copies the board's controls, as a forger would make it."""
    board = await game.board()
    backend = game.environment.backend
    raw = backend.get_message(board.channel.id, board.id)
    bot = game.application.client.user
    assert bot is not None
    made = backend.create_message(channel.id, bot.id, "forged")
    made.components = raw.components
    return next(message for message in channel.history() if message.id == made.id)


def test_server_commands_are_refused_in_a_direct_message() -> None:
    letter: Any = SimpleNamespace(guild_id=None, channel=SimpleNamespace(id=7))
    with pytest.raises(InputProblem) as caught:
        table_places.place_of_interaction(letter)
    assert InputCode.IN_SERVER_ONLY is caught.value.code
