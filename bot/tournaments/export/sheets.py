"""A tournament as CSV files by name, made from its document (`docs/event.md`).

A text that a spreadsheet would read as a formula gets an apostrophe before it, so that names cannot run code.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

Json = Mapping[str, Any]
Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = Sequence[Cell]

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters of formulas."""

SAME: Final = (1980, 1, 1, 0, 0, 0)
"""Fixed time of every file in an archive, so that a document always gives the same bytes."""


def csv_sheets(document: Json) -> dict[str, str]:
    """Return the CSV tables by file name; the table of boards only if there are any."""
    found = {
        "entries.csv": _csv_text(_entry_rows(document)),
        "pairings.csv": _csv_text(_pairing_rows(document)),
        "deals.csv": _csv_text(_deal_rows(document)),
        "standings.csv": _csv_text(_standings_rows(document)),
    }
    return {**found, "boards.csv": _csv_text(_board_rows(document))} if document["boards"] else found


def zip_archive(document: Json) -> bytes:
    """Return the CSV tables as one ZIP file; each table begins with a UTF-8 byte order mark."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in csv_sheets(document).items():
            packed.writestr(zipfile.ZipInfo(name, SAME), text.encode("utf-8-sig"), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def csv_cell(value: Cell) -> Cell:
    """Return the value as it is written to a table; a text that would be a formula gets an apostrophe."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.lstrip().startswith(FORMULA):
        return f"'{value}"
    return value


def _csv_text(rows: Iterable[Row]) -> str:
    """Return rows as CSV text."""
    written = io.StringIO(newline="")
    csv.writer(written).writerows([csv_cell(one) for one in row] for row in rows)
    return written.getvalue()


def _entry_names(document: Json) -> dict[int, str]:
    """Return the names of all entries by number."""
    return {one["number"]: one["name"] for one in document["entries"]}


def _entry_rows(document: Json) -> Iterator[Row]:
    """Yield a row for each entry."""
    yield "entry", "name", "start", "rounds", "annulled", "regulars"
    people = {one["id"]: one["name"] for one in document["people"]}
    ranks = {number: rank for rank, number in enumerate(document["event"]["start_order"], 1)}
    for one in document["entries"]:
        rank = ranks.get(one["number"])
        regulars = " & ".join(people[person] for person in one["regulars"])
        yield one["number"], one["name"], rank, _rounds_of(one["spans"]), one["annulled"], regulars


def _rounds_of(spans: Iterable[Sequence[int | None]]) -> str:
    """Return the rounds in which an entry takes part, such as ``1–2 5–``."""
    return " ".join(f"{first}–{'' if last is None else last}" for first, last in spans)


def _pairing_rows(document: Json) -> Iterator[Row]:
    """Yield a row for each side of a match, and for each entry without one."""
    names = _entry_names(document)
    yield "round", "stage", "table", "match", "side", "entries", "names", "kind", "points", "score", "reason"
    for turn in document["rounds"]:
        for match in turn["matches"]:
            for number, side in enumerate(match["sides"], 1):
                those = entries_of(side)
                yield (
                    *(turn["number"], turn["stage"], match["table"], match["id"], number),
                    *(_join_numbers(those), " & ".join(names[one] for one in those)),
                    *(match["kind"], side["points"], side["score"], match["reason"]),
                )
        for out in turn["unpaired"]:
            entry = out["entry"]
            head = (turn["number"], turn["stage"], None, None, None)
            yield *head, str(entry), names[entry], out["code"], out["points"], None, ""


def entries_of(side: Json) -> list[int]:
    """Return the entries of a side in a document."""
    return list(side["entries"]) if "entries" in side else [side["entry"]]


def _join_numbers(entries: Iterable[int]) -> str:
    """Return numbers as text, separated by spaces."""
    return " ".join(str(one) for one in entries)


def _deal_rows(document: Json) -> Iterator[Row]:
    """Yield a row for each side of a deal; team matches are listed by boards instead."""
    yield "round", "table", "match", "deal", "side", "entries", "score", "as_played", "void"
    for turn in document["rounds"]:
        for match in turn["matches"]:
            for deal in match["deals"]:
                played = deal.get("as_played") or [None] * len(deal["scores"])
                for number, side in enumerate(match["sides"]):
                    yield (
                        *(turn["number"], match["table"], match["id"], deal["number"], number + 1),
                        *(_join_numbers(entries_of(side)), deal["scores"][number], played[number], deal["void"]),
                    )


def _board_rows(document: Json) -> Iterator[Row]:
    """Yield a row for each direction of each table of a board."""
    yield "board", "table", "side", "entry", "score", "adjusted", "matchpoints", "cross_imp"
    for board in document["boards"]:
        for result in board["results"]:
            for side, name in enumerate(("ns", "ew")):
                figures = (result[key] for key in ("scores", "adjusted", "mp", "ximp"))
                those = [None if pair is None else pair[side] for pair in figures]
                yield board["number"], result["table"], name, result[name], *those


def _standings_rows(document: Json) -> Iterator[Row]:
    names = _entry_names(document)
    figures = dict.fromkeys(name for one in document["standings"] for row in one["rows"] for name in row["figures"])
    yield "after_round", "list", "place", "entry", "name", "points", *figures
    for one in document["standings"]:
        for row in one["rows"]:
            entry = row["entry"]
            shown = [row["figures"].get(name) for name in figures]
            yield one["after_round"], row["list"], row["place"], entry, names[entry], row["points"], *shown
