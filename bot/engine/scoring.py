"""Scoring a deal, line by line (`rules/classic.md 1.14, 1.16, 1.17, 1.20`)."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards import Card
from bot.engine.events import DealEnd, DealEnded, GameEnded, ScoreLines
from bot.engine.rules import RuleSet
from bot.engine.state import State, TableMeld


def deal_end(
    state: State, reason: DealEnd, went_out: int | None = None, *, concealed: bool = False
) -> tuple[DealEnded | GameEnded, ...]:
    """What happens when the deal ends as it lies: it is scored, and the game ends with it when a side has won."""
    lines = score_deal(state, went_out, concealed=concealed)
    scores = tuple(score + line.total for score, line in zip(state.scores, lines, strict=True))
    ended = DealEnded(state.deal, reason, went_out, concealed, lines, scores)
    won = winner(state.rules, scores)
    return (ended,) if won is None else (ended, GameEnded(won))


def score_deal(state: State, went_out: int | None, *, concealed: bool) -> tuple[ScoreLines, ...]:
    """Every side's lines for the deal as it lies."""
    return tuple(_score_side(state, side, went_out, concealed=concealed) for side in range(state.rules.sides))


def _score_side(state: State, side: int, went_out: int | None, *, concealed: bool) -> ScoreLines:
    rules = state.rules
    melds = state.melds[side]
    values = rules.card_values
    held = sum([values[card >> 2] for seat in rules.seats_of(side) for card in state.hands[seat]])
    going_out = 0
    if went_out is not None and rules.side_of(went_out) == side:
        going_out = rules.out_bonus + (rules.concealed_extra if concealed else 0)
    natural, mixed = canasta_counts(rules, melds)
    return ScoreLines(
        natural_canastas=natural * rules.bonus_natural,
        mixed_canastas=mixed * rules.bonus_mixed,
        red_threes=red_three_points(rules, state.red_threes[side], melded=bool(melds)),
        going_out=going_out,
        melded=melded_points(rules, melds),
        in_hand=-held,
    )


def canasta_counts(rules: RuleSet, melds: Sequence[TableMeld]) -> tuple[int, int]:
    """How many natural and how many mixed canastas lie there."""
    wilds = [meld.wilds for meld in melds if meld.size >= rules.canasta_size]
    natural = wilds.count(0)
    return natural, len(wilds) - natural


def melded_points(rules: RuleSet, melds: Sequence[TableMeld]) -> int:
    """What all melded cards count, those in canastas included."""
    values = rules.card_values
    return sum([values[card >> 2] for meld in melds for card in meld.cards])


def red_three_points(rules: RuleSet, red_threes: Sequence[Card], *, melded: bool) -> int:
    """What a side's red threes count: for it when it has made a meld, against it when it has not."""
    if not red_threes:
        return 0
    total = rules.red3_values[min(len(red_threes), len(rules.red3_values)) - 1]
    return total if melded else -total


def winner(rules: RuleSet, scores: Sequence[int]) -> int | None:
    """The side that has won with these totals: at the target or above, and alone at the top; else None.

    An exact tie at the target is undecided by every source; another deal decides it (`rules/classic.md 1.21`).
    """
    best = max(scores)
    if best < rules.target or sum(1 for score in scores if score == best) > 1:
        return None
    return list(scores).index(best)
