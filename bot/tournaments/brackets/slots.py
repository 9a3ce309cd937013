"""The places of a bracket: slots, where those who play in them come from, and what their rounds are called in codes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """The part of a bracket that a slot stands in; the value is its stable name."""

    MAIN = "main"  # all of a single bracket, the finals of a double one
    UPPER = "upper"  # of those who have not lost
    LOWER = "lower"  # of those who have lost once
    SECOND = "second"  # the second chance


class Label(StrEnum):
    """What the round of a slot is called within its part; the value is its stable name."""

    ROUND = "round"  # with its number
    QUARTERFINAL = "quarterfinal"
    SEMIFINAL = "semifinal"
    FINAL = "final"
    FINAL_AGAIN = "final_again"
    THIRD_PLACE = "third_place"


class Take(StrEnum):
    """Who comes from a source; the value is its stable name."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    UNDEFEATED = "undefeated"  # of a final that the entry of the lower half has won, else nobody
    CHALLENGER = "challenger"  # the other one of that final, else nobody


@dataclass(frozen=True, slots=True)
class Source:
    """Where one side of a slot comes from: the seed of that number, from 1, or a slot by its name."""

    take: Take
    slot: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One place of a bracket, where two meet: `round` in its part and `number` in that round, both from 1.

    `name` is stable: "W2.1" is the first slot of the second round of those who win, "L3.1" one of the lower half, "P3"
    for third place, "F" the final and "F2" the final again, "S1.2" one of the second chance. `group` is the name of its
    round. `turn` says when it is played: all of a turn at once, after the turns before. Whoever is out here is placed
    behind all who are out at a higher `level`.
    """

    name: str
    group: str
    part: Part
    label: Label
    round: int
    number: int
    turn: int
    level: int
    sources: tuple[Source, Source]
