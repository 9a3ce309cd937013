"""A command reads the table once: one view for each viewer of a position, one list of legal steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from bot.engine.play import building_views, legal_steps
from bot.tables.advice import offers_to_seat
from bot.tables.snapshots import snapshots
from tests.support.call_recorder import record_calls
from tests.support.computer_choices import Move, next_move, play_by_command
from tests.support.discord import Discord, Message, Person, text_of

COUNTED: dict[str, Callable[..., Any]] = {
    "legal": legal_steps.legal_actions,
    "own": building_views.seat_view,
    "public": building_views.public_view,
    "offers": offers_to_seat,
    "table": snapshots.table_snapshot,
}


async def count_computed_views(interaction: Awaitable[Message]) -> tuple[str, Counter[str]]:
    """Await an interaction; return its answer's text, and how often each counted function was called for it."""
    with record_calls(**COUNTED) as calls:
        answer = await interaction
    return text_of(answer), Counter(name for name, _ in calls)


async def play_to_first_melds(discord: Discord) -> tuple[Person, Move]:
    """Play a game of two by commands up to the first melds; return their player and the melds."""
    persons = {person.id: person for person in (discord.person(0), discord.person(1))}
    you, friend = persons.values()
    await you.run("table new", players=2)
    await friend.run("table join")
    await you.run("table start")
    while True:
        actor, move = (await discord.snapshot()).actor, next_move(await discord.game_state())
        assert actor is not None
        assert actor.person is not None
        if move.melds and move.step is None:
            return persons[actor.person], move
        await play_by_command(persons[actor.person], move)


async def test_a_typed_meld_computes_one_view_per_viewer(discord: Discord) -> None:
    """The earlier position is cached; the new one is checked, and viewed by its seat and by everyone."""
    person, move = await play_to_first_melds(discord)
    text, counts = await count_computed_views(play_by_command(person, move))
    assert "You laid" in text
    assert Counter(legal=2, own=1, public=1, offers=1, table=1) == counts


async def test_a_meld_typed_after_a_restart_needs_only_one_more_view(discord: Discord) -> None:
    person, move = await play_to_first_melds(discord)
    await discord.restart()
    text, counts = await count_computed_views(play_by_command(person, move))
    assert "You laid" in text
    assert Counter(legal=3, own=2, public=1, offers=1, table=1) == counts
