"""How entries have ended in a bracket: places, shared by all who went out in one round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.tournaments.brackets.resolving import SlotState


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry's place, shared where `last` is behind `first`: 5 to 8 for those who lost a quarterfinal."""

    entry: int
    first: int
    last: int


def places(looks: Sequence[SlotState], entries: Sequence[int]) -> tuple[Placed, ...]:
    """The places that are decided, best first; those who share one in the order of `entries`.

    A place is decided once nobody can end behind it or beside it any more, or nobody before it or beside it: the final
    does not wait for the match for third place. Where both were out, those who went out a round earlier stay behind
    them, and no place is left empty.
    """
    if not looks:
        return tuple(Placed(entry=entry, first=1, last=1) for entry in entries)
    ends = _ends(looks)
    open_levels = [look.slot.level for look in looks if not look.over]
    best_first = sorted(set(ends.values()), reverse=True)
    counts = Counter(ends.values())
    found: list[Placed] = []
    for end in best_first:
        better = sum(counts[other] for other in best_first if other > end)
        worse = sum(counts[other] for other in best_first if other < end)
        if all(level > end[0] for level in open_levels):
            last = len(entries) - worse
            first = last - counts[end] + 1
        elif all(level < end[0] for level in open_levels):
            first = better + 1
            last = better + counts[end]
        else:
            continue
        found += [Placed(entry=entry, first=first, last=last) for entry in entries if ends.get(entry) == end]
    return tuple(found)


def _ends(looks: Sequence[SlotState]) -> dict[int, tuple[int, bool]]:
    """Where entries that play no more have ended: the level of their last slot, and whether they have won there."""
    last: dict[int, SlotState] = {}
    for look in looks:
        last.update(dict.fromkeys(look.present, look))
    return {entry: (look.slot.level, look.winner == entry) for entry, look in last.items() if look.over}
