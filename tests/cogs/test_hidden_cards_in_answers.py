"""A hidden card is shown only in answers to the player who holds it."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.engine.cards.cards import Card
from bot.engine.moves.phases import Phase
from cogs.shared.reading.custom_ids import parse_control_id
from tests.support.computer_choices import next_move, play_by_command, play_by_panel
from tests.support.discord import Discord, all_components, all_content_text, controls, discord_world, enabled_actions
from tests.support.secrecy_watch import SecrecyWatch, cards_spelled_in
from tests.support.seeds import SEARCHING
from tests.support.stacked_dealer import StackedDealer, numbered_seeds


@pytest.fixture(params=["off", "on"])
async def world(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Discord]:
    """Yield a Discord with the bot, once without emojis and once with them."""
    async with discord_world(tmp_path, emojis=request.param) as world:
        yield world


async def test_the_preview_of_settings_shows_no_card_of_a_hand(world: Discord) -> None:
    """The preview shows the same sample hand to everyone."""
    you, friend = world.person(0), world.person(1)
    before = all_content_text(await friend.run("me settings", **{"text-only": True}))
    await you.run("table new", computers=1, players=2)
    await you.run("table start")
    after = all_content_text(await you.run("me settings", **{"text-only": True}))
    assert cards_spelled_in(before)
    assert cards_spelled_in(before) == cards_spelled_in(after)


@pytest.mark.parametrize("first_seed", [1, 1001] if SEARCHING else [1])
async def test_text_only_and_emojis_reveal_no_card_of_another_player(
    world: Discord, caplog: pytest.LogCaptureFixture, first_seed: int
) -> None:
    """As in the next test, but one player and the spectator read text only, the other has pictures."""
    for index in (0, 2):
        await world.person(index).run("me settings", **{"text-only": True})
    for message in world.person(0).visible_messages():
        assert message.flags.ephemeral or not cards_spelled_in(all_content_text(message))
    await check_hidden_cards_of_game(world, caplog, first_seed)


@pytest.mark.parametrize("first_seed", [1, 1001, 2001] if SEARCHING else [1001, 2001])
async def test_players_see_no_card_of_another_player(
    discord: Discord, caplog: pytest.LogCaptureFixture, first_seed: int
) -> None:
    """All messages of two players and a spectator are searched.

    That includes words, captions, file names, custom ids and choices.
    """
    await check_hidden_cards_of_game(discord, caplog, first_seed)


async def check_hidden_cards_of_game(discord: Discord, caplog: pytest.LogCaptureFixture, first_seed: int) -> None:
    caplog.set_level(logging.DEBUG, logger="canasta")
    discord.dealer.seeds = numbered_seeds(first_seed)
    people = tuple(discord.person(index) for index in range(3))
    await people[0].run("table new", players=2)
    await people[1].run("table join")
    await people[0].run("table start")
    watch = SecrecyWatch()
    for number in range(24):
        await watch.check_visible_messages(discord, people)
        state, actor = await discord.game_state(), (await discord.snapshot()).actor
        if state.phase is Phase.BETWEEN or actor is None:
            break
        mover, other = people[:2] if actor.person == people[0].id else (people[1], people[0])
        for option in ("meld", "cards"), ("discard", "card"), ("take", "with"), ("take", "melds"):
            assert [] == await other.suggestions(*option)
        if number % 2:
            await play_by_command(mover, next_move(state))
        else:
            await play_by_panel(mover, await mover.click(await discord.board(), "hand"), next_move(state))
    assert watch.found > 100
    lines = "\n".join(record.getMessage() + repr(vars(record)) for record in caplog.records)
    assert set() == cards_spelled_in(lines)


async def test_controls_and_files_of_public_messages_name_only_table_and_version(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=3)
    await you.run("table start")
    await play_by_command(you, next_move(await discord.game_state()))
    board, snapshot = await discord.board(), await discord.snapshot()
    assert controls(board)
    for one in controls(board).values():
        control = parse_control_id(one["custom_id"])
        assert (1, snapshot.version, "") == (control.table, control.version, control.argument)
    for attachment in board.attachments:
        assert re.fullmatch(rf"table-1-{snapshot.version}-\d+\.png", attachment.filename)


async def test_a_private_message_works_only_for_its_owner(discord: Discord) -> None:
    """SimCord, like Discord, refuses a click by a person who does not see the message."""
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new", computers=3)
    panel = await you.run("table start")
    assert panel.ephemeral
    assert panel.id not in [message.id for message in friend.visible_messages()]
    assert any(one["type"] == 12 for one in all_components(panel))


class BrokenDealer(StackedDealer):
    """A dealer that fails at its first deal, with an error whose text names cards."""

    fails = True

    def deal_pack(self, *given: Any, **named: Any) -> tuple[Card, ...]:
        if self.fails:
            self.fails = False
            raise RuntimeError("the king of hearts, Kh and K♥")
        return super().deal_pack(*given, **named)


async def test_an_unexpected_error_shows_a_number_and_logs_no_card(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with discord_world(tmp_path, dealer=BrokenDealer()) as discord:
        you = discord.person(0)
        await you.run("table new", computers=3)
        text = all_content_text(await you.run("table start"))
        assert "mention error" in text
        assert set() == cards_spelled_in(text)
        records = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert ["a table cannot be read", "an interaction failed"] == [
            record.getMessage()[: len(start)]
            for record, start in zip(records, ("a table cannot be read", "an interaction failed"), strict=True)
        ]
        for record in records:
            assert "RuntimeError" in record.getMessage()
            assert set() == cards_spelled_in(record.getMessage() + repr(vars(record)))
        number = re.search(r"mention error (\d+)", text)
        assert number is not None
        assert int(number[1]) == vars(records[-1])["code"]
        caplog.clear()
        await you.run("table new", computers=3)
        assert enabled_actions(await you.run("table start", table="2"))
