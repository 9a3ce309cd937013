"""Proposals at a running game: who may make them, who answers, and their outcome."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

import pytest

from bot.clocks.clock import HOUR, MINUTE, SECOND
from bot.clocks.time_rules import DAY, PRESETS, SeatClock
from bot.engine.moves.actions import DRAW
from bot.engine.moves.phases import Phase
from bot.tables.core.limits import Limits
from bot.tables.state.clocks import Conclusion, Pause, TableSettings
from bot.tables.state.events import AnyEvent, ClockSet, Deadline, GamePaused, SettingsChosen
from bot.tables.state.fold import apply_table_events
from bot.tables.state.proposals import Proposal, ProposalKind, SubstituteSearch
from bot.tables.state.refusals import TableCode
from bot.tables.state.requests import Decision, TableRequest
from bot.tables.state.snapshots import Status
from bot.tables.state.table import Table, TableState
from tests.support import stored_table_data
from tests.support.tables import EAST, NORTH, SOUTH, STRANGER, WEST, World, open_world, refusal_of

FOUR = (NORTH, EAST, SOUTH, WEST)


async def apply_events(world: World, table: int, *events: AnyEvent) -> None:
    """Store these events for the table; no request of these tests produces them."""

    async def decide(_: Table) -> Decision:
        return Decision(events)

    await world.service._context.repository.change(table, TableRequest("test", {}), decide)


async def table_state(world: World, table: int) -> TableState:
    return (await world.service._context.repository.get(table)).record


async def check_log_folds_to_stored_table(world: World, table: int) -> None:
    assert await stored_table_data.record_of(world.store, table) == apply_table_events(
        None, await stored_table_data.events_of(world.store, table)
    )


async def answer_yes(world: World, table: int, *persons: int) -> None:
    for person in persons:
        await world.service.consent.answer_proposal(world.caller(person), table, agrees=True)


# --- making a proposal ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "kind", "open_for"),
    [
        (None, ProposalKind.END, DAY),
        ("daily", ProposalKind.END, DAY),
        ("live", ProposalKind.END, 10 * MINUTE),
        ("live", ProposalKind.SLOWER_CLOCK, 10 * MINUTE),
        ("tournament", ProposalKind.PAUSE, DAY),
    ],
)
async def test_a_question_is_open_for_a_day_or_ten_minutes(
    world: World, clock: str | None, kind: ProposalKind, open_for: int
) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await apply_events(world, table, SettingsChosen(TableSettings(clock=None if clock is None else PRESETS[clock])))
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, kind, days=3)
    assert snapshot.proposal_until == world.clock.now() + open_for
    world.clock.advance(open_for - 1)
    await world.service.deadlines.fire_deadline(table, "proposal")
    assert (await world.service.reading.snapshot(table)).proposal is not None
    world.clock.advance(1)
    await world.service.deadlines.fire_deadline(table, "proposal")
    snapshot = await world.service.reading.snapshot(table)
    assert (None, None, Status.PLAYING) == (snapshot.proposal, snapshot.proposal_until, snapshot.status)
    await check_log_folds_to_stored_table(world, table)


async def test_only_one_question_is_open_and_repeating_it_counts_as_yes(world: World) -> None:
    table = (await world.start_game(*FOUR)).id
    propose = world.service.consent.propose
    await propose(world.caller(NORTH), table, ProposalKind.PAUSE)
    busy = (TableCode.PROPOSAL_OPEN, {"table": table})
    assert busy == await refusal_of(propose(world.caller(EAST), table, ProposalKind.END))
    assert busy == await refusal_of(propose(world.caller(EAST), table, ProposalKind.SUBSTITUTE))
    snapshot = await propose(world.caller(EAST), table, ProposalKind.PAUSE)
    assert (SOUTH, WEST) == snapshot.unanswered_people
    assert (TableCode.ALREADY_AGREED, {"table": table}) == await refusal_of(
        propose(world.caller(EAST), table, ProposalKind.PAUSE)
    )


async def test_agreeing_to_a_substitute_keeps_the_persons_own_seat(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.SUBSTITUTE)
    busy = (TableCode.PROPOSAL_OPEN, {"table": table})
    assert busy == await refusal_of(world.service.consent.propose(world.caller(EAST), table, ProposalKind.SUBSTITUTE))


async def test_a_person_may_propose_each_kind_three_times_a_deal(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    for _ in range(3):
        await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END)
        await world.service.consent.answer_proposal(world.caller(EAST), table, agrees=False)
    often = (TableCode.PROPOSED_TOO_OFTEN, {"times": 3})
    assert often == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END))
    for person, kind in ((EAST, ProposalKind.END), (NORTH, ProposalKind.PAUSE)):
        await world.service.consent.propose(world.caller(person), table, kind)
        await world.service.consent.answer_proposal(world.caller(person), table, agrees=False)
    await world.finish_deal(table, Random(2))
    assert often == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END))
    await world.service.play.begin_next_deal(world.caller(NORTH), table)
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END)
    assert snapshot.proposal is not None
    await check_log_folds_to_stored_table(world, table)


async def test_nothing_is_proposed_without_a_seat_or_a_game(world: World) -> None:
    lobby = (await world.open_lobby(NORTH, EAST)).id
    table = (await world.start_game(NORTH, EAST)).id
    for kind in ProposalKind:
        outside = (TableCode.NOT_SEATED, {"table": table})
        assert outside == await refusal_of(world.service.consent.propose(world.caller(STRANGER), table, kind))
        early = (TableCode.NOT_STARTED, {"table": lobby})
        assert early == await refusal_of(world.service.consent.propose(world.caller(NORTH), lobby, kind))


# --- ending the game --------------------------------------------------------------------------------------------------


async def test_an_agreed_end_counts_finished_deals_and_keeps_the_dropped_one_sealed(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db") as world:
        table = (await world.start_game(NORTH, EAST, players=2, target=3000)).id
        between = await world.finish_deal(table, Random(5))
        assert between.view is not None
        scores = tuple(total.score for total in between.view.totals)
        assert between.status is Status.PLAYING
        await world.service.play.begin_next_deal(world.caller(NORTH), table)
        for _ in range(4):
            await world.take_random_step(table, Random(5))
        await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END)
        await answer_yes(world, table, EAST)
        snapshot = await world.service.reading.snapshot(table)
        winner = None if scores[0] == scores[1] else int(scores[1] > scores[0])
        assert snapshot.conclusion == Conclusion("agreed", winner, scores)
        assert (Status.FINISHED, winner) == (snapshot.status, snapshot.winner)
        assert snapshot.actor is None, "a turn that was cut short waits for nobody"
        assert 1 == len(snapshot.sheets)
        assert not (await table_state(world, table)).deadlines
        assert await world.store.times.next_due_at() is None
        for deal in (2, 3):
            assert snapshot.shuffle[deal - 1].seed is None
            secret = await world.store.tables.secret(table, deal)
            assert secret is not None
            assert secret.revealed_at is None
        over = (TableCode.GAME_FINISHED, {"table": table})
        assert over == await refusal_of(world.service.play.act(world.caller(NORTH), table, DRAW))
        assert over == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.END))
        await check_log_folds_to_stored_table(world, table)
    async with open_world(tmp_path / "canasta.db", clock=world.clock, first_request=6_000_000) as restarted:
        assert snapshot == await restarted.service.reading.snapshot(table)
        lobby = await restarted.service.lobby.rematch(restarted.caller(NORTH), table)
        assert {NORTH, EAST} == set(lobby.persons)


async def test_an_end_agreed_between_deals_counts_all_deals_played(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2, target=3000)).id
    between = await world.finish_deal(table, Random(5))
    assert between.view is not None
    assert Phase.BETWEEN is between.view.phase
    await world.service.consent.propose(world.caller(EAST), table, ProposalKind.END)
    await answer_yes(world, table, NORTH)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.conclusion is not None
    assert tuple(total.score for total in between.view.totals) == snapshot.conclusion.scores
    assert snapshot.next_deal_at is None


# --- resigning --------------------------------------------------------------------------------------------------------


async def test_a_partner_alone_answers_whether_to_resign(world: World) -> None:
    table = (await world.start_game(*FOUR)).id
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.RESIGN)
    assert (SOUTH,) == snapshot.unanswered_people
    for agrees in (True, False):
        asked = world.service.consent.answer_proposal(world.caller(EAST), table, agrees=agrees)
        assert (TableCode.NOT_ASKED, {"table": table}) == await refusal_of(asked)
    busy = (TableCode.PROPOSAL_OPEN, {"table": table})
    assert busy == await refusal_of(world.service.consent.propose(world.caller(EAST), table, ProposalKind.RESIGN))
    await answer_yes(world, table, SOUTH)
    snapshot = await world.service.reading.snapshot(table)
    assert Conclusion("resigned", 1, (0, 0), last=0) == snapshot.conclusion
    assert Status.FINISHED is snapshot.status
    await check_log_folds_to_stored_table(world, table)


async def test_the_game_goes_on_if_the_partner_refuses_to_resign(world: World) -> None:
    table = (await world.start_game(*FOUR)).id
    await world.service.consent.propose(world.caller(EAST), table, ProposalKind.RESIGN)
    snapshot = await world.service.consent.answer_proposal(world.caller(WEST), table, agrees=False)
    assert (Status.PLAYING, None, None) == (snapshot.status, snapshot.proposal, snapshot.conclusion)


@pytest.mark.parametrize("players", [2, 4])
async def test_resigning_without_a_human_partner_happens_at_once(world: World, players: int) -> None:
    table = (await world.start_game(NORTH, EAST, players=players)).id
    snapshot = await world.service.consent.propose(world.caller(EAST), table, ProposalKind.RESIGN)
    assert Conclusion("resigned", 0, (0, 0), last=1) == snapshot.conclusion


async def test_a_resigning_player_of_three_is_last_and_the_best_other_wins(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH, players=3)).id
    between = await world.finish_deal(table, Random(5))
    assert between.view is not None
    scores = [total.score for total in between.view.totals]
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.RESIGN)
    winner = None if scores[1] == scores[2] else 1 if scores[1] > scores[2] else 2
    assert Conclusion("resigned", winner, tuple(scores), last=0) == snapshot.conclusion


async def test_three_players_have_no_winner_before_a_finished_deal(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH, players=3)).id
    snapshot = await world.service.consent.propose(world.caller(SOUTH), table, ProposalKind.RESIGN)
    assert Conclusion("resigned", None, (0, 0, 0), last=2) == snapshot.conclusion


# --- a pause ----------------------------------------------------------------------------------------------------------


async def test_a_paused_game_waits_until_it_is_resumed(tmp_path: Path) -> None:
    async with open_world(tmp_path / "canasta.db") as world:
        table = (await world.start_game(NORTH, EAST)).id
        await world.service.consent.propose(world.caller(EAST), table, ProposalKind.PAUSE, days=3)
        await answer_yes(world, table, NORTH)
        now = world.clock.now()
        snapshot = await world.service.reading.snapshot(table)
        assert Pause(EAST, now, now + 3 * DAY) == snapshot.pause
        assert await world.store.times.next_due_at() == now + 3 * DAY
    async with open_world(tmp_path / "canasta.db", clock=world.clock, first_request=6_000_000) as restarted:
        stands = (TableCode.GAME_PAUSED, {"table": table})
        person = restarted.caller(NORTH)
        assert stands == await refusal_of(restarted.service.play.act(person, table, DRAW))
        assert stands == await refusal_of(restarted.service.play.undo(restarted.caller(NORTH), table))
        assert stands == await refusal_of(restarted.service.play.go_out(restarted.caller(NORTH), table))
        assert stands == await refusal_of(restarted.service.play.begin_next_deal(restarted.caller(NORTH), table))
        assert stands == await refusal_of(
            restarted.service.consent.propose(restarted.caller(NORTH), table, ProposalKind.PAUSE)
        )
        assert stands == await refusal_of(
            restarted.service.consent.propose(restarted.caller(NORTH), table, ProposalKind.UNDO)
        )
        outside = (TableCode.NOT_SEATED, {"table": table})
        assert outside == await refusal_of(restarted.service.consent.resume(restarted.caller(STRANGER), table))
        snapshot = await restarted.service.consent.resume(restarted.caller(NORTH), table)
        assert snapshot.pause is None
        assert await restarted.store.times.timer(table, Deadline.PAUSE) is None
        again = (TableCode.NOT_PAUSED, {"table": table})
        assert again == await refusal_of(restarted.service.consent.resume(restarted.caller(NORTH), table))
        await restarted.service.play.act(restarted.caller(NORTH), table, DRAW)
        await check_log_folds_to_stored_table(restarted, table)


async def test_a_pause_ends_by_itself_and_the_next_deal_waits_for_that(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2, target=3000)).id
    await world.finish_deal(table, Random(5))
    await world.service.consent.propose(world.caller(EAST), table, ProposalKind.PAUSE, days=1)
    await answer_yes(world, table, NORTH)
    snapshot = await world.service.reading.snapshot(table)
    assert snapshot.next_deal_at is None
    world.clock.advance(DAY)
    (due,) = await world.store.times.due_timers(world.clock.now(), 10)
    assert "pause" == due.kind
    await world.service.deadlines.fire_deadline(table, due.kind)
    snapshot = await world.service.reading.snapshot(table)
    assert (None, world.clock.now() + 30 * SECOND) == (snapshot.pause, snapshot.next_deal_at)
    await check_log_folds_to_stored_table(world, table)


async def test_a_game_is_paused_twice_and_for_at_most_fourteen_days(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    for days in (0, 15):
        out = (TableCode.PAUSE_DAYS, {"days": days, "lowest": 1, "highest": 14})
        assert out == await refusal_of(
            world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE, days=days)
        )
    for _ in range(2):
        snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE, days=14)
        assert snapshot.pause is not None
        await world.service.consent.resume(world.caller(NORTH), table)
    twice = (TableCode.PAUSED_TOO_OFTEN, {"times": 2})
    assert twice == await refusal_of(world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE))


async def test_no_computer_player_moves_in_a_pause(world: World) -> None:
    table = (await world.start_game(NORTH)).id
    while (await world.service.reading.computer_turn(table)) is None:
        await world.take_random_step(table, Random(1))
    assert (table,) == await world.service.reading.tables_with_due_computer_turn()
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE)
    assert await world.service.reading.computer_turn(table) is None
    assert () == await world.service.reading.tables_with_due_computer_turn()
    await world.service.consent.resume(world.caller(NORTH), table)
    assert (table,) == await world.service.reading.tables_with_due_computer_turn()


async def test_returning_to_a_paused_table_does_not_end_the_pause(world: World) -> None:
    table = (await world.start_game(NORTH, players=2, target=3000)).id
    await world.finish_deal(table, Random(5))
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE)
    await world.service.lobby.leave(world.caller(NORTH), table)
    back = await world.service.lobby.join(world.caller(NORTH), table)
    assert back.pause is not None
    assert back.next_deal_at is None


async def test_seated_players_cannot_lift_a_game_masters_pause(world: World) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await apply_events(world, table, GamePaused(Pause(STRANGER, world.clock.now(), None, "a storm")))
    barred = (TableCode.PAUSED_BY_MASTER, {"table": table})
    assert barred == await refusal_of(world.service.consent.resume(world.caller(NORTH), table))


# --- a slower clock ---------------------------------------------------------------------------------------------------


async def test_a_slower_clock_raises_banks_and_never_cuts_them(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    live, daily = PRESETS["live"], PRESETS["daily"]
    more = daily.bank + HOUR
    clocks = (ClockSet(0, SeatClock(10 * SECOND, lapses=1)), ClockSet(1, SeatClock(more)))
    await apply_events(world, table, SettingsChosen(TableSettings(clock=live, vacation=3)), *clocks)
    snapshot = await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.SLOWER_CLOCK)
    assert snapshot.proposal == Proposal(ProposalKind.SLOWER_CLOCK, NORTH, world.clock.now(), (NORTH,), clock=daily)
    await answer_yes(world, table, EAST)
    snapshot = await world.service.reading.snapshot(table)
    assert TableSettings(clock=daily, vacation=3) == snapshot.settings
    assert snapshot.clocks is not None
    assert (SeatClock(daily.bank, lapses=1), SeatClock(more)) == snapshot.clocks.seats
    await check_log_folds_to_stored_table(world, table)


@pytest.mark.parametrize("clock", [None, "daily"])
async def test_no_clock_is_slower_than_daily_or_none(world: World, clock: str | None) -> None:
    table = (await world.start_game(NORTH, EAST)).id
    await apply_events(world, table, SettingsChosen(TableSettings(clock=None if clock is None else PRESETS[clock])))
    none = (TableCode.NO_SLOWER_CLOCK, {"table": table})
    assert none == await refusal_of(
        world.service.consent.propose(world.caller(NORTH), table, ProposalKind.SLOWER_CLOCK)
    )


# --- a substitute -----------------------------------------------------------------------------------------------------


async def test_a_seat_goes_to_a_computer_player_until_a_substitute_takes_it(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.consent.propose(world.caller(NORTH), table, ProposalKind.SUBSTITUTE)
    await answer_yes(world, table, EAST, SOUTH)
    snapshot = await world.service.reading.snapshot(table)
    assert (NORTH, EAST) == (snapshot.seats[0].kept_for, snapshot.host)
    assert (SubstituteSearch(0, world.clock.now()),) == snapshot.sought
    assert snapshot.proposal is None
    back = await world.give_seat_back(NORTH, table)
    assert () == back.sought
    await check_log_folds_to_stored_table(world, table)


# --- people who come and go -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [ProposalKind.END, ProposalKind.PAUSE])
async def test_a_question_does_not_wait_for_a_player_who_left(world: World, kind: ProposalKind) -> None:
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    await world.service.consent.propose(world.caller(NORTH), table, kind)
    await answer_yes(world, table, EAST)
    snapshot = await world.service.lobby.leave(world.caller(SOUTH), table)
    assert (snapshot.conclusion is not None, snapshot.pause is not None) == (
        kind is ProposalKind.END,
        kind is ProposalKind.PAUSE,
    )
    await check_log_folds_to_stored_table(world, table)


@pytest.mark.parametrize("kind", [ProposalKind.END, ProposalKind.PAUSE, ProposalKind.RESIGN])
async def test_the_question_ends_when_the_asker_leaves(world: World, kind: ProposalKind) -> None:
    table = (await world.start_game(*FOUR)).id
    await world.service.consent.propose(world.caller(NORTH), table, kind)
    snapshot = await world.service.lobby.leave(world.caller(NORTH), table)
    assert (None, None) == (snapshot.proposal, snapshot.proposal_until)
    assert Deadline.PROPOSAL not in (await table_state(world, table)).deadlines
    await check_log_folds_to_stored_table(world, table)


@pytest.mark.parametrize("asked", ["propose", "answer_proposal", "resume"])
async def test_a_person_who_proposes_or_answers_too_fast_has_to_wait(tmp_path: Path, asked: str) -> None:
    async with open_world(tmp_path / "canasta.db", limits=Limits(burst=20, refill=10 * HOUR)) as world:
        table = (await world.start_game(NORTH, EAST)).id
        asking: dict[str, Callable[[], Awaitable[object]]] = {
            "propose": lambda: world.service.consent.propose(world.caller(NORTH), table, ProposalKind.PAUSE, days=99),
            "answer_proposal": lambda: world.service.consent.answer_proposal(world.caller(NORTH), table, agrees=True),
            "resume": lambda: world.service.consent.resume(world.caller(NORTH), table),
        }
        codes = [(await refusal_of(asking[asked]()))[0] for _ in range(30)]
        assert codes[-1] is TableCode.TOO_FAST
