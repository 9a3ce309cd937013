"""Rules for every test: no connections outside this machine, repeatable examples.

All refusal codes must be used in a whole run.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import ipaddress
import os
import re
import shutil
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal import constants_ast
from hypothesis.internal.conjecture import providers

from tests.support import checked_request_bodies, postgres, recorded_refusals, storeless_tests
from tests.support.seeds import EVERY_RUN, SEARCHED

MODULES = Path(__file__).parent
LOCAL_NAMES = frozenset({"", "localhost", "0.0.0.0", "::"})  # noqa: S104 - names of this machine, nothing is bound here


def _is_local(host: object) -> bool:
    if host is None or host in LOCAL_NAMES:
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


CONNECTING = frozenset({"socket.connect", "socket.sendto", "socket.bind"})
LOOKING_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})
GUARDED = CONNECTING | LOOKING_UP


def _refuse_outside_address(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse every connection and every name lookup that leaves this machine."""
    if event not in GUARDED:  # the interpreter reports all that it does, so events of other kinds must return quickly
        return
    if event in CONNECTING:
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) and address else None
    else:
        host = arguments[0]
    host = host.decode() if isinstance(host, bytes) else host
    if not _is_local(host):
        raise RuntimeError(f"a test tried to reach {host!r} ({event})")


sys.addaudithook(_refuse_outside_address)

# The program synchronises every write to the disk, on which tests would spend most of their time. So their files are in
# memory if there is room; only files of failed tests are kept.
MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own there, readable by its owner only
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# Without cached bytecode, every worker and every process that a test starts would compile the whole program again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples in every run and on every machine; `HYPOTHESIS_PROFILE=search` looks for new ones.
settings.register_profile("gate", deadline=None, max_examples=EVERY_RUN, derandomize=True, database=None)
settings.register_profile(
    "search", deadline=None, max_examples=SEARCHED, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))

# Hypothesis would also draw constants of the program's modules: then other examples would be tried whenever one of them
# changes or fewer are imported, and in a fresh clone every worker would take 2.5 seconds to parse them all. There is no
# setting for it.
providers._get_local_constants = constants_ast.Constants

# These tests play thousands of whole deals: tracing their lines would double the time of the suite. The same code is
# run by the tests of the rules and by the cases, whose lines are traced.
UNTRACED = frozenset(
    {
        *("test_game_properties", "test_acts", "test_recorded_deals", "test_random_house_rules", "test_soak_games"),
        *("test_random_variant_rules", "test_legal_steps_by_oracle", "test_house_rules_by_oracle", "test_themes"),
        *("test_variants_by_oracle", "test_openings_by_brute_force", "test_deals_with_penalties", "test_case_proofs"),
        *("test_deals_of_many_kinds", "test_display_of_every_form", "test_rule_sets", "test_whole_games"),
        *("test_resting_players", "test_hand_and_foot", "test_modern_american", "test_text_only", "test_partners"),
        *("test_simulate", "test_house_rules", "test_whole_deals", "test_positions", "test_random_files"),
        *("test_hidden_cards_in_answers", "test_hidden_cards", "test_hidden_cards_on_pictures", "test_record_reader"),
    }
)

LOOKS_INTO_FILES = (
    *(r"\bsqlite3\b", "database_search", "open_database", "write_empty_database", "crashing_bot"),
    *("files_of_closed_cup", "series_year", r"\bshutil\b", "test_ratings_of_final_rounds", "write_export_page"),
)
"""Patterns in test modules that copy, damage or read the database's file; such modules are marked `file`."""

WAITING = (frozenset({"wire"}), frozenset({"fleet", "demo", "app"}))
"""Two groups of folders whose tests mostly wait for processes; both together take about as long as all others."""

recorded_refusals.note_all_refusals()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand over the refusal codes that were used and the number of checked bodies.

    The whole suite fails if a code is missing or fewer bodies were checked than before. Garbage is collected once, and
    all living objects are then excluded from collection: pytest collects five more times.
    """
    gc.collect()
    gc.freeze()
    postgres.stop_server()
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["raised"] = recorded_refusals.noted_refusals()
        config.workeroutput["bodies"] = checked_request_bodies.checked_body_count()
        config.workeroutput["without store"] = storeless_tests.noted_test_ids()
        return
    if session.exitstatus == pytest.ExitCode.OK:
        storeless_tests.write_notes(config, is_whole=_is_whole_suite(config))
    if not _is_whole_suite(config) or session.exitstatus != pytest.ExitCode.OK:
        return
    if recorded_refusals.codes_without_refusal() or _describe_too_few_bodies():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _describe_too_few_bodies() -> str:
    return checked_request_bodies.describe_shortfall(
        checked_request_bodies.checked_body_count(), checked_request_bodies.required_body_count()
    )


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    output = getattr(node, "workeroutput", {})
    recorded_refusals.add_notes(output.get("raised", ()))
    checked_request_bodies.add_to_checked_body_count(output.get("bodies", 0))
    storeless_tests.add_notes(output.get("without store", ()))


def pytest_runtest_teardown(item: pytest.Item) -> None:
    storeless_tests.note_finished_test(item.nodeid)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if _is_whole_suite(config) and (missing := recorded_refusals.codes_without_refusal()):
        terminalreporter.section("reasons to refuse that no test brings about")
        for code in missing:
            terminalreporter.line(f"{type(code).__name__}.{code.name}")
    if count := checked_request_bodies.checked_body_count():
        terminalreporter.line(f"{count} bodies of requests checked against Discord's schema and limits")
    if _is_whole_suite(config) and (fault := _describe_too_few_bodies()):
        terminalreporter.line(fault, red=True)


def _is_whole_suite(config: pytest.Config) -> bool:
    """Return whether the whole suite runs, except for nightly tests."""
    option = config.option
    chosen = config.args_source is not pytest.Config.ArgsSource.TESTPATHS or option.keyword or option.collectonly
    return not chosen and option.markexpr == "not nightly" and not option.lf


def pytest_collection(session: pytest.Session) -> None:
    """Collect no garbage while the tests are collected: that alone would take a third of the time."""
    gc.disable()
    if _is_whole_suite(session.config):
        _import_from_own_part(getattr(session.config, "workerinput", {}))


def _import_from_own_part(worker: dict[str, Any]) -> None:
    """Import the test modules, where each worker begins at another part of their list.

    So few of them are compiled by several workers. In a fresh clone, pytest takes five seconds to rewrite the
    assertions of all of them, and every worker would do so.
    """
    number, count = int(worker.get("workerid", "gw0").removeprefix("gw")), worker.get("workercount", 1)
    modules = sorted(MODULES.rglob("test_*.py"))
    start = len(modules) * number // count
    for path in modules[start:] + modules[:start]:
        # An error is reported when pytest imports the module again.
        with contextlib.suppress(Exception):
            importlib.import_module(".".join(path.relative_to(MODULES.parent).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Exclude all objects made so far from garbage collection, and let it run seldom.

    Most of them live to the end. Collecting as often as usual took about a twelfth of all processor time, a third of it
    in a listener of Hypothesis.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return two workers more than there are cores, because `tests/wire` and tests of processes mostly wait."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 2


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    storeless_tests.deselect_storeless_tests(config, items)
    if "file" in config.option.markexpr:
        _mark_file_tests(items)
    for item in items:
        if item.path.stem in UNTRACED:
            item.add_marker(pytest.mark.no_cover)
    yield  # deselects by marks
    _give_waiting_tests_to_two_workers(items, getattr(config, "workerinput", {}).get("workercount", 1))


def _give_waiting_tests_to_two_workers(items: list[pytest.Item], workers: int) -> None:
    """Let the first two workers begin with the tests that mostly wait, while the others keep the cores busy.

    Each worker begins with an equal part of the list (`--dist worksteal`), and takes tests of others when it is idle.
    """
    first, second = ([item for item in items if item.path.parent.name in names] for names in WAITING)
    rest = [item for item in items if item.path.parent.name not in WAITING[0] | WAITING[1]]
    middle = max(0, len(items) // workers - len(first)) if workers > 1 else 0
    items[:] = [*first, *rest[:middle], *second, *rest[middle:]]


def _mark_file_tests(items: list[pytest.Item]) -> None:
    """Mark the tests of all modules that copy, damage or read the database's file."""
    pattern = re.compile("|".join(LOOKS_INTO_FILES))
    looking = {path for path in {item.path for item in items} if pattern.search(path.read_text("utf-8"))}
    for item in items:
        if item.path in looking:
            item.add_marker(pytest.mark.file)
