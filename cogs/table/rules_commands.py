"""`/rules …`: what is played at a table, and the rules that a server saves."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.tables.offers import form_of
from cogs.shared.door import replies, table_places
from cogs.shared.door.answering import answered, quiet
from cogs.shared.door.replies import Interaction
from cogs.shared.reading import discord_limits
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import resolve, rule_offers
from cogs.shared.serving.context import Context
from cogs.shared.telling import cited, offer_text
from cogs.table.rules_controls import show_list, show_paragraph, tell
from cogs.table.rules_pages import of_offer, of_table


@app_commands.guild_only()
class RulesCommands(commands.GroupCog, group_name="rules"):
    """The group `/rules`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables

    @app_commands.command(name="show")
    async def show(
        self, interaction: Interaction, table: str | None = None, rules: str | None = None, players: int | None = None
    ) -> None:
        async with answered(interaction):
            words = replies.words_for(interaction)
            if rules is not None:
                offer = await self.tables.rules_named(table_places.of_interaction(interaction).guild, rules)
                await tell(interaction, of_offer(words, offer, form_of(offer, players)))
                return
            number = await resolve.any_table(self.tables, interaction, table)
            await tell(
                interaction,
                of_table(
                    words, await self.tables.look_for(number, person=interaction.user.id, guild=interaction.guild_id)
                ),
            )

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        async with answered(interaction):
            table_places.of_interaction(interaction)
            await show_list(self.context, interaction)

    @app_commands.command(name="paragraph")
    async def paragraph(self, interaction: Interaction, number: str) -> None:
        async with answered(interaction):
            await show_paragraph(interaction, number.removeprefix("§").strip())

    @app_commands.command(name="save")
    async def save(self, interaction: Interaction, name: str, table: str | None = None) -> None:
        async with answered(interaction):
            _require_manager(interaction)
            number = await resolve.any_table(self.tables, interaction, table)
            offer, replaced = await self.tables.save_rules(replies.caller_of(interaction), number, name)
            words = replies.words_for(interaction)
            key = "done.rules_replaced" if replaced else "done.rules_saved"
            await replies.say(interaction, words(key, rules=offer_text.offer_name(words, offer), table=number))

    @app_commands.command(name="default")
    async def default(self, interaction: Interaction, rules: str) -> None:
        async with answered(interaction):
            _require_manager(interaction)
            offer = await self.tables.choose_default_rules(replies.caller_of(interaction), rules)
            words = replies.words_for(interaction)
            await replies.say(interaction, words("done.rules_default", rules=offer_text.offer_name(words, offer)))

    @app_commands.command(name="forget")
    async def forget(self, interaction: Interaction, rules: str) -> None:
        async with answered(interaction):
            _require_manager(interaction)
            offer = await self.tables.forget_rules(replies.caller_of(interaction), rules)
            words = replies.words_for(interaction)
            await replies.say(interaction, words("done.rules_forgotten", rules=offer_text.offer_name(words, offer)))

    @show.autocomplete("table")
    @save.autocomplete("table")
    async def suggest_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with quiet():
            found = await resolve.choices(self.tables, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @show.autocomplete("rules")
    @default.autocomplete("rules")
    async def suggest_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await rule_offers.choices(self.context, interaction, typed)

    @paragraph.autocomplete("number")
    async def suggest_paragraphs(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        words = replies.words_for(interaction)
        found = [(number, cited.title(words, number)) for number in cited.numbers(words)]
        return [
            app_commands.Choice(name=label, value=number)
            for number, label in found
            if typed.casefold() in f"{number} {label}".casefold()
        ][: discord_limits.MOST_CHOICES]

    @save.autocomplete("name")
    @forget.autocomplete("rules")
    async def suggest_saved(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await rule_offers.choices(self.context, interaction, typed, saved_only=True)


def _require_manager(interaction: Interaction) -> None:
    if not interaction.permissions.manage_guild:
        raise InputProblem(InputCode.NOT_MANAGER)
