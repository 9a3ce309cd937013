"""Directors' actions on entries, cases and directors (`docs/tournaments.md` 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.event import entering, forfeits, rounds, rulings
from bot.tournaments.event.entries import Person
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.rulings import REMOVED
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.event.tournament_changes import find_entrant, is_entered, require_director_not_playing
from bot.tournaments.formats import ladder
from bot.tournaments.results_from_tables import PlayingService
from bot.tournaments.rounds import RoundsService


class DirectorEntries:
    """Directors' actions on entries, cases and the list of directors.

    `expected_version` is the version that the director looked at; if another director acted since: stale_tournament.
    """

    def __init__(self, rounds: RoundsService, playing: PlayingService) -> None:
        self._rounds = rounds
        self._playing = playing

    async def add_director(self, caller: Caller, tournament: int, *, person: int, name: str) -> Tournament:
        """Add a director. Refusal: not_director."""

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            named = replace(current_tournament, names={**current_tournament.names, person: name})
            return rounds.add_director(named, director=caller.person, person=person)

        return await self._playing.change(tournament, TournamentRequest("director", caller), change_tournament)

    async def become_director(self, caller: Caller, tournament: int) -> Tournament:
        """Make a moderator of the guild a director; the caller must have checked that they are one.

        Refusal: director_plays.
        """

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            if is_entered(current_tournament, caller.person):
                raise TournamentRefusal(TournamentCode.DIRECTOR_PLAYS)
            known = caller.person in current_tournament.directors
            return (
                current_tournament
                if known
                else replace(current_tournament, directors=(*current_tournament.directors, Person(caller.person)))
            )

        return await self._playing.change(tournament, TournamentRequest("step_in", caller), change_tournament)

    async def penalise_entry(
        self,
        caller: Caller,
        tournament: int,
        entry: int,
        *,
        category: str,
        level: int,
        reason: str,
        expected_version: int | None = None,
    ) -> Tournament:
        """Impose a penalty. Level 5 also removes the entry; level 4 costs it its match of the round.

        Refusals: not_director, own_match, no_such_entry, wrong_stage.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            after = rulings.penalise_entry(
                current_tournament,
                entry=entry,
                category=category,
                level=level,
                reason=reason,
                director=caller.person,
                now=now,
            )
            if level == rulings.MATCH_LOST:
                after = forfeits.forfeit_newest_match(
                    after, entry=entry, reason=reason, director=caller.person, now=now
                )
            return _remove_entry(after, entry, now) if level == REMOVED else after

        return await self._playing.change(
            tournament,
            TournamentRequest(
                "penalty",
                caller,
                {"entry": entry, "category": category, "level": level, "reason": reason},
                expected_version=expected_version,
            ),
            change_tournament,
        )

    async def remove_entry(
        self, caller: Caller, tournament: int, entry: int, *, expected_version: int | None = None
    ) -> Tournament:
        """Remove an entry. Refusals: not_director, no_such_entry, wrong_stage."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            require_director_not_playing(current_tournament, caller.person)
            rulings.require_not_own_match(current_tournament, find_entrant(current_tournament, entry), caller.person)
            return _remove_entry(current_tournament, entry, now)

        return await self._playing.change(
            tournament,
            TournamentRequest("remove", caller, {"entry": entry}, expected_version=expected_version),
            change_tournament,
        )

    async def bring_back_entry(
        self, caller: Caller, tournament: int, entry: int, *, expected_version: int | None = None
    ) -> Tournament:
        """Let an entry that has left take part again; rounds that it missed give no points.

        Refusals: not_director, no_such_entry, wrong_stage, sits_in.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            require_director_not_playing(current_tournament, caller.person)
            rulings.require_not_own_match(current_tournament, find_entrant(current_tournament, entry), caller.person)
            return bring_back_entry_and_match(current_tournament, entry, now)

        return await self._playing.change(
            tournament,
            TournamentRequest("bring_back", caller, {"entry": entry}, expected_version=expected_version),
            change_tournament,
        )

    async def set_start_order(
        self, caller: Caller, tournament: int, *, order: Sequence[int], expected_version: int | None = None
    ) -> Tournament:
        """Set the start order, before the first round is called. Refusals: not_director, wrong_stage."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            require_director_not_playing(current_tournament, caller.person)
            if current_tournament.current_round is not None and current_tournament.current_round.called_at is not None:
                raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": current_tournament.stage.value})
            after = entering.with_start_order(current_tournament, order)
            return (
                after
                if current_tournament.current_round is None
                else await self._rounds.redraw_newest_round(after, now)
            )

        return await self._playing.change(
            tournament, TournamentRequest("seed", caller, expected_version=expected_version), change_tournament
        )

    async def set_rung(
        self,
        caller: Caller,
        tournament: int,
        entry: int,
        *,
        rung: int,
        reason: str,
        expected_version: int | None = None,
    ) -> Tournament:
        """Put an entry on a rung of a ladder.

        Refusals: not_director, director_plays, wrong_stage, no_such_entry, ladder, rung.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return ladder.set_rung(
                current_tournament, entry=entry, rung=rung, reason=reason, director=caller.person, now=now
            )

        detail = {"entry": entry, "rung": rung, "reason": reason}
        return await self._playing.change(
            tournament, TournamentRequest("rung", caller, detail, expected_version=expected_version), change_tournament
        )

    async def answer_director_call(
        self, caller: Caller, tournament: int, case: int, *, text: str, expected_version: int | None = None
    ) -> Tournament:
        """Answer a case in words. Refusals: not_director, own_match, no_case."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rulings.answer_director_call(
                current_tournament, case=case, text=text, director=caller.person, now=now
            )

        return await self._playing.change(
            tournament,
            TournamentRequest("answer", caller, {"case": case}, expected_version=expected_version),
            change_tournament,
        )


def bring_back_entry_and_match(tournament: Tournament, entry: int, now: int) -> Tournament:
    """Return the tournament with the entry back.

    If the round is not over, the entry plays the match that it gave up.
    """
    after = entering.bring_back_entry(tournament, entry=entry, now=now)
    return forfeits.reopen_given_up_match(after, entry=entry, now=now)


def _remove_entry(tournament: Tournament, entry: int, now: int) -> Tournament:
    after = entering.remove_entry(tournament, entry=entry, now=now)
    return forfeits.forfeit_by_leaving(after, entry=entry, now=now)
