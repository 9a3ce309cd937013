"""Themes: every one of the library played out, what each condition refuses, and how they go together."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.engine import phases
from bot.engine.actions import Discard, StartDeal
from bot.engine.decide import decide
from bot.engine.evolve import fold
from bot.engine.invariants import all_cards
from bot.engine.legal import legal_actions
from bot.engine.packs import full_pack
from bot.engine.rules import RuleSet
from bot.engine.rulesets import rule_set
from bot.engine.state import State, actor, new_game
from bot.engine.themes.library import THEMES, with_themes

CLASSIC, SAMBA = rule_set("classic", 4), rule_set("samba", 4)
DEALS = 20
MOST_STEPS = 2000
MELDS = 0.7
"""How often something is laid or taken where something can be."""


def played(rules: RuleSet, chance: Random, *, deal: int) -> tuple[State, int]:
    """A deal played out by chance, with how many steps it took; cards are conserved."""
    state = new_game(rules, dealer=0)
    state.deal = deal - 1
    pack = list(full_pack(rules.decks, rules.jokers_per_deck))
    chance.shuffle(pack)
    state = fold(state, decide(state, None, StartDeal(tuple(pack))))
    steps = 0
    while state.phase not in (phases.BETWEEN, phases.OVER):
        legal = legal_actions(state)
        assert legal, "a dead end"
        laying = [step for step in legal if not isinstance(step, Discard)]
        step = chance.choice(laying if laying and chance.random() < MELDS else legal)
        state = fold(state, decide(state, actor(state), step))
        steps += 1
        assert steps < MOST_STEPS, "an endless deal"
    assert Counter(pack) == all_cards(state)
    return state, steps


@pytest.mark.parametrize("rules", [CLASSIC, SAMBA], ids=lambda rules: rules.name)
@pytest.mark.parametrize("name", THEMES)
def test_every_theme_is_played_without_a_dead_end(name: str, rules: RuleSet) -> None:
    themed = with_themes(rules, [name])
    turns = len(THEMES[name].turns)
    for number in range(DEALS):
        state, steps = played(themed, Random(number), deal=1 + number % turns)
        assert state.results[-1].deal == 1 + number % turns
        assert steps > 0
