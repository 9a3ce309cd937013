"""The outlook of a turn: the side's melds and their limits, and what the turn still demands.

Decides the closed ranks of `docs/law/variants.md 3.10`.

Reads `canasta_size`, `dead_ranks`, `open_count_top`, `open_shape`, `open_wild_ranks`, `same_rank_melds`, `theme`,
`wild_gate`, `wild_lock`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, TWO, Card, Kind, value_class
from bot.engine.cards.meld_places import DEUCE_MELD, WILD_MELD, Family, Place, family_of, first_free_place
from bot.engine.melds.canastas import is_canasta_of
from bot.engine.melds.side_melds import Spread, spread_of
from bot.engine.melds.table_meld import TableMeld, card_points_of, meld_with_cards, without_cards
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.themes.conditions import families_of
from bot.engine.table.state import State
from bot.engine.table.state_queries import number_coming_after_opening
from bot.engine.table.themes_in_force import CanastaLimits, canasta_limits_of, closed_kinds


@value_class
class Standing:
    """The melds of the side in turn, and the limits on cards that join them.

    `closed` are the kinds of cards that may not be melded: closed ranks, and kinds that themes forbid the seat in turn,
    possibly wild cards. `opening` says that the side had not opened when the turn began, so that all its melds now
    belong to its initial meld; it is false where that makes no difference. `limits` are the themes' demands on
    canastas, or None.
    """

    rules: RuleSet
    spread: Spread
    closed: frozenset[Kind]
    opening: bool
    limits: CanastaLimits | None

    @property
    def melds(self) -> Mapping[Place, TableMeld]:
        """The melds by place, in the order in which they began."""
        return self.spread.by_place

    @property
    def surely_closed_kinds(self) -> frozenset[Kind]:
        """The kinds of cards that may not be melded for the whole rest of the turn."""
        limits = self.limits
        return self.closed if limits is None or not limits.until else self.closed & limits.always

    def melds_of_family(self, family: Family) -> tuple[TableMeld, ...]:
        """Return the melds of a family, in the order in which they began."""
        return self.spread.families.get(family, ())

    def may_begin_meld(self, family: Family) -> bool:
        """Return whether another meld of that family may be begun (`same_rank_melds`)."""
        return may_begin_another_meld(self.rules, family, [meld.size for meld in self.melds_of_family(family)])

    def new_place(self, family: Family) -> Place:
        """Return the place for the next meld of that family."""
        return first_free_place(family, self.melds)

    def possible_places(self, family: Family) -> list[Place]:
        """Return the places of a family that cards could join, a new one last."""
        places = [meld.place for meld in self.melds_of_family(family)]
        return [*places, self.new_place(family)] if self.may_begin_meld(family) else places

    def is_canasta(self, place: Place) -> bool:
        """Return whether the meld at that place is a finished canasta."""
        lying = self.melds.get(place)
        return lying is not None and lying.size >= self.rules.canasta_size

    def with_meld(self, meld: TableMeld) -> Standing:
        """Return these melds and limits with that meld, in place of a smaller one at its place."""
        closed = self.closed
        if self.rules.dead_ranks and meld.size >= self.rules.canasta_size and family_of(meld.place) <= ACE:
            closed |= {family_of(meld.place)}
        spread = self.spread.with_meld(self.rules, meld)
        if self.limits is None:
            return Standing(self.rules, spread, closed, self.opening, None)
        return self._with_spread(spread, closed)

    def with_cards(self, place: Place, cards: Iterable[Card]) -> Standing:
        """Return these melds and limits after the cards have joined or begun the meld at that place."""
        return self.with_meld(meld_with_cards(place, self.melds.get(place), cards))

    def with_melds(self, melds: Iterable[TableMeld]) -> Standing:
        """Return these limits with the given melds in place of all present ones."""
        return self._with_spread(spread_of(self.rules, melds), self.closed)

    def _with_spread(self, spread: Spread, closed: frozenset[Kind]) -> Standing:
        rules, limits = self.rules, self.limits
        # a theme may close kinds of cards until there is a canasta, so new melds may free or close some
        if limits is not None and limits.until:
            closed = closed.difference(*[kinds for _, kinds in limits.until])
            closed |= limits.kinds_closed_by(rules, spread.by_place.values())
            if rules.dead_ranks:
                closed |= spread.finished
        return Standing(rules, spread, closed, self.opening, limits)

    def may_make_canasta(self, canasta: TableMeld) -> bool:
        """Return whether themes allow that canasta now."""
        limits, family = self.limits, family_of(canasta.place)
        if limits is None:
            return True
        if family in limits.never:
            return False
        first = limits.first
        if first is None or family in (families := families_of(first.ranks)):
            return True
        return any(is_canasta_of(self.rules, meld, families, first.canasta) for meld in self.melds.values())

    def locking_family(self) -> Family | None:
        """Return the family whose unfinished meld binds wild cards (`wild_lock`), or None."""
        families = self.spread.families
        if self.rules.wild_lock == "none" or not (WILD_MELD in families or DEUCE_MELD in families):
            return None
        size = self.rules.canasta_size
        for family in (WILD_MELD, DEUCE_MELD):
            for meld in families.get(family, ()):
                if len(meld.cards) < size:
                    return family
        return None

    def without_rank(self, kind: Kind) -> Standing:
        """Return these melds, with that rank among the kinds that may not be melded."""
        return Standing(self.rules, self.spread, self.closed | {kind}, self.opening, self.limits)

    def locked_wild_kinds(self) -> frozenset[Kind]:
        """Return the kinds of wild cards that may join no meld but the one that binds them."""
        if self.locking_family() is None:
            return _NONE
        return _TWOS if self.rules.wild_lock == "twos" else _ALL_WILDS


_NONE: frozenset[Kind] = frozenset()
_TWOS = frozenset({TWO})
_ALL_WILDS = frozenset({TWO, JOKER})


def may_begin_another_meld(rules: RuleSet, family: Family, sizes: Sequence[int]) -> bool:
    """Return whether a side with melds of these sizes, all of one family, may begin another."""
    if rules.same_rank_melds == "many" and family != BLACK_THREE:
        return True
    if rules.same_rank_melds == "after_close" or family == WILD_MELD:
        return all(size >= rules.canasta_size for size in sizes)
    return not sizes


def standing_of(state: State) -> Standing:
    """Return the melds of the side in turn, with the limits on cards that join them."""
    rules = state.rules
    side = state.side
    closed = closed_ranks(state) if rules.dead_ranks else _NONE
    if not rules.theme:
        return Standing(rules, state.spreads[side], closed, rules.opening_matters and opens_in_this_turn(state), None)
    opening = opens_in_this_turn(state)
    dead, closed = closed, closed | closed_kinds(state, opening=opening)
    limits = canasta_limits_of(state, dead, opening=opening)
    return Standing(rules, state.spreads[side], closed, rules.opening_matters and opening, limits)


def closed_ranks(state: State) -> frozenset[Kind]:
    """Return the ranks that no one may meld any more, because some side has a canasta of them.

    Source: `docs/law/variants.md 3.10`.
    """
    closed = _NONE
    for spread in state.spreads:
        if spread.finished:
            closed = closed | spread.finished if closed else spread.finished
    return closed


def opens_in_this_turn(state: State) -> bool:
    """Return whether the side in turn had not opened when the turn began."""
    side_by_seat = state.seating.side_by_seat
    side = state.side
    if state.opened[side]:
        for seat in state.melded_seats:
            if side_by_seat[seat] == side:
                return False
    return True


# --- outlook ----------------------------------------------------------------------------------------------------------


@value_class
class Outlook:
    """A turn as it is after some melds; the rules about the end of a turn judge it.

    `standing` has the melds, `hand` the cards left, `laid_points` the points laid by a side that has not opened.
    `below` cards come to the hand when the side opens, because the pile's top has been melded. `from_stock` says that
    the seat has drawn from the stock.
    """

    standing: Standing
    hand: tuple[Card, ...]
    laid_points: int
    below: int
    from_stock: bool

    def after_laying(self, place: Place, cards: Sequence[Card], top: Card | None = None) -> Outlook:
        """Return the turn after these cards, and the pile's top card if given, are melded at that place.

        `open_count_top` says whether the top card counts for the points of an initial meld.
        """
        rules = self.standing.rules
        together = cards if top is None else (*cards, top)
        points = self.laid_points + card_points_of(rules, together if rules.open_count_top else cards)
        standing, hand = self.standing.with_cards(place, together), without_cards(self.hand, cards)
        return Outlook(standing, hand, points, self.below, self.from_stock)


def outlook_of(state: State) -> Outlook:
    """Return the current turn as an outlook: the side's melds, the cards left, and the points laid."""
    return Outlook(
        standing_of(state),
        state.hands[state.turn],
        state.laid_points,
        number_coming_after_opening(state),
        state.drew == "stock",
    )
