"""The rules in words are true for every rule set, complete, and fit into a message."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from bot.engine.law.rule_conflicts import with_house_rules
from bot.engine.rules.parameters import PARAMETERS
from bot.engine.rules.sets import NOTES, RULE_SETS, rule_set
from bot.i18n import locales, words
from bot.i18n.rule_set_notes import translated_note
from cogs.shared.telling import parameter_text, rules_text
from cogs.shared.telling.names import original_rules_name
from cogs.shared.telling.numbers import group_thousands, join_alternatives, join_with_or, number_in_words
from tests.cogs.test_client import lobby_with_many_changes
from tests.support.discord import Discord, text_of
from tests.support.discord_limits import TEXT
from tests.support.random_house_rules import differing_parameters, playable_rules
from tests.support.seeds import sample_cases

FORMS: Final = [rules for forms in RULE_SETS.values() for rules in forms.values()]
ENGLISH: Final = words()

USUAL: Final = [next(iter(forms.values())) for forms in RULE_SETS.values()] + [rule_set("modern-american", 4)]
CLASSIC: Final = """\
**Classic**, two pairs, to 5,000. Two packs, 11 cards each. Jokers and twos are wild. Red threes are laid out \
and replaced.
**Turn:** draw one or take the whole pile; lay melds if you like; discard one card.
**Melds:** three or more of one rank, at least two natural cards, at most three wild cards. Partners share their \
melds; only one meld per rank. Seven cards make a canasta.
**Opening:** your side's first melds need 50 points; 90 from 1,500, 120 from 3,000, 15 with a score below zero. \
If you lay your whole hand in one turn without having melded before, no minimum applies. Joker 50, ace and two \
20, king to eight 10, others 5.
**Pile:** you must meld its top card immediately: with two of its rank from your hand, or with one of its rank \
and a wild card, or by adding it to a meld of your side. Until your side opens, and while a wild card or red \
three lies in it, it is frozen: you need two cards of that rank from your hand. You cannot take a pile with a \
wild card or black three on top.
**Going out:** with a canasta, with or without a discard. You may ask your partner before you lay anything that \
turn; the answer is binding. When you go out you may lay three or four black threes.
**Score:** natural canasta 500, mixed 300, going out 100, going out concealed 200; cards you melded count for \
you; cards left in hand count against you. Red threes 100 each, all four 800; against you without a meld.
**Stock out:** play goes on as long as each player takes the pile."""

TOLD: Final = {
    "samba": (
        "**Samba**, two pairs, to 10,000. Three packs, 15 cards each.",
        "draw two or take the whole pile",
        "at most two wild cards. Partners share their melds. ",
        "You may have several melds of a rank and put them together.",
        "Runs: three to seven cards of one suit in order, from four to ace, without wild cards.",
        "Seven cards make a canasta, which takes no more wild cards.",
        "50 points; 90 from 1,500, 120 from 3,000, 150 from 7,000, 15 with a score below zero.",
        "with two of its rank from your hand, or by adding it to a meld that is not yet a canasta.",
        "with two canastas",
        "run of seven 1,500, going out 200;",
        "Red threes 100 each, all six 1,000; against you without two canastas.",
    ),
    "hand-and-foot": (
        "two pairs, four deals. Five packs; 11 cards in hand, 11 in your foot.",
        "when your hand is empty you pick up your foot and play it from your next turn.",
        "50, 90, 120, 150 points in deals one to four.",
        "always frozen; you take the top five cards, only with two of its rank from your hand.",
        "Threes and wild cards on top block it.",
        "**Threes** cannot be laid: each red three left in hand costs 300, each black three 5.",
        "with seven canastas: three natural ones and four mixed ones, with or without a discard,",
        "with your partner's yes.",
    ),
    "modern-american": (
        "13 cards each. Jokers and twos are wild. All threes are laid out and replaced. The pile begins empty.",
        "three to seven of one rank, at least two natural cards, at most two wild cards; ",
        "after opening, wild cards only with five natural cards.",
        "Wild cards can be melds of their own; until such a meld has seven cards, ",
        "you may not add wild cards to other melds.",
        "Sevens take no wild card, aces only in the opening. Once a side has a canasta of a rank, that rank is closed.",
        "125 points; 155 from 3,000, 180 from 5,000; from your hand, ",
        "with a meld of at least three natural cards and no wild card.",
        "The first side to open gets four bonus cards, the second three, if it drew that turn.",
        "only with two of its rank from your hand, after opening.",
        "no threes while you hold other cards; wild cards only when you go out or hold nothing else; ",
        "on an empty pile no sevens, aces, wild cards or closed ranks while you hold other cards.",
        "with two canastas and a discard, with no unfinished melds of sevens, aces and wild cards on the table.",
        "You may ask your partner once a deal, before you lay anything that turn; the answer is binding.",
        "wild 2,000 (seven twos 3,000, with four jokers 2,500)",
        "Melds unfinished at the end: aces or sevens −2,500, wild cards −2,000.",
        "Threes of one colour count 100, 300, 500, 1,000: for you with two canastas, nothing with one, ",
        "- Pairs, 2,500: Seven different natural pairs.",
    ),
    "italian-club": (
        "Play goes to the right.",
        "three to seven of one rank",
        "always more natural than wild cards",
        "and a discard, if you announce it before your last card.",
        "If several sides reach 5,000 in one deal, the target rises by 1,000.",
    ),
    "mexicana": (
        "The first side to open gets 13 bonus cards.",
        "You cannot take a pile with a wild card, black three or seven on top.",
        "Your side also needs two red threes laid out.",
    ),
    "cuban": (
        "no black threes in the first round",
        "Black threes in a pile you take are set aside for you: 5 each, all four 100.",
        "wild 2,000 (seven twos 4,000, four jokers and three twos 3,000)",
    ),
    "canastone": ("or three while a wild card lies in the pile", "With the pile you draw a card from the stock."),
}
"""Phrases that the rules of each set for four players must contain."""


@pytest.mark.parametrize("locale", locales())
def test_the_rules_and_their_open_points_fit_into_a_message(locale: str) -> None:
    for rules in FORMS:
        form = (rules.name, rules.players)
        (page,) = rules_text.rules_pages(words(locale), rules)
        assert 0 < len(page) <= TEXT, form
        doubts = rules_text.sources_and_doubts_text(words(locale), rules)
        assert 0 < len(doubts) <= TEXT, form
        notes = NOTES[rules.name]
        texts = [
            translated_note(words(locale), one) for one in (notes.source, *notes.open_questions_for(rules.players))
        ]
        assert [] == [one for one in texts if one not in doubts], form
        assert all(0 < len(one) <= TEXT for one in rules_text.all_parameter_pages(words(locale), rules)), form


def test_the_classic_rules_use_the_words_of_card_players() -> None:
    assert CLASSIC.splitlines() == rules_text.all_rules_text(ENGLISH, rule_set("classic", 4)).splitlines()


@pytest.mark.parametrize("name", TOLD)
def test_the_rules_text_mentions_what_is_special_to_a_rule_set(name: str) -> None:
    text = rules_text.all_rules_text(ENGLISH, rule_set(name, 4))
    assert [] == [sentence for sentence in TOLD[name] if sentence not in text]


def test_every_sentence_of_the_rules_text_holds_for_its_table() -> None:
    for rules in FORMS:
        text = rules_text.all_rules_text(ENGLISH, rules)
        assert rules.out_announce is ("announce it before" in text)
        assert (rules.asks and rules.ask_partner == "optional") is ("You may ask your partner" in text)
        assert (rules.asks and rules.ask_partner == "mandatory") is ("with your partner's yes" in text)
        assert ("seq" in rules.meld_kinds) is ("Runs:" in text)
        assert bool(rules.foot_size) is ("**Foot:**" in text)
        assert bool(rules.special_hands) is ("**Special hands:**" in text)
        assert bool(rules.discard_bans) is ("**Discards:**" in text)
        assert (rules.pile_frozen == "always") is ("always frozen" in text)
        assert ("Partners" in text) is (rules.sides < rules.players and rules.teams != "cut-throat")
        doubts = rules_text.sources_and_doubts_text(ENGLISH, rules)
        others = [
            point
            for point in NOTES[rules.name].all_open_questions
            if point not in NOTES[rules.name].open_questions_for(rules.players)
        ]
        assert not any(point in doubts for point in others)


@pytest.mark.parametrize("locale", locales())
def test_changing_nearly_any_parameter_changes_the_text(locale: str) -> None:
    """What the short sentences leave out is in the complete list.

    By day each language has a third of the parameters.
    """
    told = set()
    said, tried = words(locale), sample_cases(PARAMETERS, locales().index(locale))
    for parameter in tried:
        values = {getattr(rules, parameter.name) for rules in FORMS}
        for rules in USUAL:
            usual = rules_text.all_rules_text(said, rules)
            others = (replace(rules, **{parameter.name: value}) for value in values)
            if any(usual != rules_text.all_rules_text(said, other) for other in others):
                told.add(parameter.name)
                break
    differ = {one.name for one in tried if len({getattr(rules, one.name) for rules in FORMS}) > 1}
    assert {"last_three", "upcard_cover", "upcard_specials"} & differ == differ - told


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"meld_after_take": False}, ENGLISH("rules_text.pile_top_only")),
        ({"frozen_untaken": True}, ENGLISH("rules_text.pile_untaken")),
        ({"take_twos": True}, ENGLISH("rules_text.pile_twos")),
        ({"out_canastas_before": True}, ENGLISH("law.out_before")),
        ({"ace_value": 15}, "two 20, ace 15,"),
        ({"open_waiver": []}, "120 from 3,000, 15 with a score below zero. Joker 50"),
        ({"no_wild_ranks": ["K", "T"]}, "Tens and kings take no wild card."),
        ({"bonus_rank": {"K": 800}}, "canasta of kings 800"),
        ({"pile_hidden": 3}, "Three cards lie hidden under the first upcard."),
        ({"jokers_per_deck": 3}, "Two packs with 3 jokers each, 11 cards each."),
        ({"jokers_per_deck": 0}, "Two packs without jokers, 11 cards each. Twos are wild."),
        ({"canasta_size": 5}, "Five cards make a canasta."),
        ({"bonus_black_threes": 500}, "four black threes laid when going out 500"),
        ({"count_card_values_in_canasta": False}, "Cards in canastas have no value of their own."),
        ({"auto_win": "7_canastas"}, "A side that makes seven canastas in one deal wins the game."),
        ({"penalties": "laws"}, "**Irregularities** have a price: First melds below the minimum raise"),
        ({"rounds": 1}, "**Classic**, two pairs, one deal."),
        ({"hand_size": [15, 13]}, "Two packs; cards each: 15 in the first deal, 13 afterwards."),
        ({"open_table": [[0, 0]]}, "**Opening:** your first melds need no points."),
        ({"draw": [2, 1]}, "draw (2 in the first deal, 1 afterwards)"),
        (
            {"take_open": ["pair"]},
            "**Pile:** you take it only with two of its rank from your hand. You cannot take a pile with a wild card",
        ),
        ({"pile_take": 10}, "**Pile:** you take the top ten cards and must meld the top one immediately: with two"),
    ],
)
def test_a_house_rule_changes_the_sentence_it_is_about(options: dict[str, Any], sentence: str) -> None:
    usual = rule_set("classic", 4)
    assert sentence in rules_text.all_rules_text(ENGLISH, with_house_rules(usual, options))
    assert sentence not in rules_text.all_rules_text(ENGLISH, usual)


def test_the_rules_text_begins_with_changes_by_the_host() -> None:
    snapshot = lobby_with_many_changes()
    for locale in locales():
        said = words(locale)
        pages = rules_text.table_rules_pages(said, snapshot)
        assert all(0 < len(page) <= TEXT for page in pages)
        text = "\n".join(pages)
        changes = parameter_text.describe_rule_changes(said, snapshot.terms, snapshot.base)
        assert changes
        assert text.startswith("\n".join([said("law.changed", rules=original_rules_name(said, snapshot)), *changes]))
    unchanged = replace(snapshot, terms=snapshot.base, saved_as="")
    assert rules_text.table_rules_pages(ENGLISH, unchanged)[0].startswith("**Classic**")


def test_every_parameter_in_the_complete_list_cites_its_paragraph() -> None:
    text = "\n".join(rules_text.all_parameter_pages(ENGLISH, rule_set("classic", 4)))
    assert "These are the classic laws." in text
    assert "- Points for going out: 100 (§ 1.15)" in text
    assert len(PARAMETERS) == text.count("(§ ")
    samba = "\n".join(rules_text.all_parameter_pages(ENGLISH, rule_set("samba", 4)))
    assert all(line in samba for line in parameter_text.differences_from_classic(ENGLISH, rule_set("samba", 4)))


def test_a_value_that_two_parameters_share_is_explained_for_each() -> None:
    """Red threes and melded cards both "swing", each in its own way (`docs/law/variants.md 3.10`)."""
    texts = parameter_text.differences_from_classic(ENGLISH, RULE_SETS["modern-american"][4])
    assert "- Melded cards of a side without a canasta: against it (classic: for the side; § v3.10)" in texts
    assert any(
        "with two canastas; nothing with one, against it with none (classic: once it has a meld" in one for one in texts
    )


def test_numbers_and_lists_are_written_as_the_language_does() -> None:
    italian = words("it")
    assert ("1,500", "−2,500", "100") == tuple(group_thousands(ENGLISH, one) for one in (1500, -2500, 100))
    assert "10.000" == group_thousands(italian, 10_000)
    assert ("seven", "12.000") == (number_in_words(ENGLISH, 7), number_in_words(italian, 12_000))
    assert "a, b or c" == join_with_or(ENGLISH, ["a", "b", "c"])
    assert "a, or b, or c" == join_alternatives(ENGLISH, ["a", "b", "c"])
    assert "a" == join_with_or(ENGLISH, ["a"]) == join_alternatives(ENGLISH, ["a"])


async def test_a_table_offers_the_numbers_of_players_of_its_rules(discord: Discord) -> None:
    you = discord.person(0)
    offered = await you.suggestions("table new", "players", "", rules="singkep")
    assert ["2", "3", "4", "5", "6"] == [str(count) for count in offered]
    assert "british" in await you.suggestions("table new", "rules", "British name")
    refused = text_of(await you.run("table new", rules="italian-club", players=3))
    assert "4 players, not 3" in refused
    await you.run("table new", rules="classic-trios")
    assert "6 players" in text_of(await discord.board())
    assert "two trios" in text_of(await you.run("rules show"))


@pytest.mark.parametrize("locale", locales())
def test_any_house_rules_fit_into_messages(locale: str) -> None:
    said = words(locale)
    for seed in range(60):
        random = Random(seed)
        base = random.choice(FORMS)
        rules = playable_rules(base, random, max_changes=30)
        assert all(0 < len(page) <= TEXT for page in rules_text.rules_pages(said, rules))
        text = "\n".join(rules_text.all_parameter_pages(said, rules))
        assert all(line in text for line in parameter_text.differences_from_classic(said, rules))
        assert len(parameter_text.describe_rule_changes(said, rules, base)) == len(differing_parameters(rules, base))
