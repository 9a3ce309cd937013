"""The public message of a lobby (a table before its first deal), and of its roll call. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from discord import ui

from bot.computer.rollout.engine_conversion import is_searched_by_experts
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


def roll_call_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return a sentence on who must confirm attendance and until when; "" without a roll call."""
    roll = snapshot.roll
    if roll is None:
        return ""
    message = names.joined_seat_names(words, snapshot, list(roll.seats))
    return words("roll_call.asked", names=message, count=len(roll.seats), when=discord_timestamp(roll.at + OPEN_FOR))


def confirm_presence_button(words: Words, snapshot: TableSnapshot) -> ui.Button[Any] | None:
    """Return the button *I'm in*, or None without a roll call."""
    if snapshot.roll is None:
        return None
    return button(ControlId(snapshot.id, snapshot.version, "present"), words("roll_call.present"), style=SUCCESS)


def roll_call_page(words: Words, snapshot: TableSnapshot) -> Page | None:
    """Return the message that mentions those who must confirm attendance, or None without a roll call."""
    roll = snapshot.roll
    if roll is None:
        return None
    persons = tuple(person for seat in roll.seats if (person := snapshot.seats[seat].person) is not None)
    mentions = " ".join(f"<@{person}>" for person in persons)
    message = words("roll_call.call", mentions=mentions, table=snapshot.id, when=discord_timestamp(roll.at + OPEN_FOR))
    return replace(
        page([text(message), *filter(None, (button_row(confirm_presence_button(words, snapshot)),))]), mentions=persons
    )


LESSONS: Final = "lesson_list"
"""Action that opens the list of lessons (`cogs.guide.learn`)."""

MOST_CHANGES: Final = 8
"""Maximum house rules listed in a lobby; the rules in words have all of them."""

LONGEST_CHANGES: Final = 2500
"""Maximum characters of themes and house rules, to leave room for the rest of the message."""


def rules_sentence(words: Words, snapshot: TableSnapshot) -> str:
    """Return a sentence that describes the table's rule set; "" for rules that a server has saved."""
    return "" if snapshot.saved_as else rules_text.rules_sentence(words, snapshot.rules)


def game_facts_line(words: Words, snapshot: TableSnapshot) -> str:
    """Return a line with the table's number of players, aim, length and difficulty."""
    message = rules_text.table_facts_text(
        words, snapshot.terms, snapshot.players, aim_text(words, snapshot), deals=snapshot.settings.deals
    )
    return words("lobby.facts", facts=message)


def lobby_page(words: Words, snapshot: TableSnapshot, *, note: str = "", marks: Sequence[str] = ()) -> Page:
    """Return the lobby's message.

    `note` is a sentence on what just happened, `marks` are lines on the players' reliability.
    """
    parts: list[Part | None] = [
        text(words("panel.note", note=note)) if note else None,
        _heading_part(words, snapshot),
        section("\n".join(_fact_lines(words, snapshot)), learn_button(words)),
        *_rule_change_parts(words, snapshot),
        separator(),
        *seat_parts(words, snapshot),
        text("\n".join(marks)) if marks else None,
        separator(),
        *_join_request_parts(words, snapshot),
        text("\n".join(_footer_lines(words, snapshot))),
        _lobby_buttons(words, snapshot),
    ]
    return page([container(*parts, edge=GREEN)])


def seat_parts(words: Words, snapshot: TableSnapshot, *, with_buttons: bool = True) -> list[Part]:
    """Return the seats as text, one part per side; `with_buttons`: a side with a free seat gets a button."""
    if snapshot.terms.sides == snapshot.players:
        return [
            _side_part(words, snapshot, words("lobby.seats"), tuple(range(snapshot.players)), with_button=with_buttons)
        ]
    return [
        _side_part(
            words, snapshot, words("lobby.side", side=side + 1), snapshot.terms.seats_of(side), with_button=with_buttons
        )
        for side in range(snapshot.terms.sides)
    ]


def seat_label(words: Words, snapshot: TableSnapshot, seat: int) -> str:
    """Return a seat's place in plain text, with the other players of its side."""
    side = snapshot.terms.seats_of(snapshot.terms.side_of(seat))
    partners = [one for one in side if one != seat and snapshot.seats[one].kind != "empty"]
    if not partners:
        return words("lobby.seat", seat=seat + 1)
    message = ", ".join(names.holder_name(words, snapshot.seats[one]) for one in partners)
    return words("lobby.seat_with", seat=seat + 1, names=message)


def learn_button(words: Words) -> ui.Button[Any]:
    """Return the button *Learn*, which opens the list of lessons in private."""
    return button(ControlId(0, 0, LESSONS), words("lesson.learn"))


def _heading_part(words: Words, snapshot: TableSnapshot) -> Part:
    title = words("lobby.title", table=snapshot.id, rules=table_rules_name(words, snapshot))
    message = "\n".join(filter(None, (title, rules_sentence(words, snapshot))))
    return section(message, button(ControlId(snapshot.id, snapshot.version, "rules"), words("board.rules")))


def _fact_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    message = status_text.lobby_clock_text(words, snapshot)
    clock = [words("lobby.facts", facts=message)] if message else []
    rated = [words("lobby.rated")] if snapshot.settings.rated else []
    hints = [words("lobby.facts", facts=words(f"hint_lobby.{_hint_rule(snapshot)}"))]
    return [
        game_facts_line(words, snapshot),
        *clock,
        *rated,
        *hints,
        words("lobby.host", host=host_name(words, snapshot)),
    ]


def _hint_rule(snapshot: TableSnapshot) -> HintRule:
    """Return the rule for hints that applies at the table: at rated tables there are no hints."""
    return "off" if snapshot.settings.rated else snapshot.settings.hints


def _side_part(words: Words, snapshot: TableSnapshot, title: str, seats: tuple[int, ...], *, with_button: bool) -> Part:
    """Return the seats of a side as text, with a button if one is free."""
    holders = [
        words("lobby.free") if snapshot.seats[seat].kind == "empty" else names.name_with_level(words, snapshot, seat)
        for seat in seats
    ]
    message = f"{title}\n{' · '.join(holders)}"
    free = next((seat for seat in seats if snapshot.seats[seat].kind == "empty"), None)
    if free is None or not with_button:
        return text(message)
    return section(message, button(ControlId(snapshot.id, snapshot.version, "sit", str(free)), words("lobby.sit")))


def _rule_change_parts(words: Words, snapshot: TableSnapshot) -> list[Part]:
    """Return text on the themes and on the host's changes of the rules."""
    lines = [*theme_texts(words, snapshot), *_house_rule_lines(words, snapshot)]
    return [text("\n".join(lines)[:LONGEST_CHANGES])] if lines else []


def _house_rule_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return lines on the rules that the host has changed, and on changes made after a player sat down."""
    changed = parameter_text.describe_rule_changes(words, snapshot.terms, snapshot.base)
    news = parameter_text.describe_rule_changes(words, snapshot.terms, snapshot.joined_terms)
    if changed and news == changed:
        return [
            words("lobby.house_rules_news", rules=original_rules_name(words, snapshot)),
            *_shorten_lines(words, changed),
        ]
    lines = (
        [words("lobby.house_rules", rules=original_rules_name(words, snapshot)), *_shorten_lines(words, changed)]
        if changed
        else []
    )
    return lines + ([words("lobby.news"), *_shorten_lines(words, news)] if news else [])


def _shorten_lines(words: Words, lines: list[str]) -> list[str]:
    rest = len(lines) - MOST_CHANGES
    return [*lines[:MOST_CHANGES], *([words("options.more", count=rest)] if rest > 0 else [])]


def _join_request_parts(words: Words, snapshot: TableSnapshot) -> list[Part | None]:
    """Return text on the people who ask to join, with the host's buttons."""
    if not snapshot.wishes:
        return []
    message = ", ".join(names.escape_name(names.holder_name(words, one)) for one in snapshot.wishes)
    let_in = (
        button(
            ControlId(snapshot.id, snapshot.version, "let_in", str(one.person)),
            words("lobby.let_in", name=names.holder_name(words, one)),
            style=SUCCESS,
            enabled=not snapshot.is_full,
        )
        for one in snapshot.wishes
    )
    nobody = button(ControlId(snapshot.id, snapshot.version, "turn_away"), words("lobby.turn_away"))
    line = words("lobby.wishes", names=message, host=host_name(words, snapshot), count=len(snapshot.wishes))
    return [text(line), button_row(*let_in, nobody), separator()]


def join_result(words: Words, snapshot: TableSnapshot, person: int) -> str:
    """Return a sentence on the result of joining: the person has a seat, or the host was asked."""
    seat = snapshot.seat_of(person)
    if seat is None and snapshot.status is Status.PLAYING:
        seated = [number for number, holder in enumerate(snapshot.seats) if holder.person is not None]
        return words("watching.asked_back", names=names.joined_seat_names(words, snapshot, seated))
    if seat is None:
        return words("lobby.wished", table=snapshot.id, host=host_name(words, snapshot))
    return words("done.joined", seat=seat + 1, table=snapshot.id)


def _footer_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return lines on free seats, known cards, the roll call, and when a lobby expires."""
    lines = [words("lobby.full" if snapshot.is_full else "lobby.filled")]
    if has_experts_without_search(snapshot):
        lines.append(words("level_note.lobby"))
    lines += board.known_cards_lines(words, snapshot)
    lines += filter(None, [roll_call_text(words, snapshot)])
    if snapshot.expires_at is not None:
        lines.append(words("lobby.expires", when=discord_timestamp(snapshot.expires_at)))
    return lines


def has_experts_without_search(snapshot: TableSnapshot) -> bool:
    """Return whether the table has or will have expert computer players that cannot search in its game.

    There they play no better than strong ones.
    """
    levels = [holder.level for holder in snapshot.seats if holder.kind == "computer"]
    if not snapshot.is_full:
        levels.append(snapshot.settings.level)
    return EXPERT in levels and not is_searched_by_experts(snapshot.terms)


def _lobby_buttons(words: Words, snapshot: TableSnapshot) -> Part | None:
    def control_id(action: str) -> ControlId:
        return ControlId(snapshot.id, snapshot.version, action)

    return button_row(
        confirm_presence_button(words, snapshot) or button(control_id("start"), words("lobby.start"), style=SUCCESS),
        button(control_id("setup"), words("lobby.setup")),
        button(control_id("leave"), words("lobby.leave")),
    )
