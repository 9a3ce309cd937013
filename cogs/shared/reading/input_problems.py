"""Problems with what a user typed or chose: codes and details; the texts are in the catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

Detail: TypeAlias = Mapping[str, int | str]


class InputCode(StrEnum):
    """Codes of all problems with typed or chosen input: the keys of their sentences in the catalogues.

    The comments name the placeholders of the sentences.
    """

    TOO_LONG = "too_long"  # placeholders of its sentence: "length", "allowed"
    NOT_UNDERSTOOD = "not_understood"  # placeholders of its sentence: "word"
    NO_CARDS = "no_cards"
    NOT_HELD = "not_held"  # placeholders of its sentence: "kind", "held", "needed"
    NOT_HELD_SUIT = "not_held_suit"  # placeholders of its sentence: "card", "held"
    NOT_ONE_SUIT = "not_one_suit"  # no suit of the hand has every rank of the run; placeholders: "low", "high"
    ONE_CARD = "one_card"
    TWO_TARGETS = "two_targets"  # placeholders of its sentence: "rank" (a letter)
    WILD_WITH_MANY = "wild_with_many"
    NO_TABLE = "no_table"
    NO_TABLE_HERE = "no_table_here"
    WHICH_TABLE = "which_table"  # placeholders of its sentence: "tables"
    NOT_A_TABLE = "not_a_table"  # placeholders of its sentence: "text"
    IN_SERVER_ONLY = "in_server_only"
    TAKE_WHICH = "take_which"  # placeholders of its sentence: "ways"
    NOT_TWO_MELDS = "not_two_melds"  # the side has no two melds of the rank to combine; placeholders: "kind"
    NO_SUCH_MELD = "no_such_meld"  # placeholders of its sentence: "kind"
    NO_PARAGRAPH = "no_paragraph"  # placeholders of its sentence: "number"
    OLD_CONTROL = "old_control"
    STOPPING = "stopping"  # the bot is shutting down
    NO_SUCH_DEAL = "no_such_deal"  # placeholders of its sentence: "deal"
    UNKNOWN_ZONE = "unknown_zone"  # placeholders of its sentence: "zone", "near"
    NO_ZONE_LIKE = "no_zone_like"  # placeholders of its sentence: "zone"
    ZONE_FIRST = "zone_first"
    NO_HOURS = "no_hours"  # placeholders of its sentence: "text"
    TOO_MANY_HOURS = "too_many_hours"  # placeholders of its sentence: "hours", "most"
    NOT_A_DAY = "not_a_day"  # placeholders of its sentence: "text"
    AWAY_ORDER = "away_order"
    AWAY_DAYS = "away_days"  # placeholders of its sentence: "days", "left"
    NOT_ONESELF = "not_oneself"
    TOO_MANY_BLOCKED = "too_many_blocked"  # placeholders of its sentence: "most"
    NOT_A_CLOCK = "not_a_clock"  # placeholders of its sentence: "text", "clocks"
    NOT_HERE = "not_here"  # tables may be opened in other channels only; placeholders: "channels"
    NOT_MASTER = "not_master"
    NOT_A_CHANNEL = "not_a_channel"  # the message of open seats needs a channel of the server
    NO_CALL_ROLE = "no_call_role"  # the server has no role for calls about open seats
    ROLE_TOO_HIGH = "role_too_high"  # the bot may not give this role; placeholders: "role"
    ROLE_WITH_RIGHTS = "role_with_rights"  # a button may not give a role with rights; placeholders: "role"
    ROLE_NOT_CALLABLE = "role_not_callable"  # the bot may not mention this role there; placeholders: "role", "channel"
    SERVER_ZONE_FIRST = "server_zone_first"  # the server's time zone is not known yet
    UNFIT_SETTING = "unfit_setting"  # not a value of the server's setting; placeholders: "setting"
    NOT_SCORES = "not_scores"  # neither scores of deals nor points; placeholders: "text"
    NOT_A_LENGTH = "not_a_length"  # no length of time; placeholders: "text"
    NOT_ENTRIES = "not_entries"  # no numbers of a tournament's entries; placeholders: "text"
    NOT_MANAGER = "not_manager"
    NOT_EVENT_MANAGER = "not_event_manager"
    NO_LADDER = "no_ladder"  # placeholders of its sentence: "text"
    NOT_ORGANISER = "not_organiser"
    NOT_AN_INSTANT = "not_an_instant"  # placeholders of its sentence: "text"
    NOT_A_SPAN = "not_a_span"  # placeholders of its sentence: "text"
    NOT_BETWEEN = "not_between"  # placeholders of its sentence: "text", "least", "most"
    NO_TOURNAMENT = "no_tournament"
    WHICH_TOURNAMENT = "which_tournament"  # placeholders of its sentence: "tournaments"
    NOT_A_TOURNAMENT = "not_a_tournament"  # placeholders of its sentence: "text"
    NO_SERIES = "no_series"
    WHICH_SERIES = "which_series"  # placeholders of its sentence: "series"
    NOT_A_SERIES = "not_a_series"  # placeholders of its sentence: "text"
    NOT_A_DATE = "not_a_date"  # not a future date of the series; placeholders: "text"
    NO_PARTNER = "no_partner"


class InputProblem(Exception):
    """A user typed or chose something invalid. Nothing has changed."""

    def __init__(self, code: InputCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}

    def __repr__(self) -> str:
        return f"InputProblem({self.code.value}, {dict(self.detail)})"
