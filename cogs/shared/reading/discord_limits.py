"""What Discord allows of menus, of what autocompletion offers, and of a name by which a message is posted once."""

from __future__ import annotations

from typing import Final

MOST_OPTIONS: Final = 25
"""Choices that a menu holds."""

MOST_CHOICES: Final = 25
"""Choices that autocompletion offers."""

LONGEST_CHOICE: Final = 100
"""Characters of a choice that autocompletion offers, and of its value."""

LONGEST_NONCE: Final = 25
"""Characters of the name under which a message is posted once, however often its posting is tried."""
