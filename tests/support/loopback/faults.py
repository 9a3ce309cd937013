"""Faults: answers that Discord gives on its bad days, and how slow it is."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Fault:
    """What the next `times` requests of that method and path meet; a 429 asks for a wait of `retry_after` seconds."""

    method: str
    path: str
    status: int
    times: int = 1
    code: int = 0
    retry_after: float = 0.0
    via: bool = True


@dataclass(slots=True)
class Faults:
    """Faults that are to come; `delay` is how long every request takes on its way, in seconds."""

    delay: float = 0.0
    coming: list[Fault] = field(default_factory=list)
    last_at: float = 0.0
    """When one was met last, by the monotonic clock."""

    def add(self, *faults: Fault) -> None:
        """Let these be met, the first ones first."""
        self.coming.extend(faults)

    def meet(self, method: str, path: str) -> Fault | None:
        """The fault that this request meets."""
        for fault in self.coming:
            if re.fullmatch(fault.method, method) and re.fullmatch(fault.path, path):
                fault.times -= 1
                if not fault.times:
                    self.coming.remove(fault)
                self.last_at = time.monotonic()
                return fault
        return None
