"""A memory's knowledge of the pile and of hands is always true, and follows from public events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest

from bot.computer.memories_at_tables import TableMemories
from bot.computer.memory_of_a_deal import Memory, begin_memory
from bot.computer.player import ALL_LEVELS, player_for
from bot.engine.cards.cards import full_pack
from bot.engine.moves.actions import TAKE_BACK, Action, StartDeal
from bot.engine.moves.events import Discarded, Gathered, TookBack
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide
from bot.engine.rules.sets import RULE_SETS, rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, new_game, seat_to_act
from bot.engine.table.views import public_event
from bot.tables.state.proposals import ProposalKind
from tests.support.engine_games import played_positions
from tests.support.seeds import SEARCHING, seeds
from tests.support.tables import EAST, NORTH, open_world

FORMS = [("classic", 4), ("classic", 2), ("samba", 4), ("italian", 4), ("hand-and-foot", 2), ("modern-american", 4)]
EVERY_FORM = [(name, players) for name, forms in RULE_SETS.items() for players in forms]
DEALS = 4
"""Most deals of a form; by day there is one."""


def remembered_positions(name: str, players: int, random: Random) -> Iterator[tuple[State, Memory, str]]:
    """Yield each position of a deal with the memory after it and the names of the step's events.

    Melds are sometimes taken back.
    """
    rules = rule_set(name, players)
    pack = list(full_pack(rules.decks, rules.jokers_per_deck))
    random.shuffle(pack)
    state = new_game(rules, dealer=0)
    state = fold(state, decide(state, None, StartDeal(tuple(pack))))
    memory = begin_memory(players, state.pile[state.hidden :])
    computer, other = player_for("casual"), player_for("random", random.randrange(1000))
    while (seat := seat_to_act(state)) is not None:
        view = seat_view(state, seat)
        step: Action = (computer if random.random() < 0.8 else other).choose(view, memory).step
        if view.can_take_back and random.random() < 0.2:
            step = TAKE_BACK
        events = tuple(map(public_event, decide(state, seat, step)))
        state = fold(state, decide(state, seat, step))
        memory = memory.with_events(events)
        yield state, memory, "".join(type(event).__name__ for event in events)


@pytest.mark.parametrize(("name", "players"), EVERY_FORM if SEARCHING else FORMS)
def test_a_memory_is_always_true(name: str, players: int) -> None:
    met = ""
    walks = [remembered_positions(name, players, Random(seed)) for seed in seeds(1, 8)[:DEALS]]
    for state, memory, events in chain.from_iterable(walks):
        met += events
        for seat, hand in enumerate(state.hands):
            assert not Counter(memory.known_cards(seat)) - Counter(hand)
        if seat_to_act(state) is not None:
            assert state.pile[state.hidden :] == memory.pile
    assert Gathered.__name__ in met
    assert TookBack.__name__ in met


def test_a_memory_knows_cards_that_came_with_the_pile() -> None:
    known = [sum(map(len, memory.known)) for _, memory, _ in remembered_positions("classic", 4, Random(9))]
    assert max(known) >= 5


@pytest.mark.parametrize(("name", "players"), FORMS)
def test_a_memory_knows_who_discarded_what(name: str, players: int) -> None:
    turns, met = -1, 0
    for state, memory, events in remembered_positions(name, players, Random(8)):
        if Discarded.__name__ in events and state.pile:
            seat = (state.turn - 1) % players
            assert state.pile[-1] == memory.discards_of(seat)[-1]
            met += 1
        turns = state.turns
    assert sum(map(len, memory.dropped)) >= met >= turns // 2


async def test_the_memory_of_a_table_follows_its_log(tmp_path: Path) -> None:
    """A memory updated after each step equals one built from the whole log, also after an undo."""
    async with open_world(tmp_path / "canasta.db") as world:
        snapshot = await world.start_game(NORTH, EAST, players=2)
        steady, random = TableMemories(world.service.reading), Random(4)
        for number in range(60):
            memory = await steady.memory_of(await world.service.reading.snapshot(snapshot.id))
            assert memory == await TableMemories(world.service.reading).memory_of(snapshot)
            game = (await world.service.reading.seat_snapshot(snapshot.id, person=NORTH, guild=900)).view
            assert game is not None
            if number == 30:
                mover = EAST if game.table.turn == 0 else NORTH
                other = NORTH if mover == EAST else EAST
                await world.service.consent.propose(world.caller(mover), snapshot.id, ProposalKind.UNDO)
                done = await world.service.consent.answer_proposal(world.caller(other), snapshot.id, agrees=True)
                assert done.view is not None
                assert done.view.turns < game.table.turns
                continue
            await world.take_random_step(snapshot.id, random)


@pytest.mark.parametrize("level", ALL_LEVELS)
@pytest.mark.parametrize("players", [2, 4])
def test_a_player_without_a_memory_chooses_a_legal_step(level: str, players: int) -> None:
    player = player_for(level, 1)
    for state in islice(played_positions(2, players=players, level="casual"), 10, 70, 4 if SEARCHING else 12):
        seat = seat_to_act(state)
        if seat is not None:
            view = seat_view(state, seat)
            assert player.choose(view).step in view.legal
