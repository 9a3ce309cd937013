"""Cards in controls: the sign of each rank."""

from __future__ import annotations

from typing import Final

KIND_LETTERS: Final = "456789TJQKA3203"
"""The letter of each kind in menus where melds are put together."""

DISCARD_VALUES: Final[tuple[str, ...]] = (*"456789TJQKA32", "JK", "R3")
"""The sign of each kind in a control that discards."""
