"""The command `canasta-bot demo`: the bot with a simulated Discord, in a web page on this machine.

`simulated_server` has the guild with its people, `real_time_discord` lets SimCord run in real time, `forward_clock`
sets the clock forward, `page` is the web page, and `serve` combines them.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import sys
from importlib.util import find_spec
from pathlib import Path

from bot import config, logs

DEFAULT_PORT = 8420
HIGHEST_PORT = 65_535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the demo's arguments."""
    parser.add_argument(
        "--port", type=_parse_port, help=f"the port on 127.0.0.1 (default: {DEFAULT_PORT}, or any free one)"
    )
    parser.add_argument("--fresh", action="store_true", help="forget all games of earlier demos")
    parser.add_argument("--no-browser", action="store_true", help="print the address and open no browser")


def _parse_port(text: str) -> int:
    """Return the number of a port from the command line. Raises an argument error for an invalid one."""
    port = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(HIGHEST_PORT)) else -1
    if not 0 <= port <= HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (any free one) to {HIGHEST_PORT}, not {text!r}")
    return port


def demo_database(settings: config.Settings) -> Path:
    """Return the path of the demo's database, such as `canasta-demo.db` next to `canasta.db`."""
    return settings.own_files_base.with_name(f"{settings.own_files_base.stem}-demo{settings.own_files_base.suffix}")


def delete_database(database: Path) -> None:
    """Delete a database with its journal. Raises `StoreError` while another demo uses it."""
    from bot.store.engines.sqlite_connection import DatabaseLock  # noqa: PLC0415 - imported late, as in `execute`

    lock = DatabaseLock(database)
    for ending in ("", "-wal", "-shm", "-journal"):
        database.with_name(database.name + ending).unlink(missing_ok=True)
    lock.release()


def execute(arguments: argparse.Namespace) -> int:
    """Serve the demo until its page's button or Ctrl-C stops it; return the exit status."""
    if find_spec("simcord") is None:
        print("The demo needs its extra: pip install 'canasta-bot[demo]'", file=sys.stderr)
        return 2
    # Imported here because SimCord is installed only with the extra.
    from bot.demo.serve import PortTakenError, serve  # noqa: PLC0415
    from bot.store.errors import StoreError  # noqa: PLC0415

    # Log little by default, because the visitor watches the page and not the log.
    settings = config.load_settings(config.read_environment(), log_level="WARNING")
    # The simulated Discord keeps no pictures of emojis.
    settings = dataclasses.replace(settings, database=demo_database(settings), discord_token="", emojis="off")
    logs.set_up_logging(settings.log_level, settings.log_format)
    try:
        if arguments.fresh:
            delete_database(settings.own_files_base)
        asyncio.run(serve(settings, port=arguments.port, browser=not arguments.no_browser))
    except PortTakenError as error:
        print(f"Port {error.port} is taken; choose another with --port.", file=sys.stderr)
        return 1
    except StoreError as error:
        print(f"canasta-bot: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
    return 0
