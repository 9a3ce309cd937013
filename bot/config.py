"""The settings of the program, read from environment variables once at the start."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dotenv import dotenv_values

PREFIX = "CANASTA_"
MOST_SHARDS = 4_096
FILE = Path(".env")


class SettingsError(Exception):
    """Raised for invalid settings; `problems` describes each error for the operator."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def _read_text(value: str) -> str:
    """Return the value unchanged, for a setting that is any text."""
    return value


def _choice_reader(*allowed: str) -> Callable[[str], str]:
    """Return a function that reads a setting which must be one of the allowed words."""

    def read_choice(value: str) -> str:
        for one in allowed:
            if value.casefold() == one.casefold():
                return one
        raise ValueError("one of " + ", ".join(allowed))

    return read_choice


def _number_reader(kind: type[int] | type[float], lowest: float, highest: float) -> Callable[[str], float]:
    """Return a function that reads a setting which must be a number between the bounds."""

    def read_number(value: str) -> float:
        expected = f"a number from {lowest:g} to {highest:g}"
        try:
            number = kind(value)
        except ValueError:
            raise ValueError(expected) from None
        if not lowest <= number <= highest:
            raise ValueError(expected)
        return number

    return read_number


def _read_file_path(value: str) -> Path:
    """Return the path of the file that the value names."""
    path = Path(value)
    if path.name in ("", "..") or "\0" in value or os.path.isdir(path):  # noqa: PTH112 - Path raises where it may not look
        raise ValueError("the name of a file, not of a folder")
    return path


def _read_folder(value: str) -> Path:
    """Return the folder that the value names, which need not exist yet."""
    path = Path(value)
    if "\0" in value or os.path.isfile(path):  # noqa: PTH113 - as in `_read_file_path`
        raise ValueError("the name of a folder, not of a file")
    return path


class ServerUrl(str):
    """The URL of a database on a PostgreSQL server, without a password."""

    __slots__ = ()


def read_database(value: str) -> Path | ServerUrl:
    """Return the file that the value names, or the URL of a database on a server."""
    if not value.startswith(("postgresql://", "postgres://")):
        return _read_file_path(value)
    login = value.partition("//")[2].partition("/")[0].rpartition("@")[0]
    if ":" in login or "password=" in value:
        raise ValueError("a URL without a password, which belongs into the file that PGPASSFILE names")
    return ServerUrl(value)


def _read_shards(value: str) -> tuple[int, int] | None:
    """Return the number of shards of each process, and of all; None to leave both to Discord."""
    if value.casefold() == "auto":
        return None
    size, _, count = value.partition("/")
    expected = "auto, or such as 4/12: four shards for each process, of twelve"
    if not (size.isdecimal() and count.isdecimal()) or len(value) > 9:
        raise ValueError(expected)
    if not 1 <= int(size) <= int(count) <= MOST_SHARDS or int(count) % int(size):
        raise ValueError(expected)
    return int(size), int(count)


def _read_heartbeat_path(value: str) -> Path:
    """Return the path of a heartbeat file."""
    path = _read_file_path(value)
    if path.suffix != ".alive":
        raise ValueError("the name of a file that ends with .alive")
    return path


def _setting(name: str, read: Callable[[str], Any], default: Any, *, secret: bool = False) -> Any:
    """Return a dataclass field for the setting in the environment variable `name`.

    `read` turns its text into the value. A secret setting is left out of the repr.
    """
    return field(default=default, repr=not secret, metadata={"name": name, "read": read})


def _read_web_address(value: str) -> str:
    """Return the address of a web page, which must begin with https."""
    if not value.startswith("https://") or len(value) > 200 or any(sign in value for sign in "<>() \"'"):
        raise ValueError("an address that begins with https://")
    return value


def _read_loopback_address(value: str) -> str:
    """Return a loopback address with its port, because other machines must not reach the metrics."""
    host, _, port = value.rpartition(":")
    if host not in ("127.0.0.1", "localhost", "[::1]") or not port.isdecimal() or not 0 <= int(port) <= 65_535:
        raise ValueError("an address of this machine and a port, such as 127.0.0.1:9464")
    return value


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """All settings of the program; `.env.example` describes them."""

    discord_token: str = _setting("DISCORD_TOKEN", _read_text, "", secret=True)
    # A file that holds the token, such as a container's secret; used instead of the token variable.
    discord_token_file: Path | None = _setting("DISCORD_TOKEN_FILE", _read_file_path, None)
    # A file, or the URL of a database on a PostgreSQL server.
    database: Path | ServerUrl = _setting("CANASTA_DATABASE", read_database, Path("canasta.db"))
    # With a database on a server: the number of shards of one process, and of all processes together. None: as many
    # as Discord recommends.
    shards: tuple[int, int] | None = _setting("CANASTA_SHARDS", _read_shards, None)
    # The heartbeat file; None: beside the database's file.
    alive: Path | None = _setting("CANASTA_ALIVE", _read_heartbeat_path, None)
    log_level: str = _setting("CANASTA_LOG_LEVEL", _choice_reader("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
    log_format: str = _setting("CANASTA_LOG_FORMAT", _choice_reader("text", "json"), "text")
    # Seconds between two steps of a computer player.
    computer_pace: float = _setting("CANASTA_COMPUTER_PACE", _number_reader(float, 0, 10), 1.0)
    # Hours after which a lobby that has not been started is closed.
    lobby_hours: int = _setting("CANASTA_LOBBY_HOURS", _number_reader(int, 1, 720), 24)
    # Maximum of open tables per guild: lobbies and recently played games. A guild may set a lower maximum.
    tables_per_server: int = _setting("CANASTA_TABLES_PER_SERVER", _number_reader(int, 1, 10_000), 50)
    # Maximum of lobbies that one person may have open at a time.
    lobbies_per_person: int = _setting("CANASTA_LOBBIES_PER_PERSON", _number_reader(int, 1, 100), 3)
    # Whether the bot uploads the cards as emojis of the application.
    emojis: str = _setting("CANASTA_EMOJIS", _choice_reader("on", "off"), "on")
    # Loopback address at which Prometheus metrics are served; empty: not served.
    metrics: str = _setting("CANASTA_METRICS", _read_loopback_address, "")
    # The operator's web pages to which `/help` links; empty: no link.
    privacy_url: str = _setting("CANASTA_PRIVACY_URL", _read_web_address, "")
    terms_url: str = _setting("CANASTA_TERMS_URL", _read_web_address, "")
    # Folder into which web pages of series are written, if their server allows it; None: no pages are written.
    pages: Path | None = _setting("CANASTA_PAGES", _read_folder, None)
    # Maximum of unrequested direct messages per hour: penalties, cases, directors' letters.
    new_dms_per_hour: int = _setting("CANASTA_NEW_DMS_PER_HOUR", _number_reader(int, 0, 600), 60)
    # Maximum of requests per second to Discord, of all processes together; answers to clicks do not count.
    requests: int = _setting("CANASTA_REQUESTS", _number_reader(int, 1, 50), 34)
    # For development: the guild in which commands are registered at once, instead of globally. 0: none.
    development_server: int = _setting("CANASTA_DEVELOPMENT_SERVER", _number_reader(int, 0, 2**63 - 1), 0)

    @property
    def heartbeat_base(self) -> Path:
        """The path of the heartbeat file without its ending: that of `CANASTA_ALIVE`, or the database."""
        return self.own_files_base if self.alive is None else self.alive.with_suffix("")

    @property
    def own_files_base(self) -> Path:
        """The path next to which this process keeps files of its own.

        It is the database, or with the URL of a database the heartbeat file.
        """
        if isinstance(self.database, Path):
            return self.database
        return Path("canasta.db") if self.alive is None else self.alive.with_suffix("")


def setting_fields() -> dict[str, Field[Any]]:
    """Return the dataclass field of each setting, by the name of its environment variable."""
    return {one.metadata["name"]: one for one in fields(Settings)}


def read_environment(file: Path = FILE) -> dict[str, str]:
    """Return the variables of `file` and of the process environment, which has priority.

    A missing file is empty. Raises `SettingsError` for a file that cannot be read.
    """
    try:
        said = {name: value for name, value in dotenv_values(file, interpolate=False).items() if value is not None}
    except UnicodeDecodeError:
        raise SettingsError([f"{file} is not UTF-8 text; save it as UTF-8"]) from None
    except OSError as error:
        raise SettingsError([f"{file} cannot be read: {error.strerror}"]) from None
    return said | dict(os.environ)


def load_settings(environment: Mapping[str, str], /, **defaults: Any) -> Settings:
    """Return the settings in `environment`, a mapping of environment variables. Raises `SettingsError`."""
    values = dict(defaults)
    problems = []
    for name, one in setting_fields().items():
        text = environment.get(name, "").strip()
        if not text:
            continue
        try:
            values[one.name] = one.metadata["read"](text)
        except ValueError as expected:
            problems.append(f"{name}={_without_password(text)!r} should be {expected}")
    if values.get("discord_token_file") and not values.get("discord_token"):
        try:
            values["discord_token"] = values["discord_token_file"].read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            problems.append(
                f"DISCORD_TOKEN_FILE cannot be read: {getattr(error, 'strerror', None) or 'not UTF-8 text'}"
            )
    problems += _missing_setting_errors(values)
    if problems:
        raise SettingsError(problems)
    return Settings(**values)


def _missing_setting_errors(values: Mapping[str, Any]) -> list[str]:
    """Return an error text for each setting that lacks something it requires."""
    if isinstance(values.get("database"), ServerUrl):
        if find_spec("psycopg") is None:
            return ["CANASTA_DATABASE is a URL, which needs the driver psycopg: requirements/postgres.txt"]
        return [] if values.get("alive") else ["CANASTA_ALIVE is needed with a URL: a file for each process"]
    return ["CANASTA_SHARDS needs a database on a server: a file has one process"] if values.get("shards") else []


def _without_password(text: str) -> str:
    """Return a setting's text without the password of a URL."""
    return re.sub(r"(//[^:/@]*):[^@]*@|password=[^&]*", r"\1@", text)


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return the unknown variables whose names begin like this program's, so probably misspelt ones."""
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in setting_fields())


def default_text(field: Field[Any]) -> str:
    """Return the default of a setting's field as text for `.env.example`."""
    default = field.default
    return "" if default is MISSING or default is None else str(default)
