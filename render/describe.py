"""The same in words: short alternative texts and full descriptions, spelled for screen readers.

The short ones (`*_alt`) keep within what a gallery item may carry, the full ones (`*_text`) within an attachment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from bot.engine.cards import Card, kind_of
from bot.engine.views import MeldView, PileView, SideView
from render.inputs import BoardPicture, HandPicture, ScorePicture
from render.layout_hand import hand_order
from render.layout_score import score_fields
from render.names import bounded
from render.words import MINUS, TIMES, Words, rank_text

SHORT: Final = 256
FULL: Final = 1024


def board_alt(picture: BoardPicture) -> str:
    """The table in at most 256 characters."""
    view, words = picture.view, picture.words
    parts = [_sentence(bounded(picture.headline, 60)), words.say_stock.format(n=view.stock), _pile(view.pile, words)]
    parts += [_sentence(_side_short(picture, side)) for side in view.sides]
    return _joined(parts, SHORT, words.say_cut)


def board_text(picture: BoardPicture) -> str:
    """The whole table in at most 1024 characters."""
    view, words = picture.view, picture.words
    parts = [_sentence(bounded(text, 120)) for text in (picture.headline, picture.advice, *picture.last[:2])]
    parts += [words.say_stock.format(n=view.stock), _pile(view.pile, words)]
    parts += [_sentence(_side_full(picture, side)) for side in view.sides]
    seats = [words.say_seat.format(name=_seat_name(picture, info.seat), n=info.cards) for info in view.seats]
    parts.append(_sentence(", ".join(seats)))
    parts.append(_sentence(f"{words.deal.format(n=view.deal)}, {words.target.format(n=view.rules.target)}"))
    return _joined(parts, FULL, "…")


def hand_alt(picture: HandPicture) -> str:
    """The hand in at most 256 characters, by rank; for its holder alone."""
    view, words = picture.view, picture.words
    if not view.hand:
        return words.say_empty_hand
    text = words.say_hand_short.format(count=words.cards_held(len(view.hand)), cards=_by_rank(view.hand, words))
    return _joined([text], SHORT, "…")


def hand_text(picture: HandPicture) -> str:
    """The hand in at most 1024 characters, card by card; for its holder alone."""
    view, words = picture.view, picture.words
    if not view.hand:
        return words.say_empty_hand
    cards = _by_suit(view.hand, words)
    parts = [
        words.say_hand.format(count=words.cards_held(len(view.hand)), points=_plain(view.hand_points), cards=cards)
    ]
    if view.fresh:
        parts.append(words.say_new.format(cards=_listed(view.fresh, words)))
    if picture.selected:
        parts.append(words.say_selected.format(cards=_listed(picture.selected, words)))
    if picture.staged:
        melds = "; ".join(_listed(meld, words) for meld in picture.staged)
        parts.append(words.say_staged.format(cards=melds, points=_plain(picture.staged_points)))
    if not view.side.opened:
        parts.append(words.say_minimum.format(n=view.side.minimum))
    if view.table.pile.frozen:
        parts.append(words.say_frozen)
    return _joined(parts, FULL, "…")


def score_alt(picture: ScorePicture) -> str:
    """The score in at most 256 characters."""
    words = picture.words
    parts = [_sentence(bounded(picture.banner, 80)), _sentence(words.deal.format(n=picture.results[-1].deal))]
    return _joined([*parts, *_totals(picture)], SHORT, words.say_cut)


def score_text(picture: ScorePicture) -> str:
    """The last deal line by line and the totals, in at most 1024 characters."""
    words, last = picture.words, picture.results[-1]
    parts = [_sentence(bounded(picture.banner, 80)), _sentence(words.deal.format(n=last.deal))]
    for side, lines in enumerate(last.lines):
        told = [f"{getattr(words, name).lower()} {_plain(getattr(lines, name))}" for name in score_fields(last.lines)]
        parts.append(_sentence(f"{_side_name(picture, side)}: {', '.join(told)}"))
    return _joined([*parts, *_totals(picture)], FULL, "…")


def _totals(picture: ScorePicture) -> list[str]:
    """What each side made in the last deal, and its total."""
    words, last = picture.words, picture.results[-1]
    return [
        _sentence(
            words.say_score.format(
                name=_side_name(picture, side), gain=_plain(lines.total), n=_plain(last.scores[side])
            )
        )
        for side, lines in enumerate(last.lines)
    ]


def _side_name(picture: ScorePicture, side: int) -> str:
    names = picture.side_names
    return (bounded(names[side], 40) if side < len(names) else "") or str(side + 1)


def _seat_name(picture: BoardPicture, seat: int) -> str:
    name = bounded(picture.names[seat], 24) if seat < len(picture.names) else ""
    return name or picture.words.seat.format(n=seat + 1)


def _side_names(picture: BoardPicture, side: SideView) -> str:
    return " & ".join(_seat_name(picture, seat) for seat in side.seats)


def _side_short(picture: BoardPicture, side: SideView) -> str:
    """A side's score and the ranks it has melded."""
    words = picture.words
    head = words.say_side.format(name=_side_names(picture, side), n=_plain(side.score))
    done = [words.ranks[meld.kind] for meld in side.melds if meld.canasta]
    open_melds = [words.ranks[meld.kind] for meld in side.melds if not meld.canasta]
    told = []
    if done:
        told.append(words.say_canastas.format(cards=", ".join(done)))
    if open_melds:
        told.append(words.say_melds.format(cards=", ".join(open_melds)))
    if not side.melds and not side.opened:
        told.append(words.say_nothing_melded.format(n=side.minimum))
    return f"{head}: {'; '.join(told)}" if told else head


def _side_full(picture: BoardPicture, side: SideView) -> str:
    """A side's score, melds and red threes."""
    words = picture.words
    head = words.say_side.format(name=_side_names(picture, side), n=_plain(side.score))
    told = [words.say_on_table.format(n=_plain(side.on_table)), *(_meld(meld, words) for meld in side.melds)]
    if not side.melds and not side.opened:
        told.append(words.say_nothing_melded.format(n=side.minimum))
    if side.red_threes:
        told.append(words.say_red_threes.format(n=len(side.red_threes)))
    return f"{head}: {', '.join(told)}"


def _meld(meld: MeldView, words: Words) -> str:
    """One meld."""
    template = {"natural": words.say_natural, "mixed": words.say_mixed, None: words.say_meld}[meld.canasta]
    text = template.format(n=meld.size, rank=words.rank_plurals[meld.kind])
    return f"{text} ({words.say_wilds.format(n=meld.wilds)})" if meld.wilds else text


def _pile(pile: PileView, words: Words) -> str:
    """The discard pile."""
    if not pile.cards:
        return words.say_pile_empty
    if pile.top is None:
        return words.say_pile_aside.format(n=pile.cards)
    template = words.say_pile_frozen if pile.frozen else words.say_pile
    return template.format(n=pile.cards, card=words.name_of(pile.top))


def _by_rank(cards: Sequence[Card], words: Words) -> str:
    """How many of each rank: "2 aces, 3 kings, 1 joker"."""
    groups = groupby(hand_order(cards), key=kind_of)
    return ", ".join(words.ranks_held(kind, len(list(group))) for kind, group in groups)


def _by_suit(cards: Sequence[Card], words: Words) -> str:
    """Every card, ranks together: "aces of spades, hearts; 7 of clubs"."""
    parts = []
    for kind, group in groupby(hand_order(cards), key=kind_of):
        held = list(group)
        if not rank_text(kind) or len(held) == 1:
            parts.append(_listed(held, words))
        else:
            suits = ", ".join(words.suits[card & 3] for card in held)
            parts.append(words.card_name.format(rank=words.rank_plurals[kind], suit=suits))
    return "; ".join(parts)


def _listed(cards: Iterable[Card], words: Words) -> str:
    """The cards by name, equal ones counted."""
    counts = Counter(hand_order(tuple(cards)))
    return ", ".join(words.name_of(card) + (f" {TIMES}{count}" if count > 1 else "") for card, count in counts.items())


def _plain(value: int) -> str:
    """A number as a screen reader takes it."""
    return str(value).replace("-", MINUS)


def _sentence(text: str) -> str:
    """The text with an end."""
    return text if not text or text[-1] in ".!?…" else text + "."


def _joined(parts: Iterable[str], longest: int, more: str) -> str:
    """The sentences, as many as fit, and the hint that there is more where not all do."""
    told = [part for part in parts if part]
    text = " ".join(told)
    if len(text) <= longest:
        return text
    while len(told) > 1:
        told.pop()
        text = " ".join([*told, more])
        if len(text) <= longest:
            return text
    return text[: longest - 1].rstrip() + "…"
