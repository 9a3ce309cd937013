"""The long search for positions without a legal move (`make soak`) plays the requested deals and reports faults."""

from __future__ import annotations

import json

import pytest

from bot.engine.positions.position_reading import read_position
from tests.support import soak_games


def test_the_soak_reports_the_deals_of_every_form_and_their_ends(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = soak_games.main(
        ["--rules", "bolivia,classic-cut-throat", "--deals", "3", "--computer-deals", "1", "--seed", "20"]
    )
    lines = capsys.readouterr().out.splitlines()
    assert 0 == code
    assert [
        "bolivia for 4, random: 3 deals to seed 23",
        "bolivia for 4, casual: 1 deals to seed 21",
        "classic-cut-throat for 3, random: 3 deals to seed 23",
        "classic-cut-throat for 3, casual: 1 deals to seed 21",
    ] == [line.partition(" (")[0] for line in lines[:-1]]
    assert lines[-1].startswith("8 deals, ")
    assert " 0 faults, " in lines[-1]


def test_a_failed_deal_is_reported_with_its_seed_and_position(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--rules", "bolivia", "--deals", "1", "--computer-deals", "0", "--seed", "7", "--most-steps", "5"]
    code = soak_games.main(options)
    text, position, *_ = capsys.readouterr().out.splitlines()
    assert 1 == code
    assert text.startswith("FAULT bolivia for 4, random, row 2, seed 7, step 5: ")
    assert read_position(json.loads(position)).turns > 0


def test_by_default_the_soak_plays_every_form_and_classic_at_every_minimum() -> None:
    planned = {batch.form: batch.deals for batch in soak_games.plan_batches(soak_games.read_options([]))}
    of_classic = {form: deals for form, deals in planned.items() if form.startswith("classic for 4")}
    assert {
        f"classic for 4, minimum {minimum}, {level}": deals
        for minimum in (15, 50, 90, 120)
        for level, deals in (("random", 100_000), ("casual", 20_000))
    } == of_classic
    assert {10_000} == {deals for form, deals in planned.items() if form.startswith("samba") and "random" in form}
    assert {2_000} == {deals for form, deals in planned.items() if form.startswith("samba") and "casual" in form}


def test_a_short_run_covers_every_form_and_can_continue_from_a_seed() -> None:
    whole = list(
        soak_games.plan_batches(soak_games.read_options(["--rules", "classic", "--seed", "100", "--deals", "120"]))
    )
    batches = list(soak_games.split_plan(whole))
    assert [batch.form for batch in whole] == [batch.form for batch in batches[: len(whole)]]
    of_four = [(one.first, one.deals) for one in batches if one.form == "classic for 4, random"]
    assert [(100, 50), (150, 50), (200, 20)] == of_four
