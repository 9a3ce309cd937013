"""Players' words for the shuffle of the next deal (`docs/shuffle.md`). Pure.

Without a word the id of a request is used. Words are listed, separated by commas, in messages, command lines and files.
So a word consists of letters, digits, single spaces, hyphens and full stops, and begins with a letter or a digit.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from bot.tables.seating.seats import require_open_table, require_seat
from bot.tables.state.events import Contributed
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller
from bot.tables.state.table import Table

LONGEST: Final = 60
"""The most characters of a word."""

MARKS_IN_A_ROW: Final = 2
_SIGNS: Final = " -."


def give_shuffle_word(table: Table, caller: Caller, text: str) -> tuple[Contributed, ...]:
    """Return the event that makes the caller's word the seat's share in the next deal's shuffle.

    It replaces the previous share. Refusals: not_seated, table_closed, game_finished, no_deal_to_come, and as
    `require_valid_word`.
    """
    require_open_table(table)
    seat = require_seat(table, caller.person)
    if table.record.pending_shuffle is None:
        raise TableRefusal(TableCode.NO_DEAL_TO_COME, {"table": table.id})
    return (Contributed(seat, require_valid_word(text)),)


def require_valid_word(text: str) -> str:
    """Return the word in composed form (NFC); refusals: word_empty, word_too_long, word_unfit."""
    word = " ".join(unicodedata.normalize("NFKC", text).split())
    if not word:
        raise TableRefusal(TableCode.WORD_EMPTY)
    if len(word) > LONGEST:
        raise TableRefusal(TableCode.WORD_TOO_LONG, {"characters": len(word), "most": LONGEST})
    if not _has_allowed_characters(word):
        raise TableRefusal(TableCode.WORD_UNFIT)
    return word


def _has_allowed_characters(word: str) -> bool:
    """Return whether the word has only allowed characters and begins with a letter or digit."""
    kinds = [unicodedata.category(character)[0] for character in word]
    marks = "M" * (MARKS_IN_A_ROW + 1)
    allowed = all(kind in "LNM" or character in _SIGNS for kind, character in zip(kinds, word, strict=True))
    return allowed and kinds[0] in "LN" and marks not in "".join(kinds) and word.isprintable()
