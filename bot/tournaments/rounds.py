"""Draw, redraw, complete and close rounds, before a step is stored.

Drawing takes seconds with many entries, so it runs in a thread. The step holds the tournament's lock, so no other
change can come between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol, TypeAlias

from bot.clocks.clock import Spans
from bot.tournaments.core.repository import TournamentRepository
from bot.tournaments.event import boards, rounds, start
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.joining.partner_pool import pair_persons_in_pool
from bot.tournaments.event.match_state import RoundDraw, RoundStage
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import active_entrants, add_news, continuing_entries
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.formats.format import Format
from bot.tournaments.seeded_draw import SeededDraw

BASIS: Final = ("entrants", "rounds", "matches", "rulings", "boards", "rounds_planned")
"""The fields of a tournament on which a draw depends."""

Away: TypeAlias = Callable[[], Spans]
"""Returns the times when the bot was away."""


class Ratings(Protocol):
    """The player ratings as tournaments use them: for seeding, and as the receiver of finished matches."""

    async def ratings_of(self, persons: Sequence[int], tournament: Tournament) -> Mapping[int, float | None]:
        """Return each person's rating in the tournament's ladder; None if unrated."""

    async def pair_ratings(
        self, pairs: Sequence[tuple[int, ...]], tournament: Tournament
    ) -> Mapping[tuple[int, ...], float]:
        """Return the ratings of pairs in the tournament's ladder, leaving out provisional ones."""

    async def rate_matches_with_final_results(self, tournament: Tournament) -> None:
        """Rate matches with a final result that are not rated yet; withdraw ratings of matches that are void now."""

    async def rating_log(self, tournament: Tournament) -> Mapping[str, Any]:
        """Return the rating log of the tournament, ready for JSON.

        It includes the earlier ratings of the people in it.
        """


class RoundsService:
    """Computes what follows from a step, before it is stored: draws, ends of rounds and the close."""

    def __init__(
        self,
        repository: TournamentRepository,
        ratings: Ratings | None,
        formats: Callable[[Tournament], Format] = format_of,
    ) -> None:
        self._repository = repository
        self._format_of = formats
        self.ratings = ratings

    def set_ratings(self, ratings: Ratings) -> None:
        """Set the ratings that seedings use and that receive matches."""
        self.ratings = ratings

    async def seeded_draw(self, tournament: Tournament) -> SeededDraw:
        """Return the tournament's draw, made with its secret seed.

        Raises `LookupError` before it is published.
        """
        seed = await self._repository.store.tournaments.secret(tournament.id, "lot")
        if seed is None:
            raise LookupError(f"tournament {tournament.id} has no seed for its draws")
        return SeededDraw(seed)

    async def start(self, tournament: Tournament, now: int) -> Tournament:
        """Start the tournament: close check-in, draw partners, order the entries and draw the first round.

        With too few entries it is closed instead.
        """
        draws, of_kind = await self.seeded_draw(tournament), self._format_of(tournament)
        here = start.close_check_in(tournament, now=now)
        persons = tuple(person for one in here.entrants for person in one.people)
        figures = {} if self.ratings is None else await self.ratings.ratings_of(persons, tournament)
        if here.plan.drawn:
            here = start.draw_all_partners(here, draws, figures)
        entries = len(start.checked_in_entries(here))
        if entries < of_kind.least_entries(here.plan):
            closed = rounds.close_tournament(here, seed=draws.seed.hex(), now=now)
            return add_news(closed, "too_few", now, numbers={"entries": entries})
        own = await self._pair_ratings(here)
        begun = start.begin_tournament(
            here, draws, figures, own, rounds=of_kind.default_rounds(here.plan, entries), now=now
        )
        after = await asyncio.to_thread(of_kind.prepare_start, begun, draws, now)
        if not after.plan.traits.has_rounds:
            return after
        drawing = await self._draw_next_round(after)
        if drawing is None or not drawing.fixtures:
            return await self._begin_closing(after, now)
        return _add_round(after, drawing, now=now, call_at=max(now, after.plan.starts_at))

    async def _pair_ratings(self, tournament: Tournament) -> Mapping[tuple[int, ...], float]:
        """Return the rating as a pair of every entry of two that has checked in."""
        pairs = [one.people for one in start.checked_in_entries(tournament) if len(one.people) == 2]
        return {} if self.ratings is None else await self.ratings.pair_ratings(pairs, tournament)

    async def with_consequences(self, before: Tournament, after: Tournament, now: int) -> Tournament:
        """Return the tournament with all that follows from a change.

        Persons in the pool are paired, the format makes its own changes, outdated draws are repeated, and finished
        rounds are completed.
        """
        if after.stage not in (Stage.RUNNING, Stage.CLOSING):
            return after
        after = pair_persons_in_pool(after, now=now)
        after = await self.with_format_consequences(before, after, now)
        if after.stage is not Stage.RUNNING or not after.plan.traits.has_rounds:
            return after
        after = boards.open_finished_boards(after, now)
        if _may_draw_be_outdated(before, after) and await asyncio.to_thread(_is_draw_outdated, before, after):
            after = await self.redraw_newest_round(after, now)
        while rounds.is_round_over(after):
            after = await self._complete_round(after, now)
        if rounds.only_remaining_entry(after) is not None or not active_entrants(after):
            after = await self._end_tournament_early(after, now)
        return after

    async def with_format_consequences(self, before: Tournament, after: Tournament, now: int) -> Tournament:
        """Return the tournament with what follows from a change in its format alone."""
        return await asyncio.to_thread(
            self._format_of(after).with_consequences, before, after, await self.seeded_draw(after), now
        )

    async def redraw_newest_round(self, tournament: Tournament, now: int) -> Tournament:
        """Draw the newest round again, or begin closing if no match is possible."""
        before = await self.with_format_consequences(tournament, rounds.remove_newest_round(tournament), now)
        drawing = None if len(active_entrants(before)) < 2 else await self._draw_next_round(before)
        if drawing is None or not drawing.fixtures:
            return await self._begin_closing(before, now)
        after = rounds.replace_round(replace(tournament, news=before.news), drawing, now=now)
        return replace(after, schedule=before.schedule[1:])

    async def _draw_next_round(self, tournament: Tournament) -> RoundDraw | None:
        """Draw the next round in a worker thread and return it; None if nothing is left to play."""
        return await asyncio.to_thread(
            self._format_of(tournament).draw_next_round, tournament, await self.seeded_draw(tournament)
        )

    async def _complete_round(self, tournament: Tournament, now: int) -> Tournament:
        """Complete the round, then draw the next one or begin closing."""
        after = rounds.complete_round(tournament, now=now)
        drawing = None if len(active_entrants(after)) < 2 else await self._draw_next_round(after)
        if drawing is None or not drawing.fixtures:
            return await self._begin_closing(after, now)
        drawn = _add_round(after, drawing, now=now, call_at=now + after.plan.between)
        if all(one.forfeited for one in drawing.fixtures):  # nobody has to be called to a table
            return rounds.call_round(drawn, now=now)
        number = len(drawn.rounds)
        return add_news(drawn, "next_round", now, numbers={"round": number, "until": now + after.plan.between})

    async def _end_tournament_early(self, tournament: Tournament, now: int) -> Tournament:
        """Begin closing the tournament early, since at most one entry is left.

        While a match is open, nothing changes. Source: `docs/tournaments.md` 8, cases 5 and 6.
        """
        turn = tournament.current_round
        if turn is None or rounds.open_table_numbers(tournament):
            return tournament
        if turn.stage is RoundStage.DRAWN:
            tournament = replace(tournament, rounds=tournament.rounds[:-1])
        return await self._begin_closing(tournament, now) if tournament.stage is Stage.RUNNING else tournament

    async def _begin_closing(self, tournament: Tournament, now: int) -> Tournament:
        """Enter the closing stage; a tournament without any round is closed at once."""
        return rounds.begin_closing(tournament) if tournament.rounds else await self.close(tournament, now)

    async def close(self, tournament: Tournament, now: int) -> Tournament:
        """Close the tournament, publish its seed and announce it."""
        draws = await self.seeded_draw(tournament)
        return add_news(rounds.close_tournament(tournament, seed=draws.seed.hex(), now=now), "closed", now)


def _add_round(tournament: Tournament, draw: RoundDraw, *, now: int, call_at: int) -> Tournament:
    """Add a drawn round, and remove it from the schedule if rounds are drawn in advance."""
    drawn = rounds.add_round(tournament, draw, now=now, call_at=call_at)
    return replace(drawn, schedule=drawn.schedule[1:])


def _may_draw_be_outdated(before: Tournament, after: Tournament) -> bool:
    """Return whether a round is only drawn, and a field that its draw depends on has changed."""
    turn = after.current_round
    if turn is None or turn.stage is not RoundStage.DRAWN or len(before.rounds) != len(after.rounds):
        return False
    return any(getattr(before, one) is not getattr(after, one) for one in BASIS)


def _is_draw_outdated(before: Tournament, after: Tournament) -> bool:
    """Return whether a drawn round must be drawn again, because entries or results have changed.

    A pairing by hand stays while the same entries take part.
    """
    others = continuing_entries(before) != continuing_entries(after)
    by_hand = after.current_round is not None and after.current_round.by_hand
    return others or (not by_hand and course_of(before) != course_of(after))
