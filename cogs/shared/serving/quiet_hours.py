"""The question when somebody sleeps, which settings ask and slow tables ask newcomers."""

from __future__ import annotations

from typing import Final

from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.door import interactions
from cogs.shared.door.components import Part, button, buttons, page, text
from cogs.shared.door.interactions import Interaction
from cogs.shared.reading.ids import ControlId
from cogs.shared.serving.context import Context

ZONE: Final = "quiet_zone"
"""The action that opens the form for a time zone."""

CHOSEN: Final = "quiet_set"
"""The action that chooses a window; its argument holds the minutes after midnight and the hours."""

OTHER: Final = "quiet_other"
"""The action that opens the form for other hours."""

NEVER: Final = "quiet_never"

USUAL: Final = ((22, 10), (23, 8))
"""Windows that have a button: the hour at which they begin, and how many hours they take."""


def question(words: Words) -> list[Part | None]:
    """The question with its answers."""
    return [
        text(words("quiet.question")),
        buttons(
            button(ControlId(0, 0, ZONE), words("quiet.set_zone")),
            *(
                button(ControlId(0, 0, CHOSEN, argument(60 * start, hours)), f"{start}–{(start + hours) % 24:02}")
                for start, hours in USUAL
            ),
            button(ControlId(0, 0, OTHER), words("quiet.other")),
            button(ControlId(0, 0, NEVER), words("quiet.never")),
        ),
    ]


async def ask_newcomer(context: Context, interaction: Interaction, look: TableSnapshot) -> None:
    """Ask in private who has just sat down at a slow table and never said when they sleep."""
    person = interaction.user.id
    if look.settings.slow and look.seat_of(person) is not None and not (await context.personal.of(person)).quiet:
        words = interactions.words_for(interaction)
        await interactions.show(interaction, page(part for part in question(words) if part is not None))


def argument(start: int, hours: int) -> str:
    """A window as a control carries it."""
    return f"{start}.{hours}"
