"""Calls to Discord that may fail: return the result, or a reason the caller can act on.

No other module reads Discord's error codes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

import aiohttp
import discord

Value = TypeVar("Value")

log = logging.getLogger("canasta.discord")


class Trouble(StrEnum):
    """Reasons why a call to Discord failed, told apart only if the caller reacts differently."""

    MESSAGE_GONE = "message_gone"
    CHANNEL_GONE = "channel_gone"
    MEMBER_GONE = "member_gone"
    NO_ACCESS = "no_access"
    NO_PERMISSION = "no_permission"
    ARCHIVED = "archived"
    PERSON_CLOSED = "person_closed"
    NO_ROOM = "no_room"  # the person has not allowed the bot direct messages
    OPENING_TOO_MANY = "opening_too_many"  # too many direct messages opened with new people
    QUARANTINED = "quarantined"
    SENDING_STOPPED = "sending_stopped"
    TOO_OLD = "too_old"
    TOO_MANY = "too_many"
    SHUT_OUT = "shut_out"  # all requests of this machine are rejected for a while
    TOKEN_EXPIRED = "token_expired"  # noqa: S105 - a name, not a token
    TOO_LATE = "too_late"
    ALREADY_ANSWERED = "already_answered"
    NOT_TAKEN = "not_taken"
    DISCORD_DOWN = "discord_down"
    NO_CONNECTION = "no_connection"


@dataclass(frozen=True, slots=True)
class FailedCall:
    """Result of a call that failed."""

    trouble: Trouble


_CODES: Final[Mapping[int, Trouble]] = {
    10003: Trouble.CHANNEL_GONE,
    10004: Trouble.CHANNEL_GONE,
    10007: Trouble.MEMBER_GONE,
    10008: Trouble.MESSAGE_GONE,
    10013: Trouble.MEMBER_GONE,
    10015: Trouble.TOKEN_EXPIRED,
    10062: Trouble.TOO_LATE,
    20026: Trouble.QUARANTINED,
    30046: Trouble.TOO_OLD,
    40003: Trouble.OPENING_TOO_MANY,
    40004: Trouble.SENDING_STOPPED,
    40060: Trouble.ALREADY_ANSWERED,
    50001: Trouble.NO_ACCESS,
    50007: Trouble.PERSON_CLOSED,
    50013: Trouble.NO_PERMISSION,
    50027: Trouble.TOKEN_EXPIRED,
    50083: Trouble.ARCHIVED,
    50278: Trouble.PERSON_CLOSED,
    160005: Trouble.ARCHIVED,
    160006: Trouble.TOO_MANY,
}
"""Discord's JSON error codes; for an unknown code the HTTP status decides."""

_STATUSES: Final[Mapping[int, Trouble]] = {
    401: Trouble.TOKEN_EXPIRED,
    403: Trouble.NO_PERMISSION,
    404: Trouble.MESSAGE_GONE,
    429: Trouble.TOO_MANY,
}


async def attempt_call(call: Awaitable[Value], call_name: str, *, table: int = 0) -> Value | FailedCall:
    """Await the call; return its result, or why it failed. `call_name` names the call in the log."""
    try:
        return await call
    except discord.RateLimited:
        failed = FailedCall(Trouble.TOO_MANY)
    except discord.InteractionResponded:
        failed = FailedCall(Trouble.ALREADY_ANSWERED)
    except discord.HTTPException as error:
        failed = FailedCall(trouble_of(error))
    except (aiohttp.ClientError, OSError, TimeoutError):
        failed = FailedCall(Trouble.NO_CONNECTION)
    log.info("%s was not possible", call_name, extra={"table": table, "code": failed.trouble.value})
    return failed


def trouble_of(error: discord.HTTPException) -> Trouble:
    """Return which reason an error raised by Discord's library stands for."""
    if error.code in _CODES:
        return _CODES[error.code]
    # Without "Via" the answer comes from the proxy in front of Discord, which then rejects all requests of this
    # machine.
    if error.status == 429 and "Via" not in error.response.headers:
        return Trouble.SHUT_OUT
    if error.status in _STATUSES:
        return _STATUSES[error.status]
    return Trouble.DISCORD_DOWN if error.status >= 500 else Trouble.NOT_TAKEN
