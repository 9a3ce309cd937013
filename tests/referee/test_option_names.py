"""Parameters by their other names, with the values of `docs/law/variants.md A.1` (`docs/referee.md`)."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.option_names import MEANINGS, MEMBERS, NAMES, RENAMED, WITHOUT_EFFECT
from bot.engine.rules.parameters import BY_NAME
from bot.engine.rules.rule_options import read_options, with_options
from bot.engine.rules.sets import rule_set
from tests.support.case_failures import find_failures

CLASSIC = rule_set("classic", 4)

SAME: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"packs": 3}, {"decks": 3}),
    ({"jokers": 6, "packs": 3}, {"decks": 3, "jokers_per_deck": 2}),
    ({"jokers": 2}, {"jokers_per_deck": 1}),
    ({"draw_count": 2, "discard_count": 1}, {"draw": 2}),
    ({"take_pile_extra_stock_draw": 1}, {"draw_with_pile": 1}),
    ({"play_direction": "counterclockwise"}, {"direction": "ccw"}),
    ({"first_player": "left_of_dealer"}, {"first_player": "left"}),
    ({"upcard_black3": "stay"}, {}),
    ({"upcard_black3": "cover"}, {"upcard_cover": ["W", "R3", "B3"]}),
    (
        {"upcard_black3": "cover_and_freeze"},
        {"upcard_cover": ["W", "R3", "B3"], "upcard_freezes": ["W", "R3", "B3"]},
    ),
    ({"upcard_red3_freezes": False}, {"upcard_freezes": ["W"]}),
    ({"black3_freezes": True}, {"freeze_discards": ["W", "B3"]}),
    ({"black3_blocks_next": False}, {"top_blocks": ["W"]}),
    ({"black3_meld": "only_going_out"}, {}),
    ({"wild_cap": "fewer_than_naturals"}, {"wild_ratio": "nat>w"}),
    ({"wild_cap": "max3_until_canasta_then_unlimited"}, {"wild_on_canasta": "free"}),
    ({"wild_cap": "max3_any_naturals"}, {}),
    ({"wild_only_melds": True}, {"meld_kinds": ["set", "wild"]}),
    ({"one_meld_per_rank": False}, {"same_rank_melds": "many"}),
    ({"max_meld_size": 7}, {"meld_max": 7}),
    ({"open_min": [["neg", 50], [0, 50]]}, {"open_table": [["neg", 50], [0, 50]]}),
    ({"open_via_pile": "natural_pair"}, {}),
    ({"open_via_pile": "natural_pair_or_natural_plus_wild"}, {"frozen_unopened": False}),
    ({"open_via_pile": "forbidden"}, {"open_pile": "no"}),
    ({"open_top_card_counts": False}, {"open_count_top": False}),
    ({"open_exempt_concealed": "never"}, {"open_waiver": []}),
    (
        {"open_exempt_concealed": "never", "open_exempt_first_canasta_with_top_card": True},
        {"open_waiver": ["first_canasta_top"]},
    ),
    ({"take_open_natural_plus_wild": False, "take_layoff_on_meld": False}, {"take_open": ["pair"]}),
    ({"take_layoff_on_canasta": False}, {"take_add_canasta": False}),
    ({"one_card_one_pile_ban": False}, {"one_card_guard": False}),
    ({"pile_always_frozen": True}, {"pile_frozen": "always"}),
    ({"pile_take_limit": 10}, {"pile_take": 10}),
    ({"pile_take": [1, 2, 3, 4, 4]}, {"pile_take": [1, 2, 3, 4]}),
    ({"natural_bonus": 700, "mixed_bonus": 500}, {"bonus_natural": 700, "bonus_mixed": 500}),
    ({"go_out_canastas": 2, "go_out_discard": "required"}, {"out_canastas": 2, "out_discard": "mandatory"}),
    ({"bonus_concealed_total": 300}, {"concealed_extra": 200}),
    ({"concealed_bonus_total": 300, "bonus_go_out": 200}, {"out_bonus": 200}),
    ({"red3_value": 100, "red3_all_total": 400}, {"red3_values": [100, 200, 300, 400]}),
    ({"red3_value": 200}, {"red3_values": [200, 400, 600, 800]}),
    ({"red3_positive_if": "side_has_canasta"}, {"red3_sign": "canastas>=1"}),
    ({"red3_sign": "canastas>=0"}, {"red3_sign": "always"}),
    ({"go_out_discard": "forbidden"}, {"out_discard": "forbidden"}),
    ({"red3_in_hand_penalty": 100}, {"red3_in_hand": -100}),
    ({"permission": "required"}, {"ask_partner": "mandatory"}),
    ({"stock_out": "recycle_pile"}, {"stock_end": "reshuffle"}),
    ({"last_red3": "meld_no_discard"}, {"last_red3_ends": False}),
    ({"one_card_ban_lifted_when_stock_empty": True}, {"one_card_guard_stock_out": False}),
    ({"permission_yes_forces": False}, {"yes_binds": False}),
    ({"both_over": "raise_target_1000"}, {"both_reach": "raise_1000"}),
    ({"seven_canastas_win": True}, {"auto_win": "7_canastas"}),
    ({"jokers_discardable": False}, {"discard_bans": ["J"]}),
    ({"pile_take": "all", "meld_max": "inf", "talon": None, "bonus_seq": None}, {}),
    ({"bonus_wild": "none", "special_hands": None, "out_need": "none", "auto_win": None, "bonus_seq": "none"}, {}),
    ({"decks": "n+1"}, {"decks": 5}),
    ({"decks": "n"}, {"decks": 4}),
    ({"pile_hidden": "rank"}, {"pile_hidden_by_rank": True}),
    ({"take_frozen": ["triple"]}, {"take_frozen": "triple"}),
    ({"take_frozen": ["pair", "triple"]}, {}),
    (
        {"special_hands": ["zip code", "dream +4", "Miami pairs"]},
        {"special_hands": ["zip_code", "dream_4", "miami_pairs"]},
    ),
    ({"no_wild_ranks": [7]}, {"no_wild_ranks": ["7"]}),
    ({"seq_rule": {"min": 3, "max": 7, "low": "4", "high": "A", "wilds": 0}}, {"seq_rule": "closed"}),
    ({"seq_rule": {"extend": "go_out"}}, {"seq_rule": "grows_going_out"}),
    ({"out_need": {"sevens": 1}}, {"out_need": [["7", 1]]}),
    ({"incomplete_penalty": {"aces": -2500}}, {"incomplete_penalty": [["A", -2500]]}),
    ({"rounds": 4, "target": None}, {"rounds": 4}),
    ({"tie": "extra_hand", "canasta_bonus_once_per_meld": True, "cut_bonus": 0}, {}),
)


@pytest.mark.parametrize(("other", "own"), SAME, ids=" ".join)
def test_the_other_name_of_a_parameter_sets_that_parameter(other: dict[str, Any], own: dict[str, Any]) -> None:
    assert with_options(CLASSIC, own) == read_options(CLASSIC, other)


def test_every_other_name_of_a_parameter_sets_possible_rules() -> None:
    for name in RENAMED:
        assert RENAMED[name] in BY_NAME
    for name, meanings in MEANINGS.items():
        for value in meanings:
            if (name, value) != ("pile_hidden", "rank"):
                assert read_options(CLASSIC, {name: value}).name == "classic"
    for name, (_, _, table) in MEMBERS.items():
        for value in table:
            assert read_options(CLASSIC, {name: value}).name == "classic"
    for name, values in WITHOUT_EFFECT.items():
        for settled in values:
            assert CLASSIC == read_options(CLASSIC, {name: settled})
    assert not NAMES & set(BY_NAME)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"wild_cap": "max4"}, "options.wild_cap"),
        ({"wild_cap": 3}, "options.wild_cap"),
        ({"jokers_discardable": "no"}, "options.jokers_discardable"),
        ({"jokers_discardable": 0}, "options.jokers_discardable"),
        ({"discard_count": 2}, "options.discard_count"),
        ({"jokers": 3}, "options.jokers"),
        ({"jokers": "4"}, "options.jokers"),
        ({"target": None}, "options.target"),
        ({"seq_rule": {"min": 4}}, "options.seq_rule.min"),
        ({"seq_rule": {"shape": 4}}, "options.seq_rule.shape"),
        ({"pile_take": "some"}, "options.pile_take"),
        ({"go_out_canastas": "2"}, "options.out_canastas"),
        ({"packs": 2, "decks": 3}, "options.packs"),
        ({"no_such_name": 1}, "options.no_such_name"),
    ],
    ids=str,
)
def test_an_unknown_name_of_a_parameter_is_refused_with_its_field(options: dict[str, Any], field: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_options(CLASSIC, options)
    assert field == caught.value.field


def test_a_case_may_use_other_names_of_parameters() -> None:
    """The case's parameter forbids adding the top card to a full canasta (`docs/law/classic.md H1`)."""
    hands = {"turn": 0, "phase": "draw", "hands": {"0": "4s 5h 9c"}, "stock": "7d", "pile": "5c 8c"}
    case = {
        "options": {"take_layoff_on_canasta": False},
        "position": {**hands, "melds": {"0": ["8s 8h 8d 8s 8h 8d 8c"]}},
        "actions": [{"do": "take", "expect": "illegal"}, {"do": "draw", "expect": "ok"}],
    }
    assert [] == find_failures(case)
    assert ["actions.0: expected illegal, got ok", "actions.1: expected ok, got already_drew"] == [
        failure.partition(": The")[0].partition(": You")[0] for failure in find_failures({**case, "options": {}})
    ]
