"""Small positions of the variants, and the way from an engine's state and steps to the words of their oracle.

It reads fields and decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, TypeAlias

from bot.engine import actions
from bot.engine.cards import RANK_LETTERS, RED_THREE
from bot.engine.fields import PositionError
from bot.engine.legal import legal_actions
from bot.engine.notation import card_text
from bot.engine.places import DEUCE_MELD, WILD_MELD, Place, family_of, is_run
from bot.engine.positions import read_position
from bot.engine.rules import RuleSet
from bot.engine.rulesets import rule_set
from bot.engine.state import State, actor
from tests.support.play import acted
from tests.support.variant_laws import BLACK, DEUCE, RANKS, RUN, SET, WILD, Laid, Position, rank_of
from tests.support.variant_oracle import NEW, Step

LETTERS = (*RANK_LETTERS[:RED_THREE], "R")
"""The oracle's letter for each kind."""

SCORES = (-200, -5, 0, 700, 1495, 3200, 7000, 8200, 9100, 12000)


def small_position(rules: RuleSet, random: Random) -> dict[str, Any]:
    """A few ranks, at the start of a turn or after the draw, where much is nearly lawful."""
    pack = _pack(rules, random)
    melds = [_melds(rules, pack, random), _melds(rules, pack, random)] if random.random() < 0.75 else [[], []]
    hand = _some(pack, random.choice((1, 2, 2, 3, 4, 4, 5, 6, 7)))
    few = random.choice((0, 1, 3) if rules.stock_end == "pile_play" else (1, 3))
    return {
        "scores": [random.choice(SCORES)] + [0] * (rules.sides - 1),
        "deal": random.choice((1, 1, 2, 3)),
        "options": {"out_canastas": random.choice((1, 2))} if random.random() < 0.5 else {},
        "phase": random.choice(("draw", "play")),
        "hand": hand,
        "stock": _some(pack, few),
        "pile": _some(pack, random.choice((0, 1, 1, 2, 3))),
        "melds": melds,
    }


def tight_position(rules: RuleSet, random: Random) -> dict[str, Any]:
    """A side that has not opened, with a hand that may just do it, or just go out in one turn."""
    rank, other = random.sample(RANKS, 2)
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


Maker: TypeAlias = Callable[[RuleSet, Random], dict[str, Any]]

MAKERS: dict[str, Maker] = {"small": small_position, "tight": tight_position}


def position_by_chance(name: str, players: int, random: Random, *, maker: str) -> State:
    """A position that the rules allow: melds by chance are not always melds."""
    rules = rule_set(name, players)
    while True:
        try:
            return read_position(_case(rules, MAKERS[maker](rules, random), random))
        except PositionError:
            continue


def _case(rules: RuleSet, made: dict[str, Any], random: Random) -> dict[str, Any]:
    laid_out = {rank for rank, role in (("R", rules.red3_role), ("3", rules.black3_role)) if role == "bonus"}
    hand = [card for card in made["hand"] if rank_of(card) not in laid_out] or ["9s"]
    feet = {str(rules.playing // 2): "4s 4h"} if rules.foot_partner_gate != "none" and random.random() < 0.3 else {}
    # before the draw a side may open from its hand first there, which the oracle leaves out
    from_hand = rules.open_pile == "hand_first" and not made["melds"][0]
    return {
        "rules": rules.name,
        "players": rules.players,
        **{name: made[name] for name in ("scores", "deal", "options")},
        "position": {
            "turn": 0,
            "phase": "play" if from_hand else made["phase"],
            "hands": {"0": " ".join(hand), **{str(seat): "4s 5h" for seat in range(1, rules.playing)}},
            **({"feet": feet} if feet else {}),
            "stock": " ".join(made["stock"]),
            "pile": " ".join(made["pile"]),
            "frozen": random.random() < 0.25,
            "melds": {str(side): own for side, own in enumerate(made["melds"])},
            **({"red_threes": {"0": "3h 3d 3h"[: random.choice((0, 2, 5, 8))]}} if rules.out_red_threes else {}),
        },
    }


def _some(pack: list[str], count: int) -> list[str]:
    return [pack.pop() for _ in range(min(count, len(pack)))]


def _pack(rules: RuleSet, random: Random) -> list[str]:
    start = random.randrange(len(RANKS))
    ranks = [RANKS[(start + step) % 11] for step in range(random.choice((1, 2, 3)))]
    if random.random() < 0.3 and rules.name.startswith(("modern", "pennies")):
        ranks[0] = random.choice("7A")
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


def _melds(rules: RuleSet, pack: list[str], random: Random) -> list[str]:
    """Melds of what the pack has, often large; whether they may lie there is another question."""
    melds: list[str] = []
    for _ in range(random.choice((1, 1, 2, 3))):
        kind = random.choice(sorted(rules.meld_kinds))
        wilds = [card for card in pack if card == "JK" or card[0] == "2"]
        wanted = random.choice((3, 3, 4, 5, 6, 6, 7, 7, 8))
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
        if len(chosen) < 3:
            continue
        melds.append(" ".join(chosen))
        for card in chosen:
            pack.remove(card)
    return melds


def walk(name: str, players: int, seed: int, *, maker: str) -> Iterator[tuple[State, Position]]:
    """The states of one turn by random steps, as the engine and as the oracle see them."""
    random = Random(seed)
    state = position_by_chance(name, players, random, maker=maker)
    opening = not state.opened[state.seating.side_by_seat[state.turn]]
    while actor(state) is not None and state.turn == 0:
        if state.phase.value in ("draw", "play"):
            yield state, position_of(state, opening=opening)
        steps = legal_actions(state)
        if not steps:
            break
        state = acted(state, actor(state), random.choice(steps))


def position_of(state: State, *, opening: bool) -> Position:
    """The same position in the oracle's words."""
    rules = state.rules
    side = state.seating.side_by_seat[state.turn]
    partner = state.seating.partner_by_seat[state.turn]
    size = rules.canasta_size
    other_sides = [melds for number, melds in enumerate(state.melds) if number != side]
    closed = [_family(meld.place) for melds in other_sides for meld in melds if meld.size >= size]
    return Position(
        laws=rules,
        phase=state.phase.value,
        hand=tuple(card_text(card) for card in state.hands[state.turn]),
        melds=tuple(
            Laid(str(meld.place), *_family(meld.place), tuple(sorted(map(card_text, meld.cards))))
            for meld in state.melds[side]
        ),
        opened=state.opened[side],
        opening=opening,
        minimum=_minimum(state),
        score=state.scores[rules.side_of(state.turn)],
        pile=tuple(map(card_text, state.pile)),
        frozen=state.frozen,
        stock=len(state.stock),
        partner=partner is not None,
        permission=state.permission,
        drew=state.drew,
        laid=state.laid_points,
        touched=bool(state.started) or state.joined,
        aside=state.aside,
        claimed=state.claimed is not None,
        dead=frozenset(rank for kind, rank in closed if kind == SET),
        sevens_of_others=all(
            any(_family(meld.place) == (SET, "7") and meld.size >= size for meld in melds) for melds in other_sides
        ),
        first_round=state.turns < len(state.seating.seats),
        gate=rules.foot_partner_gate != "none" and partner is not None and bool(state.feet[partner]),
        red_threes=len(state.red_threes[rules.side_of(state.turn)]),
    )


def _minimum(state: State) -> int:
    key = state.deal if state.rules.open_by == "round" else state.scores[state.rules.side_of(state.turn)]
    return [points for start, points in state.rules.open_table if start is None or key >= start][-1]


def _family(place: Place) -> tuple[str, str]:
    """The kind of a meld, and its rank or suit."""
    family = family_of(place)
    if is_run(place):
        return RUN, "shdc"[family & 3]
    if family == WILD_MELD:
        return WILD, ""
    if family == DEUCE_MELD:
        return DEUCE, "2"
    return (BLACK, "3") if LETTERS[family] == "3" else (SET, LETTERS[family])


def told(state: State, step: actions.Step) -> Step | None:
    """An engine's step in the oracle's words; None for what the oracle leaves out."""
    side = state.seating.side_by_seat[state.turn]
    lying = {meld.place for meld in state.melds[side]}

    def named(place: Place) -> str:
        return str(place) if place in lying else NEW

    match step:
        case actions.Meld():
            return ("meld", *_family(step.place), named(step.place), step.naturals, step.twos, step.jokers)
        case actions.LayRun():
            return ("run", "shdc"[step.place & 3], named(step.place), step.low, step.high)
        case actions.Combine():
            places = [meld.place for meld in state.melds[side]]
            one, other = sorted((step.place, step.onto), key=places.index)
            return ("combine", str(one), str(other))
        case actions.Take():
            return ("take", step.naturals, step.twos, step.jokers, _target(state, step))
        case actions.Discard():
            return ("discard", LETTERS[step.kind])
        case actions.Draw() | actions.Ask() | actions.Pass():
            return ({actions.Draw: "draw", actions.Ask: "ask", actions.Pass: "pass"}[type(step)],)
    return None


def _target(state: State, take: actions.Take) -> str:
    """The meld that the top card joins where the step names none: the only one of its rank, or a new one."""
    side = state.seating.side_by_seat[state.turn]
    places = [meld.place for meld in state.melds[side]]
    if take.onto is not None:
        return str(take.onto) if take.onto in places else NEW
    of_rank = [place for place in places if family_of(place) == state.pile[-1] >> 2]
    alone = not (take.naturals or take.twos or take.jokers)
    finished = all(meld.size >= state.rules.canasta_size for meld in state.melds[side] if meld.place in of_rank)
    another = {"many": True, "after_close": finished, "one": not of_rank}[state.rules.same_rank_melds]
    return str(of_rank[-1]) if of_rank and (alone or not another) else NEW
