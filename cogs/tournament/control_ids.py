"""Builds and reads the ids of tournament controls.

A `ControlId` has a field for a table but none for a tournament, so the tournament's number begins its argument.
"""

from __future__ import annotations

from dataclasses import dataclass

from cogs.shared.reading.ids import ControlId
from cogs.shared.reading.problems import InputCode, InputProblem


@dataclass(frozen=True, slots=True)
class Link:
    """The data of a control: the tournament, its version when shown (0: any), and further arguments."""

    tournament: int
    version: int
    rest: tuple[str, ...]

    def number(self, place: int = 0) -> int:
        """Return the further argument at that place as a number. Raises `InputProblem`."""
        try:
            return int(self.rest[place])
        except (IndexError, ValueError):
            raise InputProblem(InputCode.OLD_CONTROL) from None


def control(tournament: int, action: str, *rest: str | int, version: int = 0) -> ControlId:
    """Return the id of a tournament's control."""
    return ControlId(0, version, action, ".".join(str(one) for one in (tournament, *rest)))


def link_of(used: ControlId) -> Link:
    """Return what the control carries. Raises `InputProblem` if it is no tournament control."""
    number, *rest = used.argument.split(".")
    if not number.isdecimal():
        raise InputProblem(InputCode.OLD_CONTROL)
    return Link(int(number), used.version, tuple(rest))
