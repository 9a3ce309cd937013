"""The page of a tournament in a real browser: on a phone, without a network, with scripts and without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import needs_chromium, start_chromium
from tests.support.tournament_exports import CUPS, write_export_page

pytestmark = needs_chromium

PHONE = 360

OpenPage = Callable[..., Page]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    return {name: write_export_page(folder, name, locale="it" if name == "bracket" else "en") for name in CUPS}


@pytest.fixture(scope="module")
def browser(pages: dict[str, Path]) -> Iterator[Browser]:
    """Yield a browser; it starts after the pages are made, because making them needs an event loop."""
    assert pages
    with start_chromium() as found:
        yield found


@dataclass(slots=True)
class BrowserWindow:
    """A window of the browser that notes its network requests and errors."""

    page: Page
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("console", lambda message: self.asked.append(message.text))
        self.page.on("pageerror", lambda error: self.asked.append(str(error)))


@pytest.fixture(scope="module")
def windows(browser: Browser) -> dict[bool, BrowserWindow]:
    """Return a window with scripts (True) and one without (False), shared by all tests to save time."""
    return {scripts: BrowserWindow(browser.new_page(java_script_enabled=scripts)) for scripts in (True, False)}


@pytest.fixture
def open_page(windows: dict[bool, BrowserWindow], pages: dict[str, Path]) -> Iterator[OpenPage]:
    """Yield a function that opens a page by name; fail afterwards on any network request or error."""

    def look_at_page(name: str, *, width: int = PHONE, scripts: bool = True) -> Page:
        window, address = windows[scripts], pages[name].as_uri()
        window.page.set_viewport_size({"width": width, "height": 740})
        window.page.goto(address)
        window.asked.remove(address)
        return window.page

    yield look_at_page
    asked = [one for window in windows.values() for one in window.asked]
    for window in windows.values():
        window.asked.clear()
    assert [] == asked


OPEN_ALL = """() => {
    document.querySelectorAll('details').forEach(one => one.open = true);
    return new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""
"""Opens everything that can be opened, and waits until that is drawn."""


@pytest.mark.parametrize("name", CUPS)
@pytest.mark.parametrize("width", [PHONE, 1100])
def test_nothing_is_wider_than_the_screen_and_nothing_is_asked_of_the_network(
    open_page: OpenPage, name: str, width: int
) -> None:
    page = open_page(name, width=width)
    page.evaluate(OPEN_ALL)
    assert width == page.evaluate("document.documentElement.scrollWidth")


def test_names_with_markup_are_shown_as_text(open_page: OpenPage) -> None:
    page = open_page("swiss")
    assert page.evaluate("window.evil") is None
    assert 0 == page.locator("img").count()
    assert 1 == page.locator("script").count()
    text = page.locator("#places").inner_text()
    assert "<script>window.evil=1</script>" in text
    assert "\u202e" not in page.content()
    assert "Friday </title> cup" == page.title()
    assert "<u>late</u>" in text
    assert "wrong <b>count</b>" in page.locator("#rounds").inner_text()


def test_a_replay_can_be_stepped_through(open_page: OpenPage) -> None:
    page = open_page("swiss")
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


def test_the_page_is_complete_without_scripts(open_page: OpenPage) -> None:
    page = open_page("swiss", scripts=False)
    deal = page.locator("details.deal").first
    deal.locator("summary").first.click()
    lines = deal.locator("ol > li:visible").all_inner_texts()
    assert len(lines) > 2
    assert all("drew" in line or "took" in line for line in lines[:-1])
    assert 0 == page.locator("button").count()
    assert " UTC" in page.locator("time").first.inner_text()


def test_the_bracket_goes_from_left_to_right_on_a_desk_and_downwards_on_a_phone(open_page: OpenPage) -> None:
    page = open_page("bracket")
    for width, across in ((1100, True), (PHONE, False)):
        page.set_viewport_size({"width": width, "height": 740})
        first, second = (page.locator(".column").nth(place).bounding_box() for place in (0, 1))
        assert first is not None
        assert second is not None
        assert across == (second["x"] >= first["x"] + first["width"])
        assert across == (abs(second["y"] - first["y"]) < 1)
    assert "Tabellone" in page.locator("#bracket").inner_text()
