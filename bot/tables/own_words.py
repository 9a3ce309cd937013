"""Words of their own that players give to the next deal's shuffle (`docs/shuffle.md`), in place of a request's number.

A word is one line that stands among others with commas between them, in a message, in a command line and in a file:
it is letters, digits, single spaces, hyphens and full stops, and begins with a letter or a digit.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from bot.tables.events import Contributed
from bot.tables.lobby import require_open, require_seat
from bot.tables.looks import Caller
from bot.tables.record import Table
from bot.tables.refusals import TableCode, TableRefusal

LONGEST: Final = 60
MARKS_IN_A_ROW: Final = 2
_SIGNS: Final = " -."


def contribute(table: Table, caller: Caller, text: str) -> tuple[Contributed, ...]:
    """The caller's word becomes the seat's share in the next deal's shuffle, whatever that was before.

    Refusals: not_seated, table_closed, game_finished, no_deal_to_come, and as `own_word`.
    """
    require_open(table)
    seat = require_seat(table, caller.person)
    if table.record.pending_shuffle is None:
        raise TableRefusal(TableCode.NO_DEAL_TO_COME, {"table": table.id})
    return (Contributed(seat, own_word(text)),)


def own_word(text: str) -> str:
    """The word in composed form; refusals: word_empty, word_too_long, word_unfit."""
    word = " ".join(unicodedata.normalize("NFKC", text).split())
    if not word:
        raise TableRefusal(TableCode.WORD_EMPTY)
    if len(word) > LONGEST:
        raise TableRefusal(TableCode.WORD_TOO_LONG, {"characters": len(word), "most": LONGEST})
    if not _is_fit(word):
        raise TableRefusal(TableCode.WORD_UNFIT)
    return word


def _is_fit(word: str) -> bool:
    kinds = [unicodedata.category(character)[0] for character in word]
    marks = "M" * (MARKS_IN_A_ROW + 1)
    allowed = all(kind in "LNM" or character in _SIGNS for kind, character in zip(kinds, word, strict=True))
    return allowed and kinds[0] in "LN" and marks not in "".join(kinds) and word.isprintable()
