"""After a backup is restored, every open table says once that later moves are lost."""

from __future__ import annotations

from pathlib import Path

from bot.store.upkeep.offline_databases import open_file_for_changes
from bot.store.upkeep.restoring import prepare_restored_database
from tests.support.discord import discord_world, text_of

AS_OF = 1_700_000_000_000


async def test_open_tables_say_once_that_a_backup_was_restored(tmp_path: Path) -> None:
    async with discord_world(tmp_path) as discord:
        for number in (1, 2):
            await discord.person(number).run("table new", players=2)
        await discord.person(2).run("table close", table="2")

        def restore_backup() -> None:
            with open_file_for_changes(discord.database) as file:
                prepare_restored_database(file, as_of=AS_OF, now=AS_OF)

        await discord.restart(meanwhile=restore_backup)
        await discord.application.outbox.carry_out_due_effects()
        await discord.environment.settle()
        text = f"The operator of this bot restored a backup from <t:{AS_OF // 1000}:f>; later moves are lost."
        messages = [text_of(one) for one in discord.person(0).visible_messages()]
        assert 1 == sum(text in message for message in messages), messages
