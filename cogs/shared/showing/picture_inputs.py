"""What pictures are asked to show: views with the words, names and looks around them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.moves.phases import Phase
from bot.engine.table.views import PublicView, SeatView
from bot.i18n import Words
from bot.profiles.people import DEFAULTS, Preferences
from bot.tables.state.snapshots import SeatSnapshot, TableSnapshot
from cogs.shared.reading import draft as drafts
from cogs.shared.reading.draft import NOTHING, Draft
from cogs.shared.reading.problems import InputProblem
from cogs.shared.telling import names, status_text
from cogs.shared.telling.names import picture_words
from render.inputs import BoardPicture, HandOrder, HandPicture, ScorePicture, threes_of
from render.items import Deck, ThemeName
from render.layouts import hand
from render.names import best_name

_MARKUP: Final = re.compile(r"\\(.)|\*\*|^-# |^#+ ", re.MULTILINE)


def ordered(view: SeatView, preferences: Preferences, drawn: tuple[Card, ...] = ()) -> tuple[Card, ...]:
    """The hand in the order that was chosen, as pictures have it; `drawn` as in `SeatSnapshot`."""
    return hand.cards_in_order(hand_picture(view, preferences, drawn))


def hand_picture(view: SeatView, preferences: Preferences, drawn: tuple[Card, ...]) -> HandPicture:
    """The picture of a hand as somebody likes it; `drawn` as in `SeatSnapshot`."""
    return HandPicture(
        view=view,
        order=HandOrder(preferences.order),
        drawn=drawn,
        theme=ThemeName(preferences.theme),
        deck=Deck(preferences.deck),
    )


def board_input(
    words: Words, look: TableSnapshot, view: PublicView, preferences: Preferences = DEFAULTS
) -> BoardPicture:
    """What the picture of the table shows."""
    rests = look.paused or look.pause is not None
    return BoardPicture(
        view=view,
        names=names.of_seats(words, look),
        headline=unmarked(status_text.headline(words, look)) if rests or view.phase is Phase.ANSWER else "",
        advice="" if rests else status_text.advice(words, view),
        rules_name=drawn_rules(words, look),
        words=picture_words(words),
        theme=ThemeName(preferences.theme),
        deck=Deck(preferences.deck),
    )


def hand_input(
    words: Words, look: SeatSnapshot, view: SeatView, draft: Draft = NOTHING, preferences: Preferences = DEFAULTS
) -> HandPicture:
    """What the picture of a hand shows."""
    try:
        staged = tuple(lay.cards for lay in drafts.melds(draft, view))
    except InputProblem:
        staged = ()
    points = draft.points(view.table.rules)
    if not staged and view.side.opened and look.offers.way_out is not None:
        staged = tuple(laying.cards for laying in look.offers.way_out.layings)
        points = sum(laying.points for laying in look.offers.way_out.layings)
    seats = names.of_seats(words, look.table)
    return replace(
        hand_picture(view, preferences, look.drawn),
        names=seats,
        title=seats[look.seat],
        selected=_selected(draft, view, staged),
        staged=staged,
        staged_points=points,
        words=picture_words(words),
    )


def _selected(draft: Draft, view: SeatView, staged: tuple[tuple[Card, ...], ...]) -> tuple[Card, ...]:
    """The wild cards that wait for a meld to be chosen."""
    waiting = draft.waiting
    if waiting is None:
        return ()
    free = sorted((Counter(view.hand) - Counter(card for meld in staged for card in meld)).elements())
    twos, jokers = ([card for card in free if card >> 2 == kind] for kind in (TWO, JOKER))
    return (*twos[: waiting.twos], *jokers[: waiting.jokers])


def score_input(
    words: Words, look: TableSnapshot, view: PublicView, preferences: Preferences = DEFAULTS, *, deal: int | None = None
) -> ScorePicture:
    """What the score sheet shows after that deal, without one after the last; with the names of then (`named_by`)."""
    results = tuple(result for result in view.results if deal is None or result.deal <= deal)
    then = named_by(look, results[-1].deal, final=deal is None)
    # The sheet of a deal is posted before a game is ended early, and stays as it is.
    early = look.conclusion is not None and deal is not None
    winner = look.winner if len(results) == len(view.results) and not early else None
    return ScorePicture(
        results=results,
        side_names=side_names(words, then, view),
        target=look.target,
        rounds=look.terms.rounds,
        rules_name=drawn_rules(words, look),
        winner=winner,
        threes=threes_of(look.terms.laid_out),
        banner=unmarked(status_text.result(words, then, view)) if winner is not None else "",
        words=picture_words(words),
        theme=ThemeName(preferences.theme),
    )


def named_by(look: TableSnapshot, deal: int, *, final: bool) -> TableSnapshot:
    """Whose names a sheet has: those of the end of that deal, on the last sheet of a game those who ended it."""
    return look if final and look.conclusion is not None else look.at_end_of(deal)


def drawn_rules(words: Words, look: TableSnapshot) -> str:
    """The name of what a table plays, for pictures; where the server's own cannot be drawn, that of the rule set."""
    drawable = best_name(look.saved_as, "", fallback="") if look.saved_as else ""
    return unmarked(names.rules_of(words, replace(look, saved_as=drawable)))


def side_names(words: Words, look: TableSnapshot, view: PublicView) -> tuple[str, ...]:
    """The names of those who share a score in plain text, for pictures."""
    seats = names.of_seats(words, look)
    return tuple(" & ".join(seats[seat] for seat in total.seats) for total in view.totals)


def unmarked(text: str) -> str:
    """A message's text without its markup, for pictures and descriptions."""
    return _MARKUP.sub(lambda match: match[1] or "", text)
