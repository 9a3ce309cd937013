"""Directors' actions on a tournament, its rounds and its matches (`docs/tournaments.md` 1.5, 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRequest
from bot.tournaments.desk.entries import bring_back_entry_and_match
from bot.tournaments.desk.ruling_preview import adjust_scores
from bot.tournaments.event import alarms, forfeits, matches, rounds, rulings, substitutes
from bot.tournaments.event.entries import EntryStage
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.rulings import REMOVED
from bot.tournaments.event.tournament import Tournament
from bot.tournaments.event.tournament_changes import find_match, require_director
from bot.tournaments.formats.by_kind import format_of
from bot.tournaments.formats.swiss import SwissFormat
from bot.tournaments.results_from_tables import PlayingService
from bot.tournaments.rounds import RoundsService


class DirectorService:
    """Directors' actions; each is logged with the director and the reason.

    `expected_version` is the version that the director looked at; if another director acted since: stale_tournament.
    """

    def __init__(self, rounds: RoundsService, playing: PlayingService) -> None:
        self._rounds = rounds
        self._playing = playing

    # --- the tournament ----------------------------------------------------------------------------------------------

    async def pause(self, caller: Caller, tournament: int, *, expected_version: int | None = None) -> Tournament:
        """Pause the tournament and its tables. Refusals: not_director, wrong_stage, already_paused."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.pause_tournament(current_tournament, director=caller.person, now=now)

        return await self._playing.change(
            tournament, TournamentRequest("pause", caller, expected_version=expected_version), change_tournament
        )

    async def resume(self, caller: Caller, tournament: int, *, expected_version: int | None = None) -> Tournament:
        """Resume, delaying everything due by the pause. Refusals: not_director, not_paused."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            after, by = rounds.resume_tournament(current_tournament, director=caller.person, now=now)
            return alarms.delay_future_instants(after, by, now)

        return await self._playing.change(
            tournament, TournamentRequest("resume", caller, expected_version=expected_version), change_tournament
        )

    async def postpone(
        self, caller: Caller, tournament: int, *, amount: int, expected_version: int | None = None
    ) -> Tournament:
        """Delay the start, or the call of the drawn round, by `amount` milliseconds.

        Refusals: not_director, wrong_stage.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.postpone_tournament(current_tournament, director=caller.person, amount=amount, now=now)

        return await self._playing.change(
            tournament,
            TournamentRequest("postpone", caller, {"amount": amount}, expected_version=expected_version),
            change_tournament,
        )

    async def cancel(
        self, caller: Caller, tournament: int, *, reason: str = "", expected_version: int | None = None
    ) -> Tournament:
        """Cancel the tournament. Refusals: not_director, wrong_stage."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.cancel_tournament(current_tournament, director=caller.person, reason=reason, now=now)

        return await self._playing.change(
            tournament,
            TournamentRequest("cancel", caller, {"reason": reason}, expected_version=expected_version),
            change_tournament,
        )

    async def close_ladder(self, caller: Caller, tournament: int) -> Tournament:
        """End a ladder, which has no last round. Refusals: not_director, wrong_stage."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            require_director(current_tournament, caller.person)
            if current_tournament.ladder is None:
                raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": current_tournament.stage.value})
            draws = await self._rounds.seeded_draw(current_tournament)
            return rounds.close_tournament(current_tournament, seed=draws.seed.hex(), now=now)

        return await self._playing.change(tournament, TournamentRequest("close", caller), change_tournament)

    async def reopen(self, caller: Caller, tournament: int, *, expected_version: int | None = None) -> Tournament:
        """Reopen within a week of the close, for corrections. Refusals: not_director, wrong_stage."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.reopen_tournament(
                current_tournament, director=caller.person, within=alarms.REOPENABLE, now=now
            )

        return await self._playing.change(
            tournament, TournamentRequest("reopen", caller, expected_version=expected_version), change_tournament
        )

    async def announce(self, caller: Caller, tournament: int, *, text: str) -> Tournament:
        """Send an announcement to everyone. Refusal: not_director."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.publish_announcement(current_tournament, director=caller.person, text=text, now=now)

        return await self._playing.change(
            tournament, TournamentRequest("announce", caller, {"text": text}), change_tournament
        )

    # --- rounds ------------------------------------------------------------------------------------------------------

    async def void_round(
        self, caller: Caller, tournament: int, *, reason: str, expected_version: int | None = None
    ) -> Tournament:
        """Void the newest round and play it again. Refusals: not_director, wrong_stage, no_such_round."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.void_round(current_tournament, director=caller.person, reason=reason, now=now)

        return await self._playing.change(
            tournament,
            TournamentRequest("void_round", caller, {"reason": reason}, expected_version=expected_version),
            change_tournament,
        )

    async def call_round(self, caller: Caller, tournament: int, *, expected_version: int | None = None) -> Tournament:
        """Call the drawn round now.

        Refusals: not_director, wrong_stage, no_such_round, results_open, no_round_drawn.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.call_round_now(current_tournament, director=caller.person, now=now)

        return await self._playing.change(
            tournament, TournamentRequest("call", caller, expected_version=expected_version), change_tournament
        )

    async def pair_again(self, caller: Caller, tournament: int, *, expected_version: int | None = None) -> Tournament:
        """Draw the newest round again. Refusals: not_director, wrong_stage, no_such_round, card_played."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            await self._require_redrawable_round(current_tournament, caller)
            after = await self._rounds.redraw_newest_round(current_tournament, now)
            await self._require_redrawable_round(
                current_tournament, caller
            )  # a table may have played a card during the draw
            return after

        return await self._playing.change(
            tournament, TournamentRequest("pair_again", caller, expected_version=expected_version), change_tournament
        )

    async def pair_by_hand(
        self,
        caller: Caller,
        tournament: int,
        *,
        tables: Sequence[Sequence[int]],
        byes: Sequence[int],
        expected_version: int | None = None,
    ) -> Tournament:
        """Replace the pairing of the newest round by these tables and byes of entries.

        Refusals: not_director, wrong_stage, no_such_round, card_played, left_out.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            await self._require_redrawable_round(current_tournament, caller)
            of_kind = format_of(current_tournament)
            if not isinstance(of_kind, SwissFormat):
                raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": current_tournament.stage.value})
            drawing = of_kind.pair_by_hand(
                current_tournament, await self._rounds.seeded_draw(current_tournament), tables=tables, byes=byes
            )
            return rounds.replace_round(current_tournament, drawing, now=now)

        return await self._playing.change(
            tournament, TournamentRequest("pair_by_hand", caller, expected_version=expected_version), change_tournament
        )

    async def _require_redrawable_round(self, tournament: Tournament, caller: Caller) -> None:
        played = await self._playing.begun_matches(tournament)
        rounds.require_redrawable_round(tournament, director=caller.person, is_played=lambda match: match.id in played)

    # --- matches -----------------------------------------------------------------------------------------------------

    async def wait_longer(
        self, caller: Caller, tournament: int, match: int, *, expected_version: int | None = None
    ) -> Tournament:
        """Give absent players more time. Refusals: not_director, own_match, no_such_match, match_over."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return matches.wait_longer(current_tournament, match=match, director=caller.person, now=now)

        return await self._playing.change(
            tournament,
            TournamentRequest("wait", caller, {"match": match}, expected_version=expected_version),
            change_tournament,
        )

    async def extend_match(
        self, caller: Caller, tournament: int, match: int, *, amount: int, expected_version: int | None = None
    ) -> Tournament:
        """Extend the time of a match by `amount` milliseconds.

        Refusals: not_director, own_match, no_such_match, match_over, extended_once.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return matches.extend_match(current_tournament, match=match, director=caller.person, amount=amount, now=now)

        return await self._playing.change(
            tournament,
            TournamentRequest("extend", caller, {"match": match, "amount": amount}, expected_version=expected_version),
            change_tournament,
        )

    async def substitute(
        self,
        caller: Caller,
        tournament: int,
        match: int,
        *,
        seat: int,
        person: int,
        name: str,
        expected_version: int | None = None,
    ) -> Tournament:
        """Let another person play a seat for the rest of a match.

        Refusals: not_director, own_match, no_such_match, match_over, substitute_plays, substitute_too_often,
        substitute_knows.
        """
        knows = await self._playing.boards_seen_by(tournament, person)

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            named = replace(current_tournament, names={**current_tournament.names, person: name})
            return substitutes.substitute_person(
                named, match=match, seat=seat, person=person, director=caller.person, seen_boards=knows, now=now
            )

        return await self._playing.change(
            tournament,
            TournamentRequest("substitute", caller, {"match": match, "seat": seat}, expected_version=expected_version),
            change_tournament,
        )

    async def forfeit_match(
        self,
        caller: Caller,
        tournament: int,
        match: int,
        *,
        sides: Sequence[int],
        reason: str,
        expected_version: int | None = None,
    ) -> Tournament:
        """Let sides lose a match, over or not. Refusals: not_director, own_match, no_such_match."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            one = find_match(current_tournament, match)
            if one.result is None:
                return forfeits.forfeit_open_match(
                    current_tournament, match=match, sides=sides, reason=reason, director=caller.person, now=now
                )
            return rulings.forfeit_finished_match(
                current_tournament, match=match, sides=sides, reason=reason, director=caller.person, now=now
            )

        return await self._playing.change(
            tournament,
            TournamentRequest("forfeit", caller, {"match": match, "reason": reason}, expected_version=expected_version),
            change_tournament,
        )

    async def adjust_scores(
        self,
        caller: Caller,
        tournament: int,
        match: int,
        *,
        scores: Sequence[Sequence[int]],
        reason: str,
        expected_version: int | None = None,
    ) -> Tournament:
        """Set other scores for the deals of a match.

        Refusals: not_director, own_match, no_such_match, match_open, scores_wrong.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return adjust_scores(
                current_tournament, match=match, scores=scores, reason=reason, director=caller.person, now=now
            )

        return await self._playing.change(
            tournament,
            TournamentRequest("adjust", caller, {"match": match, "reason": reason}, expected_version=expected_version),
            change_tournament,
        )

    async def give_points(
        self,
        caller: Caller,
        tournament: int,
        match: int,
        *,
        points: Sequence[int],
        winner: int | None = None,
        reason: str,
        expected_version: int | None = None,
    ) -> Tournament:
        """Give match points without scores. Refusals: not_director, own_match, no_such_match, match_open."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rulings.give_points(
                current_tournament,
                match=match,
                points=points,
                winner=winner,
                reason=reason,
                director=caller.person,
                now=now,
            )

        return await self._playing.change(
            tournament,
            TournamentRequest("points", caller, {"match": match, "reason": reason}, expected_version=expected_version),
            change_tournament,
        )

    async def void_match(
        self, caller: Caller, tournament: int, match: int, *, reason: str, expected_version: int | None = None
    ) -> Tournament:
        """Void a finished match. Refusals: not_director, own_match, no_such_match, match_open."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rulings.void_finished_match(
                current_tournament, match=match, reason=reason, director=caller.person, now=now
            )

        return await self._playing.change(
            tournament,
            TournamentRequest("void", caller, {"match": match, "reason": reason}, expected_version=expected_version),
            change_tournament,
        )

    async def adjust_board(
        self,
        caller: Caller,
        tournament: int,
        match: int,
        *,
        board: int,
        sides: Sequence[int],
        reason: str,
        expected_version: int | None = None,
    ) -> Tournament:
        """Give both sides 50 % for an unplayed board, or `sides` at fault 40 % and the others 60 %.

        Refusals: not_director, own_match, no_such_match.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rulings.adjust_board(
                current_tournament,
                match=match,
                board=board,
                sides=sides,
                reason=reason,
                director=caller.person,
                now=now,
            )

        return await self._playing.change(
            tournament,
            TournamentRequest(
                "board", caller, {"match": match, "board": board, "reason": reason}, expected_version=expected_version
            ),
            change_tournament,
        )

    async def undo_ruling(
        self, caller: Caller, tournament: int, *, ruling: int, expected_version: int | None = None
    ) -> Tournament:
        """Undo a ruling. An entry that it removed is back, and a match that it ended is played.

        Refusals: not_director, own_match, no_such_ruling, wrong_stage, not_playable.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            after = forfeits.undo_ruling(current_tournament, ruling=ruling, director=caller.person, now=now)
            removed = next((one.entry for one in after.rulings if one.number == ruling and one.level == REMOVED), None)
            gone = removed is not None and after.entrant(removed).stage is EntryStage.REMOVED
            return after if removed is None or not gone else bring_back_entry_and_match(after, removed, now)

        return await self._playing.change(
            tournament,
            TournamentRequest("undo", caller, {"ruling": ruling}, expected_version=expected_version),
            change_tournament,
        )
