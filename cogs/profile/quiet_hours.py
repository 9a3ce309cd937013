"""Choosing quiet hours: the buttons with usual hours, and the forms for other hours and the time zone."""

from __future__ import annotations

from typing import Final

from bot.clocks.quiet_hours import LONGEST, QuietWindow
from cogs.profile.quiet_hours_text import quiet_window_text
from cogs.profile.settings import answer_with_time_page, store_typed_time_zone
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import form
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import parse_hours
from cogs.shared.serving.context import Context
from cogs.shared.serving.quiet_hours import CHOSEN, NEVER, OTHER, ZONE, hours_argument
from cogs.shared.telling.status_text import discord_timestamp

ZONE_TYPED: Final = "quiet_zone_typed"
"""The form for a time zone; its argument may contain the quiet hours chosen before."""

HOURS_TYPED: Final = "quiet_typed"

Chosen = tuple[str, ...]


class QuietHoursControls:
    """Handlers of the buttons of `cogs.shared.serving.quiet_hours`, and of their forms."""

    def __init__(self, context: Context) -> None:
        self.context = context
        handlers = {
            ZONE: self.ask_time_zone,
            ZONE_TYPED: self.submit_time_zone,
            CHOSEN: self.choose_hours,
            OTHER: self.ask_hours,
            HOURS_TYPED: self.submit_hours,
            NEVER: self.remove_hours,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def ask_time_zone(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Open the form for the time zone, filled with the known one."""
        words = interactions.words_for(interaction)
        known = (await self.context.profiles.preferences_of(interaction.user.id)).zone
        typed = ControlId(0, 0, ZONE_TYPED, control.argument)
        window = form(typed, words("quiet.set_zone"), hint=words("quiet.zone_hint"), filled=known, required=True)
        await interactions.show_form(interaction, window)

    async def submit_time_zone(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Store the time zone, and the quiet hours that were chosen before it was known."""
        zone = await store_typed_time_zone(self.context, interaction, "".join(values[:1]))
        if control.argument:
            await self._save_hours(interaction, _parse_quiet_hours(zone, control.argument))
        else:
            note = interactions.words_for(interaction)("quiet.zone", zone=zone)
            await answer_with_time_page(self.context, interaction, note)

    async def choose_hours(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Set the quiet hours that a button offers; without a known time zone, first ask for it."""
        zone = (await self.context.profiles.preferences_of(interaction.user.id)).zone
        if zone:
            await self._save_hours(interaction, _parse_quiet_hours(zone, control.argument))
        else:
            _parse_quiet_hours("UTC", control.argument)
            await self.ask_time_zone(interaction, control, values)

    async def ask_hours(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        words = interactions.words_for(interaction)
        hint = words("quiet.hours_hint", most=LONGEST)
        window = form(ControlId(0, 0, HOURS_TYPED), words("quiet.ask"), hint=hint, filled="", required=True)
        await interactions.show_form(interaction, window)

    async def submit_hours(self, interaction: Interaction, _control: ControlId, values: Chosen) -> None:
        """Set the typed quiet hours; without a known time zone, ask for it first instead of assuming UTC."""
        typed = "".join(values[:1])
        found = parse_hours(typed, interactions.vocabulary_for(interaction))
        if found is None:
            raise InputProblem(InputCode.NO_HOURS, {"text": typed[:40]})
        if found[1] > LONGEST:
            raise InputProblem(InputCode.TOO_MANY_HOURS, {"hours": found[1], "most": LONGEST})
        zone = (await self.context.profiles.preferences_of(interaction.user.id)).zone
        if not zone:
            raise InputProblem(InputCode.ZONE_FIRST)
        await self._save_hours(interaction, _parse_quiet_hours(zone, hours_argument(*found)))

    async def remove_hours(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        await self._save_hours(interaction, None)

    async def _save_hours(self, interaction: Interaction, window: QuietWindow | None) -> None:
        """Store the quiet hours, and answer with the time from which they apply."""
        person, now, personal = interaction.user.id, self.context.clock.now(), self.context.personal_times
        before = await personal.hours_of(person)
        after = (
            before if before.quiet and before.window == window else await personal.set_quiet_hours(person, window, now)
        )
        words = interactions.words_for(interaction)
        hours, at = quiet_window_text(words, window), after.quiet[-1].at
        note = words("quiet.saved", hours=hours)
        if at > now:
            note = words("quiet.saved_from", hours=hours, when=discord_timestamp(at, "f"))
        await answer_with_time_page(self.context, interaction, note)


def _parse_quiet_hours(zone: str, argument: str) -> QuietWindow:
    """Return the quiet hours that a control's argument stores.

    Raises `InputProblem` unless a button offers them.
    """
    start, _, hours = argument.partition(".")
    try:
        return QuietWindow(zone, int(start), int(hours))
    except ValueError:
        raise InputProblem(InputCode.OLD_CONTROL) from None
