"""*Hint*: a plan, its reasons and a button, if the table allows hints; counted once a turn."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.computer.chosen_step import Choice
from bot.computer.hints import HintPlanner
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.computer.rollout.search import PLAIN, ExpertPlayer
from bot.engine.cards.cards import ACE, FOUR, NINE
from bot.engine.cards.notation import cards_text
from bot.engine.moves.actions import Discard, Step, meld_step
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.sets import rule_set
from bot.engine.table.views import SeatView
from bot.i18n import words
from bot.tables.advice.turn_plans import TurnWithoutHiddenCards
from bot.tables.state.clocks import ReplayFrom
from bot.tables.state.snapshots import Caller, HintCount, Status
from cogs.shared.reading.meld_draft import melds_to_lay, read_draft
from cogs.shared.reading.typed_steps import parse_step
from cogs.shared.showing.panels.hint_page import hint_display
from cogs.shared.showing.panels.review_page import has_review
from tests.support.computer_choices import MIDDLE, skip_to_last_turns
from tests.support.discord import (
    Discord,
    Message,
    Person,
    control_arguments,
    controls,
    discord_world,
    enabled_actions,
    picture_captions,
    press_stale_control,
    text_of,
)
from tests.support.engine_games import seat_snapshot
from tests.support.seeds import SEARCHING
from tests.support.stacked_dealer import numbered_seeds
from tests.support.stacked_packs import stack_pack

WORDS = words()
OPENING = "Ks Kh Kd 4s 4h 4d 7s 7h 7d 9c Qs"
"""A hand that opens with 60 points."""


@pytest.fixture
async def discord_with_hints(tmp_path: Path) -> AsyncIterator[Discord]:
    """Yield a Discord whose hints use a fifth of an expert's rollouts, in a search all of them."""
    async with discord_world(tmp_path, adviser=None if SEARCHING else ExpertPlayer(PLAIN // 5)) as world:
        yield world


async def open_table(discord: Discord, hand: str = OPENING, **options: object) -> tuple[Person, Message]:
    """Start a game with computer players in which Anna has drawn a queen to that hand.

    Return her and her panel.
    """
    discord.dealer.pack = stack_pack(rule_set("classic", 4), {0: hand, 1: "", 2: "", 3: ""}, "Qd", dealer=3)
    you = discord.person(0)
    await you.run("table new", **options)
    await you.run("table start", fill=True)
    return you, await you.click(await discord.board(), "draw")


async def test_a_hint_tells_a_plan_with_its_reason_and_makes_its_first_move(discord: Discord) -> None:
    you, panel = await open_table(discord)
    assert ["hint", "more"] == list(controls(panel))[-2:]
    before = await discord.game_state()
    hint = await you.click(panel, "hint")
    text = text_of(hint)
    assert "**Lay " in text
    planned = re.search(r"\*\*Lay (.+) = (\d+) of 50, then discard", text)
    assert planned is not None
    melds, points = planned.groups()
    assert int(points) >= 50
    assert f"*Why*: The first melds count {points}" in text
    assert "*Looked at too*: discard" in text
    assert {"lay", "refresh"} == enabled_actions(hint)
    assert before == await discord.game_state()
    back = await you.click(hint, "refresh")
    assert "hint" in controls(back)
    done = await you.click(await you.click(back, "hint"), "lay")
    assert len(melds.split(" · ")) == len((await discord.game_state()).melds[0])
    assert 1 == text_of(await you.click(done, "hint")).count("*Why*")


async def test_a_hint_is_counted_once_a_turn_and_makes_no_button_stale(discord_with_hints: Discord) -> None:
    you, panel = await open_table(discord_with_hints, length=1)
    before = (await discord_with_hints.snapshot()).version
    old = controls(panel)["discard"]["custom_id"].rsplit(":", 1)[0] + ":9"
    for _ in range(3):
        panel = await you.click(await you.click(panel, "hint"), "refresh")
    snapshot = await discord_with_hints.snapshot()
    assert (HintCount(1, 0, 1, 0),) == snapshot.hints
    assert snapshot.version > before
    done = await press_stale_control(discord_with_hints, you, panel, old)
    assert "You discarded" in text_of(done)
    assert "hint" not in Counter(controls(await discord_with_hints.board()))


@pytest.mark.parametrize(("rule", "allowed"), [("alone", True), ("on", True), ("off", False)])
async def test_the_host_chooses_whether_there_are_hints(
    discord_with_hints: Discord, rule: str, *, allowed: bool
) -> None:
    you = discord_with_hints.person(0)
    await you.run("table new")
    setup = await you.click(await discord_with_hints.board(), "setup")
    await you.choose(await you.click(setup, "table_settings"), "table_hints", rule)
    assert WORDS(f"hint_lobby.{rule}") in text_of(await discord_with_hints.board())
    await you.run("table start", fill=True)
    panel = await you.click(await discord_with_hints.board(), "draw")
    assert allowed == ("hint" in controls(panel))
    asked = await press_stale_control(discord_with_hints, you, panel, "cn:1:0:hint:")
    assert allowed == ("*Why*" in text_of(asked))
    assert allowed == ("This table gives no hints." not in text_of(asked))


async def test_two_people_and_rated_tables_have_no_hints(discord: Discord) -> None:
    you, other = discord.person(0), discord.person(1)
    await you.run("table new", rated=True)
    assert WORDS("hint_lobby.off") in text_of(await discord.board())
    await you.run("table new")
    await other.click(await discord.board(2), "sit")
    for table in (1, 2):
        await you.run("table start", table=str(table), fill=True)
        snapshot = await discord.snapshot(table)
        assert not snapshot.has_hints


async def test_a_hint_that_takes_too_long_is_not_counted(discord: Discord) -> None:
    you, panel = await open_table(discord)
    tables = discord.application.tables
    slow = HintPlanner(tables, player=SlowPlayer(), limit=0.05)
    context = discord.application.client.context
    discord.application.client.context = replace(context, services=replace(context.services, hints=slow))
    hint = await slow.plan_hint(Caller(you.id, "Anna", guild=discord.world.server.id, request=1), 1)
    slow.stop()
    assert () == hint.plan
    assert () == (await discord.snapshot()).hints
    assert "hint" in controls(panel)


@pytest.mark.parametrize(("rules", "label"), [("classic", "Lay 9 9 9 · A → aces"), ("samba", "Lay 9 9 9")])
def test_the_button_of_a_hint_does_what_its_label_says(rules: str, label: str) -> None:
    """With several melds of a rank, a draft cannot say that cards join one, so the button lays the first meld only."""
    state = read_position(
        {
            "rules": rules,
            "position": {"phase": "play", "hands": {"0": "9s 9h 9d Ah Kc 4d"}, "melds": {"0": ["As Ad Ac"]}},
        }
    )
    look = seat_snapshot(state, 0)
    steps: Iterator[Step] = iter([meld_step(NINE, 3), meld_step(ACE, 1), Discard(FOUR)])
    plan = TurnWithoutHiddenCards(0, state).plan(lambda _view, _events: Choice(next(steps)))
    hint = hint_display(WORDS, look, plan)
    action, argument = hint.control
    assert label == hint.label
    view = look.view
    assert view is not None
    if action == "lay":
        lays = [cards_text(lay.cards) for lay in melds_to_lay(read_draft(argument), view)]
        assert ["9s 9h 9d", "Ah"] == lays
    else:
        assert meld_step(NINE, 3) == parse_step(view, argument)
        assert "Lay 9 9 9, then lay A → aces, then discard 4♦" in hint.text


class SlowPlayer:
    """A computer player that takes longer than a hint may take."""

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:  # noqa: ARG002
        time.sleep(0.2)
        return Choice(view.legal[0])


async def play_by_hints(discord: Discord, you: Person) -> None:
    """Play the deal to its end by the moves that hints propose; by day its middle is skipped."""
    panel = await you.run("hand")
    for presses in range(400):
        if presses == MIDDLE and not SEARCHING:
            await skip_to_last_turns(discord, 0)
            panel = await you.run("hand")
        if (await discord.snapshot()).status is not Status.PLAYING:
            return
        if "hint" not in controls(panel):
            panel = await you.click(panel, "refresh")
            continue
        hint = await you.click(panel, "hint")
        assert "*Why*" in text_of(hint)
        first = next(iter(controls(hint).values()))["custom_id"].split(":")
        panel = await you.press_exact_button(hint, first[3], first[4])
    raise AssertionError("the deal did not end")


@pytest.mark.parametrize("seed", range(20 if SEARCHING else 1))
async def test_the_first_deal_is_played_to_its_end_by_hints_alone(discord_with_hints: Discord, seed: int) -> None:
    discord_with_hints.dealer.seeds = numbered_seeds(7100 + seed)
    await discord_with_hints.person(0).click(await discord_with_hints.person(0).run("learn"), "lesson_deal")
    you = discord_with_hints.person(0, discord_with_hints.world.canasta.threads[-1])
    await play_by_hints(discord_with_hints, you)
    await discord_with_hints.application.client.board_updater.wait_until_idle()
    snapshot = await discord_with_hints.snapshot()
    (counted,) = snapshot.hints
    assert 1 == counted.deal
    text = f"Hints: {snapshot.seats[0].name} {counted.count}"
    assert 1 == sum(text in text_of(message) for message in you.visible_messages() if "sheet_text" in controls(message))


async def play_carelessly(discord: Discord, you: Person) -> Message:
    """Play the deal to its end by drawing and discarding the first card, and return the panel."""
    panel = await you.run("hand")
    for _ in range(100):
        if (await discord.snapshot()).status is not Status.PLAYING:
            return await you.click(panel, "refresh")
        for action in ("draw", "discard_surely", "discard", "yes", "pass", "refresh"):
            if action in enabled_actions(panel):
                named = (control_arguments(panel, action) or [""])[0]
                panel = await you.press_exact_button(panel, action, named)
                break
    raise AssertionError("the deal did not end")


async def test_a_review_shows_the_worst_choices_of_a_deal_against_computer_players(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new", length=1)
    await you.run("table start", fill=True)
    panel = await play_carelessly(discord, you)
    rows = (await discord.snapshot()).version
    page = await you.click(panel, "review")
    assert "Turn " in text_of(page)
    assert "Better: " in text_of(page)
    assert "*Why*: " in text_of(page)
    assert 1 == len(picture_captions(page))
    seen = [text_of(page)]
    while "Next" in [one["label"] for one in controls(page).values() if not one.get("disabled")]:
        page = await you.press_exact_button(page, "review", f"1.{len(seen)}")
        seen.append(text_of(page))
    assert len(seen) == len(set(seen)) <= 3
    assert rows == (await discord.snapshot()).version
    await discord.application.client.context.profiles.change_preferences(you.id, {"pictures": "text"})
    told = await press_stale_control(discord, you, page, f"cn:1:{rows}:review:1.0")
    assert [] == picture_captions(told)
    assert seen[0] in text_of(told)
    back = await you.click(told, "refresh")
    assert "review" in controls(back)
    assert "review" in controls(await press_stale_control(discord, you, back, f"cn:1:{rows}:review:7.0"))
    snapshot = await discord.snapshot()
    assert has_review(snapshot, 0)
    later = replace(snapshot, status=Status.PLAYING, settings=replace(snapshot.settings, replay=ReplayFrom.GAME))
    assert not has_review(later, 0)
    guest = replace(snapshot.seats[0], person=discord.person(1).id)
    assert not has_review(replace(snapshot, seats=(snapshot.seats[0], guest, *snapshot.seats[2:]), sat=()), 0)
