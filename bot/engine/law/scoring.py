"""Scoring a deal, line by line, and the winner of the game.

`bot.engine.melds.points` computes the points of melds and hands.

Decides `docs/law/classic.md 1.14, 1.15, 1.16, 1.17, 1.20, 1.21, 2.2` and `docs/law/variants.md 2, 3.10, 3.11`. Reads
`ace_value`, `auto_win`, `black3_in_hand`, `both_reach`, `concealed_extra`, `game_bonus`, `last_three`, `out_bonus`,
`red3_in_hand`, `red3_role`, `red3_timing`, `rounds`, `target`, `teams`, `theme`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import FIRST_RED_THREE, Card
from bot.engine.law import special_hands
from bot.engine.law.special_hands import special_points
from bot.engine.melds.canastas import AUTO_WIN_CANASTAS
from bot.engine.melds.points import canasta_points, points_lost_by_hand, score_lines_on_table
from bot.engine.moves.events import DealEnd, DealEnded, GameEnded, OtherCanastas, ScoreLines, SidesFormed
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table import themes_in_force
from bot.engine.table.applying_events import evolve
from bot.engine.table.bonus_threes import unlaid_last_three
from bot.engine.table.charged_penalties import penalty_points
from bot.engine.table.state import State
from bot.engine.table.state_queries import is_before_second_turn


def deal_end_events(
    state: State, reason: DealEnd, went_out: int | None = None, *, concealed: bool = False
) -> tuple[SidesFormed | DealEnded | GameEnded, ...]:
    """Return the events of scoring the deal; the game ends too if a side has won.

    In cut-throat, a seat that goes out before the pile was ever taken has played alone against the others
    (`docs/law/classic.md 2.2`).
    """
    rules = state.rules
    if rules.cut_throat and state.alone is None and went_out is not None:
        formed = SidesFormed(went_out)
        return (formed, *deal_end_events(evolve(state, formed), reason, went_out, concealed=concealed))
    lines = list(score_deal(state, went_out, concealed=concealed))
    scores = [score + line.total for score, line in zip(state.scores, lines, strict=True)]
    won = index_of_instant_winner(state)
    extra = 0 if won is None or _index_of_winner_by_seven_canastas(state) is None else AUTO_WIN_POINTS
    if won is None:
        won = index_of_winning_score(rules, scores, before=[result.scores for result in state.results], deal=state.deal)
    if state.shown is not None and special_hands.does_special_hand_win_game(state.shown[1]):
        won = state.seating.side_by_seat[state.shown[0]]
    if won is not None and (extra := extra + rules.game_bonus):
        lines[won] = replace(lines[won], bonuses=lines[won].bonuses + extra)
        scores[won] += extra
    others = other_canastas_by_score(state, went_out)
    ended = DealEnded(state.deal, reason, went_out, concealed, tuple(lines), tuple(scores), others)
    return (ended,) if won is None else (ended, GameEnded(won))


def other_canastas_by_score(state: State, went_out: int | None) -> tuple[OtherCanastas, ...]:
    """Return, for every score, the points of canastas that are neither natural nor mixed, by sort."""
    return tuple([_other_canastas(state, number, went_out) for number in range(state.rules.sides)])


def _other_canastas(state: State, number: int, went_out: int | None) -> OtherCanastas:
    """Return the points of one score's canastas that are neither natural nor mixed, by sort."""
    side = state.seating.side_by_seat[number]
    if state.shown is not None and state.seating.side_by_seat[state.shown[0]] == side:
        return OtherCanastas()
    out = went_out is not None and state.seating.side_by_seat[went_out] == side
    return canasta_points(state.rules, state.melds[side], gone_out=out)[2]


def score_deal(state: State, went_out: int | None, *, concealed: bool) -> tuple[ScoreLines, ...]:
    """Return the score lines of the current deal, indexed by score.

    `went_out` is the seat that went out, or None.
    """
    return tuple(_score_lines(state, number, went_out, concealed=concealed) for number in range(state.rules.sides))


def _score_lines(state: State, number: int, went_out: int | None, *, concealed: bool) -> ScoreLines:
    """Return the lines of one score for the current deal: those of its side, and of its own red threes."""
    rules = state.rules
    side = state.seating.side_by_seat[number]  # the seat with the score's number is one of the seats that share it
    if state.shown is not None and state.seating.side_by_seat[state.shown[0]] == side:
        return ScoreLines(bonuses=special_points(rules, state.shown[1]))
    out = went_out is not None and state.seating.side_by_seat[went_out] == side
    set_aside = state.set_aside[number] if state.set_aside else ()
    lines = score_lines_on_table(rules, state.melds[side], state.red_threes[number], set_aside=set_aside, gone_out=out)
    held = sum([points_lost_by_hand(rules, _cards_left_to_seat(state, seat)) for seat in state.seating.seats_of(side)])
    if rules.red3_timing == "first_turn" and rules.red3_role == "bonus":
        held -= rules.red3_in_hand * _count_forgotten_red_threes(state, side, went_out)
    last = unlaid_last_three(state)
    if last is not None and rules.last_three is not None and state.side == side:
        held -= rules.held_values[last >> 2] + rules.last_three
    going_out = rules.out_bonus + (rules.concealed_extra if concealed else 0) if out else 0
    penalties = lines.penalties - penalty_points(state, side)
    return replace(lines, going_out=going_out, in_hand=-held, penalties=penalties)


def _count_forgotten_red_threes(state: State, side: int, went_out: int | None) -> int:
    """Return the number of red threes in a side's hands that should have been laid out.

    Red threes of a seat that never had a turn do not count (`docs/law/classic.md 1.7, 1.22`). After the last discard of
    the deal it is already the next seat's turn, but that seat has not played it.
    """
    had_turn = state.turn if went_out is None else went_out
    late = [seat for seat in state.seating.seats_of(side) if seat == had_turn or not is_before_second_turn(state, seat)]
    return sum([card >= FIRST_RED_THREE for seat in late for card in state.hands[seat]])


def _cards_left_to_seat(state: State, seat: int) -> tuple[Card, ...]:
    """Return the cards a seat is left with: its hand, and its foot if not picked up.

    Source: `docs/law/variants.md 3.11`.
    """
    return (*state.hands[seat], *state.feet[seat]) if state.feet else state.hands[seat]


def index_of_instant_winner(state: State) -> int | None:
    """Return the index of the score that wins the game during the deal, or None.

    A score wins by seven canastas, or by the canasta of a theme.
    """
    rules = state.rules
    if not rules.wins_at_once:
        return None
    won = _index_of_winner_by_seven_canastas(state)
    if won is not None or not rules.theme:
        return won
    side = themes_in_force.winning_side(state)
    sides = state.seating.side_by_seat
    return next((number for number in range(rules.sides) if sides[number] == side), None)


def _index_of_winner_by_seven_canastas(state: State) -> int | None:
    """Return the index of the score whose side wins with seven canastas in this deal, else None.

    Source: `docs/law/variants.md 2`.
    """
    rules = state.rules
    if rules.auto_win != "7_canastas":
        return None
    held = [state.spreads[state.seating.side_by_seat[number]].canastas for number in range(rules.sides)]
    return next((number for number, canastas in enumerate(held) if canastas >= AUTO_WIN_CANASTAS), None)


def reason_of_win(state: State) -> DealEnd:
    """Return the reason for an instant win: seven canastas, or the canasta of a theme."""
    return DealEnd.SEVEN_CANASTAS if _index_of_winner_by_seven_canastas(state) is not None else DealEnd.THEME_CANASTA


AUTO_WIN_POINTS: Final = 5000
"""The extra points for a win by seven canastas."""


def index_of_winning_score(
    rules: RuleSet, scores: Sequence[int], *, before: Sequence[Sequence[int]] = (), deal: int = 0
) -> int | None:
    """Return the index of the score that has won, or None if another deal is played.

    It is the only highest score, at or above the target; or after the last of a fixed number of deals, whatever the
    target. `before` holds the totals after each earlier deal. No source decides an exact tie; another deal is played
    (`docs/law/classic.md 1.21`).
    """
    best = max(scores)
    if sum(1 for score in scores if score == best) > 1:
        return None
    if deal < rules.rounds if rules.rounds is not None else best < target_score_after(rules, (*before, scores)):
        return None
    return list(scores).index(best)


def target_score_after(rules: RuleSet, totals: Sequence[Sequence[int]]) -> int:
    """Return the target for the next deal, given the totals after each deal so far.

    If several sides reach it, it may rise by `RAISED_BY` (`both_reach`).
    """
    target = rules.target
    if rules.both_reach == "raise_1000":
        for scores in totals:
            while sum(1 for score in scores if score >= target) > 1:
                target += RAISED_BY
    return target


RAISED_BY: Final = 1000
"""The points by which the target rises (`docs/law/classic.md 1.21`)."""
