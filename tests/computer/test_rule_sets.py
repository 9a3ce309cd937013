"""Every rule set in every form: the computer player plays it to the end of the deal without an illegal step."""

from __future__ import annotations

from itertools import islice

import pytest

from bot.computer.chance import packs
from bot.computer.duplicate import deal_for, seat_players
from bot.computer.match import PlayedDeal, play_deal
from bot.engine.moves.events import DealEnd
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values()]
DEALS = 2


def play(rules: RuleSet, deals: int = DEALS, seed: int = 3) -> list[PlayedDeal]:
    minimums = [points for _, points in rules.open_table]
    return [
        play_deal(
            deal_for(rules, pack, number, minimum=minimums[-1 if number % 2 else 0]),
            seat_players(rules, ("casual",), seed, number),
        )
        for number, pack in enumerate(islice(packs(rules, seed), deals))
    ]


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_every_form_is_played_to_an_end_without_an_illegal_step(rules: RuleSet) -> None:
    for deal in play(rules):
        assert 0 == deal.illegal
        assert deal.reason in DealEnd
        assert deal.turns > 0


@pytest.mark.parametrize(
    ("name", "players"),
    [("modern-american", 2), ("modern-american", 4), ("hand-and-foot-us", 4), ("bolivia", 4), ("pennies", 6)],
)
def test_plays_where_unfinished_melds_and_cards_held_cost_points_above_zero_on_average(name: str, players: int) -> None:
    deals = play(rule_set(name, players), deals=12)
    scores = [score for deal in deals for score in deal.scores]
    assert 0 < sum(scores) / len(scores)
