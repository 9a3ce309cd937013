"""The command `canasta-bot referee`: tries actions in positions and prints the judgements."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.engine.cards.cards import BLACK_THREE
from bot.engine.cards.notation import card_text, cards_text
from bot.engine.moves import phases
from bot.engine.moves.actions import (
    CONCEALED,
    END_OF_STOCK,
    GOING_OUT,
    INITIAL_CANASTA,
    INITIAL_MELD,
    SEVEN_CANASTAS,
    SPECIAL_HAND,
    THEME_CANASTA,
    Answer,
    DiscardCard,
    Lay,
    LayMelds,
    Show,
    TakePile,
)
from bot.engine.moves.events import DealEnd, DealEnded
from bot.engine.positions.position_parts import deal_result_of
from bot.engine.positions.position_reading import PositionError
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.state_queries import opening_canasta, opening_minimum
from bot.i18n import Words, words
from bot.referee.case_actions import CaseAction, MergeMelds, TakeWilds
from bot.referee.cases import Case, CaseTrial, read_case, try_case


def trial_text(trial: CaseTrial, where: str) -> str:
    """Return a text of the case's actions, judgements, final position, and failed expectations."""
    return "\n".join(_trial_lines(trial, where, words()))


def _trial_lines(trial: CaseTrial, where: str, say: Words) -> Iterator[str]:
    """Yield the lines of `trial_text`."""
    rules = trial.case.state.rules
    yield say("referee.case", where=where, rules=say(f"rules.{rules.name}"), players=rules.players)
    for request, judgement in zip(trial.case.requests, trial.judgements, strict=True):
        yield f"  {_request_text(say, request)}"
        text = judgement.words if judgement.allowed else say("referee.not_allowed", words=judgement.words)
        yield f"    {text}"
    yield from (f"  {line}" for line in _state_lines(say, trial.state))
    yield from (f"  {say('referee.fails', failure=failure)}" for failure in trial.failures())


def _request_text(say: Words, request: CaseAction) -> str:
    """Return an action of a case as a sentence."""
    who = say("referee.seat_to_act" if request.seat is None else "referee.seat", seat=request.seat)
    text = say(f"referee_do.{request.do}", who=who, **_values_of_request(say, request))
    return text[:1].upper() + text[1:]


def _values_of_request(say: Words, request: CaseAction) -> dict[str, Any]:
    """Return the values that the sentence about an action of a case needs, by name."""
    match request.wanted:
        case LayMelds(melds=melds):
            return {"melds": _melds_text(say, melds)}
        case TakePile(cards=cards, melds=melds, onto=onto):
            named = "" if onto is None else say("referee.onto", number=onto)
            return {"how": _taking_text(say, cards, melds) + named}
        case DiscardCard(card=card):
            return {"card": card_text(card)}
        case Answer(yes=yes):
            return {"answer": say("referee.yes" if yes else "referee.no")}
        case MergeMelds(number=number, onto=onto):
            return {"number": number, "onto": onto}
        case TakeWilds(number=number):
            return {"number": number}
        case Show(hand=hand):
            return {"hand": say("referee.any_hand") if hand is None else say(f"special_hand.{hand}")}
        case _:
            return {}


def _taking_text(say: Words, cards: tuple[int, ...], melds: tuple[Lay, ...]) -> str:
    """Return the part of a sentence that says which cards take the pile, and which melds follow."""
    named = say("referee.take_with", cards=cards_text(cards)) if cards else ""
    return named + (say("referee.take_and", melds=_melds_text(say, melds)) if melds else "")


def _melds_text(say: Words, melds: tuple[Lay, ...]) -> str:
    """Return the melds as one text, each with its cards."""
    return ", ".join(
        cards_text(lay.cards) + ("" if lay.onto is None else say("referee.onto", number=lay.onto)) for lay in melds
    )


# --- the state of the game -------------------------------------------------------------------------------------------


def _state_lines(say: Words, state: State) -> Iterator[str]:
    """Yield the lines about the final position."""
    result = deal_result_of(state)
    if result is not None:
        yield from _result_lines(say, state, result)
        return
    seat = seat_to_act(state)
    if seat is not None:
        yield say(f"referee_next.{state.phase.value}", seat=state.seating.place_of(seat))
    for side, opened in enumerate(state.opened):
        if not opened:
            yield _initial_meld_text(say, state, side)


def _initial_meld_text(say: Words, state: State, side: int) -> str:
    """Return what the side needs for its initial meld: points, or a canasta with its total."""
    points, canasta = opening_minimum(state, side), opening_canasta(state, side)
    if canasta == "none":
        return say("referee.minimum", side=side, points=points, paragraph=INITIAL_MELD)
    key = f"referee.{canasta}_and_points" if points else f"referee.{canasta}"
    return say("referee.demand", side=side, canasta=say(key, points=points), paragraph=INITIAL_CANASTA)


_ENDS: Final = {
    DealEnd.SEVEN_CANASTAS: SEVEN_CANASTAS,
    DealEnd.SPECIAL_HAND: SPECIAL_HAND,
    DealEnd.THEME_CANASTA: THEME_CANASTA,
}
"""The paragraph of what ends a deal where it is not the stock."""


def _result_lines(say: Words, state: State, result: DealEnded) -> Iterator[str]:
    """Yield the lines about the result of a deal."""
    if result.reason is DealEnd.OUT:
        paragraph = CONCEALED if result.concealed else GOING_OUT
        key = "referee.out_concealed" if result.concealed else "referee.out"
        seat = None if result.went_out is None else state.seating.place_of(result.went_out)
        yield say(key, seat=seat, paragraph=paragraph)
    else:
        paragraph = _ENDS.get(result.reason, END_OF_STOCK)
        of_both = result.reason is DealEnd.LAST_RED_THREE and BLACK_THREE in state.rules.laid_out
        yield say(f"referee_ended.{'last_three' if of_both else result.reason.value}", paragraph=paragraph)
    for side, lines in enumerate(result.lines):
        parts = [say(f"score.{name}", points=points) for name, points in result.parts(side) if points]
        text = ", ".join(parts) or say("score.nothing")
        yield say("referee.side", side=side, lines=text, total=lines.total, score=result.scores[side])
    if state.phase is phases.OVER:
        yield say("referee.winner", side=state.winner)


HOLDS: Final = 0
FAILS: Final = 1
UNREADABLE: Final = 2

STANDARD_INPUT: Final = "-"


class UnreadableFile(Exception):
    """Raised for a file that cannot be read; the text names it, and the case and field if known."""


@dataclass(frozen=True, slots=True)
class LocatedCase:
    """A case, and the text that says where it was found."""

    where: str
    case: Case


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the command's arguments."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="one case as JSON, or a list of them; - is standard input"
    )
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON: a list, one for each case")
    parser.add_argument(
        "--check", action="store_true", help="0 when everything expected in the files holds, 1 when something does not"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Try every case, print the results, and return the exit status.

    If a file cannot be read, print that instead of the results.
    """
    found, problems = _read_all_cases(arguments.files)
    for problem in problems:
        print(f"canasta-bot referee: {problem}", file=sys.stderr)
    if problems:
        return UNREADABLE
    trials = [(one, try_case(one.case)) for one in found]
    if arguments.json:
        print(json.dumps([trial.outcome() for _, trial in trials], ensure_ascii=False, indent=1))
    elif not arguments.check:
        print("\n\n".join(trial_text(trial, one.where) for one, trial in trials))
    return _print_trials(trials, quiet=arguments.json) if arguments.check else HOLDS


def _print_trials(trials: Sequence[tuple[LocatedCase, CaseTrial]], *, quiet: bool) -> int:
    """Print the trials and return the exit status; `quiet` prints only failures."""
    failures = [f"{one.where}: {failure}" for one, trial in trials for failure in trial.failures()]
    for failure in failures:
        print(failure, file=sys.stderr)
    if failures:
        return FAILS
    if not quiet:
        print(f"{len(trials)} {'case holds' if len(trials) == 1 else 'cases hold'}")
    return HOLDS


# --- reading the cases from files ------------------------------------------------------------------------------------


def _read_all_cases(names: Sequence[str]) -> tuple[list[LocatedCase], list[str]]:
    """Return every case of the files in order, and all reading errors."""
    found: list[LocatedCase] = []
    problems: list[str] = []
    for name in names:
        text = "standard input" if name == STANDARD_INPUT else name
        try:
            data = _load_json(name)
        except UnreadableFile as error:
            problems.append(f"{text}: {error}")
            continue
        for where, case in _numbered_cases(text, data):
            try:
                found.append(LocatedCase(where, read_case(case)))
            except PositionError as error:
                problems.append(f"{where}: {error}")
    return found, problems


def _load_json(name: str) -> Any:
    """Return the data of a JSON file or of standard input. Raises `UnreadableFile`."""
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        return json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UnreadableFile(error.strerror or "cannot be read") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile("is not text in UTF-8") from error
    except ValueError as error:
        raise UnreadableFile(f"is not JSON: {error}") from error
    except RecursionError as error:
        raise UnreadableFile("is nested too deeply") from error


def _numbered_cases(file_name: str, data: Any) -> Iterator[tuple[str, Any]]:
    """Yield each case with its place: the file, its number from 1 in a list, and its id."""
    listed = isinstance(data, list)
    for number, case in enumerate(data if listed else [data], 1):
        name = case.get("id") if isinstance(case, dict) else None
        named = [f"case {number}"] if listed else ["the case"]
        yield f"{file_name}: {' '.join([*named, *([name] if isinstance(name, str) and name else [])])}", case
