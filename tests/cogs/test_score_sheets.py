"""The score sheet of a deal: names of that time, the score in words, the check of the shuffle."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import pytest

from bot.__main__ import main
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.events import DealEnd
from bot.engine.moves.phases import Phase
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State, seat_to_act
from bot.i18n import locales, words
from bot.profiles.preferences import Preferences
from bot.tables.state.clocks import Conclusion
from bot.tables.state.folding.recent_events import leftovers_of
from bot.tables.state.snapshots import DealLeftovers, HandLeft, SeatHolder, SeatTenure, Shuffle, Status, TableSnapshot
from cogs.shared.discord_api.components import TEXT_STYLE, Page
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.serving import score_answers
from cogs.shared.showing import board as fair
from cogs.shared.showing import finished_games as deal_sheets
from cogs.shared.showing.pages import Pages
from cogs.shared.showing.picture_inputs import board_input, score_input
from cogs.shared.telling import score_text, text_only
from render.drawing.fonts import FontRuler
from render.layout_items import Text
from render.layouts import layout_of
from render.picture_queue import PictureQueue
from tests.support.computer_choices import finish_deal_and_show
from tests.support.discord import Discord, Person, enabled_actions, picture_captions, text_of
from tests.support.discord_limits import all_components, broken_limits
from tests.support.engine_games import played_positions, table_snapshot

WORDS = words()
SEAL = "e79d2753d20e8806918a33ebef3b609ee3bd48a9e0e805e824028b8df29125dc"


def checkable_shuffles(opened: int) -> tuple[Shuffle, ...]:
    """Return that many deals whose shuffle can be checked, and the commitment for the next one."""
    past = [Shuffle(deal, f"{deal:064x}", ("111", "22"), f"{deal:064x}") for deal in range(1, opened + 1)]
    return (*past, Shuffle(opened + 1, SEAL))


def table_between_deals(deals: int = 2, **different: Any) -> TableSnapshot:
    """Return a table between deals that has stored these deals."""
    found: list[tuple[State, DealLeftovers]] = []
    for state in played_positions(3, level="casual", deals=deals):
        if seat_to_act(state) is None and state.results and len(state.results) > len(found):
            found.append((state, leftovers_of(state)))
    kept = {"left": tuple(left for _, left in found), "shuffle": checkable_shuffles(len(found))}
    return replace(table_snapshot(found[-1][0]), **{**kept, **different})


def page_text(page: Page) -> str:
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    texts = [one["content"] for one in all_components(components) if one["type"] == 10]
    return "\n".join(texts).replace(TEXT_STYLE, "")


def arguments_by_action(page: Page) -> dict[str, str]:
    """Return the arguments of a page's controls by action."""
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    ids = [one["custom_id"].split(":") for one in all_components(components) if "custom_id" in one]
    return {parts[3]: parts[4] for parts in ids}


@pytest.mark.parametrize(("length", "text"), [(None, "The game is to 5,000 points."), (1, "The game is one deal.")])
async def test_a_game_of_one_deal_names_no_target(discord: Discord, length: int | None, text: str) -> None:
    you = discord.person(0)
    await you.run("table new", **({} if length is None else {"length": length}))
    await you.run("table start", fill=True)
    snapshot = await discord.snapshot()
    view = snapshot.view
    assert view is not None
    assert length == board_input(WORDS, snapshot, view).view.rules.rounds
    assert text in score_text.game_score_text(WORDS, snapshot, view)


async def test_a_score_sheet_shows_the_deals_end_held_cards_and_the_next_fingerprint() -> None:
    snapshot, pictures = table_between_deals(), PictureQueue()
    try:
        page = await Pages(pictures).sheet(WORDS, snapshot, 1, serial=7)
    finally:
        pictures.close()
    assert snapshot.view is not None
    sheet = snapshot.sheet(1)
    assert sheet is not None
    assert sheet.left is not None
    lines = page_text(page).split("\n")
    assert lines[0].startswith("### Deal 1 · ")
    assert lines[1].startswith("-# Left in hand: ")
    for held in sheet.left.held:
        name = snapshot.seats[held.seat].name
        assert f"{name}: " in lines[1]
        assert f"(−{-held.points:,})" in lines[1]
    assert ["-# Deal 1 can now be checked.", f"-# Fingerprint of deal 2: `{snapshot.shuffle[1].commitment}`"] == lines[
        2:
    ]
    (picture,) = page.pictures
    assert picture.told.startswith("Deal 1, ")
    assert {"fair": "1", "sheet_text": "1"} == arguments_by_action(page)


async def test_a_sheet_without_a_picture_tells_its_score_in_words() -> None:
    snapshot, pictures = table_between_deals(), PictureQueue()
    try:
        page = await Pages(pictures).sheet(WORDS, snapshot, 2, preferences=Preferences(pictures="text"))
        with pytest.raises(InputProblem):
            await Pages(pictures).sheet(WORDS, snapshot, 3)
    finally:
        pictures.close()
    assert () == page.pictures
    assert "North & South: " in page_text(page)
    assert f"Fingerprint of deal 3: `{SEAL}`" in page_text(page)


def test_cards_left_in_hand_are_listed_in_picture_order() -> None:
    left = DealLeftovers(
        1, (HandLeft(1, parse_cards("2s 4s Kh As JK 3s Td 3h"), -145), HandLeft(3, parse_cards("5c"), -5))
    )
    snapshot = table_between_deals(left=(left,))
    sheet = snapshot.sheet(1)
    assert sheet is not None
    expected = "Left in hand: East: A K 10 4 3 3 JK 2 (−145) · West: 5 (−5)"
    assert [expected] == deal_sheets.cards_left_lines(WORDS, snapshot, sheet)
    feet = replace(snapshot, terms=rule_set("hand-and-foot", 4))
    assert [expected.replace("3 3", "3♠ 3♥")] == deal_sheets.cards_left_lines(WORDS, feet, sheet)
    assert [] == deal_sheets.cards_left_lines(WORDS, snapshot, replace(sheet, left=None))
    assert [] == deal_sheets.cards_left_lines(WORDS, snapshot, replace(sheet, left=DealLeftovers(1, ())))
    shown = replace(
        sheet, left=DealLeftovers(1, (HandLeft(1, parse_cards("5s 4h"), 0), HandLeft(3, (0,), 0)), (1, "pairs"))
    )
    assert ["East showed 5♠ 4♥", "Left in hand: West: 4 (0)"] == deal_sheets.cards_left_lines(WORDS, snapshot, shown)


def test_a_score_sheet_names_the_players_who_sat_there_in_its_deal() -> None:
    zoe = SeatHolder("person", 9, "Zoe")
    snapshot = table_between_deals(
        sat=(SeatTenure(0, 1, 0, zoe), SeatTenure(0, 2, 0, table_snapshot(next(played_positions(1))).seats[0]))
    )
    first, second = snapshot.sheets
    assert "Zoe & South: " in deal_sheets.sheet_in_words(WORDS, snapshot, first)
    assert "North" not in deal_sheets.sheet_in_words(WORDS, snapshot, first)
    assert "Zoe" not in deal_sheets.sheet_in_words(WORDS, snapshot, second).partition("\nDeal 1:")[0]
    assert snapshot.view is not None
    assert ("Zoe & South", "East & West") == score_input(WORDS, snapshot, snapshot.view, deal=1).side_names
    assert ("North & South", "East & West") == score_input(WORDS, snapshot, snapshot.view).side_names
    whole = score_text.game_score_text(WORDS, snapshot, snapshot.view)
    assert "Zoe & South" in whole
    assert "North & South: **" in whole


def test_the_last_sheet_of_a_game_that_ends_early_names_those_who_ended_it() -> None:
    zoe = SeatHolder("person", 9, "Zoe")
    snapshot = table_between_deals(
        sat=(SeatTenure(0, 2, 0, zoe), SeatTenure(0, 3, 0, table_snapshot(next(played_positions(1))).seats[0]))
    )
    agreed = replace(snapshot, status=Status.FINISHED, conclusion=Conclusion("agreed", 0, (10, 0)))
    assert snapshot.view is not None
    assert ("Zoe & South", "East & West") == score_input(WORDS, snapshot, snapshot.view).side_names
    last = score_input(WORDS, agreed, snapshot.view)
    assert ("North & South", "East & West") == last.side_names
    assert "North & South" in last.banner
    assert ("Zoe & South", "East & West") == score_input(WORDS, agreed, snapshot.view, deal=2).side_names


def test_every_way_to_end_a_deal_has_a_score_sheet_title() -> None:
    snapshot = table_between_deals()
    assert snapshot.view is not None
    (result, *_) = snapshot.view.results
    for locale in locales():
        titles = set()
        for reason in DealEnd:
            play_first_deal = replace(result, reason=reason, went_out=0 if reason is DealEnd.OUT else None)
            changed = replace(snapshot, view=replace(snapshot.view, results=(play_first_deal,)))
            (sheet,) = changed.sheets
            titles.add(deal_sheets.sheet_title(words(locale), changed, sheet))
        assert len(DealEnd) == len(titles)


def test_the_last_score_sheet_of_a_game_names_the_winner_and_no_fingerprint() -> None:
    snapshot = table_between_deals()
    assert snapshot.view is not None
    won = replace(snapshot, status=Status.FINISHED, view=replace(snapshot.view, winner=1, phase=Phase.OVER))
    assert score_input(WORDS, won, snapshot.view, deal=1).winner is None
    assert won.view is not None
    assert 1 == score_input(WORDS, won, won.view, deal=2).winner
    first, last = won.sheets
    assert "Fingerprint of deal" not in page_text(deal_sheets.score_sheet_page(WORDS, won, last))
    assert "Fingerprint of deal 2" in page_text(deal_sheets.score_sheet_page(WORDS, won, first))
    assert "**East & West won the game** with" in deal_sheets.sheet_in_words(WORDS, won, last)
    assert "won the game" not in deal_sheets.sheet_in_words(WORDS, won, first)


@pytest.mark.parametrize("deals", [1, 2])
async def test_the_tables_message_does_not_repeat_the_picture_of_the_last_score_sheet(deals: int) -> None:
    snapshot, pictures, pictured = table_between_deals(deals), PictureQueue(), deals > 1
    assert snapshot.view is not None
    play_first_deal = replace(snapshot, status=Status.FINISHED, view=replace(snapshot.view, winner=1, phase=Phase.OVER))
    try:
        between = await Pages(pictures).board(WORDS, snapshot)
        board = await Pages(pictures).board(WORDS, play_first_deal)
    finally:
        pictures.close()
    assert () == between.pictures
    assert pictured is bool(board.pictures)
    assert "East & West won" in page_text(board)
    assert pictured is ("North & South " not in page_text(board))


def test_a_sheet_in_words_is_complete_and_fits_into_a_message() -> None:
    snapshot = table_between_deals()
    sheet = snapshot.sheets[-1]
    text = text_only.spell_cards(WORDS, deal_sheets.sheet_in_words(WORDS, snapshot, sheet))
    assert text.startswith("### Deal 2 · ")
    assert "Left in hand: " in text
    assert "Deal 1: " in text
    assert snapshot.view is not None
    many = replace(snapshot.view, results=tuple(replace(sheet.result, deal=deal) for deal in range(1, 200)))
    names = tuple(SeatHolder("person", seat, "*" * 32) for seat in range(4))
    long = replace(snapshot, view=many, seats=names)
    text = deal_sheets.sheet_in_words(WORDS, long, long.sheets[-1])
    assert len(text) <= deal_sheets.ROOM
    assert "Deal 198: " in text


def test_fair_dealing_explains_itself_in_three_sentences() -> None:
    page = fair.fair_dealing_page(WORDS, table_between_deals(), "1")
    assert page_text(page).startswith("### Fair dealing\nBefore each deal the bot picks a secret number")
    assert 3 == page_text(page).count(". ") + 1
    assert {"fair_check": "1", "fair_how": "1"} == arguments_by_action(page)
    assert "docs/shuffle.md" in page_text(fair.shuffle_computation_page(WORDS, table_between_deals()))


def test_a_revealed_deal_is_shown_with_the_line_that_checks_it() -> None:
    snapshot = table_between_deals()
    text = page_text(fair.shuffle_check_page(WORDS, snapshot, 1))
    assert all(one in text for one in ("**Deal 1**", f"`{1:064x}`", "111,22"))
    assert "**Deal 2**" in page_text(fair.shuffle_check_page(WORDS, snapshot))
    line = next(line for line in text.split("\n") if line.startswith("canasta-bot verify"))
    expected = ["--table", "42", "--deal", "1", "--commitment", f"{1:064x}", "--seed", f"{1:064x}"]
    assert [*expected, "--contributions", "111,22"] == shlex.split(line)[2:]
    samba = replace(snapshot, terms=replace(snapshot.terms, decks=3))
    assert fair.shuffle_check_command(samba, snapshot.shuffle[0]).endswith(" --decks 3")
    typed = replace(snapshot.shuffle[0], contributions=("it's; me", "$x"))
    assert "it's; me,$x" == shlex.split(fair.shuffle_check_command(snapshot, typed))[-1]
    nobody = replace(snapshot.shuffle[0], contributions=())
    assert "No words went into the shuffle." in page_text(
        fair.shuffle_check_page(WORDS, replace(snapshot, shuffle=(nobody,)))
    )
    assert "can be checked yet" in page_text(
        fair.shuffle_check_page(WORDS, replace(snapshot, shuffle=(Shuffle(1, SEAL),)))
    )


@pytest.mark.parametrize("deals", [1, 25, 26, 60, 130])
def test_every_deal_can_be_chosen_on_the_page_that_checks_shuffles(deals: int) -> None:
    snapshot = replace(table_between_deals(), shuffle=checkable_shuffles(deals))
    page = fair.shuffle_check_page(WORDS, snapshot, 1)
    assert "**Deal 1**" in page_text(page)
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    menus = [one for one in all_components(components) if "options" in one]
    offered = [int(option["value"]) for menu in menus for option in menu["options"]]
    most = min(deals, 25 * fair.MOST_MENUS)
    assert (list(range(deals, deals - most, -1)) if deals > 1 else []) == offered
    assert len(menus) == len({menu["custom_id"] for menu in menus})


def test_finished_deals_are_offered_by_number_and_end() -> None:
    snapshot = table_between_deals()
    found = score_answers.deal_choices(WORDS, snapshot, "")
    assert [2, 1] == [deal for _, deal in found]
    assert found[1][0].startswith("Deal 1 · ")
    assert [1] == [deal for _, deal in score_answers.deal_choices(WORDS, snapshot, "deal 1")]


def test_no_name_of_three_letters_is_cut_on_a_sheet() -> None:
    for players in (2, 3, 4, 6):
        play_first_deal = [
            state for state in played_positions(2, players=players, level="casual") if seat_to_act(state) is None
        ]
        names = ("You", "Ben", "Zoë", "Eva", "Max", "Ida")[:players]
        snapshot = table_snapshot(play_first_deal[-1], names=names)
        assert snapshot.view is not None
        for locale in locales():
            layout = layout_of(score_input(words(locale), snapshot, snapshot.view), FontRuler())
            assert [] == [item for item in layout.items if isinstance(item, Text) and "…" in item.text]


# --- in Discord -------------------------------------------------------------------------------------------------------


@pytest.fixture
async def play_first_deal(discord: Discord) -> tuple[Person, Person]:
    """Play a deal of two people to its score, and return them."""
    first, second = discord.person(0), discord.person(1)
    await first.run("table new", players=2)
    await second.run("table join", table="1")
    await first.run("table start")
    await finish_deal_and_show(discord)
    return first, second


async def test_the_score_of_any_finished_deal_can_be_asked_for(play_first_deal: tuple[Person, Person]) -> None:
    first, second = play_first_deal
    assert ["1"] == [str(deal) for deal in await second.suggestions("score", "deal")]
    sheet = await second.run("score", deal=1)
    assert text_of(sheet).startswith("### Deal 1 · ")
    assert "Fingerprint of deal 2: `" in text_of(sheet)
    assert picture_captions(sheet)
    assert "has not been scored" in text_of(await second.run("score", deal=2))
    await first.run("next")
    assert text_of(sheet) == text_of(await second.run("score", deal=1))
    told = await second.click(sheet, "sheet_text")
    assert "Anna: " in text_of(told)
    assert "Left in hand: " in text_of(told)


async def test_a_stranger_learns_how_to_check_a_deal_and_it_holds(
    discord: Discord, play_first_deal: tuple[Person, Person], capsys: pytest.CaptureFixture[str]
) -> None:
    first, _ = play_first_deal
    await first.run("next")
    await finish_deal_and_show(discord)
    stranger = discord.person(3)
    about = await stranger.click(await stranger.run("score", deal=1), "fair")
    assert {"fair_check", "fair_how"} == enabled_actions(about)
    assert "secret number" in text_of(about)
    assert "HMAC" in text_of(await stranger.click(about, "fair_how"))
    check = await stranger.click(about, "fair_check")
    for deal in (1, 2):
        check = await stranger.choose(check, "fair_deal", str(deal))
        assert f"**Deal {deal}**" in text_of(check)
        line = next(line for line in text_of(check).splitlines() if line.startswith("canasta-bot verify"))
        assert 0 == main(shlex.split(line)[1:])
    await discord.restart()
    assert "**Deal 1**" in text_of(await stranger.choose(check, "fair_deal", "1"))
    capsys.readouterr()


async def test_a_text_only_sheet_is_complete(play_first_deal: tuple[Person, Person]) -> None:
    first, _ = play_first_deal
    await first.run("me settings", **{"text-only": True})
    sheet = await first.run("score", deal=1)
    assert [] == picture_captions(sheet)
    assert "cards in hand" in text_of(sheet)
    whole = await first.run("score")
    assert "cards in hand" in text_of(whole)
    assert "canasta-bot" not in text_of(whole)
