"""Problems with what a user typed or chose: codes and details; the texts are in the catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

Detail: TypeAlias = Mapping[str, int | str]


class InputCode(StrEnum):
    """Codes of all problems with typed or chosen input: the keys of their sentences in the catalogues.

    The comments give the values that a sentence contains.
    """

    TOO_LONG = "too_long"  # values: "length", "allowed"
    NOT_UNDERSTOOD = "not_understood"  # values: "word"
    NO_CARDS = "no_cards"  # no values
    NOT_HELD = "not_held"  # values: "kind", "held", "needed"
    NOT_HELD_SUIT = "not_held_suit"  # values: "card", "held"
    NOT_ONE_SUIT = "not_one_suit"  # no suit of the hand has every rank of the run; values: "low", "high"
    ONE_CARD = "one_card"  # no values
    TWO_TARGETS = "two_targets"  # values: "rank" (a letter)
    WILD_WITH_MANY = "wild_with_many"  # no values
    NO_TABLE = "no_table"  # no values
    NO_TABLE_HERE = "no_table_here"  # no values
    WHICH_TABLE = "which_table"  # values: "tables"
    NOT_A_TABLE = "not_a_table"  # values: "text"
    IN_SERVER_ONLY = "in_server_only"  # no values
    TAKE_WHICH = "take_which"  # values: "ways"
    NOT_TWO_MELDS = "not_two_melds"  # the side has no two melds of the rank to merge; values: "kind"
    NO_SUCH_MELD = "no_such_meld"  # values: "kind"
    NO_PARAGRAPH = "no_paragraph"  # values: "number"
    OLD_CONTROL = "old_control"  # no values
    STOPPING = "stopping"  # the bot is shutting down
    NO_SUCH_DEAL = "no_such_deal"  # values: "deal"
    UNKNOWN_ZONE = "unknown_zone"  # values: "zone", "near"
    NO_ZONE_LIKE = "no_zone_like"  # values: "zone"
    ZONE_FIRST = "zone_first"  # no values
    NO_HOURS = "no_hours"  # values: "text"
    TOO_MANY_HOURS = "too_many_hours"  # values: "hours", "most"
    NOT_A_DAY = "not_a_day"  # values: "text"
    AWAY_ORDER = "away_order"  # no values
    AWAY_DAYS = "away_days"  # values: "days", "left"
    NOT_ONESELF = "not_oneself"  # no values
    TOO_MANY_BLOCKED = "too_many_blocked"  # values: "most"
    NOT_A_CLOCK = "not_a_clock"  # values: "text", "clocks"
    NOT_HERE = "not_here"  # tables may be opened in other channels only; values: "channels"
    NOT_MASTER = "not_master"  # no values
    NOT_A_CHANNEL = "not_a_channel"  # the message of open seats needs a channel of the server
    NO_CALL_ROLE = "no_call_role"  # the server has no role for calls about open seats
    ROLE_TOO_HIGH = "role_too_high"  # the bot may not give this role; values: "role"
    ROLE_WITH_RIGHTS = "role_with_rights"  # a button may not give a role with rights; values: "role"
    ROLE_NOT_CALLABLE = "role_not_callable"  # the bot may not mention this role there; values: "role", "channel"
    SERVER_ZONE_FIRST = "server_zone_first"  # the server's time zone is not known yet
    UNFIT_SETTING = "unfit_setting"  # not a value of the server's setting; values: "setting"
    NOT_SCORES = "not_scores"  # neither scores of deals nor points; values: "text"
    NOT_A_LENGTH = "not_a_length"  # no length of time; values: "text"
    NOT_ENTRIES = "not_entries"  # no numbers of a tournament's entries; values: "text"
    NOT_MANAGER = "not_manager"  # no values
    NOT_EVENT_MANAGER = "not_event_manager"  # no values
    NO_LADDER = "no_ladder"  # values: "text"
    NOT_ORGANISER = "not_organiser"  # no values
    NOT_AN_INSTANT = "not_an_instant"  # values: "text"
    NOT_A_SPAN = "not_a_span"  # values: "text"
    NOT_BETWEEN = "not_between"  # values: "text", "least", "most"
    NO_TOURNAMENT = "no_tournament"  # no values
    WHICH_TOURNAMENT = "which_tournament"  # values: "tournaments"
    NOT_A_TOURNAMENT = "not_a_tournament"  # values: "text"
    NO_SERIES = "no_series"  # no values
    WHICH_SERIES = "which_series"  # values: "series"
    NOT_A_SERIES = "not_a_series"  # values: "text"
    NOT_A_DATE = "not_a_date"  # not a future date of the series; values: "text"
    NO_PARTNER = "no_partner"  # no values


class InputProblem(Exception):
    """A user typed or chose something invalid. Nothing has changed."""

    def __init__(self, code: InputCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}

    def __repr__(self) -> str:
        return f"InputProblem({self.code.value}, {dict(self.detail)})"
