"""The announcement message of a tournament, and the check of who may create tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord

from bot.i18n import Words
from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.joining.partner_pool import takes_late_entries, waiting_entries
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import places_left
from cogs.shared.discord_api.components import (
    GREEN,
    SUCCESS,
    Page,
    Part,
    button,
    button_row,
    container,
    page,
    separator,
    small_text,
    text,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.serving.context import Context
from cogs.shared.telling.numbers import group_thousands
from cogs.tournament import wording
from cogs.tournament.control_ids import control

INSIDE = (EntryStage.ENTERED, EntryStage.HERE, EntryStage.PLAYING)


def announcement_page(words: Words, tournament: Tournament) -> Page:
    """Return the announcement message of a tournament, in its current state."""
    lines = [tournament_headline(words, tournament), *_detail_lines(words, tournament), _stage_text(words, tournament)]
    parts: list[Part | None] = [
        text("\n".join(filter(None, lines))),
        separator(),
        text(_entries_text(words, tournament)),
    ]
    parts += [small_text(_seed_text(words, tournament)), _announcement_buttons(words, tournament)]
    return page([container(*parts, edge=GREEN)])


def withdrawn_tournament_page(words: Words, tournament: Tournament) -> Page:
    """Return the message that replaces the announcement while the tournament is a draft again."""
    return page([container(text(words("tournament.withdrawn", name=wording.tournament_name(tournament))), edge=GREEN)])


def tournament_headline(words: Words, tournament: Tournament) -> str:
    """Return one line with the tournament's name, start, rules, places and who can enter."""
    plan = tournament.plan
    return words(
        "tournament.headline",
        name=wording.tournament_name(tournament),
        when=wording.date_and_time(plan.starts_at),
        rules=wording.plan_rules_name(words, plan),
        places=plan.places,
        people=wording.entrants_text(words, plan),
    )


def _detail_lines(words: Words, tournament: Tournament) -> list[str]:
    plan = tournament.plan
    texts = [
        _series_place_text(words, tournament),
        words(f"tournament_kind.{plan.kind.value}"),
        match_length(words, tournament),
        wording.theme_names(words, plan),
    ]
    moved = [] if tournament.movement is None else [wording.pair_movement_text(words, tournament.movement)]
    return [" · ".join(filter(None, texts)), *moved]


def _series_place_text(words: Words, tournament: Tournament) -> str:
    """Return which night or division of a series the tournament is; "" outside a series."""
    night = tournament.night
    if night is None:
        return ""
    kind = "final" if night.final else "night" if tournament.plan.live else "division" if night.number else "sign_up"
    return words(f"tournament_in_series.{kind}", season=night.season, number=night.number)


def match_length(words: Words, tournament: Tournament) -> str:
    """Return text on the length of a match: deals or target score, and time."""
    plan = tournament.plan
    if plan.duplicate is not None:
        length = words("tournament.boards", count=plan.duplicate.boards)
    elif plan.deals is None:
        length = words("tournament.target", target=group_thousands(words, plan.rules.target))
    else:
        length = words("tournament.deals", count=plan.deals)
    return words("tournament.round_length", length=length, time=wording.duration_text(words, plan.round_time))


def _stage_text(words: Words, tournament: Tournament) -> str:
    if tournament.is_paused:
        return words("tournament.paused")
    turn = tournament.current_round
    if tournament.stage is Stage.RUNNING and turn is not None:
        planned = tournament.rounds_planned
        if planned is None:
            return words("tournament.in_round", round=turn.number)
        return words("tournament.in_round_of", round=turn.number, rounds=planned)
    if tournament.plan.signs_up and tournament.stage in (Stage.OPEN, Stage.CANCELLED):
        key = "tournament.signs_up" if tournament.stage is Stage.OPEN else "tournament.signed_up"
        return words(key, when=wording.date_and_time(tournament.plan.starts_at))
    if tournament.stage is Stage.OPEN:
        plan = tournament.plan
        opens, closes = plan.starts_at - plan.check_in_from, plan.starts_at - plan.check_in_until
        times = {"opens": wording.clock_time(tournament, opens), "closes": wording.clock_time(tournament, closes)}
        return words("tournament.check_in_times", **times)
    stage = words(f"tournament_stage.{tournament.stage.value}")
    return f"{stage[:1].upper()}{stage[1:]}."


def _entries_text(words: Words, tournament: Tournament) -> str:
    inside = [one for one in tournament.entrants if one.stage in INSIDE]
    asked = [one for one in tournament.entrants if one.stage is EntryStage.ASKED]
    taken = sum(len(one.people) for one in inside)
    lines = [words("tournament.taken", count=taken, places=tournament.plan.places)]
    if inside:
        lines.append(_fitting_names(words, tournament, inside, longest=1_500))
    if asked:
        lines.append(words("tournament.asked", names=_fitting_names(words, tournament, asked, longest=500)))
    queue = waiting_entries(tournament)
    if queue:
        key = "tournament.pool" if tournament.stage is Stage.RUNNING else "tournament.waiting"
        lines.append(words(key, names=_fitting_names(words, tournament, queue, longest=500)))
    return "\n".join(lines)


def _fitting_names(words: Words, tournament: Tournament, entrants: Sequence[Entrant], *, longest: int) -> str:
    """Return the names of entries, up to `longest` characters, and how many are left out."""
    listed = [wording.entry_name(words, tournament, one.number) for one in entrants]
    count = wording.count_fitting_lines(listed, longest)
    named = ", ".join(listed[:count])
    return words("tournament.and_more", names=named, count=len(entrants) - count) if count < len(entrants) else named


def _seed_text(words: Words, tournament: Tournament) -> str:
    """Return text with the published hash of the tournament's seed; after the end, with the seed itself."""
    if not tournament.commitment:
        return ""
    lines = [words("tournament.lot", commitment=tournament.commitment)]
    if tournament.boards:
        minimums = ", ".join(str(one.minimum) for one in tournament.boards)
        lines.insert(0, words("tournament.duplicate", minimums=minimums))
    if tournament.lot_shown:
        lines.append(words("tournament.lot_shown", lot=tournament.lot_shown))
    return "\n".join(lines)


def boards_page(words: Words, tournament: Tournament) -> Page:
    """Return the page with the published hash of every board."""
    lines = [
        words("tournament.board_commitment", board=one.number, commitment=one.commitment) for one in tournament.boards
    ]
    return page([text("\n".join(f"-# {line}" for line in lines))])


def _announcement_buttons(words: Words, tournament: Tournament) -> Part | None:
    return button_row(
        button(control(tournament.id, "t_enter"), words("tournament.enter"), style=SUCCESS)
        if may_enter(tournament)
        else None,
        *_entry_buttons(words, tournament),
    )


def _entry_buttons(words: Words, tournament: Tournament) -> list[discord.ui.Button[Any]]:
    """Return the buttons for people who have entered.

    They can leave and, if entries may have regulars, set the line-up.
    """
    if tournament.stage not in (Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING):
        return []
    leave = button(control(tournament.id, "t_leave"), words("tournament.leave"))
    if not tournament.plan.most_regulars:
        return [leave]
    return [leave, button(control(tournament.id, "t_lineup"), words("roster.button"))]


def may_enter(tournament: Tournament) -> bool:
    """Return whether people can enter: before the start, or later if the format and the places allow it."""
    if tournament.stage is Stage.RUNNING:
        return places_left(tournament) >= tournament.plan.persons_entering_together and takes_late_entries(tournament)
    return tournament.stage in (Stage.OPEN, Stage.CHECK_IN)


def repeat_button(words: Words, tournament: Tournament) -> discord.ui.Button[Any] | None:
    """Return the button that makes a series of a tournament, or None if it cannot be repeated."""
    plan = tournament.plan
    if plan.live and plan.traits.has_rounds:
        return button(control(tournament.id, "s_repeat"), words("series_button.repeat"))
    if not plan.live and plan.traits.makes_divisions and not plan.drawn:
        return button(control(tournament.id, "s_repeat"), words("series_button.divide"))
    return None


def answer_after_entering(words: Words, tournament: Tournament, person: int) -> str:
    """Return the answer to a person who has just entered, on what happens next."""
    entrant = tournament.entry_of(person)
    if entrant is None:
        return words("tournament.not_in")
    if person in entrant.regulars:
        return words("roster.you_are", names=wording.entry_name(words, tournament, entrant.number))
    plan = tournament.plan
    if entrant.stage is EntryStage.ASKED:
        asked = [one for one in entrant.people if one not in entrant.agreed]
        names = wording.person_names(words, tournament, asked)
        return words("tournament.you_asked", names=names, until=wording.date_and_time(entrant.asked_until or 0))
    if entrant.stage is EntryStage.WAITING:
        place = next(place for place, one in enumerate(waiting_entries(tournament), 1) if one.number == entrant.number)
        key = "tournament.you_pool" if tournament.stage is Stage.RUNNING else "tournament.you_wait"
        return words(key, place=wording.ordinal(words, place))
    if entrant.stage is EntryStage.PLAYING:
        return words("tournament.you_play", round=entrant.spans[-1].first)
    taken = plan.places - places_left(tournament)
    if plan.signs_up:
        return words("tournament.you_signed_up", when=wording.date_and_time(plan.starts_at))
    opens, closes = plan.starts_at - plan.check_in_from, plan.starts_at - plan.check_in_until
    return words(
        "tournament.you_are_in",
        count=taken,
        places=plan.places,
        opens=wording.clock_time(tournament, opens),
        closes=wording.clock_time(tournament, closes),
    )


async def require_organiser(context: Context, interaction: Interaction) -> None:
    """Raise `InputProblem` unless the person may create tournaments."""
    if not await is_organiser(context, interaction):
        raise InputProblem(InputCode.NOT_ORGANISER)


async def is_organiser(context: Context, interaction: Interaction) -> bool:
    """Return whether the person may create tournaments, because of their role or as an event manager."""
    role = (await context.servers.settings(interaction.guild_id or 0)).organiser
    user, allowed = interaction.user, interaction.permissions
    if role is None or allowed.manage_guild:
        return allowed.manage_guild or allowed.manage_events
    return isinstance(user, discord.Member) and user.get_role(role) is not None
