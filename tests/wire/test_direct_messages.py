"""Direct messages over real sockets: opened by people, or refused by Discord in every way.

Then people are told in another way.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.clocks.clock import MINUTE
from bot.clocks.time_rules import DAY
from bot.loopback.people import Person
from bot.loopback.rest import RestServer
from tests.support.forked_processes import running_forked_bot
from tests.wire.board_player import control, text_of_message
from tests.wire.cup_of_eight import latest_message_with_words, let_time_pass, wait_for
from tests.wire.scenes import Scene

REFUSED = "Discord does not let me write to you"
DIGEST = "Your games today"
WELCOME = "I will send your notices here."

PAUSES = {40003: 11 * MINUTE, 20026: DAY + MINUTE, 40004: 11 * MINUTE}
"""Pauses after which direct messages are tried again."""


async def choose_setting(person: Person, setting: str, value: str) -> str:
    """Choose a value in the settings, and return the text of the answer."""
    page = (await person.use_command("me settings", zone="Europe/Rome")).answer
    assert page is not None
    menu = control(page, f"set_{setting}")
    assert menu is not None
    chosen = (await person.use_control(page, menu, (value,))).answer
    assert chosen is not None
    return text_of_message(chosen)


async def test_direct_messages_are_refused_in_every_way_and_people_are_told(rest: RestServer, tmp_path: Path) -> None:
    channel, world = rest.world.add_channel("canasta"), rest.world
    async with running_forked_bot(rest, tmp_path, program=("tests.wire.steered_bot",)) as bot:
        for code in (50007, 50278):
            person = Person(rest, channel, "closed")
            world.closed[person.id] = code
            assert REFUSED in await choose_setting(person, "notices", "dm")
            del world.closed[person.id]
            assert REFUSED not in await choose_setting(person, "notices", "dm")
            assert latest_message_with_words(world.direct_messages(person.id), WELCOME)
        for code, pause in PAUSES.items():
            person = Person(rest, channel, "stopped")
            world.opening_refused = code, world.openings
            assert REFUSED in await choose_setting(person, "notices", "dm")
            assert latest_message_with_words(world.direct_messages(person.id), WELCOME) is None
            world.opening_refused = None
            await let_time_pass(bot, pause)
            assert REFUSED not in await choose_setting(person, "notices", "dm")
            assert latest_message_with_words(world.direct_messages(person.id), WELCOME)
        assert 1 == bot.log.count(" CRITICAL ")
        assert " ERROR " not in bot.log


async def test_a_turn_and_a_digest_come_by_direct_message(rest: RestServer, tmp_path: Path) -> None:
    """A person who closes direct messages later is mentioned at the table."""
    channel = rest.world.add_channel("canasta")
    async with running_forked_bot(rest, tmp_path, program=("tests.wire.steered_bot",)) as bot:
        scene = Scene(rest, bot, "call", channel)
        for person in (scene.host, scene.guest):
            await choose_setting(person, "notices", "dm")
        await scene.prepare()
        await scene.play()
        first, second = scene.actor, scene.next_player
        await wait_for(lambda: latest_message_with_words(rest.world.direct_messages(second.id), "your turn"))
        assert second.id not in [person for person, _ in scene.mentions_with_text()]
        rest.world.closed[first.id] = 50007
        await scene.play_next()
        await wait_for(lambda: first.id in [person for person, _ in scene.mentions_with_text()])
        assert "Saved." in await choose_setting(second, "digest", "19")
        await scene.play_next()
        async with asyncio.timeout(40):
            while latest_message_with_words(rest.world.direct_messages(second.id), DIGEST) is None:
                await bot.put_clock_forward(10 * MINUTE)
                await asyncio.sleep(0.1)
        assert latest_message_with_words(rest.world.direct_messages(first.id), DIGEST) is None
        assert " ERROR " not in bot.log
