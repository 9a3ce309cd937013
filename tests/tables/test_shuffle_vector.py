"""The shuffle `canasta-shuffle-v1`, compared with its published test vector."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from itertools import islice, repeat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import full_pack
from bot.engine.cards.notation import cards_text
from bot.engine.cards.shuffling import next_number_below, random_numbers, shuffled_numbers
from bot.tables.state.shuffle import commitment, deal_pack, digest_of_contributions, new_seed, permutation, shuffle_key

ROOT = Path(__file__).parents[2]

SEED = bytes(range(32))
WORDS = ("111", "222", "333", "444")
CLIENT = "adf96fccf7adcc442331701084303c5e47ed0db99e052e272edabdf5975855f6"

SEEDS = st.binary(min_size=32, max_size=32)


def test_the_shuffle_matches_the_vector_of_the_specification() -> None:
    assert CLIENT == digest_of_contributions(WORDS)
    assert "dd9e96f4d4688eb64c6672cb1a4aacf55b976e27020123a18bb1435b02391636" == commitment(SEED, 1, 1)
    key = shuffle_key(SEED, 1, 1, CLIENT)
    assert "e2d36515e238b669e99f7904984f82559f5e9b6e7f24ca3dfc326d4e5a9dfa95" == key.hex()
    order = permutation(SEED, 1, 1, CLIENT, 108)
    assert (27, 29, 15, 87, 70, 100, 40, 4, 41, 23, 2, 95) == order[:12]
    assert (
        "4e9b0e94f917e8d5a907c571a0b492dfb34d1259cc5a963e95400d124e3c9d9c" == hashlib.sha256(bytes(order)).hexdigest()
    )
    pack = deal_pack(SEED, 1, 1, WORDS, decks=2, jokers_per_deck=2)
    assert "Kd Jd Qh 5d 9h 5c Kc Ts Qc 4h Qs Tc" == cards_text(pack[:12])


def test_the_pack_has_the_published_order() -> None:
    one_deck = " ".join(rank + suit for suit in "shdc" for rank in "AKQJT98765432")
    assert f"{one_deck} {one_deck} JK JK JK JK" == cards_text(full_pack(2, 2))


@given(SEEDS, st.integers(1, 10**9), st.integers(1, 99), st.lists(st.text("0123456789", min_size=1), max_size=6))
def test_every_deal_is_the_whole_pack(seed: bytes, table: int, deal: int, contributions: list[str]) -> None:
    pack = deal_pack(seed, table, deal, contributions, decks=2, jokers_per_deck=2)
    assert Counter(full_pack(2, 2)) == Counter(pack)
    assert pack == deal_pack(seed, table, deal, tuple(contributions), decks=2, jokers_per_deck=2)


def test_every_input_changes_the_order() -> None:
    orders = {
        deal_pack(SEED, 1, 1, WORDS, decks=2, jokers_per_deck=2),
        deal_pack(SEED[:-1] + b"\0", 1, 1, WORDS, decks=2, jokers_per_deck=2),
        deal_pack(SEED, 2, 1, WORDS, decks=2, jokers_per_deck=2),
        deal_pack(SEED, 1, 2, WORDS, decks=2, jokers_per_deck=2),
        deal_pack(SEED, 1, 1, WORDS[:3], decks=2, jokers_per_deck=2),
        deal_pack(SEED, 1, 1, ("222", "111", "333", "444"), decks=2, jokers_per_deck=2),
        deal_pack(SEED, 1, 1, ("111222", "333", "444"), decks=2, jokers_per_deck=2),
    }
    assert 7 == len(orders)


def test_a_commitment_matches_only_one_seed_table_and_deal() -> None:
    made = {commitment(seed, table, deal) for seed in (SEED, b"x" * 32) for table in (1, 11) for deal in (1, 11)}
    assert 8 == len(made)
    assert all(len(one) == 64 for one in made)


def test_a_deal_without_contributed_words_uses_the_digest_of_nothing() -> None:
    assert hashlib.sha256(b"").hexdigest() == digest_of_contributions(())


def test_an_ambiguous_contribution_is_refused() -> None:
    with pytest.raises(ValueError, match="one line"):
        digest_of_contributions(("111\n222", "333"))


@pytest.mark.parametrize("seed", [b"", b"x" * 31, b"x" * 33])
def test_a_seed_of_the_wrong_length_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(seed, 1, 1)
    with pytest.raises(ValueError, match="32 bytes"):
        permutation(seed, 1, 1, CLIENT, 108)


def test_seeds_are_new_every_time() -> None:
    seeds = {new_seed() for _ in range(100)}
    assert 100 == len(seeds)
    assert {32} == {len(seed) for seed in seeds}


# --- fairness --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 64, 100, 107, 108, 2**31 + 1])
def test_random_words_that_would_favour_small_numbers_are_skipped(n: int) -> None:
    limit = 2**32 - 2**32 % n
    assert n - 1 == next_number_below(n, iter([limit - 1]))
    too_large = [word for word in (limit, 2**32 - 1) if word < 2**32]
    if limit < 2**32:
        assert 0 == next_number_below(n, iter([*too_large, 0]))
    assert limit % n == 0


def test_the_order_follows_the_stream_by_fisher_and_yates() -> None:
    assert (1, 2, 3, 4, 0) == shuffled_numbers(5, repeat(0))
    assert (0, 1, 2, 3, 4) == shuffled_numbers(5, iter([4, 3, 2, 1]))
    assert (0,) == shuffled_numbers(1, iter([]))


def test_the_stream_of_a_key_has_32_bit_words_that_do_not_repeat() -> None:
    first = list(islice(random_numbers(b"k" * 32), 16))
    assert all(0 <= word < 2**32 for word in first)
    assert 16 == len(set(first))


def chi_square(counted: Counter[object], cells: int) -> float:
    expected = counted.total() / cells
    return sum((count - expected) ** 2 / expected for count in counted.values()) + expected * (cells - len(counted))


def test_orders_and_places_are_evenly_spread() -> None:
    """A fair shuffle exceeds these limits once in a million times.

    The seeds are fixed, so the result is always the same.
    """
    orders: Counter[object] = Counter()
    places: Counter[object] = Counter()
    for deal in range(12_000):
        orders[permutation(SEED, 1, deal, CLIENT, 5)] += 1
    for deal in range(3_000):
        places[permutation(SEED, 1, deal, CLIENT, 108).index(0)] += 1
    assert chi_square(orders, 120) < 208
    assert chi_square(places, 108) < 192


# --- the one source of chance ----------------------------------------------------------------------------------------


def imports_of(file: Path) -> set[str]:
    """Return the modules that a file imports; empty if its text does not contain "secrets"."""
    text, found = file.read_text(encoding="utf-8"), set[str]()
    for node in ast.walk(ast.parse(text)) if "secrets" in text else ():
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_only_dealing_asks_for_secrets() -> None:
    sources = [file for package in ("bot", "cogs", "render") for file in (ROOT / package).rglob("*.py")]
    assert [ROOT / "bot/tables/state/shuffle.py"] == [file for file in sources if "secrets" in imports_of(file)]
