"""Names of players, seats, sides and rules as safe text, and the words used in pictures.

A name never contains a mention, markup or a line break.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from bot.engine.table.views import PublicView
from bot.i18n import Words, theme_words, words
from bot.tables.state.clocks import DEFAULT_LEVEL
from bot.tables.state.snapshots import SeatHolder, TableSnapshot
from bot.tables.state.table import LONGEST, clean_name
from cogs.shared.telling.numbers import group_thousands
from render.drawable_names import best_drawable_name
from render.picture_words import PictureWords, picture_words_of

SECTION: Final = "picture."
BETWEEN: Final = "|"
"""Separator of the parts of an entry that is a list."""


def picture_words(catalogue: Words) -> PictureWords:
    """Return the words that pictures use, in that catalogue's language."""
    return _picture_words(catalogue.locale)


@cache
def _picture_words(locale: str) -> PictureWords:
    """Return the words that pictures use in a language; each catalogue entry fills one field.

    The English words are in `render.picture_words`.
    """
    catalogue = words(locale)
    said = {
        name.removeprefix(SECTION): str(text) for name, text in catalogue.entries.items() if name.startswith(SECTION)
    }
    split = {name: text.split(BETWEEN) if BETWEEN in text else text for name, text in said.items()}
    return picture_words_of({**split, "thousands": catalogue.language.thousands})


@lru_cache(maxsize=1024)
def escape_name(name: str, *, longest: int = LONGEST) -> str:
    """Return a name or word as text of a message, where it makes no markup, mention or link."""
    return _BEGINS_MARKUP.sub(_escape_sign, clean_name(name, longest=longest))


_BEGINS_MARKUP: Final = re.compile(r"[\\`*_~|\[\]()<>#:\-+.@]")
"""Every character with which Discord's markup, a mention, an address or an emoji begins or ends."""


def _escape_sign(sign: re.Match[str]) -> str:
    """Return the character as plain text.

    It gets a backslash, and an invisible gap if it could begin a mention.
    """
    escaped = sign[0] if sign[0] == "@" else f"\\{sign[0]}"
    return f"{escaped}\u200b" if sign[0] in "@#" else escaped


def unescape_text(text: str) -> str:
    """Return the text of a message without the backslashes of escaped names.

    For places without markup, such as a button.
    """
    return _ESCAPED.sub(r"\1", text)


_ESCAPED: Final = re.compile(r"\\(.)\u200b?")


def holder_name(words: Words, holder: SeatHolder) -> str:
    """Return the name of a seat's holder in plain text."""
    if holder.is_former and holder.kind == "person":
        return words("seat.former")
    if holder.kind == "person":
        return clean_name(holder.name)
    if holder.kind == "empty":
        return words("seat.empty")
    if holder.kept_for is not None and not holder.is_former:
        return words("seat.kept", number=holder.number, name=clean_name(holder.kept_name))
    if holder.level == DEFAULT_LEVEL:
        return words("seat.computer", number=holder.number)
    return words("seat.computer_level", number=holder.number, face=words(f"level_face.{holder.level}"))


def name_with_level(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return a seat's name for a message; for a computer player with its level."""
    name, holder = seat_name(words, snapshot, seat), snapshot.seats[seat]
    return (
        words("lobby.computer", name=name, level=words(f"level.{holder.level}")) if holder.kind == "computer" else name
    )


def all_seat_names(words: Words, snapshot: TableSnapshot) -> tuple[str, ...]:
    """Return the names of all seats in plain text, for pictures."""
    return tuple(holder_name(words, holder) for holder in snapshot.seats)


def snapshot_with_drawable_names(words: Words, snapshot: TableSnapshot) -> TableSnapshot:
    """Return the table with account names in place of names that the fonts of pictures lack."""
    return replace(
        snapshot, seats=tuple(_drawable_holder(words, seat, holder) for seat, holder in enumerate(snapshot.seats))
    )


def _drawable_holder(words: Words, seat: int, holder: SeatHolder) -> SeatHolder:
    number = picture_words(words).seat.format(n=seat + 1)
    if holder.kind == "person":
        return replace(holder, name=best_drawable_name(holder.name, holder.account, fallback=number))
    if holder.kept_for is not None:
        return replace(holder, kept_name=best_drawable_name(holder.kept_name, holder.account, fallback=number))
    return holder


BRIEF: Final = 8
"""Characters of a name where space is short."""


def snapshot_with_brief_names(snapshot: TableSnapshot) -> TableSnapshot:
    """Return the table with long names cut, for text with little room."""
    seats = tuple(replace(one, name=one.name[:BRIEF], kept_name=one.kept_name[:BRIEF]) for one in snapshot.seats)
    return replace(snapshot, seats=seats)


def seat_name(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return a seat's name for a message."""
    return escape_name(holder_name(words, snapshot.seats[seat])) if 0 <= seat < len(snapshot.seats) else "?"


def seat_name_at(words: Words, snapshot: TableSnapshot, seat: int, *, deal: int, turn: int) -> str:
    """Return, for a message, the name of the seat's holder in that turn of that deal."""
    return escape_name(holder_name(words, snapshot.holder_at(seat, deal, turn)))


def side_name(words: Words, snapshot: TableSnapshot, side: int, view: PublicView | None = None) -> str:
    """Return a side's name for a message: the names of its seats."""
    return joined_seat_names(words, snapshot, side_seats(snapshot, side, view))


def score_holder_names(words: Words, snapshot: TableSnapshot, score_index: int) -> str:
    """Return for a message the names of the players who share a score, also of those who rest."""
    seats = () if snapshot.view is None else snapshot.view.totals[score_index].seats
    return joined_seat_names(words, snapshot, seats)


def score_owner_names(words: Words, snapshot: TableSnapshot, score_index: int) -> str:
    """Return the names of the persons who share a score, even if computer players keep their seats."""
    totals = () if snapshot.view is None else snapshot.view.totals
    seats = totals[score_index].seats if score_index < len(totals) else ()
    kept = {seat: snapshot.seats[seat].kept_name for seat in seats if (snapshot.seats[seat].kept_for or 0) > 0}
    return " & ".join(escape_name(kept[seat]) if seat in kept else seat_name(words, snapshot, seat) for seat in seats)


def joined_seat_names(words: Words, snapshot: TableSnapshot, seats: Iterable[int]) -> str:
    """Return the names of several seats for a message."""
    return " & ".join(seat_name(words, snapshot, seat) for seat in seats)


def side_seats(snapshot: TableSnapshot, side: int, view: PublicView | None = None) -> tuple[int, ...]:
    """Return the seats of a side, also those that rest; in a lobby, those planned for it."""
    known = view or snapshot.view
    if known is not None:
        return tuple(info.seat for info in known.seats if info.side == side)
    sides = count_sides(snapshot)
    return tuple(range(side, snapshot.players, sides))


def count_sides(snapshot: TableSnapshot) -> int:
    """Return how many sides play at the table."""
    return len(snapshot.view.sides) if snapshot.view is not None else snapshot.terms.sides


def aim_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return the game's aim in words: a number of points or of deals."""
    deals = fixed_deal_count(snapshot)
    if deals is not None:
        return words("aim.deals", count=deals)
    return words("aim.points", target=group_thousands(words, snapshot.target))


def fixed_deal_count(snapshot: TableSnapshot) -> int | None:
    """Return the number of deals that the game has, or None if a score can end it."""
    return 1 if snapshot.settings.deals == 1 else snapshot.terms.rounds


def rules_name(words: Words, rules: str) -> str:
    """Return a rule set's name as players read it."""
    key = f"rules.{rules}"
    return words(key) if key in words else escape_name(rules)


def original_rules_name(words: Words, snapshot: TableSnapshot) -> str:
    """Return the name of the rules a table was opened with: the guild's own or a rule set."""
    return escape_name(snapshot.saved_as) if snapshot.saved_as else rules_name(words, snapshot.rules)


def table_rules_name(words: Words, snapshot: TableSnapshot) -> str:
    """Return the name of a table's rules, marked if the host has changed them.

    Changes of the target and themes do not count as such; they are shown separately.
    """
    terms, base = snapshot.terms, snapshot.base
    same = terms == base or replace(terms, target=base.target, theme=base.theme) == base
    name = original_rules_name(words, snapshot)
    return name if same else words("offer.house_rules", rules=name)


def theme_texts(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return a text for each theme added to a table's rules, with its task in this deal."""
    lines = []
    for theme in snapshot.terms.theme:
        title = theme_words.theme_title(words, theme.name)
        now = "" if snapshot.view is None else theme_words.deal_condition_sentence(words, theme, snapshot.view.deal)
        if now:
            lines.append(words("board.theme_now", title=title, condition=now))
        else:
            lines.append(words("board.theme", title=title, about=theme_words.theme_sentences(words, theme)))
    return lines
