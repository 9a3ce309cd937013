"""Writing a record file: a game as JSON in the format `canasta-record` (`docs/record.md`).

The rules are written as the name of a rule set, the changed parameters, and a digest of all of them. A step is an event
of the game as a short list.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, asdict, fields
from itertools import groupby
from typing import Any, Final, TypeAlias, cast

from bot.engine.moves.actions import TAKE_BACK
from bot.engine.moves.events import Answered, DealEnded, DealStarted, Event, GameEnded, TookBack
from bot.engine.play.decide import decide
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import rule_set
from bot.engine.table.state import State
from bot.store.errors import Undecodable
from bot.store.forms import Form
from bot.store.game_forms import CARDS, EVENTS, decode_rules, rules_in_full
from bot.tables.past.history import History, PastDeal, PastTurn
from bot.tables.state.snapshots import SeatHolder, Shuffle
from bot.tables.state.table import TableState


class UnknownRules(ValueError):
    """Rules of a record that are unknown here, or different; the text names them."""


def digest_of(rules: RuleSet) -> str:
    """Return the SHA-256 digest (hexadecimal) of all parameters not at their defaults, by name.

    So adding a parameter to the program does not change the digest of games played without it.
    """
    written = rules_in_full(rules)
    usual = {one.name: one.default for one in fields(RuleSet) if one.init and one.default is not MISSING}
    told = {name: value for name, value in written.items() if name not in usual or getattr(rules, name) != usual[name]}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def write_rules(rules: RuleSet) -> dict[str, Any]:
    """Return the rules as a record contains them; `changed` only if any parameter is changed."""
    told: dict[str, Any] = {"name": rules.name, "players": rules.players, "digest": digest_of(rules)}
    usual = rules_in_full(rule_set(rules.name, rules.players))
    changed = {name: value for name, value in rules_in_full(rules).items() if usual[name] != value}
    return {**told, "changed": changed} if changed else told


def read_rules(told: Mapping[str, Any]) -> RuleSet:
    """Return the rules of a record. Raises `UnknownRules`, also if their digest differs."""
    name, players, changed = told["name"], told["players"], told.get("changed", {})
    try:
        rules = decode_rules({**rules_in_full(rule_set(name, players)), **changed})
    except (LookupError, Undecodable, TypeError, ValueError):
        raise UnknownRules(f"this release has no rules {str(name)[:40]!r} for {players} as they are told") from None
    if digest_of(rules) != told["digest"]:
        raise UnknownRules(
            f"the rules {str(name)[:40]!r} for {players} are others in this release: their digest differs"
        )
    return rules


Step: TypeAlias = list[Any]

UNDONE: Final = "undone"
"""The step for a meld or addition that was taken back."""

_UNTOLD: Final = ("seat", "count")
"""Fields left out of steps, because they follow from the turn and the cards."""

_NO_STEPS: Final = (DealStarted, DealEnded, GameEnded, TookBack)
"""Events that are not steps: other parts of a record contain them."""

_FORMS: Final[Mapping[str, Form]] = {name: form for name, form in EVENTS.forms.items() if form.type not in _NO_STEPS}
_NAMES: Final[Mapping[type[Event], str]] = {cast("type[Event]", form.type): name for name, form in _FORMS.items()}


class UnknownStep(ValueError):
    """A step that is unknown or wrong; the text says why."""


def step_of(event: Event) -> Step:
    """Return the event as a list of its name and its fields; trailing defaults are left out."""
    if isinstance(event, TookBack):
        return [UNDONE]
    name = _NAMES[type(event)]
    form = _FORMS[name]
    told = {field: form.fields[field].write(getattr(event, field)) for field in _written_fields(form)}
    while told and _can_leave_out(form, *list(told.items())[-1]):
        told.popitem()
    return [name, *told.values()]


def event_of(step: object, state: State, seat: int) -> Event:
    """Return the event of a step by that seat at that table. Raises `UnknownStep`."""
    match step:
        case ["undone"]:
            (taken_back,) = decide(state, state.turn, TAKE_BACK)[:1]
            return taken_back
        case [str(name), *values] if name in _FORMS:
            return _read(name, values, _step_seat(name, state, seat))
        case [str(name), *_]:
            raise UnknownStep(f"no event is named {name[:40]!r}")
    raise UnknownStep("a step is a list that begins with the name of an event")


def _step_seat(name: str, state: State, seat: int) -> int:
    """Return the seat of an event: answers come from the partner of the seat in turn."""
    partner = state.seating.partner_by_seat[seat]
    return partner if name == "answered" and partner is not None else seat


def _read(name: str, values: list[Any], seat: int) -> Event:
    form = _FORMS[name]
    names = _written_fields(form)
    if len(values) > len(names):
        raise UnknownStep(f"{name} has at most {len(names)} fields")
    silent = {field: "" for field in names if form.fields[field] is CARDS} | _defaults(form)
    data = silent | dict(zip(names, values, strict=False))
    if "seat" in form.fields:
        data["seat"] = seat
    if "count" in form.fields:
        data["count"] = len(str(data["cards"])) // 2
    try:
        return cast(Event, form.read(data))
    except Undecodable as fault:
        raise UnknownStep(str(fault)) from None


def _written_fields(form: Form) -> tuple[str, ...]:
    return tuple(name for name in form.fields if name not in _UNTOLD)


def _defaults(form: Form) -> dict[str, Any]:
    """Return the default values of the fields, as written."""
    return {name: form.fields[name].write(default) for name, default in form.defaults.items()}


def _can_leave_out(form: Form, name: str, written: object) -> bool:
    """Return whether a field can be left out: it holds no cards, or its default."""
    if form.fields[name] is CARDS:
        return written == ""
    return name in _defaults(form) and _defaults(form)[name] == written


FORMAT: Final = "canasta-record"
VERSION: Final = 1

FORMER: Final = "Former player"
"""The name shown for people deleted on demand."""

PLAYED: Final = "played"
"""Name of the end of a game that was played to its end."""


def record_text(history: History, *, deals: Collection[int]) -> str:
    """Return the record with these finished deals, as JSON on one line without spaces."""
    return json.dumps(record_data(history, deals=deals), separators=(",", ":"), ensure_ascii=False)


def record_data(history: History, *, deals: Collection[int]) -> dict[str, Any]:
    """Return the record as data."""
    record = history.record
    return {
        "format": FORMAT,
        "version": VERSION,
        "rules": write_rules(record.rules),
        "seats": [_holders(history, seat) for seat in range(len(record.seats))],
        "deals": [_deal(record, deal) for deal in history.deals if deal.number in deals],
        "result": _result(record),
    }


def _holders(history: History, seat: int) -> list[dict[str, Any]]:
    """Return who held a seat from which turn of which deal on; both are counted from 1 there."""
    return [_holder(one.holder, one.deal, one.turn + 1) for one in history.sat if one.seat == seat]


def _holder(holder: SeatHolder, deal: int, turn: int) -> dict[str, Any]:
    computer = holder.kind == "computer"
    told: dict[str, Any] = {"name": f"Computer {holder.number}" if computer else holder.name or FORMER}
    if computer:
        told["kind"] = holder.kind
    return told if (deal, turn) == (1, 1) else {**told, "from": [deal, turn]}


def _deal(record: TableState, deal: PastDeal) -> dict[str, Any]:
    ended = deal.ended
    if ended is None:
        raise ValueError(f"deal {deal.number} was not played to its end")
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        **({"streams": True} if deal.dealt.streams else {}),
        "shuffle": _shuffle(next((one for one in record.shuffles if one.deal == deal.number), None)),
        "pack": CARDS.write(deal.pack),
        "turns": [[seat, *steps] for seat, steps in _turns(deal.turns)],
        "end": [ended.reason.value, ended.went_out, ended.concealed],
        "lines": score_lines(ended),
        "scores": list(ended.scores),
    }


def score_lines(ended: DealEnded) -> list[dict[str, int]]:
    """Return the lines of every score that are not zero."""
    return [{name: points for name, points in asdict(one).items() if points} for one in ended.lines]


def _shuffle(shuffle: Shuffle | None) -> dict[str, Any] | None:
    """Return the published data of a deal's shuffle; None if its cards were fixed."""
    if shuffle is None or shuffle.seed is None or shuffle.contributions is None:
        return None
    return {
        "commitment": shuffle.commitment,
        "seed": shuffle.seed,
        "contributions": list(shuffle.contributions),
    }


def _turns(turns: Iterable[PastTurn]) -> Iterable[tuple[int, list[Step]]]:
    """Yield the steps in order, grouped by seat; an answer is grouped with its question."""
    steps = ((turn, event) for turn in turns for event in turn.events)
    for seat, those in groupby(steps, key=lambda one: _event_seat(*one)):
        yield seat, [step_of(event) for _, event in those]


def _event_seat(turn: PastTurn, event: Event) -> int:
    seat: int = getattr(event, "seat", turn.seat)
    return turn.seat if isinstance(event, Answered) else seat


def _result(record: TableState) -> dict[str, Any] | None:
    """Return the end of the game; None while it goes on, or if it was closed without a result."""
    game, conclusion = record.game, record.conclusion
    if conclusion is not None:
        return {"how": conclusion.how, "winner": conclusion.winner, "scores": list(conclusion.scores)}
    if game is None or game.winner is None:
        return None
    return {"how": PLAYED, "winner": game.winner, "scores": list(game.results[-1].scores)}
