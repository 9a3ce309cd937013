"""Steps of turns as `docs/record.md` describes them, for the reader of records.

`apply_…` moves the cards of one. It imports nothing of the program.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any, Final

from tests.support.record_reader_dealing import (
    Contradiction,
    Meld,
    Table,
    UnknownFormat,
    card_class,
    cards_of,
    remove_cards,
    require,
    shuffled_order,
)


def play_turns(table: Table, turns: list[list[Any]]) -> int:
    """Play the turns; return the seat of the last one."""
    require(turns, "no turn was played")
    for number, (seat, *steps) in enumerate(turns, start=1):
        table.place_in_order = (number - 1) % len(table.order)
        require(seat == table.order[table.place_in_order], f"turn {number}: it is another seat's")
        if number == 1:
            table.begin_turn()
        over = False
        for place, step in enumerate(steps, start=1):
            try:
                over = take_step(table, step, seat, over=over)
            except Contradiction as fault:
                raise Contradiction(f"turn {number}, step {place}: {fault}") from None
        require(over or number == len(turns), f"turn {number}: it does not end")
    return int(turns[-1][0])


def take_step(table: Table, step: list[Any], seat: int, *, over: bool) -> bool:
    """Carry out a step: move its cards at the table, and return whether the turn is over."""
    name, *fields = step
    if name == "@":
        other, step = fields
        require(other != seat and other in table.order and step[0] == "penalized", "another seat's step")
        take_step(table, step, other, over=over)
        return over
    if name not in STEPS:
        raise UnknownFormat(f"step {name!r}")
    require(not over or name in AFTER, "the turn is over")
    kinds = STEPS[name]
    require(len(fields) <= len(kinds), f"{name}: too many fields")
    fields = [*fields, *["" if kind == "cards" else False for kind in kinds[len(fields) :]]]
    values = [cards_of(one) if kind == "cards" else one for one, kind in zip(fields, kinds, strict=True)]
    if name in MOVES:
        MOVES[name](table, seat, values)
    ends = not over and (name == "discarded" or (name == "took_foot" and not table.rules["foot_run"]))
    if ends:
        table.place_in_order = (table.place_in_order + 1) % len(table.order)
        table.begin_turn()
    return over or ends


def add_to_hand(table: Table, seat: int, drawn: list[str], threes: list[str], waiting: list[str]) -> None:
    """Draw cards into the hand with those that wait there, except threes that are laid out."""
    require(all(card_class(card) in table.threes() for card in threes), "no such three is laid out")
    table.draw(drawn)
    table.hands[seat] += remove_cards([*waiting, *drawn], threes, "threes")
    table.out += threes


def apply_drew_step(table: Table, seat: int, values: list[Any]) -> None:
    add_to_hand(table, seat, values[0], values[1], [])


def apply_laid_out_step(table: Table, seat: int, values: list[Any]) -> None:
    held = [card for card in table.hands[seat] if card_class(card) in table.threes()]
    table.hands[seat] = remove_cards(table.hands[seat], held, "hand")
    add_to_hand(table, seat, values[0], values[1], held)


def apply_took_foot_step(table: Table, seat: int, values: list[Any]) -> None:
    foot, table.feet[seat] = table.feet[seat], []
    require(foot, "no foot waits")
    add_to_hand(table, seat, values[0], values[1], foot)


def apply_took_talon_step(table: Table, seat: int, values: list[Any]) -> None:
    talon, table.talons[seat] = table.talons[seat], []
    require(talon, "no talon waits")
    add_to_hand(table, seat, values[0], values[1], talon)


def apply_set_talon_step(table: Table, seat: int, values: list[Any]) -> None:
    table.draw(values[0])
    table.talons[seat] += values[0]


def apply_took_top_step(table: Table, seat: int, values: list[Any]) -> None:
    place, top, cards = values
    require(table.pile and [table.pile[-1]] == top, "another card is on top")
    table.pile.pop()
    table.hidden = min(table.hidden, len(table.pile))
    lay_cards(table, seat, place, cards)
    table.meld_at(seat, place).cards += top
    table.laid += points_of(table, top) if table.rules["open_count_top"] else 0


def lay_cards(table: Table, seat: int, place: str, cards: list[str]) -> None:
    table.hands[seat] = remove_cards(table.hands[seat], cards, "hand")
    table.meld_at(seat, place).cards += cards
    table.laid += points_of(table, cards)


def points_of(table: Table, cards: list[str]) -> int:
    values = table.rules["values"]
    return sum(values["B3" if card_class(card) == "B3" else "JK" if card == "JK" else card[0]] for card in cards)


def apply_gathering_of_pile(table: Table, seat: int, values: list[Any]) -> None:
    cards, threes, aside, showed = values
    left = len(table.pile) - len(cards)
    require(left >= 0 and table.pile[left:] == cards, "the pile lies otherwise")
    require(all(card_class(card) == "B3" for card in aside), "no black three is set aside")
    require(all(card_class(card) in table.threes() for card in threes), "no such three is laid out")
    remove_cards(table.hands[seat], showed, "hand")
    table.hands[seat] += remove_cards(cards, [*threes, *aside], "pile")
    table.out += [*threes, *aside]
    table.pile = table.pile[:left]
    table.hidden = min(table.hidden, left)


def apply_reshuffled_step(table: Table, _seat: int, values: list[Any]) -> None:
    first = "canasta-reshuffle-v1\0" + (table.reshuffle_key or " ".join(table.pack))
    table.reshuffle_key = hashlib.sha256(first.encode()).hexdigest()
    under = table.pile[:-1]
    expected = [under[at] for at in shuffled_order(len(under), table.reshuffle_key.encode())]
    require(values[0] == expected and not table.cards_left_in_stock(), "the new stock has another order")
    table.stock, table.streams, table.pile, table.hidden = expected, {}, table.pile[-1:], 0


def apply_melded_step(table: Table, seat: int, values: list[Any]) -> None:
    lay_cards(table, seat, values[0], values[1])


def apply_combined_step(table: Table, seat: int, values: list[Any]) -> None:
    moved, onto = table.meld_at(seat, values[0]), table.meld_at(seat, values[1])
    require(moved is not onto and moved.cards and onto.cards, "no such melds")
    onto.cards += moved.cards
    table.melds.remove(moved)


def apply_reclaimed_step(table: Table, seat: int, values: list[Any]) -> None:
    meld = table.meld_at(seat, values[0])
    meld.cards = remove_cards(meld.cards, values[1], "meld")
    table.hands[seat] += values[1]


def apply_opened_step(table: Table, _seat: int, values: list[Any]) -> None:
    require(values[0] == table.laid, f"{values[0]} points, where {table.laid} lie")


def apply_discarded_step(table: Table, seat: int, values: list[Any]) -> None:
    require(len(values[0]) == 1, "one card is discarded")
    table.hands[seat] = remove_cards(table.hands[seat], values[0], "hand")
    table.pile += values[0]


def apply_showed_step(table: Table, seat: int, values: list[Any]) -> None:
    require(Counter(values[1]) == Counter(table.hands[seat]), "the hand is another")
    table.shown = values[0]


def apply_penalized_step(table: Table, seat: int, values: list[Any]) -> None:
    remove_cards(table.hands[seat], values[3], "hand")


def apply_sides_formed_step(table: Table, _seat: int, values: list[Any]) -> None:
    alone, players = values[0], range(len(table.hands))
    require(alone in table.order, "no such seat")
    table.sides = [int((seat == alone) != (alone == 0)) for seat in players]
    former, table.melds = table.melds, []
    # Until now each seat was its own side; the melds of the new side follow the order of its seats.
    for meld in sorted(former, key=lambda one: one.side):
        side = table.sides[meld.side]
        place, number = meld.place, 2
        if table.rules["same_rank_melds"] != "one":
            family = place.partition("#")[0]
            if (side, place) in [(one.side, one.place) for one in table.melds]:
                place = family
            while (side, place) in [(one.side, one.place) for one in table.melds]:
                place, number = f"{family}#{number}", number + 1
        lying = next((one for one in table.melds if (one.side, one.place) == (side, place)), None)
        if lying is None:
            table.melds.append(Meld(side, place, meld.cards))
        else:
            lying.cards += meld.cards


STEPS: Final[dict[str, tuple[str, ...]]] = {
    "drew": ("cards", "cards"),
    "laid_out": ("cards", "cards"),
    "took_foot": ("cards", "cards"),
    "took_talon": ("cards", "cards"),
    "set_talon": ("cards",),
    "took_top": ("place", "cards", "cards"),
    "gathered": ("cards", "cards", "cards", "cards"),
    "reshuffled": ("cards",),
    "melded": ("place", "cards"),
    "combined": ("place", "place"),
    "reclaimed": ("place", "cards"),
    "opened": ("points",),
    "discarded": ("cards",),
    "sides_formed": ("seat",),
    "asked": ("seat",),
    "answered": ("yes",),
    "showed": ("name", "cards"),
    "penalized": ("name", "points", "points", "cards", "flag", "flag"),
    "announced": (),
    "permission_lapsed": (),
    "passed": (),
}

MOVES: Final = {
    "drew": apply_drew_step,
    "laid_out": apply_laid_out_step,
    "took_foot": apply_took_foot_step,
    "took_talon": apply_took_talon_step,
    "set_talon": apply_set_talon_step,
    "took_top": apply_took_top_step,
    "gathered": apply_gathering_of_pile,
    "reshuffled": apply_reshuffled_step,
    "melded": apply_melded_step,
    "combined": apply_combined_step,
    "reclaimed": apply_reclaimed_step,
    "opened": apply_opened_step,
    "discarded": apply_discarded_step,
    "showed": apply_showed_step,
    "penalized": apply_penalized_step,
    "sides_formed": apply_sides_formed_step,
}

AFTER: Final = ("took_foot", "set_talon", "penalized")
"""Steps of a seat that may follow its discard."""
