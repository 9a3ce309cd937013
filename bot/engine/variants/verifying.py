"""Verifying: why cards may not be laid where more than sets of one rank is in the game, or that they may.

Each function answers with a `Refusal` or with None, as those of `bot.engine.verify` do, which call them for rule sets
that are varied (`RuleSet.varied`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.engine import phases
from bot.engine.actions import Combine, LayRun, Meld, Take
from bot.engine.canastas import enough, why_not_enough
from bot.engine.cards import ACE, BLACK_THREE, JOKER, RED_THREE, TWO, Card
from bot.engine.counts import tally
from bot.engine.ending import cannot_go_out, said_yes, why_not_held
from bot.engine.melds import TableMeld
from bot.engine.places import DEUCE_MELD, FAMILIES, WILD_MELD, Place, family_of, is_run, natural_kind
from bot.engine.queries import gathered_card, gathered_kind, gathered_size, minimum, naturals_needed, word
from bot.engine.refusals import Code, Refusal
from bot.engine.sorted_cards import meld_of, points_of, without
from bot.engine.state import State
from bot.engine.themes import force
from bot.engine.values import value
from bot.engine.variants import foot, hand_first, talon
from bot.engine.variants.bounds import is_far_from_out, too_few_canastas
from bot.engine.variants.discards import never_last
from bot.engine.variants.finishing import can_finish, lays_down
from bot.engine.variants.first_canasta import may_complete
from bot.engine.variants.keeping import kept
from bot.engine.variants.last_card import may_open_and_go_out
from bot.engine.variants.openings import CLEAN, NEEDING_CLEAN, Goal, goals_of, is_clean, opens, why_not_open
from bot.engine.variants.reaching import most_points, reaches
from bot.engine.variants.regrouping import combined, may_combine
from bot.engine.variants.runs import cards_of, why_not_run
from bot.engine.variants.set_steps import may_lay
from bot.engine.variants.sets import why_not_join
from bot.engine.variants.standing import Standing, opens_now, standing_of


@value
class Outlook:
    """A turn as it stands when something has been laid: the melds, the hand, the points laid by a side not open yet.

    `below` cards come to the hand once the side has opened, because the pile's top has been laid.
    """

    standing: Standing
    hand: tuple[Card, ...]
    laid_points: int
    below: int
    from_stock: bool


def outlook_of(state: State) -> Outlook:
    """The turn as it stands now."""
    return Outlook(
        standing_of(state),
        state.hands[state.turn],
        state.laid_points,
        gathered_size(state) if state.aside else 0,
        state.drew == "stock",
    )


# --- laying ----------------------------------------------------------------------------------------------------------


def why_not_meld(state: State, step: Meld) -> Refusal | None:
    """Whether these cards make or join a meld there, and the turn can still end lawfully."""
    if state.phase is not phases.PLAY and not hand_first.is_on(state):
        return Refusal(Code.DRAW_FIRST)
    if not _may_lie(state, step) and (refusal := _why_not_there(state, step)) is not None:
        return refusal
    return None if ends_anyhow(state, step.size) else why_not_lay(state, step.place, chosen(state, step))


def _may_lie(state: State, step: Meld) -> bool:
    """Whether these cards certainly may lie there, which can be looked up for ranks without a theme."""
    rules = state.rules
    if step.place & FAMILIES - 1 > ACE or rules.theme:
        return False
    standing = standing_of(state)
    if standing.opening and rules.open_shape in NEEDING_CLEAN:
        return False
    return may_lay(standing, state.packed[state.turn], step)


def _why_not_there(state: State, step: Meld) -> Refusal | None:
    """Whether the seat in turn holds these cards, and they may lie there, whatever the turn comes to after it."""
    if family_of(step.place) == RED_THREE:
        return Refusal(Code.MELD_RED_THREE)
    if is_run(step.place):
        return Refusal(Code.MELD_NO_RANK)
    if step.size <= 0 or min(step.naturals, step.twos, step.jokers) < 0:
        return Refusal(Code.NO_CARDS)
    if step.naturals and family_of(step.place) in (DEUCE_MELD, WILD_MELD):
        return Refusal(Code.MELD_NO_RANK)
    refusal = why_not_held(
        state.packed[state.turn], natural_kind(step.place) or 0, step.naturals, step.twos, step.jokers
    )
    if refusal is None:
        standing = standing_of(state)
        refusal = why_banned(state, step) if state.rules.theme else None
        refusal = refusal or why_not_join(standing, step.place, step.naturals, step.twos, step.jokers)
        refusal = refusal or why_spoiled(state, standing, step) or why_canasta_banned(state, standing, step)
    if refusal is not None:
        return refusal
    if family_of(step.place) == BLACK_THREE:
        left = len(state.hands[state.turn]) - step.size + (gathered_size(state) if state.aside else 0)
        if left > 1 or foot.waits(state, state.turn) or not _is_last_laid(state, step):
            return Refusal(Code.BLACK_THREES_ONLY_OUT, {"left": left})
    return None


def _is_last_laid(state: State, step: Meld) -> bool:
    """Whether the seat goes out with the black threes, where it might keep a card and end its turn otherwise."""
    if not state.rules.talon or not talon.due(state):
        return True
    cards = chosen(state, step)
    now = outlook_of(state)
    laid = now.standing.with_meld(meld_of(step.place, cards))
    return _goes_out(state, replace(now, standing=laid, hand=without(now.hand, cards)), (Goal(0),))


def why_not_lay_run(state: State, step: LayRun, following: int = 0) -> Refusal | None:
    """Whether these cards make a run or join one, and the turn can still end lawfully (`rules/variants.md 3.1`).

    `following` cards are laid after them in the same act.
    """
    if state.phase is not phases.PLAY and not hand_first.is_on(state):
        return Refusal(Code.DRAW_FIRST)
    standing = standing_of(state)
    refusal = why_banned(state, step) if state.rules.theme else None
    refusal = refusal or why_not_run(standing, step.place, step.low, step.high)
    refusal = refusal or why_canasta_banned(state, standing, step)
    if refusal is not None:
        return refusal
    cards = cards_of(step.place, step.low, step.high)
    hand = state.hands[state.turn]
    for card in cards:
        if card not in hand:
            return Refusal(Code.CARD_NOT_HELD, {"card": card, "held": 0, "needed": 1})
    if (refusal := why_not_grow(state, standing, step, following)) is not None:
        return refusal
    return None if ends_anyhow(state, step.size) else why_not_lay(state, step.place, cards)


def why_not_grow(state: State, standing: Standing, step: LayRun, following: int = 0) -> Refusal | None:
    """A finished run takes more cards where the seat has to go out, or goes out with them (`rules/variants.md 3.3`).

    Also with the `following` cards that the same act lays after them.
    """
    lying = standing.melds.get(step.place)
    bound = word(state)
    if lying is None or lying.size + step.size <= standing.rules.canasta_size or bound is True:
        return None
    left = len(state.hands[state.turn]) - step.size + (gathered_size(state) if state.aside else 0)
    return None if left - following <= 1 and bound is None else Refusal(Code.RUN_GROWS_ONLY_OUT, {"left": left})


def why_banned(state: State, step: Meld | LayRun | Take) -> Refusal | None:
    """Whether a theme keeps some of these cards from being laid."""
    if isinstance(step, LayRun):
        kinds = set(range(step.low, step.high + 1))
    else:
        kinds = {kind for kind, count in ((TWO, step.twos), (JOKER, step.jokers)) if count}
        if isinstance(step, Take):
            kinds.add(state.pile[-1] >> 2)
        elif step.naturals:
            kinds.add(family_of(step.place))
    return force.why_not_kinds(state, kinds, opening=opens_now(state))


def why_canasta_banned(state: State, standing: Standing, step: Meld | LayRun) -> Refusal | None:
    """Whether a theme lets the meld become as large as it would."""
    if standing.limits is None:
        return None
    lying = standing.melds.get(step.place)
    before = 0 if lying is None else lying.size
    return force.why_not_canasta(state, step.place, before, before + step.size)


def ends_anyhow(state: State, size: int) -> bool:
    """Whether an open side keeps so many cards after laying that the turn can end whatever they are."""
    opened = state.opened[state.side]
    if not opened or (state.started and state.phase is not phases.PLAY):  # opened from the hand first, before a draw
        return False
    if state.permission is True and word(state) is True:
        return False
    return len(state.hands[state.turn]) - size >= kept(state)


def why_spoiled(state: State, standing: Standing, step: Meld) -> Refusal | None:
    """Whether a wild card would join the only clean meld of a side that has opened in this turn and has to have one.

    Before it has opened another may follow, which is asked with the initial meld.
    """
    rules = standing.rules
    if not standing.opening or rules.open_shape not in NEEDING_CLEAN or not (step.twos or step.jokers):
        return None
    if not state.opened[state.side]:
        return None
    lying = standing.melds.get(step.place)
    if lying is None or not is_clean(lying):
        return None
    others = [meld for place, meld in standing.melds.items() if place != step.place]
    if any(is_clean(meld) or (meld.kind == WILD_MELD and rules.open_shape != "clean3") for meld in others):
        return None
    code = Code.OPENING_NEEDS_CLEAN if rules.open_shape == "clean3" else Code.OPENING_NEEDS_CLEAN_OR_WILD
    return Refusal(code, {"count": lying.size, "required": CLEAN})


def why_not_combine(state: State, step: Combine) -> Refusal | None:
    """Whether two of the side's melds may lie together, and the turn can end then (`rules/variants.md 3.1`)."""
    if state.phase is not phases.PLAY:
        return Refusal(Code.DRAW_FIRST)
    standing = standing_of(state)
    moved, onto = standing.melds.get(step.place), standing.melds.get(step.onto)
    if moved is None or onto is None or not may_combine(standing, moved, onto):
        return Refusal(Code.CANNOT_COMBINE)
    if standing.limits is not None:
        refusal = force.why_not_canasta(state, step.onto, max(moved.size, onto.size), moved.size + onto.size)
        if refusal is not None:
            return refusal
    now = outlook_of(state)
    after = combined(standing, moved, onto)
    return why_not_end(state, Outlook(after, now.hand, now.laid_points, now.below, now.from_stock))


def chosen(state: State, step: Meld) -> tuple[Card, ...]:
    """The cards that leave the hand for a step: the first of each kind, as the hand is sorted."""
    hand = state.hands[state.turn]
    wanted = ((natural_kind(step.place) or 0, step.naturals), (TWO, step.twos), (JOKER, step.jokers))
    return tuple([card for kind, count in wanted for card in [one for one in hand if one >> 2 == kind][:count]])


def why_not_lay(
    state: State, place: Place, cards: Sequence[Card], *, top: Card | None = None, below: int = 0
) -> Refusal | None:
    """Whether the turn can still end lawfully when the cards lie there; `top` comes from the pile, `below` after it."""
    now = outlook_of(state)
    rules = state.rules
    laid = tuple(cards) if top is None else (*cards, top)
    lying = now.standing.melds.get(place)
    meld = meld_of(place, tuple(sorted(laid if lying is None else (*lying.cards, *laid))))
    points = now.laid_points + points_of(rules, laid if rules.open_count_top else cards)
    if top is None and hand_first.is_on(state):
        after = hand_first.Opening(now.standing.with_meld(meld), without(now.hand, cards), points)
        return hand_first.why_not(state, after, goals_in(state), needed=naturals_needed(state))
    return why_not_end(
        state,
        Outlook(
            now.standing.with_meld(meld),
            without(now.hand, cards),
            points,
            now.below if top is None else below,
            now.from_stock and top is None,
        ),
        claimed=state.claimed if top is None else place,
    )


# --- ending the turn -------------------------------------------------------------------------------------------------


def why_not_opened(state: State, points: int, melds: Iterable[TableMeld]) -> Refusal | None:
    """Why the melds laid in this turn, which count `points`, open no side; None where they do."""
    goals, laid = goals_in(state), tuple(melds)
    if state.rules.theme and points >= goals[0].points:
        lacking = force.why_not_open(state, laid)
        if lacking is not None:
            return lacking
    return why_not_open(state.rules, goals, points, laid)


def goals_in(state: State) -> tuple[Goal, ...]:
    """What would open the side in turn."""
    side = state.side
    goals = goals_of(state.rules, score=state.scores[side], minimum=minimum(state, side))
    if not state.rules.theme or not (groups := force.groups(state)):
        return goals
    return tuple([Goal(goal.points, goal.demand, goal.wilds, groups) for goal in goals])


def free_goals(state: State) -> tuple[Goal, ...]:
    """What a hand that goes out without the minimum has to lay: what a theme wants in the initial meld, if any does."""
    if not state.rules.theme or state.opened[state.side]:
        return (Goal(0),)
    return (Goal(0, groups=force.groups(state)),)


def has_opened(state: State, outlook: Outlook, claimed: Place | None) -> bool:
    """Whether the side has opened, or what it has laid now opens it (`rules/classic.md 1.11`)."""
    if state.opened[state.side]:
        return True
    return opens_with(state, outlook.standing.melds, outlook.laid_points, claimed)


def opens_with(state: State, melds: Mapping[Place, TableMeld], points: int, claimed: Place | None) -> bool:
    """Whether these melds, of which so many points have been laid in this turn, make the initial meld of the side."""
    rules = state.rules
    if claimed is not None and "first_canasta_top" in rules.open_waiver:
        meld = melds.get(claimed)
        if meld is not None and meld.size >= rules.canasta_size:
            return not rules.theme or force.why_not_open(state, melds.values()) is None
    return opens(rules, goals_in(state), points, melds.values())


def why_not_end(state: State, outlook: Outlook, claimed: Place | None = None) -> Refusal | None:
    """Whether the turn can end lawfully from there: by a discard, by taking up a foot, or by going out."""
    left = len(outlook.hand) + outlook.below
    bound = _bound(state)
    if not has_opened(state, outlook, claimed):
        return _why_not_opening(state, outlook, claimed)
    keep = kept(state)
    if bound is not True and (left >= keep or (left and _earns_foot(state, outlook))):
        return None
    if bound is not False and keep and (_goes_out(state, outlook, (Goal(0),)) or _goes_out_with_last(state, outlook)):
        return None
    if bound is True and could_finish(state):
        return said_yes(state)
    return None if left >= keep else _cannot_go_out(state, outlook)


def _bound(state: State) -> bool | None:
    """What binds the seat in turn about going out: after a yes nothing as long as the pile has not come to the hand.

    Who has asked before drawing may still take the pile, and sees then whether there is a way out (`S0 1.4.l`).
    """
    bound = word(state)
    return None if bound and (state.aside or state.phase is phases.DRAW) else bound


def _earns_foot(state: State, outlook: Outlook) -> bool:
    """Whether a foot comes for a canasta made in this turn when the last card has been discarded (`3.12`)."""
    return foot.may_be_earned(state) and outlook.standing.spread.canastas > state.canastas_before


def _goes_out(state: State, outlook: Outlook, goals: Sequence[Goal]) -> bool:
    """Whether all can be laid in this turn, all but one card that is discarded."""
    if foot.why_not_reached(state) is not None:
        return False
    if not outlook.below:
        return _finishes(outlook.standing, outlook.hand, goals)
    # The card still to come can only be counted on to be discarded, if it may be the last one.
    banned = never_last(state.rules)
    if banned and gathered_kind(state) in (None, *banned):
        return False
    return outlook.below == 1 and _finishes(outlook.standing, outlook.hand, goals, spare=0)


def _goes_out_with_last(state: State, outlook: Outlook) -> bool:
    """Whether all but one card can be laid once the only card that waits of the pile, which all have seen, has come."""
    card = gathered_card(state) if outlook.below == 1 else None
    if card is None or foot.why_not_reached(state) is not None:
        return False
    return _finishes(outlook.standing, tuple(sorted((*outlook.hand, card))), (Goal(0),))


def _finishes(standing: Standing, hand: tuple[Card, ...], goals: Sequence[Goal], *, spare: int = 1) -> bool:
    """Whether the hand can be laid down but for so many cards, whichever melds are laid together before."""
    return can_finish(standing, hand, goals, spare=spare, regrouping=True)


def could_finish(state: State) -> bool:
    """Whether the seat, which has to go out, could have before this."""
    now = outlook_of(state)
    waived = now.from_stock and "concealed" in state.rules.open_waiver
    opened = state.opened[state.side]
    goals = free_goals(state) if opened or waived else _missing(goals_in(state), now.laid_points)
    return not now.below and _finishes(now.standing, now.hand, goals)


def _why_not_opening(state: State, outlook: Outlook, claimed: Place | None) -> Refusal | None:
    """Whether a side that has laid too little so far can still make its initial meld in this turn."""
    rules = state.rules
    bound = _bound(state)
    missing = _missing(goals_in(state), outlook.laid_points)
    waived = outlook.from_stock and "concealed" in rules.open_waiver
    keep = max(0, kept(state) - outlook.below)
    reached = any(reaches(outlook.standing, outlook.hand, goal, keep=keep) for goal in missing)
    if reached and bound is not True:
        return None
    if foot.may_be_earned(state) and _reaches_canasta(outlook, missing):
        return None
    if "first_canasta_top" not in rules.open_waiver:
        claimed = None
    elif claimed is not None and may_complete(outlook.standing, outlook.hand, claimed, missing, keep=keep):
        return None
    if bound is not False and keep and outlook.below < 2:
        if _goes_out(state, outlook, free_goals(state) if waived else missing):
            return None
        if _opens_and_goes_out(state, outlook, claimed):
            return None
        if bound is True and could_finish(state):
            return said_yes(state)
    if reached:
        return None
    if rules.theme and (refusal := _why_not_by_theme(state, outlook, missing, keep)) is not None:
        return refusal
    best = outlook.laid_points + max(
        0, *(most_points(outlook.standing, outlook.hand, goal, keep=0) for goal in missing)
    )
    required = goals_in(state)[0].points
    if best >= required:
        lacking = why_not_opened(state, best, outlook.standing.melds.values())
        return lacking or _cannot_go_out(state, outlook)
    return Refusal(Code.INITIAL_MELD_UNREACHABLE, {"count": outlook.laid_points, "required": required, "best": best})


def _reaches_canasta(outlook: Outlook, missing: Sequence[Goal]) -> bool:
    """Whether the initial meld can hold a canasta that brings the foot, one card being kept to discard."""
    goals = [Goal(goal.points, "canasta", goal.wilds, goal.groups) for goal in missing if goal.demand == "none"]
    keep = max(0, 1 - outlook.below)
    return any(reaches(outlook.standing, outlook.hand, goal, keep=keep) for goal in goals)


def _opens_and_goes_out(state: State, outlook: Outlook, claimed: Place | None) -> bool:
    """Whether the side can open such that it goes out with the only card that waits, which all have seen.

    Or with the canasta of the top card that was `claimed`, where that needs no minimum.
    """

    def goes_out(after: Outlook) -> bool:
        return (claimed is not None and _goes_out(state, after, (Goal(0),))) or _goes_out_with_last(state, after)

    def ends(standing: Standing, hand: tuple[Card, ...], points: int) -> bool | None:
        after = Outlook(standing, hand, points, outlook.below, outlook.from_stock)
        return goes_out(after) if has_opened(state, after, claimed) else None

    return goes_out(outlook) and may_open_and_go_out(outlook.standing, outlook.hand, outlook.laid_points, ends)


def _why_not_by_theme(state: State, outlook: Outlook, missing: Sequence[Goal], keep: int) -> Refusal | None:
    """The refusal where only a rank that a theme wants in the initial meld is lacking."""
    refusal = force.why_not_open(state, outlook.standing.melds.values())
    if refusal is None:
        return None
    without = [Goal(goal.points, goal.demand, goal.wilds) for goal in missing]
    found = any(most_points(outlook.standing, outlook.hand, goal, keep=keep) >= goal.points for goal in without)
    return refusal if found else None


def _missing(goals: Sequence[Goal], laid_points: int) -> tuple[Goal, ...]:
    return tuple([goal.less(laid_points) for goal in goals])


def _cannot_go_out(state: State, outlook: Outlook) -> Refusal:
    """The refusal for a seat that must keep a card and could not."""
    left = len(outlook.hand) + outlook.below
    reached = foot.why_not_reached(state)
    if reached is None and state.rules.theme:
        reached = force.why_not_out(state, outlook.standing.melds.values())
    if reached is not None:
        return reached
    if not enough(state.rules, outlook.standing.melds.values()):
        lacking = why_not_enough(state.rules, outlook.standing.melds.values(), left=left)
        if lacking is not None:
            return lacking
    spread = state.spreads[state.side]
    return cannot_go_out(state, spread, left=left)


def could_go_out(state: State) -> bool:
    """Whether the hand as it is could be laid down, all but one card; asking and announcing need that."""
    if state.feet and foot.waits(state, state.turn):
        return False
    standing = standing_of(state)
    hand, counts = state.hands[state.turn], state.packed[state.turn]
    if is_far_from_out(standing, hand, counts) or too_few_canastas(standing, hand, tally(counts)):
        return False
    if foot.why_not_reached(state) is not None:
        return False
    if state.rules.theme and force.forbids_out(state) is not None:
        return False
    side = state.side
    opened = state.opened[side] or "concealed" in state.rules.open_waiver
    goals = free_goals(state) if opened else goals_in(state)
    return lays_down(standing, hand, tally(counts), goals, spare=1, regrouping=True)
