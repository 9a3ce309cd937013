"""Scoring a deal, line by line (`rules/classic.md 1.14, 1.16, 1.17, 1.20`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.engine.canastas import tally
from bot.engine.cards import Card
from bot.engine.events import DealEnd, DealEnded, GameEnded, ScoreLines
from bot.engine.melds import TableMeld
from bot.engine.queries import canastas
from bot.engine.rules import RuleSet
from bot.engine.state import State


def deal_end(
    state: State, reason: DealEnd, went_out: int | None = None, *, concealed: bool = False
) -> tuple[DealEnded | GameEnded, ...]:
    """What happens when the deal ends as it lies: it is scored, and the game ends with it when a side has won."""
    rules = state.rules
    lines = list(score_deal(state, went_out, concealed=concealed))
    scores = [score + line.total for score, line in zip(state.scores, lines, strict=True)]
    won = winner(rules, scores, before=[result.scores for result in state.results], deal=state.deal)
    if won is not None and rules.game_bonus:
        lines[won] = replace(lines[won], bonuses=lines[won].bonuses + rules.game_bonus)
        scores[won] += rules.game_bonus
    ended = DealEnded(state.deal, reason, went_out, concealed, tuple(lines), tuple(scores))
    return (ended,) if won is None else (ended, GameEnded(won))


def score_deal(state: State, went_out: int | None, *, concealed: bool) -> tuple[ScoreLines, ...]:
    """Every side's lines for the deal as it lies."""
    return tuple(_score_side(state, side, went_out, concealed=concealed) for side in range(state.rules.sides))


def _score_side(state: State, side: int, went_out: int | None, *, concealed: bool) -> ScoreLines:
    rules = state.rules
    melds = state.melds[side]
    values = rules.card_values
    held = sum([values[card >> 2] for seat in state.seating.seats_of(side) for card in state.hands[seat]])
    going_out = 0
    if went_out is not None and state.seating.side_by_seat[went_out] == side:
        going_out = rules.out_bonus + (rules.concealed_extra if concealed else 0)
    natural, mixed = canasta_counts(rules, melds)
    return ScoreLines(
        natural_canastas=natural * rules.bonus_natural,
        mixed_canastas=mixed * rules.bonus_mixed,
        red_threes=red_three_points(rules, state.red_threes[side], melds),
        going_out=going_out,
        melded=melded_points(rules, melds),
        in_hand=-held,
    )


def canasta_counts(rules: RuleSet, melds: Sequence[TableMeld]) -> tuple[int, int]:
    """How many natural and how many mixed canastas lie there."""
    held = tally(rules, melds)
    return held.natural, held.mixed


def melded_points(rules: RuleSet, melds: Sequence[TableMeld]) -> int:
    """What all melded cards count, those in canastas included."""
    values = rules.card_values
    return sum([values[card >> 2] for meld in melds for card in meld.cards])


def red_three_points(rules: RuleSet, red_threes: Sequence[Card], melds: Sequence[TableMeld]) -> int:
    """What a side's red threes count: for it when it has melds, or the canastas the rules want, else against it."""
    if not red_threes:
        return 0
    total = rules.red3_values[min(len(red_threes), len(rules.red3_values)) - 1]
    if rules.red3_sign == "opened":
        return total if melds else -total
    return total if canastas(rules, melds) >= _CANASTAS_FOR[rules.red3_sign] else -total


_CANASTAS_FOR: Final = {"canastas>=1": 1, "canastas>=2": 2}


def winner(rules: RuleSet, scores: Sequence[int], *, before: Sequence[Sequence[int]] = (), deal: int = 0) -> int | None:
    """The side that has won with these totals: at the target or above, and alone at the top; else None.

    `before` are the totals after the deals before. An exact tie is undecided by every source; another deal decides it
    (`rules/classic.md 1.21`). With a fixed number of deals the target does not matter.
    """
    best = max(scores)
    if sum(1 for score in scores if score == best) > 1:
        return None
    if deal < rules.rounds if rules.rounds is not None else best < target_after(rules, (*before, scores)):
        return None
    return list(scores).index(best)


def target_after(rules: RuleSet, totals: Sequence[Sequence[int]]) -> int:
    """The target once the deals with these totals are played: where several sides reach it, it may rise by 1,000."""
    target = rules.target
    if rules.both_reach == "raise_1000":
        for scores in totals:
            while sum(1 for score in scores if score >= target) > 1:
                target += RAISED_BY
    return target


RAISED_BY: Final = 1000
"""Points by which the target rises (`rules/classic.md 1.21`)."""
