"""A tournament of every format, played until it is closed, once a process, for all tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bot.engine.rules.sets import rule_set
from bot.tournaments.event.plan import BoardScoring, Duplicate
from bot.tournaments.export.export_input import ExportInput
from bot.tournaments.format_traits import FormatKind
from tests.support.tournaments import DIRECTOR, one_turn_rules, open_evening, pairs, usual_plan

Entries = Sequence[tuple[int, ...]]

STRANGER: Final = 77_777


@dataclass(frozen=True, slots=True)
class FormatCase:
    """The plan and entries of a tournament of one format, and its number of rounds if known beforehand."""

    chosen: dict[str, Any]
    entries: Entries
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class ClosedTournament:
    """The exports of a tournament before its first round, and after its close.

    The latter is there for a director and for the public.
    """

    drawn: ExportInput
    material: ExportInput
    for_anybody: ExportInput


def single_entries(count: int) -> Entries:
    return [(one,) for one in range(1, count + 1)]


def team_entries(count: int) -> Entries:
    return [tuple(range(4 * one + 1, 4 * one + 5)) for one in range(count)]


def board_settings(
    scoring: BoardScoring, count: int = 4, *, in_a_round: int = 2, teams: bool = False, winners: int = 1
) -> dict[str, Any]:
    duplicate = Duplicate(boards=count, in_a_round=in_a_round, scoring=scoring, two_winners=winners == 2)
    return {"kind": FormatKind.DUPLICATE, "duplicate": duplicate, "entry_size": 4 if teams else 2}


TWO: Final = one_turn_rules(rule_set("classic", 2))
SIX: Final = one_turn_rules(rule_set("classic", 6))

FORMATS: Final = {
    "swiss": FormatCase({"kind": FormatKind.SWISS, "deals": 2}, pairs(5)),
    "drawn": FormatCase({"kind": FormatKind.SWISS, "drawn": True}, single_entries(9), 3),
    "single persons": FormatCase({"kind": FormatKind.SWISS, "entry_size": 1, "rules": TWO}, single_entries(5), 4),
    "pods": FormatCase({"kind": FormatKind.SWISS, "sides": 3, "entry_size": 2, "rules": SIX}, pairs(6)),
    "robin": FormatCase({"kind": FormatKind.ROUND_ROBIN}, pairs(5), 5),
    "robin twice": FormatCase({"kind": FormatKind.ROUND_ROBIN, "cycles": 2}, pairs(3), 6),
    "single": FormatCase({"kind": FormatKind.SINGLE, "third_place": True}, pairs(5), 3),
    "second": FormatCase({"kind": FormatKind.SINGLE, "second_chance": True}, pairs(8)),
    "double": FormatCase({"kind": FormatKind.DOUBLE}, pairs(6)),
    "individual": FormatCase({"kind": FormatKind.INDIVIDUAL, "rounds": 3}, single_entries(9), 3),
    "matchpoints": FormatCase(board_settings(BoardScoring.MATCHPOINTS, 5), pairs(6), 3),
    "cross-imp": FormatCase(board_settings(BoardScoring.CROSS_IMP, 3, in_a_round=1), pairs(5), 3),
    "two lists": FormatCase(board_settings(BoardScoring.MATCHPOINTS, 3, in_a_round=1, winners=2), pairs(6), 3),
    "two odd lists": FormatCase(board_settings(BoardScoring.CROSS_IMP, 4, in_a_round=1, winners=2), pairs(7), 4),
    "teams": FormatCase(board_settings(BoardScoring.VICTORY_POINTS, teams=True), team_entries(3)),
    "two teams": FormatCase(board_settings(BoardScoring.VICTORY_POINTS, 2, teams=True), team_entries(2), 1),
}

_closed: dict[str, ClosedTournament] = {}
"""The tournaments already played, by format."""


async def play_to_close(format_name: str) -> ClosedTournament:
    """Return the exports of that format's tournament, which is played at the first call."""
    if format_name not in _closed:
        with TemporaryDirectory() as folder:
            _closed[format_name] = await _play_format(Path(folder) / "canasta.db", FORMATS[format_name])
    return _closed[format_name]


async def _play_format(path: Path, format_case: FormatCase) -> ClosedTournament:
    async with open_evening(path) as evening:
        number = await evening.begin_tournament(usual_plan(**format_case.chosen), format_case.entries)
        drawn = await evening.events.exports.export_input(number, person=DIRECTOR)
        await evening.play_all_rounds(number)
        material, for_anybody = [
            await evening.events.exports.export_input(number, person=person) for person in (DIRECTOR, STRANGER)
        ]
        return ClosedTournament(drawn, material, for_anybody)
