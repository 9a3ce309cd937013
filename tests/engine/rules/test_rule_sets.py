"""The rule sets other than classic: their numbers, and facts that no referee case can show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.cards.cards import full_pack
from bot.engine.law.rule_conflicts import ProblemCode, UnplayableRules, find_rule_problems, with_house_rules
from bot.engine.law.scoring import index_of_winning_score
from bot.engine.moves.actions import ANNOUNCE, DRAW, TAKE_PAIR, StartDeal
from bot.engine.moves.events import Announced, DealStarted, LaidOut
from bot.engine.play.decide import decide, is_allowed
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.rule_options import with_options, write_options
from bot.engine.rules.rule_set import RuleSet, number_in_deal
from bot.engine.rules.sets import NOTES, RULE_SETS, rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game
from tests.support.random_play import seeded_pack

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values()]


def name_of(rules: RuleSet) -> str:
    return f"{rules.name}-{rules.players}"


@pytest.mark.parametrize("rules", FORMS, ids=name_of)
def test_every_form_can_be_played_and_has_notes(rules: RuleSet) -> None:
    assert () == find_rule_problems(rules)
    assert NOTES[rules.name].source


@pytest.mark.parametrize(
    ("name", "players", "seats"),
    [
        ("classic", 6, ((0, 3), (1, 4), (2, 5))),
        ("classic-trios", 6, ((0, 2, 4), (1, 3, 5))),
        ("afrikaans", 6, ((0, 2, 4), (1, 3, 5))),
        ("classic", 3, ((0,), (1,), (2,))),
    ],
)
def test_2_4_sides_sit_in_turn(name: str, players: int, seats: tuple[tuple[int, ...], ...]) -> None:
    rules = rule_set(name, players)
    assert seats == tuple(rules.seats_of(side) for side in range(rules.sides))
    seating = new_game(rules, dealer=0).seating
    assert seats == tuple(seating.seats_of(side) for side in range(rules.sides))
    assert (seats[0][1] if len(seats[0]) > 1 else None) == seating.partner_by_seat[0]


# --- dealing ---------------------------------------------------------------------------------------------------------


def pack_of(rules: RuleSet, *, hands: list[int], next_cards: list[int]) -> tuple[int, ...]:
    """Return a pack that deals `hands` as its first cards and has `next_cards` after all hands are dealt."""
    rest = list(full_pack(rules.decks, rules.jokers_per_deck))
    for card in (*hands, *next_cards):
        rest.remove(card)
    rest.sort(key=lambda card: card >> 2 in (12, 13, 14))
    dealt = rules.players * number_in_deal(rules.hand_size, 1)
    filling = rest[: dealt - len(hands)]
    return (*hands, *filling, *next_cards, *rest[dealt - len(hands) :])


def test_1_7_red_threes_are_laid_out_at_the_first_turn() -> None:
    rules = rule_set("bicycle", 4)
    pack = pack_of(rules, hands=[58, 57], next_cards=[])  # the first two seats are dealt a red three each
    happened = decide(new_game(rules, dealer=3), None, StartDeal(pack))
    assert [DealStarted, LaidOut] == [type(event) for event in happened]
    state = fold(new_game(rules, dealer=3), happened)
    assert 11 == len(state.hands[0])
    assert 58 not in state.hands[0]
    assert (58,) == state.red_threes[0]
    assert 57 in state.hands[1]
    state = fold(state, decide(state, 0, DRAW))
    happened = decide(state, 0, legal_discard(state))
    assert LaidOut is type(happened[-1])
    assert (57,) == fold(state, happened).red_threes[1]


def legal_discard(state: State) -> Any:
    return next(step for step in legal_actions(state) if type(step).__name__ == "Discard")


def test_1_6_only_the_first_special_upcard_stays() -> None:
    twos = [48, 49, 50]
    pack = pack_of(rule_set("singkep", 4), hands=[], next_cards=[*twos, 0])
    state = fold(new_game(rule_set("singkep", 4), dealer=0), (DealStarted(1, 0, pack),))
    assert (48, 0) == state.pile
    assert {49, 50} <= set(state.stock)
    state = fold(new_game(rule_set("classic", 4), dealer=0), (DealStarted(1, 0, pack),))
    assert (48, 49, 50, 0) == state.pile


@pytest.mark.parametrize(
    ("name", "frozen", "cards"), [("bicycle", True, 2), ("singkep", False, 2), ("classic", False, 1)]
)
def test_1_6_rule_sets_cover_and_freeze_differently_for_a_black_three_as_upcard(
    name: str, *, frozen: bool, cards: int
) -> None:
    rules = rule_set(name, 4)
    state = fold(new_game(rules, dealer=0), (DealStarted(1, 0, pack_of(rules, hands=[], next_cards=[44, 0])),))
    assert (frozen, cards) == (state.frozen, len(state.pile))


@pytest.mark.parametrize(
    ("name", "deal", "turn"),
    [("classic", 1, 2), ("singkep", 1, 1), ("italian-club", 1, 3), ("italian-club", 2, 2)],
)
def test_1_5_the_rule_set_decides_who_begins(name: str, deal: int, turn: int) -> None:
    rules = rule_set(name, 4)
    state = fold(new_game(rules, dealer=1), (DealStarted(deal, 1, seeded_pack(rules, 1)),))
    assert turn == state.turn


# --- going out and the end of the game -------------------------------------------------------------------------------


def test_1_15_going_out_is_announced_before_it_is_done() -> None:
    state = read_position(
        {
            "rules": "italian-club",
            "position": {
                "turn": 0,
                "phase": "play",
                "hands": {"0": "Ks Kh Kd 4s", "1": "5s", "2": "6s", "3": "7s"},
                "stock": "9s",
                "pile": "9d",
                "melds": {"0": ["Jh Js Jd Jh Js Jd Jc"]},
            },
        }
    )
    happened = decide(state, 0, ANNOUNCE)
    assert (Announced(0),) == happened
    after = fold(state, happened)
    assert not is_allowed(after, 0, ANNOUNCE)
    assert {"Meld"} == {type(step).__name__ for step in legal_actions(after)}
    assert not is_allowed(read_position({"position": {"turn": 0, "phase": "play", "hands": {"0": "4s"}}}), 0, ANNOUNCE)


def test_1_11_the_card_below_the_top_comes_too_late_for_the_first_canasta() -> None:
    """Five sixes and the joker need the two below the top, which comes only after they are melded."""
    state = read_position(
        {
            "players": 2,
            "options": {"open_waiver": ["first_canasta_top"], "wild_on_canasta": "free", "out_canastas": 1},
            "scores": [3000, 0],
            "position": {
                "turn": 0,
                "hands": {"0": "6s 6h 6d 6c Qs Qh Qd JK", "1": "4s 4h"},
                "pile": "2c 6c",
                "frozen": False,
            },
        }
    )
    assert not is_allowed(state, 0, TAKE_PAIR)


def test_1_21_the_target_rises_when_both_reach_it_and_stays_up() -> None:
    rules = rule_set("italian-club", 4)
    assert index_of_winning_score(rules, (5200, 5300)) is None
    assert 1 == index_of_winning_score(rules, (5200, 6000))
    assert index_of_winning_score(rules, (4900, 5600), before=((5200, 5300),)) is None
    assert 1 == index_of_winning_score(rule_set("classic", 4), (5200, 5300))


def test_2_4_three_packs_have_six_red_threes() -> None:
    assert (100, 200, 300, 400, 1000, 1200) == rule_set("classic", 6).red3_values


# --- house rules -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"hand_size": 25}, ProblemCode.STOCK_TOO_SMALL),
        ({"decks": 12, "jokers_per_deck": 12}, ProblemCode.PACK_TOO_LARGE),
        ({"meld_max": 6}, ProblemCode.MELD_MAX_TOO_SMALL),
        ({"meld_max": 6}, ProblemCode.NO_CANASTAS),
        ({"min_naturals": 9}, ProblemCode.NO_MELDS),
        ({"min_naturals": 4, "wild_ratio": "nat>w"}, ProblemCode.WILD_RATIO_IDLE),
        ({"open_table": [[0, 50], [1500, 30]]}, ProblemCode.OPEN_TABLE_ORDER),
        ({"take_open": []}, ProblemCode.NO_WAY_TO_TAKE),
        ({"take_open": ["add"], "open_pile": "hand_first"}, ProblemCode.PAIR_NEEDED),
        ({"red3_values": [100]}, ProblemCode.RED_THREE_VALUES),
        ({"out_red_threes": 2, "out_canastas": 3}, ProblemCode.OUT_RED_THREES_CANNOT_LIE),
        ({"out_red_threes": 1, "red3_role": "penalty"}, ProblemCode.OUT_RED_THREES_CANNOT_LIE),
        ({"black3_role": "bonus"}, ProblemCode.BLACK_THREE_VALUES),
        ({"jokers_per_deck": 5}, ProblemCode.TOO_MANY_JOKERS),
        ({"foot_size": 3}, ProblemCode.FOOT_NEVER_TAKEN),
        ({"foot_size": 1, "foot_pickup": "hand_empty", "foot_run": True}, ProblemCode.FOOT_TOO_SMALL),
        ({"foot_pickup": "hand_empty", "foot_size": 11}, ProblemCode.STOCK_TOO_SMALL),
        ({"hand_size": 20, "pile_hidden": 20}, ProblemCode.STOCK_TOO_SMALL),
        ({"hand_size": 20, "pile_hidden_by_rank": True}, ProblemCode.STOCK_TOO_SMALL),
        ({"take_open": ["add_seq"]}, ProblemCode.NO_WAY_TO_TAKE),
        ({"take_open": ["card+wild"], "max_wilds": 0}, ProblemCode.NO_WAY_TO_TAKE),
        ({"out_canastas": 16}, ProblemCode.TOO_MANY_CANASTAS),
        ({"out_canastas": 12}, ProblemCode.TOO_MANY_CANASTAS),
        ({"out_need": {"natural": 6, "mixed": 6}}, ProblemCode.TOO_MANY_CANASTAS),
        ({"out_need": {"7": 2}}, ProblemCode.NEED_TOO_MANY),
        ({"out_need": {"wild": 2}, "meld_kinds": ["set", "wild"]}, ProblemCode.NEED_TOO_MANY),
        ({"meld_kinds": ["wild"]}, ProblemCode.NO_SETS),
        ({"meld_kinds": ["set", "seq"]}, ProblemCode.RUNS_WITHOUT_RULE),
        ({"out_need": {"seq": 1}}, ProblemCode.NEED_CANNOT_ARISE),
        ({"out_need": {"wild": 1}}, ProblemCode.NEED_CANNOT_ARISE),
        ({"out_need": {"mixed": 1}, "max_wilds": 0}, ProblemCode.NEED_CANNOT_ARISE),
        ({"out_need": {"mixed": 1}, "no_wild_ranks": list("456789TJQKA")}, ProblemCode.NEED_CANNOT_ARISE),
        ({"out_need": {"mixed": 2}, "no_wild_ranks": list("456789TJQK")}, ProblemCode.NEED_TOO_MANY),
        ({"out_excludes": ["natural", "mixed"]}, ProblemCode.NOTHING_COUNTS),
        ({"bonus_natural": 333}, ProblemCode.NOT_A_MULTIPLE),
        ({"wild_reclaim": "natural_canasta", "meld_max": 7}, ProblemCode.RECLAIM_NEVER),
        ({"wild_reclaim": "natural_canasta", "max_wilds": 0}, ProblemCode.RECLAIM_NEVER),
        ({"hand_size": [11, 25, 11]}, ProblemCode.STOCK_TOO_SMALL),
        ({"red3_sign": "canastas>=4", "canasta_size": 33, "out_canastas": 0}, ProblemCode.RED_THREES_NEVER_COUNT),
        ({"red3_sign": "sevens", "canasta_size": 13, "out_canastas": 0}, ProblemCode.RED_THREES_NEVER_COUNT),
    ],
)
def test_conflicting_parameters_are_found(options: dict[str, Any], code: ProblemCode) -> None:
    problems = find_rule_problems(with_options(rule_set("classic", 4), options))
    assert code in [problem.code for problem in problems]


FOUR_PACKS = {"red3_values": [100] * 8}
"""Values for as many red threes as four packs have."""


def test_parameters_without_conflicts_can_be_played() -> None:
    four = rule_set("classic", 4)
    assert with_house_rules(four, {}) == four
    assert 7 == with_house_rules(four, {"meld_max": 7, "out_need": {"natural": 1, "mixed": 1}}).meld_max
    assert not with_house_rules(four, {"take_open": [], "pile_frozen": "always"}).take_open
    assert 11 == with_house_rules(four, {"out_canastas": 11}).out_canastas
    assert (("7", 2),) == with_house_rules(
        four, {"out_need": {"7": 2}, "same_rank_melds": "many", "decks": 4, **FOUR_PACKS}
    ).out_need


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_can_be_reached_from_classic_one_parameter_at_a_time(name: str) -> None:
    """A player who changes rules one by one finds an order in which nothing is refused."""
    for players, wanted in RULE_SETS[name].items():
        rules = replace(RULE_SETS["classic"].get(players, wanted), teams=wanted.teams, name=name)
        missing = write_options(wanted, rules)
        while missing:
            for option, value in missing.items():
                try:
                    rules = with_house_rules(rules, {option: value})
                except UnplayableRules:
                    continue
                break
            else:
                pytest.fail(f"{name} {players}: {sorted(missing)}")
            missing = write_options(wanted, rules)
        assert wanted == rules


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"unheard": 1}, (ProblemCode.NO_SUCH_PARAMETER, {"parameter": "unheard"})),
        ({"draw": 21}, (ProblemCode.OUT_OF_RANGE, {"parameter": "draw", "lowest": 1, "highest": 20})),
        ({"direction": "up"}, (ProblemCode.NOT_A_VALUE, {"parameter": "direction"})),
        ({"hand_size": 25}, (ProblemCode.STOCK_TOO_SMALL, {"left": 7, "required": 20})),
    ],
)
def test_impossible_house_rules_are_refused_with_their_numbers(options: dict[str, Any], expected: Any) -> None:
    with pytest.raises(UnplayableRules) as refused:
        with_house_rules(rule_set("classic", 4), options)
    assert expected in [(problem.code, problem.detail) for problem in refused.value.problems]


def test_impossible_seatings_and_missing_partners_are_found() -> None:
    four = rule_set("classic", 4)
    assert ProblemCode.NO_FORM in [problem.code for problem in find_rule_problems(replace(four, players=5))]
    alone = replace(rule_set("classic", 3), ask_partner="mandatory")
    assert [ProblemCode.NOBODY_TO_ASK] == [problem.code for problem in find_rule_problems(alone)]


@pytest.mark.parametrize("options", [{"wild_ratio": "many"}, {"meld_max": 2}, {"hand_size": "x"}, {"unheard": 1}])
def test_an_impossible_value_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(PositionError):
        with_options(rule_set("classic", 4), options)
