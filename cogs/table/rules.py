"""`/rules …` and its controls: show rules, list rule sets, and save a guild's own rule sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from discord import app_commands
from discord.ext import commands

from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from bot.tables.seating.lobby_rules import RulesOffer, rules_for_players
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page, Part, button, button_row, container, page, section, select, text
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.reading import custom_ids
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import option_choices, which_table
from cogs.shared.serving.context import Context
from cogs.shared.showing import paragraphs
from cogs.shared.showing.family_menus import (
    FamilyPage,
    family_options,
    family_pages,
    offer_argument,
    offer_description,
    offer_of_argument,
)
from cogs.shared.showing.paragraphs import paragraph_menu
from cogs.shared.telling import explanations, rules_text
from cogs.shared.telling.names import table_rules_name


@dataclass(frozen=True, slots=True)
class ShownRules:
    """The rules that a page shows: a table's, or a rule set's for some number of players.

    `argument` names them in controls.
    """

    name: str
    rules: RuleSet
    texts: tuple[str, ...]
    table: int = 0
    argument: str = ""


def shown_rules_of_table(words: Words, snapshot: TableSnapshot) -> ShownRules:
    """Return the rules of a table, for the pages that show them."""
    texts = tuple(rules_text.table_rules_pages(words, snapshot))
    return ShownRules(table_rules_name(words, snapshot), snapshot.terms, texts, table=snapshot.id)


def shown_rules_of_offer(words: Words, offer: RulesOffer, rules: RuleSet) -> ShownRules:
    """Return the rules of a rule set, for the pages that show them."""
    name = rules_text.name_of_offered_rules(words, offer)
    texts = tuple(rules_text.rules_pages(words, rules, name=name))
    return ShownRules(name, rules, texts, argument=f"{rules.players}.{offer_argument(offer)}")


def rules_page(words: Words, subject: ShownRules) -> Page:
    """Return the first message of the rules, with the buttons to further pages."""
    parts = [
        text(subject.texts[0]),
        paragraph_menu(words, subject.rules),
        button_row(
            button(ControlId(subject.table, 0, "doubts", subject.argument), words("rules_page.doubts")),
            button(ControlId(subject.table, 0, "every_point", subject.argument), words("rules_page.every_point")),
        ),
    ]
    return page([container(*parts)])


def rule_list_page(words: Words, families: Sequence[FamilyPage], default: RulesOffer, *, family: str = "") -> Page:
    """Return the page that lists the rule sets of a family, each with a button that shows its rules."""
    shown = next((one for one in families if one.name == family), families[0])
    own = any(offer.saved for one in families for offer in one.offers)
    top = [words("rules_list.title"), *([] if own else [words("rules_list.none")])]
    parts: list[Part | None] = [
        text("\n".join(top)),
        select(ControlId(0, 0, "rules_family"), words("picker.families"), family_options(families, shown)),
        *(_rule_set_section(words, shown, offer, usual=offer == default) for offer in shown.offers),
    ]
    return page([container(*parts)])


def _rule_set_section(words: Words, family: FamilyPage, offer: RulesOffer, *, usual: bool) -> Part:
    shown = offer_description(words, offer) + (words("rules_list.default") if usual else "")
    control = ControlId(0, 0, "rules_read", f"{family.name}.{offer.usual_players}.{offer_argument(offer)}")
    return section(shown, button(control, words("board.rules")))


Chosen = tuple[str, ...]


class RulesControls:
    """Handlers of the controls that show rules, on a table's messages and on pages of rules."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "rules": self.show_table_rules,
            "rules_read": self.show_rule_set,
            "rules_family": self.show_family,
            "doubts": self.show_sources_and_doubts,
            "every_point": self.show_every_parameter,
            paragraphs.ACTION: self.show_chosen_paragraph,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def show_table_rules(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the rules of a table."""
        await send_rules(interaction, await self._find_shown_rules(interaction, control.table, ""))

    async def show_rule_set(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the rules of a rule set in the list; the argument begins with its family."""
        argument = control.argument.partition(".")[2]
        await send_rules(interaction, await self._find_shown_rules(interaction, 0, argument))

    async def show_family(self, interaction: Interaction, _control: ControlId, values: Chosen) -> None:
        await show_rule_list(self.context, interaction, family=values[0] if values else "", update=True)

    async def show_sources_and_doubts(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        subject = await self._find_shown_rules(interaction, control.table, control.argument)
        words = interactions.words_for(interaction)
        await interactions.answer_privately(
            interaction, rules_text.sources_and_doubts_text(words, subject.rules, name=subject.name)
        )

    async def show_every_parameter(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        subject = await self._find_shown_rules(interaction, control.table, control.argument)
        words = interactions.words_for(interaction)
        for paragraph in rules_text.all_parameter_pages(words, subject.rules, name=subject.name):
            await interactions.answer_privately(interaction, paragraph)

    async def show_chosen_paragraph(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Show the numbered rule that a button names or that was chosen in a menu."""
        number = control.argument or (values[0] if values else "")
        await show_paragraph(interaction, number)

    async def _find_shown_rules(self, interaction: Interaction, table: int, argument: str) -> ShownRules:
        """Return the rules that a button names: a table's, or a rule set's for a number of players."""
        words = interactions.words_for(interaction)
        if table:
            return shown_rules_of_table(
                words,
                await self.tables.reading.snapshot_for(table, person=interaction.user.id, guild=interaction.guild_id),
            )
        players, _, name = argument.partition(".")
        offer = offer_of_argument(await self.tables.rules.offered_rules(interaction.guild_id or 0), name)
        if offer is None or not players.isdecimal() or int(players) not in offer.forms:
            raise InputProblem(InputCode.OLD_CONTROL)
        return shown_rules_of_offer(words, offer, rules_for_players(offer, int(players)))


async def send_rules(interaction: Interaction, subject: ShownRules) -> None:
    """Send the rules in as many private messages as needed; the buttons are below the first."""
    await interactions.show_page(interaction, rules_page(interactions.words_for(interaction), subject))
    for paragraph in subject.texts[1:]:
        await interactions.answer_privately(interaction, paragraph)


async def show_rule_list(context: Context, interaction: Interaction, *, family: str = "", update: bool = False) -> None:
    """Show the list of all rule sets that the guild offers."""
    words, guild = interactions.words_for(interaction), interaction.guild_id or 0
    offered, default = await context.tables.rules.offered_rules(guild), await context.tables.rules.default_rules(guild)
    shown = rule_list_page(words, family_pages(words, offered), default, family=family)
    await interactions.show_page(interaction, shown, update=update)


async def show_paragraph(interaction: Interaction, paragraph: str) -> None:
    """Show a numbered rule in a new private message."""
    words = interactions.words_for(interaction)
    if not explanations.is_rules_paragraph(words, paragraph):
        raise InputProblem(InputCode.NO_PARAGRAPH, {"number": paragraph})
    await interactions.show_page(interaction, paragraphs.paragraph_page(words, paragraph))


@app_commands.guild_only()
class RulesCommands(commands.GroupCog, group_name="rules"):
    """The command group `/rules`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables

    @app_commands.command(name="show")
    async def show(
        self, interaction: Interaction, table: str | None = None, rules: str | None = None, players: int | None = None
    ) -> None:
        async with answer_in_time(interaction):
            words = interactions.words_for(interaction)
            if rules is not None:
                offer = await self.tables.rules.rules_named(table_places.place_of_interaction(interaction).guild, rules)
                await send_rules(interaction, shown_rules_of_offer(words, offer, rules_for_players(offer, players)))
                return
            number = await which_table.find_any_table(self.tables, interaction, table)
            await send_rules(
                interaction,
                shown_rules_of_table(
                    words,
                    await self.tables.reading.snapshot_for(
                        number, person=interaction.user.id, guild=interaction.guild_id
                    ),
                ),
            )

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            table_places.place_of_interaction(interaction)
            await show_rule_list(self.context, interaction)

    @app_commands.command(name="paragraph")
    async def paragraph(self, interaction: Interaction, number: str) -> None:
        async with answer_in_time(interaction):
            await show_paragraph(interaction, number.removeprefix("§").strip())

    @app_commands.command(name="save")
    async def save(self, interaction: Interaction, name: str, table: str | None = None) -> None:
        async with answer_in_time(interaction):
            _require_manager(interaction)
            number = await which_table.find_any_table(self.tables, interaction, table)
            offer, replaced = await self.tables.rules.save_rules(interactions.caller_of(interaction), number, name)
            words = interactions.words_for(interaction)
            key = "done.rules_replaced" if replaced else "done.rules_saved"
            await interactions.answer_privately(
                interaction, words(key, rules=rules_text.name_of_offered_rules(words, offer), table=number)
            )

    @app_commands.command(name="default")
    async def default(self, interaction: Interaction, rules: str) -> None:
        async with answer_in_time(interaction):
            _require_manager(interaction)
            offer = await self.tables.rules.choose_default_rules(interactions.caller_of(interaction), rules)
            words = interactions.words_for(interaction)
            await interactions.answer_privately(
                interaction, words("done.rules_default", rules=rules_text.name_of_offered_rules(words, offer))
            )

    @app_commands.command(name="forget")
    async def forget(self, interaction: Interaction, rules: str) -> None:
        async with answer_in_time(interaction):
            _require_manager(interaction)
            offer = await self.tables.rules.forget_rules(interactions.caller_of(interaction), rules)
            words = interactions.words_for(interaction)
            await interactions.answer_privately(
                interaction, words("done.rules_forgotten", rules=rules_text.name_of_offered_rules(words, offer))
            )

    @show.autocomplete("table")
    @save.autocomplete("table")
    async def suggest_tables(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            found = await which_table.table_choices(self.tables, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @show.autocomplete("rules")
    @default.autocomplete("rules")
    async def suggest_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await option_choices.rule_choices(self.context, interaction, typed)

    @paragraph.autocomplete("number")
    async def suggest_paragraphs(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        words = interactions.words_for(interaction)
        found = [
            (number, explanations.paragraph_title(words, number)) for number in explanations.paragraph_numbers(words)
        ]
        return [
            app_commands.Choice(name=label, value=number)
            for number, label in found
            if typed.casefold() in f"{number} {label}".casefold()
        ][: custom_ids.MOST_CHOICES]

    @save.autocomplete("name")
    @forget.autocomplete("rules")
    async def suggest_saved_rules(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return await option_choices.rule_choices(self.context, interaction, typed, saved_only=True)


def _require_manager(interaction: Interaction) -> None:
    if not interaction.permissions.manage_guild:
        raise InputProblem(InputCode.NOT_MANAGER)
