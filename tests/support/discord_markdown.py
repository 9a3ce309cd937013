"""Discord's Markdown as a reader sees it: each visible character with its formatting.

The rules are those of Discord's parser (discord/SimpleAST and the rules that its clients add): a backslash makes the
punctuation after it plain, except inside of what spoilers, strikethrough, links and code enclose.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

Shown: TypeAlias = list[tuple[str, frozenset[str]]]

_BLOCKS: Final = (
    ("heading", re.compile(r"(?:#{1,3}|-#) +([^\n]+)")),
    ("list", re.compile(r" *(?:[-*+]|\d+\.) +([^\n]*)")),
    ("quote", re.compile(r">(?:>>)? ([^\n]*)")),
)
"""Patterns of markup at the start of a line."""

_INLINE: Final = (
    ("code", re.compile(r"```([\s\S]+?)```|(`+)([\s\S]*?[^`])\2(?!`)")),
    ("spoiler", re.compile(r"\|\|([\s\S]+?)\|\|")),
    ("bold", re.compile(r"\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)")),
    ("underlined", re.compile(r"__((?:\\[\s\S]|[^\\])+?)__(?!_)")),
    ("italic", re.compile(r"_((?:__|\\[\s\S]|[^\\_])+?)_(?![0-9A-Za-z_])")),
    ("italic", re.compile(r"\*(?=\S)((?:\*\*|\\[\s\S]|\s+(?:\\[\s\S]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)")),
    ("struck", re.compile(r"~~([\s\S]+?)~~")),
    ("link", re.compile(r"\[((?:\\.|[^\[\]\\])*)\]\(\s*<?(?:\\.|[^\s\\])*?>?\s*\)")),
    ("mark", re.compile(r"<(?:@[!&]?\d+|#\d+|t:-?\d+(?::\w)?|a?:\w+:\d+|/[\w -]+:\d+|id:\w+|https?://[^>\s]+)>")),
    ("mark", re.compile(r"@(?:everyone|here)\b")),
    ("mark", re.compile(r":\w+:")),
    ("address", re.compile(r"https?://[^\s<]+|discord\.gg/\w+")),
)
"""Patterns of markup anywhere in a line, in the order in which they are tried."""

_BEGINS: Final = frozenset("`|*_~[<@:hd")

_WHOLE: Final = ("code", "mark", "address")
"""Formats whose content is not parsed any further."""


def visible_characters(text: str) -> Shown:
    """Return each visible character with the names of the formats that apply to it."""
    return _parse_formats(text, frozenset(), starts_line=True)


def _parse_formats(text: str, inside: frozenset[str], *, starts_line: bool) -> Shown:
    found: Shown = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and re.match(r"[^0-9A-Za-z\s]", text[at + 1 : at + 2]):
            found.append((text[at + 1], inside))
            at, starts_line = at + 2, False
            continue
        rules = (*_BLOCKS, *_INLINE) if starts_line else _INLINE if text[at] in _BEGINS else ()
        name, match = next(
            ((name, match) for name, rule in rules if (match := rule.match(text, at)) is not None), ("", None)
        )
        if match is None:
            found.append((text[at], inside))
            starts_line = text[at] == "\n"
            at += 1
            continue
        if name in _WHOLE:
            found += [(one, inside | {name}) for one in match[0]]
        else:
            found += _parse_formats(match[1], inside | {name}, starts_line=False)
        at, starts_line = match.end(), False
    return found
