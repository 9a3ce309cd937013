"""Takes the pictures in docs/pictures from the running demo: `make pictures`.

Needs a Chromium, which `tests/support/browser.py` finds. A `Guest` sits in front of the demo's page and does what a
person does: choose who to be, type a command, click a button, choose from a menu, take a picture.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import chromium

PICTURES = Path(__file__).parent / "pictures"
PATIENCE = 15_000  # milliseconds until something that does not show up is missed

TRIES = 10

SETTLED = """() => {
    const page = window.simcordPreview;
    return page && page.ready && !page.pendingAction && page.awaitingRevision === null;
}"""


class Guest:
    """A person in front of the demo's page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.wait_until_settled()

    def wait_until_settled(self) -> None:
        """Wait until the page shows what came of the last action; before that it takes no other."""
        self.page.wait_for_function(SETTLED)

    def wait_briefly(self, tries: int = 10) -> None:
        """Wait a little for that; while others play without a pause it may not come."""
        for _ in range(tries):
            self.page.wait_for_timeout(300)
            if self.page.evaluate(f"({SETTLED})()"):
                return

    def pass_time(self, *, days: int = 0, hours: int = 0, tens: int = 0) -> None:
        """Put the demo's clock forward with the buttons above the channel; `tens` are ten minutes each."""
        for label in ["+1 day"] * days + ["+1 hour"] * hours + ["+10 minutes"] * tens:
            button = self.page.locator(".passing-time button", has_text=label)
            button.click()
            expect(button).to_be_enabled()
        self.wait_until_settled()

    def view_as(self, name: str) -> None:
        """Become another viewer."""
        self.page.locator("#viewer-picker").select_option(label=name)
        self.wait_until_settled()

    def command(self, name: str, /, **options: object) -> None:
        """Run a slash command, as `command("table new", players=4)`."""
        composer = self.page.locator("#channel-composer-input")
        composer.click()
        composer.press_sequentially(f"/{name}", delay=10)
        self.page.locator(".command-popup [role=option]").first.wait_for()
        composer.press("Tab")
        chip = self.page.locator(".command-chip")
        expect(chip).to_have_text(f"/{name}")
        for option, value in options.items():
            field = self.page.locator(f".command-option-input[data-option={option}]")
            if not field.count():
                suggestion = self.page.locator(f".command-suggestion[data-value={option}]")
                if not suggestion.count():
                    self.page.locator(".command-ghost").click()
                suggestion.click()
            field.fill(str(value))
        self.page.locator("#send-message").click()
        expect(chip).to_have_count(0)
        self.wait_until_settled()

    def newest_message(self, text: str) -> Locator:
        """The newest message that says `text`."""
        return self.page.locator(".channel-message", has_text=text).last

    def click(self, label: str) -> None:
        """Press the newest button of that name."""
        self.page.locator(".component-button[aria-disabled=false]", has_text=label).last.click()
        self.wait_until_settled()

    def fill(self, label: str, text: str) -> None:
        """Press the newest button of that name, which opens a form, and send the form with that text."""
        self.click(label)
        form = self.page.locator(".modal-dialog")
        form.locator("input, textarea").first.fill(text)
        form.locator("button", has_text="Submit").click()
        expect(form).to_have_count(0)
        self.wait_until_settled()

    def choose(self, menu: str, *labels: str) -> None:
        """Open the newest menu that says `menu`, choose what is named, and close it."""
        self._choose(menu, [self.page.locator(".option-label").get_by_text(label, exact=True) for label in labels])

    def choose_values(self, menu: str, *values: str) -> None:
        """The same with choices told apart by what they stand for, which a reader does not see."""
        self._choose(menu, [self.page.locator(f".select-option[data-value='{value}']") for value in values])

    def choose_last(self, value: str) -> None:
        """The same in the newest menu of all, whatever it says now."""
        key = self.page.locator(".select-trigger").last.get_attribute("data-control-key")
        self._choose_at(key, [self.page.locator(f".select-option[data-value='{value}']")])

    def _choose(self, menu: str, choices: list[Locator]) -> None:
        key = self.page.locator(".select-trigger", has_text=menu).last.get_attribute("data-control-key")
        self._choose_at(key, choices)

    def _choose_at(self, key: str | None, choices: list[Locator]) -> None:
        trigger = self.page.locator(f".select-trigger[data-control-key='{key}']")
        opened = self.page.locator(f"[data-control-key='{key}:list']:not([hidden])")
        while not opened.count():  # a page that is published again may close it
            trigger.click()
            self.page.wait_for_timeout(300)
        for choice in choices:
            opened.locator(choice).first.click()
        for _ in range(TRIES):  # while another action is under way a menu takes nothing and stays open
            if not opened.count():
                break
            trigger.click()
            self.wait_until_settled()
        self.wait_until_settled()

    def save_picture(self, name: str, message: Locator) -> None:
        """Keep what one message looks like, without its author and its toolbar, its images loaded."""
        message.wait_for()
        for image in message.locator("img").all():
            expect(image).to_have_js_property("complete", value=True)
            expect(image).not_to_have_js_property("naturalWidth", 0)  # as is one that was changed before it was loaded
        PICTURES.mkdir(exist_ok=True)
        taken = Image.open(io.BytesIO(message.locator(".component-container").last.screenshot()))
        # A palette halves the file and is not seen.
        taken.convert("RGB").quantize(256).save(PICTURES / f"{name}.png", optimize=True)


@contextmanager
def demo(folder: Path | None = None, *, pace: float = 0.3) -> Iterator[str]:
    """A demo of its own, on any free port; its address.

    Its database is gone afterwards, unless a `folder` for it is named: there it is `c-demo.db`.
    """
    with tempfile.TemporaryDirectory() as passing:
        database = (folder or Path(passing)) / "c.db"
        environment = os.environ | {"CANASTA_DATABASE": str(database), "CANASTA_COMPUTER_PACE": str(pace)}
        command = [sys.executable, "-m", "bot", "demo", "--port", "0", "--no-browser"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
            finally:
                process.terminate()
                process.stdout.read()


@contextmanager
def guest(address: str, *, width: int = 1000, height: int = 1400) -> Iterator[Guest]:
    """A guest with the demo open in front."""
    with chromium() as browser:
        page = browser.new_page(bypass_csp=True, device_scale_factor=2, viewport={"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        one = Guest(page)
        one.open(address)
        yield one


WAITS = re.compile(r"^(You play after|You rest|.* has been asked$|The game has not started)")
"""Titles of a panel that waits for others."""

ENDED = re.compile(r"^(Deal \d+: |You won|.* won with)")
"""Titles of a panel whose deal is over."""

OPENS = re.compile(r"^Open: | → open with ")
"""Buttons that lay an initial meld that suffices."""

LAYS = re.compile(r"^(?!Lay).* (·|→) ")
"""Buttons that lay a meld, put one together, or add to one."""

TAKES = re.compile(r"^(with|onto) ")
"""Buttons that take the pile."""

DISCARDS = re.compile(r"^((red|black) )?(Joker|10|[2-9JQKA])( ×\d+)?$")
"""Buttons that discard a card of a rank."""


class Player(Guest):
    """A guest who plays a plain game by the labels of the private panel's buttons; `touches` counts them."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.touches = 0

    def panel(self) -> Locator:
        return self.page.locator(".channel-message", has_text="Only you can see this").last

    def board(self) -> Locator:
        """The message of the table."""
        return self.page.locator(".channel-message", has_text="My hand").last

    def sheet(self) -> Locator:
        """The message that keeps the last deal."""
        return self.page.locator(".channel-message", has_text=re.compile(r"Deal \d+ can now be checked")).last

    def title(self) -> str:
        """What the panel says is wanted."""
        heading = self.panel().locator("h3")
        return heading.first.inner_text() if heading.count() else ""

    def buttons(self) -> Locator:
        """The panel's buttons that can be pressed; none while the page changes."""
        return self.panel().locator(".component-button[aria-disabled=false]")

    def labels(self) -> list[str]:
        """The panel's buttons that can be pressed, by their labels."""
        return self.buttons().all_inner_texts()

    def has_button(self, label: str) -> bool:
        """Whether the panel has that button to press."""
        return label in self.labels()

    def press(self, label: str) -> None:
        """Press the panel's button of just that label."""
        exactly = re.compile(f"^{re.escape(label)}$")
        self.buttons().filter(has_text=exactly).last.click()
        self.wait_until_settled()
        self.touches += 1

    def wait_for_turn(self) -> bool:
        """Wait until the panel, by itself, asks for something; False if the deal is over instead."""
        heading = self.panel().locator("h3").first
        expect(heading).to_be_visible()
        expect(heading).not_to_have_text(WAITS)
        return not ENDED.match(self.title())

    def choices(self, menu: str) -> list[str]:
        """What the panel's menu that says `menu` offers."""
        trigger = self.panel().locator(".select-trigger", has_text=menu)
        if not trigger.count():
            return []
        key = trigger.get_attribute("data-control-key")
        texts = self.page.locator(f"[data-control-key='{key}:list'] .option-label").all_text_contents()
        return [text.strip() for text in texts]

    def next_button(self) -> str:
        """The button that a plain player would press next; empty if there is none."""
        labels = self.labels()
        for plain in ("Yes, go out", "Go out"):
            if plain in labels:
                return plain
        for kind in (OPENS, TAKES):
            found = next((label for label in labels if kind.search(label)), None)
            if found is not None:
                return found
        if "Draw" in labels:
            return "Draw"
        return self.meld_button(labels) or self.discard_button(labels)

    def meld_button(self, labels: list[str]) -> str:
        """A button that lays natural cards at once, which it does for a side that has opened."""
        natural = (one for one in labels if LAYS.search(one) and not {"2", "Joker"} & set(one.split()))
        return next(natural, "") if self.has_opened() else ""

    def has_opened(self) -> bool:
        return not self.panel().locator("img[alt*='First meld needs']").count()

    def discard_button(self, labels: list[str]) -> str:
        """The button of a card that is missed little, a single low one, a wild card last.

        Return another button if there is no discard.
        """
        those = [label for label in labels if DISCARDS.match(label)]
        instead = [label for label in labels if label.startswith("Discard ") or label in ("Pass", "Put back")]
        natural = [label for label in those if label.split()[0] not in ("2", "Joker")] or those
        single = [label for label in natural if "×" not in label] or natural
        return [*instead, *single][-1] if instead or single else ""

    def is_asking(self) -> bool:
        """Whether the panel asks for something."""
        return not WAITS.match(self.title()) and not ENDED.match(self.title())

    def play_turn(self) -> None:
        """One whole turn by buttons, from a panel that asks for something."""
        while self.is_asking():
            expect(self.buttons().first).to_be_visible()
            label = self.next_button()
            assert label, f"nothing to press: {self.panel().inner_text()}"
            self.press(label)


class Photographer(Player):
    """A player who keeps pictures of a game, of each sort the last one.

    Of the hand it keeps the picture with the most buttons.
    """

    most = 0

    def play_deal(self) -> None:
        """One deal to its end."""
        while self.wait_for_turn():
            self.save_picture("board", self.board())
            self.play_turn()
        self.save_picture("score", self.sheet())

    def press(self, label: str) -> None:
        super().press(label)
        if label != "Draw" or self.title() != "Lay, or discard":
            return
        if len(self.labels()) >= self.most:
            self.most = len(self.labels())
            self.save_picture("hand", self.panel())
        some = [one for one in self.labels() if LAYS.search(one) and not OPENS.search(one)]
        if some and not self.has_opened():
            super().press(some[0])
            self.save_picture("melds", self.panel())


def main() -> int:
    """A lesson and a lobby, then deals against computer players until there is a picture of everything."""
    for old in PICTURES.glob("*.png"):  # the gallery below has a command of its own
        old.unlink()
    with demo() as address, guest(address) as page:
        player = Photographer(page.page)
        player.command("learn", lesson="pile")
        player.save_picture("lesson", player.newest_message("Lesson 5 of 10"))
        player.command("table new")
        player.view_as("Ben")
        player.click("Sit here")
        player.view_as("Anna")
        player.save_picture("lobby", player.newest_message("Table 1 ·"))
        player.view_as("Ben")
        player.click("Leave")
        player.view_as("Anna")
        player.click("Start")
        player.play_deal()
        while not (PICTURES / "melds.png").exists():
            player.press("Next deal")
            player.play_deal()
    return 0


if __name__ == "__main__":
    sys.exit(main())
