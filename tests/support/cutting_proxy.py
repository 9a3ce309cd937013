"""A proxy for a PostgreSQL server that can cut a connection after a COMMIT.

The answer to the COMMIT never arrives then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import cast

COMMIT = b"COMMIT\x00"


class CuttingProxy:
    """A proxy between a client and a PostgreSQL server; when told to, it cuts a connection after a COMMIT."""

    def __init__(self, server: int) -> None:
        """Prepare a proxy for the server on that port of this machine."""
        self._server = server
        self._wanted = asyncio.Event()
        self._done = asyncio.Event()
        self.open = set[asyncio.Task[None]]()
        self.port = 0

    async def cut_after_commit(self) -> None:
        """Cut the next connection that commits, once the server has done so."""
        self._done.clear()
        self._wanted.set()
        await asyncio.wait_for(self._done.wait(), 30)

    async def forward_connection(
        self, client_reader: asyncio.StreamReader, client_writer: asyncio.StreamWriter
    ) -> None:
        """Forward data between a client process and the server until one closes or the connection is cut."""
        self.open.add(task := cast("asyncio.Task[None]", asyncio.current_task()))
        answers, server = await asyncio.open_connection("127.0.0.1", self._server)
        answering = asyncio.create_task(_forward_answers(answers, client_writer))
        with suppress(OSError):
            while data := await client_reader.read(65_536):
                if COMMIT in data and self._wanted.is_set():
                    self._wanted.clear()
                    answering.cancel()
                    await asyncio.wait({answering})
                    server.write(data)
                    await answers.read(1)  # the server answers once the transaction is durable
                    self._done.set()
                    break
                server.write(data)
        answering.cancel()
        for one in (server, client_writer):
            one.close()
            with suppress(OSError):
                await one.wait_closed()
        self.open.discard(task)


async def _forward_answers(answers: asyncio.StreamReader, client_writer: asyncio.StreamWriter) -> None:
    """Forward the server's answers to the client; close its connection when they end."""
    with suppress(OSError):
        while data := await answers.read(65_536):
            client_writer.write(data)
    client_writer.close()


@asynccontextmanager
async def run_cutting_proxy(server: int) -> AsyncIterator[CuttingProxy]:
    """Yield a running proxy for the server on that port of this machine."""
    proxy = CuttingProxy(server)
    listening = await asyncio.start_server(proxy.forward_connection, "127.0.0.1", 0)
    proxy.port = listening.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listening.close()
        if proxy.open:
            await asyncio.wait(proxy.open, timeout=10)
