"""The controls of the panel in which a host chooses the game; each answers with the panel as it stands then.

The panel in which a lobby's host chooses the game: families of rule sets, and what each of them is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tables.seating.rules import Offer, folded
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door import interactions
from cogs.shared.door.components import (
    GREEN,
    Page,
    Part,
    button,
    buttons,
    container,
    page,
    section,
    select,
    separator,
    text,
)
from cogs.shared.door.interactions import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.family_menus import Family, argument_of, chosen_of, description, families, menu_of
from cogs.shared.telling.explain import explain
from cogs.shared.telling.names import base_name
from cogs.table.lobby_controls import host_look


def picker_panel(
    words: Words, look: TableSnapshot, those: Sequence[Family], *, family: str = "", note: str = "", back: str = ""
) -> Page:
    """The rule sets of one family, by default that of the favourites; `back` is the action of the way back."""
    shown = next((one for one in those if one.name == family), _first(those, look))
    top = [words("picker.title"), *([words("panel.note", note=note)] if note else [])]
    parts: list[Part | None] = [
        text("\n".join(top)),
        select(ControlId(look.id, look.version, "family"), words("picker.families"), menu_of(those, shown)),
        *(_game(words, look, shown, offer) for offer in shown.offers),
        separator(),
        buttons(
            button(ControlId(look.id, look.version, "options"), words("picker.house_rules")),
            button(ControlId(look.id, look.version, back), words("picker.back")) if back else None,
        ),
    ]
    return page([container(*parts, edge=GREEN)])


def _first(those: Sequence[Family], look: TableSnapshot) -> Family:
    """The server's own rules where the table plays some of them, else the favourites."""
    playing = (one for one in those if look.saved_as and any(_is_played(look, offer) for offer in one.offers))
    return next(playing, next(one for one in those if one.name == "favourites"))


def _is_played(look: TableSnapshot, offer: Offer) -> bool:
    if offer.saved or look.saved_as:
        return offer.saved and folded(offer.name) == folded(look.saved_as)
    return offer.name == look.rules


def _game(words: Words, look: TableSnapshot, family: Family, offer: Offer) -> Part:
    """A rule set with its button, which does nothing where the table plays it already."""
    played = _is_played(look, offer)
    label = words("picker.chosen" if played else "picker.choose")
    control = ControlId(look.id, look.version, "pick", f"{family.name}.{argument_of(offer)}")
    return section(description(words, offer), button(control, label, enabled=not played))


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
        words, caller = interactions.words_for(interaction), interactions.caller_of(interaction)
        family, _, argument = control.argument.partition(".")
        before = await host_look(self.context, interaction, control.table)
        offer = await self._offer(interaction, argument)
        try:
            look = await self.tables.rules.choose_rules(caller, control.table, offer.name)
            note = picked(words, before, look)
        except TableRefusal as refusal:
            look, note = await host_look(self.context, interaction, control.table), explain(words, refusal)
        await self._show(interaction, look, family=family, note=note)

    async def _offer(self, interaction: Interaction, argument: str) -> Offer:
        """The rules that a button names; rules that the server has forgotten since have no such button any more."""
        found = chosen_of(await self.tables.rules.offered_rules(interaction.guild_id or 0), argument)
        if found is None:
            raise InputProblem(InputCode.OLD_CONTROL)
        return found

    async def _show(
        self, interaction: Interaction, look: TableSnapshot, *, family: str = "", note: str = "", update: bool = True
    ) -> None:
        words = interactions.words_for(interaction)
        those = families(words, await self.tables.rules.offered_rules(interaction.guild_id or 0))
        back = BACK if BACK in self.context.router.actions else ""
        shown = picker_panel(words, look, those, family=family, note=note, back=back)
        await interactions.show(interaction, shown, update=update)


def picked(words: Words, before: TableSnapshot, look: TableSnapshot) -> str:
    """What choosing another game has changed, beside the game."""
    told = [words("picker.picked", table=look.id, rules=base_name(words, look), players=look.players)]
    if before.players != look.players:
        told.append(words("picker.other_players", before=before.players, players=look.players))
    if before.terms != before.base:
        told.append(words("picker.house_rules_gone"))
    return " ".join(told)
