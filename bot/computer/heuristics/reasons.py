"""Reasons for the chosen step and against the rejected ones, derived from the seat's situation alone."""

from __future__ import annotations

from bot.computer.chosen_step import Numbers, Reason
from bot.computer.heuristics.answering_partner import winning_side_if_partner_goes_out
from bot.computer.heuristics.discarding import chance_of_taking_pile
from bot.computer.heuristics.planning import cheapest_opening
from bot.computer.heuristics.situation import MeldSize, Situation, would_lose_game
from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, RANK_LETTERS, RED_THREE, TWO, Kind, is_wild
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD
from bot.engine.moves.actions import (
    Announce,
    Answer,
    Ask,
    Combine,
    Discard,
    Draw,
    DrawKeeping,
    LayRun,
    Meld,
    Reclaim,
    Show,
    Step,
    Take,
)
from bot.engine.rules.rule_set import RuleSet

ReasonWithNumbers = tuple[Reason, Numbers]

FEEDS_FROM = 0.5
"""From this chance of the next player taking the pile, the reason for or against a discard speaks of that."""

FEW_UNSEEN = 1
"""With at most this many unseen cards of a rank, it is unlikely that a player holds a pair of it."""


def reason_for(situation: Situation, step: Step) -> ReasonWithNumbers:
    """Return the reason for the chosen step, with the numbers for its sentence."""
    if len(situation.view.legal) == 1 and not isinstance(step, Draw):
        return Reason.ONLY, {}
    match step:
        case Draw() | DrawKeeping():
            return _reason_to_draw(situation)
        case Take():
            return _reason_to_take(situation, step)
        case Meld() | LayRun():
            return _reason_to_lay(situation, step)
        case Discard():
            return _reason_to_discard(situation, step.kind)
        case Answer():
            return _reason_to_answer(situation, step)
        case Ask():
            return Reason.ASK, _partner_seat_and_card_count(situation)
        case _:
            return _reason_for_rare_step(situation, step)


def _reason_to_answer(situation: Situation, step: Answer) -> ReasonWithNumbers:
    """Return the reason for answering a partner's question with yes or no."""
    if step.yes:
        return Reason.ANSWER_YES, {}
    return (Reason.ANSWER_NO if winning_side_if_partner_goes_out(situation) is None else Reason.OUT_WAIT), {}


def _reason_for_rare_step(situation: Situation, step: Step) -> ReasonWithNumbers:
    """Return the reason for a rare step, such as asking, showing a special hand, or merging melds."""
    match step:
        case Announce() | Show():
            return Reason.OUT_NOW, {"points": _points_if_out_now(situation)}
        case Combine():
            return _reason_to_extend_meld(situation, _size_at(situation, step.place) + _size_at(situation, step.onto))
        case Reclaim():
            return Reason.WILD_KEEP, {}
        case _:
            return Reason.ONLY, {}


def reason_against(situation: Situation, step: Step, better: ReasonWithNumbers) -> ReasonWithNumbers:
    """Return the reason why a step is worse than the chosen one, with the numbers for its sentence.

    `better` is the reason for the chosen one.
    """
    match step:
        case Take():
            return _reason_against_taking_pile(situation, step.size)
        case Meld() | LayRun():
            return _reason_not_to_lay(situation, step)
        case Discard():
            return _reason_not_to_discard(situation, step.kind, better)
        case Announce() | Ask() | Show():
            return Reason.OUT_WAIT, {}
        case Answer():
            return better
        case _:
            return better


# --- before the draw ------------------------------------------------------------------------------------------------


def _reason_to_draw(situation: Situation) -> ReasonWithNumbers:
    """Return the reason for drawing."""
    takes = [step for step in situation.view.legal if isinstance(step, Take)]
    if not takes:
        return Reason.DRAW_ONLY, {}
    return _reason_against_taking_pile(situation, max(take.size for take in takes))


def _reason_against_taking_pile(situation: Situation, cost: int) -> ReasonWithNumbers:
    """Return the reason for drawing instead of taking the pile with `cost` cards of the hand."""
    if not cost:
        return Reason.DRAW_BETTER, {"count": situation.pile.cards}
    return Reason.DRAW_SMALL, {"count": situation.pile.cards, "cards": cost}


def _reason_to_take(situation: Situation, step: Take) -> ReasonWithNumbers:
    """Return the reason for taking the pile."""
    top = situation.pile.top
    kind = 0 if top is None else top >> 2
    if not situation.opened:
        return Reason.TAKE_OPENS, {}
    before = _size_at(situation, kind if step.onto is None else step.onto)
    size = situation.rules.canasta_size
    if before < size <= before + step.size + 1:
        return Reason.TAKE_CANASTA, {}
    if step.is_addition and kind <= ACE:
        return Reason.TAKE_FREE, {"kind": kind}
    return Reason.TAKE_LARGE, {"count": situation.pile.cards}


# --- melds ----------------------------------------------------------------------------------------------------------


def _reason_to_lay(situation: Situation, step: Meld | LayRun) -> ReasonWithNumbers:
    """Return the reason for laying or adding to a meld."""
    rules = situation.rules
    points = _points_of(situation, step)
    if not situation.opened:
        laid = situation.view.laid_points + points
        return Reason.OPEN_NOW, {"points": max(laid, situation.required), "minimum": situation.required}
    before = _meld_size_at(situation, step.place)
    size = before.size + step.size
    if situation.held - step.size <= 1 and not situation.canastas_missing:
        return Reason.OUT_NOW, {"points": _points_if_out_now(situation)}
    if before.size < rules.canasta_size <= size:
        wilds = _wilds_in(step)
        if wilds == 1 and step.size == 1:
            return Reason.WILD_FINISH, {}
        return Reason.LAY_CANASTA, {"points": _canasta_points(rules, step, before)}
    if situation.is_last_turn or (situation.may_opponents_go_out and situation.fewest_against <= HURRY_AT):
        seat = _opponent_with_fewest_cards(situation)
        return Reason.LAY_HURRY, {"seat": seat, "cards": situation.view.table.seats[seat].cards}
    if before.size and size > rules.meld_min:
        return _reason_to_extend_meld(situation, size)
    return Reason.LAY_COUNTS, {"points": points}


def _reason_to_extend_meld(situation: Situation, size: int) -> ReasonWithNumbers:
    """Return the reason for a step that gives a meld this size, nearer to a canasta."""
    needed = situation.rules.canasta_size
    return Reason.LAY_TOWARDS, {"size": min(size, needed), "all": needed}


HURRY_AT = 3
"""If an opponent has at most this many cards, the short hand is the reason for laying."""


def _reason_not_to_lay(situation: Situation, step: Meld | LayRun) -> ReasonWithNumbers:
    """Return the reason against laying a meld."""
    rules = situation.rules
    if not situation.opened:
        left, wilds = situation.held - step.size, _wilds_in(step)
        plan = cheapest_opening(rules, situation.counts, situation.own, missing=situation.missing, keep=1)
        if plan is not None and plan.steps and _points_of(situation, step) < situation.missing:
            wilds = sum(one.twos + one.jokers for one in plan.steps)
            left = situation.held - sum(one.size for one in plan.steps)
        return Reason.OPEN_WAIT, {"wilds": wilds, "cards": left}
    if situation.held - step.size <= 1 and would_lose_game(situation):
        return Reason.OUT_WAIT, {}
    before = _meld_size_at(situation, step.place)
    risk = -sum(points for name, points in rules.incomplete_penalty if name == _word_for_unfinished_meld(step))
    if risk > 0 and before.size + step.size < rules.canasta_size:
        return Reason.RISK, {"points": risk}
    if isinstance(step, Meld) and step.twos + step.jokers and step.kind not in (WILD_MELD, DEUCE_MELD):
        if before.size >= rules.meld_min and not before.wilds:
            return Reason.NATURAL_KEEP, {"points": max(0, rules.bonus_natural - rules.bonus_mixed)}
        return Reason.WILD_KEEP, {}
    kind = step.low if isinstance(step, LayRun) else step.kind
    return (Reason.HOLD_BACK, {"kind": kind}) if kind <= ACE else (Reason.WILD_KEEP, {})


def _word_for_unfinished_meld(step: Meld | LayRun) -> str:
    """Return the word of `incomplete_penalty` for the meld that the step leaves unfinished."""
    if isinstance(step, LayRun):
        return "seq"
    if step.kind in (WILD_MELD, DEUCE_MELD):
        return "wild"
    return RANK_LETTERS[step.kind] if step.kind <= ACE else ""


# --- discards -------------------------------------------------------------------------------------------------------


def _reason_to_discard(situation: Situation, kind: Kind) -> ReasonWithNumbers:
    """Return the reason for discarding a card of that kind."""
    if situation.held == 1:
        return Reason.OUT_NOW, {"points": _points_if_out_now(situation)}
    if kind in (BLACK_THREE, RED_THREE):
        return (Reason.BLOCK if kind == BLACK_THREE and "B3" in situation.rules.top_blocks else Reason.SINGLE), {}
    if is_wild(kind):
        return Reason.FREEZE, {"count": situation.pile.cards}
    if chance_of_taking_pile(situation, kind, exact=True) >= FEEDS_FROM:
        return Reason.FEEDS_LEAST, {"seat": situation.next_seat}
    if situation.unseen[kind] <= FEW_UNSEEN and kind <= ACE:
        everything = 4 * situation.rules.decks
        seen = everything - max(0, situation.unseen[kind])
        return Reason.SEEN, {"count": seen, "all": everything, "kind": kind}
    return (Reason.SINGLE if situation.counts[kind] == 1 else Reason.SPARE), {}


def _reason_not_to_discard(situation: Situation, kind: Kind, better: ReasonWithNumbers) -> ReasonWithNumbers:
    """Return the reason against discarding a card of that kind."""
    if chance_of_taking_pile(situation, kind) >= FEEDS_FROM:
        seat = situation.next_seat
        return Reason.FEEDS, {"seat": seat, "count": situation.pile.cards + 1}
    if is_wild(kind):
        return Reason.WILD_KEEP, {}
    if kind <= ACE and situation.counts[kind] >= 2:
        return Reason.PAIR_KEEP, {}
    if kind in situation.own and kind <= ACE:
        return Reason.LAY_COUNTS, {"points": situation.values[kind]}
    if kind <= ACE:
        return Reason.HOLD_BACK, {"kind": kind}
    return better


# --- the numbers in the sentences of reasons ------------------------------------------------------------------------


def _meld_size_at(situation: Situation, place: int) -> MeldSize:
    """Return the size of the side's meld at a place and its number of wild cards; zeros if there is no meld."""
    for meld in situation.mine.melds:
        if meld.place == place:
            return MeldSize(meld.size, meld.wilds)
    return MeldSize(0, 0)


def _size_at(situation: Situation, place: int) -> int:
    """Return the size of the side's meld at a place, zero if there is none."""
    return _meld_size_at(situation, place).size


def _wilds_in(step: Meld | LayRun) -> int:
    """Return the number of wild cards in the step."""
    return 0 if isinstance(step, LayRun) else step.twos + step.jokers


def _points_of(situation: Situation, step: Meld | LayRun) -> int:
    """Return the card points of the step."""
    values = situation.values
    if isinstance(step, LayRun):
        return sum(values[card >> 2] for card in step.cards)
    natural = values[step.kind] if step.kind < len(values) else 0
    return step.naturals * natural + step.twos * values[TWO] + step.jokers * values[JOKER]


def _canasta_points(rules: RuleSet, step: Meld | LayRun, before: MeldSize) -> int:
    """Return the bonus of the canasta that the step completes."""
    if isinstance(step, LayRun):
        return rules.bonus_seq
    if step.kind in (WILD_MELD, DEUCE_MELD):
        return min([points for _, points in rules.bonus_wild], default=0)
    return rules.bonus_mixed if before.wilds + _wilds_in(step) else rules.bonus_natural


def _points_if_out_now(situation: Situation) -> int:
    """Return the points of the side in this deal if it goes out now with its whole hand melded."""
    return situation.mine.on_table + situation.view.hand_points + situation.rules.out_bonus


def _partner_seat_and_card_count(situation: Situation) -> Numbers:
    """Return the partner's seat, and the number of its cards, as numbers for a reason's sentence."""
    seats = [seat for seat in situation.mine.seats if seat != situation.view.seat]
    return {"seat": seats[0] if seats else situation.view.seat, "cards": situation.partner_cards}


def _opponent_with_fewest_cards(situation: Situation) -> int:
    """Return the opposing seat with the fewest cards."""
    infos = situation.view.table.seats
    return min((seat for side in situation.others for seat in side.seats), key=lambda seat: infos[seat].cards)
