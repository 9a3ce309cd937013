"""Signs on pictures are explained five times each, unless a person chose otherwise; ⋯ shows all."""

from __future__ import annotations

import pytest

from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.i18n import locales, words
from cogs.shared.telling.picture_signs import MOST_TIMES, SIGNS, explain_all_signs, sign_explanation
from tests.support.discord import Discord, Message, Person, controls, text_of
from tests.support.stacked_packs import stack_pack

WORDS = words()
HAND = "3h 4s 5h 6d 7c 7d 8s 9s Jc Qs Ks"
RED_THREE = "Red three: +100 once your side has melds, −100 until then."


async def open_hand(discord: Discord) -> tuple[Person, Message]:
    """Start a game with computer players in which Anna has a red three; return her and her panel."""
    discord.dealer.pack = stack_pack(rule_set("classic", 4), {0: HAND, 1: "", 2: "", 3: ""}, "Td Qh", dealer=3)
    you = discord.person(0)
    await you.run("table new")
    await you.run("table start", fill=True)
    return you, await you.run("hand")


@pytest.mark.parametrize("choice", ["auto", "on", "off"])
async def test_a_picture_sign_is_explained_five_times_or_never_as_chosen(discord: Discord, choice: str) -> None:
    await discord.application.client.context.profiles.change_preferences(discord.person(0).id, {"explain": choice})
    you, panel = await open_hand(discord)
    assert (choice != "off") == (RED_THREE in text_of(panel))
    for _ in range(MOST_TIMES):
        panel = await you.run("hand")
    assert RED_THREE not in text_of(panel)
    page = await you.click(await you.click(panel, "more"), "signs")
    assert RED_THREE in text_of(page)
    assert "MIX: a canasta with wild cards: 300." in text_of(page)
    assert "more" in controls(await you.click(page, "refresh"))


@pytest.mark.parametrize("locale", locales())
@pytest.mark.parametrize("name", sorted(RULE_SETS))
def test_explanations_of_signs_contain_the_numbers_of_the_rules(name: str, locale: str) -> None:
    rules, language = rule_set(name, min(RULE_SETS[name])), words(locale)
    texts = explain_all_signs(language, rules)
    assert texts[0] == sign_explanation(language, rules, "frozen")
    assert len(texts) == len(set(texts)) <= len(SIGNS)
    assert all(len(line) < 200 for line in texts)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("classic", "FROZEN: a wild card or a red three lies in the pile. You need two cards"),
        ("hand-and-foot", "FROZEN: under these rules the pile is always frozen. You need two cards"),
        ("canastone", "to take it, three while a wild card lies in it."),
    ],
)
def test_the_sign_of_a_frozen_pile_says_why_it_is_frozen(name: str, text: str) -> None:
    assert text in sign_explanation(WORDS, rule_set(name, 4), "frozen")


async def test_a_panel_says_once_that_the_pile_is_frozen(discord: Discord) -> None:
    hand = "4h 4s 5h 6d 7c 7d 8s 9s Jc Qs Ks"
    discord.dealer.pack = stack_pack(rule_set("classic", 4), {0: hand, 1: "", 2: "", 3: ""}, "2d Qh Td", dealer=3)
    you = discord.person(0)
    await you.run("table new")
    await you.run("table start", fill=True)
    panel = await you.run("hand")
    assert 1 == text_of(panel).count("FROZEN")
    assert "FROZEN: you need two queens" in text_of(panel)
    assert 1 == text_of(await you.click(panel, "draw")).count("FROZEN: a wild card")
