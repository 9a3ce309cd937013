"""The export of a person's data at a table, for that person alone.

A table's log contains all hands; the export has only the person's own actions and the cards that came to their hand. A
deal is exported once it is scored. Of a deal in play the export has only the seat and the score, of a dropped deal
nothing about its cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from bot.engine.cards.cards import Card
from bot.engine.cards.notation import card_text
from bot.engine.moves.events import DealEnded, DealStarted, Event
from bot.engine.moves.phases import Phase
from bot.store.tables import StoredAction
from bot.tables.core import stored_forms
from bot.tables.state.events import AnyEvent
from bot.tables.state.fold import apply_event
from bot.tables.state.snapshots import Status
from bot.tables.state.table import Table, TableState

Data = dict[str, Any]


@dataclass(slots=True)
class PersonExport:
    """Collects a person's actions and cards at a table while reading the rows of its log."""

    table: Table
    person: int
    _record: TableState | None = None
    _hands: dict[int, Data] = field(default_factory=dict, repr=False)
    _acts: list[tuple[int | None, bool, Data]] = field(default_factory=list, repr=False)

    def add_row(self, row: StoredAction) -> None:
        """Read the next row. Raises `UndecodableData`."""
        happened = stored_forms.read_payload(row.payload, self.table.holders)
        if row.person == self.person:
            act = {"at": row.at, "kind": row.kind, "seat": row.seat, "asked": stored_forms.read_action(row.payload)}
            played = any(isinstance(event, Event) for event in happened)
            self._acts.append((_deal_in_play(self._record), played, act))
        for event in happened:
            self._add_event(event)

    def _add_event(self, event: AnyEvent) -> None:
        """Apply the event to the table, and collect the person's cards from it."""
        before = self._record
        after = self._record = apply_event(before, event)
        if isinstance(event, DealStarted):
            seat = after.seat_of(self.person)
            if seat is not None and after.game is not None:
                self._hands[event.deal] = {
                    "deal": event.deal,
                    "seat": seat,
                    "dealt": _cards_text(after.game.hands[seat]),
                }
        if isinstance(event, DealEnded) and before is not None and before.game is not None:
            seat = before.seat_of(self.person)
            if seat is not None:
                hand = self._hands.setdefault(event.deal, {"deal": event.deal, "seat": seat})
                hand |= {"came": _cards_text(before.drawn[seat]), "left": _cards_text(before.game.hands[seat])}

    def export_table(self) -> Data:
        """Return the person's data at the table, after all rows have been read."""
        record, table = self.table.record, self.table
        game, seat = record.game, record.seat_of(self.person)
        told: Data = {"table": table.id, "server": table.guild, "status": record.status, "seat": seat}
        if seat is not None and game is not None:
            told["score"] = next(
                score for number, score in enumerate(game.scores) if seat in game.rules.seats_of(number)
            )
        scored = set() if game is None else {result.deal for result in game.results}
        told["hands"] = [hand for deal, hand in sorted(self._hands.items()) if deal in scored]
        told["actions"] = [
            act
            for deal, played, act in self._acts
            if deal is None or deal in scored or (record.status is not Status.PLAYING and not played)
        ]
        if game is not None and record.status is not Status.PLAYING:
            ended = record.conclusion
            how = "played" if game.winner is not None else "closed" if ended is None else ended.how
            told["result"] = {"how": how, "scores": list(game.scores) if ended is None else list(ended.scores)}
        return told


def _deal_in_play(record: TableState | None) -> int | None:
    """Return the number of the deal in play; None if there is none."""
    game = None if record is None else record.game
    return None if game is None or game.phase in (Phase.BETWEEN, Phase.OVER) else game.deal


def _cards_text(cards: Iterable[Card]) -> str:
    """Return the cards as text, separated by spaces."""
    return " ".join(card_text(card) for card in cards)
