"""Text-only mode: the whole game in words, with nothing left out and all controls."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter

import pytest

from bot.engine.cards.cards import full_pack
from bot.engine.cards.meld_places import RUN
from bot.engine.moves.actions import LayRun, Take
from bot.engine.moves.phases import Phase
from bot.engine.play.building_views import seat_view
from bot.engine.table.state import seat_to_act
from bot.engine.table.views import SeatView
from bot.i18n import locales, words
from bot.profiles.preferences import Preferences
from bot.tables.state.snapshots import SeatSnapshot, Status
from cogs.shared.showing.board import board_page
from cogs.shared.showing.pages import hand_in_words
from cogs.shared.showing.picture_inputs import order_hand
from cogs.shared.telling import names, text_only
from cogs.shared.telling.names import picture_words
from tests.support.computer_choices import next_move, play_by_panel
from tests.support.discord import Discord, Message, controls, enabled_actions, picture_captions, text_of
from tests.support.discord_limits import broken_limits
from tests.support.engine_games import played_positions, seat_snapshot, table_snapshot
from tests.support.panel_pages import panel_page
from tests.support.text_reading_player import read_panel, take_next_step

WORDS = words()
TEXT = Preferences(pictures="text")
LONG_NAMES = ("*" * 32, "<@1>" * 8, "W" * 32, "@everyone" + "_" * 20)


def check_text_is_complete(view: SeatView, text: str) -> None:
    """Fail if the text leaves out something that is in the view."""
    table = view.table
    assert f"**Stock** {table.stock}." in text
    if table.pile.top is not None:
        assert re.search(rf"\*\*Discard pile\*\* {table.pile.cards} cards?, top {card_name(table.pile.top)}\.", text)
    assert table.pile.frozen == ("The pile is frozen" in text)
    if table.pile.freezer is not None:
        assert f"The pile is frozen by the {card_name(table.pile.freezer)}." in text
    for side in table.sides:
        own = " (your side)" if side is view.side else ""
        line = next(line for line in text.split("\n") if f"**{own}: {side.score} points" in line)
        assert f"this deal so far {side.on_table}." in line
        assert side.opened == ("Needs" not in line)
        for meld in side.melds:
            plural = WORDS.kind_name("456789TJQKA3"[meld.kind], meld.naturals)
            spelled = {"ace": "A"}.get(plural, plural)
            assert f"{meld.naturals} " in line
            assert spelled.rstrip("s")[-3:] in line
        assert line.count(" canasta of ") == sum(meld.canasta is not None for meld in side.melds)
        assert line.count(";") + 1 == max(1, len(side.melds))
        assert len(side.red_threes) == line.count("3 of ")
    assert f"**Deal {table.deal}**" in text
    held = re.search(r"\*\*Cards held\*\*: (.*)\.", text)
    assert held is not None
    assert [info.cards for info in table.seats] == [int(one.rpartition(" ")[2]) for one in held[1].split(", ")]


def card_name(card: int) -> str:
    return picture_words(WORDS).spoken_card_name(card)


@pytest.mark.parametrize("seed", range(6))
async def test_the_text_leaves_out_nothing_that_a_seat_may_see(seed: int) -> None:
    level = ("random", "casual")[seed % 2]
    for number, state in enumerate(played_positions(seed, players=2 if seed % 3 == 0 else 4, level=level, deals=2)):
        if number % 5 or state.phase in (Phase.BETWEEN, Phase.OVER):
            continue
        for seat in range(state.rules.players):
            snapshot = seat_snapshot(state, seat)
            assert snapshot.view is not None
            text = hand_in_words(WORDS, snapshot, snapshot.view, TEXT)
            check_text_is_complete(snapshot.view, text)
            hand = re.search(r"^\*\*Your hand\*\*.*$", text, re.MULTILINE)
            assert (hand is not None) == bool(snapshot.view.hand)


@pytest.mark.parametrize("copies", [1, 2, 3])
async def test_the_largest_hand_fits_into_one_message(copies: int) -> None:
    played = [state for state in played_positions(5, level="casual", deals=8) if seat_to_act(state) is not None]
    state = max(played, key=lambda state: sum(len(melds) for melds in state.melds))
    seat = seat_to_act(state) or 0
    view = seat_view(state, seat)
    hand = tuple(sorted(full_pack(2, 2)))[: 36 * copies]
    full = dataclasses.replace(view, hand=hand, fresh=hand)
    snapshot = SeatSnapshot(table_snapshot(state, names=LONG_NAMES), seat, full)
    text = hand_in_words(WORDS, snapshot, full, TEXT, used_length=300)
    assert f"{len(hand)} cards" in text
    page = panel_page(WORDS, snapshot, note="x" * 300, description=text)
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    assert not text.endswith("…")


def test_a_hand_by_rank_names_every_suit() -> None:
    state = next(played_positions(4))
    view = seat_view(state, 0)
    text = text_only.hand_by_rank(WORDS, view, order_hand(view, TEXT))
    assert len(view.hand) == sum(int(count) for count in re.findall(r"×(\d+)", text)) + sum(
        card >> 2 == 13 for card in view.hand
    )


@pytest.mark.parametrize("locale", locales())
async def test_every_language_describes_a_hand_within_one_message(locale: str) -> None:
    catalogue = words(locale)
    for number, state in enumerate(played_positions(11, level="casual", deals=3)):
        if number % 9 == 0:
            snapshot = seat_snapshot(state, number % 4, names=LONG_NAMES)
            assert snapshot.view is not None
            text = hand_in_words(catalogue, snapshot, snapshot.view, TEXT)
            page = panel_page(catalogue, snapshot, note="x" * 300, description=text)
            assert [] == broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]
            assert [] == broken_limits(board_page(catalogue, snapshot.table, description=text).view.to_components())  # type: ignore[no-untyped-call]


async def test_each_player_reads_in_their_own_language(discord: Discord) -> None:
    """The hand is in its holder's language, the board in the server's."""
    guest = discord.person(0)
    await guest.run("me settings", language="it")
    assert "Le tue impostazioni" in text_of(await guest.run("me settings", **{"text-only": True}))
    await guest.run("table new", computers=3)
    panel = await guest.run("table start")
    assert "**Le tue carte**" in text_of(panel)
    assert re.search(r" di (picche|cuori|quadri|fiori)", text_of(panel))
    assert "**My hand**" not in text_of(panel)
    await guest.run("me settings", **{"text-only": False})
    (caption,) = picture_captions(await guest.run("hand"))
    assert "Le tue carte, " in caption
    assert "Deal 1" in text_of(await discord.board())


def test_after_a_deal_neither_dealer_nor_current_points_are_mentioned() -> None:
    state = next(state for state in played_positions(5) if state.phase is Phase.BETWEEN)
    snapshot = table_snapshot(state)
    assert snapshot.view is not None
    text = text_only.describe_table(WORDS, snapshot, snapshot.view)
    assert "this deal so far" not in text
    assert "dealt by" not in text
    assert f"**Deal {state.deal}** is over." in text


def test_signs_of_cards_are_spelled_out_in_text_only_mode() -> None:
    text = text_only.spell_cards(WORDS, "You drew 10♥ K♠, 7♦. Joker; A♣ and X10♥")
    assert "You drew 10 of hearts king of spades, 7 of diamonds. joker; ace of clubs and X10♥" == text


async def test_a_whole_game_is_played_in_text_only_mode(discord: Discord) -> None:
    you = discord.person(0)
    assert not (await you.run("me settings", **{"text-only": True})).attachments
    await you.run("table new", computers=3, target=500)
    panel = await you.run("table start")
    read_panels = 0
    while (snapshot := await discord.snapshot()).status is Status.PLAYING:
        assert snapshot.view is not None
        assert not panel.attachments
        if snapshot.view.phase is Phase.BETWEEN:
            assert "Deal" in text_of(panel)
            panel = await you.run("next")
            continue
        panel = await you.run("hand")
        assert not panel.attachments
        reading, state = read_panel(panel), await discord.game_state()
        view = seat_view(state, snapshot.seat_of(you.id) or 0)
        new = (Counter(view.fresh) & Counter(view.hand)).elements()
        assert (tuple(sorted(view.hand)), tuple(sorted(new))) == (reading.hand, reading.fresh)
        assert view.hand_points == reading.points
        check_text_is_complete(view, reading.text)
        assert not set("♠♥♦♣") & set(text_of(panel))
        panel = await take_next_step(you, panel)
        read_panels += 1
        assert (await discord.snapshot()).version > snapshot.version, text_of(panel)
    assert read_panels > 10
    assert "won with" in text_of(await discord.board())
    for command in ("score", "hand"):
        private = await you.run(command, table="1")
        assert not private.attachments
        assert str(snapshot.view.sides[0].score if snapshot.view else 0) in text_of(private)
    assert not [message for message in you.visible_messages() if message.flags.ephemeral and message.attachments]


async def test_text_only_and_pictures_work_at_one_table(discord: Discord) -> None:
    reader, seer = discord.person(0), discord.person(1)
    await reader.run("me settings", **{"text-only": True})
    await reader.run("table new", players=2)
    await seer.run("table join")
    await reader.run("table start")
    for _ in range(12):
        snapshot = await discord.snapshot()
        if snapshot.actor is None:
            break
        mover = reader if snapshot.actor.person == reader.id else seer
        panel = await mover.click(await discord.board(), "hand")
        seen: Message = await play_by_panel(mover, panel, next_move(await discord.game_state()))
        assert bool(seen.attachments) == bool(panel.attachments) == (mover is seer)
        assert (await discord.board()).attachments
    shown = await reader.run("table show", table="1")
    assert shown is not None


async def test_text_only_panels_have_the_same_controls(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", computers=1, players=2)
    await you.run("table start")
    with_pictures = await you.run("hand")
    await you.run("me settings", **{"text-only": True})
    in_words = await you.run("hand")
    assert with_pictures.attachments
    assert not in_words.attachments
    assert list(controls(with_pictures)) == list(controls(in_words))
    assert enabled_actions(with_pictures) == enabled_actions(in_words)
    await you.run("me settings", **{"text-only": False})
    assert (await you.run("hand")).attachments


async def test_a_spectator_with_text_only_gets_the_table_in_words(discord: Discord) -> None:
    you, watcher = discord.person(0), discord.person(2)
    await you.run("table new", computers=3)
    await you.run("table start")
    await watcher.run("me settings", **{"text-only": True})
    shown = await watcher.run("table show", table="1")
    assert not shown.attachments
    snapshot = await discord.snapshot()
    assert snapshot.view is not None
    assert all(names.side_name(WORDS, snapshot, side) in text_of(shown) for side in range(2))
    assert "**Stock**" in text_of(shown)
    assert "**Cards held**" in text_of(shown)


@pytest.mark.parametrize("locale", locales())
def test_possible_moves_with_runs_and_several_melds_are_described(locale: str) -> None:
    """Every run, shorter ones within longer ones too, and every way to take the pile is listed."""
    catalogue, told_runs, told_takes = words(locale), 0, 0
    for state in played_positions(5, name="samba"):
        snapshot = seat_snapshot(state, state.turn)
        assert snapshot.view is not None
        text = text_only.allowed_actions_text(catalogue, snapshot.view)
        suits = picture_words(catalogue).suits
        for step in snapshot.view.legal:
            if isinstance(step, LayRun):
                told_runs += 1
                assert suits[step.place - RUN & 3] in text
            elif isinstance(step, Take):
                told_takes += 1
                assert " ".join(catalogue("spoken.may_take", cards="").split()[:3]) in text
    assert told_runs > 10
    assert told_takes


def test_threes_of_both_colours_are_called_threes() -> None:
    state = next(
        state for state in played_positions(5, name="modern-american") if any(map(has_black_three, state.red_threes))
    )
    snapshot = seat_snapshot(state, state.turn)
    assert snapshot.view is not None
    assert re.search(r" Threes: [^.]*3 of (spades|clubs)", hand_in_words(WORDS, snapshot, snapshot.view, TEXT))


def has_black_three(threes: tuple[int, ...]) -> bool:
    return any(card & 3 in (0, 3) for card in threes)
