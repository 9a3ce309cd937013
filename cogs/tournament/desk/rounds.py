"""The desk's page of a round with its forms, and the preview of a ruling's consequences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.tournaments.desk.ruling_preview import ProposedRuling, ProposedRulingKind, RulingPreview
from bot.tournaments.event.match_state import MatchStage, MatchState, RoundStage
from bot.tournaments.event.tournament import Ruling, Stage
from bot.tournaments.standings.changed_places import PlaceChange, ReversedResult
from cogs.shared.discord_api.components import DANGER, LONGEST_TEXT, Form, Page, Part, button_row
from cogs.shared.telling import names
from cogs.tournament import wording
from cogs.tournament.desk.desk_view import DeskView, state_lines, tables_without_result, titled_page
from cogs.tournament.desk.forms import REASON, SCORES, FormLine, lines_form, scores_as_typed, text_to_read_back


def ruling_preview_page(view: DeskView, proposal: ProposedRuling, preview: RulingPreview) -> Page:
    """Return the page that shows what a proposed ruling would change, with the button to make it."""
    match = view.tournament.match(proposal.match)
    typed = (
        scores_as_typed(proposal.scores)
        if proposal.scores
        else scores_as_typed([proposal.points])
        if proposal.points
        else ""
    )
    holding: list[Part | None] = [
        text_to_read_back(SCORES, typed) if typed else None,
        text_to_read_back(REASON, proposal.reason),
    ]
    sides = "".join(str(side) for side in proposal.sides) or "none"
    act = view.button("desk_do", match.id, proposal.does.value, sides, style=DANGER)
    lines = [view.words(f"desk_ruled.{proposal.does.value}"), *consequence_lines(view, preview)]
    row = button_row(act, view.back_button("desk_of_match", match.id))
    return titled_page(view, f"**{view.match_label(match)}**", lines, *holding, row)


def undo_page(view: DeskView, ruling: Ruling, preview: RulingPreview) -> Page:
    """Return the page that shows what undoing a ruling would change, with the button to undo it."""
    lines = [ruling_line(view, ruling), *consequence_lines(view, preview)]
    row = button_row(view.button("desk_undone", ruling.number, style=DANGER), view.back_button("desk_log", 0))
    return titled_page(view, view.words("desk.undo_title"), lines, row)


def ruling_line(view: DeskView, ruling: Ruling) -> str:
    """Return a ruling as one line."""
    words, tournament = view.words, view.tournament
    if ruling.match is not None:
        about = view.match_label(tournament.match(ruling.match))
    else:
        about = wording.entry_name(words, tournament, ruling.entry or 0)
    return words(
        "desk.ruling",
        what=words(f"desk_ruled.{ruling.what.value}"),
        about=about,
        by=wording.person_name(words, tournament, ruling.by),
        reason=names.escape_name(ruling.reason, longest=300),
    )


def consequence_lines(view: DeskView, preview: RulingPreview) -> list[str]:
    """Return lines on what a ruling changes (results, places), or that it changes nothing."""
    words = view.words
    texts = [*(new_result_line(view, one) for one in preview.changes.turned)]
    places = _place_ranges(preview.changes.moved)
    if places:
        texts.append(words("desk.places", count=len(preview.changes.moved), places=places))
    lines = [f"**{'; '.join(texts)}**" if texts else words("desk.changes_nothing")]
    if preview.voided:
        tables = [str(view.tournament.match(one).table) for one in preview.voided]
        lines.append(words("desk.voids", count=len(tables), tables=", ".join(tables)))
    lines += [words("desk.played_again", table=view.tournament.match(one).table) for one in preview.again]
    if preview.called:
        lines.append(words("desk.keep_pairings"))
    if preview.redrawn is not None:
        lines.append(words("desk.drawn_anew", round=preview.redrawn))
    return lines


def new_result_line(view: DeskView, reversed_result: ReversedResult) -> str:
    """Return a line on the new result of a match: winner, tie, or that it does not count."""
    names = [wording.entry_names(view.words, view.tournament, group) for group in reversed_result.groups]
    if not names:
        match = view.tournament.match(reversed_result.match)
        return view.words("desk.counts_not", table=match.table)
    if len(names) == 1:
        return view.words("desk.ties", names=names[0])
    return view.words("desk.beats", first=names[0], second=", ".join(names[1:]))


def _place_ranges(changes: Sequence[PlaceChange]) -> str:
    """Return text on the places that change, with ranges: "2–3, 7"."""
    places = sorted({place for one in changes for place in (one.before, one.after) if place is not None})
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def read_proposal(
    ruling_kind: str, match: int, sides: str, *, scores: tuple[tuple[int, ...], ...], reason: str
) -> ProposedRuling:
    """Return the ruling that a page proposes. Raises `ValueError` if `ruling_kind` names no kind of ruling."""
    kind = ProposedRulingKind(ruling_kind)
    return ProposedRuling(
        does=kind,
        match=match,
        scores=scores if kind is ProposedRulingKind.ADJUST else (),
        points=scores[0] if kind is ProposedRulingKind.POINTS else (),
        sides=() if sides == "none" else tuple(int(side) for side in sides),
        reason=reason,
    )


ROOM: Final = LONGEST_TEXT - 1200
BEFORE: Final = (Stage.DRAFT, Stage.OPEN, Stage.CHECK_IN)


def round_page(view: DeskView) -> Page:
    """Return the page of the newest round: its tables, and why the next round is not drawn yet."""
    words, tournament = view.words, view.tournament
    turn, running = tournament.current_round, tournament.stage is Stage.RUNNING
    lines = state_lines(view)
    waiting = tables_without_result(view)
    if turn is not None:
        matches = tournament.matches_of(turn.number)
        if running and waiting and turn.stage is RoundStage.CALLED:
            lines.append(words("desk.next_waits", tables=", ".join(map(str, waiting)), count=len(waiting)))
        lines += _fitting_lines([match_line(view, one) for one in matches], view)
        away = [wording.entry_name(words, tournament, one.entry) for one in turn.away]
        if away:
            lines.append(words("desk.unpaired", names=", ".join(away)))
    may_rule = view.may_judge and running and turn is not None
    ruled = button_row(
        view.button("desk_repair", enabled=may_rule),
        view.button("desk_by_hand", enabled=may_rule),
        view.button("desk_void_round", style=DANGER, enabled=may_rule),
    )
    drawn = turn is not None and turn.stage is RoundStage.DRAWN
    moved = button_row(
        view.button("desk_call", enabled=running and drawn),
        view.button("desk_postpone", enabled=tournament.stage in BEFORE or (running and drawn)),
        view.button("desk_cancel", style=DANGER, enabled=running or tournament.stage in BEFORE),
        view.back_button(),
    )
    return titled_page(view, words("desk.round_title"), lines, ruled, moved)


def _fitting_lines(lines: list[str], view: DeskView) -> list[str]:
    """Return the lines that fit into a message, followed by a line on how many are left out."""
    kept: list[str] = []
    taken = 0
    for line in lines:
        taken += len(line) + 1
        if taken > ROOM:
            return [*kept, view.words("desk.more_tables", count=len(lines) - len(kept))]
        kept.append(line)
    return kept


def match_line(view: DeskView, match: MatchState) -> str:
    """Return one line on a match: its table and state."""
    sides = wording.side_names(view.words, view.tournament, match)
    return view.words("desk.match_line", table=match.table, sides=sides, state=match_state_text(view, match))


def match_state_text(view: DeskView, match: MatchState) -> str:
    """Return text on the state of a match."""
    words, tournament = view.words, view.tournament
    if match.voided:
        return words("desk_match.void")
    if match.stage is MatchStage.PLAYING and match.due is not None:
        return words("desk_match.playing", until=wording.clock_time(tournament, match.due))
    return words(f"desk_match.{match.stage.value}")


def void_form(view: DeskView) -> Form:
    """Return the form for the reason why a round is void."""
    return lines_form(view.control("desk_round_void"), view.words("desk_button.void_round"), [reason_line(view)])


def reason_line(view: DeskView, *, required: bool = True) -> FormLine:
    """Return the line of a form for a reason."""
    return FormLine("reason", view.words("desk_form.reason"), view.words("desk_form.reason_hint"), required=required)


def cancel_form(view: DeskView) -> Form:
    """Return the form for the reason why a tournament is cancelled."""
    return lines_form(view.control("desk_cancelled"), view.words("desk_button.cancel"), [reason_line(view)])


def postpone_form(view: DeskView) -> Form:
    """Return the form to postpone the start or the next round."""
    line = FormLine("time", view.words("desk_form.later"), view.words("desk_form.length_hint"), longest=20)
    return lines_form(view.control("desk_postponed"), view.words("desk_button.postpone"), [line])


def pairing_form(view: DeskView) -> Form:
    """Return the form to change the current pairing."""
    turn = view.tournament.current_round
    matches = () if turn is None else view.tournament.matches_of(turn.number)
    tables = [" - ".join(str(entry) for side in one.sides for entry in side) for one in matches]
    byes = [] if turn is None else [str(one.entry) for one in turn.away]
    line = FormLine(
        "pairing",
        view.words("desk_form.pairing"),
        view.words("desk_form.pairing_hint"),
        filled="\n".join([*tables, *byes]),
        longest=2000,
        long=True,
    )
    return lines_form(view.control("desk_paired"), view.words("desk_button.by_hand"), [line])


def announce_form(view: DeskView) -> Form:
    """Return the form for an announcement to all players."""
    label = view.words("desk_form.announcement")
    line = FormLine("text", label, longest=1500, long=True)
    return lines_form(view.control("desk_announced"), view.words("desk_button.announce"), [line])
