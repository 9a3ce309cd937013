"""Refusals as sentences: a code and its numbers in, words out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.i18n.catalogue import Words
from bot.i18n.theme_words import theme_values

_SEATS = ("turn", "partner")
_KINDS = ("kind", "first", "second", "low", "high")


def refusal_sentence(
    words: Words,
    code: str,
    detail: Mapping[str, int | str],
    *,
    seat_name: Callable[[int], str],
    card_name: Callable[[int], str],
) -> str:
    """The sentence for a refusal of the rules; the reader knows seats and cards by what the two functions call them."""
    values: dict[str, int | str] = dict(detail)
    for name in _SEATS:
        if name in detail:
            values[name] = seat_name(int(detail[name]))
    for name in _KINDS:
        if isinstance(letter := detail.get(name), str):
            values[name] = words.kind(letter)
            values[f"{name}s"] = values["cards"] = words.kind(letter, 2)
    if "canasta" in detail:
        values["canasta"] = words(f"canasta_kind.{detail['canasta']}", count=detail["required"])
    if "theme" in detail:
        values |= theme_values(words, detail)
    if "card" in detail:
        values["card"] = card_name(int(detail["card"]))
    elif "kind" in detail:
        values["card"] = values["cards"]
    sentence = words(f"refusal.{code}", **values)
    return sentence[:1].upper() + sentence[1:]
