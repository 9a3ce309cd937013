"""Under every rule set and number of players, computer players end a deal with legal steps only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest

from bot.computer.deals import PlayedDeal, play_deal
from bot.computer.duplicate_pairs import deal_with_opening_minimum, players_by_seat
from bot.computer.seeded_random import shuffled_packs
from bot.engine.moves.events import DealEnd
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, rule_set
from tests.support.seeds import SEARCHING

FORMS = [rules for forms in RULE_SETS.values() for rules in forms.values()]
DEALS = (0, 1)
"""Numbers of the two deals of a form: the first has the lowest minimum, the second the highest."""


def play_deals(rules: RuleSet, deals: Sequence[int] = DEALS, seed: int = 3) -> list[PlayedDeal]:
    minimums = [points for _, points in rules.open_table]
    return [
        play_deal(
            deal_with_opening_minimum(rules, pack, number, minimum=minimums[-1 if number % 2 else 0]),
            players_by_seat(rules, ("casual",), seed, number),
        )
        for number, pack in enumerate(islice(shuffled_packs(rules, seed), max(deals) + 1))
        if number in deals
    ]


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_every_form_is_played_to_an_end_without_an_illegal_step(rules: RuleSet) -> None:
    """A search plays two deals of each form, a normal run one of them."""
    for deal in play_deals(rules, DEALS if SEARCHING else (FORMS.index(rules) % 2,)):
        assert 0 == deal.illegal
        assert deal.reason in DealEnd
        assert deal.turns > 0


@pytest.mark.parametrize(
    ("name", "players"),
    [("modern-american", 2), ("modern-american", 4), ("hand-and-foot-us", 4), ("bolivia", 4), ("pennies", 6)],
)
def test_computer_players_average_above_zero_though_unfinished_melds_cost_points(name: str, players: int) -> None:
    deals = play_deals(rule_set(name, players), deals=range(24 if SEARCHING else 6))
    scores = [score for deal in deals for score in deal.scores]
    assert 0 < sum(scores) / len(scores)
