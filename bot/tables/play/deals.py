"""Deals: the events of a deal, the consequences of its end, and the publication of its seed."""

from __future__ import annotations

from collections.abc import Iterable

from bot.engine.moves.actions import StartDeal
from bot.engine.moves.events import DealEnded, GameEnded
from bot.engine.moves.refusals import Code, Refusal
from bot.engine.play.decide import decide
from bot.engine.table.applying_events import fold as fold_game
from bot.engine.table.state import seat_to_act
from bot.store.store import Store
from bot.tables.context import TableContext
from bot.tables.play.moves import running_game
from bot.tables.seating import seats
from bot.tables.state.clocks import ReplayFrom
from bot.tables.state.events import (
    AnyEvent,
    Contributed,
    Deadline,
    DeadlineSet,
    SeatChanged,
    SeedRevealed,
    Shuffled,
)
from bot.tables.state.fold import apply_table_events
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import Decision, PendingChange, commit_to_seed
from bot.tables.state.shuffle import Dealer
from bot.tables.state.snapshots import Caller, Status
from bot.tables.state.table import Table, TableState
from bot.tables.timing import timekeeping


async def add_events_of_next_deal(
    context: TableContext, table: Table, events: Iterable[AnyEvent], caller: Caller | None
) -> Decision:
    """Return `events` and those of the next deal, and draw and commit to the seed of the deal after it.

    So a commitment is public for a whole deal before its seed is used, and every seated player moves in between.
    """
    before = tuple(events)
    before += tuple(due_substitutions(table.record))
    before += default_shuffle_word(apply_table_events(table.record, before), caller)
    record = apply_table_events(table.record, before)
    number = 1 if record.game is None else record.game.deal + 1
    if number == 1 and record.known is not None:  # the commitment for the second deal was published in the lobby
        return Decision((*before, *deal_fixed_pack(table, record)))
    dealt = shuffle_and_deal(table, record, await seed_of_deal(context.store, table.id, number), context.dealer)
    following = commit_to_seed(context.dealer.new_seed(), table.id, number + 1)
    return Decision((*before, *dealt, *following.events), following.secrets)


def add_events_of_deal_end(context: TableContext, table: Table, events: tuple[AnyEvent, ...]) -> Decision:
    """Return the events and, if they end a deal, the timer of the next deal or the end of the game."""
    if find_deal_end(events) is None:
        return Decision(events)
    next_at = context.clock.now() + context.limits.pause_between_deals(table.record.settings)
    following = timekeeping.events_after_deal_end(table.record, events, timer_after_deal(events, next_at=next_at))
    return Decision((*events, *following))


async def decide_next_deal(context: TableContext, table: Table, caller: Caller | None) -> Decision:
    """Return the events that begin the next deal.

    Refusals: as `seats.require_unpaused_game`, and deal_running.
    """
    seats.require_unpaused_game(table)
    game = running_game(table)
    if table.record.actor is not None:
        raise Refusal(Code.DEAL_RUNNING, {"deal": game.deal})
    return await add_events_of_next_deal(context, table, (), caller)


def due_substitutions(record: TableState) -> Iterable[SeatChanged]:
    """Yield the players who take a seat with the next deal of a tournament's table.

    They are substitutes, and people for whom a computer player finished the last deal.
    """
    contest = record.contest
    if contest is None:
        return
    coming = {one.seat: one.holder for one in contest.substitutes}
    for seat, holder in enumerate(record.seats):
        if seat in coming:
            yield SeatChanged(seat, coming[seat])
        elif holder.kept_for is not None and holder.kept_for > 0:
            caller = Caller(holder.kept_for, holder.kept_name, None, 0, holder.account)
            yield SeatChanged(seat, seats.holder_of_caller(caller))


def shuffle_and_deal(table: Table, record: TableState, seed: bytes, dealer: Dealer) -> tuple[AnyEvent, ...]:
    """Return the events of the next deal, with a pack shuffled from that seed.

    `record` may be ahead of the stored table.
    """
    game = record.game
    if game is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})
    number = game.deal + 1
    contributions = tuple(word for word in record.contributions if word is not None)
    rules = record.rules
    size = {"decks": rules.decks, "jokers_per_deck": rules.jokers_per_deck}
    pack = dealer.deal_pack(seed, table.id, number, contributions, **size)
    return (
        DeadlineSet(Deadline.NEXT_DEAL, None),
        Shuffled(number, contributions),
        *decide(game, None, StartDeal(pack)),
    )


def deal_fixed_pack(table: Table, record: TableState) -> tuple[AnyEvent, ...]:
    """Return the events of a first deal whose pack is fixed, because it is a replay or a board.

    For a position to practise, the events include the turns that lead to it.
    """
    game, known = record.game, record.known
    if game is None or known is None:
        raise TableRefusal(TableCode.NOT_STARTED, {"table": table.id})
    events = decide(game, None, StartDeal(known.pack, streams=known.streams))
    game = fold_game(game, events)
    for action in known.first:
        more = decide(game, seat_to_act(game), action)
        events, game = (*events, *more), fold_game(game, more)
    return (DeadlineSet(Deadline.NEXT_DEAL, None), *events)


def default_shuffle_word(record: TableState, caller: Caller | None) -> tuple[Contributed, ...]:
    """Return the event that makes the id of the caller's request the seat's share in the next shuffle.

    Only the first such request of a seat counts.

    The request must come after the publication of the commitment: no one could know its id when the seed was drawn.
    """
    seat = None if caller is None else record.seat_of(caller.person)
    if caller is None or seat is None or record.contributions[seat] is not None or record.pending_shuffle is None:
        return ()
    return (Contributed(seat, str(caller.request)),)


def add_default_shuffle_word(_before: TableState, after: TableState, change: PendingChange) -> tuple[AnyEvent, ...]:
    """Return the requesting seat's default share in the next shuffle; none if the change begins a deal.

    One of the consequences computed after each change (`bot.tables.service`).
    """
    if any(isinstance(event, Shuffled) for event in change.events):
        return ()
    return default_shuffle_word(after, change.request.caller)


def find_deal_end(events: Iterable[AnyEvent]) -> DealEnded | None:
    """Return the event that ends a deal among these events, if there is one."""
    return next((event for event in events if isinstance(event, DealEnded)), None)


def timer_after_deal(events: Iterable[AnyEvent], *, next_at: int) -> tuple[AnyEvent, ...]:
    """Return the timer for the next deal; no events if the game is over."""
    over = any(isinstance(event, GameEnded) for event in events)
    return () if over else (DeadlineSet(Deadline.NEXT_DEAL, next_at),)


def unrevealed_seeds(record: TableState) -> tuple[int, ...]:
    """Return the numbers of scored deals whose seeds may be published now but are not yet.

    A seed determines the cards. So where cards are shown only after the game, seeds are published only then too, and at
    a sealed table only when it is unsealed.
    """
    if (
        record.game is None
        or record.is_sealed
        or (record.settings.replay is ReplayFrom.GAME and record.status is Status.PLAYING)
    ):
        return ()
    scored = {result.deal for result in record.game.results}
    return tuple(one.deal for one in record.shuffles if one.deal in scored and one.seed is None)


async def reveal_seeds(
    store: Store, before: TableState, after: TableState, change: PendingChange
) -> tuple[AnyEvent, ...]:
    """Return the events that publish the seeds of deals whose cards may be shown from this change on.

    One of the consequences that are computed after every change.
    """
    held = unrevealed_seeds(before)
    owed = [deal for deal in unrevealed_seeds(after) if deal not in held]
    return tuple([SeedRevealed(deal, (await seed_of_deal(store, change.table, deal)).hex()) for deal in owed])


async def seed_of_deal(store: Store, table: int, deal: int) -> bytes:
    """Return the deal's seed. Raises LookupError if none was stored."""
    secret = await store.tables.secret(table, deal)
    if secret is None:
        raise LookupError(f"table {table} has no seed for deal {deal}")
    return secret.seed
