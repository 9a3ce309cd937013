"""The desk's controls of entries and of its directors."""

from __future__ import annotations

from bot.tables.looks import Caller
from bot.tournaments.event.event_steps import find_entrant
from bot.tournaments.event.rulings import CATEGORIES, LEVELS
from bot.tournaments.event.values import Tournament
from cogs.shared.door import replies
from cogs.shared.door.components import Page
from cogs.shared.door.replies import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.tournament.desk import desk_forms, entry_page, typed_rulings
from cogs.tournament.desk.controls import Chosen, Desk, Doing, number, only
from cogs.tournament.desk.look import DeskView
from cogs.tournament.links import Link, link_of


class EntryControls(Desk):
    """Answers what stands on the pages of entries and directors."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        for action in (
            "desk_entry",
            "desk_pick_entry",
            "desk_penalty",
            "desk_penalised",
            "desk_remove",
            "desk_bring_back",
            "desk_seeds",
            "desk_seeded",
            "desk_directors",
            "desk_named",
        ):
            context.router.add(action, getattr(self, action))

    async def desk_entry(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """All entries."""
        look = await self.look(interaction, link_of(control).tournament)
        await self.show(interaction, entry_page.entries_page(look))

    async def desk_pick_entry(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        look = await self.look(interaction, link_of(control).tournament)
        entrant = find_entrant(look.tournament, number(only(chosen)))
        await self.show(interaction, entry_page.entry_page(look, entrant))

    async def _do(self, interaction: Interaction, link: Link, doing: Doing, done: str) -> None:
        """Do something with an entry and show it, or all of them where it is gone."""

        async def shown(look: DeskView) -> Page:
            known = next((one for one in look.tournament.entrants if one.number == link.number()), None)
            return entry_page.entries_page(look) if known is None else entry_page.entry_page(look, known)

        await self.act(interaction, link, doing, shown, done)

    async def desk_penalty(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        """A penalty was chosen: its reason is asked for."""
        link = link_of(control)
        category, _, level = only(chosen).partition(".")
        _known(category, level)
        look = await self.look(interaction, link.tournament)
        await replies.ask(interaction, entry_page.penalty_form(look, link.number(), category, level))

    async def desk_penalised(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        link, reason = link_of(control), only(chosen)
        entry, category, level = link.rest
        _known(category, level)

        async def doing(caller: Caller) -> Tournament:
            return await self.tournaments.penalise(
                caller,
                link.tournament,
                number(entry),
                category=category,
                level=int(level),
                reason=reason,
                seen=link.version,
            )

        await self._do(interaction, link, doing, "penalised")

    async def desk_remove(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        link = link_of(control)

        async def doing(caller: Caller) -> Tournament:
            return await self.tournaments.remove(caller, link.tournament, link.number(), seen=link.version)

        await self._do(interaction, link, doing, "removed")

    async def desk_bring_back(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        link = link_of(control)

        async def doing(caller: Caller) -> Tournament:
            return await self.tournaments.bring_back(caller, link.tournament, link.number(), seen=link.version)

        await self._do(interaction, link, doing, "back")

    async def desk_seeds(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        look = await self.look(interaction, link_of(control).tournament)
        await replies.ask(interaction, entry_page.seeds_form(look))

    async def desk_seeded(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        link, order = link_of(control), typed_rulings.numbers(only(chosen))

        async def doing(caller: Caller) -> Tournament:
            return await self.tournaments.seed_by_hand(caller, link.tournament, order=order, seen=link.version)

        async def shown(look: DeskView) -> Page:
            return entry_page.entries_page(look)

        await self.act(interaction, link, doing, shown, "seeded")

    async def desk_directors(self, interaction: Interaction, control: ControlId, _chosen: Chosen) -> None:
        """Who directs."""
        look = await self.look(interaction, link_of(control).tournament)
        await self.show(interaction, entry_page.directors_page(look))

    async def desk_named(self, interaction: Interaction, control: ControlId, chosen: Chosen) -> None:
        link = link_of(control)
        person, name = desk_forms.chosen_person(interaction, chosen)

        async def doing(caller: Caller) -> Tournament:
            return await self.tournaments.name_director(caller, link.tournament, person=person, name=name)

        async def shown(look: DeskView) -> Page:
            return entry_page.directors_page(look)

        await self.act(interaction, link, doing, shown, "named")


def _known(category: str, level: str) -> None:
    """Raises `InputProblem` for a penalty that there is none of."""
    if category not in CATEGORIES or not level.isdecimal() or int(level) not in LEVELS:
        raise InputProblem(InputCode.OLD_CONTROL)
