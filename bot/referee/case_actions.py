"""The actions of a case: read from data, and tried in a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from bot.engine.cards.meld_places import Place
from bot.engine.law import foot_and_talon
from bot.engine.law.scoring import deal_end_events
from bot.engine.law.special_hands import PATTERNS
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    DRAW_KEEPING,
    END_OF_STOCK,
    GOING_OUT,
    PARAGRAPHS,
    PASS,
    Action,
    Answer,
    Attempt,
    Combine,
    DiscardCard,
    Lay,
    LayMelds,
    Reclaim,
    Show,
    StartDeal,
    TakePile,
)
from bot.engine.moves.events import DealEnd, Event
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide
from bot.engine.play.step_events import next_turn_events
from bot.engine.positions.position_parts import seat_at
from bot.engine.rules.case_fields import CaseFields, PositionError, read_cards, read_whole_number
from bot.engine.rules.irregularities import Irregularity
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act

OK: Final = "ok"
ILLEGAL: Final = "illegal"

_REMARK_FIELDS: Final = ("note", "comment", "source")
_COMMON_FIELDS: Final = frozenset({"seat", "do", "attempt", "expect", *_REMARK_FIELDS})
PENALIZED: Final = "penalized"


@dataclass(frozen=True, slots=True)
class ScoreNow:
    """Score the deal as it is; not a player's action."""


@dataclass(frozen=True, slots=True)
class Announce:
    """Announce going out, where the rules require it."""


@dataclass(frozen=True, slots=True)
class TakeWilds:
    """Take back the wild cards of one of the side's melds, numbered from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class MergeMelds:
    """Merge two of the side's melds, numbered from 0: the first into the other."""

    number: int
    onto: int


Wanted: TypeAlias = Action | ScoreNow | Announce | TakeWilds | MergeMelds


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseAction:
    """One action of a case: its seat, the action, and the expected result.

    None as the seat stands for the seat that must act. `attempted` says that the action is tried even if it is an
    irregularity (`docs/law/classic.md 1.22`).
    """

    do: str
    seat: int | None
    wanted: Wanted
    expect: str | None
    attempted: bool = False

    @property
    def paragraph(self) -> str:
        """The paragraph of `docs/law/classic.md` that allows the action."""
        match self.wanted:
            case ScoreNow():
                return END_OF_STOCK
            case Announce():
                return GOING_OUT
            case TakeWilds():
                return PARAGRAPHS[Reclaim]
            case MergeMelds():
                return PARAGRAPHS[Combine]
            case action:
                return PARAGRAPHS[type(action)]

    def is_expected(self, outcome: str) -> bool:
        """Return whether the result is the expected one.

        `outcome` is ``ok``, the code of a refusal, or the name of an irregularity.
        """
        if self.expect in (None, outcome):
            return True
        paid = outcome in tuple(Irregularity)
        return self.expect == PENALIZED if paid else self.expect == ILLEGAL and outcome != OK


# --- reading the actions from data -----------------------------------------------------------------------------------


def read_action(data: object, path: str) -> CaseAction:
    """Return one entry of a case's `actions`. Raises `PositionError`."""
    do = CaseFields(data, path, _ALL_FIELDS).choice("do", tuple(_FIELDS), "")
    fields = CaseFields(data, path, _COMMON_FIELDS.union(_FIELDS[do]))
    seat = read_whole_number(fields.value("seat"), fields.path_of("seat")) if fields.has_field("seat") else None
    expect = fields.text("expect", "") or None
    attempted = fields.flag("attempt", default=False)
    if attempted and do == "stop":
        raise PositionError(fields.path_of("attempt"), f"cannot be with {do!r}")
    return CaseAction(do=do, seat=seat, wanted=_READERS[do](fields), expect=expect, attempted=attempted)


def _read_take(fields: CaseFields) -> Wanted:
    """Return the action of taking the pile that these fields describe."""
    return TakePile(
        fields.cards("with"), _read_lays(fields), fields.whole_number("onto", 0) if fields.has_field("onto") else None
    )


def _read_meld(fields: CaseFields) -> Wanted:
    """Return the action of melding cards that these fields describe."""
    _require_field(fields, "melds")
    return LayMelds(_read_lays(fields))


def _read_lays(fields: CaseFields) -> tuple[Lay, ...]:
    """Return the melds of an action, from a list of cards or of objects."""
    return tuple(
        _read_lay(entry, f"{fields.path_of('melds')}.{place}") for place, entry in enumerate(fields.rows("melds"))
    )


def _read_lay(entry: Any, path: str) -> Lay:
    """Return one meld: its cards, and the number of the meld that they join, if named."""
    if isinstance(entry, str):
        return Lay(read_cards(entry, path))
    fields = CaseFields(entry, path, ("cards", "onto"))
    _require_field(fields, "cards")
    return Lay(fields.cards("cards"), fields.whole_number("onto", 0) if fields.has_field("onto") else None)


def _read_reclaim(fields: CaseFields) -> Wanted:
    """Return the action of taking wild cards back that these fields describe."""
    _require_field(fields, "onto")
    return TakeWilds(fields.whole_number("onto", 0))


def _read_combine(fields: CaseFields) -> Wanted:
    """Return the action of merging two melds that these fields describe."""
    _require_field(fields, "meld")
    _require_field(fields, "onto")
    return MergeMelds(fields.whole_number("meld", 0), fields.whole_number("onto", 0))


def _read_discard(fields: CaseFields) -> Wanted:
    """Return the action of discarding one card that these fields describe."""
    named = fields.cards("card")
    if len(named) != 1:
        raise PositionError(fields.path_of("card"), "needs exactly one card")
    return DiscardCard(named[0])


def _read_answer(fields: CaseFields) -> Wanted:
    """Return the answer to the partner's question that these fields describe."""
    _require_field(fields, "yes")
    return Answer(fields.flag("yes", default=False))


def _read_show(fields: CaseFields) -> Wanted:
    """Return the action of showing a special hand, whose name may have blanks, hyphens and plus signs."""
    text = "_".join(fields.text("hand", "").lower().replace("+", " ").replace("-", " ").split())
    if text and text not in PATTERNS:
        raise PositionError(fields.path_of("hand"), f"is one of {', '.join(PATTERNS)}")
    return Show(text or None)


def _require_field(fields: CaseFields, name: str) -> None:
    """Raise `PositionError` unless the field is present."""
    if not fields.has_field(name):
        raise PositionError(fields.path_of(name), "is missing")


_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": ("keep",),
    "take": ("with", "onto", "melds"),
    "meld": ("melds",),
    "combine": ("meld", "onto"),
    "reclaim": ("onto",),
    "discard": ("card",),
    "ask": (),
    "answer": ("yes",),
    "announce": (),
    "pass": (),
    "show": ("hand",),
    "stop": (),
}
_ALL_FIELDS: Final = _COMMON_FIELDS.union(*_FIELDS.values())

_READERS: Final[Mapping[str, Callable[[CaseFields], Wanted]]] = {
    "draw": lambda fields: DRAW_KEEPING if fields.flag("keep", default=False) else DRAW,
    "take": _read_take,
    "meld": _read_meld,
    "combine": _read_combine,
    "reclaim": _read_reclaim,
    "discard": _read_discard,
    "ask": lambda _: ASK,
    "answer": _read_answer,
    "announce": lambda _: Announce(),
    "pass": lambda _: PASS,
    "show": _read_show,
    "stop": lambda _: ScoreNow(),
}


# --- trying the actions in a state -----------------------------------------------------------------------------------


def try_action(state: State, request: CaseAction) -> tuple[Event, ...]:
    """Return the events of an action of a case. Raises `Refusal` if the rules forbid it."""
    seat = seat_at(state, request.seat) if request.seat is not None else seat_to_act(state)
    if seat is None:
        seat = state.turn
    match request.wanted:
        case ScoreNow():
            return _events_of_scoring(state)
        case Announce():
            return _events_of_trying(state, seat, ANNOUNCE, request)
        case TakeWilds(number):
            return _events_of_trying(state, seat, Reclaim(_place_of_meld(state, number)), request)
        case MergeMelds(number, onto):
            return _events_of_trying(
                state, seat, Combine(_place_of_meld(state, number), _place_of_meld(state, onto)), request
            )
        case action:
            return _events_of_trying(state, seat, action, request)


def _place_of_meld(state: State, number: int) -> Place:
    """Return the place of one of the side's melds, by its number; -1 if there is none."""
    melds = state.melds[state.side]
    return melds[number].place if 0 <= number < len(melds) else -1


def _events_of_trying(state: State, seat: int, action: Action, request: CaseAction) -> tuple[Event, ...]:
    """Return the events of a seat's action, tried as an attempt if the case says so."""
    if request.attempted and not isinstance(action, StartDeal | Attempt):
        return decide(state, seat, Attempt(action))
    return decide(state, seat, action)


def with_turn_begun(state: State) -> State:
    """Return the state after the automatic events at the beginning of a turn.

    Red threes that waited in a hand are laid out (`docs/law/classic.md 1.7`). If the stock is empty, the pile is
    reshuffled into a new one, or the deal ends if the pile cannot be taken (`1.19`).
    """
    if state.phase is not phases.DRAW or state.started or foot_and_talon.has_talon_waiting(state, state.turn):
        return state
    order = state.seating.seats
    return fold(state, next_turn_events(state, order[order.index(state.turn) - 1]))


def _events_of_scoring(state: State) -> tuple[Event, ...]:
    """Return the events of ending and scoring the deal as it is."""
    if seat_to_act(state) is None:
        raise Refusal(Code.GAME_OVER if state.phase is phases.OVER else Code.NO_DEAL)
    return deal_end_events(state, DealEnd.STOCK)
