"""`/setup …`: a guild's settings, for people who may manage the guild."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.clocks.quiet_hours import zone_names_containing
from bot.profiles.guild_settings import IDLE, OPEN_TABLES, PAGES, THREADS, InvalidSetting, ServerSettings
from bot.profiles.preferences import UnknownChoice
from cogs.admin.open_seats_check import merge_typed_quiet_hours, require_mentionable_role, require_permission_to_post
from cogs.admin.permission_check import missing_permissions, missing_permissions_text, settings_text
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.interactions import Interaction, answer_in_time
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import option_choices
from cogs.shared.serving.context import Context
from cogs.shared.serving.roles import require_manager
from cogs.shared.telling import rules_text


@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
class SetupCommands(commands.GroupCog, group_name="setup"):
    """The command group `/setup`; Discord shows it only to guild managers, and the bot checks that again."""

    help_group = "yours"

    def __init__(self, context: Context) -> None:
        self.context = context

    @app_commands.command(name="theme")
    @app_commands.choices(theme=option_choices.value_choices("theme"), deck=option_choices.value_choices("deck"))
    async def theme(self, interaction: Interaction, theme: str | None = None, deck: str | None = None) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            guild = table_places.place_of_interaction(interaction).guild
            values = {name: value for name, value in (("theme", theme), ("deck", deck)) if value is not None}
            words = interactions.words_for(interaction)
            try:
                preferences = await self.context.profiles.change_server_preferences(guild, values)
            except UnknownChoice:
                raise InputProblem(InputCode.OLD_CONTROL) from None
            named = {
                name: option_choices.preference_value_name(words, name, getattr(preferences, name))
                for name in ("theme", "deck")
            }
            await interactions.answer_privately(interaction, words("settings.server", **named))
            if values:
                await self._redraw_boards(guild)

    @app_commands.command(name="channels")
    async def channels(
        self,
        interaction: Interaction,
        add: discord.TextChannel | None = None,
        remove: discord.TextChannel | None = None,
        everywhere: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            before = await self._load_settings(interaction)
            kept = () if everywhere else before.channels
            chosen = [one for one in kept if remove is None or one != remove.id]
            if add is not None and add.id not in chosen:
                chosen.append(add.id)
            await self._change_settings(interaction, channels=tuple(chosen))

    @app_commands.command(name="clock")
    async def clock(self, interaction: Interaction, clock: str) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, clock=option_choices.parse_clock(clock))

    @app_commands.command(name="language")
    @app_commands.choices(language=option_choices.value_choices("language"))
    async def language(self, interaction: Interaction, language: str) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, language=language)
            await self._redraw_boards(table_places.place_of_interaction(interaction).guild)

    @app_commands.command(name="threads")
    @app_commands.choices(threads=option_choices.value_choices("threads", THREADS))
    async def threads(self, interaction: Interaction, threads: str) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, threads=threads)

    @app_commands.command(name="limits")
    async def limits(self, interaction: Interaction, tables: app_commands.Range[int, *OPEN_TABLES]) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, open_tables=tables)

    @app_commands.command(name="idle")
    async def idle(self, interaction: Interaction, days: app_commands.Range[int, *IDLE]) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, idle=days)

    @app_commands.command(name="game-master")
    async def game_master(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, game_master=None if role is None else role.id)

    @app_commands.command(name="organiser")
    async def organiser(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, organiser=None if role is None else role.id)

    @app_commands.command(name="pages")
    @app_commands.choices(pages=option_choices.value_choices("pages", PAGES))
    async def pages(self, interaction: Interaction, pages: str) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await self._change_settings(interaction, pages=pages)
            await self.context.series.refresh_messages(table_places.place_of_interaction(interaction).guild)

    @app_commands.command(name="rules")
    async def rules(self, interaction: Interaction, rules: str) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            offer = await self.context.tables.rules.choose_default_rules(interactions.caller_of(interaction), rules)
            words = interactions.words_for(interaction)
            await interactions.answer_privately(
                interaction, words("done.rules_default", rules=rules_text.name_of_offered_rules(words, offer))
            )

    @app_commands.command(name="open-seats")
    async def open_seats(
        self,
        interaction: Interaction,
        *,
        channel: discord.TextChannel | None = None,
        role: discord.Role | None = None,
        quiet: str | None = None,
        zone: str | None = None,
        off: bool = False,
    ) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            server, before = interaction.guild, await self._load_settings(interaction)
            if server is None:
                raise InputProblem(InputCode.IN_SERVER_ONLY)
            if off:
                await self._change_settings(interaction, open_seats=None, call_role=None)
            else:
                here = table_places.place_of_interaction(interaction).channel
                there = before.open_seats or here if channel is None else channel.id
                window = merge_typed_quiet_hours(interaction, before.quiet, quiet, zone)
                require_permission_to_post(server, there)
                if role is not None:
                    require_mentionable_role(server, role, there)
                called = before.call_role if role is None else role.id
                if called is not None and window is None:
                    raise InputProblem(InputCode.SERVER_ZONE_FIRST)
                await self._change_settings(interaction, open_seats=there, call_role=called, quiet=window)
            await self.context.open_seats.update_message_at_once(server.id, interaction.user.id)

    @open_seats.autocomplete("zone")
    async def suggest_zones(self, _interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=one, value=one) for one in zone_names_containing(typed)]

    @app_commands.command(name="show")
    async def show(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            await interactions.answer_privately(interaction, await self._settings_lines(interaction))

    @app_commands.command(name="check")
    async def check(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            require_manager(interaction)
            server = interaction.guild
            if server is None:
                raise InputProblem(InputCode.IN_SERVER_ONLY)
            settings = await self._load_settings(interaction)
            looked_at = [one for one in server.text_channels if settings.allows_tables_in(one.id)]
            role = None if server.self_role is None else server.self_role.id
            words = interactions.words_for(interaction)
            text = missing_permissions_text(
                words, missing_permissions(server, looked_at), checked=len(looked_at), role=role
            )
            await interactions.answer_privately(interaction, text)

    @clock.autocomplete("clock")
    async def suggest_clocks(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return option_choices.clock_choices(interactions.words_for(interaction), typed)

    @rules.autocomplete("rules")
    async def suggest_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await option_choices.rule_choices(self.context, interaction, typed)

    async def _load_settings(self, interaction: Interaction) -> ServerSettings:
        return await self.context.servers.settings(table_places.place_of_interaction(interaction).guild)

    async def _change_settings(self, interaction: Interaction, **values: Any) -> None:
        """Store the given settings of the server, and answer with all of its settings."""
        guild = table_places.place_of_interaction(interaction).guild
        try:
            await self.context.servers.change_settings(guild, **values)
        except InvalidSetting as unfit:
            raise InputProblem(InputCode.UNFIT_SETTING, {"setting": str(unfit)}) from None
        words = interactions.words_for(interaction)
        await interactions.answer_privately(
            interaction, words("settings.saved"), await self._settings_lines(interaction)
        )

    async def _settings_lines(self, interaction: Interaction) -> str:
        words, guild = interactions.words_for(interaction), table_places.place_of_interaction(interaction).guild
        offer = await self.context.tables.rules.default_rules(guild)
        allowed = await self.context.tables.opening.table_limit_of(guild)
        settings = await self.context.servers.settings(guild)
        return settings_text(words, settings, rules=rules_text.name_of_offered_rules(words, offer), open_tables=allowed)

    async def _redraw_boards(self, guild: int) -> None:
        """Redraw the boards of the guild's open tables."""
        for table in await self.context.tables.reading.open_refs_in(guild):
            self.context.board_updater.request_update(table.id, rewrite=True)
        self.context.open_seats.request_update(guild)
