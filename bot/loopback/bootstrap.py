"""Run the unmodified bot against a Discord on this machine.

Start it by `python -m bot.loopback.bootstrap 127.0.0.1:PORT`.
"""

from __future__ import annotations

import runpy
import sys

import discord
import yarl


def redirect_discord_library(address: str) -> None:
    """Let discord.py use this address instead of Discord's; only local addresses are allowed."""
    if not address.startswith("127.0.0.1:"):
        raise SystemExit(f"{address} is not this machine")
    discord.http.Route.BASE = f"http://{address}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{address}/gw")


if __name__ == "__main__":
    redirect_discord_library(sys.argv[1])
    sys.argv[1:] = ["run"]
    # Not imported, because this package may not import the whole program.
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
