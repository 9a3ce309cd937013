"""Take the pictures in docs/pictures from the running demo, for `make pictures`.

This needs a Chromium, which `tests/support/browser.py` finds. A `Guest` works with the demo's page like a person:
choose whom to be, type a command, click a button, choose from a menu, take a picture.
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

from tests.support.browser import start_chromium

PICTURES = Path(__file__).parent / "pictures"
PATIENCE = 15_000  # milliseconds to wait for an element of the page before the run fails

TRIES = 10

SETTLED = """() => {
    const page = window.simcordPreview;
    if (!page || !page.ready || page.pendingAction || page.awaitingRevision !== null) return false;
    const outcomes = page.lastAction?.outcomes ?? [];
    if (outcomes.length !== 1 || outcomes[0].kind !== "deferred") return true;
    // A slow bot has only acknowledged the action. Its answer follows, unless it has deleted the acknowledgement.
    const thinking = outcomes[0].messageId;
    return Boolean(thinking) && !document.querySelector(`#channel-message-list [data-message-id="${thinking}"]`);
}"""


class Guest:
    """A visitor of the demo's page, with methods for what a person can do there."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.wait_until_settled()

    def wait_until_settled(self) -> None:
        """Wait until the page shows the result of the last action and accepts another one."""
        self.page.wait_for_function(SETTLED)

    def wait_briefly(self, tries: int = 10) -> None:
        """Wait as `wait_until_settled`, but give up after a while.

        While other members play without a pause, the page may never settle.
        """
        for _ in range(tries):
            self.page.wait_for_timeout(300)
            if self.page.evaluate(f"({SETTLED})()"):
                return

    def pass_time(self, *, days: int = 0, hours: int = 0, tens: int = 0) -> None:
        """Set the demo's clock forward with the buttons above the channel.

        `tens` is a number of ten-minute steps.
        """
        for label in ["+1 day"] * days + ["+1 hour"] * hours + ["+10 minutes"] * tens:
            button = self.page.locator(".passing-time button", has_text=label)
            button.click()
            expect(button).to_be_enabled()
        self.wait_until_settled()

    def view_as(self, name: str) -> None:
        """View the page as the member of that name."""
        self.page.locator("#viewer-picker").select_option(label=name)
        self.wait_until_settled()

    def command(self, name: str, /, **options: object) -> None:
        """Run a slash command, such as `command("table new", players=4)`."""
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
        """Return the newest message that contains `text`."""
        return self.page.locator(".channel-message", has_text=text).last

    def click(self, label: str) -> None:
        """Click the newest button with that label."""
        self.page.locator(".component-button[aria-disabled=false]", has_text=label).last.click()
        self.wait_until_settled()

    def fill_form(self, label: str, text: str) -> None:
        """Click the newest button with that label, which opens a form, and submit the form with `text`."""
        self.click(label)
        form = self.page.locator(".modal-dialog")
        form.locator("input, textarea").first.fill(text)
        form.locator("button", has_text="Submit").click()
        expect(form).to_have_count(0)
        self.wait_until_settled()

    def choose(self, menu: str, *labels: str) -> None:
        """Choose the options with these labels from the newest menu that contains the text `menu`."""
        self._choose_in_menu(
            menu, [self.page.locator(".option-label").get_by_text(label, exact=True) for label in labels]
        )

    def choose_values(self, menu: str, *values: str) -> None:
        """Choose the options with these values from the newest menu that contains the text `menu`.

        A value identifies an option even where the labels are equal; players do not see it.
        """
        self._choose_in_menu(menu, [self.page.locator(f".select-option[data-value='{value}']") for value in values])

    def choose_last(self, value: str) -> None:
        """Choose the option with that value from the newest menu of the page."""
        key = self.page.locator(".select-trigger").last.get_attribute("data-control-key")
        self._choose_in_menu_with_key(key, [self.page.locator(f".select-option[data-value='{value}']")])

    def _choose_in_menu(self, menu: str, choices: list[Locator]) -> None:
        key = self.page.locator(".select-trigger", has_text=menu).last.get_attribute("data-control-key")
        self._choose_in_menu_with_key(key, choices)

    def _choose_in_menu_with_key(self, key: str | None, choices: list[Locator]) -> None:
        trigger = self.page.locator(f".select-trigger[data-control-key='{key}']")
        opened = self.page.locator(f"[data-control-key='{key}:list']:not([hidden])")
        while not opened.count():  # the menu closes if the page is published meanwhile
            trigger.click()
            self.page.wait_for_timeout(300)
        for choice in choices:
            opened.locator(choice).first.click()
        for _ in range(TRIES):  # a click that comes during another action is lost, and the menu stays open
            if not opened.count():
                break
            trigger.click()
            self.wait_until_settled()
        self.wait_until_settled()

    def save_picture(self, name: str, message: Locator) -> None:
        """Save a picture of one message as `name`.png, without its author and toolbar.

        Before that, wait until the message's images are loaded.
        """
        message.wait_for()
        for image in message.locator("img").all():
            expect(image).to_have_js_property("complete", value=True)
            expect(image).not_to_have_js_property("naturalWidth", 0)  # a replaced image can be complete but empty
        PICTURES.mkdir(exist_ok=True)
        taken = Image.open(io.BytesIO(message.locator(".component-container").last.screenshot()))
        # A palette halves the size of the file, and the difference cannot be seen.
        taken.convert("RGB").quantize(256).save(PICTURES / f"{name}.png", optimize=True)


@contextmanager
def run_demo(folder: Path | None = None, *, pace: float = 0.3) -> Iterator[str]:
    """Run a demo of its own on a free port, and yield its address.

    Its database is deleted afterwards, except in a given `folder`, where it is the file `c-demo.db`.
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
def visit_demo(address: str, *, width: int = 1000, height: int = 1400) -> Iterator[Guest]:
    """Open the demo's page in a browser window of that size, and yield its visitor."""
    with start_chromium() as browser:
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
    """A visitor who plays a game by the buttons of the private panel, chosen by their labels.

    `touches` is the number of buttons clicked.
    """

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.touches = 0

    def panel(self) -> Locator:
        return self.page.locator(".channel-message", has_text="Only you can see this").last

    def board(self) -> Locator:
        """Return the message that shows the table."""
        return self.page.locator(".channel-message", has_text="My hand").last

    def score_sheet(self) -> Locator:
        """Return the message with the score sheet of the last deal."""
        return self.page.locator(".channel-message", has_text=re.compile(r"Deal \d+ can now be checked")).last

    def panel_title(self) -> str:
        """Return the panel's title, which says what to do now; empty if there is none."""
        heading = self.panel().locator("h3")
        return heading.first.inner_text() if heading.count() else ""

    def buttons(self) -> Locator:
        """Return the panel's enabled buttons; there are none while the page changes."""
        return self.panel().locator(".component-button[aria-disabled=false]")

    def labels(self) -> list[str]:
        """Return the labels of the panel's enabled buttons, once the page accepts an action."""
        self.wait_until_settled()
        return self.buttons().all_inner_texts()

    def has_button(self, label: str) -> bool:
        """Return whether the panel has an enabled button with that label."""
        return label in self.labels()

    def press(self, label: str) -> None:
        """Click the panel's button with exactly that label."""
        exactly = re.compile(f"^{re.escape(label)}$")
        self.buttons().filter(has_text=exactly).last.click()
        self.wait_until_settled()
        self.touches += 1

    def wait_for_turn(self) -> bool:
        """Wait until the panel asks the player to act; return False if the deal is over instead."""
        heading = self.panel().locator("h3").first
        expect(heading).to_be_visible()
        expect(heading).not_to_have_text(WAITS)
        return not ENDED.match(self.panel_title())

    def menu_options(self, menu: str) -> list[str]:
        """Return the labels of the options in the panel's menu that contains the text `menu`."""
        trigger = self.panel().locator(".select-trigger", has_text=menu)
        if not trigger.count():
            return []
        key = trigger.get_attribute("data-control-key")
        texts = self.page.locator(f"[data-control-key='{key}:list'] .option-label").all_text_contents()
        return [text.strip() for text in texts]

    def next_button(self) -> str:
        """Return the label of the button that a simple player clicks next; empty if there is none."""
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
        """Return the label of a button that melds naturals; empty if there is none.

        It is also empty before the side has opened.
        """
        natural = (one for one in labels if LAYS.search(one) and not {"2", "Joker"} & set(one.split()))
        return next(natural, "") if self.has_opened() else ""

    def has_opened(self) -> bool:
        return not self.panel().locator("img[alt*='First meld needs']").count()

    def discard_button(self, labels: list[str]) -> str:
        """Return the label of a button that discards a card of little use; empty if there is none.

        It prefers naturals to wild cards and single cards to pairs, and of these the last. If there is a button to
        discard a chosen card, to pass or to put back, but none for a card, it returns that one.
        """
        those = [label for label in labels if DISCARDS.match(label)]
        instead = [label for label in labels if label.startswith("Discard ") or label in ("Pass", "Put back")]
        natural = [label for label in those if label.split()[0] not in ("2", "Joker")] or those
        single = [label for label in natural if "×" not in label] or natural
        return [*instead, *single][-1] if instead or single else ""

    def is_asking(self) -> bool:
        """Return whether the panel asks the player to act."""
        return not WAITS.match(self.panel_title()) and not ENDED.match(self.panel_title())

    def play_turn(self) -> None:
        """Play the turn to its end by buttons, while the panel asks the player to act."""
        while self.is_asking():
            expect(self.buttons().first).to_be_visible()
            label = self.next_button()
            assert label, f"nothing to press: {self.panel().inner_text()}"
            self.press(label)


class Photographer(Player):
    """A player who saves pictures of a game, and of each kind keeps the last one.

    Of the hand it keeps the picture with the most buttons.
    """

    most = 0

    def play_deal(self) -> None:
        """Play a deal to its end, and save pictures of the board and of the score."""
        while self.wait_for_turn():
            self.save_picture("board", self.board())
            self.play_turn()
        self.save_picture("score", self.score_sheet())

    def press(self, label: str) -> None:
        super().press(label)
        if label != "Draw" or self.panel_title() != "Lay, or discard":
            return
        if len(self.labels()) >= self.most:
            self.most = len(self.labels())
            self.save_picture("hand", self.panel())
        some = [one for one in self.labels() if LAYS.search(one) and not OPENS.search(one)]
        if some and not self.has_opened():
            super().press(some[0])
            self.save_picture("melds", self.panel())


def main() -> int:
    """Take pictures of a lesson and a lobby, then of deals with computer players; return 0.

    Deals are played until there is a picture of melds.
    """
    for old in PICTURES.glob("*.png"):  # pictures in subfolders are made by another command
        old.unlink()
    with run_demo() as address, visit_demo(address) as page:
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
