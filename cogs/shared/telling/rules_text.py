"""A table's rules in words: in short as a card player would say them, point by point, and what is open about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bot.engine.rules.parameters import PARAMETERS, of_topic
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import NOTES
from bot.engine.rules.topics import Topic
from bot.i18n import Words, theme_words
from bot.i18n.note_words import note
from bot.tables.looks import TableSnapshot
from cogs.shared.telling import parameter_text
from cogs.shared.telling.laws.beginning_law import beginning
from cogs.shared.telling.laws.ending_law import foot, out, penalties, special_hands, stock, threes
from cogs.shared.telling.laws.meld_law import melds, opening
from cogs.shared.telling.laws.pile_law import discards, pile
from cogs.shared.telling.laws.score_law import score
from cogs.shared.telling.rule_names import base_name, rules_name, rules_of

ROOM: Final = 3900
"""Characters that one message may take."""


def of_table(words: Words, look: TableSnapshot) -> list[str]:
    """The rules that a table plays, in messages: what its host has changed, then the whole."""
    deal = 1 if look.view is None else look.view.deal
    changed = parameter_text.changes(words, look.terms, look.base)
    first = [words("law.changed", rules=base_name(words, look)), *changed, ""] if changed else []
    told = whole(words, look.terms, name=rules_of(words, look), deal=deal)
    return paged([*first, *told.split("\n")])


def pages(words: Words, rules: RuleSet, *, name: str = "") -> list[str]:
    """The rules in as many messages as they take; `name` is what they are called, if not as their rule set."""
    return paged(whole(words, rules, name=name).split("\n"))


def paged(lines: Iterable[str]) -> list[str]:
    """Lines in as few messages as hold them."""
    found = [""]
    for line in lines:
        longer = f"{found[-1]}\n{line}" if found[-1] else line
        if len(longer) <= ROOM:
            found[-1] = longer
        elif line:
            found.append(line[:ROOM])
    return found


def whole(words: Words, rules: RuleSet, *, name: str = "", deal: int = 1) -> str:
    """The rules of one table in short sentences, a line for each part of the game, themes before everything else."""
    return "\n".join(
        [
            *_themes(words, rules, deal),
            *beginning(words, rules, name or rules_name(words, rules.name)),
            melds(words, rules),
            opening(words, rules),
            pile(words, rules),
            *discards(words, rules),
            *threes(words, rules),
            *foot(words, rules),
            out(words, rules),
            score(words, rules),
            stock(words, rules),
            *special_hands(words, rules),
            *penalties(words, rules),
        ]
    )


def _themes(words: Words, rules: RuleSet, deal: int) -> Iterator[str]:
    """The themes that lie over the rules, and what those ask in that deal that change from deal to deal."""
    if not rules.theme:
        return
    yield words("rules_text.themes")
    for theme in rules.theme:
        told = {"title": theme_words.title(words, theme.name), "about": theme_words.told(words, theme)}
        yield words("rules_text.theme", **told)
        if now := theme_words.in_deal(words, theme, deal):
            yield words("rules_text.theme_now", condition=now)
    yield ""  # ends the list: what follows is prose


# --- point by point ---------------------------------------------------------------------------------------------------


def every_point(words: Words, rules: RuleSet, *, name: str = "") -> list[str]:
    """Every parameter with its paragraph, topic by topic, and what the classic laws have in its place; in messages."""
    differing = parameter_text.differences(words, rules)
    lines = [
        words("rules_text.every_point", rules=name or rules_name(words, rules.name), players=rules.players),
        words("rules_text.differs" if differing else "rules_text.differs_not"),
        *differing,
        "",
        words("rules_text.all_points", count=len(PARAMETERS)),
    ]
    for topic in Topic:
        those = of_topic(topic)
        if those:
            lines.append(words(f"topic.{topic.value}.title"))
            lines += [
                words("rules_text.point", told=parameter_text.in_words(words, rules, one.name), paragraph=one.paragraph)
                for one in those
            ]
    return paged(lines)


# --- what is open -----------------------------------------------------------------------------------------------------


def doubts(words: Words, rules: RuleSet, *, name: str = "") -> str:
    """Where the rules come from, how sure that is, and what is open for so many players."""
    lines = [words("rules_text.doubts", rules=name or rules_name(words, rules.name))]
    notes = NOTES.get(rules.name)
    if notes is not None:
        lines.append(words("rules_text.source", source=note(words, notes.source), sure=words(f"sure.{notes.sure}")))
        points = notes.points_for(rules.players)
        lines += [words("rules_text.open_point", point=note(words, point)) for point in points]
        if not points:
            lines.append(words("rules_text.open_nothing"))
    return "\n".join(lines)
