"""The steps of a record: write an event of the game as a short list, and read it (`docs/record.md`).

Reading checks where every card comes from, but not whether the rules allowed the step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from bot.engine.cards.cards import Card
from bot.engine.moves.events import (
    Answered,
    CameToHand,
    DealEnded,
    DealStarted,
    Drew,
    Event,
    GameEnded,
    Gathered,
    LaidOut,
    Penalized,
    SidesFormed,
    TookBack,
    TookFoot,
    TookTalon,
)
from bot.engine.table.state import State
from bot.store.errors import UndecodableData
from bot.store.game_forms import CARDS, EVENTS
from bot.store.json_forms import Form
from bot.tables.past.record_card_checks import (
    cards_outside_stock,
    check_card_sources,
    require_same_cards,
    top_cards_of_stock,
)
from bot.tables.past.record_faults import InvalidRecord, UnreadableRecord

Step: TypeAlias = list[Any]

OTHER: Final = "@"
"""Name of the step that wraps a step of a seat that is not in turn."""

_NO_STEPS: Final = (DealStarted, DealEnded, GameEnded, TookBack)
"""Events that are not written as steps: other parts of the record contain them, or no part does."""

FORMS: Final[Mapping[str, Form]] = {name: form for name, form in EVENTS.forms.items() if form.type not in _NO_STEPS}
NAMES: Final[Mapping[type[Event], str]] = {cast("type[Event]", form.type): name for name, form in FORMS.items()}

_UNTOLD: Final = ("seat", "count")
"""Fields left out of steps, because they follow from the turn and the cards."""


# --- writing ----------------------------------------------------------------------------------------------------------


def step_of(event: Event, before: State, turn_seat: int) -> Step:
    """Return the event as a list of its name and fields; trailing empty or false fields are left out.

    `before` is the state before the event, `turn_seat` the seat to whose turn it belongs.
    """
    step = [NAMES[type(event)], *_fields_of(event, before)]
    while step[-1] == "" or step[-1] is False:
        step.pop()
    seat: int = getattr(event, "seat", turn_seat)
    return step if seat == turn_seat or isinstance(event, Answered | SidesFormed) else [OTHER, seat, step]


def _fields_of(event: Event, before: State) -> list[Any]:
    """Return the event's fields as they are written in a step."""
    if isinstance(event, CameToHand):
        drawn = len(event.cards) + len(event.red_threes) - len(cards_outside_stock(type(event), before, event.seat))
        return [CARDS.write(top_cards_of_stock(before, drawn)), CARDS.write(event.red_threes)]
    if isinstance(event, Gathered):
        taken = len(event.cards) + len(event.hidden) + len(event.red_threes) + len(event.set_aside)
        cards = before.pile[len(before.pile) - taken :]
        return [CARDS.write(one) for one in (cards, event.red_threes, event.set_aside, event.showed)]
    if isinstance(event, SidesFormed):
        return [event.seat]
    form = FORMS[NAMES[type(event)]]
    return [form.fields[name].write(getattr(event, name)) for name in _written_fields(form)]


def _written_fields(form: Form) -> tuple[str, ...]:
    """Return the names of the form's fields that are written in steps."""
    return tuple(name for name in form.fields if name not in _UNTOLD)


# --- reading ----------------------------------------------------------------------------------------------------------


def event_of(step: object, state: State, turn_seat: int) -> Event:
    """Return the event that the step records, given the state before it; `turn_seat` is the seat in turn.

    Raises `UnreadableRecord` for an unknown step, `InvalidRecord` for one whose cards are not there.
    """
    match step:
        case [str(name), int(seat), inner] if name == OTHER:
            event = _read_step(inner, state, seat)
            if seat == turn_seat or not isinstance(event, Penalized):
                raise InvalidRecord("only a penalty is another seat's step")
        case _:
            event = _read_step(step, state, turn_seat)
    check_card_sources(event, state)
    return event


def _read_step(step: object, state: State, seat: int) -> Event:
    """Return the event of a step of that seat.

    Raises `UnreadableRecord` if the step's name or fields are unknown.
    """
    match step:
        case [str(name), *_] if name not in FORMS:
            raise UnreadableRecord(f"no step is named {name[:40]!r}")
        case [str(name), *fields]:
            return _read_fields(FORMS[name], name, fields, state, seat)
    raise InvalidRecord("a step is a list that begins with its name")


def _read_fields(form: Form, name: str, fields: list[Any], state: State, seat: int) -> Event:
    """Return the event from its fields, filling in cards that follow from the state."""
    kind = form.type
    if kind in (Drew, LaidOut, TookFoot, TookTalon):
        drawn, laid = _parse_cards(name, fields, 2)
        require_same_cards("the stock has", drawn, top_cards_of_stock(state, len(drawn)))
        kept = _cards_without(name, (*cards_outside_stock(kind, state, seat), *drawn), laid)
        return cast(Event, kind(seat, kept, laid, len(kept)))
    if kind is Gathered:
        taken, laid, aside, showed = _parse_cards(name, fields, 4)
        require_same_cards("the pile has", taken, state.pile[max(0, len(state.pile) - len(taken)) :])
        kept = _cards_without(name, taken, (*laid, *aside))
        return Gathered(seat, kept, laid, set_aside=aside, showed=showed)
    if kind is SidesFormed:
        (alone,) = fields
        return SidesFormed(alone)
    return event_from_fields(name, fields, answering_seat(state, seat) if kind is Answered else seat)


def answering_seat(state: State, seat: int) -> int:
    """Return the seat that must answer a question in this state: the partner of the asking seat."""
    partner = state.seating.partner_by_seat[seat]
    if partner is None:
        raise InvalidRecord("nobody could answer: the seat plays alone")
    return partner


def event_from_fields(name: str, fields: list[Any], seat: int) -> Event:
    """Return the event of that name from its fields in order; missing fields are empty or false."""
    form = FORMS[name]
    names = _written_fields(form)
    if len(fields) > len(names):
        raise InvalidRecord(f"{name} has at most {len(names)} fields")
    written = {one: form.fields[one].write(default) for one, default in form.defaults.items()}
    silent = {one: "" if form.fields[one] is CARDS else written.get(one, False) for one in names[len(fields) :]}
    data = silent | dict(zip(names, fields, strict=False))
    if "seat" in form.fields:
        data["seat"] = seat
    if "count" in form.fields:
        data["count"] = len(str(data["cards"])) // 2
    try:
        return cast(Event, form.read(data))
    except UndecodableData as fault:
        raise InvalidRecord(str(fault)) from None


def _parse_cards(name: str, fields: Sequence[object], most: int) -> list[tuple[Card, ...]]:
    """Parse the fields as lists of cards and pad them with empty lists to `most`."""
    if len(fields) > most:
        raise InvalidRecord(f"{name} has at most {most} fields")
    try:
        return [CARDS.read(one) for one in (*fields, *[""] * (most - len(fields)))]
    except UndecodableData as fault:
        raise InvalidRecord(f"{name}: {fault}") from None


def _cards_without(name: str, cards: Iterable[Card], laid: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards without those laid out; of equal cards, the earlier ones are removed."""
    left = list(cards)
    for card in laid:
        if card not in left:
            raise InvalidRecord(f"{name}: {CARDS.write((card,))} is laid out and did not come")
        left.remove(card)
    return tuple(left)
