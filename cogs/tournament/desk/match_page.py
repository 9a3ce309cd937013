"""The desk's page of a match, with its deals, absent players and possible rulings, and its forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from bot.tournaments.counted_results import Deal
from bot.tournaments.event import matches, rulings
from bot.tournaments.event.match_state import MatchStage, MatchState
from bot.tournaments.event.tournament import Stage
from bot.tournaments.event.tournament_changes import persons_of
from cogs.shared.discord_api.components import (
    DANGER,
    LONGEST_OPTION,
    Form,
    Option,
    Page,
    Part,
    button_row,
    button_rows,
    fit_text,
    select,
)
from cogs.shared.reading.custom_ids import MOST_OPTIONS
from cogs.shared.telling import names
from cogs.tournament import wording
from cogs.tournament.desk.desk_view import DeskView, titled_page
from cogs.tournament.desk.forms import FormLine, lines_form, scores_as_typed, user_menu
from cogs.tournament.desk.rounds import match_state_text, reason_line

MOST_MENUS: Final = 3


def matches_page(view: DeskView, round_number: int) -> Page:
    """Return the page to choose a match of the round `round_number`, or another round."""
    words, tournament = view.words, view.tournament
    those = tournament.matches_of(round_number)
    menus = [
        select(
            view.control("desk_pick_match", round_number, first),
            words("desk.which_match"),
            [match_option(view, one) for one in those[first : first + MOST_OPTIONS]],
        )
        for first in range(0, min(len(those), MOST_MENUS * MOST_OPTIONS), MOST_OPTIONS)
    ]
    played = [one.number for one in tournament.rounds][-MOST_OPTIONS:]
    options = [Option(str(one), words("desk.round_number", round=one), chosen=one == round_number) for one in played]
    others = select(view.control("desk_pick_round"), words("desk.which_round"), options) if len(options) > 1 else None
    search = view.button("desk_search", round_number) if len(those) > MOST_OPTIONS else None
    return titled_page(view, words("desk.match_title"), [], *menus, others, button_row(search, view.back_button()))


def match_option(view: DeskView, match: MatchState) -> Option:
    """Return the match as a choice of a menu."""
    return Option(
        str(match.id), fit_text(view.match_label(match), LONGEST_OPTION, may_be_cut=True), match_state_text(view, match)
    )


def match_page(view: DeskView, match: MatchState, deals: Sequence[Deal]) -> Page:
    """Return the page of a match; `deals` are the finished ones that the director may see."""
    words, tournament = view.words, view.tournament
    lines = [
        match_state_text(view, match),
        *_absence_lines(view, match),
        *_deal_lines(view, match, deals),
        *_ruling_lines(view, match),
    ]
    own = view.viewer in persons_of(tournament, match)
    if own:
        lines.append(words("desk.own_match"))
    back = view.back_button("desk_match", match.round)
    if own or match.voided:
        return titled_page(view, f"**{view.match_label(match)}**", lines, button_row(_record_button(view, match), back))
    if match.result is None:
        parts: list[Part | None] = [_running_match_buttons(view, match)]
    else:
        parts = [_finished_match_buttons(view, match)]
    boards = view.button("desk_boards", match.id) if match.boards and view.can_rule_on_results else None
    return titled_page(
        view, f"**{view.match_label(match)}**", lines, *parts, button_row(_record_button(view, match), boards, back)
    )


def _record_button(view: DeskView, match: MatchState) -> ui.Button[Any] | None:
    return view.button("desk_record", match.id) if view.may_see_secrets and match.tables else None


def _running_match_buttons(view: DeskView, match: MatchState) -> Part | None:
    called = match.stage is not MatchStage.WAITING and view.tournament.stage is Stage.RUNNING
    waits = bool(matches.awaited_turns(match)) and match.stage is MatchStage.PLAYING
    return button_row(
        view.button("desk_substitute", match.id, enabled=called),
        view.wait_button(match.id, enabled=called and waits),
        view.button("desk_forfeit", match.id, style=DANGER, enabled=called and view.may_judge),
        view.button("desk_extend", match.id, enabled=called and match.due is not None),
    )


def _finished_match_buttons(view: DeskView, match: MatchState) -> Part | None:
    return button_row(
        view.button("desk_adjust", match.id, enabled=view.can_rule_on_results),
        view.button("desk_points", match.id, enabled=view.can_rule_on_results),
        view.button("desk_forfeit", match.id, style=DANGER, enabled=view.can_rule_on_results),
        view.button("desk_void", match.id, style=DANGER, enabled=view.can_rule_on_results),
    )


def _absence_lines(view: DeskView, match: MatchState) -> list[str]:
    """Return a line on the absent players of a called match.

    It says when the directors are told, or when the match is forfeited.
    """
    tournament = view.tournament
    turn = matches.awaited_turn(tournament, match)
    if match.result is not None or match.voided or turn is None or match.stage is not MatchStage.PLAYING:
        return []
    named = wording.person_names(view.words, tournament, matches.awaited_persons(tournament, match))
    at = matches.no_show_deadline(tournament, turn)
    key = "desk.forfeit_at" if turn.waited else "desk.told_at"
    return [view.words(key, names=named, when=wording.clock_time(tournament, at))]


def _deal_lines(view: DeskView, match: MatchState, deals: Sequence[Deal]) -> list[str]:
    lines = []
    for one in deals:
        text = view.words("desk.deal", deal=one.number, scores=":".join(map(str, one.scores)))
        if one.as_played is not None:
            text = view.words("desk.deal_was", deal=text, scores=":".join(map(str, one.as_played)))
        lines.append(text)
    if len(deals) > 1:
        totals = [sum(one.scores[side] for one in deals if not one.void) for side in range(len(match.sides))]
        lines.append(view.words("desk.total", scores=":".join(map(str, totals))))
    return lines


def _ruling_lines(view: DeskView, match: MatchState) -> list[str]:
    """Return lines on sides that lost without playing, and on directors' rulings."""
    ruling, result, words = rulings.valid_ruling(view.tournament, match.id), match.result, view.words
    forfeited = ruling.sides if ruling is not None else result.forfeited if result is not None else ()
    lost = [wording.side_name(words, view.tournament, match.sides[side]) for side in forfeited]
    lines = [words("desk.forfeited", names=", ".join(lost))] if lost else []
    if ruling is not None:
        by, what = wording.person_name(words, view.tournament, ruling.by), words(f"desk_ruled.{ruling.what.value}")
        lines.append(words("desk.ruled", what=what, by=by, reason=names.escape_name(ruling.reason, longest=300)))
    return lines


# --- questions before an action --------------------------------------------------------------------------------------


def substitute_page(view: DeskView, match: MatchState) -> Page:
    """Return the page to choose the player to be substituted."""
    options = [
        Option(str(seat), wording.person_name(view.words, view.tournament, one))
        for seat, one in enumerate(match.seats)
        if one is not None
    ]
    menu = select(view.control("desk_seat", match.id), view.words("desk.which_seat"), options)
    return titled_page(
        view, f"**{view.match_label(match)}**", [], menu, button_row(view.back_button("desk_of_match", match.id))
    )


def substitute_choice_page(view: DeskView, match: MatchState, seat: int) -> Page:
    """Return the page to choose the substitute for a seat."""
    person = match.seats[seat]
    name = view.words("seat.empty") if person is None else wording.person_name(view.words, view.tournament, person)
    menu = user_menu(view.control("desk_seated", match.id, seat), view.words("desk.who_instead"))
    lines = [view.words("desk.instead_of", name=name)]
    return titled_page(
        view, f"**{view.match_label(match)}**", lines, menu, button_row(view.back_button("desk_of_match", match.id))
    )


def forfeit_page(view: DeskView, match: MatchState) -> Page:
    """Return the page to choose which sides of the match forfeit it."""
    over = "open" if match.result is None else "over"
    ways = [
        view.button(
            "desk_forfeits", match.id, side, over, label=wording.side_name(view.words, view.tournament, entries)
        )
        for side, entries in enumerate(match.sides)
    ]
    everybody = "".join(str(side) for side in range(len(match.sides)))
    ways.append(view.button("desk_forfeits", match.id, everybody, over, label=view.words("desk.all_forfeit")))
    back = button_row(view.back_button("desk_of_match", match.id))
    return titled_page(
        view, f"**{view.match_label(match)}**", [view.words("desk.who_forfeits")], *button_rows(ways), back
    )


def forfeit_form(view: DeskView, match: MatchState, sides: str, is_over: str) -> Form:
    """Return the form for the reason of a forfeit by these sides; `is_over`: the match is finished."""
    control = view.control("desk_forfeited", match.id, sides, is_over)
    return lines_form(control, view.words("desk_button.forfeit"), [reason_line(view)])


def void_form(view: DeskView, match: MatchState) -> Form:
    """Return the form for the reason why a match is void."""
    return lines_form(view.control("desk_voided", match.id), view.words("desk_button.void"), [reason_line(view)])


def extend_form(view: DeskView, match: MatchState) -> Form:
    """Return the form for extending the time of a match."""
    hint = view.words("desk_form.length_hint" if view.tournament.plan.live else "desk_form.extend_hint")
    line = FormLine("time", view.words("desk_form.longer"), hint, longest=20)
    return lines_form(view.control("desk_extended", match.id), view.words("desk_button.extend"), [line])


def adjust_form(view: DeskView, match: MatchState, deals: Sequence[Deal]) -> Form:
    """Return the form to change the scores of a match, with a reason."""
    filled = scores_as_typed([one.scores for one in deals])
    line = FormLine("scores", view.words("desk_form.scores"), view.words("desk_form.scores_hint"), filled, longest=400)
    return lines_form(
        view.control("desk_adjusted", match.id), view.words("desk_button.adjust"), [line, reason_line(view)]
    )


def points_form(view: DeskView, match: MatchState) -> Form:
    """Return the form to award match points without scores of deals, with a reason."""
    line = FormLine("points", view.words("desk_form.points"), view.words("desk_form.points_hint"), longest=40)
    return lines_form(
        view.control("desk_pointed", match.id), view.words("desk_button.points"), [line, reason_line(view)]
    )


def boards_page(view: DeskView, match: MatchState) -> Page:
    """Return the page to choose an unplayed board of the match and which side, if any, is at fault."""
    faults = ["", *(str(side) for side in range(len(match.sides)))]
    options = [
        Option(f"{board}.{fault}", _fault_label(view, match, board, fault))
        for board in match.boards
        for fault in faults
    ]
    menu = select(view.control("desk_board", match.id), view.words("desk.which_board"), options)
    return titled_page(
        view, f"**{view.match_label(match)}**", [], menu, button_row(view.back_button("desk_of_match", match.id))
    )


def _fault_label(view: DeskView, match: MatchState, board: int, fault: str) -> str:
    if not fault:
        return view.words("desk.no_fault", board=board)
    return view.words(
        "desk.fault", board=board, names=wording.side_name(view.words, view.tournament, match.sides[int(fault)])
    )


def board_form(view: DeskView, match: MatchState, board: str, fault: str) -> Form:
    """Return the form for the reason of a board's adjustment."""
    control = view.control("desk_boarded", match.id, board, fault or "none")
    return lines_form(control, view.words("desk.board_title", board=board), [reason_line(view)])
