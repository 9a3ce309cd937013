"""The question about quiet hours, in the settings and for new players of slow tables."""

from __future__ import annotations

from typing import Final

from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.components import Part, button, button_row, page, text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.serving.context import Context

ZONE: Final = "quiet_zone"
"""Action that opens the form for a time zone."""

CHOSEN: Final = "quiet_set"
"""Action that chooses quiet hours; its argument holds start (minutes after midnight) and hours."""

OTHER: Final = "quiet_other"
"""Action that opens the form for other hours."""

NEVER: Final = "quiet_never"

USUAL: Final = ((22, 10), (23, 8))
"""Suggested quiet hours: start hour and number of hours."""


def quiet_hours_question_parts(words: Words) -> list[Part | None]:
    """Return the text and buttons of the question about quiet hours."""
    return [
        text(words("quiet.question")),
        button_row(
            button(ControlId(0, 0, ZONE), words("quiet.set_zone")),
            *(
                button(ControlId(0, 0, CHOSEN, hours_argument(60 * start, hours)), f"{start}–{(start + hours) % 24:02}")
                for start, hours in USUAL
            ),
            button(ControlId(0, 0, OTHER), words("quiet.other")),
            button(ControlId(0, 0, NEVER), words("quiet.never")),
        ),
    ]


async def ask_newcomer_for_quiet_hours(context: Context, interaction: Interaction, snapshot: TableSnapshot) -> None:
    """Ask a new player of a slow table privately for their quiet hours, unless these are known."""
    person = interaction.user.id
    if (
        snapshot.settings.is_slow
        and snapshot.seat_of(person) is not None
        and not (await context.personal_times.hours_of(person)).quiet
    ):
        words = interactions.words_for(interaction)
        await interactions.show_page(
            interaction, page(part for part in quiet_hours_question_parts(words) if part is not None)
        )


def hours_argument(start: int, hours: int) -> str:
    """Return quiet hours as a control's argument."""
    return f"{start}.{hours}"
