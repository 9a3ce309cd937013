"""Cards, shuffles and dealing for the reader of records, as the documents describe them.

These are `docs/record.md` and `docs/shuffle.md`. Nothing of the program is imported.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

RANKS: Final = "AKQJT98765432"
SUITS: Final = "shdc"
BASE: Final[dict[str, Any]] = {
    "decks": 2,
    "jokers_per_deck": 2,
    "ace_value": 20,
    "hand_size": 11,
    "foot_size": 0,
    "upcard": True,
    "upcard_cover": ["R3", "W"],
    "upcard_freezes": ["R3", "W"],
    "upcard_specials": "keep_in_pile",
    "pile_hidden": 0,
    "pile_hidden_by_rank": False,
    "pile_frozen": "by_card",
    "red3_role": "bonus",
    "black3_role": "stopper",
    "red3_timing": "immediate",
    "last_three": None,
    "open_count_top": True,
    "foot_run": False,
    "same_rank_melds": "one",
    "target": 5000,
    "rounds": None,
    "both_reach": "higher",
}
"""The default parameters that a reader needs (`docs/law/variants.md` A.1)."""


class Contradiction(Exception):
    """Raised for a document whose content is impossible."""


class UnknownFormat(Exception):
    """Raised for an unknown format, version or step."""


def require(holds: object, error_text: str) -> None:
    """Raise `Contradiction` with the message `error_text` if `holds` is false."""
    if not holds:
        raise Contradiction(error_text)


def cards_of(text: str) -> list[str]:
    """Return the cards of a text, two characters each."""
    cards = [text[at : at + 2] for at in range(0, len(text), 2)]
    known = all(card == "JK" or (len(card) == 2 and card[0] in RANKS and card[1] in SUITS) for card in cards)
    require(known, f"{text[:40]!r} are no cards")
    return cards


def card_class(card: str) -> str:
    """Return the class of a card: `W`, `R3`, `B3`, or nothing."""
    if card == "JK" or card[0] == "2":
        return "W"
    if card[0] != "3":
        return ""
    return "R3" if card[1] in "hd" else "B3"


def remove_cards(cards: list[str], removed_cards: Sequence[str], error_text: str) -> list[str]:
    """Return `cards` without the cards `removed_cards`; raise `Contradiction` if one of those is not among them."""
    require(
        not Counter(removed_cards) - Counter(cards),
        f"{error_text}: {''.join(removed_cards)} are not all among {''.join(cards)}",
    )
    left = cards.copy()
    for card in removed_cards:
        left.remove(card)
    return left


def number_for_deal(numbers: Any, deal: int) -> int:
    """Return the one of `numbers` that applies to the deal with this number.

    `numbers` is one number for all deals, or a list whose last number applies to all later ones.
    """
    return int(numbers[min(deal, len(numbers)) - 1] if isinstance(numbers, list) else numbers)


# --- shuffles (docs/shuffle.md) ---------------------------------------------------------------------------------------


def random_integers(key: bytes) -> Iterator[int]:
    """Yield 32-bit numbers that follow from a key."""
    block = 0
    while True:
        digest = hmac.new(key, block.to_bytes(8, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def shuffled_order(size: int, key: bytes) -> list[int]:
    """Return the numbers from 0 to `size` - 1 in the order that follows from a key."""
    words, order = random_integers(key), list(range(size))
    for last in range(size - 1, 0, -1):
        limit = 2**32 - 2**32 % (last + 1)
        chosen = next(word for word in words if word < limit) % (last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def full_pack(decks: int, jokers: int) -> list[str]:
    """Return the pack in its published order."""
    return [rank + suit for suit in SUITS for rank in RANKS] * decks + ["JK"] * (decks * jokers)


def check_shuffle(data: dict[str, Any], deal: int, rules: dict[str, Any], pack: list[str]) -> None:
    """Raise `Contradiction` unless the commitment follows from the seed, and the pack from both."""
    name, seed = data["name"], bytes.fromhex(data["seed"])
    require(re.fullmatch(rf"table=\d+;deal={deal}|event=\d+;board=\d+", name), "the shuffle is of another deal")
    method = b"canasta-shuffle-v1"
    sealed = hashlib.sha256(method + b"\0commit\0" + name.encode() + b"\0" + seed).hexdigest()
    require(sealed == data["commitment"], "the seed is not the one committed to")
    client = hashlib.sha256("\n".join(data["contributions"]).encode()).hexdigest()
    key = hmac.new(seed, method + b"\0key\0" + f"{name};client={client}".encode(), hashlib.sha256).digest()
    published = full_pack(rules["decks"], rules["jokers_per_deck"])
    require(
        [published[at] for at in shuffled_order(len(published), key)] == pack,
        "the pack is another than the shuffled one",
    )


# --- a table ----------------------------------------------------------------------------------------------------------


@dataclass
class Meld:
    """A meld of a side."""

    side: int
    place: str
    cards: list[str]


@dataclass
class Table:
    """The cards of a deal: hands, melds, pile and stock. The first card of the stock is drawn next."""

    rules: dict[str, Any]
    order: list[int]
    sides: list[int]
    pack: list[str]
    hands: list[list[str]]
    feet: list[list[str]]
    talons: list[list[str]]
    stock: list[str] = field(default_factory=list)
    streams: dict[int, list[str]] = field(default_factory=dict)
    pile: list[str] = field(default_factory=list)
    hidden: int = 0
    out: list[str] = field(default_factory=list)
    melds: list[Meld] = field(default_factory=list)
    lending: list[int] = field(default_factory=list)
    place_in_order: int = 0
    laid: int = 0
    shown: str = ""
    reshuffle_key: str = ""

    def threes(self) -> set[str]:
        """Return the classes of threes that are laid out."""
        roles = {"R3": self.rules["red3_role"], "B3": self.rules["black3_role"]}
        return {name for name, role in roles.items() if role == "bonus"}

    def begin_turn(self) -> None:
        """Order the streams of the stock from which this turn draws.

        The seat draws its own stream from the start, then the others from their ends, the longest first.
        """
        self.laid = 0
        if not self.streams:
            return
        following = self.order[self.place_in_order :] + self.order[: self.place_in_order]
        own, *others = following
        others.sort(key=lambda seat: -len(self.streams[seat]))
        self.lending = [own, *others]

    def next_card(self) -> str:
        """Draw the next card, and return it."""
        if not self.streams:
            require(self.stock, "the stock is out")
            return self.stock.pop(0)
        for number, seat in enumerate(self.lending):
            if self.streams[seat]:
                return self.streams[seat].pop(0 if number == 0 else -1)
        raise Contradiction("every stream is out")

    def draw(self, cards: list[str]) -> None:
        """Draw the cards that the record names, and raise `Contradiction` if others come."""
        for card in cards:
            drawn = self.next_card()
            require(drawn == card, f"{card} was drawn where {drawn} is next")

    def cards_left_in_stock(self) -> list[str]:
        """Return the cards that nobody has drawn."""
        return [card for stream in self.streams.values() for card in stream] or self.stock

    def all_cards(self) -> Counter[str]:
        """Return how often each card is at the table, wherever it is."""
        heaps = [*self.hands, *self.feet, *self.talons, *[meld.cards for meld in self.melds]]
        return Counter([*self.cards_left_in_stock(), *self.pile, *self.out, *[card for heap in heaps for card in heap]])

    def meld_at(self, seat: int, place: str) -> Meld:
        """Return the meld of the seat's side at a place; a new empty one if none is there."""
        side = self.sides[seat]
        for meld in self.melds:
            if (meld.side, meld.place) == (side, place):
                return meld
        self.melds.append(Meld(side, place, []))
        return self.melds[-1]


# --- before the first turn --------------------------------------------------------------------------------------------


def deal_cards(data: dict[str, Any], rules: dict[str, Any], players: int) -> Table:
    """Deal the pack, compare the hands, stock and pile with the record, and return the table."""
    order, dealer = data["order"], data["dealer"]
    require(set(order) <= set(range(players)) and len(set(order)) == len(order), "order: other seats")
    require(dealer in order and len(data["sides"]) == players, "the dealer does not play, or sides are missing")
    scores = len(data["scores"])
    require(data["sides"] == [seat % scores for seat in range(players)], "sides: others")
    pack = cards_of(data["pack"])
    require(Counter(pack) == Counter(full_pack(rules["decks"], rules["jokers_per_deck"])), "pack: other cards")
    nobody: list[list[str]] = [[] for _ in range(players)]
    table = Table(rules, order, data["sides"], pack, nobody, [[] for _ in nobody], [[] for _ in nobody])
    after = order.index(dealer) + 1
    dealing = order[after:] + order[:after]
    table.stock = pack.copy()
    for heaps, count in (
        (table.hands, number_for_deal(rules["hand_size"], data["deal"])),
        (table.feet, rules["foot_size"]),
    ):
        for _ in range(count):
            for seat in dealing:
                heaps[seat].append(table.stock.pop(0))
    require(data["hands"] == ["".join(hand) for hand in table.hands], "hands: others were dealt")
    feet = ["".join(foot) for foot in table.feet] if rules["foot_size"] else []
    require(data.get("feet", []) == feet, "feet: others were dealt")
    before = {"turned": "", "replaced": []} | {name: data[name] for name in ("turned", "replaced") if name in data}
    if rules["pile_hidden_by_rank"]:
        replaced = replace_threes(table, dealing)
        turned = turn_up_pile(table)
    else:
        turned = turn_up_pile(table)
        replaced = replace_threes(table, dealing)
    require(before["turned"] == "".join(turned), "turned: other cards")
    require(before["replaced"] == replaced, "replaced: other threes, or other cards for them")
    frozen = rules["pile_frozen"] == "always"
    frozen = frozen or any(card_class(card) in rules["upcard_freezes"] for card in table.pile[table.hidden :])
    told_pile = (data["pile"], data.get("hidden", 0), data.get("frozen", False))
    require(told_pile == ("".join(table.pile), table.hidden, frozen), "pile: it lies otherwise")
    if data.get("streams"):
        table.streams = {seat: table.stock[place :: len(order)] for place, seat in enumerate(order)}
        table.stock = []
        require(data["stock"] == ["".join(table.streams.get(seat, [])) for seat in range(players)], "stock: another")
    else:
        require(data["stock"] == "".join(table.stock), "stock: another")
    return table


def turn_up_pile(table: Table) -> list[str]:
    """Turn up the first cards of the pile, and return all that were turned up."""
    rules = table.rules
    if not rules["upcard"]:
        return []
    turned: list[str] = []
    back: list[str] = []
    while not turned or (card_class(turned[-1]) in rules["upcard_cover"] and table.stock):
        card = table.stock.pop(0)
        known = card_class(card)
        again = known in ("W", "R3") and known in [card_class(one) for one in turned]
        goes_back = (rules["upcard_specials"] == "reinsert_all" and known in rules["upcard_cover"]) or (
            rules["upcard_specials"] == "keep_first_reinsert_rest" and again
        )
        turned.append(card)
        (back if goes_back else table.pile).append(card)
    before = (len(table.stock) + 1) // 2
    table.stock[before:before] = back[::-1]
    last = turned[-1]
    under = int(rules["pile_hidden"])
    if rules["pile_hidden_by_rank"]:
        under = 0 if card_class(last) else {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}.get(last[0]) or int(last[0])
    under = min(under, len(table.stock))
    table.pile[:0] = table.stock[:under]
    del table.stock[:under]
    table.hidden = under
    return turned


def replace_threes(table: Table, dealing: Sequence[int]) -> list[list[Any]]:
    """Lay out and replace the threes in the dealt hands, and return them in the form of a record."""
    found: list[list[Any]] = []
    for seat in dealing if table.rules["red3_timing"] == "immediate" else ():
        laid = [card for card in table.hands[seat] if card_class(card) in table.threes()]
        if not laid:
            continue
        hand = [card for card in table.hands[seat] if card_class(card) not in table.threes()]
        wanted, drawn = len(table.hands[seat]), []
        while len(hand) < wanted and table.stock:
            card = table.stock.pop(0)
            drawn.append(card)
            stays = table.rules["last_three"] is not None and not table.stock
            (hand if stays or card_class(card) not in table.threes() else laid).append(card)
        table.hands[seat] = hand
        table.out += laid
        found.append([seat, "".join(laid), "".join(drawn)])
    return found
