"""Stored rule sets of servers, by name."""

from __future__ import annotations

from typing import Any

import pytest

from bot.store.errors import InvalidWrite
from bot.store.guilds import SavedRules
from bot.store.store import Store
from tests.support.stored_tables import GUILD, NORTH, SOUTH

LARGEST = 2**63 - 1


def rules_of(name: str, **different: Any) -> SavedRules:
    plain = {"guild": GUILD, "folded": name.casefold(), "name": name, "rules": "{}", "saved_by": NORTH, "saved_at": 5}
    return SavedRules(**{**plain, **different})


async def test_rules_are_kept_by_server_and_name_and_can_be_replaced(store: Store) -> None:
    assert () == await store.guilds.saved_rules(GUILD)
    for rules in (rules_of("House"), rules_of("Duel"), rules_of("House", guild=LARGEST)):
        await store.guilds.save_rules(rules)
    assert (rules_of("Duel"), rules_of("House")) == await store.guilds.saved_rules(GUILD)
    later = rules_of("HOUSE", rules='{"a":1}', saved_by=SOUTH, saved_at=9)
    await store.guilds.save_rules(later)
    assert (rules_of("Duel"), later) == await store.guilds.saved_rules(GUILD)
    assert (rules_of("House", guild=LARGEST),) == await store.guilds.saved_rules(LARGEST)


async def test_rules_are_deleted_and_unknown_names_are_ignored(store: Store) -> None:
    await store.guilds.save_rules(rules_of("House"))
    await store.guilds.forget_rules(GUILD, "duel")
    await store.guilds.forget_rules(LARGEST, "house")
    assert (rules_of("House"),) == await store.guilds.saved_rules(GUILD)
    await store.guilds.forget_rules(GUILD, "house")
    assert () == await store.guilds.saved_rules(GUILD)


async def test_rules_that_no_column_can_hold_are_refused(store: Store) -> None:
    with pytest.raises(InvalidWrite):
        await store.guilds.save_rules(rules_of("House", saved_by=2**70))
    assert () == await store.guilds.saved_rules(GUILD)
