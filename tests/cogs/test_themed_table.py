"""A table with themes through the whole bot: themes typed, shown, named in refusals, played out."""

from __future__ import annotations

from bot.engine.moves.phases import Phase
from bot.engine.rules.themes.named_themes import THEMES, theme_names
from bot.i18n import words
from bot.i18n.theme_words import own_ranks_text
from cogs.shared.serving.option_choices import parse_themes, theme_choices
from tests.support.computer_choices import next_move, play_by_command
from tests.support.discord import Discord, text_of

ENGLISH, ITALIAN = words("en"), words("it")


async def test_a_themed_deal_is_played_and_what_its_theme_forbids_is_refused(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", theme="hands-off, Round the world", players=2, computers=1)
    lobby = text_of(await discord.board())
    assert "Theme “Hands off”: You may not take the pile." in lobby
    await you.run("table start")
    snapshot = await discord.snapshot()
    assert ("hands-off", "round-the-world") == theme_names(snapshot.terms)
    refused = False
    while snapshot.view is not None and snapshot.view.phase not in (Phase.BETWEEN, Phase.OVER):
        if not refused and snapshot.view.phase is Phase.DRAW:
            before = snapshot.version
            answer = await you.run("take")
            assert "Theme “Hands off”: you may not take the pile in this deal." in text_of(answer)
            assert before == (await discord.snapshot()).version
            refused = True
        await play_by_command(you, next_move(await discord.game_state()))
        following = await discord.snapshot()
        assert following.version > snapshot.version
        snapshot = following
    assert refused
    assert snapshot.view is not None
    (result,) = snapshot.view.results
    assert [total.score for total in snapshot.view.totals] == [lines.total for lines in result.lines]


async def test_the_board_and_the_rules_show_the_themes_first(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", theme="round-the-world", players=2, computers=1)
    await you.run("table start")
    assert "Theme “Round the world”, in this deal: the first melds include one of these: fours." in text_of(
        await discord.board()
    )
    assert "Theme “Round the world”, in this deal: the first melds include one of these: fours." in text_of(
        await you.run("hand")
    )
    texts = text_of(await you.run("rules show")).split("\n")
    assert "**Themes of this table:**" == texts[0]
    assert "  In this deal: the first melds include one of these: fours." == texts[2]


async def test_a_panel_shows_its_seats_own_rank(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", theme="own-taboo, kings-first", players=2, computers=1)
    await you.run("table start")
    panel = text_of(await you.run("hand"))
    assert "Theme “Kings first”: Your side's first canasta must be one of kings." in panel
    assert "Theme “A taboo of your own”: Each seat has a rank that it may not meld" in panel
    assert "Your own of that theme: kings." in panel
    assert "Per te, in questo tema: donne." == ITALIAN(
        "panel.theme_own", ranks=own_ranks_text(ITALIAN, [THEMES["own-taboo"]], 1, 1)
    )


async def test_unknown_and_conflicting_themes_are_refused_with_a_reason(discord: Discord) -> None:
    you = discord.person(0)
    answer = await you.run("table new", theme="hands-on")
    assert r"I do not know the theme “hands\-on”" in text_of(answer)
    answer = await you.run("table new", theme="ace-start, aces-later")
    assert "“Ace start” and “Aces later” do not go together" in text_of(answer)


async def test_autocompletion_suggests_themes_one_after_another(discord: Discord) -> None:
    you = discord.person(0)
    assert "taboo-sevens" in await you.suggestions("table new", "theme", "sevens")
    assert ["hands-off, ace-start"] == await you.suggestions("table new", "theme", "Hands off, ace start")


def test_a_theme_is_found_by_name_or_by_title_in_the_typists_language() -> None:
    for said in (ENGLISH, ITALIAN):
        for name in THEMES:
            assert (name,) == parse_themes(said, name)
            assert (name,) == parse_themes(said, said(f"theme.{name}.title"))
    assert () == parse_themes(ENGLISH, None)
    assert 25 == len(theme_choices(ENGLISH, ""))
    assert all(len(one.name) <= 100 and len(one.value) <= 100 for one in theme_choices(ITALIAN, "ace-start, "))
