"""A condition that is being composed, as the controls of its panel carry it: nothing else remembers it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from bot.engine.rules.themes.composing import CHOICES, ENDS
from bot.engine.rules.themes.conditions import CANASTAS, RANKS, UNTILS, WHATS, Condition, What
from cogs.shared.reading.problems import InputCode, InputProblem

WILDS_OFF: Final = "wilds_off"
"""What stands for a ban of all wild cards where one chooses a sort of condition."""

SORTS: Final = (*CHOICES, WILDS_OFF)

_LETTERS: Final = {"JK": "j", "wild": "w", "run": "r"}
_RANKS: Final = {_LETTERS.get(rank, rank): rank for rank in RANKS}
_WHATS: Final = {what.replace("_", ""): what for what in WHATS}
_TYPED: Final = {"10": "T", "JOKER": "JK"}


@dataclass(frozen=True, slots=True)
class Draft:
    """A condition as far as it is composed, and whether it shall have a deal of its own."""

    condition: Condition
    by_deal: bool = False

    @property
    def argument(self) -> str:
        """The draft in a control."""
        one = self.condition
        ranks = "".join(_LETTERS.get(rank, rank) for rank in one.ranks)
        seats, deal = "s" if one.by_seat else "", "d" if self.by_deal else ""
        return f"{one.what.replace('_', '')}.{ranks}.{one.canasta}.{one.number}.{one.until}.{seats}{deal}"


def read(argument: str) -> Draft:
    """The draft that a control carries. Raises `InputProblem` for none of this release."""
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


def begun(sort: str) -> Draft:
    """A condition of that sort of which nothing else is said yet."""
    if sort == WILDS_OFF:
        return Draft(Condition("no_meld", ("2", "JK")))
    what = next((one for one in WHATS if one == sort), None)
    if what is None:
        raise InputProblem(InputCode.OLD_CONTROL)
    return Draft(Condition(what, number=1 if CHOICES[what].most else 0))


def with_ranks(draft: Draft, ranks: tuple[str, ...]) -> Draft:
    """The draft with these ranks, for every seat."""
    chosen = tuple([rank for rank in CHOICES[draft.condition.what].ranks if rank in ranks])
    return replace(draft, condition=replace(draft.condition, ranks=chosen, by_seat=False))


def with_seats(draft: Draft, typed: str) -> Draft:
    """The draft with a rank for each seat, as typed. Raises `InputProblem` for what is no rank."""
    found = []
    for word in re.split(r"[\s,;]+", typed.strip().upper()):
        rank = _TYPED.get(word, word)
        if rank not in CHOICES[draft.condition.what].ranks:
            raise InputProblem(InputCode.NOT_UNDERSTOOD, {"word": word})
        found.append(rank)
    return replace(draft, condition=replace(draft.condition, ranks=tuple(found[:_MOST_SEATS]), by_seat=True))


_MOST_SEATS: Final = 6


def ends_of(what: What) -> list[str]:
    """Every end that a condition of that sort may have, as the menu has them."""
    found = []
    for until in CHOICES[what].untils:
        if until in ENDS:
            found += [f"{until}.{number}" for number in ENDS[until]]
        elif until == "canasta":
            found += [f"{until}.{kind}" for kind in CANASTAS]
        else:
            found.append(until)
    return found


def end_of(condition: Condition) -> str:
    """When a condition ends, as the menu has it."""
    if condition.until in ENDS:
        return f"{condition.until}.{condition.number}"
    return f"{condition.until}.{condition.canasta}" if condition.until == "canasta" else condition.until


def with_end(draft: Draft, end: str) -> Draft:
    """The draft with that end of its condition. Raises `InputProblem` for one that the condition cannot have."""
    name, _, more = end.partition(".")
    until = next((one for one in UNTILS if one == name), None)
    if until is None or end not in ends_of(draft.condition.what):
        raise InputProblem(InputCode.OLD_CONTROL)
    one = draft.condition
    canasta = next((kind for kind in CANASTAS if kind == more), one.canasta if until == "never" else "any")
    if not CHOICES[one.what].canastas and until != "canasta":
        canasta = "any"
    number = int(more) if until in ENDS else one.number if CHOICES[one.what].most else 0
    return replace(draft, condition=replace(one, until=until, canasta=canasta, number=number))
