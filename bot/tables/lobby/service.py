"""The service for lobbies: opening, seats, settings, start, end, rematch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.tables.absence import claims
from bot.tables.consent import proposal_rules
from bot.tables.consent.accepted_proposals import add_events_of_accepted_proposal
from bot.tables.context import TableContext
from bot.tables.lobby import closing
from bot.tables.lobby.opening import TableOpening
from bot.tables.lobby.rules_service import RulesService
from bot.tables.play.deals import add_events_of_next_deal
from bot.tables.seating import admission, lobby_rules, roll_call, seats, waiting_question
from bot.tables.seating.admission import Admission, HostDecision
from bot.tables.seating.lobby_rules import apply_themes, require_playable, require_settings, rules_for_players
from bot.tables.state.clocks import USUAL, Level, TableSettings
from bot.tables.state.events import AnyEvent, Deadline, GameStarted, JoinWithdrawn, RematchOpened, SeatChanged
from bot.tables.state.proposals import Proposal, ProposalKind
from bot.tables.state.refusals import TableCode, TableRefusal
from bot.tables.state.requests import DeadlineHandler, Decision, TableLocation, TableRequest
from bot.tables.state.snapshots import Caller, ClosingReason, Status, TableSnapshot
from bot.tables.state.table import Table
from bot.tables.timing.idle_limit import idle_limit


class LobbyService:
    """Requests about a lobby, and about joining and leaving a running game."""

    def __init__(self, context: TableContext, rules: RulesService, opening: TableOpening, hosts: Admission) -> None:
        self._context = context
        self._rules = rules
        self._opening = opening
        self._hosts = hosts

    async def create(
        self,
        caller: Caller,
        *,
        channel: int,
        thread: int | None = None,
        rules: str | None = None,
        players: int | None = None,
        target: int | None = None,
        computers: int = 0,
        themes: Sequence[str] = (),
        settings: TableSettings = USUAL,
    ) -> TableSnapshot:
        """Open a lobby; the caller is its host and takes the first seat, computer players the next ones.

        Defaults: `rules` the guild's, `players` the usual number, `themes` those saved with the rules. Refusals:
        wrong_server (in a direct message), unknown_rules, unknown_theme, players_not_offered, target_out_of_range,
        rules_unplayable, computers_out_of_range, too_many_tables, too_many_lobbies, too_many_seats, and as
        `require_settings`.
        """
        if caller.guild is None:
            raise TableRefusal(TableCode.WRONG_SERVER, {"table": 0})
        offer = await self._rules.rules_named(caller.guild, rules)
        form = rules_for_players(offer, players)
        played = form if target is None else replace(form, target=target)
        if themes:
            played = apply_themes(played, themes)
        require_playable(played)
        require_settings(settings)
        saved_as = offer.name if offer.saved else ""
        terms = seats.LobbyTerms(rules=played, saved_as=saved_as, computers=computers, settings=settings)
        now = self._context.clock.now()
        events = seats.open_lobby(
            terms, caller, now=now, expires_at=now + self._context.limits.lobby_lifetime(settings)
        )
        events += waiting_question.schedule_waiting_question(settings, now)
        action: dict[str, object] = {"rules": rules, "players": players, "target": target, "computers": computers}
        if themes:
            action["themes"] = list(themes)
        async with self._opening.lock:
            place = TableLocation(caller.guild, channel, thread)
            return await self._context.snapshots.table_snapshot(
                await self._opening.open(place, TableRequest("create", action, caller=caller), events)
            )

    async def join(
        self, caller: Caller, table: int, *, seat: int | None = None, or_same_side: bool = False
    ) -> TableSnapshot:
        """Take `seat` or the first empty seat, move to another seat, or return to a former seat.

        With `or_same_side` another seat of the same side is taken if `seat` has just been taken. If the host decides
        about joining, the person waits at the table instead. Refusals: not_open, blocked_there, already_wished,
        too_many_wishes, table_full, seat_taken, no_such_seat, already_seated, already_started, table_closed,
        game_finished, too_many_seats.
        """

        async def decide_events(current_table: Table) -> Decision:
            record = current_table.record
            if record.status is Status.PLAYING:
                events = self._events_to_take_back_seat(current_table, caller)
            else:
                events = seats.join_table(current_table, caller, seat, or_same_side=or_same_side)
            if record.seat_of(caller.person) is None:
                await self._opening.require_below_seat_limit(caller.person)
            if record.status is Status.LOBBY and record.seat_of(caller.person) is None:
                return Decision(await self._admit_or_ask(current_table, caller, events))
            return Decision(events)

        async with self._opening.lock:
            return await self._context.change(table, TableRequest("join", {"seat": seat}, caller=caller), decide_events)

    def _events_to_take_back_seat(self, current_table: Table, caller: Caller) -> tuple[AnyEvent, ...]:
        """Return the events by which the caller takes back their seat, or asks the other players for it.

        A player who left on purpose has to ask.
        """
        record, now = current_table.record, self._context.clock.now()
        kept = record.seat_kept_for(caller.person)
        if kept is not None and record.seat_of(caller.person) is None and claims.must_ask_to_return(record, kept):
            return claims.ask_for_own_seat(current_table, caller, kept, now=now)
        return seats.take_back_seat(
            current_table, caller, next_deal_at=now + self._context.limits.pause_between_deals(record.settings)
        )

    async def take_seat(self, caller: Caller, table: int, seat: int, *, joined_at: int | None) -> TableSnapshot:
        """Ask the seated people for a computer player's seat in a running game.

        If nobody is seated the caller gets the seat at once.

        `joined_at` is when the caller joined the guild (UTC milliseconds), None if unknown. Refusals: not_open,
        not_started, no_such_seat, already_seated, seat_taken, seat_is_kept, had_a_hand, too_new, seat_claimed,
        too_many_seats, game_paused, game_finished, table_closed.
        """
        now = self._context.clock.now()
        is_newcomer = claims.is_too_new_to_claim_seat(caller, joined_at=joined_at, now=now)

        async def decide_events(current_table: Table) -> Decision:
            next_deal_at = now + self._context.limits.pause_between_deals(current_table.record.settings)
            events = claims.claim_seat(
                current_table, caller, seat, is_newcomer=is_newcomer, now=now, next_deal_at=next_deal_at
            )
            await self._host_choice(current_table, caller)
            await self._opening.require_below_seat_limit(caller.person)
            return Decision(events)

        async with self._opening.lock:
            return await self._context.change(
                table, TableRequest("take_seat", {"seat": seat}, caller=caller), decide_events
            )

    async def _admit_or_ask(
        self, current_table: Table, caller: Caller, events: tuple[AnyEvent, ...]
    ) -> tuple[AnyEvent, ...]:
        """Return `events` if the host admits the caller, or else the caller's request to join.

        Refusals: as `_host_choice`, and those of a request to join.
        """
        admitted = await self._host_choice(current_table, caller)
        return admission.ask_to_join(current_table, caller) if admitted is HostDecision.ASKS else events

    async def _host_choice(self, current_table: Table, caller: Caller) -> HostDecision:
        """Return whether the host admits the caller at once or decides first.

        Nobody sits down with a person whom they have blocked, or who has blocked them. Refusals: not_open,
        blocked_there.
        """
        admitted, person = await self._hosts.decision_about(current_table.record.host, caller.person), caller.person
        if admitted is HostDecision.SHUT or not (await self._hosts.active_blockers_of(person)).isdisjoint(
            current_table.record.persons
        ):
            raise TableRefusal(TableCode.NOT_OPEN, {"table": current_table.id})
        if not (await self._hosts.actively_blocked_people(person)).isdisjoint(current_table.record.persons):
            raise TableRefusal(TableCode.BLOCKED_THERE, {"table": current_table.id})
        return admitted

    async def admit(self, caller: Caller, table: int, person: int) -> TableSnapshot:
        """Seat a person who waits to be admitted.

        Refusals: not_host, no_wish, table_full, too_many_seats, already_started, table_closed, game_finished.
        """

        async def decide_events(current_table: Table) -> Decision:
            events = admission.admit_person(current_table, caller, person)
            await self._opening.require_below_seat_limit(person)
            return Decision(events)

        async with self._opening.lock:
            return await self._context.change(table, TableRequest("let_in", {}, caller=caller), decide_events)

    async def reject_all_waiting(self, caller: Caller, table: int) -> TableSnapshot:
        """Reject all people who wait to be admitted now.

        Refusals: not_host, already_started, table_closed, game_finished.
        """
        return await self._context.change(
            table,
            TableRequest("turn_away", {}, caller=caller),
            lambda current_table: Decision(admission.reject_waiting(current_table, caller)),
        )

    async def leave(self, caller: Caller, table: int, *, expected_version: int | None = None) -> TableSnapshot:
        """Give up the caller's seat, or stop waiting to be admitted.

        In a running game a computer player takes the seat over, and `join` takes it back.

        When the host leaves a lobby, the next person becomes host; if no person is left the lobby closes. A game that
        all people have left stops, and closes after the table's idle time. If all who stay have agreed to close the
        game, it closes. `expected_version` is the version that was clicked on. Refusals: not_seated, stale_request,
        table_closed, game_finished.
        """
        now = self._context.clock.now()

        async def decide_events(current_table: Table) -> Decision:
            if any(one.person == caller.person for one in current_table.record.wishes):
                return Decision((JoinWithdrawn(caller.person),))
            expires_at = idle_limit(current_table.record, now)
            return await add_events_of_accepted_proposal(
                self._context, current_table, seats.leave_table(current_table, caller, expires_at=expires_at)
            )

        request = TableRequest("leave", {}, caller=caller, expected_version=expected_version)
        return await self._context.change(table, request, decide_events)

    async def add_computer(
        self,
        caller: Caller,
        table: int,
        *,
        seat: int | None = None,
        level: Level | None = None,
        expected_version: int | None = None,
    ) -> TableSnapshot:
        """Seat a computer player in `seat`, or in the first empty seat.

        `level` is by default that of the table.

        `expected_version` is the version that was clicked on. Refusals: not_host, table_full, seat_taken, no_such_seat,
        stale_request, already_started, table_closed, game_finished.
        """
        action = {"seat": seat} if level is None else {"seat": seat, "level": level}
        request = TableRequest("add_computer", action, caller=caller, expected_version=expected_version)
        return await self._context.change(
            table, request, lambda current_table: Decision(seats.add_computer(current_table, caller, seat, level))
        )

    async def remove_computer(self, caller: Caller, table: int, *, seat: int | None = None) -> TableSnapshot:
        """Remove the computer player in `seat`, or the last computer player of the lobby.

        Refusals: not_host, no_computer, no_such_seat, already_started, table_closed, game_finished.
        """
        return await self._context.change(
            table,
            TableRequest("remove_computer", {"seat": seat}, caller=caller),
            lambda current_table: Decision(seats.remove_computer(current_table, caller, seat)),
        )

    async def start(
        self, caller: Caller, table: int, *, fill: bool = False, expected_version: int | None = None
    ) -> TableSnapshot:
        """Start the game; with `fill` computer players take the empty seats first.

        `expected_version` is the version that was clicked on. At a slow table those who joined long ago must confirm
        first (`bot.tables.seating.roll_call`). Refusals: roll_called, not_host, not_enough_players, already_started,
        table_closed, game_finished; stale_request if the rules are not those seen, or, rarely, if the commitment to the
        first deal was lost in a crash and has only now been published.
        """

        async def decide_events(current_table: Table) -> Decision:
            begins = seats.start_game(current_table, caller, fill=fill)
            asks = roll_call.call_roll(
                current_table,
                caller,
                await self._last_seen_by_person(current_table),
                fill=fill,
                now=self._context.clock.now(),
            )
            return (
                Decision(asks) if asks else await add_events_of_next_deal(self._context, current_table, begins, caller)
            )

        await self._require_commitment(caller, table)
        request = TableRequest("start", {"fill": fill}, caller=caller, expected_version=expected_version)
        return await self._context.change(table, request, decide_events)

    async def confirm_presence(self, caller: Caller, table: int) -> TableSnapshot:
        """Confirm attendance in the roll call; the last confirmation starts the game.

        Refusals: not_seated, not_called, already_started, table_closed, game_finished.
        """

        async def decide_events(current_table: Table) -> Decision:
            said = roll_call.confirm_presence(current_table, caller)
            begins = any(isinstance(event, GameStarted) for event in said)
            return (
                await add_events_of_next_deal(self._context, current_table, said, caller) if begins else Decision(said)
            )

        return await self._context.change(table, TableRequest("present", {}, caller=caller), decide_events)

    async def keep_lobby(self, caller: Caller, table: int, *, asked_at: int) -> TableSnapshot:
        """Keep the lobby open for a week although some players missed the roll call that ended at `asked_at`.

        Refusals: not_host, already_started, table_closed, game_finished; stale_request if that is decided already.
        """
        now = self._context.clock.now()
        return await self._context.change(
            table,
            TableRequest("keep_lobby", {}, caller=caller),
            lambda current_table: Decision(roll_call.keep_lobby(current_table, caller, asked_at=asked_at, now=now)),
        )

    async def start_with_computers(self, caller: Caller, table: int, *, asked_at: int) -> TableSnapshot:
        """Answer the question of `asked_at` to the people of a lobby: start with computer players.

        Anyone seated there may answer. Computer players take the free seats. Refusals: not_seated, already_started,
        table_closed, game_finished; stale_request if that is decided already.
        """

        async def decide_events(current_table: Table) -> Decision:
            begins = waiting_question.start_with_computers(current_table, caller, asked_at=asked_at)
            return await add_events_of_next_deal(self._context, current_table, begins, caller)

        await self._require_commitment(caller, table)
        return await self._context.change(table, TableRequest("start_waiting", {}, caller=caller), decide_events)

    async def keep_waiting(self, caller: Caller, table: int, *, asked_at: int) -> TableSnapshot:
        """Answer the question of `asked_at` to the people of a lobby: wait on for other players.

        Anyone seated there may answer. Refusals: as `start_with_computers`.
        """
        return await self._context.change(
            table,
            TableRequest("wait_on", {}, caller=caller),
            lambda current_table: Decision(waiting_question.keep_waiting(current_table, caller, asked_at=asked_at)),
        )

    async def _last_seen_by_person(self, current_table: Table) -> dict[int, int]:
        """Return the instant at which each person last acted at the table or was seated."""
        seen: dict[int, int] = {}
        if current_table.record.settings.is_slow:
            for row in await self._context.store.tables.actions(current_table.id):
                given = self._context.repository.records.events_of_row(current_table, row.payload)
                came = [event.holder.person for event in given if isinstance(event, SeatChanged)]
                seen |= {person: row.at for person in (*came, row.person) if person is not None}
        return seen

    async def rematch(self, caller: Caller, table: int) -> TableSnapshot:
        """Open a lobby with the same rules and players, each one seat on; the caller is its host.

        A finished table has one rematch: later callers get the same lobby. Refusals: not_seated, not_finished,
        tournament_table, too_many_tables, too_many_lobbies, too_many_seats.
        """
        async with self._opening.lock:
            finished = await self._context.repository.get(table)
            if finished.guild != caller.guild:
                raise TableRefusal(TableCode.WRONG_SERVER, {"table": table})
            if finished.record.contest is not None:
                raise TableRefusal(TableCode.TOURNAMENT_TABLE, {"table": table})
            seats.require_seat(finished, caller.person)
            if finished.record.status is not Status.FINISHED:
                raise TableRefusal(TableCode.NOT_FINISHED, {"table": table})
            following = await self._open_rematch_of(finished)
            return await self._context.snapshots.table_snapshot(following or await self._open_rematch(finished, caller))

    async def close(
        self, caller: Caller, table: int, *, moderator: bool = False, expected_version: int | None = None
    ) -> TableSnapshot:
        """Close a lobby; in a running game, propose to all people seated to end it.

        A moderator of the guild need be neither host nor seated. `expected_version` is the version that was clicked on:
        a lobby closes only if it has not changed since. Refusals: not_host (lobby), not_silent (moderator),
        stale_request, table_closed, game_finished, and as `ConsentService.propose`.
        """
        now, silence = self._context.clock.now(), self._context.limits.silence

        async def decide_events(current_table: Table) -> Decision:
            events = closing.close_lobby(current_table, caller, moderator=moderator, now=now, least_silence=silence)
            if events is not None:
                return Decision(events)
            proposal = Proposal(ProposalKind.END, caller.person, now, (caller.person,))
            return await add_events_of_accepted_proposal(
                self._context, current_table, proposal_rules.propose(current_table, proposal)
            )

        request = TableRequest("close", {"moderator": moderator}, caller=caller, expected_version=expected_version)
        return await self._context.change(table, request, decide_events)

    # --- seats and settings ------------------------------------------------------------------------------------------

    async def swap_seats(
        self, caller: Caller, table: int, *, seat: int, other_seat: int, expected_version: int | None = None
    ) -> TableSnapshot:
        """Let the holder of `seat` swap with seat `other_seat`, or move there if it is empty.

        `expected_version` is the version that was clicked on. Refusals: not_host, no_such_seat, seat_empty,
        stale_request, already_started, table_closed, game_finished.
        """
        request = TableRequest(
            "place", {"seat": seat, "to": other_seat}, caller=caller, expected_version=expected_version
        )
        return await self._context.change(
            table, request, lambda current_table: Decision(seats.swap_seats(current_table, caller, seat, other_seat))
        )

    async def set_computers(self, caller: Caller, table: int, count: int) -> TableSnapshot:
        """Set the number of computer players in a lobby.

        Refusals: not_host, computers_out_of_range, already_started, table_closed, game_finished.
        """
        return await self._context.change(
            table,
            TableRequest("set_computers", {"count": count}, caller=caller),
            lambda current_table: Decision(seats.set_computers(current_table, caller, count)),
        )

    async def choose_settings(self, caller: Caller, table: int, settings: TableSettings) -> TableSnapshot:
        """Set the settings of a lobby.

        Refusals: not_host, already_started, table_closed, game_finished, clock_bank, clock_increment, clock_cap,
        setting_out_of_range.
        """
        expires_at = self._context.clock.now() + self._context.limits.lobby_lifetime(settings)
        return await self._context.change(
            table,
            TableRequest("choose_settings", {}, caller=caller),
            lambda current_table: Decision(
                lobby_rules.choose_settings(current_table, caller, settings, expires_at=expires_at)
            ),
        )

    # --- helpers -----------------------------------------------------------------------------------------------------

    async def _open_rematch_of(self, finished: Table) -> Table | None:
        """Return the rematch of a finished table; None if there is none or it was closed."""
        number = finished.record.rematch
        following = None if number is None else await self._context.repository.get(number)
        return None if following is None or following.record.status is Status.CLOSED else following

    async def _open_rematch(self, finished: Table, caller: Caller) -> Table:
        """Open a lobby and record it as the rematch of the finished table; return the lobby.

        People at their limit of seats, and people whom the caller has blocked or who have blocked the caller, are left
        out.
        """
        now = self._context.clock.now()
        absent = frozenset([one for one in finished.record.persons if await self._is_barred_from_rematch(caller, one)])
        expires_at = now + self._context.limits.lobby_lifetime(finished.record.settings)
        events = seats.open_rematch(finished, caller, absent=absent, now=now, expires_at=expires_at)
        events += waiting_question.schedule_waiting_question(finished.record.settings, now)
        place = TableLocation(finished.guild, finished.channel, finished.thread)
        opened = await self._opening.open(place, TableRequest("rematch", {"of": finished.id}, caller=caller), events)
        await self._context.repository.change(
            finished.id,
            TableRequest("rematch_opened", {"table": opened.id}),
            lambda _: Decision((RematchOpened(opened.id),)),
        )
        return opened

    async def _is_barred_from_rematch(self, caller: Caller, person: int) -> bool:
        """Return whether the person cannot get a seat at the caller's rematch.

        So it is for a deleted person, at too many tables, or if one of the two has blocked the other.
        """
        if person < 0:  # a person whose data was deleted has a negative number
            return True
        if await self._opening.count_seats_of(person) >= self._context.limits.seats_per_person:
            return True
        if person == caller.person:
            return False
        shut = await self._hosts.decision_about(caller.person, person) is HostDecision.SHUT
        return shut or person in await self._hosts.active_blockers_of(caller.person)

    async def _require_commitment(self, caller: Caller, table: int) -> None:
        """Publish a missing commitment and raise stale_request, because the click came before it."""
        current_table = await self._context.repository.get(table)
        if (
            current_table.guild == caller.guild
            and current_table.record.status is Status.LOBBY
            and not current_table.record.shuffles
        ):
            version = (await self._context.repository.publish_seed_commitment(table)).table.version
            detail = {"table": table, "expected": current_table.version, "version": version}
            raise TableRefusal(TableCode.STALE_REQUEST, detail)

    # --- deadlines ---------------------------------------------------------------------------------------------------

    @property
    def deadlines(self) -> Mapping[Deadline, DeadlineHandler]:
        """The handlers of this service's deadlines."""
        return {
            Deadline.EXPIRE: lambda table: Decision(seats.close_table(table.record, ClosingReason.EXPIRED)),
            Deadline.PLACE: lambda table: Decision(seats.close_table(table.record, ClosingReason.EXPIRED)),
            Deadline.WAITING: lambda table: Decision(
                waiting_question.ask_whether_to_wait(table.record, now=self._context.clock.now())
            ),
            Deadline.ROLL_CALL: lambda table: Decision(
                roll_call.end_roll_call(table.record, now=self._context.clock.now())
            ),
        }
