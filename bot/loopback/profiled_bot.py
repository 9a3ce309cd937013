"""Run the bot with a profile of every thread.

Start it by `python -m bot.loopback.profiled_bot 127.0.0.1:PORT FILE`. Each SIGUSR1 adds the times spent so far to the
file, as one line of JSON: a list of (file, function, seconds of processor time). Built-in functions count for the
function that calls them.
"""

from __future__ import annotations

import cProfile
import json
import runpy
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

from bot.loopback.bootstrap import redirect_discord_library

_profiles: list[cProfile.Profile] = []


def _profile_calling_thread(*_: object) -> None:
    """Profile the calling thread from now on."""
    profile = cProfile.Profile(time.thread_time)
    _profiles.append(profile)
    profile.enable()


def _seconds_by_function() -> Counter[tuple[str, str]]:
    """Return the seconds spent so far in each function itself, by file and name, over all threads."""
    found = Counter[tuple[str, str]]()
    for profile in _profiles:
        profile.snapshot_stats()
        stats: Any = profile.stats
        for (file, _, name), (_, _, own, _, callers) in stats.items():
            if file != "~" or not callers:
                found[file, name] += own
            else:
                for (caller, _, _), told in callers.items():
                    found[caller, name] += told[2]
    return found


def _write_snapshot(file: Path) -> None:
    with file.open("a", encoding="utf-8") as target:
        rows = [(place, name, seconds) for (place, name), seconds in _seconds_by_function().items()]
        target.write(json.dumps(rows) + "\n")


if __name__ == "__main__":
    redirect_discord_library(sys.argv[1])
    told = Path(sys.argv[2])

    def _on_signal(_number: int, _frame: FrameType | None) -> None:
        _write_snapshot(told)

    signal.signal(signal.SIGUSR1, _on_signal)
    threading.setprofile(_profile_calling_thread)
    _profile_calling_thread()
    sys.argv[1:] = ["run"]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
