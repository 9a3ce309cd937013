"""What every part of the page is written with: texts made safe, numbers, instants, tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from bot.i18n import Words
from bot.tables.state.table import clean_name
from bot.tournaments.course import Course
from bot.tournaments.export.material import Material

Json = Mapping[str, Any]

HUNDREDTHS: Final = 100
"""Victory points are counted in hundredths."""

LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class PageSource:
    """What the page is made from: words, the material, the document of it, and replays of deals by match, as HTML.

    `names` are plain texts by the numbers of entries. A replay goes by its match and the number of its deal or board;
    a board that a match of teams plays in two rooms has both replays after each other.
    """

    words: Words
    material: Material
    document: Json
    course: Course
    names: Mapping[int, str]
    replays: Mapping[tuple[int, int], str] = field(default_factory=dict)

    def entry(self, number: int) -> str:
        """The name of an entry."""
        return name(self.names[number])

    def entries(self, numbers: Iterable[int]) -> str:
        """The names of the entries of a side."""
        return name(" & ".join(self.names[one] for one in numbers))

    def figure(self, value: float | None) -> str:
        """A figure as it is shown: a dash for none."""
        return "–" if value is None else number(self.words, value)

    def points(self, value: float | None) -> str:
        """Points as they are shown: a dash for none, victory points with their hundredths."""
        duplicate = self.document["event"]["duplicate"]
        if value is None:
            return "–"
        if duplicate is None:
            return number(self.words, value)
        scoring = duplicate["scoring"]
        if scoring == "imp_vp":
            return number(self.words, value / HUNDREDTHS, places=2)
        shown = number(self.words, value, places=2)
        return f"{shown} %" if scoring == "mp" else shown


def text(said: str) -> str:
    """Any text, made safe: nothing in it is markup, and what reorders or hides letters is taken out."""
    return escape(clean_name(said, nameless="", longest=4000))


def name(said: str) -> str:
    """A name, which keeps its own direction to itself."""
    return f"<bdi>{escape(clean_name(said, longest=LONGEST))}</bdi>"


def number(words: Words, value: float, *, places: int = 1) -> str:
    """A figure with the minus sign and the decimal sign of the language; whole ones without places."""
    shown = f"{value:,.0f}" if value == int(value) else f"{value:,.{places}f}"
    marks = str.maketrans({",": words.language.thousands, ".": words.language.decimal, "-": "−"})
    return shown.translate(marks)


def instant(milliseconds: int) -> str:
    """An instant in UTC; the page's script shows it in the reader's own time."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return f'<time datetime="{at:%Y-%m-%dT%H:%M:%SZ}">{at:%Y-%m-%d %H:%M} UTC</time>'


def section(anchor: str, title: str, *parts: str) -> str:
    """A part of the page with a heading; nothing where nothing is in it."""
    inside = "".join(parts)
    return f'<section id="{anchor}"><h2>{text(title)}</h2>{inside}</section>' if inside else ""


def folded(title: str, *parts: str, kind: str = "", opened: bool = False) -> str:
    """Something that is opened by a touch; `title` is HTML."""
    marks = f' class="{kind}"' if kind else ""
    state = " open" if opened else ""
    return f"<details{marks}{state}><summary>{title}</summary>{''.join(parts)}</details>"
