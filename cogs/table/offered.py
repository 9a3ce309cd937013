"""Rules as they are offered: in autocompletion and in the list of all."""

from __future__ import annotations

from typing import Final

from discord import app_commands

from bot.engine.rulesets import NOTES
from bot.engine.themes.library import THEMES
from bot.i18n import Words
from bot.i18n.theme_words import about, title
from bot.tables.offers import Offer
from cogs.shared import names, replies
from cogs.shared.board import rules_name
from cogs.shared.context import Context
from cogs.shared.errors import quiet
from cogs.shared.replies import Interaction

MOST_CHOICES: Final = 25
LONGEST_CHOICE: Final = 100


def offer_name(words: Words, offer: Offer) -> str:
    """What offered rules are called."""
    return names.shown(offer.name) if offer.saved else rules_name(words, offer.name)


def label(words: Words, offer: Offer) -> str:
    """Offered rules in one line of plain text: their name, for how many, and whether little is known of them."""
    name = offer.name if offer.saved else rules_name(words, offer.name)
    told = words("offer.rules", rules=name, offered=", ".join(map(str, offer.players)))
    if offer.saved:
        return told + words("offer.saved")
    return told + words("offer.little_known") if NOTES[offer.name].sure == "low" else told


async def choices(
    context: Context, interaction: Interaction, typed: str, *, saved_only: bool = False
) -> list[app_commands.Choice[str]]:
    """The rules of a server that fit what is typed so far, its own first."""
    found: tuple[Offer, ...] = ()
    async with quiet():
        guild = interaction.guild_id or 0
        found = await (context.tables.saved_rules(guild) if saved_only else context.tables.offered_rules(guild))
    words = replies.words_for(interaction)
    labelled = [(label(words, offer)[:LONGEST_CHOICE], offer.name) for offer in found]
    fitting = [one for one in labelled if typed.casefold() in " ".join(one).casefold()]
    return [app_commands.Choice(name=shown, value=name) for shown, name in fitting[:MOST_CHOICES]]


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
