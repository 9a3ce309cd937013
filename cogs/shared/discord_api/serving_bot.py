"""The bot as code that answers interactions sees it; `bot.client` is the whole of it."""

from __future__ import annotations

from dataclasses import dataclass

from discord.ext import commands

from bot.profiles.preferences import PreferencesService


@dataclass(frozen=True, slots=True)
class LegalPages:
    """The addresses of the operator's privacy policy and terms; empty where there is none."""

    privacy: str = ""
    terms: str = ""


class ServingBot(commands.AutoShardedBot):
    """The attributes that answers to interactions read of the bot."""

    profiles: PreferencesService
    legal: LegalPages
    """The operator's pages, for `/help`."""
    patience: float
    """Seconds after which an unanswered interaction is acknowledged."""
    stopping: bool
    """Return whether the bot is shutting down and accepts no more interactions."""
