"""The public message of a running or finished table, and the pages about fair dealing. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any, Final

from discord import ui

from bot.engine.moves.phases import Phase
from bot.engine.table.views import PublicView
from bot.i18n import Words
from bot.tables.state.snapshots import ClosingReason, Shuffle, Status, TableSnapshot
from cogs.shared.discord_api.components import (
    GOLD,
    GREEN,
    GREY,
    PRIMARY,
    SUCCESS,
    Option,
    Page,
    Part,
    Picture,
    button,
    button_row,
    button_rows,
    container,
    gallery,
    page,
    select,
    text,
)
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.showing.open_questions import (
    absence_buttons,
    absence_lines,
    end_pause_button,
    question_buttons,
    question_text,
)
from cogs.shared.showing.paused_games import paused_text, return_to_seat_button
from cogs.shared.telling import play_text
from cogs.shared.telling.names import theme_texts
from cogs.shared.telling.status_text import (
    clock_line,
    discord_timestamp,
    mention_line,
    penalty_lines,
    resting_line,
    result_text,
    status_headline,
    totals_text,
    waiting_line,
    waiting_since,
)

MOST_MENUS: Final = 4
"""Maximum menus of deals on a page; older deals are checked from their own score sheets."""

PLAIN_DECKS: Final = 2
"""Decks, and jokers per deck, that the checking command assumes by default."""


def fair_dealing_page(words: Words, snapshot: TableSnapshot, deal: str = "") -> Page:
    """Return the page that explains fair dealing, with the fingerprints of open deals.

    `deal` is the number of the deal that its check button shows first, or "".
    """
    open_seals = [one for one in snapshot.shuffle if one.seed is None]
    seals = [words("fair.sealed", deal=one.deal, seal=one.commitment) for one in open_seals]
    lines = [words("fair.title"), words("fair.text"), *seals]
    return page([container(text("\n".join(lines)), _shuffle_page_buttons(words, snapshot, deal))])


def shuffle_computation_page(words: Words, snapshot: TableSnapshot, deal: str = "") -> Page:
    """Return the page on how the order of the cards follows from the published values."""
    return page(
        [
            container(
                text(f"{words('fair.how_title')}\n{words('fair.how')}"), _shuffle_page_buttons(words, snapshot, deal)
            )
        ]
    )


def shuffle_check_page(words: Words, snapshot: TableSnapshot, deal: int | None = None) -> Page:
    """Return a page with all published values of a deal, and a menu of other deals.

    Without a `deal` it shows the latest one that can be checked.
    """
    those = [one for one in snapshot.shuffle if revealed_shuffle(snapshot, one.deal) is not None]
    if not those:
        lines = [words("fair.check_title"), *known_cards_lines(words, snapshot), words("fair.not_yet")]
        return page([container(text("\n".join(lines)))])
    shown = next((one for one in those if one.deal == deal), those[-1])
    message = "\n".join(
        [
            words("fair.check_title"),
            *known_cards_lines(words, snapshot),
            *_published_shuffle_values(words, snapshot, shown),
        ]
    )
    menus = _deal_menus(words, snapshot, [one.deal for one in those], shown.deal)
    how = button(ControlId(snapshot.id, snapshot.version, "fair_how", str(shown.deal)), words("fair.how_button"))
    return page([container(text(message), *menus, button_row(how))])


def revealed_shuffle(snapshot: TableSnapshot, deal: int) -> Shuffle | None:
    """Return the published values of the deal's shuffle if they include the secret number, else None."""
    found = (one for one in snapshot.shuffle if one.deal == deal)
    return next((one for one in found if one.seed is not None and one.contributions is not None), None)


def known_cards_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return a line saying that the first deal repeats the cards of another game, if it does."""
    of = snapshot.cards_of
    return [] if of is None else [words("past.known", deal=of.deal, of=of.table)]


def shuffle_check_command(snapshot: TableSnapshot, shuffle: Shuffle) -> str:
    """Return the command line that rebuilds and checks the deck of a deal (`docs/shuffle.md`)."""
    parts = ["canasta-bot", "verify", "--table", str(snapshot.id), "--deal", str(shuffle.deal)]
    parts += ["--commitment", shuffle.commitment, "--seed", shuffle.seed or ""]
    if shuffle.contributions:
        parts += ["--contributions", ",".join(shuffle.contributions)]
    if snapshot.terms.decks != PLAIN_DECKS:
        parts += ["--decks", str(snapshot.terms.decks)]
    if snapshot.terms.jokers_per_deck != PLAIN_DECKS:
        parts += ["--jokers-per-deck", str(snapshot.terms.jokers_per_deck)]
    return shlex.join(parts)


def _published_shuffle_values(words: Words, snapshot: TableSnapshot, shuffle: Shuffle) -> list[str]:
    mixed = ",".join(shuffle.contributions or ())
    return [
        f"**{words('fair.deal', deal=shuffle.deal)}**",
        words("fair.seal", seal=shuffle.commitment),
        words("fair.number", seed=shuffle.seed),
        words("fair.mixed_in", contributions=mixed) if mixed else words("fair.nothing_mixed_in"),
        words("fair.command"),
        f"```\n{shuffle_check_command(snapshot, shuffle)}\n```",
    ]


def _deal_menus(words: Words, snapshot: TableSnapshot, deals: Sequence[int], shown: int) -> list[Part | None]:
    """Return menus of deals, the latest first; none if there is only one deal."""
    if len(deals) < 2:
        return []
    newest = sorted(deals, reverse=True)
    groups = [newest[first : first + MOST_OPTIONS] for first in range(0, len(newest), MOST_OPTIONS)][:MOST_MENUS]
    return [
        select(
            ControlId(snapshot.id, snapshot.version, "fair_deal", str(group[0])),
            words("fair.choose") if len(groups) == 1 else words("fair.choose_of", first=group[-1], last=group[0]),
            [Option(str(deal), words("fair.deal", deal=deal), chosen=deal == shown) for deal in group],
        )
        for group in groups
    ]


def _shuffle_page_buttons(words: Words, snapshot: TableSnapshot, deal: str) -> Part | None:
    return button_row(
        button(ControlId(snapshot.id, snapshot.version, "fair_check", deal), words("fair.check")),
        button(ControlId(snapshot.id, snapshot.version, "fair_how", deal), words("fair.how_button")),
    )


LAST_ROUND: Final = 1200
"""Maximum characters of the last round."""

_CLOSED: Final = {
    ClosingReason.ASKED: "lobby.closed_asked",
    ClosingReason.AGREED: "lobby.closed_agreed",
    ClosingReason.EMPTY: "lobby.closed_empty",
    ClosingReason.EXPIRED: "lobby.closed_expired",
    ClosingReason.IDLE: "absence.closed_idle",
    ClosingReason.VOID: "contest.closed_void",
}


def board_page(
    words: Words,
    snapshot: TableSnapshot,
    *,
    picture: Picture | None = None,
    mention: int | None = None,
    description: str = "",
) -> Page:
    """Return the public message of a table whose game has begun, or that is closed.

    `mention` is the person it notifies; `description` is the text shown if there is no picture.
    """
    pictures = () if picture is None else (picture,)
    mentions = () if mention is None else (mention,)
    parts = [*_body_parts(words, snapshot, picture, mention, description), *_button_rows(words, snapshot)]
    return page([container(*parts, edge=_edge_colour(snapshot))], pictures, mentions)


def _edge_colour(snapshot: TableSnapshot) -> int:
    """Return the colour (RGB) of the edge: gold while a person is to act, green at the end, else grey."""
    if snapshot.status is Status.FINISHED:
        return GREEN
    return GOLD if snapshot.actor is not None and snapshot.actor.person is not None else GREY


# --- text of the board ------------------------------------------------------------------------------------------------


def _body_parts(
    words: Words, snapshot: TableSnapshot, picture: Picture | None, mention: int | None, description: str
) -> list[Part | None]:
    if snapshot.status is Status.CLOSED:
        key = _CLOSED[snapshot.closed_because or ClosingReason.ASKED]
        scores = "" if snapshot.view is None else totals_text(words, snapshot, snapshot.view)
        return [text("\n".join(filter(None, [words(key, table=snapshot.id), scores])))]
    if snapshot.view is None:
        return []
    if snapshot.status is Status.FINISHED:
        scores = totals_text(words, snapshot, snapshot.view) if picture is None and snapshot.conclusion is None else ""
        ended = [
            result_text(words, snapshot, snapshot.view),
            *play_text.early_end_details(words, snapshot),
            scores,
            _rematch_text(words, snapshot),
        ]
        return [text("\n".join(filter(None, ended))), gallery(picture)]
    if snapshot.view.phase is Phase.BETWEEN:
        return [text(_text_between_deals(words, snapshot, snapshot.view))]
    top = "\n".join([*_status_lines(words, snapshot, mention), *theme_texts(words, snapshot)])
    return [text(top), gallery(picture), text(_text_below_picture(words, snapshot, snapshot.view, description))]


def _status_lines(words: Words, snapshot: TableSnapshot, mention: int | None) -> list[str]:
    """Return whose turn it is or that the game is paused, absent players, and open questions."""
    rests = paused_text(words, snapshot)
    turn = rests or _turn_line(words, snapshot, mention)
    lines = [turn, waiting_line(words, snapshot), *absence_lines(words, snapshot), question_text(words, snapshot)]
    return [line for line in lines if line]


def _turn_line(words: Words, snapshot: TableSnapshot, mention: int | None) -> str:
    """Return whose turn it is, since when and until when; the person `mention` is notified by it."""
    called = "" if mention is None else mention_line(words, snapshot, f"<@{mention}>")
    if called:
        return called
    line = status_headline(words, snapshot)
    if mention is not None and snapshot.view is not None and snapshot.view.actor is not None:
        key = "answer_person" if snapshot.view.phase is Phase.ANSWER else "turn_person"
        line = words(f"board.{key}", name=f"<@{mention}>")
    since = words("board.since", turn=line, when=discord_timestamp(waiting_since(snapshot)))
    return "\n".join(filter(None, [since, clock_line(words, snapshot)]))


def _text_below_picture(words: Words, snapshot: TableSnapshot, view: PublicView, description: str) -> str:
    """Return the last round and penalties, or without a picture the text `description` in its place."""
    lines = [description] if description else penalty_lines(words, snapshot, view)
    happenings = [] if description else play_text.last_round_lines(words, snapshot, room=LAST_ROUND)
    if happenings:
        lines = [*lines, words("board.last_round"), *(f"-# {line}" for line in happenings)]
    return "\n".join(line for line in lines if line) or words("board.no_round_yet", deal=view.deal)


def _text_between_deals(words: Words, snapshot: TableSnapshot, view: PublicView) -> str:
    """Return the score and when the next deal begins, or that all seats are empty."""
    deal = view.deal + 1
    rests = paused_text(words, snapshot)
    if rests:
        begins = rests
    elif snapshot.next_deal_at is not None:
        begins = words("board.next_soon", deal=deal, when=discord_timestamp(snapshot.next_deal_at))
    else:
        begins = words("board.next", deal=deal)
    rest = resting_line(words, snapshot, view.seats_resting_next, "board.resting_next")
    lines = [
        f"**{totals_text(words, snapshot, view)}**",
        begins,
        rest,
        *absence_lines(words, snapshot),
        question_text(words, snapshot),
    ]
    return "\n".join(filter(None, lines))


def _rematch_text(words: Words, snapshot: TableSnapshot) -> str:
    """Return a sentence that names the table of the rematch, or "" without a rematch."""
    return "" if snapshot.rematch is None else words("board.rematch_at", table=snapshot.rematch)


def shuffle_of(snapshot: TableSnapshot, deal: int) -> Shuffle | None:
    """Return the published values of the deal's shuffle, or None if there are none."""
    return next((shuffle for shuffle in snapshot.shuffle if shuffle.deal == deal), None)


# --- controls ---------------------------------------------------------------------------------------------------------


def _button_rows(words: Words, snapshot: TableSnapshot) -> list[Part | None]:
    def control_id(action: str) -> ControlId:
        return ControlId(snapshot.id, snapshot.version, action)

    if snapshot.status in (Status.LOBBY, Status.CLOSED) or snapshot.view is None:
        return []
    more = button(control_id("more"), "⋯")
    if snapshot.status is Status.FINISHED:
        again = button(control_id("rematch"), words("board.rematch"), style=SUCCESS)
        return [button_row(again if snapshot.rematch is None and snapshot.contest is None else None, more)]
    back = return_to_seat_button(words, snapshot)
    question = [*button_rows(absence_buttons(words, snapshot)), button_row(*question_buttons(words, snapshot))]
    if snapshot.has_no_people:
        return [button_row(back, more)]
    if snapshot.pause is not None:
        hand = button(control_id("hand"), words("board.my_hand"))
        return [button_row(end_pause_button(words, snapshot), hand, back, more), *question]
    if snapshot.view.phase is Phase.BETWEEN:
        following = button(control_id("next_deal"), words("board.next_deal"), style=PRIMARY)
        return [button_row(following, button(control_id("word"), words("board.add_word")), back, more), *question]
    if snapshot.view.phase is Phase.ANSWER:
        return [button_row(button(control_id("hand"), words("board.answer"), style=PRIMARY), back, more), *question]
    hand = button(control_id("hand"), words("board.my_hand"))
    return [button_row(*_draw_buttons(words, snapshot, snapshot.view, control_id), hand, back, more), *question]


def _draw_buttons(
    words: Words, snapshot: TableSnapshot, view: PublicView, control: Callable[[str], ControlId]
) -> list[ui.Button[Any]]:
    """Return the Draw and Take buttons for the player in turn.

    They depend on public information only, so Take may turn out to be illegal.
    """
    actor = snapshot.actor
    if view.phase is not Phase.DRAW or actor is None or actor.person is None:
        return []
    found = [button(control("draw"), words("board.draw"), style=PRIMARY)] if view.stock else []
    if view.pile.top is not None and not view.pile.closed:
        found.append(button(control("board_take"), words("board.take")))
    return found
