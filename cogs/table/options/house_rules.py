"""The panel of a lobby's house rules by topic, and the parsing of chosen or typed values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import PARAMETERS, Parameter, ValueType, parameters_of_topic
from bot.engine.rules.rule_options import BELOW_ZERO, write_value
from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import (
    DANGER,
    GREEN,
    LONGEST_OPTION,
    Form,
    Option,
    Page,
    Part,
    button,
    button_rows,
    container,
    fit_text,
    form,
    page,
    select,
    text,
)
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing.paragraphs import paragraph_button
from cogs.shared.telling import names, parameter_text

NOTHING: Final = "none"
"""The text for a parameter that does not apply."""

_GROUPED: Final = re.compile(r"([-+−]?[0-9]{1,3})((?:[.,'’ ][0-9]{3})+)")


def parse_chosen_value(parameter: Parameter, values: tuple[str, ...]) -> Any:
    """Return the JSON value chosen in a parameter's menu.

    An invalid choice is returned unchanged and refused later.
    """
    if parameter.shape is ValueType.WORDS:
        return list(values)
    value = values[0] if values else ""
    if parameter.may_be_none and value == NOTHING:
        return None
    if parameter.shape is ValueType.FLAG:
        return {"yes": True, "no": False}.get(value, value)
    return _parse_number_or_numbers_by_deal(parameter, value) if parameter.shape is ValueType.NUMBER else value


def parse_typed_value(parameter: Parameter, text: str) -> Any:
    """Return the JSON value of a typed text; an invalid text is returned unchanged and refused later."""
    text = text.strip()
    if parameter.may_be_none and text.casefold() in ("", NOTHING, "-", "–"):
        return None
    if parameter.shape is ValueType.NUMBER:
        return _parse_number_or_numbers_by_deal(parameter, text)
    parts = [part.split() for part in re.split(r"[,;\n]", text.replace(":", " ").replace("=", " "))]
    rows = [part for part in parts if part]
    if parameter.shape is ValueType.NUMBERS:
        return [_parse_number(one) for row in rows for one in row]
    return [[_parse_row_start(parameter, row[0]), *map(_parse_number, row[1:])] for row in rows]


def value_as_typed(value: Any) -> str:
    """Return a parameter's value as a person types it."""
    plain = write_value(value)
    if plain is None:
        return ""
    if not isinstance(plain, list):
        return str(plain)
    return ", ".join(" ".join(map(str, one)) if isinstance(one, list) else str(one) for one in plain)


def _parse_row_start(parameter: Parameter, text: str) -> int | str:
    """Return the start of a row of minimums: a word of the parameter, or a score."""
    return text if parameter.words or text == BELOW_ZERO else _parse_number(text)


def _parse_number_or_numbers_by_deal(parameter: Parameter, text: str) -> int | str | list[int | str]:
    """Return a number, or a list with one per deal if the parameter allows it."""
    parts = re.split(r"[,;\s]+", text.strip()) if parameter.may_differ_by_deal else [text]
    return _parse_number(text) if len(parts) == 1 else [_parse_number(part) for part in parts if part]


def _parse_number(text: str) -> int | str:
    """Return the number that a text is, or else the text itself; thousands may be separated."""
    grouped = _GROUPED.fullmatch(text)
    plain = grouped[1] + re.sub(r"[^0-9]", "", grouped[2]) if grouped else text
    try:
        return int(plain.replace("−", "-")) if len(plain) < 20 else text
    except ValueError:
        return text


THEMES: Final = "themes"
"""The value of the themes in the menu of topics."""

MOST_LISTED: Final = 12
"""Most changed rules listed on the first page, before a topic is chosen."""


def house_rules_panel(
    words: Words,
    snapshot: TableSnapshot,
    *,
    topic: Topic | None = None,
    chosen: Parameter | None = None,
    note: str = "",
) -> Page:
    """Return the panel of house rules.

    It shows a topic's rules, or one rule with its choices, or the list of changed rules.
    """
    topic = chosen.topic if chosen is not None else topic
    if chosen is not None:
        lines = _rule_lines(words, snapshot, chosen)
    elif topic is not None:
        lines = [
            words(f"topic.{topic.value}.title"),
            *(_rule_overview_line(words, snapshot, one) for one in parameters_of_topic(topic)),
        ]
    else:
        lines = _changed_rules_lines(words, snapshot)
    title = words("options.title", table=snapshot.id, rules=names.original_rules_name(words, snapshot))
    parts = [
        text("\n".join([title, *([words("panel.note", note=note)] if note else []), *lines])),
        topics_menu(words, snapshot, "" if topic is None else topic.value),
        None if topic is None else _parameters_menu(words, snapshot, topic, chosen),
        None if chosen is None else _values_menu(words, snapshot, chosen),
        *_button_rows(words, snapshot, chosen),
    ]
    return page([container(*parts, edge=GREEN)])


def house_rule_value_form(words: Words, snapshot: TableSnapshot, parameter: Parameter) -> Form:
    """Return the form for typing a value of a parameter."""
    return form(
        _control_id(snapshot, "options_typed", parameter),
        parameter_text.parameter_title(words, parameter.name),
        hint=typing_help(words, parameter),
        filled=value_as_typed(getattr(snapshot.terms, parameter.name)),
        required=not (parameter.may_be_none or parameter.least == 0),
    )


def typing_help(words: Words, parameter: Parameter) -> str:
    """Return a sentence on how to type a value of a rule's parameter."""
    shape = "by_deal" if parameter.may_differ_by_deal else parameter.shape.value
    return words(f"options_typed.{shape}", lowest=parameter.lowest, highest=parameter.highest)


def control_argument(parameter: Parameter) -> str:
    """Return a parameter's name as it is written in a control's argument."""
    return parameter.name.replace("_", ".")


# --- texts ------------------------------------------------------------------------------------------------------------


def _changed_rules_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    texts = parameter_text.describe_rule_changes(words, snapshot.terms, snapshot.base)
    if not texts:
        return [words("options.unchanged"), words("options.choose")]
    lines = texts[:MOST_LISTED]
    if len(texts) > MOST_LISTED:
        lines.append(words("options.more", count=len(texts) - MOST_LISTED))
    return [words("options.changed"), *lines, words("options.choose")]


def _rule_overview_line(words: Words, snapshot: TableSnapshot, parameter: Parameter) -> str:
    """Return a line on a rule of a topic, with its original value if it was changed."""
    message = parameter_text.parameter_in_words(words, snapshot.terms, parameter.name)
    if not _is_rule_changed(snapshot, parameter):
        return f"- {message}"
    was = parameter_text.value_in_rules(words, snapshot.base, parameter.name)
    return words("options.changed_line", told=message, was=was)


def _rule_lines(words: Words, snapshot: TableSnapshot, parameter: Parameter) -> list[str]:
    """Return lines about one house rule: meaning, value, original value and choices."""
    lines = [
        words(
            "options.parameter",
            title=parameter_text.parameter_title(words, parameter.name),
            paragraph=parameter.paragraph,
        ),
        words(f"parameter.{parameter.name}.about"),
        words("options.now", value=parameter_text.value_in_rules(words, snapshot.terms, parameter.name)),
    ]
    if _is_rule_changed(snapshot, parameter):
        lines.append(words("options.was", value=parameter_text.value_in_rules(words, snapshot.base, parameter.name)))
    for value, name in _named_values(words, parameter):
        label = f"`{value}` ({name})" if parameter.shape is ValueType.TABLE else name
        lines.append(words("options.value", value=label, about=words(f"parameter.{parameter.name}.{value}")))
    return lines


def _named_values(words: Words, parameter: Parameter) -> list[tuple[str, str]]:
    values = ("yes", "no") if parameter.shape is ValueType.FLAG else parameter.offered_words
    return [(value, parameter_text.value_word(words, parameter.name, value)) for value in values]


def _is_rule_changed(snapshot: TableSnapshot, parameter: Parameter) -> bool:
    return bool(parameter.value_in(snapshot.terms) != parameter.value_in(snapshot.base))


# --- controls --------------------------------------------------------------------------------------------------------


def _control_id(snapshot: TableSnapshot, action: str, parameter: Parameter | None = None) -> ControlId:
    return ControlId(snapshot.id, snapshot.version, action, "" if parameter is None else control_argument(parameter))


def topics_menu(words: Words, snapshot: TableSnapshot, topic: str) -> Part | None:
    """Return the menu of topics, including the themes; `topic` is the current one."""
    options = []
    for one in Topic:
        those = parameters_of_topic(one)
        changed = sum(_is_rule_changed(snapshot, parameter) for parameter in those)
        if those:
            message = words("options.topic_changed", count=changed) if changed else words(f"topic.{one.value}.about")
            options.append(Option(one.value, words(f"topic.{one.value}.name"), message, chosen=one.value == topic))
    count = len(snapshot.terms.theme)
    about = words("theme_panel.chosen", count=count) if count else words("theme_panel.about")
    options.append(Option(THEMES, words("theme_panel.name"), about, chosen=topic == THEMES))
    return select(_control_id(snapshot, "options_topic"), words("options.topics"), options)


def _parameters_menu(words: Words, snapshot: TableSnapshot, topic: Topic, chosen: Parameter | None) -> Part | None:
    options = [
        Option(
            parameter.name,
            parameter_text.parameter_title(words, parameter.name),
            shorten_text(parameter_text.value_in_rules(words, snapshot.terms, parameter.name)),
            chosen=parameter is chosen,
        )
        for parameter in parameters_of_topic(topic)
    ]
    return select(_control_id(snapshot, "options_pick"), words("options.parameters"), options)


def _values_menu(words: Words, snapshot: TableSnapshot, parameter: Parameter) -> Part | None:
    """Return the menu of a parameter's values, or None if they are typed."""
    value = getattr(snapshot.terms, parameter.name)
    control = _control_id(snapshot, "options_set", parameter)
    if parameter.shape in (ValueType.NUMBERS, ValueType.TABLE):
        return None
    if parameter.shape is ValueType.WORDS:
        options = _word_options(words, parameter, value)
        return select(control, words("options.any_values"), options, least=0, most=len(options))
    options = (
        _number_options(words, snapshot, parameter)
        if parameter.shape is ValueType.NUMBER
        else _word_options(words, parameter, [value])
    )
    if parameter.may_be_none:
        options.append(Option(NOTHING, words("parameter_value.nothing"), chosen=value is None))
    return select(control, words("options.values"), options)


def _word_options(words: Words, parameter: Parameter, value: Sequence[Any]) -> list[Option]:
    now = {"yes" if one is True else "no" if one is False else one for one in value}
    return [
        Option(name, label, shorten_text(words(f"parameter.{parameter.name}.{name}")), chosen=name in now)
        for name, label in _named_values(words, parameter)
    ]


def shorten_text(message: str) -> str:
    """Return the text cut to the length of a menu's description.

    The panel above the menu shows the whole text.
    """
    return fit_text(message, LONGEST_OPTION, may_be_cut=True)


def _number_options(words: Words, snapshot: TableSnapshot, parameter: Parameter) -> list[Option]:
    """Return choices for the usual numbers, the present value and the original value.

    The last two may have a number per deal.
    """
    value, base = getattr(snapshot.terms, parameter.name), getattr(snapshot.base, parameter.name)
    own = [one for one in dict.fromkeys((value, base)) if one is not None]
    numbers = {*parameter.usual, *(one for one in own if isinstance(one, int))}
    options = [Option(str(one), str(one), chosen=one == value) for one in sorted(numbers)]
    for several in (one for one in own if not isinstance(one, int)):
        message = shorten_text(parameter_text.numbers_by_deal_text(words, several))
        options.append(Option(value_as_typed(several), message, chosen=several == value))
    return options


def _button_rows(words: Words, snapshot: TableSnapshot, chosen: Parameter | None) -> list[Part]:
    """Return the buttons for the current rule and for all rules, with the back button last."""
    those = [] if chosen is None else _rule_buttons(words, snapshot, chosen)
    if snapshot.terms.theme != snapshot.base.theme or any(
        _is_rule_changed(snapshot, parameter) for parameter in PARAMETERS
    ):
        those.append(button(_control_id(snapshot, "options_reset_all"), words("options.reset_all"), style=DANGER))
    those.append(button(_control_id(snapshot, "rules"), words("board.rules")))
    return button_rows([*those, back_button(words, snapshot)])


def back_button(words: Words, snapshot: TableSnapshot) -> ui.Button[Any]:
    """Return the button back to the setup panel."""
    return button(_control_id(snapshot, "setup"), words("panel.back"))


def _rule_buttons(words: Words, snapshot: TableSnapshot, chosen: Parameter) -> list[ui.Button[Any]]:
    found = []
    if chosen.shape in (ValueType.NUMBER, ValueType.NUMBERS, ValueType.TABLE):
        found.append(button(_control_id(snapshot, "options_type", chosen), words("options.type")))
    if _is_rule_changed(snapshot, chosen):
        found.append(button(_control_id(snapshot, "options_reset", chosen), words("options.reset")))
    return [*found, paragraph_button(words, chosen.paragraph)]
