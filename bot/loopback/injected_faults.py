"""Faults of the local Discord for tests: error responses, and a delay of every request."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field

LOST = -1
UNANSWERED = 0


@dataclass(slots=True)
class Fault:
    """An error response to the next `times` requests of this method and path.

    A 429 has `retry_after` seconds. With status `LOST` the connection closes before the request is carried out, with
    `UNANSWERED` after that but before the answer.
    """

    method: str
    path: str
    status: int
    times: int = 1
    code: int = 0
    retry_after: float = 0.0
    via: bool = True


@dataclass(slots=True)
class Faults:
    """A queue of faults, and a `delay` in seconds that is added to every request."""

    delay: float = 0.0
    coming: list[Fault] = field(default_factory=list)
    last_at: float = 0.0
    """Time of the last injected fault, by the monotonic clock."""

    def add(self, *faults: Fault) -> None:
        """Add these faults to the queue; earlier faults are used first."""
        self.coming.extend(faults)

    def take_matching(self, method: str, path: str) -> Fault | None:
        """Use up and return the first fault that matches this request, or None."""
        for fault in self.coming:
            if re.fullmatch(fault.method, method) and re.fullmatch(fault.path, path):
                fault.times -= 1
                if not fault.times:
                    self.coming.remove(fault)
                self.last_at = time.monotonic()
                return fault
        return None
