"""Parts of a position: seats by place, and the cards of hands, feet, melds and the pile.

Only seats that play in the deal have a place, from 0 in playing order; a resting seat has none. If nobody rests, place
and seat are equal. `docs/referee.md` describes the fields.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from bot.engine.cards.cards import BLACK_THREE, RED_THREE, Card
from bot.engine.cards.meld_places import WILD_MELD, Place, family_of, first_free_place, is_run
from bot.engine.melds.table_meld import TableMeld, family_of_cards, is_possible_meld, meld_of
from bot.engine.moves.events import DealEnded
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.case_fields import CaseFields, PositionError, read_cards, read_rows
from bot.engine.rules.rule_set import RuleSet, card_class
from bot.engine.rules.seating import PLAYERS_BY_TEAMS, Teams, seating_of
from bot.engine.table import bonus_threes
from bot.engine.table.applying_meld_events import may_be_merged
from bot.engine.table.state import State, new_game

Value = TypeVar("Value")

_SEAT_NAMES: Final = frozenset({"turn", "partner", "seat"})
"""The names in a refusal's detail whose values are seats."""


def form_by_sides(case: CaseFields, forms: Sequence[RuleSet]) -> RuleSet:
    """Return the first form with the sides that the case names, or the first form if it names none.

    In cut-throat the sides may also be one against two: then it is known who plays alone. A form may also be played
    with other sides of equal size, such as four players each alone. Raises `PositionError`.
    """
    if not case.has_field("sides"):
        return forms[0]
    given = [sorted(read_rows(side, f"sides.{place}"), key=str) for place, side in enumerate(case.rows("sides"))]
    shaped = [replace(forms[0], teams=teams) for teams in _SHAPES if forms[0].players in PLAYERS_BY_TEAMS[teams]]
    for rules in (*forms, *shaped):
        if given in _possible_sides(rules):
            return rules
    listed = " or ".join(dict.fromkeys(str(sides) for rules in forms for sides in _possible_sides(rules)))
    raise PositionError("sides", f"are {listed} where {forms[0].players} play {forms[0].name}")


_SHAPES: Final[tuple[Teams, ...]] = ("solo", "2x2", "3x2", "2x3")
"""Divisions into sides that a case can choose by its `sides` alone; all seats play in every deal."""


def _possible_sides(rules: RuleSet) -> list[list[list[int]]]:
    return [sides_by_place(rules), *([sides_by_place(rules, seat) for seat in range(3)] if rules.cut_throat else [])]


def sides_by_place(rules: RuleSet, alone: int | None = None) -> list[list[int]]:
    """Return the sides of a deal, as lists of places."""
    seating = seating_of(rules.teams, rules.players, 1, alone)
    return [[seating.place_of(seat) for seat in seating.seats_of(side)] for side in range(seating.sides)]


def game_before_deal(
    case: CaseFields, rules: RuleSet, scores: tuple[int, ...], *, position: CaseFields | None = None
) -> State:
    """Return the game before the deal of the case, with the deal's number and seating."""
    deal = case.whole_number("deal", 1, lowest=1)
    seats = seating_of(rules.teams, rules.players, deal).seats
    alone = _read_lone_seat(case, rules, position)
    return replace(new_game(rules, dealer=seats[-1], scores=scores), deal=deal, alone=alone)


def _read_lone_seat(case: CaseFields, rules: RuleSet, position: CaseFields | None) -> int | None:
    """Return the seat that plays alone in cut-throat, from the position or its sides; None if undecided."""
    if position is not None and position.has_field("alone"):
        if not rules.cut_throat:
            raise PositionError(position.path_of("alone"), "nobody plays alone against the others in these rules")
        return position.item_index("alone", "seat", rules.playing, 0)
    if len(case.rows("sides")) in (0, rules.sides):
        return None
    alone: int = next(side[0] for side in case.rows("sides") if len(side) == 1)
    return alone


def read_seat(state: State, fields: CaseFields, name: str, default: int) -> int:
    """Return the seat whose place is in that field of a case."""
    return state.seating.seats[fields.item_index(name, "seat", state.rules.playing, default)]


def read_seats(state: State, fields: CaseFields, name: str) -> frozenset[int]:
    """Return the seats whose places are in that field of a case."""
    seats = state.seating.seats
    return frozenset([seats[place] for place in fields.item_indices(name, "seat", len(seats))])


def entries_by_seat(state: State, fields: CaseFields, name: str) -> Iterator[tuple[int, Any, str]]:
    """Yield the entries of a field that has one for each place: the seat, its entry, the entry's path."""
    seats = state.seating.seats
    for place, (given, path) in fields.by_number(name, "seat", len(seats)).items():
        yield seats[place], given, path


def entries_by_place(state: State, entries_by_seat: Sequence[Value]) -> dict[str, Value]:
    """Return the entries of the seats that play, by place, as a field of a case has them."""
    return {str(place): entries_by_seat[seat] for place, seat in enumerate(state.seating.seats)}


def place_of(state: State, seat: int | None) -> int | None:
    """Return the place of the seat, as a field of a case names it; None for no seat."""
    return None if seat is None else state.seating.place_of(seat)


def places_of(state: State, seats: Iterable[int]) -> list[int]:
    """Return the places of these seats, sorted, as a field of a case names them."""
    return sorted([state.seating.place_of(seat) for seat in seats])


def seat_at(state: State, place: int) -> int:
    """Return the seat at that place. Raises `Refusal` for an unknown place."""
    seats = state.seating.seats
    if not 0 <= place < len(seats):
        raise Refusal(Code.NOT_A_PLAYER, {"seat": place, "players": len(seats)})
    return seats[place]


def detail_by_place(state: State, detail: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return a refusal's detail with places instead of seats."""
    seats = state.seating.seats
    return {
        name: seats.index(value) if name in _SEAT_NAMES and isinstance(value, int) and value in seats else value
        for name, value in detail.items()
    }


def dealer_place(state: State) -> int:
    """Return the place of the dealer. After a deal, that is the seat before the next dealer."""
    if deal_result_of(state) is None:
        return state.seating.place_of(state.dealer)
    following = seating_of(state.rules.teams, state.rules.players, state.deal + 1)
    return (following.place_of(state.dealer) - 1) % len(following.seats)


def deal_result_of(state: State) -> DealEnded | None:
    """Return the event that ended the state's deal, or None if it is not over."""
    return state.results[-1] if state.results and state.phase in (Phase.BETWEEN, Phase.OVER) else None


def read_hands(position: CaseFields, state: State) -> tuple[tuple[Card, ...], ...]:
    """Return the cards of each seat's hand.

    They may include red threes that should have been laid out. If both colours are bonus cards, they may include only a
    three kept for a special hand, and one drawn as the last card.
    """
    rules = state.rules
    hands: list[tuple[Card, ...]] = [()] * rules.players
    may_stay = int(rules.keeps_three) + (rules.last_three is not None)
    for seat, text, path in entries_by_seat(state, position, "hands"):
        hands[seat] = tuple(sorted(read_cards(text, path)))
        held = len(bonus_threes.split_threes(rules, hands[seat])[1])
        if BLACK_THREE in rules.laid_out and held > may_stay:
            raise PositionError(path, _too_many_threes_text(held, may_stay))
    return tuple(hands)


def _too_many_threes_text(held: int, may_stay: int) -> str:
    """Return the error text for a hand of `held` threes, of which at most `may_stay` may stay in it."""
    few = "no three may stay" if not may_stay else f"at most {may_stay} of them may stay"
    return (
        f"threes are laid out at once, and it holds {held}: {few} in a hand, put the others under red_threes or threes"
    )


def read_face_down(position: CaseFields, state: State, name: str) -> tuple[tuple[Card, ...], ...]:
    """Return the feet or talons that are still face down, by seat; missing ones have come to the hand."""
    lie: list[tuple[Card, ...]] = [()] * state.rules.players
    for seat, text, path in entries_by_seat(state, position, name):
        given = read_cards(text, path)
        lie[seat] = tuple(sorted(given)) if name == "feet" else given
    return tuple(lie)


def has_freezing_card(rules: RuleSet, pile: tuple[Card, ...]) -> bool:
    """Return whether the pile includes a card that freezes it until it is taken.

    Source: `docs/law/classic.md 1.13`.
    """
    freezing = rules.freeze_discards | rules.upcard_freezes
    return any(card_class(card >> 2) in freezing for card in pile)


def read_melds(position: CaseFields, state: State) -> tuple[tuple[TableMeld, ...], ...]:
    """Return the melds by side, each legal at its place. Raises `PositionError`."""
    rules = state.rules
    sides: list[tuple[TableMeld, ...]] = [()] * state.seating.sides
    for side, (given, path) in position.by_number("melds", "side", state.seating.sides).items():
        melds: dict[Place, TableMeld] = {}
        for number, text in enumerate(read_rows(given, path)):
            meld = _read_meld(text, f"{path}.{number}", state, melds)
            several = is_run(meld.place) or family_of(meld.place) == WILD_MELD
            if family_of(meld.place) != meld.place and rules.same_rank_melds == "one" and not several:
                raise PositionError(f"{path}.{number}", "the side has a meld of that rank already")
            melds[meld.place] = meld
        sides[side] = tuple(melds.values())
    return tuple(sides)


def _read_meld(text: object, path: str, state: State, before: Container[Place]) -> TableMeld:
    """Return one meld that its side may have besides the melds read before. Raises `PositionError`.

    Source: `docs/law/classic.md 1.8, 1.10`.
    """
    rules = state.rules
    laid = tuple(sorted(read_cards(text, path)))
    family = family_of_cards(rules, laid)
    if family is None:
        raise PositionError(path, "is no meld of one rank" + (", nor a run" if "seq" in rules.meld_kinds else ""))
    meld = meld_of(first_free_place(family, before), laid)
    if not is_possible_meld(rules, meld) and not may_be_merged(state, meld):
        raise PositionError(path, f"is no meld in these rules: {meld.naturals} natural and {meld.wilds} wild cards")
    return meld


def read_threes(position: CaseFields, rules: RuleSet) -> tuple[tuple[Card, ...], ...]:
    """Return the threes laid out, by side.

    They are in `red_threes`, or in `threes` for both colours if both are bonus cards.
    """
    sides: list[tuple[Card, ...]] = [()] * rules.sides
    for name, kinds in (("red_threes", {RED_THREE}), ("threes", {RED_THREE, BLACK_THREE})):
        for side, (given, path) in position.by_number(name, "side", rules.sides).items():
            laid = read_cards(given, path)
            if {card >> 2 for card in laid} - kinds:
                raise PositionError(path, f"holds another card than {name.replace('_', ' ')}")
            if sides[side] and any(card >> 2 == RED_THREE for card in laid):
                raise PositionError(path, "holds red threes, and so does red_threes")
            sides[side] = tuple(sorted(sides[side] + laid))
    return tuple(sides)


def read_set_aside(position: CaseFields, rules: RuleSet) -> tuple[tuple[Card, ...], ...]:
    """Return the black threes set aside, by side, if the rules have that (`docs/law/variants.md 3.5`)."""
    sides: list[tuple[Card, ...]] = [()] * rules.sides
    for side, (given, path) in position.by_number("set_aside", "side", rules.sides).items():
        sides[side] = tuple(sorted(read_cards(given, path)))
        if rules.black3_in_pile != "set_aside" or {card >> 2 for card in sides[side]} - {BLACK_THREE}:
            raise PositionError(path, "only black threes are set aside, and only where the rules say so")
    return tuple(sides)


def read_face_down_number(position: CaseFields, pile: tuple[Card, ...]) -> int:
    """Return the number of face-down cards in the pile."""
    hidden = position.whole_number("hidden", 0, lowest=0)
    if hidden and hidden >= len(pile):
        raise PositionError(position.path_of("hidden"), f"the pile has {len(pile)} cards, and its top is seen")
    return hidden
