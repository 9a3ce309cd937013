"""Refusals and problems as sentences: codes and numbers in, words out."""

from __future__ import annotations

from collections.abc import Mapping

from bot.engine.cards.notation import parse_cards
from bot.engine.law.house_rules import Problem as RulesProblem
from bot.engine.moves.refusals import Refusal
from bot.i18n import Words
from bot.i18n.theme_words import theme_values
from bot.tables.looks import TableSnapshot
from bot.tables.refusals import RulesRefused, TableRefusal
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from cogs.shared.reading import card_text
from cogs.shared.reading.problems import InputProblem
from cogs.shared.telling import names

Problem = Refusal | TableRefusal | TournamentRefusal | InputProblem
"""Everything that is answered with a sentence and changes nothing."""

_SEATS = ("turn", "partner")
_INSTANTS = ("opens_at", "closes_at", "until", "at")
_KINDS = ("kind", "first", "second", "low", "high")


def explain(words: Words, problem: Problem, look: TableSnapshot | None = None) -> str:
    """The sentence for a problem; `look` is the table it came from, where there is one."""
    if isinstance(problem, TournamentRefusal):
        if problem.code is TournamentCode.LADDER:
            return words(f"ladder_refusal.{problem.detail['problem']}", **_of_tournament(words, problem.detail))
        return words(f"tournament_refusal.{problem.code.value}", **_of_tournament(words, problem.detail))
    if isinstance(problem, Refusal):
        section = "refusal"
    else:
        section = "table_refusal" if isinstance(problem, TableRefusal) else "input"
    said = words(f"{section}.{problem.code.value}", **_values(words, problem.detail, look))
    if isinstance(problem, RulesRefused):
        return "\n".join([said, *(f"- {unplayable(words, one)}" for one in problem.problems)])
    return said


def unplayable(words: Words, problem: RulesProblem) -> str:
    """The sentence for a reason why rules cannot be played."""
    values = _values(words, problem.detail, None)
    name = problem.detail.get("parameter")
    if f"parameter.{name}.title" in words:
        values["parameter"] = words(f"parameter.{name}.title")
    values |= theme_values(words, problem.detail)
    if "need" in values:
        count = int(problem.detail.get("count", 1))
        values["need"] = words(f"canasta_kind.{values['need']}", count=count)
    return words(f"house_rules.{problem.code.value}", **values)


def _of_tournament(words: Words, detail: Mapping[str, int | str]) -> dict[str, int | str]:
    """The numbers of a tournament's refusal: instants in the reader's own time, what is wrong with a plan in words."""
    values = {key: names.shown(value) if isinstance(value, str) else value for key, value in detail.items()}
    values |= {key: f"<t:{int(detail[key]) // 1000}:f>" for key in _INSTANTS if key in detail}
    if "stage" in detail:
        values["stage"] = words(f"tournament_stage.{detail['stage']}")
    if f"unfit.{detail.get('problem')}" in words:
        values["problem"] = words(f"unfit.{detail['problem']}")
    return values


def _values(words: Words, detail: Mapping[str, int | str], look: TableSnapshot | None) -> dict[str, int | str]:
    """The numbers of a refusal as words: seats as names, kinds as ranks, cards with their suits."""
    values = {key: names.shown(value) if isinstance(value, str) else value for key, value in detail.items()}
    for key in _SEATS:
        if key in detail:
            values[key] = "?" if look is None else names.of_seat(words, look, int(detail[key]))
    if "seat" in detail:
        values["seat"] = int(detail["seat"]) + 1
    values |= _marked_up(detail)
    for key in _KINDS:
        if isinstance(detail.get(key), str):
            values[key] = words.kind(str(detail[key]))
            values[f"{key}s"] = values["cards"] = words.kind(str(detail[key]), 2)
    if isinstance(detail.get("exposed"), str):
        values["exposed"] = card_text.cards(parse_cards(str(detail["exposed"])))
    if "kind" in detail and "card" not in detail:
        values["card"] = values["cards"]
    if isinstance(detail.get("card"), int):
        values["card"] = card_text.card(int(detail["card"]))
    if "theme" in detail:
        values |= theme_values(words, detail)
    if "card" in detail and isinstance(detail.get("held"), str):
        values["held"] = card_text.cards(int(one) for one in str(detail["held"]).split(","))
    return values


def _marked_up(detail: Mapping[str, int | str]) -> dict[str, int | str]:
    """Persons and instants, which each reader sees by name and in their own time; private answers notify nobody."""
    values: dict[str, int | str] = {}
    if "host" in detail:
        values["host"] = f"<@{detail['host']}>"
    if "channels" in detail:
        values["channels"] = ", ".join(f"<#{channel}>" for channel in str(detail["channels"]).split(","))
    if "from" in detail:
        values["from"] = f"<t:{int(detail['from']) // 1000}:f>"
    return values


def host_name(words: Words, look: TableSnapshot) -> str:
    """The name of the person who may start and close the table."""
    seat = look.seat_of(look.host)
    return "?" if seat is None else names.of_seat(words, look, seat)
