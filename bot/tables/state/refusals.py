"""Refusals of the table service: why something asked of a table is not done, as a code with its numbers.

What the rules of the game refuse is `bot.engine.moves.refusals.Refusal`; words for both live in the catalogues.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

from bot.engine.law.house_rules import Problem

Detail: TypeAlias = Mapping[str, int | str]
"""The numbers of one refusal."""


class TableCode(StrEnum):
    """Every reason a table has to refuse; the value is its stable name."""

    UNKNOWN_TABLE = "unknown_table"  # {"table"}
    UNREADABLE_TABLE = "unreadable_table"  # damaged, or written by a later release: {"table"}
    WRONG_SERVER = "wrong_server"  # the table belongs to another server: {"table"}
    NOT_SEATED = "not_seated"  # {"table"}
    STALE_REQUEST = "stale_request"  # asked of an older version: {"table", "expected", "version"}
    REQUEST_REUSED = "request_reused"  # that request id served another table or person: {}
    ALREADY_SEATED = "already_seated"  # {"table", "seat"}
    NOT_OPEN = "not_open"  # the host would not have that person: {"table"}
    ALREADY_WISHED = "already_wished"  # to be let in: {"table"}
    TOO_MANY_WISHES = "too_many_wishes"  # persons who wait to be let in: {"table", "most"}
    NO_WISH = "no_wish"  # that person waits no longer: {"table"}
    TABLE_FULL = "table_full"  # {"table", "players"}
    SEAT_TAKEN = "seat_taken"  # {"seat"}
    SEAT_EMPTY = "seat_empty"  # nobody to move sits there: {"seat"}
    NO_SUCH_SEAT = "no_such_seat"  # {"seat", "players"}
    NO_COMPUTER = "no_computer"  # no computer player to remove there: {"table"}
    NOT_ENOUGH_PLAYERS = "not_enough_players"  # {"seated", "players"}
    NOT_HOST = "not_host"  # {"table", "host"}: the host's person id
    ALREADY_AGREED = "already_agreed"  # to what is proposed: {"table"}
    PROPOSAL_OPEN = "proposal_open"  # another question is not decided yet: {"table"}
    PROPOSED_TOO_OFTEN = "proposed_too_often"  # by this person in this deal: {"times"}
    NOT_ASKED = "not_asked"  # only the partner of whoever asked answers: {"table"}
    PAUSE_DAYS = "pause_days"  # {"days", "lowest", "highest"}
    PAUSED_TOO_OFTEN = "paused_too_often"  # in this game: {"times"}
    GAME_PAUSED = "game_paused"  # the game stands still: {"table"}
    NOT_PAUSED = "not_paused"  # {"table"}
    PAUSED_BY_MASTER = "paused_by_master"  # only a game master lets it go on: {"table"}
    UNDO_OFF = "undo_off"  # the table is set to play without: {"table"}
    UNDO_NOTHING = "undo_nothing"  # no move in this deal that others would have to agree to: {"table"}
    UNDO_TOO_LATE = "undo_too_late"  # another seat has acted since: {"table"}
    UNDO_DEAL_OVER = "undo_deal_over"  # the move has ended the deal: {"table"}
    NO_SLOWER_CLOCK = "no_slower_clock"  # {"table"}
    TIME_IS_OVER = "time_is_over"  # the latest end has come, and no time is added any more: {"table"}
    NOT_SILENT = "not_silent"  # a moderator closes a game that rests: {"table", "from"}: UTC milliseconds
    ALREADY_STARTED = "already_started"  # {"table"}
    NOT_STARTED = "not_started"  # {"table"}
    NOT_FINISHED = "not_finished"  # a rematch needs a finished game: {"table"}
    GAME_FINISHED = "game_finished"  # {"table"}
    TABLE_CLOSED = "table_closed"  # {"table"}
    UNKNOWN_RULES = "unknown_rules"  # {"rules"}
    UNKNOWN_THEME = "unknown_theme"  # {"name"}
    CONDITION_INCOMPLETE = "condition_incomplete"  # it does not say all that its sort has to: {}
    TOO_MANY_CONDITIONS = "too_many_conditions"  # of a table's own: {"conditions", "most"}
    PLAYERS_NOT_OFFERED = "players_not_offered"  # {"rules", "players", "offered"}: offered is "2, 4"
    TOO_MANY_PERSONS = "too_many_persons"  # seated for that number of players: {"seated", "players"}
    TARGET_OUT_OF_RANGE = "target_out_of_range"  # {"target", "lowest", "highest", "multiple"}
    COMPUTERS_OUT_OF_RANGE = "computers_out_of_range"  # {"computers", "lowest", "highest"}
    RULES_UNPLAYABLE = "rules_unplayable"  # {}: why stands in `RulesRefused.problems`
    RULES_NAME_EMPTY = "rules_name_empty"  # nothing is left of the name: {}
    RULES_NAME_TAKEN = "rules_name_taken"  # a rule set of the program has that name: {"name"}
    TOO_MANY_RULES = "too_many_rules"  # saved in this server: {"saved", "allowed"}
    TOO_MANY_TABLES = "too_many_tables"  # open in this server: {"open", "allowed"}
    TOO_MANY_LOBBIES = "too_many_lobbies"  # opened by this person: {"open", "allowed"}
    TOO_MANY_SEATS = "too_many_seats"  # held by this person: {"held", "allowed"}
    NO_DEAL_TO_COME = "no_deal_to_come"  # no seal has been published that a word could be added to: {"table"}
    WORD_EMPTY = "word_empty"  # {}
    WORD_TOO_LONG = "word_too_long"  # {"characters", "most"}
    WORD_UNFIT = "word_unfit"  # it holds what could not stand among others: {}
    EXPORTED_BEFORE = "exported_before"  # a person was given its data within a day: {"from"}: UTC milliseconds
    NO_SUCH_DEAL = "no_such_deal"  # it was not dealt: {"table", "deal"}
    DEAL_NOT_OPEN = "deal_not_open"  # its cards may not be looked at: in play, dropped or not dealt: {"table", "deal"}
    CARDS_AFTER_GAME = "cards_after_game"  # the table opens cards when its game is over: {"table"}
    CARDS_KNOWN = "cards_known"  # a deal is played again by the same rules: {"table", "of", "deal"}
    SEAT_IS_KEPT = "seat_is_kept"  # another one, for this very person: {"table"}
    HAD_A_HAND = "had_a_hand"  # in the deal that is played: {"table"}
    TOO_NEW = "too_new"  # to the server or to Discord, with nobody seated to vouch: {"member", "account"}: days
    SEAT_CLAIMED = "seat_claimed"  # somebody has asked for it already: {"seat"}
    NO_VOTE = "no_vote"  # the person is not among those who are asked: {"table"}
    NO_WATCHING = "no_watching"  # the table is set so that nobody watches: {"table"}
    NO_CHOICE = "no_choice"  # that cannot be voted for: {"table"}
    CLOCK_BANK = "clock_bank"  # not 30 seconds to 14 days: {}
    CLOCK_INCREMENT = "clock_increment"  # more than the bank: {}
    CLOCK_CAP = "clock_cap"  # not one to two banks: {}
    SETTING_OUT_OF_RANGE = "setting_out_of_range"  # {"setting", "lowest", "highest"}: setting is a field's name
    ALREADY_PAUSED = "already_paused"  # {"table"}
    NO_CLOCK = "no_clock"  # nobody's time is counted there: {"table"}
    NO_PERSON = "no_person"  # nobody whose seat a computer player could take: {"seat"}
    OWN_SIDE = "own_side"  # time is given by opponents: {"seat"}
    HAS_TIME = "has_time"  # its person is there and has time left: {"seat"}
    SEAT_NOT_SILENT = "seat_not_silent"  # a computer player may have it from then on: {"seat", "from"}
    NOT_OWING = "not_owing"  # the game does not wait for that seat: {"seat"}
    CANNOT_PREPARE = "cannot_prepare"  # nothing of it could come true in the caller's next turn: {}
    ROLL_CALLED = "roll_called"  # some are asked whether they are in; seats are free then: {"table", "from"}
    NOT_CALLED = "not_called"  # nobody asks whether the person is in: {"table"}
    TOURNAMENT_TABLE = "tournament_table"  # only its directors do that: {"table"}
    BOARD_SEALED = "board_sealed"  # others have still to play the same cards: {"table"}
    TOO_FAST = "too_fast"  # {"milliseconds"}: until the next action


class TableRefusal(Exception):
    """Something asked of a table that is not done: `code` names the reason, `detail` its numbers. Nothing changed."""

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
    """Rules that a table cannot play; `problems` says why, one reason or several."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(TableCode.RULES_UNPLAYABLE)
        self.problems = problems
