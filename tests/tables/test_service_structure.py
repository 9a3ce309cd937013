"""Parts of the table service: checks before a change, events that follow from it, deadlines."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from bot.engine.rules.sets import rule_set
from bot.tables.absence.consequences import absence_consequences
from bot.tables.contest.allowed_requests import require_allowed_request
from bot.tables.core.limits import Limits, RateLimiter
from bot.tables.core.repository import TableRepository
from bot.tables.deadlines import join_handlers
from bot.tables.play.deals import add_default_shuffle_word, reveal_seeds
from bot.tables.service import TableService, consequences_of_changes
from bot.tables.state import fold
from bot.tables.state.events import AnyEvent, Deadline, DeadlineSet, HostChanged, LifeEvent, LobbyEvent, LobbyOpened
from bot.tables.state.folding import lifecycle, seats
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, PendingChange, TableRequest
from bot.tables.state.table import Table, TableState
from bot.tables.timing.timekeeping import clock_consequences
from tests.support.stacked_packs import stack_pack
from tests.support.tables import EAST, NORTH, PATIENT, SOUTH, World, open_world, refusal_of


def decide_nothing(_found: Table) -> Decision:
    return Decision(())


def test_consequences_of_a_change_come_in_a_fixed_order(world: World) -> None:
    """Some depend on earlier ones: clocks on seats freed by absence, seeds on games that have ended."""
    order = [one.func if isinstance(one, partial) else one for one in world.service._context.repository._consequences]
    assert [add_default_shuffle_word, absence_consequences, clock_consequences, reveal_seeds] == order
    assert len(consequences_of_changes(world.store, world.service._context.time_lookup)) == len(order)


async def test_each_consequence_sees_the_effects_of_those_before_it(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST)).id
    seen: list[tuple[int, int, tuple[AnyEvent, ...]]] = []

    def move_host(before: TableState, after: TableState, change: PendingChange) -> tuple[AnyEvent, ...]:
        seen.append((before.host, after.host, change.events))
        return (HostChanged(after.host + 1),)

    async def move_host_later(before: TableState, after: TableState, change: PendingChange) -> tuple[AnyEvent, ...]:
        return move_host(before, after, change)

    repository = TableRepository(
        world.store,
        world.clock,
        RateLimiter(PATIENT),
        world.dealer,
        consequences=(move_host, move_host_later, move_host),
    )
    done = await repository.change(table, TableRequest("test", {}), lambda _: Decision((HostChanged(EAST),)))
    hosts = tuple(HostChanged(person) for person in range(EAST, EAST + 4))
    assert [(NORTH, EAST + place, hosts[: place + 1]) for place in range(3)] == seen
    assert (hosts, EAST + 3) == (done.events, done.table.record.host)


async def test_a_gate_refuses_before_anything_is_decided(world: World) -> None:
    table = (await world.open_lobby(NORTH)).id

    def refuse_everything(current_table: Table, request: TableRequest) -> None:
        raise TableRefusal(TableCode.NOT_OPEN, {"table": current_table.id, "kind": request.kind})

    def decide(_found: Table) -> Decision:
        raise AssertionError("decided behind a closed gate")

    repository = TableRepository(
        world.store, world.clock, RateLimiter(PATIENT), world.dealer, gates=(refuse_everything,)
    )
    told = await refusal_of(repository.change(table, TableRequest("test", {}), decide))
    assert (TableCode.NOT_OPEN, {"table": table, "kind": "test"}) == told
    assert (require_allowed_request,) == world.service._context.repository._gates


async def test_a_request_is_counted_once_without_its_consequences(tmp_path: Path) -> None:
    """The commitment to a seed that follows the opening of a lobby is a change without a caller."""
    async with open_world(tmp_path / "canasta.db", limits=Limits(burst=2, refill=60_000)) as world:
        table = (await world.open_lobby(NORTH)).id
        await world.service.lobby.add_computer(world.caller(NORTH), table)
        told = await refusal_of(world.service.lobby.add_computer(world.caller(NORTH), table))
        assert TableCode.TOO_FAST is told[0]
        repository = world.service._context.repository
        assert not (await repository.change(table, TableRequest("test", {}), decide_nothing)).repeated


def test_a_deadline_that_is_not_handled_exactly_once_fails_at_construction() -> None:
    every = dict.fromkeys(Deadline, decide_nothing)
    assert every == join_handlers([every])
    with pytest.raises(ValueError, match=r"exactly once: vote$"):
        join_handlers([{one: decide_nothing for one in Deadline if one is not Deadline.VOTE}])
    with pytest.raises(ValueError, match=r"exactly once: idle, pause$"):
        join_handlers([every, dict.fromkeys((Deadline.PAUSE, Deadline.IDLE), decide_nothing)])


def test_an_event_without_exactly_one_fold_fails_at_import() -> None:
    kinds = {*get_args(LobbyEvent), *get_args(LifeEvent)} - {LobbyOpened}
    assert kinds == set(fold.join_folds((seats.FOLDS, lifecycle.FOLDS), kinds))
    with pytest.raises(TypeError, match=r"one fold: DeadlineSet$"):
        fold.join_folds(
            (seats.FOLDS, {one: fold_ for one, fold_ in lifecycle.FOLDS.items() if one is not DeadlineSet}),
            kinds,
        )
    with pytest.raises(TypeError, match=r"one fold: HostChanged$"):
        fold.join_folds((seats.FOLDS, lifecycle.FOLDS, {HostChanged: seats.change_host}), kinds)
    with pytest.raises(TypeError, match=r"one fold: HostChanged$"):
        fold.join_folds((seats.FOLDS, lifecycle.FOLDS), kinds - {HostChanged})


def test_the_service_and_its_parts_inherit_from_nothing(world: World) -> None:
    parts: Iterable[object] = [part for name, part in vars(world.service).items() if not name.startswith("_")]
    assert {(type(part), object) for part in parts} == {type(part).__mro__ for part in parts}
    assert (TableService, object) == TableService.__mro__


async def test_a_dealer_passed_to_the_service_orders_the_pack(world: World) -> None:
    world.dealer.pack = stack_pack(rule_set("classic", 4), dict.fromkeys(range(4), ""), "4s 5s", dealer=3)
    table = (await world.start_game(NORTH, EAST, SOUTH)).id
    game = (await world.service._context.repository.get(table)).record.game
    assert game is not None
    assert set(world.dealer.pack[:44]) == {card for hand in game.hands for card in hand}
