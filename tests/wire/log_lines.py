"""Find lines of the bot's log that should name a table, tournament or series, but do not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

LINE: Final = re.compile(r"\S+ (?P<level>\w+) +canasta(?P<logger>[.\w]*): (?P<text>.*)")
NUMBER: Final = re.compile(r" (table|tournament|series)=\d+\b")

OF_ALL: Final = ("database ", "told Discord ", "stopping", "connecting again", "direct messages ")
"""Beginnings of log lines about the whole process."""

OF_COMMANDS: Final = ("acknowledging ", "answering ")
"""Beginnings of log lines about commands, which name no table; controls are tested elsewhere."""


def lines_without_number(log: str) -> Iterator[str]:
    """Yield every line of the program about a table or tournament that does not name it."""
    for line in log.splitlines():
        found = LINE.fullmatch(line)
        if found and not found["text"].startswith(OF_ALL + OF_COMMANDS) and not NUMBER.search(line):
            yield line
