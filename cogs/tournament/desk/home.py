"""The desk's controls for the whole tournament and its newest round."""

from __future__ import annotations

from bot.tables.state.snapshots import Caller
from bot.tournaments.desk.ruling_preview import impartial_directors
from bot.tournaments.event.tournament import Tournament
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.serving.roles import may_become_director
from cogs.tournament.control_ids import Link, link_of
from cogs.tournament.desk import forms, rounds
from cogs.tournament.desk.base import Chosen, Desk, DeskAction, single_value
from cogs.tournament.desk.desk_view import DeskView, home_page


class HomeControls(Desk):
    """Handlers of the controls on the desk's home page and on its page of the newest round."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        handlers = {
            "desk": self.show_home,
            "desk_round": self.show_round,
            "desk_announce": self.ask_announcement,
            "desk_announced": self.announce_to_players,
            "desk_pause": self.pause_tournament,
            "desk_resume": self.resume_tournament,
            "desk_reopen": self.reopen_tournament,
            "desk_close": self.close_ladder,
            "desk_unpublish": self.unpublish_tournament,
            "desk_step_in": self.step_in_as_director,
            "desk_repair": self.pair_again,
            "desk_by_hand": self.ask_pairing,
            "desk_paired": self.pair_by_hand,
            "desk_void_round": self.ask_void_reason,
            "desk_round_void": self.void_round,
            "desk_call": self.call_round,
            "desk_postpone": self.ask_postponement,
            "desk_postponed": self.postpone_start,
            "desk_cancel": self.ask_cancel_reason,
            "desk_cancelled": self.cancel_tournament,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def show_home(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the desk's home page."""
        await self.show_page(interaction, home_page(await self.load_view(interaction, link_of(control).tournament)))

    async def show_round(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the page of the newest round."""
        view = await self.load_view(interaction, link_of(control).tournament)
        await self.show_page(interaction, rounds.round_page(view))

    async def step_in_as_director(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Make the user, who moderates the server, a director."""
        link = link_of(control)
        tournament = await self.tournaments.overview.get_tournament(link.tournament, guild=interaction.guild_id)
        if not may_become_director(interaction, is_judged=bool(impartial_directors(tournament))):
            raise InputProblem(InputCode.NOT_EVENT_MANAGER)
        await self.tournaments.desk_entries.become_director(interactions.caller_of(interaction), link.tournament)
        await self.show_page(interaction, home_page(await self.load_view(interaction, link.tournament)))

    async def _home_page(self, view: DeskView) -> Page:
        return home_page(view)

    async def _round_page(self, view: DeskView) -> Page:
        return rounds.round_page(view)

    async def _act_on_home(self, interaction: Interaction, link: Link, action: DeskAction, done: str) -> None:
        await self.act_and_show(interaction, link, action, self._home_page, done)

    async def _act_on_round(self, interaction: Interaction, link: Link, action: DeskAction, done: str) -> None:
        await self.act_and_show(interaction, link, action, self._round_page, done)

    # --- the tournament

    async def ask_announcement(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await interactions.show_form(interaction, rounds.announce_form(view))

    async def announce_to_players(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, text = link_of(control), single_value(values)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.announce(caller, link.tournament, text=text)

        await self._act_on_home(interaction, link, change_tournament, "announced")

    async def pause_tournament(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.pause(caller, link.tournament, expected_version=link.version)

        await self._act_on_home(interaction, link, change_tournament, "paused")

    async def resume_tournament(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.resume(caller, link.tournament, expected_version=link.version)

        await self._act_on_home(interaction, link, change_tournament, "resumed")

    async def reopen_tournament(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.reopen(caller, link.tournament, expected_version=link.version)

        await self._act_on_home(interaction, link, change_tournament, "reopened")

    async def close_ladder(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.close_ladder(caller, link.tournament)

        await self._act_on_home(interaction, link, change_tournament, "ladder_closed")

    async def unpublish_tournament(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.entering.unpublish(caller, link.tournament, expected_version=link.version)

        await self._act_on_home(interaction, link, change_tournament, "unpublished")

    # --- its newest round

    async def pair_again(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.pair_again(caller, link.tournament, expected_version=link.version)

        await self._act_on_round(interaction, link, change_tournament, "paired")

    async def ask_pairing(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await interactions.show_form(interaction, rounds.pairing_form(view))

    async def pair_by_hand(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link = link_of(control)
        tables, byes = forms.parse_pairing(single_value(values))

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.pair_by_hand(
                caller, link.tournament, tables=tables, byes=byes, expected_version=link.version
            )

        await self._act_on_round(interaction, link, change_tournament, "paired")

    async def ask_void_reason(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await interactions.show_form(interaction, rounds.void_form(view))

    async def void_round(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, reason = link_of(control), single_value(values)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.void_round(
                caller, link.tournament, reason=reason, expected_version=link.version
            )

        await self._act_on_round(interaction, link, change_tournament, "round_void")

    async def call_round(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.call_round(caller, link.tournament, expected_version=link.version)

        await self._act_on_round(interaction, link, change_tournament, "called")

    async def ask_postponement(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await interactions.show_form(interaction, rounds.postpone_form(view))

    async def postpone_start(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, amount = (
            link_of(control),
            forms.parse_duration(single_value(values), interactions.vocabulary_for(interaction)),
        )

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.postpone(
                caller, link.tournament, amount=amount, expected_version=link.version
            )

        await self._act_on_round(interaction, link, change_tournament, "postponed")

    async def ask_cancel_reason(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await interactions.show_form(interaction, rounds.cancel_form(view))

    async def cancel_tournament(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, reason = link_of(control), single_value(values)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.cancel(
                caller, link.tournament, reason=reason, expected_version=link.version
            )

        await self._act_on_home(interaction, link, change_tournament, "cancelled")
