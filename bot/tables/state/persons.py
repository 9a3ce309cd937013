"""How fields name persons, so that their stored form follows from the annotation."""

from __future__ import annotations

from typing import Annotated, TypeAlias

Person: TypeAlias = Annotated[int, "person"]
"""A Discord account, below zero once it was forgotten on demand. Stored as the number of a holder of the table."""
