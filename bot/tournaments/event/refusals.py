"""Refusals of tournament requests: a code with its values. The sentences are in the catalogues."""

from __future__ import annotations

from enum import StrEnum

from bot.tables.state.refusals import Detail


class TournamentCode(StrEnum):
    """Reasons why a tournament refuses a request: stable names, with the values that their texts need."""

    UNKNOWN_TOURNAMENT = "unknown_tournament"  # its text needs "tournament"
    UNREADABLE = "unreadable"  # its stored rows are damaged; the directors are notified; its text needs "tournament"
    STALE_TOURNAMENT = "stale_tournament"  # the request saw an older version; its text needs "tournament"
    NOT_DIRECTOR = "not_director"
    OWN_MATCH = "own_match"  # directors do not rule on their own match; its text needs "match"
    DIRECTOR_PLAYS = "director_plays"  # rulings are for directors who do not play
    PLAYS = "plays"  # directors who play may not see open hands, cases or sealed boards
    WRONG_STAGE = "wrong_stage"  # not allowed in this stage; its text needs "stage"
    ALREADY_ENTERED = "already_entered"  # its text needs "entry"
    # the person played in another entry; its text needs "entry", "names", "own" (1: caller, 0: partner)
    WAS_IN_ENTRY = "was_in_entry"
    WAS_REMOVED = "was_removed"  # a director removed the person and has not undone it; its text needs "own"
    SITS_IN = "sits_in"  # the person sits at a table as a substitute now; its text needs "match", "own"
    ENTRY_SIZE = "entry_size"  # an entry has the wrong size; its text needs "entry", "needed", "given"
    NOT_PLACED = "not_placed"  # no penalty without a start number; its text needs "entry"
    SOMEBODY_ENTERED = "somebody_entered"  # it has entries, so it stays published; its text needs "entries"
    NOT_ENTERED = "not_entered"
    NOT_ASKED = "not_asked"  # the person has not been invited
    PARTNERS_WRONG = "partners_wrong"  # wrong number of persons in an entry; its text needs "needed", "given"
    NO_REGULARS = "no_regulars"  # entries of this tournament have no regulars
    REGULARS_FULL = "regulars_full"  # the entry has the maximum number of regulars; its text needs "most"
    LINEUP_WRONG = "lineup_wrong"  # the line-up has the wrong number of members; its text needs "needed", "given"
    NOT_REGULAR = "not_regular"  # only a free member of the awaited player's entry may play instead
    REGULAR_SITS = "regular_sits"  # a regular leaves once the match in which they sit is over; its text needs "match"
    NO_PLACE = "no_place"  # the tournament is full; after the start there is no waiting list; its text needs "places"
    ENTRY_CLOSED = "entry_closed"  # it is too late to enter; its text needs "round"
    ALREADY_SAT_OUT = "already_sat_out"  # its text needs "round"
    LAST_ROUND = "last_round"  # the last round cannot be skipped; its text needs "round"
    NOT_CHECKING_IN = "not_checking_in"  # its text needs "opens_at", "closes_at" (UTC milliseconds)
    NO_SUCH_ENTRY = "no_such_entry"  # its text needs "entry"
    NO_SUCH_MATCH = "no_such_match"  # its text needs "match"
    NO_SUCH_ROUND = "no_such_round"  # its text needs "round"
    NO_SUCH_RULING = "no_such_ruling"  # its text needs "ruling"
    RESULTS_OPEN = "results_open"  # tables without a result; its text needs "tables" (numbers, joined by commas)
    NO_ROUND_DRAWN = "no_round_drawn"  # no drawn round waits for its call
    CARD_PLAYED = "card_played"  # too late to draw the round again; its text needs "match"
    LEFT_OUT = "left_out"  # a pairing by hand misses an entry or repeats one; its text needs "entry"
    MATCH_OVER = "match_over"  # its text needs "match"
    SCORES_WRONG = "scores_wrong"  # the number of scores is wrong; its text needs "needed", "given"
    NOBODY_AWAITED = "nobody_awaited"  # the match does not wait for an absent player; its text needs "match"
    MATCH_OPEN = "match_open"  # the match has no result to change yet; its text needs "match"
    NOT_PLAYABLE = "not_playable"  # too late to undo a forfeit and play; its text needs "round", "table"
    EXTENDED_ONCE = "extended_once"  # a slow match is given more time once, for at most 72 h; its text needs "hours"
    SUBSTITUTE_PLAYS = "substitute_plays"  # the substitute plays in the tournament
    SUBSTITUTE_TOO_OFTEN = "substitute_too_often"  # substitutes may play half of the matches; its text needs "matches"
    SUBSTITUTE_KNOWS = "substitute_knows"  # the substitute has seen the board; its text needs "board"
    BOARD_NOT_OPEN = "board_not_open"  # the board is sealed, or unknown; its text needs "board"
    NOT_PAUSED = "not_paused"
    ALREADY_PAUSED = "already_paused"
    PLAN_UNFIT = "plan_unfit"  # its text needs "problem" (a `PlanError`), and in a duplicate those of `movement_values`
    NO_CASE = "no_case"  # its text needs "case"
    TIMES_LIVE = "times_live"  # only slow matches agree on times
    TIME_UNFIT = "time_unfit"  # the time is past, too late, or not offered; its text needs "at", "until" (UTC ms)
    RUNG = "rung"  # the ladder has no such rung; its text needs "rungs"
    LADDER = "ladder"  # its text needs "problem" and its own (`bot.tournaments.event.ladder`)
    NO_PRIVATE_THREADS = "no_private_threads"  # a duplicate needs private threads, which the bot may not open here
    REQUEST_SERVED = "request_served"  # the request id was already used at another tournament


class TournamentRefusal(Exception):
    """A request that a tournament refuses; nothing has changed."""

    def __init__(self, code: TournamentCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}
