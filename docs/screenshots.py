"""Takes the pictures in docs/pictures from the running demo: `make pictures`.

Needs a Chromium (`CHROMIUM=/path/to/it` if it is not found by itself). A `Guest` sits in front of the demo's page and
does what a person does: choose who to be, type a command, click a button, choose from a menu, take a picture.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

PICTURES = Path(__file__).parent / "pictures"
PATIENCE = 60_000  # milliseconds until something that does not show up is missed


class Guest:
    """A person in front of the demo's page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.settle()

    def settle(self) -> None:
        """Wait until the page shows what it was told last."""
        self.page.locator("#preview-app[aria-busy=false]").wait_for(state="attached")

    def view_as(self, name: str) -> None:
        """Become another viewer."""
        self.page.locator("#viewer-picker").select_option(label=name)
        self.settle()

    def command(self, name: str, /, **options: object) -> None:
        """Run a slash command, as `command("table new", players=4)`."""
        composer = self.page.locator("#channel-composer-input")
        composer.click()
        composer.press_sequentially(f"/{name}", delay=10)
        self.page.locator(".command-popup [role=option]").first.wait_for()
        composer.press("Enter")
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
        self.settle()

    def message(self, text: str) -> Locator:
        """The newest message that says `text`."""
        return self.page.locator(".channel-message", has_text=text).last

    def click(self, label: str) -> None:
        """Press the newest button of that name."""
        self.page.locator(".component-button:not([disabled])", has_text=label).last.click()
        self.settle()

    def choose(self, menu: str, *labels: str) -> None:
        """Open the newest menu that says `menu`, choose what is named, and close it."""
        key = self.page.locator(".select-trigger", has_text=menu).last.get_attribute("data-control-key")
        trigger = self.page.locator(f".select-trigger[data-control-key='{key}']")
        trigger.click()
        for label in labels:
            self.page.locator(".select-list:not([hidden]) .select-option", has_text=label).first.click()
        if self.page.locator(".select-list:not([hidden])").count():
            trigger.click()
        self.settle()

    def picture(self, name: str, message: Locator) -> None:
        """Keep what one message looks like, its images loaded."""
        message.wait_for()
        for image in message.locator("img").all():
            expect(image).to_have_js_property("complete", value=True)
        self.page.mouse.move(0, 0)  # away from the message, which shows a toolbar under the pointer
        PICTURES.mkdir(exist_ok=True)
        message.screenshot(path=PICTURES / f"{name}.png")


@contextmanager
def demo(*, pace: float = 0.3) -> Iterator[str]:
    """A demo of its own, on any free port and with a database that is gone afterwards; its address."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"CANASTA_DATABASE": str(Path(folder) / "c.db"), "CANASTA_COMPUTER_PACE": str(pace)}
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
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        one = Guest(page)
        one.open(address)
        yield one
        browser.close()
