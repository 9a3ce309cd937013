"""A request of the bot, and the exception by which a route answers it with an error."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.loopback.world import Json


class RefusedRequest(Exception):
    """Raised by a route to answer a request with an error."""

    def __init__(self, status: int, code: int) -> None:
        super().__init__(status, code)
        self.status = status
        self.code = code


@dataclass(frozen=True, slots=True)
class Request:
    """A request that was received from the bot."""

    method: str
    path: str
    body: Json
    files: list[Json]
    at: float
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def json(self) -> Json | None:
        """The body, or None if there is none."""
        return self.body or None


Route: TypeAlias = Callable[[Request, re.Match[str]], Awaitable[Any]]
"""Does what a request asks for, and returns the JSON of the answer. Raises `RefusedRequest`."""
