"""`/rules …`: what is played at a table, and the rules that a server saves."""

from __future__ import annotations

from discord import app_commands
from discord.ext import commands

from bot.i18n import Words
from bot.tables.offers import Offer, form_of
from cogs.shared import parameters, places, replies, resolve, rules_text
from cogs.shared.context import Context
from cogs.shared.errors import answered, quiet
from cogs.shared.inputs import InputCode, InputProblem
from cogs.shared.replies import Interaction
from cogs.table import offered


@app_commands.guild_only()
class RulesCommands(commands.GroupCog, group_name="rules", group_description="The rules of tables and of this server"):
    """The group `/rules`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables

    @app_commands.command(name="show", description="The rules at a table, or of a rule set")
    @app_commands.describe(
        table="The table, if there are several",
        rules="A rule set to read about instead",
        players="For how many players, as that rule set offers",
    )
    async def show(
        self, interaction: Interaction, table: str | None = None, rules: str | None = None, players: int | None = None
    ) -> None:
        async with answered(interaction):
            words = replies.words_for(interaction)
            if rules is not None:
                offer = await self.tables.rules_named(places.of_interaction(interaction).guild, rules)
                form = form_of(offer, players)
                await _tell(
                    interaction, rules_text.pages(words, form, form.target, name=offered.offer_name(words, offer))
                )
                return
            number = await resolve.any_table(self.tables, interaction, table)
            look = await self.tables.look_for(number, guild=interaction.guild_id)
            await _tell(interaction, rules_text.of_table(words, look))

    @app_commands.command(name="list", description="All rules that a table can be opened with")
    async def list_(self, interaction: Interaction) -> None:
        async with answered(interaction):
            guild, words = places.of_interaction(interaction).guild, replies.words_for(interaction)
            everything, default = await self.tables.offered_rules(guild), await self.tables.default_rules(guild)
            own = [_listed(words, offer, default) for offer in everything if offer.saved]
            program = [_listed(words, offer, default) for offer in everything if not offer.saved]
            lines = [words("rules_list.own"), *own] if own else [words("rules_list.none")]
            await _tell(interaction, rules_text.paged([*lines, words("rules_list.program"), *program]))

    @app_commands.command(name="save", description="Keep a table's rules for this server under a name")
    @app_commands.describe(name="How the rules are to be called", table="The table, if there are several")
    async def save(self, interaction: Interaction, name: str, table: str | None = None) -> None:
        async with answered(interaction):
            _require_manager(interaction)
            number = await resolve.any_table(self.tables, interaction, table)
            offer, replaced = await self.tables.save_rules(replies.caller_of(interaction), number, name)
            words = replies.words_for(interaction)
            key = "done.rules_replaced" if replaced else "done.rules_saved"
            await replies.say(interaction, words(key, rules=offered.offer_name(words, offer), table=number))

    @app_commands.command(name="default", description="The rules of new tables where nobody says which")
    @app_commands.describe(rules="The rules")
    async def default(self, interaction: Interaction, rules: str) -> None:
        async with answered(interaction):
            _require_manager(interaction)
            offer = await self.tables.choose_default_rules(replies.caller_of(interaction), rules)
            words = replies.words_for(interaction)
            await replies.say(interaction, words("done.rules_default", rules=offered.offer_name(words, offer)))

    @app_commands.command(name="forget", description="Keep rules of this server no longer; tables that play them go on")
    @app_commands.describe(rules="The rules")
    async def forget(self, interaction: Interaction, rules: str) -> None:
        async with answered(interaction):
            _require_manager(interaction)
            offer = await self.tables.forget_rules(replies.caller_of(interaction), rules)
            words = replies.words_for(interaction)
            await replies.say(interaction, words("done.rules_forgotten", rules=offered.offer_name(words, offer)))

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
        return await offered.choices(self.context, interaction, typed)

    @save.autocomplete("name")
    @forget.autocomplete("rules")
    async def suggest_saved(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await offered.choices(self.context, interaction, typed, saved_only=True)


def _require_manager(interaction: Interaction) -> None:
    if not interaction.permissions.manage_guild:
        raise InputProblem(InputCode.NOT_MANAGER)


async def _tell(interaction: Interaction, pages: list[str]) -> None:
    """Rules may be longer than one message."""
    for text in pages:
        await replies.say(interaction, text)


def _listed(words: Words, offer: Offer, default: Offer) -> str:
    line = words(
        "rules_list.line",
        rules=offered.offer_name(words, offer),
        players=", ".join(map(str, offer.players)),
        differences=len(parameters.differences(words, form_of(offer, None))),
    )
    return line + (words("rules_list.default") if offer == default else "")
