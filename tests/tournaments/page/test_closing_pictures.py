"""The pictures at the close of a tournament: their contents and captions, and that they can be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.i18n import locales, words
from bot.tournaments.format_traits import FormatKind
from cogs.tournament.final_results import closing_pictures
from render import descriptions
from render.layout_items import ThemeName
from render.picture_inputs import BracketPicture, StandingsPicture
from render.picture_queue import PictureQueue
from tests.support.tournament_formats import play_to_close
from tests.support.tournaments import DIRECTOR, open_evening, pairs, usual_plan

PNG = b"\x89PNG"


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("swiss", ["places"]),
        ("robin", ["places"]),
        ("single", ["places", "bracket-main"]),
        ("second", ["places", "bracket-main", "bracket-second"]),
        ("double", ["places", "bracket-upper", "bracket-lower"]),
        ("two lists", ["places-ns", "places-ew"]),
    ],
)
async def test_every_format_has_its_pictures(name: str, names: list[str]) -> None:
    material = (await play_to_close(name)).material
    pictures = PictureQueue()
    try:
        for locale in locales():
            shown = dict(closing_pictures(words(locale), material, theme=ThemeName.DARK))
            assert names == list(shown)
            assert all([(await pictures.draw_png(one)).startswith(PNG) for one in shown.values()])
            assert all("Friday cup" in descriptions.short_description(one) for one in shown.values())
    finally:
        pictures.close()
    table = dict(closing_pictures(words(), material, theme=ThemeName.DARK))[names[0]]
    assert isinstance(table, StandingsPicture)
    assert table.medals
    assert 1 == table.rows[0].place
    best = next(place.entry for place in material.ranking.places if place.first == 1 and place.list_name in ("", "ns"))
    people = material.tournament.entrant(best).people
    assert " & ".join(f"P{one}" for one in people) == table.rows[0].name


async def test_a_bracket_shows_winners_and_byes(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(kind=FormatKind.SINGLE), pairs(3))
        await evening.play_all_rounds(number)
        material = await evening.events.exports.export_input(number, person=DIRECTOR)
    shown = dict(closing_pictures(words(), material, theme=ThemeName.LIGHT))["bracket-main"]
    assert isinstance(shown, BracketPicture)
    assert ("Semifinals", "Final") == shown.round_names
    (alone, met), (final,) = shown.rounds
    assert "–" in alone.names
    assert (None, None) == alone.points
    for match in (met, final):
        assert match.winner is not None
        assert None not in match.points
    assert material.bracket is not None
    champion = material.tournament.entrant(material.bracket.main.champion or 0)
    assert final.names[final.winner or 0] == " & ".join(f"P{one}" for one in champion.people)
