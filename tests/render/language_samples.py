"""A board, a hand and a score sheet in one language, which show as many of its words as fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import ACE, CLUBS, HEARTS, JOKER, KING
from bot.engine.cards.notation import parse_cards
from bot.engine.moves.events import DealEnd, DealEnded, OtherCanastas, ScoreLines
from bot.i18n import Words
from cogs.shared.showing.picture_inputs import strip_markup
from cogs.shared.telling.names import picture_words
from render.layouts.side_panel import FIRST_RUN
from render.picture_inputs import BoardPicture, HandPicture, Picture, ScorePicture
from tests.render import samples

RULES: Final = "rules.modern-american-13"
"""Rules with a long name, so that its line on the pictures is full."""


def samples_in_language(words: Words) -> dict[str, Picture]:
    """Return a board, a hand and a score sheet by name, with all words in that language."""
    return {"board": _board(words), "hand": _hand(words), "score": _score(words)}


def boards_with_advice(words: Words) -> dict[str, Picture]:
    """Return a board for each advice to the player in turn, by name."""
    keys = ("to_draw", "to_draw_only", "stock_out", "to_play", "to_play_aside", "to_discard")
    board = replace(_board(words), headline="")
    return {f"board, {key}": replace(board, advice=words(f"board.{key}")) for key in keys}


def _names(words: Words) -> tuple[str, ...]:
    computers = (words("seat.computer", number=number) for number in (1, 2, 3, 4))
    return ("Anna", next(computers), "Ben", next(computers), next(computers), next(computers))


def _board(words: Words) -> BoardPicture:
    """Return a board of five players and one who rests; a player waits for the partner's answer.

    One side has not opened, the other has a canasta of each kind.
    """
    canastas = (
        samples.make_meld(KING, "Ks Kh Kh Kd Kc 2d JK"),
        samples.make_meld(ACE, "As As Ah Ah Ad Ad Ac Ac"),
        samples.make_meld(JOKER, "2s 2s 2h 2d 2c JK JK"),
        samples.make_meld(FIRST_RUN + HEARTS, "4h 5h 6h 7h 8h 9h Th"),
        samples.make_meld(FIRST_RUN + CLUBS, "9c Tc Jc Qc"),
    )
    table = samples.with_melds(samples.boards_of_many_seats()["board_5"], ((), canastas))
    return replace(
        samples.with_unopened_sides(table, 0),
        names=_names(words),
        headline=strip_markup(words("board.answer_person", name="Anna")),
        advice=words("board.to_answer"),
        rules_name=words(RULES),
        words=picture_words(words),
    )


def _hand(words: Words) -> HandPicture:
    """Return a hand with prepared melds below the minimum, a foot and bonus cards."""
    anna, first, _, second, *_ = _names(words)
    hand = samples.strips()["strip_staged"]
    return replace(
        samples.with_waiting_cards(hand, foot=11, talon=3),
        names=(anna, first, words("panel.partner"), second),
        title=anna,
        staged=(parse_cards("Ks Kd Kc"),),
        words=picture_words(words),
    )


def _score(words: Words) -> ScorePicture:
    """Return the sheet of a deal in which every line counts."""
    lines = (ScoreLines(500, 300, 4500, 200, 100, 1485, -140, -100, 1000), ScoreLines(0, 600, 0, -200, 0, 240, -60))
    others = (OtherCanastas(1500, 2000, 1000), OtherCanastas())
    deal = DealEnded(4, DealEnd.STOCK, None, False, lines, (11_735, 580), others)
    anna, first, ben, second, *_ = _names(words)
    return ScorePicture(
        results=(*samples.deal_results(3), deal),
        side_names=(f"{anna} & {ben}", f"{first} & {second}"),
        target=15_000,
        rules_name=words(RULES),
        words=picture_words(words),
    )
