"""What a page of the desk is made from, and the frame that all of its pages have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import ui

from bot.i18n import Words
from bot.tournaments.desk.preview import may_look
from bot.tournaments.event.match_state import MatchState, RoundStage
from bot.tournaments.event.tournament import Stage, Tournament
from cogs.shared.door.components import (
    LONGEST_TEXT,
    SECONDARY,
    Page,
    Part,
    button,
    buttons,
    container,
    page,
    plain_suits,
    text,
)
from cogs.shared.reading.ids import ControlId
from cogs.tournament import links, wording

HOME = "desk"


@dataclass(frozen=True, slots=True)
class DeskView:
    """A tournament as a director looks at it at an instant, UTC milliseconds; `note` says what just happened."""

    words: Words
    tournament: Tournament
    viewer: int
    now: int
    note: str = ""

    @property
    def sees(self) -> bool:
        """Whether open hands, cases and sealed boards may be shown."""
        return may_look(self.tournament, self.viewer)

    @property
    def mends(self) -> bool:
        """Whether results can be ruled on."""
        return self.tournament.stage in (Stage.RUNNING, Stage.CLOSING)

    def control(self, action: str, *rest: str | int) -> ControlId:
        """A control of this tournament as it stands."""
        return links.control(self.tournament.id, action, *rest, version=self.tournament.version)

    def button(
        self, action: str, *rest: str | int, label: str | None = None, style: Any = SECONDARY, enabled: bool = True
    ) -> ui.Button[Any]:
        """A button, labelled by its action where no label is given."""
        said = self.words(f"desk_button.{action.removeprefix('desk_')}") if label is None else label
        return button(self.control(action, *rest), said, style=style, enabled=enabled)

    def wait_button(self, match: int, *, enabled: bool = True) -> ui.Button[Any]:
        """The button that gives those who are missing at a match more time, with how much."""
        label = None if self.tournament.plan.live else self.words("desk_button.wait_slow")
        return self.button("desk_wait", match, label=label, enabled=enabled)

    def back(self, action: str = HOME, *rest: str | int) -> ui.Button[Any]:
        """The way back to another page."""
        return button(self.control(action, *rest), self.words("desk.back"))

    def table(self, match: MatchState) -> str:
        """A match in one line of plain text: its round, its table, who meets."""
        sides = wording.sides(self.words, self.tournament, match)
        return self.words("desk.table", round=match.round, table=match.table, sides=sides)


def framed(look: DeskView, title: str, lines: list[str], *parts: Part | None) -> Page:
    """A page of the desk: what it is about, what just happened, what stands, and what can be done.

    Of what stands as much is shown as a message holds.
    """
    note = look.words("panel.note", note=look.note) if look.note else ""
    room = LONGEST_TEXT - len(note) - sum(len(one.content) for one in parts if isinstance(one, ui.TextDisplay))
    head = plain_suits("\n".join([title, *lines]))
    head = head if len(head) <= room else f"{head[: room - 1]}…"
    return page([container(text(head), text(note) if note else None, *parts)])


def home_page(look: DeskView) -> Page:
    """How the tournament stands, and the ways to everything else."""
    words, tournament = look.words, look.tournament
    name = wording.named(tournament)
    cases = sum(1 for one in tournament.cases if one.answered_by is None)
    ended = tournament.stage in (Stage.CLOSED, Stage.CANCELLED)
    pausing = "desk_resume" if tournament.paused else "desk_pause"
    first = buttons(
        look.button("desk_round"),
        look.button("desk_match", enabled=bool(tournament.matches)),
        look.button("desk_entry", enabled=bool(tournament.entrants)),
        look.button("desk_announce"),
        look.button(pausing, enabled=not ended and tournament.stage is not Stage.CLOSING),
    )
    second = buttons(
        look.button("desk_problems", label=words("desk_button.problems", count=cases)),
        look.button("desk_log"),
        look.button("desk_lists", enabled=look.sees),
        look.button("desk_directors"),
        _of_stage(look),
    )
    return framed(look, words("desk.title", name=name), state_lines(look), first, second)


def _of_stage(look: DeskView) -> ui.Button[Any] | None:
    """What can be done with the whole tournament at this stage alone; a ladder has no last round to end it."""
    match look.tournament.stage:
        case Stage.DRAFT:
            return look.button("t_page", "check", label=look.words("desk_button.plan"))
        case Stage.OPEN:
            return look.button("desk_unpublish", enabled=not look.tournament.entrants)
        case Stage.RUNNING if look.tournament.ladder is not None:
            return look.button("desk_close")
        case Stage.CLOSED:
            return look.button("desk_reopen")
        case _:
            return None


def state_lines(look: DeskView) -> list[str]:
    """How far the tournament is, and what it waits for."""
    words, tournament = look.words, look.tournament
    lines = [words(f"desk_stage.{tournament.stage.value}")]
    if tournament.paused_at is not None:
        lines.append(words("desk.paused", when=wording.at(tournament.paused_at)))
    turn = tournament.current
    if turn is not None:
        lines.append(words(f"desk_round.{turn.stage.value}", round=turn.number, planned=tournament.rounds_planned or 0))
        if turn.stage is RoundStage.DRAWN:
            lines.append(words("desk.called_at", when=wording.clock_time(tournament, turn.call_at)))
        waiting = open_tables(look)
        if waiting and turn.stage is not RoundStage.DRAWN:
            lines.append(words("desk.open_tables", count=len(waiting), tables=", ".join(map(str, waiting))))
    if not look.sees:
        lines.append(words("desk.plays"))
    return lines


def open_tables(look: DeskView) -> list[int]:
    """The tables of the newest round whose results are not in."""
    turn = look.tournament.current
    matches = () if turn is None else look.tournament.matches_of(turn.number)
    return [one.table for one in matches if one.result is None]
