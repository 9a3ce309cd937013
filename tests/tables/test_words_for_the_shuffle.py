"""Words that players give to the shuffle: valid words, when they are taken, the check of a deal."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from bot.__main__ import main
from bot.tables.play.shuffle_words import LONGEST, require_valid_word
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.shuffle import deal_pack
from bot.tables.state.snapshots import Shuffle, TableSnapshot
from tests.support.tables import EAST, NORTH, STRANGER, World


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("blue", "blue"),
        ("  two\twords \n and more ", "two words and more"),
        ("e\u0301te\u0301 2025", "été 2025"),
        ("St. John-Smith", "St. John-Smith"),
        ("北京", "北京"),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_a_valid_word_is_one_line_in_composed_form(typed: str, kept: str) -> None:
    assert kept == require_valid_word(typed)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", TableCode.WORD_EMPTY),
        (" \n ", TableCode.WORD_EMPTY),
        ("x" * (LONGEST + 1), TableCode.WORD_TOO_LONG),
        ("one, two", TableCode.WORD_UNFIT),
        ("-table 3", TableCode.WORD_UNFIT),
        ('say "hello"', TableCode.WORD_UNFIT),
        ("$(reboot)", TableCode.WORD_UNFIT),
        ("`rm`", TableCode.WORD_UNFIT),
        ("<@12345>", TableCode.WORD_UNFIT),
        ("a\u202eb", TableCode.WORD_UNFIT),
        ("a\u200bb", TableCode.WORD_UNFIT),
        ("a" + "\u0323" * 5, TableCode.WORD_UNFIT),
        ("🂡", TableCode.WORD_UNFIT),
    ],
)
def test_an_invalid_word_is_refused(typed: str, code: TableCode) -> None:
    with pytest.raises(TableRefusal) as refused:
        require_valid_word(typed)
    assert code is refused.value.code


def shuffle_of(snapshot: TableSnapshot, deal: int) -> Shuffle:
    return next(shuffle for shuffle in snapshot.shuffle if shuffle.deal == deal)


async def test_a_word_replaces_the_seats_earlier_one_and_is_stored_with_the_deal(world: World) -> None:
    table = (await world.open_lobby(NORTH, EAST, players=2)).id
    first, _ = await world.service.play.give_shuffle_word(world.caller(NORTH), table, "too early")
    kept, snapshot = await world.service.play.give_shuffle_word(world.caller(NORTH), table, " a  word of mine ")
    assert ("too early", "a word of mine") == (first, kept)
    assert shuffle_of(snapshot, 1).contributions is None
    start = world.caller(NORTH)
    snapshot = await world.service.lobby.start(start, table)
    contributions = shuffle_of(snapshot, 1).contributions
    assert contributions is not None
    assert ("a word of mine", 2) == (contributions[0], len(contributions))
    assert contributions[1].isdecimal()


async def test_a_word_may_be_given_while_a_deal_runs_and_counts_for_the_next(world: World) -> None:
    table = (await world.start_game(NORTH, EAST, players=2)).id
    await world.service.play.give_shuffle_word(world.caller(EAST), table, "for the next")
    before = shuffle_of(await world.service.reading.snapshot(table), 1)
    await world.finish_deal(table, Random(4))
    snapshot = await world.service.play.begin_next_deal(world.caller(NORTH), table)
    assert before.contributions == shuffle_of(snapshot.table, 1).contributions
    assert "for the next" == (shuffle_of(snapshot.table, 2).contributions or ())[1]


async def test_a_deal_with_words_is_confirmed_by_the_command_and_by_a_file(
    world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = (await world.open_lobby(NORTH, EAST, players=2)).id
    await world.service.play.give_shuffle_word(world.caller(NORTH), table, "été a casa")
    await world.service.play.give_shuffle_word(world.caller(EAST), table, "St. John-Smith 7")
    await world.service.lobby.start(world.caller(NORTH), table)
    shuffle = shuffle_of(await world.finish_deal(table, Random(4)), 1)
    words = ["été a casa", "St. John-Smith 7"]
    assert (tuple(words), 64) == (shuffle.contributions, len(shuffle.seed or ""))
    told = {"table": table, "deal": 1, "commitment": shuffle.commitment, "seed": shuffle.seed}
    options = [part for name, value in told.items() for part in (f"--{name}", str(value))]
    for given in (",".join(words), ", ".join(words)):
        assert 0 == main(["verify", *options, "--contributions", given])
    file = tmp_path / "deal.json"
    pack = deal_pack(bytes.fromhex(shuffle.seed or ""), table, 1, words, decks=2, jokers_per_deck=2)
    file.write_text(json.dumps({**told, "contributions": words}))
    assert 0 == main(["verify", str(file)])
    assert 108 == len(pack)
    text = capsys.readouterr().out
    assert 3 == text.count("holds  the seed is the one that was committed to before the deal")
    assert 1 == main(["verify", *options, "--contributions", "été a casa,another", "--pack", "As"])


async def test_only_seated_people_give_words_and_only_in_time(world: World) -> None:
    lobby = (await world.open_lobby(NORTH, EAST, players=2)).id

    async def refusal_code(person: int, table: int, word: str = "word") -> TableCode:
        with pytest.raises(TableRefusal) as refused:
            await world.service.play.give_shuffle_word(world.caller(person), table, word)
        return refused.value.code

    assert TableCode.NOT_SEATED is await refusal_code(STRANGER, lobby)
    assert TableCode.WORD_UNFIT is await refusal_code(NORTH, lobby, "a,b")
    assert TableCode.UNKNOWN_TABLE is await refusal_code(NORTH, 77)
    await world.service.lobby.close(world.caller(NORTH), lobby)
    assert TableCode.TABLE_CLOSED is await refusal_code(NORTH, lobby)
    game = (await world.start_game(NORTH, players=2, target=100)).id
    await world.finish_game(game, Random(3))
    assert TableCode.GAME_FINISHED is await refusal_code(NORTH, game)
