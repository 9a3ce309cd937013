"""A stored condition of a theme with an unknown word is refused as damaged."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.rules.sets import rule_set
from bot.engine.rules.themes.conditions import Condition, Theme
from bot.store.errors import UndecodableData
from bot.store.game_forms import decode_rules, encode_rules

RULES = replace(
    rule_set("classic", 4), theme=(Theme("own", ((Condition("no_meld", ("7",), until="turn", number=2),),)),)
)


@pytest.mark.parametrize("field", ["what", "canasta", "until"])
@pytest.mark.parametrize("value", ["nothing", "", 7, None, ["no_meld"]])
def test_a_word_that_is_not_known_is_refused(field: str, value: Any) -> None:
    written = json.loads(json.dumps(encode_rules(RULES)))
    assert RULES == decode_rules(written)
    written["theme"][0]["turns"][0][0][field] = value
    with pytest.raises(UndecodableData):
        decode_rules(written)


@pytest.mark.parametrize("rank", ["1", "seven", 7])
def test_a_rank_that_is_not_known_is_refused(rank: Any) -> None:
    written = json.loads(json.dumps(encode_rules(RULES)))
    written["theme"][0]["turns"][0][0]["ranks"] = ["7", rank]
    with pytest.raises(UndecodableData):
        decode_rules(written)
