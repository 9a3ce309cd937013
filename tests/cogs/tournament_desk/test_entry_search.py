"""Searching entries and tables at the desk, if menus do not show all (`docs/tournaments.md` 1.5)."""

from __future__ import annotations

from dataclasses import replace

from bot.i18n import words
from bot.tournaments.event.entries import Person
from cogs.shared.discord_api.components import Page
from cogs.tournament.desk.desk_view import DeskView
from cogs.tournament.desk.entries import entries_page
from cogs.tournament.desk.match_page import matches_page
from cogs.tournament.desk.search import search_results_page
from tests.cogs.tournament_desk.conftest import Desk
from tests.support.discord import controls, text_of
from tests.support.tournament_pages import BIG, NOW, running_tournament


def desk_with_entries(entries: int) -> DeskView:
    tournament = running_tournament(entries=entries)
    numbered = {person: f"Player {person - BIG}" for person in tournament.names}
    return DeskView(words(), replace(tournament, names=numbered, directors=(Person(7),)), 7, NOW)


def page_text(page: Page) -> str:
    return str(page.view.to_components())  # type: ignore[no-untyped-call]


def test_search_is_offered_from_26_entries_on() -> None:
    for entries, tables in ((24, 50), (26, 52)):
        pages = (entries_page(desk_with_entries(entries)), matches_page(desk_with_entries(tables), 1))
        offered = ["desk_search" in page_text(one) for one in pages]
        assert [entries == 26] * 2 == offered


def test_searching_for_a_number_finds_one_entry_and_for_a_name_at_most_25() -> None:
    desk = desk_with_entries(1000)
    assert "997. " in page_text(search_results_page(desk, 0, "997"))
    assert 1 == page_text(search_results_page(desk, 0, "997")).count("'value'")
    many = page_text(search_results_page(desk, 0, "player 19"))
    assert 25 == many.count("'value'")
    assert "more: type more letters." in many
    assert "29 more: type more letters." in page_text(search_results_page(desk_with_entries(54), 0, "LAYER"))
    assert "Nothing found." in page_text(search_results_page(desk, 0, "zz"))
    tables = page_text(search_results_page(desk, 1, "Player 1999"))
    assert 1 == tables.count("'value'")
    assert "Table 500" in tables or "table 500" in tables


async def test_a_director_searches_entries_in_a_form(desk: Desk) -> None:
    await desk.evening.enter_all_pairs()
    for first in range(5000, 5060, 2):
        caller = replace(desk.evening.caller(first), name=f"Guest {first}")
        await desk.evening.service.entering.enter(caller, desk.evening.number, partners={first + 1: "Zoe"})
        yes = replace(desk.evening.caller(first + 1), name="Zoe")
        await desk.evening.service.entering.answer_partner_invitation(yes, desk.evening.number, yes=True)
    everybody = await desk.fill_form(await desk.open_page("desk_entry"), "desk_search", text="zoe")
    assert "5 more: type more letters." in text_of(everybody)
    found = await desk.fill_form(everybody, "desk_search", text="guest 5018")
    assert "Guest 5018 & Zoe" in str(controls(found)["desk_pick_entry"])
    page_text = await desk.vera.choose(found, "desk_pick_entry", "14")
    assert "14. Guest 5018" in text_of(page_text)
