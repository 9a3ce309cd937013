"""Round robin schedules by the circle method (`docs/tournaments.md` 3)."""

from __future__ import annotations

from collections.abc import Iterable

from bot.tournaments.counted_results import Entry
from bot.tournaments.pairing.drawn_round import Pairing
from bot.tournaments.seeded_draw import SeededDraw


def round_robin_rounds(entries: Iterable[Entry], *, cycles: int, draws: SeededDraw) -> tuple[tuple[Pairing, ...], ...]:
    """Return all rounds of a round robin: everyone meets everyone once in each of `cycles`.

    Sides are swapped in even cycles. With an odd number of entries, one has no match in each round. Within a cycle, how
    often an entry sits first and second differs by at most one. Entries are arranged by rank.
    """
    numbers: list[int | None] = [entry.number for entry in sorted(entries, key=lambda entry: entry.rank)]
    if len(numbers) % 2:
        numbers.append(None)
    turn = draws.draw_number("round robin") % 2
    return tuple(
        _round_of_cycle(numbers, number, swap_sides=bool((cycle + turn) % 2))
        for cycle in range(cycles)
        for number in range(len(numbers) - 1)
    )


def _round_of_cycle(numbers: list[int | None], round_number: int, *, swap_sides: bool) -> tuple[Pairing, ...]:
    """Return one round of a cycle: the last of `numbers` keeps its place, the others rotate."""
    circle, still = numbers[:-1], numbers[-1]
    tables = [(circle[round_number], still) if round_number % 2 else (still, circle[round_number])]
    for step in range(1, len(numbers) // 2):
        one, other = circle[(round_number + step) % len(circle)], circle[(round_number - step) % len(circle)]
        # Of two entries on the circle, the one with the shorter way forward to the other sits first. So each entry
        # sits first as often as second.
        forward = -2 * step % len(circle)
        tables.append((one, other) if forward <= len(circle) // 2 else (other, one))
    if swap_sides:
        tables = [(second, first) for first, second in tables]
    return tuple(Pairing(((a,), (b,))) for a, b in tables if a is not None and b is not None)
