"""Refusals of requests to a series: a code with its values. The sentences are in the catalogues."""

from __future__ import annotations

from enum import StrEnum

from bot.tables.state.refusals import Detail


class SeriesCode(StrEnum):
    """Reasons why a series refuses a request: stable names, with the values that their texts need."""

    UNKNOWN_SERIES = "unknown_series"  # its text needs "series"
    STALE_SERIES = "stale_series"  # too many changes at the same time; its text needs "series"
    TOO_MANY_SERIES = "too_many_series"  # the server has the maximum number of series; its text needs "most"
    NOT_HOST = "not_host"
    HAS_HOSTS = "has_hosts"  # the series still has hosts
    TOO_MANY_HOSTS = "too_many_hosts"  # its text needs "most"
    SERIES_OVER = "series_over"
    SERIES_PAUSED = "series_paused"
    NOT_PAUSED = "series_not_paused"
    SEASON_BEGUN = "season_begun"  # too late to change numbers that are fixed once a night was played
    BEST_TOO_MANY = "best_too_many"  # more nights would count than the season has; its text needs "best", "nights"
    FINAL_SIZE = "final_size"  # a final has 0, 4, 8, 12 or 16 players; its text needs "size"
    NOT_REPEATABLE = "not_repeatable"  # only live tournaments with rounds can be repeated
    NOT_ASKED = "not_asked_for_final"
    FINAL_FULL = "final_full"  # its text needs "size"
    REQUEST_SERVED = "series_request_served"  # the request id was already used at another series


class SeriesRefusal(Exception):
    """A request that a series refuses; nothing has changed."""

    def __init__(self, code: SeriesCode, detail: Detail | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail: Detail = detail or {}
