"""Input for pictures: a view of the game with words, names and preferences."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from bot.engine.cards.cards import JOKER, TWO, Card
from bot.engine.moves.phases import Phase
from bot.engine.table.views import PublicView, SeatView
from bot.i18n import Words
from bot.profiles.preferences import DEFAULTS, Preferences
from bot.tables.state.snapshots import SeatSnapshot, TableSnapshot
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.reading.meld_draft import NOTHING, Draft
from cogs.shared.telling import names, status_text
from cogs.shared.telling.names import picture_words
from render.drawable_names import best_drawable_name
from render.layout_items import Deck, ThemeName
from render.layouts import hand
from render.picture_inputs import BoardPicture, HandOrder, HandPicture, ScorePicture, scoring_threes_of

_MARKUP: Final = re.compile(r"\\(.)|\*\*|^-# |^#+ ", re.MULTILINE)


def order_hand(view: SeatView, preferences: Preferences, drawn: tuple[Card, ...] = ()) -> tuple[Card, ...]:
    """Return the hand in the order that the person prefers.

    `drawn` are the cards drawn last, as in `SeatSnapshot`.
    """
    return hand.cards_in_order(hand_picture(view, preferences, drawn))


def hand_picture(view: SeatView, preferences: Preferences, drawn: tuple[Card, ...]) -> HandPicture:
    """Return the input for a picture of the hand with these preferences.

    `drawn` are the cards drawn last, as in `SeatSnapshot`.
    """
    return HandPicture(
        view=view,
        order=HandOrder(preferences.order),
        drawn=drawn,
        theme=ThemeName(preferences.theme),
        deck=Deck(preferences.deck),
    )


def board_input(
    words: Words, snapshot: TableSnapshot, view: PublicView, preferences: Preferences = DEFAULTS
) -> BoardPicture:
    """Return the input for the table's picture."""
    rests = snapshot.has_no_people or snapshot.pause is not None
    deals = names.fixed_deal_count(snapshot)
    if deals != view.rules.rounds:
        view = replace(view, rules=replace(view.rules, rounds=deals))
    return BoardPicture(
        view=view,
        names=names.all_seat_names(words, snapshot),
        headline=strip_markup(status_text.status_headline(words, snapshot))
        if rests or view.phase is Phase.ANSWER
        else "",
        advice="" if rests else status_text.advice_text(words, view),
        rules_name=picture_rules_name(words, snapshot),
        words=picture_words(words),
        theme=ThemeName(preferences.theme),
        deck=Deck(preferences.deck),
    )


def hand_input(
    words: Words, snapshot: SeatSnapshot, view: SeatView, draft: Draft = NOTHING, preferences: Preferences = DEFAULTS
) -> HandPicture:
    """Return the input for a hand's picture, with the draft marked."""
    try:
        staged = tuple(lay.cards for lay in drafts.melds_to_lay(draft, view))
    except InputProblem:
        staged = ()
    points = draft.points(view.table.rules)
    if not staged and view.side.opened and snapshot.offers.way_out is not None:
        staged = tuple(laying.cards for laying in snapshot.offers.way_out.layings)
        points = sum(laying.points for laying in snapshot.offers.way_out.layings)
    seats = names.all_seat_names(words, snapshot.table)
    return replace(
        hand_picture(view, preferences, snapshot.drawn),
        names=names_with_partner(words, view, seats),
        title=seats[snapshot.seat],
        selected=_selected_cards(draft, view, staged),
        staged=staged,
        staged_points=points,
        words=picture_words(words),
    )


def names_with_partner(words: Words, view: SeatView, seats: tuple[str, ...]) -> tuple[str, ...]:
    """Return the seats' names for the strip above a hand; the partner in a pair is called "partner"."""
    partners = [seat for seat in view.side.seats if seat != view.seat]
    if len(partners) != 1 or len(view.table.sides) * 2 != len(seats):
        return seats
    return tuple(words("panel.partner") if seat in partners else name for seat, name in enumerate(seats))


def _selected_cards(draft: Draft, view: SeatView, staged: tuple[tuple[Card, ...], ...]) -> tuple[Card, ...]:
    """Return the hand's cards to mark as selected: the wild cards whose meld is not chosen yet."""
    waiting = draft.waiting_wild_cards
    if waiting is None:
        return ()
    free = sorted((Counter(view.hand) - Counter(card for meld in staged for card in meld)).elements())
    twos, jokers = ([card for card in free if card >> 2 == kind] for kind in (TWO, JOKER))
    return (*twos[: waiting.twos], *jokers[: waiting.jokers])


def score_input(
    words: Words,
    snapshot: TableSnapshot,
    view: PublicView,
    preferences: Preferences = DEFAULTS,
    *,
    deal: int | None = None,
) -> ScorePicture:
    """Return the input for the score sheet after `deal` (default: the last).

    The players have the names that they had then.
    """
    results = tuple(result for result in view.results if deal is None or result.deal <= deal)
    then = snapshot_with_names_at(snapshot, results[-1].deal, final=deal is None)
    # A deal's sheet is posted before the game is ended early, so it names no winner and is not changed later.
    early = snapshot.conclusion is not None and deal is not None
    winner = snapshot.winner if len(results) == len(view.results) and not early else None
    return ScorePicture(
        results=results,
        side_names=side_names(words, then, view),
        target=snapshot.target,
        rounds=names.fixed_deal_count(snapshot),
        rules_name=picture_rules_name(words, snapshot),
        winner=winner,
        threes=scoring_threes_of(snapshot.terms.laid_out),
        banner=strip_markup(status_text.result_text(words, then, view)) if winner is not None else "",
        words=picture_words(words),
        theme=ThemeName(preferences.theme),
    )


def snapshot_with_names_at(snapshot: TableSnapshot, deal: int, *, final: bool) -> TableSnapshot:
    """Return the table with the names that a sheet shows: those at the deal's end, or at the game's end."""
    return snapshot if final and snapshot.conclusion is not None else snapshot.with_holders_at_end_of(deal)


def picture_rules_name(words: Words, snapshot: TableSnapshot) -> str:
    """Return the name of the table's rules for pictures.

    If it has letters that cannot be drawn, it is the name of the rule set.
    """
    drawable = best_drawable_name(snapshot.saved_as, "", fallback="") if snapshot.saved_as else ""
    return strip_markup(names.table_rules_name(words, replace(snapshot, saved_as=drawable)))


def side_names(words: Words, snapshot: TableSnapshot, view: PublicView) -> tuple[str, ...]:
    """Return the names of the players on each side in plain text, for pictures."""
    seats = names.all_seat_names(words, snapshot)
    return tuple(" & ".join(seats[seat] for seat in total.seats) for total in view.totals)


def strip_markup(text: str) -> str:
    """Return a message's text without markup, for pictures and descriptions."""
    return _MARKUP.sub(lambda match: match[1] or "", text)
