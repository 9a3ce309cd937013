"""Rules as autocompletion offers them."""

from __future__ import annotations

from discord import app_commands

from bot.tables.offers import Offer
from cogs.shared.door import replies
from cogs.shared.door.answering import quiet
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.discord_limits import LONGEST_CHOICE, MOST_CHOICES
from cogs.shared.serving.context import Context
from cogs.shared.telling import offer_text


async def choices(
    context: Context, interaction: Interaction, typed: str, *, saved_only: bool = False
) -> list[app_commands.Choice[str]]:
    """The rules of a server that fit what is typed so far, its own first, then the favourites."""
    found: tuple[Offer, ...] = ()
    async with quiet():
        guild = interaction.guild_id or 0
        found = await (context.tables.saved_rules(guild) if saved_only else context.tables.offered_rules(guild))
    words = replies.words_for(interaction)
    labelled = [(offer_text.label(words, offer), offer.name) for offer in offer_text.in_order(found)]
    fitting = [one for one in labelled if typed.casefold() in " ".join(one).casefold()]
    return [app_commands.Choice(name=_cut(shown), value=name) for shown, name in fitting[:MOST_CHOICES]]


def _cut(told: str) -> str:
    return told if len(told) <= LONGEST_CHOICE else told[: LONGEST_CHOICE - 1].rstrip() + "…"
