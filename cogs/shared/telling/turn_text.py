"""A player's turn in one line: "Ben **took the pile (11)** with 10 10 · laid 4 4 4 · discarded 6♣".

Also: the ways to take the pile in words, and the voices in which events are described.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.engine.cards.cards import ACE, JOKER, TWO, Card, Kind
from bot.engine.cards.meld_places import Family, family_of
from bot.engine.moves.actions import TAKE_SHOWING, Take
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
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.reading.meld_draft import StagedMeld
from cogs.shared.telling import names
from cogs.shared.telling.explanations import irregularity_words
from render.layouts.side_panel import FIRST_RUN

WAYS: Final = {
    "p": Take(naturals=2),
    "t": Take(naturals=3),
    "2": Take(naturals=1, twos=1),
    "j": Take(naturals=1, jokers=1),
    "a": Take(),
    "w": TAKE_SHOWING,
}
"""Ways to take the pile, by the letter in a control."""


def cards_melded_with_top(view: SeatView, way: str) -> StagedMeld:
    """Return the cards from the hand that this way of taking melds with the top card.

    Raises `LookupError` if the pile is empty.
    """
    take = WAYS[way]
    top = view.table.pile.top
    if top is None:
        raise LookupError(way)
    return StagedMeld(top >> 2, take.naturals, take.twos, take.jokers)


def ways_to_take(view: SeatView) -> tuple[str, ...]:
    """Return the letters of the ways to take the pile that are legal now, as in `WAYS`."""
    return tuple(way for way, take in WAYS.items() if take in view.legal)


def way_to_take_in_words(words: Words, kind: Kind, way: str) -> str:
    """Return a way to take the pile as part of a list: "a natural pair of nines"."""
    one, many = card_text.kind_word(words, kind), card_text.kind_word(words, kind, 2)
    if way in ("p", "t"):
        return words("panel.take_pair" if way == "p" else "panel.take_triple", kinds=many)
    if way in ("a", "w"):
        return words("panel.take_add" if way == "a" else "panel.take_showing", kinds=many)
    return words("panel.take_with_two" if way == "2" else "panel.take_with_joker", kind=one)


def take_label(words: Words, kind: Kind, take: Take) -> str:
    """Return a way to take the pile as part of a button's label: "with 9 9", "onto the nines"."""
    if take.is_addition:
        return words("panel.button_onto", kinds=card_text.kind_word(words, kind, 2))
    if not take.naturals:
        return words("panel.take_showing", kinds=card_text.kind_word(words, kind, 2))
    return words("panel.button_with", cards=card_text.meld_text(kind, take.naturals, take.twos, take.jokers))


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style in which events are described: emphasis, separators, and whether cards are words.

    With `tight` the cards of a meld are not separated: ``777``.
    """

    strong: str
    between: str
    in_words: bool
    tight: bool = False


MARKED: Final = TextStyle("**{}**", " · ", in_words=False)
"""For messages: bold, cards as signs."""


SPOKEN: Final = TextStyle("{}", ", ", in_words=True)
"""For screen readers: melds in words; `cogs.shared.telling.text_only.spell_cards` converts single cards."""


LOGGED: Final = TextStyle("{}", ", ", in_words=False, tight=True)
"""For logs, which are sentences: "drew, laid 777, discarded 4♣"."""


PLAIN: Final = TextStyle("{}", ", ", in_words=False)
"""For a sentence in a message: cards as signs, no emphasis."""


SHORTEST_RUN: Final = 3
"""Fewest cards of a new run; fewer cards, or cards with a gap, were added to an existing run."""


def meld_text(words: Words, family: Family, cards: tuple[Card, ...], *, text_style: TextStyle = MARKED) -> str:
    """Return laid cards as text: ``10 10 10 +JK``, ``JK on kings``, ``7♠ 8♠ 9♠``.

    For screen readers the cards are in words.
    """
    if text_style.in_words or family >= FIRST_RUN:
        return _laid_cards_text(words, family, cards)
    if not _is_of_rank(family, cards):
        return _laid_cards_text(words, family, cards, lambda those: cards_in_signs(those, text_style))
    wild = [card for card in cards if family < TWO and card >> 2 in (TWO, JOKER)]
    natural = [card for card in cards if card not in wild]
    wilds = (f"+{card_text.rank_sign(card)}" for card in wild)
    return " ".join([*filter(None, [cards_in_signs(natural, text_style)]), *wilds])


def cards_in_signs(cards: Iterable[Card], text_style: TextStyle) -> str:
    """Return cards by rank as text in the fewest letters.

    There are no spaces if each card is one letter.
    """
    signs = [card_text.rank_sign(card) for card in cards]
    return ("" if text_style.tight and all(len(sign) == 1 for sign in signs) else " ").join(signs)


def _laid_cards_text(
    words: Words, family: Family, cards: tuple[Card, ...], ranks: Callable[[tuple[Card, ...]], str] | None = None
) -> str:
    """Return laid cards as text: runs with suits, others by rank.

    The meld they join is named if the cards do not show it.
    """
    if family >= FIRST_RUN:
        text = card_text.cards_label(cards)
        low, high = cards[0] >> 2, cards[-1] >> 2
        joined = len(cards) < SHORTEST_RUN or high - low >= len(cards)
        return words("happened.laid_on", cards=text, kinds=card_text.meld_word(words, family)) if joined else text
    text = card_text.cards_in_words(words, cards) if ranks is None else ranks(cards)
    if _is_of_rank(family, cards):
        return text
    return words("happened.laid_on", cards=text, kinds=card_text.kind_word(words, family, 2))


def _is_of_rank(family: Family, cards: Iterable[Card]) -> bool:
    """Return whether the cards show which meld they belong to, because one of them has its rank."""
    return family > ACE or any(card >> 2 == family for card in cards)


@dataclass(frozen=True, slots=True)
class Turn:
    """The events of a turn; `seat` is the player in turn, None if there are no events yet."""

    deal: int
    number: int
    seat: int | None
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class _TurnDescription:
    """A turn with everything needed to describe it; `reader` is the seat called "you"."""

    words: Words
    snapshot: TableSnapshot
    turn: Turn
    text_style: TextStyle
    reader: int | None

    def name(self, seat: int) -> str:
        return names.seat_name_at(self.words, self.snapshot, seat, deal=self.turn.deal, turn=self.turn.number)

    def emphasize(self, text: str) -> str:
        return self.text_style.strong.format(text)

    def card(self, card: Card) -> str:
        return card_text.card_label(card) if self.text_style.in_words or card >> 2 != JOKER else "JK"

    def ranks(self, cards: Iterable[Card]) -> str:
        """Return cards by rank: ``10 10 JK``."""
        if self.text_style.in_words:
            return card_text.cards_in_words(self.words, cards)
        return cards_in_signs(cards, self.text_style)


def turn_line(
    words: Words, snapshot: TableSnapshot, turn: Turn, *, text_style: TextStyle = MARKED, reader: int | None = None
) -> str:
    """Return one line that describes the turn; "" if it has no events to describe."""
    told = _TurnDescription(words, snapshot, turn, text_style, reader)
    text = text_style.between.join(_turn_parts(told))
    if not text or turn.seat is None or _begins_with_answer(turn.events[:1], turn.seat):
        return text
    return f"{told.name(turn.seat)} {text}"


def _begins_with_answer(first: tuple[Event, ...], seat: int) -> bool:
    """Return whether the turn begins with that seat's answer to its partner.

    The text of the answer names the player already.
    """
    return any(isinstance(one, Answered) and one.seat == seat for one in first)


def turn_actions_text(words: Words, snapshot: TableSnapshot, turn: Turn, *, text_style: TextStyle = PLAIN) -> str:
    """Return text on what was done in the turn, without the player's name; "" if nothing was."""
    return text_style.between.join(_turn_parts(_TurnDescription(words, snapshot, turn, text_style, None)))


def _turn_parts(description: _TurnDescription) -> Iterator[str]:
    """Yield the parts of the line in order of play; consecutive melds are one part."""
    melds: dict[int, tuple[Card, ...]] = {}
    for event in description.turn.events:
        if isinstance(event, Melded):
            melds[event.place] = melds.get(event.place, ()) + event.cards
            continue
        yield from _describe_melds(description, melds)
        melds = {}
        yield from _PARTS[type(event)](description, event)
    yield from _describe_melds(description, melds)


def _describe_melds(description: _TurnDescription, melds: Mapping[int, tuple[Card, ...]]) -> Iterator[str]:
    """Yield text on the new melds, then on cards that were certainly added to a meld on the table."""
    least = description.snapshot.terms.meld_min
    joining = {place: cards for place, cards in melds.items() if is_added_to_set(family_of(place), cards, least)}
    between = description.words("happened.and") if description.text_style.in_words else ", "
    laid = [
        meld_text(description.words, family_of(place), cards, text_style=description.text_style)
        for place, cards in melds.items()
        if place not in joining
    ]
    if laid:
        yield description.words("happened.laid", melds=between.join(laid))
    if joining:
        added = (
            added_cards_text(description.words, family_of(place), cards, text_style=description.text_style)
            for place, cards in joining.items()
        )
        yield description.words("happened.added", cards=between.join(added))


def is_added_to_set(family: Family, cards: tuple[Card, ...], least: int) -> bool:
    """Return whether cards laid for a rank were added to a meld, as they are too few for a new one."""
    return family <= ACE and (len(cards) < least or not _is_of_rank(family, cards))


def added_cards_text(words: Words, family: Family, cards: tuple[Card, ...], *, text_style: TextStyle = MARKED) -> str:
    """Return added cards as text: "J J"; with wild cards also their meld: "a joker to the fours"."""
    wild = [card for card in cards if card >> 2 in (TWO, JOKER)]
    if not wild:
        return meld_text(words, family, cards, text_style=text_style)
    kinds = card_text.kind_word(words, family, 2)
    if len(cards) == 1:
        return words("happened.joker_to" if cards[0] >> 2 == JOKER else "happened.two_to", kinds=kinds)
    return words("happened.wild_to", cards=card_text.cards_in_words(words, cards), kinds=kinds)


def _describe_draw(description: _TurnDescription, event: Drew) -> Iterator[str]:
    if event.cards:  # the cards are known only for a finished deal
        yield description.words("happened.drew_cards", cards=card_text.cards_label(event.cards))
    else:
        yield description.words("happened.drew", count=max(1, event.count))
    yield from _describe_threes(description, event.red_threes)


def _describe_threes(description: _TurnDescription, threes: tuple[Card, ...]) -> Iterator[str]:
    if threes:
        yield description.words("happened.laid_out", threes=card_text.cards_label(threes))


def _describe_threes_laid_out(description: _TurnDescription, event: LaidOut) -> Iterator[str]:
    yield from _describe_threes(description, event.red_threes)


def _describe_taken_top_card(description: _TurnDescription, event: TookTop) -> Iterator[str]:
    """Yield text on the pile that was taken, or on its top card while the initial meld is unfinished."""
    gathered = next((one for one in description.turn.events if isinstance(one, Gathered)), None)
    if gathered is None:
        taken = description.words("happened.took_top", card=description.card(event.top))
    else:
        taken = _describe_pile(description, 1 + _gathered_cards(gathered))
    if event.cards:
        yield description.words("happened.with", taken=taken, cards=description.ranks(event.cards))
    else:
        yield description.words(
            "happened.onto", taken=taken, kinds=card_text.meld_word(description.words, event.kind, 2)
        )


def _describe_pile(description: _TurnDescription, count: int) -> str:
    return description.emphasize(description.words("happened.took_pile", count=count))


def _gathered_cards(event: Gathered) -> int:
    return event.count + len(event.red_threes) + len(event.set_aside)


def _describe_gathering(description: _TurnDescription, event: Gathered) -> Iterator[str]:
    if not any(isinstance(one, TookTop) for one in description.turn.events):
        taken = _describe_pile(description, _gathered_cards(event))
        yield (
            description.words("happened.showing", taken=taken, cards=description.ranks(event.showed))
            if event.showed
            else taken
        )
    yield from _describe_threes(description, event.red_threes)
    if event.set_aside:
        yield description.words("happened.set_aside", threes=card_text.cards_label(event.set_aside))


def _describe_foot(description: _TurnDescription, event: TookFoot) -> Iterator[str]:
    yield description.words("happened.took_foot", count=event.count)
    yield from _describe_threes(description, event.red_threes)


def _describe_taken_talon(description: _TurnDescription, event: TookTalon) -> Iterator[str]:
    yield description.words("happened.took_talon", count=event.count)
    yield from _describe_threes(description, event.red_threes)


def _describe_combining(description: _TurnDescription, event: Combined) -> Iterator[str]:
    yield description.words("happened.combined", kinds=card_text.meld_word(description.words, event.kind, 2))


def _describe_reclaiming(description: _TurnDescription, event: Reclaimed) -> Iterator[str]:
    kinds = card_text.meld_word(description.words, event.kind, 2)
    yield description.words("happened.reclaimed", cards=description.ranks(event.cards), kinds=kinds)


def _describe_question(description: _TurnDescription, event: Asked) -> Iterator[str]:
    if event.partner == description.reader:
        yield description.words("happened.asked_you")
    else:
        yield description.words("happened.asked", partner=description.name(event.partner))


def _describe_answer(description: _TurnDescription, event: Answered) -> Iterator[str]:
    if event.seat == description.reader:
        yield description.words("happened.you_answered_yes" if event.yes else "happened.you_answered_no")
    else:
        answer = "happened.answered_yes" if event.yes else "happened.answered_no"
        yield description.words(answer, name=description.name(event.seat))


def _describe_showing(description: _TurnDescription, event: Showed) -> Iterator[str]:
    hand = description.words(f"special_hand.{event.hand}")
    yield description.emphasize(
        description.words("happened.showed", hand=hand, cards=card_text.cards_label(event.cards))
    )


def _describe_formed_sides(description: _TurnDescription, event: SidesFormed) -> Iterator[str]:
    others = (seat for seat in range(len(description.snapshot.seats)) if seat != event.seat)
    yield description.words("happened.alone", others=" & ".join(map(description.name, others)))


def _describe_penalty(description: _TurnDescription, event: Penalized) -> Iterator[str]:
    said = irregularity_words(description.words, event)
    if event.seat == description.turn.seat:
        yield description.words("happened.penalized", **said)
    else:
        yield description.words("happened.penalized_other", name=description.name(event.seat), **said)


def _describe_going_out(description: _TurnDescription, event: DealEnded) -> Iterator[str]:
    """Yield text if the player went out; other ends of a deal have a line of their own."""
    if event.reason is DealEnd.OUT and event.went_out == description.turn.seat:
        yield description.emphasize(
            description.words("happened.went_out_concealed" if event.concealed else "happened.went_out")
        )


def _describe_nothing(_told: _TurnDescription, _event: Event) -> Iterator[str]:
    """Yield nothing."""
    return iter(())


_PARTS: Final[Mapping[type[Event], Callable[[_TurnDescription, Any], Iterator[str]]]] = {
    DealStarted: _describe_nothing,
    Drew: _describe_draw,
    LaidOut: _describe_threes_laid_out,
    TookFoot: _describe_foot,
    SetTalon: lambda told, event: iter([told.words("happened.set_talon", count=event.count)]),
    TookTalon: _describe_taken_talon,
    TookTop: _describe_taken_top_card,
    Gathered: _describe_gathering,
    Reshuffled: lambda told, event: iter([told.words("happened.reshuffled", count=event.count)]),
    Combined: _describe_combining,
    Reclaimed: _describe_reclaiming,
    Opened: lambda told, event: iter([told.words("happened.opened", points=event.points)]),
    TookBack: _describe_nothing,
    Discarded: lambda told, event: iter([told.words("happened.discarded", card=told.card(event.card))]),
    Asked: _describe_question,
    Answered: _describe_answer,
    Announced: lambda told, _event: iter([told.words("happened.announced")]),
    PermissionLapsed: lambda told, _event: iter([told.words("happened.permission_lapsed")]),
    Passed: lambda told, _event: iter([told.words("happened.passed")]),
    Showed: _describe_showing,
    SidesFormed: _describe_formed_sides,
    Penalized: _describe_penalty,
    DealEnded: _describe_going_out,
    GameEnded: _describe_nothing,
}
"""Writers of the line's parts by event; `Melded` is combined with its neighbours."""
