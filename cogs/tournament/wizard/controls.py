"""The controls of the wizard; each one changes the stored draft and shows the updated page."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from bot.clocks.clock import HOUR
from bot.clocks.time_rules import DAY
from bot.tables.seating.lobby_rules import RulesOffer, apply_themes
from bot.tables.state.refusals import TableRefusal
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.formats.by_kind import check_plan
from bot.tournaments.formats.duplicate import planned_movement
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page, form, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import parse_instant
from cogs.shared.serving.context import Context
from cogs.shared.serving.option_choices import parse_themes
from cogs.shared.showing.family_menus import offer_of_argument
from cogs.shared.telling.explanations import explain_problem
from cogs.tournament.announcement import require_organiser
from cogs.tournament.control_ids import Link, control, link_of
from cogs.tournament.wizard.pages import WizardPanel, initial_form_text, wizard_panel_page
from cogs.tournament.wizard.plan_edits import EDITS, PAGE_OF, TIMED, fill_in_plan, plan_with_rules

Chosen = tuple[str, ...]

FIRST_START: Final = DAY
"""Default time from creating a draft to its start, in milliseconds; rounded to a full hour."""


class WizardControls:
    """Handlers of the tournament wizard's controls; the tournament service checks every request again."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tournaments = context.tournaments
        handlers = {
            "t_page": self.show_page,
            "t_family": self.show_family,
            "t_set": self.set_field,
            "t_pick": self.pick_value,
            "t_ask": self.ask_value,
            "t_typed": self.submit_value,
            "t_publish": self.publish_tournament,
            "t_drop": self.delete_draft,
            "t_again": self.copy_plan,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def create(self, interaction: Interaction, name: str) -> None:
        """Create a draft with default values, and show its first page."""
        draft = await new_draft(self.context, interaction, name)
        await interactions.show_page(interaction, await wizard_page(self.context, interaction, draft, "format"))

    async def copy_plan(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Create a draft for the user from a past tournament's plan, one week later."""
        await require_organiser(self.context, interaction)
        link = link_of(control_id)
        before = await self.tournaments.overview.get_tournament(link.tournament, guild=interaction.guild_id)
        now = self.context.clock.now()
        start = before.plan.starts_at + 7 * DAY
        while start <= now:
            start += 7 * DAY
        draft = await self.tournaments.entering.create(
            interactions.caller_of(interaction), channel=before.channel, plan=replace(before.plan, starts_at=start)
        )
        await interactions.show_page(interaction, await wizard_page(self.context, interaction, draft, "check"))

    async def show_page(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        link = link_of(control_id)
        draft = await self._load_draft(interaction, link)
        await self._show_draft(interaction, draft, link.rest[0] if link.rest else "format")

    async def show_family(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        draft = await self._load_draft(interaction, link_of(control_id))
        await self._show_draft(interaction, draft, "game", family=values[0] if values else "")

    async def set_field(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._change_field(interaction, link_of(control_id), "")

    async def pick_value(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        await self._change_field(interaction, link_of(control_id), values[0] if values else "")

    async def submit_value(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        await self._change_field(interaction, link_of(control_id), values[0] if values else "")

    async def ask_value(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        link = link_of(control_id)
        draft = await self._load_draft(interaction, link)
        words, field = interactions.words_for(interaction), link.argument_text(0)
        if f"wizard_hint.{field}" not in words:
            raise InputProblem(InputCode.OLD_CONTROL)
        panel = await _load_wizard_panel(self.context, interaction, draft)
        window = form(
            control(draft.id, "t_typed", field, version=draft.version),
            words(f"wizard_field.{field}"),
            hint=words(f"wizard_hint.{field}"),
            filled=initial_form_text(panel, field, start=""),
            required=field not in ("rounds", "themes"),
        )
        await interactions.show_form(interaction, window)

    async def publish_tournament(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        link, words = link_of(control_id), interactions.words_for(interaction)
        draft = await self._load_draft(interaction, link)
        if draft.plan.duplicate is not None and not table_places.may_open_threads(interaction, private=True):
            raise TournamentRefusal(TournamentCode.NO_PRIVATE_THREADS)
        try:
            done = await self.tournaments.entering.publish(interactions.caller_of(interaction), draft.id)
        except TournamentRefusal as refusal:
            await self._show_draft(interaction, draft, "check", note=explain_problem(words, refusal))
            return
        await interactions.show_page(
            interaction, text_page(words("wizard.published", place=f"<#{done.channel}>")), update=True
        )

    async def delete_draft(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        words = interactions.words_for(interaction)
        await self.tournaments.desk.cancel(
            interactions.caller_of(interaction), link_of(control_id).tournament, reason=""
        )
        await interactions.show_page(interaction, text_page(words("wizard.dropped")), update=True)

    # --- helpers

    async def _load_draft(self, interaction: Interaction, link: Link) -> Tournament:
        tournament = await self.tournaments.overview.get_tournament(link.tournament, guild=interaction.guild_id)
        if interaction.user.id not in tournament.directors:
            raise TournamentRefusal(TournamentCode.NOT_DIRECTOR)
        if tournament.stage is not Stage.DRAFT:
            raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
        return tournament

    async def _change_field(self, interaction: Interaction, link: Link, value: str) -> None:
        """Change a field of the draft if the user has seen its current version; show the field's page."""
        draft, field, note = await self._load_draft(interaction, link), link.argument_text(0), ""
        try:
            plan = await self._edit_plan(interaction, draft.plan, field, value)
            caller = interactions.caller_of(interaction)
            draft = await self.tournaments.entering.change_plan(caller, draft.id, plan, expected_version=link.version)
        except (TournamentRefusal, TableRefusal, InputProblem) as problem:
            note = explain_problem(interactions.words_for(interaction), problem)
            draft = await self._load_draft(interaction, link)
        await self._show_draft(interaction, draft, PAGE_OF.get(field, "format"), note=note)

    async def _edit_plan(self, interaction: Interaction, plan: Plan, field: str, value: str) -> Plan:
        if field in EDITS:
            edited = EDITS[field](plan, value)
            if edited.traits.sealed and not table_places.may_open_threads(interaction, private=True):
                raise TournamentRefusal(TournamentCode.NO_PRIVATE_THREADS)
            return edited
        known = interactions.vocabulary_for(interaction)
        if field in TIMED:
            return TIMED[field](plan, value, known)
        if field == "start":
            zone = await _time_zone(self.context, interaction)
            return replace(plan, starts_at=parse_instant(value, zone, self.context.clock.now(), known))
        if field == "themes":
            words = interactions.words_for(interaction)
            rounds = tuple(parse_themes(words, one) for one in value.split(";")) if value.strip() else ()
            for one in rounds:
                apply_themes(plan.rules, one)
            return replace(plan, themes_by_round=rounds)
        offers = await self.context.tables.rules.offered_rules(interaction.guild_id or 0)
        if field == "rules":
            return _plan_with_rules_offer(plan, offer_of_argument(offers, value), None)
        if field == "players" and value.isdecimal():
            named = await self.context.tables.rules.rules_named(
                interaction.guild_id or 0, plan.saved_as or plan.rules.name
            )
            return _plan_with_rules_offer(plan, named, int(value))
        raise InputProblem(InputCode.OLD_CONTROL)

    async def _show_draft(
        self, interaction: Interaction, draft: Tournament, name: str, *, family: str = "", note: str = ""
    ) -> None:
        page = await wizard_page(self.context, interaction, draft, name, family=family, note=note)
        await interactions.show_page(interaction, page, update=True)


def _plan_with_rules_offer(plan: Plan, offer: RulesOffer | None, players: int | None) -> Plan:
    if offer is None or (players is not None and players not in offer.forms):
        raise InputProblem(InputCode.OLD_CONTROL)
    count = players or (plan.rules.players if plan.rules.players in offer.forms else offer.usual_players)
    return plan_with_rules(plan, offer.forms[count], saved_as=offer.name if offer.saved else "")


async def new_draft(context: Context, interaction: Interaction, name: str) -> Tournament:
    """Create a draft with default values and return it.

    Raises `InputProblem` unless the person may create tournaments.
    """
    await require_organiser(context, interaction)
    place = table_places.place_of_interaction(interaction)
    table_places.require_permissions(interaction)
    offer = await context.tables.rules.default_rules(place.guild)
    start = (context.clock.now() + FIRST_START) // HOUR * HOUR
    rules = offer.forms[offer.usual_players]
    saved_as = offer.name if offer.saved else ""
    plan = fill_in_plan(Plan(name=name, rules=rules, saved_as=saved_as, starts_at=start, drawn=True))
    caller = interactions.caller_of(interaction)
    return await context.tournaments.entering.create(caller, channel=place.channel, plan=plan)


async def wizard_page(
    context: Context, interaction: Interaction, draft: Tournament, name: str, *, family: str = "", note: str = ""
) -> Page:
    """Return a page of the wizard for a draft."""
    panel = await _load_wizard_panel(context, interaction, draft, family=family, note=note)
    return wizard_panel_page(interactions.words_for(interaction), panel, name)


async def _load_wizard_panel(
    context: Context, interaction: Interaction, draft: Tournament, *, family: str = "", note: str = ""
) -> WizardPanel:
    return WizardPanel(
        tournament=draft,
        offers=await context.tables.rules.offered_rules(interaction.guild_id or 0),
        fitness=check_plan(draft.plan, context.clock.now()),
        zone=await _time_zone(context, interaction),
        family=family,
        note=note,
        private_threads=table_places.may_open_threads(interaction, private=True),
        movement=await asyncio.to_thread(planned_movement, draft.plan),
    )


async def _time_zone(context: Context, interaction: Interaction) -> str:
    return (await context.profiles.preferences_of(interaction.user.id)).zone
