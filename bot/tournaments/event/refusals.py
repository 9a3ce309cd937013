"""Refusals of tournament requests: a code with its values. The sentences are in the catalogues."""

from __future__ import annotations

from enum import StrEnum

from bot.tables.state.refusals import Detail


class TournamentCode(StrEnum):
    """Reasons why a tournament refuses a request: stable names, with the values of their sentences."""

    UNKNOWN_TOURNAMENT = "unknown_tournament"  # values: "tournament"
    UNREADABLE = "unreadable"  # its stored rows are damaged; the directors are notified; values: "tournament"
    STALE_TOURNAMENT = "stale_tournament"  # the request saw an older version; values: "tournament"
    NOT_DIRECTOR = "not_director"  # no values
    OWN_MATCH = "own_match"  # directors do not rule on their own match; values: "match"
    DIRECTOR_PLAYS = "director_plays"  # rulings are for directors who do not play
    PLAYS = "plays"  # directors who play may not see open hands, cases or sealed boards
    WRONG_STAGE = "wrong_stage"  # not allowed in this stage; values: "stage"
    ALREADY_ENTERED = "already_entered"  # values: "entry"
    WAS_IN_ENTRY = "was_in_entry"  # has played in another entry; values: "entry", "names", "own" (1 caller, 0 partner)
    WAS_REMOVED = "was_removed"  # was removed, and no director has undone it; values: "own"
    SITS_IN = "sits_in"  # sits at a table as a substitute now; values: "match", "own"
    ENTRY_SIZE = "entry_size"  # an entry of the wrong size in a draw or challenge; values: "entry", "needed", "given"
    NOT_PLACED = "not_placed"  # no penalty without a start number; values: "entry"
    SOMEBODY_ENTERED = "somebody_entered"  # a tournament with entries cannot return to a draft; values: "entries"
    NOT_ENTERED = "not_entered"  # no values
    NOT_ASKED = "not_asked"  # no invitation to that person
    PARTNERS_WRONG = "partners_wrong"  # wrong number of persons in an entry; values: "needed", "given"
    NO_REGULARS = "no_regulars"  # entries of this tournament have no regulars
    REGULARS_FULL = "regulars_full"  # the entry has the maximum number of regulars; values: "most"
    LINEUP_WRONG = "lineup_wrong"  # the line-up has the wrong number of members; values: "needed", "given"
    NOT_REGULAR = "not_regular"  # only a free member of the awaited player's entry may play instead
    REGULAR_SITS = "regular_sits"  # a regular leaves once the match in which they sit is over; values: "match"
    NO_PLACE = "no_place"  # full, and no waiting list after the start; values: "places"
    ENTRY_CLOSED = "entry_closed"  # late entry is over; values: "round"
    ALREADY_SAT_OUT = "already_sat_out"  # values: "round"
    LAST_ROUND = "last_round"  # the last round cannot be skipped; values: "round"
    NOT_CHECKING_IN = "not_checking_in"  # values: "opens_at", "closes_at" (UTC milliseconds)
    NO_SUCH_ENTRY = "no_such_entry"  # values: "entry"
    NO_SUCH_MATCH = "no_such_match"  # values: "match"
    NO_SUCH_ROUND = "no_such_round"  # values: "round"
    NO_SUCH_RULING = "no_such_ruling"  # values: "ruling"
    RESULTS_OPEN = "results_open"  # tables without a result; values: "tables" (numbers, joined by commas)
    NO_ROUND_DRAWN = "no_round_drawn"  # no round to call; a ladder has none
    CARD_PLAYED = "card_played"  # too late to draw the round again; values: "match"
    LEFT_OUT = "left_out"  # a pairing by hand misses an entry or repeats one; values: "entry"
    MATCH_OVER = "match_over"  # values: "match"
    SCORES_WRONG = "scores_wrong"  # a duplicate is adjusted table by table; values: "needed", "given"
    NOBODY_AWAITED = "nobody_awaited"  # the player whose turn it is has shown presence; values: "match"
    MATCH_OPEN = "match_open"  # no result to change yet; values: "match"
    NOT_PLAYABLE = "not_playable"  # too late to undo a forfeit and play; values: "round", "table"
    EXTENDED_ONCE = "extended_once"  # a slow match is given more time once, for at most 72 h; values: "hours"
    SUBSTITUTE_PLAYS = "substitute_plays"  # that person is in the tournament
    SUBSTITUTE_TOO_OFTEN = "substitute_too_often"  # at most in half of the matches; values: "matches"
    SUBSTITUTE_KNOWS = "substitute_knows"  # has seen the board; values: "board"
    BOARD_NOT_OPEN = "board_not_open"  # sealed, or unknown; values: "board"
    NOT_PAUSED = "not_paused"  # no values
    ALREADY_PAUSED = "already_paused"  # no values
    PLAN_UNFIT = "plan_unfit"  # values: "problem" (an `Unfit`), and in a duplicate those of `movement_values`
    NO_CASE = "no_case"  # values: "case"
    TIMES_LIVE = "times_live"  # only slow matches agree on times
    TIME_UNFIT = "time_unfit"  # past, after the round, or not offered; values: "at", "until" (UTC milliseconds)
    RUNG = "rung"  # the ladder has no such rung; values: "rungs"
    LADDER = "ladder"  # values: "problem" and its own (`bot.tournaments.event.ladder`)
    NO_PRIVATE_THREADS = "no_private_threads"  # only a duplicate has boards
    REQUEST_SERVED = "request_served"  # the request id was already used at another tournament


class TournamentRefusal(Exception):
    """A request that a tournament refuses; nothing has changed."""

    def __init__(self, code: TournamentCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}
