"""The page of a tournament in a real browser: on a phone, without a network, with scripts and without.

Needs playwright and a Chromium (``CHROMIUM=/path/to/it``), and is left out where they are not.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.page import CHROMIUM
from tests.support.tournament_exports import CUPS, written

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs a Chromium: CHROMIUM=/path/to/it"),
    pytest.mark.skipif(importlib.util.find_spec("playwright") is None, reason="needs playwright"),
]

PHONE = 360

Look = Callable[..., Any]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    return {name: written(folder, name, locale="it" if name == "bracket" else "en") for name in CUPS}


@pytest.fixture(scope="module")
def browser(pages: dict[str, Path]) -> Iterator[Any]:
    """Begun once the pages are made: it keeps an event loop of its own."""
    assert pages
    with pytest.importorskip("playwright.sync_api").sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, pages: dict[str, Path]) -> Iterator[Look]:
    """Opens a page; whatever it asks the network for, or complains of, is a failure."""
    asked: list[str] = []
    contexts = []

    def look(name: str, *, width: int = PHONE, scripts: bool = True) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 740}, java_script_enabled=scripts)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: asked.append(message.text))
        page.on("pageerror", lambda error: asked.append(str(error)))
        page.goto(pages[name].as_uri())
        asked.remove(pages[name].as_uri())
        return page

    yield look
    for context in contexts:
        context.close()
    assert [] == asked


@pytest.mark.parametrize("name", CUPS)
@pytest.mark.parametrize("width", [PHONE, 1100])
def test_nothing_is_wider_than_the_screen_and_nothing_is_asked_of_the_network(
    opened: Look, name: str, width: int
) -> None:
    page = opened(name, width=width)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    page.wait_for_timeout(50)
    assert width == page.evaluate("document.documentElement.scrollWidth")


def test_no_name_does_anything(opened: Look) -> None:
    page = opened("swiss")
    assert page.evaluate("window.evil") is None
    assert 0 == page.locator("img").count()
    assert 1 == page.locator("script").count()
    said = page.locator("#places").inner_text()
    assert "<script>window.evil=1</script>" in said
    assert "\u202e" not in page.content()
    assert "Friday </title> cup" == page.title()
    assert "<u>late</u>" in said
    assert "wrong <b>count</b>" in page.locator("#rounds").inner_text()


def test_a_replay_is_stepped_through(opened: Look) -> None:
    page = opened("swiss")
    deal = page.locator("details.deal").first
    turns = deal.locator("ol > li").count()
    deal.locator("summary").first.click()
    dealt = deal.locator(".hands").inner_text()
    counter = deal.locator("output")
    assert f"0 / {turns}" == counter.inner_text()
    assert 0 == deal.locator("ol > li:visible").count()
    deal.get_by_role("button", name="Next turn").click()
    assert f"1 / {turns}" == counter.inner_text()
    assert 1 == deal.locator("ol > li:visible").count()
    deal.get_by_role("button", name="The end").click()
    assert f"{turns} / {turns}" == counter.inner_text()
    assert dealt != deal.locator(".hands").inner_text()
    assert deal.locator(".laid .m").count() > 0
    deal.get_by_role("button", name="One turn back").click()
    assert f"{turns - 1} / {turns}" == counter.inner_text()
    deal.get_by_role("button", name="As it was dealt").click()
    assert dealt == deal.locator(".hands").inner_text()
    deal.get_by_role("button", name="All turns as a list").click()
    assert turns == deal.locator("ol > li:visible").count()


def test_all_can_be_read_without_scripts(opened: Look) -> None:
    page = opened("swiss", scripts=False)
    deal = page.locator("details.deal").first
    deal.locator("summary").first.click()
    lines = deal.locator("ol > li:visible").all_inner_texts()
    assert len(lines) > 2
    assert all("drew" in line or "took" in line for line in lines[:-1])
    assert 0 == page.locator("button").count()
    assert " UTC" in page.locator("time").first.inner_text()


def test_the_bracket_goes_from_left_to_right_on_a_desk_and_downwards_on_a_phone(opened: Look) -> None:
    page = opened("bracket")
    for width, across in ((1100, True), (PHONE, False)):
        page.set_viewport_size({"width": width, "height": 740})
        first, second = (page.locator(".column").nth(place).bounding_box() for place in (0, 1))
        assert across == (second["x"] >= first["x"] + first["width"])
        assert across == (abs(second["y"] - first["y"]) < 1)
    assert "Tabellone" in page.locator("#bracket").inner_text()
