"""Which files of the engine decide a paragraph of the law: those whose first docstring cites it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.docs.citations import ROOT, Citation, Text, citations

THEMES: Final = "themes"

NOTHING_DECIDES: Final[Mapping[str, str]] = {
    "1.2": "who sits where is chosen in the lobby, before there are rules",
    "2": "each form is a record of parameters, told by 2.1 to 2.4",
    "v3.7": "the classic game under another name",
}
"""Paragraphs that no file of the engine decides, and why."""


def files() -> dict[str, list[str]]:
    """The files by the paragraph that they decide, as refusals name it; paths from the root of the project."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "bot" / "engine").rglob("*.py")):
        for paragraph in paragraphs_of(file):
            found.setdefault(paragraph, []).append(file.relative_to(ROOT).as_posix())
    return found


def paragraphs_of(file: Path) -> list[str]:
    """The paragraphs that a module's first docstring cites, each once."""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    cited = [name for one in citations(Text(file, " ".join(docstring.split()))) for name in _names(one)]
    return list(dict.fromkeys(cited))


def _names(citation: Citation) -> tuple[str, ...]:
    match citation.path:
        case "docs/law/classic.md":
            return citation.numbers
        case "docs/law/variants.md":
            return tuple(f"v{number}" for number in citation.numbers)
        case "docs/rules/themes.md":
            return (THEMES,)
    return ()
