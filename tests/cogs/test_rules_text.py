"""The rules in words: true for every rule set, complete, and short enough for a message."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

import pytest

from bot.engine.rules import RuleSet
from bot.engine.rulesets import NOTES, RULE_SETS
from bot.i18n import locales, words
from bot.i18n.note_words import note
from cogs.shared import parameters, rules_text
from tests.support.discord import Discord, text_of
from tests.support.house_rules import differing, playable
from tests.support.limits import TEXT

FORMS: Final = [rules for forms in RULE_SETS.values() for rules in forms.values()]
ENGLISH: Final = words()


@pytest.mark.parametrize("rules", FORMS, ids=lambda rules: f"{rules.name}-{rules.players}")
@pytest.mark.parametrize("locale", locales())
def test_the_rules_fit_into_messages_and_name_their_source(rules: RuleSet, locale: str) -> None:
    pages = rules_text.pages(words(locale), rules, 5000)
    assert len(pages) <= 2
    assert all(0 < len(page) <= TEXT for page in pages)
    notes = NOTES[rules.name]
    told = [note(words(locale), one) for one in (notes.source, *notes.open_points)]
    assert all(one in pages[-1] for one in told)


def test_the_classic_laws_differ_in_nothing_and_other_rules_in_what_their_parameters_do() -> None:
    for rules in FORMS:
        told = rules_text.whole(ENGLISH, rules, 5000)
        classic = RULE_SETS["classic"].get(rules.players)
        same = classic is not None and replace(rules, name="classic") == classic
        assert same is ("These are the classic laws." in told)
        assert rules.out_announce is ("has to be announced before" in told)
        assert rules.asks is ("**Asking:**" in told)
        opening = next(line for line in told.splitlines() if line.startswith("**Initial meld:**"))
        assert (rules.open_table[1][0] == 0) is ("below zero" in opening)


def test_a_word_that_two_parameters_share_is_told_as_each_of_them_means_it() -> None:
    """`rules/variants.md 3.10`: red threes and melded cards swing, each in its way."""
    told = parameters.differences(ENGLISH, RULE_SETS["modern-american"][4])
    assert "- Melded cards of a side without a canasta: against it (classic: for the side; § v3.10)" in told
    assert any(
        "with two canastas; nothing with one, against with none (classic: once it has a meld" in one for one in told
    )


async def test_a_table_offers_the_players_its_rules_have_a_form_for(discord: Discord) -> None:
    you = discord.person(0)
    offered = await you.suggested("table new", "players", "", rules="singkep")
    assert ["2", "3", "4", "5", "6"] == [str(count) for count in offered]
    assert "british" in await you.suggested("table new", "rules", "little is known")
    refused = text_of(await you.types("table new", rules="italian-club", players=3))
    assert "4 players, not 3" in refused
    await you.types("table new", rules="classic-trios")
    assert "6 players" in text_of(await discord.board())
    assert "two trios" in text_of(await you.types("rules show"))


@pytest.mark.parametrize("locale", locales())
def test_any_house_rules_can_be_told_in_messages(locale: str) -> None:
    said = words(locale)
    for seed in range(60):
        random = Random(seed)
        base = random.choice(FORMS)
        rules = playable(base, random, most=30)
        pages = rules_text.pages(said, rules, rules.target)
        assert all(0 < len(page) <= TEXT for page in pages)
        told = "\n".join(pages)
        assert all(line in told for line in parameters.differences(said, rules))
        assert len(parameters.changes(said, rules, base)) == len(differing(rules, base))
