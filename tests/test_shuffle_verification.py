"""The command `canasta-bot verify`, and the checker of shuffles that `docs/shuffle.md` contains."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.__main__ import main
from bot.engine.cards.notation import cards_text
from bot.tables.state.shuffle import commitment, deal_pack, digest_of_contributions
from tests.support.game_histories import example_record, example_record_of_version_1, short_example_record
from tests.support.tables import EAST, GUILD, NORTH, open_world

DOCUMENT = (Path(__file__).parents[1] / "docs" / "shuffle.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
WORDS = ["111", "222", "333", "444"]
PACK = deal_pack(SEED, 1, 1, WORDS, decks=2, jokers_per_deck=2)


def published_document(**different: Any) -> dict[str, Any]:
    plain = {
        "shuffle": "canasta-shuffle-v1",
        "table": 1,
        "deal": 1,
        "commitment": commitment(SEED, 1, 1),
        "seed": SEED.hex(),
        "contributions": WORDS,
    }
    return {name: value for name, value in {**plain, **different}.items() if value is not ...}


def run_verify(tmp_path: Path, data: object) -> int:
    file = tmp_path / "deal.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return main(["verify", str(file)])


@pytest.mark.parametrize(
    "data",
    [
        published_document(),
        published_document(shuffle=...),
        published_document(contributions=..., client=digest_of_contributions(WORDS)),
        published_document(client=digest_of_contributions(WORDS)),
        published_document(pack=cards_text(PACK)),
        published_document(pack=cards_text(PACK).split()),
        published_document(seed=SEED.hex().upper(), commitment=commitment(SEED, 1, 1).upper()),
        published_document(decks=2, jokers_per_deck=2),
        published_document(contributions=[]),
    ],
)
def test_a_matching_deal_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: dict[str, Any]) -> None:
    assert 0 == run_verify(tmp_path, data)
    text = capsys.readouterr().out
    assert "holds  the seed is the one that was committed to before the deal" in text
    assert "FAILS" not in text
    if data.get("contributions") != []:
        assert f"the pack, first card dealt first: {cards_text(PACK)}\n" in text


@pytest.mark.parametrize(
    ("data", "failing"),
    [
        (published_document(seed=bytes(32).hex()), "the seed"),
        (published_document(commitment="0" * 64), "the seed"),
        (published_document(table=2), "the seed"),
        (published_document(deal=2), "the seed"),
        (published_document(client="0" * 64), "the hash of the contributions"),
        (published_document(contributions=WORDS[::-1], pack=cards_text(PACK)), "the pack"),
        (published_document(pack=cards_text(PACK[::-1])), "the pack"),
        (published_document(pack=cards_text(PACK[:50])), "the pack"),
        (published_document(pack=cards_text(PACK), decks=3), "the pack"),
    ],
)
def test_a_mismatching_deal_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: dict[str, Any], failing: str
) -> None:
    assert 1 == run_verify(tmp_path, data)
    assert f"FAILS  {failing}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("", "is not a JSON document"),
        ("{", "is not a JSON document"),
        ("[" * 100_000, "is not a JSON document"),
        ([], "one JSON object"),
        ({}, "contributions: missing"),
        (published_document(shuffle="canasta-shuffle-v2"), "shuffle: "),
        (published_document(table=...), "table: "),
        (published_document(table="1"), "table: "),
        (published_document(table=True), "table: "),
        (published_document(table=-1), "table: "),
        (published_document(deal=1.0), "deal: "),
        (published_document(seed=...), "seed: "),
        (published_document(seed="00"), "seed: "),
        (published_document(seed="x" * 64), "seed: "),
        (published_document(seed=5), "seed: "),
        (published_document(commitment="é" * 32), "commitment: "),
        (published_document(client="no hash"), "client: "),
        (published_document(contributions="111,222"), "contributions: "),
        (published_document(contributions=[1, 2]), "contributions: "),
        (published_document(contributions=["1\n2"]), "contributions: "),
        (published_document(contributions=["\ud800"]), "contributions: "),
        (published_document(pack="Kd Zz"), "pack: "),
        (published_document(pack=5), "pack: "),
        (published_document(pack=["Kd", 5]), "pack: "),
        (published_document(decks=10**9), "decks: "),
        (published_document(jokers_per_deck=-1), "jokers_per_deck: "),
    ],
)
def test_verify_reports_unreadable_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: object, named: str
) -> None:
    assert 2 == run_verify(tmp_path, data)
    said = capsys.readouterr()
    assert named in said.err
    assert "" == said.out


def test_verify_reports_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["verify", str(tmp_path / "none.json")])
    assert "No such file" in capsys.readouterr().err


def test_verify_reports_missing_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["verify"])
    assert "contributions: missing" in capsys.readouterr().err


# --- the document ----------------------------------------------------------------------------------------------------


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_command_in_the_document_works(capsys: pytest.CaptureFixture[str]) -> None:
    (command, *_) = code_blocks("")
    words = command.replace("\\\n", " ").split()
    assert "canasta-bot" == words[0]
    assert 0 == main(words[1:])
    assert cards_text(PACK) in capsys.readouterr().out


def test_the_example_in_the_document_is_right(tmp_path: Path) -> None:
    (record,) = code_blocks("json")
    assert published_document() == json.loads(record)
    assert 0 == run_verify(tmp_path, record)


def check_with_the_document(tmp_path: Path, data: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    (source,) = code_blocks("python")
    checker, deal = tmp_path / "checker.py", tmp_path / "deal.json"
    checker.write_text(source, encoding="utf-8")
    deal.write_text(json.dumps(data), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", str(checker), str(deal)], check=False, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("table", "deal", "words", "decks", "jokers"),
    [(1, 1, WORDS, 2, 2), (987_654, 12, [], 2, 2), (5, 3, ["1187654321098765432"], 2, 2), (1, 1, WORDS, 3, 2)],
)
def test_the_checker_in_the_document_agrees_with_ours(
    tmp_path: Path, table: int, deal: int, words: list[str], decks: int, jokers: int
) -> None:
    data = published_document(
        table=table,
        deal=deal,
        contributions=words,
        commitment=commitment(SEED, table, deal),
        decks=decks,
        jokers_per_deck=jokers,
    )
    done = check_with_the_document(tmp_path, data)
    assert (0, "") == (done.returncode, done.stderr)
    pack = deal_pack(SEED, table, deal, words, decks=decks, jokers_per_deck=jokers)
    assert cards_text(pack) == done.stdout.strip()


def test_the_checker_in_the_document_finds_a_wrong_seed(tmp_path: Path) -> None:
    assert 1 == check_with_the_document(tmp_path, published_document(commitment="0" * 64)).returncode


def test_the_checker_in_the_document_is_as_short_as_it_says() -> None:
    (source,) = code_blocks("python")
    assert sum(1 for line in source.splitlines() if line) <= 40


def test_the_numbers_in_the_document_are_those_of_the_test_vector() -> None:
    for number in (digest_of_contributions(WORDS), commitment(SEED, 1, 1), cards_text(PACK[:12])):
        assert f"`{number}`" in DOCUMENT


NOT_PROVED = "Not proved: the names; who held a seat when; that each step was allowed"
NOT_PLAYED = f"{NOT_PROVED}; how the game ended; that no further deal was played"


def test_verify_plays_a_record_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run_verify(tmp_path, example_record())
    texts = capsys.readouterr().out.splitlines()
    assert "canasta-record: classic for 4" == texts[0]
    assert "holds  deal 1: the cards are all there after 5 turns, and count 660, -195" == texts[1]
    assert "the shuffle is not checked: its cards were known" in texts[2]
    assert NOT_PLAYED == texts[-1]
    assert 0 == run_verify(tmp_path, short_example_record())
    assert NOT_PROVED == capsys.readouterr().out.splitlines()[-1]


def test_verify_plays_a_record_of_version_1_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run_verify(tmp_path, example_record_of_version_1())
    texts = capsys.readouterr().out.splitlines()
    assert "holds  deal 1: the cards are all there after 5 turns, and count 660, -195" == texts[1]
    assert "in which order cards were drawn; who won; how the game ended" in texts[-1]
    lie = example_record_of_version_1().replace('"natural_canastas":500', '"natural_canastas":300')
    assert 1 == run_verify(tmp_path, lie)
    assert "deal 1: lines: the cards do not count what is told" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "status", "text"),
    [
        ('"natural_canastas":500', '"natural_canastas":300', 1, "deal 1: lines: the cards do not count what is told"),
        ('["drew","4c"]', '["drew","5c"]', 1, "deal 1, turn 2, step 1: 5c cannot be: the stock has 4c"),
        ('["discarded","9c"]', '["discarded","9d"]', 1, "deal 1, turn 1, step 2: seat 0 has no 9d there"),
        ('[1,["drew"', '[2,["drew"', 1, "deal 1, turn 2: it is the turn of seat 1"),
        ('"winner":0', '"winner":1', 1, "result: winner: the best total alone wins"),
        ('[{"name":"Ben"}],', "", 1, "seats: should be 4 lists of holders"),
        ('["drew","4c"]', '["peeked","4c"]', 2, "deal 1, turn 2, step 1: no step is named 'peeked'"),
        ('"version":2', '"version":3', 2, "version: this release knows versions 1 and 2 only"),
        ('"target":5000', '"target":"high"', 2, "this release has no rules 'classic' for 4"),
    ],
)
def test_verify_reports_a_contradiction_in_a_record_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, status: int, text: str
) -> None:
    assert old in example_record()
    assert status == run_verify(tmp_path, example_record().replace(old, new, 1))
    told = capsys.readouterr()
    assert text in told.err
    assert "Not proved" not in told.out


async def test_the_shuffles_of_a_record_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with open_world(tmp_path / "tables.sqlite3") as world:
        snapshot = await world.start_game(NORTH, EAST)
        await world.play_deal(snapshot.id, Random(2))
        text = (await world.service.past.game_file(snapshot.id, person=NORTH, guild=GUILD)).text
    assert 0 == run_verify(tmp_path, text)
    message = capsys.readouterr().out
    assert 3 == message.count("holds  deal 1: ")
    assert NOT_PLAYED == message.splitlines()[-1]
    name = f"table={snapshot.id};deal=1"
    assert 1 == run_verify(tmp_path, text.replace(name, "table=99;deal=1"))
    assert "FAILS  deal 1: the seed is the one that was committed to" in capsys.readouterr().out
    assert 1 == run_verify(tmp_path, text.replace(name, f"table={snapshot.id};deal=2"))
    assert "deal 1: shuffle: it is named as that of another deal" in capsys.readouterr().err
    data = json.loads(text)
    data["deals"][0]["shuffle"]["seed"] = "00"
    assert 1 == run_verify(tmp_path, data)
    assert "deal 1: seed: should be 32 bytes" in capsys.readouterr().err


def test_the_shuffle_of_a_record_of_version_1_needs_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seal = {"commitment": commitment(SEED, 12, 1), "seed": SEED.hex(), "contributions": []}
    text = example_record_of_version_1().replace('"shuffle":null', f'"shuffle":{json.dumps(seal)}')
    assert 0 == run_verify(tmp_path, text)
    assert "the shuffle is not checked: checked with --table NUMBER" in capsys.readouterr().out
    assert 1 == main(["verify", str(tmp_path / "deal.json"), "--table", "12"])
    message = capsys.readouterr().out
    assert "holds  deal 1: the seed is the one that was committed to" in message
    assert "FAILS  deal 1: the pack was dealt in the order that follows from both" in message
