"""A tournament as spreadsheets: their contents, and that no cell is a formula."""

from __future__ import annotations

import csv
import io
import zipfile
from typing import Any

import pytest

from bot.tournaments.export.document import tournament_document
from bot.tournaments.export.sheets import csv_cell, csv_sheets, zip_archive
from tests.support.tournament_formats import play_to_close


def sheet_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


async def expected_sheet(name: str) -> dict[str, Any]:
    return tournament_document((await play_to_close(name)).material)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+39 055", "'+39 055"),
        ("-Ben-", "'-Ben-"),
        ("@everyone", "'@everyone"),
        (" =cmd|' /C calc'!A0", "' =cmd|' /C calc'!A0"),
        ("\t=1", "'\t=1"),
        ("Ana & Dov", "Ana & Dov"),
        (-320, -320),
        (-48.5, -48.5),
        (True, "yes"),
        (None, None),
    ],
)
def test_a_spreadsheet_cell_with_text_is_no_formula_and_one_with_a_number_stays_one(value: Any, written: Any) -> None:
    assert written == csv_cell(value)


async def test_the_spreadsheets_have_the_data_of_the_export_document() -> None:
    export = await expected_sheet("swiss")
    export["entries"][0]["name"] = '=HYPERLINK("x")'
    tables = {name: sheet_rows(text) for name, text in csv_sheets(export).items()}
    assert ["entries.csv", "pairings.csv", "deals.csv", "standings.csv"] == list(tables)
    assert ["1", "2", "3", "4", "5"] == [row["entry"] for row in tables["entries.csv"]]
    assert '\'=HYPERLINK("x")' == tables["entries.csv"][0]["name"]
    played = [match for one in export["rounds"] for match in one["matches"]]
    byes = [out for one in export["rounds"] for out in one["unpaired"]]
    assert 2 * len(played) + len(byes) == len(tables["pairings.csv"])
    assert len(byes) == [row["kind"] for row in tables["pairings.csv"]].count("bye")
    assert sum(2 * len(match["deals"]) for match in played) == len(tables["deals.csv"])
    first = [row for row in tables["deals.csv"] if row["match"] == "1"]
    assert [side["score"] for side in played[0]["sides"]] == [
        sum(int(row["score"]) for row in first if row["side"] == side) for side in ("1", "2")
    ]
    last = [row for row in tables["standings.csv"] if row["after_round"] == str(len(export["rounds"]))]
    assert [str(row["points"]) for row in export["standings"][-1]["rows"]] == [row["points"] for row in last]


async def test_boards_have_a_spreadsheet_and_the_archive_holds_all_spreadsheets() -> None:
    export = await expected_sheet("matchpoints")
    packed = zip_archive(export)
    assert packed == zip_archive(export)
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        shown = sheet_rows(files.read("boards.csv").decode("utf-8-sig"))
    assert 5 * 3 * 2 == len(shown), "boards, tables and sides"
    assert [row["matchpoints"] for row in shown if row["side"] == "ns"] != []
