"""Controls of tournaments: which tournament they belong to, and what else they carry.

Custom ids speak of tables; those of a tournament have none, and its number comes first in their argument.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem


@dataclass(frozen=True, slots=True)
class Link:
    """What a control says: the tournament, the version it was drawn from (0: any), and the rest of its argument."""

    tournament: int
    version: int
    rest: tuple[str, ...]

    def number(self, place: int = 0) -> int:
        """The number at that place of the rest. Raises `InputProblem` where there is none."""
        try:
            return int(self.rest[place])
        except (IndexError, ValueError):
            raise InputProblem(InputCode.OLD_CONTROL) from None


def control(tournament: int, action: str, *rest: str | int, version: int = 0) -> ControlId:
    """The control of a tournament."""
    return ControlId(0, version, action, ".".join(str(one) for one in (tournament, *rest)))


def link_of(used: ControlId) -> Link:
    """What the control says. Raises `InputProblem` for one that no tournament has."""
    number, *rest = used.argument.split(".")
    if not number.isdecimal():
        raise InputProblem(InputCode.OLD_CONTROL)
    return Link(int(number), used.version, tuple(rest))
