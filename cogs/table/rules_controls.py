"""The controls of pages of rules: each opens a private message beside the one it stands on."""

from __future__ import annotations

from bot.tables.offers import form_of
from cogs.shared.door import replies
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing import paragraph_pages
from cogs.shared.showing.family_menus import chosen_of, families
from cogs.shared.telling import cited, rules_text
from cogs.table.rules_pages import Subject, list_page, of_offer, of_table, rules_page

Chosen = tuple[str, ...]


class RulesControls:
    """Answers everything that leads to rules, from a table's messages and from pages of rules."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        handlers = {
            "rules": self.rules,
            "rules_read": self.read,
            "rules_family": self.family,
            "doubts": self.doubts,
            "every_point": self.every_point,
            paragraph_pages.ACTION: self.paragraph,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def rules(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The rules of a table, from its message or a panel."""
        await tell(interaction, await self._subject(interaction, control.table, ""))

    async def read(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The rules of a set in the list; its family stands before it."""
        argument = control.argument.partition(".")[2]
        await tell(interaction, await self._subject(interaction, 0, argument))

    async def family(self, interaction: Interaction, _control: ControlId, chosen: Chosen) -> None:
        await show_list(self.context, interaction, family=chosen[0] if chosen else "", update=True)

    async def doubts(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        subject = await self._subject(interaction, control.table, control.argument)
        words = replies.words_for(interaction)
        await replies.say(interaction, rules_text.doubts(words, subject.rules, name=subject.name))

    async def every_point(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        subject = await self._subject(interaction, control.table, control.argument)
        words = replies.words_for(interaction)
        for text in rules_text.every_point(words, subject.rules, name=subject.name):
            await replies.say(interaction, text)

    async def paragraph(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """The paragraph that a button names, or that is chosen in a menu."""
        number = control.argument or (chosen[0] if chosen else "")
        await show_paragraph(interaction, number)

    async def _subject(self, interaction: Interaction, table: int, argument: str) -> Subject:
        """The rules that a control is about: a table's, or as many players' of an offer."""
        words = replies.words_for(interaction)
        if table:
            return of_table(
                words, await self.tables.look_for(table, person=interaction.user.id, guild=interaction.guild_id)
            )
        players, _, name = argument.partition(".")
        offer = chosen_of(await self.tables.offered_rules(interaction.guild_id or 0), name)
        if offer is None or not players.isdecimal() or int(players) not in offer.forms:
            raise InputProblem(InputCode.OLD_CONTROL)
        return of_offer(words, offer, form_of(offer, int(players)))


async def tell(interaction: Interaction, subject: Subject) -> None:
    """Rules in as many private messages as they take; what leads further stands below the first."""
    await replies.show(interaction, rules_page(replies.words_for(interaction), subject))
    for text in subject.texts[1:]:
        await replies.say(interaction, text)


async def show_list(context: Context, interaction: Interaction, *, family: str = "", update: bool = False) -> None:
    """Everything that can be played in the server."""
    words, guild = replies.words_for(interaction), interaction.guild_id or 0
    offered, default = await context.tables.offered_rules(guild), await context.tables.default_rules(guild)
    shown = list_page(words, families(words, offered), default, family=family)
    await replies.show(interaction, shown, update=update)


async def show_paragraph(interaction: Interaction, number: str) -> None:
    """A paragraph, beside what it was opened from."""
    words = replies.words_for(interaction)
    if not cited.known(words, number):
        raise InputProblem(InputCode.NO_PARAGRAPH, {"number": number})
    await replies.show(interaction, paragraph_pages.paragraph_page(words, number))
