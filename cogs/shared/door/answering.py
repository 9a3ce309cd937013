"""The one way out of everything that goes wrong: a clear private answer, and nothing changed.

What a person can mend is answered with its own sentence and not logged as an error. What nobody expected gets a
number, which the person may tell and the log explains; the text of an exception reaches neither, for a card could
stand in it.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.engine.moves.refusals import Refusal
from bot.tables.looks import TableSnapshot
from bot.tables.refusals import TableRefusal
from bot.tournaments.event.refusals import TournamentRefusal
from cogs.shared.door import languages, patience, replies
from cogs.shared.door.replies import Interaction
from cogs.shared.door.which_table import AmbiguousTable, which_table_page
from cogs.shared.reading.problems import InputProblem
from cogs.shared.telling.explain import explain

log = logging.getLogger("canasta.discord")


class PermissionProblem(Exception):
    """The bot may not do what the table needs; `missing` are Discord's names of the permissions."""

    def __init__(self, channel: int, missing: tuple[str, ...]) -> None:
        super().__init__(channel, missing)
        self.channel = channel
        self.missing = missing


@asynccontextmanager
async def answered(interaction: Interaction, look: TableSnapshot | None = None) -> AsyncIterator[None]:
    """Acknowledge in time whatever is done inside, and answer what is raised there.

    `look` gives names to the seats a refusal speaks of.
    """
    async with patience.guarding(interaction), _explained(interaction, look):
        yield


@asynccontextmanager
async def _explained(interaction: Interaction, look: TableSnapshot | None) -> AsyncIterator[None]:
    try:
        await languages.note(interaction)
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, the person gets an answer and the operator a line
        await _tell(interaction, error, look)


async def _tell(interaction: Interaction, error: Exception, look: TableSnapshot | None) -> None:
    """Answer an error that was raised, in words."""
    words = replies.words_for(interaction)
    if isinstance(error, AmbiguousTable):
        await replies.show(interaction, which_table_page(words, error, explain(words, error)))
    elif isinstance(error, Refusal | TableRefusal | TournamentRefusal | InputProblem):
        await replies.say(interaction, explain(words, error, look))
    elif isinstance(error, PermissionProblem):
        needed = ", ".join(words(f"permission.{name}") for name in error.missing)
        await replies.say(interaction, words("trouble.permissions", channel=f"<#{error.channel}>", permissions=needed))
    else:
        number = interaction.id % 1_000_000
        unexpected(error, "an interaction", number)
        await replies.say(interaction, words("error.unexpected", id=number))


def unexpected(error: BaseException, where: str, number: int = 0, *, table: int = 0) -> None:
    """Log what nobody expected: its kind and the way it came, never its text."""
    steps = traceback.extract_tb(error.__traceback__)
    way = " > ".join(f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in steps)
    log.error("%s failed: %s at %s", where, type(error).__name__, way, extra={"code": number, "table": table})


@asynccontextmanager
async def quiet() -> AsyncIterator[None]:
    """Say nothing about problems: for autocompletion, which then offers nothing."""
    try:
        yield
    except (Refusal, TableRefusal, TournamentRefusal, InputProblem):
        return
    except Exception as error:  # noqa: BLE001 - a menu that stays empty harms nobody, the operator is told
        unexpected(error, "autocompletion")
