"""Taking the pile where more than sets of one rank is in the game (`docs/law/variants.md 3`, `A.1` part E)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bot.engine import phases
from bot.engine.actions import TAKE_ADD, TAKE_PAIR, TAKE_WITH_JOKER, TAKE_WITH_TWO, Take
from bot.engine.cards import ACE, JOKER, LAST_ACE, SEVEN, TWO, Card, Kind
from bot.engine.counts import WILD_SHIFT, tally
from bot.engine.melds import TableMeld
from bot.engine.places import RUN, Place, family_of, is_run, run_of
from bot.engine.queries import PAIR, TRIPLE, frozen_for, frozen_once_open, gathered_size, naturals_needed
from bot.engine.refusals import Code, Refusal, kind_name
from bot.engine.rules import RuleSet
from bot.engine.shapes import why_not_held
from bot.engine.state import State
from bot.engine.themes.force import why_not_canasta
from bot.engine.variants import showing
from bot.engine.variants.keeping import kept
from bot.engine.variants.runs import ends_of, why_not_run
from bot.engine.variants.set_steps import may_lie_at
from bot.engine.variants.sets import why_not_join
from bot.engine.variants.standing import Standing, standing_of
from bot.engine.variants.verifying import ends_anyhow, why_banned, why_not_lay


def place_of(state: State, step: Take) -> Place:
    """Where the top card would be laid: where the step says, else at the meld of its rank or as a new one."""
    return _place_of(standing_of(state), step, state.pile[-1] >> 2)


def _place_of(standing: Standing, step: Take, kind: Kind) -> Place:
    if step.onto is not None:
        return step.onto
    if step.adds:
        return next((meld.place for meld in standing.of_family(kind)), kind)
    targets = standing.targets(kind)
    return targets[-1] if targets else kind


def why_not_cards(state: State, step: Take) -> Refusal | None:
    """Whether these cards claim the top of the pile, which may be taken."""
    rules = state.rules
    top = state.pile[-1]
    kind = top >> 2
    if kind == TWO:
        return showing.why_not_twos(state, step)
    frozen = frozen_for(state, state.side)
    held = tally(state.packed[state.turn])
    shape = _shape(state, step)
    if shape is None or min(step.naturals, step.twos, step.jokers) < 0:
        return _needs_cards(state, step)
    if frozen and shape != "pair":
        return Refusal(_frozen_because(state), _kind_held(kind, held[kind]))
    if not frozen and shape not in rules.take_open:
        return _needs_cards(state, step)
    place = place_of(state, step)
    standing = standing_of(state)
    if rules.theme and (refusal := _why_not_by_theme(state, standing, step, place)) is not None:
        return refusal
    if shape in ("add", "add_seq"):
        return _why_not_add(standing, top, place)
    if family_of(place) != kind:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": _number_of(standing, place)})
    if not rules.take_pair_canasta and standing.is_canasta(place):
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    refusal = why_not_held(state.packed[state.turn], kind, step.naturals, step.twos, step.jokers)
    return refusal or why_not_join(standing, place, step.naturals + 1, step.twos, step.jokers)


def _frozen_because(state: State) -> Code:
    """For whom the pile is frozen: for everybody, for the side, or for the seat in turn."""
    if state.frozen:
        return Code.PILE_FROZEN
    opened = state.opened[state.side]
    return Code.PILE_FROZEN_UNTAKEN if opened or not state.rules.frozen_unopened else Code.PILE_FROZEN_UNOPENED


def _why_not_by_theme(state: State, standing: Standing, step: Take, place: Place) -> Refusal | None:
    """Whether a theme keeps the top card, or the cards that claim it, from lying there."""
    refusal = why_banned(state, step)
    if refusal is not None or standing.limits is None:
        return refusal
    lying = standing.melds.get(place)
    before = 0 if lying is None else lying.size
    return why_not_canasta(state, place, before, before + 1 + step.naturals + step.twos + step.jokers)


def _shape(state: State, step: Take) -> str | None:
    """In which way these cards would claim the top card, in the words of `take_open`."""
    wilds = step.twos + step.jokers
    if not (step.naturals or wilds):
        return "add_seq" if step.onto is not None and is_run(step.onto) else "add"
    if (step.naturals, wilds) == (1, 1):
        return "card+wild"
    needed = naturals_needed(state) if frozen_for(state, state.side) else PAIR
    return "pair" if (step.naturals, wilds) == (needed, 0) else None


def _why_not_add(standing: Standing, top: Card, place: Place) -> Refusal | None:
    """Whether the top card alone may join what lies at that place."""
    kind = top >> 2
    rules = standing.rules
    lying = standing.melds.get(place)
    if lying is None:
        return Refusal(Code.TAKE_NO_MELD, {"kind": kind_name(kind)})
    if not rules.take_add_canasta and lying.size >= rules.canasta_size:
        return Refusal(Code.TAKE_ONTO_CANASTA, {"kind": kind_name(kind)})
    if is_run(place):
        if family_of(place) != run_of(top & 3):
            return Refusal(Code.RUN_SUITS)
        return why_not_run(standing, place, kind, kind)
    if family_of(place) != kind:
        return Refusal(Code.MELD_WRONG_TARGET, {"number": _number_of(standing, place)})
    return why_not_join(standing, place, 1, 0, 0)


def _number_of(standing: Standing, place: Place) -> int:
    """Which of the side's melds, from 0, lies at that place; -1 when none does."""
    places = list(standing.melds)
    return places.index(place) if place in places else -1


def _kind_held(kind: Kind, held: int) -> dict[str, int | str]:
    return {"kind": kind_name(kind), "held": held}


def _needs_cards(state: State, step: Take) -> Refusal:
    detail: dict[str, int | str] = {
        "kind": kind_name(state.pile[-1] >> 2),
        "naturals": step.naturals,
        "wilds": step.twos + step.jokers,
    }
    if naturals_needed(state) == TRIPLE and frozen_for(state, state.side):
        return Refusal(Code.TAKE_NEEDS_TRIPLE, detail)
    return Refusal(claims_otherwise(state.rules), detail)


def claims_otherwise(rules: RuleSet) -> Code:
    """The refusal of cards that claim no top card: a wild card helps in some rules only."""
    return Code.TAKE_NEEDS_CARDS if "card+wild" in rules.take_open else Code.TAKE_NEEDS_PAIR


def why_not_after(state: State, step: Take) -> Refusal | None:
    """Whether the turn can end lawfully when the pile has been taken so."""
    if state.pile[-1] >> 2 == TWO:
        return None  # cards are shown and cards come, so two at least are held
    hand = state.hands[state.turn]
    if ends_anyhow(state, step.naturals + step.twos + step.jokers):
        return None
    kind = state.pile[-1] >> 2
    wanted = ((kind, step.naturals), (TWO, step.twos), (JOKER, step.jokers))
    cards = tuple([card for one, count in wanted for card in [held for held in hand if held >> 2 == one][:count]])
    below = gathered_size(state)
    return why_not_lay(state, place_of(state, step), cards, top=state.pile[-1], below=below)


def told(state: State, takes: Sequence[Take]) -> Sequence[bool | None]:
    """For each of the ways that the cards held allow, whether it is legal; None where that has to be asked.

    An open side that keeps enough may take the pile wherever the top card may lie with the cards that claim it.
    """
    hand = len(state.hands[state.turn])
    if not state.opened[state.side]:
        return (None,) * len(takes)
    if state.rules.theme or hand == 1 or not ends_anyhow(state, 0):
        return (None,) * len(takes)
    free = hand - kept(state)
    kind = state.pile[-1] >> 2
    standing = standing_of(state)
    return [
        None if take.naturals + take.twos + take.jokers > free else _may_lie_with(standing, take, kind)
        for take in takes
    ]


def _may_lie_with(standing: Standing, take: Take, kind: Kind) -> bool:
    """Whether a top card of that kind may lie with the cards of a way to take it that they allow."""
    rules = standing.rules
    place = _place_of(standing, take, kind)
    if take.adds:
        lying = standing.spread.by_place[place]
        if not rules.take_add_canasta and len(lying.cards) >= rules.canasta_size:
            return False
        if place & RUN:
            return why_not_run(standing, place, kind, kind) is None
    elif not rules.take_pair_canasta and standing.is_canasta(place):
        return False
    return may_lie_at(standing, place, take.naturals + 1, take.twos, take.jokers)


def is_sure(state: State, take: Take) -> bool:
    """Whether a way to take the pile is certainly legal, which most are that are asked about."""
    if state.phase is not phases.DRAW or not state.pile or state.pile[-1] > LAST_ACE:
        return False
    if state.pile[-1] >> 2 == SEVEN and "7" in state.rules.top_blocks:
        return False
    return take in candidates(state) and told(state, (take,))[0] is True


@cache
def _onto(place: Place) -> Take:
    return Take(onto=place)


def candidates(state: State) -> Sequence[Take]:
    """The ways to take the pile that the cards held and the melds lying could allow, in a fixed order."""
    top = state.pile[-1]
    kind = top >> 2
    if kind > ACE:
        return ()
    side = state.side
    counts = state.packed[state.turn]
    naturals = counts >> 8 * kind & 127
    rules = state.rules
    unopened = rules.frozen_unopened and not state.opened[side]
    if state.frozen or unopened or (rules.frozen_untaken and frozen_once_open(state)):
        needed = naturals_needed(state) if naturals >= PAIR else TRIPLE
        return (Take(naturals=needed) if needed != PAIR else TAKE_PAIR,) if naturals >= needed else ()
    open_to = rules.take_open
    found = [TAKE_PAIR] if naturals >= PAIR and "pair" in open_to else []
    if naturals and "card+wild" in open_to:
        wilds = counts >> WILD_SHIFT
        if wilds & 127:
            found.append(TAKE_WITH_TWO)
        if wilds >> 8 & 127:
            found.append(TAKE_WITH_JOKER)
    families = state.spreads[side].families
    lying = families.get(kind)
    if "add" in open_to:
        if lying is not None and len(lying) == 1:
            found.append(TAKE_ADD)
        else:
            found += [_onto(meld.place) for meld in lying or ()]
    if "add_seq" in open_to:
        runs = families.get(run_of(top & 3), ())
        found += [_onto(run.place) for run in runs if _borders(kind, run)]
    return found


def _borders(kind: Kind, run: TableMeld) -> bool:
    """Whether that rank comes next at an end of the run."""
    low, high = ends_of(run)
    return kind == low - 1 or kind == high + 1
