"""Check that people are shown no cards except those that, by the log, each of them may see."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from bot.engine.cards.cards import BLACK_THREE, JOKER, RANK_LETTERS, RED_THREE, TEN, Card, full_pack
from bot.engine.moves.events import Penalized, Showed
from bot.engine.table.state import State
from bot.tables.core.stored_forms import read_payload
from bot.tables.state.events import AnyEvent
from bot.tables.state.fold import apply_table_events
from bot.tables.state.table import TableState
from tests.support.discord import Discord, Message, Person, all_content_text, controls
from tests.support.simulated_discord import message_as_read, stored_messages
from tests.support.stored_table_data import holders_of

SUITS = ("♠", "♥", "♦", "♣")
WORDS = ("spades", "hearts", "diamonds", "clubs")
FACES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}


def spellings_of_card(card: Card) -> tuple[str, ...]:
    """Return every way in which texts of the program spell a card."""
    kind, suit = card >> 2, card & 3
    letter = RANK_LETTERS[kind]
    rank = "10" if kind == TEN else letter
    return f"{rank}{SUITS[suit]}", f"{letter}{'shdc'[suit]}", f"{FACES.get(letter, letter)} of {WORDS[suit]}"


# Jokers and threes are named in rules and scores, and red threes are never hidden for long.
CARDS = {
    spelling: card
    for card in full_pack(2, 2)
    if card >> 2 not in (JOKER, RED_THREE, BLACK_THREE)
    for spelling in spellings_of_card(card)
}
EMOJI = re.compile(r"\bc([2-9TJQKA][shdc])_[0-9a-f]{4}\b")
NO_ACE = re.compile(r"\bAs (?=[a-z])")
"""Words that look like an ace of spades: "As text", "As the classic laws have them"."""

SPELLED = re.compile(rf"(?<!\w)({'|'.join(CARDS)})(?!\w)")


@cache
def cards_spelled_in(text: str) -> frozenset[Card]:
    return frozenset(CARDS[one] for one in SPELLED.findall(text))


def face_up_cards(state: State) -> set[Card]:
    """Return the cards that are face up on the table, in melds and in the pile."""
    return {card for melds in state.melds for meld in melds for card in meld.cards} | set(state.pile[state.hidden :])


class SecrecyWatch:
    """Checks that people see only cards that have been face up, or that they have held."""

    def __init__(self) -> None:
        self.record: TableState | None = None
        self.version = 0
        self.events: list[AnyEvent] = []
        self.opened: set[Card] = set()
        self.held: dict[int, set[Card]] = defaultdict(set)
        self.found = 0
        self._looked_at: dict[tuple[int, int], object] = {}

    async def check_visible_messages(self, discord: Discord, people: tuple[Person, ...]) -> None:
        """Fail if a message that these people can see shows a hidden card.

        A message that has not changed since its last check is not checked again: a person who may see a card may see it
        for ever.
        """
        await self.read_new_events(discord, people)
        for person in people:
            for message in stored_messages(person.channel):
                if not message.visible_to(person.id):
                    continue
                shown = (message.content, message.components, message.attachments)
                if self._looked_at.get((person.id, message.id)) != shown:
                    self._looked_at[person.id, message.id] = shown
                    if "set_theme" not in controls(message):  # a preview of settings shows a hand that no player holds
                        self.check_message(message_as_read(person.channel, message), person)

    async def read_new_events(self, discord: Discord, people: tuple[Person, ...]) -> None:
        """Read the table's new log entries, and note after each event which cards are no secret."""
        store = discord.application.tables._context.repository.store
        for entry in await store.tables.actions(1, after=self.version):
            self.version = entry.version
            for event in read_payload(entry.payload, await holders_of(store, 1)):
                self.record = apply_table_events(self.record, (event,))
                self.events.append(event)
                if isinstance(event, Showed | Penalized):
                    self.opened |= set(event.cards if isinstance(event, Showed) else event.exposed)
                if self.record.game is not None:
                    self.note_known_cards(self.record, self.record.game, people)

    def note_known_cards(self, record: TableState, game: State, people: tuple[Person, ...]) -> None:
        """Note the cards that are face up, and those that these people hold."""
        self.opened |= face_up_cards(game)
        for person in people:
            for seat, holder in enumerate(record.seats):
                if holder.person == person.id and game.hands:
                    self.held[person.id] |= set(game.hands[seat])

    def check_message(self, message: Message, person: Person) -> None:
        allowed = self.opened | (self.held[person.id] if message.flags.ephemeral else set())
        text = NO_ACE.sub("", EMOJI.sub(r" \1 ", all_content_text(message)))
        shown = cards_spelled_in(text)
        self.found += len(shown)
        assert set() == shown - allowed
