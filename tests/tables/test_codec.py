"""What happens at a table is stored under names that outlive the release that wrote them."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from bot.clocks.law import PRESETS, SeatClock, Stage
from bot.engine.rulesets import rule_set
from bot.tables import codec, events
from bot.tables.looks import ClosedBecause, SeatHolder
from bot.tables.timing.clocks import Conclusion, Pause
from bot.tables.timing.settings import Absent, TableSettings
from tests.support.tables import EAST, NORTH, World

EXAMPLES: tuple[events.TableEvent, ...] = (
    events.LobbyOpened(rule_set("classic", 4), NORTH, 7, "ours"),
    events.RulesChanged(rule_set("samba", 4)),
    events.SeatChanged(2, SeatHolder("person", EAST, "East", account="east")),
    events.JoinWished(SeatHolder("person", EAST, "East", account="east")),
    events.WishDropped(EAST),
    events.HostChanged(EAST),
    events.GameStarted(3),
    events.SeedCommitted(1, "c" * 64),
    events.Contributed(0, "a word"),
    events.Shuffled(1, ("1", "a, b")),
    events.SeedRevealed(1, "d" * 64),
    events.DeadlineSet(events.Deadline.EXPIRE, 9),
    events.DeadlineSet(events.Deadline.NEXT_DEAL, None),
    events.TableClosed(ClosedBecause.ASKED),
    events.RematchOpened(17),
    events.RulesChosen(rule_set("samba", 4), "", (SeatHolder("person", EAST, "East"),)),
    events.CloseAsked(EAST, 9),
    events.CloseAnswered(EAST, agrees=True),
    events.SettingsChosen(TableSettings(clock=PRESETS["daily"], absent=Absent.FORFEIT, deals=3, latest_end=21)),
    events.ClockSet(1, SeatClock(5, 4, 3, extended=True, vacation_days=2, lapses=1)),
    events.ClockRuns(1, 10, 20, (1, 7)),
    events.ClockStopped(),
    events.StageReached(1, Stage.HALF, 20),
    events.LastDealCame(),
    events.GamePaused(Pause(EAST, 9, None, "a storm")),
    events.GameResumed(),
    events.GameConcluded(Conclusion("resigned", 1, (310, -45))),
)


def stored(event: events.TableEvent) -> dict[str, Any]:
    """As it comes out of the database."""
    (data,) = json.loads(codec.write_payload({}, (event,)))["events"]
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_every_table_event_comes_back(event: events.TableEvent) -> None:
    assert (event,) == codec.read_payload(codec.write_payload({}, (event,)))


def test_no_table_event_is_without_an_example() -> None:
    assert {form.type for form in codec.TABLE_EVENTS.forms} == {type(event) for event in EXAMPLES}
    assert {form.name for form in codec.TABLE_EVENTS.forms} == {stored(event)["table"] for event in EXAMPLES}


def test_a_rematch_of_an_earlier_release_is_read() -> None:
    """Its number stood in the place of the name."""
    assert (events.RematchOpened(17),) == codec.read_payload('{"action":{"table":17},"events":[{"table":17}]}')


async def test_the_log_of_a_table_with_a_rematch_is_read(world: World) -> None:
    look = await world.game(NORTH, players=2, target=100)
    await world.play_game(look.id, Random(3))
    await world.service.rematch(world.caller(NORTH), look.id)
    rows = await world.store.actions(look.id)
    assert "rematch_opened" == rows[-1].kind
    happened = [event for row in rows for event in codec.read_payload(row.payload)]
    assert isinstance(happened[-1], events.RematchOpened)
