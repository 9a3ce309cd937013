"""Languages: who has chosen one is answered in it, whatever language Discord is set to."""

from __future__ import annotations

from cogs.shared.door.patience import Interaction
from cogs.shared.door.replies import LANGUAGE


async def note(interaction: Interaction) -> None:
    """Note the language that the person has chosen, for all that is answered to the interaction."""
    preferences = await interaction.client.context.profiles.person(interaction.user.id)
    if preferences.locale is not None:
        interaction.extras[LANGUAGE] = preferences.locale
