"""Every citation in code, data and documents leads to an existing file and paragraph."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.docs import citations
from tests.docs.citations import LINK, PATH, ROOT, SENTENCE, Citation, ProjectText

LAW: Final = ROOT / "docs" / "law" / "classic.md"
FOUNDING: Final = ROOT / "docs" / "rules" / "founding-texts.md"


def find_fault(citation: Citation, file: Path) -> str | None:
    """Return what is wrong with a citation; None if nothing is."""
    paper = citations.resolve_path(citation.path, file)
    if paper is None:
        return f"{citation.where}: no {citation.path}"
    lacking = citations.missing_paragraphs(citation, paper)
    return f"{citation.where}: {citation.path} has no {', '.join(lacking)}" if lacking else None


def test_every_cited_document_and_paragraph_exists() -> None:
    found = [
        find_fault(citation, text.file)
        for text in citations.project_texts()
        for citation in citations.citations_in(text)
    ]
    assert [] == [one for one in found if one]


def test_every_path_that_is_named_exists() -> None:
    assert [] == [
        f"{text.path_from_root}: {path}"
        for text in citations.project_texts()
        for path in PATH.findall(text.text)
        if not citations.is_project_path(path) and citations.resolve_path(path, text.file) is None
    ]


def broken_links(text: ProjectText) -> list[str]:
    """Return the links in a document that lead nowhere."""
    broken = []
    for path, anchor in LINK.findall(text.text):
        target = (text.file.parent / path).resolve() if path else text.file
        known = target.exists() and target.is_relative_to(ROOT)
        if not known or (anchor and anchor not in citations.anchors_of(target)):
            broken.append(f"{text.path_from_root}: {path}#{anchor}")
    return broken


def test_every_link_of_a_document_leads_somewhere() -> None:
    assert [] == [one for text in citations.project_texts() if text.file.suffix == ".md" for one in broken_links(text)]


def test_every_cited_sentence_of_the_indonesian_text_is_quoted() -> None:
    message = FOUNDING.read_text(encoding="utf-8")
    assert [] == [
        f"{text.path_from_root}: S0 {number}"
        for text in citations.project_texts()
        for number in SENTENCE.findall(text.text)
        if not re.search(rf"\| {re.escape(number)}[. ]", message)
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("as `docs/law/classic.md 1.14, 1.15` says", ("docs/law/classic.md", ("1.14", "1.15"))),
        ("(`docs/tournaments.md` 1.5, 2; 8, case 3)", ("docs/tournaments.md", ("1.5", "2", "8"))),
        ("`docs/law/variants.md A.1`, `wild_lock`", ("docs/law/variants.md", ("A.1",))),
        ("`docs/law/classic.md` 1.1–1.7 as far as", ("docs/law/classic.md", ("1.1", "1.7"))),
        ("(`docs/law/classic.md H43`): once", ("docs/law/classic.md", ("H43",))),
        ("(`docs/shuffle.md`)", ("docs/shuffle.md", ())),
    ],
)
def test_citations_are_parsed(written: str, expected: tuple[str, tuple[str, ...]]) -> None:
    (found,) = citations.citations_in(ProjectText(LAW, written))
    assert expected == (found.path, found.numbers)


def test_a_citation_of_a_missing_document_or_paragraph_is_found() -> None:
    assert "docs/law/classic.md: no docs/law/chess.md" == find_fault(
        Citation("docs/law/classic.md", "docs/law/chess.md", ()), LAW
    )
    (found,) = citations.citations_in(ProjectText(LAW, "`classic.md 1.99`"))
    assert "docs/law/classic.md: classic.md has no 1.99" == find_fault(found, LAW)
