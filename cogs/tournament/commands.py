"""`/tournament …`: create, list, enter, play and direct tournaments."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from bot.tournaments.event.tournament import Tournament
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import Page, Part, button, button_row, page, text
from cogs.shared.discord_api.interactions import Interaction, answer_in_time, ignore_problems
from cogs.shared.serving.context import Context
from cogs.tournament import final_results, ladder, player_actions, which_tournament, wording
from cogs.tournament.announcement import is_organiser, may_enter, repeat_button, tournament_headline
from cogs.tournament.control_ids import control
from cogs.tournament.desk.opening import DeskOpening
from cogs.tournament.fault_messages import unreadable_line
from cogs.tournament.players import match_times, rosters
from cogs.tournament.players.chosen_people import partners_in_command
from cogs.tournament.round_messages import standings_page
from cogs.tournament.wizard.controls import WizardControls
from cogs.tournament.wizard.plan_edits import LONGEST_NAME

MOST_LISTED = 8
MOST_REPEATED = 2
"""How many closed tournaments are offered to be repeated."""


@app_commands.guild_only()
class TournamentCommands(commands.GroupCog, group_name="tournament"):
    """The command group `/tournament`."""

    help_group = "tournaments"

    def __init__(self, context: Context, wizard: WizardControls, desks: DeskOpening) -> None:
        self.context = context
        self.tournaments = context.tournaments
        self.wizard = wizard
        self.desks = desks

    @app_commands.command(name="create")
    async def create(self, interaction: Interaction, name: app_commands.Range[str, 1, LONGEST_NAME]) -> None:
        async with answer_in_time(interaction):
            await self.wizard.create(interaction, name)

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        async with answer_in_time(interaction):
            found = await which_tournament.visible_tournaments(
                self.tournaments, table_places.place_of_interaction(interaction).guild
            )
            closed: tuple[Tournament, ...] = ()
            if await is_organiser(self.context, interaction):
                closed = await self.tournaments.overview.closed_tournaments_in(
                    table_places.place_of_interaction(interaction).guild
                )
            broken = await self.tournaments.overview.unreadable_outlines_in(
                table_places.place_of_interaction(interaction).guild
            )
            lines = [unreadable_line(interactions.words_for(interaction), one) for one in broken[:MOST_LISTED]]
            await interactions.show_page(
                interaction, self._list_page(interaction, found, closed[:MOST_REPEATED], lines)
            )

    def _list_page(
        self, interaction: Interaction, running: list[Tournament], closed: tuple[Tournament, ...], unreadable: list[str]
    ) -> Page:
        words = interactions.words_for(interaction)
        parts: list[Part] = [] if running or unreadable else [text(words("tournament.none"))]
        for one in running[:MOST_LISTED]:
            stage = words(f"tournament_stage.{one.stage.value}")
            enter = button(control(one.id, "t_enter"), words("tournament.enter"), enabled=may_enter(one))
            row = button_row(enter, button(control(one.id, "t_where"), words("tournament.where")))
            where = f"<#{one.channel}>"
            parts += [text(f"{tournament_headline(words, one)}\n{stage} · {where}"), *([] if row is None else [row])]
        parts += [text("\n".join(unreadable))] if unreadable else []
        for one in closed:
            again = button_row(button(control(one.id, "t_again"), words("tournament.again")), repeat_button(words, one))
            parts += [text(words("tournament.closed_title", name=wording.tournament_name(one)))]
            parts += [] if again is None else [again]
        return page(parts)

    @app_commands.command(name="enter")
    async def enter(
        self,
        interaction: Interaction,
        partner: discord.Member | None = None,
        partner2: discord.Member | None = None,
        partner3: discord.Member | None = None,
        tournament: str | None = None,
    ) -> None:
        async with answer_in_time(interaction):
            current_tournament = await which_tournament.find_tournament(
                self.tournaments, interaction, tournament, fits=may_enter
            )
            partners = partners_in_command(interaction, partner, partner2, partner3)
            await player_actions.enter_tournament(self.context, interaction, current_tournament, partners)

    @app_commands.command(name="leave")
    async def leave(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            await player_actions.ask_before_leaving(
                self.context, interaction, await self._find_own(interaction, tournament)
            )

    @app_commands.command(name="here")
    async def here(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            current_tournament = await self._find_own(interaction, tournament)
            await player_actions.check_in_or_mark_present(self.context, interaction, current_tournament)

    @app_commands.command(name="standings")
    async def standings(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            current_tournament = await self._find_own(interaction, tournament)
            rows = await self.tournaments.overview.places(current_tournament.id)
            number = 0 if current_tournament.current_round is None else current_tournament.current_round.number
            words = interactions.words_for(interaction)
            await interactions.show_page(
                interaction, standings_page(words, current_tournament, rows, round_number=number)
            )

    @app_commands.command(name="sit-out")
    async def sit_out(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            await player_actions.sit_out_round(self.context, interaction, await self._find_own(interaction, tournament))

    @app_commands.command(name="challenge")
    async def challenge(
        self, interaction: Interaction, opponent: discord.Member, tournament: str | None = None
    ) -> None:
        async with answer_in_time(interaction):
            await ladder.challenge_entry(
                self.context, interaction, await self._find_own(interaction, tournament), opponent
            )

    @app_commands.command(name="times")
    async def times(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            current_tournament = await self._find_own(interaction, tournament)
            await match_times.show_times(
                self.context,
                interaction,
                current_tournament,
                player_actions.current_or_last_match(current_tournament, interaction.user.id),
            )

    @app_commands.command(name="lineup")
    async def lineup(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            await rosters.show_roster(self.context, interaction, await self._find_own(interaction, tournament))

    @app_commands.command(name="problem")
    async def problem(self, interaction: Interaction, what: str, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            current_tournament = await self._find_own(interaction, tournament)
            match = player_actions.current_or_last_match(current_tournament, interaction.user.id)
            await player_actions.call_director(self.context, interaction, current_tournament.id, match.id, what)

    @app_commands.command(name="desk")
    async def desk(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            await self.desks.open_desk(interaction, tournament)

    @desk.autocomplete("tournament")
    async def suggest_desks(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            found = await self.desks.desk_choices(interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @app_commands.command(name="export")
    async def export(self, interaction: Interaction, tournament: str | None = None) -> None:
        async with answer_in_time(interaction):
            found = await final_results.find_tournament_to_export(self.context, interaction, tournament)
            await final_results.show_export(self.context, interaction, found)

    async def _find_own(self, interaction: Interaction, named: str | None) -> Tournament:
        """Return the named tournament, or the one that the person has entered, or the only one."""
        return await which_tournament.find_tournament(self.tournaments, interaction, named)

    @enter.autocomplete("tournament")
    @leave.autocomplete("tournament")
    @here.autocomplete("tournament")
    @standings.autocomplete("tournament")
    @sit_out.autocomplete("tournament")
    @challenge.autocomplete("tournament")
    @times.autocomplete("tournament")
    @lineup.autocomplete("tournament")
    @problem.autocomplete("tournament")
    async def suggest_tournaments(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            found = await which_tournament.tournament_choices(self.tournaments, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]

    @export.autocomplete("tournament")
    async def suggest_exports(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        found: list[tuple[str, str]] = []
        async with ignore_problems():
            found = await final_results.export_choices(self.context, interaction, typed)
        return [app_commands.Choice(name=label, value=value) for label, value in found]
