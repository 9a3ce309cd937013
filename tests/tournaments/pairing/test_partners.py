"""Drawing partners and the order at the start (`docs/tournaments.md` 1.1, 3, 8 case 3)."""

from __future__ import annotations

from random import Random

import pytest

from bot.tournaments.pairing.partners import DrawnTeams, EntryToSeed, RatedPerson, Seeding, draw_partners, start_order
from bot.tournaments.seeded_draw import SeededDraw

LOT = SeededDraw(b"partners")


def rated_persons(*ratings: float | None) -> list[RatedPerson]:
    """Return persons 1, 2, 3 … with these ratings."""
    return [RatedPerson(person, rating) for person, rating in enumerate(ratings, 1)]


def test_the_best_rated_player_is_paired_with_the_lowest() -> None:
    drawn = draw_partners(rated_persons(1200, 900, 1000, 1100), draws=LOT)
    assert DrawnTeams(((1, 2), (4, 3)), ()) == drawn


def test_a_player_without_a_rating_counts_as_the_median() -> None:
    """The median of 1300, 1200 and 800 is 1200: 4 equals 2, and the draw decides their order."""
    drawn = {
        draw_partners(rated_persons(1300, 1200, 800, None), draws=SeededDraw(bytes([seed]))).teams for seed in range(20)
    }
    assert {((1, 3), (2, 4)), ((1, 3), (4, 2))} == drawn


def test_without_ratings_the_seed_decides_and_the_order_of_entering_does_not() -> None:
    entered = rated_persons(*[None] * 8)
    drawn = {draw_partners(Random(seed).sample(entered, 8), draws=LOT) for seed in range(10)}
    assert 1 == len(drawn)
    assert 1 < len({draw_partners(entered, draws=SeededDraw(bytes([seed]))) for seed in range(10)})


def test_an_odd_last_entrant_waits_and_does_not_affect_the_median() -> None:
    entered = rated_persons(1200, 900, None, 1100, 5000)
    drawn = draw_partners(entered, draws=LOT)
    assert (5,) == drawn.waiting
    assert DrawnTeams(((1, 2), (4, 3)), (5,)) == drawn


def test_trios_are_formed_from_three_rows_with_the_second_reversed() -> None:
    drawn = draw_partners(rated_persons(9, 8, 7, 6, 5, 4, 1), draws=LOT, size=3)
    assert DrawnTeams(((1, 4, 5), (2, 3, 6)), (7,)) == drawn


SEEDS = [
    EntryToSeed(1, (RatedPerson(11, 1000), RatedPerson(12, 1250))),
    EntryToSeed(2, (RatedPerson(21, None), RatedPerson(22, 1600))),
    EntryToSeed(3, (RatedPerson(31, 1000), RatedPerson(32, None))),
    EntryToSeed(4, (RatedPerson(41, 1300), RatedPerson(42, 1000))),
]
"""The median is 1125: six ratings, two missing. Sums are 2250, 2725, 2125 and 2300."""


def test_entries_are_seeded_by_the_ratings_of_their_persons() -> None:
    assert (2, 4, 1, 3) == start_order(SEEDS, Seeding.RATING, draws=LOT)


def test_a_pair_with_a_rating_of_its_own_is_seeded_by_it() -> None:
    """An average player has rating 25; two persons with 27 and 26 count as a pair of 28."""
    persons = rated_persons(27, 26, 29, 30, 24, 25)
    seeds = [
        EntryToSeed(1, (persons[0], persons[1])),
        EntryToSeed(2, (persons[2], persons[3]), together=27.9),
        EntryToSeed(3, (persons[4], persons[5]), together=28.1),
    ]
    assert (3, 1, 2) == start_order(seeds, Seeding.RATING, draws=LOT)


@pytest.mark.parametrize("how", list(Seeding))
def test_the_order_at_the_start_does_not_follow_the_order_of_entries(how: Seeding) -> None:
    renumbered = [EntryToSeed(9 - one.number, one.people[::-1]) for one in SEEDS]
    expected = start_order(SEEDS, how, draws=LOT)
    assert expected == start_order(SEEDS[::-1], how, draws=LOT)
    assert expected == tuple(9 - number for number in start_order(renumbered, how, draws=LOT))


def test_with_random_seeding_only_the_seed_decides_the_order() -> None:
    assert {start_order(SEEDS, Seeding.LOT, draws=SeededDraw(bytes([seed]))) for seed in range(4)} > {
        start_order(SEEDS, Seeding.LOT, draws=SeededDraw(bytes([0])))
    }


def test_seeding_by_hand_puts_the_named_entries_first() -> None:
    assert (3, 1, 2, 4) == start_order(SEEDS, Seeding.HAND, draws=LOT, by_hand=(3, 1))
