"""Answers to a partner who asks whether it may go out."""

from __future__ import annotations

from bot.computer.heuristics.habits import Habits
from bot.computer.heuristics.situation import CARD_POINTS, MeldSize, Situation
from bot.engine.cards.cards import NATURAL_KINDS
from bot.engine.moves.actions import NO, YES, Answer


def choose_answer(situation: Situation, habits: Habits) -> Answer:
    """Return the answer to a partner who asks whether it may go out.

    The first reason that applies decides: no if ending the deal gives the game to the opponents; yes if it gives the
    game to the own side; yes if an opponent may go out and is about to; no if this hand can lay many points in its
    next turn; else yes.
    """
    winner = winning_side_if_partner_goes_out(situation)
    if winner is not None:
        return YES if winner == situation.mine.side else NO
    if situation.may_opponents_go_out and situation.fewest_against <= habits.hurry_at:
        return YES
    return NO if points_gained_by_laying_hand(situation) >= habits.say_no_from else YES


def winning_side_if_partner_goes_out(situation: Situation) -> int | None:
    """Return the side that would win the game if the partner went out now; None if the game would go on.

    Each card in another hand counts 10 points: for the side in the hand of the partner who goes out, else against it.
    """
    view, rules = situation.view, situation.rules
    table, mine = view.table, situation.mine
    totals = {side.side: situation.expected_total(side) for side in situation.others}
    asking = table.seats[table.turn].cards
    partners = sum(table.seats[seat].cards for seat in mine.seats if seat not in (table.turn, view.seat))
    own = mine.score + mine.on_table + rules.out_bonus - view.hand_points
    totals[mine.side] = own + CARD_POINTS * (asking - partners)
    best = max(totals, key=lambda side: totals[side])
    if rules.rounds is not None:
        return best if table.deal >= rules.rounds else None
    return best if totals[best] >= rules.target else None


def points_gained_by_laying_hand(situation: Situation) -> int:
    """Return the points gained by laying the current hand in one turn.

    Each card counts twice, because in the hand it would count against the side. Wild cards and cards still to come are
    ignored.
    """
    rules = situation.rules
    gain = 0
    for kind in NATURAL_KINDS:
        naturals = situation.counts[kind]
        before = situation.own.get(kind, MeldSize(0, 0))
        if not naturals or before.size + naturals < rules.meld_min:
            continue
        gain += 2 * naturals * situation.values[kind]
        if before.size < rules.canasta_size <= before.size + naturals:
            gain += rules.bonus_mixed if before.wilds else rules.bonus_natural
    return gain
