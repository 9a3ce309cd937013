"""Refusals as sentences: turn a code with its numbers into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bot.engine.cards.notation import parse_cards
from bot.i18n.catalogue import Words
from bot.i18n.theme_words import theme_values_in_words

Detail = Mapping[str, int | str]

_SEATS = ("turn", "partner")
_KINDS = ("kind", "first", "second", "low", "high")


def refusal_sentence(
    words: Words,
    code: str,
    detail: Detail,
    *,
    seat_name: Callable[[int], str],
    card_name: Callable[[int], str],
) -> str:
    """Return the sentences for a refusal of the rules.

    `seat_name` and `card_name` return the names of a seat and of a card for the reader.
    """
    values: dict[str, int | str] = dict(detail)
    for name in _SEATS:
        if name in detail:
            values[name] = seat_name(int(detail[name]))
    for name in _KINDS:
        if isinstance(letter := detail.get(name), str):
            values[name] = words.kind_name(letter)
            values[f"{name}s"] = values["cards"] = words.kind_name(letter, 2)
    if "exposed" in detail:
        values["exposed"] = " ".join(map(card_name, parse_cards(str(detail["exposed"]))))
    if "canasta" in detail:
        values["canasta"] = words(f"canasta_kind.{detail['canasta']}", count=detail["required"])
    if "theme" in detail:
        values |= theme_values_in_words(words, detail)
    if "card" in detail:
        values["card"] = card_name(int(detail["card"]))
    elif "kind" in detail:
        values["card"] = values["cards"]
    sentence = words(f"refusal.{code}", **values)
    return " ".join([sentence[:1].upper() + sentence[1:], *_further_sentences(words, detail)])


def _further_sentences(words: Words, detail: Detail) -> Iterator[str]:
    """Yield further sentences about a refusal, for the numbers that its `detail` has."""
    if "ratio" in detail:
        yield words("refusal_more.ratio", ratio=detail["ratio"])
    if "theirs" in detail:
        yield words("refusal_more.theirs", kinds=words.kind_name(str(detail["theirs"]), 2))
    if detail.get("missing"):
        yield words("refusal_more.missing", canastas=_canastas_text(words, str(detail["missing"])))
    if "keep" in detail:
        yield _cards_to_keep_text(words, detail)


def _canastas_text(words: Words, missing: str) -> str:
    """Return missing canastas in words, with a number of each kind.

    `missing` is a text such as ``natural:1 7:1``.
    """
    counts = [part.split(":") for part in missing.split()]
    return ", ".join(f"{count} {words(f'canasta_kind.{kind}', count=count)}" for kind, count in counts)


def _cards_to_keep_text(words: Words, detail: Detail) -> str:
    """Return a sentence that says how many cards the player must keep."""
    left, keep = int(detail["left"]), int(detail["keep"])
    if left >= keep:
        return words("refusal_more.opening", keep=keep)
    key = "refusal_more.taking" if detail["taking"] else "refusal_more.keep"
    return words(key, keep=keep, cards=words("refusal_more.one" if left else "refusal_more.none"))
