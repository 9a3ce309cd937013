"""The local Discord as a server, with REST and gateway on a free port."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from bot.loopback.gateway import Gateway
from bot.loopback.rest import PREFIX, RestServer
from bot.loopback.world import World


@asynccontextmanager
async def loopback_discord(world: World) -> AsyncIterator[RestServer]:
    """Run a local Discord with this world, and yield its REST server."""
    gateway = Gateway(world)
    rest = RestServer(world, gateway)
    application = web.Application(client_max_size=64 * 2**20)
    application.router.add_get("/gw", gateway.serve_connection)
    application.router.add_get("/gw/", gateway.serve_connection)
    application.router.add_route("*", PREFIX + "/{path:.*}", rest.handle)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    rest.address = f"{host}:{port}"
    try:
        yield rest
    finally:
        await runner.cleanup()
