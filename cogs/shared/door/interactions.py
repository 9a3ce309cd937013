"""Replies: the one place where an interaction is answered.

An interaction that waits too long is acknowledged meanwhile (`cogs.shared.door.interactions`); its answer then
takes the place of the acknowledgement. An answer that cannot be delivered is lost without harm: what was asked has been
done, and the next touch shows it.

Patience: whoever waits too long for an answer is told that it comes.

Discord waits three seconds. Half of that after an interaction has arrived it is acknowledged by itself, whatever its
handler is doing; the answer is shown when it is there (`cogs.shared.door.interactions`). A control of a private
message is acknowledged by leaving that message as it is, everything else by a message that says "thinking": a private
one, unless the handler has said before that its answer is for everybody.

Languages: who has chosen one is answered in it, whatever language Discord is set to.

The one way out of everything that goes wrong: a clear private answer, and nothing changed.

What a person can mend is answered with its own sentence and not logged as an error. What nobody expected gets a
number, which the person may tell and the log explains; the text of an exception reaches neither, for a card could
stand in it.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

import discord

from bot.clocks.clock import SECOND, SystemClock
from bot.engine.moves.refusals import Refusal
from bot.i18n import Words, words
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tournaments.event.refusals import TournamentRefusal
from cogs.shared.door.ambiguous_table import AmbiguousTable, which_table_page
from cogs.shared.door.calls import Failed, Trouble, attempt
from cogs.shared.door.components import Form, Page, text_page
from cogs.shared.reading.problems import InputProblem
from cogs.shared.reading.vocabulary import Vocabulary, vocabulary
from cogs.shared.telling.explain import explain

Interaction: TypeAlias = discord.Interaction[Any]

PATIENCE: Final = 1.5
"""Seconds from the arrival of an interaction until it is acknowledged without its answer."""

SECONDS_TO_ANSWER: Final = 3.0
"""Discord takes no first answer after that."""

_GUARD: Final = "guard"


class AckState(StrEnum):
    """What an acknowledgement has left where the answer belongs."""

    NOTHING = "nothing"  # there was none, or its place has been filled
    PANEL = "panel"  # the private message that was used, as it was
    PRIVATE = "private"  # a message that waits to be filled
    PUBLIC = "public"


class AckGuard:
    """Acknowledges one interaction when its time has come and nobody has answered it."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._sending = False
        self.public = False
        self.standing = AckState.NOTHING
        self._task = asyncio.create_task(self._watch(), name="patience")

    async def _watch(self) -> None:
        await asyncio.sleep(max(0.0, PATIENCE - _waited(self._interaction)))
        response = self._interaction.response
        if response.is_done():
            return
        self._sending = True
        if in_panel(self._interaction):
            standing, call = AckState.PANEL, response.defer()
        else:
            standing = AckState.PUBLIC if self.public else AckState.PRIVATE
            call = response.defer(ephemeral=not self.public, thinking=True)
        if not isinstance(await attempt(call, "acknowledging"), Failed):
            self.standing = standing

    async def settle(self) -> AckState:
        """No acknowledgement begins after this, and one under way has arrived; what it has left."""
        if not self._sending:
            self._task.cancel()
        await asyncio.wait({self._task})
        return self.standing


@asynccontextmanager
async def guarding(interaction: Interaction) -> AsyncIterator[None]:
    """Acknowledge the interaction in time, whatever is done inside; a "thinking" that nobody filled is removed."""
    guard = AckGuard(interaction)
    interaction.extras[_GUARD] = guard
    try:
        yield
    finally:
        if await guard.settle() in (AckState.PRIVATE, AckState.PUBLIC):
            await remove_acknowledgement(interaction)


def publicly(interaction: Interaction) -> None:
    """Acknowledge for everybody: the first answer will be seen by everybody then, so it may hold nothing private."""
    guard = interaction.extras.get(_GUARD)
    if isinstance(guard, AckGuard):
        guard.public = True


async def settle(interaction: Interaction) -> AckState:
    """What an acknowledgement has left; none begins after this."""
    guard = interaction.extras.get(_GUARD)
    return await guard.settle() if isinstance(guard, AckGuard) else AckState.NOTHING


def filled(interaction: Interaction) -> None:
    """The message that waited has its answer."""
    guard = interaction.extras.get(_GUARD)
    if isinstance(guard, AckGuard):
        guard.standing = AckState.NOTHING


async def remove_acknowledgement(interaction: Interaction) -> None:
    """Take away a message that says "thinking"."""
    filled(interaction)
    await attempt(interaction.delete_original_response(), "removing an acknowledgement")


def _waited(interaction: Interaction) -> float:
    """Seconds that the interaction has been on its way; 0 where its clock and this one disagree."""
    seconds = SystemClock().now() / SECOND - interaction.created_at.timestamp()
    return seconds if 0 <= seconds <= SECONDS_TO_ANSWER else 0.0


def in_panel(interaction: Interaction) -> bool:
    """Whether what was used stands in a private message, which the answer can replace."""
    return interaction.message is not None and interaction.message.flags.ephemeral


__all__ = ["Interaction", "answer", "ask", "caller_of", "say", "show", "vocabulary_for", "words_for", "words_for_all"]

LANGUAGE: Final = "language"
"""Where an interaction keeps the language that its person has chosen (`cogs.shared.door.interactions`)."""

_REFUSED: Final = (Trouble.NOT_TAKEN, Trouble.MESSAGE_GONE)
"""A page that was not taken where it should stand may be taken as a new message."""


def words_for(interaction: Interaction) -> Words:
    """The catalogue of the person who asks: as chosen, else as Discord is set."""
    return words(interaction.extras.get(LANGUAGE) or str(interaction.locale))


def vocabulary_for(interaction: Interaction) -> Vocabulary:
    """The words that the person who asks is understood in."""
    return vocabulary(words_for(interaction).locale)


def words_for_all(interaction: Interaction, chosen: str | None) -> Words:
    """The catalogue of the server: what it has chosen, or else its language in Discord."""
    return words(chosen or str(interaction.guild_locale or interaction.locale))


def caller_of(interaction: Interaction) -> Caller:
    """Who asks, from where, and the request's own id."""
    user = interaction.user
    return Caller(user.id, user.display_name, interaction.guild_id, interaction.id, user.name)


async def answer(
    interaction: Interaction, making: Coroutine[Any, Any, Page], *, update: bool = False, private: bool = True
) -> discord.Message | None:
    """Answer with the page that is being made; otherwise as `show`."""
    return await show(interaction, await making, update=update, private=private)


async def show(
    interaction: Interaction, page: Page, *, update: bool = False, private: bool = True
) -> discord.Message | None:
    """Deliver a page as the answer: as a new message, or with `update` in place of the one that was used.

    After an acknowledgement it takes the place of that, for the same readers; a further answer is a further message.
    Returns the message as far as it is known; None where it could not be delivered.
    """
    standing = await settle(interaction)
    if not interaction.response.is_done():
        return await (_update(interaction, page) if update else _send(interaction, page, private=private))
    if standing in (AckState.PRIVATE, AckState.PUBLIC):
        filled(interaction)
        return await _edit(interaction, page)
    if update:
        return await _edit(interaction, page)
    return await _follow_up(interaction, page, private=private)


async def ask(interaction: Interaction, form: Form) -> None:
    """Answer with a form; what is typed into it comes back as a control of its own.

    A form can only be the first answer: who had to wait too long for it is asked to try again.
    """
    await settle(interaction)
    if interaction.response.is_done():
        await say(interaction, words_for(interaction)("error.form_late"))
    else:
        await attempt(interaction.response.send_modal(form), "asking")


async def say(interaction: Interaction, *texts: str) -> None:
    """Answer in private with a few sentences; a message clicked on stays as it is."""
    await show(interaction, text_page(*texts))


async def _send(interaction: Interaction, page: Page, *, private: bool) -> discord.Message | None:
    sent = await attempt(
        interaction.response.send_message(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions
        ),
        "answering",
    )
    return None if isinstance(sent, Failed) or not isinstance(sent.resource, discord.Message) else sent.resource


async def _update(interaction: Interaction, page: Page) -> discord.Message | None:
    """Put the page in place of the message that was used; where Discord does not take it so, send it as a new one."""
    edited = await attempt(
        interaction.response.edit_message(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        ),
        "updating a panel",
    )
    if isinstance(edited, Failed):
        return await _send(interaction, page, private=True) if edited.trouble is Trouble.NOT_TAKEN else None
    return interaction.message


async def _edit(interaction: Interaction, page: Page) -> discord.Message | None:
    """Put the page where the acknowledgement stands; where Discord does not take its picture so, after it."""
    edited = await attempt(
        interaction.edit_original_response(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        ),
        "showing an answer",
    )
    if isinstance(edited, Failed):
        return await _follow_up(interaction, page, private=True) if edited.trouble in _REFUSED else None
    return edited


async def _follow_up(interaction: Interaction, page: Page, *, private: bool) -> discord.Message | None:
    sent = await attempt(
        interaction.followup.send(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions, wait=True
        ),
        "following up",
    )
    return None if isinstance(sent, Failed) else sent


async def note(interaction: Interaction) -> None:
    """Note the language that the person has chosen, for all that is answered to the interaction."""
    preferences = await interaction.client.context.profiles.person(interaction.user.id)
    if preferences.locale is not None:
        interaction.extras[LANGUAGE] = preferences.locale


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
    async with guarding(interaction), _explained(interaction, look):
        yield


@asynccontextmanager
async def _explained(interaction: Interaction, look: TableSnapshot | None) -> AsyncIterator[None]:
    try:
        await note(interaction)
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, the person gets an answer and the operator a line
        await _tell(interaction, error, look)


async def _tell(interaction: Interaction, error: Exception, look: TableSnapshot | None) -> None:
    """Answer an error that was raised, in words."""
    words = words_for(interaction)
    if isinstance(error, AmbiguousTable):
        await show(interaction, which_table_page(words, error, explain(words, error)))
    elif isinstance(error, Refusal | TableRefusal | TournamentRefusal | InputProblem):
        await say(interaction, explain(words, error, look))
    elif isinstance(error, PermissionProblem):
        needed = ", ".join(words(f"permission.{name}") for name in error.missing)
        await say(interaction, words("trouble.permissions", channel=f"<#{error.channel}>", permissions=needed))
    else:
        number = interaction.id % 1_000_000
        unexpected(error, "an interaction", number)
        await say(interaction, words("error.unexpected", id=number))


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
