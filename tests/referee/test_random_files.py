"""Random case files are read or refused, random actions allowed or refused; nothing else happens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards.cards import full_pack
from bot.engine.cards.notation import card_text
from bot.engine.play.invariants import broken_invariants
from bot.engine.positions.position_reading import PositionError, write_position
from bot.referee.cases import read_case, try_case
from bot.referee.command import trial_text
from tests.support.engine_games import played_positions
from tests.support.seeds import example_count

PACK = [card_text(card) for card in full_pack(2, 2)]
ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        -1,
        10**30,
        1.5,
        "",
        "0",
        "4x",
        "JK jk",
        "3h",
        [],
        [[]],
        ["4s"],
        {},
        {"0": "4s"},
        {"9": []},
        {"0": [["4s"]]},
    ]
)
WHOLE: Mapping[str, Any] = {
    "id": "whole",
    "rules": "classic",
    "options": {"out_canastas": 2, "open_table": [["neg", 15], [0, 50]], "take_open": ["pair"]},
    "players": 4,
    "sides": [[0, 2], [1, 3]],
    "scores": [1600, 0],
    "dealer": 3,
    "deal": 2,
    "position": {
        "turn": 0,
        "phase": "play",
        "hands": {"0": "7s 7h 7d Qs Qh Qd 2c 4s", "2": "5h"},
        "stock": "9c 8d",
        "pile": "4c 5d Kh",
        "frozen": False,
        "melds": {"0": [], "1": ["Kh Ks Kd 2c"]},
        "red_threes": {"0": "3h"},
        "opened": {"0": False, "1": True},
        "melded_before": [1],
        "drew": "stock",
        "turns_played": 9,
        "begun": [],
        "permission": True,
    },
    "actions": [
        {"seat": 0, "do": "meld", "melds": ["7s 7h 7d", {"cards": "Qs Qh Qd 2c", "onto": 0}], "expect": "illegal"},
        {"seat": 0, "do": "discard", "card": "4s"},
        {"seat": 1, "do": "take", "with": "4s", "onto": 0, "melds": []},
        {"do": "answer", "yes": True},
        {"do": "stop"},
    ],
    "expect": {"deal_over": True, "position": {"hands": {"0": ""}, "melds": {}}, "breakdown": [{}, {}]},
}


def paths_of_values(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, value in inner for place in paths_of_values(value, (*path, key)))]


PLACES = [place for place in paths_of_values(WHOLE) if place]


@settings(max_examples=example_count(400))
@given(st.lists(st.tuples(st.sampled_from(PLACES), ODD, st.booleans()), min_size=1, max_size=3))
def test_a_file_is_read_or_refused_with_a_field(changes: list[tuple[tuple[Any, ...], Any, bool]]) -> None:
    case = deepcopy(dict(WHOLE))
    for place, value, removed in changes:
        inner: Any = case
        try:
            for key in place[:-1]:
                inner = inner[key]
            if isinstance(inner, dict) and not isinstance(place[-1], str):
                continue  # another change put an object in place of a list, and objects in files have no other keys
            if removed:
                del inner[place[-1]]
            else:
                inner[place[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # another change removed that place in the data
    assert "" != outcome_or_field(case)


def outcome_or_field(case: Mapping[str, Any]) -> str:
    """Return the case's report, or the name of the field that cannot be read."""
    try:
        trial = try_case(read_case(case))
    except PositionError as error:
        return error.field
    return json.dumps([trial.outcome(), trial.failures(), trial_text(trial, "here")])


def random_action(random: Random, hand: str) -> dict[str, Any]:
    """Return a random action with cards of the hand, and sometimes with others."""

    def random_cards(max_cards: int) -> str:
        held = hand.split()
        chosen = random.sample(held, min(len(held), random.randrange(max_cards + 1)))
        rank = random.choice(held)[0] if held else "4"
        alike = [card for card in held if card[0] == rank or card[0] == "2" or card == "JK"]
        chosen = random.choice((chosen, alike, alike[:2], alike[:3]))
        return " ".join(chosen + random.choices(PACK, k=random.choice((0, 0, 0, 0, 1))))

    def random_meld() -> Any:
        return random_cards(4) if random.random() < 0.7 else {"cards": random_cards(4), "onto": random.randrange(-1, 4)}

    do = random.choice(
        ("draw", "take", "take", "meld", "meld", "meld", "discard", "ask", "answer", "pass", "announce", "show")
    )
    melds = [random_meld() for _ in range(random.choice((0, 1, 1, 2, 3)))]
    fields: dict[str, dict[str, Any]] = {
        "take": {
            "with": random_cards(4),
            "melds": melds,
            **({"onto": random.randrange(4)} if random.random() < 0.3 else {}),
        },
        "meld": {"melds": melds},
        "discard": {"card": random.choice(hand.split() or PACK)},
        "answer": {"yes": random.random() < 0.5},
    }
    return {"do": do, **fields.get(do, {})}


@settings(max_examples=example_count(15))
@given(st.integers(0, 10_000), st.sampled_from([2, 4]))
def test_every_attempt_is_allowed_or_refused_and_leaves_a_valid_game(seed: int, players: int) -> None:
    random = Random(seed)
    for state in played_positions(seed, players=players, level="casual"):
        if random.random() < 0.7:
            continue
        case = write_position(state)
        seat = case["position"]["turn"]
        case["actions"] = [random_action(random, case["position"]["hands"][str(seat)]) for _ in range(12)]
        trial = try_case(read_case(case))
        assert () == broken_invariants(trial.state)
        assert all(judgement.words for judgement in trial.judgements)
        again = read_case({**case, "position": trial.outcome()["position"], "actions": []})
        assert trial.outcome() | {"steps": []} == try_case(again).outcome()
