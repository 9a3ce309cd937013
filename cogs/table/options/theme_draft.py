"""A theme condition that the host is composing; only the arguments of its panel's controls store it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.rules.themes.conditions import CANASTAS, RANKS, UNTILS, WHATS, Condition, What
from bot.engine.rules.themes.own_themes import CHOICES, END_NUMBERS
from cogs.shared.reading.input_problems import InputCode, InputProblem

WILDS_OFF: Final = "wilds_off"
"""The menu value for a ban of all wild cards, among the sorts of conditions."""

SORTS: Final = (*CHOICES, WILDS_OFF)

_LETTERS: Final = {"JK": "j", "wild": "w", "run": "r"}
_RANKS: Final = {_LETTERS.get(rank, rank): rank for rank in RANKS}
_WHATS: Final = {what.replace("_", ""): what for what in WHATS}
_TYPED: Final = {"10": "T", "JOKER": "JK"}


@dataclass(frozen=True, slots=True)
class Draft:
    """An unfinished condition of a theme, and whether it applies to one deal of its own."""

    condition: Condition
    by_deal: bool = False

    @property
    def argument(self) -> str:
        """Return the draft as text for a control's argument."""
        one = self.condition
        ranks = "".join(_LETTERS.get(rank, rank) for rank in one.ranks)
        seats, deal = "s" if one.by_seat else "", "d" if self.by_deal else ""
        return f"{one.what.replace('_', '')}.{ranks}.{one.canasta}.{one.number}.{one.until}.{seats}{deal}"


def read_draft(argument: str) -> Draft:
    """Return the draft in a control's argument. Raises `InputProblem` if it cannot be read."""
    try:
        what, letters, canasta, number, until, flags = argument.split(".")
        one = Condition(
            _WHATS[what],
            tuple([_RANKS[letter] for letter in letters]),
            next(kind for kind in CANASTAS if kind == canasta),
            int(number),
            next(end for end in UNTILS if end == until),
            "s" in flags,
        )
    except (ValueError, KeyError, StopIteration):
        raise InputProblem(InputCode.OLD_CONTROL) from None
    return Draft(one, "d" in flags)


def new_draft(sort: str) -> Draft:
    """Return a new draft for a condition of that sort, with default values."""
    if sort == WILDS_OFF:
        return Draft(Condition("no_meld", ("2", "JK")))
    what = next((one for one in WHATS if one == sort), None)
    if what is None:
        raise InputProblem(InputCode.OLD_CONTROL)
    return Draft(Condition(what, number=1 if CHOICES[what].most else 0))


def draft_with_ranks(draft: Draft, ranks: tuple[str, ...]) -> Draft:
    """Return the draft with these ranks for all seats."""
    chosen = tuple([rank for rank in CHOICES[draft.condition.what].ranks if rank in ranks])
    return replace(draft, condition=replace(draft.condition, ranks=chosen, by_seat=False))


def draft_with_seat_ranks(draft: Draft, typed: str) -> Draft:
    """Return the draft with the typed ranks, one per seat. Raises `InputProblem` for an unknown rank."""
    found = []
    for word in re.split(r"[\s,;]+", typed.strip().upper()):
        rank = _TYPED.get(word, word)
        if rank not in CHOICES[draft.condition.what].ranks:
            raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": word})
        found.append(rank)
    return replace(draft, condition=replace(draft.condition, ranks=tuple(found[:_MOST_SEATS]), by_seat=True))


_MOST_SEATS: Final = 6


def possible_ends(condition_sort: What) -> list[str]:
    """Return the menu values for the possible ends of a condition of that sort."""
    found = []
    for until in CHOICES[condition_sort].untils:
        if until in END_NUMBERS:
            found += [f"{until}.{number}" for number in END_NUMBERS[until]]
        elif until == "canasta":
            found += [f"{until}.{kind}" for kind in CANASTAS]
        else:
            found.append(until)
    return found


def end_value(condition: Condition) -> str:
    """Return the menu value for a condition's end."""
    if condition.until in END_NUMBERS:
        return f"{condition.until}.{condition.number}"
    return f"{condition.until}.{condition.canasta}" if condition.until == "canasta" else condition.until


def draft_with_end(draft: Draft, end: str) -> Draft:
    """Return the draft with that end. Raises `InputProblem` if its condition cannot have it."""
    name, _, more = end.partition(".")
    until = next((one for one in UNTILS if one == name), None)
    if until is None or end not in possible_ends(draft.condition.what):
        raise InputProblem(InputCode.OLD_CONTROL)
    one = draft.condition
    canasta = next((kind for kind in CANASTAS if kind == more), one.canasta if until == "never" else "any")
    if not CHOICES[one.what].canastas and until != "canasta":
        canasta = "any"
    number = int(more) if until in END_NUMBERS else one.number if CHOICES[one.what].most else 0
    return replace(draft, condition=replace(one, until=until, canasta=canasta, number=number))
