"""A whole bracket with places and second chance, derived from its terms, seeds and results.

Entries that lost the first match they played get a second chance (`docs/tournaments.md` 3). Byes, forfeits and double
forfeits are not played matches: an entry that does not come gets no second chance, and an entry that advances by
forfeit and then loses gets one. Two such entries cannot have met: one of them would have won. Semifinal losers who play
for third place are excluded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from bot.tournaments.brackets.bracket_slots import (
    RoundLabel,
    Slot,
    double_elimination_slots,
    second_chance_slots,
    single_elimination_slots,
)
from bot.tournaments.brackets.results import BracketTerms, Draw, Results, SlotProgress, SlotState, fill_slots


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPlace:
    """An entry's place. If `last` is after `first`, it is shared, as 5 to 8 by quarterfinal losers."""

    entry: int
    first: int
    last: int


def decided_places(slot_states: Sequence[SlotState], entries: Sequence[int]) -> tuple[BracketPlace, ...]:
    """Return the places that are decided, best first; equal places in the order of `entries`.

    The places of entries that went out at one level are decided once no open match can add an entry at that level or
    below it, or none at that level or above it; so the final does not wait for the match for third place. If both
    players of a match are out, entries from earlier rounds stay behind them, and no place is left empty.
    """
    if not slot_states:
        return tuple(BracketPlace(entry=entry, first=1, last=1) for entry in entries)
    ends = _last_levels_of_entries(slot_states)
    open_levels = [view.slot.level for view in slot_states if not view.is_decided]
    best_first = sorted(set(ends.values()), reverse=True)
    counts = Counter(ends.values())
    found: list[BracketPlace] = []
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
        found += [BracketPlace(entry=entry, first=first, last=last) for entry in entries if ends.get(entry) == end]
    return tuple(found)


def _last_levels_of_entries(slot_states: Sequence[SlotState]) -> dict[int, tuple[int, bool]]:
    """Return, for entries that are finished, the level of their last slot and whether they won there."""
    last: dict[int, SlotState] = {}
    for view in slot_states:
        last.update(dict.fromkeys(view.known_entries, view))
    return {entry: (view.slot.level, view.winner == entry) for entry, view in last.items() if view.is_decided}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSecondChance:
    """A second-chance bracket that has been drawn: its entries in drawn order, and the turn after which it begins."""

    entries: tuple[int, ...]
    after_turn: int


def draw_second_chance(slot_states: Sequence[SlotState], draw: Draw) -> DrawnSecondChance | None:
    """Draw the second chance; None while an entry can still lose its first played match.

    `slot_states` is a whole single bracket. The draw orders all its matches, numbered from 1, and not the losers:
    changing a winner later changes one side and leaves all others in place. Raises `ValueError` if `draw` drops or
    adds a number.
    """
    matches = [view for view in slot_states if view.slot.label is not RoundLabel.THIRD_PLACE]
    settled: dict[int, int] = {}
    losers: dict[int, int] = {}
    third_place = len(matches) < len(slot_states)
    for number, view in enumerate(matches, 1):
        if view.state is SlotProgress.READY or view.state is SlotProgress.WAITING:
            if any(entry not in settled for entry in view.known_entries):
                return None
            continue
        outcome = view.outcome
        if outcome is None:
            continue
        plays_on = third_place and view.slot.label is RoundLabel.SEMIFINAL
        if outcome.is_played and view.loser is not None and view.loser not in settled and not plays_on:
            losers[number] = view.loser
        for entry in view.known_entries:
            if outcome.is_played or entry != view.winner:
                settled.setdefault(entry, view.slot.turn)
    never_played = {entry for view in matches for entry in view.known_entries} - settled.keys()
    # An entry that wins the bracket without playing could still lose until the last match of the others was decided.
    last_turns = [view.slot.turn for view in matches if view.outcome is not None] if never_played else settled.values()
    numbers = range(1, len(matches) + 1)
    order = tuple(draw(tuple(numbers)))
    if sorted(order) != list(numbers):
        raise ValueError("a draw that is no order of the numbers")
    return DrawnSecondChance(
        entries=tuple(losers[number] for number in order if number in losers),
        after_turn=max(last_turns, default=0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyMatch:
    """A match that can be played: the name of its slot and its two entries."""

    slot: str
    sides: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketStage:
    """The matches played at one time, a round of the tournament; `number` counts from 1 without gaps.

    `name` is stable and combines the bracket's rounds: "W1", "W2+L1", "P3+F". `slots` are those that have or may
    have a match. A stage that is not `over` has `ready` matches once all stages before it are over.
    """

    number: int
    name: str
    slots: tuple[str, ...]
    ready: tuple[ReadyMatch, ...]
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketStanding:
    """The entries that play for first place in one bracket, in seed or draw order, and their final places.

    `champion` is None while it is open, and if both finalists are out.
    """

    entries: tuple[int, ...]
    champion: int | None
    places: tuple[BracketPlace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A bracket after the results so far. `slot_states` are all slots by dependency, second chance last.

    `second` is None if there is no second chance, or it is not drawn yet. `stages` are those known so far: the
    repeated final only once it is needed, the second chance once it is drawn.
    """

    terms: BracketTerms
    slot_states: tuple[SlotState, ...]
    main: BracketStanding
    second: BracketStanding | None
    stages: tuple[BracketStage, ...]

    @property
    def is_over(self) -> bool:
        """Whether no match is left to play."""
        return all(view.is_decided for view in self.slot_states)

    @property
    def ready_matches(self) -> tuple[ReadyMatch, ...]:
        """The matches that can be played now, of any stage."""
        return _ready_matches(self.slot_states)

    @property
    def due_stage(self) -> BracketStage | None:
        """The first stage that is not over: the one being played, or else the next; None at the end."""
        return next((stage for stage in self.stages if not stage.over), None)

    def slot_state(self, slot: str) -> SlotState:
        """Return the state of the slot of that name. Raises `KeyError`."""
        for view in self.slot_states:
            if view.slot.name == slot:
                return view
        raise KeyError(slot)


def build_bracket(terms: BracketTerms, seeds: Sequence[int], *, results: Results, draw: Draw | None = None) -> Bracket:
    """Return the bracket of these entries, best seed first, after these results.

    A result whose entries do not match its slot is ignored (`bot.tournaments.brackets.voided_matches`). `draw` orders
    the second chance. Raises `ValueError` without entries, for a duplicate entry, and if a second chance has no draw.
    """
    if not seeds or len(set(seeds)) < len(seeds):
        raise ValueError("a bracket needs entries, each of them once")
    main = tuple(fill_slots(_all_slots(terms, len(seeds)), seeds, results=results).values())
    extra: tuple[SlotState, ...] = ()
    chance: BracketStanding | None = None
    if terms.second_chance and not terms.is_double:
        if draw is None:
            raise ValueError("a second chance needs a draw")
        found = draw_second_chance(main, draw)
        if found is not None and found.entries:
            slots = second_chance_slots(len(found.entries), after_turn=found.after_turn)
            extra = tuple(fill_slots(slots, found.entries, results=results).values())
            chance = _bracket_standing(extra, found.entries)
    slot_states = (*main, *extra)
    return Bracket(
        terms=terms,
        slot_states=slot_states,
        main=_bracket_standing(main, tuple(seeds)),
        second=chance,
        stages=_stages(slot_states),
    )


@lru_cache(maxsize=64)
def _all_slots(terms: BracketTerms, entries: int) -> tuple[Slot, ...]:
    """Return all slots for these terms and entries."""
    return (
        double_elimination_slots(entries)
        if terms.is_double
        else single_elimination_slots(entries, third_place=terms.third_place)
    )


def _bracket_standing(slot_states: tuple[SlotState, ...], entries: tuple[int, ...]) -> BracketStanding:
    """Return the entries, champion and decided places of one bracket."""
    return BracketStanding(
        entries=entries, champion=_champion(slot_states, entries), places=decided_places(slot_states, entries)
    )


def _champion(slot_states: tuple[SlotState, ...], entries: tuple[int, ...]) -> int | None:
    """Return the winner of the bracket; None while it is open, or if both finalists are out."""
    if not slot_states:
        return entries[0]
    unneeded = slot_states[-1].slot.label is RoundLabel.FINAL_AGAIN and slot_states[-1].state is SlotProgress.EMPTY
    final = slot_states[-2] if unneeded else slot_states[-1]
    return final.winner if final.is_decided else None


def _stages(slot_states: Sequence[SlotState]) -> tuple[BracketStage, ...]:
    """Return the stages of the bracket: the turns that have or may have a match, numbered without gaps."""
    stages: list[BracketStage] = []
    for _, turn in groupby(sorted(slot_states, key=lambda view: view.slot.turn), key=lambda view: view.slot.turn):
        played = [
            view
            for view in turn
            if view.state not in (SlotProgress.BYE, SlotProgress.EMPTY) and not _is_optional_final(view)
        ]
        if played:
            stages.append(
                BracketStage(
                    number=len(stages) + 1,
                    name="+".join(dict.fromkeys(view.slot.group for view in played)),
                    slots=tuple(view.slot.name for view in played),
                    ready=_ready_matches(played),
                    over=all(view.is_decided for view in played),
                )
            )
    return tuple(stages)


def _is_optional_final(slot_state: SlotState) -> bool:
    """Return whether this is a repeated final that may not be needed."""
    return slot_state.slot.label is RoundLabel.FINAL_AGAIN and slot_state.state is SlotProgress.WAITING


def _ready_matches(slot_states: Sequence[SlotState]) -> tuple[ReadyMatch, ...]:
    """Return the matches that can be played now."""
    found = []
    for view in slot_states:
        first, second_side = view.sides
        if view.state is SlotProgress.READY and first is not None and second_side is not None:
            found.append(ReadyMatch(slot=view.slot.name, sides=(first, second_side)))
    return tuple(found)
