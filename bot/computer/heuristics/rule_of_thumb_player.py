"""Players by rules of thumb: easy, casual, and the former player by which they are measured.

This file has the rules of thumb for tables with only simple sets; `bot.computer.heuristics.weighed_steps` has those for
other rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from bot.computer.chosen_step import Choice, Numbers, Reason, RejectedStep, nearest_rejected_steps
from bot.computer.heuristics.answering_partner import choose_answer
from bot.computer.heuristics.discarding import best_discard, discard_cost
from bot.computer.heuristics.habits import CASUAL, Habits
from bot.computer.heuristics.melds_to_lay import StepWeigher, reclaiming_step
from bot.computer.heuristics.planning import cheapest_opening, going_out_plan
from bot.computer.heuristics.reasons import reason_against, reason_for
from bot.computer.heuristics.situation import MeldSize, Situation, would_lose_game
from bot.computer.heuristics.ways_out import going_out_step_with_pile
from bot.computer.heuristics.weighed_steps import weighed_step
from bot.computer.memory_of_a_deal import BLANK, Memory
from bot.engine.cards.cards import NATURAL_KINDS, TWO, Kind
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    PASS,
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_WITH_JOKER,
    TAKE_WITH_TWO,
    Discard,
    Draw,
    DrawKeeping,
    Meld,
    Step,
    Take,
    meld_step,
)
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import SeatView

CANASTA, LAY, HURRY = range(3)
"""Priorities of melds: complete a canasta, an ordinary meld, a meld only made in a hurry."""


def next_meld(situation: Situation, habits: Habits, legal: tuple[Step, ...], *, keep: int) -> Meld | None:
    """Return the next meld that leaves at least `keep` cards in hand; None if none is worthwhile."""
    wishes = sorted(_wanted_melds(situation, habits), key=lambda wish: wish[0])
    for _, wish in wishes:
        if wish in legal and situation.held - wish.size >= keep:
            return wish
    return None


def _wanted_melds(situation: Situation, habits: Habits) -> Iterator[tuple[int, Meld]]:
    """Yield each meld that is worth laying now, with its priority."""
    hurry = may_deal_end_before_next_turn(situation, habits)
    for kind in NATURAL_KINDS:
        lying = situation.own.get(kind)
        wish = (
            _wanted_new_set(situation, habits, kind, hurry=hurry)
            if lying is None
            else _wanted_addition(situation, habits, kind, lying, hurry=hurry)
        )
        if wish is not None:
            yield wish


def may_deal_end_before_next_turn(situation: Situation, habits: Habits) -> bool:
    """Return whether the deal may end before the next turn, so that cards in hand would cost points."""
    return situation.is_last_turn or (situation.may_opponents_go_out and situation.fewest_against <= habits.hurry_at)


def _wanted_new_set(situation: Situation, habits: Habits, kind: Kind, *, hurry: bool) -> tuple[int, Meld] | None:
    """Return a new set with its priority, or None.

    A natural set is laid only if enough cards stay in hand; a set with wild cards only in a hurry.
    """
    naturals = situation.counts[kind]
    rules = situation.rules
    if naturals >= rules.meld_min:
        at_once = hurry or not situation.canastas_missing or naturals >= habits.long_set
        keep = 0 if at_once else habits.keep_for_set
        return (LAY, meld_step(kind, naturals)) if situation.held - naturals > keep else None
    need = rules.meld_min - naturals
    if hurry and naturals >= rules.min_naturals and need <= situation.wilds:
        return HURRY, _meld_with_wilds(situation, kind, need)
    return None


def _wanted_addition(
    situation: Situation, habits: Habits, kind: Kind, lying: MeldSize, *, hurry: bool
) -> tuple[int, Meld] | None:
    """Return the cards to add to a meld, with their priority, or None.

    They are all naturals of the rank, or wild cards for a canasta.
    """
    naturals = situation.counts[kind]
    room = min(situation.wilds, situation.rules.max_wilds - lying.wilds)
    lacking = situation.rules.canasta_size - lying.size - naturals
    if 0 < lacking <= room:
        return CANASTA, _meld_with_wilds(situation, kind, lacking)
    lent = lacking - 1
    if situation.canastas_missing and 0 < lent <= min(room, habits.lend_wilds):
        return LAY, _meld_with_wilds(situation, kind, lent)
    if naturals:
        return LAY, meld_step(kind, naturals)
    spoils = lacking <= 0 and not lying.wilds
    laid = hurry and room and not (spoils and habits.keeps_natural)
    return (HURRY, _meld_with_wilds(situation, kind, room)) if laid else None


def _meld_with_wilds(situation: Situation, kind: Kind, wilds: int) -> Meld:
    """Return a meld of all naturals of a rank and that many wild cards, twos before jokers."""
    twos = min(wilds, situation.counts[TWO])
    return meld_step(kind, situation.counts[kind], twos, wilds - twos)


@cache
def is_simple(rules: RuleSet) -> bool:
    """Return whether the rules are simple: sets of one rank, no feet, no special demands (`_ONLY_SETS`)."""
    usual = rules.open_pile != "hand_first" and "splash" not in rules.open_waiver and rules.stock_end != "reshuffle"
    return usual and all(getattr(rules, name) == value for name, value in _ONLY_SETS.items())


_ONLY_SETS: Final[dict[str, object]] = {
    "meld_kinds": frozenset({"set"}),
    "same_rank_melds": "one",
    "wild_gate": 0,
    "no_wild_ranks": frozenset(),
    "open_wild_ranks": frozenset(),
    "dead_ranks": False,
    "wild_lock": "none",
    "black3_meld": "go_out",
    "open_shape": "any",
    "talon": (),
    "pile_take": None,
    "discard_bans": frozenset(),
    "frozen_untaken": False,
    "take_frozen": "pair",
    "take_twos": False,
    "meld_after_take": True,
    "black3_in_pile": "hand",
    "red3_role": "bonus",
    "black3_role": "stopper",
    "out_need": (),
    "out_canastas_before": False,
    "out_excludes": frozenset(),
    "out_clean": False,
    "out_red_threes": 0,
    "foot_pickup": "none",
    "special_hands": frozenset(),
    "auto_win": "none",
    "theme": (),
}
"""Values of parameters in simple rules."""


def best_take(situation: Situation, habits: Habits, legal: tuple[Step, ...]) -> Take | None:
    """Return the cheapest worthwhile way to take the pile; None if drawing is better.

    Adding the top to a meld costs nothing; a pair makes a natural set; a wild card must be repaid by the cards
    below. A take that opens the side is always worthwhile.
    """
    for take, least in (
        (TAKE_ADD, habits.take_add_from),
        (TAKE_PAIR, habits.take_pair_from if situation.opened else 1),
        (TAKE_WITH_TWO, habits.take_two_from),
        (TAKE_WITH_JOKER, habits.take_joker_from),
    ):
        if take in legal and situation.pile.cards >= least:
            return take
    return None


Steps = tuple[Step, ...]

CARDS_TO_STAY = 2
"""Cards to keep after melding, one to discard and one to hold: with fewer the player must go out."""


class RuleOfThumbPlayer:
    """A computer player that decides by rules of thumb; equal views and memories give equal choices.

    With `remembers` it counts the cards of the pile and those known to be in hands; else it ignores its memory.
    """

    def __init__(self, habits: Habits = CASUAL, *, remembers: bool = False) -> None:
        self._habits = habits
        self._remembers = remembers

    def choose(self, view: SeatView, memory: Memory = BLANK) -> Choice:
        """Return the player's choice for its turn; the step is always one of `view.legal`."""
        if len(view.legal) == 1:
            return choice_of_only_step(view)
        situation = Situation(view, memory if self._remembers else BLANK)
        wanted = step_by_habits(situation, self._habits)
        step = wanted if wanted is not None and wanted in view.legal else view.legal[0]
        told = reason_for(situation, step)
        return Choice(step, *told, _rejected_discards(situation, self._habits, step, told))


def choice_of_only_step(view: SeatView) -> Choice:
    """Return the choice of a seat with only one legal step."""
    step = view.legal[0]
    return Choice(step, Reason.DRAW_ONLY if isinstance(step, Draw | DrawKeeping) else Reason.ONLY)


def step_by_habits(situation: Situation, habits: Habits) -> Step | None:
    """Return the step that a player with these habits chooses; None if it prefers none."""
    view = situation.view
    if view.table.phase is Phase.ANSWER:
        return choose_answer(situation, habits)
    if not is_simple(view.table.rules):
        return weighed_step(situation, habits, view.legal)
    if view.table.phase is Phase.DRAW:
        return step_before_draw(situation, habits, view.legal)
    return step_after_draw(situation, habits, view.legal)


def _rejected_discards(
    situation: Situation, habits: Habits, chosen: Step, reason: tuple[Reason, Numbers]
) -> tuple[RejectedStep, ...]:
    """Return the steps rejected in favour of a chosen discard; empty for other chosen steps.

    They are the other discards, with the difference in cost, and melds that were better not begun.
    """
    if not isinstance(chosen, Discard):
        return ()
    least = discard_cost(situation, habits, chosen.kind)
    behind: dict[Step, float] = {
        step: max(0.0, discard_cost(situation, habits, step.kind) - least)
        for step in situation.view.legal
        if isinstance(step, Discard) and step != chosen
    }
    behind |= _melds_not_begun(situation, habits)
    return nearest_rejected_steps(
        RejectedStep(step, *reason_against(situation, step, reason), gap) for step, gap in behind.items()
    )


def _melds_not_begun(situation: Situation, habits: Habits) -> dict[Step, float]:
    """Return the melds that are better not begun, each with the points that it would lose.

    They would cost points while they are unfinished.
    """
    if not situation.rules.incomplete_penalty:
        return {}
    weighing = StepWeigher(situation, habits)
    melds = [step for step in situation.view.legal if isinstance(step, Meld)]
    rash = [step for step in melds if weighing.is_likely_to_stay_unfinished(step)]
    largest = {step.place: step for step in sorted(rash, key=lambda step: step.size)}
    return {step: max(0.0, -weighing.gain_of(step)) for step in largest.values()}


def step_before_draw(situation: Situation, habits: Habits, legal: Steps) -> Step:
    """Return the step before the draw: take the pile, draw, or pass when the stock is out."""
    take = going_out_step_with_pile(situation, legal) or best_take(situation, habits, legal)
    if take is not None:
        return take
    return DRAW if DRAW in legal else PASS


def step_after_draw(situation: Situation, habits: Habits, legal: Steps) -> Step | None:
    """Return the step after the draw: go out if possible and sensible, else meld, then discard."""
    stays = situation.view.table.permission is False or would_lose_game(situation)
    step = None if stays else _going_out_step(situation, habits, legal)
    step = step or reclaiming_step(situation, legal)
    if step is None:
        keep = CARDS_TO_STAY if stays else 0
        step = next_meld(situation, habits, legal, keep=keep) if situation.opened else _opening_step(situation, legal)
    return step or best_discard(situation, habits, legal)


def _going_out_step(situation: Situation, habits: Habits, legal: Steps) -> Step | None:
    """Return the next step of going out: announce, ask, lay cards, or discard the last one."""
    plan = going_out_plan(situation.rules, situation.counts, situation.own, canastas_missing=situation.canastas_missing)
    if plan is None:
        return None
    if ANNOUNCE in legal:
        return ANNOUNCE
    if ASK in legal and (situation.rules.needs_word or situation.partner_cards >= habits.ask_from):
        return ASK
    step = plan[0] if plan else best_discard(situation, habits, legal)
    return step if step in legal else None


def _opening_step(situation: Situation, legal: Steps) -> Step | None:
    """Return the next step of the cheapest initial meld, or None."""
    waiting = situation.pile.cards if situation.pile.aside else 0
    plan = cheapest_opening(
        situation.rules, situation.counts, situation.own, missing=situation.missing, keep=max(0, 2 - waiting)
    )
    first = plan.steps[0] if plan is not None and plan.steps else None
    return first if first in legal else None
