"""The founding texts as sentences, where they are kept beside the checkout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SEEDS: Final = Path(__file__).parents[3] / "shared" / "seeds"

_END: Final = re.compile(r"[.!?;:]+\s+(?=[A-Z'\"(0-9&-])")
_NUMBER: Final = re.compile(r"(?:^|\s)(?:\d+(?:\.[\da-z]+)*|[IVX]+|brktnya|pemain2|60 min|[a-z])\.$")
_ABBREVIATION: Final = re.compile(r"\s(?:tsb|dst|brkt|sbb)\.$")


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Every sentence, heading and row of a table, with the number of its line from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, sentence) for sentence in _of_line(line.strip()))


def _of_line(line: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(line):
        sentence = line[start : end.end()].rstrip()
        if end.group().strip() == ":" or _is_no_end(sentence):
            continue
        yield sentence
        start = end.end()
    if line[start:].strip():
        yield line[start:].strip()


def _is_no_end(sentence: str) -> bool:
    """Whether the full stop belongs to a number before a sentence, or to a word that is cut short."""
    return (len(sentence) < 20 and _NUMBER.search(sentence) is not None) or _ABBREVIATION.search(sentence) is not None
