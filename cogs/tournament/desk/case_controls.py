"""The desk's controls of cases, of deals that are looked at, of the log and of the lists."""

from __future__ import annotations

from bot.tables.looks import Caller
from bot.tournaments.desk.proposing import Does, Proposal
from bot.tournaments.desk.who import require_looking
from bot.tournaments.event.event_steps import find_match
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.values import Case, Tournament
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving.context import Context
from cogs.shared.telling.explain import explain
from cogs.tournament.desk import problem_page
from cogs.tournament.desk.controls import Chosen, Desk, number, only
from cogs.tournament.desk.desk_log_page import log_page
from cogs.tournament.desk.lists_page import lists_page
from cogs.tournament.desk.look import DeskView
from cogs.tournament.desk.preview_page import undo_page
from cogs.tournament.links import link_of


class CaseControls(Desk):
    """Answers what stands on the pages of problems, of the log and of what stands out."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        for action in (
            "desk_problems",
            "desk_pick_case",
            "desk_case",
            "desk_answer",
            "desk_answered",
            "desk_record",
            "desk_deal",
            "desk_log",
            "desk_undo",
            "desk_undone",
            "desk_lists",
        ):
            context.router.add(action, getattr(self, action))

    # --- cases

    async def desk_problems(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """All cases."""
        look = await self.look(interaction, link_of(control).tournament)
        await self.show(interaction, problem_page.problems_page(look))

    async def desk_pick_case(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        look = await self.look(interaction, link_of(control).tournament)
        await self.show(interaction, problem_page.case_page(look, _case(look, number(only(chosen)))))

    async def desk_case(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """A case, from where its directors were told of it."""
        link = link_of(control)
        look = await self.look(interaction, link.tournament)
        await self.show(interaction, problem_page.case_page(look, _case(look, link.number())))

    async def desk_answer(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        link = link_of(control)
        look = await self.look(interaction, link.tournament)
        await replies.ask(interaction, problem_page.answer_form(look, _case(look, link.number()).number))

    async def desk_answered(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        link, said = link_of(control), only(chosen)

        async def doing(caller: Caller) -> Tournament:
            return await self.tournaments.answer_case(caller, link.tournament, link.number(), text=said)

        async def shown(look: DeskView) -> Page:
            return problem_page.case_page(look, _case(look, link.number()))

        await self.act(interaction, link, doing, shown, "answered")

    # --- deals

    async def desk_record(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """A deal of a match, by default the latest."""
        link = link_of(control)
        deal = link.number(1) if len(link.rest) > 1 else 0
        part = link.number(2) if len(link.rest) > 2 else 0
        await self._record(interaction, link.tournament, link.number(), deal=deal, part=part)

    async def desk_deal(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        link = link_of(control)
        await self._record(interaction, link.tournament, link.number(), deal=number(only(chosen)), part=0)

    async def _record(self, interaction: Interaction, tournament: int, match: int, *, deal: int, part: int) -> None:
        look = await self.look(interaction, tournament)
        caller = replies.caller_of(interaction)
        record = await self.tournaments.record(caller, tournament, match, deal=deal or None)
        page = problem_page.record_page(look, find_match(look.tournament, match), record, part)
        await self.show(interaction, page)

    # --- the log

    async def desk_log(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """A part of the log, by default the latest."""
        link = link_of(control)
        look = await self.look(interaction, link.tournament)
        await self.show(interaction, await self._log(interaction, look, link.number() if link.rest else 0))

    async def _log(self, interaction: Interaction, look: DeskView, first: int) -> Page:
        log = await self.tournaments.desk_log(replies.caller_of(interaction), look.tournament.id)
        return log_page(look, log, first)

    async def desk_undo(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """What follows from taking a ruling back, before it is done."""
        link, ruling = link_of(control), number(only(chosen))
        look = await self.look(interaction, link.tournament)
        caller = replies.caller_of(interaction)
        try:
            found = await self.tournaments.preview(caller, link.tournament, Proposal(does=Does.UNDO, ruling=ruling))
        except TournamentRefusal as refusal:
            look = await self.look(interaction, link.tournament, explain(look.words, refusal))
            await self.show(interaction, await self._log(interaction, look, 0))
            return
        made = next(one for one in look.tournament.rulings if one.number == ruling)
        await self.show(interaction, undo_page(look, made, found))

    async def desk_undone(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        link = link_of(control)

        async def doing(caller: Caller) -> Tournament:
            return await self.tournaments.undo(caller, link.tournament, ruling=link.number(), seen=link.version)

        async def shown(look: DeskView) -> Page:
            return await self._log(interaction, look, 0)

        await self.act(interaction, link, doing, shown, "undone")

    # --- what stands out

    async def desk_lists(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """What stands out, beside what is usual."""
        link = link_of(control)
        look = await self.look(interaction, link.tournament)
        found = await self.tournaments.lists(replies.caller_of(interaction), link.tournament)
        await self.show(interaction, lists_page(look, found))


def _case(look: DeskView, wanted: int) -> Case:
    """The case of that number, for who may see it. Refusals: plays, no_case."""
    require_looking(look.tournament, look.viewer)
    found = next((one for one in look.tournament.cases if one.number == wanted), None)
    if found is None:
        raise TournamentRefusal(TournamentCode.NO_CASE, {"case": wanted})
    return found
