"""Make the page of paragraphs: every number that refusals and rule books cite, with its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from bot.engine.moves.actions import PARAGRAPHS
from bot.engine.moves.refusals import Code
from bot.engine.rules.parameters import PARAMETERS
from bot.i18n import words
from bot.i18n.catalogue import placeholders
from cogs.shared.telling.parameter_text import parameter_title
from tests.docs import files_of_paragraphs

LAWS: Final = tuple(key.removeprefix("paragraph_text.") for key in words().entries if key.startswith("paragraph_text."))
"""Every paragraph that has a text, in the catalogue's order."""

INTRODUCTION: Final = (
    "Refusals and the referee name a paragraph. Here is what each is about, the parameters that decide it differently "
    "from rule set to rule set, what is refused by it, and the files of `bot/engine` that decide it; others may read "
    "its parameters on the way, and a search for their names finds them. Numbers that "
    "begin with v are sections on variants. The law in full, with its sources and doubts, stands in "
    "[the classic laws](../law/classic.md) and [the variants](../law/variants.md)."
)


def paragraph_link(paragraph: str) -> str:
    """Return a link to a paragraph on this page."""
    return f"[{paragraph}](paragraphs.md#{_anchor(paragraph)})"


def _anchor(paragraph: str) -> str:
    return f"p{paragraph.replace('.', '-')}"


def cited_paragraphs() -> list[str]:
    """Return every cited paragraph and every paragraph of the rules, in order."""
    found = {*(code.paragraph for code in Code), *PARAGRAPHS.values(), *(one.paragraph for one in PARAMETERS)}
    return sorted({*LAWS, *found}, key=_sort_key)


def _sort_key(paragraph: str) -> tuple[bool, bool, list[int]]:
    variant = paragraph.startswith("v")
    return (
        paragraph.isalpha(),
        variant,
        [int(number) for number in paragraph.removeprefix("v").split(".") if number.isdigit()],
    )


def page_text(origin_note: str) -> str:
    """Return the page of all paragraphs; `origin_note` is the note on how it was made."""
    files = files_of_paragraphs.files_by_paragraph()
    parts = ["# The paragraphs", origin_note, INTRODUCTION]
    parts += ["\n\n".join(_paragraph_lines(paragraph, files)) for paragraph in cited_paragraphs()]
    return "\n\n".join(parts) + "\n"


def _paragraph_lines(paragraph: str, files: Mapping[str, list[str]]) -> Iterator[str]:
    name = words()(f"paragraph.{paragraph}")
    yield f'<a id="{_anchor(paragraph)}"></a>'
    yield f"## § {paragraph} {name[:1].upper()}{name[1:]}"
    yield words()(f"paragraph_text.{paragraph}")
    decided = [one for one in PARAMETERS if one.paragraph == paragraph]
    if decided:
        yield "\n".join(
            f"- **{parameter_title(words(), one.name)}** (`{one.name}`): {_subject_of(one.name)}" for one in decided
        )
    refused = [code for code in Code if code.paragraph == paragraph]
    if refused:
        yield "\n".join(f"- Refused (`{code.value}`): {_refusal_sentence(code.value)}" for code in refused)
    yield f"{_law_link(paragraph)}. Decided in"
    yield "\n".join(_file_text(file, paragraph) for file in files[paragraph])


def _law_link(paragraph: str) -> str:
    """Return a link to the full text of a paragraph; themes have a page of their own."""
    if paragraph == files_of_paragraphs.THEMES:
        return "[In full](themes.md)"
    paper = "variants" if paragraph.startswith("v") else "classic"
    return f"[In full](../law/{paper}.md#{_anchor(paragraph.removeprefix('v'))})"


def _file_text(file: str, paragraph: str) -> str:
    """Return the description of a file that decides a paragraph, with its parameters and refusals."""
    read = [
        one.name
        for one in PARAMETERS
        if one.paragraph == paragraph and one.name in files_of_paragraphs.parameters_used(file)
    ]
    refused = [
        code.value for code in Code if code.paragraph == paragraph and code in files_of_paragraphs.refusal_codes(file)
    ]
    texts = [
        f"{word} {', '.join(f'`{name}`' for name in names)}"
        for word, names in (("reads", read), ("refuses", refused))
        if names
    ]
    subject = "; ".join([files_of_paragraphs.subject_of(file), *texts])
    return f"- [`{file.removeprefix('bot/engine/')}`](../../{file}): {subject}."


def _subject_of(name: str) -> str:
    return words()(f"parameter.{name}.about")


def _refusal_sentence(code: str) -> str:
    """Return the sentence of a refusal with names in place of its numbers."""
    entry = words().entries[f"refusal.{code}"]
    text = entry if isinstance(entry, str) else entry.get("other") or entry["no"]
    values = {name: f"[{name}]" for name in placeholders(text)}
    return text.format_map(values | {"until": " [until]"})  # the sentence has no space before this value
