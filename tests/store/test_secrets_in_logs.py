"""Stored secrets do not appear in logs, errors or the representations of records."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from bot.store.errors import InvalidWrite, StaleVersion
from bot.store.store import Store, open_store
from bot.store.table_changes import DealSecret, TableChange
from bot.store.writer import Statement
from tests.support.stored_tables import new_change, new_table

CANARY = "Qh7d-canary"
SEED = b"a seed that is never to be shown"


async def collect_texts_about_stored_canary(store: Store) -> list[str]:
    """Store a canary text everywhere; return the texts of the errors and records that this gives."""
    table = await store.tables.create(new_table(payload=CANARY, snapshot=CANARY))
    secret = DealSecret(1, SEED, "c" * 64)
    good = new_change(table, 1, payload=CANARY, snapshot=CANARY, secrets=(secret,))
    texts = [repr(good), repr(secret), repr(Statement("SELECT :seed", {"seed": SEED}))]
    await store.tables.commit(good)
    bad: list[TableChange] = [
        new_change(table, 1, payload=CANARY, snapshot=CANARY, secrets=(secret,)),
        new_change(table, 2, payload=CANARY, snapshot=CANARY, status=CANARY),
        new_change(table, 2, payload=CANARY + "\ud800", snapshot=CANARY),
    ]
    for one in bad:
        with pytest.raises((StaleVersion, InvalidWrite)) as caught:
            await store.tables.commit(one)
        texts.append(repr(caught.value) + str(caught.value))
    texts += [
        repr(await store.tables.load(table)),
        repr(await store.tables.actions(table)),
        repr(await store.tables.secret(table, 1)),
    ]
    return texts


async def test_records_and_errors_do_not_show_payloads_snapshots_or_seeds(store: Store) -> None:
    for text in await collect_texts_about_stored_canary(store):
        assert CANARY not in text
        assert SEED.decode() not in text


async def test_no_log_line_contains_a_secret(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log is written at its most verbose level."""
    caplog.set_level(logging.DEBUG)
    async with open_store(path) as store:
        await collect_texts_about_stored_canary(store)
    assert "SQLite" in caplog.text
    assert CANARY not in caplog.text
    assert SEED.decode() not in caplog.text
    assert SEED.hex() not in caplog.text
