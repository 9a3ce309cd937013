"""Themes in words: their titles, and the ranks and ends of what they ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.engine.themes.conditions import Condition, Theme
from bot.i18n.catalogue import Words

_THEMES = ("theme", "other")
_OF_CANASTAS = ("wild", "run")


def title(words: Words, name: str) -> str:
    """What a theme is called; its stable name where no catalogue has words for it."""
    key = f"theme.{name}.title"
    return words(key) if key in words else name


def about(words: Words, name: str) -> str:
    """What a theme asks, in a sentence."""
    key = f"theme.{name}.about"
    return words(key) if key in words else name


def ranks(words: Words, letters: Iterable[str]) -> str:
    """Ranks in the plural, one after another."""
    told = [words(f"theme_ranks.{one}") if one in _OF_CANASTAS else words.kind(one, 2) for one in letters]
    return ", ".join(told) or words("theme_ranks.any")


def in_deal(words: Words, theme: Theme, deal: int) -> str:
    """What a theme asks in that deal, where it has another condition in each; else nothing."""
    if len(theme.turns) == 1:
        return ""
    turn = theme.turns[(max(1, deal) - 1) % len(theme.turns)]
    return "; ".join(_condition(words, one) for one in turn)


def _condition(words: Words, condition: Condition) -> str:
    number = max(1, condition.number)
    return words(
        f"theme_condition.{condition.what}",
        ranks=ranks(words, condition.ranks),
        number=number,
        canasta=words(f"canasta_kind.{condition.canasta}", count=number),
        until=words(f"theme_until.{condition.until}", number=condition.number),
    )


def theme_values(words: Words, detail: Mapping[str, int | str]) -> dict[str, str]:
    """Those numbers of a refusal that only themes have, as words."""
    values = {name: title(words, str(detail[name])) for name in _THEMES if name in detail}
    if not values:
        return values
    if "ranks" in detail:
        values["ranks"] = ranks(words, str(detail["ranks"]).split())
    if "until" in detail:
        values["until"] = words(f"theme_until.{detail['until']}", number=detail["number"])
    if "canasta" in detail:
        values["canasta"] = words(f"canasta_kind.{detail['canasta']}", count=detail["required"])
    return values
