"""Refusals of tournament requests: a code with its values. The sentences are in the catalogues."""

from __future__ import annotations

from enum import StrEnum

from bot.tables.state.refusals import Detail


class TournamentCode(StrEnum):
    """Reasons why a tournament refuses a request; the value is its stable name."""

    UNKNOWN_TOURNAMENT = "unknown_tournament"  # {"tournament"}
    UNREADABLE = "unreadable"  # its stored rows are damaged; the directors are notified: {"tournament"}
    STALE_TOURNAMENT = "stale_tournament"  # the request saw an older version: {"tournament"}
    NOT_DIRECTOR = "not_director"  # {}
    OWN_MATCH = "own_match"  # directors do not rule on their own match: {"match"}
    DIRECTOR_PLAYS = "director_plays"  # rulings are for directors who do not play: {}
    PLAYS = "plays"  # directors who play may not see open hands, cases or sealed boards: {}
    WRONG_STAGE = "wrong_stage"  # not allowed in this stage: {"stage"}
    ALREADY_ENTERED = "already_entered"  # {"entry"}
    WAS_IN_ENTRY = "was_in_entry"  # played here in another entry: {"entry", "names", "own"}; own: 1 caller, 0 partner
    WAS_REMOVED = "was_removed"  # removed, until a director undoes it: {"own"}
    SITS_IN = "sits_in"  # is a substitute at a table now: {"match", "own"}
    ENTRY_SIZE = "entry_size"  # an entry of the wrong size in a draw or challenge: {"entry", "needed", "given"}
    NOT_PLACED = "not_placed"  # no penalty without a start number: {"entry"}
    SOMEBODY_ENTERED = "somebody_entered"  # a tournament with entries cannot return to a draft: {"entries"}
    NOT_ENTERED = "not_entered"  # {}
    NOT_ASKED = "not_asked"  # no invitation to that person: {}
    PARTNERS_WRONG = "partners_wrong"  # wrong number of persons in an entry: {"needed", "given"}
    NO_REGULARS = "no_regulars"  # entries of this tournament have none: {}
    REGULARS_FULL = "regulars_full"  # an entry may have no more: {"most"}
    LINEUP_WRONG = "lineup_wrong"  # another number of members plays: {"needed", "given"}
    NOT_REGULAR = "not_regular"  # only a free member of the awaited player's entry may play instead: {}
    REGULAR_SITS = "regular_sits"  # a regular leaves once the match in which they sit is over: {"match"}
    NO_PLACE = "no_place"  # full, and no waiting list after the start: {"places"}
    ENTRY_CLOSED = "entry_closed"  # late entry is over: {"round"}
    ALREADY_SAT_OUT = "already_sat_out"  # {"round"}
    LAST_ROUND = "last_round"  # the last round cannot be skipped: {"round"}
    NOT_CHECKING_IN = "not_checking_in"  # {"opens_at", "closes_at"}: UTC milliseconds
    NO_SUCH_ENTRY = "no_such_entry"  # {"entry"}
    NO_SUCH_MATCH = "no_such_match"  # {"match"}
    NO_SUCH_ROUND = "no_such_round"  # {"round"}
    NO_SUCH_RULING = "no_such_ruling"  # {"ruling"}
    RESULTS_OPEN = "results_open"  # tables without a result: {"tables"}: numbers, joined by commas
    NO_ROUND_DRAWN = "no_round_drawn"  # no round to call; a ladder has none: {}
    CARD_PLAYED = "card_played"  # too late to draw the round again: {"match"}
    LEFT_OUT = "left_out"  # a pairing by hand misses an entry or repeats one: {"entry"}
    MATCH_OVER = "match_over"  # {"match"}
    SCORES_WRONG = "scores_wrong"  # a duplicate is adjusted table by table: {"needed", "given"}
    NOBODY_AWAITED = "nobody_awaited"  # the player whose turn it is has shown presence: {"match"}
    MATCH_OPEN = "match_open"  # no result to change yet: {"match"}
    NOT_PLAYABLE = "not_playable"  # too late to undo a forfeit and play: {"round", "table"}
    EXTENDED_ONCE = "extended_once"  # a slow match is given more time once, for at most 72 h: {"hours"}
    SUBSTITUTE_PLAYS = "substitute_plays"  # that person is in the tournament: {}
    SUBSTITUTE_TOO_OFTEN = "substitute_too_often"  # at most in half of the matches: {"matches"}
    SUBSTITUTE_KNOWS = "substitute_knows"  # has seen the board: {"board"}
    BOARD_NOT_OPEN = "board_not_open"  # sealed, or unknown: {"board"}
    NOT_PAUSED = "not_paused"  # {}
    ALREADY_PAUSED = "already_paused"  # {}
    PLAN_UNFIT = "plan_unfit"  # {"problem"}: see `bot.tournaments.event.plan_check`; of boards also the numbers in it
    NO_CASE = "no_case"  # {"case"}
    TIMES_LIVE = "times_live"  # only slow matches agree on times: {}
    TIME_UNFIT = "time_unfit"  # past, after the end of the round, or not offered: {"at", "until"}: UTC milliseconds
    RUNG = "rung"  # the ladder has no such rung: {"rungs"}
    LADDER = "ladder"  # {"problem", ...}: see `bot.tournaments.event.ladder`
    NO_PRIVATE_THREADS = "no_private_threads"  # only a duplicate has boards: {}
    REQUEST_SERVED = "request_served"  # the request id was already used at another tournament: {}


class TournamentRefusal(Exception):
    """A request that a tournament refuses; nothing has changed."""

    def __init__(self, code: TournamentCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}
