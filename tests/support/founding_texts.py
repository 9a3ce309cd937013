"""Split the sources of the rules ("founding texts") into sentences, or read their stored beginnings.

The texts are read if they are next to the checkout; ``python -m tests.support.founding_texts`` stores the beginnings of
their sentences again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SEEDS: Final = Path(__file__).parents[3] / "shared" / "seeds"
KEPT: Final = Path(__file__).parents[1] / "data" / "founding-texts.json"

QUOTED: Final = 48
"""Characters of a sentence that are kept; `docs/rules/founding-texts.md` quotes fewer."""

Beginnings = list[tuple[int, str]]
"""The sentences of a text in their order: the number of the line, and how each begins."""

_END: Final = re.compile(r"[.!?;:]+\s+(?=[A-Z'\"(0-9&-])")
_NUMBER: Final = re.compile(r"(?:^|\s)(?:\d+(?:\.[\da-z]+)*|[IVX]+|brktnya|pemain2|60 min|[a-z])\.$")
_ABBREVIATION: Final = re.compile(r"\s(?:tsb|dst|brkt|sbb)\.$")


def load_stored_sentence_beginnings() -> list[Beginnings]:
    """Return the stored beginnings of the sentences of each text."""
    texts: list[list[tuple[int, str]]] = json.loads(KEPT.read_text("utf-8"))
    return [[(line, begins) for line, begins in text] for text in texts]


def read_sentence_beginnings() -> list[Beginnings]:
    """Return the beginnings of the sentences of each text next to the checkout; empty if there is none."""
    texts = [file.read_text("utf-8") for file in sorted(SEEDS.glob("*.txt"))]
    return [[(line, sentence.lstrip("*-• ")[:QUOTED]) for line, sentence in split_sentences(text)] for text in texts]


def split_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield every sentence, heading and table row, with its line number from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, sentence) for sentence in _split_line(line.strip()))


def _split_line(line: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(line):
        sentence = line[start : end.end()].rstrip()
        if end.group().strip() == ":" or _is_abbreviation_or_number(sentence):
            continue
        yield sentence
        start = end.end()
    if line[start:].strip():
        yield line[start:].strip()


def _is_abbreviation_or_number(sentence: str) -> bool:
    """Return whether the full stop belongs to a number at the start of a sentence, or to an abbreviation."""
    return (len(sentence) < 20 and _NUMBER.search(sentence) is not None) or _ABBREVIATION.search(sentence) is not None


if __name__ == "__main__":
    lines = [
        ",\n".join(f"  {json.dumps(one, ensure_ascii=False)}" for one in text) for text in read_sentence_beginnings()
    ]
    KEPT.write_text("[[\n" + "\n], [\n".join(lines) + "\n]]\n", encoding="utf-8")
