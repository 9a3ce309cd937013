"""Draws of a tournament: random choices that depend only on a seed and a purpose."""

from __future__ import annotations

import hashlib
import hmac
from itertools import islice, permutations

from bot.tournaments.seeded_draw import SeededDraw, commitment


def test_the_commitment_is_the_digest_of_the_seed() -> None:
    assert hashlib.sha256(b"seed").hexdigest() == commitment(b"seed")


def test_a_drawn_number_is_computed_from_the_digest_as_published() -> None:
    digest = hmac.new(b"seed", b"partners\x0012,7", "sha256").hexdigest()
    assert int(digest, 16) == SeededDraw(b"seed").draw_number("partners", (12, 7))


def test_the_drawn_order_does_not_depend_on_the_input_order() -> None:
    draws = SeededDraw(b"seed")
    assert 1 == len({draws.draw_order(things, "any") for things in permutations([31, 5, 77, 8, 2])})


def test_seeds_and_purposes_draw_differently() -> None:
    drawn = {
        SeededDraw(bytes([seed])).draw_order(range(8), purpose) for seed in range(10) for purpose in ("one", "other")
    }
    assert 20 == len(drawn)


def test_a_random_stream_consists_of_the_published_digests() -> None:
    numbers = list(islice(SeededDraw(b"seed").draw_numbers("search"), 9))
    first = SeededDraw(b"seed").draw_number("search", 0)
    assert first >> 224 == numbers[0]
    assert first % 2**32 == numbers[7]
    assert SeededDraw(b"seed").draw_number("search", 1) >> 224 == numbers[8]


def test_a_draw_does_not_show_its_seed() -> None:
    assert "seed" not in repr(SeededDraw(b"seed")).replace("seed=", "")
