"""Select the tests that run on PostgreSQL too: those that open a store.

A run on files notes in pytest's cache which tests passed without a store; on PostgreSQL they would prove nothing more.
A test that has not run yet is included.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Final

import pytest

ON_SERVER: Final = os.environ.get("CANASTA_TEST_ENGINE") == "postgres"
"""Whether databases on the test server replace files."""

_CACHED: Final = "canasta/tests without a store"

_opened: set[str] = set()
_without_store: set[str] = set()


def running_test_id() -> str:
    """Return the id of the test that is running."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]


def note_opened_store() -> None:
    """Note that the running test opens a store, on a file or on a server."""
    _opened.add(running_test_id())


def note_finished_test(test: str) -> None:
    """Note that this test is over; it counts as one without a store unless it has opened one."""
    if test not in _opened:
        _without_store.add(test)


def noted_test_ids() -> list[str]:
    """Return the tests of this process that opened no store."""
    return sorted(_without_store)


def add_notes(tests: Iterable[str]) -> None:
    """Add tests of a worker that opened no store."""
    _without_store.update(tests)


def write_notes(config: pytest.Config, *, is_whole: bool) -> None:
    """Store the noted tests after a run on files; with `is_whole` they replace all earlier notes."""
    if not ON_SERVER and config.pluginmanager.hasplugin("cacheprovider") and config.cache is not None:
        known = set() if is_whole else set(config.cache.get(_CACHED, []))
        config.cache.set(_CACHED, sorted(known | _without_store))


def deselect_storeless_tests(config: pytest.Config, items: list[pytest.Item]) -> None:
    """If this run is on PostgreSQL, deselect the tests that are known to open no store."""
    if not ON_SERVER or not config.pluginmanager.hasplugin("cacheprovider") or config.cache is None:
        return
    known: Collection[str] = set(config.cache.get(_CACHED, []))
    left_out = [item for item in items if item.nodeid in known]
    items[:] = [item for item in items if item.nodeid not in known]
    config.hook.pytest_deselected(items=left_out)
