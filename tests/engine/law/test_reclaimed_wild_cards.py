"""Reclaiming wild cards, once from each canasta, so that deals end (`docs/law/classic.md H43`)."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.cards.cards import KING
from bot.engine.law.rule_conflicts import with_house_rules
from bot.engine.moves.actions import TAKE_BACK, Meld, Reclaim
from bot.engine.moves.events import DealEnd, Reclaimed
from bot.engine.moves.refusals import Code
from bot.engine.play.decide import why_not_allowed
from bot.engine.play.invariants import broken_invariants
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from tests.engine.reach.test_variants_by_oracle import oracle_difference
from tests.support.random_play import apply_action, deal_with_minimum, steps_of_a_deal
from tests.support.seeds import seeds
from tests.support.small_variant_positions import MAKERS, play_random_turn

OPTIONS = {"wild_reclaim": "natural_canasta"}
SETS = [("classic", 4), ("classic", 2), ("samba", 4), ("tampa", 4), ("italian", 4), ("hand-and-foot", 4)]

GIVING_OFTEN = ("italian", "hand-and-foot")
OFTEN, SELDOM = 100, 40
"""Numbers of walks compared with the oracle: more for the rules whose small positions reclaim often."""


def position(hand: str, melds: list[str], **options: object) -> State:
    return read_position(
        {
            "options": OPTIONS | options,
            "position": {"phase": "play", "hands": {"0": hand}, "stock": "7d 9c", "melds": {"0": melds}},
        }
    )


@pytest.mark.parametrize(("name", "players"), SETS)
def test_each_canasta_gives_wild_cards_back_once_and_deals_end(name: str, players: int) -> None:
    rules = with_house_rules(rule_set(name, players), OPTIONS)
    back = 0
    for seed in seeds(8):
        given: set[tuple[int, int]] = set()
        for played in steps_of_a_deal(deal_with_minimum(rules, seed), Random(seed)):
            assert () == broken_invariants(played.after)
            for event in played.events:
                if isinstance(event, Reclaimed):
                    place = played.before.side, event.place
                    assert place not in given or rules.same_rank_melds == "many"
                    given.add(place)
        back += len(given)
    assert back


def test_legal_steps_with_reclaiming_match_the_oracle_in_the_variants() -> None:
    compared = 0
    for name, players in SETS[2:]:
        for seed in seeds(OFTEN if name in GIVING_OFTEN else SELDOM):
            maker = MAKERS["small" if seed % 4 else "tight"]
            for state, told in play_random_turn(rule_set(name, players), seed, build_position=maker, options=OPTIONS):
                assert not oracle_difference(state, told)
                compared += any(isinstance(step, Reclaim) for step in legal_actions(state))
    assert compared > 10


def test_reclaiming_leaves_earlier_melds_on_the_table() -> None:
    state = apply_action(position("Kc 4s 5s", ["Kh Ks Kd Kc Kh Ks 2s"]), 0, Meld(KING, 1))
    assert why_not_allowed(state, 0, TAKE_BACK) is None
    after = apply_action(state, 0, Reclaim(KING))
    refusal = why_not_allowed(after, 0, TAKE_BACK)
    assert refusal is not None
    assert Code.NOTHING_TO_TAKE_BACK is refusal.code


def test_a_side_that_has_not_opened_cannot_reclaim() -> None:
    state = apply_action(position("4s 4h 4d 4c 4s 4h 4d 2s 9s 9h 9d", []), 0, Meld(0, 7, 1))
    refusal = why_not_allowed(state, 0, Reclaim(0))
    assert refusal is None  # 55 points: the side has opened
    low = apply_action(
        position("4s 4h 4d 4c 4s 4h 4d 2s Ks Kh Kd Kc 5s 5h", [], open_table=[[0, 90]]), 0, Meld(0, 7, 1)
    )
    refusal = why_not_allowed(low, 0, Reclaim(0))
    assert refusal is not None
    assert (Code.INITIAL_MELD_TOO_LOW, {"count": 55, "required": 90}) == (refusal.code, refusal.detail)


def test_a_canasta_that_is_natural_now_may_win_the_game() -> None:
    state = read_position(
        {
            "options": OPTIONS,
            "themes": [{"name": "own", "turns": [[{"what": "wins_with", "canasta": "natural", "ranks": ["K"]}]]}],
            "position": {
                "phase": "play",
                "hands": {"0": "4s 5s"},
                "stock": "7d",
                "melds": {"0": ["Kh Ks Kd Kc Kh Ks Kd 2s"]},
            },
        }
    )
    after = apply_action(state, 0, Reclaim(KING))
    assert DealEnd.THEME_CANASTA is after.results[-1].reason
    assert 0 == after.winner
