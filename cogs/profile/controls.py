"""The pages and menus of one's settings, and the panel as an answer."""

from __future__ import annotations

from collections.abc import Mapping

from bot.clocks.quiet import UnknownZone, Window, zone_named
from bot.profiles.preferences import CHOICES, ZONE
from bot.profiles.service import UnknownChoice
from cogs.profile.panel import LOOK, PAGES, PREFIX, TIME, TURN, VACATION, SettingsView, page_of, settings_panel
from cogs.profile.sample import SAMPLE
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.patience import in_panel
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing import pages

Chosen = tuple[str, ...]


class SettingsControls:
    """Answers every menu of the panel, and what turns its pages, in the panel's own message."""

    def __init__(self, context: Context) -> None:
        self.context = context
        for name in CHOICES:
            context.router.add(f"{PREFIX}{name}", self.choose)
        context.router.add(VACATION, self.vacation)
        context.router.add(TURN, self.turn)
        context.router.add("settings", self.open)

    async def open(self, interaction: Interaction, _control: ControlId, _chosen: Chosen) -> None:
        """One's settings, in a message of their own."""
        await replies.answer(interaction, settings_page(self.context, interaction, LOOK))

    async def turn(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        if control.argument not in PAGES:
            raise InputProblem(InputCode.OLD_CONTROL)
        # The panel stands in an answer that only the person sees.
        await replies.answer(interaction, settings_page(self.context, interaction, control.argument), update=True)

    async def choose(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        name = control.action.removeprefix(PREFIX)
        note = await choose(self.context, interaction, {name: chosen[0] if chosen else ""})
        making = settings_page(self.context, interaction, page_of(name), note=note)
        await replies.answer(interaction, making, update=True)

    async def vacation(self, interaction: Interaction, _control: ControlId, chosen: Chosen) -> None:
        await self.context.personal.set_automatic(interaction.user.id, automatic=chosen == ("on",))
        note = replies.words_for(interaction)("settings.saved")
        await replies.answer(interaction, settings_page(self.context, interaction, TIME, note=note), update=True)


async def choose(context: Context, interaction: Interaction, values: Mapping[str, str]) -> str:
    """Note choices by name; a word on what came of it. Raises `InputProblem` for one that is none, and notes none."""
    person = interaction.user.id
    try:
        preferences = await context.profiles.choose(person, values)
    except UnknownChoice:
        raise InputProblem(InputCode.OLD_CONTROL) from None
    if preferences.locale is not None:
        interaction.extras[replies.LANGUAGE] = preferences.locale
    elif "language" in values:
        interaction.extras.pop(replies.LANGUAGE, None)
    words = replies.words_for(interaction)
    return words("settings.saved") if values else ""


async def choose_zone(context: Context, interaction: Interaction, typed: str) -> str:
    """Note the time zone somebody has typed, for quiet hours too; its name. Raises `InputProblem`."""
    try:
        zone = zone_named(typed)
    except UnknownZone as unknown:
        if not unknown.near:
            raise InputProblem(InputCode.NO_ZONE_LIKE, {"zone": typed[:40]}) from None
        near = ", ".join(unknown.near)
        raise InputProblem(InputCode.UNKNOWN_ZONE, {"zone": typed[:40], "near": near}) from None
    person = interaction.user.id
    await context.profiles.choose(person, {ZONE: zone})
    window = (await context.personal.of(person)).window
    if window is not None and window.zone != zone:
        moved = Window(zone, window.start, window.hours)
        await context.personal.set_quiet(person, moved, context.clock.now())
    return zone


async def settings_page(context: Context, interaction: Interaction, page: str, *, note: str = "") -> Page:
    """A page of the panel as everything stands now."""
    person, words = interaction.user.id, replies.words_for(interaction)
    preferences = await context.profiles.person(person)
    personal, now = await context.personal.of(person), context.clock.now()
    if page != LOOK:
        return settings_panel(
            words, SettingsView(page=page, preferences=preferences, personal=personal, now=now, note=note)
        )
    picture = await context.pages.sample_picture(words, SAMPLE, preferences, serial=interaction.id % 1_000_000)
    told = "" if picture is not None else pages.told_sample(words, SAMPLE, preferences)
    shown = SettingsView(
        page=page, preferences=preferences, personal=personal, now=now, picture=picture, told=told, note=note
    )
    return settings_panel(words, shown)


async def answer_time(context: Context, interaction: Interaction, note: str) -> None:
    """The page of one's time: in place of a private message that was used, else as an answer of its own."""
    making = settings_page(context, interaction, TIME, note=note)
    await replies.answer(interaction, making, update=in_panel(interaction))
