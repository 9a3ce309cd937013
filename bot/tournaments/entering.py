"""The service for players and creators: create, publish, enter, check in, challenge, leave, and so on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.logs import record_failure
from bot.store.errors import FATAL_ERRORS
from bot.store.tournaments import TournamentSecret
from bot.tables.state.shuffle import Dealer, board_name, commitment_for_name
from bot.tables.state.snapshots import Caller
from bot.tournaments.core.repository import TournamentRepository, TournamentRequest
from bot.tournaments.event import entering, forfeits, matches, rounds, rulings, start
from bot.tournaments.event.boards import planned_boards
from bot.tournaments.event.entries import Person
from bot.tournaments.event.joining import rosters
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.refusals import TournamentRefusal
from bot.tournaments.event.slow import agreed_times
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import find_match, require_director, require_stage
from bot.tournaments.formats import ladder
from bot.tournaments.formats.by_kind import format_of, require_playable_plan
from bot.tournaments.overview import OverviewService
from bot.tournaments.results_from_tables import PlayingService
from bot.tournaments.seeded_draw import commitment

logger = logging.getLogger("canasta.tournaments")


class EnteringService:
    """Actions of a tournament's players, and of its creator before it opens."""

    def __init__(
        self, repository: TournamentRepository, playing: PlayingService, overview: OverviewService, dealer: Dealer
    ) -> None:
        self._repository = repository
        self._playing = playing
        self._overview = overview
        self._dealer = dealer

    async def create(self, caller: Caller, *, channel: int, plan: Plan) -> Tournament:
        """Create a draft, visible only to its director."""
        now = self._repository.clock.now()
        draft = Tournament(
            plan=plan,
            directors=(Person(caller.person),),
            created_at=now,
            since=now,
            guild=caller.guild or 0,
            channel=channel,
        )
        return await self._repository.create(draft, TournamentRequest("create", caller))

    async def change_plan(
        self, caller: Caller, tournament: int, plan: Plan, *, expected_version: int | None = None
    ) -> Tournament:
        """Change the plan of a draft. Refusals: not_director, wrong_stage, stale_tournament."""

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            require_director(current_tournament, caller.person)
            require_stage(current_tournament, Stage.DRAFT)
            return replace(current_tournament, plan=plan)

        return await self._playing.change(
            tournament, TournamentRequest("replan", caller, expected_version=expected_version), change_tournament
        )

    async def publish(self, caller: Caller, tournament: int) -> Tournament:
        """Open the tournament to entries, draw its secret seeds, and publish commitments to them.

        Refusals: not_director, wrong_stage, plan_unfit.
        """
        return await self._publish(tournament, caller)

    async def publish_planned(self, tournament: int) -> Tournament:
        """Publish a tournament created by a series. Refusals: wrong_stage, plan_unfit."""
        return await self._publish(tournament, None)

    async def cancel_by_series(self, tournament: int) -> Tournament:
        """Cancel a tournament that its series skips, and notify its entrants. Refusal: wrong_stage."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rounds.cancel_tournament_by_series(current_tournament, now=now)

        return await self._playing.change(tournament, TournamentRequest("call_off"), change_tournament)

    async def enter_team_again(
        self, caller: Caller, tournament: int, *, people: Mapping[int, str], regulars: Mapping[int, str]
    ) -> Tournament:
        """Enter people who played together before, and ask their regulars, unless these play elsewhere.

        `people` and `regulars` are names by person. Refusals: wrong_stage, already_entered.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            named = replace(current_tournament, names={**current_tournament.names, **people, **regulars})
            after = entering.enter_past_partners(named, people=tuple(people), now=now)
            for one in regulars:
                try:
                    after = rosters.ask_regular(after, person=caller.person, regular=one, now=now)
                except TournamentRefusal:
                    continue
            return after

        return await self._playing.change(tournament, TournamentRequest("enter", caller), change_tournament)

    async def move_start(self, tournament: int, starts_at: int) -> Tournament:
        """Change the instant until which a sign-up takes entries."""

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            return replace(current_tournament, plan=replace(current_tournament.plan, starts_at=starts_at))

        return await self._playing.change(tournament, TournamentRequest("move_start"), change_tournament)

    async def end_sign_up(self, tournament: int) -> Tournament:
        """Close a sign-up to further entries. Refusal: wrong_stage."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return entering.end_sign_up(current_tournament, now=now)

        return await self._playing.change(tournament, TournamentRequest("end_sign_up"), change_tournament)

    async def _publish(self, tournament: int, caller: Caller | None) -> Tournament:
        draft = await self._repository.tournament(tournament)
        draw_seed = self._dealer.new_seed()
        duplicate = draft.plan.duplicate
        boards = 0 if duplicate is None else duplicate.boards
        seeds = {number: self._dealer.new_seed() for number in range(1, boards + 1)}
        secrets = (
            TournamentSecret("lot", draw_seed),
            *(TournamentSecret(f"board:{number}", seed) for number, seed in seeds.items()),
        )
        shown = {number: commitment_for_name(seed, board_name(tournament, number)) for number, seed in seeds.items()}

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            require_playable_plan(current_tournament.plan, now)
            scoring = format_of(current_tournament).fill_in_plan(current_tournament.plan).scoring
            current_tournament = replace(current_tournament, plan=replace(current_tournament.plan, scoring=scoring))
            by = None if caller is None else caller.person
            after = entering.publish_tournament(
                current_tournament, director=by, now=now, commitment=commitment(draw_seed)
            )
            return replace(after, boards=planned_boards(current_tournament.plan, shown))

        return await self._playing.change(
            tournament, TournamentRequest("publish", caller, secrets=secrets), change_tournament
        )

    async def unpublish(self, caller: Caller, tournament: int, *, expected_version: int | None = None) -> Tournament:
        """Turn a tournament without entries back into a draft.

        Refusals: not_director, wrong_stage, somebody_entered.
        """

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            return entering.unpublish_tournament(current_tournament, director=caller.person)

        return await self._playing.change(
            tournament, TournamentRequest("unpublish", caller, expected_version=expected_version), change_tournament
        )

    async def enter(self, caller: Caller, tournament: int, *, partners: Mapping[int, str] | None = None) -> Tournament:
        """Enter the caller with `partners` (names by person), who are asked to agree.

        Refusals: wrong_stage, partners_wrong, already_entered, entry_closed, no_place.
        """
        given = partners or {}

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            names = {**current_tournament.names, caller.person: caller.name, **given}
            people = (caller.person, *given)
            return entering.enter_people(replace(current_tournament, names=names), people=people, now=now)

        return await self._playing.change(tournament, TournamentRequest("enter", caller), change_tournament)

    async def answer_partner_invitation(self, caller: Caller, tournament: int, *, yes: bool) -> Tournament:
        """Answer an invitation to be a partner. Refusals: wrong_stage, not_asked, entry_closed, no_place."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            answered = entering.accept_partnership if yes else entering.decline_partnership
            return answered(current_tournament, person=caller.person, now=now)

        return await self._playing.change(
            tournament, TournamentRequest("agree" if yes else "decline", caller), change_tournament
        )

    async def leave(self, caller: Caller, tournament: int) -> Tournament:
        """Withdraw the caller's entry. Refusals: wrong_stage, not_entered."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return _leave_entry(current_tournament, caller.person, now)

        return await self._playing.change(tournament, TournamentRequest("leave", caller), change_tournament)

    async def withdraw_person(self, tournament: int, person: int) -> Tournament:
        """Withdraw the entry of a person who left the guild or is being forgotten; its results stay.

        Source: `docs/tournaments.md` 8, case 31.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            if current_tournament.stage not in (Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING):
                return current_tournament
            current_tournament = rosters.withdraw_regular_invitations(current_tournament, (person,), now)
            entry = current_tournament.entry_of(person)
            if entry is not None and person in entry.regulars:
                return rosters.take_out_regular(current_tournament, person=person, now=now)
            return current_tournament if entry is None else _leave_entry(current_tournament, person, now)

        return await self._playing.change(tournament, TournamentRequest("gone"), change_tournament)

    async def withdraw_all_entries(self, person: int) -> None:
        """Withdraw all entries of a person who is being forgotten."""
        for one in await self._overview.open_tournaments_of(person):
            if not self._playing.owns_guild(one.guild):
                continue  # the process that owns the guild does this
            try:
                await self.withdraw_person(one.id, person)
            except FATAL_ERRORS:
                raise
            except Exception as error:  # noqa: BLE001 - the rows of its people are deleted anyway
                record_failure(logger, "leaving a tournament", error, tournament=one.id)

    async def skip_next_round(self, caller: Caller, tournament: int) -> Tournament:
        """Skip the next round. Refusals: wrong_stage, not_entered, already_sat_out, last_round."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return entering.skip_next_round(current_tournament, person=caller.person, now=now)

        return await self._playing.change(tournament, TournamentRequest("sit_out", caller), change_tournament)

    async def check_in(self, caller: Caller, tournament: int) -> Tournament:
        """Record that the caller is here and will play. Refusals: not_checking_in, not_entered."""

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            return start.check_in_person(current_tournament, person=caller.person, request=caller.request)

        return await self._playing.change(tournament, TournamentRequest("here", caller), change_tournament)

    async def mark_arrived(self, person: int, tournament: int, match: int) -> Tournament:
        """Mark a person as present at a match's table.

        Nothing changes if the person was not missing. Refusal: no_such_match.
        """
        known = await self._repository.tournament(tournament)
        if not matches.is_missing(find_match(known, match), person):
            return known

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            return matches.mark_arrived(current_tournament, match=match, person=person)

        return await self._playing.change(tournament, TournamentRequest("arrive"), change_tournament)

    async def ask_regular(self, caller: Caller, tournament: int, *, regular: int, name: str) -> Tournament:
        """Ask a person to become a regular of the caller's entry.

        Refusals: wrong_stage, not_entered, no_regulars, regulars_full, already_entered, was_removed, sits_in,
        was_in_entry.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            named = replace(current_tournament, names={**current_tournament.names, regular: name})
            asked = rosters.ask_regular(named, person=caller.person, regular=regular, now=now)
            return current_tournament if asked is named else asked

        return await self._playing.change(tournament, TournamentRequest("ask_regular", caller), change_tournament)

    async def answer_regular_invitation(self, caller: Caller, tournament: int, *, yes: bool) -> Tournament:
        """Answer an invitation to be a regular.

        Refusals: wrong_stage, not_asked; if accepted, also already_entered, was_removed, sits_in, was_in_entry.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rosters.answer_regular_invitation(current_tournament, person=caller.person, yes=yes, now=now)

        return await self._playing.change(tournament, TournamentRequest("answer_regular", caller), change_tournament)

    async def set_lineup(self, caller: Caller, tournament: int, *, players: Sequence[int]) -> Tournament:
        """Choose the members of the caller's entry who play its next matches.

        Refusals: wrong_stage, not_entered, lineup_wrong.
        """

        async def change_tournament(current_tournament: Tournament, _now: int) -> Tournament:
            return rosters.set_lineup(current_tournament, person=caller.person, players=players)

        return await self._playing.change(tournament, TournamentRequest("lineup", caller), change_tournament)

    async def take_over_seat(self, caller: Caller, tournament: int, match: int) -> Tournament:
        """Give the caller the seat of an awaited person of their entry.

        Refusals: no_such_match, match_over, nobody_awaited, not_regular, substitute_knows.
        """
        knows = await self._playing.boards_seen_by(tournament, caller.person)

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rosters.take_over_seat(
                current_tournament, match=match, person=caller.person, seen_boards=knows, now=now
            )

        return await self._playing.change(
            tournament, TournamentRequest("stand_in", caller, {"match": match}), change_tournament
        )

    async def challenge(self, caller: Caller, tournament: int, *, entry: int) -> Tournament:
        """Challenge an entry of a ladder. Refusals: wrong_stage, not_entered, no_such_entry, ladder."""

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return ladder.challenge_entry(current_tournament, person=caller.person, entry=entry, now=now)

        return await self._playing.change(
            tournament, TournamentRequest("challenge", caller, {"entry": entry}), change_tournament
        )

    async def answer_challenge(self, caller: Caller, tournament: int, *, yes: bool) -> Tournament:
        """Accept a challenge, or decline it and lose a place on the ladder.

        Refusals: wrong_stage, not_entered, ladder.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return ladder.answer_challenge(current_tournament, person=caller.person, yes=yes, now=now)

        return await self._playing.change(tournament, TournamentRequest("answer_challenge", caller), change_tournament)

    async def offer_times(self, caller: Caller, tournament: int, match: int, *, instants: Sequence[int]) -> Tournament:
        """Offer times for a slow match.

        Refusals: no_such_match, not_entered, match_over, times_live, time_unfit.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return agreed_times.offer_times(
                current_tournament, match=match, person=caller.person, instants=instants, now=now
            )

        return await self._playing.change(tournament, TournamentRequest("offer_times", caller), change_tournament)

    async def accept_time(self, caller: Caller, tournament: int, match: int, *, at: int) -> Tournament:
        """Accept an offered time for the caller.

        Refusals: no_such_match, not_entered, match_over, times_live, time_unfit.
        """

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return agreed_times.accept_time(current_tournament, match=match, person=caller.person, at=at, now=now)

        return await self._playing.change(tournament, TournamentRequest("suits", caller), change_tournament)

    async def call_director(self, caller: Caller, tournament: int, match: int, *, text: str = "") -> Tournament:
        """Open a case: a player's question to directors about a match. Refusals: no_such_match, not_entered."""
        deal = await self._playing.deal_in_play(tournament, match)

        async def change_tournament(current_tournament: Tournament, now: int) -> Tournament:
            return rulings.call_director(
                current_tournament, match=match, person=caller.person, deal=deal, text=text, now=now
            )

        return await self._playing.change(
            tournament, TournamentRequest("case", caller, {"match": match}), change_tournament
        )


def _leave_entry(tournament: Tournament, person: int, now: int) -> Tournament:
    """Withdraw the person's entry; if its match is open, that match is forfeited."""
    entry = tournament.entry_of(person)
    after = entering.withdraw_entry_of(tournament, person=person, now=now)
    plays_on = entry is None or person in entry.regulars
    return after if plays_on or entry is None else forfeits.forfeit_by_leaving(after, entry=entry.number, now=now)
