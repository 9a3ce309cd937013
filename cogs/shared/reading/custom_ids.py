"""Custom ids of buttons, selects and modals: ``cn:<table>:<version>:<action>:<argument>``.

The version is that of the table when the control was built. An id contains nothing its reader may not know, and its
request is checked again when it comes back. Also: Discord's limits for menus, autocompletion and nonces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 100
"""Maximum characters of a custom id (Discord's limit)."""

_ID = re.compile(r"cn:(0|[1-9][0-9]{0,18}):(0|[1-9][0-9]{0,18}):([a-z][a-z_]{0,19}):([A-Za-z0-9.]{0,80})", re.ASCII)


class IdError(ValueError):
    """A text is no custom id of the bot, or its parts cannot form one."""


@dataclass(frozen=True, slots=True)
class ControlId:
    """A control: table, version of the table when it was built, action and argument."""

    table: int
    version: int
    action: str
    argument: str = ""

    def __str__(self) -> str:
        text = f"cn:{self.table}:{self.version}:{self.action}:{self.argument}"
        if len(text) > LONGEST or not _ID.fullmatch(text):
            raise IdError(text)
        return text


def parse_control_id(text: str) -> ControlId:
    """Return the control of a custom id. Raises `IdError`."""
    match = _ID.fullmatch(text)
    if match is None or len(text) > LONGEST:
        raise IdError(text[:LONGEST])
    table, version, action, argument = match.groups()
    return ControlId(int(table), int(version), action, argument)


def is_bot_custom_id(text: str) -> bool:
    """Return whether a custom id begins like the bot's, whether or not it is valid."""
    return text.startswith("cn:")


MOST_OPTIONS: Final = 25
"""Maximum choices in a menu."""

MOST_CHOICES: Final = 25
"""Maximum choices that autocompletion shows."""

LONGEST_CHOICE: Final = 100
"""Maximum characters of an autocompletion choice and of its value."""

LONGEST_NONCE: Final = 25
"""Maximum characters of a nonce, which prevents a repeated request from posting twice."""
