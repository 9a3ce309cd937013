"""A player who relies only on the text of their panel and the options of its menus."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from bot.engine.cards.cards import CLUBS, DIAMONDS, HEARTS, JOKER, RANK_LETTERS, SPADES, Card, card_of
from bot.i18n import words
from tests.support.discord import Message, Person, control_arguments, controls, enabled_actions, text_of

RANKS = {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "10": "T"}
SUITS = {"spades": SPADES, "hearts": HEARTS, "diamonds": DIAMONDS, "clubs": CLUBS}
PLURALS = {words().kind_name(letter, 2): letter for letter in "456789TJQKA32"} | {"jokers": "JK"}


@dataclass(frozen=True, slots=True)
class PanelFacts:
    """The facts that the text of a panel states."""

    hand: tuple[Card, ...]
    fresh: tuple[Card, ...]
    points: int
    may: str
    text: str

    def offers_step(self, step: str) -> bool:
        return step in self.may

    @property
    def kinds_to_lay(self) -> list[str]:
        """Return the ranks, by letter, of which the player may lay cards."""
        found = re.search(r"lay or add to ([^;]*)", self.may)
        return [PLURALS[one] for one in found[1].split(", ")] if found else []


def parse_card(spelled: str) -> Card:
    """Return the card that is spelled in this way, such as "jack of hearts"."""
    if spelled == "joker":
        return card_of(JOKER, 0)
    rank, _, suit = spelled.partition(" of ")
    letter = RANKS.get(rank, rank)
    kind = RANK_LETTERS.index(letter)
    return card_of(kind, SUITS[suit])


def read_panel(panel: Message) -> PanelFacts:
    """Return the facts that the text of the panel states: the hand, its points, and the legal moves."""
    text = text_of(panel)
    hand = re.search(r"^\*\*Your hand\*\*, (\d+) cards?, (-?\d+) points: (.*)\.$", text, re.MULTILINE)
    may = re.search(r"^\*\*You may\*\*: (.*)\.$", text, re.MULTILINE)
    cards, fresh, points = [], [], 0
    if hand is not None:
        points = int(hand[2])
        for name in hand[3].split(", "):
            cards.append(parse_card(name.removesuffix(" (new)")))
            fresh += cards[-1:] if name.endswith(" (new)") else []
        assert len(cards) == int(hand[1])
    return PanelFacts(tuple(sorted(cards)), tuple(sorted(fresh)), points, may[1] if may else "", text)


async def take_next_step(person: Person, panel: Message) -> Message:
    """Make the next step of the turn by clicking; return the panel afterwards."""
    reading = read_panel(panel)
    if reading.offers_step("answer yes or no"):
        return await person.click(panel, "yes")
    if reading.offers_step("draw"):
        return await person.click(panel, "draw")
    if reading.offers_step("take the pile"):
        return await person.click(panel, "take", control_arguments(panel, "take")[0])
    if reading.offers_step("pass"):
        return await person.click(panel, "pass")
    before = len(reading.hand)
    for staged in await _draft_everything(person, panel, reading):
        panel = staged
    if "lay" in enabled_actions(panel):
        panel = await person.click(panel, "lay")
        if len(read_panel(panel).hand) < before:
            return panel
    if "clear" in enabled_actions(panel):
        panel = await person.click(panel, "clear")
    elif "panel" in enabled_actions(panel):
        panel = await person.click(panel, "panel")
    return await _discard_from_smallest_rank(person, panel)


async def _draft_everything(person: Person, panel: Message, reading: PanelFacts) -> list[Message]:
    """Put every rank with three cards, and every card that fits a meld, into the draft.

    Return the panels after each click.
    """
    held = Counter(RANK_LETTERS[one >> 2] for one in reading.hand if one >> 2 != JOKER)
    own = re.search(r"\(your side\).*?Melds: ([^\n]*?)\.", reading.text)
    laid = {letter for plural, letter in PLURALS.items() if own and plural in own[1]}
    wanted = [kind for kind in reading.kinds_to_lay if kind in "456789TJQKA" and (held[kind] >= 3 or kind in laid)]
    wanted = [kind for kind in wanted if held[kind]]
    if not wanted:
        return []
    menus = await person.click(panel, "other")
    return [await person.choose(menus, "choose", *wanted)]


async def _discard_from_smallest_rank(person: Person, panel: Message) -> Message:
    """Discard a card of the rank with the fewest cards in the hand, wild cards last; return the panel."""
    held = Counter("JK" if one >> 2 == JOKER else RANK_LETTERS[one >> 2] for one in read_panel(panel).hand)
    offered = control_arguments(panel, "discard")
    chosen = min(offered, key=lambda kind: (kind in ("2", "JK"), held[kind]))
    panel = await person.click(panel, "discard", chosen)
    return await person.click(panel, "discard_surely") if "discard_surely" in controls(panel) else panel
