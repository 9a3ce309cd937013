"""The panel in which a lobby's host chooses the rule set, family by family, and its controls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.i18n import Words
from bot.tables.seating.lobby_rules import RulesOffer, comparison_key
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import (
    GREEN,
    Page,
    Part,
    button,
    button_row,
    container,
    page,
    section,
    select,
    separator,
    text,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.showing.family_menus import (
    FamilyPage,
    family_options,
    family_pages,
    offer_argument,
    offer_description,
    offer_of_argument,
)
from cogs.shared.telling.explanations import explain_problem
from cogs.shared.telling.names import original_rules_name
from cogs.table.lobby_controls import require_lobby_host


def picker_panel(
    words: Words,
    snapshot: TableSnapshot,
    families: Sequence[FamilyPage],
    *,
    family: str = "",
    note: str = "",
    back_action: str = "",
) -> Page:
    """Return the panel with one family of rule sets; `back_action` is the action of its back button."""
    shown = next((one for one in families if one.name == family), _first_family(families, snapshot))
    top = [words("picker.title"), *([words("panel.note", note=note)] if note else [])]
    parts: list[Part | None] = [
        text("\n".join(top)),
        select(
            ControlId(snapshot.id, snapshot.version, "family"),
            words("picker.families"),
            family_options(families, shown),
        ),
        *(_game_section(words, snapshot, shown, offer) for offer in shown.offers),
        separator(),
        button_row(
            button(ControlId(snapshot.id, snapshot.version, "options"), words("picker.house_rules")),
            button(ControlId(snapshot.id, snapshot.version, back_action), words("picker.back"))
            if back_action
            else None,
        ),
    ]
    return page([container(*parts, edge=GREEN)])


def _first_family(families: Sequence[FamilyPage], snapshot: TableSnapshot) -> FamilyPage:
    """Return the family to show first: the guild's saved rules if the table uses one, else the favourites."""
    playing = (
        one
        for one in families
        if snapshot.saved_as and any(_is_current_rule_set(snapshot, offer) for offer in one.offers)
    )
    return next(playing, next(one for one in families if one.name == "favourites"))


def _is_current_rule_set(snapshot: TableSnapshot, offer: RulesOffer) -> bool:
    if offer.saved or snapshot.saved_as:
        return offer.saved and comparison_key(offer.name) == comparison_key(snapshot.saved_as)
    return offer.name == snapshot.rules


def _game_section(words: Words, snapshot: TableSnapshot, family: FamilyPage, offer: RulesOffer) -> Part:
    """Return a rule set's description with a button to choose it; disabled if the table already plays it."""
    played = _is_current_rule_set(snapshot, offer)
    label = words("picker.chosen" if played else "picker.choose")
    control = ControlId(snapshot.id, snapshot.version, "pick", f"{family.name}.{offer_argument(offer)}")
    return section(offer_description(words, offer), button(control, label, enabled=not played))


Chosen = tuple[str, ...]

BACK: Final = "setup"
"""The action that leads back to the panel from which the picker was opened."""


class RuleSetPickerControls:
    """Handlers of the controls of the panel to choose rules; the table service checks every request again."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        for action, handler in {
            "picker": self.open_picker,
            "family": self.show_family,
            "pick": self.choose_rule_set,
        }.items():
            context.router.add(action, handler)

    async def open_picker(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Open the picker: in place of a private panel, or as a new message from the table's message."""
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        message = interaction.message
        await self._show_picker(interaction, snapshot, update=message is not None and message.flags.ephemeral)

    async def show_family(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        snapshot = await require_lobby_host(self.context, interaction, control.table)
        await self._show_picker(interaction, snapshot, family=values[0] if values else "")

    async def choose_rule_set(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Choose a rule set; the argument is the family and, after a dot, the rule set's name."""
        words, caller = interactions.words_for(interaction), interactions.caller_of(interaction)
        family, _, argument = control.argument.partition(".")
        before = await require_lobby_host(self.context, interaction, control.table)
        offer = await self._find_offer(interaction, argument)
        try:
            snapshot = await self.tables.rules.choose_rules(caller, control.table, offer.name)
            note = rule_set_change_text(words, before, snapshot)
        except TableRefusal as refusal:
            snapshot, note = (
                await require_lobby_host(self.context, interaction, control.table),
                explain_problem(words, refusal),
            )
        await self._show_picker(interaction, snapshot, family=family, note=note)

    async def _find_offer(self, interaction: Interaction, argument: str) -> RulesOffer:
        """Return the rule set that a button names. Raises `InputProblem` if the guild has deleted it since."""
        found = offer_of_argument(await self.tables.rules.offered_rules(interaction.guild_id or 0), argument)
        if found is None:
            raise InputProblem(InputCode.OLD_CONTROL)
        return found

    async def _show_picker(
        self,
        interaction: Interaction,
        snapshot: TableSnapshot,
        *,
        family: str = "",
        note: str = "",
        update: bool = True,
    ) -> None:
        words = interactions.words_for(interaction)
        those = family_pages(words, await self.tables.rules.offered_rules(interaction.guild_id or 0))
        back = BACK if BACK in self.context.router.actions else ""
        shown = picker_panel(words, snapshot, those, family=family, note=note, back_action=back)
        await interactions.show_page(interaction, shown, update=update)


def rule_set_change_text(words: Words, snapshot_before: TableSnapshot, snapshot: TableSnapshot) -> str:
    """Return what choosing another rule set has changed, including players and house rules."""
    texts = [
        words("picker.picked", table=snapshot.id, rules=original_rules_name(words, snapshot), players=snapshot.players)
    ]
    if snapshot_before.players != snapshot.players:
        texts.append(words("picker.other_players", before=snapshot_before.players, players=snapshot.players))
    if snapshot_before.terms != snapshot_before.base:
        texts.append(words("picker.house_rules_gone"))
    return " ".join(texts)
