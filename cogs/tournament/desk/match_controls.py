"""The desk's controls of matches: choosing a match, and all rulings on it."""

from __future__ import annotations

from bot.tables.state.snapshots import Caller
from bot.tournaments.desk.ruling_preview import ProposedRuling, ProposedRulingKind, leading_side
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.event.tournament_changes import find_match
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Page
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling.explanations import explain_problem
from cogs.tournament.control_ids import Link, link_of
from cogs.tournament.desk import forms, match_page
from cogs.tournament.desk.base import Chosen, Desk, DeskAction, parse_number, single_value
from cogs.tournament.desk.desk_view import DeskView, home_page
from cogs.tournament.desk.rounds import read_proposal, ruling_preview_page

HELD = (ProposedRulingKind.ADJUST, ProposedRulingKind.POINTS)
"""Proposals that contain scores or points."""


class MatchControls(Desk):
    """Handlers of the controls on the pages of matches."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        handlers = {
            "desk_match": self.show_matches,
            "desk_pick_round": self.show_picked_round,
            "desk_pick_match": self.show_picked_match,
            "desk_of_match": self.show_match,
            "desk_substitute": self.ask_seat,
            "desk_seat": self.ask_substitute,
            "desk_seated": self.substitute_player,
            "desk_wait": self.wait_longer_for_players,
            "desk_forfeit": self.ask_forfeiting_sides,
            "desk_forfeits": self.ask_forfeit_reason,
            "desk_forfeited": self.forfeit_match,
            "desk_extend": self.ask_extension,
            "desk_extended": self.extend_match,
            "desk_adjust": self.ask_scores,
            "desk_adjusted": self.propose_scores,
            "desk_points": self.ask_points,
            "desk_pointed": self.propose_points,
            "desk_void": self.ask_void_reason,
            "desk_voided": self.propose_void,
            "desk_do": self.make_ruling,
            "desk_boards": self.show_boards,
            "desk_board": self.ask_board_reason,
            "desk_boarded": self.adjust_board,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    # --- choosing

    async def show_matches(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the matches of a round, by default the newest."""
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        turn = view.tournament.current_round
        if turn is None:
            await self.show_page(interaction, home_page(view))
            return
        await self.show_page(
            interaction, match_page.matches_page(view, link.argument_number() if link.rest else turn.number)
        )

    async def show_picked_round(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await self.show_page(interaction, match_page.matches_page(view, parse_number(single_value(values))))

    async def show_picked_match(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await self.show_page(
            interaction, await self.build_match_page(view, parse_number(single_value(values)), interaction)
        )

    async def show_match(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the page of a match."""
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        await self.show_page(interaction, await self.build_match_page(view, link.argument_number(), interaction))

    async def _view_and_match(self, interaction: Interaction, link: Link) -> tuple[DeskView, MatchState]:
        view = await self.load_view(interaction, link.tournament)
        return view, find_match(view.tournament, link.argument_number())

    async def _act_on_match(self, interaction: Interaction, link: Link, action: DeskAction, done: str) -> None:
        async def build_page(view: DeskView) -> Page:
            return await self.build_match_page(view, link.argument_number(), interaction)

        await self.act_and_show(interaction, link, action, build_page, done)

    # --- while it is played

    async def ask_seat(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        if interaction.guild_id is None:  # Discord's menu of people lists members only inside a guild
            await interactions.answer_privately(interaction, view.words("desk.in_server"))
            return
        await self.show_page(interaction, match_page.substitute_page(view, match))

    async def ask_substitute(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        seat = parse_number(single_value(values))
        if seat >= len(match.seats):
            raise InputProblem(InputCode.OLD_CONTROL)
        await self.show_page(interaction, match_page.substitute_choice_page(view, match, seat))

    async def substitute_player(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link = link_of(control)
        person, name = forms.chosen_person(interaction, values)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.substitute(
                caller,
                link.tournament,
                link.argument_number(),
                seat=link.argument_number(1),
                person=person,
                name=name,
                expected_version=link.version,
            )

        await self._act_on_match(interaction, link, change_tournament, "substituted")

    async def wait_longer_for_players(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.wait_longer(
                caller, link.tournament, link.argument_number(), expected_version=link.version
            )

        view, _ = await self._view_and_match(interaction, link)
        await self._act_on_match(
            interaction, link, change_tournament, "waits" if view.tournament.plan.live else "waits_slow"
        )

    async def ask_extension(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        await interactions.show_form(interaction, match_page.extend_form(view, match))

    async def extend_match(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, amount = (
            link_of(control),
            forms.parse_duration(single_value(values), interactions.vocabulary_for(interaction)),
        )

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.extend_match(
                caller, link.tournament, link.argument_number(), amount=amount, expected_version=link.version
            )

        await self._act_on_match(interaction, link, change_tournament, "extended")

    async def ask_forfeiting_sides(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        await self.show_page(interaction, match_page.forfeit_page(view, match))

    async def ask_forfeit_reason(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)
        view, match = await self._view_and_match(interaction, link)
        _parse_sides(link.argument_text(1), match)
        await interactions.show_form(
            interaction, match_page.forfeit_form(view, match, link.argument_text(1), link.argument_text(2))
        )

    async def forfeit_match(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Record a running match as forfeited; for a finished match, first show what that changes."""
        link, reason = link_of(control), single_value(values)
        _, match = await self._view_and_match(interaction, link)
        those = _parse_sides(link.argument_text(1), match)
        if link.argument_text(2) == "over":
            await self._propose_ruling(
                interaction,
                link,
                ProposedRuling(
                    does=ProposedRulingKind.FORFEIT, match=link.argument_number(), sides=those, reason=reason
                ),
            )
            return

        async def change_tournament(caller: Caller) -> Tournament:
            tournament = await self.tournaments.overview.get_tournament(link.tournament, guild=interaction.guild_id)
            if find_match(tournament, link.argument_number()).result is not None:  # the match has ended meanwhile
                raise TournamentRefusal(TournamentCode.MATCH_OVER, {"match": link.argument_number()})
            return await self.tournaments.desk.forfeit_match(
                caller,
                link.tournament,
                link.argument_number(),
                sides=those,
                reason=reason,
                expected_version=link.version,
            )

        await self._act_on_match(interaction, link, change_tournament, "forfeited")

    # --- once it is over

    async def ask_scores(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)
        view, match = await self._view_and_match(interaction, link)
        deals = await self.finished_deals(view, match.id, interaction)
        await interactions.show_form(interaction, match_page.adjust_form(view, match, deals))

    async def propose_scores(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link = link_of(control)
        _, match = await self._view_and_match(interaction, link)
        typed, reason = forms.two_values(values)
        scores = forms.parse_scores(typed, sides=len(match.sides))
        await self._propose_ruling(
            interaction,
            link,
            ProposedRuling(does=ProposedRulingKind.ADJUST, match=match.id, scores=scores, reason=reason),
        )

    async def ask_points(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        await interactions.show_form(interaction, match_page.points_form(view, match))

    async def propose_points(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link = link_of(control)
        _, match = await self._view_and_match(interaction, link)
        typed, reason = forms.two_values(values)
        points = forms.parse_points(typed, sides=len(match.sides))
        await self._propose_ruling(
            interaction,
            link,
            ProposedRuling(does=ProposedRulingKind.POINTS, match=match.id, points=points, reason=reason),
        )

    async def ask_void_reason(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        await interactions.show_form(interaction, match_page.void_form(view, match))

    async def propose_void(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, reason = link_of(control), single_value(values)
        await self._propose_ruling(
            interaction, link, ProposedRuling(does=ProposedRulingKind.VOID, match=link.argument_number(), reason=reason)
        )

    async def _propose_ruling(self, interaction: Interaction, link: Link, proposal: ProposedRuling) -> None:
        """Show what a ruling would change and the button to make it, or the match with the refusal."""
        view = await self.load_view(interaction, link.tournament)
        caller = interactions.caller_of(interaction)
        try:
            preview = await self.tournaments.desk_views.preview(caller, link.tournament, proposal)
        except TournamentRefusal as refusal:
            view = await self.load_view(interaction, link.tournament, explain_problem(view.words, refusal))
            await self.show_page(interaction, await self.build_match_page(view, link.argument_number(), interaction))
            return
        await self.show_page(interaction, ruling_preview_page(view, proposal, preview))

    async def make_ruling(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Make the ruling that the page proposes."""
        link = link_of(control)
        _, match = await self._view_and_match(interaction, link)
        does, sides = link.argument_text(1), link.argument_text(2)
        if does not in list(ProposedRulingKind) or does == ProposedRulingKind.UNDO:
            raise InputProblem(InputCode.OLD_CONTROL)
        if sides != "none":
            _parse_sides(sides, match)
        scores: tuple[tuple[int, ...], ...] = ()
        if does in HELD:
            scores = forms.parse_scores(forms.read_text_back(interaction, forms.SCORES), sides=len(match.sides))
        proposal = read_proposal(
            does, match.id, sides, scores=scores, reason=forms.read_text_back(interaction, forms.REASON)
        )

        async def change_tournament(caller: Caller) -> Tournament:
            return await self._carry_out_ruling(caller, link, proposal)

        await self._act_on_match(interaction, link, change_tournament, proposal.does.value)

    async def _carry_out_ruling(self, caller: Caller, link: Link, ruling: ProposedRuling) -> Tournament:
        service, of, seen = self.tournaments, (link.tournament, ruling.match), link.version
        if ruling.does is ProposedRulingKind.ADJUST:
            return await service.desk.adjust_scores(
                caller, *of, scores=ruling.scores, reason=ruling.reason, expected_version=seen
            )
        if ruling.does is ProposedRulingKind.POINTS:
            winner = leading_side(ruling.points)
            return await service.desk.give_points(
                caller, *of, points=ruling.points, winner=winner, reason=ruling.reason, expected_version=seen
            )
        if ruling.does is ProposedRulingKind.FORFEIT:
            return await service.desk.forfeit_match(
                caller, *of, sides=ruling.sides, reason=ruling.reason, expected_version=seen
            )
        return await service.desk.void_match(caller, *of, reason=ruling.reason, expected_version=seen)

    # --- boards

    async def show_boards(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        await self.show_page(interaction, match_page.boards_page(view, match))

    async def ask_board_reason(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        view, match = await self._view_and_match(interaction, link_of(control))
        board, _, fault = single_value(values).partition(".")
        if parse_number(board) not in match.boards:
            raise InputProblem(InputCode.OLD_CONTROL)
        if fault:
            _parse_sides(fault, match)
        await interactions.show_form(interaction, match_page.board_form(view, match, board, fault))

    async def adjust_board(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, reason = link_of(control), single_value(values)
        _, match = await self._view_and_match(interaction, link)
        if link.argument_number(1) not in match.boards:
            raise InputProblem(InputCode.OLD_CONTROL)
        sides = () if link.argument_text(2) == "none" else _parse_sides(link.argument_text(2), match)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk.adjust_board(
                caller,
                link.tournament,
                link.argument_number(),
                board=link.argument_number(1),
                sides=sides,
                reason=reason,
                expected_version=link.version,
            )

        await self._act_on_match(interaction, link, change_tournament, "board")


def _parse_sides(digits: str, match: MatchState) -> tuple[int, ...]:
    """Return the sides of the match that the digits in a control's argument name. Raises `InputProblem`."""
    if not digits or not digits.isdecimal() or any(int(one) >= len(match.sides) for one in digits):
        raise InputProblem(InputCode.OLD_CONTROL)
    return tuple(int(one) for one in digits)
