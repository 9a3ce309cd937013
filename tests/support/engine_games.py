"""Games played by the engine alone, for tests that need many different positions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.computer.player import player_for
from bot.engine.cards.cards import full_pack
from bot.engine.moves.actions import StartDeal
from bot.engine.moves.events import Event
from bot.engine.play.building_views import public_view, seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.sets import rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act
from bot.engine.table.views import public_event
from bot.i18n import Words
from bot.tables.advice import offers_to_seat
from bot.tables.state.snapshots import RecentEvent, SeatHolder, SeatSnapshot, Shuffle, Status, TableSnapshot
from cogs.shared.telling import turn_text
from cogs.shared.telling.turn_text import MARKED, TextStyle, Turn

NAMES = ("North", "East", "South", "West")


def played_positions(
    seed: int, *, players: int = 4, level: str = "random", deals: int = 1, name: str = "classic"
) -> Iterator[State]:
    """Yield every position of a few deals played by computer players."""
    random = Random(seed)
    computer = player_for(level, seed)
    rules = rule_set(name, players)
    state = new_game(rules, dealer=random.randrange(players))
    for _ in range(deals):
        pack = list(full_pack(rules.decks, rules.jokers_per_deck))
        random.shuffle(pack)
        state = fold(state, decide(state, None, StartDeal(tuple(pack))))
        yield state
        while (seat := seat_to_act(state)) is not None:
            step = computer.choose(seat_view(state, seat)).step
            state = fold(state, decide(state, seat, step))
            yield state
        if state.winner is not None:
            return


def table_snapshot(state: State, *, names: tuple[str, ...] = NAMES, version: int = 7, table: int = 42) -> TableSnapshot:
    """Return a table snapshot in which people of these names play the game in that state."""
    seats = tuple(SeatHolder("person", 100 + seat, names[seat]) for seat in range(state.rules.players))
    return TableSnapshot(
        id=table,
        version=version,
        status=Status.FINISHED if state.winner is not None else Status.PLAYING,
        guild=1,
        channel=2,
        thread=None,
        rules=state.rules.name,
        players=state.rules.players,
        target=state.rules.target,
        host=100,
        seats=seats,
        view=public_view(state),
        recent=(),
        shuffle=(Shuffle(state.deal, "c" * 64),),
        created_at=0,
        updated_at=0,
        expires_at=None,
        next_deal_at=None,
        closed_because=None,
        rematch=None,
        terms=state.rules,
        base=state.rules,
        joined_terms=state.rules,
    )


def seat_snapshot(state: State, seat: int, *, names: tuple[str, ...] = NAMES, version: int = 7) -> SeatSnapshot:
    """Return the snapshot of a table as that seat sees it, with the moves that the seat may make."""
    table = table_snapshot(state, names=names, version=version)
    return SeatSnapshot(table, seat, seat_view(state, seat), offers=offers_to_seat(state, seat))


def public_text(
    words: Words, snapshot: TableSnapshot, *events: Event, text_style: TextStyle = MARKED, reader: int | None = None
) -> str:
    """Return the public text about a turn in which these events happened."""
    public = tuple(public_event(event) for event in events)
    turn = Turn(1, 0, next(seat for event in public if (seat := getattr(event, "seat", None)) is not None), public)
    return turn_text.turn_line(words, snapshot, turn, text_style=text_style, reader=reader)


def recent_events(*turns: tuple[Event, ...], deal: int = 1) -> tuple[RecentEvent, ...]:
    """Return the events of these turns, given in order, as a table remembers them."""
    return tuple(
        RecentEvent(deal, number, getattr(event, "seat", None), public_event(event))
        for number, events in enumerate(turns)
        for event in events
    )
