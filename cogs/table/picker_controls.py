"""The controls of the panel in which a host chooses the game; each answers with the panel as it stands then."""

from __future__ import annotations

from typing import Final

from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.offers import Offer
from bot.tables.refusals import TableRefusal
from cogs.shared.door import replies
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.family_menus import chosen_of, families
from cogs.shared.telling.explain import explain
from cogs.shared.telling.rule_names import base_name
from cogs.table.lobby_changes import host_look
from cogs.table.picker import picker_panel

Chosen = tuple[str, ...]

BACK: Final = "setup"
"""The action that shows where the picker was opened from."""


class PickerControls:
    """Answers everything in the panel; what it is asked for is checked again by the table service."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        for action, handler in {"picker": self.open, "family": self.family, "pick": self.pick}.items():
            context.router.add(action, handler)

    async def open(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """From a private panel in its place; from the table's message in a message of its own."""
        look = await host_look(self.context, interaction, control.table)
        message = interaction.message
        await self._show(interaction, look, update=message is not None and message.flags.ephemeral)

    async def family(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        look = await host_look(self.context, interaction, control.table)
        await self._show(interaction, look, family=chosen[0] if chosen else "")

    async def pick(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """The argument is the family that is shown and, after a dot, the rules that are chosen in it."""
        words, caller = replies.words_for(interaction), replies.caller_of(interaction)
        family, _, argument = control.argument.partition(".")
        before = await host_look(self.context, interaction, control.table)
        offer = await self._offer(interaction, argument)
        try:
            look = await self.tables.choose_rules(caller, control.table, offer.name)
            note = picked(words, before, look)
        except TableRefusal as refusal:
            look, note = await host_look(self.context, interaction, control.table), explain(words, refusal)
        await self._show(interaction, look, family=family, note=note)

    async def _offer(self, interaction: Interaction, argument: str) -> Offer:
        """The rules that a button names; rules that the server has forgotten since have no such button any more."""
        found = chosen_of(await self.tables.offered_rules(interaction.guild_id or 0), argument)
        if found is None:
            raise InputProblem(InputCode.OLD_CONTROL)
        return found

    async def _show(
        self, interaction: Interaction, look: TableSnapshot, *, family: str = "", note: str = "", update: bool = True
    ) -> None:
        words = replies.words_for(interaction)
        those = families(words, await self.tables.offered_rules(interaction.guild_id or 0))
        back = BACK if BACK in self.context.router.actions else ""
        shown = picker_panel(words, look, those, family=family, note=note, back=back)
        await replies.show(interaction, shown, update=update)


def picked(words: Words, before: TableSnapshot, look: TableSnapshot) -> str:
    """What choosing another game has changed, beside the game."""
    told = [words("picker.picked", table=look.id, rules=base_name(words, look), players=look.players)]
    if before.players != look.players:
        told.append(words("picker.other_players", before=before.players, players=look.players))
    if before.terms != before.base:
        told.append(words("picker.house_rules_gone"))
    return " ".join(told)
