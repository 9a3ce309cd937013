"""Every lesson on the demo's page, once straight and once by every wrong button first.

The page has a desktop's and a phone's width. By day one lesson is played at a phone's width; `make nightly` plays all.
With ``TRANSCRIPT=FOLDER`` a picture of each page is saved in a folder there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import words
from bot.lessons.lesson_replay import moment_at
from bot.lessons.lessons import Lesson, LessonStep, Verdict, all_lessons
from cogs.guide.lesson_page import action_button_label
from cogs.shared.discord_api.components import suits_as_text
from tests.support.browser import needs_chromium
from tests.support.demo_page_player import PHONE, load_picture_driver, make_transcript_folder

WORDS = words()
LESSONS = all_lessons()
SIZES = {1280: 900, PHONE: 850}

STRAIGHT = Counter({"wanted": 59, "go on": 6, "right": 14})
"""Number of presses that lead straight through all lessons."""

BY_WRONG = STRAIGHT + Counter({"refused": 34, "legal": 33, "wrong": 28})
"""Number of presses if every wrong button and answer is tried first."""

PIXELS = """image => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return canvas.toDataURL();
}"""

OVERFLOWING = """message => [...message.querySelectorAll("*")].filter(one =>
  one.getBoundingClientRect().right > message.getBoundingClientRect().right + 1 ||
  (one.matches(".button-label") && one.scrollWidth > one.clientWidth + 1)).map(one => one.outerHTML)"""
"""Script that returns the parts of a message beyond its right edge, and labels that are cut."""

IS_PRESSABLE = """button => {
  const shown = document.getElementById("channel-timeline").getBoundingClientRect();
  const box = button.getBoundingClientRect();
  return box.top >= shown.top - 1 && box.bottom <= shown.bottom + 1;
}"""
"""Script that returns whether a whole button lies in the conversation's window."""


class Learner:
    """A person who plays lessons on the page.

    `presses` counts the presses by kind, `folder` takes the pictures.
    """

    def __init__(self, guest: Any, folder: Path) -> None:
        self.guest = guest
        self.page = guest.page
        self.folder = folder
        self.presses: Counter[str] = Counter()

    def message(self) -> Any:
        return self.page.locator(".channel-message", has_text="Only you can see this").last

    def open_lessons(self) -> None:
        """Type `/learn` and Enter, which shows the list of lessons."""
        composer = self.page.locator("#channel-composer-input")
        composer.click()
        composer.press_sequentially("/learn", delay=10)
        self.page.locator(".command-popup [role=option]").first.wait_for()
        composer.press("Enter")
        self.message().get_by_text(WORDS("lesson.list_title")).wait_for()
        self.guest.wait_until_settled()

    def choose(self, lesson: Lesson) -> None:
        self.guest.choose_last(lesson.id)

    def press(self, label: str, sort: str = "") -> None:
        """Press the button with exactly that label, which must be visible without scrolling."""
        found = self.message().get_by_role("button", name=suits_as_text(label), exact=True)
        found.wait_for()
        self.page.wait_for_timeout(100)
        self.page.wait_for_function(IS_PRESSABLE, arg=found.element_handle())
        found.click()
        self.guest.wait_until_settled()
        if sort:
            self.presses[sort] += 1

    def wait_for_text(self, text: str) -> None:
        """Wait until the page shows this text, with suits as the page writes them."""
        self.message().get_by_text(suits_as_text(text).replace("*", "").replace("`", "")).first.wait_for()

    def picture_pixels(self) -> str:
        """Return the pixels of the page's picture; empty without one."""
        images = self.message().locator(".media-lightbox-trigger img")
        if not images.count():
            return ""
        self.page.wait_for_function("image => image.complete && image.naturalWidth", arg=images.first.element_handle())
        return str(images.first.evaluate(PIXELS))

    def save_picture(self, name: str) -> None:
        """Save a picture of the page, and check that nothing on it is cut."""
        self.picture_pixels()
        assert [] == self.message().evaluate(OVERFLOWING)
        self.page.mouse.move(0, 0)
        self.page.screenshot(path=self.folder / f"{name}.png")

    # --- lessons

    def play_lesson(self, lesson: Lesson, *, wrong_first: bool) -> None:
        """Play an open lesson to its end; with `wrong_first`, press every wrong button before the right one."""
        for number, step in enumerate(lesson.steps, start=1):
            labels = dict(_labels(lesson, number, step))
            self.wait_for_text(WORDS(f"lesson.{lesson.id}.{step.say}"))
            self.save_picture(f"{lesson.number:02}-{lesson.id}-{number}")
            if wrong_first:
                self._press_wrong_buttons(lesson, number, step, labels)
            wanted = next((place for place, one in enumerate(step.buttons) if one.verdict is Verdict.WANTED), None)
            if wanted is None:
                self.press(WORDS("lesson.go_on"), "go on")
            else:
                self.press(labels[wanted], "wanted")
        self.wait_for_text(WORDS(f"lesson.{lesson.id}.check"))
        self.save_picture(f"{lesson.number:02}-{lesson.id}-check")
        for answer in range(1, lesson.choices + 1 if wrong_first else 1):
            if answer != lesson.right:
                self.press(WORDS(f"lesson.{lesson.id}.check_{answer}"), "wrong")
                self.wait_for_text(WORDS(f"lesson.{lesson.id}.check_wrong"))
        self.press(WORDS(f"lesson.{lesson.id}.check_{lesson.right}"), "right")
        self.wait_for_text(WORDS("lesson.done", number=lesson.number))
        self.save_picture(f"{lesson.number:02}-{lesson.id}-done")

    def _press_wrong_buttons(self, lesson: Lesson, number: int, step: LessonStep, labels: Mapping[int, str]) -> None:
        before = self.picture_pixels()
        for place, button in enumerate(step.buttons):
            if button.verdict is Verdict.WANTED:
                continue
            self.press(labels[place], button.verdict.value)
            note = self.message().locator("blockquote")
            note.wait_for()
            if button.verdict is Verdict.LEGAL:
                self.wait_for_text(WORDS(f"lesson.{lesson.id}.{step.legal}"))
            self.wait_for_text(WORDS(f"lesson.{lesson.id}.{step.say}"))
            assert before == self.picture_pixels()
            self.save_picture(f"{lesson.number:02}-{lesson.id}-{number}-{button.verdict.value}-{place + 1}")


def _labels(lesson: Lesson, number: int, step: LessonStep) -> Iterator[tuple[int, str]]:
    """Yield the labels of a step's buttons by their number from 0; fail if two are equal."""
    view = moment_at(lesson, number).view
    texts = [action_button_label(WORDS, view, button) for button in step.buttons]
    assert len(texts) == len(set(texts))
    yield from enumerate(texts)


@needs_chromium
def test_a_lesson_can_be_completed_on_a_phone_without_scrolling(tmp_path: Path) -> None:
    shots, lesson = load_picture_driver(), LESSONS["american"]
    with shots.run_demo(tmp_path) as address, shots.visit_demo(address, width=PHONE, height=SIZES[PHONE]) as guest:
        learner = Learner(guest, make_transcript_folder("lesson", tmp_path))
        learner.open_lessons()
        learner.choose(lesson)
        learner.play_lesson(lesson, wrong_first=True)
        learner.press(WORDS("lesson.all"))
        learner.press(WORDS("lesson.start", number=1, title=WORDS("lesson.seats.title")))
        learner.wait_for_text(WORDS("lesson.seats.s1"))


@needs_chromium
@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("width", SIZES)
def test_every_lesson_can_be_completed_with_right_and_with_wrong_answers(width: int, tmp_path: Path) -> None:
    shots = load_picture_driver()
    with shots.run_demo(tmp_path) as address, shots.visit_demo(address, width=width, height=SIZES[width]) as guest:
        learner = Learner(guest, make_transcript_folder(f"lessons-{width}", tmp_path))
        learner.open_lessons()
        learner.press(WORDS("lesson.start", number=1, title=WORDS("lesson.seats.title")))
        for lesson in LESSONS.values():
            learner.play_lesson(lesson, wrong_first=False)
            following = WORDS("lesson.next") if lesson.number < len(LESSONS) else WORDS("lesson.all")
            learner.press(following)
        assert STRAIGHT == learner.presses
        learner.presses.clear()
        for lesson in LESSONS.values():
            learner.choose(lesson)
            learner.play_lesson(lesson, wrong_first=True)
            learner.press(WORDS("lesson.all"))
        assert BY_WRONG == learner.presses
