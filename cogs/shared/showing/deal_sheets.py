"""Sheets: a finished deal as a page of its own, and all that the page says in words."""

from __future__ import annotations

from typing import Final

from bot.engine.cards.cards import BLACK_THREE, FOUR, JOKER, RED_THREE, TWO, Card
from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from bot.tables.looks import DealSheet, Status, TableSnapshot
from cogs.shared.door.components import (
    GREY,
    Page,
    Part,
    Picture,
    button,
    buttons,
    container,
    gallery,
    page,
    small,
    text,
)
from cogs.shared.reading import card_text
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing import fair
from cogs.shared.telling import happened, names, numbers, score_text

ROOM: Final = 3500
"""Characters that a sheet in words may take."""

_ORDER: Final = (*range(BLACK_THREE - 1, FOUR - 1, -1), BLACK_THREE, RED_THREE, JOKER, TWO)
"""The kinds as pictures have them: ace to four, threes, wild cards."""


def sheet_page(words: Words, look: TableSnapshot, sheet: DealSheet, picture: Picture | None = None) -> Page:
    """The message that keeps a deal: how it ended, what was still held, the score, and the next deal's seal.

    Without a picture the score stands there in words.
    """
    deal = sheet.result.deal
    parts: list[Part | None] = [text(words("sheet.title", title=title(words, look, sheet)))]
    parts += [small(line) for line in left_lines(words, look, sheet)]
    parts.append(gallery(picture))
    if picture is None:
        parts.append(text("\n".join(score_text.sides(words, look, sheet.result))))
    parts += [small("\n".join(_checking(words, look, deal))), controls(words, look, deal)]
    pictures = () if picture is None else (picture,)
    return page([container(*parts, edge=GREY)], pictures)


def title(words: Words, look: TableSnapshot, sheet: DealSheet) -> str:
    """Which deal it is and how it ended; who won the game with it stands in the picture."""
    return words("sheet.name", deal=sheet.result.deal, how=happened.how_it_ended(words, look, sheet.result))


def in_words(words: Words, look: TableSnapshot, sheet: DealSheet) -> str:
    """All that a sheet says: how the deal ended, what was held, its score line by line, the deals before it in short.

    Of those the latest that there is room for.
    """
    lines = [words("sheet.title", title=title(words, look, sheet)), *_won(words, look, sheet)]
    lines += [*left_lines(words, look, sheet), *score_text.sides(words, look, sheet.result)]
    before = [one.result for one in look.sheets if one.result.deal < sheet.result.deal]
    for result in reversed(before):
        lines.append(score_text.in_short(words, look, result))
        if len("\n".join(lines)) > ROOM:
            return "\n".join(lines[:-1])
    return "\n".join(lines)


def left_lines(words: Words, look: TableSnapshot, sheet: DealSheet) -> list[str]:
    """The cards that were still held, hand by hand with what they counted, and those that were shown."""
    if sheet.left is None:
        return []
    then = look.at_end_of(sheet.result.deal)
    shower = None if sheet.left.shown is None else sheet.left.shown[0]
    lines, hands = [], []
    for held in sheet.left.held:
        name = names.of_seat(words, then, held.seat)
        if held.seat == shower:
            lines.append(words("sheet.shown", name=name, cards=card_text.cards(sorted(held.cards, key=_place))))
        else:
            points = numbers.grouped(words, held.points)
            hands.append(words("sheet.hand", name=name, cards=_ranks(held.cards, look.terms), points=points))
    return [*lines, words("sheet.held", hands=" · ".join(hands))] if hands else lines


def _ranks(cards: tuple[Card, ...], rules: RuleSet) -> str:
    """Cards by rank; threes with their suits where a hand may hold both colours."""
    told = (BLACK_THREE, RED_THREE) if rules.counts_red_threes else ()
    ordered = sorted(cards, key=_place)
    return " ".join(card_text.card(card) if card >> 2 in told else card_text.sign(card) for card in ordered)


def _place(card: Card) -> int:
    return _ORDER.index(card >> 2)


def _won(words: Words, look: TableSnapshot, sheet: DealSheet) -> list[str]:
    """Who won the game with this deal."""
    view = look.view
    if view is None or view.winner is None or sheet.result != view.results[-1]:
        return []
    side = names.of_total(words, look.at_end_of(sheet.result.deal), view.winner)
    return [words("sheet.won", side=side, score=sheet.result.scores[view.winner])]


def _checking(words: Words, look: TableSnapshot, deal: int) -> list[str]:
    """That the deal can be checked, and the seal of the one that follows it."""
    told = [words("sheet.checked", deal=deal)] if fair.opened(look, deal) is not None else []
    told += fair.known_cards(words, look) if deal == 1 else []
    last = look.status is not Status.PLAYING and all(sheet.result.deal <= deal for sheet in look.sheets)
    following = None if last else next((one for one in look.shuffle if one.deal == deal + 1), None)
    if following is not None:
        told.append(words("sheet.seal", deal=following.deal, seal=following.commitment))
    return told


def controls(words: Words, look: TableSnapshot, deal: int | None = None) -> Part | None:
    """The buttons under a sheet; without a deal those under the score of the whole game."""
    argument = "" if deal is None else str(deal)
    return buttons(
        button(ControlId(look.id, look.version, "fair", argument), words("sheet.fair")),
        button(ControlId(look.id, look.version, "sheet_text", argument), words("sheet.text")),
    )
