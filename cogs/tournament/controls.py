"""The buttons for players under tournament messages; they still work after a restart."""

from __future__ import annotations

from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import BoardStage, Tournament
from bot.tournaments.event.tournament_changes import find_match
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import form, text_page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context
from cogs.tournament import boards, final_results, player_actions, wording
from cogs.tournament.control_ids import control, link_of
from cogs.tournament.personal_news import READ, personal_message_page
from cogs.tournament.players.chosen_people import parse_chosen_ids, partners_in_menu

Chosen = tuple[str, ...]


class TournamentControls:
    """Handlers of the buttons under tournament messages."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tournaments = context.tournaments
        handlers = {
            "t_enter": self.enter,
            "t_partners": self.enter_with_partners,
            "t_leave": self.ask_before_leaving,
            "t_leave_yes": self.leave_tournament,
            "t_stay": self.keep_entry,
            "t_here": self.check_in,
            "t_present": self.mark_present,
            "t_hand": self.show_hand,
            "t_why": self.explain_pairing,
            "t_problem": self.ask_problem,
            "t_case": self.open_case,
            "t_where": self.show_place_in_standings,
            "t_yes": self.accept_invitation,
            "t_no": self.decline_invitation,
            "t_export": self.show_export,
            "t_compare": self.compare_board,
            "t_shuffle": self.show_shuffle,
            READ: self.show_personal_message,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def enter(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await player_actions.enter_tournament(
            self.context, interaction, await self._tournament_of(interaction, control_id)
        )

    async def enter_with_partners(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        tournament = await self._tournament_of(interaction, control_id)
        await player_actions.enter_tournament(
            self.context, interaction, tournament, partners_in_menu(interaction, parse_chosen_ids(values))
        )

    async def show_personal_message(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        link, words = link_of(control_id), interactions.words_for(interaction)
        tournament = await self.tournaments.overview.get_tournament(link.tournament, guild=interaction.guild_id)
        page = personal_message_page(words, tournament, link.argument_number(), interaction.user.id)
        await interactions.show_page(interaction, page or text_page(words("tournament.not_your_letter")))

    async def ask_before_leaving(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await player_actions.ask_before_leaving(
            self.context, interaction, await self._tournament_of(interaction, control_id)
        )

    async def leave_tournament(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await player_actions.leave_tournament(self.context, interaction, link_of(control_id).tournament)

    async def keep_entry(self, interaction: Interaction, _control: ControlId, _values: Chosen) -> None:
        words = interactions.words_for(interaction)
        await interactions.show_page(interaction, text_page(words("tournament.you_stay")), update=True)

    async def check_in(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await player_actions.check_in_entry(self.context, interaction, link_of(control_id).tournament)

    async def mark_present(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        tournament, match = await self._match_of(interaction, control_id)
        await player_actions.mark_present(self.context, interaction, tournament, match)

    async def show_hand(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        _, match = await self._match_of(interaction, control_id)
        await player_actions.show_hand(self.context, interaction, match)

    async def explain_pairing(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        tournament, match = await self._match_of(interaction, control_id)
        await player_actions.explain_pairing(self.context, interaction, tournament, match)

    async def ask_problem(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        tournament, match = await self._match_of(interaction, control_id)
        words = interactions.words_for(interaction)
        window = form(
            control(tournament.id, "t_case", match.id),
            words("tournament.problem_title"),
            hint=words("tournament.problem_hint"),
            filled="",
            required=True,
        )
        await interactions.show_form(interaction, window)

    async def open_case(self, interaction: Interaction, control_id: ControlId, values: Chosen) -> None:
        link = link_of(control_id)
        text = values[0] if values else ""
        await player_actions.call_director(self.context, interaction, link.tournament, link.argument_number(), text)

    async def show_place_in_standings(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await player_actions.show_place_in_standings(
            self.context, interaction, await self._tournament_of(interaction, control_id)
        )

    async def show_export(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await final_results.show_export(self.context, interaction, link_of(control_id).tournament)

    async def compare_board(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Show all tables' results on a revealed board. Refusal: board_not_open."""
        tournament, board = await self._revealed_board(interaction, control_id)
        await interactions.show_page(
            interaction, boards.board_comparison_page(interactions.words_for(interaction), tournament, board)
        )

    async def show_shuffle(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        """Show the seed of a revealed board and the command that checks it. Refusal: board_not_open."""
        tournament, board = await self._revealed_board(interaction, control_id)
        seed = await self.tournaments.exports.board_seed(tournament.id, board, guild=interaction.guild_id)
        await interactions.show_page(
            interaction, boards.board_shuffle_page(interactions.words_for(interaction), tournament, board, seed)
        )

    async def _revealed_board(self, interaction: Interaction, control_id: ControlId) -> tuple[Tournament, int]:
        tournament, board = await self._tournament_of(interaction, control_id), link_of(control_id).argument_number()
        if not any(one.number == board and one.stage is BoardStage.OPEN for one in tournament.boards):
            raise TournamentRefusal(TournamentCode.BOARD_NOT_OPEN, {"board": board})
        return tournament, board

    async def accept_invitation(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._answer_invitation(interaction, control_id, yes=True)

    async def decline_invitation(self, interaction: Interaction, control_id: ControlId, _values: Chosen) -> None:
        await self._answer_invitation(interaction, control_id, yes=False)

    async def _answer_invitation(self, interaction: Interaction, control_id: ControlId, *, yes: bool) -> None:
        """Answer a partner's invitation, unless it is no longer open."""
        link, words = link_of(control_id), interactions.words_for(interaction)
        tournament = await self._tournament_of(interaction, control_id)
        if not any(one.number == link.argument_number() for one in tournament.entrants):
            raise TournamentRefusal(TournamentCode.NOT_ASKED)
        caller = interactions.caller_of(interaction)
        done = await self.tournaments.entering.answer_partner_invitation(caller, link.tournament, yes=yes)
        name = wording.tournament_name(done)
        await interactions.answer_privately(
            interaction, words("tournament.partner_yes" if yes else "tournament.partner_no", name=name)
        )

    async def _tournament_of(self, interaction: Interaction, control_id: ControlId) -> Tournament:
        return await self.tournaments.overview.get_tournament(
            link_of(control_id).tournament, guild=interaction.guild_id
        )

    async def _match_of(self, interaction: Interaction, control_id: ControlId) -> tuple[Tournament, MatchState]:
        tournament = await self._tournament_of(interaction, control_id)
        return tournament, find_match(tournament, link_of(control_id).argument_number())
