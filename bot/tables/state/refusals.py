"""Refusals of the table service: the reason for rejecting a request, as a code with numbers.

Refusals of the game's rules are `bot.engine.moves.refusals.Refusal`; the texts of both are in the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from bot.engine.law.rule_conflicts import Problem

Detail: TypeAlias = Mapping[str, int | str]
"""The numbers of one refusal."""


class TableCode(StrEnum):
    """Every reason for a table's refusal; the value is its stable name.

    The comments say when the reason applies, and name the values in the refusal's detail.
    """

    UNKNOWN_TABLE = "unknown_table"  # {"table"}
    UNREADABLE_TABLE = "unreadable_table"  # damaged, or of another format: {"table"}
    WRONG_SERVER = "wrong_server"  # the table belongs to another server: {"table"}
    NOT_SEATED = "not_seated"  # {"table"}
    STALE_REQUEST = "stale_request"  # the request refers to an older version: {"table", "expected", "version"}
    REQUEST_REUSED = "request_reused"  # the request's id was used before, for another table or person: {}
    ALREADY_SEATED = "already_seated"  # {"table", "seat"}
    NOT_OPEN = "not_open"  # the host does not admit that person: {"table"}
    ALREADY_WISHED = "already_wished"  # the person is already waiting to be admitted: {"table"}
    TOO_MANY_WISHES = "too_many_wishes"  # too many persons are waiting to be admitted: {"table", "most"}
    NO_WISH = "no_wish"  # the person is no longer waiting to be admitted: {"table"}
    TABLE_FULL = "table_full"  # {"table", "players"}
    SEAT_TAKEN = "seat_taken"  # {"seat"}
    SEAT_EMPTY = "seat_empty"  # the seat is empty, so there is no holder to move: {"seat"}
    NO_SUCH_SEAT = "no_such_seat"  # {"seat", "players"}
    NO_COMPUTER = "no_computer"  # no computer player to remove there: {"table"}
    NOT_ENOUGH_PLAYERS = "not_enough_players"  # {"seated", "players"}
    NOT_HOST = "not_host"  # {"table", "host"}: the host's person id
    ALREADY_AGREED = "already_agreed"  # the person has agreed to the proposal already: {"table"}
    PROPOSAL_OPEN = "proposal_open"  # another proposal is still open: {"table"}
    PROPOSED_TOO_OFTEN = "proposed_too_often"  # the person has made this proposal too often in this deal: {"times"}
    NOT_ASKED = "not_asked"  # only the asker's partner may answer: {"table"}
    PAUSE_DAYS = "pause_days"  # {"days", "lowest", "highest"}
    PAUSED_TOO_OFTEN = "paused_too_often"  # the game has had its agreed pauses: {"times"}
    GAME_PAUSED = "game_paused"  # the table stands: it is paused or has no channel: {"table"}
    NOT_PAUSED = "not_paused"  # {"table"}
    PAUSED_BY_MASTER = "paused_by_master"  # only a game master may end the pause: {"table"}
    UNDO_OFF = "undo_off"  # the table's settings forbid undo: {"table"}
    UNDO_NOTHING = "undo_nothing"  # no move in this deal needs a proposal to be undone: {"table"}
    UNDO_TOO_LATE = "undo_too_late"  # another seat has acted since: {"table"}
    UNDO_DEAL_OVER = "undo_deal_over"  # the move has ended the deal: {"table"}
    NO_SLOWER_CLOCK = "no_slower_clock"  # {"table"}
    TIME_IS_OVER = "time_is_over"  # no time is added after the latest end: {"table"}
    NOT_SILENT = "not_silent"  # moderators may close idle games only: {"table", "from"}: UTC milliseconds
    ALREADY_STARTED = "already_started"  # {"table"}
    NOT_STARTED = "not_started"  # {"table"}
    NOT_FINISHED = "not_finished"  # a rematch needs a finished game: {"table"}
    GAME_FINISHED = "game_finished"  # {"table"}
    TABLE_CLOSED = "table_closed"  # {"table"}
    UNKNOWN_RULES = "unknown_rules"  # {"rules"}
    UNKNOWN_THEME = "unknown_theme"  # {"name"}
    CONDITION_INCOMPLETE = "condition_incomplete"  # the condition lacks a part that its kind requires: {}
    TOO_MANY_CONDITIONS = "too_many_conditions"  # the table's own theme has too many conditions: {"conditions", "most"}
    PLAYERS_NOT_OFFERED = "players_not_offered"  # {"rules", "players", "offered"}: offered is "2, 4"
    TOO_MANY_PERSONS = "too_many_persons"  # more persons are seated than may play: {"seated", "players"}
    TARGET_OUT_OF_RANGE = "target_out_of_range"  # {"target", "lowest", "highest", "multiple"}
    COMPUTERS_OUT_OF_RANGE = "computers_out_of_range"  # {"computers", "lowest", "highest"}
    RULES_UNPLAYABLE = "rules_unplayable"  # {}: the reasons are in `RulesRefused.problems`
    RULES_NAME_EMPTY = "rules_name_empty"  # the name is empty after cleaning: {}
    RULES_NAME_TAKEN = "rules_name_taken"  # a built-in rule set has that name: {"name"}
    TOO_MANY_RULES = "too_many_rules"  # the server has saved too many rules: {"saved", "allowed"}
    TOO_MANY_TABLES = "too_many_tables"  # the server has too many open tables: {"open", "allowed"}
    TOO_MANY_LOBBIES = "too_many_lobbies"  # the person has opened too many lobbies: {"open", "allowed"}
    TOO_MANY_SEATS = "too_many_seats"  # the person holds too many seats: {"held", "allowed"}
    NO_DEAL_TO_COME = "no_deal_to_come"  # no commitment for a next deal has been published: {"table"}
    WORD_EMPTY = "word_empty"  # {}
    WORD_TOO_LONG = "word_too_long"  # {"characters", "most"}
    WORD_UNFIT = "word_unfit"  # the word has characters that are not allowed: {}
    EXPORTED_BEFORE = "exported_before"  # the person had an export within the last day: {"from"}: UTC milliseconds
    NO_SUCH_DEAL = "no_such_deal"  # the deal was not dealt: {"table", "deal"}
    DEAL_NOT_OPEN = "deal_not_open"  # the deal is in play, was dropped, or was not dealt: {"table", "deal"}
    CARDS_AFTER_GAME = "cards_after_game"  # the table shows cards only when its game is over: {"table"}
    POSITION_NOT_PLAYABLE = "position_not_playable"  # a table cannot start from that turn: {"table", "deal", "turn"}
    CARDS_KNOWN = "cards_known"  # a replayed deal keeps its rules: {"table", "of", "deal"}
    SEAT_IS_KEPT = "seat_is_kept"  # another seat is kept for this person: {"table"}
    HAD_A_HAND = "had_a_hand"  # the person gave up a hand of the deal in play: {"table"}
    TOO_NEW = "too_new"  # too new to the guild or Discord, and no seated person can agree: {"member", "account"}: days
    SEAT_CLAIMED = "seat_claimed"  # another person has already claimed the seat: {"seat"}
    NO_VOTE = "no_vote"  # the person may not vote or answer: {"table"}
    RETURNED_BEFORE = "returned_before"  # the person has already confirmed their return in this turn: {"table"}
    NO_END_CHOICE = "no_end_choice"  # there is no choice yet, or any more, to end a game without opponents: {"table"}
    TOO_MANY_WATCHERS = "too_many_watchers"  # the table has too many spectators: {"most"}
    TOO_MANY_WATCHED = "too_many_watched"  # the person is a spectator of too many tables: {"most"}
    NO_WATCHING = "no_watching"  # the table's settings forbid spectators: {"table"}
    NO_CHOICE = "no_choice"  # the vote has no such choice: {"table"}
    CLOCK_BANK = "clock_bank"  # the bank is not between 30 seconds and 14 days: {}
    CLOCK_INCREMENT = "clock_increment"  # the increment is larger than the bank: {}
    CLOCK_CAP = "clock_cap"  # the cap is not between one and two banks: {}
    SETTING_OUT_OF_RANGE = "setting_out_of_range"  # {"setting", "lowest", "highest"}: setting is a field's name
    ALREADY_PAUSED = "already_paused"  # {"table"}
    NO_CLOCK = "no_clock"  # the table has no clock: {"table"}
    NO_PERSON = "no_person"  # no person holds the seat: {"seat"}
    OWN_SIDE = "own_side"  # only opponents may give time: {"seat"}
    HAS_TIME = "has_time"  # its player is present and has time left: {"seat"}
    SEAT_NOT_SILENT = "seat_not_silent"  # a computer player may take the seat from then on: {"seat", "from"}
    NOT_OWING = "not_owing"  # the game does not wait for that seat: {"seat"}
    CANNOT_PREPARE = "cannot_prepare"  # none of the planned moves is possible in the caller's next turn: {}
    BLOCKED_THERE = "blocked_there"  # the caller has blocked a person who sits at the table: {"table"}
    ROLL_CALLED = "roll_called"  # a roll call is open; silent seats are freed then: {"table", "from"}
    NOT_CALLED = "not_called"  # the roll call does not ask this person: {"table"}
    TOURNAMENT_TABLE = "tournament_table"  # only the tournament's directors may do that: {"table"}
    BOARD_SEALED = "board_sealed"  # other tables still have to play the same cards: {"table"}
    HINTS_OFF = "hints_off"  # the table's settings forbid hints: {"table"}
    TOO_FAST = "too_fast"  # {"milliseconds"}: until the next action


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

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(TableCode.RULES_UNPLAYABLE)
        self.problems = problems
