"""Blocking people, and choosing who may join the person's tables. No one else learns of a block."""

from __future__ import annotations

from collections.abc import Iterable

from bot.i18n import Words
from bot.profiles.blocks import MOST_BLOCKED, TooManyBlocked
from cogs.profile.settings import store_settings
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving import option_choices
from cogs.shared.serving.context import Context

MOST_LISTED = 50
"""Most people named in one answer."""


async def block_person(context: Context, interaction: Interaction, blocked_person: int) -> None:
    """Keep `blocked_person` away from the tables that the user hosts."""
    person, words = interaction.user.id, interactions.words_for(interaction)
    if blocked_person == person:
        raise InputProblem(InputCode.NOT_ONESELF)
    try:
        blocked = await context.blocks.block(person, blocked_person)
    except TooManyBlocked:
        raise InputProblem(InputCode.TOO_MANY_BLOCKED, {"most": MOST_BLOCKED}) from None
    await interactions.answer_privately(
        interaction, words("circle.blocked", person=f"<@{blocked_person}>"), _blocked_list(words, blocked)
    )


async def unblock_person(context: Context, interaction: Interaction, person: int) -> None:
    """Remove the user's block of `person`."""
    words = interactions.words_for(interaction)
    blocked = await context.blocks.unblock(interaction.user.id, person)
    await interactions.answer_privately(
        interaction, words("circle.unblocked", person=f"<@{person}>"), _blocked_list(words, blocked)
    )


async def choose_who_may_join(context: Context, interaction: Interaction, allowed: str | None) -> None:
    """Choose who may join the tables that the user hosts, or show the current choice."""
    person = interaction.user.id
    if allowed is not None:
        await store_settings(context, interaction, {"joiners": allowed})
    words = interactions.words_for(interaction)
    chosen = option_choices.preference_value_name(
        words, "joiners", (await context.profiles.preferences_of(person)).joiners
    )
    blocked = await context.blocks.blocked_people(person)
    await interactions.answer_privately(interaction, words("circle.joiners", who=chosen), _blocked_list(words, blocked))


def _blocked_list(words: Words, blocked: Iterable[int]) -> str:
    """Return text on the people whom the user has blocked."""
    named = [f"<@{one}>" for one in blocked]
    if not named:
        return words("circle.nobody")
    rest = len(named) - MOST_LISTED
    more = [words("list.more", count=rest)] if rest > 0 else []
    return words("circle.list", persons=", ".join([*named[:MOST_LISTED], *more]))
