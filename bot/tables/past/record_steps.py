"""Steps of a record file: an event of the game as a short list, and back (`docs/record.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, TypeAlias, cast

from bot.engine.moves.actions import TAKE_BACK
from bot.engine.moves.events import DealEnded, DealStarted, Event, GameEnded, TookBack
from bot.engine.play.decide import decide
from bot.engine.table.state import State
from bot.store.errors import Undecodable
from bot.store.forms import CARDS, Form
from bot.store.game_forms import EVENTS

Step: TypeAlias = list[Any]

UNDONE: Final = "undone"
"""What stands for a laying that was taken back."""

_UNTOLD: Final = ("seat", "count")
"""Fields that follow from the turn and from the cards."""

_NO_STEPS: Final = (DealStarted, DealEnded, GameEnded, TookBack)
"""Told by other parts of a record, or as undone."""

_FORMS: Final[Mapping[type[Event], Form]] = {
    cast("type[Event]", form.type): form for form in EVENTS.forms if form.type not in _NO_STEPS
}
_NAMED: Final[Mapping[str, Form]] = {form.name: form for form in _FORMS.values()}


class UnknownStep(ValueError):
    """A step that this release does not know; the text names it or says what is wrong with it."""


def step_of(event: Event) -> Step:
    """The event as its name and its fields in order; those at the end that say nothing are left out."""
    if isinstance(event, TookBack):
        return [UNDONE]
    form = _FORMS[type(event)]
    told = {name: form.fields[name].write(getattr(event, name)) for name in _told(form)}
    while told and _says_nothing(form, *list(told.items())[-1]):
        told.popitem()
    return [form.name, *told.values()]


def event_of(step: object, state: State, seat: int) -> Event:
    """The event that a step of that seat tells, at a table that lies so. Raises `UnknownStep`."""
    match step:
        case ["undone"]:
            (taken_back,) = decide(state, state.turn, TAKE_BACK)[:1]
            return taken_back
        case [str(name), *values] if name in _NAMED:
            return _read(_NAMED[name], values, _doer(name, state, seat))
        case [str(name), *_]:
            raise UnknownStep(f"no event is named {name[:40]!r}")
    raise UnknownStep("a step is a list that begins with the name of an event")


def _doer(name: str, state: State, seat: int) -> int:
    """Whose event it is: who answers is the partner of the seat in turn."""
    partner = state.seating.partner_by_seat[seat]
    return partner if name == "answered" and partner is not None else seat


def _read(form: Form, values: list[Any], seat: int) -> Event:
    names = _told(form)
    if len(values) > len(names):
        raise UnknownStep(f"{form.name} has at most {len(names)} fields")
    silent = {name: "" for name in names if form.fields[name] is CARDS} | _defaults(form)
    data = silent | dict(zip(names, values, strict=False))
    if "seat" in form.fields:
        data["seat"] = seat
    if "count" in form.fields:
        data["count"] = len(str(data["cards"])) // 2
    try:
        return cast(Event, form.read(data))
    except Undecodable as fault:
        raise UnknownStep(str(fault)) from None


def _told(form: Form) -> tuple[str, ...]:
    return tuple(name for name in form.fields if name not in _UNTOLD)


def _defaults(form: Form) -> dict[str, Any]:
    """What the fields are where nobody says, as they are written."""
    kind = cast(Any, form.type)
    return {one.name: form.fields[one.name].write(one.default) for one in fields(kind) if one.default is not MISSING}


def _says_nothing(form: Form, name: str, written: object) -> bool:
    """Whether a reader knows the field without being told: no cards, or what it is where nobody says."""
    if form.fields[name] is CARDS:
        return written == ""
    return name in _defaults(form) and _defaults(form)[name] == written
