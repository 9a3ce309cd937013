"""A whole bracket, derived from its terms, its seeds and the results so far: places and second chance included.

Those get a second chance who have lost the first match that they have played (`docs/tournaments.md` 3). A bye, a
forfeit and a double forfeit are no played match, so that who does not come gets no second chance, and who was given a
match and loses the next gets one. Two of them have never met at a table: one of the two would have won that match.
Whoever plays on for third place is not among them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from bot.tournaments.brackets.plan import Label, Slot, double, second, single
from bot.tournaments.brackets.results import Draw, Results, SlotState, State, Terms, resolved


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """The second chance as it is drawn: its entries in the order of the lot, after that turn of the bracket."""

    entries: tuple[int, ...]
    after_turn: int


def drawn(looks: Sequence[SlotState], draw: Draw) -> Drawn | None:
    """The second chance; None while somebody can still lose the first match that he plays.

    `looks` is a whole single bracket. Drawn are not entries but the matches they have lost, from 1 in the order of
    `looks`, all of them at once: a winner who is changed later changes one side here, and the others stay where they
    are. Raises `ValueError` for a draw that loses a number or makes one up.
    """
    matches = [look for look in looks if look.slot.label is not Label.THIRD_PLACE]
    settled: dict[int, int] = {}
    losers: dict[int, int] = {}
    third_place = len(matches) < len(looks)
    for number, look in enumerate(matches, 1):
        if look.state is State.READY or look.state is State.WAITING:
            if any(entry not in settled for entry in look.present):
                return None
            continue
        outcome = look.outcome
        if outcome is None:
            continue
        plays_on = third_place and look.slot.label is Label.SEMIFINAL
        if outcome.met and look.loser is not None and look.loser not in settled and not plays_on:
            losers[number] = look.loser
        for entry in look.present:
            if outcome.met or entry != look.winner:
                settled.setdefault(entry, look.slot.turn)
    numbers = range(1, len(matches) + 1)
    order = tuple(draw(tuple(numbers)))
    if sorted(order) != list(numbers):
        raise ValueError("a draw that is no order of the numbers")
    return Drawn(
        entries=tuple(losers[number] for number in order if number in losers),
        after_turn=max(settled.values(), default=0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """A match to be played: the name of its slot and its two entries."""

    slot: str
    sides: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What is played at one time, as a round of the tournament: `number` counts from 1 without a gap.

    `name` is stable and tells the rounds of the bracket in it: "W1", "W2+L1", "P3+F". `slots` are those in which there
    is a match or may be one. A stage that is not `over` has `ready` matches once all stages before it are over.
    """

    number: int
    name: str
    slots: tuple[str, ...]
    ready: tuple[Fixture, ...]
    over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Who plays for the first place of a bracket, in which order they were seeded or drawn, and how they have ended.

    `champion` is None while that is open, and where the last two are both out.
    """

    entries: tuple[int, ...]
    champion: int | None
    places: tuple[Placed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A bracket as it stands. `looks` are all its slots, each behind those that it depends on, the second chance last.

    `second` is None where there is none, or it is not drawn yet. `stages` are those that are known: the undefeated's
    second final once it is needed, the second chance once it is drawn.
    """

    terms: Terms
    looks: tuple[SlotState, ...]
    main: Standing
    second: Standing | None
    stages: tuple[Stage, ...]

    @property
    def over(self) -> bool:
        """Whether nothing is left to be played."""
        return all(look.over for look in self.looks)

    @property
    def ready(self) -> tuple[Fixture, ...]:
        """All matches that can be played now, whatever their stage."""
        return _ready(self.looks)

    @property
    def due(self) -> Stage | None:
        """The first stage that is not over: what is played next, or now. None at the end."""
        return next((stage for stage in self.stages if not stage.over), None)

    def look(self, slot: str) -> SlotState:
        """The slot of that name. Raises `KeyError`."""
        for look in self.looks:
            if look.slot.name == slot:
                return look
        raise KeyError(slot)


def bracket(terms: Terms, seeds: Sequence[int], *, results: Results, draw: Draw | None = None) -> Bracket:
    """The bracket of those entries, the best first, after those results.

    A result that does not fit who stands in its slot counts for nothing (`bot.tournaments.brackets.mending`).
    `draw` puts the second chance into the order of the lot. Raises `ValueError` without anybody, for an entry that is
    there twice, and where a second chance has no draw.
    """
    if not seeds or len(set(seeds)) < len(seeds):
        raise ValueError("a bracket needs entries, each of them once")
    main = tuple(resolved(_plan(terms, len(seeds)), seeds, results=results).values())
    extra: tuple[SlotState, ...] = ()
    chance: Standing | None = None
    if terms.second_chance and not terms.double:
        if draw is None:
            raise ValueError("a second chance needs a draw")
        found = drawn(main, draw)
        if found is not None and found.entries:
            slots = second(len(found.entries), after_turn=found.after_turn)
            extra = tuple(resolved(slots, found.entries, results=results).values())
            chance = _standing(extra, found.entries)
    looks = (*main, *extra)
    return Bracket(terms=terms, looks=looks, main=_standing(main, tuple(seeds)), second=chance, stages=_stages(looks))


@lru_cache(maxsize=64)
def _plan(terms: Terms, entries: int) -> tuple[Slot, ...]:
    return double(entries) if terms.double else single(entries, third_place=terms.third_place)


def _standing(looks: tuple[SlotState, ...], entries: tuple[int, ...]) -> Standing:
    return Standing(entries=entries, champion=_champion(looks, entries), places=places(looks, entries))


def _champion(looks: tuple[SlotState, ...], entries: tuple[int, ...]) -> int | None:
    if not looks:
        return entries[0]
    unneeded = looks[-1].slot.label is Label.FINAL_AGAIN and looks[-1].state is State.EMPTY
    final = looks[-2] if unneeded else looks[-1]
    return final.winner if final.over else None


def _stages(looks: Sequence[SlotState]) -> tuple[Stage, ...]:
    """The turns in which there is or may be a match, numbered anew."""
    stages: list[Stage] = []
    for _, turn in groupby(sorted(looks, key=lambda look: look.slot.turn), key=lambda look: look.slot.turn):
        played = [look for look in turn if look.state not in (State.BYE, State.EMPTY) and not _only_perhaps(look)]
        if played:
            stages.append(
                Stage(
                    number=len(stages) + 1,
                    name="+".join(dict.fromkeys(look.slot.group for look in played)),
                    slots=tuple(look.slot.name for look in played),
                    ready=_ready(played),
                    over=all(look.over for look in played),
                )
            )
    return tuple(stages)


def _only_perhaps(look: SlotState) -> bool:
    """Whether this is a repeated final that nobody needs yet."""
    return look.slot.label is Label.FINAL_AGAIN and look.state is State.WAITING


def _ready(looks: Sequence[SlotState]) -> tuple[Fixture, ...]:
    found = []
    for look in looks:
        first, second_side = look.sides
        if look.state is State.READY and first is not None and second_side is not None:
            found.append(Fixture(slot=look.slot.name, sides=(first, second_side)))
    return tuple(found)
