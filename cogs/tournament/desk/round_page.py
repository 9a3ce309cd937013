"""The desk's page of a round: its tables, and what can be done with all of them."""

from __future__ import annotations

from typing import Final

from bot.tournaments.event.contests import MatchStage, MatchState, RoundStage
from bot.tournaments.event.values import Stage
from cogs.shared.door.components import DANGER, LONGEST_TEXT, Form, Page, buttons
from cogs.tournament import wording
from cogs.tournament.desk.desk_forms import Line, lines_form
from cogs.tournament.desk.look import DeskView, framed, open_tables, state_lines

ROOM: Final = LONGEST_TEXT - 1200
BEFORE: Final = (Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN)


def round_page(look: DeskView) -> Page:
    """The newest round table by table, and what keeps the next one from being drawn."""
    words, tournament = look.words, look.tournament
    turn, running = tournament.current, tournament.stage is Stage.RUNNING
    lines = state_lines(look)
    waiting = open_tables(look)
    if turn is not None:
        matches = tournament.matches_of(turn.number)
        if running and waiting and turn.stage is RoundStage.CALLED:
            lines.append(words("desk.next_waits", tables=", ".join(map(str, waiting)), count=len(waiting)))
        lines += _that_fit([match_line(look, one) for one in matches], look)
        away = [wording.entry(words, tournament, one.entry) for one in turn.away]
        if away:
            lines.append(words("desk.unpaired", names=", ".join(away)))
    ruled = buttons(
        look.button("desk_repair", enabled=running and turn is not None),
        look.button("desk_by_hand", enabled=running and turn is not None),
        look.button("desk_void_round", style=DANGER, enabled=running and turn is not None),
    )
    drawn = turn is not None and turn.stage is RoundStage.DRAWN
    moved = buttons(
        look.button("desk_call", enabled=running and drawn),
        look.button("desk_postpone", enabled=tournament.stage in BEFORE or (running and drawn)),
        look.button("desk_cancel", style=DANGER, enabled=running or tournament.stage in BEFORE),
        look.back(),
    )
    return framed(look, words("desk.round_title"), lines, ruled, moved)


def _that_fit(lines: list[str], look: DeskView) -> list[str]:
    """As many lines as a message holds, and how many are left out."""
    kept: list[str] = []
    taken = 0
    for line in lines:
        taken += len(line) + 1
        if taken > ROOM:
            return [*kept, look.words("desk.more_tables", count=len(lines) - len(kept))]
        kept.append(line)
    return kept


def match_line(look: DeskView, match: MatchState) -> str:
    """A match by its table, with how far it is."""
    sides = wording.sides(look.words, look.tournament, match)
    return look.words("desk.match_line", table=match.table, sides=sides, state=state(look, match))


def state(look: DeskView, match: MatchState) -> str:
    """How far a match is."""
    words, tournament = look.words, look.tournament
    if match.voided:
        return words("desk_match.void")
    if match.stage is MatchStage.PLAYING and match.due is not None:
        return words("desk_match.playing", until=wording.clock_time(tournament, match.due))
    return words(f"desk_match.{match.stage.value}")


def void_form(look: DeskView) -> Form:
    """Why a round is void."""
    return lines_form(look.control("desk_round_void"), look.words("desk_button.void_round"), [reason_line(look)])


def reason_line(look: DeskView, *, required: bool = True) -> Line:
    """The line in which a reason is typed."""
    return Line("reason", look.words("desk_form.reason"), look.words("desk_form.reason_hint"), required=required)


def cancel_form(look: DeskView) -> Form:
    """Why a tournament is not played on."""
    return lines_form(look.control("desk_cancelled"), look.words("desk_button.cancel"), [reason_line(look)])


def postpone_form(look: DeskView) -> Form:
    """By how much the start, or the next round, is later."""
    line = Line("time", look.words("desk_form.later"), look.words("desk_form.length_hint"), longest=20)
    return lines_form(look.control("desk_postponed"), look.words("desk_button.postpone"), [line])


def pairing_form(look: DeskView) -> Form:
    """Who is to meet whom: the present pairing, to be changed."""
    turn = look.tournament.current
    matches = () if turn is None else look.tournament.matches_of(turn.number)
    tables = [" - ".join(str(entry) for side in one.sides for entry in side) for one in matches]
    byes = [] if turn is None else [str(one.entry) for one in turn.away]
    line = Line(
        "pairing",
        look.words("desk_form.pairing"),
        look.words("desk_form.pairing_hint"),
        filled="\n".join([*tables, *byes]),
        longest=2000,
        long=True,
    )
    return lines_form(look.control("desk_paired"), look.words("desk_button.by_hand"), [line])


def announce_form(look: DeskView) -> Form:
    """What all are told."""
    label = look.words("desk_form.announcement")
    line = Line("text", label, longest=1500, long=True)
    return lines_form(look.control("desk_announced"), look.words("desk_button.announce"), [line])
