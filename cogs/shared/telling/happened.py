"""What happened, as sentences: since somebody's last turn, in the last round, and what one did oneself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.engine.cards.cards import BLACK_THREE
from bot.engine.moves.events import Answered, DealEnd, DealEnded, Discarded, Drew, GameEnded, Gathered, TookTop
from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.looks import RecentEvent, TableSnapshot
from cogs.shared.telling import names, turn_text
from cogs.shared.telling.turn_text import Turn
from cogs.shared.telling.voices import MARKED, Voice


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with what decides whether it is left out first: its weight, then its age."""

    text: str
    weight: int
    turn: int


def since_turn(
    words: Words,
    look: TableSnapshot,
    seat: int,
    *,
    by_itself: int | None = None,
    room: int | None = None,
    voice: Voice = MARKED,
) -> list[str]:
    """What others have done since the seat's own last turn, a line a turn: first where the pile was taken.

    In its own turn that is all since the turn before. A turn of its own that went `by_itself` is told too. Where `room`
    characters do not hold all lines, the least important are left out, and the last line says how many.
    """
    turns = _turns(look)
    now = _running(look)
    own = [turn.number for turn in turns if turn.seat == seat and turn.number not in (now, by_itself)]
    last = max(own, default=-1)
    since = [turn for turn in turns if turn.number > last and (turn.seat != seat or turn.number == by_itself)]
    lines = [one for turn in since for one in _lines(words, look, turn, voice=voice, reader=seat)]
    return _within(words, sorted(lines, key=lambda one: one.weight != _PILE), room)


def last_round(words: Words, look: TableSnapshot, *, room: int | None = None, voice: Voice = MARKED) -> list[str]:
    """What everybody did last, a line a turn in order: the running turn and those before it, each seat once.

    `room` as in `since_turn`.
    """
    turns = _turns(look)
    seats = 0 if look.view is None else len(look.view.playing)
    now = _running(look)
    last = max((turn.number for turn in turns), default=0) if now is None else now
    lines = [
        one
        for turn in turns
        if turn.number > last - seats
        for one in _lines(words, look, turn, voice=voice, reader=None)
    ]
    return _within(words, lines, room)


def turn_before(words: Words, look: TableSnapshot) -> str:
    """What was done in the last turn before the one that runs, in one line; empty where none is remembered."""
    now = _running(look)
    turns = [turn for turn in _turns(look) if now is None or turn.number < now]
    return turn_text.line(words, look, turns[-1]) if turns else ""


def _turns(look: TableSnapshot) -> list[Turn]:
    """The turns that the table remembers."""
    groups = groupby(look.recent, key=lambda one: (one.deal, one.turn))
    return [_turn(deal, number, tuple(those)) for (deal, number), those in groups]


def _turn(deal: int, number: int, those: Sequence[RecentEvent]) -> Turn:
    """The turn of that number with its events; its seat is the first that does anything in it but answering."""
    seats = (one.seat for one in those if one.seat is not None and not isinstance(one.event, Answered))
    return Turn(deal, number, next(seats, None), tuple(one.event for one in those))


def _running(look: TableSnapshot) -> int | None:
    """The number of the turn that runs, if one does."""
    view = look.view
    return None if view is None or view.phase in (Phase.BETWEEN, Phase.OVER) else view.turns


_PLAIN, _MELD, _PILE, _END = range(4)
"""How much a line weighs, by the most that happened in it."""


def _lines(words: Words, look: TableSnapshot, turn: Turn, *, voice: Voice, reader: int | None) -> Iterable[_Line]:
    text = turn_text.line(words, look, turn, voice=voice, reader=reader)
    if text:
        yield _Line(text, _weight(turn), turn.number)
    for event in turn.events:
        if isinstance(event, DealEnded) and event.reason is not DealEnd.OUT:
            how = how_it_ended(words, look, event)
            yield _Line(words("happened.deal_over", deal=event.deal, how=how), _END, turn.number)
        elif isinstance(event, GameEnded):
            side = names.of_total(words, look.at_end_of(turn.deal), event.winner)
            yield _Line(voice.strong.format(words("happened.game_over", side=side)), _END, turn.number)


def _weight(turn: Turn) -> int:
    if any(isinstance(event, Gathered | TookTop) for event in turn.events):
        return _PILE
    return _MELD if any(not isinstance(event, Drew | Discarded) for event in turn.events) else _PLAIN


def _within(words: Words, lines: Sequence[_Line], room: int | None) -> list[str]:
    """The lines, or as many as there is room for and how many are left out."""
    kept = list(lines)
    texts = [one.text for one in kept]
    while room is not None and kept and len("\n".join(texts)) > room:
        kept.remove(min(kept, key=lambda one: (one.weight, one.turn)))
        texts = [*(one.text for one in kept), words("happened.more", count=len(lines) - len(kept))]
    return texts


def how_it_ended(words: Words, look: TableSnapshot, event: DealEnded) -> str:
    """What ended a deal, with the name that whoever ended it had then."""
    then = look.at_end_of(event.deal)
    if event.reason is DealEnd.STOCK:
        return words("ended.stock")
    if event.reason is DealEnd.SPECIAL_HAND:
        return _which_hand(words, then, event) or words("ended.special_hand")
    if event.reason is DealEnd.SEVEN_CANASTAS:
        return words("ended.seven_canastas")
    if event.reason is DealEnd.THEME_CANASTA:
        return words("ended.theme_canasta")
    if event.reason is DealEnd.LAST_RED_THREE or event.went_out is None:
        both = look.view is not None and BLACK_THREE in look.view.rules.laid_out
        return words("ended.last_three" if both else "ended.last_red_three")
    name = names.of_seat(words, then, event.went_out)
    return words("ended.out_concealed" if event.concealed else "ended.out", name=name)


def _which_hand(words: Words, look: TableSnapshot, event: DealEnded) -> str:
    """Who showed which special hand, where that was kept; else nothing."""
    shown = next((left.shown for left in look.left if left.deal == event.deal), None)
    if shown is None:
        return ""
    seat, hand = shown
    return words("ended.showed", name=names.of_seat(words, look, seat), hand=words(f"special_hand.{hand}"))
