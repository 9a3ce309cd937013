"""Metrics of the running bot, which all parts of the program add to, as Prometheus text.

No label names a server, table or person, so the number of series does not grow with them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

Labels = tuple[tuple[str, str], ...]

BUCKETS: Final = (0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the histogram buckets, in seconds."""


@dataclass(slots=True)
class _Histogram:
    """A histogram of durations: counts by bucket, and the sum in seconds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS) + 1))
    total: float = 0.0


class Metrics:
    """Counters, gauges and histograms of durations; one instance per process."""

    def __init__(self) -> None:
        self._counters: Counter[tuple[str, Labels]] = Counter()
        self._times: dict[str, _Histogram] = {}
        self._gauges: dict[tuple[str, Labels], float] = {}

    def count(self, name: str, **labels: str) -> None:
        """Add 1 to the counter with that name and these labels."""
        self._counters[name, tuple(sorted(labels.items()))] += 1

    def observe(self, name: str, seconds: float) -> None:
        """Add a duration in seconds to the histogram of that name."""
        times = self._times.setdefault(name, _Histogram())
        times.counts[bisect_left(BUCKETS, seconds)] += 1
        times.total += seconds

    def set_gauge(self, name: str, value: float, **labels: str) -> None:
        """Set the gauge of that name to a value, such as the last one that Discord reported."""
        self._gauges[name, tuple(sorted(labels.items()))] = value

    def total(self, name: str, wanted: Callable[[Mapping[str, str]], bool] = lambda _: True) -> int:
        """Return the sum of a counter over all its sets of labels for which `wanted` returns true."""
        return sum(count for (one, labels), count in self._counters.items() if one == name and wanted(dict(labels)))

    def gauge(self, name: str) -> float | None:
        """Return the value of a gauge without labels; None before it is first set."""
        return self._gauges.get((name, ()))

    def lines(self, gauges: Mapping[tuple[str, Labels], float] | None = None) -> list[str]:
        """Return all metrics and the given `gauges` as lines of Prometheus text."""
        return [*self._metric_lines({**self._gauges, **(gauges or {})})]

    def _metric_lines(self, gauges: Mapping[tuple[str, Labels], float]) -> Iterator[str]:
        """Yield the lines of counters, gauges and histograms, each metric with its type."""
        yield from _lines_of_type("counter", self._counters.items())
        yield from _lines_of_type("gauge", gauges.items())
        for name, times in sorted(self._times.items()):
            yield f"# TYPE canasta_{name} histogram"
            below = 0
            for bound, count in zip((*map(str, BUCKETS), "+Inf"), times.counts, strict=True):
                below += count
                yield f'canasta_{name}_bucket{{le="{bound}"}} {below}'
            yield f"canasta_{name}_sum {times.total:.6f}"
            yield f"canasta_{name}_count {below}"


def _lines_of_type(kind: str, figures: Iterable[tuple[tuple[str, Labels], float]]) -> Iterator[str]:
    """Yield the lines of metrics of one type, with a ``# TYPE`` line before those of each metric."""
    known = ""
    for (name, labels), value in sorted(figures):
        if name != known:
            yield f"# TYPE canasta_{name} {kind}"
            known = name
        message = ",".join(f'{label}="{text}"' for label, text in labels)
        yield f"canasta_{name}{f'{{{message}}}' if message else ''} {value:g}"


METRICS: Final = Metrics()
"""The metrics of this process."""
