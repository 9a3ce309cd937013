"""What the first release stored: tables of it go on as they were begun, with the rules they were begun with."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from bot.engine.law.house_rules import validate
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import actor
from bot.tables import table_codec
from bot.tables.consent.proposal import Kind, Proposal
from bot.tables.events import CloseAnswered, CloseAsked
from bot.tables.holders import Holders
from bot.tables.looks import Status
from bot.tables.record_folding import fold
from tests.support.play import steps_of_a_deal

FILE = Path(__file__).parents[1] / "data" / "records" / "first-release.json"
STORED: dict[str, Any] = json.loads(FILE.read_text())


def test_a_lobby_of_the_first_release_is_read_with_the_parameters_it_had() -> None:
    record = table_codec.read_record(json.dumps(STORED["lobby"]), Holders())
    assert Status.LOBBY is record.status
    assert rule_set("classic", 2) == record.rules
    assert (None, None, "") == (record.base, record.joined_rules, record.saved_as)


def test_a_running_game_of_the_first_release_goes_on_under_its_own_rules() -> None:
    data = json.loads(json.dumps(STORED["game"]))
    given = data["game"]["rules"]
    given["out_bonus"] = 135  # as a set may have been before a later release changed it
    record = table_codec.read_record(json.dumps(data), Holders())
    assert record.game is not None
    assert len(given) < len(json.loads(table_codec.write_record(record, Holders()))["game"]["rules"])
    assert 135 == record.rules.out_bonus
    assert record.rules == record.game.rules
    assert () == validate(record.rules)
    assert actor(record.game) is not None
    assert len(record.game.laid) > 0
    *_, last = steps_of_a_deal(record.game, Random(1))
    assert record.game.deal == last.after.results[-1].deal


def test_the_log_of_the_first_release_folds_to_its_record() -> None:
    stored = json.loads(FILE.read_text())
    events = [event for row in stored["log"] for event in table_codec.read_payload(json.dumps(row), Holders())]
    expected = table_codec.read_record(json.dumps(stored["game"]), Holders())
    folded = fold(None, events)
    assert (expected.game, expected.seats, expected.rules) == (folded.game, folded.seats, folded.rules)


def test_a_question_of_an_earlier_release_is_the_offer_to_end_the_game() -> None:
    data = {**STORED["game"], "close_vote": {"by": 1, "at": 9, "agreed": [1, 2]}}
    record, holders = table_codec.read_record(json.dumps(data), Holders()), Holders()
    assert Proposal(Kind.END, 1, 9, (1, 2)) == record.proposal
    assert record == table_codec.read_record(table_codec.write_record(record, holders), holders)
    log = (event for row in STORED["log"] for event in table_codec.read_payload(json.dumps(row), Holders()))
    asked = fold(fold(None, log), (CloseAsked(1, 9), CloseAnswered(2, agrees=True)))
    assert record.proposal == asked.proposal
    assert fold(asked, (CloseAnswered(2, agrees=False),)).proposal is None


def test_what_is_read_of_an_earlier_release_is_written_as_this_one_does() -> None:
    record, holders = table_codec.read_record(json.dumps(STORED["game"]), Holders()), Holders()
    assert record == table_codec.read_record(table_codec.write_record(record, holders), holders)
