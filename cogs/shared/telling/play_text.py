"""Sentences about what happened: since a player's last turn, in the last round, in their own action.

Also: how a game ended early, and the message to a player who takes a seat back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from bot.clocks.clock import HOUR, MINUTE
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
from bot.tables.state.snapshots import ActionResult, RecentEvent, TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.telling import names, turn_text
from cogs.shared.telling.explanations import irregularity_words
from cogs.shared.telling.numbers import group_thousands
from cogs.shared.telling.turn_text import MARKED, TextStyle, Turn, meld_text


def early_end_heading(words: Words, snapshot: TableSnapshot) -> str:
    """Return the heading for a game that was ended early: the winner with points, or that there is none."""
    conclusion = snapshot.conclusion
    if conclusion is None or conclusion.winner is None:
        played = snapshot.view is not None and bool(snapshot.view.results)
        tied, no_deal = (
            ("conclusion.tied", "conclusion.no_deal")
            if snapshot.contest is None
            else ("contest.tied", "contest.no_deal")
        )
        return words(tied if played else no_deal, table=snapshot.id)
    return winner_text(words, snapshot, conclusion.winner, conclusion.scores[conclusion.winner])


def winner_text(words: Words, snapshot: TableSnapshot, score_index: int, score: int) -> str:
    """Return a sentence that this side or player has won with that score.

    In a match it does not give the table's number.
    """
    key = "conclusion.winner" if snapshot.contest is None else "contest.winner"
    return words(
        key,
        table=snapshot.id,
        side=names.score_holder_names(words, snapshot, score_index),
        score=group_thousands(words, score),
    )


def early_end_details(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return lines on how the game was ended early and on its scores; none for other games."""
    conclusion = snapshot.conclusion
    if conclusion is None:
        return []
    gave_up = snapshot.absence.forfeited if conclusion.last is None else (conclusion.last,)
    last = ", ".join(names.score_owner_names(words, snapshot, number) for number in gave_up)
    scores = " · ".join(
        words(
            "board.total", side=names.score_holder_names(words, snapshot, number), score=group_thousands(words, score)
        )
        for number, score in enumerate(conclusion.scores)
    )
    nobody_came = conclusion.how == "forfeited" and conclusion.winner is None and conclusion.last is None
    return [words("contest.nobody_came" if nobody_came else f"conclusion.{conclusion.how}", side=last), scores]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of text; its weight and turn decide which lines are left out first."""

    text: str
    weight: int
    turn: int


def lines_since_turn(
    words: Words,
    snapshot: TableSnapshot,
    seat: int,
    *,
    by_itself: int | None = None,
    room: int | None = None,
    text_style: TextStyle = MARKED,
) -> list[str]:
    """Return what others did since the seat's last turn, one line per turn, in the order of play.

    While the seat is in turn, its last turn is the one before. A turn of its own that was played automatically
    (`by_itself`) is included. If the lines exceed `room` characters, the least important are left out and the last line
    says how many.
    """
    turns = _remembered_turns(snapshot)
    now = _running_turn(snapshot)
    own = [turn.number for turn in turns if turn.seat == seat and turn.number not in (now, by_itself)]
    last = max(own, default=-1)
    since = [turn for turn in turns if turn.number > last and (turn.seat != seat or turn.number == by_itself)]
    lines = [one for turn in since for one in _turn_lines(words, snapshot, turn, text_style=text_style, reader=seat)]
    return _shorten_lines(words, lines, room)


def last_round_lines(
    words: Words, snapshot: TableSnapshot, *, room: int | None = None, text_style: TextStyle = MARKED
) -> list[str]:
    """Return a line on each seat's last turn, in order, including the current one.

    If they exceed `room` characters, the least important are left out, as in `lines_since_turn`.
    """
    turns = _remembered_turns(snapshot)
    seats = 0 if snapshot.view is None else len(snapshot.view.playing)
    now = _running_turn(snapshot)
    last = max((turn.number for turn in turns), default=0) if now is None else now
    lines = [
        one
        for turn in turns
        if turn.number > last - seats
        for one in _turn_lines(words, snapshot, turn, text_style=text_style, reader=None)
    ]
    return _shorten_lines(words, lines, room)


def previous_turn_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return one line on what was done in the turn before the current one; "" if unknown."""
    now = _running_turn(snapshot)
    turns = [turn for turn in _remembered_turns(snapshot) if now is None or turn.number < now]
    return turn_text.turn_line(words, snapshot, turns[-1]) if turns else ""


def _remembered_turns(snapshot: TableSnapshot) -> list[Turn]:
    """Return the recent turns of which the table still has the events."""
    groups = groupby(snapshot.recent, key=lambda one: (one.deal, one.turn))
    return [_build_turn(deal, number, tuple(those)) for (deal, number), those in groups]


def _build_turn(deal: int, turn_number: int, events: Sequence[RecentEvent]) -> Turn:
    """Return the turn made of these events.

    Its seat is that of the first event that is not an answer to a partner's question.
    """
    seats = (one.seat for one in events if one.seat is not None and not isinstance(one.event, Answered))
    return Turn(deal, turn_number, next(seats, None), tuple(one.event for one in events))


def _running_turn(snapshot: TableSnapshot) -> int | None:
    """Return the number of the running turn, or None."""
    view = snapshot.view
    return None if view is None or view.phase in (Phase.BETWEEN, Phase.OVER) else view.turns


_PLAIN, _MELD, _PILE, _END = range(4)
"""Importance of a line, by its most important event."""


def _turn_lines(
    words: Words, snapshot: TableSnapshot, turn: Turn, *, text_style: TextStyle, reader: int | None
) -> Iterable[_Line]:
    text = turn_text.turn_line(words, snapshot, turn, text_style=text_style, reader=reader)
    if text:
        yield _Line(text, _turn_importance(turn), turn.number)
    for event in turn.events:
        if isinstance(event, DealEnded) and event.reason is not DealEnd.OUT:
            how = deal_end_text(words, snapshot, event)
            yield _Line(words("happened.deal_over", deal=event.deal, how=how), _END, turn.number)
        elif isinstance(event, GameEnded):
            side = names.score_holder_names(words, snapshot.with_holders_at_end_of(turn.deal), event.winner)
            yield _Line(text_style.strong.format(words("happened.game_over", side=side)), _END, turn.number)


def _turn_importance(turn: Turn) -> int:
    if any(isinstance(event, Gathered | TookTop) for event in turn.events):
        return _PILE
    return _MELD if any(not isinstance(event, Drew | Discarded) for event in turn.events) else _PLAIN


def _shorten_lines(words: Words, lines: Sequence[_Line], room: int | None) -> list[str]:
    """Return the texts of the lines, without the least important ones if they exceed `room` characters.

    A last line then says how many are left out.
    """
    kept = list(lines)
    texts = [one.text for one in kept]
    while room is not None and kept and len("\n".join(texts)) > room:
        kept.remove(min(kept, key=lambda one: (one.weight, one.turn)))
        texts = [*(one.text for one in kept), words("happened.more", count=len(lines) - len(kept))]
    return texts


def deal_end_text(words: Words, snapshot: TableSnapshot, event: DealEnded) -> str:
    """Return how a deal ended, as text; players have the names that they had then."""
    then = snapshot.with_holders_at_end_of(event.deal)
    if event.reason is DealEnd.STOCK:
        return words("ended.stock")
    if event.reason is DealEnd.SPECIAL_HAND:
        return _special_hand_text(words, then, event) or words("ended.special_hand")
    if event.reason is DealEnd.SEVEN_CANASTAS:
        return words("ended.seven_canastas")
    if event.reason is DealEnd.THEME_CANASTA:
        return words("ended.theme_canasta")
    if event.reason is DealEnd.LAST_RED_THREE or event.went_out is None:
        both = snapshot.view is not None and BLACK_THREE in snapshot.view.rules.laid_out
        return words("ended.last_three" if both else "ended.last_red_three")
    name = names.seat_name(words, then, event.went_out)
    return words("ended.out_concealed" if event.concealed else "ended.out", name=name)


def _special_hand_text(words: Words, snapshot: TableSnapshot, event: DealEnded) -> str:
    """Return a sentence on who showed which special hand; "" if that is not stored."""
    shown = next((left.shown for left in snapshot.left if left.deal == event.deal), None)
    if shown is None:
        return ""
    seat, hand = shown
    return words("ended.showed", name=names.seat_name(words, snapshot, seat), hand=words(f"special_hand.{hand}"))


def own_action_text(words: Words, outcome: ActionResult, *, text_style: TextStyle = MARKED) -> str:
    """Return sentences on what the player's action did, with the cards drawn, but not on a deal's end."""
    if outcome.repeated:
        return words("panel.repeated")
    snapshot = outcome.snapshot
    # Red threes that the next seat lays out at the start of its turn are not part of the action.
    theirs = (LaidOut, TookTalon)
    own = [event for event in outcome.events if not isinstance(event, theirs) or event.seat == snapshot.seat]
    telling = _Description(words, snapshot.table, text_style)
    events = groupby(_events_with_pile_first(own), key=lambda event: (type(event), _is_added_to_meld(telling, event)))
    return " ".join(sentence for _, those in events for sentence in _describe_events(telling, tuple(those)))


def _events_with_pile_first(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events with the taking of the pile moved before the meld of its top card.

    People tell it in this order.
    """
    place = next((number for number, event in enumerate(events) if isinstance(event, TookTop)), None)
    if place is None:
        return events
    gathered = [event for event in events[place:] if isinstance(event, Gathered)]
    return [*events[:place], *gathered, *(event for event in events[place:] if not isinstance(event, Gathered))]


def _is_added_to_meld(description: _Description, event: Event) -> bool:
    """Return whether the event certainly added cards to a meld that was already on the table."""
    if not isinstance(event, Melded | TookTop):
        return False
    return turn_text.is_added_to_set(event.kind, _melded_cards(event), description.snapshot.terms.meld_min)


@dataclass(frozen=True, slots=True)
class _Description:
    """The language, table and style in which a player's own actions are described."""

    words: Words
    snapshot: TableSnapshot
    text_style: TextStyle


def _describe_events(description: _Description, events: Sequence[Event]) -> Iterator[str]:
    """Yield sentences on consecutive events of one kind; those that lay or take back cards share one."""
    key = _COMBINED.get(type(events[0]))
    if key is not None:
        key = "panel.added" if _is_added_to_meld(description, events[0]) else key
        melds = (_describe_melds(description, event) for event in events if isinstance(event, Melded | TookBack))
        between = description.words("happened.and") if description.text_style.in_words else ", "
        yield description.words(key, cards=between.join(melds))
        return
    told = _WRITERS.get(type(events[0]), _describe_nothing)
    for event in events:
        yield from told(description, event)


def _describe_melds(description: _Description, event: Melded | TookBack | TookTop) -> str:
    told = turn_text.added_cards_text if _is_added_to_meld(description, event) else meld_text
    return told(description.words, event.kind, _melded_cards(event), text_style=description.text_style)


def _melded_cards(event: Melded | TookBack | TookTop) -> tuple[Card, ...]:
    return (event.top, *event.cards) if isinstance(event, TookTop) else event.cards


def _describe_draw(description: _Description, event: Drew | LaidOut | TookTalon) -> Iterator[str]:
    if event.cards:
        yield description.words("panel.drew", cards=card_text.cards_label(event.cards))
    if event.red_threes:
        red = all(card >> 2 == RED_THREE for card in event.red_threes)
        yield description.words("panel.red_threes" if red else "panel.threes", count=len(event.red_threes))


def _describe_foot(description: _Description, event: TookFoot) -> Iterator[str]:
    yield description.words("panel.took_foot", cards=card_text.cards_label(event.cards))
    if event.red_threes:
        yield description.words("panel.red_threes", count=len(event.red_threes))


def _describe_question(description: _Description, event: Asked) -> Iterator[str]:
    yield description.words("panel.asked", name=names.seat_name(description.words, description.snapshot, event.partner))


def _describe_answer(description: _Description, event: Answered) -> Iterator[str]:
    yield description.words("panel.answered_yes" if event.yes else "panel.answered_no")


def _describe_taken_top_card(description: _Description, event: TookTop) -> Iterator[str]:
    key = "panel.added" if _is_added_to_meld(description, event) else "panel.laid"
    yield description.words(key, cards=_describe_melds(description, event))


def _describe_gathering(description: _Description, event: Gathered) -> Iterator[str]:
    cards = card_text.cards_label(event.cards + event.hidden)
    yield description.words("panel.took", cards=cards) if cards else description.words("panel.took_top")


def _describe_opening(description: _Description, event: Opened) -> Iterator[str]:
    yield description.words("panel.opened", points=event.points)


def _describe_discard(description: _Description, event: Discarded) -> Iterator[str]:
    yield description.words("panel.discarded", card=card_text.card_label(event.card))


def _describe_combining(description: _Description, event: Combined) -> Iterator[str]:
    yield description.words("panel.combined", kinds=card_text.meld_word(description.words, event.kind, 2))


def _describe_reclaiming(description: _Description, event: Reclaimed) -> Iterator[str]:
    kinds = card_text.meld_word(description.words, event.kind, 2)
    yield description.words("panel.reclaimed", cards=card_text.cards_label(event.cards), kinds=kinds)


def _describe_showing(description: _Description, event: Showed) -> Iterator[str]:
    yield description.words("panel.showed", hand=description.words(f"special_hand.{event.hand}"))


def _describe_penalty(description: _Description, event: Penalized) -> Iterator[str]:
    yield description.words("panel.penalized", **irregularity_words(description.words, event))


def _describer_with_fixed_sentence(key: str) -> Callable[[_Description, Event], Iterator[str]]:
    """Return a function that describes every event of a kind by the same sentence."""
    return lambda telling, _event: iter((telling.words(key),))


def _describe_nothing(_telling: _Description, _event: Event) -> Iterator[str]:
    return iter(())


_COMBINED: Final[Mapping[type[Event], str]] = {Melded: "panel.laid", TookBack: "panel.took_back"}
"""Writers that combine several events of a kind into one sentence."""

_WRITERS: Final[Mapping[type[Event], Callable[[_Description, Any], Iterator[str]]]] = {
    Drew: _describe_draw,
    LaidOut: _describe_draw,
    TookTalon: _describe_draw,
    TookFoot: _describe_foot,
    TookTop: _describe_taken_top_card,
    Gathered: _describe_gathering,
    Opened: _describe_opening,
    Discarded: _describe_discard,
    Combined: _describe_combining,
    Reclaimed: _describe_reclaiming,
    Asked: _describe_question,
    Answered: _describe_answer,
    Announced: _describer_with_fixed_sentence("panel.announced"),
    PermissionLapsed: _describer_with_fixed_sentence("panel.permission_lapsed"),
    Passed: _describer_with_fixed_sentence("panel.passed"),
    Showed: _describe_showing,
    Penalized: _describe_penalty,
}
"""Writers for the events of a player's own action; other events are skipped."""


def welcome_back_text(words: Words, snapshot: TableSnapshot, person: int) -> str:
    """Return the sentences for a person who has taken their seat back."""
    seat = snapshot.seat_of(person)
    if seat is None:
        return ""
    played = [text for text in _computer_turns(words, snapshot, seat, person) if text]
    texts = [words("absence.welcome")]
    if played:
        texts.append(words("absence.played", deeds="; ".join(played)))
    if snapshot.clocks is not None:
        texts.append(words("absence.have", time=duration_text(words, snapshot.clocks.seats[seat].time_left)))
    return " ".join(texts)


def _computer_turns(words: Words, snapshot: TableSnapshot, seat: int, person: int) -> list[str]:
    """Return the remembered turns that a computer player played in the person's seat."""
    turns = groupby(snapshot.recent, key=lambda one: (one.deal, one.turn))
    found = []
    for (deal, number), those in turns:
        events = tuple(one.event for one in those if one.seat == seat)
        if events and snapshot.holder_at(seat, deal, number).kept_for == person:
            found.append(turn_text.turn_actions_text(words, snapshot, Turn(deal, number, seat, events)))
    return found


def duration_text(words: Words, milliseconds: int) -> str:
    """Return a duration in whole hours, or in minutes if it is shorter."""
    if milliseconds >= HOUR:
        return words("absence.hours", count=milliseconds // HOUR)
    return words("absence.minutes", count=milliseconds // MINUTE)
