"""The part of the Store protocol that is about servers: what they chose, what counts for them, who stepped in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

Owner = Literal["person", "server"]
"""Who has chosen something: a person or a server, each with its id."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What a game master did at a table, why, and when (UTC milliseconds)."""

    guild: int
    table: int
    person: int
    action: str
    reason: str = field(repr=False)
    at: int


class ServerStore(Protocol):
    """What is kept for servers."""

    async def chosen(self, owner: Owner, name: str) -> Mapping[int, str]:
        """Everybody's choice of that name, by id; who is not there has the default."""

    async def played_since(self, guild: int, since: int) -> tuple[int, ...]:
        """A server's lobbies and running games at which a person did something since that instant, oldest first.

        Those of tournaments are not among them.
        """

    async def audit(self, guild: int, *, table: int | None, limit: int) -> tuple[AuditEntry, ...]:
        """What game masters did in a server, or at one table of it, the latest first; at most `limit` entries."""
