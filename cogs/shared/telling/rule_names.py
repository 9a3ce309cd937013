"""Names of rules: what a table plays, to what aim, and the themes that lie over it."""

from __future__ import annotations

from dataclasses import replace

from bot.i18n import Words, theme_words
from bot.tables.looks import TableSnapshot
from cogs.shared.telling import names
from cogs.shared.telling.numbers import grouped


def aim(words: Words, look: TableSnapshot) -> str:
    """What the game is played to: points, or a number of deals."""
    if look.terms.rounds is not None:
        return words("aim.deals", count=look.terms.rounds)
    return words("aim.points", target=grouped(words, look.target))


def rules_name(words: Words, rules: str) -> str:
    """A rule set's name in words."""
    key = f"rules.{rules}"
    return words(key) if key in words else names.shown(rules)


def base_name(words: Words, look: TableSnapshot) -> str:
    """The name of the rules that a table was opened with: the server's own, or that of a rule set."""
    return names.shown(look.saved_as) if look.saved_as else rules_name(words, look.rules)


def rules_of(words: Words, look: TableSnapshot) -> str:
    """The name of what a table plays, and whether its host has changed that; target and themes are told beside it."""
    same = replace(look.terms, target=look.base.target, theme=look.base.theme) == look.base
    name = base_name(words, look)
    return name if same else words("offer.house_rules", rules=name)


def themes_of(words: Words, look: TableSnapshot) -> list[str]:
    """The themes that lie over a table's rules, each with what it asks in this deal."""
    lines = []
    for theme in look.terms.theme:
        title = theme_words.title(words, theme.name)
        now = "" if look.view is None else theme_words.in_deal(words, theme, look.view.deal)
        if now:
            lines.append(words("board.theme_now", title=title, condition=now))
        else:
            lines.append(words("board.theme", title=title, about=theme_words.told(words, theme)))
    return lines
