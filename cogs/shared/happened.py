"""What happened, as sentences: for the board in the third person, for a panel in the second."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bot.engine.cards import ACE, BLACK_THREE, RED_THREE, Card, Kind
from bot.engine.events import (
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
from bot.engine.judging import Penalty
from bot.i18n import Words
from bot.i18n.penalties import cost_sentence
from bot.tables.looks import Outcome, TableLook
from cogs.shared import card_text, names
from render.melds import FIRST_RUN

SHORTEST_RUN: Final = 3
"""Fewer cards have joined a run that lay there."""


def on_board(words: Words, look: TableLook, event: Event) -> str:
    """One event for everybody. Cards that only one seat knows are not in it."""
    name = names.of_seat(words, look, getattr(event, "seat", -1))
    return _FOR_ALL[type(event)](words, look, event, name)


def recent_lines(words: Words, look: TableLook, most: int = 5) -> list[str]:
    """The latest events for everybody, oldest first, the deal's beginning at the earliest."""
    return together(words, look, _of_deal(look)[-most:])


def lines_since_turn(words: Words, look: TableLook, seat: int, least: int = 5) -> list[str]:
    """The same for a seat: all since its last turn ended, or more."""
    events = _of_deal(look)
    ends = [place for place, event in enumerate(events) if isinstance(event, Discarded) and event.seat == seat]
    first = ends[-1] + 1 if ends else 0
    return together(words, look, events[min(first, max(0, len(events) - least)) :])


def together(words: Words, look: TableLook, events: Iterable[Event]) -> list[str]:
    """The events in lines; what one seat does in a row is one line, its name said once."""
    lines: list[str] = []
    before = None
    for event in events:
        line, seat = on_board(words, look, event), getattr(event, "seat", None)
        head = f"{names.of_seat(words, look, seat)} " if seat is not None else ""
        if lines and head and seat == before and line.startswith(head):
            lines[-1] += f", {line.removeprefix(head)}"
        else:
            lines.append(line)
        before = seat
    return lines


def _of_deal(look: TableLook) -> list[Event]:
    """The latest events, the deal's beginning at the earliest."""
    events = [event for _, event in look.recent]
    starts = [index for index, event in enumerate(events) if isinstance(event, DealStarted)]
    return events[starts[-1] if starts else 0 :]


def _deal_started(words: Words, look: TableLook, event: DealStarted, _name: str) -> str:
    return words("event.deal_started", deal=event.deal, name=names.of_seat(words, look, event.dealer))


def _drew(words: Words, _look: TableLook, event: Drew, name: str) -> str:
    if event.red_threes:
        return words("event.drew_red", name=name, count=event.count, threes=card_text.cards(event.red_threes))
    return words("event.drew", name=name, count=event.count)


def _laid_out(words: Words, _look: TableLook, event: LaidOut, name: str) -> str:
    return words("event.laid_out", name=name, threes=card_text.cards(event.red_threes))


def _set_talon(words: Words, _look: TableLook, event: SetTalon, name: str) -> str:
    return words("event.set_talon", name=name, count=event.count)


def _took_talon(words: Words, _look: TableLook, event: TookTalon, name: str) -> str:
    if event.red_threes:
        return words("event.took_talon_threes", name=name, count=event.count, threes=card_text.cards(event.red_threes))
    return words("event.took_talon", name=name, count=event.count)


def _took_foot(words: Words, _look: TableLook, event: TookFoot, name: str) -> str:
    if event.red_threes:
        return words("event.took_foot_red", name=name, count=event.count, threes=card_text.cards(event.red_threes))
    return words("event.took_foot", name=name, count=event.count)


def _took_top(words: Words, _look: TableLook, event: TookTop, name: str) -> str:
    return words("event.took_top", name=name, kinds=card_text.meld_word(words, event.kind, 2))


def _gathered(words: Words, _look: TableLook, event: Gathered, name: str) -> str:
    if event.showed:
        return words("event.gathered_showing", name=name, count=event.count, shown=card_text.cards(event.showed))
    if event.set_aside:
        threes = card_text.cards(event.set_aside)
        return words("event.gathered_threes", name=name, count=event.count, threes=threes)
    if not event.count:
        return words("event.gathered_none", name=name)
    return words("event.gathered", name=name, count=event.count)


def _reshuffled(words: Words, _look: TableLook, event: Reshuffled, _name: str) -> str:
    return words("event.reshuffled", count=event.count)


def _melded(words: Words, _look: TableLook, event: Melded, name: str) -> str:
    return words("event.melded", name=name, cards=_laid(words, event.kind, event.cards))


def _combined(words: Words, _look: TableLook, event: Combined, name: str) -> str:
    return words("event.combined", name=name, kinds=card_text.meld_word(words, event.kind, 2))


def _reclaimed(words: Words, _look: TableLook, event: Reclaimed, name: str) -> str:
    kinds = card_text.meld_word(words, event.kind, 2)
    return words("event.reclaimed", name=name, cards=card_text.in_words(words, event.cards), kinds=kinds)


def _laid(words: Words, kind: Kind, cards: Iterable[Card]) -> str:
    """Cards that were laid: in a run suits matter, else only ranks; with the meld they joined where they do not say."""
    several = tuple(cards)
    if kind >= FIRST_RUN:
        told = card_text.cards(several)
        joined = len(several) < SHORTEST_RUN
        return words("event.laid_on", cards=told, kinds=card_text.meld_word(words, kind)) if joined else told
    told = card_text.in_words(words, several)
    if kind > ACE or any(card >> 2 == kind for card in several):
        return told
    return words("event.laid_on", cards=told, kinds=card_text.kind_word(words, kind, 2))


def _opened(words: Words, _look: TableLook, event: Opened, name: str) -> str:
    return words("event.opened", name=name, points=event.points)


def _took_back(words: Words, _look: TableLook, event: TookBack, name: str) -> str:
    return words("event.took_back", name=name, kinds=card_text.meld_word(words, event.kind, 2))


def _discarded(words: Words, _look: TableLook, event: Discarded, name: str) -> str:
    return words("event.discarded", name=name, card=card_text.card(event.card))


def _asked(words: Words, look: TableLook, event: Asked, name: str) -> str:
    return words("event.asked", name=name, partner=names.of_seat(words, look, event.partner))


def _answered(words: Words, _look: TableLook, event: Answered, name: str) -> str:
    return words("event.answered_yes" if event.yes else "event.answered_no", name=name)


def _announced(words: Words, _look: TableLook, _event: Announced, name: str) -> str:
    return words("event.announced", name=name)


def _passed(words: Words, _look: TableLook, _event: Passed, name: str) -> str:
    return words("event.passed", name=name)


def _showed(words: Words, _look: TableLook, event: Showed, name: str) -> str:
    hand = words(f"special_hand.{event.hand}")
    return words("event.showed", name=name, hand=hand, cards=card_text.cards(event.cards))


def _sides_formed(words: Words, look: TableLook, event: SidesFormed, name: str) -> str:
    others = names.of_those(words, look, (seat for seat in range(len(look.seats)) if seat != event.seat))
    return words("event.sides_formed", name=name, others=others)


def _penalized(words: Words, _look: TableLook, event: Penalized, name: str) -> str:
    return words("event.penalized", name=name, **irregularity_words(words, event))


def irregularity_words(words: Words, paid: Penalized | Penalty) -> dict[str, str]:
    """What an irregularity is called and what it costs, for the sentences that say so."""
    cost = cost_sentence(words, paid, card_name=card_text.card)
    return {"irregularity": words(f"irregularity.{paid.irregularity.value}"), "cost": cost}


def _deal_ended(words: Words, look: TableLook, event: DealEnded, _name: str) -> str:
    return how_it_ended(words, look, event)


def _game_ended(words: Words, look: TableLook, event: GameEnded, _name: str) -> str:
    return words("event.game_ended", side=names.of_total(words, look, event.winner))


def how_it_ended(words: Words, look: TableLook, event: DealEnded) -> str:
    """What ended a deal."""
    if event.reason is DealEnd.STOCK:
        return words("event.deal_stock")
    if event.reason is DealEnd.SPECIAL_HAND:
        return _which_hand(words, look, event) or words("event.deal_special_hand")
    if event.reason is DealEnd.SEVEN_CANASTAS:
        return words("event.deal_seven_canastas")
    if event.reason is DealEnd.THEME_CANASTA:
        return words("event.deal_theme_canasta")
    if event.reason is DealEnd.LAST_RED_THREE or event.went_out is None:
        both = look.view is not None and BLACK_THREE in look.view.rules.laid_out
        return words("event.deal_last_three" if both else "event.deal_last_red_three")
    name = names.of_seat(words, look, event.went_out)
    return words("event.deal_out_concealed" if event.concealed else "event.deal_out", name=name)


def _which_hand(words: Words, look: TableLook, event: DealEnded) -> str:
    """Who showed which special hand, as long as it is among the latest events; else nothing."""
    newest = look.view is not None and look.view.deal == event.deal
    showed = [one for one in _of_deal(look) if newest and isinstance(one, Showed)]
    return on_board(words, look, showed[-1]) if showed else ""


_FOR_ALL: Final[Mapping[type[Event], Callable[[Words, TableLook, Any, str], str]]] = {
    DealStarted: _deal_started,
    Drew: _drew,
    LaidOut: _laid_out,
    TookFoot: _took_foot,
    SetTalon: _set_talon,
    TookTalon: _took_talon,
    TookTop: _took_top,
    Gathered: _gathered,
    Reshuffled: _reshuffled,
    Melded: _melded,
    Combined: _combined,
    Reclaimed: _reclaimed,
    Opened: _opened,
    TookBack: _took_back,
    Discarded: _discarded,
    Asked: _asked,
    Answered: _answered,
    Announced: _announced,
    Passed: _passed,
    Showed: _showed,
    SidesFormed: _sides_formed,
    Penalized: _penalized,
    DealEnded: _deal_ended,
    GameEnded: _game_ended,
}


def to_oneself(words: Words, outcome: Outcome) -> str:
    """What one's own action came to, with the cards one drew oneself."""
    if outcome.repeated:
        return words("panel.repeated")
    look = outcome.look
    # The next seat may lay out red threes as its turn begins: that is not one's own doing.
    theirs = (LaidOut, TookTalon)
    own = (event for event in outcome.events if not isinstance(event, theirs) or event.seat == look.seat)
    return " ".join(sentence for event in own for sentence in _own(words, look.table, event))


def _own(words: Words, look: TableLook, event: Event) -> Iterable[str]:
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
    elif isinstance(event, DealEnded):
        yield words("panel.deal_over")
    elif isinstance(event, Penalized):
        yield words("panel.penalized", **irregularity_words(words, event))
    else:
        yield from _own_cards(words, event)


_OWN_PLAINLY: Final[Mapping[type[Event], str]] = {
    Answered: "panel.answered",
    Announced: "panel.announced",
    Passed: "panel.passed",
}
"""What one did oneself and can be told in the same words every time."""


def _threes_drawn(threes: Iterable[Card]) -> str:
    """The key for threes that one has drawn: red ones, or of both colours."""
    return "panel.red_threes" if all(card >> 2 == RED_THREE for card in threes) else "panel.threes"


def _own_cards(words: Words, event: Event) -> Iterable[str]:
    said: tuple[str, Kind, tuple[Card, ...]] | None = None
    if isinstance(event, Gathered):
        gathered = card_text.cards(event.cards + event.hidden)
        yield words("panel.took", cards=gathered) if gathered else words("panel.took_top")
    elif isinstance(event, Opened):
        yield words("panel.opened", points=event.points)
    elif isinstance(event, Discarded):
        yield words("panel.discarded", card=card_text.card(event.card))
    elif isinstance(event, TookTop):
        said = ("panel.laid", event.kind, (event.top, *event.cards))
    elif isinstance(event, Melded):
        said = ("panel.laid", event.kind, event.cards)
    elif isinstance(event, Combined):
        yield words("panel.combined", kinds=card_text.meld_word(words, event.kind, 2))
    elif isinstance(event, Reclaimed):
        kinds = card_text.meld_word(words, event.kind, 2)
        yield words("panel.reclaimed", cards=card_text.cards(event.cards), kinds=kinds)
    elif isinstance(event, TookBack):
        said = ("panel.took_back", event.kind, event.cards)
    elif type(event) in _OWN_PLAINLY:
        yield words(_OWN_PLAINLY[type(event)])
    elif isinstance(event, Showed):
        yield words("panel.showed", hand=words(f"special_hand.{event.hand}"))
    if said is not None:
        key, kind, cards = said
        yield words(key, cards=_laid(words, kind, cards))
