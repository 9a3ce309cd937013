"""What happened, as sentences: since somebody's last turn, in the last round, and what one did oneself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, RED_THREE, Card
from bot.engine.moves.events import (
    Announced,
    Answered,
    Asked,
    Combined,
    DealEnd,
    DealEnded,
    Discarded,
    Drew,
    Event,
    GameEnded,
    Gathered,
    LaidOut,
    Melded,
    Opened,
    Passed,
    Penalized,
    PermissionLapsed,
    Reclaimed,
    Showed,
    TookBack,
    TookFoot,
    TookTalon,
    TookTop,
)
from bot.engine.moves.phases import Phase
from bot.i18n import Words
from bot.tables.looks import Outcome, RecentEvent, TableLook
from cogs.shared.cards import card_text
from cogs.shared.telling import names, turn_text
from cogs.shared.telling.turn_text import MARKED, Turn, Voice


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with what decides whether it is left out first: its weight, then its age."""

    text: str
    weight: int
    turn: int


def since_turn(
    words: Words,
    look: TableLook,
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


def last_round(words: Words, look: TableLook, *, room: int | None = None, voice: Voice = MARKED) -> list[str]:
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


def turn_before(words: Words, look: TableLook) -> str:
    """What was done in the last turn before the one that runs, in one line; empty where none is remembered."""
    now = _running(look)
    turns = [turn for turn in _turns(look) if now is None or turn.number < now]
    return turn_text.line(words, look, turns[-1]) if turns else ""


def _turns(look: TableLook) -> list[Turn]:
    """The turns that the table remembers."""
    groups = groupby(look.recent, key=lambda one: (one.deal, one.turn))
    return [_turn(deal, number, tuple(those)) for (deal, number), those in groups]


def _turn(deal: int, number: int, those: Sequence[RecentEvent]) -> Turn:
    """A turn is that of the first seat which does anything in it but answering."""
    seats = (one.seat for one in those if one.seat is not None and not isinstance(one.event, Answered))
    return Turn(deal, number, next(seats, None), tuple(one.event for one in those))


def _running(look: TableLook) -> int | None:
    """The number of the turn that runs, if one does."""
    view = look.view
    return None if view is None or view.phase in (Phase.BETWEEN, Phase.OVER) else view.turns


_PLAIN, _MELD, _PILE, _END = range(4)
"""How much a line weighs, by the most that happened in it."""


def _lines(words: Words, look: TableLook, turn: Turn, *, voice: Voice, reader: int | None) -> Iterable[_Line]:
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


def how_it_ended(words: Words, look: TableLook, event: DealEnded) -> str:
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


def _which_hand(words: Words, look: TableLook, event: DealEnded) -> str:
    """Who showed which special hand, where that was kept; else nothing."""
    shown = next((left.shown for left in look.left if left.deal == event.deal), None)
    if shown is None:
        return ""
    seat, hand = shown
    return words("ended.showed", name=names.of_seat(words, look, seat), hand=words(f"special_hand.{hand}"))


def to_oneself(words: Words, outcome: Outcome, *, voice: Voice = MARKED) -> str:
    """What one's own action came to, with the cards one drew oneself; that a deal is over the title says."""
    if outcome.repeated:
        return words("panel.repeated")
    look = outcome.look
    # The next seat may lay out red threes as its turn begins: that is not one's own doing.
    theirs = (LaidOut, TookTalon)
    own = (event for event in outcome.events if not isinstance(event, theirs) or event.seat == look.seat)
    told = (_all_own(words, look.table, tuple(those), voice) for _, those in groupby(own, key=type))
    return " ".join(sentence for sentences in told for sentence in sentences)


def _all_own(words: Words, look: TableLook, those: Sequence[Event], voice: Voice) -> Iterable[str]:
    """Events of one sort that followed each other; what was laid or taken back together is one sentence."""
    key = _IN_ONE.get(type(those[0]))
    if key is None:
        yield from (sentence for event in those for sentence in _own(words, look, event, voice))
        return
    melds = (_melded(words, event, voice) for event in those if isinstance(event, Melded | TookBack))
    yield words(key, cards=(words("happened.and") if voice.in_words else ", ").join(melds))


def _melded(words: Words, event: Melded | TookBack | TookTop, voice: Voice) -> str:
    cards = (event.top, *event.cards) if isinstance(event, TookTop) else event.cards
    return turn_text.meld(words, event.kind, cards, voice=voice)


def _own(words: Words, look: TableLook, event: Event, voice: Voice) -> Iterable[str]:
    if isinstance(event, Drew | LaidOut | TookTalon):
        if event.cards:
            yield words("panel.drew", cards=card_text.cards(event.cards))
        if event.red_threes:
            yield words(_threes_drawn(event.red_threes), count=len(event.red_threes))
    elif isinstance(event, TookFoot):
        yield words("panel.took_foot", cards=card_text.cards(event.cards))
        if event.red_threes:
            yield words("panel.red_threes", count=len(event.red_threes))
    elif isinstance(event, Asked):
        yield words("panel.asked", name=names.of_seat(words, look, event.partner))
    elif isinstance(event, TookTop):
        yield words("panel.laid", cards=_melded(words, event, voice))
    elif isinstance(event, Penalized):
        yield words("panel.penalized", **turn_text.irregularity_words(words, event))
    else:
        yield from _own_cards(words, event)


_IN_ONE: Final[Mapping[type[Event], str]] = {Melded: "panel.laid", TookBack: "panel.took_back"}
"""What is told of several events in one sentence."""

_OWN_PLAINLY: Final[Mapping[type[Event], str]] = {
    Answered: "panel.answered",
    Announced: "panel.announced",
    PermissionLapsed: "panel.permission_lapsed",
    Passed: "panel.passed",
}
"""What one did oneself and can be told in the same words every time."""


def _threes_drawn(threes: Iterable[Card]) -> str:
    """The key for threes that one has drawn: red ones, or of both colours."""
    return "panel.red_threes" if all(card >> 2 == RED_THREE for card in threes) else "panel.threes"


def _own_cards(words: Words, event: Event) -> Iterable[str]:
    if isinstance(event, Gathered):
        gathered = card_text.cards(event.cards + event.hidden)
        yield words("panel.took", cards=gathered) if gathered else words("panel.took_top")
    elif isinstance(event, Opened):
        yield words("panel.opened", points=event.points)
    elif isinstance(event, Discarded):
        yield words("panel.discarded", card=card_text.card(event.card))
    elif isinstance(event, Combined):
        yield words("panel.combined", kinds=card_text.meld_word(words, event.kind, 2))
    elif isinstance(event, Reclaimed):
        kinds = card_text.meld_word(words, event.kind, 2)
        yield words("panel.reclaimed", cards=card_text.cards(event.cards), kinds=kinds)
    elif type(event) in _OWN_PLAINLY:
        yield words(_OWN_PLAINLY[type(event)])
    elif isinstance(event, Showed):
        yield words("panel.showed", hand=words(f"special_hand.{event.hand}"))
