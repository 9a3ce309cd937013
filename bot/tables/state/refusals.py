"""Refusals of the table service: why a request was rejected, as a code with numbers.

Refusals of the game's rules are `bot.engine.moves.refusals.Refusal`; the texts of both are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from bot.engine.law.rule_conflicts import RuleProblem

Detail: TypeAlias = Mapping[str, int | str]
"""The numbers of one refusal."""


class TableCode(StrEnum):
    """Every reason for a table's refusal; the value is its stable name.

    The comments say when the reason applies, and name the values in the refusal's detail.
    """

    UNKNOWN_TABLE = "unknown_table"  # values: "table"
    UNREADABLE_TABLE = "unreadable_table"  # damaged, or of another format; values: "table"
    WRONG_SERVER = "wrong_server"  # the table belongs to another server; values: "table"
    NOT_SEATED = "not_seated"  # values: "table"
    STALE_REQUEST = "stale_request"  # the request refers to an older version; values: "table", "expected", "version"
    REQUEST_REUSED = "request_reused"  # the request's id was used before, for another table or person
    ALREADY_SEATED = "already_seated"  # values: "table", "seat"
    NOT_OPEN = "not_open"  # the host does not admit that person; values: "table"
    ALREADY_WISHED = "already_wished"  # the person is already waiting to be admitted; values: "table"
    TOO_MANY_WISHES = "too_many_wishes"  # too many persons are waiting to be admitted; values: "table", "most"
    NO_WISH = "no_wish"  # the person is no longer waiting to be admitted; values: "table"
    TABLE_FULL = "table_full"  # values: "table", "players"
    SEAT_TAKEN = "seat_taken"  # values: "seat"
    SEAT_EMPTY = "seat_empty"  # the seat is empty, so there is no holder to move; values: "seat"
    NO_SUCH_SEAT = "no_such_seat"  # values: "seat", "players"
    NO_COMPUTER = "no_computer"  # no computer player to remove there; values: "table"
    NOT_ENOUGH_PLAYERS = "not_enough_players"  # values: "seated", "players"
    NOT_HOST = "not_host"  # values: "table", "host": the host's person id
    ALREADY_AGREED = "already_agreed"  # the person has agreed to the proposal already; values: "table"
    PROPOSAL_OPEN = "proposal_open"  # another proposal is still open; values: "table"
    PROPOSED_TOO_OFTEN = "proposed_too_often"  # the person proposed it too often in this deal; values: "times"
    NOT_ASKED = "not_asked"  # only the asker's partner may answer; values: "table"
    PAUSE_DAYS = "pause_days"  # values: "days", "lowest", "highest"
    PAUSED_TOO_OFTEN = "paused_too_often"  # the game has had its agreed pauses; values: "times"
    GAME_PAUSED = "game_paused"  # the table stands: it is paused or has no channel; values: "table"
    NOT_PAUSED = "not_paused"  # values: "table"
    PAUSED_BY_MASTER = "paused_by_master"  # only a game master may end the pause; values: "table"
    UNDO_OFF = "undo_off"  # the table's settings forbid undo; values: "table"
    UNDO_NOTHING = "undo_nothing"  # no move in this deal needs a proposal to be undone; values: "table"
    UNDO_TOO_LATE = "undo_too_late"  # another seat has acted since; values: "table"
    UNDO_DEAL_OVER = "undo_deal_over"  # the move has ended the deal; values: "table"
    NO_SLOWER_CLOCK = "no_slower_clock"  # values: "table"
    TIME_IS_OVER = "time_is_over"  # no time is added after the latest end; values: "table"
    NOT_SILENT = "not_silent"  # moderators may close idle games only; values: "table", "from": UTC milliseconds
    ALREADY_STARTED = "already_started"  # values: "table"
    NOT_STARTED = "not_started"  # values: "table"
    NOT_FINISHED = "not_finished"  # a rematch needs a finished game; values: "table"
    GAME_FINISHED = "game_finished"  # values: "table"
    TABLE_CLOSED = "table_closed"  # values: "table"
    UNKNOWN_RULES = "unknown_rules"  # values: "rules"
    UNKNOWN_THEME = "unknown_theme"  # values: "name"
    CONDITION_INCOMPLETE = "condition_incomplete"  # the condition lacks a part that its kind requires
    TOO_MANY_CONDITIONS = "too_many_conditions"  # the table's own theme is too long; values: "conditions", "most"
    PLAYERS_NOT_OFFERED = "players_not_offered"  # values: "rules", "players", "offered": offered is "2, 4"
    TOO_MANY_PERSONS = "too_many_persons"  # more persons are seated than may play; values: "seated", "players"
    TARGET_OUT_OF_RANGE = "target_out_of_range"  # values: "target", "lowest", "highest", "multiple"
    COMPUTERS_OUT_OF_RANGE = "computers_out_of_range"  # values: "computers", "lowest", "highest"
    RULES_UNPLAYABLE = "rules_unplayable"  # the reasons are in `RulesRefused.problems`
    RULES_NAME_EMPTY = "rules_name_empty"  # the name is empty after cleaning
    RULES_NAME_TAKEN = "rules_name_taken"  # a built-in rule set has that name; values: "name"
    TOO_MANY_RULES = "too_many_rules"  # the server has saved too many rules; values: "saved", "allowed"
    TOO_MANY_TABLES = "too_many_tables"  # the server has too many open tables; values: "open", "allowed"
    TOO_MANY_LOBBIES = "too_many_lobbies"  # the person has opened too many lobbies; values: "open", "allowed"
    TOO_MANY_SEATS = "too_many_seats"  # the person holds too many seats; values: "held", "allowed"
    NO_DEAL_TO_COME = "no_deal_to_come"  # no commitment for a next deal has been published; values: "table"
    WORD_EMPTY = "word_empty"
    WORD_TOO_LONG = "word_too_long"  # values: "characters", "most"
    WORD_UNFIT = "word_unfit"  # the word has characters that are not allowed
    # the person had an export within the last day; values: "from": UTC milliseconds
    EXPORTED_BEFORE = "exported_before"
    NO_SUCH_DEAL = "no_such_deal"  # the deal was not dealt; values: "table", "deal"
    DEAL_NOT_OPEN = "deal_not_open"  # the deal is in play, was dropped, or was not dealt; values: "table", "deal"
    CARDS_AFTER_GAME = "cards_after_game"  # the table shows cards only when its game is over; values: "table"
    # no table can start from that turn; values: "table", "deal", "turn"
    POSITION_NOT_PLAYABLE = "position_not_playable"
    CARDS_KNOWN = "cards_known"  # a replayed deal keeps its rules; values: "table", "of", "deal"
    SEAT_IS_KEPT = "seat_is_kept"  # another seat is kept for this person; values: "table"
    HAD_A_HAND = "had_a_hand"  # the person gave up a hand of the deal in play; values: "table"
    TOO_NEW = "too_new"  # no seated person can agree to a newcomer; values: "member", "account" (days)
    SEAT_CLAIMED = "seat_claimed"  # another person has already claimed the seat; values: "seat"
    NO_VOTE = "no_vote"  # the person may not vote or answer; values: "table"
    RETURNED_BEFORE = "returned_before"  # the person has already confirmed their return in this turn; values: "table"
    NO_END_CHOICE = "no_end_choice"  # no choice to end a game without opponents is open; values: "table"
    TOO_MANY_WATCHERS = "too_many_watchers"  # the table has too many spectators; values: "most"
    TOO_MANY_WATCHED = "too_many_watched"  # the person is a spectator of too many tables; values: "most"
    NO_WATCHING = "no_watching"  # the table's settings forbid spectators; values: "table"
    NO_CHOICE = "no_choice"  # the vote has no such choice; values: "table"
    CLOCK_BANK = "clock_bank"  # the bank is not between 30 seconds and 14 days
    CLOCK_INCREMENT = "clock_increment"  # the increment is larger than the bank
    CLOCK_CAP = "clock_cap"  # the cap is not between one and two banks
    SETTING_OUT_OF_RANGE = "setting_out_of_range"  # values: "setting", "lowest", "highest": setting is a field's name
    ALREADY_PAUSED = "already_paused"  # values: "table"
    NO_CLOCK = "no_clock"  # the table has no clock; values: "table"
    NO_PERSON = "no_person"  # no person holds the seat; values: "seat"
    OWN_SIDE = "own_side"  # only opponents may give time; values: "seat"
    HAS_TIME = "has_time"  # its player is present and has time left; values: "seat"
    SEAT_NOT_SILENT = "seat_not_silent"  # a computer player may take the seat from then on; values: "seat", "from"
    NOT_OWING = "not_owing"  # the game does not wait for that seat; values: "seat"
    CANNOT_PREPARE = "cannot_prepare"  # none of the planned moves is possible in the caller's next turn
    BLOCKED_THERE = "blocked_there"  # the caller has blocked a person who sits at the table; values: "table"
    ROLL_CALLED = "roll_called"  # a roll call is open; silent seats are freed then; values: "table", "from"
    NOT_CALLED = "not_called"  # the roll call does not ask this person; values: "table"
    TOURNAMENT_TABLE = "tournament_table"  # only the tournament's directors may do that; values: "table"
    BOARD_SEALED = "board_sealed"  # other tables still have to play the same cards; values: "table"
    HINTS_OFF = "hints_off"  # the table's settings forbid hints; values: "table"
    TOO_FAST = "too_fast"  # values: "milliseconds": until the next action


class TableRefusal(Exception):
    """A request to a table was rejected and nothing changed: `code` is the reason, `detail` its numbers."""

    def __init__(self, code: TableCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableRefusal) and (self.code, dict(self.detail)) == (other.code, dict(other.detail))

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"TableRefusal({self.code.value}, {dict(self.detail)})"


class RulesRefused(TableRefusal):
    """Rules that a table cannot play; `problems` lists the reasons."""

    def __init__(self, problems: tuple[RuleProblem, ...]) -> None:
        super().__init__(TableCode.RULES_UNPLAYABLE)
        self.problems = problems
