"""The table and a hand fully in words, for users without pictures or when drawing fails.

The words contain everything that a picture shows (hand, new cards, melds, piles, scores, card counts), and only what
the reader may see.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, TWO, Card
from bot.engine.cards.meld_places import RUN, WILD_MELD, family_of
from bot.engine.moves.actions import (
    ANNOUNCE,
    ASK,
    DRAW,
    DRAW_KEEPING,
    PASS,
    YES,
    Combine,
    Discard,
    LayRun,
    Meld,
    Reclaim,
    Show,
    Step,
    Take,
)
from bot.engine.moves.phases import Phase
from bot.engine.table.views import MeldView, PublicView, SeatView, SideView
from bot.i18n import Words
from bot.tables.state.snapshots import SeatSnapshot, TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.telling import names, play_text, score_text, status_text, turn_text
from cogs.shared.telling.names import picture_words
from cogs.shared.telling.turn_text import SPOKEN
from render import descriptions
from render.layouts.side_panel import to_shown_meld

ROOM: Final = 3000
"""Maximum characters, so that the text fits into one message with everything around it."""

_SIGN: Final = re.compile(r"(?<!\w)(?:(10|[2-9JQKA])([♠♥♦♣])|(?:Joker|JK)(?!\w))")


def spell_cards(words: Words, text: str) -> str:
    """Return the text with cards in words for screen readers: "7 of spades" for `7♠`."""

    def name_card(sign: re.Match[str]) -> str:
        if sign[1] is None:
            return picture_words(words).joker
        kind = RANK_LETTERS.index(sign[1].replace("10", "T"))
        return picture_words(words).spoken_card_name(kind << 2 | "♠♥♦♣".index(sign[2]))

    return _SIGN.sub(name_card, text)


def describe_hand_and_table(
    words: Words, snapshot: SeatSnapshot, view: SeatView, order: Sequence[Card], room: int = ROOM, *, news: bool = True
) -> str:
    """Return text on all that a seat sees and may do.

    `order` is its hand in display order; `news` is what others have done. The text has at most `room` characters.
    """
    foot = [picture_words(words).say_foot.format(n=view.foot_size)] if view.foot_size else []
    talon = [picture_words(words).say_talon.format(n=view.talon_size)] if view.talon_size else []
    may = [*foot, *talon, allowed_actions_text(words, view)]
    brief = names.snapshot_with_brief_names(snapshot.table)
    full, short = (_table_lines(words, one, view.table, own=view.side.side) for one in (snapshot.table, brief))
    short.pop()  # the rules and the dealer are left out first, because players know them
    ended, shortly = (_last_deal_lines(words, one, view.table) for one in (snapshot.table, brief))
    since = play_text.lines_since_turn(words, snapshot.table, snapshot.seat, text_style=SPOKEN) if news else []
    texts = [*ended, hand_by_card(words, view, order), *may, *full]
    cards = hand_by_rank(words, view, order)
    ways = ([*texts, *_last_events(words, since)], texts, [*ended, cards, *may, *full], [*shortly, cards, *may, *short])
    return _first_text_that_fits(ways, room)


def describe_table(words: Words, snapshot: TableSnapshot, view: PublicView, room: int = ROOM) -> str:
    """Return text on all that everyone sees, in at most `room` characters."""
    lines = [status_text.advice_text(words, view), *_table_lines(words, snapshot, view)]
    return _first_text_that_fits(
        ([*lines, *_last_events(words, play_text.last_round_lines(words, snapshot, text_style=SPOKEN))], lines), room
    )


def hand_by_card(words: Words, view: SeatView, order: Sequence[Card]) -> str:
    """Return the hand card by card with new cards marked; nothing for a resting player.

    The numbers below the cards of the picture are left out, because they sound like ranks.
    """
    if view.is_resting:
        return ""
    if not order:
        return words("panel.hand_empty")
    spelled, fresh, told = picture_words(words), Counter(view.fresh), []
    # Of equal cards the last are new, as in the picture.
    for card in reversed(order):
        name = spelled.spoken_card_name(card)
        told.append(words("spoken.new_card", card=name) if fresh[card] > 0 else name)
        fresh[card] -= 1
    return words("spoken.hand", count=len(order), points=view.hand_points, cards=", ".join(reversed(told)))


def hand_by_rank(words: Words, view: SeatView, order: Sequence[Card]) -> str:
    """Return the hand by rank with suits, for a hand too large for `hand_by_card`."""
    spelled = picture_words(words)
    ranks = dict.fromkeys(card >> 2 for card in order)
    told = []
    for kind in ranks:
        held = Counter(card & 3 for card in order if card >> 2 == kind)
        suits = ", ".join(f"{spelled.suits[suit]} ×{count}" for suit, count in sorted(held.items()))
        text = spelled.ranks_held_text(kind, held.total())
        told.append(text if kind == JOKER else f"{text} ({suits})")
    return words("spoken.hand", count=len(order), points=view.hand_points, cards=", ".join(told))


def allowed_actions_text(words: Words, view: SeatView) -> str:
    """Return a sentence on what the seat may do now; "" if it is not to act."""
    texts = list(_step_texts(words, view))
    return words("spoken.may", steps="; ".join(texts)) if texts else ""


_PLAIN: Final[Mapping[Step, str]] = {
    DRAW_KEEPING: "spoken.may_keep",
    ASK: "spoken.may_ask",
    ANNOUNCE: "spoken.may_announce",
    YES: "spoken.may_answer",
    PASS: "spoken.may_pass",
}
"""Steps that need no details."""


def _step_texts(words: Words, view: SeatView) -> Iterator[str]:
    legal, top = view.legal, view.table.pile.top
    if DRAW in legal:
        yield words("spoken.may_draw")
    if top is not None:
        for way in turn_text.ways_to_take(view):
            key = "spoken.may_take_add" if way == "a" else "spoken.may_take"
            yield words(key, cards=turn_text.way_to_take_in_words(words, top >> 2, way))
    lying = {
        meld.place: descriptions.describe_meld(to_shown_meld(meld), picture_words(words)) for meld in view.side.melds
    }
    for step in legal:
        if isinstance(step, Take) and step.onto in lying:
            yield words("spoken.may_take_onto", meld=lying[step.onto])
    yield from _laying_options(words, view)
    if any(isinstance(step, Discard) for step in legal):
        yield words("spoken.may_discard")
    if view.can_take_back:
        yield words("spoken.may_undo")
    for step in legal:
        if isinstance(step, Show) and step.hand is not None:
            yield words("spoken.may_show", hand=words(f"special_hand.{step.hand}"))
    for plain, key in _PLAIN.items():
        if plain in legal:
            yield words(key)


def _laying_options(words: Words, view: SeatView) -> Iterator[str]:
    """Yield text on what may be laid: ranks, runs, and melds of one rank to join."""
    legal = view.legal
    kinds = dict.fromkeys(step.kind for step in legal if isinstance(step, Meld))
    if kinds:
        told = (
            words("spoken.wild_cards") if kind == WILD_MELD else card_text.kind_word(words, kind, 2) for kind in kinds
        )
        yield words("spoken.may_lay", kinds=", ".join(told))
    runs = [step for step in legal if isinstance(step, LayRun)]
    longest = dict.fromkeys(
        _run_text(words, run) for run in runs if not any(_is_part_of_run(run, other) for other in runs)
    )
    if longest:
        yield words("spoken.may_run", cards=", ".join(longest))
    combined = dict.fromkeys(family_of(step.onto) for step in legal if isinstance(step, Combine))
    for kind in combined:
        yield words("spoken.may_combine", kinds=card_text.kind_word(words, kind, 2))
    for kind in dict.fromkeys(family_of(step.place) for step in legal if isinstance(step, Reclaim)):
        yield words("spoken.may_reclaim", kinds=card_text.kind_word(words, kind, 2))


def _run_text(words: Words, run: LayRun) -> str:
    """Return the cards of a run: "9 of hearts", "4 to 7 of clubs"."""
    spelled, suit = picture_words(words), family_of(run.place) - RUN
    low, high = spelled.ranks[run.low], spelled.ranks[run.high]
    ranks = low if run.low == run.high else words("spoken.from_to", low=low, high=high)
    return spelled.card_name.format(rank=ranks, suit=spelled.suits[suit])


def _is_part_of_run(run: LayRun, longer_run: LayRun) -> bool:
    """Return whether the run is a part of the longer run `longer_run`."""
    same = family_of(run.place) == family_of(longer_run.place)
    return same and longer_run.low <= run.low and run.high <= longer_run.high and run.size < longer_run.size


# --- the table --------------------------------------------------------------------------------------------------------


def _last_deal_lines(words: Words, snapshot: TableSnapshot, view: PublicView) -> list[str]:
    """Return lines on the last deal's score while no deal is running, or on how the game ended early."""
    if snapshot.conclusion is not None:
        texts = [status_text.result_text(words, snapshot, view), *play_text.early_end_details(words, snapshot)]
        return [*texts, spell_cards(words, score_text.last_deal_text(words, snapshot, view))]
    if view.phase not in _AFTER:
        return []
    won = [status_text.result_text(words, snapshot, view)] if view.winner is not None else []
    return [*won, spell_cards(words, score_text.last_deal_text(words, snapshot, view))]


def _table_lines(words: Words, snapshot: TableSnapshot, view: PublicView, own: int | None = None) -> list[str]:
    sides = sorted(view.sides, key=lambda side: side.side != own)
    lines = [
        _pile_text(words, snapshot, view),
        *(_side_text(words, snapshot, view, side, own=side.side == own) for side in sides),
    ]
    held = ", ".join(
        words(
            "spoken.seat_foot" if info.foot else "spoken.seat_talon" if info.talon else "spoken.seat",
            name=names.seat_name(words, snapshot, info.seat),
            count=info.cards,
            foot=info.foot or 0,
            talon=info.talon,
        )
        for info in view.seats
        if not info.resting
    )
    if view.resting_seats:
        rest = ", ".join(names.seat_name(words, snapshot, seat) for seat in view.resting_seats)
        lines.append(f"{picture_words(words).resting.format(names=rest)}.")
    lines += [f"{spell_cards(words, line)}." for line in status_text.penalty_lines(words, snapshot, view)]
    game = words(
        "spoken.deal_after" if view.phase in _AFTER else "spoken.deal",
        deal=view.deal,
        name=names.seat_name(words, snapshot, view.dealer),
        rules=names.table_rules_name(words, snapshot),
        aim=names.aim_text(words, snapshot),
    )
    return [*lines, words("spoken.held", seats=held), game]


def _pile_text(words: Words, snapshot: TableSnapshot, view: PublicView) -> str:
    spelled, pile = picture_words(words), view.pile
    texts = [words("spoken.stock", count=view.stock)]
    if pile.top is None:
        texts.append(words("spoken.pile_aside" if pile.aside else "spoken.pile_empty", count=pile.cards))
    else:
        texts.append(words("spoken.pile", count=pile.cards, card=spelled.spoken_card_name(pile.top)))
    if pile.hidden:
        texts.append(words("spoken.hidden", count=pile.hidden))
    if pile.freezer is not None:
        texts.append(words("spoken.freezer", card=spelled.spoken_card_name(pile.freezer)))
    elif pile.frozen:
        texts.append(words("spoken.frozen"))
    elif view.phase is Phase.DRAW and pile.cards and view.seats[view.turn].frozen:
        texts.append(words("spoken.frozen_untaken", name=names.seat_name(words, snapshot, view.turn)))
    return " ".join(texts)


_AFTER: Final = (Phase.BETWEEN, Phase.OVER)
"""The phases in which a deal is over and the dealer is that of the next one."""


def _side_text(words: Words, snapshot: TableSnapshot, view: PublicView, side: SideView, *, own: bool) -> str:
    spelled = picture_words(words)
    texts = [
        words(
            ("spoken.own_side" if own else "spoken.side") + ("_after" if view.phase in _AFTER else ""),
            side=names.side_name(words, snapshot, side.side),
            score=score_text.side_scores_text(side),
            on_table=side.on_table,
        )
    ]
    if side.melds:
        texts.append(words("spoken.melds", melds="; ".join(_meld_text(words, meld) for meld in side.melds)))
    if not side.opened:
        texts.append(_initial_meld_needs_text(words, side))
    if side.red_threes:
        cards = ", ".join(spelled.spoken_card_name(card) for card in side.red_threes)
        red = all(card >> 2 == RED_THREE for card in side.red_threes)
        texts.append(words("spoken.red_threes" if red else "spoken.threes", cards=cards))
    if side.set_aside:
        cards = ", ".join(spelled.spoken_card_name(card) for card in side.set_aside)
        texts.append(words("spoken.set_aside", cards=cards))
    return " ".join(texts)


def _initial_meld_needs_text(words: Words, side: SideView) -> str:
    """Return text on what a side's initial meld needs."""
    if side.canasta == "none":
        return words("spoken.needs", minimum=side.minimum)
    return words("spoken.needs_canasta", canasta=picture_words(words).required_canasta_text(side.canasta, side.minimum))


def _meld_text(words: Words, meld: MeldView) -> str:
    """Return a meld with its cards: "mixed canasta of 6 kings and 1 two"."""
    spelled, shown = picture_words(words), to_shown_meld(meld)
    if shown.kind != "set":
        return descriptions.describe_meld(shown, spelled)
    held = Counter(card >> 2 for card in meld.cards)
    order = sorted(held, key=lambda kind: (kind in (TWO, JOKER), kind))
    cards = ", ".join(spelled.ranks_held_text(kind, held[kind]) for kind in order)
    return cards if shown.canasta is None else words(f"spoken.{shown.canasta}", cards=cards)


def _last_events(words: Words, events: Sequence[str]) -> list[str]:
    return [words("spoken.last", events=spell_cards(words, "; ".join(events)))] if events else []


def _first_text_that_fits(candidates: Sequence[Sequence[str]], room: int) -> str:
    """Return the first text that fits; if none does, the last one, cut."""
    texts = ["\n".join(line for line in telling if line) for telling in candidates]
    return next((text for text in texts if len(text) <= room), texts[-1][: room - 1] + "…")
