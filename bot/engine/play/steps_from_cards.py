"""Cards named by a person, converted to steps: which meld they make or join.

The cards say which meld is meant, unless the person does. Cards that can make a new meld begin one where the rules
allow it; others join the first meld of the side that takes them (`docs/referee.md`, Actions).

Decides `docs/law/classic.md 1.10` and `docs/law/variants.md 3.1`. Reads `meld_kinds`, `meld_min`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.cards.cards import ACE, JOKER, RED_THREE, TWO, Card, Kind, counts_of
from bot.engine.cards.meld_places import WILD_MELD, Place, family_of, is_run, natural_kind, run_place
from bot.engine.law.drawing_or_taking import why_cards_claim_nothing
from bot.engine.melds.table_meld import TableMeld, family_of_cards
from bot.engine.moves.actions import Lay, LayRun, Meld, Take, TakePile
from bot.engine.moves.refusals import Code, Refusal, kind_name
from bot.engine.reach.refusals_of_set_melds import why_not_join
from bot.engine.reach.runs import ends_of_run, suit_of_run, why_not_run
from bot.engine.reach.turn_outlook import Standing, standing_of
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.bonus_threes import why_not_meld_red_three
from bot.engine.table.state import State
from bot.engine.table.state_queries import naturals_needed


def named_places(state: State, lays: Sequence[Lay]) -> list[Place | None]:
    """Return the places of the melds that were named by number; None where no meld was named.

    Wild cards that cannot make a meld join the side's only meld, if it has only one.
    """
    melds = state.melds[state.side]
    said: list[Place | None] = []
    for lay in lays:
        if lay.onto is not None and not 0 <= lay.onto < len(melds):
            raise Refusal(Code.MELD_WRONG_TARGET, {"number": lay.onto})
        onto = 0 if lay.onto is None and len(melds) == 1 and must_join_a_meld(state.rules, lay.cards) else lay.onto
        said.append(None if onto is None else melds[onto].place)
    return said


def must_join_a_meld(rules: RuleSet, cards: Sequence[Card]) -> bool:
    """Return whether these are wild cards that cannot make a meld of their own."""
    return bool(cards) and all(card >> 2 in (TWO, JOKER) for card in cards) and family_of_cards(rules, cards) is None


def steps_to_lay(
    state: State, cards: Sequence[Card], onto: Place | None
) -> list[tuple[Meld | LayRun, tuple[Card, ...]]]:
    """Return the steps that lay these cards at that place, or at the place where they belong.

    Cards that join both ends of a run are two steps.
    """
    if not cards:
        raise Refusal(Code.NO_CARDS)
    if any(card >> 2 == RED_THREE for card in cards):
        raise why_not_meld_red_three(state.rules)
    standing = standing_of(state)
    place = _place_for_cards(standing, cards, state.claimed) if onto is None else onto
    if onto is not None and not is_run(onto):
        _require_rank_of_meld(standing, cards, onto)
    return _run_steps(standing, place, cards) if is_run(place) else [_set_step(place, cards)]


def _require_rank_of_meld(standing: Standing, cards: Sequence[Card], onto: Place) -> None:
    """Raise `Refusal` if cards of one rank would join a meld of another."""
    ranks = {card >> 2 for card in cards} - {TWO, JOKER}
    if len(ranks) == 1 and natural_kind(onto) not in ranks:
        raise Refusal(Code.MELD_WRONG_TARGET, {"number": list(standing.melds).index(onto)})


def must_join_top_card(rules: RuleSet, cards: Sequence[Card]) -> bool:
    """Return whether cards for which no meld is named can only join the meld of the pile's top.

    They are wild cards, too few for a meld of their own.
    """
    few = 0 < len(cards) < rules.meld_min and all(card >> 2 in (TWO, JOKER) for card in cards)
    return few or must_join_a_meld(rules, cards)


def _place_for_cards(standing: Standing, cards: Sequence[Card], top_place: Place | None) -> Place:
    """Return the place where these cards belong, if no meld was named for them.

    `top_place` is the place of the pile's top, if it was taken in this act.
    """
    family = family_of_cards(standing.rules, cards)
    if top_place is not None and must_join_top_card(standing.rules, cards):
        return top_place
    if must_join_a_meld(standing.rules, cards):
        if len(standing.melds) == 1:
            return next(iter(standing.melds))
        raise Refusal(Code.MELD_NO_RANK)
    if family is None:
        raise _several_ranks_refusal(standing, cards)
    targets = standing.possible_places(family)
    new = targets[-1:] if targets and targets[-1] not in standing.melds else []
    for place in (*new, *targets):
        if _may_join_meld(standing, place, cards):
            return place
    runs = standing.melds_of_family(run_place(cards[0] & 3)) if len(cards) == 1 else ()
    for run in runs:
        if _may_join_meld(standing, run.place, cards):
            return run.place
    if (full := _why_run_full(standing, runs, cards[0])) is not None:
        raise full
    return targets[0] if targets else standing.new_place(family)


def _may_join_meld(standing: Standing, place: Place, cards: Sequence[Card]) -> bool:
    """Return whether these cards may join the meld at that place."""
    if is_run(place):
        ranks = sorted(card >> 2 for card in cards)
        return why_not_run(standing, place, ranks[0], ranks[-1]) is None
    step = _set_step(place, cards)[0]
    return why_not_join(standing, place, step.naturals, step.twos, step.jokers) is None


def _why_run_full(standing: Standing, runs: Sequence[TableMeld], card: Card) -> Refusal | None:
    """Return the refusal for a card that would extend a full run; None if there is no such run."""
    for run in runs:
        refusal = why_not_run(standing, run.place, card >> 2, card >> 2)
        if refusal is not None and refusal.code is Code.RUN_FULL:
            return refusal
    return None


def _several_ranks_refusal(standing: Standing, cards: Sequence[Card]) -> Refusal:
    """Return the refusal for cards of several ranks that make no meld."""
    ranks = sorted({card >> 2 for card in cards} - {TWO, JOKER})
    naturals = [card for card in cards if card >> 2 not in (TWO, JOKER)]
    if "seq" in standing.rules.meld_kinds:
        one_suit = len({card & 3 for card in naturals}) == 1
        if len(naturals) < len(cards) and one_suit:
            return Refusal(Code.RUN_WITHOUT_WILDS, {"wilds": len(cards) - len(naturals)})
        if len(naturals) == len(cards):
            return _gap_in_run_refusal(ranks) if one_suit else Refusal(Code.RUN_SUITS)
    return Refusal(Code.MELD_MIXED_RANKS, {"first": kind_name(ranks[0]), "second": kind_name(ranks[1])})


def _gap_in_run_refusal(ranks: Sequence[Kind]) -> Refusal:
    """Return the refusal for cards of one suit that are not consecutive; `ranks` are ascending.

    A three cannot precede a four.
    """
    if ranks[-1] > ACE:
        return Refusal(Code.RUN_RANKS, {"low": kind_name(ranks[-1]), "high": kind_name(ranks[-2:][0])})
    return Refusal(Code.RUN_GAP, {"low": kind_name(ranks[0]), "high": kind_name(ranks[-1])})


def _set_step(place: Place, cards: Sequence[Card]) -> tuple[Meld, tuple[Card, ...]]:
    """Return the step that melds these cards of one rank at that place, and the cards."""
    kind = natural_kind(place)
    counts = counts_of(cards)
    step = Meld(place, 0 if kind is None else counts[kind], counts[TWO], counts[JOKER])
    if step.size != len(cards):
        other = next(card >> 2 for card in cards if card >> 2 not in (kind, TWO, JOKER))
        first = TWO if family_of(place) == WILD_MELD else family_of(place)
        raise Refusal(Code.MELD_MIXED_RANKS, {"first": kind_name(first), "second": kind_name(other)})
    return step, tuple(cards)


def _run_steps(standing: Standing, place: Place, cards: Sequence[Card]) -> list[tuple[Meld | LayRun, tuple[Card, ...]]]:
    """Return the steps that lay these cards on a run, one for each end, with the cards of each."""
    wilds = sum(1 for card in cards if card >> 2 in (TWO, JOKER))
    if wilds:
        raise Refusal(Code.RUN_WITHOUT_WILDS, {"wilds": wilds})
    if any(card & 3 != suit_of_run(place) for card in cards):
        raise Refusal(Code.RUN_SUITS)
    ranks = sorted(card >> 2 for card in cards)
    if ranks[-1] > ACE:
        raise _gap_in_run_refusal(ranks)
    lying = standing.melds.get(place)
    parts = [ranks]
    first, last = (0, 0) if lying is None else ends_of_run(lying)
    if lying is not None:
        parts = [part for part in ([rank for rank in ranks if rank < first], [r for r in ranks if r > last]) if part]
        if sum(len(part) for part in parts) != len(ranks):
            raise Refusal(Code.RUN_GAP, {"low": kind_name(first), "high": kind_name(last)})
    for part in parts:
        if part != list(range(part[0], part[0] + len(part))):
            raise Refusal(Code.RUN_GAP, {"low": kind_name(part[0]), "high": kind_name(part[-1])})
        if lying is not None and part[-1] != first - 1 and part[0] != last + 1:
            raise Refusal(Code.RUN_NOT_AT_END, {"low": kind_name(first), "high": kind_name(last)})
    return [
        (LayRun(place, part[0], part[-1]), tuple([rank << 2 | suit_of_run(place) for rank in part])) for part in parts
    ]


def smallest_claim(state: State, action: TakePile) -> tuple[Take, tuple[Card, ...]]:
    """Return the step that takes the pile with the fewest of the named cards, and those cards.

    They are naturals, or a natural and a wild card, or none.
    """
    kind = state.pile[-1] >> 2
    naturals = [card for card in action.cards if card >> 2 == kind]
    wilds = [card for card in action.cards if card >> 2 in (TWO, JOKER)]
    needed = naturals_needed(state) if len(naturals) > 1 else 1
    claim = (*naturals[:needed],) if len(naturals) > 1 else (*naturals, *wilds[:1])
    onto = named_places(state, [Lay((), action.onto)])[0]
    if not claim and onto is None:
        onto = _meld_for_top_card(state)
    counts = counts_of(claim)
    return Take(counts[kind], counts[TWO], counts[JOKER], onto), claim


def _meld_for_top_card(state: State) -> Place | None:
    """Return the first meld that the top card may join alone, of its rank or else a run; None if none."""
    top = state.pile[-1]
    standing = standing_of(state)
    lying = (*standing.melds_of_family(top >> 2), *standing.melds_of_family(run_place(top & 3)))
    return next((meld.place for meld in lying if why_cards_claim_nothing(state, Take(onto=meld.place)) is None), None)
