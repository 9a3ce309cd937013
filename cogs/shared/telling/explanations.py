"""Sentences for refusals, problems, rules paragraphs, irregularities and rulings ("may I do this?")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.cards.meld_places import family_of
from bot.engine.law.rule_conflicts import RuleProblem as RulesProblem
from bot.engine.moves.actions import (
    CONCEALED,
    GOING_OUT,
    INITIAL_MELD,
    Action,
    Announce,
    Ask,
    Combine,
    DiscardCard,
    Draw,
    DrawKeeping,
    LayMelds,
    Pass,
    Reclaim,
    Show,
    TakePile,
)
from bot.engine.moves.events import Penalized
from bot.engine.moves.refusals import Refusal
from bot.engine.rules.irregularities import Penalty
from bot.i18n import Words
from bot.i18n.penalty_text import cost_sentence
from bot.i18n.refusal_text import refusal_sentence
from bot.i18n.theme_words import theme_values_in_words
from bot.series.refusals import SeriesRefusal
from bot.tables.advice.ruling import Ruling
from bot.tables.state.refusals import RulesRefused, TableRefusal
from bot.tables.state.snapshots import SeatSnapshot, TableSnapshot
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from cogs.shared.reading import card_text
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.telling import names
from cogs.shared.telling.numbers import capitalize_first_letter

Problem = Refusal | TableRefusal | TournamentRefusal | SeriesRefusal | InputProblem
"""Every error that is answered with a sentence and changes nothing."""

_INSTANTS = ("opens_at", "closes_at", "until", "at")
_KINDS = ("kind", "first", "second", "low", "high")


def explain_problem(words: Words, problem: Problem, snapshot: TableSnapshot | None = None) -> str:
    """Return the sentence that explains a problem to a user; `snapshot` is its table, if any."""
    if isinstance(problem, TournamentRefusal):
        if problem.code is TournamentCode.LADDER:
            return words(f"ladder_refusal.{problem.detail['problem']}", **_tournament_values(words, problem.detail))
        return words(f"tournament_refusal.{problem.code.value}", **_tournament_values(words, problem.detail))
    if isinstance(problem, SeriesRefusal):
        return words(f"series_refusal.{problem.code.value}", **_tournament_values(words, problem.detail))
    if isinstance(problem, Refusal):
        return _rules_refusal_text(words, problem, snapshot)
    section = "table_refusal" if isinstance(problem, TableRefusal) else "input"
    text = words(f"{section}.{problem.code.value}", **_detail_values(words, problem.detail))
    if isinstance(problem, RulesRefused):
        return "\n".join([text, *(f"- {unplayable_text(words, one)}" for one in problem.problems)])
    return text


def _rules_refusal_text(words: Words, refusal: Refusal, snapshot: TableSnapshot | None) -> str:
    """Return the sentence that explains a refusal by the rules of the game.

    It names players, and cards with their suits.
    """

    def seat_name(seat: int) -> str:
        return "?" if snapshot is None else names.seat_name(words, snapshot, seat)

    return refusal_sentence(
        words, refusal.code.value, refusal.detail, seat_name=seat_name, card_name=card_text.card_label
    )


def unplayable_text(words: Words, problem: RulesProblem) -> str:
    """Return the sentence that explains why a table's rules cannot be played."""
    values = _detail_values(words, problem.detail)
    name = problem.detail.get("parameter")
    if f"parameter.{name}.title" in words:
        values["parameter"] = words(f"parameter.{name}.title")
    values |= theme_values_in_words(words, problem.detail)
    if "need" in values:
        count = int(problem.detail.get("count", 1))
        values["need"] = words(f"canasta_kind.{values['need']}", count=count)
    return words(f"house_rules.{problem.code.value}", **values)


def _tournament_values(words: Words, detail: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return the values for the sentence of a tournament's refusal.

    Times are in the reader's zone, problems of a plan in words.
    """
    values = {key: names.escape_name(value) if isinstance(value, str) else value for key, value in detail.items()}
    values |= {key: f"<t:{int(detail[key]) // 1000}:f>" for key in _INSTANTS if key in detail}
    if "stage" in detail:
        values["stage"] = words(f"tournament_stage.{detail['stage']}")
    if f"unfit.{detail.get('problem')}" in words:
        values["problem"] = words(f"unfit.{detail['problem']}", **values)
    return values


def _detail_values(words: Words, detail: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return the values for a problem's sentence: kinds as ranks, cards with their suits."""
    values = {key: names.escape_name(value) if isinstance(value, str) else value for key, value in detail.items()}
    if "seat" in detail:
        values["seat"] = int(detail["seat"]) + 1
    values |= _values_as_markup(detail)
    for key in _KINDS:
        if isinstance(detail.get(key), str):
            values[key] = words.kind_name(str(detail[key]))
            values[f"{key}s"] = values["cards"] = words.kind_name(str(detail[key]), 2)
    if "kind" in detail and "card" not in detail:
        values["card"] = values["cards"]
    if isinstance(detail.get("card"), int):
        values["card"] = card_text.card_label(int(detail["card"]))
    if "card" in detail and isinstance(detail.get("held"), str):
        values["held"] = card_text.cards_label(int(one) for one in str(detail["held"]).split(","))
    return values


def _values_as_markup(detail: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return the people, channels and times among a problem's details as Discord markup.

    The markup notifies no one, because it is used in private answers only.
    """
    values: dict[str, int | str] = {}
    if "host" in detail:
        values["host"] = f"<@{detail['host']}>"
    if "channels" in detail:
        values["channels"] = ", ".join(f"<#{channel}>" for channel in str(detail["channels"]).split(","))
    if "from" in detail:
        values["from"] = f"<t:{int(detail['from']) // 1000}:f>"
    return values


def host_name(words: Words, snapshot: TableSnapshot) -> str:
    """Return the name of the table's host, who may start and close it."""
    seat = snapshot.seat_of(snapshot.host)
    return "?" if seat is None else names.seat_name(words, snapshot, seat)


PENALTIES: Final = "1.22"
"""Paragraph with the penalties that some founding texts set for irregularities."""


def paragraph_to_open(paragraph: str) -> str:
    """Return the number of the paragraph to show for a citation.

    For a citation of a founding text on penalties it is 1.22.
    """
    return PENALTIES if paragraph.startswith("S") else paragraph


def is_rules_paragraph(words: Words, paragraph: str) -> bool:
    """Return whether there is a rules paragraph with that number."""
    return f"paragraph_text.{paragraph}" in words


def paragraph_numbers(words: Words) -> list[str]:
    """Return the numbers of all rules paragraphs, in the catalogue's order."""
    return [key.removeprefix("paragraph_text.") for key in words.entries if key.startswith("paragraph_text.")]


def paragraph_title(words: Words, paragraph: str) -> str:
    """Return the number and title of a rules paragraph."""
    return words("ruling.paragraph", number=paragraph, name=words(f"paragraph.{paragraph}"))


def paragraph_text(words: Words, paragraph: str) -> str:
    """Return the number, title and text of a rules paragraph."""
    name = capitalize_first_letter(words(f"paragraph.{paragraph}"))
    return words("rules_page.paragraph", number=paragraph, name=name, text=words(f"paragraph_text.{paragraph}"))


def irregularity_words(words: Words, penalty: Penalized | Penalty) -> dict[str, str]:
    """Return the name of an irregularity and what it cost, as values for a sentence."""
    cost = cost_sentence(words, penalty, card_name=card_text.card_label)
    return {"irregularity": words(f"irregularity.{penalty.irregularity.value}"), "cost": cost}


_SAID: Final[dict[type, str]] = {
    Draw: "ruling.draw",
    DrawKeeping: "ruling.keep",
    Ask: "ruling.ask",
    Announce: "ruling.announce",
    Pass: "ruling.pass",
    Show: "ruling.show",
}
_BESIDES: Final = {INITIAL_MELD: "ruling.opens", GOING_OUT: "ruling.out", CONCEALED: "ruling.concealed"}


def ruling_lines(words: Words, snapshot: SeatSnapshot, action: Action | None, ruling: Ruling) -> list[str]:
    """Return lines on whether an action would be allowed, and by which rules paragraphs.

    An `action` of None stands for text that names no playable cards.
    """
    texts = [words("ruling.supposed")] if ruling.supposed else []
    asked = words("ruling.other") if action is None else action_in_words(words, action)
    lines = [paragraph_reference(words, number) for number in ruling.paragraphs]
    if ruling.refusal is not None:
        texts.append(
            words("ruling.no", asked=asked, sentence=_reason_text(words, snapshot, ruling.refusal), paragraph=lines[0])
        )
    else:
        texts.append(words("ruling.yes", asked=asked, paragraph=lines[0]))
        besides = zip(ruling.paragraphs[1:], lines[1:], strict=True)
        texts += [words(_BESIDES[number], paragraph=paragraph) for number, paragraph in besides]
    return [*texts, words("ruling.unchanged")]


def _reason_text(words: Words, snapshot: SeatSnapshot, refusal: Refusal) -> str:
    sentence = explain_problem(words, refusal, snapshot.table)
    return sentence[:1].upper() + sentence[1:]


def paragraph_reference(words: Words, paragraph: str) -> str:
    """Return the number and title of a cited paragraph; the number of a variant's section begins with "v"."""
    return paragraph_title(words, paragraph_to_open(paragraph))


def action_in_words(words: Words, action: Action) -> str:
    """Return in words the action that the player asked about."""
    match action:
        case LayMelds(melds=melds):
            return words("ruling.meld", melds=", ".join(card_text.cards_label(lay.cards) for lay in melds))
        case TakePile(cards=cards, melds=melds):
            key = "ruling.take_with" if cards else "ruling.take"
            asked = words(key, cards=card_text.cards_label(cards))
            text = ", ".join(card_text.cards_label(lay.cards) for lay in melds)
            return words("ruling.laying", asked=asked, melds=text) if melds else asked
        case Combine(onto=onto):
            return words("ruling.combine", kinds=card_text.meld_word(words, family_of(onto), 2))
        case Reclaim(place=place):
            return words("ruling.reclaim", kinds=card_text.meld_word(words, family_of(place), 2))
        case DiscardCard(card=card):
            return words("ruling.discard", card=card_text.card_label(card))
        case _:
            return words(_SAID[type(action)])
