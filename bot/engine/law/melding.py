"""Melding: why cards may not be laid, or two melds not laid together.

A step is legal when the hand holds the cards, they may lie there, and the turn can still end lawfully after it. Each
function that begins with `why_not` answers with a `Refusal`, or with None where nothing speaks against the step.

Decides `docs/law/classic.md 1.8, 1.10, 1.12, 1.23`; runs, and several melds of a rank, by `docs/law/variants.md 3.1,
3.3`. Reads `auto_win`, `canasta_size`, `meld_kinds`, `open_count_top`, `open_shape`, `talon`, `theme`.

Claiming the pile after an initial meld from the hand, in the ways that only house rules leave.

A side that opens from its hand has to take the pile in the same turn, by the rules for a side that has opened. In the
rule sets as they are it does so with naturals that it has kept, which `bot.engine.law.hand_first` decides. House rules
may also let it take the pile with a wild card, or by adding the top to a meld; the seat may lay a card of the rank of
the top in a run first; and it may go out with the cards of the pile, or take up its foot. Where `hand_first` has
refused, these lines of play are tried one after another.

Decides `docs/law/variants.md 3.10`. Reads `canasta_size`, `meld_kinds`, `open_count_top`, `take_open`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, RED_THREE, TWO, Card
from bot.engine.cards.counts import pack
from bot.engine.cards.places import DEUCE_MELD, FAMILIES, WILD_MELD, Place, family_of, is_run, natural_kind, run_of
from bot.engine.law import foot, hand_first
from bot.engine.law.hand_first import only_with_naturals
from bot.engine.law.top_claims import why_not_add, why_not_with_cards
from bot.engine.law.turn_end import goes_out, kept, may_go_out, may_leave, out_goals
from bot.engine.law.winning import may_win, why_not_end_or_win
from bot.engine.melds.melds import TableMeld, picked
from bot.engine.melds.shapes import why_not_held
from bot.engine.moves import phases
from bot.engine.moves.actions import Combine, LayRun, Meld, Take
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.bounds import surely_stays_in
from bot.engine.reach.laying_last import laid, leads_to
from bot.engine.reach.openings import (
    CLEAN,
    NEEDING_CLEAN,
    Goal,
    goals_in,
    goals_of,
    is_clean,
    meets,
    opens,
    still_missing,
    top_apart,
    why_not_open_with,
)
from bot.engine.reach.reaching import reaches
from bot.engine.reach.regrouping import combined, may_combine
from bot.engine.reach.runs import why_not_run
from bot.engine.reach.set_steps import may_lay
from bot.engine.reach.sets import why_not_join
from bot.engine.reach.standing import Outlook, Standing, opens_now, outlook_of, standing_of
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table import force
from bot.engine.table.melds import cards_for
from bot.engine.table.queries import (
    frozen_for,
    gathered_card,
    gathered_size,
    guards_one_card,
    melds_no_more,
    must_go_out,
    naturals_needed,
    still_to_gather,
    word,
)
from bot.engine.table.state import State
from bot.engine.table.threes import why_not_melded


def may_claim(state: State, opening: Outlook, goals: Sequence[Goal]) -> bool:
    """Whether some line of play from there opens the side and takes the pile, and the turn can end after it."""
    if not (_may_take_otherwise(state, opening) or _may_end_otherwise(state, opening) or _may_run_on(state, opening)):
        return False
    opened = state.opened[state.side]

    def ends(now: Outlook) -> bool | None:
        if opened or opens(now.standing.rules, goals, now.laid_points, now.standing.melds.values()):
            claimed = any(why_not_end_or_win(state, after, place) is None for after, place in _taken(state, now))
            return True if claimed else None
        missing = still_missing(goals, now.laid_points)
        reached = any(reaches(now.standing, now.hand, goal, keep=0) for goal in missing)
        return None if reached else False

    def following(now: Outlook) -> Iterator[Outlook]:
        return (after for after in laid(now) if after.hand)

    return bool(opening.hand) and leads_to(opening, ends, following)


def _may_take_otherwise(state: State, opening: Outlook) -> bool:
    """Whether the top card could be claimed with a wild card, or by adding it to a meld."""
    if only_with_naturals(state):
        return False
    rules, top = state.rules, state.pile[-1]
    held = [card >> 2 for card in opening.hand].count(top >> 2)
    if held or top >> 2 in opening.standing.spread.families:
        return True
    return "add_seq" in rules.take_open and "seq" in rules.meld_kinds


def _may_end_otherwise(state: State, opening: Outlook) -> bool:
    """Whether so few cards may be left that a foot comes, or that the seat goes out."""
    if gathered_size(state) >= kept(state):
        return False
    if foot.may_be_earned(state):
        return True
    come = gathered_card(state)
    hand = tuple(sorted((*opening.hand, state.pile[-1], *(() if come is None else (come,)))))
    return not surely_stays_in(opening.standing, hand, pack(hand))


def _may_run_on(state: State, opening: Outlook) -> bool:
    """Whether a card of the top's rank that is not kept for claiming it could lie in a run."""
    if "seq" not in state.rules.meld_kinds:
        return False
    held = [card >> 2 for card in opening.hand].count(state.pile[-1] >> 2)
    return held > naturals_needed(state, opened=True)


def _taken(state: State, now: Outlook) -> Iterator[tuple[Outlook, Place]]:
    """Each way to take the pile as things stand: the turn after it, and the place where the top card lies then."""
    rules, top = state.rules, state.pile[-1]
    if len(now.hand) == 1 and len(state.pile) == 1 and guards_one_card(state):
        return
    for place, cards in _claims(state, now.standing, now.hand):
        after = now.laid(place, cards, top)
        meld = after.standing.melds[place]
        before = now.standing.melds.get(place)
        finished = before is not None and before.size >= rules.canasta_size
        if meld.size < rules.canasta_size or finished or now.standing.may_make(meld):
            yield replace(after, below=gathered_size(state)), place


def _claims(state: State, standing: Standing, hand: Sequence[Card]) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """Where the top card may lie for an open side, and with which cards of the hand."""
    rules, top = state.rules, state.pile[-1]
    kind = top >> 2
    places = standing.targets(kind)
    place = places[-1] if places else kind
    frozen = frozen_for(state, opened=True)
    if frozen or "pair" in rules.take_open:
        yield from _with_cards(standing, hand, place, (naturals_needed(state, opened=True), 0, 0))
    if frozen:
        return
    if "card+wild" in rules.take_open:
        yield from _with_cards(standing, hand, place, (1, 1, 0))
        yield from _with_cards(standing, hand, place, (1, 0, 1))
    if "add" in rules.take_open:
        yield from [(meld.place, ()) for meld in standing.of_family(kind) if not why_not_add(standing, top, meld.place)]
    if "add_seq" in rules.take_open:
        runs = standing.of_family(run_of(top & 3))
        yield from [(run.place, ()) for run in runs if not why_not_add(standing, top, run.place)]


def _with_cards(
    standing: Standing, hand: Sequence[Card], place: Place, wanted: tuple[int, int, int]
) -> Iterator[tuple[Place, tuple[Card, ...]]]:
    """The place given and so many naturals, twos and jokers, if they are held and may lie there with the top card."""
    if why_not_with_cards(standing, family_of(place), place) is not None:
        return
    naturals, twos, jokers = wanted
    cards = picked(hand, ((natural_kind(place), naturals), (TWO, twos), (JOKER, jokers)))
    if len(cards) == sum(wanted) and why_not_join(standing, place, naturals + 1, twos, jokers) is None:
        yield place, cards


def why_not_meld(state: State, step: Meld, cards: tuple[Card, ...] | None = None) -> Refusal | None:
    """Why the cards of the step do not make or join a meld at its place, or leave the turn without a lawful end.

    `cards` says which cards are laid; without it `bot.engine.table.melds` picks them.
    """
    if state.phase is not phases.PLAY and not hand_first.is_on(state):
        return Refusal(Code.DRAW_FIRST)
    if melds_no_more(state):
        return Refusal(Code.MELD_AFTER_TAKE)
    if not _may_lie(state, step) and (refusal := _why_not_there(state, step)) is not None:
        return refusal
    if ends_anyhow(state, step.size):
        return None
    return why_not_lay(state, step.place, cards_for(state, step) if cards is None else cards)


def _may_lie(state: State, step: Meld) -> bool:
    """Whether the cards may lie there, where that can be looked up; False where `_why_not_there` is to be asked."""
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
        return False  # a wild card may spoil the clean meld
    return may_lay(standing, state.packed[state.turn], step)


def _why_not_there(state: State, step: Meld) -> Refusal | None:
    """Why the seat in turn does not hold these cards, or they may not lie there; where the turn leads is not asked."""
    if family_of(step.place) == RED_THREE:
        return why_not_melded(state.rules)
    if is_run(step.place):
        return Refusal(Code.MELD_NO_RANK)
    if step.size <= 0 or min(step.naturals, step.twos, step.jokers) < 0:
        return Refusal(Code.NO_CARDS)
    if not _may_be_of(state.rules, step):
        return Refusal(Code.MELD_NO_RANK)
    refusal = why_not_held(
        state.packed[state.turn], natural_kind(step.place) or 0, step.naturals, step.twos, step.jokers
    )
    if refusal is None:
        standing = standing_of(state)
        refusal = why_banned(state, step) if state.rules.theme else None
        refusal = refusal or why_not_join(standing, step.place, step.naturals, step.twos, step.jokers)
        refusal = (
            refusal or why_spoiled(state, standing, step) or why_canasta_banned(state, standing, step.place, step.size)
        )
    if refusal is not None:
        return _beside_theirs(state, step.place, refusal)
    if family_of(step.place) == BLACK_THREE:
        left = len(state.hands[state.turn]) - step.size + still_to_gather(state)
        if state.phase is not phases.PLAY:  # the pile is still to be taken, so they would not be the last that is laid
            return _only_out(left + gathered_size(state) + 1)
        if left > 1 or foot.waits(state, state.turn) or not _is_last_laid(state, step):
            return _only_out(left)
    return None


def _only_out(left: int) -> Refusal:
    """The refusal of black threes with which the seat does not go out: for the cards left, or for something else."""
    return Refusal(Code.BLACK_THREES_ONLY_OUT, {"left": left, "many": int(left > 1)})


def _beside_theirs(state: State, place: Place, refusal: Refusal) -> Refusal:
    """Tell in the refusal of too few cards that another side has a meld of their rank."""
    kind = family_of(place)
    if refusal.code not in _TOO_FEW or kind > ACE or kind in state.spreads[state.side].families:
        return refusal
    theirs = any(kind in spread.families for spread in state.spreads)
    return Refusal(refusal.code, {**refusal.detail, "theirs": kind_name(kind)}) if theirs else refusal


_TOO_FEW: Final = (Code.MELD_TOO_SMALL, Code.MELD_TOO_FEW_NATURALS)


def _may_be_of(rules: RuleSet, step: Meld) -> bool:
    """Whether these rules have melds of the step's family. Twos as a rank, and wild cards alone, take no naturals."""
    family = family_of(step.place)
    if family in (DEUCE_MELD, WILD_MELD):
        return not step.naturals and ("deuce" if family == DEUCE_MELD else "wild") in rules.meld_kinds
    return family <= BLACK_THREE


def _is_last_laid(state: State, step: Meld) -> bool:
    """Whether the seat goes out with these black threes.

    With cards of a talon due the seat might otherwise keep a card and end its turn without going out.
    """
    if not state.rules.talon or not foot.due(state):
        return True
    return goes_out(state, outlook_of(state).laid(step.place, cards_for(state, step)), out_goals(state))


def why_not_lay_run(state: State, step: LayRun, following: int = 0) -> Refusal | None:
    """Why these cards do not make or join a run, or leave the turn without a lawful end (`docs/law/variants.md 3.1`).

    `following` tells how many cards are laid after them in the same act.
    """
    if state.phase is not phases.PLAY and not hand_first.is_on(state):
        return Refusal(Code.DRAW_FIRST)
    if melds_no_more(state):
        return Refusal(Code.MELD_AFTER_TAKE)
    standing = standing_of(state)
    refusal = why_banned(state, step) if state.rules.theme else None
    refusal = refusal or why_not_run(standing, step.place, step.low, step.high)
    refusal = refusal or why_canasta_banned(state, standing, step.place, step.size)
    if refusal is not None:
        return refusal
    hand = state.hands[state.turn]
    for card in step.cards:
        if card not in hand:
            return Refusal(Code.CARD_NOT_HELD, {"card": card, "held": 0, "needed": 1})
    if (refusal := why_not_grow(state, standing, step, following)) is not None:
        return refusal
    return None if ends_anyhow(state, step.size) else why_not_lay(state, step.place, step.cards)


def why_not_grow(state: State, standing: Standing, step: LayRun, following: int = 0) -> Refusal | None:
    """Why a finished run takes no more cards (`docs/law/variants.md 3.3`).

    A finished run grows only in going out: where the seat has to go out, or still can after it. Where the cards that
    follow in the same act (`following`) leave one card at most, the answer is left to them.
    """
    lying = standing.melds.get(step.place)
    bound = word(state)
    if lying is None or lying.size + step.size <= standing.rules.canasta_size or bound is True:
        return None
    left = len(state.hands[state.turn]) - step.size + still_to_gather(state)
    if bound is None:
        if left - following <= 1:
            return None
        now = outlook_of(state)
        if all(card in now.hand for card in step.cards) and may_go_out(state, now.laid(step.place, step.cards)):
            return None
    return Refusal(Code.RUN_GROWS_ONLY_OUT, {"left": left})


def why_banned(state: State, step: Meld | LayRun | Take) -> Refusal | None:
    """Why a theme keeps some of these cards from being laid."""
    if isinstance(step, LayRun):
        kinds = set(range(step.low, step.high + 1))
    else:
        kinds = {kind for kind, count in ((TWO, step.twos), (JOKER, step.jokers)) if count}
        if isinstance(step, Take):
            kinds.add(state.pile[-1] >> 2)
        elif step.naturals:
            kinds.add(family_of(step.place))
    return force.why_not_kinds(state, kinds, opening=opens_now(state))


def why_canasta_banned(state: State, standing: Standing, place: Place, more: int) -> Refusal | None:
    """Why a theme keeps what lies at that place, or is begun there, from growing by so many cards."""
    if standing.limits is None:
        return None
    lying = standing.melds.get(place)
    before = 0 if lying is None else lying.size
    return force.why_not_canasta(state, place, before, before + more)


def ends_anyhow(state: State, size: int) -> bool:
    """Whether an open side keeps so many cards after laying `size` of them that the turn can end, whatever they are."""
    opened = state.opened[state.side]
    if not opened or (state.started and state.phase is not phases.PLAY):  # opened from the hand first, before a draw
        return False
    return not must_go_out(state) and may_leave(state, len(state.hands[state.turn]) - size)


def why_spoiled(state: State, standing: Standing, step: Meld) -> Refusal | None:
    """Why a wild card may not join a clean meld: a side that opens in this turn has to have one, and has no other.

    Before the side has opened another clean meld may follow; the initial meld as a whole decides then.
    """
    rules = standing.rules
    if not standing.opening or rules.open_shape not in NEEDING_CLEAN or not (step.twos or step.jokers):
        return None
    if not state.opened[state.side]:
        return None
    lying = standing.melds.get(step.place)
    topped = top_apart(rules, state.claimed)
    if lying is None or not is_clean(lying, topped=topped):
        return None
    others = [meld for place, meld in standing.melds.items() if place != step.place]
    return None if _is_shaped(rules, others, topped) else _spoiled(rules)


def _is_shaped(rules: RuleSet, melds: Iterable[TableMeld], topped: Place | None) -> bool:
    """Whether one of these melds is what the rules demand of an initial meld beside its points."""
    goals = goals_of(rules, minimum=0)
    laid = tuple(melds)
    return any(meets(rules, goal.demand, laid, topped=topped) for goal in goals)


def _spoiled(rules: RuleSet) -> Refusal:
    code = Code.OPENING_NEEDS_CLEAN if rules.open_shape == "clean3" else Code.OPENING_NEEDS_CLEAN_OR_WILD
    return Refusal(code, {"required": CLEAN})


def _why_spoiled_together(state: State, standing: Standing, after: Standing, place: Place) -> Refusal | None:
    """Why two melds may not be laid together: the side, which opens in this turn, would lose its clean meld."""
    rules = standing.rules
    if not standing.opening or rules.open_shape not in NEEDING_CLEAN:
        return None
    made = after.melds[place]
    refusal = why_not_open_with(rules, made.kind, made.naturals, made.wilds)
    if refusal is not None or not state.opened[state.side]:
        return refusal
    shaped = _is_shaped(rules, after.melds.values(), top_apart(rules, state.claimed))
    return None if shaped else _spoiled(rules)


def why_not_combine(state: State, step: Combine) -> Refusal | None:
    """Why two melds may not be laid together, or the turn could not end lawfully then (`docs/law/variants.md 3.1`)."""
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
    if (refusal := _why_spoiled_together(state, standing, after, step.onto)) is not None:
        return refusal
    return why_not_end_or_win(state, replace(now, standing=after), claimed=state.claimed)


def why_not_lay(state: State, place: Place, cards: Sequence[Card], *, top: Card | None = None) -> Refusal | None:
    """Why the turn cannot end lawfully any more when the cards lie there.

    `top` is the pile's top card, where it is laid with them; the rest of the pile follows it to the hand.
    """
    after = outlook_of(state).laid(place, cards, top)
    if top is not None:
        return why_not_end_or_win(state, replace(after, below=gathered_size(state)), claimed=place)
    if not hand_first.is_on(state):
        return why_not_end_or_win(state, after, claimed=state.claimed)
    goals = goals_in(state)
    refusal = hand_first.why_not(state, after, goals, needed=naturals_needed(state, opened=True))
    if refusal is None or may_claim(state, after, goals):
        return None
    wins = state.rules.wins_at_once and may_win(state, replace(after, from_stock=True), None)  # no pile has come yet
    return None if wins else refusal
