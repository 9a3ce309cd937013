"""The unmodified bot against a Discord on this machine: `python -m tests.support.loopback.bootstrap 127.0.0.1:PORT`."""

from __future__ import annotations

import sys

import discord
import yarl

from bot.__main__ import main


def point_at(address: str) -> None:
    """Point the Discord library at this address; only local addresses are allowed."""
    if not address.startswith("127.0.0.1:"):
        raise SystemExit(f"{address} is not this machine")
    discord.http.Route.BASE = f"http://{address}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gw")


if __name__ == "__main__":
    point_at(sys.argv[1])
    sys.exit(main(["run"]))
