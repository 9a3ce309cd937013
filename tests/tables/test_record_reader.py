"""A second reader, written from `docs/record.md` alone, reads every record.

That reader and `verify` reject every record that was tampered with.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from bot.engine.cards.notation import parse_card
from bot.engine.moves.actions import DRAW, Show, StartDeal
from bot.engine.moves.events import DealEnd
from bot.engine.play.decide import decide
from bot.engine.rules.parameters import PARAMETERS
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import new_game
from bot.tables.past.record_faults import InvalidRecord, UnreadableRecord
from bot.tables.past.record_reading import read_record
from bot.tables.past.record_steps import NAMES
from bot.tables.past.record_writing import text_of_record
from tests.support import game_records, record_reader
from tests.support.game_histories import example_record, history_of_table, short_example_record
from tests.support.game_records import (
    EVERY_FORM,
    UNUSUAL,
    RecordedGameSettings,
    TamperedRecord,
    history_of_game,
    other_false_records,
    record_of_game,
    records_with_altered_draw,
    records_with_exchanged_draws,
    records_with_exchanged_turns,
)
from tests.support.project_files import ROOT
from tests.support.random_play import replay_events, seeded_pack, steps_of_a_deal
from tests.support.record_reader import REASONS
from tests.support.record_reader_dealing import BASE, Contradiction
from tests.support.record_reader_steps import STEPS
from tests.support.seeds import SEARCHING, seeds
from tests.support.stacked_packs import stack_pack

PAGE: Final = (ROOT / "docs" / "record.md").read_text(encoding="utf-8")
ENDS: Final = ("agreed", "played", "latest_end", "resigned")

EVERY: Final = 3 if SEARCHING else 8
"""One in this many forms is tried by day."""


def recorded_game_settings(number: int, seed: int, *, streams: bool) -> RecordedGameSettings:
    """Return seed, streams, shuffle and end of recorded game `number`.

    One in three games with a single stock has a shuffle.
    """
    return RecordedGameSettings(seed, streams, not streams and number % 3 == 0, ENDS[number % len(ENDS)])


def test_the_second_reader_imports_nothing_from_the_program() -> None:
    read = ["tests.support.record_reader"]
    for name in read:
        source = (ROOT / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                found = [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
                read += [one for one in found if one.startswith("tests.") and one not in read]
                assert {one.partition(".")[0] for one in found} <= sys.stdlib_module_names | {"tests"}
    assert {"record_reader", "record_reader_dealing", "record_reader_steps"} == {one.rpartition(".")[2] for one in read}


@pytest.mark.parametrize("streams", [False, True], ids=["stock", "streams"])
def test_games_of_the_rule_sets_are_read(streams: bool) -> None:  # noqa: FBT001
    for seed in seeds(1, first=7):
        for number, rules in list(enumerate(EVERY_FORM))[(4 * streams + seed) % EVERY :: EVERY]:
            _record_read_by_both_readers(rules, recorded_game_settings(number, seed, streams=streams))


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_games_of_every_form_are_read_with_one_stock_and_with_streams(capsys: pytest.CaptureFixture[str]) -> None:
    read: Counter[bool] = Counter()
    for streams in (False, True):
        for number, rules in enumerate(EVERY_FORM):
            for seed in seeds(1):
                _record_read_by_both_readers(rules, recorded_game_settings(number, seed, streams=streams))
                read[streams] += 1
    assert 2 * len(EVERY_FORM) <= read.total()
    with capsys.disabled():
        sys.stdout.write(f"\nrecords read: {read.total()} ({len(EVERY_FORM)} forms, one stock and streams)\n")


def _record_read_by_both_readers(rules: RuleSet, settings: RecordedGameSettings) -> str:
    history = history_of_game(rules, settings)
    text = text_of_record(history, table=game_records.TABLE, deals=[one.number for one in history.deals])
    assert len(history.deals) == len(record_reader.read_record(text)["deals"])
    assert [one.ended for one in history.deals] == [one.ended for one in read_record(text).deals]
    return text


@pytest.mark.parametrize("name", UNUSUAL)
def test_the_second_reader_reads_games_with_house_rules(name: str) -> None:
    for streams in (False, True):
        _record_read_by_both_readers(UNUSUAL[name], RecordedGameSettings(3, streams))


def test_recorded_games_contain_every_step_and_every_end() -> None:
    """Steps that occur in no rule set occur in the games of `UNUSUAL` and in `_rare_games`."""
    names = ("classic-cut-throat", 3), ("hand-and-foot", 2), ("italian-club", 4), ("mexicana", 4), ("singkep", 6)
    texts = [
        record_of_game(rules, RecordedGameSettings(3))
        for rules in (*[rule_set(*one) for one in names], *UNUSUAL.values())
    ]
    texts += _rare_games()
    done = {name for text in texts for name in NAMES.values() if f'["{name}"' in text}
    assert set(NAMES.values()) == done
    assert set(NAMES.values()) == set(STEPS)
    assert any('["@",' in text for text in texts)
    assert set(REASONS) == {deal["end"][0] for text in texts for deal in json.loads(text)["deals"]}
    assert set(REASONS) == {one.value for one in DealEnd}


def _rare_games() -> list[str]:
    """Return records of two games: one has a shown special hand, one a red three as the last stock card."""
    return [_record_with_shown_hand(), _record_with_last_red_three()]


def _record_with_shown_hand() -> str:
    rules = rule_set("modern-american", 4)
    pairs = {0: "4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js"}
    events = [*decide(new_game(rules, dealer=3), None, StartDeal(stack_pack(rules, pairs, "Jh", dealer=3)))]
    game = replay_events(rules, 3, events)
    for action in (DRAW, Show("pairs")):
        happened = decide(game, 0, action)
        events += happened
        game = fold(game, happened)
    return text_of_record(history_of_table(rules, 3, events), table=game_records.TABLE, deals=[1])


def _record_with_last_red_three() -> str:
    rules = replace(rule_set("classic", 2), out_canastas=5, draw=1)
    pack = sorted(seeded_pack(rules, 3), key=lambda card: card == parse_card("3h"))
    events = [*decide(new_game(rules, dealer=0), None, StartDeal(tuple(pack)))]
    for step in steps_of_a_deal(replay_events(rules, 0, events), Random(3)):
        events += step.events
    return text_of_record(history_of_table(rules, 0, events), table=game_records.TABLE, deals=[1])


@pytest.mark.parametrize("text", [*_rare_games(), example_record(), short_example_record()])
def test_rare_games_and_the_examples_are_read(text: str) -> None:
    assert record_reader.read_record(text)["deals"]
    assert read_record(text).deals


# --- tampered records -------------------------------------------------------------------------------------------------


Lies = Callable[[str, Random, int], Iterable[TamperedRecord]]


def _check_tampered_records(tampered_records: Iterable[TamperedRecord]) -> tuple[int, list[str]]:
    """Return the number of tampered records, and a line for each that a reader accepted or misplaced.

    Misplaced: `verify` reported another place than the changed one.
    """
    told, holding = 0, []
    for lie in tampered_records:
        told += 1
        try:
            read_record(lie.text)
            holding.append(f"verify: {lie.what}")
        except InvalidRecord as fault:
            if isinstance(fault, UnreadableRecord) or not any(part in str(fault) for part in lie.where.split(" or ")):
                holding.append(f"verify elsewhere: {lie.what}, not at {lie.where} but {fault}")
        with suppress(Contradiction):
            record_reader.read_record(lie.text)
            holding.append(f"reader: {lie.what}")
    return told, holding


def _record_texts(step: int, start: int = 0) -> list[str]:
    forms = list(enumerate(EVERY_FORM))[start::step]
    seed = seeds(1)[0] + 5
    return [
        record_of_game(rules, recorded_game_settings(number, seed, streams=number % 2 == 1)) for number, rules in forms
    ]


@pytest.mark.parametrize(
    "lies",
    [records_with_altered_draw, records_with_exchanged_draws, records_with_exchanged_turns],
    ids=lambda one: str(one.__name__),
)
def test_both_readers_find_every_changed_draw_or_turn_of_a_record(lies: Lies) -> None:
    for number, text in enumerate(_record_texts(28, 5)):
        told, holding = _check_tampered_records(lies(text, Random(f"{seeds(1)[0]}:{number}"), 6))
        assert (6, []) == (told, holding)


@pytest.mark.parametrize("start", range(4))
def test_both_readers_find_every_other_change_of_a_record(start: int) -> None:
    (text, *_) = _record_texts(len(EVERY_FORM), start * 21 + 3)
    told, holding = _check_tampered_records(other_false_records(text))
    assert not holding
    assert told > 20


def test_a_turn_that_declined_the_pile_cannot_be_dropped() -> None:
    """Such a turn moves no card, but without it the deal would go on."""
    data: Any = json.loads(record_of_game(rule_set("singkep", 6), RecordedGameSettings(3)))
    deals = [one for one in data["deals"] if one["turns"][-1][1:] == [["passed"]]]
    assert deals
    for deal in deals:
        deal["turns"].pop()
        with pytest.raises(InvalidRecord, match=f"deal {deal['deal']}: end: the cards show another end"):
            read_record(json.dumps(data))


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_both_readers_find_each_of_many_changes_of_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    texts, counts = (
        _record_texts(1),
        {records_with_altered_draw: 700, records_with_exchanged_draws: 2_000, records_with_exchanged_turns: 900},
    )
    said = []
    for lies, most in counts.items():
        each = -(-most // len(texts))
        told = 0
        for number, text in enumerate(texts):
            count, holding = _check_tampered_records(lies(text, Random(f"{seeds(1)[0]}:{number}"), each))
            assert not holding
            told += count
        assert told >= most
        said.append(f"{lies.__name__}: 0 of {told} hold")
    others = [_check_tampered_records(other_false_records(text)) for text in texts[::3]]
    assert not [one for _, holding in others for one in holding]
    said.append(f"other lies: 0 of {sum(told for told, _ in others)} hold")
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(said) + "\n")


# --- the page ---------------------------------------------------------------------------------------------------------


def test_the_page_names_every_field_and_step() -> None:
    data = json.loads(example_record())
    names = {*data, *data["rules"], *data["result"], *data["deals"][0], *_optional_fields()}
    assert not [name for name in names if f"`{name}`" not in PAGE and f"`{name}`?" not in PAGE]
    steps = set(re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", PAGE, re.MULTILINE))
    named = {name for row in steps for name in re.findall(r"`(\w+)`", row)}
    assert set(NAMES.values()) <= named


def _optional_fields() -> set[str]:
    return {"streams", "feet", "replaced", "hidden", "frozen", "gave_up"}


def test_the_example_of_the_page_is_the_short_record() -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    parts = [re.escape(part) for part in shown.replace("\n", "").split("…")]
    assert len(parts) > 3
    assert re.fullmatch(".*".join(parts), short_example_record())


def test_a_record_gives_every_parameter() -> None:
    parameters = json.loads(short_example_record())["rules"]["parameters"]
    assert 112 == len(parameters)
    assert {one.name for one in PARAMETERS} | {"players", "teams", "name", "version", "theme"} == set(parameters)
    law = (ROOT / "docs" / "law" / "variants.md").read_text(encoding="utf-8")
    assert not [name for name in parameters if f"`{name}`" not in law + PAGE]


def test_a_parameter_missing_from_a_record_has_its_default() -> None:
    data = json.loads(example_record())
    base = data["rules"]["parameters"]
    text = json.dumps(data | {"rules": data["rules"] | {"parameters": {"name": "classic", "players": 4}}})
    assert read_record(text).rules == read_record(example_record()).rules == rule_set("classic", 4)
    record_reader.read_record(text)
    needed = {name: value for name, value in base.items() if name in BASE}
    assert {name: tuple(value) if isinstance(value, list) else value for name, value in needed.items()} == {
        name: tuple(value) if isinstance(value, list) else value for name, value in BASE.items()
    }


def test_a_record_of_house_rules_gives_every_parameter() -> None:
    ours = replace(rule_set("samba", 4), target=5000, ace_value=15)
    data: Any = json.loads(record_of_game(ours, RecordedGameSettings(2)))
    assert (5000, 15) == (data["rules"]["parameters"]["target"], data["rules"]["values"]["A"])
    assert ours == read_record(json.dumps(data)).rules
