"""The slots of a bracket: where their entries come from, their order of play, and their codes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BracketPart(StrEnum):
    """The part of a bracket that a slot belongs to; the value is its stable name."""

    MAIN = "main"  # all of a single bracket, the finals of a double one
    UPPER = "upper"  # entries without a loss
    LOWER = "lower"  # entries with one loss
    SECOND = "second"  # the second chance


class RoundLabel(StrEnum):
    """Names of rounds within a part; the value is its stable name."""

    ROUND = "round"  # an early round, shown with its number
    QUARTERFINAL = "quarterfinal"
    SEMIFINAL = "semifinal"
    FINAL = "final"
    FINAL_AGAIN = "final_again"
    THIRD_PLACE = "third_place"


class SourceEntry(StrEnum):
    """The entry that a slot takes from a source; the value is the stable name."""

    SEED = "seed"
    WINNER = "winner"
    LOSER = "loser"
    UNDEFEATED = "undefeated"  # the upper entry if the lower one won the final, else none
    CHALLENGER = "challenger"  # the lower entry if it won the final, else none


@dataclass(frozen=True, slots=True)
class SlotSource:
    """The origin of one side of a slot: a seed number, from 1, or another slot by name."""

    take: SourceEntry
    slot: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A match position of a bracket: `round` in its part and `number` in that round, both from 1.

    `name` is stable: "W2.1" is the first slot of the second winners' round, "L3.1" one of the lower half, "P3" for
    third place, "F" the final and "F2" the repeated final, "S1.2" one of the second chance. `group` is the name of its
    round. All slots of a `turn` are played at once, after earlier turns. Entries that go out here are placed behind all
    that go out at a higher `level`.
    """

    name: str
    group: str
    part: BracketPart
    label: RoundLabel
    round: int
    number: int
    turn: int
    level: int
    sources: tuple[SlotSource, SlotSource]


def rounds_to_win(entries: int) -> int:
    """Return the number of rounds that an entry must win to win the bracket."""
    return max(0, entries - 1).bit_length()


def seed_order(rounds: int) -> tuple[int, ...]:
    """Return the seeds of the first round from top to bottom, two by two: 1–16, 8–9, 4–13 and so on.

    The best two can meet only in the last round, the best four only in the one before; if seeds are missing, the
    best seeds get the byes.
    """
    order: tuple[int, ...] = (1,)
    for _ in range(rounds):
        total = 2 * len(order) + 1
        order = tuple(seed for better in order for seed in (better, total - better))
    return order


def single_elimination_slots(entries: int, *, third_place: bool) -> tuple[Slot, ...]:
    """Return the slots of a single elimination, each after those it depends on."""
    rounds = rounds_to_win(entries)
    slots = _knockout_slots(rounds, prefix="W", part=BracketPart.MAIN)
    if rounds < 2 or not third_place:
        return slots
    third = Slot(
        name="P3",
        group="P3",
        part=BracketPart.MAIN,
        label=RoundLabel.THIRD_PLACE,
        round=rounds,
        number=2,
        turn=rounds,
        level=rounds - 1,
        sources=(SlotSource(SourceEntry.LOSER, f"W{rounds - 1}.1"), SlotSource(SourceEntry.LOSER, f"W{rounds - 1}.2")),
    )
    return (*slots[:-1], third, slots[-1])


def second_chance_slots(entries: int, *, after_turn: int) -> tuple[Slot, ...]:
    """Return the slots of a second chance for that many entries, beginning after `after_turn`."""
    return _knockout_slots(rounds_to_win(entries), prefix="S", part=BracketPart.SECOND, after_turn=after_turn)


def double_elimination_slots(entries: int) -> tuple[Slot, ...]:
    """Return the slots of a double elimination, each after those it depends on."""
    rounds = rounds_to_win(entries)
    if not rounds:
        return ()
    upper = [
        _slot_in_upper_half(number, round_number=round_number, rounds=rounds)
        for round_number in range(1, rounds + 1)
        for number in range(1, 2 ** (rounds - round_number) + 1)
    ]
    lower = [
        _slot_in_lower_half(number, round_number=round_number, rounds=rounds)
        for round_number in range(1, 2 * rounds - 1)
        for number in range(1, 2 ** (rounds - 1 - (round_number + 1) // 2) + 1)
    ]
    undefeated = SlotSource(SourceEntry.WINNER, f"W{rounds}.1")
    challenger = (
        SlotSource(SourceEntry.WINNER, lower[-1].name) if lower else SlotSource(SourceEntry.LOSER, f"W{rounds}.1")
    )
    final = _final_slot(RoundLabel.FINAL, final_number=1, turn=2 * rounds, sources=(undefeated, challenger))
    again = (SlotSource(SourceEntry.UNDEFEATED, "F"), SlotSource(SourceEntry.CHALLENGER, "F"))
    return (
        *upper,
        *lower,
        final,
        _final_slot(RoundLabel.FINAL_AGAIN, final_number=2, turn=2 * rounds + 1, sources=again),
    )


def _knockout_slots(rounds: int, *, prefix: str, part: BracketPart, after_turn: int = 0) -> tuple[Slot, ...]:
    """Return the slots of a single elimination with 2^rounds places."""
    slots = []
    for round_number in range(1, rounds + 1):
        for number in range(1, 2 ** (rounds - round_number) + 1):
            name = "F" if round_number == rounds and part is BracketPart.MAIN else f"{prefix}{round_number}.{number}"
            slots.append(
                Slot(
                    name=name,
                    group=name.partition(".")[0],
                    part=part,
                    label=_round_label(rounds - round_number),
                    round=round_number,
                    number=number,
                    turn=after_turn + round_number,
                    level=round_number,
                    sources=_winner_sources(prefix, number, round_number=round_number, rounds=rounds),
                )
            )
    return tuple(slots)


def _slot_in_upper_half(slot_number: int, *, round_number: int, rounds: int) -> Slot:
    """Return a slot of the upper half; its loser plays in the next turn."""
    return Slot(
        name=f"W{round_number}.{slot_number}",
        group=f"W{round_number}",
        part=BracketPart.UPPER,
        label=_round_label(rounds - round_number),
        round=round_number,
        number=slot_number,
        turn=max(1, 2 * (round_number - 1)),
        level=max(1, 2 * (round_number - 1)),
        sources=_winner_sources("W", slot_number, round_number=round_number, rounds=rounds),
    )


def _slot_in_lower_half(slot_number: int, *, round_number: int, rounds: int) -> Slot:
    """Return a slot of the lower half; losers of the upper half come in even rounds."""
    before = round_number - 1
    if round_number == 1:
        sources = (
            SlotSource(SourceEntry.LOSER, f"W1.{2 * slot_number - 1}"),
            SlotSource(SourceEntry.LOSER, f"W1.{2 * slot_number}"),
        )
    elif round_number % 2:
        sources = (
            SlotSource(SourceEntry.WINNER, f"L{before}.{2 * slot_number - 1}"),
            SlotSource(SourceEntry.WINNER, f"L{before}.{2 * slot_number}"),
        )
    else:
        upper = round_number // 2 + 1
        dropping = ((slot_number - 1) ^ loser_positions_mask(upper, width=rounds - upper)) + 1
        sources = (
            SlotSource(SourceEntry.LOSER, f"W{upper}.{dropping}"),
            SlotSource(SourceEntry.WINNER, f"L{before}.{slot_number}"),
        )
    return Slot(
        name=f"L{round_number}.{slot_number}",
        group=f"L{round_number}",
        part=BracketPart.LOWER,
        label=RoundLabel.FINAL if round_number == 2 * rounds - 2 else RoundLabel.ROUND,
        round=round_number,
        number=slot_number,
        turn=round_number + 1,
        level=round_number,
        sources=sources,
    )


def loser_positions_mask(upper_round: int, *, width: int) -> int:
    """Return the number to XOR with losers' positions (from 0) when they drop to the lower half.

    Applies to a round of 2^width slots. The bits of the number of rounds before are reversed: halves swap in every
    other round, quarters in every other two. Losers from the same part of the upper half, who may have met before,
    then meet again late (`docs/tournaments.md` 8, 25).
    """
    turned = 0
    for digit in range(width):
        turned = 2 * turned + ((upper_round - 1) >> digit & 1)
    return turned


def _final_slot(label: RoundLabel, *, final_number: int, turn: int, sources: tuple[SlotSource, SlotSource]) -> Slot:
    """Return the slot of a double elimination's final, or of its repeated final if `final_number` is 2."""
    name = "F" if final_number == 1 else f"F{final_number}"
    return Slot(
        name=name,
        group=name,
        part=BracketPart.MAIN,
        label=label,
        round=final_number,
        number=1,
        turn=turn,
        level=turn,
        sources=sources,
    )


def _winner_sources(prefix: str, slot_number: int, *, round_number: int, rounds: int) -> tuple[SlotSource, SlotSource]:
    """Return the sources of a slot: two seeds in the first round, else two earlier winners."""
    if round_number == 1:
        first, second_seed = seed_order(rounds)[2 * slot_number - 2 : 2 * slot_number]
        return SlotSource(SourceEntry.SEED, seed=first), SlotSource(SourceEntry.SEED, seed=second_seed)
    before = f"{prefix}{round_number - 1}"
    return SlotSource(SourceEntry.WINNER, f"{before}.{2 * slot_number - 1}"), SlotSource(
        SourceEntry.WINNER, f"{before}.{2 * slot_number}"
    )


def _round_label(rounds_left: int) -> RoundLabel:
    """Return the name of a round that is followed by `rounds_left` further rounds."""
    return {0: RoundLabel.FINAL, 1: RoundLabel.SEMIFINAL, 2: RoundLabel.QUARTERFINAL}.get(rounds_left, RoundLabel.ROUND)
