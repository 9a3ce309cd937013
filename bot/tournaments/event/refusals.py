"""Why something asked of a tournament is not done: a code with its numbers. Words stand in the catalogues."""

from __future__ import annotations

from enum import StrEnum

from bot.tables.state.refusals import Detail


class TournamentCode(StrEnum):
    """Every reason a tournament has to refuse; the value is its stable name."""

    UNKNOWN_TOURNAMENT = "unknown_tournament"  # {"tournament"}
    STALE_TOURNAMENT = "stale_tournament"  # asked of an older version: {"tournament"}
    NOT_DIRECTOR = "not_director"  # {}
    OWN_MATCH = "own_match"  # who plays in a match rules on it never: {"match"}
    PLAYS = "plays"  # who plays sees no open hands, cases or sealed boards: {}
    WRONG_STAGE = "wrong_stage"  # not while it stands so: {"stage"}
    ALREADY_ENTERED = "already_entered"  # {"entry"}
    SOMEBODY_ENTERED = "somebody_entered"  # what people have entered is no draft any more: {"entries"}
    NOT_ENTERED = "not_entered"  # {}
    NOT_ASKED = "not_asked"  # nobody asked that person to be a partner: {}
    PARTNERS_WRONG = "partners_wrong"  # an entry needs so many persons: {"needed", "given"}
    NO_PLACE = "no_place"  # nobody waits for a place once rounds are played: {"places"}
    ENTRY_CLOSED = "entry_closed"  # late entry is over: {"round"}
    ALREADY_SAT_OUT = "already_sat_out"  # {"round"}
    LAST_ROUND = "last_round"  # nobody announces to sit it out: {"round"}
    NOT_CHECKING_IN = "not_checking_in"  # {"opens_at", "closes_at"}: UTC milliseconds
    NO_SUCH_ENTRY = "no_such_entry"  # {"entry"}
    NO_SUCH_MATCH = "no_such_match"  # {"match"}
    NO_SUCH_ROUND = "no_such_round"  # {"round"}
    NO_SUCH_RULING = "no_such_ruling"  # {"ruling"}
    RESULTS_OPEN = "results_open"  # the next round needs them: {"tables"}: numbers, joined by commas
    NO_ROUND_DRAWN = "no_round_drawn"  # none waits to be called, as on a ladder, which has no rounds: {}
    CARD_PLAYED = "card_played"  # the round cannot be drawn anew any more: {"match"}
    LEFT_OUT = "left_out"  # a pairing by hand leaves somebody out or has one twice: {"entry"}
    MATCH_OVER = "match_over"  # {"match"}
    SCORES_WRONG = "scores_wrong"  # a duplicate is adjusted table by table: {"needed", "given"}
    MATCH_OPEN = "match_open"  # no result to change yet: {"match"}
    NOT_PLAYABLE = "not_playable"  # a forfeit stays once its cards are known, or the next round: {"round", "table"}
    EXTENDED_ONCE = "extended_once"  # a slow match is given more time once, for at most 72 h: {"hours"}
    SUBSTITUTE_PLAYS = "substitute_plays"  # that person is in the tournament: {}
    SUBSTITUTE_TOO_OFTEN = "substitute_too_often"  # in half of the matches at most: {"matches"}
    SUBSTITUTE_KNOWS = "substitute_knows"  # has seen the board: {"board"}
    BOARD_NOT_OPEN = "board_not_open"  # sealed, or none of this tournament: {"board"}
    NOT_PAUSED = "not_paused"  # {}
    ALREADY_PAUSED = "already_paused"  # {}
    PLAN_UNFIT = "plan_unfit"  # {"problem"}: see `bot.tournaments.event.plan`
    NO_CASE = "no_case"  # {"case"}
    LADDER = "ladder"  # {"problem", ...}: see `bot.tournaments.event.ladder`
    NO_PRIVATE_THREADS = "no_private_threads"  # duplicate needs them: {}
    REQUEST_SERVED = "request_served"  # the request was another's: {}


class TournamentRefusal(Exception):
    """Something asked of a tournament is not done, and nothing has changed."""

    def __init__(self, code: TournamentCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}
