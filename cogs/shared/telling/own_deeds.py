"""What one did oneself, as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from bot.engine.cards.cards import RED_THREE
from bot.engine.moves.events import (
    Announced,
    Answered,
    Asked,
    Combined,
    Discarded,
    Drew,
    Event,
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
from bot.i18n import Words
from bot.tables.looks import ActionResult, TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.telling import names
from cogs.shared.telling.irregularity_text import irregularity_words
from cogs.shared.telling.laid_cards import meld
from cogs.shared.telling.voices import MARKED, Voice


def to_oneself(words: Words, outcome: ActionResult, *, voice: Voice = MARKED) -> str:
    """What one's own action came to, with the cards one drew oneself; that a deal is over the title says."""
    if outcome.repeated:
        return words("panel.repeated")
    look = outcome.look
    # The next seat may lay out red threes as its turn begins: that is not one's own doing.
    theirs = (LaidOut, TookTalon)
    own = (event for event in outcome.events if not isinstance(event, theirs) or event.seat == look.seat)
    telling = _Telling(words, look.table, voice)
    return " ".join(sentence for _, those in groupby(own, key=type) for sentence in _sentences(telling, tuple(those)))


@dataclass(frozen=True, slots=True)
class _Telling:
    """In which words, of which table and in which voice somebody is told of their own deeds."""

    words: Words
    look: TableSnapshot
    voice: Voice


def _sentences(telling: _Telling, those: Sequence[Event]) -> Iterator[str]:
    """Events of one sort that followed each other; what was laid or taken back together is one sentence."""
    key = _IN_ONE.get(type(those[0]))
    if key is not None:
        melds = (_melded(telling, event) for event in those if isinstance(event, Melded | TookBack))
        between = telling.words("happened.and") if telling.voice.in_words else ", "
        yield telling.words(key, cards=between.join(melds))
        return
    told = _TOLD.get(type(those[0]), _nothing)
    for event in those:
        yield from told(telling, event)


def _melded(telling: _Telling, event: Melded | TookBack | TookTop) -> str:
    cards = (event.top, *event.cards) if isinstance(event, TookTop) else event.cards
    return meld(telling.words, event.kind, cards, voice=telling.voice)


def _drew(telling: _Telling, event: Drew | LaidOut | TookTalon) -> Iterator[str]:
    if event.cards:
        yield telling.words("panel.drew", cards=card_text.cards(event.cards))
    if event.red_threes:
        red = all(card >> 2 == RED_THREE for card in event.red_threes)
        yield telling.words("panel.red_threes" if red else "panel.threes", count=len(event.red_threes))


def _took_foot(telling: _Telling, event: TookFoot) -> Iterator[str]:
    yield telling.words("panel.took_foot", cards=card_text.cards(event.cards))
    if event.red_threes:
        yield telling.words("panel.red_threes", count=len(event.red_threes))


def _asked(telling: _Telling, event: Asked) -> Iterator[str]:
    yield telling.words("panel.asked", name=names.of_seat(telling.words, telling.look, event.partner))


def _took_top(telling: _Telling, event: TookTop) -> Iterator[str]:
    yield telling.words("panel.laid", cards=_melded(telling, event))


def _gathered(telling: _Telling, event: Gathered) -> Iterator[str]:
    cards = card_text.cards(event.cards + event.hidden)
    yield telling.words("panel.took", cards=cards) if cards else telling.words("panel.took_top")


def _opened(telling: _Telling, event: Opened) -> Iterator[str]:
    yield telling.words("panel.opened", points=event.points)


def _discarded(telling: _Telling, event: Discarded) -> Iterator[str]:
    yield telling.words("panel.discarded", card=card_text.card(event.card))


def _combined(telling: _Telling, event: Combined) -> Iterator[str]:
    yield telling.words("panel.combined", kinds=card_text.meld_word(telling.words, event.kind, 2))


def _reclaimed(telling: _Telling, event: Reclaimed) -> Iterator[str]:
    kinds = card_text.meld_word(telling.words, event.kind, 2)
    yield telling.words("panel.reclaimed", cards=card_text.cards(event.cards), kinds=kinds)


def _showed(telling: _Telling, event: Showed) -> Iterator[str]:
    yield telling.words("panel.showed", hand=telling.words(f"special_hand.{event.hand}"))


def _penalized(telling: _Telling, event: Penalized) -> Iterator[str]:
    yield telling.words("panel.penalized", **irregularity_words(telling.words, event))


def _plainly(key: str) -> Callable[[_Telling, Event], Iterator[str]]:
    """What is told in one and the same sentence every time."""
    return lambda telling, _event: iter((telling.words(key),))


def _nothing(_telling: _Telling, _event: Event) -> Iterator[str]:
    return iter(())


_IN_ONE: Final[Mapping[type[Event], str]] = {Melded: "panel.laid", TookBack: "panel.took_back"}
"""What is told of several events in one sentence."""

_TOLD: Final[Mapping[type[Event], Callable[[_Telling, Any], Iterator[str]]]] = {
    Drew: _drew,
    LaidOut: _drew,
    TookTalon: _drew,
    TookFoot: _took_foot,
    TookTop: _took_top,
    Gathered: _gathered,
    Opened: _opened,
    Discarded: _discarded,
    Combined: _combined,
    Reclaimed: _reclaimed,
    Asked: _asked,
    Answered: _plainly("panel.answered"),
    Announced: _plainly("panel.announced"),
    PermissionLapsed: _plainly("panel.permission_lapsed"),
    Passed: _plainly("panel.passed"),
    Showed: _showed,
    Penalized: _penalized,
}
"""What is told of each event that one's own action came to; of others nothing."""
