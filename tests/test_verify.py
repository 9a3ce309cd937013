"""The command `verify`, and the text of `docs/shuffle.md` that another checker can be written from."""

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
from bot.tables.state.shuffle import client_word, commitment, deal_pack
from tests.support.game_histories import example_record
from tests.support.tables import EAST, GUILD, NORTH, open_world

DOCUMENT = (Path(__file__).parents[1] / "docs" / "shuffle.md").read_text(encoding="utf-8")
SEED = bytes(range(32))
WORDS = ["111", "222", "333", "444"]
PACK = deal_pack(SEED, 1, 1, WORDS, decks=2, jokers_per_deck=2)


def published(**different: Any) -> dict[str, Any]:
    plain = {
        "shuffle": "canasta-shuffle-v1",
        "table": 1,
        "deal": 1,
        "commitment": commitment(SEED, 1, 1),
        "seed": SEED.hex(),
        "contributions": WORDS,
    }
    return {name: value for name, value in {**plain, **different}.items() if value is not ...}


def verify(tmp_path: Path, data: object) -> int:
    file = tmp_path / "deal.json"
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return main(["verify", str(file)])


@pytest.mark.parametrize(
    "data",
    [
        published(),
        published(shuffle=...),
        published(contributions=..., client=client_word(WORDS)),
        published(client=client_word(WORDS)),
        published(pack=cards_text(PACK)),
        published(pack=cards_text(PACK).split()),
        published(seed=SEED.hex().upper(), commitment=commitment(SEED, 1, 1).upper()),
        published(decks=2, jokers_per_deck=2),
        published(contributions=[]),
    ],
)
def test_a_matching_deal_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: dict[str, Any]) -> None:
    assert 0 == verify(tmp_path, data)
    said = capsys.readouterr().out
    assert "holds  the seed is the one that was committed to before the deal" in said
    assert "FAILS" not in said
    if data.get("contributions") != []:
        assert f"the pack, first card dealt first: {cards_text(PACK)}\n" in said


@pytest.mark.parametrize(
    ("data", "failing"),
    [
        (published(seed=bytes(32).hex()), "the seed"),
        (published(commitment="0" * 64), "the seed"),
        (published(table=2), "the seed"),
        (published(deal=2), "the seed"),
        (published(client="0" * 64), "the hash of the contributions"),
        (published(contributions=WORDS[::-1], pack=cards_text(PACK)), "the pack"),
        (published(pack=cards_text(PACK[::-1])), "the pack"),
        (published(pack=cards_text(PACK[:50])), "the pack"),
        (published(pack=cards_text(PACK), decks=3), "the pack"),
    ],
)
def test_a_mismatching_deal_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: dict[str, Any], failing: str
) -> None:
    assert 1 == verify(tmp_path, data)
    assert f"FAILS  {failing}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ("", "is not a JSON document"),
        ("{", "is not a JSON document"),
        ("[" * 100_000, "is not a JSON document"),
        ([], "one JSON object"),
        ({}, "contributions: missing"),
        (published(shuffle="canasta-shuffle-v2"), "shuffle: "),
        (published(table=...), "table: "),
        (published(table="1"), "table: "),
        (published(table=True), "table: "),
        (published(table=-1), "table: "),
        (published(deal=1.0), "deal: "),
        (published(seed=...), "seed: "),
        (published(seed="00"), "seed: "),
        (published(seed="x" * 64), "seed: "),
        (published(seed=5), "seed: "),
        (published(commitment="é" * 32), "commitment: "),
        (published(client="no hash"), "client: "),
        (published(contributions="111,222"), "contributions: "),
        (published(contributions=[1, 2]), "contributions: "),
        (published(contributions=["1\n2"]), "contributions: "),
        (published(contributions=["\ud800"]), "contributions: "),
        (published(pack="Kd Zz"), "pack: "),
        (published(pack=5), "pack: "),
        (published(pack=["Kd", 5]), "pack: "),
        (published(decks=10**9), "decks: "),
        (published(jokers_per_deck=-1), "jokers_per_deck: "),
    ],
)
def test_unreadable_input_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: object, named: str
) -> None:
    assert 2 == verify(tmp_path, data)
    said = capsys.readouterr()
    assert named in said.err
    assert "" == said.out


def test_a_missing_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["verify", str(tmp_path / "none.json")])
    assert "No such file" in capsys.readouterr().err


def test_missing_input_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["verify"])
    assert "contributions: missing" in capsys.readouterr().err


# --- the document ----------------------------------------------------------------------------------------------------


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_command_in_the_document_holds(capsys: pytest.CaptureFixture[str]) -> None:
    (command, *_) = blocks("")
    words = command.replace("\\\n", " ").split()
    assert "canasta-bot" == words[0]
    assert 0 == main(words[1:])
    assert cards_text(PACK) in capsys.readouterr().out


def test_the_example_in_the_document_holds(tmp_path: Path) -> None:
    (record,) = blocks("json")
    assert published() == json.loads(record)
    assert 0 == verify(tmp_path, record)


def check_with_the_document(tmp_path: Path, data: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    (source,) = blocks("python")
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
    data = published(
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
    assert 1 == check_with_the_document(tmp_path, published(commitment="0" * 64)).returncode


def test_the_checker_in_the_document_is_as_short_as_it_says() -> None:
    (source,) = blocks("python")
    assert sum(1 for line in source.splitlines() if line) <= 40


def test_the_numbers_in_the_document_are_those_of_the_vector() -> None:
    for number in (client_word(WORDS), commitment(SEED, 1, 1), cards_text(PACK[:12])):
        assert f"`{number}`" in DOCUMENT


def test_a_record_is_played_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == verify(tmp_path, example_record())
    told = capsys.readouterr().out.splitlines()
    assert "canasta-record: classic for 4" == told[0]
    assert "holds  deal 1: the cards are all there after 5 turns, and count 660, -195" == told[1]
    assert "the shuffle is not checked: its cards were known" in told[2]
    assert 2 == verify(tmp_path, example_record().replace('"natural_canastas":500', '"natural_canastas":300'))
    assert "deal 1: lines: the cards do not count what is told" in capsys.readouterr().err


async def test_the_shuffles_of_a_record_are_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with open_world(tmp_path / "tables.sqlite3") as world:
        look = await world.game(NORTH, EAST)
        await world.play_deal(look.id, Random(2))
        text = (await world.service.past.game_file(look.id, person=NORTH, guild=GUILD)).text
    file = tmp_path / "record.json"
    file.write_text(text, encoding="utf-8")
    assert 0 == main(["verify", str(file)])
    assert "the shuffle is not checked: checked with --table NUMBER" in capsys.readouterr().out
    assert 0 == main(["verify", str(file), "--table", str(look.id)])
    assert 3 == capsys.readouterr().out.count("holds  deal 1: ")
    assert 1 == main(["verify", str(file), "--table", "99"])
    assert "FAILS  deal 1: the seed is the one that was committed to" in capsys.readouterr().out
