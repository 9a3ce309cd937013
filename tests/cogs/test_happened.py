"""Everything that can happen at a table can be told, folded and stored."""

from __future__ import annotations

from typing import get_args

from bot.engine import evolve
from bot.engine.events import Event
from cogs.shared import happened

EVENTS = set(get_args(Event))


def test_every_event_has_words_for_all() -> None:
    """A look behind the public face: a table that forgets an event shows only when the event happens."""
    assert set(happened._FOR_ALL) == EVENTS


def test_every_event_can_be_folded() -> None:
    """A look behind the public face, for the same reason."""
    assert set(evolve._HANDLERS) == EVENTS
