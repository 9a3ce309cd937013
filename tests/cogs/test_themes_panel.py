"""Themes in the lobby: chosen or put together by the host, shown to all, or refused with a reason."""

from __future__ import annotations

import pytest

from bot.engine.moves.phases import Phase
from bot.engine.rules.themes.conditions import CANASTAS, RANKS, UNTILS, Condition, What
from bot.engine.rules.themes.named_themes import GROUPS, THEMES, theme_names
from bot.engine.rules.themes.own_themes import CHOICES, OWN, OWN_BY_DEAL, is_condition_complete
from bot.i18n import locales, words
from bot.i18n.theme_words import condition_sentence
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputProblem
from cogs.table.options import theme_draft
from cogs.table.options.theme_draft import Draft
from cogs.table.options.theme_panel import EVERY_DEAL, OWN_DEAL
from tests.cogs.test_personal_settings import add_manager
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import Discord, Message, Person, controls, enabled_actions, text_of
from tests.support.discord_limits import broken_limits
from tests.support.discord_schema import load_api


async def open_themes(person: Person) -> Message:
    """Open the themes panel of the person's table, and return it."""
    return await person.choose(await person.run("table options"), "options_topic", "themes")


async def choose_from_library(person: Person, panel: Message, group: str, *names: str) -> Message:
    """Choose exactly these themes of a group in the library, and return the panel."""
    return await person.choose(await person.choose(panel, "themes_group", group), "themes_choose", *names)


async def compose_condition(person: Person, panel: Message, sort: str, **values: str) -> Message:
    """Add a condition with these values to a theme, and return the panel.

    Several values of a control are separated by blanks.
    """
    panel = await person.choose(panel, "themes_sort", sort)
    for control, value in values.items():
        panel = await person.choose(panel, f"theme_{control}", *value.split())
    return await person.click(panel, "theme_add")


async def test_themes_of_the_library_are_added_to_a_lobby_and_removed(discord: Discord) -> None:
    host, friend = discord.person(0), discord.person(1)
    await host.run("table new", theme="keep-aces")
    await friend.run("table join")
    panel = await open_themes(host)
    assert "**Keep your aces**: You may not discard aces" in text_of(panel)
    assert list(GROUPS) == [option["value"] for option in controls(panel)["themes_group"]["options"]]
    panel = await choose_from_library(host, panel, "pile", "hands-off")
    assert "Saved" in text_of(panel)
    panel = await choose_from_library(host, panel, "opening", "ace-start", "natural-start")
    assert ("keep-aces", "hands-off", "ace-start", "natural-start") == theme_names((await discord.snapshot()).terms)
    board = text_of(await discord.board())
    assert "Theme “Hands off”: You may not take the pile." in board
    assert "Themes: Keep your aces, Hands off, Ace start, Natural start (before: Keep your aces)" in board
    assert "Table 1 · Classic\n" in board
    panel = await choose_from_library(host, panel, "pile")
    panel = await choose_from_library(host, panel, "opening", "natural-start")
    assert ("keep-aces", "natural-start") == theme_names((await discord.snapshot()).terms)
    panel = await host.click(panel, "themes_reset")
    snapshot = await discord.snapshot()
    assert snapshot.base == snapshot.terms
    assert "themes_reset" not in enabled_actions(panel)


async def test_conflicting_themes_are_refused_in_a_lobby_too(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new", theme="lucky-sevens")
    panel = await choose_from_library(host, await open_themes(host), "melds", "taboo-sevens")
    assert "“Lucky sevens” and “Taboo: sevens” do not go together" in text_of(panel)
    assert ("lucky-sevens",) == theme_names((await discord.snapshot()).terms)


async def test_a_theme_is_composed_condition_by_condition_shown_and_played(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new", players=2, computers=1)
    panel = await host.choose(await open_themes(host), "themes_sort", "no_discard")
    assert "Now choose the ranks." in text_of(panel)
    assert "theme_add" not in enabled_actions(panel)
    panel = await host.choose(panel, "theme_ranks", "A", "K")
    panel = await host.choose(panel, "theme_end", "turn.3")
    text = "You may not discard these before every player's turn 3, unless you hold nothing else: kings, aces."
    assert f"It says: **{text}**" in text_of(panel)
    await discord.restart()
    panel = await host.click(panel, "theme_add")
    panel = await compose_condition(host, panel, "no_pile", end="canasta.natural")
    panel = await compose_condition(host, panel, "out_with", number="2", canasta="mixed")
    assert f"**This table's own**: {text} You may not take the pile until the side has a natural canasta." in text_of(
        panel
    )
    await host.run("table start")
    assert text in text_of(await host.run("rules show"))
    snapshot = await discord.snapshot()
    assert (OWN,) == theme_names(snapshot.terms)
    assert text in text_of(await discord.board())
    refused = False
    while snapshot.view is not None and snapshot.view.phase not in (Phase.BETWEEN, Phase.OVER):
        if not refused and snapshot.view.phase is Phase.DRAW:
            answer = text_of(await host.run("take"))
            assert (
                "Theme “This table's own”: you may not take the pile until your side has the canasta for it." in answer
            )
            refused = True
        await play_by_command(host, next_move(await discord.game_state()))
        snapshot = await discord.snapshot()
    assert refused


def chosen_deals(panel: Message) -> list[str]:
    """Return the deals that are selected in the menu for a condition."""
    return [option["value"] for option in controls(panel)["theme_deals"]["options"] if option.get("default")]


async def test_the_menu_of_deals_shows_what_is_chosen(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new")
    panel = await host.choose(await open_themes(host), "themes_sort", "no_meld")
    assert [EVERY_DEAL] == chosen_deals(panel)
    panel = await host.choose(panel, "theme_deals", OWN_DEAL)
    assert [OWN_DEAL] == chosen_deals(panel)


async def test_conditions_alternate_from_deal_to_deal_and_are_removed_one_by_one(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new")
    panel = await open_themes(host)
    panel = await compose_condition(host, panel, "open_with", ranks="A", deals="own")
    panel = await compose_condition(host, panel, "no_meld", ranks="7", deals="own")
    panel = await compose_condition(host, panel, "wilds_off")
    terms = (await discord.snapshot()).terms
    assert (OWN, OWN_BY_DEAL) == theme_names(terms)
    assert ((Condition("open_with", ("A",)),), (Condition("no_meld", ("7",)),)) == terms.theme[1].turns
    text = text_of(panel)
    assert (
        "Deal 1: A side's first melds must include one of these: aces. Deal 2: You may not meld these: sevens." in text
    )
    assert "- **This table's own**: You may not meld these: twos, jokers." in text
    offered = [option["value"] for option in controls(panel)["themes_drop"]["options"]]
    assert 3 == len(offered)
    for argument in offered:
        panel = await host.choose(panel, "themes_drop", argument)
    assert () == (await discord.snapshot()).terms.theme
    assert "These rules have no theme." in text_of(panel)


async def test_each_seat_may_have_its_own_rank(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new")
    panel = await host.choose(await open_themes(host), "themes_sort", "open_with")
    assert "I do not understand “X”" in text_of(await host.fill_form(panel, "theme_seats", "K X"))
    panel = await host.fill_form(panel, "theme_seats", "k Q, 10 9")
    assert "seat 1 kings, seat 2 queens, seat 3 tens, seat 4 nines" in text_of(panel)
    await host.click(panel, "theme_add")
    ((_, (turn,)),) = [(theme.name, theme.turns) for theme in (await discord.snapshot()).terms.theme]
    assert (Condition("open_with", ("K", "Q", "T", "9"), by_seat=True),) == turn


@pytest.mark.parametrize(
    ("conditions", "text"),
    [
        ([("open_with", "A"), ("open_without", "A")], "“This table's own” asks for something that it also forbids"),
        ([("no_meld", "4 5 6 7 8 9 T J Q")], "too few ranks for a side's first melds"),
        ([("no_canasta", "4 5 6 7 8 9 T J Q K A")], "would leave no canasta, and going out needs one"),
        ([("no_discard", "4 5 6 7 8 9 T J Q K A 3 2 JK")], "would forbid every discard"),
        ([("canasta_first", "run")], "asks for a canasta that these rules do not have"),
        (
            [("open_with", "4"), ("open_with", "5"), ("open_with", "6"), ("open_with", "7")],
            "the first melds would need 12 cards, and a hand has 11",
        ),
    ],
)
async def test_senseless_theme_conditions_are_refused_with_the_reason(
    discord: Discord, conditions: list[tuple[What, str]], text: str
) -> None:
    host = discord.person(0)
    await host.run("table new")
    panel = await open_themes(host)
    for sort, ranks in conditions[:-1]:
        panel = await compose_condition(host, panel, sort, ranks=ranks)
    before = await discord.snapshot()
    sort, ranks = conditions[-1]
    panel = await compose_condition(host, panel, sort, ranks=ranks)
    assert text in text_of(panel)
    assert before == await discord.snapshot()
    assert "theme_add" in controls(panel)


async def test_seated_guests_see_changed_conditions(discord: Discord) -> None:
    host, friend = discord.person(0), discord.person(1)
    await host.run("table new")
    panel = await compose_condition(host, await open_themes(host), "freeze_once")
    await friend.run("table join")
    await compose_condition(host, panel, "no_pile", end="opened")
    board = text_of(await discord.board())
    assert (
        "Discards can freeze the pile only once a deal. You may not take the pile until the side has opened." in board
    )
    assert "Changed since others sat down:**\n- The conditions of this table's own theme have changed" in board


async def test_the_number_of_own_conditions_is_limited(discord: Discord) -> None:
    host = discord.person(0)
    await host.run("table new")
    panel = await open_themes(host)
    for number in range(12):
        panel = await compose_condition(host, panel, "open_with", ranks="45678"[number % 5], deals="own")
    panel = await compose_condition(host, panel, "freeze_once")
    assert "That would be 13 conditions of this table's own; the most is 12" in text_of(panel)


async def test_only_the_host_chooses_themes_and_only_in_a_lobby(discord: Discord) -> None:
    host, friend = discord.person(0), discord.person(1)
    await host.run("table new", players=2)
    await friend.run("table join")
    panel = await host.choose(await open_themes(host), "themes_sort", "freeze_once")
    await host.run("table leave")
    assert f"Only <@{friend.id}>" in text_of(await host.click(panel, "theme_add"))
    panel = await friend.choose(await open_themes(friend), "themes_sort", "freeze_once")
    await friend.run("table start", fill=True)
    assert "has already started" in text_of(await friend.click(panel, "theme_add"))
    assert () == (await discord.snapshot()).terms.theme


async def test_a_server_saves_themes_with_its_rules(discord: Discord) -> None:
    manager, host = add_manager(discord), discord.person(0)
    await host.run("table new")
    panel = await choose_from_library(host, await open_themes(host), "pile", "earn-the-pile")
    await compose_condition(host, panel, "wins_with", ranks="A", canasta="natural")
    terms = (await discord.snapshot()).terms
    await manager.run("rules save", name="League", table="1")
    await discord.restart()
    await host.run("table new", rules="League")
    snapshot = await discord.snapshot(2)
    assert ("earn-the-pile", OWN) == theme_names(snapshot.terms)
    assert snapshot.base == snapshot.terms == terms
    text = text_of(await host.run("rules show", rules="League"))
    assert "A natural canasta wins the game at once (aces)." in text


async def test_requests_of_the_panels_are_valid_by_discords_schema(discord: Discord) -> None:
    schema = load_api()
    host = discord.person(0)
    await host.run("table new")
    panel = await open_themes(host)
    for group in GROUPS:
        panel = await host.choose(panel, "themes_group", group)
        assert [] == broken_limits([one if isinstance(one, dict) else one.to_dict() for one in panel.components])
    for sort in theme_draft.SORTS:
        shown = await host.choose(panel, "themes_sort", sort)
        assert [] == broken_limits([one if isinstance(one, dict) else one.to_dict() for one in shown.components])
        panel = await host.click(shown, "themes")
    requests = [one for one in discord.environment.http_requests if one.method != "GET"]
    assert set() == {fault for one in requests for fault in schema.faults(one.method, one.path, one.json)}


# --- drafts -----------------------------------------------------------------------------------------------------------


def test_a_theme_draft_is_read_back_from_its_control() -> None:
    for what, choices in CHOICES.items():
        for until in UNTILS:
            for canasta in CANASTAS:
                for by_seat in (False, True):
                    one = Condition(what, choices.ranks, canasta, 8, until, by_seat)
                    draft = Draft(one, by_deal=by_seat)
                    control = ControlId(10**12, 10**12, "theme_canasta", draft.argument)
                    assert draft == theme_draft.read_draft(draft.argument)
                    assert str(control).endswith(draft.argument)
    for argument in ("", "nothing.A.any.0.never.", "nomeld.Z.any.0.never.", "nomeld.A.any.x.never.", "a.b"):
        with pytest.raises(InputProblem):
            theme_draft.read_draft(argument)
    with pytest.raises(InputProblem):
        theme_draft.new_draft("nothing")


def test_each_offered_end_of_a_condition_makes_it_complete_and_can_be_removed() -> None:
    for what, choices in CHOICES.items():
        draft = theme_draft.draft_with_ranks(theme_draft.new_draft(what), choices.ranks[:1])
        assert is_condition_complete(draft.condition)
        for end in theme_draft.possible_ends(what):
            ended = theme_draft.draft_with_end(draft, end)
            assert end == theme_draft.end_value(ended.condition)
            assert is_condition_complete(ended.condition)
            assert draft == theme_draft.draft_with_end(ended, "never")


@pytest.mark.parametrize("locale", locales())
def test_every_condition_of_the_library_makes_a_sentence(locale: str) -> None:
    said = words(locale)
    for theme in THEMES.values():
        for one in [one for turn in theme.turns for one in turn]:
            text = condition_sentence(said, one)
            assert text.endswith(".")
            assert "{" not in text
    assert set(RANKS) == {rank for choices in CHOICES.values() for rank in choices.ranks}
