"""Logging: plain lines or JSON on standard error; table and event numbers, never a card."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final, TextIO

# The fields of a record that are written besides its message. Anything else passed as `extra` is dropped,
# so that no hand is logged by accident.
FIELDS: Final = ("table", "event", "seat", "kind", "outcome", "milliseconds", "server", "channel", "person", "code")

# At DEBUG these libraries log statements, payloads and gateway frames, which contain hands.
TALKATIVE: Final = (
    "aiosqlite",
    "asyncio",
    "discord.client",
    "discord.gateway",
    "discord.http",
    "discord.webhook",
    "PIL",
)

_actions = logging.getLogger("canasta.action")


def record_action(
    *, table: int, event: int, kind: str, outcome: str, milliseconds: float, seat: int | None = None
) -> None:
    """Log one action: its kind and result (`done`, or a refusal's code), but not its content."""
    fields = {"table": table, "event": event, "kind": kind, "outcome": outcome, "milliseconds": round(milliseconds, 1)}
    if seat is not None:
        fields["seat"] = seat
    _actions.info("action", extra=fields)


def _extras(record: logging.LogRecord) -> dict[str, object]:
    return {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}


def _instant(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TextFormatter(logging.Formatter):
    """`2026-01-01T00:00:00.000Z INFO canasta.action: action table=42 event=117`."""

    def format(self, record: logging.LogRecord) -> str:
        words = [f"{_instant(record)} {record.levelname} {record.name}: {record.getMessage()}"]
        words += [f"{name}={value}" for name, value in _extras(record).items()]
        line = " ".join(words)
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonFormatter(logging.Formatter):
    """One JSON object per line, with the same fields."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, object] = {
            "at": _instant(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **_extras(record),
        }
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


def set_up(level: str, form: str, stream: TextIO | None = None) -> None:
    """Send everything from `level` up to `stream` (default: standard error), as `text` or `json`."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelNamesMapping()[level]))
