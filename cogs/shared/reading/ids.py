"""Custom ids: one grammar for every button, select and modal.

``cn:<table>:<version>:<action>:<argument>``. The version is the one of the table that the control was drawn from. An
id says nothing that its reader may not know; what it asks for is checked again when it comes back.

What Discord allows of menus, of what autocompletion offers, and of a name by which a message is posted once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 100
"""Characters Discord allows in a custom id."""

_ID = re.compile(r"cn:(0|[1-9][0-9]{0,18}):(0|[1-9][0-9]{0,18}):([a-z][a-z_]{0,19}):([A-Za-z0-9.]{0,80})", re.ASCII)


class IdError(ValueError):
    """Text that is no custom id of ours, or parts that make none."""


@dataclass(frozen=True, slots=True)
class ControlId:
    """A control: the table it belongs to, the version it was drawn from, what it asks for, and with what."""

    table: int
    version: int
    action: str
    argument: str = ""

    def __str__(self) -> str:
        text = f"cn:{self.table}:{self.version}:{self.action}:{self.argument}"
        if len(text) > LONGEST or not _ID.fullmatch(text):
            raise IdError(text)
        return text


def parse(text: str) -> ControlId:
    """The control of a custom id. Raises `IdError`."""
    match = _ID.fullmatch(text)
    if match is None or len(text) > LONGEST:
        raise IdError(text[:LONGEST])
    table, version, action, argument = match.groups()
    return ControlId(int(table), int(version), action, argument)


def is_ours(text: str) -> bool:
    """Whether a custom id claims to be one of ours, well formed or not."""
    return text.startswith("cn:")


MOST_OPTIONS: Final = 25
"""Choices that a menu holds."""

MOST_CHOICES: Final = 25
"""Choices that autocompletion offers."""

LONGEST_CHOICE: Final = 100
"""Characters of a choice that autocompletion offers, and of its value."""

LONGEST_NONCE: Final = 25
"""Characters of the name under which a message is posted once, however often its posting is tried."""
