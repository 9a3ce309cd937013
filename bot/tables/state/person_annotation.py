"""The annotation for fields that hold a person's id, by which such a field is stored as a number."""

from __future__ import annotations

from typing import Annotated, TypeAlias

Person: TypeAlias = Annotated[int, "person"]
"""Id of a Discord account, below zero after a deletion on demand.

Stored as the number of a holder of the table.
"""
