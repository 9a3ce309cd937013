"""Logging to standard error, as plain lines or JSON, without any card."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

from bot.metrics import METRICS

# The fields of `extra` that are written besides the message. All other fields are dropped,
# so that no hand is logged by accident.
FIELDS: Final = (
    "table",
    "tournament",
    "series",
    "event",
    "seat",
    "kind",
    "outcome",
    "milliseconds",
    "server",
    "channel",
    "person",
    "code",
)

# At DEBUG these libraries log statements, payloads and gateway frames, which contain hands.
LOGGERS_OF_HIDDEN_DATA: Final = (
    "aiosqlite",
    "asyncio",
    "discord.client",
    "discord.gateway",
    "discord.http",
    "discord.webhook",
    "PIL",
)

SUBJECTS: Final = ("table", "tournament", "series")
"""Fields that name what a line is about."""

_SUBJECT: Final[ContextVar[Mapping[str, int]]] = ContextVar("what the work in progress is about")

_actions = logging.getLogger("canasta.action")


@contextmanager
def label_log_lines(**subject: int) -> Iterator[None]:
    """Add the number of a table, tournament or series to every line logged in the `with` block.

    Lines that have such a number of their own keep it.
    """
    token = _SUBJECT.set({name: number for name, number in subject.items() if number})
    try:
        yield
    finally:
        _SUBJECT.reset(token)


def record_action(
    *, table: int, event: int, kind: str, outcome: str, milliseconds: float, seat: int | None = None
) -> None:
    """Log a request to a table and count it; the line has no content of the request.

    `kind` is the request's kind, `outcome` is `done` or the code of a refusal.
    """
    fields = {"table": table, "event": event, "kind": kind, "outcome": outcome, "milliseconds": round(milliseconds, 1)}
    if seat is not None:
        fields["seat"] = seat
    _actions.info("action", extra=fields)
    METRICS.count("actions_total", outcome=outcome if outcome in ("done", "repeated", "failed") else "refused")


def failure_text(error: BaseException) -> str:
    """Return an error's class and the calls that led to it; never its text, which may quote hands."""
    steps = traceback.extract_tb(error.__traceback__)
    way = " > ".join(f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in steps)
    return f"{type(error).__name__} at {way or '?'}"


def record_failure(logger: logging.Logger, task: str, error: BaseException, **place: object) -> None:
    """Log an unexpected error in one line; `task` names the failed task, `place` holds extra log fields."""
    logger.log(log_level(error, logging.ERROR), "%s failed: %s", task, failure_text(error), extra=place)


def log_level(error: BaseException, usual: int) -> int:
    """Return the level at which to log an error: `usual`, or DEBUG for one that is logged elsewhere.

    An example is the loss of the database, which the store logs once.
    """
    return logging.DEBUG if getattr(error, "is_logged_once", False) else usual


def _extra_fields(record: logging.LogRecord) -> dict[str, object]:
    """Return the extra fields of a log record that may be written, without numbers that are 0.

    Without a number of its own, the record gets those of `label_log_lines`.
    """
    found = {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
    found = {name: value for name, value in found.items() if value or name not in SUBJECTS}
    return found if found.keys() & set(SUBJECTS) else {**_SUBJECT.get({}), **found}


def _time_text(record: logging.LogRecord) -> str:
    """Return the time of a record in UTC, with milliseconds."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextFormatter(logging.Formatter):
    """Formats log records as text such as `2026-01-01T00:00:00.000Z INFO canasta.action: action table=42`.

    An exception, which only libraries log, is logged without its text.
    """

    def format(self, record: logging.LogRecord) -> str:
        words = [f"{_time_text(record)} {record.levelname} {record.name}: {record.getMessage()}"]
        words += [f"{name}={value}" for name, value in _extra_fields(record).items()]
        if record.exc_info and record.exc_info[1]:
            words.append(f"exception={failure_text(record.exc_info[1])}")
        return " ".join(words)


class JsonFormatter(logging.Formatter):
    """Formats each log record as one JSON object on a line, with the same fields as `TextFormatter`."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "at": _time_text(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_extra_fields(record),
        }
        if record.exc_info and record.exc_info[1]:
            said["exception"] = failure_text(record.exc_info[1])
        return json.dumps(said, ensure_ascii=False, default=str)


def set_up_logging(level: str, form: str, stream: TextIO | None = None) -> None:
    """Write log records of at least `level` to `stream` (default: standard error).

    `form` is `text` or `json`.
    """
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in LOGGERS_OF_HIDDEN_DATA:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
