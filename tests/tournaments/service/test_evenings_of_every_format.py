"""Every format from entering to its close, through the tables, with results that add up."""

from __future__ import annotations

import pytest

from bot.tournaments.event.tournament import BoardStage, Stage
from tests.support.tournament_formats import FORMATS, play_to_close


@pytest.mark.parametrize("name", FORMATS)
async def test_a_tournament_of_every_format_is_played_to_its_close(name: str) -> None:
    look = (await play_to_close(name)).material.tournament
    assert Stage.CLOSED is look.stage
    assert FORMATS[name].rounds in (None, len(look.rounds))
    assert all(one.result is not None for one in look.matches)
    assert all(one.stage is BoardStage.OPEN for one in look.boards)
