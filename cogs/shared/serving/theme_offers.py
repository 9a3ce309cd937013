"""Themes as autocompletion offers them, and as somebody types them."""

from __future__ import annotations

from discord import app_commands

from bot.engine.rules.themes.library import THEMES
from bot.i18n import Words
from bot.i18n.theme_words import about, title
from cogs.shared.reading.discord_limits import LONGEST_CHOICE, MOST_CHOICES


def themes_named(words: Words, typed: str | None) -> tuple[str, ...]:
    """The stable names of the themes that somebody typed, by their names or titles; what is neither stays as it is."""
    titles = {title(words, name).casefold(): name for name in THEMES}
    parts = [part.strip() for part in (typed or "").split(",")]
    return tuple(titles.get(part.casefold(), part.casefold()) for part in parts if part)


def theme_choices(words: Words, typed: str) -> list[app_commands.Choice[str]]:
    """The themes that fit what is typed behind the last comma, each with those before it."""
    *before, last = typed.split(",")
    chosen = themes_named(words, ",".join(before))
    wanted = last.strip().casefold()
    found: list[app_commands.Choice[str]] = []
    for name in THEMES:
        told = f"{title(words, name)}: {about(words, name)}"
        value = ", ".join((*chosen, name))
        if name not in chosen and wanted in f"{name} {told}".casefold() and len(value) <= LONGEST_CHOICE:
            shown = ", ".join((*(title(words, one) for one in chosen), told))
            found.append(app_commands.Choice(name=shown[:LONGEST_CHOICE], value=value))
    return found[:MOST_CHOICES]
