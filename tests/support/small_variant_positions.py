"""Small positions of the variants, where brute force can list all legal moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from bot.engine.law.scoring import index_of_instant_winner
from bot.engine.play.legal_steps import legal_actions
from bot.engine.positions.position_reading import read_position
from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.named_themes import theme_names, with_themes
from bot.engine.table.state import State, seat_to_act
from tests.support.random_play import apply_action
from tests.support.small_positions import with_penalty_cards
from tests.support.variant_melds import RANKS, Position, rank_of
from tests.support.variant_translation import oracle_position

SCORES = (-200, -5, 0, 700, 1495, 3200, 7000, 8200, 9100, 12000)
FILLING = [rank + suit for suit in "dc" for rank in "4T5J6Q"]


def small_position(rules: RuleSet, random: Random) -> dict[str, Any]:
    """Return a position with cards of a few ranks, where much is nearly legal.

    It is at the start of a turn, or after the draw.
    """
    pack = _random_pack(rules, random)
    melds = (
        [_random_melds(rules, pack, random), _random_melds(rules, pack, random)] if random.random() < 0.75 else [[], []]
    )
    hand = _draw_cards(pack, random.choice((1, 2, 2, 3, 4, 4, 5, 6, 7)))
    few = random.choice((0, 1, 3) if rules.stock_end == "pile_play" else (1, 3))
    return {
        "scores": [random.choice(SCORES)] + [0] * (rules.sides - 1),
        "deal": random.choice((1, 1, 2, 3)),
        "options": {"out_canastas": random.choice((1, 2))} if random.random() < 0.5 else {},
        "phase": random.choice(("draw", "play")),
        "hand": hand,
        "stock": _draw_cards(pack, few),
        "pile": _draw_cards(pack, random.choice((0, 1, 1, 2, 3))),
        "melds": melds,
    }


def position_hard_to_finish(rules: RuleSet, random: Random) -> dict[str, Any]:
    """Return a side that has not opened, with a hand that may just open, or just go out in one turn."""
    rank, other = random.sample(RANKS, 2)
    if rules.theme and random.random() < 0.7:
        rank = random.choice(_theme_ranks(rules).replace(other, "") or RANKS)
    hand = [rank + suit for suit in "shdcsh"[: random.choice((2, 3, 3, 4, 5))]]
    hand += [other + suit for suit in "shdc"[: random.choice((0, 0, 1, 2, 3))]]
    hand += random.sample(["2s", "2h", "2d", "2c", "JK", "JK", "JK"], random.choice((0, 0, 1, 2, 3)))
    if "seq" in rules.meld_kinds and random.random() < 0.6:
        low = random.randrange(8)
        hand = [card for card in hand if random.random() < 0.5]
        hand += [one + "s" for one in RANKS[low : low + random.choice((3, 4, 7))]]
    if random.random() < 0.15:
        hand += ["3s", "3c", "3s"]
    below = random.sample([rank + "d", other + "h", "2c", "3s", "JK", "9h"], random.choice((0, 1, 1, 2)))
    return {
        "scores": [random.choice((-5, 0, 0, 1500, 7000, 8000, 9000))] + [0] * (rules.sides - 1),
        "deal": random.choice((1, 1, 1, 2)),
        "options": {"out_canastas": 1},
        "phase": random.choice(("draw", "draw", "play")),
        "hand": hand,
        "stock": random.choice((["9c"], ["9c", "8d", "8h"])),
        "pile": [*below, random.choice((rank, rank, other)) + "c"],
        "melds": [[], random.choice(([], [" ".join(rank + suit for suit in "shdcshd")]))],
    }


def special_hand_position(rules: RuleSet, random: Random) -> dict[str, Any]:
    """Return a side that has not opened, with fourteen cards that are a special hand or nearly so."""
    ranks = random.sample(RANKS, 11)
    if random.random() < 0.5:
        ranks = ["A", "7", *[rank for rank in ranks if rank not in "A7"]]
    pair = random.choice((["2s", "2h"], ["JK", "JK"], ["2s", "JK"]))
    groups = random.choice(
        ((2,) * 7, (2,) * 6, (2,) * 5, (2, 2, 3, 3, 4), (3, 3, 4, 4), (5, 4, 3, 2), (3,) * 4, (1,) * 11)
    )
    hand = [rank + suit for rank, count in zip(ranks, groups, strict=False) for suit in "shdcs"[:count]]
    if len(hand) < 14:
        hand += ["2s", "JK", random.choice(["3s", "3h", "2h"])] if len(groups) == 11 else pair
    hand += ["2h", "2d", "JK", "JK"][: 14 - len(hand)]
    if random.random() < 0.2:
        hand[random.randrange(14)] = random.choice(("4s", "2c", "JK"))
    opened = random.random() < 0.1
    return {
        "scores": [0] * rules.sides,
        "deal": 1,
        "options": {},
        "phase": random.choice(("draw", "play", "play", "play")),
        "hand": hand,
        "stock": FILLING[: random.choice((1, 12))],
        "pile": random.choice(([], ["9c"])),
        "melds": [["Ts Th Td"] if opened else [], []],
    }


def nearly_winning_position(rules: RuleSet, random: Random) -> dict[str, Any]:
    """Return a side that lacks a card or two for the canasta that wins, or for the seventh canasta."""
    rank = random.choice(_theme_ranks(rules) or RANKS)
    cards = [rank + suit for suit in "shdcshdcsh"]
    lying = random.choice((0, 3, 4, 5, 5, 6, 6))
    hand = cards[lying:][: random.choice((0, 1, 2, 3, 4)) if lying else random.choice((6, 7, 8))]
    few = ["9c", "9d", "2c", "2d", "JK", "Ks", "Kh", "Kd", "4c", "3s"]
    hand += random.sample(few, random.choice((0, 0, 1, 1, 2, 3)))
    melds = [" ".join(cards[:lying] + ["2s"] * random.choice((0, 0, 0, 1)))] if lying else []
    melds += ["9s 9h 9d"] if random.random() < 0.3 and rank != "9" else []
    others = [one for one in RANKS if one not in ("9", rank)]
    full = random.choice((0, 0, 1)) if rules.theme else 6
    melds += [" ".join(one + suit for suit in "shdcshd") for one in random.sample(others, full)]
    top = random.choice((rank + "c", rank + "h", "9h"))
    return {
        "scores": [random.choice((0, 0, 1500, 3200))] + [0] * (rules.sides - 1),
        "deal": random.choice((1, 1, 2)),
        "options": {"out_canastas": random.choice((1, 2))} if rules.theme else {},
        "phase": random.choice(("draw", "play", "play")),
        "hand": hand or ["9c"],
        "stock": ["9c", "8d", "8h"][: random.choice((1, 3))],
        "pile": random.choice(([], [top], ["8d", top], ["4s", "5d", top])),
        "melds": [melds, []],
    }


Maker: TypeAlias = Callable[[RuleSet, Random], dict[str, Any]]

MAKERS: dict[str, Maker] = {"small": small_position, "tight": position_hard_to_finish}
"""Functions that make positions for any rules; `special_hand_position` needs rules with special hands."""


def random_position(rules: RuleSet, random: Random, *, build_position: Maker, options: Mapping[str, Any]) -> State:
    """Return a random position that `build_position` builds and the rules allow, in a game that is not won yet."""
    while True:
        try:
            known = replace(rules, wild_reclaim=options.get("wild_reclaim", rules.wild_reclaim))
            case = _position_data(rules, build_position(known, random), random)
            state = read_position(case | {"options": case["options"] | options})
        except PositionError:
            continue
        if index_of_instant_winner(state) is None:
            return state


def _position_data(rules: RuleSet, parts: dict[str, Any], random: Random) -> dict[str, Any]:
    laid_out = {rank for rank, role in (("R", rules.red3_role), ("3", rules.black3_role)) if role == "bonus"}
    kept = "straight" in rules.special_hands and parts["hand"].count("JK") and not parts["melds"][0]
    hand = [card for card in parts["hand"] if rank_of(card) not in laid_out or kept] or ["9s"]
    stock = parts["stock"] + (FILLING[: random.choice((0, 4, 9))] if rules.talon else [])
    options = dict(parts["options"])
    if rules.open_pile == "hand_first" and random.random() < 0.7:  # otherwise a small hand hardly ever opens
        options["open_table"] = [["neg", random.choice((15, 30, 60))]]
    if rules.out_need and random.random() < 0.5:
        options["out_need"] = {}
    return {
        "rules": rules.name,
        "players": rules.players,
        "scores": parts["scores"],
        "deal": parts["deal"],
        "options": options,
        **({"themes": list(theme_names(rules))} if rules.theme else {}),
        "position": {
            "turn": 0,
            "phase": parts["phase"],
            "hands": {"0": " ".join(hand), **{str(seat): "4s 5h" for seat in range(1, rules.playing)}},
            "stock": " ".join(stock),
            "pile": " ".join(parts["pile"]),
            "frozen": random.random() < 0.25,
            "melds": {str(side): own for side, own in enumerate(parts["melds"])},
            **_feet_and_hidden_cards(rules, parts, random),
            **({"turns_played": random.randrange(24), "froze": random.random() < 0.5} if rules.theme else {}),
            **({"red_threes": {"0": "3h 3d 3h"[: random.choice((0, 2, 5, 8))]}} if rules.out_red_threes else {}),
        },
    }


def _feet_and_hidden_cards(rules: RuleSet, parts: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return the position's feet, and the number of cards that are face down in the pile.

    They are fields of a case, left out if the rules have none.
    """
    found: dict[str, Any] = {}
    if rules.foot_size:
        feet = {"0": "8s 8h Qd 2c"} if random.random() < 0.5 else {}
        if random.random() < 0.3:
            feet[str(rules.playing // 2)] = "4s 4h"
        found["feet"] = feet
    if (rules.pile_hidden or rules.pile_hidden_by_rank) and len(parts["pile"]) > 1 and random.random() < 0.6:
        found["hidden"] = random.randrange(1, len(parts["pile"]))
    return found


def _draw_cards(pack: list[str], count: int) -> list[str]:
    """Remove up to `count` cards from the end of the pack, and return them."""
    return [pack.pop() for _ in range(min(count, len(pack)))]


def _random_pack(rules: RuleSet, random: Random) -> list[str]:
    start = random.randrange(len(RANKS))
    ranks = [RANKS[(start + step) % 11] for step in range(random.choice((1, 2, 3)))]
    if random.random() < 0.3 and (rules.dead_ranks or rules.red3_sign == "sevens"):
        ranks[0] = random.choice("7A")
    if rules.theme and random.random() < 0.7:
        ranks[0] = random.choice(_theme_ranks(rules) or RANKS)
    pack = [rank + suit for rank in ranks for suit in "shdc" * 2]
    if "seq" in rules.meld_kinds:
        low = random.randrange(0, 5)
        pack += [rank + random.choice("sss" + "h") for rank in RANKS[low : low + 8]] * random.choice((0, 1, 2))
    wilds = [f"2{suit}" for suit in "shdcshdc"] + ["JK"] * 6
    pack += random.sample(wilds, random.choice((0, 2, 4, 7)))
    pack += random.choice(([], [], ["3s", "3c", "3s"], ["3s", "3c", "3s", "3c"], ["3h"]))
    pack += random.sample(["4s", "6h", "Tc", "Kd", "5c"], 2)
    random.shuffle(pack)
    return [*["8c", "Jd"] * 10, *pack]


def _theme_ranks(rules: RuleSet) -> str:
    """Return the ranks named by the themes."""
    conditions = [one for theme in rules.theme for turn in theme.turns for one in turn]
    return "".join(rank for one in conditions for rank in one.ranks if rank in RANKS)


def _random_melds(rules: RuleSet, pack: list[str], random: Random) -> list[str]:
    """Return random melds from the pack, often large ones; they need not be legal."""
    melds: list[str] = []
    for _ in range(random.choice((1, 1, 2, 3))):
        kind = random.choice(sorted(rules.meld_kinds))
        wilds = [card for card in pack if card == "JK" or card[0] == "2"]
        wanted = random.choice((3, 3, 4, 5, 6, 6, 7, 7, 8))
        if rules.wild_reclaim != "none":
            wanted += random.choice((0, 1, 2))
        if kind == "seq":
            low = random.randrange(0, 11 - min(wanted, 7) + 1)
            suit = random.choice("sssh")
            melds.append(" ".join(rank + suit for rank in RANKS[low : low + min(wanted, 7)]))
            continue
        if kind in ("wild", "deuce"):
            chosen = wilds[: min(wanted, 7)]
        else:
            rank = random.choice([card[0] for card in pack if card[0] in RANKS] or ["9"])
            few = wilds[: random.choice((0, 0, 0, 1, 2))]
            chosen = [card for card in pack if card[0] == rank and card != "JK"][: wanted - len(few)] + few
        if len(chosen) < 3 or (rules.same_rank_melds == "after_close" and _has_unfinished_meld(melds, chosen[0][0])):
            continue
        melds.append(" ".join(chosen))
        for card in chosen:
            pack.remove(card)
    return melds


def _has_unfinished_meld(melds: list[str], rank: str) -> bool:
    return any(meld[0] == rank and len(meld.split()) < 7 for meld in melds)


def play_random_turn(
    rules: RuleSet,
    seed: int,
    *,
    build_position: Maker,
    options: Mapping[str, Any] | None = None,
    themes: Sequence[str] = (),
) -> Iterator[tuple[State, Position]]:
    """Yield each state in a turn of random steps, for the engine and for the oracle."""
    random = Random(seed)
    rules = with_themes(rules, themes)
    state = random_position(rules, random, build_position=build_position, options=options or {})
    if state.rules.penalties != "off":
        state = with_penalty_cards(state, random)
    if state.rules.frozen_untaken and random.random() < 0.5:
        state = replace(state, takers=frozenset({state.turn}))
    if state.rules.out_canastas_before and random.random() < 0.3:
        state = replace(state, ready=not state.ready)
    opening = not state.opened[state.seating.side_by_seat[state.turn]]
    while seat_to_act(state) is not None and state.turn == 0:
        if state.phase.value in ("draw", "play"):
            yield state, oracle_position(state, opening=opening)
        steps = legal_actions(state)
        if not steps:
            break
        state = apply_action(state, seat_to_act(state), random.choice(steps))
