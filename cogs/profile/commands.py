"""`/me …`: the person's settings, games, planned vacation and blocks."""

from __future__ import annotations

from datetime import date

from discord import User, app_commands
from discord.ext import commands

from bot.clocks.quiet_hours import DAY, zone_names_containing
from bot.clocks.quiet_hours_and_vacation import VacationCode, VacationProblem
from cogs.profile import blocks, games_of_a_person
from cogs.profile.export_and_delete import PersonalDataCommands
from cogs.profile.settings import (
    LOOK,
    TIME,
    answer_with_time_page,
    page_of_setting,
    settings_page,
    store_settings,
    store_typed_time_zone,
)
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction, answer_in_time
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import current_date, days_between, midnight, parse_day
from cogs.shared.serving import option_choices
from cogs.shared.serving.context import Context
from cogs.shared.telling.status_text import discord_timestamp


async def plan_vacation(context: Context, interaction: Interaction, first: str, last: str) -> None:
    """Plan vacation from the first to the last day, both included, in the person's time zone.

    If the first day is today, the vacation begins now.
    """
    person, now = interaction.user.id, context.clock.now()
    zone = (await context.profiles.preferences_of(person)).zone
    today = current_date(zone, now)
    begins, ends = _parse_day(first, today), _parse_day(last, today)
    days = days_between(begins, ends)
    if begins < today or days < 1:
        raise InputProblem(InputCode.AWAY_ORDER)
    start = max(midnight(begins, zone), now)
    try:
        personal = await context.personal_times.plan_vacation(person, start, start + days * DAY, now)
    except VacationProblem as problem:
        code = InputCode.AWAY_DAYS if problem.code is VacationCode.DAYS else InputCode.AWAY_ORDER
        raise InputProblem(code, problem.detail) from None
    planned = personal.vacations[-1]
    words = interactions.words_for(interaction)
    note = words("quiet.away", start=discord_timestamp(planned.start, "f"), end=discord_timestamp(planned.end, "f"))
    await answer_with_time_page(context, interaction, note)


def _parse_day(text: str, today: date) -> date:
    found = parse_day(text, today)
    if found is None:
        raise InputProblem(InputCode.NOT_A_DAY, {"text": text[:40]})
    return found


@app_commands.guild_only()
class ProfileCommands(PersonalDataCommands, commands.GroupCog, group_name="me"):
    """The command group `/me`; its commands on personal data are in `PersonalDataCommands`."""

    help_group = "yours"

    def __init__(self, context: Context) -> None:
        self.context = context

    @app_commands.command(name="settings")
    @app_commands.rename(text_only="text-only")
    @app_commands.choices(
        theme=option_choices.value_choices("theme"),
        deck=option_choices.value_choices("deck"),
        order=option_choices.value_choices("order"),
        drawing=option_choices.value_choices("drawing"),
        discarding=option_choices.value_choices("discarding"),
        language=option_choices.value_choices("language"),
    )
    async def settings(
        self,
        interaction: Interaction,
        *,
        text_only: bool | None = None,
        theme: str | None = None,
        deck: str | None = None,
        order: str | None = None,
        drawing: str | None = None,
        discarding: str | None = None,
        language: str | None = None,
        zone: str | None = None,
    ) -> None:
        async with answer_in_time(interaction):
            wanted = {
                "pictures": None if text_only is None else "text" if text_only else "pictures",
                "theme": theme,
                "deck": deck,
                "order": order,
                "drawing": drawing,
                "discarding": discarding,
                "language": language,
            }
            values = {name: value for name, value in wanted.items() if value is not None}
            page = next(map(page_of_setting, values), LOOK if zone is None else TIME)
            if zone is not None:
                await store_typed_time_zone(self.context, interaction, zone)
            note = await store_settings(self.context, interaction, values)
            note = note if zone is None else interactions.words_for(interaction)("settings.saved")
            await interactions.answer_with_page(interaction, settings_page(self.context, interaction, page, note=note))

    @settings.autocomplete("zone")
    async def suggest_zones(self, _interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=zone, value=zone) for zone in zone_names_containing(typed)]

    @app_commands.command(name="away")
    @app_commands.rename(first="from", last="until")
    async def away(self, interaction: Interaction, first: str, last: str) -> None:
        async with answer_in_time(interaction):
            await plan_vacation(self.context, interaction, first, last)

    @app_commands.command(name="games")
    async def games(self, interaction: Interaction, finished: bool = False) -> None:  # noqa: FBT001, FBT002
        async with answer_in_time(interaction):
            page = games_of_a_person.finished_games_page if finished else games_of_a_person.open_games_page
            await interactions.answer_with_page(interaction, page(self.context, interaction))

    @app_commands.command(name="block")
    async def block(self, interaction: Interaction, person: User) -> None:
        async with answer_in_time(interaction):
            await blocks.block_person(self.context, interaction, person.id)

    @app_commands.command(name="unblock")
    async def unblock(self, interaction: Interaction, person: User) -> None:
        async with answer_in_time(interaction):
            await blocks.unblock_person(self.context, interaction, person.id)

    @app_commands.command(name="joiners")
    @app_commands.choices(who=option_choices.value_choices("joiners"))
    async def joiners(self, interaction: Interaction, who: str | None = None) -> None:
        async with answer_in_time(interaction):
            await blocks.choose_who_may_join(self.context, interaction, who)
