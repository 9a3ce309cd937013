"""Listeners: functions of one part of the program that are called after changes in another."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, TypeVar

from bot.logs import record_failure

Event = TypeVar("Event")


class Listeners(Generic[Event]):
    """Functions that are called with each event.

    If one fails, that is logged and the others are still called.
    """

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._listeners: list[Callable[[Event], None]] = []

    def add(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call `listener` with each event from now on; return a function that removes it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def notify(self, event: Event, /, **place: object) -> None:
        """Call all listeners with the event; `place` holds extra log fields for failures."""
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception as error:  # noqa: BLE001 - the change is stored, and others listen too
                record_failure(self._logger, "a listener", error, **place)
