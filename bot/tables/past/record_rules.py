"""Rules in a record file: the name of a rule set, what was changed in it, and a digest of all that was played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.store.errors import Undecodable
from bot.store.game_forms import decode_rules, encode_rules


class UnknownRules(ValueError):
    """Rules of a record that this release does not have, or has otherwise; the text says which."""


def digest_of(rules: RuleSet) -> str:
    """SHA-256, hexadecimal, of every parameter that is not as it is where nobody says, in the order of their names.

    A parameter that a later release adds leaves the digest as it is, since games before it were played without.
    """
    written = encode_rules(rules)
    usual = {one.name: one.default for one in fields(RuleSet) if one.init and one.default is not MISSING}
    told = {name: value for name, value in written.items() if name not in usual or getattr(rules, name) != usual[name]}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def rules_told(rules: RuleSet) -> dict[str, Any]:
    """The rules as a record tells them; `changed` only where anything is."""
    told: dict[str, Any] = {"name": rules.name, "players": rules.players, "digest": digest_of(rules)}
    usual = encode_rules(rule_set(rules.name, rules.players))
    changed = {name: value for name, value in encode_rules(rules).items() if usual[name] != value}
    return {**told, "changed": changed} if changed else told


def rules_read(told: Mapping[str, Any]) -> RuleSet:
    """The rules of a record. Raises `UnknownRules`, also where this release means something else by them."""
    name, players, changed = told["name"], told["players"], told.get("changed", {})
    try:
        rules = decode_rules({**encode_rules(rule_set(name, players)), **changed})
    except (LookupError, Undecodable, TypeError, ValueError):
        raise UnknownRules(f"this release has no rules {str(name)[:40]!r} for {players} as they are told") from None
    if digest_of(rules) != told["digest"]:
        raise UnknownRules(
            f"the rules {str(name)[:40]!r} for {players} are others in this release: their digest differs"
        )
    return rules
