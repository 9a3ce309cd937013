"""The desk's pages of entries (penalties, removal, return, seeds) and directors; their controls."""

from __future__ import annotations

from typing import Final

from bot.tables.state.snapshots import Caller
from bot.tournaments.event import rulings
from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.rulings import CATEGORIES, LEVELS
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import LIVE, find_entrant
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import DANGER, LONGEST_OPTION, Form, Option, Page, button_row, fit_text, select
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling import names
from cogs.tournament import wording
from cogs.tournament.control_ids import Link, link_of
from cogs.tournament.desk import forms
from cogs.tournament.desk.base import Chosen, Desk, DeskAction, parse_number, single_value
from cogs.tournament.desk.desk_view import DeskView, titled_page
from cogs.tournament.desk.forms import FormLine, lines_form, user_menu
from cogs.tournament.desk.rounds import reason_line

MOST_MENUS: Final = 3
LONGEST: Final = 4000


def entries_page(view: DeskView) -> Page:
    """Return the page to choose an entry, with a button for the seeds."""
    words, tournament = view.words, view.tournament
    those = sorted(tournament.entrants, key=lambda one: (one.rank == 0, one.rank, one.number))
    menus = [
        select(
            view.control("desk_pick_entry", first),
            words("desk.which_entry"),
            [entry_option(view, one) for one in those[first : first + MOST_OPTIONS]],
        )
        for first in range(0, min(len(those), MOST_MENUS * MOST_OPTIONS), MOST_OPTIONS)
    ]
    search = view.button("desk_search", 0) if len(those) > MOST_OPTIONS else None
    row = button_row(view.button("desk_seeds", enabled=_can_change_seeds(view)), search, view.back_button())
    return titled_page(view, words("desk.entry_title"), [], *menus, row)


def _can_change_seeds(view: DeskView) -> bool:
    """Return whether the seeds can still be changed."""
    turn, running = view.tournament.current_round, view.tournament.stage is Stage.RUNNING
    return view.may_judge and running and turn is not None and turn.number == 1 and turn.called_at is None


def entry_option(view: DeskView, entrant: Entrant) -> Option:
    """Return the entry as a choice of a menu."""
    label = wording.person_names(view.words, view.tournament, entrant.people)
    text = _entry_state(view, entrant)
    return Option(str(entrant.number), fit_text(f"{entrant.number}. {label}", LONGEST_OPTION, may_be_cut=True), text)


def _entry_state(view: DeskView, entrant: Entrant) -> str:
    """Return an entry's stage in words, such as entered, playing or removed."""
    alone = entrant.stage is EntryStage.WAITING and view.tournament.stage is Stage.RUNNING
    return view.words("desk_entry.pool" if alone else f"desk_entry.{entrant.stage.value}")


def entry_page(view: DeskView, entrant: Entrant) -> Page:
    """Return the page of an entry: its players, state, penalties, and possible actions."""
    words, tournament = view.words, view.tournament
    lines = [_entry_state(view, entrant)]
    if entrant.rank:
        lines.append(words("desk.seed", seed=entrant.rank))
    if entrant.regulars:
        lines.append(words("roster.regulars", names=wording.person_names(words, tournament, entrant.regulars)))
        lines.append(words("roster.plays", names=wording.person_names(words, tournament, entrant.players)))
    lines += [
        words(
            "desk.penalty",
            category=words(f"desk_category.{one.category}"),
            level=one.level,
            meaning=words(f"desk_level.{one.level}"),
            reason=names.escape_name(one.reason, longest=200),
        )
        for one in rulings.penalties(tournament)
        if one.entry == entrant.number
    ]
    options = [
        Option(
            f"{category}.{level}",
            words("desk.penalise", category=words(f"desk_category.{category}"), level=level),
            words(f"desk_level.{level}"),
        )
        for category in rulings.CATEGORIES
        for level in rulings.LEVELS
    ]
    menu = select(view.control("desk_penalty", entrant.number), words("desk.which_penalty"), options)
    back = entrant.has_left and (bool(entrant.rank) or entrant.stage is EntryStage.REMOVED)
    row = button_row(
        view.button("desk_remove", entrant.number, style=DANGER, enabled=view.may_judge and not entrant.has_left),
        view.button("desk_bring_back", entrant.number, enabled=view.may_judge and back and tournament.stage in LIVE),
        view.button("desk_rung", entrant.number, enabled=view.can_rule_on_results)
        if _is_on_ladder(view, entrant)
        else None,
        view.back_button("desk_entry"),
    )
    title = f"**{entrant.number}. {wording.person_names(words, tournament, entrant.people)}**"
    return titled_page(view, title, lines, menu if view.can_rule_on_results and entrant.rank else None, row)


def _is_on_ladder(view: DeskView, entrant: Entrant) -> bool:
    ladder = view.tournament.ladder
    return ladder is not None and entrant.number in ladder.entries


def rung_form(view: DeskView, entry: int) -> Form:
    """Return the form for the place of an entry on the ladder, with a reason."""
    rungs = 0 if view.tournament.ladder is None else len(view.tournament.ladder.entries)
    line = FormLine("rung", view.words("desk_form.rung"), view.words("desk_form.rung_hint", rungs=rungs), longest=5)
    return lines_form(view.control("desk_rung_set", entry), view.words("desk_button.rung"), [line, reason_line(view)])


def penalty_form(view: DeskView, entry: int, category: str, level: str) -> Form:
    """Return the form for the reason of a penalty of this category and level."""
    text = view.words("desk.penalise", category=view.words(f"desk_category.{category}"), level=level)
    return lines_form(view.control("desk_penalised", entry, category, level), text, [reason_line(view)])


def seeds_form(view: DeskView) -> Form:
    """Return the form to change the seeding: the entries' numbers, best entry first."""
    ranked = sorted((one for one in view.tournament.entrants if one.rank), key=lambda one: one.rank)
    filled = " ".join(str(one.number) for one in ranked)
    line = FormLine(
        "order", view.words("desk_form.order"), view.words("desk_form.order_hint"), filled, LONGEST, long=True
    )
    return lines_form(view.control("desk_seeded"), view.words("desk_button.seeds"), [line])


def directors_page(view: DeskView) -> Page:
    """Return the page of directors, with a menu to add one."""
    words, tournament = view.words, view.tournament
    lines = [f"- {wording.person_name(words, tournament, one)}" for one in tournament.directors]
    menu = user_menu(view.control("desk_named"), words("desk.name_director"))
    return titled_page(view, words("desk.directors_title"), lines, menu, button_row(view.back_button()))


class EntryControls(Desk):
    """Handlers of the controls on the pages of entries and directors."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        handlers = {
            "desk_entry": self.show_entries,
            "desk_pick_entry": self.show_picked_entry,
            "desk_penalty": self.ask_penalty_reason,
            "desk_penalised": self.give_penalty,
            "desk_remove": self.remove_entry,
            "desk_bring_back": self.bring_back_entry,
            "desk_rung": self.ask_rung,
            "desk_rung_set": self.set_rung,
            "desk_seeds": self.ask_seeds,
            "desk_seeded": self.set_seeds,
            "desk_directors": self.show_directors,
            "desk_named": self.appoint_director,
        }
        for action, handler in handlers.items():
            context.router.add(action, handler)

    async def show_entries(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the page that lists all entries."""
        view = await self.load_view(interaction, link_of(control).tournament)
        await self.show_page(interaction, entries_page(view))

    async def show_picked_entry(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        entrant = find_entrant(view.tournament, parse_number(single_value(values)))
        await self.show_page(interaction, entry_page(view, entrant))

    async def _act_on_entry(self, interaction: Interaction, link: Link, action: DeskAction, done: str) -> None:
        """Perform an action on an entry, then show its page, or all entries if it no longer exists."""

        async def build_page(view: DeskView) -> Page:
            known = next((one for one in view.tournament.entrants if one.number == link.argument_number()), None)
            return entries_page(view) if known is None else entry_page(view, known)

        await self.act_and_show(interaction, link, action, build_page, done)

    async def ask_penalty_reason(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Ask for the reason of the chosen penalty."""
        link = link_of(control)
        category, _, level = single_value(values).partition(".")
        _require_known_penalty(category, level)
        view = await self.load_view(interaction, link.tournament)
        await interactions.show_form(interaction, penalty_form(view, link.argument_number(), category, level))

    async def give_penalty(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, reason = link_of(control), single_value(values)
        await self.load_view(interaction, link.tournament)
        entry, category, level = link.argument_number(0), link.argument_text(1), link.argument_text(2)
        _require_known_penalty(category, level)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk_entries.penalise_entry(
                caller,
                link.tournament,
                entry,
                category=category,
                level=int(level),
                reason=reason,
                expected_version=link.version,
            )

        await self._act_on_entry(interaction, link, change_tournament, "penalised")

    async def remove_entry(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk_entries.remove_entry(
                caller, link.tournament, link.argument_number(), expected_version=link.version
            )

        await self._act_on_entry(interaction, link, change_tournament, "removed")

    async def bring_back_entry(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk_entries.bring_back_entry(
                caller, link.tournament, link.argument_number(), expected_version=link.version
            )

        await self._act_on_entry(interaction, link, change_tournament, "back")

    async def ask_rung(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        await interactions.show_form(
            interaction, rung_form(view, find_entrant(view.tournament, link.argument_number()).number)
        )

    async def set_rung(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link = link_of(control)
        await self.load_view(interaction, link.tournament)
        typed, reason = forms.two_values(values)
        rung = forms.parse_numbers(typed)
        if len(rung) != 1:
            raise InputProblem(InputCode.NOT_ENTRIES, {"text": typed[:40]})

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk_entries.set_rung(
                caller,
                link.tournament,
                link.argument_number(),
                rung=rung[0],
                reason=reason,
                expected_version=link.version,
            )

        await self._act_on_entry(interaction, link, change_tournament, "rung_set")

    async def ask_seeds(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        view = await self.load_view(interaction, link_of(control).tournament)
        await interactions.show_form(interaction, seeds_form(view))

    async def set_seeds(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link, order = link_of(control), forms.parse_numbers(single_value(values))

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk_entries.set_start_order(
                caller, link.tournament, order=order, expected_version=link.version
            )

        async def build_page(view: DeskView) -> Page:
            return entries_page(view)

        await self.act_and_show(interaction, link, change_tournament, build_page, "seeded")

    async def show_directors(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Show the directors."""
        view = await self.load_view(interaction, link_of(control).tournament)
        await self.show_page(interaction, directors_page(view))

    async def appoint_director(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        link = link_of(control)
        person, name = forms.chosen_person(interaction, values)

        async def change_tournament(caller: Caller) -> Tournament:
            return await self.tournaments.desk_entries.add_director(caller, link.tournament, person=person, name=name)

        async def build_page(view: DeskView) -> Page:
            return directors_page(view)

        await self.act_and_show(interaction, link, change_tournament, build_page, "named")


def _require_known_penalty(category: str, level: str) -> None:
    """Raise `InputProblem` unless a penalty has this category and level."""
    if category not in CATEGORIES or not level.isdecimal() or int(level) not in LEVELS:
        raise InputProblem(InputCode.OLD_CONTROL)
