"""Compute a side's score in a deal from `docs/law/variants.md` A.1 F to H, without the engine.

Cards are written as in `docs/referee.md`; a meld is a text of cards, from which its family (rank, run or wild cards)
follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

RUN_ORDER = "456789TJQKA"


def value_of(card: str, ace: int = 20) -> int:
    rank = card[0]
    if card == "JK":
        return 50
    if rank == "3":
        return 0 if card[1] in "hd" else 5
    return ace if rank == "A" else 20 if rank == "2" else 5 if rank in "4567" else 10


def family_of(cards: Sequence[str]) -> str:
    """Return a meld's family: ``wild``, ``seq`` for a run, or the rank."""
    naturals = [card for card in cards if card != "JK" and card[0] != "2"]
    if not naturals:
        return "wild"
    ranks = {card[0] for card in naturals}
    return "seq" if len(ranks) > 1 else ranks.pop()


def canasta_name(cards: Sequence[str], size: int = 7) -> str | None:
    if len(cards) < size:
        return None
    family = family_of(cards)
    if family in ("wild", "seq"):
        return family
    return "mixed" if any(card == "JK" or card[0] == "2" for card in cards) else "natural"


def score_lines_of_deal(
    rules: Mapping[str, Any],
    melds: Sequence[str],
    hands: Sequence[str],
    *,
    red: int = 0,
    black: int = 0,
    went_out: bool = False,
    concealed: bool = False,
) -> dict[str, int]:
    """Return the points of each score line of `docs/referee.md` by its name.

    `rules` are parameters by name, as in JSON.
    """
    laid = [meld.split() for meld in melds]
    names = [canasta_name(cards) for cards in laid]
    finished = [(cards, name) for cards, name in zip(laid, names, strict=True) if name]
    lines = dict.fromkeys(("natural_canastas", "mixed_canastas", "other_canastas"), 0)
    for cards, name in finished:
        rank = family_of(cards)
        special = _canasta_bonus_of_rank(rules.get("bonus_rank", {}), rank, name)
        if special is not None:
            lines["other_canastas"] += special
        elif name == "seq":
            lines["other_canastas"] += rules.get("bonus_seq", 0)
        elif name == "wild":
            if went_out or not rules.get("bonus_wild_out_only", False):
                lines["other_canastas"] += _score_wild_canastas(rules.get("bonus_wild", {}), cards)
        else:
            lines[f"{name}_canastas"] += {"natural": rules.get("bonus_natural", 500)}.get(
                name, rules.get("bonus_mixed", 300)
            )
    counted = laid
    if not rules.get("count_card_values_in_canasta", True):
        counted = [cards for cards, name in zip(laid, names, strict=True) if name is None]
    melded = sum(value_of(card, rules.get("ace_value", 20)) for cards in counted for card in cards)
    if rules.get("card_points") == "swing" and not finished:
        melded = -melded
    return {
        **lines,
        "red_threes": _score_threes(rules, red, black, finished, melded=bool(melds)),
        "going_out": (
            rules.get("out_bonus", 100) + (rules.get("concealed_extra", 100) if concealed else 0) if went_out else 0
        ),
        "melded": melded,
        "in_hand": -sum(_score_hand(rules, hand.split()) for hand in hands),
        "penalties": sum(_score_unfinished(rules.get("incomplete_penalty", {}), cards) for cards in laid),
        "bonuses": _score_bonus_for_several_canastas(rules.get("collection_bonus", {}), names),
    }


def _canasta_bonus_of_rank(table: Mapping[str, int], rank: str, name: str) -> int | None:
    if f"{rank}_{name}" in table:
        return table[f"{rank}_{name}"]
    return table.get(rank)


def _score_wild_canastas(table: Mapping[str, int], cards: Sequence[str]) -> int:
    jokers = cards.count("JK")
    twos = len(cards) - jokers
    if jokers == 0 and "7_twos" in table:
        return table["7_twos"]
    if twos == 0 and "7_jokers" in table:
        return table["7_jokers"]
    if jokers == 4 and twos == 3 and "4_jokers_3_twos" in table:
        return table["4_jokers_3_twos"]
    if jokers > 3 and "4_jokers" in table:
        return table["4_jokers"]
    if jokers and twos and "twos_and_jokers" in table:
        return table["twos_and_jokers"]
    return table.get("any", 0)


def _score_threes(
    rules: Mapping[str, Any], red: int, black: int, finished: Sequence[tuple[Sequence[str], str]], *, melded: bool
) -> int:
    reds, blacks = rules.get("red3_values", [100, 200, 300, 800]), rules.get("black3_values", [])
    total: int = ([0, *reds] + [reds[-1]] * 20)[red]
    if black and blacks:
        total += ([0, *blacks] + [blacks[-1]] * 20)[black]
    count = len(finished)
    sevens = any(family_of(cards) == "7" for cards, _ in finished)
    plus = {
        "opened": melded,
        "canastas>=1": count > 0,
        "canastas>=2": count > 1,
        "canastas>=3": count > 2,
        "canastas>=4": count > 3,
        "swing": count > 0,
        "sevens": sevens,
        "always": True,
    }[rules.get("red3_sign", "opened")]
    if rules.get("red3_sign") == "swing" and count == 1:
        return 0
    return total if plus else -total


def _score_hand(rules: Mapping[str, Any], cards: Sequence[str]) -> int:
    cost = 0
    for card in cards:
        if card[0] == "3":
            cost -= rules.get("red3_in_hand", -500) if card[1] in "hd" else rules.get("black3_in_hand", -5)
        else:
            cost += value_of(card, rules.get("ace_value", 20))
    table = rules.get("hand_penalty", {})
    ranks = [card[0] for card in cards if card != "JK"]
    if ranks.count("A") > 2:
        cost -= table.get("3_aces", 0)
    if ranks.count("7") > 2:
        cost -= table.get("3_sevens", 0)
    if sum(card in ("3s", "3c") for card in cards) > 3:
        cost -= table.get("4_black_threes", 0)
    return cost


def _score_unfinished(table: Mapping[str, int], cards: Sequence[str]) -> int:
    family = family_of(cards)
    if family == "seq":
        return table.get("seq", 0) if len(cards) < 5 else 0
    if len(cards) >= 7:
        return 0
    if family == "wild":
        if cards.count("JK") >= 4 and "wild_4_jokers" in table:
            return table["wild_4_jokers"]
        return table.get("wild", 0)
    pure = all(card[0] == family for card in cards)
    return table.get(family, 0) if pure and family in ("7", "A") else 0


def _score_bonus_for_several_canastas(table: Mapping[str, int], names: Sequence[str | None]) -> int:
    reached = {
        "5_natural": names.count("natural") >= 5,
        "4_natural_1_mixed": names.count("natural") >= 4 and "mixed" in names,
        "7_any": len(names) - names.count(None) >= 7,
        "10_any": len(names) - names.count(None) >= 10,
    }
    return max([points for name, points in table.items() if reached[name]], default=0)
