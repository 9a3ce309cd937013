"""Building the whole application: it starts and stops in order, and leaves no task or file open."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import threading
from pathlib import Path

import discord
import pytest

from bot import app, run_command
from bot.client import CanastaBot
from bot.config import Settings
from bot.ratings.rating_rules import LAW
from bot.store.engines.interface import Session
from bot.store.errors import StorageFailed, StoreError
from bot.store.outbox import RATE, Promise
from tests.support.empty_database import open_new_store
from tests.support.stored_tables import create_tables, new_change


def settings(folder: Path) -> Settings:
    return Settings(database=folder / "canasta.db", discord_token="none")


async def test_every_started_task_and_thread_is_stopped(tmp_path: Path) -> None:
    tasks, threads = asyncio.all_tasks(), set(threading.enumerate())
    async with app.build_application(settings(tmp_path)) as application:
        assert asyncio.all_tasks() != tasks
        assert () == await application.tables.reading.tables_with_due_computer_turn()
    assert tasks == asyncio.all_tasks()
    for thread in set(threading.enumerate()) - threads:
        thread.join(10)  # a cancelled task may still be ending
        assert not thread.is_alive()


async def test_the_file_is_released_and_can_be_opened_again(tmp_path: Path) -> None:
    for _ in range(2):
        async with app.build_application(settings(tmp_path)):
            with pytest.raises(StoreError):
                async with app.build_application(settings(tmp_path)):
                    pass


async def test_a_start_recomputes_outdated_ratings_and_keeps_waiting_promises(tmp_path: Path) -> None:
    table_that_is_gone = Promise(kind=RATE, key="b77", guild=5)
    async with open_new_store(settings(tmp_path).own_files_base) as store:
        await store.ratings.set_formula_version(1)
        (table,) = await create_tables(store, 1)
        await store.tables.commit(new_change(table, 1, promises=(table_that_is_gone,)))
    async with app.build_application(settings(tmp_path)) as application:
        await application.outbox.carry_out_due_effects()
    async with open_new_store(settings(tmp_path).own_files_base) as store:
        assert LAW == await store.ratings.formula_version()
        assert [("b77", 1)] == [(one.key, one.tries) for one in await store.outbox.all_promises()]


@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_program_in_order(tmp_path: Path, name: signal.Signals) -> None:
    """In place of Discord there is a connection that never ends by itself."""

    async def send_signal_and_wait(_client: CanastaBot, _token: str) -> None:
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), name)
        await asyncio.Event().wait()

    assert 0 == await run_command.serve_until_stopped(settings(tmp_path), connect=send_signal_and_wait)


async def test_an_unreachable_discord_is_reported_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def fail_to_reach_discord(_client: CanastaBot, _token: str) -> None:
        raise ConnectionRefusedError

    assert 1 == await run_command.serve_until_stopped(settings(tmp_path), connect=fail_to_reach_discord)
    assert "cannot be reached" in capsys.readouterr().err


async def test_an_unknown_token_is_reported_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def refuse_token(_client: CanastaBot, _token: str) -> None:
        raise discord.LoginFailure("Improper token")

    assert 3 == await run_command.serve_until_stopped(settings(tmp_path), connect=refuse_token)
    assert "does not know this token" in capsys.readouterr().err


def test_the_program_does_not_start_without_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    parser = argparse.ArgumentParser()
    run_command.add_arguments(parser)
    assert 2 == run_command.execute(parser.parse_args([]))
    assert "DISCORD_TOKEN is not set" in capsys.readouterr().err
    assert [] == list(tmp_path.iterdir())


def test_an_unusable_file_is_reported_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "none")
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("CANASTA_DATABASE", str(tmp_path / "file" / "canasta.db"))
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        assert 5 == run_command.execute(argparse.Namespace())
    finally:
        root.handlers[:], root.level = handlers, level
    assert "canasta-bot: " in capsys.readouterr().err


async def test_a_store_that_has_failed_ends_the_program(tmp_path: Path) -> None:
    """No game can go on, and the process manager must see that the program has ended."""

    def read_missing_table(session: Session) -> None:
        session.execute("SELECT 1 FROM nowhere")

    async def fail_store_and_wait(client: CanastaBot, _token: str) -> None:
        store = client.context.tables._context.store
        with pytest.raises(StorageFailed):
            await store.run_upkeep(read_missing_table)
        await asyncio.Event().wait()

    with pytest.raises(StorageFailed):
        await run_command.serve_until_stopped(settings(tmp_path), connect=fail_store_and_wait)


async def test_a_broken_connection_is_rebuilt_on_the_same_file(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The library may fail on an event of Discord; the error's text is not logged."""
    clients: list[CanastaBot] = []

    async def break_first_connection(client: CanastaBot, _token: str) -> None:
        clients.append(client)
        if len(clients) == 1:
            raise KeyError("7s in a hand")
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    assert 0 == await run_command.serve_until_stopped(settings(tmp_path), pauses=(0, 0), connect=break_first_connection)
    assert 2 == len(set(clients))
    assert "the connection to Discord failed: KeyError" in caplog.text
    assert "7s" not in caplog.text


async def test_a_connection_that_breaks_again_and_again_ends_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    begun: list[CanastaBot] = []

    async def break_connection(client: CanastaBot, _token: str) -> None:
        begun.append(client)
        raise KeyError("guild_id")

    assert 1 == await run_command.serve_until_stopped(settings(tmp_path), pauses=(0, 0), connect=break_connection)
    assert 3 == len(begun)
    assert "canasta-bot: the connection broke again (KeyError); giving up.\n" == capsys.readouterr().err


async def test_stopping_does_not_wait_for_the_next_connection(tmp_path: Path) -> None:
    async def break_connection(_client: CanastaBot, _token: str) -> None:
        asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), signal.SIGTERM)
        raise KeyError

    assert 0 == await run_command.serve_until_stopped(settings(tmp_path), pauses=(600,), connect=break_connection)
