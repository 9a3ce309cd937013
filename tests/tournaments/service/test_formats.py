"""Every format from entering to its close, through the tables, with results that add up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.engine.rules.sets import rule_set
from bot.tournaments.course import Kind
from bot.tournaments.event.event_plan import BoardScoring, Duplicate
from bot.tournaments.event.values import BoardStage, Stage
from tests.support.tournaments import open_evening, pairs, plan, quick


def singles(count: int) -> list[tuple[int, ...]]:
    return [(one,) for one in range(1, count + 1)]


def fours(count: int) -> list[tuple[int, ...]]:
    return [tuple(range(4 * one + 1, 4 * one + 5)) for one in range(count)]


BOARDS = Duplicate(boards=4, in_a_round=2)


@pytest.mark.parametrize(
    ("chosen", "entries", "rounds"),
    [
        ({"kind": Kind.ROUND_ROBIN}, pairs(5), 5),
        ({"kind": Kind.ROUND_ROBIN, "cycles": 2}, pairs(3), 6),
        ({"kind": Kind.SINGLE, "third_place": True}, pairs(5), 3),
        ({"kind": Kind.SINGLE, "second_chance": True}, pairs(8), None),
        ({"kind": Kind.DOUBLE}, pairs(6), None),
        ({"kind": Kind.INDIVIDUAL, "rounds": 3}, singles(9), 3),
        ({"kind": Kind.SWISS, "drawn": True}, singles(9), 3),
        ({"kind": Kind.SWISS, "entry_size": 1, "rules": quick(rule_set("classic", 2))}, singles(5), 4),
        ({"kind": Kind.SWISS, "sides": 3, "entry_size": 2, "rules": quick(rule_set("classic", 6))}, pairs(6), None),
        ({"kind": Kind.DUPLICATE, "duplicate": BOARDS}, pairs(6), 2),
        (
            {
                "kind": Kind.DUPLICATE,
                "entry_size": 4,
                "duplicate": Duplicate(boards=2, in_a_round=2, scoring=BoardScoring.VICTORY_POINTS),
            },
            fours(2),
            1,
        ),
    ],
    ids=lambda value: "-".join(str(one) for one in value.values())[:40] if isinstance(value, dict) else "",
)
async def test_a_tournament_of_every_format_ends(
    tmp_path: Path, chosen: dict[str, Any], entries: list[tuple[int, ...]], rounds: int | None
) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        number = await evening.begun(plan(**chosen), entries)
        look = await evening.play_all(number)
        assert Stage.CLOSED is look.stage
        if rounds is not None:
            assert rounds == len(look.rounds)
        assert all(one.result is not None for one in look.matches)
        assert all(one.stage is BoardStage.OPEN for one in look.boards)
