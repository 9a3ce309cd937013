"""Events of a table are stored under stable names."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from bot.clocks.time_rules import PRESETS, SeatClock, Stage
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.events import Drew
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import new_game
from bot.store.errors import UndecodableData
from bot.tables.core import stored_forms
from bot.tables.core.stored_forms import TABLE_EVENTS
from bot.tables.state import absence as absent
from bot.tables.state import contest as contests
from bot.tables.state import events
from bot.tables.state.absence import AbsenceChoice, AbsenceReason, Claim, ClaimAnswer, ClaimKind, EndChoice
from bot.tables.state.clocks import AbsencePolicy, Conclusion, Pause, TableSettings
from bot.tables.state.contest import ContestBoard, ContestTable, PendingSubstitute
from bot.tables.state.proposals import Proposal, ProposalKind
from bot.tables.state.snapshots import ClosingReason, RecentEvent, ReplayedDeal, SeatHolder
from bot.tables.state.table import TablePersons
from tests.support.stored_table_data import events_of
from tests.support.tables import SOUTH, World

NORTH, EAST = 700_000_000_000_000_001, 700_000_000_000_000_002
"""Ids of persons that occur in no other text by chance."""

EXAMPLES: tuple[events.TableEvent, ...] = (
    events.LobbyOpened(rule_set("classic", 4), NORTH, 7, "ours"),
    events.RulesChanged(rule_set("samba", 4)),
    events.SeatChanged(2, SeatHolder("person", EAST, "East", account="east")),
    events.JoinRequested(SeatHolder("person", EAST, "East", account="east")),
    events.JoinWithdrawn(EAST),
    events.HostChanged(EAST),
    events.GameStarted(3),
    events.SeedCommitted(1, "c" * 64),
    events.Contributed(0, "a word"),
    events.Shuffled(1, ("1", "a, b")),
    events.SeedRevealed(1, "d" * 64),
    events.DeadlineSet(events.Deadline.EXPIRE, 9),
    events.DeadlineSet(events.Deadline.NEXT_DEAL, None),
    events.TableClosed(ClosingReason.ASKED),
    events.HintGiven(2, 1, 5),
    events.RematchOpened(17),
    events.RulesChosen(rule_set("samba", 4), "", (SeatHolder("person", EAST, "East"),)),
    events.Proposed(Proposal(ProposalKind.SLOWER_CLOCK, EAST, 9, (EAST,), clock=PRESETS["daily"])),
    events.ProposalAnswered(NORTH, agrees=False),
    events.ProposalEnded(agreed=True),
    events.Undone(
        17,
        new_game(rule_set("classic", 4), dealer=3),
        (RecentEvent(1, 2, 3, Drew(3, (), (), 2)),),
        ((), (4, 9), (), ()),
    ),
    events.SubstituteSearchOpened(2, 9),
    events.SettingsChosen(TableSettings(clock=PRESETS["daily"], absent=AbsencePolicy.FORFEIT, deals=3, latest_end=21)),
    events.ClockSet(1, SeatClock(5, 4, 3, extended=True, vacation_days=2, lapses=1)),
    events.ClockRuns(1, 10, 20, (1, 7)),
    events.ClockStopped(),
    events.StageReached(1, Stage.HALF, 20),
    events.StageReached(1, Stage.EXTENDED, 20, 90),
    events.VacationDayTaken(1, 20, 30),
    events.VacationEnded(1, 25, 30),
    events.LastDealReached(),
    events.GamePaused(Pause(EAST, 9, None, "a storm")),
    events.GameResumed(12),
    events.GameConcluded(Conclusion("resigned", 1, (310, -45), last=0)),
    events.GameConcluded(Conclusion("resigned", 1, (310, -45))),
    events.RollCallOpened(9, (1, 2), fill=True),
    events.PresenceConfirmed(1),
    events.RollCallEnded(9),
    events.RollCallEnded(9, (SeatHolder("person", EAST, "Ben"),)),
    events.LobbyKept(),
    events.WaitingAsked(9, (EAST,)),
    events.WaitingChosen(EAST),
    events.ChannelLost(9),
    events.ChannelRestored(12),
    events.PackFixed(ReplayedDeal(12, 3), 2, parse_cards("7s JK")),
    events.PackFixed(None, 2, parse_cards("7s JK"), streams=True),
    contests.ContestOpened(
        ContestTable(
            tournament=3,
            match=17,
            number=2,
            computers=True,
            live=False,
            board=ContestBoard(2, 90, 1),
            sealed=True,
            substitutes=(PendingSubstitute(1, SeatHolder("person", EAST, "East")),),
            came=(0, 2),
        )
    ),
    contests.SubstituteNamed(2, SeatHolder("computer", number=3)),
    contests.PlayerArrived(3),
    contests.ContestUnsealed(),
    contests.AgreedHoursBegan(contests.AgreedHours(PRESETS["tournament"], (SeatClock(bank=5),), (1,))),
    contests.AgreedHoursEnded(),
    events.SubstituteSearchOpened(2, 9),
    absent.VoteOpened(2, AbsenceReason.GONE, 9),
    absent.Voted(1, AbsenceChoice.WAIT),
    absent.VoteDecided(None),
    absent.VoteWithdrawn(2),
    absent.SeatKept(2),
    absent.SideForfeited(1),
    absent.SeatClaimed(
        Claim(
            ClaimKind.TAKE,
            2,
            SeatHolder("person", EAST, "East"),
            9,
            unknown=True,
            answers=(ClaimAnswer(0, agrees=True),),
        )
    ),
    absent.ClaimAnswered(2, 0, agrees=False),
    absent.ClaimEnded(2, granted=True),
    absent.SubstituteSearchEnded(2),
    absent.EndTimeSet(9, 3, told=True),
    absent.IdleWarningSent(9),
    absent.ReturnConfirmed(1, (1, 7)),
    absent.OpponentsLost(9),
    absent.OpponentReturned(),
    absent.EndChoiceOpened(9),
    absent.EndPicked(1, EndChoice.CLAIM),
)


def read_back_from_database(event: events.TableEvent) -> dict[str, Any]:
    """Return the event's data as it is read from the database."""
    (data,) = json.loads(stored_forms.write_payload({}, (event,), TablePersons()))["events"]
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
def test_every_table_event_is_read_back_unchanged(event: events.TableEvent) -> None:
    holders = TablePersons()
    payload = stored_forms.write_payload({}, (event,), holders)
    assert (event,) == stored_forms.read_payload(payload, holders)
    for told in (NORTH, EAST, "East"):
        assert str(told) not in payload


def test_no_table_event_is_without_an_example() -> None:
    assert {form.type for form in TABLE_EVENTS.forms.values()} == {type(event) for event in EXAMPLES}
    assert TABLE_EVENTS.forms.keys() == {read_back_from_database(event)["table"] for event in EXAMPLES}


async def test_the_log_of_a_table_with_a_rematch_is_read(world: World) -> None:
    snapshot = await world.start_game(SOUTH, players=2, target=100)
    await world.play_game(snapshot.id, Random(3))
    await world.service.lobby.rematch(world.caller(SOUTH), snapshot.id)
    rows = await world.store.tables.actions(snapshot.id)
    assert "rematch_opened" == rows[-1].kind
    assert isinstance((await events_of(world.store, snapshot.id))[-1], events.RematchOpened)


DAMAGE: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (lambda data: data.update(KsKh=1), "TableState: unknown field"),
    (lambda data: data.update(created_at=7.0), "TableState.created_at: not a number"),
    (lambda data: data.update(seats=[{"kind": "person", "holder": 1, "Ks": 1}]), "StoredSeat: unknown field"),
    (lambda data: data.update(seats=[{"kind": "empty", "holder": 1}]), "TableState.seats: not a holder"),
    (lambda data: data["game"].update(hands=["KsKx"]), "TableState.game: State.hands: not cards"),
    (lambda data: data["game"].update(started=["Ks"]), "TableState.game: State.started: not a place"),
    (lambda data: data["game"].update(stock=["KsKh"]), "TableState.game: State.stock: not cards"),
    (lambda data: data["game"].update(shown=[0, "KsKh", 1]), "TableState.game: State.shown: wrong length"),
    (lambda data: data["game"].pop("rules"), "record: KeyError"),
    (lambda data: data.update(format=1.0), "wrong format"),
]


@pytest.mark.parametrize(("damage", "place"), DAMAGE, ids=[place for _, place in DAMAGE])
async def test_a_damaged_record_is_refused_with_its_path_and_without_cards(
    world: World, damage: Callable[[dict[str, Any]], None], place: str
) -> None:
    snapshot = await world.start_game(SOUTH, players=2)
    row = await world.store.tables.load(snapshot.id)
    assert row is not None
    data = json.loads(row.snapshot)
    damage(data)
    with pytest.raises(UndecodableData) as refused:
        stored_forms.read_record(json.dumps(data), TablePersons(await world.store.tables.holders(snapshot.id)))
    assert place in str(refused.value)
    assert "K" not in str(refused.value).replace("KeyError", "")
