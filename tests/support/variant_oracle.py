"""An oracle of legal turns in the variants: `tests.support.variant_melds`, tried step by step.

A turn is tried in every order and with every choice of suits, until it ends: a step is legal when it is allowed by
itself and some continuation ends legally, whatever is hidden. That is brute force: only for a handful of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Final, TypeAlias

from tests.support import variant_themes as themes
from tests.support.variant_asking import may_have_canastas
from tests.support.variant_melds import (
    BLACK,
    DEUCE,
    RANKS,
    RUN,
    SET,
    SUITS,
    UNKNOWN,
    WILD,
    LaidMeld,
    Position,
    is_set_shape,
    may_begin_meld,
    may_join_run,
    may_join_set,
    may_join_wild_meld,
    number_for_deal,
    rank_of,
    value_of,
)
from tests.support.variant_special_hands import may_keep_three, showable_hands
from tests.support.variant_turn_ends import (
    can_end_or_go_out_now,
    discardable_ranks,
    has_opened,
    has_required_shape,
    is_barred_from_going_out,
)

NEW: Final = "new"

Step: TypeAlias = tuple[str | int, ...]
"""``("draw",)``, ``("keep",)``, ``("pass",)``, ``("ask",)``, ``("announce",)``, ``("show", name)``,
``("discard", rank)``, ``("take", naturals, twos, jokers, target)``,
``("meld", kind, rank, target, naturals, twos, jokers)``, ``("run", suit, target, low, high)``,
``("combine", one, other)``; a target is the name of a meld, or ``new``."""


# --- steps that lay cards --------------------------------------------------------------------------------------------

Move: TypeAlias = tuple[Step, tuple[str, ...], "Position"]
"""A step, the cards of the hand that it lays, and the resulting position."""


def laying_moves(position: Position, *, first: bool = False) -> Iterator[Move]:
    """Yield every way to lay cards at this moment.

    In the first step cards leave the hand in the order in which steps pick them. Cards are `None` when the pile has
    come to the hand, and nothing is laid after that (`docs/law/classic.md H36`).
    """
    if _is_laying_over(position):
        yield from _combining_moves(position)
        return
    for step, cards, after in _all_laying_moves(position, first=first):
        spoils = (
            position.opening and position.opened and not has_required_shape(after)
        )  # once the points are laid, the shape must be there too (3.10)
        if not spoils and themes.may_lay_cards(position, after, cards):
            yield step, cards, after


def _is_laying_over(position: Position) -> bool:
    return not position.laws.meld_after_take and position.drew == "pile" and not position.aside


def _all_laying_moves(position: Position, *, first: bool) -> Iterator[Move]:
    yield from _moves_melding_sets(position, first=first)
    yield from _wild_moves(position)
    yield from _run_moves(position)
    yield from _black_three_moves(position)
    yield from _combining_moves(position)


def _moves_melding_sets(position: Position, *, first: bool) -> Iterator[Move]:
    laws = position.laws
    held_twos, twos, jokers = _cards_of_rank(position, "2"), position.count_of_rank("2"), position.count_of_rank("0")
    ranks = [rank for rank in RANKS if "set" in laws.meld_kinds]
    for kind, rank in [*((SET, rank) for rank in ranks), *([(DEUCE, "2")] if "deuce" in laws.meld_kinds else [])]:
        lying: list[LaidMeld | None] = [*position.melds_of(kind, rank), None]
        for onto in lying:
            for count in range((twos if kind == DEUCE else position.count_of_rank(rank)) + 1):
                chosen = _ways_to_choose(position, rank, count, first=first)
                for two in range(0 if kind == DEUCE else twos, -1, -1):
                    for joker in range(jokers + 1):
                        if not count + two + joker:
                            continue
                        wilds = held_twos[:two] + ("JK",) * joker
                        for naturals in chosen:
                            if may_join_set(position, kind, rank, onto, naturals + wilds):
                                numbers = (0, count, joker) if kind == DEUCE else (count, two, joker)
                                step = ("meld", kind, rank, onto.name if onto else NEW, *numbers)
                                yield step, naturals + wilds, _lay_cards(position, onto, kind, rank, naturals + wilds)


def _cards_of_rank(position: Position, rank: str) -> tuple[str, ...]:
    """Return the hand's cards of a rank in the order in which they are played.

    Penalty cards come first, then the order is by suit.
    """
    return _cards_in_leaving_order(position.hand, position.exposed).get(rank, ())


@lru_cache(maxsize=4096)
def _cards_in_leaving_order(hand: tuple[str, ...], exposed: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the cards of a hand by rank, those of each rank in the order in which they are played."""
    found: dict[str, tuple[str, ...]] = {}
    for rank in {rank_of(card) for card in hand}:
        held = sorted([card for card in hand if rank_of(card) == rank], key=lambda card: SUITS.find(card[1]))
        first = Counter(exposed) & Counter(held)
        found[rank] = (*first.elements(), *(Counter(held) - first).elements())
    return found


def _ways_to_choose(position: Position, rank: str, count: int, *, first: bool) -> list[tuple[str, ...]]:
    """Return the different ways to choose that many cards of a rank.

    Suits matter only if the rules have runs.
    """
    held = _cards_of_rank(position, rank)
    if first or "seq" not in position.laws.meld_kinds:
        return [held[:count]]
    return sorted(set(combinations(held, count)))


def _wild_moves(position: Position) -> Iterator[Move]:
    if "wild" not in position.laws.meld_kinds:
        return
    lying: list[LaidMeld | None] = [*position.melds_of(WILD, ""), None]
    for onto in lying:
        for two in range(position.count_of_rank("2") + 1):
            for joker in range(position.count_of_rank("0") + 1):
                if two + joker and may_join_wild_meld(position, onto, two + joker):
                    cards = _cards_of_rank(position, "2")[:two] + ("JK",) * joker
                    step = ("meld", WILD, "", onto.name if onto else NEW, 0, two, joker)
                    yield step, cards, _lay_cards(position, onto, WILD, "", cards)


def _run_moves(position: Position) -> Iterator[Move]:
    if "seq" not in position.laws.meld_kinds:
        return
    for suit in SUITS:
        held = {RANKS.index(card[0]) for card in position.hand if card[1] == suit and card[0] in RANKS}
        lying: list[LaidMeld | None] = [*position.melds_of(RUN, suit), None]
        for low in held:
            high = low
            while high in held:
                for onto in lying:
                    if may_join_run(position, onto, low, high):
                        cards = tuple(RANKS[place] + suit for place in range(low, high + 1))
                        step = ("run", suit, onto.name if onto else NEW, low, high)
                        yield step, cards, _lay_cards(position, onto, RUN, suit, cards)
                high += 1


def _black_three_moves(position: Position) -> Iterator[Move]:
    """Yield the ways to meld three or four black threes, the last cards of a player who goes out (1.8)."""
    if position.laws.black3_meld == "never" or position.phase == "draw":
        return
    held = [card for card in position.hand if rank_of(card) == "3"]
    waiting = len(gathered_cards(position)) if position.aside else 0
    for count in (3, 4):
        if len(held) >= count and len(position.hand) + waiting - count <= 1 and not position.melds_of(BLACK, "3"):
            yield (
                ("meld", BLACK, "3", NEW, count, 0, 0),
                tuple(held[:count]),
                _lay_cards(position, None, BLACK, "3", tuple(held[:count])),
            )


def _combining_moves(position: Position) -> Iterator[Move]:
    """Yield the ways to combine two melds of one rank, if the result is legal (3.1).

    Melds of wild cards are not combined; and two canastas stay two.
    """
    laws = position.laws
    # Before the draw, only cards of the hand are laid (3.10).
    if laws.same_rank_melds != "many" or position.phase == "draw":
        return
    for one, other in combinations(position.melds, 2):
        if one.kind != other.kind or one.rank != other.rank or one.kind in (RUN, WILD, BLACK):
            continue
        finished = [meld.size >= laws.canasta_size for meld in (one, other)]
        kept = other if finished[1] else one  # the other meld is added to a finished canasta as single cards
        after = replace(kept, cards=one.cards + other.cards)
        spoils = any(done and meld.wilds for done, meld in zip(finished, (other, one), strict=True))
        if all(finished) or (spoils and laws.wild_on_canasta == "never"):
            continue
        natural = [meld.naturals >= laws.canasta_size for meld in (one, other)]
        if laws.wild_reclaim != "none" and any(natural) and (one if natural[1] else other).wilds:
            continue
        if is_set_shape(laws, after.naturals, after.wilds):
            rest = tuple(meld for meld in position.melds if meld not in (one, other))
            topped = after.name if position.topped in (one.name, other.name) else position.topped
            together = replace(position, melds=(*rest, after), topped=topped)
            opens = not position.opened and has_opened(together)
            yield ("combine", one.name, other.name), (), _open_side(together) if opens else together


def _lay_cards(position: Position, onto: LaidMeld | None, kind: str, rank: str, cards: tuple[str, ...]) -> Position:
    """Return the position with the cards laid.

    If they open the side, the rest of the pile comes to the hand.
    """
    hand = list(position.hand)
    for card in cards:
        hand.remove(card)
    return _with_meld(position, tuple(hand), onto, kind, rank, cards)


def _with_meld(
    position: Position,
    hand: tuple[str, ...],
    onto: LaidMeld | None,
    kind: str,
    rank: str,
    cards: tuple[str, ...],
    *,
    uncounted: int = 0,
) -> Position:
    name = onto.name if onto else _new_meld_name(position, kind, rank)
    after = LaidMeld(name, kind, rank, tuple(sorted((onto.cards if onto else ()) + cards)))
    points = sum(value_of(position.laws, card) for card in cards) - uncounted
    position = replace(
        position,
        hand=hand,
        melds=(*[meld for meld in position.melds if meld is not onto], after),
        laid=position.laid + (0 if position.opened else points),
        touched=True,
    )
    return _open_side(position) if not position.opened and has_opened(position) else position


def _new_meld_name(position: Position, kind: str, rank: str) -> str:
    return f"{NEW} {len(position.melds)} {kind}{rank}"


def _open_side(position: Position) -> Position:
    """Return the position after the side has opened.

    If the side has taken the pile, the hand has the rest of it.
    """
    if not position.aside:
        return replace(position, opened=True)
    hand = position.hand + gathered_cards(position)
    left = position.pile[: _cards_left_in_pile(position)]
    return replace(position, opened=True, aside=False, pile=left, hand=tuple(hand))


def _cards_left_in_pile(position: Position) -> int:
    """Return the number of cards that stay in the pile when its top has been taken (3.11)."""
    most = position.laws.pile_take
    return 0 if most is None else max(0, len(position.pile) - (number_for_deal(position, most) - 1))


def gathered_cards(position: Position) -> tuple[str, ...]:
    """Return the cards that are sure to come to the hand with the pile.

    Those are not red threes. Cards drawn in addition are unknown. Cards that are face down in the pile are left out:
    they may all be threes.
    """
    laws = position.laws
    away = {rank for rank, role in (("R", laws.red3_role), ("3", laws.black3_role)) if role == "bonus"}
    if laws.black3_in_pile == "set_aside":
        away.add("3")
    taken = position.pile[max(_cards_left_in_pile(position), position.hidden) :]
    unknown = (UNKNOWN,) * min(laws.draw_with_pile, position.stock)
    return tuple(card for card in taken if rank_of(card) not in away) + unknown


# --- legal steps ------------------------------------------------------------------------------------------------------


class TurnSearch:
    """A search through the continuations of a turn, with cached results."""

    def __init__(self) -> None:
        self._found: dict[object, bool] = {}

    def can_end_turn(self, position: Position, *, out: bool) -> bool:
        """Return whether the turn can end legally from here; with `out`, by going out."""
        stays, goes = can_end_or_go_out_now(position)
        if goes or (stays and not out):
            return True
        key = (_cache_key(position), out)
        if key not in self._found:
            self._found[key] = any(self.can_end_turn(after, out=out) for _, _, after in laying_moves(position))
        return self._found[key]

    def can_take_pile(self, position: Position) -> bool:
        """Return whether the seat can take the pile, perhaps after opening from its hand (3.10), and end the turn."""
        if position.opened and themes.has_won(position):
            return True
        if not position.hand:
            return False  # every turn must take a card from the stock or the pile
        key = (_cache_key(position), "takes")
        if key not in self._found:
            taken = ways_to_take(position) if position.opened else ()
            ends = any(self.can_end_turn(after, out=False) for _, after in taken)
            self._found[key] = ends or any(self.can_take_pile(after) for _, _, after in laying_moves(position))
        return self._found[key]


def _cache_key(position: Position) -> object:
    """Return a key that is equal for equivalent positions of the same turn."""
    lie = tuple(sorted((one.kind, one.rank, one.cards) for one in position.melds))
    return position.phase, tuple(sorted(position.hand)), lie, position.topped, position.opened, position.aside


def legal_steps(position: Position) -> set[Step]:
    """Return every step that begins or continues a legal turn."""
    search = TurnSearch()
    steps = _draw_steps(position, search) if position.phase == "draw" else _play_steps(position, search)
    if may_ask_or_announce(position, takes=any(step[0] == "take" for step in steps)):
        steps.add(("announce" if position.laws.out_announce else "ask",))
    return steps


def _play_steps(position: Position, search: TurnSearch) -> set[Step]:
    must_go_out = position.permission is True and not position.aside and search.can_end_turn(position, out=True)
    steps = {
        step for step, _, after in laying_moves(position, first=True) if search.can_end_turn(after, out=must_go_out)
    }
    stays, goes = can_end_or_go_out_now(position)
    if position.lapsed and position.laws.penalties == "singkep" and any(step[0] in ("meld", "run") for step in steps):
        stays = goes = False  # S0 1.4.l.i: all that can be laid is laid first
    if goes if must_go_out else stays or (goes and len(position.hand) == 1):
        steps |= {("discard", rank) for rank in discardable_ranks(position)}
    back = {step for step, after in _reclaim_steps(position) if not must_go_out or search.can_end_turn(after, out=True)}
    return steps | back | {("show", name) for name in showable_hands(position)}


def _reclaim_steps(position: Position) -> Iterator[tuple[Step, Position]]:
    """Yield the steps that take wild cards back from a canasta, each with the resulting position.

    That is allowed if naturals alone complete the canasta, and not with the last card of the hand. Reclaiming does not
    help to end a turn, which must be possible without it (`docs/law/classic.md H43`).
    """
    if position.laws.wild_reclaim == "none" or not position.opened or len(position.hand) < 2:
        return
    for meld in position.canastas:
        if meld.wilds and meld.naturals >= position.laws.canasta_size:
            wild = tuple(card for card in meld.cards if LaidMeld("", meld.kind, meld.rank, (card,)).wilds)
            left = list(meld.cards)
            for card in wild:
                left.remove(card)
            melds = tuple(replace(one, cards=tuple(left)) if one is meld else one for one in position.melds)
            after = replace(position, hand=position.hand + wild, melds=melds, touched=True)
            yield ("reclaim", meld.kind, meld.rank, meld.name), after


def _draw_steps(position: Position, search: TurnSearch) -> set[Step]:
    takes = {step for step, after in ways_to_take(position) if search.can_end_turn(after, out=False)}
    steps: set[Step] = set(takes)
    if _may_open_from_hand(position):
        steps |= {step for step, _, after in laying_moves(position, first=True) if search.can_take_pile(after)}
        if position.touched:
            return steps
    if may_keep_three(position):
        steps.add(("keep",))
    # Taking the pile in this way is optional.
    steps |= {step for step, after in _steps_showing_twos(position) if search.can_end_turn(after, out=False)}
    force = position.laws.stock_out_force
    forced = any(step[1:4] == (0, 0, 0) for step in takes) if force.startswith("if_top") else bool(takes)
    if position.stock:
        steps.add(("draw",))
    elif force == "never" or not forced:
        steps.add(("pass",))
    return steps


def _may_open_from_hand(position: Position) -> bool:
    """Return whether the seat may lay an initial meld from its hand before taking the pile.

    This includes a seat that has begun to; it may not draw from the stock any more.
    """
    return (
        position.laws.open_pile == "hand_first"
        and (not position.opened or position.touched)
        and bool(position.pile)
        and rank_of(position.pile[-1]) in RANKS
        and themes.may_take_pile(position)
    )


def ways_to_take(position: Position) -> Iterator[tuple[Step, Position]]:
    """Yield the ways to take the pile with its top card in a meld (part E of A.1), and the positions then."""
    laws = position.laws
    if not position.pile or rank_of(position.pile[-1]) not in RANKS or position.pile[-1][0] in laws.top_blocks:
        return
    if laws.one_card_guard and len(position.hand) == 1 and len(position.pile) == 1:
        return
    if (not position.opened and laws.open_pile != "yes") or not themes.may_take_pile(position):
        return
    top = position.pile[-1]
    frozen = position.frozen or (laws.frozen_unopened and not position.opened)
    frozen = frozen or (laws.frozen_untaken and not position.taken)  # `docs/law/classic.md H37`
    ways = [
        way
        for shape in _shapes_that_take_pile(position, frozen=frozen)
        for way in _takes_with_cards(position, top, shape)
    ]
    for step, cards, after in [*ways, *([] if frozen else _takes_by_adding_top(position, top))]:
        if themes.may_lay_cards(position, after, (*cards, top)):
            yield step, after


def _steps_showing_twos(position: Position) -> Iterator[tuple[Step, Position]]:
    """Yield the step that takes the pile by showing two twos of the top card's colour, and its result.

    All these cards come to the hand (`docs/law/classic.md H41`).
    """
    laws = position.laws
    if not (laws.take_twos and position.opened and position.pile and rank_of(position.pile[-1]) == "2"):
        return
    red = position.pile[-1][1] in "hd"
    held = [card for card in position.hand if rank_of(card) == "2" and (card[1] in "hd") == red]
    after = replace(position, phase="play", drew="pile", frozen=False, pile=position.pile[:-1])
    left = _cards_left_in_pile(after)
    if len(held) < 2 or left == len(after.pile) or not themes.may_take_pile(position):
        return
    hand = (*position.hand, position.pile[-1], *gathered_cards(after))
    yield ("take", 0, 2, 0, NEW), replace(after, hand=hand, pile=after.pile[:left])


def _shapes_that_take_pile(position: Position, *, frozen: bool) -> list[tuple[int, int, int]]:
    laws = position.laws
    pair = 2
    if frozen and (
        laws.take_frozen == "triple"
        or (
            laws.take_frozen == "triple_if_wild"
            and any(rank_of(card) in "20" for card in position.pile[position.hidden :])
        )
    ):
        pair = 3
    shapes = [(pair, 0, 0)] if frozen or "pair" in laws.take_open else []
    if not frozen and "card+wild" in laws.take_open:
        shapes += [(1, 1, 0), (1, 0, 1)]
    return shapes


def _takes_by_adding_top(position: Position, top: str) -> Iterator[Move]:
    """Yield the ways to take the pile by adding only its top card to an unfinished set or run (3.1)."""
    laws = position.laws
    if "add" in laws.take_open:
        for onto in position.melds_of(SET, top[0]):
            finished = onto.size >= laws.canasta_size
            if (laws.take_add_canasta or not finished) and may_join_set(position, SET, top[0], onto, (top,)):
                yield ("take", 0, 0, 0, onto.name), (), _after_taking_pile(position, onto, SET, top[0], ())
    if "add_seq" in laws.take_open:
        place = RANKS.index(top[0])
        for onto in position.melds_of(RUN, top[1]):
            if onto.size < laws.canasta_size and may_join_run(position, onto, place, place):
                yield ("take", 0, 0, 0, onto.name), (), _after_taking_pile(position, onto, RUN, top[1], ())


def _takes_with_cards(position: Position, top: str, shape: tuple[int, int, int]) -> Iterator[Move]:
    """Yield the ways to take the pile with the top card and cards of the hand.

    They begin a new meld if the rules allow another one, otherwise they are added to the existing one.
    """
    one, two, joker = shape
    if position.count_of_rank(top[0]) < one or position.count_of_rank("2") < two or position.count_of_rank("0") < joker:
        return
    wilds = _cards_of_rank(position, "2")[:two] + ("JK",) * joker
    cards = _cards_of_rank(position, top[0])[:one] + wilds
    lying = position.melds_of(SET, top[0])
    onto = None if may_begin_meld(position, SET, top[0]) else lying[-1]
    if onto is not None and onto.size >= position.laws.canasta_size and not position.laws.take_pair_canasta:
        return  # S0 1.4.g.b, read literally
    if may_join_set(position, SET, top[0], onto, (*cards, top)):
        yield (
            ("take", *shape, onto.name if onto else NEW),
            cards,
            _after_taking_pile(position, onto, SET, top[0], cards),
        )


def _after_taking_pile(
    position: Position, onto: LaidMeld | None, kind: str, rank: str, cards: tuple[str, ...]
) -> Position:
    laws = position.laws
    top, below = position.pile[-1], position.pile[:-1]
    hand = list(position.hand)
    for card in cards:
        hand.remove(card)
    topped = onto.name if onto else _new_meld_name(position, kind, rank)
    before = replace(position, phase="play", drew="pile", frozen=False, pile=below, aside=True, topped=topped)
    uncounted = 0 if laws.open_count_top else value_of(laws, top)
    after = _with_meld(before, tuple(hand), onto, kind, rank, (*cards, top), uncounted=uncounted)
    return _open_side(after) if after.opened and after.aside else after


# --- speaking --------------------------------------------------------------------------------------------------------


def may_ask_or_announce(position: Position, *, takes: bool) -> bool:
    """Return whether the player may ask the partner, or announce going out, once a turn.

    `takes` says that the pile can be taken. If asking is required, a player who could go out may ask until the last
    card is laid, and before the draw the pile counts. If it is optional, it comes before any meld, and the cards must
    be there only after the draw. Before that, or if the table penalises asking in vain, only the canastas matter.

    Source: `docs/law/classic.md 1.15, 1.18`, S0 1.4.l.e, 1.4.l.i.
    """
    laws = position.laws
    if not (laws.out_announce or (position.partner and laws.ask_partner != "none")):
        return False
    if (
        position.permission is not None
        or position.lapsed
        or (laws.ask_once and position.asked)
        or is_barred_from_going_out(position)
    ):
        return False
    said = replace(position, permission=True)
    search = TurnSearch()
    if laws.out_announce or laws.ask_partner == "mandatory":
        if position.phase == "play":
            return search.can_end_turn(said, out=True)
        after = [taken for _, taken in (*ways_to_take(said), *_steps_showing_twos(said))]
        drawn = [replace(said, phase="play", drew="stock")] if position.stock and not position.touched else []
        any_may_be_last = laws.discard_bans.isdisjoint({"J", "threes", "7_last"})
        if laws.out_discard == "mandatory" and number_for_deal(position, laws.draw) == 1 and any_may_be_last:
            drawn += [replace(one, laws=replace(laws, out_discard="optional")) for one in drawn]
        return any(search.can_end_turn(one, out=True) for one in (*drawn, *after))
    if position.touched:
        return False
    if position.phase == "draw" or laws.penalties in ("laws", "singkep"):
        return may_have_canastas(position, takes=takes)
    return search.can_end_turn(said, out=True)
