"""No match of a final round stays unrated, whenever the process is killed.

The same holds for the lists of a closed duplicate.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.ratings.rating_rules import MatchId
from bot.ratings.service import RatingService
from bot.store.outbox import RATE
from bot.store.store import Store, open_store
from bot.tournaments.core.repository import TournamentChanged
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.plan import Duplicate, Plan
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.duplicate import board_scores
from bot.tournaments.match_ratings import LISTS, TournamentRatings
from tests.support.clock import ManualClock
from tests.support.tournaments import Evening, open_evening, pairs, usual_plan

Play = Callable[[Evening, int], Awaitable[object]]


class DatabaseCopies:
    """Copies of the file after every step of a tournament, as a process killed there would leave it."""

    def __init__(self, path: Path, folder: Path) -> None:
        self._path = path
        self._folder = folder
        self.made: list[tuple[Path, str]] = []

    def on_changed(self, changed: TournamentChanged) -> None:
        """Copy the file and its journal, before the next step."""
        copy = self._folder / f"{len(self.made)}.db"
        for ending in ("", "-wal"):
            shutil.copy(f"{self._path}{ending}", f"{copy}{ending}")
        self.made.append((copy, changed.kind))


def due_ratings(tournament: Tournament) -> set[int]:
    """Return the numbers of the tournament's matches and duplicate lists that are to be rated."""
    if tournament.plan.duplicate is not None:
        lists = {row.list_name for row in board_scores(tournament).rows}
        return {LISTS + number for number in range(len(lists))} if tournament.stage is Stage.CLOSED else set()
    final = {one.number for one in tournament.rounds if one.stage is RoundStage.FINAL}
    void = {one.match for one in tournament.rulings if one.what.value == "void" and not one.undone}
    return {one.id for one in tournament.matches if one.round in final and one.result is not None} - void


async def rating_promises(store: Store) -> list[str]:
    """Return the keys of the ratings that wait in the outbox."""
    return [one.key for one in await store.outbox.all_promises() if one.kind == RATE]


async def ratings_due_at_start(
    path: Path, clock: ManualClock, tournament_number: int
) -> tuple[set[int], set[int], int]:
    """Start the bot on a copy; return the ratings due, those missing or too many, and the number waiting."""
    async with open_evening(path, clock=ManualClock(clock.now())) as evening:
        ratings = RatingService(evening.world.store.ratings, evening.clock)
        evening.events.rounds.set_ratings(TournamentRatings(ratings))
        await evening.wait_until_idle()
        wanted = due_ratings(await evening.events.overview.get_tournament(tournament_number))
        logged = {row.number for row in await ratings.tournament_log(tournament_number)}
        known = {one for one in wanted | logged if await ratings.is_rated(MatchId(tournament_number, one))}
        return wanted, wanted ^ known, len(await rating_promises(evening.world.store))


async def play_with_database_copies(
    folder: Path, plan: Plan, count: int, then: Play
) -> tuple[DatabaseCopies, ManualClock, int]:
    path = folder / "canasta.db"
    async with open_evening(path) as evening:
        number = await evening.begin_tournament(plan, pairs(count))
        copies = DatabaseCopies(path, folder)
        evening.events.subscribe(copies.on_changed)
        await evening.play_all_rounds(number)
        await then(evening, number)
        return copies, evening.clock, number


async def do_nothing_after_close(_evening: Evening, _number: int) -> None:
    """Leave the closed tournament as it is."""


async def rule_after_the_close(evening: Evening, tournament_number: int) -> None:
    """Void a match after the close, and undo that ruling."""
    await evening.events.desk.reopen(evening.director, tournament_number)
    view = await evening.events.overview.get_tournament(tournament_number)
    await evening.events.desk.void_match(evening.director, tournament_number, view.matches[0].id, reason="wrong table")
    view = await evening.events.overview.get_tournament(tournament_number)
    await evening.events.desk.undo_ruling(evening.director, tournament_number, ruling=view.rulings[-1].number)


KINDS: dict[str, tuple[dict[str, Any], Play]] = {
    "swiss": ({"rounds": 2}, rule_after_the_close),
    "duplicate": (
        {"kind": FormatKind.DUPLICATE, "duplicate": Duplicate(boards=3, in_a_round=1)},
        do_nothing_after_close,
    ),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_kill_after_any_step_leaves_nothing_unrated(tmp_path: Path, kind: str) -> None:
    chosen, then = KINDS[kind]
    copies, clock, number = await play_with_database_copies(tmp_path, usual_plan(rated=True, **chosen), 4, then)
    seen = set()
    for copy, step in copies.made:
        wanted, missing, waiting = await ratings_due_at_start(copy, clock, number)
        assert (set(), 0) == (missing, waiting), step
        seen.add(frozenset(wanted))
    assert len(seen) == {"swiss": 4, "duplicate": 2}[kind]


async def test_the_promise_to_rate_is_stored_in_the_transaction_of_the_close(tmp_path: Path) -> None:
    copies, _, number = await play_with_database_copies(
        tmp_path, usual_plan(rated=True, rounds=1), 2, do_nothing_after_close
    )
    last, _ = copies.made[-1]
    async with open_store(last) as store:
        assert [f"t{number}"] == await rating_promises(store)


async def test_no_other_step_promises_a_rating(tmp_path: Path) -> None:
    copies, _, _ = await play_with_database_copies(tmp_path, usual_plan(rated=False, rounds=2), 4, rule_after_the_close)
    for copy, _ in copies.made:
        async with open_store(copy) as store:
            assert [] == await rating_promises(store)


async def test_a_match_that_is_rated_twice_counts_once(tmp_path: Path) -> None:
    async with open_evening(tmp_path / "canasta.db") as evening:
        ratings = RatingService(evening.world.store.ratings, evening.clock)
        evening.events.rounds.set_ratings(TournamentRatings(ratings))
        number = await evening.begin_tournament(usual_plan(rated=True, rounds=2), pairs(4))
        await evening.play_all_rounds(number)
        await evening.wait_until_idle()
        before, standing = (
            await ratings.tournament_log(number),
            await evening.world.store.ratings.ladder_ratings("classic", 4),
        )
        await asyncio.gather(*(evening.events.rate_tournament(number) for _ in range(3)))
        await ratings.recompute_all_ladders()
        assert (before, standing) == (
            await ratings.tournament_log(number),
            await evening.world.store.ratings.ladder_ratings("classic", 4),
        )
