"""Answers interactions in time, in the person's language, and with a clear message for every error.

Discord waits three seconds. After half of that an unanswered interaction is acknowledged automatically, and the answer
later replaces the acknowledgement. A control of a private message is acknowledged without a change, everything else by
a "thinking" message: private, unless the handler has called `publicly`.

An answer that cannot be delivered is dropped: the action is done, and the next use of a control shows it.

Expected errors are answered with their own sentence and not logged as errors. Unexpected ones get a number for the user
to report; the log has the same number, but never the text of an exception, because it could name a hidden card.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from enum import StrEnum
from time import perf_counter
from typing import Any, Final, TypeAlias

import discord

from bot.clocks.clock import SECOND, SystemClock
from bot.engine.moves.refusals import Refusal
from bot.i18n import Words, words
from bot.logs import record_failure
from bot.metrics import METRICS
from bot.outbox import DatabaseAway
from bot.series.refusals import SeriesRefusal
from bot.tables.state.refusals import TableRefusal
from bot.tables.state.snapshots import Caller, TableSnapshot
from bot.tournaments.event.refusals import TournamentRefusal
from cogs.shared.discord_api.ambiguous_table import AmbiguousTable, which_table_page
from cogs.shared.discord_api.components import Form, Page, text_page
from cogs.shared.discord_api.discord_calls import CallTrouble, FailedCall, attempt_call
from cogs.shared.discord_api.serving_bot import ServingBot
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.reading.vocabulary import Vocabulary, vocabulary_of
from cogs.shared.telling.explanations import explain_problem

Interaction: TypeAlias = discord.Interaction[ServingBot]

PATIENCE: Final = 1.5
"""Usual seconds after which an unanswered interaction is acknowledged."""

SECONDS_TO_ANSWER: Final = 3.0
"""Seconds in which Discord accepts a first answer."""

_GUARD: Final = "guard"


class AcknowledgementState(StrEnum):
    """The kind of acknowledgement that the answer to an interaction must still replace."""

    NOTHING = "nothing"  # no acknowledgement, or already replaced by the answer
    PANEL = "panel"  # the private message whose control was used; it is still unchanged
    PRIVATE = "private"  # a "thinking" message, to be replaced by the answer
    PUBLIC = "public"


class AcknowledgementGuard:
    """Acknowledges one interaction if it is not answered in time."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._sending = False
        self.public = False
        self.state = AcknowledgementState.NOTHING
        self._task = asyncio.create_task(self._acknowledge_after_delay(), name="patience")

    async def _acknowledge_after_delay(self) -> None:
        """Acknowledge the interaction after the usual delay, unless it has been answered by then."""
        await asyncio.sleep(max(0.0, self._interaction.client.patience - _seconds_waited(self._interaction)))
        response = self._interaction.response
        if response.is_done():
            return
        self._sending = True
        if is_in_private_message(self._interaction):
            state, call = AcknowledgementState.PANEL, response.defer()
        else:
            state = AcknowledgementState.PUBLIC if self.public else AcknowledgementState.PRIVATE
            call = response.defer(ephemeral=not self.public, thinking=True)
        if not isinstance(await attempt_call(call, "acknowledging"), FailedCall):
            self.state = state

    async def finish(self) -> AcknowledgementState:
        """Stop or await the acknowledgement; return what the answer must replace."""
        if not self._sending:
            self._task.cancel()
        await asyncio.wait({self._task})
        return self.state


@asynccontextmanager
async def acknowledge_in_time(interaction: Interaction) -> AsyncIterator[None]:
    """Acknowledge the interaction in time while the body runs; remove an unused "thinking" message."""
    guard = AcknowledgementGuard(interaction)
    interaction.extras[_GUARD] = guard
    try:
        yield
    finally:
        if await guard.finish() in (AcknowledgementState.PRIVATE, AcknowledgementState.PUBLIC):
            await remove_acknowledgement(interaction)


def acknowledge_publicly(interaction: Interaction) -> None:
    """Make the acknowledgement public; the first answer is then public too and must hold nothing private."""
    guard = interaction.extras.get(_GUARD)
    if isinstance(guard, AcknowledgementGuard):
        guard.public = True


async def finish_acknowledgement(interaction: Interaction) -> AcknowledgementState:
    """Stop or await the acknowledgement of the interaction; return what the answer must replace."""
    guard = interaction.extras.get(_GUARD)
    return await guard.finish() if isinstance(guard, AcknowledgementGuard) else AcknowledgementState.NOTHING


def mark_acknowledgement_replaced(interaction: Interaction) -> None:
    """Record that the answer has replaced the acknowledgement of the interaction."""
    guard = interaction.extras.get(_GUARD)
    if isinstance(guard, AcknowledgementGuard):
        guard.state = AcknowledgementState.NOTHING


async def remove_acknowledgement(interaction: Interaction) -> None:
    """Delete the interaction's "thinking" message."""
    mark_acknowledgement_replaced(interaction)
    await attempt_call(interaction.delete_original_response(), "removing an acknowledgement")


def _seconds_waited(interaction: Interaction) -> float:
    """Return seconds since the interaction was created; 0 if the clocks disagree."""
    seconds = SystemClock().now() / SECOND - interaction.created_at.timestamp()
    return seconds if 0 <= seconds <= SECONDS_TO_ANSWER else 0.0


def is_in_private_message(interaction: Interaction) -> bool:
    """Return whether the used control is in a private message, which the answer can replace."""
    return interaction.message is not None and interaction.message.flags.ephemeral


__all__ = [
    "Interaction",
    "answer_privately",
    "answer_with_page",
    "caller_of",
    "server_words",
    "show_form",
    "show_page",
    "vocabulary_for",
    "words_for",
]

LANGUAGE: Final = "language"
"""Key in an interaction's extras for the language its person has chosen."""

_REFUSED: Final = (CallTrouble.NOT_TAKEN, CallTrouble.MESSAGE_GONE)
"""Failures of an edit after which the page is sent as a new message."""


def words_for(interaction: Interaction) -> Words:
    """Return the catalogue of the interaction's person: the chosen language, else Discord's setting."""
    return words(interaction.extras.get(LANGUAGE) or str(interaction.locale))


def vocabulary_for(interaction: Interaction) -> Vocabulary:
    """Return the words the interaction's person may type."""
    return vocabulary_of(words_for(interaction).locale)


def server_words(interaction: Interaction, chosen: str | None) -> Words:
    """Return the guild's catalogue: the chosen language, else Discord's setting."""
    return words(chosen or str(interaction.guild_locale or interaction.locale))


def caller_of(interaction: Interaction) -> Caller:
    """Return the person, guild and id of the interaction."""
    user = interaction.user
    return Caller(user.id, user.display_name, interaction.guild_id, interaction.id, user.name)


async def answer_with_page(
    interaction: Interaction, page: Coroutine[Any, Any, Page], *, update: bool = False, private: bool = True
) -> discord.Message | None:
    """Await the page and answer with it; the options are those of `show_page`."""
    return await show_page(interaction, await page, update=update, private=private)


async def show_page(
    interaction: Interaction, page: Page, *, update: bool = False, private: bool = True
) -> discord.Message | None:
    """Answer with a page: a new message, or with `update` in place of the one that was used.

    If the interaction has been acknowledged, the page replaces the acknowledgement, and is as public or private as
    that. A second answer is a new message. Returns the message; None if it is unknown or could not be delivered.
    """
    state = await finish_acknowledgement(interaction)
    if not interaction.response.is_done():
        return await (
            _update_message(interaction, page) if update else _send_answer(interaction, page, private=private)
        )
    if state in (AcknowledgementState.PRIVATE, AcknowledgementState.PUBLIC):
        mark_acknowledgement_replaced(interaction)
        return await _edit_acknowledgement(interaction, page)
    if update:
        return await _edit_acknowledgement(interaction, page)
    return await _send_follow_up(interaction, page, private=private)


async def edit_used_message(interaction: Interaction, page: Page) -> bool:
    """Put the page into the message whose control was used; return whether it shows the page.

    Returns False without a request if the interaction has been acknowledged, as may happen while the page is drawn.
    """
    await finish_acknowledgement(interaction)
    if interaction.response.is_done():
        return False
    return not isinstance(await _replace_used_message(interaction, page), FailedCall)


async def show_form(interaction: Interaction, form: Form) -> None:
    """Answer with a form; submitting it triggers its own control.

    A form must be the first answer: after an acknowledgement the person is asked to try again.
    """
    await finish_acknowledgement(interaction)
    if interaction.response.is_done():
        await answer_privately(interaction, words_for(interaction)("error.form_late"))
    else:
        await attempt_call(interaction.response.send_modal(form), "asking")


async def answer_privately(interaction: Interaction, *texts: str) -> None:
    """Answer with sentences that only the user sees; the message whose control was used stays."""
    await show_page(interaction, text_page(*texts))


async def _send_answer(interaction: Interaction, page: Page, *, private: bool) -> discord.Message | None:
    sent = await attempt_call(
        interaction.response.send_message(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions
        ),
        "answering",
    )
    return None if isinstance(sent, FailedCall) or not isinstance(sent.resource, discord.Message) else sent.resource


async def _update_message(interaction: Interaction, page: Page) -> discord.Message | None:
    """Put the page into the message whose control was used; if Discord rejects that, send a new one."""
    edited = await _replace_used_message(interaction, page)
    if isinstance(edited, FailedCall):
        return await _send_answer(interaction, page, private=True) if edited.trouble is CallTrouble.NOT_TAKEN else None
    return interaction.message


async def _replace_used_message(interaction: Interaction, page: Page) -> object:
    """Put the page into the message whose control was used; return the failure, if any."""
    return await attempt_call(
        interaction.response.edit_message(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        ),
        "updating a message",
    )


async def _edit_acknowledgement(interaction: Interaction, page: Page) -> discord.Message | None:
    """Replace the acknowledgement by the page; if Discord rejects that, send a new message."""
    edited = await attempt_call(
        interaction.edit_original_response(
            view=page.view, attachments=page.files(), allowed_mentions=page.allowed_mentions
        ),
        "showing an answer",
    )
    if isinstance(edited, FailedCall):
        return await _send_follow_up(interaction, page, private=True) if edited.trouble in _REFUSED else None
    return edited


async def _send_follow_up(interaction: Interaction, page: Page, *, private: bool) -> discord.Message | None:
    sent = await attempt_call(
        interaction.followup.send(
            view=page.view, files=page.files(), ephemeral=private, allowed_mentions=page.allowed_mentions, wait=True
        ),
        "following up",
    )
    return None if isinstance(sent, FailedCall) else sent


async def load_language(interaction: Interaction) -> None:
    """Store the person's chosen language in the interaction; do nothing if the database is unavailable."""
    try:
        preferences = await interaction.client.profiles.preferences_of(interaction.user.id)
    except DatabaseAway:
        return
    if preferences.locale is not None:
        interaction.extras[LANGUAGE] = preferences.locale


log = logging.getLogger("canasta.discord")


class PermissionProblem(Exception):
    """The bot lacks permissions that the table needs; `missing` are their Discord names."""

    def __init__(self, channel: int, missing: tuple[str, ...]) -> None:
        super().__init__(channel, missing)
        self.channel = channel
        self.missing = missing


@asynccontextmanager
async def answer_in_time(interaction: Interaction, snapshot: TableSnapshot | None = None) -> AsyncIterator[None]:
    """Acknowledge in time while the body runs, and answer any error it raises.

    `snapshot` provides the names of seats for error messages.
    """
    began = perf_counter()
    async with acknowledge_in_time(interaction), _explain_errors(interaction, snapshot):
        yield
    METRICS.observe("interaction_seconds", perf_counter() - began)


@asynccontextmanager
async def _explain_errors(interaction: Interaction, snapshot: TableSnapshot | None) -> AsyncIterator[None]:
    """Answer any error that the body raises with a sentence in the person's language."""
    try:
        await load_language(interaction)
        yield
    except Exception as error:  # noqa: BLE001 - every error is answered and logged
        await _answer_error(interaction, error, snapshot)


async def _answer_error(interaction: Interaction, error: Exception, snapshot: TableSnapshot | None) -> None:
    """Answer an error with a sentence."""
    words = words_for(interaction)
    if isinstance(error, AmbiguousTable):
        await show_page(interaction, which_table_page(words, error, explain_problem(words, error)))
    elif isinstance(error, Refusal | TableRefusal | TournamentRefusal | SeriesRefusal | InputProblem):
        await answer_privately(interaction, explain_problem(words, error, snapshot))
    elif isinstance(error, PermissionProblem):
        needed = ", ".join(words(f"permission.{name}") for name in error.missing)
        await answer_privately(
            interaction, words("trouble.permissions", channel=f"<#{error.channel}>", permissions=needed)
        )
    elif isinstance(error, DatabaseAway):
        await answer_privately(interaction, words("error.away_unknown" if error.is_unknown else "error.away"))
    else:
        number = interaction.id % 1_000_000
        log_unexpected_error(error, "an interaction", number, table=0 if snapshot is None else snapshot.id)
        await answer_privately(interaction, words("error.unexpected", id=number))


def log_unexpected_error(error: BaseException, where: str, error_code: int = 0, **place: int) -> None:
    """Log an unexpected error with its type and call path, never its text.

    `where` names what failed. `error_code` is shown to the user. `place` gives the ids of the table, tournament or
    series.
    """
    record_failure(log, where, error, **{name: value for name, value in {"code": error_code, **place}.items() if value})


@asynccontextmanager
async def ignore_problems() -> AsyncIterator[None]:
    """Suppress every error of the body, for autocompletion, which then shows no choices.

    Unexpected errors are logged.
    """
    try:
        yield
    except (Refusal, TableRefusal, TournamentRefusal, SeriesRefusal, InputProblem):
        return
    except Exception as error:  # noqa: BLE001 - an empty menu harms nobody, and the error is logged
        log_unexpected_error(error, "autocompletion")
