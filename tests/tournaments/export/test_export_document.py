"""The export of a tournament: valid by its schema, with figures that follow from its results.

The tournaments of every format are played from entering to their close, through the tables.
Source: `docs/tournaments.md` 6.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bot.ratings.service import RatingService
from bot.tournaments.event.plan import BoardScoring
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.tournament import BoardStage, Stage
from bot.tournaments.export.document import document_text, tournament_document
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.match_ratings import TournamentRatings
from tests.support.tournament_figures import find_differences
from tests.support.tournament_formats import FORMATS, STRANGER, board_settings, play_to_close
from tests.support.tournaments import DIRECTOR, Evening, open_evening, pairs, usual_plan

SCHEMA = json.loads(Path("docs/event.schema.json").read_text(encoding="utf-8"))
FORM = jsonschema.validators.validator_for(SCHEMA)(SCHEMA)


def check_export(exported: dict[str, Any]) -> dict[str, Any]:
    """Check an export against its schema and a second computation; return it as read from JSON."""
    read: dict[str, Any] = json.loads(json.dumps(exported))
    FORM.validate(read)
    assert [] == find_differences(read)
    return read


def test_the_published_schema_is_valid() -> None:
    FORM.check_schema(SCHEMA)


async def load_export(evening: Evening, tournament_number: int, person: int = DIRECTOR) -> dict[str, Any]:
    return check_export(
        tournament_document(await evening.events.exports.export_input(tournament_number, person=person))
    )


@pytest.mark.parametrize("name", FORMATS)
async def test_every_format_is_played_to_its_close_and_its_export_fits_the_schema_and_its_own_results(
    name: str,
) -> None:
    found = await play_to_close(name)
    before = check_export(tournament_document(found.drawn))
    assert before["event"]["lot"] is None
    view, told = found.material.tournament, check_export(tournament_document(found.for_anybody))
    assert Stage.CLOSED is view.stage
    assert FORMATS[name].rounds in (None, len(view.rounds))
    assert all(one.result is not None for one in view.matches)
    assert all(one.stage is BoardStage.OPEN for one in view.boards)
    assert (FORMATS[name].chosen["kind"].value, "closed") == (told["event"]["kind"], told["event"]["status"])
    assert view.lot_shown == told["event"]["lot"]
    assert len(view.rounds) == len(told["rounds"])
    assert all(row["entry"] in told["event"]["start_order"] for one in told["standings"] for row in one["rows"])
    assert 1 in [row["place"] for row in told["standings"][-1]["rows"]]
    assert {board["seed"] is None for board in told["boards"]} <= {False}


async def test_case_38_a_sealed_board_is_null_in_the_export(tmp_path: Path) -> None:
    plan = usual_plan(**board_settings(BoardScoring.MATCHPOINTS, 6))
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(plan, pairs(6))
        view = await evening.events.overview.get_tournament(number)
        await evening.advance_to(view.plan.starts_at)
        await evening.give_matches_channels(number)
        view = await evening.events.overview.get_tournament(number)
        sealed = await load_export(evening, number)
        for match in view.matches[:2]:
            for one in (await evening.events.overview.get_tournament(number)).match(match.id).tables:
                await evening.play_table(one.table)
                await evening.wait_until_idle()
        told = await load_export(evening, number)
        assert (await evening.events.overview.get_tournament(number)).match(view.matches[0].id).played
    assert sealed["boards"] == told["boards"]
    assert [] == [deal for match in told["rounds"][0]["matches"] for deal in match["deals"]]
    assert [None] * 6 == [board["seed"] for board in told["boards"]]
    results = [result for board in told["boards"] for result in board["results"]]
    assert 2 * 3 == len(results)  # results of two boards at three tables each
    assert {None} == {result[name] for result in results for name in ("scores", "adjusted", "mp", "ximp")}


async def test_before_the_close_directors_alone_have_an_export(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=1), pairs(2))
        with pytest.raises(TournamentRefusal) as caught:
            await evening.events.exports.export_input(number, person=1)
        assert TournamentCode.NOT_DIRECTOR is caught.value.code
        draft = (await evening.make_draft(usual_plan())).id
        with pytest.raises(TournamentRefusal) as caught:
            await evening.events.exports.export_input(draft, person=DIRECTOR)
        assert TournamentCode.WRONG_STAGE is caught.value.code


async def test_the_export_has_rulings_with_reasons_and_their_undoing(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=2, deals=2), pairs(4))
        await evening.play_round(number)
        first, second = (await evening.events.overview.get_tournament(number)).matches[:2]
        scores = [(10, 500), (0, 0), (30, 40)]
        await evening.events.desk.adjust_scores(evening.director, number, first.id, scores=scores, reason="wrong count")
        await evening.events.desk.give_points(evening.director, number, second.id, points=(1, 1), reason="agreed")
        await evening.events.desk_entries.penalise_entry(
            evening.director, number, 1, category="late", level=3, reason="ten minutes"
        )
        told = await load_export(evening, number)
        await evening.events.desk.undo_ruling(evening.director, number, ruling=1)
        undone = await load_export(evening, number)
    adjusted = told["rounds"][0]["matches"][0]
    assert ("adjusted", "wrong count", [10, 500]) == (
        adjusted["kind"],
        adjusted["reason"],
        adjusted["deals"][0]["scores"],
    )
    assert first.result is not None
    assert list(first.result.deals[0].scores) == adjusted["deals"][0]["as_played"]
    assert told["rounds"][0]["matches"][1]["set_by_director"]
    assert [("late", 3, 1, "ten minutes", str(DIRECTOR))] == [
        (one["category"], one["level"], one["points"], one["reason"], one["by"]) for one in told["penalties"]
    ]
    assert "played" == undone["rounds"][0]["matches"][0]["kind"]
    ruled = {one["step"]: one for one in undone["audit"] if one["reason"]}
    assert {"adjust": "wrong count", "points": "agreed", "penalty": "ten minutes"} == {
        step: one["reason"] for step, one in ruled.items()
    }
    assert ruled["adjust"] == undone["audit"][undone["audit"][-1]["undoes"] - 1]


async def test_a_ladder_is_exported_with_its_rungs(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan(kind=FormatKind.LADDER))).id
        for people in pairs(3):
            await evening.enter(number, people)
        await evening.advance_to((await evening.events.overview.get_tournament(number)).plan.starts_at)
        view = await evening.events.overview.get_tournament(number)
        top, last = sorted((one for one in view.entrants if one.rank), key=lambda one: one.rank)[
            :: len(view.entrants) - 1
        ]
        await evening.events.entering.challenge(evening.caller(last.captain), number, entry=top.number)
        await evening.events.entering.answer_challenge(evening.caller(top.captain), number, yes=True)
        await evening.give_matches_channels(number)
        await evening.play_table((await evening.events.overview.get_tournament(number)).matches[0].tables[0].table)
        await evening.wait_until_idle()
        await evening.events.desk.close_ladder(evening.director, number)
        told = await load_export(evening, number, person=STRANGER)
        rungs = (await evening.events.overview.ranking(number)).places
    assert [one.entry for one in rungs] == [row["entry"] for row in told["standings"][-1]["rows"]]
    assert [[last.number], [top.number]] == [[side["entry"]] for side in told["rounds"][0]["matches"][0]["sides"]]


async def test_the_export_contains_no_calls_for_a_director_nor_answers(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(usual_plan(rounds=1), pairs(2))
        await evening.advance_to((await evening.events.overview.get_tournament(number)).plan.starts_at)
        await evening.give_matches_channels(number)
        await evening.events.entering.call_director(evening.caller(1), number, 1, text="a card fell")
        await evening.events.desk_entries.answer_director_call(evening.director, number, 1, text="pick it up")
        text = document_text(await evening.events.exports.export_input(number, person=DIRECTOR))
    assert '"step":"place"' in text
    assert not [one for one in ('"step":"case"', '"step":"answer"', "a card fell", "pick it up") if one in text]


async def test_the_export_has_the_ratings_with_their_ladder(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        evening.events.rounds.set_ratings(TournamentRatings(RatingService(evening.world.store.ratings, evening.clock)))
        number = await evening.begin_tournament(usual_plan(rounds=1, rated=True), pairs(2))
        view = await evening.play_all_rounds(number)
        await evening.wait_until_idle()
        told = await load_export(evening, number)
    assert "classic-4" == told["event"]["ladder"]
    (row,) = told["ratings"]["log"]
    assert (view.matches[0].id, False) == (row["match"], row["void"])
    assert {one["id"] for one in told["people"]} >= {person for side in row["sides"] for person in side}


def test_the_description_explains_every_field() -> None:
    description = Path("docs/event.md").read_text(encoding="utf-8")
    names: set[str] = set()

    def collect_property_names(form: Any) -> None:
        if isinstance(form, dict):
            names.update(form["properties"] if isinstance(form.get("properties"), dict) else ())
            for one in form.values():
                collect_property_names(one)

    collect_property_names(SCHEMA)
    assert [] == sorted(name for name in names if f"`{name}`" not in description)


async def test_the_exported_text_is_one_line_with_unescaped_names(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = (await evening.publish(usual_plan("Dolcetto & «Žena» <b>"))).id
        text = document_text(await evening.events.exports.export_input(number, person=DIRECTOR))
    assert '"name":"Dolcetto & «Žena» <b>"' in text
    assert "\n" not in text
