"""Find the engine files that decide a paragraph of the rules: their first docstring cites it."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Final

from bot.engine.moves.refusals import Code
from tests.docs.citations import ROOT, Citation, ProjectText, citations_in

THEMES: Final = "themes"


def files_by_paragraph() -> dict[str, list[str]]:
    """Return by paragraph the paths, from the project's root, of the engine files that decide it."""
    found: dict[str, list[str]] = {}
    for file in sorted((ROOT / "bot" / "engine").rglob("*.py")):
        name = file.relative_to(ROOT).as_posix()
        for paragraph in paragraphs_of(name):
            found.setdefault(paragraph, []).append(name)
    return found


def paragraphs_of(file: str) -> list[str]:
    """Return the paragraphs that a module's docstring cites, without repetitions."""
    cited = [
        name for one in citations_in(ProjectText(ROOT / file, _first_docstring(file))) for name in _paragraph_names(one)
    ]
    return list(dict.fromkeys(cited))


def subject_of(file: str) -> str:
    """Return the first sentence of a module's docstring, without citations."""
    sentence = re.match(r"(.*?)\.(?: |$)", _first_docstring(file))
    assert sentence, file
    return re.sub(r" \([^()]*\.md[^()]*\)", "", sentence[1])


@cache
def parameters_used(file: str) -> frozenset[str]:
    """Return the attributes that a module reads, parameters among them, and those listed after "Reads"."""
    listed = re.findall(r"\bReads (`[^.]*`)\.", _first_docstring(file))
    asked = [node.attr for node in ast.walk(ast.parse(_source_text(file))) if isinstance(node, ast.Attribute)]
    return frozenset([*asked, *(name for names in listed for name in re.findall(r"`(\w+)`", names))])


def refusal_codes(file: str) -> frozenset[Code]:
    """Return the codes of refusals that a module mentions."""
    return frozenset(Code[name] for name in re.findall(r"\bCode\.([A-Z]\w*)", _source_text(file)))


@cache
def _source_text(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


@cache
def _first_docstring(file: str) -> str:
    """Return the first docstring of a module in one line."""
    return " ".join((ast.get_docstring(ast.parse(_source_text(file))) or "").split())


def _paragraph_names(citation: Citation) -> tuple[str, ...]:
    match citation.path:
        case "docs/law/classic.md":
            return citation.numbers
        case "docs/law/variants.md":
            return tuple(f"v{number}" for number in citation.numbers)
        case "docs/rules/themes.md":
            return (THEMES,)
    return ()
