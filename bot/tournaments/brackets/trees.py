"""A bracket as it is drawn: trees of columns, each slot beside those whose winners it receives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.tournaments.brackets.bracket import Bracket
from bot.tournaments.brackets.plan import Label, Part
from bot.tournaments.brackets.results import SlotState, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The slots of one round from top to bottom; `group` is its stable name."""

    group: str
    looks: tuple[SlotState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """One part of a bracket, its columns from left to right. Lines follow the sources of a slot that take a winner."""

    part: Part
    columns: tuple[Column, ...]


def trees(shown: Bracket) -> tuple[Tree, ...]:
    """The trees of a bracket from top to bottom: the upper half, the lower, the finals, the second chance.

    A single bracket is one tree, its match for third place a column of its own behind the final. A repeated final is
    shown once it is needed.
    """
    parts = (Part.UPPER, Part.LOWER, Part.MAIN, Part.SECOND)
    found = (Tree(part=part, columns=_columns(shown.looks, part)) for part in parts)
    return tuple(tree for tree in found if tree.columns)


def _columns(looks: Sequence[SlotState], part: Part) -> tuple[Column, ...]:
    inside = [look for look in looks if look.slot.part is part and not _unneeded(look)]
    inside.sort(key=lambda look: (look.slot.round, look.slot.number))
    grouped = groupby(inside, key=lambda look: look.slot.group)
    return tuple(Column(group=group, looks=tuple(column)) for group, column in grouped)


def _unneeded(look: SlotState) -> bool:
    return look.slot.label is Label.FINAL_AGAIN and look.state in (State.WAITING, State.EMPTY)
