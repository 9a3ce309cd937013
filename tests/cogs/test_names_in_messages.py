"""Names of any characters are read as they are in every sentence, and change nothing around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Final

import discord
import pytest

from bot.i18n import locales, words
from bot.i18n.catalogue import Entry
from bot.tables.state.table import LONGEST, clean_name
from cogs.shared.telling.names import escape_name
from tests.support import discord_markdown
from tests.support.seeds import SEARCHING, seeds

NAMES: Final = frozenset(
    [
        *("name", "names", "who", "host", "partner", "master", "person", "persons", "seated", "first", "second"),
        *("others", "entries", "entry", "side", "sides", "theirs", "asking", "title", "text", "reason", "winner"),
        *("rules", "north", "east", "awaited", "word", "server", "answer", "game", "value"),
    ]
)
"""Placeholders of sentences that stand for typed text."""

PARTS: Final = 20 if SEARCHING else 1

MANY: Final = 5_000 if SEARCHING else 400
"""Number of names tried in each part of the test."""

SIGNS: Final = "\\`*_~|[]()<>#:-+.@!&/=\"'{}$%^,;? ·aAzé字1😀\u200b\n"

NASTY: Final = (
    "[a](||)", "||x||", "`", "```", "**", "__x__", "~~x~~", "<@123>", "@everyone", "<#1>", "<t:1:R>", ":smile:",
    "# x", "-# x", "- x", "1. x", "> x", ">>> x", "https://x.y/z", "discord.gg/abc", "<https://x.y>", "[x](https://y.z)",
    "\\", "\\\\", "*", "_", "a_b_c", "x*", "[", "](", ")", "<", "</x:1>", "+ x", "@here", "a\\", "|", "a|",
)  # fmt: skip

PLAIN: Final = "Zzyzx"


@cache
def sentences_with_names() -> tuple[str, ...]:
    """Return all sentences of all languages that contain a name; other placeholders are filled in."""
    found = set()
    for locale in locales():
        for said in words(locale).entries.values():
            found |= {text for text in _sentences_of_entry(said) if NAMES & set(re.findall(r"\{(\w+)\}", text))}
    return tuple(sorted(re.sub(r"\{(\w+)\}", lambda one: PLAIN if one[1] in NAMES else "7", one) for one in found))


def _sentences_of_entry(said: Entry) -> Iterator[str]:
    yield from (said,) if isinstance(said, str) else said.values()


def hostile_names(part: int) -> Iterator[str]:
    yield from NASTY
    random = Random(seeds(1)[0] + part)
    for _ in range(MANY - len(NASTY)):
        parts = [random.choice((random.choice(SIGNS), random.choice(NASTY))) for _ in range(random.randint(1, 9))]
        yield "".join(parts)


def misread_names(escape: Callable[[str], str], part: int = 0) -> list[tuple[str, str]]:
    """Return names that cannot be read as they are in a sentence, or that change it, with the sentence."""
    random, found = Random(part), []
    for name in hostile_names(part):
        sentence = random.choice(sentences_with_names())
        plain, as_read = discord_markdown.visible_characters(sentence), clean_name(name)
        wanted = "".join(one for one, _ in plain).replace(PLAIN, as_read)
        told = discord_markdown.visible_characters(sentence.replace(PLAIN, escape(name)))
        read = "".join(one for one, _ in told).replace("\u200b", "")
        styles = {inside for _, inside in told}
        if read != wanted or not styles <= {inside for _, inside in plain}:
            found.append((name, sentence))
    return found


def name_escaped_by_library(name: str) -> str:
    escaped = discord.utils.escape_markdown(clean_name(name), ignore_links=False)
    return escaped.replace("@", "@\u200b").replace("<", "\\<\u200b").replace("://", ":\u200b//")


@pytest.mark.parametrize("part", range(PARTS))
def test_every_name_is_read_as_it_is_and_changes_no_sentence(part: int) -> None:
    assert [] == misread_names(escape_name, part)


def test_the_librarys_own_escaping_would_not_be_enough() -> None:
    """This shows that the test above can fail, with the escaping of discord.py."""
    assert misread_names(name_escaped_by_library)


@pytest.mark.parametrize("locale", locales())
def test_no_sentence_has_a_name_where_nothing_can_be_escaped(locale: str) -> None:
    """In a spoiler, a link's text or code, a backslash is shown or has no effect."""
    names = "|".join(sorted(NAMES))
    enclosed = re.compile(
        rf"\|\|[^|]*\{{({names})\}}[^|]*\|\||\[[^\]]*\{{({names})\}}[^\]]*\]\(|`[^`]*\{{({names})\}}[^`]*`|~~[^~]*\{{({names})\}}"
    )
    told = {key: part for key, said in words(locale).entries.items() for part in _sentences_of_entry(said)}
    assert {} == {key: said for key, said in told.items() if enclosed.search(said)}


def test_a_name_is_no_longer_than_allowed_before_it_is_escaped() -> None:
    assert escape_name("*" * 100) == "\\*" * LONGEST
