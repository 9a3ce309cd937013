"""Permission to join a host's tables: blocks, and the host's choice about joiners."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.profiles.blocks import MOST_BLOCKED, BlockList, TooManyBlocked
from bot.profiles.preferences import PreferencesService
from bot.store.store import Store
from bot.tables.seating.admission import HostDecision
from tests.support.clock import ManualClock
from tests.support.empty_database import open_new_store

HOST, GUEST, FRIEND = 11, 12, 13


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with open_new_store(tmp_path / "canasta.db") as store:
        yield store


@pytest.fixture
def profiles(store: Store) -> PreferencesService:
    return PreferencesService(store.preferences)


@pytest.fixture
def block_list(store: Store, profiles: PreferencesService) -> BlockList:
    return BlockList(store.players, profiles, ManualClock())


@pytest.mark.parametrize(
    ("joiners", "blocked", "expected"),
    [
        ("unblocked", (FRIEND,), HostDecision.OPEN),
        ("unblocked", (FRIEND, GUEST), HostDecision.SHUT),
        ("all", (FRIEND,), HostDecision.OPEN),
        ("all", (FRIEND, GUEST), HostDecision.OPEN),
        ("asked", (FRIEND,), HostDecision.ASKS),
        ("asked", (FRIEND, GUEST), HostDecision.SHUT),
    ],
)
async def test_a_hosts_choice_and_blocks_decide_who_may_join(
    block_list: BlockList, profiles: PreferencesService, joiners: str, blocked: tuple[int, ...], expected: HostDecision
) -> None:
    await profiles.change_preferences(HOST, {"joiners": joiners})
    for person in blocked:
        await block_list.block(HOST, person)
    assert expected is await block_list.decision_about(HOST, GUEST)


async def test_a_block_concerns_only_the_person_who_made_it(block_list: BlockList) -> None:
    assert (GUEST,) == await block_list.block(HOST, GUEST)
    assert HostDecision.OPEN is await block_list.decision_about(GUEST, HOST)
    assert () == await block_list.blocked_people(GUEST)


async def test_blocks_can_be_removed(block_list: BlockList) -> None:
    await block_list.block(HOST, GUEST)
    assert (GUEST, FRIEND) == await block_list.block(HOST, FRIEND)
    assert (FRIEND,) == await block_list.unblock(HOST, GUEST)
    assert HostDecision.OPEN is await block_list.decision_about(HOST, GUEST)


async def test_a_block_list_is_bounded(block_list: BlockList) -> None:
    others = range(1_000, 1_000 + MOST_BLOCKED)
    for person in others:
        await block_list.block(HOST, person)
    assert tuple(others) == await block_list.block(HOST, others[0])
    with pytest.raises(TooManyBlocked):
        await block_list.block(HOST, FRIEND)
