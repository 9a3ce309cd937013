"""Problems with what a user typed or chose: codes and details; the texts are in the catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeAlias

Detail: TypeAlias = Mapping[str, int | str]


class InputCode(StrEnum):
    """Every problem; the value is its key in the catalogues, the comment names its details."""

    TOO_LONG = "too_long"  # {"length", "allowed"}
    NOT_UNDERSTOOD = "not_understood"  # {"word"}
    NO_CARDS = "no_cards"  # {}
    NOT_HELD = "not_held"  # {"kind", "held", "needed"}
    NOT_HELD_SUIT = "not_held_suit"  # {"card", "held"}
    NOT_ONE_SUIT = "not_one_suit"  # a run of ranks of which the hand has no suit whole: {"low", "high"}
    ONE_CARD = "one_card"  # {}
    TWO_TARGETS = "two_targets"  # {"rank"}: the letter of one of them
    WILD_WITH_MANY = "wild_with_many"  # {}
    NO_TABLE = "no_table"  # {}
    NO_TABLE_HERE = "no_table_here"  # {}
    WHICH_TABLE = "which_table"  # {"tables"}
    NOT_A_TABLE = "not_a_table"  # {"text"}
    IN_SERVER_ONLY = "in_server_only"  # {}
    TAKE_WHICH = "take_which"  # {"ways"}
    NOT_TWO_MELDS = "not_two_melds"  # the side has no two melds of the rank to merge: {"kind"}
    NO_SUCH_MELD = "no_such_meld"  # {"kind"}
    NO_PARAGRAPH = "no_paragraph"  # {"number"}
    OLD_CONTROL = "old_control"  # {}
    STOPPING = "stopping"  # the program is about to end: {}
    NO_SUCH_DEAL = "no_such_deal"  # {"deal"}
    UNKNOWN_ZONE = "unknown_zone"  # {"zone", "near"}
    NO_ZONE_LIKE = "no_zone_like"  # {"zone"}
    ZONE_FIRST = "zone_first"  # {}
    NO_HOURS = "no_hours"  # {"text"}
    TOO_MANY_HOURS = "too_many_hours"  # {"hours", "most"}
    NOT_A_DAY = "not_a_day"  # {"text"}
    AWAY_ORDER = "away_order"  # {}
    AWAY_DAYS = "away_days"  # {"days", "left"}
    NOT_ONESELF = "not_oneself"  # {}
    TOO_MANY_BLOCKED = "too_many_blocked"  # {"most"}
    NOT_A_CLOCK = "not_a_clock"  # {"text", "clocks"}
    NOT_HERE = "not_here"  # tables may not be made there, but in these channels: {"channels"}
    NOT_MASTER = "not_master"  # {}
    NOT_A_CHANNEL = "not_a_channel"  # the message of open seats needs a channel of the server: {}
    NO_CALL_ROLE = "no_call_role"  # the server has no role for calls about open seats: {}
    ROLE_TOO_HIGH = "role_too_high"  # the bot may not give this role: {"role"}
    ROLE_WITH_RIGHTS = "role_with_rights"  # a button may not give a role with rights: {"role"}
    ROLE_NOT_CALLABLE = "role_not_callable"  # the bot may not mention it there: {"role", "channel"}
    SERVER_ZONE_FIRST = "server_zone_first"  # the server's time zone is not known yet: {}
    UNFIT_SETTING = "unfit_setting"  # not a value of the server's setting: {"setting"}
    NOT_SCORES = "not_scores"  # neither scores of deals nor points: {"text"}
    NOT_A_LENGTH = "not_a_length"  # no length of time: {"text"}
    NOT_ENTRIES = "not_entries"  # no numbers of a tournament's entries: {"text"}
    NOT_MANAGER = "not_manager"  # {}
    NOT_EVENT_MANAGER = "not_event_manager"  # {}
    NO_LADDER = "no_ladder"  # {"text"}
    NOT_ORGANISER = "not_organiser"  # {}
    NOT_AN_INSTANT = "not_an_instant"  # {"text"}
    NOT_A_SPAN = "not_a_span"  # {"text"}
    NOT_BETWEEN = "not_between"  # {"text", "least", "most"}
    NO_TOURNAMENT = "no_tournament"  # {}
    WHICH_TOURNAMENT = "which_tournament"  # {"tournaments"}
    NOT_A_TOURNAMENT = "not_a_tournament"  # {"text"}
    NO_SERIES = "no_series"  # {}
    WHICH_SERIES = "which_series"  # {"series"}
    NOT_A_SERIES = "not_a_series"  # {"text"}
    NOT_A_DATE = "not_a_date"  # no date of the series that is still to come: {"text"}
    NO_PARTNER = "no_partner"  # {}


class InputProblem(Exception):
    """A user typed or chose something invalid. Nothing has changed."""

    def __init__(self, code: InputCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}

    def __repr__(self) -> str:
        return f"InputProblem({self.code.value}, {dict(self.detail)})"
