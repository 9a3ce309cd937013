"""Pages about the past: a deal's score sheet, a deal's log, and a guild's finished games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine.cards.cards import BLACK_THREE, FOUR, JOKER, RED_THREE, TWO, Card
from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from bot.tables.past.history import DealLog
from bot.tables.service import TableService
from bot.tables.state.snapshots import DealSheet, Status, TableSnapshot
from cogs.shared.discord_api import interactions, table_places
from cogs.shared.discord_api.components import (
    GREY,
    LONGEST_OPTION,
    Option,
    Page,
    Part,
    Picture,
    button,
    button_row,
    container,
    fit_text,
    gallery,
    page,
    select,
    small_text,
    text,
    text_page,
)
from cogs.shared.discord_api.interactions import Interaction
from cogs.shared.reading import card_text
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.showing import board
from cogs.shared.telling import names, numbers, play_text, score_text, text_only
from cogs.shared.telling.names import table_rules_name
from cogs.shared.telling.numbers import group_thousands

ROOM: Final = 3500
"""Maximum characters of a sheet in words."""

_ORDER: Final = (*range(BLACK_THREE - 1, FOUR - 1, -1), BLACK_THREE, RED_THREE, JOKER, TWO)
"""The kinds in the order of pictures: ace to four, threes, wild cards."""


def score_sheet_page(words: Words, snapshot: TableSnapshot, sheet: DealSheet, picture: Picture | None = None) -> Page:
    """Return the message of a finished deal: its end, cards left in hand, score.

    It also has the fingerprint of the next deal's secret number. Without a picture the score is text.
    """
    deal = sheet.result.deal
    parts: list[Part | None] = [text(words("sheet.title", title=sheet_title(words, snapshot, sheet)))]
    parts += [
        small_text(line)
        for line in (*cards_left_lines(words, snapshot, sheet), *given_hints_lines(words, snapshot, deal))
    ]
    parts.append(gallery(picture))
    if picture is None:
        parts.append(text("\n".join(score_text.side_score_lines(words, snapshot, sheet.result))))
    parts += [small_text("\n".join(_fairness_lines(words, snapshot, deal))), sheet_buttons(words, snapshot, deal)]
    pictures = () if picture is None else (picture,)
    return page([container(*parts, edge=GREY)], pictures)


def sheet_title(words: Words, snapshot: TableSnapshot, sheet: DealSheet) -> str:
    """Return the title of a sheet: the deal's number and how it ended."""
    return words("sheet.name", deal=sheet.result.deal, how=play_text.deal_end_text(words, snapshot, sheet.result))


def sheet_in_words(words: Words, snapshot: TableSnapshot, sheet: DealSheet) -> str:
    """Return a sheet as text: end of the deal, cards left in hand, score, and earlier deals in short.

    Earlier deals that do not fit are left out, the first ones before the later ones.
    """
    lines = [words("sheet.title", title=sheet_title(words, snapshot, sheet)), *_winner_lines(words, snapshot, sheet)]
    lines += [*cards_left_lines(words, snapshot, sheet), *given_hints_lines(words, snapshot, sheet.result.deal)]
    lines += score_text.side_score_lines(words, snapshot, sheet.result)
    before = [one.result for one in snapshot.sheets if one.result.deal < sheet.result.deal]
    for result in reversed(before):
        lines.append(score_text.short_score_text(words, snapshot, result))
        if len("\n".join(lines)) > ROOM:
            return "\n".join(lines[:-1])
    return "\n".join(lines)


def cards_left_lines(words: Words, snapshot: TableSnapshot, sheet: DealSheet) -> list[str]:
    """Return the cards left in each hand with their points, and hands that were shown."""
    if sheet.left is None:
        return []
    then = snapshot.with_holders_at_end_of(sheet.result.deal)
    shower = None if sheet.left.shown is None else sheet.left.shown[0]
    lines, hands = [], []
    for held in sheet.left.held:
        name = names.seat_name(words, then, held.seat)
        if held.seat == shower:
            lines.append(
                words("sheet.shown", name=name, cards=card_text.cards_label(sorted(held.cards, key=_sort_position)))
            )
        else:
            points = numbers.group_thousands(words, held.points)
            hands.append(words("sheet.hand", name=name, cards=_ranks_text(held.cards, snapshot.terms), points=points))
    return [*lines, words("sheet.held", hands=" · ".join(hands))] if hands else lines


def given_hints_lines(words: Words, snapshot: TableSnapshot, deal: int) -> list[str]:
    """Return a line with the hints that players were given in the deal: "Hints: Anna 3".

    It is empty without any.
    """
    then = snapshot.with_holders_at_end_of(deal)
    texts = [
        words("hint.sheet_name", name=names.seat_name(words, then, one.seat), count=one.count)
        for one in sorted(snapshot.hints, key=lambda one: one.seat)
        if one.deal == deal
    ]
    return [words("hint.sheet", names=", ".join(texts))] if texts else []


def _ranks_text(cards: tuple[Card, ...], rules: RuleSet) -> str:
    """Return cards by rank; threes with suits if a hand may hold both colours."""
    told = (BLACK_THREE, RED_THREE) if rules.counts_red_threes else ()
    ordered = sorted(cards, key=_sort_position)
    return " ".join(card_text.card_label(card) if card >> 2 in told else card_text.rank_sign(card) for card in ordered)


def _sort_position(card: Card) -> int:
    return _ORDER.index(card >> 2)


def _winner_lines(words: Words, snapshot: TableSnapshot, sheet: DealSheet) -> list[str]:
    """Return lines that name the winner of the game if this deal ended it, else an empty list."""
    view = snapshot.view
    if view is None or view.winner is None or sheet.result != view.results[-1]:
        return []
    side = names.score_holder_names(words, snapshot.with_holders_at_end_of(sheet.result.deal), view.winner)
    return [words("sheet.won", side=side, score=sheet.result.scores[view.winner])]


def _fairness_lines(words: Words, snapshot: TableSnapshot, deal: int) -> list[str]:
    """Return lines saying that the deal can be checked, with the next deal's fingerprint."""
    texts = [words("sheet.checked", deal=deal)] if board.revealed_shuffle(snapshot, deal) is not None else []
    texts += board.known_cards_lines(words, snapshot) if deal == 1 else []
    last = snapshot.status is not Status.PLAYING and all(sheet.result.deal <= deal for sheet in snapshot.sheets)
    following = None if last else next((one for one in snapshot.shuffle if one.deal == deal + 1), None)
    if following is not None:
        texts.append(words("sheet.seal", deal=following.deal, seal=following.commitment))
    return texts


def sheet_buttons(words: Words, snapshot: TableSnapshot, deal: int | None = None) -> Part | None:
    """Return the buttons under a deal's sheet; without a deal, those under the game's score."""
    argument = "" if deal is None else str(deal)
    return button_row(
        button(ControlId(snapshot.id, snapshot.version, "fair", argument), words("sheet.fair")),
        button(ControlId(snapshot.id, snapshot.version, "sheet_text", argument), words("sheet.text")),
    )


TURNED: Final = "log"
DEAL: Final = "log_deal"
"""Maximum characters of the lines on a page."""


def log_page(words: Words, log: DealLog, part: int | None = None, *, in_words: bool = False) -> Page:
    """Return the page with a part of the log, by default the last; with `in_words` cards are words."""
    texts = score_text.log_lines(words, log) or [words("past.nothing_yet")]
    if in_words:
        texts = [text_only.spell_cards(words, line) for line in texts]
    pages = score_text.split_into_pages(texts, room=ROOM)
    shown = len(pages) - 1 if part is None else max(0, min(part, len(pages) - 1))
    title = words("past.log_title", table=log.snapshot.id, deal=log.deal)
    if len(pages) > 1:
        title = words("past.of_pages", title=title, page=shown + 1, pages=len(pages))
    body = container(
        text("\n".join([title, *pages[shown]])), _log_page_buttons(log, shown, len(pages)), _deal_menu(words, log)
    )
    return page([body])


def _log_page_buttons(log: DealLog, shown: int, pages: int) -> Part | None:
    if pages == 1:
        return None
    ways = ((shown - 1, "◀"), (shown + 1, "▶"))
    return button_row(*(button(_log_part_control(log, part), label, enabled=0 <= part < pages) for part, label in ways))


def _log_part_control(log: DealLog, part: int) -> ControlId:
    """Return the control for a part of the log, or None before the first."""
    return ControlId(
        log.snapshot.id, log.snapshot.version, TURNED, f"{log.deal}.{part}" if part >= 0 else str(log.deal)
    )


def _deal_menu(words: Words, log: DealLog) -> Part | None:
    """Return a menu of the latest deals; None if there is only one."""
    if len(log.deals) < 2:
        return None
    options = [
        Option(str(deal), words("past.deal", deal=deal), chosen=deal == log.deal) for deal in log.deals[-MOST_OPTIONS:]
    ]
    return select(ControlId(log.snapshot.id, log.snapshot.version, DEAL), words("past.which_deal"), options)


TURNED_FINISHED: Final = "finished"
CHOSEN: Final = "finished_game"
REPLAY: Final = "finished_replay"
RECORD: Final = "finished_record"

ON_A_PAGE: Final = 10


async def load_finished_games_page(tables: TableService, interaction: Interaction, first: int = 0) -> Page:
    """Return the page that lists the server's finished games from index `first`, the latest first."""
    words = interactions.words_for(interaction)
    found = await tables.past.finished_tables_in(table_places.place_of_interaction(interaction).guild)
    snapshots = await tables.reading.cached_snapshots(found[first : first + ON_A_PAGE], most=ON_A_PAGE)
    return (
        finished_games_list_page(words, snapshots, first=first, count=len(found))
        if snapshots
        else text_page(words("finished.none"))
    )


def finished_games_list_page(words: Words, snapshots: Sequence[TableSnapshot], *, first: int, count: int) -> Page:
    """Return the page that lists these finished games; the first has the index `first` of `count` games."""
    lines = [words("finished.title", count=count), *(game_line(words, snapshot) for snapshot in snapshots)]
    options = [
        Option(
            str(snapshot.id),
            fit_text(
                words("finished.choice", table=snapshot.id, names=_player_names(words, snapshot)),
                LONGEST_OPTION,
                may_be_cut=True,
            ),
        )
        for snapshot in snapshots
    ]
    menu = select(ControlId(0, 0, CHOSEN), words("finished.which"), options)
    return page([container(text("\n".join(lines)), menu, _list_page_buttons(words, first, count))])


def game_line(words: Words, snapshot: TableSnapshot) -> str:
    """Return a finished game in a line: rules, end date and scores."""
    return words(
        "finished.line",
        table=snapshot.id,
        rules=table_rules_name(words, snapshot),
        when=f"<t:{snapshot.updated_at // 1000}:d>",
        result=" – ".join(_score_lines(words, snapshot)),
    )


def game_page(words: Words, snapshot: TableSnapshot) -> Page:
    """Return one finished game with buttons for its replay, record, log and checks."""

    def control_id(action: str, argument: str = "") -> ControlId:
        return ControlId(snapshot.id, snapshot.version, action, argument)

    ways = button_row(
        button(control_id(REPLAY), words("finished.replay")),
        button(control_id(RECORD), words("finished.record")),
        button(control_id(TURNED, "1"), words("finished.log")),
        button(control_id("sheet_text"), words("finished.scores")),
        button(control_id("fair_check"), words("finished.fair")),
    )
    return page([container(text(game_line(words, snapshot)), ways)])


def _score_lines(words: Words, snapshot: TableSnapshot) -> list[str]:
    view = snapshot.view
    if view is None:
        return []
    last = view.results[-1].scores if view.results else (0,) * len(view.totals)
    then = snapshot if not view.results else snapshot.with_holders_at_end_of(view.results[-1].deal)
    return [
        f"{names.score_holder_names(words, then, number)} {group_thousands(words, score)}"
        for number, score in enumerate(last)
    ]


def _player_names(words: Words, snapshot: TableSnapshot) -> str:
    return ", ".join(names.all_seat_names(words, snapshot))


def _list_page_buttons(words: Words, first: int, count: int) -> Part | None:
    if count <= ON_A_PAGE:
        return None
    newer, older = max(0, first - ON_A_PAGE), first + ON_A_PAGE
    return button_row(
        button(ControlId(0, 0, TURNED_FINISHED, str(newer)), words("finished.newer"), enabled=first > 0),
        button(ControlId(0, 0, TURNED_FINISHED, str(older)), words("finished.older"), enabled=older < count),
    )
