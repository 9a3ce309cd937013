"""Builds and reads the ids of tournament controls.

A `ControlId` has a field for a table but none for a tournament, so the tournament's number begins its argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem

LONGEST_NUMBER: Final = 15


@dataclass(frozen=True, slots=True)
class Link:
    """What the id of a tournament control contains: the tournament, its version, further arguments.

    The version is that of the tournament when the control was built; 0 stands for any.
    """

    tournament: int
    version: int
    rest: tuple[str, ...]

    def argument_text(self, place: int) -> str:
        """Return the argument with that index, counted after tournament and version. Raises `InputProblem`."""
        try:
            return self.rest[place]
        except IndexError:
            raise InputProblem(InputCode.OLD_CONTROL) from None

    def argument_number(self, place: int = 0) -> int:
        """Return the argument with that index as a number. Raises `InputProblem`."""
        found = self.argument_text(place)
        if not found.isdecimal() or len(found) > LONGEST_NUMBER:
            raise InputProblem(InputCode.OLD_CONTROL)
        return int(found)


def control(tournament: int, action: str, *rest: str | int, version: int = 0) -> ControlId:
    """Return the custom id of a button or menu of a tournament: its action, tournament and version."""
    return ControlId(0, version, action, ".".join(str(one) for one in (tournament, *rest)))


def link_of(control_id: ControlId) -> Link:
    """Return what the id of a used control contains. Raises `InputProblem` for another control."""
    number, *rest = control_id.argument.split(".")
    if not number.isdecimal() or len(number) > LONGEST_NUMBER:
        raise InputProblem(InputCode.OLD_CONTROL)
    return Link(int(number), control_id.version, tuple(rest))
