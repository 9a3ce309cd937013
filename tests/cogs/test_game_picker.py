"""Choosing the game (rule set) of a lobby in its host's panel."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest

from bot.engine.rules.sets import RULE_SETS
from bot.engine.rules.sets.difficulty_and_length import FAMILIES, FAVOURITES
from bot.i18n import locales, words
from bot.tables.seating.lobby_rules import PROGRAM, RulesOffer
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing.family_menus import family_pages, offer_argument
from cogs.shared.telling import rules_text
from cogs.table.game_picker import picker_panel
from cogs.table.rules import rule_list_page, rules_page, shown_rules_of_offer, shown_rules_of_table
from tests.cogs.test_client import lobby_with_many_changes
from tests.cogs.test_personal_settings import add_manager
from tests.support.discord import Discord, Message, Person, all_components, text_of
from tests.support.discord_limits import broken_limits

ENGLISH: Final = words()
FORTY_OWN: Final = tuple(
    RulesOffer(f"Our rules, number {number}, and a long name besides", {4: RULE_SETS["samba"][4]}, saved=True)
    for number in range(20)
)


async def open_game_picker(person: Person) -> Message:
    """Open the picker of games from the panel of house rules, and return it."""
    return await person.click(await person.run("table set-up"), "picker")


async def press_choice(person: Person, message: Message, choice: str) -> Message:
    answer = await person.actor.click(message, custom_id=buttons_by_choice(message)[choice]["custom_id"])
    return answer.followups[-1] if answer.followups else answer.response


def buttons_by_choice(message: Message) -> dict[str, dict[str, Any]]:
    """Return the buttons of a picker by what they choose."""
    return {
        one["custom_id"].split(":")[4]: one for one in all_components(message) if ":pick:" in one.get("custom_id", "")
    }


@pytest.mark.parametrize("locale", locales())
@pytest.mark.parametrize("family", ["favourites", *FAMILIES, "own", "own2", "own3"])
def test_the_list_of_a_family_of_games_fits_into_a_message(locale: str, family: str) -> None:
    said = words(locale)
    those = family_pages(said, [*FORTY_OWN, *PROGRAM])
    assert family in [one.name for one in those]
    snapshot = replace(lobby_with_many_changes(), saved_as="")
    page = picker_panel(said, snapshot, those, family=family, note="x" * 300, back_action="set_up")
    assert [] == broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]


def test_every_game_has_a_line_of_facts_and_a_sentence_about_its_rules() -> None:
    told = {offer.name: rules_text.offer_facts_text(ENGLISH, offer) for offer in PROGRAM}
    assert "2–6 players · about 7 deals · easy" == told["classic"]
    assert "2–4 or 6 players · about 7 deals · medium" == told["uruguay"]
    assert "2 or 4 players · about 7 deals · hard" == told["modern-american"]
    assert "2–6 players · 4 long deals · medium" == told["hand-and-foot-us"]
    for locale in locales():
        assert all(rules_text.rules_sentence(words(locale), name).endswith(".") for name in RULE_SETS)


def test_a_tables_target_changes_the_estimated_length() -> None:
    classic = RULE_SETS["classic"][4]
    assert "4 players · to 5000 points, about 7 deals · easy" == rules_text.table_facts_text(
        ENGLISH, classic, 4, "to 5000 points"
    )
    assert "about 3 deals" in rules_text.table_facts_text(ENGLISH, replace(classic, target=2500), 4, "")
    assert "4 players · one deal · easy" == rules_text.table_facts_text(
        ENGLISH, replace(classic, rounds=1), 4, "one deal"
    )
    assert "4 players · 3 deals · easy" == rules_text.table_facts_text(ENGLISH, classic, 4, "to 5000 points", deals=3)
    assert "to 5000 points, about 7 deals" in rules_text.table_facts_text(
        ENGLISH, classic, 4, "to 5000 points", deals=20
    )


async def test_the_host_chooses_a_game(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new")
    panel = await open_game_picker(you)
    assert panel.ephemeral
    assert "Which Canasta game?" in text_of(panel)
    assert list(FAVOURITES) == [one.partition(".")[2].replace(".", "-") for one in buttons_by_choice(panel)]
    assert buttons_by_choice(panel)["favourites.classic"]["disabled"]
    assert "Chosen" == buttons_by_choice(panel)["favourites.classic"]["label"]
    panel = await press_choice(you, panel, "favourites.samba")
    assert "plays **Samba** now" in text_of(panel)
    assert buttons_by_choice(panel)["favourites.samba"]["disabled"]
    assert "samba" == (await discord.snapshot()).rules
    assert "Samba" in text_of(await discord.board())


async def test_a_changed_number_of_players_is_mentioned(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new")
    panel = await you.choose(await open_game_picker(you), "family", "foot")
    panel = await press_choice(you, panel, "foot.pennies")
    assert "not for 4 players, so the table now has 6 seats" in text_of(panel)
    assert 6 == (await discord.snapshot()).players
    for number in range(1, 4):
        await discord.person(number).run("table join")
    panel = await you.choose(panel, "family", "classic")
    panel = await press_choice(you, panel, "classic.classic.13")
    assert "people are seated here, and there would be only 2 seats" in text_of(panel)
    assert "pennies" == (await discord.snapshot()).rules


async def test_the_server_s_own_rules_come_first(discord: Discord) -> None:
    manager, you = add_manager(discord), discord.person(0)
    await you.run("table new", rules="samba")
    await manager.run("rules save", name="Friday *night*", table="1")
    panel = await you.choose(await open_game_picker(you), "family", "own")
    (own,) = buttons_by_choice(panel)
    panel = await press_choice(you, panel, own)
    assert "Friday *night*" == (await discord.snapshot()).saved_as
    assert buttons_by_choice(panel)[own]["disabled"]
    panel = await press_choice(you, await you.choose(panel, "family", "favourites"), "favourites.classic")
    panel = await you.choose(panel, "family", "own")
    await manager.run("rules forget", rules="Friday *night*")
    panel = await press_choice(you, panel, own)
    assert "out of date" in text_of(panel)


def test_controls_of_the_picker_have_distinct_and_short_arguments() -> None:
    arguments = [offer_argument(offer) for offer in (*PROGRAM, *FORTY_OWN)]
    assert len(arguments) == len(set(arguments))
    assert all(str(ControlId(1, 1, "pick", f"favourites.{one}")) for one in arguments)


async def test_the_favourites_are_suggested_before_anything_is_typed(discord: Discord) -> None:
    you = discord.person(0)
    suggested = await you.suggestions("table new", "rules")
    assert list(FAVOURITES) == suggested[: len(FAVOURITES)]
    assert ["tampa"] == await you.suggestions("table new", "rules", "instead of runs")
    for locale in locales():
        labels = [rules_text.offer_label(words(locale), offer) for offer in PROGRAM]
        assert all("\n" not in one for one in labels)
    found = await you.actor.autocomplete(you.channel, "table new", "rules", "samba")
    assert found[0]["name"].startswith("Samba · 2–6 players · about 7 deals · medium · Runs count too: seven in a row")
    assert all(len(one["name"]) <= 100 for one in found)


async def test_all_rules_are_listed_by_families(discord: Discord) -> None:
    you = discord.person(0)
    page = await you.run("rules list")
    assert "Runs count too: seven in a row of one suit make 1,500.\n-# 2–6 players · about 7 deals" in text_of(page)
    assert "saved no rules of its own" in text_of(page)
    for family, names in FAMILIES.items():
        page = await you.choose(page, "rules_family", family)
        assert all(f"**{ENGLISH(f'rules.{name}')}**" in text_of(page) for name in names)
        assert "differences" not in text_of(page)


@pytest.mark.parametrize("locale", locales())
def test_the_list_and_the_rules_of_any_table_fit_into_a_message(locale: str) -> None:
    said = words(locale)
    those = family_pages(said, [*FORTY_OWN, *PROGRAM])
    for family in those:
        page = rule_list_page(said, those, FORTY_OWN[0], family=family.name)
        assert [] == broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]
    for subject in (
        shown_rules_of_table(said, lobby_with_many_changes()),
        *(shown_rules_of_offer(said, offer, rules) for offer in PROGRAM for rules in offer.forms.values()),
    ):
        page = rules_page(said, subject)
        assert [] == broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]
