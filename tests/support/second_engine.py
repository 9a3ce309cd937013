"""Selection of the tests that run on PostgreSQL too: all but those that opened no store in the last run on files.

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


def present_test() -> str:
    """Return the id of the test that runs."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]


def note_opened_store() -> None:
    """Note that the present test opens a store, on a file or a server."""
    _opened.add(present_test())


def note_end(test: str) -> None:
    """Note whether a test that is over has opened a store."""
    if test not in _opened:
        _without_store.add(test)


def noted_tests() -> list[str]:
    """Return the tests of this process that opened no store."""
    return sorted(_without_store)


def add_notes(tests: Iterable[str]) -> None:
    """Add tests of a worker that opened no store."""
    _without_store.update(tests)


def write_notes(config: pytest.Config, *, is_whole: bool) -> None:
    """Keep the notes of a run on files that passed; with `is_whole` they replace all earlier notes."""
    if not ON_SERVER and config.pluginmanager.hasplugin("cacheprovider") and config.cache is not None:
        known = set() if is_whole else set(config.cache.get(_CACHED, []))
        config.cache.set(_CACHED, sorted(known | _without_store))


def deselect_storeless_tests(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests without a store if this run is on PostgreSQL."""
    if not ON_SERVER or not config.pluginmanager.hasplugin("cacheprovider") or config.cache is None:
        return
    known: Collection[str] = set(config.cache.get(_CACHED, []))
    left_out = [item for item in items if item.nodeid in known]
    items[:] = [item for item in items if item.nodeid not in known]
    config.hook.pytest_deselected(items=left_out)
