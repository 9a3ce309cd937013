"""The command `canasta-bot referee`: its forms, exit status, and messages about unreadable files."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main

DOCUMENT = (Path(__file__).parents[2] / "docs" / "referee.md").read_text(encoding="utf-8")

CASE = {
    "id": "open-90-refused",
    "scores": [1600, 0],
    "position": {
        "turn": 0,
        "phase": "play",
        "hands": {"0": "7s 7h 7d Qs Qh Qd 2c 4s", "2": "5h"},
        "stock": "9c 8d",
        "pile": "4c 5d Kh",
        "melds": {"0": [], "1": ["Kh Ks Kd 2c"]},
        "red_threes": {"0": "3h"},
    },
    "actions": [
        {"seat": 0, "do": "meld", "melds": ["7s 7h 7d", "Qs Qh Qd 2c"], "expect": "illegal"},
        {"seat": 0, "do": "discard", "card": "4s", "expect": "ok"},
    ],
    "expect": {"deal_over": False},
}
WRONG = {**CASE, "id": "wrong", "expect": {"deal_over": True}}
UNREADABLE = {**CASE, "id": "odd", "position": {**CASE["position"], "pile": "4c 5x"}}  # type: ignore[dict-item]


def write_case_file(folder: Path, data: Any, name: str = "cases.json") -> str:
    path = folder / name
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(path)


def test_json_is_a_list_with_one_object_a_case_in_the_order_of_the_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [write_case_file(tmp_path, CASE, "one.json"), write_case_file(tmp_path, [WRONG, CASE], "two.json")]
    assert 0 == main(["referee", "--json", *files])
    outcomes = json.loads(capsys.readouterr().out)
    assert ["open-90-refused", "wrong", "open-90-refused"] == [outcome["id"] for outcome in outcomes]
    first = outcomes[0]
    assert {"ok": True} == first["steps"][1]
    assert {"ok", "code", "detail", "message"} == set(first["steps"][0])
    assert {"count": 65, "required": 90} == first["steps"][0]["detail"]
    assert [90, 50] == first["initial_meld_minimum"]
    assert "4c 5d Kh 4s" == first["position"]["pile"]
    last = ("deal_over", "went_out", "concealed", "breakdown", "deal_scores", "scores", "game_over", "winner")
    assert ["id", "steps", "position", "initial_meld_minimum", "initial_meld_canasta", *last] == list(first)
    assert [False, None, False, None, None, [1600, 0], False, None] == [first[name] for name in last]


@pytest.mark.parametrize(
    ("cases", "status", "text"),
    [
        (CASE, 0, "1 case holds\n"),
        ([CASE, CASE], 0, "2 cases hold\n"),
        ([], 0, "0 cases hold\n"),
        ([CASE, WRONG], 1, ""),
        ([CASE, WRONG, UNREADABLE], 2, ""),
    ],
)
def test_check_answers_with_its_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], cases: Any, status: int, text: str
) -> None:
    assert status == main(["referee", "--check", write_case_file(tmp_path, cases)])
    assert text == capsys.readouterr().out


def test_check_names_every_failed_expectation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write_case_file(tmp_path, [CASE, WRONG])
    assert 1 == main(["referee", "--check", name])
    assert f"{name}: case 2 wrong: expect.deal_over: expected true, got false\n" == capsys.readouterr().err


def test_check_and_json_can_be_combined(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == main(["referee", "--check", "--json", write_case_file(tmp_path, [CASE, WRONG])])
    assert 2 == len(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("form", [[], ["--json"], ["--check"]])
def test_an_unreadable_value_is_named_by_file_case_and_field(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: Sequence[str]
) -> None:
    name = write_case_file(tmp_path, [CASE, UNREADABLE])
    assert 2 == main(["referee", *form, name])
    captured = capsys.readouterr()
    assert "" == captured.out
    assert f"canasta-bot referee: {name}: case 2 odd: position.pile: no card is written '5x'\n" == captured.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("", "is not JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ("7", "the case: needs an object"),
        ("[7]", "case 1: needs an object"),
        ('{"rules": "nobody\'s"}', "the case: rules: there is no rule set"),
        ('{"position": {}, "options": {"speed": 3}}', "the case: options.speed: there is no such field"),
        ('{"position": {}, "id": 3}', "the case: id: needs a text"),
    ],
)
def test_unusable_files_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    name = write_case_file(tmp_path, text)
    assert 2 == main(["referee", "--check", name])
    assert f"canasta-bot referee: {name}: {message}" in capsys.readouterr().err


def test_a_missing_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["referee", "--check", str(tmp_path / "none.json"), write_case_file(tmp_path, UNREADABLE)])
    complaints = capsys.readouterr().err.splitlines()
    assert "none.json: No such file" in complaints[0]
    assert "position.pile" in complaints[1]


def test_a_binary_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cases.json").write_bytes(b"\xff\xfe{}")
    assert 2 == main(["referee", str(tmp_path / "cases.json")])
    assert "is not text in UTF-8" in capsys.readouterr().err


def test_cases_are_read_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The standard input of this process belongs to pytest, so it is replaced.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(CASE).encode())))
    assert 0 == main(["referee", "--check", "-"])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(UNREADABLE).encode())))
    assert 2 == main(["referee", "--check", "-"])
    assert "standard input: the case odd: position.pile" in capsys.readouterr().err


def test_the_text_explains_the_attempt_the_refusal_and_the_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 == main(["referee", write_case_file(tmp_path, [CASE, WRONG])])
    text = capsys.readouterr().out
    assert "Seat 0 lays 7s 7h 7d, Qs Qh Qd 2c." in text
    assert "Not allowed: Your side's first melds need 90 points; these make 65. (rules 1.11)" in text
    assert "Seat 1 must draw or take the pile." in text
    assert "NOT AS EXPECTED: expect.deal_over: expected true, got false" in text


EVERYTHING = [
    {"do": "take", "with": "Ks Kd", "melds": [{"cards": "2s", "onto": 0}], "onto": 1},
    {"do": "answer", "yes": True},
    {"do": "ask"},
    {"do": "announce"},
    {"do": "show", "hand": "straight"},
    {"do": "pass"},
    {"seat": 1, "do": "draw"},
    {"do": "discard", "card": "4s"},
    {"do": "stop"},
]


def test_every_action_has_its_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = {**CASE, "actions": EVERYTHING}
    case.pop("expect")
    assert 0 == main(["referee", write_case_file(tmp_path, case)])
    text = capsys.readouterr().out
    assert "The seat to act takes the pile with Ks Kd and lays 2s onto meld 0 onto meld 1." in text
    assert "The deal ended with the stock (rules 1.19)." in text


def test_the_documents_example_gives_the_documents_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The document is `docs/referee.md`."""
    example = re.search(r"```json\n(.*?)```", DOCUMENT, re.DOTALL)
    answer = re.search(r"canasta-bot referee dispute\.json\n```\n+```text\n(.*?)```", DOCUMENT, re.DOTALL)
    assert example
    assert answer
    monkeypatch.chdir(tmp_path)
    write_case_file(tmp_path, example[1], "dispute.json")
    assert 0 == main(["referee", "dispute.json"])
    assert answer[1] == capsys.readouterr().out
    assert 0 == main(["referee", "--check", "dispute.json"])
