"""Themes in words: their titles, descriptions and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.engine.rules.themes.conditions import Condition, Theme
from bot.engine.rules.themes.own_themes import OWN, OWN_THEMES
from bot.i18n.catalogue import Words

_THEMES = ("theme", "other")
_OF_CANASTAS = ("wild", "run")


def theme_title(words: Words, name: str) -> str:
    """Return a theme's title, or its stable name if no catalogue has words for it."""
    if name in OWN_THEMES:
        return words("own_theme.all" if name == OWN else "own_theme.by_deal")
    key = f"theme.{name}.title"
    return words(key) if key in words else name


def theme_description(words: Words, name: str) -> str:
    """Return a theme's description, in one sentence."""
    key = f"theme.{name}.about"
    return words(key) if key in words else name


def theme_sentences(words: Words, theme: Theme) -> str:
    """Return the description of a theme of the library, or the conditions of another theme."""
    if f"theme.{theme.name}.about" in words:
        return theme_description(words, theme.name)
    turns = [" ".join(condition_sentence(words, one) for one in turn) for turn in theme.turns]
    if len(turns) == 1:
        return turns[0]
    by_deal = [words("own_theme.deal", deal=deal, told=one) for deal, one in enumerate(turns, 1)]
    return " ".join([*by_deal, words("own_theme.again")])


def condition_sentence(words: Words, condition: Condition) -> str:
    """Return one condition of a theme as a sentence."""
    letters = condition.ranks
    until = condition.until
    number = max(1, condition.number)
    named = (
        ", ".join(
            words("own_theme.seat", seat=seat, ranks=ranks_text(words, [one])) for seat, one in enumerate(letters, 1)
        )
        if condition.by_seat
        else ranks_text(words, letters)
    )
    kind = words(f"canasta_kind.{condition.canasta}", count=1 if until == "canasta" else number)
    ends = "" if until == "never" else words(f"theme_end.{until}", number=number, canasta=kind)
    return words(f"theme_sentence.{condition.what}", ranks=named, number=number, canasta=kind, until=ends)


def ranks_text(words: Words, letters: Iterable[str]) -> str:
    """Return a list of ranks in words, each in the plural."""
    parts = [words(f"theme_ranks.{one}") if one in _OF_CANASTAS else words.kind_name(one, 2) for one in letters]
    return ", ".join(parts) or words("theme_ranks.any")


def deal_condition_sentence(words: Words, theme: Theme, deal: int) -> str:
    """Return a theme's condition for that deal in words.

    An empty text if the theme does not have a condition for each deal.
    """
    if len(theme.turns) == 1:
        return ""
    turn = theme.turns[(max(1, deal) - 1) % len(theme.turns)]
    if theme.name in OWN_THEMES:
        return "; ".join(condition_sentence(words, one).rstrip(".") for one in turn)
    return "; ".join(_condition_text(words, one) for one in turn)


def own_ranks_text(words: Words, themes: Iterable[Theme], deal: int, seat: int) -> str:
    """Return in words the ranks that themes assign to that seat alone in that deal, or an empty text."""
    conditions = [one for theme in themes for one in theme.turns[(max(1, deal) - 1) % len(theme.turns)]]
    letters = [one.ranks[seat % len(one.ranks)] for one in conditions if one.by_seat]
    return ranks_text(words, dict.fromkeys(letters)) if letters else ""


def _condition_text(words: Words, condition: Condition) -> str:
    number = max(1, condition.number)
    return words(
        f"theme_condition.{condition.what}",
        ranks=ranks_text(words, condition.ranks),
        number=number,
        canasta=words(f"canasta_kind.{condition.canasta}", count=number),
        until=words(f"theme_until.{condition.until}", number=condition.number),
    )


def theme_values_in_words(words: Words, detail: Mapping[str, int | str]) -> dict[str, str]:
    """Return the values of a refusal's detail that come from a theme, in words, by name.

    Empty for other refusals.
    """
    values = {name: theme_title(words, str(detail[name])) for name in _THEMES if name in detail}
    if not values:
        return values
    if "ranks" in detail:
        values["ranks"] = ranks_text(words, str(detail["ranks"]).split())
    if "until" in detail:
        values["until"] = words(f"theme_until.{detail['until']}", number=detail["number"])
    if "canasta" in detail:
        values["canasta"] = words(f"canasta_kind.{detail['canasta']}", count=detail["required"])
    return values
