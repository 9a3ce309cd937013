"""Every format has its row, its object and its words; an eighth format needs only these three."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any, cast

import pytest

from bot.i18n import locales, words
from bot.i18n.catalogue import Words
from bot.tables.seating.lobby_rules import PROGRAM
from bot.tournaments.event.match_state import MatchState
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import tournament_document
from bot.tournaments.export.export_input import ExportInput
from bot.tournaments.format_traits import TRAITS, FormatKind
from bot.tournaments.formats.by_kind import FORMATS, check_plan
from bot.tournaments.formats.swiss import SwissFormat
from cogs.tournament.announcement import announcement_page
from cogs.tournament.page.page import page_html
from cogs.tournament.wizard.pages import PAGES, WizardPanel, wizard_panel_page
from cogs.tournament.wizard.plan_edits import PAGE_OF
from tests.support.tournaments import DIRECTOR, open_evening, pairs, usual_plan


def tables_of_words_for_formats(catalogue: Words) -> set[str]:
    """Return the tables of a catalogue that have an entry for each format."""
    ending = f".{FormatKind.SWISS.value}"
    return {key.removesuffix(ending) for key in catalogue.entries if key.endswith(ending)}


@pytest.fixture
def eighth_format(monkeypatch: pytest.MonkeyPatch) -> FormatKind:
    """Add an eighth format and return it: a name, a row of traits, and an object.

    The program's constants are patched, because a format is added only by changing them in the source.
    """
    kind = str.__new__(FormatKind, "eighth")
    kind._name_, kind._value_ = "EIGHTH", "eighth"
    monkeypatch.setitem(cast(MutableMapping[str, FormatKind], FormatKind._value2member_map_), "eighth", kind)
    monkeypatch.setitem(cast(MutableMapping[FormatKind, Any], TRAITS), kind, TRAITS[FormatKind.SWISS])
    monkeypatch.setitem(cast(MutableMapping[FormatKind, Any], FORMATS), kind, SwissFormat())
    return kind


def with_words_of_eighth_format(catalogue: Words) -> Words:
    """Return the catalogue with words for the eighth format."""
    more = {f"{topic}.eighth": "Eighth" for topic in tables_of_words_for_formats(catalogue)}
    return Words(catalogue.locale, {**catalogue.entries, **more})


def test_a_format_is_named_only_in_its_definition_and_four_other_files() -> None:
    """The four name a plan's default, two kinds of brackets, the final of a series, and a bench."""
    own = Path("bot/tournaments/formats")
    asking = {
        str(path)
        for folder in ("bot", "cogs", "render")
        for path in Path(folder).rglob("*.py")
        if "FormatKind." in path.read_text(encoding="utf-8") and own not in path.parents
    }
    others = {
        "bot/tournaments/event/plan.py",
        "bot/tournaments/brackets/results.py",
        "bot/bench/pairing.py",
        "bot/series/nights.py",
    }
    assert {"bot/tournaments/format_traits.py", *others} == asking


def test_every_format_has_a_row_of_traits_and_an_object() -> None:
    assert list(FormatKind) == list(TRAITS) == list(FORMATS)


@pytest.mark.parametrize("kind", FormatKind)
def test_every_option_of_a_format_has_a_page_of_the_wizard(kind: FormatKind) -> None:
    assert set(TRAITS[kind].options) <= {field for field, name in PAGE_OF.items() if name in ("format", "people")}


@pytest.mark.parametrize("locale", locales())
def test_every_format_has_its_words(locale: str) -> None:
    catalogue = words(locale)
    found = tables_of_words_for_formats(catalogue)
    assert {"tournament_kind", "tournament_about", "tournament_why_of", "event_kind"} == found
    wanted = [f"{topic}.{kind.value}" for topic in sorted(found) for kind in FormatKind]
    assert [] == [key for key in wanted if key not in catalogue]


@pytest.mark.parametrize("kind", FormatKind)
def test_a_plan_fitted_once_can_be_played_and_needs_no_more_fitting(kind: FormatKind) -> None:
    fitted = FORMATS[kind].fill_in_plan(usual_plan(kind=kind, drawn=True, starts_at=2))
    assert () == check_plan(fitted, 1).unfit
    assert FORMATS[kind].fill_in_plan(fitted) == fitted


def sides(tournament: Tournament) -> list[tuple[tuple[int, ...], ...]]:
    """Return the sides of each match, in the order of the matches."""
    ordered: list[MatchState] = sorted(tournament.matches, key=lambda one: one.id)
    return [one.sides for one in ordered]


async def play_evening_for_export(folder: Path, kind: FormatKind) -> ExportInput:
    """Play an evening of five pairs in the given format; return its data published after the close."""
    async with open_evening(folder / f"{kind.value}.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=kind), pairs(5))
        await evening.play_all_rounds(number)
        return await evening.events.exports.export_input(number, person=DIRECTOR)


async def test_an_eighth_format_is_played_to_its_end_and_shown(tmp_path: Path, eighth_format: FormatKind) -> None:
    swiss = (await play_evening_for_export(tmp_path, FormatKind.SWISS)).tournament
    material = await play_evening_for_export(tmp_path, eighth_format)
    view = material.tournament
    assert (Stage.CLOSED, eighth_format) == (view.stage, view.plan.kind)
    assert sides(swiss) == sides(view)
    assert "eighth" == tournament_document(material)["event"]["kind"]
    for locale in locales():
        told = with_words_of_eighth_format(words(locale))
        panel = WizardPanel(tournament=view, offers=PROGRAM, fitness=check_plan(view.plan, 0), zone="")
        shown = [announcement_page(told, view), *(wizard_panel_page(told, panel, name) for name in PAGES)]
        assert 3 <= sum("Eighth" in str(one.view.to_components()) for one in shown)  # type: ignore[no-untyped-call]
        assert "Eighth" in page_html(told, material, {})
