"""Where the cards of a position lie: hands, feet, cards set aside, melds, threes, and what lies face down in the pile.

The fields are told in `docs/referee.md`.
"""

from __future__ import annotations

from collections.abc import Container

from bot.engine.cards.cards import BLACK_THREE, RED_THREE, Card
from bot.engine.cards.places import WILD_MELD, Place, family_of, free_place, is_run
from bot.engine.melds.melds import TableMeld, family_of_cards, may_lie, meld_of
from bot.engine.record.seat_places import by_seat
from bot.engine.rules.fields import Fields, PositionError, cards, rows
from bot.engine.rules.rule_set import RuleSet, card_class
from bot.engine.table import threes
from bot.engine.table.laying import may_be_united
from bot.engine.table.state import State


def read_hands(position: Fields, state: State) -> tuple[tuple[Card, ...], ...]:
    """The cards of each seat.

    Red threes may be among them that should have been laid out. Where both colours are laid out, only a three kept for
    a special hand may be, and one drawn as the last card.
    """
    rules = state.rules
    hands: list[tuple[Card, ...]] = [()] * rules.players
    may_stay = int(rules.keeps_three) + (rules.last_three is not None)
    for seat, text, path in by_seat(state, position, "hands"):
        hands[seat] = tuple(sorted(cards(text, path)))
        held = len(threes.parted(rules, hands[seat])[1])
        if BLACK_THREE in rules.laid_out and held > may_stay:
            raise PositionError(path, _too_many_threes(held, may_stay))
    return tuple(hands)


def _too_many_threes(held: int, may_stay: int) -> str:
    """What is wrong with a hand of so many threes, of which at most `may_stay` are not laid out at once."""
    few = "no three may stay" if not may_stay else f"at most {may_stay} of them may stay"
    return (
        f"threes are laid out at once, and it holds {held}: {few} in a hand, put the others under red_threes or threes"
    )


def read_face_down(position: Fields, state: State, name: str) -> tuple[tuple[Card, ...], ...]:
    """The feet still face down, or the cards set aside, by seat; what is left out has come to the hand."""
    lie: list[tuple[Card, ...]] = [()] * state.rules.players
    for seat, text, path in by_seat(state, position, name):
        given = cards(text, path)
        lie[seat] = tuple(sorted(given)) if name == "feet" else given
    return tuple(lie)


def holds_freezing(rules: RuleSet, pile: tuple[Card, ...]) -> bool:
    """Whether the pile holds a card that freezes it until it is taken (`docs/law/classic.md 1.13`)."""
    freezing = rules.freeze_discards | rules.upcard_freezes
    return any(card_class(card >> 2) in freezing for card in pile)


def read_melds(position: Fields, state: State) -> tuple[tuple[TableMeld, ...], ...]:
    """The melds by side, each as it may lie there. Raises `PositionError`."""
    rules = state.rules
    sides: list[tuple[TableMeld, ...]] = [()] * state.seating.sides
    for side, (given, path) in position.by_number("melds", "side", state.seating.sides).items():
        melds: dict[Place, TableMeld] = {}
        for number, text in enumerate(rows(given, path)):
            meld = _meld(text, f"{path}.{number}", state, melds)
            several = is_run(meld.place) or family_of(meld.place) == WILD_MELD
            if family_of(meld.place) != meld.place and rules.same_rank_melds == "one" and not several:
                raise PositionError(f"{path}.{number}", "the side has a meld of that rank already")
            melds[meld.place] = meld
        sides[side] = tuple(melds.values())
    return tuple(sides)


def _meld(text: object, path: str, state: State, before: Container[Place]) -> TableMeld:
    """A meld that may lie there beside the others (`docs/law/classic.md 1.8, 1.10`). Raises `PositionError`."""
    rules = state.rules
    laid = tuple(sorted(cards(text, path)))
    family = family_of_cards(rules, laid)
    if family is None:
        raise PositionError(path, "is no meld of one rank" + (", nor a run" if "seq" in rules.meld_kinds else ""))
    meld = meld_of(free_place(family, before), laid)
    if not may_lie(rules, meld) and not may_be_united(state, meld):
        raise PositionError(path, f"is no meld in these rules: {meld.naturals} natural and {meld.wilds} wild cards")
    return meld


def read_threes(position: Fields, rules: RuleSet) -> tuple[tuple[Card, ...], ...]:
    """The threes laid out by side.

    They stand under `red_threes`, and under `threes` those of both colours where the rules lay out both.
    """
    sides: list[tuple[Card, ...]] = [()] * rules.sides
    for name, kinds in (("red_threes", {RED_THREE}), ("threes", {RED_THREE, BLACK_THREE})):
        for side, (given, path) in position.by_number(name, "side", rules.sides).items():
            laid = cards(given, path)
            if {card >> 2 for card in laid} - kinds:
                raise PositionError(path, f"holds another card than {name.replace('_', ' ')}")
            if sides[side] and any(card >> 2 == RED_THREE for card in laid):
                raise PositionError(path, "holds red threes, and so does red_threes")
            sides[side] = tuple(sorted(sides[side] + laid))
    return tuple(sides)


def read_set_aside(position: Fields, rules: RuleSet) -> tuple[tuple[Card, ...], ...]:
    """The black threes set aside by side, where the rules have that (`docs/law/variants.md 3.5`)."""
    sides: list[tuple[Card, ...]] = [()] * rules.sides
    for side, (given, path) in position.by_number("set_aside", "side", rules.sides).items():
        sides[side] = tuple(sorted(cards(given, path)))
        if rules.black3_in_pile != "set_aside" or {card >> 2 for card in sides[side]} - {BLACK_THREE}:
            raise PositionError(path, "only black threes are set aside, and only where the rules say so")
    return tuple(sides)


def read_hidden(position: Fields, pile: tuple[Card, ...]) -> int:
    """How many cards of the pile lie face down."""
    hidden = position.whole("hidden", 0, lowest=0)
    if hidden and hidden >= len(pile):
        raise PositionError(position.at("hidden"), f"the pile has {len(pile)} cards, and its top is seen")
    return hidden
