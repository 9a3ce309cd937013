"""The pictures of a tournament's close: what they show, that they can be drawn, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import locales, words
from bot.tournaments.course import Kind
from bot.tournaments.event.event_plan import Duplicate
from bot.tournaments.export.material import Material
from cogs.tournament.close_pictures import closing_pictures
from render import describe
from render.inputs import BracketPicture, StandingsPicture
from render.items import ThemeName
from render.pictures import Pictures
from tests.support.tournaments import DIRECTOR, open_evening, pairs, plan

PNG = b"\x89PNG"


async def closed(path: Path, entries: Sequence[tuple[int, ...]], **chosen: Any) -> Material:
    async with open_evening(path / "canasta.db") as evening:
        number = await evening.begun(plan(**chosen), entries)
        await evening.play_all(number)
        return await evening.events.material(number, person=DIRECTOR)


@pytest.mark.parametrize(
    ("chosen", "entries", "names"),
    [
        ({"kind": Kind.SWISS, "rounds": 2}, pairs(5), ["places"]),
        ({"kind": Kind.ROUND_ROBIN}, pairs(3), ["places"]),
        ({"kind": Kind.SINGLE, "third_place": True}, pairs(5), ["places", "bracket-main"]),
        ({"kind": Kind.SINGLE, "second_chance": True}, pairs(4), ["places", "bracket-main", "bracket-second"]),
        ({"kind": Kind.DOUBLE}, pairs(5), ["places", "bracket-upper", "bracket-lower"]),
        (
            {"kind": Kind.DUPLICATE, "duplicate": Duplicate(boards=3, in_a_round=1)},
            pairs(4),
            ["places-ns", "places-ew"],
        ),
    ],
    ids=["swiss", "robin", "single", "second", "double", "duplicate"],
)
async def test_every_format_has_its_pictures(
    tmp_path: Path, chosen: dict[str, Any], entries: list[tuple[int, int]], names: list[str]
) -> None:
    material = await closed(tmp_path, entries, **chosen)
    pictures = Pictures()
    try:
        for locale in locales():
            shown = dict(closing_pictures(words(locale), material, theme=ThemeName.DARK))
            assert names == list(shown)
            assert all([(await pictures.drawn(one)).startswith(PNG) for one in shown.values()])
            assert all("Friday cup" in describe.text(one) for one in shown.values())
    finally:
        pictures.close()
    table = dict(closing_pictures(words(), material, theme=ThemeName.DARK))[names[0]]
    assert isinstance(table, StandingsPicture)
    assert table.medals
    assert 1 == table.rows[0].place
    best = next(place.entry for place in material.ranking.places if place.first == 1 and place.list_name in ("", "ns"))
    people = material.tournament.entrant(best).people
    assert " & ".join(f"P{one}" for one in people) == table.rows[0].name


async def test_a_bracket_shows_who_won_and_who_had_nobody_to_meet(tmp_path: Path) -> None:
    material = await closed(tmp_path, pairs(3), kind=Kind.SINGLE)
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
