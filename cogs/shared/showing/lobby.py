"""The public message of a lobby (a table before its first deal), and of its roll call. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from discord import ui

from bot.computer.lean.engine_conversion import is_searched_by_experts
from bot.i18n import Words
from bot.tables.seating.roll_call import OPEN_FOR
from bot.tables.state.clocks import EXPERT, HintRule
from bot.tables.state.snapshots import Status, TableSnapshot
from cogs.shared.discord_api.components import (
    GREEN,
    SUCCESS,
    Page,
    Part,
    button,
    button_row,
    container,
    page,
    section,
    separator,
    text,
)
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing import board
from cogs.shared.telling import names, parameter_text, rules_text, status_text
from cogs.shared.telling.explanations import host_name
from cogs.shared.telling.names import aim_text, original_rules_name, table_rules_name, theme_texts
from cogs.shared.telling.status_text import discord_timestamp


def roll_call_text(words: Words, look: TableSnapshot) -> str:
    """Return a sentence on who must confirm attendance and until when; "" without a roll call."""
    roll = look.roll
    if roll is None:
        return ""
    told = names.joined_seat_names(words, look, list(roll.seats))
    return words("roll_call.asked", names=told, count=len(roll.seats), when=discord_timestamp(roll.at + OPEN_FOR))


def confirm_presence_button(words: Words, look: TableSnapshot) -> ui.Button[Any] | None:
    """Return the button *I'm in*, or None without a roll call."""
    if look.roll is None:
        return None
    return button(ControlId(look.id, look.version, "present"), words("roll_call.present"), style=SUCCESS)


def roll_call_page(words: Words, look: TableSnapshot) -> Page | None:
    """Return the message that mentions those who must confirm attendance, or None without a roll call."""
    roll = look.roll
    if roll is None:
        return None
    persons = tuple(person for seat in roll.seats if (person := look.seats[seat].person) is not None)
    mentions = " ".join(f"<@{person}>" for person in persons)
    told = words("roll_call.call", mentions=mentions, table=look.id, when=discord_timestamp(roll.at + OPEN_FOR))
    return replace(
        page([text(told), *filter(None, (button_row(confirm_presence_button(words, look)),))]), mentions=persons
    )


LESSONS: Final = "lesson_list"
"""Action that opens the list of lessons (`cogs.guide.learn`)."""

MOST_CHANGES: Final = 8
"""Maximum house rules listed in a lobby; the rules in words have all of them."""

LONGEST_CHANGES: Final = 2500
"""Maximum characters of themes and house rules, to leave room for the rest of the message."""


def rules_sentence(words: Words, look: TableSnapshot) -> str:
    """Return a sentence that describes the table's rule set; "" for rules that a server has saved."""
    return "" if look.saved_as else rules_text.rules_sentence(words, look.rules)


def facts_line(words: Words, look: TableSnapshot) -> str:
    """Return a line with the table's number of players, aim, length and difficulty."""
    told = rules_text.table_facts_text(
        words, look.terms, look.players, aim_text(words, look), deals=look.settings.deals
    )
    return words("lobby.facts", facts=told)


def lobby_page(words: Words, look: TableSnapshot, *, note: str = "", marks: Sequence[str] = ()) -> Page:
    """Return the lobby's message.

    `note` is a sentence on what just happened, `marks` are lines on the players' reliability.
    """
    parts: list[Part | None] = [
        text(words("panel.note", note=note)) if note else None,
        _head_part(words, look),
        section("\n".join(_fact_lines(words, look)), learn_button(words)),
        *_change_parts(words, look),
        separator(),
        *seat_parts(words, look),
        text("\n".join(marks)) if marks else None,
        separator(),
        *_join_request_parts(words, look),
        text("\n".join(_footer_lines(words, look))),
        _lobby_buttons(words, look),
    ]
    return page([container(*parts, edge=GREEN)])


def seat_parts(words: Words, look: TableSnapshot, *, sit: bool = True) -> list[Part]:
    """Return the seats as text, one part per side; with `sit`, a side with a free seat gets a button."""
    if look.terms.sides == look.players:
        return [_side_part(words, look, words("lobby.seats"), tuple(range(look.players)), sit=sit)]
    return [
        _side_part(words, look, words("lobby.side", side=side + 1), look.terms.seats_of(side), sit=sit)
        for side in range(look.terms.sides)
    ]


def seat_label(words: Words, look: TableSnapshot, seat: int) -> str:
    """Return a seat's place in plain text, with the other players of its side."""
    side = look.terms.seats_of(look.terms.side_of(seat))
    partners = [one for one in side if one != seat and look.seats[one].kind != "empty"]
    if not partners:
        return words("lobby.seat", seat=seat + 1)
    told = ", ".join(names.holder_name(words, look.seats[one]) for one in partners)
    return words("lobby.seat_with", seat=seat + 1, names=told)


def learn_button(words: Words) -> ui.Button[Any]:
    """Return the button *Learn*, which opens the list of lessons in private."""
    return button(ControlId(0, 0, LESSONS), words("lesson.learn"))


def _head_part(words: Words, look: TableSnapshot) -> Part:
    title = words("lobby.title", table=look.id, rules=table_rules_name(words, look))
    told = "\n".join(filter(None, (title, rules_sentence(words, look))))
    return section(told, button(ControlId(look.id, look.version, "rules"), words("board.rules")))


def _fact_lines(words: Words, look: TableSnapshot) -> list[str]:
    told = status_text.lobby_clock_text(words, look)
    clock = [words("lobby.facts", facts=told)] if told else []
    rated = [words("lobby.rated")] if look.settings.rated else []
    hints = [words("lobby.facts", facts=words(f"hint_lobby.{_hint_rule(look)}"))]
    return [facts_line(words, look), *clock, *rated, *hints, words("lobby.host", host=host_name(words, look))]


def _hint_rule(look: TableSnapshot) -> HintRule:
    """Return the rule for hints that applies at the table: at rated tables there are no hints."""
    return "off" if look.settings.rated else look.settings.hints


def _side_part(words: Words, look: TableSnapshot, title: str, those: tuple[int, ...], *, sit: bool) -> Part:
    """Return the seats of a side as text, with a button if one is free."""
    holders = [
        words("lobby.free") if look.seats[seat].kind == "empty" else names.name_with_level(words, look, seat)
        for seat in those
    ]
    told = f"{title}\n{' · '.join(holders)}"
    free = next((seat for seat in those if look.seats[seat].kind == "empty"), None)
    if free is None or not sit:
        return text(told)
    return section(told, button(ControlId(look.id, look.version, "sit", str(free)), words("lobby.sit")))


def _change_parts(words: Words, look: TableSnapshot) -> list[Part]:
    """Return text on the themes and on the host's changes of the rules."""
    lines = [*theme_texts(words, look), *_house_rule_lines(words, look)]
    return [text("\n".join(lines)[:LONGEST_CHANGES])] if lines else []


def _house_rule_lines(words: Words, look: TableSnapshot) -> list[str]:
    """Return lines on the rules that the host has changed, and on changes made after a player sat down."""
    changed = parameter_text.describe_rule_changes(words, look.terms, look.base)
    news = parameter_text.describe_rule_changes(words, look.terms, look.joined_terms)
    if changed and news == changed:
        return [
            words("lobby.house_rules_news", rules=original_rules_name(words, look)),
            *_shorten_lines(words, changed),
        ]
    lines = (
        [words("lobby.house_rules", rules=original_rules_name(words, look)), *_shorten_lines(words, changed)]
        if changed
        else []
    )
    return lines + ([words("lobby.news"), *_shorten_lines(words, news)] if news else [])


def _shorten_lines(words: Words, lines: list[str]) -> list[str]:
    rest = len(lines) - MOST_CHANGES
    return [*lines[:MOST_CHANGES], *([words("options.more", count=rest)] if rest > 0 else [])]


def _join_request_parts(words: Words, look: TableSnapshot) -> list[Part | None]:
    """Return text on the people who ask to join, with the host's buttons."""
    if not look.wishes:
        return []
    told = ", ".join(names.escape_name(names.holder_name(words, one)) for one in look.wishes)
    let_in = (
        button(
            ControlId(look.id, look.version, "let_in", str(one.person)),
            words("lobby.let_in", name=names.holder_name(words, one)),
            style=SUCCESS,
            enabled=not look.is_full,
        )
        for one in look.wishes
    )
    nobody = button(ControlId(look.id, look.version, "turn_away"), words("lobby.turn_away"))
    line = words("lobby.wishes", names=told, host=host_name(words, look), count=len(look.wishes))
    return [text(line), button_row(*let_in, nobody), separator()]


def join_result(words: Words, look: TableSnapshot, person: int) -> str:
    """Return a sentence on the result of joining: the person has a seat, or the host was asked."""
    seat = look.seat_of(person)
    if seat is None and look.status is Status.PLAYING:
        seated = [number for number, holder in enumerate(look.seats) if holder.person is not None]
        return words("watching.asked_back", names=names.joined_seat_names(words, look, seated))
    if seat is None:
        return words("lobby.wished", table=look.id, host=host_name(words, look))
    return words("done.joined", seat=seat + 1, table=look.id)


def _footer_lines(words: Words, look: TableSnapshot) -> list[str]:
    """Return lines on free seats, known cards, the roll call, and when a lobby expires."""
    lines = [words("lobby.full" if look.is_full else "lobby.filled")]
    if has_experts_without_search(look):
        lines.append(words("level_note.lobby"))
    lines += board.known_cards_lines(words, look)
    lines += filter(None, [roll_call_text(words, look)])
    if look.expires_at is not None:
        lines.append(words("lobby.expires", when=discord_timestamp(look.expires_at)))
    return lines


def has_experts_without_search(look: TableSnapshot) -> bool:
    """Return whether the table has or will have expert computer players that cannot search in its game.

    There they play no better than strong ones.
    """
    levels = [holder.level for holder in look.seats if holder.kind == "computer"]
    if not look.is_full:
        levels.append(look.settings.level)
    return EXPERT in levels and not is_searched_by_experts(look.terms)


def _lobby_buttons(words: Words, look: TableSnapshot) -> Part | None:
    def control_id(action: str) -> ControlId:
        return ControlId(look.id, look.version, action)

    return button_row(
        confirm_presence_button(words, look) or button(control_id("start"), words("lobby.start"), style=SUCCESS),
        button(control_id("setup"), words("lobby.setup")),
        button(control_id("leave"), words("lobby.leave")),
    )
