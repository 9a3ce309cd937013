"""A player's turn in one line: "Ben **took the pile (11)** with 10 10 · laid 4 4 4 · discarded 6♣"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.cards.cards import JOKER, Card
from bot.engine.cards.places import family_of
from bot.engine.moves.events import (
    Announced,
    Answered,
    Asked,
    Combined,
    DealEnd,
    DealEnded,
    DealStarted,
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
    Reshuffled,
    SetTalon,
    Showed,
    SidesFormed,
    TookBack,
    TookFoot,
    TookTalon,
    TookTop,
)
from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.telling import names
from cogs.shared.telling.irregularity_text import irregularity_words
from cogs.shared.telling.laid_cards import meld, signs
from cogs.shared.telling.voices import MARKED, PLAIN, Voice


@dataclass(frozen=True, slots=True)
class Turn:
    """What happened in a turn; `seat` is whose turn it was, None where nobody has done anything in it."""

    deal: int
    number: int
    seat: int | None
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """A turn that is being told; `reader` is the seat that is called "you"."""

    words: Words
    look: TableSnapshot
    turn: Turn
    voice: Voice
    reader: int | None

    def name(self, seat: int) -> str:
        return names.of_seat_at(self.words, self.look, seat, deal=self.turn.deal, turn=self.turn.number)

    def strong(self, text: str) -> str:
        return self.voice.strong.format(text)

    def card(self, one: Card) -> str:
        return card_text.card(one) if self.voice.in_words or one >> 2 != JOKER else "JK"

    def ranks(self, cards: Iterable[Card]) -> str:
        """Cards by rank: ``10 10 JK``."""
        if self.voice.in_words:
            return card_text.in_words(self.words, cards)
        return signs(cards, self.voice)


def line(words: Words, look: TableSnapshot, turn: Turn, *, voice: Voice = MARKED, reader: int | None = None) -> str:
    """The turn in one line; empty where there is nothing to tell of it."""
    told = _Told(words, look, turn, voice, reader)
    said = voice.between.join(_parts(told))
    return f"{told.name(turn.seat)} {said}" if said and turn.seat is not None else said


def deeds(words: Words, look: TableSnapshot, turn: Turn, *, voice: Voice = PLAIN) -> str:
    """What was done in the turn, without saying by whom; empty where there is nothing to tell of it."""
    return voice.between.join(_parts(_Told(words, look, turn, voice, None)))


def _parts(told: _Told) -> Iterator[str]:
    """What is told of the turn, in order; melds laid one after another are one part."""
    melds: dict[int, tuple[Card, ...]] = {}
    for event in told.turn.events:
        if isinstance(event, Melded):
            melds[event.place] = melds.get(event.place, ()) + event.cards
            continue
        yield from _melds(told, melds)
        melds = {}
        yield from _PARTS[type(event)](told, event)
    yield from _melds(told, melds)


def _melds(told: _Told, melds: Mapping[int, tuple[Card, ...]]) -> Iterator[str]:
    if melds:
        each = (meld(told.words, family_of(place), cards, voice=told.voice) for place, cards in melds.items())
        between = told.words("happened.and") if told.voice.in_words else ", "
        yield told.words("happened.laid", melds=between.join(each))


def _drew(told: _Told, event: Drew) -> Iterator[str]:
    if event.cards:  # of a finished deal
        yield told.words("happened.drew_cards", cards=card_text.cards(event.cards))
    else:
        yield told.words("happened.drew", count=max(1, event.count))
    yield from _threes(told, event.red_threes)


def _threes(told: _Told, threes: tuple[Card, ...]) -> Iterator[str]:
    if threes:
        yield told.words("happened.laid_out", threes=card_text.cards(threes))


def _laid_out(told: _Told, event: LaidOut) -> Iterator[str]:
    yield from _threes(told, event.red_threes)


def _took_top(told: _Told, event: TookTop) -> Iterator[str]:
    """The pile with all that was gathered; only its top while the rest waits for the initial meld."""
    gathered = next((one for one in told.turn.events if isinstance(one, Gathered)), None)
    if gathered is None:
        taken = told.words("happened.took_top", card=told.card(event.top))
    else:
        taken = _pile(told, 1 + _gathered_cards(gathered))
    if event.cards:
        yield told.words("happened.with", taken=taken, cards=told.ranks(event.cards))
    else:
        yield told.words("happened.onto", taken=taken, kinds=card_text.meld_word(told.words, event.kind, 2))


def _pile(told: _Told, count: int) -> str:
    return told.strong(told.words("happened.took_pile", count=count))


def _gathered_cards(event: Gathered) -> int:
    return event.count + len(event.red_threes) + len(event.set_aside)


def _gathered(told: _Told, event: Gathered) -> Iterator[str]:
    if not any(isinstance(one, TookTop) for one in told.turn.events):
        taken = _pile(told, _gathered_cards(event))
        yield told.words("happened.showing", taken=taken, cards=told.ranks(event.showed)) if event.showed else taken
    yield from _threes(told, event.red_threes)
    if event.set_aside:
        yield told.words("happened.set_aside", threes=card_text.cards(event.set_aside))


def _took_foot(told: _Told, event: TookFoot) -> Iterator[str]:
    yield told.words("happened.took_foot", count=event.count)
    yield from _threes(told, event.red_threes)


def _took_talon(told: _Told, event: TookTalon) -> Iterator[str]:
    yield told.words("happened.took_talon", count=event.count)
    yield from _threes(told, event.red_threes)


def _combined(told: _Told, event: Combined) -> Iterator[str]:
    yield told.words("happened.combined", kinds=card_text.meld_word(told.words, event.kind, 2))


def _reclaimed(told: _Told, event: Reclaimed) -> Iterator[str]:
    kinds = card_text.meld_word(told.words, event.kind, 2)
    yield told.words("happened.reclaimed", cards=told.ranks(event.cards), kinds=kinds)


def _asked(told: _Told, event: Asked) -> Iterator[str]:
    if event.partner == told.reader:
        yield told.words("happened.asked_you")
    else:
        yield told.words("happened.asked", partner=told.name(event.partner))


def _answered(told: _Told, event: Answered) -> Iterator[str]:
    if event.seat == told.reader:
        yield told.words("happened.you_answered_yes" if event.yes else "happened.you_answered_no")
    else:
        answer = "happened.answered_yes" if event.yes else "happened.answered_no"
        yield told.words(answer, name=told.name(event.seat))


def _showed(told: _Told, event: Showed) -> Iterator[str]:
    hand = told.words(f"special_hand.{event.hand}")
    yield told.strong(told.words("happened.showed", hand=hand, cards=card_text.cards(event.cards)))


def _sides_formed(told: _Told, event: SidesFormed) -> Iterator[str]:
    others = (seat for seat in range(len(told.look.seats)) if seat != event.seat)
    yield told.words("happened.alone", others=" & ".join(map(told.name, others)))


def _penalized(told: _Told, event: Penalized) -> Iterator[str]:
    said = irregularity_words(told.words, event)
    if event.seat == told.turn.seat:
        yield told.words("happened.penalized", **said)
    else:
        yield told.words("happened.penalized_other", name=told.name(event.seat), **said)


def _deal_ended(told: _Told, event: DealEnded) -> Iterator[str]:
    """Who went out; every other end is a line of its own."""
    if event.reason is DealEnd.OUT and event.went_out == told.turn.seat:
        yield told.strong(told.words("happened.went_out_concealed" if event.concealed else "happened.went_out"))


def _nothing(_told: _Told, _event: Event) -> Iterator[str]:
    """Nothing in a player's line."""
    return iter(())


_PARTS: Final[Mapping[type[Event], Callable[[_Told, Any], Iterator[str]]]] = {
    DealStarted: _nothing,
    Drew: _drew,
    LaidOut: _laid_out,
    TookFoot: _took_foot,
    SetTalon: lambda told, event: iter([told.words("happened.set_talon", count=event.count)]),
    TookTalon: _took_talon,
    TookTop: _took_top,
    Gathered: _gathered,
    Reshuffled: lambda told, event: iter([told.words("happened.reshuffled", count=event.count)]),
    Combined: _combined,
    Reclaimed: _reclaimed,
    Opened: lambda told, event: iter([told.words("happened.opened", points=event.points)]),
    TookBack: _nothing,
    Discarded: lambda told, event: iter([told.words("happened.discarded", card=told.card(event.card))]),
    Asked: _asked,
    Answered: _answered,
    Announced: lambda told, _event: iter([told.words("happened.announced")]),
    PermissionLapsed: lambda told, _event: iter([told.words("happened.permission_lapsed")]),
    Passed: lambda told, _event: iter([told.words("happened.passed")]),
    Showed: _showed,
    SidesFormed: _sides_formed,
    Penalized: _penalized,
    DealEnded: _deal_ended,
    GameEnded: _nothing,
}
"""What each event adds to a line; `Melded` is told with its neighbours."""
