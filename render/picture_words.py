"""The fixed words of pictures, in English unless a catalogue replaces them, and number formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import groupby
from string import Formatter
from typing import Any, Final

from bot.engine.cards.cards import JOKER, RANK_LETTERS, Card, Kind, kind_of, suit_of

MINUS: Final = "\N{MINUS SIGN}"
TIMES: Final = "\N{MULTIPLICATION SIGN}"
NOTHING: Final = "\N{EN DASH}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureWords:
    """Every fixed word of pictures and descriptions.

    Placeholders are in braces: `n` a number, `name` a name, `canasta` the required canasta. Fields `say_…` are for
    descriptions. Tuples are by kind (four to ace, black three, two, joker, red three) and by suit, spades first.
    """

    your_hand: str = "Your hand"
    cards: str = "{n} cards"
    card: str = "1 card"
    points: str = "{n} pts"
    meld: str = "Meld {n}"
    frozen: str = "Frozen"
    deal: str = "Deal {n}"
    target: str = "to {n}"
    rounds: str = "of {n}"
    on_table: str = "{n} on table"
    minimum: str = "First meld needs {n}"
    demand: str = "First meld needs {canasta}"
    short_canasta: str = "Canasta"
    short_natural: str = "Natural canasta"
    short_both: str = "{canasta} {n}"
    a_canasta: str = "a canasta"
    a_natural_canasta: str = "an unmixed canasta"
    canasta_and: str = "{canasta} and {n} points"
    natural: str = "NAT"
    mixed: str = "MIX"
    wild: str = "WILD"
    run: str = "RUN"
    resting: str = "Resting: {names}"
    exposed: str = "Penalty cards of {name}: {cards}"
    penalized: str = "Penalties of {name}: {n}"
    raised: str = "First meld of {name} raised by {n}"
    set_aside: str = "Set aside by {name}: {cards}"
    foot: str = "Foot {n}"
    talon: str = "Bonus {n}"
    stock: str = "stock"
    foot_short: str = "foot"
    talon_short: str = "bonus"
    to_play: str = "{name} to play"
    no_melds: str = "no melds yet"
    game_sheet: str = "Game so far"
    not_known: str = "open"
    bracket_round: str = "Round {n}"
    place: str = "#"
    games_ago: str = "{n} games ago"
    now: str = "now"
    deviation: str = "± {n}"
    seat: str = "Seat {n}"
    dealer: str = "dealer"
    score_sheet: str = "Score sheet"
    final_score: str = "Final score"
    this_deal: str = "This deal"
    deals: str = "Deals {first} to {last}"
    natural_canastas: str = "Natural canastas"
    mixed_canastas: str = "Mixed canastas"
    other_canastas: str = "Other canastas"
    run_canastas: str = "Run canastas"
    wild_canastas: str = "Wild canastas"
    special_canastas: str = "Special ranks"
    red_threes: str = "Red threes"
    threes: str = "Threes"
    going_out: str = "Going out"
    melded: str = "Cards melded"
    in_hand: str = "Cards in hand"
    penalties: str = "Penalties"
    bonuses: str = "Bonuses"
    deal_total: str = "Deal total"
    total: str = "Total"
    ranks: tuple[str, ...] = (
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "10",
        "jack",
        "queen",
        "king",
        "ace",
        "3",
        "2",
        "joker",
        "3",
    )
    rank_words: tuple[str, ...] = (
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "jack",
        "queen",
        "king",
        "ace",
        "black three",
        "two",
        "joker",
        "red three",
    )
    rank_plurals: tuple[str, ...] = (
        "fours",
        "fives",
        "sixes",
        "sevens",
        "eights",
        "nines",
        "tens",
        "jacks",
        "queens",
        "kings",
        "aces",
        "black threes",
        "twos",
        "jokers",
        "red threes",
    )
    suits: tuple[str, ...] = ("spades", "hearts", "diamonds", "clubs")
    card_name: str = "{rank} of {suit}"
    joker: str = "joker"
    thousands: str = ","
    thousands_from: int = 1_000
    say_stock: str = "Stock {n}."
    say_pile: str = "Pile {n}, top {card}."
    say_pile_frozen: str = "Pile {n}, frozen, top {card}."
    say_pile_aside: str = "Pile {n}, its top just taken."
    say_pile_empty: str = "Pile empty."
    say_side: str = "{name} {n}"
    say_on_table: str = "{n} on table this deal"
    say_canastas: str = "canastas {cards}"
    say_melds: str = "melds {cards}"
    say_nothing_melded: str = "nothing melded, needs {n}"
    say_nothing_demand: str = "nothing melded, needs {canasta}"
    say_natural: str = "natural canasta of {n} {rank}"
    say_mixed: str = "mixed canasta of {n} {rank}"
    say_meld: str = "{n} {rank}"
    say_red_threes: str = "red threes {n}"
    say_seat: str = "{name} holds {n}"
    say_wild_canasta: str = "canasta of {n} wild cards"
    say_wild_meld: str = "{n} wild cards"
    say_run_canasta: str = "canasta run from {low} to {high} of {suit}"
    say_run: str = "run of {n} from {low} to {high} of {suit}"
    say_threes: str = "threes {n}"
    say_freezer: str = "frozen by the {card}"
    say_holds: str = "{name} holds {n}, clock {time}"
    say_waiting: str = "{n} more face down"
    say_hidden: str = "{n} cards of the pile lie face down."
    say_dealer: str = "{name} is the dealer"
    say_gain: str = "{name} {gain} to {n}"
    say_match: str = "{first} {first_points}, {second} {second_points}, won by {winner}"
    say_match_open: str = "{first} {first_points}, {second} {second_points}"
    say_match_ahead: str = "{first} against {second}"
    say_place: str = "{place}. {name}: {values}"
    say_rating: str = "Rating {n}, {deviation}, after {games} games; lowest {low}, highest {high}."
    say_foot: str = "Foot {n} cards face down."
    say_talon: str = "Bonus {n} cards face down."
    say_own_side: str = "Your side"
    say_hand: str = "Your hand, {count}, {points} points: {cards}."
    say_empty_hand: str = "Your hand is empty."
    say_new: str = "New: {cards}."
    say_selected: str = "Selected: {cards}."
    say_staged: str = "Put together: {cards}, {points} points."
    say_minimum: str = "First meld needs {n}."
    say_towards: str = "First meld needs {n}, {laid} so far."
    say_demand: str = "First meld needs {canasta}."
    say_demand_towards: str = "First meld needs {canasta}, {laid} points so far."
    say_frozen: str = "The pile is frozen."
    say_frozen_here: str = "The pile is frozen for you."
    say_score: str = "{name}: {gain} in this deal, total {n}"

    def cards_held_text(self, count: int) -> str:
        """Return text on a number of cards: "15 cards"."""
        return self.card if count == 1 else self.cards.format(n=count)

    def ranks_held_text(self, kind: Kind, count: int) -> str:
        """Return text on a number of cards of one rank: "3 kings"."""
        return self.say_meld.format(n=count, rank=(self.rank_words if count == 1 else self.rank_plurals)[kind])

    def required_canasta_text(self, canasta: str, points: str | int) -> str:
        """Return text on the canasta that a first meld needs, with the total points if any are needed."""
        text = self.a_natural_canasta if canasta == "natural_canasta" else self.a_canasta
        return self.canasta_and.format(canasta=text, n=points) if points else text

    def short_required_canasta_text(self, canasta: str, points: str) -> str:
        """Return short text on the canasta that a first meld needs, with the total points if any are needed."""
        text = self.short_natural if canasta == "natural_canasta" else self.short_canasta
        return self.short_both.format(canasta=text, n=points) if points else text

    def number_text(self, value: int) -> str:
        """Return the number as text for a picture, with a true minus and thousands separators."""
        text = f"{abs(value):,}".replace(",", self.thousands) if abs(value) >= self.thousands_from else str(abs(value))
        return MINUS + text if value < 0 else text

    def game_end_text(self, target: int, rounds: int | None, *, number: Callable[[int], str] | None = None) -> str:
        """Return text on what ends the game: a target score, or a number of deals."""
        say = number or self.number_text
        return self.target.format(n=say(target)) if rounds is None else self.rounds.format(n=say(rounds))

    def signed_number_text(self, value: int) -> str:
        """Return the number as text with its sign; 0 has none."""
        if value == 0:
            return "0"
        return self.number_text(value) if value < 0 else "+" + self.number_text(value)

    def spoken_card_name(self, card: Card) -> str:
        """Return the card's name for a screen reader: "7 of spades"."""
        kind = kind_of(card)
        if kind == JOKER:
            return self.joker
        return self.card_name.format(rank=self.ranks[kind], suit=self.suits[suit_of(card)])

    def card_names(self, cards: Iterable[Card]) -> str:
        """Return the names of the cards as text, with a count for equal neighbours."""
        texts: list[str] = []
        for card, group in groupby(cards):
            count = len(list(group))
            texts.append(self.spoken_card_name(card) + (f" {TIMES}{count}" if count > 1 else ""))
        return ", ".join(texts)


ENGLISH: Final = PictureWords()


def picture_words_of(texts: Mapping[str, str | Sequence[str]]) -> PictureWords:
    """Return the words with the texts of a catalogue; texts that it lacks stay English.

    Raises `ValueError` for an unknown entry, a wrong length, or other placeholders.
    """
    given: dict[str, Any] = {}
    for name, text in texts.items():
        default = getattr(ENGLISH, name, None) if name in FIELDS else None
        if isinstance(default, tuple) and not isinstance(text, str) and len(text) == len(default):
            given[name] = tuple(text)
        elif isinstance(default, str) and isinstance(text, str) and _placeholders(text) <= _placeholders(default):
            given[name] = text
        elif isinstance(default, int) and isinstance(text, str) and text.isdecimal():
            given[name] = int(text)
        else:
            raise ValueError(f"the pictures know no such words: {name} = {text!r}")
    return PictureWords(**given)


def _placeholders(text: str) -> set[str]:
    """Return the names of the placeholders in a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


FIELDS: Final = frozenset(field.name for field in fields(PictureWords))


def rank_text(kind: Kind) -> str:
    """Return the rank printed on a card: "10" for a ten; "" for a joker."""
    letter = RANK_LETTERS[kind]
    return "10" if letter == "T" else "" if kind == JOKER else letter
