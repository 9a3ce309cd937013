"""The desk's forms: building them, parsing what directors type, and keeping typed texts in a page.

The text that a director proposes is stored in the text of its page. So it works after a restart, and is always exactly
what the director sees. All functions that parse typed text raise `InputProblem`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import discord
from discord import ui

from bot.clocks.clock import MINUTE
from bot.clocks.time_rules import DAY
from bot.tables.state.clocks import MOST_DEALS
from cogs.shared.discord_api.components import LONGEST_LABEL, LONGEST_OPTION, LONGEST_PLACEHOLDER, Form, Part, fit_text
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.typed_times import try_parse_duration
from cogs.shared.reading.vocabulary import Vocabulary

LONGEST_REASON: Final = 300
LONGEST_ANNOUNCEMENT: Final = 1500

SCORES: Final = 101
"""The id of the component that contains scores."""

REASON: Final = 102
"""The id of the component that contains a reason."""

QUOTE: Final = "> "


class FormLine(NamedTuple):
    """A line of a form: its name, label, description, and limits of its text."""

    name: str
    label: str
    hint: str = ""
    filled: str = ""
    longest: int = LONGEST_REASON
    required: bool = True
    long: bool = False


def lines_form(control: ControlId, title: str, lines: Iterable[FormLine]) -> Form:
    """Return a form with several lines; the typed texts come back in this order."""
    window = ui.Modal(title=fit_text(title, LONGEST_LABEL, may_be_cut=True), custom_id=str(control), timeout=None)
    for line in lines:
        typed: ui.TextInput[Any] = ui.TextInput(
            custom_id=line.name,
            default=line.filled[: line.longest] or None,
            required=line.required,
            max_length=line.longest,
            style=discord.TextStyle.paragraph if line.long else discord.TextStyle.short,
        )
        window.add_item(
            ui.Label(
                text=fit_text(line.label, LONGEST_LABEL),
                description=fit_text(line.hint, LONGEST_OPTION) or None,
                component=typed,
            )
        )
    window.stop()
    return window


def text_to_read_back(text_number: int, content: str) -> Part:
    """Return a block of text that the handler of a button on the same page can read (`read_text_back`)."""
    one_line = " ".join(content.split())
    return ui.TextDisplay(f"{QUOTE}{one_line}", id=text_number)


def read_text_back(interaction: Interaction, text_number: int) -> str:
    """Return the text with that number in the page whose button was clicked.

    Raises `InputProblem` if there is none.
    """
    message = interaction.message
    for one in _all_components(() if message is None else message.components):
        if isinstance(one, discord.TextDisplay) and one.id == text_number:
            return one.content.removeprefix(QUOTE)
    raise InputProblem(InputCode.OLD_CONTROL)


def _all_components(components: Iterable[Any]) -> Iterable[Any]:
    for one in components:
        yield one
        yield from _all_components(getattr(one, "children", ()))


def user_menu(control: ControlId, placeholder: str) -> Part:
    """Return a menu of the guild's members."""
    menu: ui.UserSelect[Any] = ui.UserSelect(
        custom_id=str(control), placeholder=fit_text(placeholder, LONGEST_PLACEHOLDER)
    )
    return ui.ActionRow(menu)


def chosen_person(interaction: Interaction, chosen: tuple[str, ...]) -> tuple[int, str]:
    """Return the id of the chosen member and their name in the server.

    Raises `InputProblem`, also for a bot.
    """
    if len(chosen) != 1 or not chosen[0].isdecimal():
        raise InputProblem(InputCode.OLD_CONTROL)
    data: dict[str, Any] = dict(interaction.data or {})
    resolved = data.get("resolved") or {}
    user = resolved.get("users", {}).get(chosen[0]) or {}
    member = resolved.get("members", {}).get(chosen[0]) or {}
    if not user or user.get("bot"):
        raise InputProblem(InputCode.OLD_CONTROL)
    name = member.get("nick") or user.get("global_name") or user.get("username") or chosen[0]
    return int(chosen[0]), str(name)


def two_values(chosen: tuple[str, ...]) -> tuple[str, str]:
    """Return the two texts of a form with two lines. Raises `InputProblem`."""
    if len(chosen) != 2:
        raise InputProblem(InputCode.OLD_CONTROL)
    return chosen[0], chosen[1]


MOST_POINTS: Final = 100_000
MOST_TIME: Final = 60 * DAY

_MINUS: Final = str.maketrans({"−": "-", "–": "-"})
_NUMBER: Final = re.compile(r"-?[0-9]{1,6}")


def parse_scores(typed: str, *, sides: int) -> tuple[tuple[int, ...], ...]:
    """Return the scores of deals, in the order of the sides, from a text such as "510:420, −75:300"."""
    deals = [one for one in re.split(r"[,;\n]", typed) if one.strip()]
    found = tuple(parse_points(one, sides=sides, lowest=-MOST_POINTS) for one in deals)
    if not 1 <= len(found) <= MOST_DEALS:
        raise InputProblem(InputCode.NOT_SCORES, {"text": typed[:40]})
    return found


def parse_points(typed: str, *, sides: int, lowest: int = 0) -> tuple[int, ...]:
    """Return a number for each side from a text such as "2:0"; none may be below `lowest`."""
    parts = [part.strip() for part in typed.translate(_MINUS).split(":")]
    if len(parts) != sides or not all(_NUMBER.fullmatch(part) for part in parts):
        raise InputProblem(InputCode.NOT_SCORES, {"text": typed.strip()[:40]})
    found = tuple(int(part) for part in parts)
    if not all(lowest <= one <= MOST_POINTS for one in found):
        raise InputProblem(InputCode.NOT_SCORES, {"text": typed.strip()[:40]})
    return found


def parse_duration(typed: str, vocabulary: Vocabulary) -> int:
    """Return the milliseconds of a text such as "10", "10 min", "2 h" or "1 d"."""
    found = try_parse_duration(typed, MINUTE, vocabulary)
    if found is None or not 0 < found <= MOST_TIME:
        raise InputProblem(InputCode.NOT_A_LENGTH, {"text": typed.strip()[:40]})
    return found


def parse_pairing(typed: str) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return tables and byes from a text such as "1-5, 2-6; 9".

    The numbers are those of entries; dashes join the entries of a table.
    """
    tables: list[tuple[int, ...]] = []
    byes: list[tuple[int, ...]] = []
    for one in re.split(r"[,;\n]", typed.translate(_MINUS)):
        if one.strip():
            entries = parse_numbers(one.replace("-", " "))
            (tables if len(entries) > 1 else byes).append(entries)
    return tuple(tables), tuple(entry for one in byes for entry in one)


def parse_numbers(typed: str) -> tuple[int, ...]:
    """Return the numbers of a text that separates them by spaces or commas."""
    parts = [part for part in re.split(r"[\s,]+", typed) if part]
    if not all(part.isdecimal() and len(part) < 6 for part in parts):
        raise InputProblem(InputCode.NOT_ENTRIES, {"text": typed.strip()[:40]})
    return tuple(int(part) for part in parts)


def scores_as_typed(deals: Sequence[Sequence[int]]) -> str:
    """Return scores as text in the form that directors type."""
    return ", ".join(":".join(str(one) for one in deal) for deal in deals)
