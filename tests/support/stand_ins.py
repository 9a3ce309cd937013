"""Stand-ins: an object that behaves like another one, except for the attributes that a test gives."""

from __future__ import annotations

from typing import Any

from bot.tables.service import TableService
from tests.support.tables import PATIENT, World


class StandIn:
    """Behaves as `original`, except for the attributes given by name, which `original` must have."""

    def __init__(self, original: object, **others: object) -> None:
        assert [] == [name for name in others if not hasattr(original, name)]
        self._original = original
        vars(self).update(others)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def service_with_store_parts(world: World, **parts: object) -> TableService:
    """Return another table service for the world, with these parts of its store replaced."""
    store: Any = StandIn(world.store, **parts)
    return TableService(store, world.clock, PATIENT, dealer=world.dealer)
