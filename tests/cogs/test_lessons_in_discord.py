"""`/learn`: every lesson, straight and by every wrong button, whatever happens between presses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.i18n import words
from bot.lessons.lesson_replay import moment_at
from bot.lessons.lessons import Lesson, LessonStep, Verdict, all_lessons
from bot.tables.state.snapshots import Status
from cogs.guide.lesson_page import CHECK, GO_ON, action_button_label
from tests.support.discord import (
    Discord,
    Message,
    Person,
    controls,
    discord_world,
    picture_captions,
    press_stale_control,
    text_of,
)
from tests.support.discord_limits import broken_limits

WORDS = words()
LESSONS = all_lessons()


def control_argument(lesson: Lesson, step: int, button: int, revision: str = "") -> str:
    return f"{lesson.id}.{revision or lesson.revision}.{step}.{button}"


async def press_step(
    discord: Discord, person: Person, page: Message, lesson: Lesson, step: int, button: int
) -> Message:
    custom_id = f"cn:0:0:lesson:{control_argument(lesson, step, button)}"
    return await press_stale_control(discord, person, page, custom_id)


def broken_limits_of_page(page: Message) -> list[str]:
    return broken_limits([one if isinstance(one, dict) else one.to_dict() for one in page.components])


def right_button(step: LessonStep) -> int:
    """Return the number of the button that leads to the next step."""
    return next((place for place, one in enumerate(step.buttons, start=1) if one.verdict is Verdict.WANTED), GO_ON)


@pytest.mark.parametrize("name", LESSONS)
async def test_a_lesson_leads_to_its_end_past_every_wrong_button(discord: Discord, name: str) -> None:
    lesson, you = LESSONS[name], discord.person(0)
    page = await you.run("learn", lesson=name)
    for number, step in enumerate(lesson.steps, start=1):
        sentence = WORDS(f"lesson.{name}.{step.say}")
        assert sentence in text_of(page)
        assert [] == broken_limits_of_page(page)
        seen = picture_captions(page)
        for place, button in enumerate(step.buttons, start=1):
            if button.verdict is Verdict.WANTED:
                continue
            page = await press_step(discord, you, page, lesson, number, place)
            assert sentence in text_of(page)
            assert seen == picture_captions(page)
            if button.verdict is Verdict.LEGAL:
                assert WORDS(f"lesson.{name}.{step.legal}") in text_of(page)
            else:
                assert "paragraph" in controls(page)
            assert [] == broken_limits_of_page(page)
        page = await press_step(discord, you, page, lesson, number, right_button(step))
    assert WORDS(f"lesson.{name}.check") in text_of(page)
    for answer in range(1, lesson.choices + 1):
        if answer != lesson.right:
            page = await press_step(discord, you, page, lesson, CHECK, answer)
            assert WORDS(f"lesson.{name}.check_wrong") in text_of(page)
    assert frozenset() == await discord.application.client.context.lessons.finished_lessons(you.id)
    page = await press_step(discord, you, page, lesson, CHECK, lesson.right)
    assert WORDS("lesson.done", number=lesson.number) in text_of(page)
    assert frozenset({name}) == await discord.application.client.context.lessons.finished_lessons(you.id)
    assert "✓" in text_of(await you.run("learn"))


@pytest.mark.parametrize("name", LESSONS)
def test_buttons_of_a_lesson_step_have_different_labels(name: str) -> None:
    for number, step in enumerate(LESSONS[name].steps, start=1):
        view = moment_at(LESSONS[name], number).view
        assert len(step.buttons) == len({action_button_label(WORDS, view, button) for button in step.buttons})


async def test_a_lesson_survives_restarts_copies_and_double_presses(discord: Discord) -> None:
    lesson, you, other = LESSONS["pile"], discord.person(0), discord.person(1)
    page = await you.run("learn", lesson="pile")
    first = await press_step(discord, you, page, lesson, 1, right_button(lesson.steps[0]))
    await discord.restart()
    again = await press_step(discord, you, page, lesson, 1, right_button(lesson.steps[0]))
    assert text_of(first) == text_of(again)
    own = await other.run("learn")
    copied = await press_step(discord, other, own, lesson, 2, right_button(lesson.steps[1]))
    assert WORDS(f"lesson.pile.{lesson.steps[2].say}") in text_of(copied)
    old = await press_stale_control(discord, you, page, f"cn:0:0:lesson:{control_argument(lesson, 4, 1, 'beef')}")
    assert WORDS("lesson.revised") in text_of(old)
    assert WORDS(f"lesson.pile.{lesson.steps[0].say}") in text_of(old)
    for unknown in (
        "pile",
        "chess.0000.1.1",
        control_argument(lesson, 77, 1),
        control_argument(lesson, 1, 9),
        control_argument(lesson, CHECK, 7),
    ):
        listed = await press_stale_control(discord, you, page, f"cn:0:0:lesson:{unknown}")
        assert WORDS("lesson.list_title") in text_of(listed)
    assert frozenset() == await discord.application.client.context.lessons.finished_lessons(you.id)
    assert () == discord.errors()


async def test_the_list_of_lessons_marks_finished_ones_and_offers_the_next(discord: Discord) -> None:
    you = discord.person(0)
    for name in ("seats", "meld"):
        await discord.application.client.context.lessons.finish(you.id, LESSONS[name])
    listed = await you.run("learn")
    assert "✓ **2**" in text_of(listed)
    assert "→ **3**" in text_of(listed)
    page = await you.choose(listed, "lesson_open", "fifty")
    assert WORDS("lesson.fifty.s1") in text_of(page)
    left = await you.click(page, "lesson_leave")
    assert WORDS("lesson.left_at", number=3) in text_of(left)
    assert ["pile", "frozen"] == await you.suggestions("learn", "lesson", "pile")


async def test_after_the_lessons_for_beginners_the_list_leads_to_a_first_deal(discord: Discord) -> None:
    you = discord.person(0)
    listed = await you.run("learn")
    assert [3, 2] == [controls(listed)[action]["style"] for action in ("lesson_again", "lesson_deal")]
    for lesson in LESSONS.values():
        if lesson.is_basic:
            await discord.application.client.context.lessons.finish(you.id, lesson)
    listed = await you.run("learn")
    assert [2, 3] == [controls(listed)[action]["style"] for action in ("lesson_again", "lesson_deal")]
    assert "Start lesson 11" in controls(listed)["lesson_again"]["label"]


async def test_a_reader_without_pictures_gets_the_hand_in_words(discord: Discord) -> None:
    you = discord.person(0)
    await discord.application.client.context.profiles.change_preferences(you.id, {"pictures": "text"})
    page = await you.run("learn", lesson="meld")
    assert [] == picture_captions(page)
    assert "9" in text_of(page)


async def test_a_newcomer_is_told_once_that_there_are_lessons(tmp_path: Path) -> None:
    async with discord_world(tmp_path, newcomers=True) as discord:
        await open_and_join_as_newcomers(discord)


async def open_and_join_as_newcomers(discord: Discord) -> None:
    you, friend = discord.person(0), discord.person(1)
    await you.run("table new")
    await friend.click(await discord.board(), "sit")
    for person in (you, friend):
        assert 1 == sum(WORDS("lesson.offer") in text_of(message) for message in person.visible_messages())
    await you.run("table new")
    assert 1 == sum(WORDS("lesson.offer") in text_of(message) for message in you.visible_messages())
    listed = await you.click(await discord.board(), "lesson_list")
    assert WORDS("lesson.list_title") in text_of(listed)
    third = discord.person(2)
    await third.click(await third.run("learn"), "lesson_deal")
    assert not any(WORDS("lesson.offer") in text_of(message) for message in third.visible_messages()), (
        "it came from the lessons"
    )


async def test_a_first_deal_starts_at_once_against_three_computer_players(discord: Discord) -> None:
    you = discord.person(0)
    answered = await you.click(await you.run("learn"), "lesson_deal")
    assert answered.flags.ephemeral
    assert "more" in controls(answered), "the person's panel"
    snapshot = await discord.snapshot()
    assert (Status.PLAYING, 1, None, False) == (
        snapshot.status,
        snapshot.settings.deals,
        snapshot.settings.clock,
        snapshot.settings.watching,
    )
    assert [you.id] == list(snapshot.persons)
    assert snapshot.thread is not None
    assert snapshot.view is not None
    assert snapshot.view.deal == 1


async def test_lessons_need_no_server_but_a_first_deal_does(discord: Discord) -> None:
    user = discord.world.people[0].user
    listed = (await user.slash("learn")).response
    ids = {action: one["custom_id"] for action, one in controls(listed).items()}
    refused = await user.click(listed, custom_id=ids["lesson_deal"])
    assert WORDS("input.in_server_only") in text_of(refused.response)
    shown = await user.click(listed, custom_id=ids["lesson_again"])
    assert WORDS("lesson.seats.s1") in text_of(shown.response)


async def test_the_panel_of_a_first_deal_is_posted_again_and_the_announcement_stays(live_discord: Discord) -> None:
    """The press that starts the deal is answered by the public announcement, which no panel may replace."""
    you = live_discord.person(0)
    shown = await you.click(await you.run("learn"), "lesson_deal")
    (announced,) = [one for one in you.visible_messages() if "opened **table 1**" in text_of(one)]
    live_discord.application.client.panels.repost_panels(1)
    for _ in range(4):
        await live_discord.pass_time(60)
    assert shown.id != you.panel().id
    assert "Your turn" in text_of(you.panel())
    (still,) = [one for one in you.visible_messages() if one.id == announced.id]
    assert (text_of(announced), False) == (text_of(still), still.flags.ephemeral)
