"""The movement of a duplicate from check-in to the export (`docs/tournaments.md` 3; 8, cases 57–60)."""

from __future__ import annotations

import json
import runpy
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.store.engines.sqlite_connection import Session
from bot.store.migrations import SCRIPTS
from bot.tournaments.boards.movement import MovementName
from bot.tournaments.counted_results import UnpairedReason
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.plan import Duplicate
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.export.document import tournament_document
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.duplicate import board_scores, boards_of
from tests.support.clock import ManualClock
from tests.support.tournaments import DIRECTOR, Evening, one_turn_rules, open_evening, pairs, usual_plan


def duplicate_plan(boards: int, in_a_round: int, *, winners: int = 1) -> Any:
    duplicate = Duplicate(boards=boards, in_a_round=in_a_round, two_winners=winners == 2)
    return usual_plan(kind=FormatKind.DUPLICATE, duplicate=duplicate, rules=one_turn_rules())


def entries_of_matches(tournament: Tournament) -> list[frozenset[int]]:
    """Return the two entries of each match, in the order of the matches."""
    return [frozenset(entry for side in one.sides for entry in side) for one in tournament.matches]


async def test_8_57_too_few_pairs_play_fewer_boards_and_meet_nobody_twice(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(duplicate_plan(14, 2), pairs(5))
        view = await evening.events.overview.get_tournament(number)
        assert 14 == view.plan.duplicate.boards if view.plan.duplicate else False
        assert (5, 10) == (view.rounds_planned, len(view.boards))
        (told,) = [one for one in view.news if one.code == "movement"]
        assert {"boards": 10, "of": 14} == told.numbers
        await evening.play_all_rounds(number)
        view = await evening.events.overview.get_tournament(number)
        assert Stage.CLOSED is view.stage
        assert 10 == len(entries_of_matches(view)) == len(set(entries_of_matches(view)))
        assert all(len({one.boards for one in view.matches_of(turn.number)}) == 1 for turn in view.rounds)


async def test_8_58_a_sit_out_has_no_score(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(duplicate_plan(3, 1), pairs(5))
        await evening.play_all_rounds(number)
        material = await evening.events.exports.export_input(number, person=DIRECTOR)
    view, export = material.tournament, tournament_document(material)
    free = [one.entry for turn in view.rounds for one in turn.away]
    assert 3 == len(set(free)) == len(free)
    assert [[{"entry": one, "code": "sit_out", "points": None}] for one in free] == [
        turn["unpaired"] for turn in export["rounds"]
    ]
    rows = {row.entry: row for row in board_scores(view).rows}
    assert {one: 2 if one in free else 3 for one in range(1, 6)} == {one: row.boards for one, row in rows.items()}
    assert all(row.place is not None for row in rows.values())
    assert {"name": "short_howell", "winners": 1, "balance": 0.537} == {
        **export["event"]["movement"],
        "balance": round(export["event"]["movement"]["balance"], 3),
    }
    assert {""} == {row["list"] for row in export["standings"][-1]["rows"]}


@pytest.mark.parametrize(("count", "name"), [(7, MovementName.MITCHELL), (5, MovementName.HOWELL)])
async def test_8_59_a_director_may_have_two_winners_if_six_pairs_come(
    tmp_path: Path, count: int, name: MovementName
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(
            duplicate_plan(5, 1 if name is MovementName.HOWELL else 2, winners=2), pairs(count)
        )
        view = await evening.events.overview.get_tournament(number)
        assert view.movement is not None
        assert name is view.movement.name
        await evening.play_all_rounds(number)
        places = (await evening.events.overview.ranking(number)).places
        lists = {"ns", "ew"} if name is MovementName.MITCHELL else {""}
        assert lists == {one.list_name for one in places}


async def test_8_60_a_started_duplicate_keeps_its_movement_when_a_pair_leaves(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(duplicate_plan(6, 2), pairs(6))
        before = (await evening.events.overview.get_tournament(number)).movement
        await evening.events.entering.withdraw_person(number, 11)
        view = await evening.play_all_rounds(number)
        assert before is not None
        assert before == view.movement
        assert [set(map(frozenset, one)) for one in before.rounds] == [
            {frozenset(entry for side in match.sides for entry in side) for match in view.matches_of(turn)}
            for turn in (1, 2, 3)
        ]
        stayed = {entry for match in view.matches_of(2) for side in match.sides for entry in side} - {6}
        shares = [one.adjusted for board in boards_of(view)[2:] for one in board.results if 6 in (one.ns, one.ew)]
        assert {(40, 60), (60, 40)} >= {one for one in shares if one is not None}
        assert 4 == len(shares)
        assert stayed == {row.entry for row in board_scores(view).rows if row.place is not None}


async def test_the_standings_after_a_round_do_not_count_later_boards(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_round(duplicate_plan(3, 1), pairs(4))
        await evening.play_called_matches(number)
        first = (await evening.events.overview.ranking(number)).places
        await evening.play_all_rounds(number)
        places = (await evening.events.overview.ranking(number, after_round=1)).places
        assert first == places
        assert {1} == {one.boards for one in places}
        assert {3} == {one.boards for one in (await evening.events.overview.ranking(number)).places}


async def test_pairs_that_are_equal_share_a_range_of_places(tmp_path: Path) -> None:
    """All pairs play alike, so that the results of each board are equal."""
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begin_tournament(duplicate_plan(3, 1), pairs(4))
        await evening.play_all_rounds(number)
        places = (await evening.events.overview.ranking(number)).places
        assert [(1, 4)] * 4 == [(one.first, one.last) for one in places]


# --- tournaments stored before movements had names --------------------------------------------------------------------


def remove_movement(path: Path, tournament_number: int) -> None:
    """Change the file back to an old version without movements, whose sit-outs were byes."""
    with closing(sqlite3.connect(path)) as connection:
        (text,) = connection.execute("SELECT snapshot FROM tournaments WHERE id = ?", (tournament_number,)).fetchone()
        value = json.loads(text)
        value.pop("movement")
        connection.execute("UPDATE tournaments SET snapshot = ? WHERE id = ?", (json.dumps(value), tournament_number))
        connection.execute("UPDATE tournament_parts SET value = replace(value, 'sit_out', 'bye') WHERE part = 'rounds'")
        connection.commit()


def migrate_again(path: Path) -> None:
    """Run the migration that stores movements again."""
    (script,) = SCRIPTS.glob("*_movements.py")
    migrate = runpy.run_path(str(script))["migrate"]
    with closing(sqlite3.connect(path)) as connection:
        migrate(Session(connection))
        connection.commit()


@pytest.mark.parametrize(
    ("count", "boards", "each", "winners"), [(8, 14, 2, 2), (6, 10, 2, 1), (5, 3, 1, 2), (16, 20, 2, 2)]
)
async def test_old_duplicates_without_stored_movement_keep_their_pairings_and_lists(
    tmp_path: Path, count: int, boards: int, each: int, winners: int
) -> None:
    """In the old version, eight pairs in seven rounds had two lists, one of them with a single pair."""
    path, clock = tmp_path / "canasta.db", ManualClock()
    async with open_evening(path, clock=clock) as evening:
        number = await evening.begin_tournament(duplicate_plan(boards, each), pairs(count))
    remove_movement(path, number)
    migrate_again(path)
    async with open_evening(path, clock=ManualClock(clock.now()), first_request=7_000_000) as evening:
        view = await evening.events.overview.get_tournament(number)
        moved = view.movement
        assert moved is not None
        assert (MovementName.CIRCLE, winners) == (moved.name, moved.winners)
        assert RoundStage.DRAWN is view.rounds[0].stage
        assert {UnpairedReason.SIT_OUT} >= {one.code for one in view.rounds[0].away}
        assert tuple(range(1, count + 1)) == moved.entries
        met = [frozenset(table) for seating in moved.rounds for table in seating]
        assert len(met) == len(set(met))
        if count == 5:
            await finish_and_check_lists(evening, number)


async def finish_and_check_lists(evening: Evening, tournament_number: int) -> None:
    view = await evening.play_all_rounds(tournament_number)
    assert Stage.CLOSED is view.stage
    assert {"ns", "ew"} == {row.list_name for row in board_scores(view).rows}
    material = await evening.events.exports.export_input(tournament_number, person=DIRECTOR)
    assert "circle" == tournament_document(material)["event"]["movement"]["name"]
