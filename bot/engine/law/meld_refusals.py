"""Melding: reasons against melding cards or merging melds; and claims after opening from the hand.

A step is legal if the hand holds the cards, they may go there, and the turn can still end legally after it. Each
function that begins with `why` returns a `Refusal`, or None if nothing forbids the step.

A side that opens from its hand must take the pile in the same turn, by the rules for an open side. In the published
rule sets it does so with naturals that it has kept, which `bot.engine.law.opening_from_hand` decides. House rules may
also let it take the pile with a wild card, or by adding the top to a meld; the seat may meld a card of the top's rank
in a run first; and it may go out with the cards of the pile, or pick up its foot. If `opening_from_hand` has refused,
these lines of play are searched.

Decides `docs/law/classic.md 1.8, 1.10, 1.12, 1.23`; runs, and several melds of a rank, by `docs/law/variants.md 3.1,
3.3`, and opening from the hand by `docs/law/variants.md 3.10`. Reads `auto_win`, `canasta_size`, `meld_kinds`,
`open_count_top`, `open_shape`, `take_open`, `talon`, `theme`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, RED_THREE, TWO, Card
from bot.engine.cards.meld_places import (
    DEUCE_MELD,
    FAMILIES,
    WILD_MELD,
    Place,
    family_of,
    is_run,
    natural_kind,
    run_place,
)
from bot.engine.cards.packed_counts import pack_counts
from bot.engine.law import foot_and_talon, opening_from_hand
from bot.engine.law.instant_wins import may_still_win, why_not_end_or_win
from bot.engine.law.opening_from_hand import must_take_with_naturals
from bot.engine.law.top_card_claims import why_not_add_top, why_not_meld_top
from bot.engine.law.turn_end import can_go_out_now, cards_to_keep, goals_besides_canastas, may_go_out, may_leave_cards
from bot.engine.melds.meld_shapes import why_cards_not_held
from bot.engine.melds.table_meld import TableMeld, pick_cards
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, LayRun, Meld, Take
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.merging_melds import may_merge_melds, standing_after_merger
from bot.engine.reach.opening_goals import (
    CLEAN_SIZE,
    NEEDING_CLEAN,
    Goal,
    goals_for_minimum,
    goals_of_turn,
    is_clean_meld,
    is_demand_met,
    is_goal_reached,
    place_of_uncounted_top,
    remaining_goals,
    why_meld_cannot_open,
)
from bot.engine.reach.opening_points import can_reach_goal
from bot.engine.reach.quick_bounds import is_out_impossible
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.runs import why_not_run
from bot.engine.reach.set_steps import is_possible_addition
from bot.engine.reach.step_search import can_reach_end, outlooks_after_next_meld
from bot.engine.reach.turn_outlook import Outlook, Standing, opens_in_this_turn, outlook_of, standing_of
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table import themes_in_force
from bot.engine.table.applying_meld_events import cards_melded_by
from bot.engine.table.bonus_threes import why_not_meld_red_three
from bot.engine.table.state import State
from bot.engine.table.state_queries import (
    coming_card,
    going_out_obligation,
    is_frozen_for,
    is_one_card_pile_banned,
    may_not_meld,
    must_go_out,
    naturals_needed,
    number_coming_after_opening,
    number_of_coming_cards,
)


def can_open_and_claim(state: State, opening: Outlook, goals: Sequence[Goal]) -> bool:
    """Return whether some line of play opens the side and takes the pile, and the turn can end after it."""
    if not (
        _may_claim_without_naturals(state, opening)
        or _may_get_foot_or_go_out(state, opening)
        or _may_put_top_rank_in_run(state, opening)
    ):
        return False
    opened = state.opened[state.side]

    def can_claim_at(now: Outlook) -> bool | None:
        if opened or is_goal_reached(now.standing.rules, goals, now.laid_points, now.standing.melds.values()):
            claimed = any(why_not_end_or_win(state, after, place) is None for after, place in _ways_to_take(state, now))
            return True if claimed else None
        missing = remaining_goals(goals, now.laid_points)
        reached = any(can_reach_goal(now.standing, now.hand, goal, keep=0) for goal in missing)
        return None if reached else False

    def outlooks_that_keep_cards(outlook: Outlook) -> Iterator[Outlook]:
        return (after for after in outlooks_after_next_meld(outlook) if after.hand)

    return bool(opening.hand) and can_reach_end(opening, can_claim_at, outlooks_that_keep_cards)


def _may_claim_without_naturals(state: State, opening: Outlook) -> bool:
    """Return whether the top card could be claimed with a wild card, or added to a meld."""
    if must_take_with_naturals(state):
        return False
    rules, top = state.rules, state.pile[-1]
    held = [card >> 2 for card in opening.hand].count(top >> 2)
    if held or top >> 2 in opening.standing.spread.families:
        return True
    return "add_seq" in rules.take_open and "seq" in rules.meld_kinds


def _may_get_foot_or_go_out(state: State, opening: Outlook) -> bool:
    """Return whether the turn may end with so few cards that the seat gets its foot or goes out."""
    if number_of_coming_cards(state) >= cards_to_keep(state):
        return False
    if foot_and_talon.may_earn_foot(state):
        return True
    come = coming_card(state)
    hand = tuple(sorted((*opening.hand, state.pile[-1], *(() if come is None else (come,)))))
    return not is_out_impossible(opening.standing, hand, pack_counts(hand))


def _may_put_top_rank_in_run(state: State, opening: Outlook) -> bool:
    """Return whether a card of the top's rank that is not needed to claim it could go into a run."""
    if "seq" not in state.rules.meld_kinds:
        return False
    held = [card >> 2 for card in opening.hand].count(state.pile[-1] >> 2)
    return held > naturals_needed(state, opened=True)


def _ways_to_take(state: State, outlook: Outlook) -> Iterator[tuple[Outlook, Place]]:
    """Yield each way to take the pile: the turn after it, and the place of the top card."""
    rules, top = state.rules, state.pile[-1]
    if len(outlook.hand) == 1 and len(state.pile) == 1 and is_one_card_pile_banned(state):
        return
    for place, cards in _ways_to_claim(state, outlook.standing, outlook.hand):
        after = outlook.after_laying(place, cards, top)
        meld = after.standing.melds[place]
        before = outlook.standing.melds.get(place)
        finished = before is not None and before.size >= rules.canasta_size
        if meld.size < rules.canasta_size or finished or outlook.standing.may_make_canasta(meld):
            yield replace(after, below=number_of_coming_cards(state)), place


def _ways_to_claim(state: State, standing: Standing, hand: Sequence[Card]) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """Yield each place for the top card of an open side, with the cards of the hand that claim it."""
    rules, top = state.rules, state.pile[-1]
    kind = top >> 2
    places = standing.possible_places(kind)
    place = places[-1] if places else kind
    frozen = is_frozen_for(state, opened=True)
    if frozen or "pair" in rules.take_open:
        yield from _possible_claims(standing, hand, place, (naturals_needed(state, opened=True), 0, 0))
    if frozen:
        return
    if "card+wild" in rules.take_open:
        yield from _possible_claims(standing, hand, place, (1, 1, 0))
        yield from _possible_claims(standing, hand, place, (1, 0, 1))
    if "add" in rules.take_open:
        yield from [
            (meld.place, ())
            for meld in standing.melds_of_family(kind)
            if not why_not_add_top(standing, top, meld.place)
        ]
    if "add_seq" in rules.take_open:
        runs = standing.melds_of_family(run_place(top & 3))
        yield from [(run.place, ()) for run in runs if not why_not_add_top(standing, top, run.place)]


def _possible_claims(
    standing: Standing, hand: Sequence[Card], place: Place, wanted: tuple[int, int, int]
) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """Yield the place and the claiming cards, if the hand holds them and they may join the top there.

    `wanted` are their numbers of naturals, twos and jokers.
    """
    if why_not_meld_top(standing, family_of(place), place) is not None:
        return
    naturals, twos, jokers = wanted
    cards = pick_cards(hand, ((natural_kind(place), naturals), (TWO, twos), (JOKER, jokers)))
    if len(cards) == sum(wanted) and why_not_join(standing, place, naturals + 1, twos, jokers) is None:
        yield place, cards


def why_not_meld(state: State, step: Meld, cards: tuple[Card, ...] | None = None) -> Refusal | None:
    """Return the refusal if the cards make no meld there or the turn could not end legally, else None.

    `cards` are the cards to meld; without it `bot.engine.table.applying_meld_events` picks them.
    """
    if state.phase is not phases.PLAY and not opening_from_hand.may_open_from_hand(state):
        return Refusal(Code.DRAW_FIRST)
    if may_not_meld(state):
        return Refusal(Code.MELD_AFTER_TAKE)
    if not _is_listed_addition(state, step) and (refusal := _why_not_at_place(state, step)) is not None:
        return refusal
    if can_surely_end_turn(state, step.size):
        return None
    return why_not_end_after_laying(state, step.place, cards_melded_by(state, step) if cards is None else cards)


def _is_listed_addition(state: State, step: Meld) -> bool:
    """Return whether a cached list of possible additions has the step.

    If not, the step may still be legal: `_why_not_at_place` must decide.
    """
    rules = state.rules
    if step.place & FAMILIES - 1 > ACE or rules.theme:
        return False
    standing = standing_of(state)
    if (
        standing.opening
        and (step.twos or step.jokers)
        and rules.open_shape in NEEDING_CLEAN
        and state.opened[state.side]
    ):
        return False  # a wild card may make the required clean meld unclean
    return is_possible_addition(standing, state.packed[state.turn], step)


def _why_not_at_place(state: State, step: Meld) -> Refusal | None:
    """Return the refusal if the cards are not held or may not go to that place, else None.

    Whether the turn can end legally afterwards is not checked.
    """
    if family_of(step.place) == RED_THREE:
        return why_not_meld_red_three(state.rules)
    if is_run(step.place):
        return Refusal(Code.MELD_NO_RANK)
    if step.size <= 0 or min(step.naturals, step.twos, step.jokers) < 0:
        return Refusal(Code.NO_CARDS)
    if not _is_family_allowed(state.rules, step):
        return Refusal(Code.MELD_NO_RANK)
    refusal = why_cards_not_held(
        state.packed[state.turn], natural_kind(step.place) or 0, step.naturals, step.twos, step.jokers
    )
    if refusal is None:
        standing = standing_of(state)
        refusal = why_banned_by_theme(state, step) if state.rules.theme else None
        refusal = refusal or why_not_join(standing, step.place, step.naturals, step.twos, step.jokers)
        refusal = (
            refusal
            or why_not_spoil_clean_meld(state, standing, step)
            or why_canasta_banned(state, standing, step.place, step.size)
        )
    if refusal is not None:
        return _refusal_with_opponents_meld(state, step.place, refusal)
    if family_of(step.place) == BLACK_THREE:
        left = len(state.hands[state.turn]) - step.size + number_coming_after_opening(state)
        if state.phase is not phases.PLAY:  # the pile must still be taken, so the seat would not go out with these
            return _black_threes_refusal(left + number_of_coming_cards(state) + 1)
        if (
            left > 1
            or foot_and_talon.has_foot_waiting(state, state.turn)
            or not _goes_out_with_black_threes(state, step)
        ):
            return _black_threes_refusal(left)
    return None


def _black_threes_refusal(left: int) -> Refusal:
    """Return the refusal of black threes, because they may be melded only in going out.

    `left` is the number of cards that would be left in the hand.
    """
    return Refusal(Code.BLACK_THREES_ONLY_OUT, {"left": left, "many": int(left > 1)})


def _refusal_with_opponents_meld(state: State, place: Place, refusal: Refusal) -> Refusal:
    """Return the refusal; if the meld has too few cards, add the rank if opponents have a meld of it."""
    kind = family_of(place)
    if refusal.code not in _TOO_FEW or kind > ACE or kind in state.spreads[state.side].families:
        return refusal
    theirs = any(kind in spread.families for spread in state.spreads)
    return Refusal(refusal.code, {**refusal.detail, "theirs": kind_name(kind)}) if theirs else refusal


_TOO_FEW: Final = (Code.MELD_TOO_SMALL, Code.MELD_TOO_FEW_NATURALS)


def _is_family_allowed(rules: RuleSet, step: Meld) -> bool:
    """Return whether these rules have melds of the step's family.

    Melds of twos as a rank, and of wild cards alone, take no naturals.
    """
    family = family_of(step.place)
    if family in (DEUCE_MELD, WILD_MELD):
        return not step.naturals and ("deuce" if family == DEUCE_MELD else "wild") in rules.meld_kinds
    return family <= BLACK_THREE


def _goes_out_with_black_threes(state: State, step: Meld) -> bool:
    """Return whether the seat goes out with these black threes.

    It need not if it will get a talon: it may keep one card and end its turn by discarding that.
    """
    if not state.rules.talon or not foot_and_talon.talon_size_due(state):
        return True
    return can_go_out_now(
        state, outlook_of(state).after_laying(step.place, cards_melded_by(state, step)), goals_besides_canastas(state)
    )


def why_not_lay_run(state: State, step: LayRun, following: int = 0) -> Refusal | None:
    """Return the refusal if the cards make or join no run, or the turn could not end legally, else None.

    `following` is the number of cards laid after them in the same act. Source: `docs/law/variants.md 3.1`.
    """
    if state.phase is not phases.PLAY and not opening_from_hand.may_open_from_hand(state):
        return Refusal(Code.DRAW_FIRST)
    if may_not_meld(state):
        return Refusal(Code.MELD_AFTER_TAKE)
    standing = standing_of(state)
    refusal = why_banned_by_theme(state, step) if state.rules.theme else None
    refusal = refusal or why_not_run(standing, step.place, step.low, step.high)
    refusal = refusal or why_canasta_banned(state, standing, step.place, step.size)
    if refusal is not None:
        return refusal
    hand = state.hands[state.turn]
    for card in step.cards:
        if card not in hand:
            return Refusal(Code.CARD_NOT_HELD, {"card": card, "held": 0, "needed": 1})
    if (refusal := why_not_extend_full_run(state, standing, step, following)) is not None:
        return refusal
    return None if can_surely_end_turn(state, step.size) else why_not_end_after_laying(state, step.place, step.cards)


def why_not_extend_full_run(state: State, standing: Standing, step: LayRun, following: int = 0) -> Refusal | None:
    """Return the refusal if a finished run may not take these cards, else None.

    A finished run grows only in going out: the seat must have to go out, or still be able to after the step. If the
    `following` cards of the same act leave at most one card in the hand, the run may grow here; the end of the act is
    checked later. Source: `docs/law/variants.md 3.3`.
    """
    lying = standing.melds.get(step.place)
    bound = going_out_obligation(state)
    if lying is None or lying.size + step.size <= standing.rules.canasta_size or bound is True:
        return None
    left = len(state.hands[state.turn]) - step.size + number_coming_after_opening(state)
    if bound is None:
        if left - following <= 1:
            return None
        now = outlook_of(state)
        if all(card in now.hand for card in step.cards) and may_go_out(state, now.after_laying(step.place, step.cards)):
            return None
    return Refusal(Code.RUN_GROWS_ONLY_OUT, {"left": left})


def why_banned_by_theme(state: State, step: Meld | LayRun | Take) -> Refusal | None:
    """Return the refusal if a theme forbids melding some of these cards, else None."""
    if isinstance(step, LayRun):
        kinds = set(range(step.low, step.high + 1))
    else:
        kinds = {kind for kind, count in ((TWO, step.twos), (JOKER, step.jokers)) if count}
        if isinstance(step, Take):
            kinds.add(state.pile[-1] >> 2)
        elif step.naturals:
            kinds.add(family_of(step.place))
    return themes_in_force.why_not_meld_kinds(state, kinds, opening=opens_in_this_turn(state))


def why_canasta_banned(state: State, standing: Standing, place: Place, more: int) -> Refusal | None:
    """Return the refusal if a theme forbids the meld at that place to grow by `more` cards, else None."""
    if standing.limits is None:
        return None
    lying = standing.melds.get(place)
    before = 0 if lying is None else lying.size
    return themes_in_force.why_themes_forbid_growth(state, place, before, before + more)


def can_surely_end_turn(state: State, size: int) -> bool:
    """Return whether an open side keeps enough cards after melding `size` of them to end the turn."""
    opened = state.opened[state.side]
    # a side that opened from its hand before the draw must still take the pile
    if not opened or (state.started and state.phase is not phases.PLAY):
        return False
    return not must_go_out(state) and may_leave_cards(state, len(state.hands[state.turn]) - size)


def why_not_spoil_clean_meld(state: State, standing: Standing, step: Meld) -> Refusal | None:
    """Return the refusal if a wild card would spoil the only clean meld of the side, else None.

    Only a side that has opened in this turn, with a required clean meld, may not spoil it. Before it has opened,
    another clean meld may follow, so the whole initial meld is checked instead.
    """
    rules = standing.rules
    if not standing.opening or rules.open_shape not in NEEDING_CLEAN or not (step.twos or step.jokers):
        return None
    if not state.opened[state.side]:
        return None
    lying = standing.melds.get(step.place)
    uncounted_top = place_of_uncounted_top(rules, state.claimed)
    if lying is None or not is_clean_meld(lying, uncounted_top=uncounted_top):
        return None
    others = [meld for place, meld in standing.melds.items() if place != step.place]
    return None if _is_demand_met(rules, others, uncounted_top) else _unclean_refusal(rules)


def _is_demand_met(rules: RuleSet, melds: Iterable[TableMeld], uncounted_top: Place | None) -> bool:
    """Return whether one of these melds meets the rules' demand on an initial meld."""
    goals = goals_for_minimum(rules, minimum=0)
    laid = tuple(melds)
    return any(is_demand_met(rules, goal.demand, laid, uncounted_top=uncounted_top) for goal in goals)


def _unclean_refusal(rules: RuleSet) -> Refusal:
    """Return the refusal for an initial meld without the clean meld that these rules demand."""
    code = Code.OPENING_NEEDS_CLEAN if rules.open_shape == "clean3" else Code.OPENING_NEEDS_CLEAN_OR_WILD
    return Refusal(code, {"required": CLEAN_SIZE})


def _why_merger_spoils_clean_meld(state: State, standing: Standing, after: Standing, place: Place) -> Refusal | None:
    """Return the refusal if merging would cost the opening side its clean meld, else None."""
    rules = standing.rules
    if not standing.opening or rules.open_shape not in NEEDING_CLEAN:
        return None
    made = after.melds[place]
    refusal = why_meld_cannot_open(rules, made.kind, made.naturals, made.wilds)
    if refusal is not None or not state.opened[state.side]:
        return refusal
    shaped = _is_demand_met(rules, after.melds.values(), place_of_uncounted_top(rules, state.claimed))
    return None if shaped else _unclean_refusal(rules)


def why_not_combine(state: State, step: Combine) -> Refusal | None:
    """Return the refusal if two melds may not be merged, or the turn could not end legally, else None.

    Source: `docs/law/variants.md 3.1`.
    """
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    standing = standing_of(state)
    moved, onto = standing.melds.get(step.place), standing.melds.get(step.onto)
    if moved is None or onto is None or not may_merge_melds(standing, moved, onto):
        return Refusal(Code.CANNOT_COMBINE)
    if standing.limits is not None:
        refusal = themes_in_force.why_themes_forbid_growth(
            state, step.onto, max(moved.size, onto.size), moved.size + onto.size
        )
        if refusal is not None:
            return refusal
    now = outlook_of(state)
    after = standing_after_merger(standing, moved, onto)
    if (refusal := _why_merger_spoils_clean_meld(state, standing, after, step.onto)) is not None:
        return refusal
    return why_not_end_or_win(state, replace(now, standing=after), top_place=state.claimed)


def why_not_end_after_laying(
    state: State, place: Place, cards: Sequence[Card], *, top: Card | None = None
) -> Refusal | None:
    """Return the refusal if the turn could not end legally after these cards are melded, else None.

    `top` is the pile's top card if it is melded with them; the rest of the pile then comes to the hand.
    """
    after = outlook_of(state).after_laying(place, cards, top)
    if top is not None:
        return why_not_end_or_win(state, replace(after, below=number_of_coming_cards(state)), top_place=place)
    if not opening_from_hand.may_open_from_hand(state):
        return why_not_end_or_win(state, after, top_place=state.claimed)
    goals = goals_of_turn(state)
    refusal = opening_from_hand.why_not_open_and_claim(state, after, goals, needed=naturals_needed(state, opened=True))
    if refusal is None or can_open_and_claim(state, after, goals):
        return None
    # None as the place of the top card: the pile has not been taken yet
    wins = state.rules.wins_at_once and may_still_win(state, replace(after, from_stock=True), None)
    return None if wins else refusal
