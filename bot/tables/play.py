"""Play: from the first deal to the end of the game, as events.

Pure but for the seeds, which come from the store or from `bot.tables.shuffle`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.engine.moves.actions import Action, Ask, StartDeal
from bot.engine.moves.events import DealEnded, Drew, Event, GameEnded, Gathered, TookFoot, TookTalon
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide
from bot.engine.table.evolve import fold
from bot.engine.table.state import State
from bot.engine.table.views import public_event
from bot.tables.advice import offers_of
from bot.tables.events import AnyEvent, Contributed, Deadline, DeadlineSet, Shuffled
from bot.tables.lobby import require_playing
from bot.tables.looks import Caller, Status
from bot.tables.record import Table, TableState
from bot.tables.refusals import TableCode, TableRefusal
from bot.tables.shuffle import deal_pack
from bot.tables.timing.settings import ReplayFrom


def running_game(table: Table) -> State:
    """The game that is being played."""
    require_playing(table)
    game = table.record.game
    if game is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})
    return game


def decide_action(table: Table, seat: int, action: Action) -> tuple[Event, ...]:
    """What comes of a seat's action; raises the rules' refusals. The pack is no seat's to order."""
    game = running_game(table)
    if isinstance(action, StartDeal):
        raise Refusal(Code.NOT_YOUR_TURN, {"turn": game.turn})
    return decide(game, seat, action)


def go_out(table: Table, seat: int) -> tuple[Event, ...]:
    """What comes of a seat's going out as it is offered to; where its partner has to agree before, of asking.

    Refusal where it is offered no way out, or not any more: stale_request.
    """
    game = running_game(table)
    way = offers_of(game, seat).way_out
    if way is None:
        raise TableRefusal(
            TableCode.STALE_REQUEST, {"table": table.id, "expected": table.version, "version": table.version}
        )
    events: list[Event] = []
    for step in way.steps:
        happened = decide(game, seat, step)
        events += happened
        game = fold(game, happened)
        if isinstance(step, Ask):
            break
    return tuple(events)


def deal(table: Table, record: TableState, seed: bytes) -> tuple[AnyEvent, ...]:
    """The next deal of `record`, which may be ahead of the table, its pack shuffled with that seed."""
    game = record.game
    if game is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})
    number = game.deal + 1
    contributions = tuple(word for word in record.contributions if word is not None)
    rules = record.rules
    pack = deal_pack(seed, table.id, number, contributions, decks=rules.decks, jokers_per_deck=rules.jokers_per_deck)
    return (
        DeadlineSet(Deadline.NEXT_DEAL, None),
        Shuffled(number, contributions),
        *decide(game, None, StartDeal(pack)),
    )


def deal_fixed_pack(table: Table, record: TableState) -> tuple[AnyEvent, ...]:
    """The first deal of a table that plays one again, or a board: its pack is known, and nothing is shuffled."""
    game, known = record.game, record.known
    if game is None or known is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})
    return (DeadlineSet(Deadline.NEXT_DEAL, None), *decide(game, None, StartDeal(known.pack, streams=known.streams)))


def default_shuffle_word(record: TableState, caller: Caller | None) -> tuple[Contributed, ...]:
    """A seated person's first request after a commitment was published is the seat's share in that shuffle.

    Nobody could know its id when the seed was drawn.
    """
    seat = None if caller is None else record.seat_of(caller.person)
    if caller is None or seat is None or record.contributions[seat] is not None or record.pending_shuffle is None:
        return ()
    return (Contributed(seat, str(caller.request)),)


def find_deal_end(events: Iterable[AnyEvent]) -> DealEnded | None:
    """The deal that these events ended."""
    return next((event for event in events if isinstance(event, DealEnded)), None)


def after_deal(events: Iterable[AnyEvent], *, next_at: int) -> tuple[AnyEvent, ...]:
    """What follows the end of a deal: unless the game is over the next one is awaited."""
    over = any(isinstance(event, GameEnded) for event in events)
    return () if over else (DeadlineSet(Deadline.NEXT_DEAL, next_at),)


def unrevealed_seeds(record: TableState) -> tuple[int, ...]:
    """The scored deals whose seeds are not published yet, though they might be.

    Where cards are opened after the game only, seeds are held until then too, as they tell the cards; and at a sealed
    table until it is opened.
    """
    if (
        record.game is None
        or record.sealed
        or (record.settings.replay is ReplayFrom.GAME and record.status is Status.PLAYING)
    ):
        return ()
    scored = {result.deal for result in record.game.results}
    return tuple(one.deal for one in record.shuffles if one.deal in scored and one.seed is None)


_TO_HAND: Final = (Drew, Gathered, TookFoot, TookTalon)
"""Cards came to a hand, which its own player sees."""


def visible_events(seat: int, events: Iterable[AnyEvent]) -> tuple[Event, ...]:
    """The game's events as the person in a seat may see them: its own draws in full, of the rest the public part."""
    game_events = (event for event in events if isinstance(event, Event))
    return tuple(
        event if isinstance(event, _TO_HAND) and event.seat == seat else public_event(event) for event in game_events
    )
