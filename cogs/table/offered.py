"""Rules as they are offered: in autocompletion and in the list of all."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.engine.themes.library import THEMES
from bot.i18n import Words
from bot.i18n.theme_words import about, title
from bot.tables.offers import Offer
from cogs.shared.interactions import replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.errors import quiet
from cogs.shared.interactions.replies import Interaction
from cogs.shared.telling import choosing

MOST_CHOICES: Final = 25
LONGEST_CHOICE: Final = 100


async def choices(
    context: Context, interaction: Interaction, typed: str, *, saved_only: bool = False
) -> list[app_commands.Choice[str]]:
    """The rules of a server that fit what is typed so far, its own first, then the favourites."""
    found: tuple[Offer, ...] = ()
    async with quiet():
        guild = interaction.guild_id or 0
        found = await (context.tables.saved_rules(guild) if saved_only else context.tables.offered_rules(guild))
    words = replies.words_for(interaction)
    labelled = [(choosing.label(words, offer), offer.name) for offer in choosing.in_order(found)]
    fitting = [one for one in labelled if typed.casefold() in " ".join(one).casefold()]
    return [app_commands.Choice(name=_cut(shown), value=name) for shown, name in fitting[:MOST_CHOICES]]


def _cut(told: str) -> str:
    return told if len(told) <= LONGEST_CHOICE else told[: LONGEST_CHOICE - 1].rstrip() + "…"


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
