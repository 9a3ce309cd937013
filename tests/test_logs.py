"""Log lines: table and event number, in text or JSON, and never a card."""

import ast
import io
import json
import logging
from collections.abc import Iterator

import pytest

from bot import logs
from tests.support.project_files import ROOT


@pytest.fixture(autouse=True)
def restore_root_logger() -> Iterator[None]:
    """Restore the handlers and levels of the loggers after each test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in logs.LOGGERS_OF_HIDDEN_DATA}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, old in levels.items():
        logging.getLogger(name).setLevel(old)


def log_output(form: str, level: str = "INFO") -> io.StringIO:
    stream = io.StringIO()
    logs.set_up_logging(level, form, stream)
    return stream


def test_an_action_is_one_line_with_table_and_event() -> None:
    stream = log_output("text")
    logs.record_action(table=42, event=117, kind="LayMelds", outcome="done", milliseconds=3.14159)
    line = stream.getvalue()
    assert line.count("\n") == 1
    assert line.endswith("INFO canasta.action: action table=42 event=117 kind=LayMelds outcome=done milliseconds=3.1\n")


def test_json_lines_have_the_same_fields_as_text_lines() -> None:
    stream = log_output("json")
    logs.record_action(table=42, event=117, kind="Discard", outcome="not_your_turn", milliseconds=0.5)
    said = json.loads(stream.getvalue())
    assert (42, 117, "Discard", "not_your_turn") == (said["table"], said["event"], said["kind"], said["outcome"])
    assert said["at"].endswith("Z")


@pytest.mark.parametrize("form", ["text", "json"])
def test_unknown_fields_are_not_logged(form: str) -> None:
    stream = log_output(form)
    logging.getLogger("canasta").info("drawn", extra={"table": 1, "card": "QH", "hand": "KS 2D"})
    assert "QH" not in stream.getvalue()
    assert "KS" not in stream.getvalue()


@pytest.mark.parametrize("name", logs.LOGGERS_OF_HIDDEN_DATA)
def test_libraries_that_write_hands_at_debug_stay_silent_at_debug(name: str) -> None:
    stream = log_output("text", "DEBUG")
    logging.getLogger(name).debug("executing INSERT … ('KS', '2D')")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_exception_is_written_with_its_path_and_without_its_text(form: str) -> None:
    stream = log_output(form)
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("discord").exception("failed")
    assert "ValueError at test_logs.py:" in stream.getvalue()
    assert "broken" not in stream.getvalue()


NOT_OF_ONE = {"premoves were not resumed: %s"}
"""Messages in these folders that are about all tables or tournaments."""


def test_every_line_about_a_table_or_a_tournament_names_it() -> None:
    """In folders whose code works on one table or tournament, log calls pass its number.

    They pass it as a field of the line (`FIELDS`).
    """
    folders = (
        "bot/tables",
        "bot/tournaments",
        "bot/series",
        "cogs/tournament",
        "cogs/series",
        "cogs/table",
        "cogs/play",
    )
    without = []
    for file in (file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            logs_here = node.func.attr in ("info", "warning", "error", "critical") and "logg" in ast.unparse(node.func)
            fails_here = node.func.attr == "log_unexpected_error"
            text = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
            names = {one.arg for one in node.keywords}
            if (logs_here and "extra" not in names and text not in NOT_OF_ONE) or (
                fails_here and not names & {"table", "tournament", None}
            ):
                without.append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert [] == without
