"""Interactions: a person's click or command, the bot's answers, and when they came."""

from __future__ import annotations

import asyncio
import time
import uuid
from dataclasses import dataclass, field

from bot.loopback.world import EPHEMERAL, LOADING, Json, new_id

SECONDS_TO_ANSWER = 3.0
SECONDS_OF_TOKEN = 15 * 60.0

MESSAGE, LATER, LATER_IN_PLACE, IN_PLACE, CHOICES, FORM = 4, 5, 6, 7, 8, 9


@dataclass(slots=True)
class Interaction:
    """A person's click or command; `message` is the bot's answer, or the message that it changed."""

    person: int
    channel: int
    used: Json | None = None
    """The message whose control was used."""
    what: str = ""
    id: int = field(default_factory=new_id)
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    at: float = field(default_factory=time.monotonic)
    answered_after: float | None = None
    kind: int | None = None
    message: Json | None = None
    form: Json | None = None
    followups: list[Json] = field(default_factory=list)
    acknowledged: asyncio.Event = field(default_factory=asyncio.Event)
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_late(self) -> bool:
        """Whether the deadline for the first answer has passed."""
        return time.monotonic() - self.at > SECONDS_TO_ANSWER

    @property
    def is_over(self) -> bool:
        """Whether the interaction's token has expired."""
        return time.monotonic() - self.at > SECONDS_OF_TOKEN

    def record_answer(self, kind: int) -> None:
        """Record the kind and time of the bot's first answer."""
        self.kind = kind
        self.answered_after = time.monotonic() - self.at
        self.acknowledged.set()
        if kind not in (LATER, LATER_IN_PLACE):
            self.complete.set()

    @property
    def answer(self) -> Json | None:
        """The last message that the person was shown: the answer, or the latest follow-up message."""
        return self.followups[-1] if self.followups else self.message


def is_private(message: Json) -> bool:
    """Return whether the message is ephemeral."""
    return bool(message["flags"] & EPHEMERAL)


def is_thinking_placeholder(message: Json) -> bool:
    """Return whether the message is a "thinking" placeholder."""
    return bool(message["flags"] & LOADING)
