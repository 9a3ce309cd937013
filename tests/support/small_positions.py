"""Small positions: a handful of cards of a few ranks, where brute force can list all legal moves.

Also the conversion from an engine's state to the oracle's position; it reads fields and decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any, TypeAlias

from bot.computer.heuristics.rule_of_thumb_player import is_simple
from bot.engine.cards.cards import ACE, HELD_KINDS, JOKER, RANK_LETTERS, RED_THREE, TWO, Card
from bot.engine.cards.meld_places import FAMILIES, RUN, is_run
from bot.engine.law.special_hands import PATTERNS
from bot.engine.moves import actions
from bot.engine.positions.position_reading import CASE_FIELDS, read_position, read_rules
from bot.engine.rules.case_fields import CaseFields
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.charged_penalties import Penalties
from bot.engine.table.state import State
from tests.support import legal_step_oracle

SCORES = (-200, -5, 0, 700, 1495, 1500, 2995, 3000, 4200)
LETTERS = (*RANK_LETTERS[: HELD_KINDS - 1], "R")
"""The oracle's letter for each kind."""


Options: TypeAlias = Mapping[str, Any]


def with_penalty_cards(state: State, random: Random) -> State:
    """Return the state with some cards of the hand in turn made penalty cards.

    Some of them are so only until the side opens.
    """
    hand = state.hands[state.turn]
    exposed: list[tuple[Card, ...]] = [()] * state.rules.players
    exposed[state.turn] = tuple(sorted(random.sample(hand, random.randint(1, len(hand)))))
    raised = [random.choice((0, 0, 10, 20)) for _ in exposed]
    free = frozenset({state.turn} if random.random() < 0.5 else ())
    return replace(state, penalties=Penalties((0,) * len(exposed), tuple(raised), tuple(exposed), free))


def small_position(random: Random, options: Options | None = None) -> State:
    """Return a position of one small pack, at the start of a turn or after the draw."""
    players = random.choice((2, 4, 4, 5))
    laws = oracle_laws(read_rules(CaseFields({"players": players, "options": options or {}}, "", CASE_FIELDS)))
    ranks = random.sample("456789TJQKA", random.choice((1, 2, 2, 3, 3, 4)))
    pack = _small_pack(random, ranks)
    melds = [_random_melds(random, pack, ranks, laws), _random_melds(random, pack, ranks, laws)]
    hands = {
        str(seat): _next_cards(pack, random.choice((1, 2, 2, 3, 4, 5, 6, 7, 8)) if seat == 0 else 3)
        for seat in range(min(players, 4))  # with five players one rests, so only four have hands
    }
    phase = random.choice(("draw", "play"))
    pile = _next_cards(pack, random.choice((0, 1, 1, 2, 2, 3, 5)))
    case: dict[str, Any] = {
        "players": players,
        "deal": random.choice((1, 2, 3)),
        "options": {**(options or {}), "out_canastas": random.choice((1, 1, 2))},
        "scores": [random.choice(SCORES), 0],
        "position": {
            "turn": 0,
            "phase": phase,
            "hands": {seat: " ".join(hand) for seat, hand in hands.items()},
            "stock": " ".join(_next_cards(pack, random.choice((0, 1, 3)))),
            "pile": " ".join(pile),
            "frozen": random.random() < 0.3,
            "melds": {str(side): [" ".join(meld) for meld in own] for side, own in enumerate(melds)},
        },
    }
    return read_position(case)


def position_hard_to_finish(random: Random, options: Options | None = None) -> State:
    """Return a position in which it is hard to open or to go out.

    The side has not opened, and its hand is near the minimum, or near going out in one turn.
    """
    rank, other = random.sample("456789TJQKA", 2)
    naturals = random.choice((2, 3, 4, 5, 6, 7))
    wilds = random.sample(["2s", "2h", "2d", "2c", "JK", "JK", "JK"], random.choice((0, 1, 2, 3, 3, 4)))
    own = [rank + suit for suit in "shdcshdc"]
    hand = own[:naturals] + wilds + [other + suit for suit in "shd"[: random.choice((0, 0, 1, 2, 3))]]
    hand += ["3s", "3c", "3s", "3c"][: random.choice((0, 0, 0, 1, 3, 4))]
    top = random.choice((rank, rank, other)) + "c"
    below = random.sample([rank + "d", other + "h", "2c", "3s", "3h", "JK", "9h"], random.choice((0, 1, 1, 2)))
    players = random.choice((2, 4, 4))
    others = {"1": "4s 4h"} if players == 2 else {"1": "4s 4h", "2": "5h", "3": "6c"}
    return read_position(
        {
            "players": players,
            "options": {**(options or {}), "out_canastas": 1},
            "scores": [random.choice((-5, 0, 1500, 3000, 3000)), 0],
            "position": {
                "turn": 0,
                "phase": random.choice(("draw", "draw", "play")),
                "hands": {"0": " ".join(hand), **others},
                "stock": random.choice(("", "9c", "9c 3d 8d")),
                "pile": " ".join([*below, top]),
                "frozen": random.random() < 0.2,
                "opened": {"0": False},
            },
        }
    )


def _small_pack(random: Random, ranks: list[str]) -> list[str]:
    """Return the naturals of those ranks, and enough other cards for an interesting hand."""
    pack = [rank + suit for rank in ranks for suit in "shdcshdc"]
    pack += random.sample([f"2{suit}" for suit in "shdcshdc"] + ["JK"] * 4, random.choice((0, 2, 4, 6)))
    pack += ["3s", "3c", "3s", "3c"][: random.choice((0, 0, 1, 3, 4))]
    pack += ["3h", "3d"][: random.choice((0, 0, 1, 2))]
    pack += random.sample(["4s", "6h", "Tc", "Kd", "5c"], 2)
    random.shuffle(pack)
    return pack


def _next_cards(pack: list[str], count: int) -> list[str]:
    """Return the next cards of the pack; red threes, which no hand holds, go to the bottom."""
    found: list[str] = []
    while pack and len(found) < count:
        card = pack.pop()
        if card in ("3h", "3d"):
            continue
        found.append(card)
    return found


def _random_melds(random: Random, pack: list[str], ranks: list[str], laws: legal_step_oracle.Laws) -> list[list[str]]:
    """Return legal melds of some of the ranks, often large ones."""
    melds: list[list[str]] = []
    if random.random() < 0.45:
        return melds
    for rank in random.sample(ranks, random.choice((1, min(2, len(ranks))))):
        wanted = random.choice((3, 3, 4, 5, 6, 6, 7))
        if laws.reclaims:
            wanted += random.choice((0, 1, 2, 3))
        wilds = [card for card in pack if card[0] == "2" or card == "JK"][: random.choice((0, 0, 1, 2, 3))]
        naturals = [card for card in pack if card[0] == rank and card != "JK"][: wanted - len(wilds)]
        if legal_step_oracle.is_meld(len(naturals), len(wilds), laws):
            melds.append(naturals + wilds)
            for card in naturals + wilds:
                pack.remove(card)
    return melds


def oracle_position(state: State) -> legal_step_oracle.Position:
    """Return the engine's state as the oracle's position."""
    rules = state.rules
    side = state.seating.side_by_seat[state.turn]
    return legal_step_oracle.Position(
        phase=state.phase.value,
        hand=Counter(LETTERS[card >> 2] for card in state.hands[state.turn]),
        melds={LETTERS[meld.kind]: (meld.naturals, meld.wilds) for meld in state.melds[side]},
        opened=state.opened[side],
        minimum=_minimum_with_penalties(state),
        pile="".join(LETTERS[card >> 2] for card in state.pile),
        frozen=state.frozen,
        stock=len(state.stock),
        laws=oracle_laws(rules),
        partner=rules.playing == 4,
        permission=state.permission,
        lapsed=state.lapsed,
        drew=state.drew,
        laid=state.laid_points,
        touched=bool(state.started) or state.joined,
        aside=state.aside,
        claimed=None if state.claimed is None else LETTERS[state.claimed],
        exposed="".join(LETTERS[card >> 2] for card in _penalty_cards(state)),
        wild_cards={
            LETTERS[meld.kind]: "".join(LETTERS[card >> 2] for card in meld.cards if card >> 2 in (TWO, JOKER))
            for meld in state.melds[side]
        },
    )


def _penalty_cards(state: State) -> tuple[Card, ...]:
    """Return the penalty cards of the seat in turn that bind it at this moment."""
    penalties = state.penalties
    if penalties is None:
        return ()
    free = state.turn in penalties.until_opened and state.opened[state.seating.side_by_seat[state.turn]]
    return () if free else penalties.exposed[state.turn]


def oracle_laws(rules: RuleSet) -> legal_step_oracle.Laws:
    """Return the parameters of the rules that the oracle knows."""
    return legal_step_oracle.Laws(
        canastas_to_go_out=rules.out_canastas,
        least_cards=rules.meld_min,
        least_naturals=rules.min_naturals,
        most_wilds=rules.max_wilds,
        wild_ratio=rules.wild_ratio,
        wild_on_canasta=rules.wild_on_canasta,
        meld_max=rules.meld_max,
        frozen_unopened=rules.frozen_unopened,
        ways_to_take=frozenset(rules.take_open),
        add_to_canasta=rules.take_add_canasta,
        pair_to_canasta=rules.take_pair_canasta,
        one_card_guard=rules.one_card_guard,
        open_pile=rules.open_pile,
        count_top=rules.open_count_top,
        waivers=frozenset(rules.open_waiver),
        drawn=rules.draw if isinstance(rules.draw, int) else rules.draw[0],
        drawn_with_pile=rules.draw_with_pile,
        last_discard=rules.out_discard,
        announces=rules.out_announce,
        asks=rules.ask_partner,
        pays_for_asking=rules.penalties in ("laws", "singkep"),
        melds_on=rules.penalties == "singkep",
        reclaims=rules.wild_reclaim != "none",
        force=rules.stock_out_force,
    )


def _minimum_with_penalties(state: State) -> int:
    """Return the minimum of the seat in turn, raised by irregularities.

    It is that of `docs/law/classic.md` 1.11, 1.22, or of the Indonesian or Italian text.
    """
    partners = state.seating.seats_of(state.seating.side_by_seat[state.turn])
    raised = 0 if state.penalties is None else sum(state.penalties.raised[seat] for seat in partners)
    return raised + _minimum_of_table(state)


def _minimum_of_table(state: State) -> int:
    score = state.scores[state.rules.side_of(state.turn)]
    first = state.rules.open_table[0][1]
    if score < 0:
        return first
    if first == 50:  # in the source text S1 (`docs/law`), each minimum still holds at the limit itself
        return 50 if score <= 1500 else 90 if score <= 3000 else 120
    return 50 if score < 1500 else 90 if score < 3000 else 120


def engine_step(step: legal_step_oracle.Step) -> actions.Step:
    """Return the engine's step for a step of the oracle."""
    kinds = {letter: kind for kind, letter in enumerate(LETTERS)}
    match step:
        case ("meld", str(rank), int(naturals), int(twos), int(jokers)):
            return actions.Meld(kinds[rank], naturals, twos, jokers)
        case ("take", int(naturals), int(twos), int(jokers)):
            return actions.Take(naturals, twos, jokers)
        case ("reclaim", str(rank)):
            return actions.Reclaim(kinds[rank])
        case ("discard", str(rank)):
            return actions.Discard(kinds[rank])
        case ("answer", bool(yes)):
            return actions.Answer(yes)
    plain: dict[str, actions.Step] = {
        "draw": actions.DRAW,
        "ask": actions.ASK,
        "announce": actions.ANNOUNCE,
        "pass": actions.PASS,
    }
    return plain[str(step[0])]


def conceivable_steps(state: State) -> list[actions.Step]:
    """Return every step that could be tried at this position, legal or not."""
    counts = state.counts[state.turn]
    steps: list[actions.Step] = [actions.DRAW, actions.ASK, actions.YES, actions.NO, actions.ANNOUNCE, actions.PASS]
    steps += [actions.discard_step(kind) for kind in range(RED_THREE + 1)]
    some = range(3)
    steps += [actions.Take(naturals, twos, jokers) for naturals in range(4) for twos in some for jokers in some]
    melds = state.melds[state.seating.side_by_seat[state.turn]]
    if state.pile and sum(meld.kind == state.pile[-1] >> 2 for meld in melds) > 1:
        # Adding to the first of several melds is the same take whether it is named or not; the named one is listed.
        steps.remove(actions.Take())
    for kind in range(RED_THREE + 1):
        naturals = counts[kind] if kind < len(counts) else 0
        steps += [
            actions.meld_step(place, natural, two, joker)
            for place in places_of(state, kind)
            for natural in range(naturals + 2)
            for two in range(min(counts[12], 4) + 2)
            for joker in range(min(counts[13], 4) + 2)
        ]
    steps += [actions.Reclaim(place) for place in (*(meld.place for meld in melds), ACE + 1)]
    return steps + (variant_steps(state) if has_variant_melds(state.rules) else [])


def places_of(state: State, family: int) -> list[int]:
    """Return the places at which the side in turn has a meld of this family, or could begin one."""
    if not has_variant_melds(state.rules):
        return [family]
    lying = sum(1 for meld in state.melds[state.seating.side_by_seat[state.turn]] if meld.kind == family)
    return [family + FAMILIES * number for number in range(lying + 1)]


def has_variant_melds(rules: RuleSet) -> bool:
    """Return whether the rules differ from the classic ones in melds, hands or announcements.

    These are more than sets of one rank, more than one hand, a pile taken in part, or a required announcement.
    """
    return rules.needs_word or not is_simple(rules)


def variant_steps(state: State) -> list[actions.Step]:
    """Return the conceivable steps that only some games have.

    These are runs, combining melds, taking the pile onto a meld, keeping a three, and showing a special hand.
    """
    melds = state.melds[state.seating.side_by_seat[state.turn]]
    lying = [meld.place for meld in melds]
    steps: list[actions.Step] = [actions.DRAW_KEEPING, *(actions.Show(name) for name in PATTERNS)]
    # Adding to the only meld of a rank is the same take whether it is named or not; then the unnamed one is listed.
    kinds = [meld.kind for meld in melds]
    steps += [actions.Take(onto=meld.place) for meld in melds if is_run(meld.place) or kinds.count(meld.kind) > 1]
    # Two melds are combined in the place of the older one; the other direction gives the same, and is not listed.
    steps += [actions.Combine(place, onto) for number, onto in enumerate(lying) for place in lying[number + 1 :]]
    for suit in range(4):
        for place in places_of(state, RUN + suit):
            steps += [actions.run_step(place, low, high) for low in range(ACE + 1) for high in range(low, ACE + 1)]
    return steps
