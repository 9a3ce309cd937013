"""Write the rule books, a page of ``docs/rules`` for every rule set, from the data.

Run ``python -m tests.docs.rulebook``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import BY_NAME, PARAMETERS, Parameter, ValueType, parameters_of_topic
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import NOTES, RULE_SETS
from bot.i18n import words
from cogs.shared.telling.parameter_text import parameter_title, value_in_rules, value_text
from tests.docs import paragraphs_page, penalties_page, themes_page

FOLDER: Final = Path(__file__).parents[2] / "docs" / "rules"
WRITTEN_BY_HAND: Final = frozenset({"founding-texts.md"})
MADE: Final = "<!-- Made by `make rulebook` from bot/engine/rules/sets and bot/i18n: what is changed here is lost. -->"
SAY: Final = words()
FORM_COLUMNS: Final = ("hand_size", "draw", "decks", "out_canastas", "target")

Forms = Mapping[int, RuleSet]


def rulebook_pages() -> dict[str, str]:
    """Return every page by file name."""
    made = {f"{name}.md": rule_set_page(name) for name in RULE_SETS}
    others = {
        "paragraphs.md": paragraphs_page.page_text(MADE),
        "penalties.md": penalties_page.page_text(MADE),
        "themes.md": themes_page.page_text(MADE),
    }
    return {"README.md": index_page(), **others, **made}


def write_pages() -> None:
    """Write every page, and delete pages of rule sets that no longer exist."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    made = rulebook_pages()
    for file in FOLDER.glob("*.md"):
        if file.name not in made.keys() | WRITTEN_BY_HAND:
            file.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


# --- the index -------------------------------------------------------------------------------------------------------


def index_page() -> str:
    """Return the page that compares all rule sets."""
    rows = [
        (
            f"[{name_in_words(name)}]({name}.md)",
            f"`{name}`",
            ", ".join(map(str, sorted(forms))),
            SAY(f"sure.{NOTES[name].sure}"),
            _points_text(len([one for one in PARAMETERS if differing_forms(one.name, forms)])),
        )
        for name, forms in RULE_SETS.items()
    ]
    return _join_parts(
        "# The rule sets",
        MADE,
        "Every rule set that a table can choose, made from the data that it is played by. Where a page speaks of the "
        "classic laws it means the set `classic` for as many players, or for four where it has no such form.",
        "[The paragraphs](paragraphs.md) are what refusals and the referee cite. "
        "[The prices of irregularities](penalties.md) hold at tables that play with them. "
        "[Themes](themes.md) can be laid over any of them. "
        "[The founding texts](founding-texts.md) are told sentence by sentence. "
        "[The referee](../referee.md) settles disputes by any of these rules.",
        _markdown_table(("rule set", "name", "players", "how sure", "differs from the classic laws in"), rows),
    )


def _points_text(count: int) -> str:
    return f"{count} points" if count > 1 else "one point" if count else "nothing"


# --- one rule set ----------------------------------------------------------------------------------------------------


def rule_set_page(name: str) -> str:
    """Return the page of one rule set: its source, its forms, and every parameter in words."""
    forms, notes = RULE_SETS[name], NOTES[name]
    changed = [one for one in PARAMETERS if differing_forms(one.name, forms)]
    verdict = (
        f"It differs from the classic laws in {len(changed)} of {len(PARAMETERS)} points, marked with ≠."
        if changed
        else "These are the classic laws."
    )
    return _join_parts(
        f"# {name_in_words(name)} (`{name}`)",
        MADE,
        f"{notes.source}. {SAY(f'sure.{notes.sure}')} {verdict}",
        "\n".join(f"- Open: {point}." for point in notes.all_open_questions),
        "## Forms",
        _markdown_table(
            ("players", "sides", *(parameter_title(SAY, column) for column in FORM_COLUMNS)), form_rows(forms)
        ),
        *(
            part
            for topic in Topic
            if parameters_of_topic(topic)
            for part in (
                f"## {_heading(topic)}",
                _markdown_table(COLUMNS, [parameter_row(one, forms) for one in parameters_of_topic(topic)]),
            )
        ),
    )


COLUMNS: Final = ("", "what", "here", "classic laws", "parameter", "§")
HEADINGS: Final = {
    Topic.CARDS: "Cards and deal",
    Topic.TURN: "The turn",
    Topic.MELDS: "Melds",
    Topic.OPENING: "The initial meld",
    Topic.PILE: "The discard pile",
    Topic.THREES: "Threes",
    Topic.CANASTAS: "Canastas and penalties",
    Topic.OUT: "Going out",
    Topic.FOOT: "The foot",
    Topic.END: "The end of the deal and of the game",
}


def _heading(topic: Topic) -> str:
    return HEADINGS.get(topic, topic.value.capitalize())


def form_rows(forms: Forms) -> list[tuple[str, ...]]:
    """Return a table row for each number of players."""
    return [
        (
            str(players),
            value_text(SAY, forms[players].teams),
            *(value_text(SAY, getattr(forms[players], column)) for column in FORM_COLUMNS),
        )
        for players in sorted(forms)
    ]


def parameter_row(parameter: Parameter, forms: Forms) -> tuple[str, ...]:
    """Return a parameter's table row: its value in each form, and the classic one if different."""
    changed = differing_forms(parameter.name, forms)
    return (
        "≠" if changed else "",
        parameter_title(SAY, parameter.name),
        text_by_players(forms, lambda players: value_in_words(parameter, forms[players])),
        text_by_players(
            changed, lambda players: value_in_words(parameter, classic_rules(players)), form_count=len(forms)
        )
        if changed
        else "",
        f"`{parameter.name}`",
        paragraphs_page.paragraph_link(parameter.paragraph),
    )


def differing_forms(name: str, forms: Forms) -> tuple[int, ...]:
    """Return the numbers of players for which the parameter differs from the classic rules."""
    value_in = BY_NAME[name].value_in
    return tuple([players for players in sorted(forms) if value_in(forms[players]) != value_in(classic_rules(players))])


def classic_rules(players: int) -> RuleSet:
    """Return the classic rules for that many players, or for four if there are none."""
    return RULE_SETS["classic"].get(players, RULE_SETS["classic"][4])


def text_by_players(players: Iterable[int], value_text: Callable[[int], str], form_count: int = 0) -> str:
    """Return `value_text` for each number of players, or only once if it is always the same.

    `form_count` is the number of forms that must share it.
    """
    groups: dict[str, list[int]] = {}
    for count in sorted(players):
        groups.setdefault(value_text(count), []).append(count)
    if len(groups) == 1 and form_count in (0, sum(map(len, groups.values()))):
        return next(iter(groups))
    return "<br>".join(f"{_join_counts(counts)} players: {text}" for text, counts in groups.items())


def _join_counts(counts: list[int]) -> str:
    *first, last = map(str, counts)
    return f"{', '.join(first)} and {last}" if first else last


def value_in_words(parameter: Parameter, rules: RuleSet) -> str:
    """Return a parameter's value in words, or as it is if the catalogue does not explain it."""
    value = getattr(rules, parameter.name)
    if parameter.shape is ValueType.WORD and value is not None:
        return SAY(f"parameter.{parameter.name}.{value}")
    if parameter.shape is ValueType.FLAG:
        return SAY(f"parameter.{parameter.name}.{'yes' if value else 'no'}")
    return value_in_rules(SAY, rules, parameter.name)


def name_in_words(name: str) -> str:
    """Return a rule set's name in words."""
    return SAY(f"rules.{name}")


# --- Markdown --------------------------------------------------------------------------------------------------------


def _markdown_table(headings: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    heads = tuple(headings)
    return "\n".join(_table_lines((heads, tuple("---" for _ in heads), *rows)))


def _table_lines(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for cells in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _join_parts(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"


if __name__ == "__main__":
    write_pages()
