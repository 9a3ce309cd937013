"""Reading and writing a game's rules in published documents.

A record of version 2 (`docs/record.md`) names every parameter. Tournaments (`docs/event.md`) and records of version 1
name the rule set, its changed parameters, and a digest of all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.store.errors import UndecodableData
from bot.store.game_forms import KIND_NAMES, all_parameters, decode_rules
from bot.tables.past.record_faults import InvalidRecord, UnreadableRecord

BASE: Final = ("classic", 4)
"""Rule set and number of players whose parameters apply if a record does not give them."""


# --- every parameter --------------------------------------------------------------------------------------------------


def write_all_rules(rules: RuleSet, length: int | None) -> dict[str, Any]:
    """Return the rules with every parameter; `length` is the number of deals agreed on, or None."""
    return {
        "name": rules.name,
        "players": rules.players,
        "parameters": dict(all_parameters(rules)),
        "values": card_values(rules),
        "length": length,
    }


def card_values(rules: RuleSet) -> dict[str, int]:
    """Return the points of one card by its rank; `B3` is a black three, `R3` a red one."""
    return {name: rules.card_values[kind] for kind, name in KIND_NAMES.items()}


def read_all_rules(data: Mapping[str, Any]) -> tuple[RuleSet, int | None]:
    """Return the rules of a record, and the number of deals agreed on (None: no limit).

    Raises `InvalidRecord`, `UnreadableRecord` for unknown rules.
    """
    name, players, length = data["name"], data["players"], data["length"]
    try:
        rule_set(name, players)
        rules = decode_rules(
            {**all_parameters(rule_set(*BASE)), "name": name, "players": players, **data["parameters"]}
        )
    except (LookupError, UndecodableData, TypeError, ValueError):
        raise _unknown_rules_error(name, players) from None
    if (rules.name, rules.players) != (name, players):
        raise InvalidRecord("the parameters are those of other rules, or of another number of players")
    if data["values"] != card_values(rules):
        raise InvalidRecord("values: the cards do not count what the parameters say")
    if length is not None and (type(length) is not int or length < 1):
        raise InvalidRecord("length: should be a number of deals, or null")
    return rules, length


def _unknown_rules_error(name: object, players: object) -> UnreadableRecord:
    """Return the error for rules that this release does not know."""
    return UnreadableRecord(f"this release has no rules {str(name)[:40]!r} for {players} as they are told")


# --- changed parameters and a digest ----------------------------------------------------------------------------------


def digest_of(rules: RuleSet) -> str:
    """Return the SHA-256 digest (hexadecimal) of all parameters not at their defaults, by name.

    So adding a parameter to the program does not change the digest of games played without it.
    """
    written = all_parameters(rules)
    usual = {one.name: one.default for one in fields(RuleSet) if one.init and one.default is not MISSING}
    data = {name: value for name, value in written.items() if name not in usual or getattr(rules, name) != usual[name]}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def write_rules(rules: RuleSet) -> dict[str, Any]:
    """Return the rule set's name, its changed parameters if any (`changed`), and the digest."""
    data: dict[str, Any] = {"name": rules.name, "players": rules.players, "digest": digest_of(rules)}
    usual = all_parameters(rule_set(rules.name, rules.players))
    changed = {name: value for name, value in all_parameters(rules).items() if usual[name] != value}
    return {**data, "changed": changed} if changed else data


def read_rules(data: Mapping[str, Any]) -> RuleSet:
    """Return the rules that `write_rules` wrote. Raises `UnreadableRecord`, also if their digest differs."""
    name, players, changed = data["name"], data["players"], data.get("changed", {})
    try:
        rules = decode_rules({**all_parameters(rule_set(name, players)), **changed})
    except (LookupError, UndecodableData, TypeError, ValueError):
        raise _unknown_rules_error(name, players) from None
    if digest_of(rules) != data["digest"]:
        raise UnreadableRecord(
            f"the rules {str(name)[:40]!r} for {players} are others in this release: their digest differs"
        )
    return rules
