"""The casual player: plays like a person who knows the game, by rules of thumb and without a memory.

What to lay once the side has opened.

Simple rules: those that a computer player plays by its rules of thumb for sets of one rank.

Whether the pile is worth taking.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from bot.computer.discarding import best_discard
from bot.computer.habits import CASUAL, Habits
from bot.computer.melds_to_lay import wild_cards_back
from bot.computer.planning import going_out, opening
from bot.computer.situation import Lying, Situation, loses_the_game
from bot.computer.varied import varied_step
from bot.computer.ways_out import out_with_pile
from bot.engine.cards.cards import NATURAL_KINDS, TWO, Kind
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    NO,
    PASS,
    TAKE_ADD,
    TAKE_PAIR,
    TAKE_WITH_JOKER,
    TAKE_WITH_TWO,
    YES,
    Answer,
    Meld,
    Step,
    Take,
    meld,
)
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.views import SeatView

CANASTA, LAY, HURRY = range(3)
"""What comes first: completing canastas, cards that lie well, and last what one parts with in a hurry only."""


def next_meld(situation: Situation, habits: Habits, legal: tuple[Step, ...], *, keep: int) -> Meld | None:
    """Return the next cards to lay while at least `keep` stay in hand, or None when the rest is better kept."""
    wishes = sorted(_wishes(situation, habits), key=lambda wish: wish[0])
    for _, wish in wishes:
        if wish in legal and situation.held - wish.size >= keep:
            return wish
    return None


def _wishes(situation: Situation, habits: Habits) -> Iterator[tuple[int, Meld]]:
    hurry = in_a_hurry(situation, habits)
    for kind in NATURAL_KINDS:
        lying = situation.own.get(kind)
        wish = (
            _new_set(situation, habits, kind, hurry=hurry)
            if lying is None
            else _addition(situation, habits, kind, lying, hurry=hurry)
        )
        if wish is not None:
            yield wish


def in_a_hurry(situation: Situation, habits: Habits) -> bool:
    """Return whether the deal may be over before the next turn, so that cards held would count against the side."""
    return situation.last_turn or (situation.against_may_go_out and situation.fewest_against <= habits.hurry_at)


def _new_set(situation: Situation, habits: Habits, kind: Kind, *, hurry: bool) -> tuple[int, Meld] | None:
    """Return a new set with its urgency: natural while enough stays in hand, or a pair with a wild card in a hurry."""
    naturals = situation.counts[kind]
    rules = situation.rules
    if naturals >= rules.meld_min:
        at_once = hurry or not situation.canastas_missing or naturals >= habits.long_set
        keep = 0 if at_once else habits.keep_for_set
        return (LAY, meld(kind, naturals)) if situation.held - naturals > keep else None
    need = rules.meld_min - naturals
    if hurry and naturals >= rules.min_naturals and need <= situation.wilds:
        return HURRY, _with_wilds(situation, kind, need)
    return None


def _addition(
    situation: Situation, habits: Habits, kind: Kind, lying: Lying, *, hurry: bool
) -> tuple[int, Meld] | None:
    """What to add to a meld, with its urgency: all naturals, and wild cards that all but complete a canasta, or do."""
    naturals = situation.counts[kind]
    room = min(situation.wilds, situation.rules.max_wilds - lying.wilds)
    lacking = situation.rules.canasta_size - lying.size - naturals
    if 0 < lacking <= room:
        return CANASTA, _with_wilds(situation, kind, lacking)
    lent = lacking - 1
    if situation.canastas_missing and 0 < lent <= min(room, habits.lend_wilds):
        return LAY, _with_wilds(situation, kind, lent)
    if naturals:
        return LAY, meld(kind, naturals)
    return (HURRY, _with_wilds(situation, kind, room)) if hurry and room else None


def _with_wilds(situation: Situation, kind: Kind, wilds: int) -> Meld:
    """Return all naturals of a rank with so many wild cards, twos before jokers."""
    twos = min(wilds, situation.counts[TWO])
    return meld(kind, situation.counts[kind], twos, wilds - twos)


def next_turn_gain(situation: Situation) -> int:
    """Points the hand could lay down in one turn as it is: each card counts twice, since held it counts against.

    Wild cards are not reckoned with, nor is what the turn may bring.
    """
    rules = situation.rules
    gain = 0
    for kind in NATURAL_KINDS:
        naturals = situation.counts[kind]
        before = situation.own.get(kind, Lying(0, 0))
        if not naturals or before.size + naturals < rules.meld_min:
            continue
        gain += 2 * naturals * situation.values[kind]
        if before.size < rules.canasta_size <= before.size + naturals:
            gain += rules.bonus_mixed if before.wilds else rules.bonus_natural
    return gain


@cache
def are_simple(rules: RuleSet) -> bool:
    """Return whether these rules are simple: sets of one rank, one hand, a whole pile, all as `_ONLY_SETS` has it."""
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
"""The values that parameters have in simple rules."""


def best_take(situation: Situation, habits: Habits, legal: tuple[Step, ...]) -> Take | None:
    """Return the cheapest way to take the pile that it is worth, or None when drawing is better.

    Adding the top to a meld costs nothing; a pair makes a natural set of it; a wild card must be paid for by the
    cards below. A take that is legal before the side has opened opens it, which is always worth it.
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
"""One to discard and one to hold: who has fewer after melding must go out."""


class CasualPlayer:
    """Keeps nothing between choices: equal views get equal steps."""

    def __init__(self, habits: Habits = CASUAL) -> None:
        self._habits = habits

    def choose(self, view: SeatView) -> Step:
        """Return the step it takes; always one of `view.legal`."""
        if len(view.legal) == 1:
            return view.legal[0]
        situation = Situation(view)
        if view.table.phase is Phase.ANSWER:
            wanted: Step | None = answer(situation, self._habits)
        elif not are_simple(view.table.rules):
            wanted = varied_step(situation, self._habits, view.legal)
        elif view.table.phase is Phase.DRAW:
            wanted = begin_turn(situation, self._habits, view.legal)
        else:
            wanted = go_on(situation, self._habits, view.legal)
        return wanted if wanted in view.legal else view.legal[0]


def begin_turn(situation: Situation, habits: Habits, legal: Steps) -> Step:
    """Draw or take the pile; with the stock out, take or end the deal."""
    take = out_with_pile(situation, legal) or best_take(situation, habits, legal)
    if take is not None:
        return take
    return DRAW if DRAW in legal else PASS


def go_on(situation: Situation, habits: Habits, legal: Steps) -> Step | None:
    """After the draw: go out if that can be done and should be, else meld, then discard."""
    stays = situation.view.table.permission is False or loses_the_game(situation)
    step = None if stays else _going_out(situation, habits, legal)
    step = step or wild_cards_back(situation, legal)
    if step is None:
        keep = CARDS_TO_STAY if stays else 0
        step = next_meld(situation, habits, legal, keep=keep) if situation.opened else _opening(situation, legal)
    return step or best_discard(situation, habits, legal)


def _going_out(situation: Situation, habits: Habits, legal: Steps) -> Step | None:
    """Return the next step of going out: to announce it or ask first, to lay cards, or to discard the last one."""
    plan = going_out(situation.rules, situation.counts, situation.own, canastas_missing=situation.canastas_missing)
    if plan is None:
        return None
    if ANNOUNCE in legal:
        return ANNOUNCE
    if ASK in legal and (situation.rules.needs_word or situation.partner_cards >= habits.ask_from):
        return ASK
    step = plan[0] if plan else best_discard(situation, habits, legal)
    return step if step in legal else None


def _opening(situation: Situation, legal: Steps) -> Step | None:
    """Return the next step of the cheapest initial meld, if the hand has one."""
    waiting = situation.pile.cards if situation.pile.aside else 0
    plan = opening(
        situation.rules, situation.counts, situation.own, missing=situation.missing, keep=max(0, 2 - waiting)
    )
    first = plan.steps[0] if plan is not None and plan.steps else None
    return first if first in legal else None


def answer(situation: Situation, habits: Habits) -> Answer:
    """Yes, unless this hand would lay down so much in its next turn that waiting for it pays."""
    in_danger = situation.against_may_go_out and situation.fewest_against <= habits.hurry_at
    return NO if not in_danger and next_turn_gain(situation) >= habits.say_no_from else YES
