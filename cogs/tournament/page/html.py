"""Building blocks for all parts of the page: escaped texts, numbers, times and sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from bot.i18n import Words
from bot.tables.state.table import clean_name
from bot.tournaments.counted_results import Course
from bot.tournaments.export.export_input import ExportInput

Json = Mapping[str, Any]

HUNDREDTHS: Final = 100
"""Victory points are stored in hundredths."""

LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class PageSource:
    """Everything that the page is built from: catalogue, the tournament's data, and replays as HTML.

    `names` maps entry numbers to plain texts. `replays` is keyed by match and number of the deal or board; for a board
    played in two rooms the text contains both replays.
    """

    words: Words
    material: ExportInput
    document: Json
    course: Course
    names: Mapping[int, str]
    replays: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def entry_html(self, entry: int) -> str:
        """Return the name of an entry as HTML."""
        return name_html(self.names[entry])

    def entries_html(self, entries: Iterable[int]) -> str:
        """Return the names of a side's entries as HTML."""
        return name_html(" & ".join(self.names[one] for one in entries))

    def figure_text(self, value: float | None) -> str:
        """Return a figure as text, a dash for None."""
        return "–" if value is None else number_text(self.words, value)

    def points_text(self, value: float | None) -> str:
        """Return points as text; a dash for None, victory points with two decimals."""
        duplicate = self.document["event"]["duplicate"]
        if value is None:
            return "–"
        if duplicate is None:
            return number_text(self.words, value)
        scoring = duplicate["scoring"]
        if scoring == "imp_vp":
            return number_text(self.words, value / HUNDREDTHS, places=2)
        text = number_text(self.words, value, places=2)
        return f"{text} %" if scoring == "mp" else text


def escape_html(text: str) -> str:
    """Return a text escaped for HTML, without characters that reorder or hide letters."""
    return escape(clean_name(text, nameless="", longest=4000))


def name_html(text: str) -> str:
    """Return a name as HTML that isolates its writing direction."""
    return f"<bdi>{escape(clean_name(text, longest=LONGEST))}</bdi>"


def number_text(words: Words, value: float, *, places: int = 1) -> str:
    """Return a number with the language's minus and decimal signs; integers without decimals."""
    text = f"{value:,.0f}" if value == int(value) else f"{value:,.{places}f}"
    marks = str.maketrans({",": words.language.thousands, ".": words.language.decimal, "-": "−"})
    return text.translate(marks)


def time_html(milliseconds: int) -> str:
    """Return a time in UTC as HTML; the page's script converts it to the reader's time zone."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f'<time datetime="{at:%Y-%m-%dT%H:%M:%SZ}">{at:%Y-%m-%d %H:%M} UTC</time>'


def section_html(anchor: str, title: str, *parts: str) -> str:
    """Return a section with a heading as HTML, or "" if it has no content."""
    inside = "".join(parts)
    return f'<section id="{anchor}"><h2>{escape_html(title)}</h2>{inside}</section>' if inside else ""


def foldable_block(title: str, *parts: str, kind: str = "", opened: bool = False) -> str:
    """Return as HTML a block that opens on a click; `title` is HTML."""
    marks = f' class="{kind}"' if kind else ""
    state = " open" if opened else ""
    return f"<details{marks}{state}><summary>{title}</summary>{''.join(parts)}</details>"
