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

    The comments say when the reason applies, and which values of `detail` its text needs.
    """

    UNKNOWN_TABLE = "unknown_table"  # its text needs "table"
    UNREADABLE_TABLE = "unreadable_table"  # the stored table is damaged or has another format; its text needs "table"
    WRONG_SERVER = "wrong_server"  # the table belongs to another server; its text needs "table"
    NOT_SEATED = "not_seated"  # its text needs "table"
    STALE_REQUEST = "stale_request"  # the table has changed since; its text needs "table", "expected", "version"
    REQUEST_REUSED = "request_reused"  # the request's id was used before, for another table or person
    ALREADY_SEATED = "already_seated"  # its text needs "table", "seat"
    NOT_OPEN = "not_open"  # the host does not admit that person; its text needs "table"
    ALREADY_WISHED = "already_wished"  # the person is already waiting to be admitted; its text needs "table"
    TOO_MANY_WISHES = "too_many_wishes"  # too many persons are waiting to be admitted; its text needs "table", "most"
    NO_WISH = "no_wish"  # the person is no longer waiting to be admitted; its text needs "table"
    TABLE_FULL = "table_full"  # its text needs "table", "players"
    SEAT_TAKEN = "seat_taken"  # its text needs "seat"
    SEAT_EMPTY = "seat_empty"  # the seat is empty, so there is no holder to move; its text needs "seat"
    NO_SUCH_SEAT = "no_such_seat"  # its text needs "seat", "players"
    NO_COMPUTER = "no_computer"  # there is no computer player to remove; its text needs "table"
    NOT_ENOUGH_PLAYERS = "not_enough_players"  # its text needs "seated", "players"
    NOT_HOST = "not_host"  # its text needs "table", "host" (the host's person id)
    ALREADY_AGREED = "already_agreed"  # the person has agreed to the proposal already; its text needs "table"
    PROPOSAL_OPEN = "proposal_open"  # another proposal is still open; its text needs "table"
    PROPOSED_TOO_OFTEN = "proposed_too_often"  # the proposal was made too often in this deal; its text needs "times"
    NOT_ASKED = "not_asked"  # only the asker's partner may answer; its text needs "table"
    PAUSE_DAYS = "pause_days"  # its text needs "days", "lowest", "highest"
    PAUSED_TOO_OFTEN = "paused_too_often"  # the game has had its agreed pauses; its text needs "times"
    GAME_PAUSED = "game_paused"  # the game is paused, or the table has no channel; its text needs "table"
    NOT_PAUSED = "not_paused"  # its text needs "table"
    PAUSED_BY_MASTER = "paused_by_master"  # only a game master may end the pause; its text needs "table"
    UNDO_OFF = "undo_off"  # the table's settings forbid undo; its text needs "table"
    UNDO_NOTHING = "undo_nothing"  # no move in this deal needs a proposal to be undone; its text needs "table"
    UNDO_TOO_LATE = "undo_too_late"  # another seat has acted since the move; its text needs "table"
    UNDO_DEAL_OVER = "undo_deal_over"  # the move has ended the deal; its text needs "table"
    NO_SLOWER_CLOCK = "no_slower_clock"  # its text needs "table"
    TIME_IS_OVER = "time_is_over"  # no time is added after the latest end; its text needs "table"
    NOT_SILENT = "not_silent"  # moderators may close idle games only; its text needs "table", "from" (UTC ms)
    ALREADY_STARTED = "already_started"  # its text needs "table"
    NOT_STARTED = "not_started"  # its text needs "table"
    NOT_FINISHED = "not_finished"  # a rematch needs a finished game; its text needs "table"
    GAME_FINISHED = "game_finished"  # its text needs "table"
    TABLE_CLOSED = "table_closed"  # its text needs "table"
    UNKNOWN_RULES = "unknown_rules"  # its text needs "rules"
    UNKNOWN_THEME = "unknown_theme"  # its text needs "name"
    CONDITION_INCOMPLETE = "condition_incomplete"  # the condition lacks a part that its kind requires
    TOO_MANY_CONDITIONS = "too_many_conditions"  # the theme is too long; its text needs "conditions", "most"
    PLAYERS_NOT_OFFERED = "players_not_offered"  # its text needs "rules", "players", "offered" (numbers as text)
    TOO_MANY_PERSONS = "too_many_persons"  # more persons are seated than may play; its text needs "seated", "players"
    TARGET_OUT_OF_RANGE = "target_out_of_range"  # its text needs "target", "lowest", "highest", "multiple"
    COMPUTERS_OUT_OF_RANGE = "computers_out_of_range"  # its text needs "computers", "lowest", "highest"
    RULES_UNPLAYABLE = "rules_unplayable"  # the reasons are in `RulesRefused.problems`
    RULES_NAME_EMPTY = "rules_name_empty"  # the name is empty after cleaning
    RULES_NAME_TAKEN = "rules_name_taken"  # a built-in rule set has that name; its text needs "name"
    TOO_MANY_RULES = "too_many_rules"  # the server has saved too many rules; its text needs "saved", "allowed"
    TOO_MANY_TABLES = "too_many_tables"  # the server has too many open tables; its text needs "open", "allowed"
    TOO_MANY_LOBBIES = "too_many_lobbies"  # the person has opened too many lobbies; its text needs "open", "allowed"
    TOO_MANY_SEATS = "too_many_seats"  # the person holds too many seats; its text needs "held", "allowed"
    NO_DEAL_TO_COME = "no_deal_to_come"  # no commitment for a next deal has been published; its text needs "table"
    WORD_EMPTY = "word_empty"
    WORD_TOO_LONG = "word_too_long"  # its text needs "characters", "most"
    WORD_UNFIT = "word_unfit"  # the word has characters that are not allowed
    EXPORTED_BEFORE = "exported_before"  # there was an export within the last day; its text needs "from" (UTC ms)
    NO_SUCH_DEAL = "no_such_deal"  # the deal was not dealt; its text needs "table", "deal"
    DEAL_NOT_OPEN = "deal_not_open"  # it is in play, was dropped, or was not dealt; its text needs "table", "deal"
    CARDS_AFTER_GAME = "cards_after_game"  # the table shows cards only when its game is over; its text needs "table"
    POSITION_NOT_PLAYABLE = "position_not_playable"  # no table can start there; its text needs "table", "deal", "turn"
    CARDS_KNOWN = "cards_known"  # a replayed deal keeps its rules; its text needs "table", "of", "deal"
    SEAT_IS_KEPT = "seat_is_kept"  # another seat is kept for this person; its text needs "table"
    HAD_A_HAND = "had_a_hand"  # the person gave up a hand of the deal in play; its text needs "table"
    TOO_NEW = "too_new"  # no seated person can agree to a newcomer; its text needs "member", "account" (days)
    SEAT_CLAIMED = "seat_claimed"  # another person has already claimed the seat; its text needs "seat"
    NO_VOTE = "no_vote"  # the person may not vote or answer; its text needs "table"
    RETURNED_BEFORE = "returned_before"  # the return was already confirmed in this turn; its text needs "table"
    NO_END_CHOICE = "no_end_choice"  # no choice to end a game without opponents is open; its text needs "table"
    TOO_MANY_WATCHERS = "too_many_watchers"  # the table has too many spectators; its text needs "most"
    TOO_MANY_WATCHED = "too_many_watched"  # the person is a spectator of too many tables; its text needs "most"
    NO_WATCHING = "no_watching"  # the table's settings forbid spectators; its text needs "table"
    NO_CHOICE = "no_choice"  # the vote has no such choice; its text needs "table"
    CLOCK_BANK = "clock_bank"  # the bank is not between 30 seconds and 14 days
    CLOCK_INCREMENT = "clock_increment"  # the increment is larger than the bank
    CLOCK_CAP = "clock_cap"  # the cap is not between one and two banks
    SETTING_OUT_OF_RANGE = "setting_out_of_range"  # its text needs "setting" (a field's name), "lowest", "highest"
    ALREADY_PAUSED = "already_paused"  # its text needs "table"
    NO_CLOCK = "no_clock"  # the table has no clock; its text needs "table"
    NO_PERSON = "no_person"  # no person holds the seat; its text needs "seat"
    OWN_SIDE = "own_side"  # only opponents may give time; its text needs "seat"
    HAS_TIME = "has_time"  # the seat's player is present and has time left; its text needs "seat"
    SEAT_NOT_SILENT = "seat_not_silent"  # a computer player may take the seat later; its text needs "seat", "from"
    NOT_OWING = "not_owing"  # the game does not wait for that seat; its text needs "seat"
    CANNOT_PREPARE = "cannot_prepare"  # none of the planned moves is possible in the caller's next turn
    BLOCKED_THERE = "blocked_there"  # the caller has blocked a person who sits at the table; its text needs "table"
    ROLL_CALLED = "roll_called"  # a roll call is open; it ends at "from"; its text needs "table", "from"
    NOT_CALLED = "not_called"  # the roll call does not ask this person; its text needs "table"
    TOURNAMENT_TABLE = "tournament_table"  # only the tournament's directors may do that; its text needs "table"
    BOARD_SEALED = "board_sealed"  # other tables still have to play the same cards; its text needs "table"
    HINTS_OFF = "hints_off"  # the table's settings forbid hints; its text needs "table"
    TOO_FAST = "too_fast"  # its text needs "milliseconds" until the next action


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
