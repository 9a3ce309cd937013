"""Choose a discard: its value in hand against its value to the next player."""

from __future__ import annotations

from bot.computer.heuristics.habits import Habits
from bot.computer.heuristics.situation import Situation
from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, RED_THREE, TWO, Kind
from bot.engine.moves.actions import Discard, Step
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import MeldView, SideView

USES_NATURAL_AND_WILD = 0.7
"""Probability that a player who can take the pile with a natural and a wild card does so."""


def best_discard(situation: Situation, habits: Habits, legal: tuple[Step, ...]) -> Discard | None:
    """Return the cheapest legal discard, the first of equal ones; None if there is none."""
    discards = (step for step in legal if isinstance(step, Discard))
    return min(discards, key=lambda step: discard_cost(situation, habits, step.kind), default=None)


def discard_cost(situation: Situation, habits: Habits, kind: Kind) -> float:
    """Return the cost of discarding a card of that kind, in judgement points."""
    given = remembered_chance_of_taking(situation, habits, kind) * (
        (situation.pile.cards + 1) * habits.pile_card
        + cost_of_feeding_winner(situation, habits, kind)
        + habits.canasta_given * is_last_card_for_canasta(situation, kind)
    )
    if habits.shed_early and not situation.next_side.opened:
        given -= habits.shed_early * chance_of_taking_pile(situation, kind, unopened=1.0, exact=habits.sees_closed)
    return value_of_keeping(situation, habits, kind) + given


def remembered_chance_of_taking(situation: Situation, habits: Habits, kind: Kind) -> float:
    """Return the probability that the next player takes the pile with that card on top (`chance_of_taking_pile`).

    It is lowered by habits if the next player has discarded the rank, or seems to hold no pair of it.
    """
    random = chance_of_taking_pile(situation, kind, unopened=habits.unopened_danger, exact=habits.sees_closed)
    if situation.dropped_next[kind]:
        random *= habits.dropped_again
    if situation.frozen_for_next and any(meld.kind == kind and not meld.canasta for meld in situation.next_side.melds):
        random *= habits.pair_beside_meld
    return random


def is_last_card_for_canasta(situation: Situation, kind: Kind) -> bool:
    """Return whether a card of that kind is the last one that a canasta of the next side lacks."""
    last = situation.rules.canasta_size - 1
    return any(meld.kind == kind and meld.size == last for meld in situation.next_side.melds)


def cost_of_feeding_winner(situation: Situation, habits: Habits, kind: Kind) -> float:
    """Return the cost of giving the next player a card of a canasta that wins the game.

    The cost rises as that canasta nears completion.
    """
    wins = [wish for wish in situation.aims.winning if kind in wish.families and wish.canasta != "mixed"]
    if not wins:
        return 0.0
    pure = any(wish.canasta == "natural" for wish in wins)
    size = situation.rules.canasta_size
    lying = [meld.size for meld in situation.next_side.melds if meld.kind == kind and not (pure and meld.wilds)]
    near = min(size, max(lying, default=0) + 1)
    return habits.fed_winner * (near / size) ** 2


def value_of_keeping(situation: Situation, habits: Habits, kind: Kind) -> float:
    """Return the value of keeping a card of that kind, for taking piles, for sets and for canastas.

    Black threes are kept for dangerous moments; before a high initial meld every usable card counts more. Cards that a
    theme bans are worth nothing; threes that cost points in hand are worth less than nothing.
    """
    if kind in (BLACK_THREE, RED_THREE):
        return (habits.keep_black_three if kind == BLACK_THREE else 0.0) - cost_of_holding_at_end(situation.rules, kind)
    if kind in situation.aims.useless or (
        habits.sees_closed and not _has_room_for_cards(situation, situation.mine, kind, 1)
    ):
        return 0.0
    if kind > ACE:
        value = (habits.keep_two if kind == TWO else habits.keep_joker) - value_of_freezing(situation, habits)
    else:
        value = (habits.keep_single, habits.keep_pair, habits.keep_set)[min(situation.counts[kind], 3) - 1]
    if situation.opened:
        return value
    if any(kind in ranks for ranks in situation.aims.opening):
        value += habits.kept_for_opening
    height = max(0, situation.required - 40) / 50
    return value + habits.open_weight * situation.values[kind] * height


def cost_of_holding_at_end(rules: RuleSet, kind: Kind) -> int:
    """Return the points that a card costs if it is held at the end, beyond its value on the table."""
    return rules.held_values[kind] - rules.card_values[kind]


def value_of_freezing(situation: Situation, habits: Habits) -> float:
    """Return the value of freezing the pile, high if opponents lead and the pile is large."""
    pile = situation.pile
    if pile.frozen or pile.cards < habits.freeze_from or not situation.next_side.opened:
        return 0.0
    behind = max(side.on_table for side in situation.others) - situation.mine.on_table
    return habits.freeze_card * pile.cards if behind >= habits.freeze_behind else 0.0


UNOPENED = 0.6
"""Probability that a side that has not opened can take the pile with its pair."""


def chance_of_taking_pile(
    situation: Situation, kind: Kind, *, unopened: float = UNOPENED, exact: bool = False
) -> float:
    """Return the probability that the next player takes the pile with that card on top.

    With `exact` it considers which ways to take the pile the rules have, and which melds are full.
    """
    if kind > ACE or not situation.aims.may_take_pile(situation.next_side.side):
        return 0.0
    side, rules = situation.next_side, situation.rules
    frozen = situation.frozen_for_next
    if not frozen and any(meld.kind == kind and (not exact or _may_meld_take_top(rules, meld)) for meld in side.melds):
        return 1.0
    pair, one = _holding_chances(situation, kind)
    if exact:
        pair = pair if _has_room_for_cards(situation, side, kind, 3) else 0.0
        one = one if "card+wild" in rules.take_open else 0.0
    if frozen:
        return pair if side.opened else pair * unopened
    known, wilds = situation.known_next, situation.unseen[TWO] + situation.unseen[JOKER]
    no_wild = 0.0 if known[TWO] + known[JOKER] else (1 - _next_players_share(situation)) ** wilds
    return pair + one * (1 - no_wild) * USES_NATURAL_AND_WILD


def _may_meld_take_top(rules: RuleSet, meld: MeldView) -> bool:
    """Return whether that meld, of the rank of the pile's top, may get the top card by itself."""
    return "add" in rules.take_open and (rules.take_add_canasta or meld.canasta is None)


def _has_room_for_cards(situation: Situation, side: SideView, kind: Kind, cards: int) -> bool:
    """Return whether a side may lay `cards` more cards of a rank, in a meld on the table or a new one."""
    rules = situation.rules
    if rules.meld_max is None or rules.same_rank_melds != "one":
        return True
    return all(meld.kind != kind or meld.size + cards <= rules.meld_max for meld in side.melds)


def _next_players_share(situation: Situation) -> float:
    """Return the share of the unseen cards that the next player holds."""
    return max(0, situation.next_cards - sum(situation.known_next)) / situation.unseen_cards


def _holding_chances(situation: Situation, kind: Kind) -> tuple[float, float]:
    """Return the probabilities that the next player holds at least two cards of that kind, and just one."""
    known, unseen, share = situation.known_next[kind], max(0, situation.unseen[kind]), _next_players_share(situation)
    if known >= 2:
        return 1.0, 0.0
    none = (1 - share) ** unseen
    if known:
        return 1 - none, none
    one = unseen * share * (1 - share) ** (unseen - 1) if unseen else 0.0
    return 1 - none - one, one
