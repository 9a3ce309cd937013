"""`/me export` returns a person's stored data; `/me delete` deletes it after a typed confirmation."""

from __future__ import annotations

import gzip
import json

import pytest

from bot.i18n import words
from bot.tables.state.snapshots import SeatHolder
from cogs.profile.export_and_delete import LARGEST, data_file
from cogs.shared.telling import names
from tests.support.database_search import columns_containing, files_containing
from tests.support.discord import Discord, Person, all_content_text, text_of


async def open_table(discord: Discord) -> tuple[Person, Person]:
    """Start a game of two, and return its people."""
    host, guest = discord.person(0), discord.person(1)
    await host.run("table new", players=2)
    await guest.run("table join")
    await host.run("table start")
    return host, guest


async def test_the_export_is_private_and_available_once_a_day(discord: Discord) -> None:
    you, _ = await open_table(discord)
    answer = await you.run("me export")
    assert answer.ephemeral
    (file,) = answer.attachments
    assert "canasta-data.json" == file.filename
    data = json.loads(await file.read())
    assert (you.id, [1]) == (data["person"], [told["table"] for told in data["tables"]])
    again = await you.run("me export")
    assert again.ephemeral
    assert "less than a day ago" in text_of(again)
    assert not again.attachments


async def test_nothing_is_deleted_without_the_typed_confirmation(discord: Discord) -> None:
    you, _ = await open_table(discord)
    asked = await you.run("me delete")
    assert asked.ephemeral
    assert "Nothing was deleted" in text_of(await you.fill_form(asked, "forget_me", "no"))
    assert you.id in (await discord.snapshot()).persons


async def test_after_the_typed_confirmation_the_person_is_deleted_from_the_file(discord: Discord) -> None:
    you, friend = await open_table(discord)
    await you.run("me settings", theme="light")
    account = (await discord.snapshot()).seats[0].account
    names = (str(you.id), (await discord.snapshot()).seats[0].name, account)
    assert files_containing(discord.database, you.id, *(name for name in names if name))
    done = await you.fill_form(await you.run("me delete"), "forget_me", " delete ")
    assert "Your data is deleted" in text_of(done)
    snapshot = await discord.snapshot()
    assert (friend.id,) == snapshot.persons
    profiles = discord.application.client.context.profiles
    assert "dark" == (await profiles.preferences_of(you.id)).theme
    await discord.pass_time(2)
    assert set() == columns_containing(discord.database, *(name for name in names if name))
    assert set() == files_containing(discord.database, you.id, *(name for name in names if name))
    assert names[1] not in all_content_text(await discord.board())


def test_a_deleted_person_is_a_former_player_without_a_kept_seat() -> None:
    kept = SeatHolder("computer", number=2, kept_for=-2_000_001)
    assert "Former player" == names.holder_name(words(), SeatHolder("person", -2_000_001))
    assert "Ex giocatore" == names.holder_name(words("it"), SeatHolder("person", -2_000_001))
    assert names.holder_name(words(), SeatHolder("computer", number=2)) == names.holder_name(words(), kept)


@pytest.mark.parametrize("size", [10, LARGEST + 1])
def test_an_export_too_large_for_discord_is_compressed(size: int) -> None:
    data = json.dumps("x" * (size - 2)).encode()
    file = data_file(data)
    assert data == (gzip.decompress(file.data) if file.name.endswith(".gz") else file.data)
    assert len(file.data) <= LARGEST
