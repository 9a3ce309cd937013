"""House rules in the lobby: the host's panel, what everybody sees, and a deal played by them."""

from __future__ import annotations

import pytest

from bot.engine.moves.phases import Phase
from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import BY_NAME, PARAMETERS, Parameter, ValueType, parameters_of_topic
from bot.engine.rules.rule_options import read_value
from bot.engine.rules.sets import rule_set
from bot.i18n import locales, words
from cogs.shared.telling import parameter_text
from cogs.table.options import house_rules
from cogs.table.options.house_rules import THEMES, house_rule_value_form
from tests.cogs.test_client import lobby_with_many_changes
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import Discord, Message, Person, controls, press_stale_control, text_of
from tests.support.discord_limits import broken_limits
from tests.support.discord_schema import load_api


async def open_parameter(person: Person, panel: Message, name: str) -> Message:
    """Open a rule (parameter) from the panel, and return the panel with it."""
    panel = await person.choose(panel, "options_topic", BY_NAME[name].topic.value)
    return await person.choose(panel, "options_pick", name)


async def test_the_host_changes_rules_topic_by_topic_and_everybody_sees_it(discord: Discord) -> None:
    host, friend = discord.person(0), discord.person(1)
    await host.run("table new")
    await friend.run("table join")
    panel = await host.run("table options")
    assert panel.ephemeral
    assert "Nothing is changed yet" in text_of(panel)
    assert [*(one.value for one in Topic if parameters_of_topic(one)), THEMES] == [
        option["value"] for option in controls(panel)["options_topic"]["options"]
    ]
    panel = await host.choose(panel, "options_topic", "out")
    assert "Canastas needed to go out: 1" in text_of(panel)
    panel = await host.choose(panel, "options_pick", "out_canastas")
    assert "§ 1.15" in text_of(panel)
    panel = await host.choose(panel, "options_set", "2")
    assert "Saved" in text_of(panel)
    assert 2 == (await discord.snapshot()).terms.out_canastas
    board = text_of(await discord.board())
    assert "Classic with house rules" in board
    assert 1 == board.count("Canastas needed to go out: 2 (before: 1)")
    assert "House rules, changed since others sat down" in board
    third = discord.person(2)
    await host.choose(await open_parameter(host, panel, "hand_size"), "options_set", "13")
    await friend.run("table leave")
    assert "changed since" not in text_of(await discord.board())
    await third.run("table join")
    await host.choose(await open_parameter(host, panel, "hand_size"), "options_set", "15")
    board = text_of(await discord.board())
    assert "Cards dealt to each: 15 (before: 11)" in board
    assert "Changed since others sat down:**\n- Cards dealt to each: 15 (before: 13)" in board
    text = text_of(await friend.run("rules show"))
    assert "Classic with house rules" in text
    assert "Canastas needed to go out: 2 (before: 1)" in text


async def test_the_panel_offers_only_house_rules_that_have_an_effect(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new", rules="modern-american")
    panel = await open_parameter(host, await host.run("table options"), "top_blocks")
    assert ["7"] == [option["value"] for option in controls(panel)["options_set"]["options"]]
    assert "A seven on top blocks the pile" in text_of(panel)
    assert "Top cards that block the pile" not in "\n".join(
        parameter_text.differences_from_classic(words("en"), rule_set("modern-american", 4))
    )
    panel = await host.choose(panel, "options_set", "7")
    assert "sevens" in text_of(panel)
    assert "7" in (await discord.snapshot()).terms.top_blocks


async def test_house_rules_of_every_kind_of_value_can_be_chosen_or_typed(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new")
    panel = await host.click(await host.click(await discord.board(), "setup"), "options")
    for name, action, values in (
        ("one_card_guard", "options_set", ("no",)),
        ("wild_ratio", "options_set", ("nat>w",)),
        ("top_blocks", "options_set", ()),
        ("take_open", "options_set", ("pair", "add")),
        ("meld_max", "options_set", ("8",)),
        ("hand_size", "options_set", ("13",)),
    ):
        panel = await host.choose(await open_parameter(host, panel, name), action, *values)
    panel = await host.fill_form(await open_parameter(host, panel, "bonus_natural"), "options_type", " 1,500 ")
    panel = await host.fill_form(await open_parameter(host, panel, "red3_values"), "options_type", "50, 100; 150 200")
    panel = await host.fill_form(
        await open_parameter(host, panel, "open_table"), "options_type", "neg: 0, 0: 60, 2000: 100"
    )
    terms = (await discord.snapshot()).terms
    assert (False, "nat>w", frozenset(), frozenset({"pair", "add"})) == (
        terms.one_card_guard,
        terms.wild_ratio,
        terms.top_blocks,
        terms.take_open,
    )
    assert (8, 13, 1500, (50, 100, 150, 200)) == (
        terms.meld_max,
        terms.hand_size,
        terms.bonus_natural,
        terms.red3_values,
    )
    assert ((None, 0), (0, 60), (2000, 100)) == terms.open_table
    panel = await host.choose(await open_parameter(host, panel, "meld_max"), "options_set", "none")
    assert (await discord.snapshot()).terms.meld_max is None
    panel = await host.click(await open_parameter(host, panel, "hand_size"), "options_reset")
    assert 11 == (await discord.snapshot()).terms.hand_size
    panel = await host.click(panel, "options_reset_all")
    snapshot = await discord.snapshot()
    assert snapshot.base == snapshot.terms == rule_set("classic", 4)


async def test_hands_and_draws_may_be_set_deal_by_deal(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new")
    panel = await open_parameter(host, await host.run("table options"), "hand_size")
    assert "### § 1.4 · The deal" in text_of(await host.click(panel, "paragraph"))
    panel = await host.fill_form(panel, "options_type", " 15; 13 11, 11")
    assert (15, 13, 11) == (await discord.snapshot()).terms.hand_size
    assert "Now: **15, 13 in the first 2 deals, 11 afterwards**\nBefore: 11" in text_of(panel)
    panel = await host.choose(panel, "options_set", "12")
    assert 12 == (await discord.snapshot()).terms.hand_size
    panel = await host.fill_form(await open_parameter(host, panel, "draw"), "options_type", "1,2")
    panel = await host.choose(panel, "options_set", "1, 2")
    assert (1, 2) == (await discord.snapshot()).terms.draw
    text = text_of(await host.run("rules show"))
    assert "Cards drawn in a turn: 1 in the first deal, 2 afterwards (before: 1)" in text
    assert "draw (1 in the first deal, 2 afterwards) or take the whole pile" in text


IMPOSSIBLE: tuple[tuple[str, str, str], ...] = (
    ("hand_size", "40", "0 would be left in the stock, and it needs at least 20."),
    ("hand_size", "many", "only whole numbers from 1 to 100"),
    ("hand_size", "9" * 300, "only whole numbers from 1 to 100"),
    ("hand_size", "11, 25", "7 would be left in the stock, and it needs at least 20."),
    ("draw", "1, x", "or one for each deal"),
    ("decks", "2, 3", "only whole numbers from 1 to 12"),
    ("bonus_mixed", "33", "33 is not a multiple of 5"),
    ("decks", "9", "At most 8 packs"),
    ("red3_values", "100", "These packs have 4 red threes, but there are values for only 1"),
    ("red3_values", "?", "only whole numbers"),
    ("open_table", "0 50, 1500", "Pairs separated by commas"),
    ("open_table", "0 50, 1500 30", "must rise from row to row; from row 1"),
    ("open_table", "1500 30, 0 50", "only whole numbers from 0 to 1000"),
    ("target", "50", "The target must be from 100"),
)
"""Options, impossible values typed for them, and what the answer says."""


async def test_impossible_house_rules_are_refused_with_the_reason_and_change_nothing(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new")
    before = await discord.snapshot()
    for name, text, message in IMPOSSIBLE:
        panel = await open_parameter(host, await host.run("table options"), name)
        assert message in text_of(await host.fill_form(panel, "options_type", text)), (name, text)
        assert before == await discord.snapshot(), (name, text)


async def test_the_panel_is_only_for_the_host_of_a_lobby(discord: Discord) -> None:
    host, friend = discord.person(0), discord.person(1)
    await host.run("table new", players=2)
    await friend.run("table join")
    assert f"Only <@{host.id}>" in text_of(await friend.run("table options"))
    old = f"cn:1:{(await discord.snapshot()).version}:options:"
    assert f"Only <@{host.id}>" in text_of(await press_stale_control(discord, friend, await discord.board(), old))
    panel = await open_parameter(host, await host.run("table options"), "hand_size")
    await host.run("table leave")
    assert "Only" in text_of(await host.choose(panel, "options_set", "13"))
    panel = await open_parameter(friend, await friend.run("table options"), "hand_size")
    await friend.run("table start", fill=True)
    assert "has already started" in text_of(await friend.choose(panel, "options_set", "13"))
    assert 15 == (await discord.snapshot()).terms.hand_size


async def test_the_panel_works_after_a_restart_and_a_deal_is_played_by_house_rules(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new", players=2, computers=1)
    panel = await open_parameter(host, await host.run("table options"), "out_canastas")
    await discord.restart()
    panel = await host.choose(panel, "options_set", "0")
    panel = await host.choose(await open_parameter(host, panel, "hand_size"), "options_set", "10")
    panel = await host.choose(await open_parameter(host, panel, "max_wilds"), "options_set", "1")
    await host.run("table start")
    await discord.restart()
    state = await discord.game_state()
    assert (0, 1) == (state.rules.out_canastas, state.rules.max_wilds)
    while (state := await discord.game_state()).phase not in (Phase.BETWEEN, Phase.OVER):
        await play_by_command(host, next_move(state))
    assert 1 == len(state.results)
    assert all(meld.wilds <= 1 for melds in state.melds for meld in melds)
    assert "Classic with house rules" in text_of(await host.run("table list"))


async def test_requests_of_the_panel_are_valid_by_discords_schema(discord: Discord) -> None:
    schema = load_api()
    host = discord.person(0)
    await host.run("table new")
    panel = await host.run("table options")
    for name in ("hand_size", "take_open", "open_table", "red3_values"):
        panel = await open_parameter(host, panel, name)
        assert [] == broken_limits([one if isinstance(one, dict) else one.to_dict() for one in panel.components])
        if BY_NAME[name].shape is not ValueType.WORDS:
            panel = await host.fill_form(panel, "options_type", "12")
    requests = [one for one in discord.environment.http_requests if one.method != "GET"]
    assert set() == {fault for one in requests for fault in schema.faults(one.method, one.path, one.json)}


# --- values in texts --------------------------------------------------------------------------------------------------


TYPED = [one for one in PARAMETERS if one.shape in (ValueType.NUMBER, ValueType.NUMBERS, ValueType.TABLE)]


@pytest.mark.parametrize("parameter", TYPED, ids=lambda one: one.name)
def test_a_house_rule_in_a_form_is_parsed_back_to_its_value(parameter: Parameter) -> None:
    snapshot = lobby_with_many_changes()
    for rules in (snapshot.terms, snapshot.base):
        value = getattr(rules, parameter.name)
        read = house_rules.parse_typed_value(parameter, house_rules.value_as_typed(value))
        assert value == read_value(parameter, read, parameter.name)
    for locale in locales():
        form = house_rule_value_form(words(locale), snapshot, parameter).to_dict()
        assert 0 < len(form["title"]) <= 45
        (label,) = form["components"]
        assert 0 < len(label["description"]) <= 100


@pytest.mark.parametrize(
    ("name", "required"),
    [
        ("target", True),
        ("hand_size", True),
        ("red3_values", True),
        ("meld_max", False),  # a value that may be None
        ("rounds", False),
        ("black3_values", False),  # a list that may be empty
        ("out_need", False),  # a table that may have no row
    ],
)
def test_a_form_of_an_optional_value_may_be_left_empty(name: str, *, required: bool) -> None:
    (label,) = house_rule_value_form(words(), lobby_with_many_changes(), BY_NAME[name]).to_dict()["components"]
    assert required is label["component"].get("required", True)
