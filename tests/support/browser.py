"""Find the Chromium that tests of pages use, and skip those tests if there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")

CHROMIUM: Final = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
"""The path of Chromium, or None; the variable CHROMIUM can name one outside PATH."""

MISSING: Final = "no Chromium: install one (on Debian: apt-get install chromium) or set CHROMIUM=/path/to/it"

needs_chromium: Final = pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason=MISSING)
"""The mark of every test in a browser: skip without Chromium, but under CI=true fail."""


@contextmanager
def start_chromium() -> Iterator[Browser]:
    """Yield a running Chromium, closed at the end.

    Until it is closed, this thread cannot run its own event loop.
    """
    if CHROMIUM is None:
        raise RuntimeError(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
