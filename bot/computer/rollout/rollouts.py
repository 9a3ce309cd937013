"""Rollouts: deal hidden cards at random, try a step, and let rollout players finish the deal."""

from __future__ import annotations

from random import Random
from typing import Final

from bot.computer.rollout.form import BLACK_THREE, KINDS, RANKS, RED_THREE
from bot.computer.rollout.limited.face_down_feet import Feet
from bot.computer.rollout.moves import discard_card, draw_cards, lay_meld, take_pile
from bot.computer.rollout.policy import play_to_end_without_runs
from bot.computer.rollout.runs import moves as with_runs
from bot.computer.rollout.runs.dealing import redeal_by_suit
from bot.computer.rollout.runs.policy import play_to_end_with_runs
from bot.computer.rollout.scores import score_of_side
from bot.computer.rollout.world import RUNNING, STOCK, World, copy_world

DRAW: Final = 0
TAKE: Final = 1
LAY: Final = 2
DISCARD: Final = 3
PASS: Final = 4

Trial = tuple[int, int, int, int, int]
"""A step to try: its type, the kind of card, and the numbers of naturals, twos and jokers."""

WON: Final = 1000
"""The value of winning the game with the deal, in points."""


TRIES: Final = 16
"""Most cards that are looked at for one place of a hand."""


class HiddenCards:
    """The cards that a seat has not seen, and how many each other hand holds; the stock has the rest.

    - `early`: the seats whose dealt red threes may still be in their hands.
    - `weights`: how likely each hand is to hold each kind, `KINDS` numbers from 0 to 1 a seat; one more card of a rank
      that the hand holds is `paired` times as likely.
    - `keeps_reds`: hands hold red threes like other cards; otherwise these are laid out, and so are black threes with
      `blacks_out`.
    - `exact`: in forms with runs, the cards themselves; `weights` are then those of cards
      (`bot.computer.rollout.runs.dealing`).
    """

    exact: list[int]

    def __init__(
        self,
        cards: list[int],
        needs: list[int],
        early: list[bool],
        weights: list[float],
        paired: float,
        *,
        keeps_reds: bool = False,
        blacks_out: bool = False,
    ) -> None:
        self.exact = []
        self.cards = [
            kind for kind in cards if (kind != RED_THREE or keeps_reds) and not (blacks_out and kind == BLACK_THREE)
        ]
        self.blacks = cards.count(BLACK_THREE) if blacks_out else 0
        self.reds = len(cards) - len(self.cards) - self.blacks
        self.needs = needs
        self.early = early
        self.weights = weights
        self.paired = paired


class ScoresBeforeDeal:
    """Data for valuing a rollout: the own side, the totals before the deal, and the target of the game."""

    def __init__(self, own: int, totals: list[int], target: int) -> None:
        self.own = own
        self.totals = totals
        self.target = target


def redeal_hidden_cards(world: World, hidden: HiddenCards, random: Random) -> World:
    """Return the world with its unseen cards dealt at random.

    A hand gets cards that it is likely to hold more often than others.
    """
    if world.suits is not None:
        return redeal_by_suit(world, hidden.exact, hidden.needs, hidden.weights, paired=hidden.paired, random=random)
    dealt = copy_world(world)
    cards = hidden.cards[:]
    _shuffle_in_place(cards, random)
    reds = hidden.reds
    if reds and True in hidden.early:
        reds = _deal_early_reds(dealt, hidden, random)
    for seat in range(len(hidden.needs)):
        base = seat * KINDS
        need = hidden.needs[seat] - dealt.hands[base + RED_THREE]
        if seat != dealt.turn:
            for kind in range(KINDS):
                dealt.hands[base + kind] += dealt.known[base + kind]
        for _ in range(min(need, len(cards))):
            dealt.hands[base + _take_likely_card(dealt.hands, base, cards, hidden, random)] += 1
    for number in range(reds + hidden.blacks):
        place = int(random.random() * (len(cards) + 1))
        cards.append(RED_THREE if number < reds else BLACK_THREE)
        cards[place], cards[-1] = cards[-1], cards[place]
    if dealt.form.talon:
        _deal_talons(dealt, cards)
    if dealt.feet is not None:
        _deal_feet(dealt.feet, cards, random)
    dealt.stock = cards
    dealt.left = len(cards)
    return dealt


def _deal_talons(dealt: World, cards: list[int]) -> None:
    """Take cards from the stock for the talon of every seat that has one."""
    for seat in range(len(dealt.talons)):
        count = len(dealt.talons[seat])
        if count:
            dealt.talons[seat] = cards[len(cards) - count :]
            del cards[len(cards) - count :]


def _deal_feet(feet: Feet, cards: list[int], random: Random) -> None:
    """Take cards for every foot not picked up; nobody has seen any of them, not even its owner."""
    for seat in range(len(feet.waiting)):
        for _ in range(min(feet.waiting[seat], len(cards))):
            place = int(random.random() * len(cards))
            cards[place], cards[-1] = cards[-1], cards[place]
            feet.cards[seat * KINDS + cards.pop()] += 1


def _take_likely_card(hands: list[int], base: int, cards: list[int], hidden: HiddenCards, random: Random) -> int:
    """Take a card that this hand is likely to hold from the shuffled cards; return its kind.

    The numbers of the hand's cards begin at `base` in `hands`.
    """
    place = last = len(cards) - 1
    for _ in range(TRIES):
        kind = cards[place]
        weight = hidden.weights[base + kind]
        if kind < RANKS and hands[base + kind]:
            weight *= hidden.paired
        if random.random() * hidden.paired < weight:
            break
        place = int(random.random() * (last + 1))
    kind = cards[place]
    cards[place] = cards[last]
    cards.pop()
    return kind


def _deal_early_reds(dealt: World, hidden: HiddenCards, random: Random) -> int:
    """Deal unseen red threes to the hands that may hold some; return how many are left for the stock."""
    places = dealt.left
    for seat in range(len(hidden.needs)):
        if hidden.early[seat]:
            places += hidden.needs[seat]
    left = 0
    for _ in range(hidden.reds):
        place = int(random.random() * places)
        found = False
        for seat in range(len(hidden.needs)):
            if hidden.early[seat]:
                if place < hidden.needs[seat] and dealt.hands[seat * KINDS + RED_THREE] < hidden.needs[seat]:
                    dealt.hands[seat * KINDS + RED_THREE] += 1
                    found = True
                    break
                place -= hidden.needs[seat]
        if not found:
            left += 1
    return left


def _shuffle_in_place(cards: list[int], random: Random) -> None:
    """Shuffle the list in place (Fisher and Yates)."""
    for last in range(len(cards) - 1, 0, -1):
        place = int(random.random() * (last + 1))
        cards[last], cards[place] = cards[place], cards[last]


def try_step(world: World, trial: Trial) -> None:
    """Play the step in the world.

    In a form with runs, the trial of a discard has the suit after the kind.
    """
    what, kind, naturals, twos, jokers = trial
    if world.suits is not None:
        _try_with_runs(world, trial)
    elif what == DRAW:
        draw_cards(world)
    elif what == TAKE:
        take_pile(world, naturals, twos, jokers)
    elif what == LAY:
        lay_meld(world, kind, naturals, twos, jokers)
    elif what == DISCARD:
        discard_card(world, kind)
    else:
        world.ended = STOCK


def _try_with_runs(world: World, trial: Trial) -> None:
    """Play the step in a world with runs."""
    what, kind, naturals, twos, jokers = trial
    if what == DRAW:
        with_runs.draw_cards(world)
    elif what == TAKE:
        with_runs.take_pile(world, naturals, twos, jokers)
    elif what == LAY:
        with_runs.lay_meld(world, kind, naturals, twos, jokers)
    elif what == DISCARD:
        with_runs.discard_card(world, kind, naturals)
    else:
        world.ended = STOCK


def play_to_end(world: World, numbers: list[list[float]]) -> None:
    """Play the deal to its end, with runs or without; `numbers` holds a list of policy numbers for each side."""
    if world.suits is not None:
        play_to_end_with_runs(world, numbers)
    else:
        play_to_end_without_runs(world, numbers)


def outcome_value(world: World, scores_before: ScoresBeforeDeal) -> float:
    """Return the value of a finished deal: the own side's lead over the best other side.

    If the game is over, the value of winning or losing it is added.
    """
    own = score_of_side(world, scores_before.own)
    best, reach = -(10**6), -(10**6)
    for side in range(world.form.sides):
        if side != scores_before.own:
            points = score_of_side(world, side)
            best = max(best, points)
            reach = max(reach, scores_before.totals[side] + points)
    value = own - best
    mine = scores_before.totals[scores_before.own] + own
    if max(mine, reach) >= scores_before.target:
        value += WON if mine > reach else -WON
    return value


def sums_of_outcomes(
    world: World,
    hidden: HiddenCards,
    trials: list[Trial],
    numbers: list[float],
    scores_before: ScoresBeforeDeal,
    *,
    count: int,
    random: Random,
) -> list[float]:
    """Return the summed outcome of each step over `count` random deals of the hidden cards.

    The deals are the same for all steps.
    """
    sums = [0.0] * len(trials)
    players = [numbers] * world.form.sides
    for _ in range(count):
        dealt = redeal_hidden_cards(world, hidden, random)
        for place in range(len(trials)):
            played = copy_world(dealt)
            try_step(played, trials[place])
            if played.ended == RUNNING:
                play_to_end(played, players)
            sums[place] += outcome_value(played, scores_before)
    return sums
