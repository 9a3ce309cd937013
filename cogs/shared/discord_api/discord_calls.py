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


class CallTrouble(StrEnum):
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

    trouble: CallTrouble


_CODES: Final[Mapping[int, CallTrouble]] = {
    10003: CallTrouble.CHANNEL_GONE,
    10004: CallTrouble.CHANNEL_GONE,
    10007: CallTrouble.MEMBER_GONE,
    10008: CallTrouble.MESSAGE_GONE,
    10013: CallTrouble.MEMBER_GONE,
    10015: CallTrouble.TOKEN_EXPIRED,
    10062: CallTrouble.TOO_LATE,
    20026: CallTrouble.QUARANTINED,
    30046: CallTrouble.TOO_OLD,
    40003: CallTrouble.OPENING_TOO_MANY,
    40004: CallTrouble.SENDING_STOPPED,
    40060: CallTrouble.ALREADY_ANSWERED,
    50001: CallTrouble.NO_ACCESS,
    50007: CallTrouble.PERSON_CLOSED,
    50013: CallTrouble.NO_PERMISSION,
    50027: CallTrouble.TOKEN_EXPIRED,
    50083: CallTrouble.ARCHIVED,
    50278: CallTrouble.PERSON_CLOSED,
    160005: CallTrouble.ARCHIVED,
    160006: CallTrouble.TOO_MANY,
}
"""Discord's JSON error codes; for an unknown code the HTTP status decides."""

_STATUSES: Final[Mapping[int, CallTrouble]] = {
    401: CallTrouble.TOKEN_EXPIRED,
    403: CallTrouble.NO_PERMISSION,
    404: CallTrouble.MESSAGE_GONE,
    429: CallTrouble.TOO_MANY,
}


async def attempt_call(call: Awaitable[Value], call_name: str, *, table: int = 0) -> Value | FailedCall:
    """Await the call; return its result, or why it failed. `call_name` names the call in the log."""
    try:
        return await call
    except discord.RateLimited:
        failed = FailedCall(CallTrouble.TOO_MANY)
    except discord.InteractionResponded:
        failed = FailedCall(CallTrouble.ALREADY_ANSWERED)
    except discord.HTTPException as error:
        failed = FailedCall(call_trouble_of_error(error))
    except (aiohttp.ClientError, OSError, TimeoutError):
        failed = FailedCall(CallTrouble.NO_CONNECTION)
    log.info("%s was not possible", call_name, extra={"table": table, "code": failed.trouble.value})
    return failed


def call_trouble_of_error(error: discord.HTTPException) -> CallTrouble:
    """Return which reason an error raised by Discord's library stands for."""
    if error.code in _CODES:
        return _CODES[error.code]
    # Without "Via" the answer comes from the proxy in front of Discord, which then rejects all requests of this
    # machine.
    if error.status == 429 and "Via" not in error.response.headers:
        return CallTrouble.SHUT_OUT
    if error.status in _STATUSES:
        return _STATUSES[error.status]
    return CallTrouble.DISCORD_DOWN if error.status >= 500 else CallTrouble.NOT_TAKEN
