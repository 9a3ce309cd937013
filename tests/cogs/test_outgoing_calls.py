"""Calls to Discord return every failure as a value that their caller can act on."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call


def http_exception(status: int, code: int, *, via: bool = True) -> discord.HTTPException:
    """Return discord.py's exception for an HTTP status and an error code.

    With `via` false, the response does not come from Discord but from a proxy.
    """
    response: Any = SimpleNamespace(status=status, reason="no", headers={"Via": "1.1 google"} if via else {})
    return discord.HTTPException(response, {"code": code, "message": "no"})


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (http_exception(404, 10008), CallTrouble.MESSAGE_GONE),
        (http_exception(404, 10003), CallTrouble.CHANNEL_GONE),
        (http_exception(403, 50001), CallTrouble.NO_ACCESS),
        (http_exception(403, 50013), CallTrouble.NO_PERMISSION),
        (http_exception(400, 50083), CallTrouble.ARCHIVED),
        (http_exception(403, 50007), CallTrouble.PERSON_CLOSED),
        (http_exception(429, 30046), CallTrouble.TOO_OLD),
        (http_exception(401, 50027), CallTrouble.TOKEN_EXPIRED),
        (http_exception(404, 10015), CallTrouble.TOKEN_EXPIRED),
        (http_exception(404, 10062), CallTrouble.TOO_LATE),
        (http_exception(400, 40060), CallTrouble.ALREADY_ANSWERED),
        (http_exception(400, 50035), CallTrouble.NOT_TAKEN),
        (http_exception(400, 160006), CallTrouble.TOO_MANY),
        (http_exception(403, 0), CallTrouble.NO_PERMISSION),
        (http_exception(404, 0), CallTrouble.MESSAGE_GONE),
        (http_exception(429, 0), CallTrouble.TOO_MANY),
        (http_exception(429, 0, via=False), CallTrouble.SHUT_OUT),
        (http_exception(503, 0), CallTrouble.DISCORD_DOWN),
        (discord.RateLimited(60), CallTrouble.TOO_MANY),
        (aiohttp.ClientConnectionError(), CallTrouble.NO_CONNECTION),
        (ConnectionResetError(), CallTrouble.NO_CONNECTION),
        (TimeoutError(), CallTrouble.NO_CONNECTION),
    ],
)
async def test_a_failed_call_returns_the_kind_of_its_failure(error: Exception, trouble: CallTrouble) -> None:
    async def raise_error() -> None:
        raise error

    assert FailedCall(trouble) == await attempt_call(raise_error(), "trying")


async def test_a_call_that_succeeds_returns_its_result() -> None:
    assert 7 == await attempt_call(asyncio.sleep(0, 7), "trying")


async def test_programming_errors_are_not_treated_as_failures_of_discord() -> None:
    async def raise_type_error() -> None:
        raise KeyError("ours")

    with pytest.raises(KeyError):
        await attempt_call(raise_type_error(), "trying")
