"""The menus of one's settings, and the panel as an answer."""

from __future__ import annotations

from collections.abc import Mapping

from bot.profiles.preferences import CHOICES
from bot.profiles.service import UnknownChoice
from cogs.profile.panel import PREFIX, settings_panel
from cogs.profile.sample import SAMPLE
from cogs.shared.interactions import replies
from cogs.shared.interactions.context import Context
from cogs.shared.interactions.ids import ControlId
from cogs.shared.interactions.inputs import InputCode, InputProblem
from cogs.shared.interactions.layout import Page
from cogs.shared.interactions.replies import Interaction
from cogs.shared.private import pages


class SettingsControls:
    """Answers every menu of the panel, in the panel's own message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        for name in CHOICES:
            context.router.add(f"{PREFIX}{name}", self.choose)
        context.router.add("settings", self.open)

    async def open(self, interaction: Interaction, _control: ControlId, _chosen: tuple[str, ...]) -> None:
        """One's settings, in a message of their own."""
        await replies.answer(interaction, settings_page(self.context, interaction, {}))

    async def choose(self, interaction: Interaction, control: ControlId, chosen: tuple[str, ...]) -> None:
        values = {control.action.removeprefix(PREFIX): chosen[0] if chosen else ""}
        # The menus stand in an answer that only the person sees.
        await replies.answer(interaction, settings_page(self.context, interaction, values), update=True)


async def settings_page(context: Context, interaction: Interaction, values: Mapping[str, str]) -> Page:
    """The panel after those choices, by name. Raises `InputProblem` for one that does not exist, and saves none."""
    person, words = interaction.user.id, replies.words_for(interaction)
    try:
        preferences = await (context.profiles.choose(person, values) if values else context.profiles.person(person))
    except UnknownChoice:
        raise InputProblem(InputCode.OLD_CONTROL) from None
    picture = await context.pages.sample_picture(words, SAMPLE, preferences, serial=interaction.id % 1_000_000)
    told = "" if picture is not None else pages.told_sample(words, SAMPLE, preferences)
    note = words("settings.saved") if values else ""
    return settings_panel(words, preferences, picture=picture, told=told, note=note)
