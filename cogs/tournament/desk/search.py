"""The search for entries and tables on the desk, if menus cannot show all of them.

See `docs/tournaments.md` 1.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from bot.tournaments.event.entries import Entrant
from bot.tournaments.event.match_state import MatchState
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Form, Option, Page, button_row, select
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.serving.context import Context
from cogs.tournament.control_ids import link_of
from cogs.tournament.desk import entries, match_page
from cogs.tournament.desk.base import Chosen, Desk, single_value
from cogs.tournament.desk.desk_view import DeskView, titled_page
from cogs.tournament.desk.forms import FormLine, lines_form

LONGEST_SEARCH: Final = 60


def search_form(view: DeskView, round_number: int) -> Form:
    """Return the form to search for a number or a part of a name.

    `round_number` is the round whose tables are searched, or 0 to search entries.
    """
    line = FormLine("text", view.words("desk_form.search"), view.words("desk_form.search_hint"), longest=LONGEST_SEARCH)
    return lines_form(view.control("desk_found", round_number), view.words("desk_button.search"), [line])


def search_results_page(view: DeskView, round_number: int, typed: str) -> Page:
    """Return the page of the entries, or of a round's tables, that match the typed text.

    `round_number` is the round, or 0 for entries.
    """
    tournament = view.tournament
    if round_number:
        tables = [
            one
            for one in tournament.matches_of(round_number)
            if _is_search_hit(typed, one.table, _match_names(view, one))
        ]
        options = [match_page.match_option(view, one) for one in tables]
        return _search_hits_page(
            view,
            options,
            view.control("desk_pick_match", round_number, "s"),
            round_number,
            ("desk_match", round_number),
        )
    those = [one for one in tournament.entrants if _is_search_hit(typed, one.number, _entry_names(view, one))]
    options = [entries.entry_option(view, one) for one in those]
    return _search_hits_page(view, options, view.control("desk_pick_entry", "s"), round_number, ("desk_entry",))


def _search_hits_page(
    view: DeskView, options: Sequence[Option], control: ControlId, round_number: int, back_target: tuple[Any, ...]
) -> Page:
    words, more = view.words, len(options) - MOST_OPTIONS
    lines = [words("desk.more_found", count=more)] if more > 0 else [] if options else [words("desk.nothing_found")]
    title = words("desk.match_title" if round_number else "desk.entry_title")
    menu = select(control, words("desk.which_match" if round_number else "desk.which_entry"), options)
    return titled_page(
        view, title, lines, menu, button_row(search_button(view, round_number), view.back_button(*back_target))
    )


def search_button(view: DeskView, round_number: int) -> ui.Button[Any]:
    """Return the button *Search*.

    `round_number` is the round whose tables are searched, or 0 to search entries.
    """
    return view.button("desk_search", round_number)


def _is_search_hit(typed: str, searched_number: int, names: str) -> bool:
    """Return whether the typed text is this number, or a part of these names."""
    wanted = typed.strip().casefold()
    return wanted == str(searched_number) if wanted.isdecimal() else wanted in names.casefold()


def _entry_names(view: DeskView, entrant: Entrant) -> str:
    return " & ".join(view.tournament.names.get(one, "") for one in entrant.members)


def _match_names(view: DeskView, match: MatchState) -> str:
    return " – ".join(_entry_names(view, view.tournament.entrant(one)) for side in match.sides for one in side)


class SearchControls(Desk):
    """Handlers of the desk's button *Search* and of its form."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        context.router.add("desk_search", self.ask_search_text)
        context.router.add("desk_found", self.show_search_results)

    async def ask_search_text(self, interaction: Interaction, control: ControlId, _values: Chosen) -> None:
        """Open the form to search for a number or a part of a name."""
        link = link_of(control)
        await interactions.show_form(
            interaction, search_form(await self.load_view(interaction, link.tournament), link.argument_number())
        )

    async def show_search_results(self, interaction: Interaction, control: ControlId, values: Chosen) -> None:
        """Show the entries or tables that match the typed text."""
        link = link_of(control)
        view = await self.load_view(interaction, link.tournament)
        await self.show_page(interaction, search_results_page(view, link.argument_number(), single_value(values)))
