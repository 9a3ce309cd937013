"""Rate limits of the local Discord: per route and channel, and for all requests per second."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

GLOBAL = 50
OF_A_CHANNEL = 5
WINDOW = 5.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a request: whether it is within the limits, headers, and seconds to wait."""

    passes: bool
    headers: dict[str, str]
    retry_after: float = 0.0
    of_all: bool = False


@dataclass(slots=True)
class RateLimits:
    """Counts requests by route and channel (`bucket`) and in total.

    `broken` describes each request over a limit.
    """

    of_a_channel: int = OF_A_CHANNEL
    of_all: int = GLOBAL
    broken: list[str] = field(default_factory=list)
    busiest: int = 0
    """The highest number of requests in any second so far."""
    _windows: dict[str, tuple[float, int]] = field(default_factory=dict)
    _all: deque[float] = field(default_factory=deque)

    def count_request(self, bucket: str) -> Verdict:
        """Count a request and return whether it is within the limits."""
        now = time.monotonic()
        while self._all and self._all[0] <= now - 1:
            self._all.popleft()
        if len(self._all) >= self.of_all:
            return self._record_broken_limit(bucket, self._all[0] + 1 - now, of_all=True)
        begun, used = self._windows.get(bucket, (now, 0))
        begun, used = (now, 0) if now - begun >= WINDOW else (begun, used)
        if used >= self.of_a_channel:
            return self._record_broken_limit(bucket, begun + WINDOW - now, of_all=False)
        self._windows[bucket] = (begun, used + 1)
        self._all.append(now)
        self.busiest = max(self.busiest, len(self._all))
        return Verdict(
            passes=True, headers=self._rate_limit_headers(bucket, self.of_a_channel - used - 1, begun + WINDOW - now)
        )

    def _record_broken_limit(self, bucket: str, wait: float, *, of_all: bool) -> Verdict:
        """Record that a limit was exceeded, and return the verdict for the response."""
        self.broken.append(f"{bucket}{' (all)' if of_all else ''}")
        headers = {**self._rate_limit_headers(bucket, 0, wait), "Via": "1.1 google", "Retry-After": f"{wait:.3f}"}
        if of_all:
            headers["X-RateLimit-Global"] = "true"
        return Verdict(passes=False, headers=headers, retry_after=wait, of_all=of_all)

    def _rate_limit_headers(self, bucket: str, remaining: int, reset_after: float) -> dict[str, str]:
        """Return Discord's rate limit headers for a bucket."""
        return {
            "X-RateLimit-Limit": str(self.of_a_channel),
            "X-RateLimit-Remaining": str(remaining),
            "X-RateLimit-Reset-After": f"{reset_after:.3f}",
            "X-RateLimit-Reset": f"{time.time() + reset_after:.3f}",
            "X-RateLimit-Bucket": f"{hash(bucket.rpartition(' ')[0]) & 0xFFFFFFFF:x}",
        }
