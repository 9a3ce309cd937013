"""The game as data for JSON, under names that are never changed: actions, events, states, rule sets.

A state carries its whole resolved rule set, so that a game goes on as it was begun whatever a later release makes
of a rule set's name.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields
from functools import lru_cache
from typing import Any, Final, cast, get_origin, get_type_hints

from bot.engine.melds.melds import TableMeld
from bot.engine.moves import actions, events
from bot.engine.moves.phases import Phase
from bot.engine.rules.irregularities import Irregularity
from bot.engine.rules.parameters import by_deal
from bot.engine.rules.rule_set import RULES_VERSION, RuleSet
from bot.engine.rules.themes.conditions import CANASTAS, RANKS, UNTILS, WHATS, Condition, Theme
from bot.engine.table.penalties import Penalties
from bot.engine.table.state import Laid, State
from bot.store.errors import Undecodable
from bot.store.forms import (
    CARD,
    CARDS,
    FLAG,
    KIND,
    NUMBER,
    PLACE,
    TEXT,
    Field,
    Form,
    Forms,
    members,
    one_of,
    optional,
    several,
    whole,
)

# --- actions ---------------------------------------------------------------------------------------------------------

_LAY: Final = Form("lay", actions.Lay, {"cards": CARDS, "onto": optional(NUMBER)})
_KIND_BEFORE: Final = {"place": "kind"}
"""Melds had a kind before they had a place; that of a first set of a rank is written the same."""

_PORTION: Final = {"naturals": NUMBER, "twos": NUMBER, "jokers": NUMBER}

_PLAYED: Final = (
    Form("draw", actions.Draw, {}),
    Form("draw_keeping", actions.DrawKeeping, {}),
    Form("take", actions.Take, {**_PORTION, "onto": optional(PLACE)}, younger={"onto": None}),
    Form("meld", actions.Meld, {"place": PLACE, **_PORTION}, earlier=_KIND_BEFORE),
    Form("lay_run", actions.LayRun, {"place": PLACE, "low": KIND, "high": KIND}),
    Form("combine", actions.Combine, {"place": PLACE, "onto": PLACE}),
    Form("reclaim", actions.Reclaim, {"place": PLACE}),
    Form("discard", actions.Discard, {"kind": KIND}),
    Form("ask", actions.Ask, {}),
    Form("answer", actions.Answer, {"yes": FLAG}),
    Form("announce", actions.Announce, {}),
    Form("pass", actions.Pass, {}),
    Form("show", actions.Show, {"hand": optional(TEXT)}),
    Form("take_back", actions.TakeBack, {}),
    Form("lay_melds", actions.LayMelds, {"melds": several(whole(_LAY))}),
    Form("take_pile", actions.TakePile, {"cards": CARDS, "melds": several(whole(_LAY)), "onto": optional(NUMBER)}),
    Form("discard_card", actions.DiscardCard, {"card": CARD}),
)

_ATTEMPTED: Final = Forms("action", _PLAYED)

ACTIONS: Final = Forms(
    "action",
    (
        *_PLAYED,
        Form("attempt", actions.Attempt, {"of": Field(_ATTEMPTED.write, _ATTEMPTED.read)}),
        Form("start_deal", actions.StartDeal, {"pack": CARDS, "streams": FLAG}, younger={"streams": False}),
    ),
)

# --- events ----------------------------------------------------------------------------------------------------------

_LINES: Final = Form(
    "lines",
    events.ScoreLines,
    {
        "natural_canastas": NUMBER,
        "mixed_canastas": NUMBER,
        "other_canastas": NUMBER,
        "red_threes": NUMBER,
        "going_out": NUMBER,
        "melded": NUMBER,
        "in_hand": NUMBER,
        "penalties": NUMBER,
        "bonuses": NUMBER,
    },
)
_OTHERS: Final = Form(
    "others",
    events.OtherCanastas,
    {"run_canastas": NUMBER, "wild_canastas": NUMBER, "special_canastas": NUMBER},
)
_DEAL_ENDED: Final = Form(
    "deal_ended",
    events.DealEnded,
    {
        "deal": NUMBER,
        "reason": one_of(events.DealEnd),
        "went_out": optional(NUMBER),
        "concealed": FLAG,
        "lines": several(whole(_LINES)),
        "scores": several(NUMBER),
        "others": several(whole(_OTHERS)),
    },
    younger={"others": ()},
)

EVENTS: Final = Forms(
    "event",
    (
        Form(
            "deal_started",
            events.DealStarted,
            {"deal": NUMBER, "dealer": NUMBER, "pack": CARDS, "streams": FLAG},
            younger={"streams": False},
        ),
        Form("drew", events.Drew, {"seat": NUMBER, "cards": CARDS, "red_threes": CARDS, "count": NUMBER}),
        Form("laid_out", events.LaidOut, {"seat": NUMBER, "cards": CARDS, "red_threes": CARDS, "count": NUMBER}),
        Form(
            "took_top",
            events.TookTop,
            {"seat": NUMBER, "place": PLACE, "top": CARD, "cards": CARDS},
            earlier=_KIND_BEFORE,
        ),
        Form(
            "gathered",
            events.Gathered,
            {
                "seat": NUMBER,
                "cards": CARDS,
                "red_threes": CARDS,
                "hidden": CARDS,
                "unseen": NUMBER,
                "set_aside": CARDS,
                "showed": CARDS,
            },
            younger={"hidden": (), "unseen": 0, "set_aside": (), "showed": ()},
        ),
        Form("reshuffled", events.Reshuffled, {"cards": CARDS, "count": NUMBER}),
        Form("melded", events.Melded, {"seat": NUMBER, "place": PLACE, "cards": CARDS}, earlier=_KIND_BEFORE),
        Form("set_talon", events.SetTalon, {"seat": NUMBER, "cards": CARDS, "count": NUMBER}),
        Form("took_talon", events.TookTalon, {"seat": NUMBER, "cards": CARDS, "red_threes": CARDS, "count": NUMBER}),
        Form("took_foot", events.TookFoot, {"seat": NUMBER, "cards": CARDS, "red_threes": CARDS, "count": NUMBER}),
        Form("combined", events.Combined, {"seat": NUMBER, "place": PLACE, "onto": PLACE}),
        Form("reclaimed", events.Reclaimed, {"seat": NUMBER, "place": PLACE, "cards": CARDS}),
        Form("opened", events.Opened, {"seat": NUMBER, "points": NUMBER}),
        Form("took_back", events.TookBack, {"seat": NUMBER, "place": PLACE, "cards": CARDS}, earlier=_KIND_BEFORE),
        Form("discarded", events.Discarded, {"seat": NUMBER, "card": CARD}),
        Form("asked", events.Asked, {"seat": NUMBER, "partner": NUMBER}),
        Form("answered", events.Answered, {"seat": NUMBER, "yes": FLAG}),
        Form("announced", events.Announced, {"seat": NUMBER}),
        Form("permission_lapsed", events.PermissionLapsed, {"seat": NUMBER}),
        Form("passed", events.Passed, {"seat": NUMBER}),
        Form("showed", events.Showed, {"seat": NUMBER, "hand": TEXT, "cards": CARDS}),
        Form("sides_formed", events.SidesFormed, {"seat": NUMBER}),
        Form(
            "penalized",
            events.Penalized,
            {
                "seat": NUMBER,
                "irregularity": one_of(Irregularity),
                "points": NUMBER,
                "raised": NUMBER,
                "exposed": CARDS,
                "until_opened": FLAG,
                "released": FLAG,
            },
        ),
        _DEAL_ENDED,
        Form("game_ended", events.GameEnded, {"winner": NUMBER}),
    ),
)


def encode_action(action: actions.Action) -> dict[str, Any]:
    """The action as data; its name stands under ``action``."""
    return ACTIONS.write(action)


def decode_action(data: object) -> actions.Action:
    """The action back. Raises `Undecodable`."""
    return cast("actions.Action", ACTIONS.read(data))


def encode_event(event: events.Event) -> dict[str, Any]:
    """The event as data; its name stands under ``event``."""
    return EVENTS.write(event)


def decode_event(data: object) -> events.Event:
    """The event back. Raises `Undecodable`."""
    return cast("events.Event", EVENTS.read(data))


# --- rule sets -------------------------------------------------------------------------------------------------------

_HINTS: Final = get_type_hints(RuleSet)
_PARAMETERS: Final = {
    one.name: (get_origin(_HINTS[one.name]) or _HINTS[one.name], one.default) for one in fields(RuleSet) if one.init
}


def _word(allowed: Collection[str]) -> Field:
    def read(data: object) -> str:
        if not isinstance(data, str) or data not in allowed:
            raise Undecodable("condition: a word that is not known")
        return data

    return Field(str, read)


CONDITION: Final = Form(
    "condition",
    Condition,
    {
        "what": _word(WHATS),
        "ranks": several(_word(RANKS)),
        "canasta": _word(CANASTAS),
        "number": NUMBER,
        "until": _word(UNTILS),
        "by_seat": FLAG,
    },
)
THEME: Final = Form("theme", Theme, {"name": TEXT, "turns": several(several(whole(CONDITION)))})
_RECORDS: Final = {"theme": several(whole(THEME))}
"""Parameters that are made of records."""


def encode_rules(rules: RuleSet) -> dict[str, Any]:
    """Every parameter by its name, and the version of what the names mean."""
    return dict(_encoded(rules))


@lru_cache(maxsize=256)
def _encoded(rules: RuleSet) -> Mapping[str, Any]:
    """Worked out once: the rules stand in every change of every table that is played by them."""
    written = {name: _plain(getattr(rules, name)) for name in _PARAMETERS if name not in _RECORDS}
    records = {name: field.write(getattr(rules, name)) for name, field in _RECORDS.items()}
    return {"version": RULES_VERSION, **written, **records}


def decode_rules(data: object) -> RuleSet:
    """The rule set back; equal data gives one shared object.

    A parameter that is not there is younger than the data and has its default, which is how games were played before
    it. Rules of an earlier version are translated. Raises `Undecodable`, also for rules of a later version.
    """
    if not isinstance(data, dict):
        raise Undecodable("rules: wrong value")
    return _rules(json.dumps(data, sort_keys=True))


@lru_cache(maxsize=256)
def _rules(text: str) -> RuleSet:
    data = json.loads(text)
    if data.pop("version", None) != RULES_VERSION:
        raise Undecodable("rules: wrong version")
    if data.keys() - _PARAMETERS.keys():
        raise Undecodable("rules: a parameter that is not known")
    missing = {name for name, (_, default) in _PARAMETERS.items() if default is MISSING} - data.keys()
    if missing:
        raise Undecodable("rules: a parameter is missing")
    return RuleSet(**{name: _parameter(name, value) for name, value in data.items()})


def _plain(value: object) -> object:
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _parameter(name: str, value: object) -> Any:
    if name in _RECORDS:
        return _RECORDS[name].read(value)
    origin, _ = _PARAMETERS[name]
    if origin in (frozenset, tuple):
        if not isinstance(value, list):
            raise Undecodable(f"rules: wrong {name}")
        return frozenset(value) if origin is frozenset else _tuples(value)
    if origin in (int, str, bool) and type(value) is not origin:
        raise Undecodable(f"rules: wrong {name}")
    if isinstance(value, list):
        if not by_deal(_HINTS[name]):
            raise Undecodable(f"rules: wrong {name}")
        return _tuples(value)
    return value


def _tuples(value: list[Any]) -> tuple[Any, ...]:
    return tuple(_tuples(one) if isinstance(one, list) else one for one in value)


# --- states ----------------------------------------------------------------------------------------------------------

MELD: Final = Form(
    "table_meld",
    TableMeld,
    {"place": PLACE, "naturals": NUMBER, "wilds": NUMBER, "cards": CARDS},
    earlier=_KIND_BEFORE,
)
LAID: Final = Form(
    "laid",
    Laid,
    {
        "place": PLACE,
        "cards": CARDS,
        "top": optional(CARD),
        "opened": FLAG,
        "laid_points": NUMBER,
        "started": members(PLACE),
        "joined": FLAG,
        "before": several(whole(MELD)),
        "exposed": CARDS,
    },
    younger={"before": (), "exposed": ()},
    earlier={**_KIND_BEFORE, "started": "started_kinds"},
)

_PENALTIES: Final = Form(
    "penalties",
    Penalties,
    {
        "points": several(NUMBER),
        "raised": several(NUMBER),
        "exposed": several(CARDS),
        "until_opened": members(NUMBER),
    },
)


def _read_shown(data: object) -> tuple[int, str]:
    match data:
        case [int(seat), str(hand)]:
            return seat, hand
    raise Undecodable("shown: wrong value")


_STATE: Final = Form(
    "state",
    State,
    {
        "rules": Field(encode_rules, decode_rules),
        "scores": several(NUMBER),
        "dealer": NUMBER,
        "phase": one_of(Phase),
        "deal": NUMBER,
        "turn": NUMBER,
        "turns": NUMBER,
        "hands": several(CARDS),
        "feet": several(CARDS),
        "talons": several(CARDS),
        "stock": CARDS,
        "pile": CARDS,
        "hidden": NUMBER,
        "frozen": FLAG,
        "froze": FLAG,
        "melds": several(several(whole(MELD))),
        "red_threes": several(CARDS),
        "set_aside": several(CARDS),
        "opened": several(FLAG),
        "melded_seats": members(NUMBER),
        "asked": members(NUMBER),
        "takers": members(NUMBER),
        "drew": optional(TEXT),
        "fresh": CARDS,
        "laid": several(whole(LAID)),
        "laid_points": NUMBER,
        "aside": FLAG,
        "claimed": optional(PLACE),
        "started": members(PLACE),
        "joined": FLAG,
        "permission": optional(FLAG),
        "asked_in": optional(one_of(Phase)),
        "lapsed": FLAG,
        "results": several(whole(_DEAL_ENDED)),
        "winner": optional(NUMBER),
        "stock_out": optional(NUMBER),
        "canastas_before": NUMBER,
        "ready": FLAG,
        "shown": optional(Field(list, _read_shown)),
        "alone": optional(NUMBER),
        "shuffle_key": TEXT,
        "penalties": optional(whole(_PENALTIES)),
        "streams": several(NUMBER),
    },
    younger={
        "feet": (),
        "talons": (),
        "canastas_before": 0,
        "ready": True,
        "shown": None,
        "alone": None,
        "hidden": 0,
        "froze": False,
        "asked": frozenset(),
        "lapsed": False,
        "takers": frozenset(),
        "set_aside": (),
        "shuffle_key": "",
        "penalties": None,
        "streams": (),
    },
    earlier={"started": "started_kinds"},
)


def encode_state(state: State) -> dict[str, Any]:
    """The whole state as data, hidden cards included."""
    return _STATE.write(state)


def decode_state(data: Mapping[str, Any]) -> State:
    """The state back. Raises `Undecodable`."""
    state = cast(State, _STATE.read(data))
    if "set_aside" not in data:  # stored before black threes could be set aside
        state.set_aside = ((),) * len(state.red_threes)
    return state
