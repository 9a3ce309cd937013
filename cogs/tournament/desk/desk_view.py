"""The view that desk pages are built from, the frame of every page, and the desk's home page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tournaments.desk.ruling_preview import impartial_directors, may_see_open_hands
from bot.tournaments.event.match_state import MatchState, RoundStage
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import is_entered
from cogs.shared.discord_api.components import (
    LONGEST_TEXT,
    SECONDARY,
    Page,
    Part,
    button,
    button_row,
    container,
    page,
    suits_as_text,
    text,
)
from cogs.shared.reading.custom_ids import ControlId
from cogs.tournament import control_ids, wording
from cogs.tournament.announcement import repeat_button

HOME = "desk"


@dataclass(frozen=True, slots=True)
class DeskView:
    """A tournament as a director sees it.

    `now` is in UTC milliseconds, `note` says what just happened, `unreached` are the persons whom a direct message did
    not reach.
    """

    words: Words
    tournament: Tournament
    viewer: int
    now: int
    note: str = ""
    unreached: tuple[int, ...] = ()

    @property
    def may_see_secrets(self) -> bool:
        """Return whether the director may see open hands, cases and sealed boards."""
        return may_see_open_hands(self.tournament, self.viewer)

    @property
    def can_rule_on_results(self) -> bool:
        """Return whether the director can make rulings on results now."""
        return self.may_judge and self.tournament.stage in (Stage.RUNNING, Stage.CLOSING)

    @property
    def may_judge(self) -> bool:
        """Return whether the director may make rulings, remove entries and change pairings.

        Directors who play in the tournament may not.
        """
        return not is_entered(self.tournament, self.viewer)

    def control(self, action: str, *rest: str | int) -> ControlId:
        """Return the id of a control of this tournament in its current version."""
        return control_ids.control(self.tournament.id, action, *rest, version=self.tournament.version)

    def button(
        self, action: str, *rest: str | int, label: str | None = None, style: Any = SECONDARY, enabled: bool = True
    ) -> ui.Button[Any]:
        """Return a button of the desk; without a label it has the usual one of its action."""
        message = self.words(f"desk_button.{action.removeprefix('desk_')}") if label is None else label
        return button(self.control(action, *rest), message, style=style, enabled=enabled)

    def wait_button(self, match: int, *, enabled: bool = True) -> ui.Button[Any]:
        """Return the button that gives the absent players of a match more time to appear."""
        label = None if self.tournament.plan.live else self.words("desk_button.wait_slow")
        return self.button("desk_wait", match, label=label, enabled=enabled)

    def back_button(self, action: str = HOME, *rest: str | int) -> ui.Button[Any]:
        """Return the button that leads back to the page of `action`."""
        return button(self.control(action, *rest), self.words("desk.back"))

    def match_label(self, match: MatchState) -> str:
        """Return a match as one line of plain text: round, table and sides."""
        sides = wording.side_names(self.words, self.tournament, match)
        return self.words("desk.table", round=match.round, table=match.table, sides=sides)


def titled_page(view: DeskView, title: str, lines: list[str], *parts: Part | None) -> Page:
    """Return a page of the desk: title, note, lines, and controls.

    Lines that exceed the length of a message are cut.
    """
    note = view.words("panel.note", note=view.note) if view.note else ""
    room = LONGEST_TEXT - len(note) - sum(len(one.content) for one in parts if isinstance(one, ui.TextDisplay))
    head = suits_as_text("\n".join([title, *lines]))
    head = head if len(head) <= room else f"{head[: room - 1]}…"
    return page([container(text(head), text(note) if note else None, *parts)])


def home_page(view: DeskView) -> Page:
    """Return the home page: the tournament's state, and buttons to all other pages."""
    words, tournament = view.words, view.tournament
    name = wording.tournament_name(tournament)
    cases = sum(1 for one in tournament.cases if one.answered_by is None)
    ended = tournament.stage in (Stage.CLOSED, Stage.CANCELLED)
    pausing = "desk_resume" if tournament.is_paused else "desk_pause"
    first = button_row(
        view.button("desk_round"),
        view.button("desk_match", enabled=bool(tournament.matches)),
        view.button("desk_entry", enabled=bool(tournament.entrants)),
        view.button("desk_announce"),
        view.button(pausing, enabled=not ended and tournament.stage is not Stage.CLOSING),
    )
    second = button_row(
        view.button("desk_problems", label=words("desk_button.problems", count=cases)),
        view.button("desk_log"),
        view.button("desk_lists", enabled=view.may_see_secrets),
        view.button("desk_directors"),
        _stage_button(view),
    )
    again = view.button("t_again", label=words("tournament.again")) if ended else None
    repeat = repeat_button(view.words, view.tournament) if view.tournament.stage is Stage.CLOSED else None
    third = button_row(again, repeat)
    return titled_page(view, words("desk.title", name=name), state_lines(view), first, second, third)


def _stage_button(view: DeskView) -> ui.Button[Any] | None:
    """Return the button that only the current stage has, such as closing a ladder, or None."""
    match view.tournament.stage:
        case Stage.DRAFT:
            return view.button("t_page", "check", label=view.words("desk_button.plan"))
        case Stage.OPEN:
            return view.button("desk_unpublish", enabled=all(one.has_left for one in view.tournament.entrants))
        case Stage.RUNNING if view.tournament.ladder is not None:
            return view.button("desk_close")
        case Stage.CLOSED:
            return view.button("desk_reopen")
        case _:
            return None


def state_lines(view: DeskView) -> list[str]:
    """Return lines on the tournament's progress, and on what has to happen before it goes on."""
    words, tournament = view.words, view.tournament
    lines = [words(f"desk_stage.{tournament.stage.value}")]
    if tournament.paused_at is not None:
        lines.append(words("desk.paused", when=wording.date_and_time(tournament.paused_at)))
    turn = tournament.current_round
    if turn is not None:
        lines.append(words(f"desk_round.{turn.stage.value}", round=turn.number, planned=tournament.rounds_planned or 0))
        if turn.stage is RoundStage.DRAWN:
            lines.append(words("desk.called_at", when=wording.clock_time(tournament, turn.call_at)))
        waiting = tables_without_result(view)
        if waiting and turn.stage is not RoundStage.DRAWN:
            lines.append(words("desk.open_tables", count=len(waiting), tables=", ".join(map(str, waiting))))
    if view.unreached:
        missed = ", ".join(wording.person_name(words, tournament, one) for one in view.unreached)
        lines.append(words("desk.undelivered", names=missed))
    if not view.may_see_secrets:
        named = ", ".join(wording.person_name(words, tournament, one) for one in impartial_directors(tournament))
        lines.append(words("desk.plays", names=named) if named else words("desk.plays_alone"))
    return lines


def tables_without_result(view: DeskView) -> list[int]:
    """Return the numbers of the tables in the newest round that have no result yet."""
    turn = view.tournament.current_round
    matches = () if turn is None else view.tournament.matches_of(turn.number)
    return [one.table for one in matches if one.result is None]
