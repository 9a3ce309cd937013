"""Arrange a bracket for drawing: trees of columns, each slot next to those that feed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.tournaments.brackets.bracket import Bracket
from bot.tournaments.brackets.bracket_slots import BracketPart, RoundLabel
from bot.tournaments.brackets.results import SlotProgress, SlotState


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeColumn:
    """The slots of one round from top to bottom; `group` is its stable name."""

    group: str
    slot_states: tuple[SlotState, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketTree:
    """A part of a bracket, its columns from left to right.

    Draw lines from a slot to the slots whose winners it takes.
    """

    part: BracketPart
    columns: tuple[TreeColumn, ...]


def bracket_trees(bracket: Bracket) -> tuple[BracketTree, ...]:
    """Return the trees of a bracket from top to bottom: upper half, lower half, finals, second chance.

    A single bracket is one tree, its match for third place a separate column after the final. A repeated final is
    shown once it is needed.
    """
    parts = (BracketPart.UPPER, BracketPart.LOWER, BracketPart.MAIN, BracketPart.SECOND)
    found = (BracketTree(part=part, columns=_tree_columns(bracket.slot_states, part)) for part in parts)
    return tuple(tree for tree in found if tree.columns)


def _tree_columns(slot_states: Sequence[SlotState], part: BracketPart) -> tuple[TreeColumn, ...]:
    """Return the columns of one part of the bracket."""
    inside = [view for view in slot_states if view.slot.part is part and not _is_unneeded_final(view)]
    inside.sort(key=lambda view: (view.slot.round, view.slot.number))
    grouped = groupby(inside, key=lambda view: view.slot.group)
    return tuple(TreeColumn(group=group, slot_states=tuple(column)) for group, column in grouped)


def _is_unneeded_final(slot_state: SlotState) -> bool:
    """Return whether this is a repeated final that is not known to be played."""
    return slot_state.slot.label is RoundLabel.FINAL_AGAIN and slot_state.state in (
        SlotProgress.WAITING,
        SlotProgress.EMPTY,
    )
