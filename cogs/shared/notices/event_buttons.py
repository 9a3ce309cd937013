"""Buttons of event notices: to make the requested decision, or a link to the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from discord import ui

from bot.i18n import Words
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.discord_api.components import PRIMARY, SUCCESS, button
from cogs.shared.notices import links
from cogs.shared.notices.event_notices import NoticeKind, PendingNotice
from cogs.shared.notices.links import Links
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.showing import open_questions
from cogs.shared.showing.paused_games import return_to_seat_button

Button = ui.Button[Any]


def event_buttons(
    words: Words, snapshot: TableSnapshot, notice: PendingNotice, addresses: Links, *, at_table: bool
) -> list[Button]:
    """Return the buttons of a notice about an event.

    At the table the buttons make the decision that the event asks for. Elsewhere there is one button, which opens the
    table's message.
    """
    if notice.kind is NoticeKind.GONE:
        return [links.open_server_button(words, snapshot)]
    found = _DECISIONS[notice.kind](words, snapshot, notice) if at_table and notice.kind in _DECISIONS else []
    return found or [links.table_button(words, snapshot, addresses)]


def _vote_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    return open_questions.vote_buttons(words, snapshot)


def _claim_buttons(words: Words, snapshot: TableSnapshot, notice: PendingNotice) -> list[Button]:
    claim = snapshot.absence.claim(notice.seat)
    return [] if claim is None else open_questions.claim_buttons(words, snapshot, claim)


def _proposal_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    return list(open_questions.question_buttons(words, snapshot, refusal_label="absence.refuse"))


def _keep_game_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    return [_action_button(snapshot, "keep_game", words("absence.keep_game"), style=SUCCESS)]


def _confirm_return_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    return [_action_button(snapshot, "im_back", words("absence.im_back"), style=SUCCESS)]


def _open_hand_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    return [_action_button(snapshot, "hand", words("board.my_hand"))]


def _end_choice_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    return open_questions.end_choice_buttons(words, snapshot)


def _return_to_seat_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    found = return_to_seat_button(words, snapshot)
    return [] if found is None else [found]


def _missed_roll_call_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    argument = "" if snapshot.missed is None else str(snapshot.missed.at)
    return [
        _action_button(snapshot, "start_missed", words("roll_call.start_anyway"), argument, style=PRIMARY),
        _action_button(snapshot, "keep_lobby", words("roll_call.wait"), argument),
    ]


def _lobby_wait_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    argument = "" if snapshot.waiting is None else str(snapshot.waiting.at)
    return [
        _action_button(snapshot, "start_waiting", words("waiting.start"), argument, style=SUCCESS),
        _action_button(snapshot, "wait_on", words("waiting.wait"), argument),
    ]


def _sit_again_buttons(words: Words, snapshot: TableSnapshot, _notice: PendingNotice) -> list[Button]:
    return [_action_button(snapshot, "sit_again", words("roll_call.sit_down"), style=SUCCESS)]


def _action_button(snapshot: TableSnapshot, action: str, label: str, argument: str = "", **style: Any) -> Button:
    return button(ControlId(snapshot.id, snapshot.version, action, argument), label, **style)


_DECISIONS: Final[Mapping[NoticeKind, Callable[[Words, TableSnapshot, PendingNotice], list[Button]]]] = {
    NoticeKind.VOTE: _vote_buttons,
    NoticeKind.CLAIM: _claim_buttons,
    NoticeKind.OFFER: _proposal_buttons,
    NoticeKind.IDLE: _keep_game_buttons,
    NoticeKind.VOTED_ON: _confirm_return_buttons,
    NoticeKind.UNOPPOSED: _open_hand_buttons,
    NoticeKind.CHOICE: _end_choice_buttons,
    NoticeKind.AWAY: _return_to_seat_buttons,
    NoticeKind.AWAY_CHOICE: _return_to_seat_buttons,
    NoticeKind.MISSED: _missed_roll_call_buttons,
    NoticeKind.SILENT: _sit_again_buttons,
    NoticeKind.WAIT_ON: _lobby_wait_buttons,
}
