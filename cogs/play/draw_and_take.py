"""Draw and Take, on the board or in the panel: the two controls that stand where everybody sees them.

On the board they are for whoever's turn it is and answer with the private panel. Whoever else presses one gets their
own panel, which says whose turn it is; whoever presses twice sees what came of the first time.
"""

from __future__ import annotations

from bot.engine.moves.actions import DRAW, DRAW_KEEPING, Action
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Refusal
from bot.tables.advice import TakeWay
from bot.tables.looks import SeatSnapshot
from bot.tables.refusals import TableRefusal
from cogs.play import pile_taking
from cogs.play.one_act import act
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.patience import in_panel
from cogs.shared.door.replies import Interaction
from cogs.shared.reading import draft as drafts
from cogs.shared.reading.draft import Draft, Staged
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving import own_panel
from cogs.shared.serving.context import Context
from cogs.shared.showing.panels.view import View
from cogs.shared.telling.explain import explain

Chosen = tuple[str, ...]


class DrawingControls:
    """Answers `draw`, `take` and `board_take`."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tables = context.tables
        context.router.add("draw", self.draw)
        context.router.add("take", self.take)
        context.router.add("board_take", self.board_take)

    async def draw(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Draw; from the board only where nothing has to be chosen before."""
        await own_panel.answer(self.context, interaction, self._drawn(interaction, control))

    async def _drawn(self, interaction: Interaction, control: ControlId) -> Page:
        look = await own_panel.look_of(self.context, interaction, control.table)
        if in_panel(interaction):
            try:
                await self.tables.require_as_shown(control.table, control.version)
            except TableRefusal as stale:
                return await self._told(interaction, look, stale)
        elif not _draws_at_once(look):
            return await own_panel.page_of(self.context, interaction, look)
        draft = drafts.read(control.argument)
        version = look.table.version
        return await act(self.context, interaction, control.table, DRAW, expected_version=version, draft=draft)

    async def board_take(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Take the pile at once where nothing is to be chosen, else show the ways, or say why there is none."""
        await own_panel.answer(self.context, interaction, self._taken(interaction, control.table))

    async def _taken(self, interaction: Interaction, table: int) -> Page:
        look = await own_panel.look_of(self.context, interaction, table)
        view = look.view
        if view is None or not view.to_act or view.table.phase is not Phase.DRAW:
            return await own_panel.page_of(self.context, interaction, look)
        takes = look.offers.takes
        if len(takes) == 1 and view.side.opened:
            return await self._act(interaction, look, takes[0].action)
        if takes:
            return await own_panel.page_of(self.context, interaction, look)
        return await self._act(interaction, look, pile_taking.plainly(view))

    async def _act(self, interaction: Interaction, look: SeatSnapshot, action: Action) -> Page:
        return await act(self.context, interaction, look.table.id, action, expected_version=look.table.version)

    async def take(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Take the pile in the way that the panel named by its number, with what is put together."""
        await own_panel.answer(self.context, interaction, self._taken_so(interaction, control))

    async def _taken_so(self, interaction: Interaction, control: ControlId) -> Page:
        number, _, melds = control.argument.partition(".")
        look = await own_panel.look_of(self.context, interaction, control.table)
        draft = drafts.read(melds)
        try:
            await self.tables.require_as_shown(control.table, control.version)
            way = await self._way(interaction, look, number, draft)
        except (InputProblem, Refusal, TableRefusal) as problem:
            return await self._told(interaction, look, problem)
        action = _with_claim(look, way, draft)
        return await act(
            self.context, interaction, control.table, action, expected_version=control.version, draft=draft
        )

    async def _way(self, interaction: Interaction, look: SeatSnapshot, number: str, draft: Draft) -> TakeWay:
        """The way of that number among those offered with the draft. Raises `InputProblem` for one that is not."""
        view = look.view
        if view is None:
            raise InputProblem(InputCode.OLD_CONTROL)
        offers = look.offers
        if draft:
            fitting = drafts.beside_the_claim(drafts.fitted(draft, view.hand), view)
            staged = drafts.melds(fitting, view)
            offers = await self.tables.offers(
                look.table.id, person=interaction.user.id, guild=interaction.guild_id, staged=staged
            )
        if not (number.isdecimal() and int(number) < len(offers.takes)):
            raise InputProblem(InputCode.OLD_CONTROL)
        return offers.takes[int(number)]

    async def _told(
        self, interaction: Interaction, look: SeatSnapshot, problem: TableRefusal | InputProblem | Refusal
    ) -> Page:
        note = explain(replies.words_for(interaction), problem, look.table)
        return await own_panel.page_of(self.context, interaction, look, View(note=note))


def _with_claim(look: SeatSnapshot, way: TakeWay, draft: Draft) -> Action:
    """What a way does; where more of the top card's rank is put together than it needs, all of that joins it."""
    top = None if look.view is None else look.view.table.pile.top
    if look.view is None or top is None or way.step.onto is not None or not draft.of(top >> 2).size:
        return way.action
    claim = Staged(top >> 2, way.step.naturals, way.step.twos, way.step.jokers)
    return drafts.take(drafts.fitted(draft, look.view.hand), look.view, claim)


def _draws_at_once(look: SeatSnapshot) -> bool:
    """Whether the seat is to draw and has nothing to choose in it, as a card that could be kept."""
    view = look.view
    return view is not None and view.to_act and DRAW in view.legal and DRAW_KEEPING not in view.legal
