"""Starts processes as copies of one that has imported the program.

Importing takes most of the time of a start. A copy runs a module like ``python -m``, with its own environment, folder
and files, and can be killed like any other process. Each run of tests (each worker too) has one process that forks,
started by the first test that needs it.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO, Final

from bot.i18n import locales, words_about
from bot.loopback.process import ROOT, Process, run_bot, start_process
from cogs.shared.discord_api.command_tree import SUBJECTS

IMPORTED: Final = ("bot.run_command", "bot.demo.serve", "bot.store.engines.postgres_server")
"""What processes of tests import; none of it is run by its name."""

LARGEST: Final = 1 << 17
"""Bytes of a request to start a process."""


class StandardInput:
    """The standard input of a forked process."""

    def __init__(self, descriptor: int) -> None:
        self._file = os.fdopen(descriptor, "wb", buffering=0)

    def write(self, data: bytes) -> None:
        """Write to the process, unless it has ended."""
        with suppress(BrokenPipeError):
            self._file.write(data)

    async def drain(self) -> None:
        """Do nothing: `write` has already passed the data on."""

    def close(self) -> None:
        self._file.close()


class ForkedProcess:
    """A process made by forking; behaves like `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, stdin: StandardInput, ended: int) -> None:
        self.pid = pid
        self.stdin = stdin
        self.returncode: int | None = None
        self._ended = ended
        self._loop = asyncio.get_running_loop()
        self._gone = asyncio.Event()
        self._loop.add_reader(ended, self._read_exit_status)

    def _read_exit_status(self) -> None:
        """Read the exit status, which the forking process writes, and wake everyone who waits for it."""
        self._loop.remove_reader(self._ended)
        self.returncode = int(os.read(self._ended, 20))
        os.close(self._ended)
        self.stdin.close()
        self._gone.set()

    async def wait(self) -> int:
        """Return the exit status once the process has ended."""
        await self._gone.wait()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


async def start_forked(module: str, /, *arguments: str, cwd: Path, env: Mapping[str, str], log: BinaryIO) -> Process:
    """Start a process that runs a module, and return it; its output and errors go to `log`."""
    if not hasattr(os, "pidfd_open"):  # not on Linux: start a process in the usual way
        return await start_process(module, *arguments, cwd=cwd, env=env, log=log)
    told = json.dumps({"module": module, "arguments": arguments, "cwd": str(cwd), "env": dict(env)}).encode()
    read, write = os.pipe()
    ended, ending = os.pipe()
    door = _forking_socket()
    socket.send_fds(door, [told], [read, log.fileno(), log.fileno(), ending])
    os.close(read)
    os.close(ending)
    return ForkedProcess(int(door.recv(20)), StandardInput(write), ended)


running_forked_bot = partial(run_bot, start=start_forked)
"""Runs a connected bot like `bot.loopback.process.run_bot`."""


@cache
def _forking_socket() -> socket.socket:
    """Start the forking process once; return the socket for requests to it, which ends it when closed."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        forking = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    atexit.register(_end_forking_process, ours, forking)
    return ours


def _end_forking_process(door: socket.socket, forking: subprocess.Popen[bytes]) -> None:
    """Close the socket and wait until the forking process has ended."""
    door.close()
    forking.wait()


# --- in the forking process ------------------------------------------------------------------------------


def _serve_fork_requests(door: socket.socket) -> dict[str, Any] | None:
    """Fork a copy for each request until the socket closes (return None); in a copy, return the request."""
    running = selectors.DefaultSelector()
    running.register(door, selectors.EVENT_READ)
    while True:
        for key, _ in running.select():
            if key.fileobj is not door:
                pid, ending = key.data
                _, status = os.waitpid(pid, 0)
                with suppress(BrokenPipeError):
                    os.write(ending, str(os.waitstatus_to_exitcode(status)).encode())
                running.unregister(key.fileobj)
                os.close(key.fd)
                os.close(ending)
                continue
            told, files, _, _ = socket.recv_fds(door, LARGEST, 4)
            if not told:
                return None
            pid = os.fork()
            if not pid:
                running.close()
                door.close()
                for number, file in enumerate(files[:3]):
                    os.dup2(file, number)
                os.closerange(3, max(files) + 1)
                request: dict[str, Any] = json.loads(told)
                return request
            door.send(str(pid).encode())
            for file in files[:3]:
                os.close(file)
            running.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, files[3]))


def _run_module(module: str, arguments: list[str], cwd: str, env: dict[str, str]) -> None:
    """Run the module as `python -m` would in a new process with these arguments, folder and environment."""
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for name in IMPORTED:
        importlib.import_module(name)
    for locale in locales():  # every bot needs all languages at its start; copies inherit what is loaded here
        words_about(locale, SUBJECTS)
    gc.collect()
    gc.freeze()
    request = _serve_fork_requests(socket.socket(fileno=int(sys.argv[1])))
    if request is not None:
        _run_module(**request)
