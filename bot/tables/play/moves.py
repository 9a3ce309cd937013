"""Moves in a running game, and players' words for the next shuffle, as events. Pure.

A shuffle word (`docs/shuffle.md`) replaces a request's id. It is listed with others, separated by commas, in messages,
command lines and files. So it consists of letters, digits, single spaces, hyphens and full stops, and begins with a
letter or a digit.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from bot.engine.moves.actions import Action, Ask, StartDeal
from bot.engine.moves.events import Drew, Event, Gathered, TookFoot, TookTalon
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State
from bot.engine.table.views import public_event
from bot.tables.advice import offers_of
from bot.tables.seating.seats import require_open, require_playing, require_seat
from bot.tables.state.events import AnyEvent, Contributed
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.snapshots import Caller, allows_hints
from bot.tables.state.table import Table

LONGEST: Final = 60
MARKS_IN_A_ROW: Final = 2
_SIGNS: Final = " -."


def give_shuffle_word(table: Table, caller: Caller, text: str) -> tuple[Contributed, ...]:
    """Return the events that make the caller's word the seat's share in the next deal's shuffle.

    It replaces the previous share. Refusals: not_seated, table_closed, game_finished, no_deal_to_come, and as
    `require_valid_word`.
    """
    require_open(table)
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
    if not _is_fit(word):
        raise TableRefusal(TableCode.WORD_UNFIT)
    return word


def _is_fit(word: str) -> bool:
    """Return whether the word has only allowed characters and begins with a letter or digit."""
    kinds = [unicodedata.category(character)[0] for character in word]
    marks = "M" * (MARKS_IN_A_ROW + 1)
    allowed = all(kind in "LNM" or character in _SIGNS for kind, character in zip(kinds, word, strict=True))
    return allowed and kinds[0] in "LN" and marks not in "".join(kinds) and word.isprintable()


def running_game(table: Table) -> State:
    """Return the game in progress."""
    require_playing(table)
    game = table.record.game
    if game is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})
    return game


def require_hints(table: Table) -> None:
    """Raise hints_off if players may not ask for hints at this table."""
    record = table.record
    if not allows_hints(record.settings, record.seats, contest=record.contest is not None):
        raise TableRefusal(TableCode.HINTS_OFF, {"table": table.id})


def decide_action(table: Table, seat: int, action: Action) -> tuple[Event, ...]:
    """Return the events of a seat's action; raises the rules' refusals. Players cannot order the pack."""
    game = running_game(table)
    if isinstance(action, StartDeal):
        raise Refusal(Code.NOT_YOUR_TURN, {"turn": game.turn})
    return decide(game, seat, action)


def go_out(table: Table, seat: int) -> tuple[Event, ...]:
    """Return the events of going out as offered, or of asking the partner first if that is required.

    Refusal if no way out is offered any more: stale_request.
    """
    game = running_game(table)
    way = offers_of(game, seat).way_out
    if way is None:
        raise TableRefusal(
            TableCode.STALE_REQUEST, {"table": table.id, "expected": table.version, "version": table.version}
        )
    events: list[Event] = []
    for step in way.steps:
        happened = decide(game, seat, step)
        events += happened
        game = fold(game, happened)
        if isinstance(step, Ask):
            break
    return tuple(events)


_TO_HAND: Final = (Drew, Gathered, TookFoot, TookTalon)
"""Events that bring cards to a hand; only that hand's player sees these cards."""


def visible_events(seat: int, events: Iterable[AnyEvent]) -> tuple[Event, ...]:
    """Return the events as the seat may see them: its own draws in full, of others the public part."""
    game_events = (event for event in events if isinstance(event, Event))
    return tuple(
        event if isinstance(event, _TO_HAND) and event.seat == seat else public_event(event) for event in game_events
    )
