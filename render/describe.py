"""The same in words: short alternative texts and full descriptions, spelled for screen readers.

`alt` keeps within what a gallery item may carry, `text` within an attachment; `full` leaves nothing out that the
picture shows. `board_alt`, `board_text` and their like are the same for one kind of picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from bot.engine.cards import Card, kind_of
from bot.engine.views import PileView, SideView
from render import describe_sheets
from render.describe_sheets import joined, plain, sentence, totals
from render.inputs import (
    BoardPicture,
    BracketPicture,
    HandOrder,
    HandPicture,
    Picture,
    RatingPicture,
    ScorePicture,
    StandingsPicture,
)
from render.layout_hand import hand_order, ordered
from render.melds import Meld, meld_shown
from render.names import bounded
from render.notes import notes, seat_name, side_name
from render.words import Words, rank_text

SHORT: Final = 256
TEXT: Final = 1024
FULL: Final = 4000


def alt(picture: Picture) -> str:
    """The picture in at most 256 characters."""
    parts = ALTS[type(picture)](picture)
    return joined(parts, SHORT, picture.words.say_cut)


def text(picture: Picture) -> str:
    """The picture in at most 1024 characters; what is least needed is left out first."""
    return joined(FULLS[type(picture)](picture), TEXT, "…")


def full(picture: Picture) -> str:
    """Everything the picture shows, in at most 4000 characters."""
    return joined(FULLS[type(picture)](picture), FULL, "…")


def board_alt(picture: BoardPicture) -> str:
    """The table in at most 256 characters."""
    return alt(picture)


def board_text(picture: BoardPicture) -> str:
    """The whole table in at most 1024 characters."""
    return text(picture)


def hand_alt(picture: HandPicture) -> str:
    """The hand in at most 256 characters, by rank; for its holder alone."""
    return alt(picture)


def hand_text(picture: HandPicture) -> str:
    """The hand in at most 1024 characters, card by card; for its holder alone."""
    return text(picture)


def score_alt(picture: ScorePicture) -> str:
    """The score in at most 256 characters."""
    return alt(picture)


def score_text(picture: ScorePicture) -> str:
    """The last deal line by line, the totals and the deals so far, in at most 1024 characters."""
    return text(picture)


def _board_short(picture: BoardPicture) -> list[str]:
    view, words = picture.view, picture.words
    parts = [sentence(bounded(picture.headline, 60)), words.say_stock.format(n=view.stock), _pile(view.pile, words)]
    return parts + [sentence(_side_short(picture, side)) for side in view.sides]


def _board_full(picture: BoardPicture) -> list[str]:
    view, words = picture.view, picture.words
    parts = [sentence(bounded(line, 120)) for line in (picture.headline, picture.advice, *picture.last)]
    if view.actor is not None and not picture.headline:
        parts.append(sentence(words.say_acts.format(name=seat_name(picture, view.actor))))
    parts += [words.say_stock.format(n=view.stock), _pile(view.pile, words)]
    if view.pile.frozen and view.pile.freezer is not None:
        parts.append(sentence(words.say_freezer.format(card=words.name_of(view.pile.freezer))))
    if view.pile.hidden:
        parts.append(words.say_hidden.format(n=view.pile.hidden))
    parts += [sentence(_side_full(picture, side)) for side in view.sides]
    parts.append(sentence(", ".join(_seat(picture, info.seat, info.cards) for info in view.seats if not info.resting)))
    parts.append(sentence(words.say_dealer.format(name=seat_name(picture, view.dealer))))
    parts += [sentence(note) for note in notes(picture, words.card_list)]
    told = f"{words.deal.format(n=view.deal)}, {words.aim(view.rules.target, view.rules.rounds, number=str)}"
    return [*parts, sentence(f"{told}, {picture.rules_name}" if picture.rules_name else told)]


def _hand_short(picture: HandPicture) -> list[str]:
    view, words = picture.view, picture.words
    if not view.hand:
        return [words.say_empty_hand]
    cards = _by_rank(view.hand, words)
    return [words.say_hand_short.format(count=words.cards_held(len(view.hand)), cards=cards)]


def _hand_full(picture: HandPicture) -> list[str]:
    view, words = picture.view, picture.words
    parts = [sentence(bounded(picture.title, 60))]
    if view.hand:
        count, cards = words.cards_held(len(view.hand)), _cards(picture)
        parts.append(words.say_hand.format(count=count, points=plain(view.hand_points), cards=cards))
    else:
        parts.append(words.say_empty_hand)
    if view.fresh:
        parts.append(words.say_new.format(cards=words.card_list(hand_order(view.fresh))))
    if picture.selected:
        parts.append(words.say_selected.format(cards=words.card_list(hand_order(picture.selected))))
    if picture.staged:
        melds = "; ".join(words.card_list(hand_order(meld)) for meld in picture.staged)
        parts.append(words.say_staged.format(cards=melds, points=plain(picture.staged_points)))
    if not view.side.opened:
        laid = view.laid_points + picture.staged_points
        parts.append((words.say_towards if laid else words.say_minimum).format(n=view.side.minimum, laid=laid))
    elif picture.staged and view.laid_points:
        parts.append(sentence(words.meld.format(n=view.laid_points + picture.staged_points)))
    if view.table.pile.frozen:
        parts.append(words.say_frozen)
    if view.foot:
        parts.append(words.say_foot.format(n=view.foot))
    if view.talon:
        parts.append(words.say_talon.format(n=view.talon))
    return parts


def _seat(picture: BoardPicture, seat: int, cards: int) -> str:
    """How many cards a seat holds, its clock, and how many lie face down for it."""
    clock = picture.clocks[seat] if seat < len(picture.clocks) else ""
    template = picture.words.say_holds if clock else picture.words.say_seat
    told = template.format(name=seat_name(picture, seat), n=cards, time=clock)
    waiting = picture.view.seats[seat].waiting
    return f"{told} ({picture.words.say_waiting.format(n=waiting)})" if waiting else told


def _side_short(picture: BoardPicture, side: SideView) -> str:
    """A side's score and the ranks it has melded."""
    words, melds = picture.words, [meld_shown(meld) for meld in side.melds]
    head = words.say_side.format(name=side_name(picture, side), n=" / ".join(plain(score) for score in side.scores))
    done = [_ranks(meld, words) for meld in melds if meld.canasta]
    open_melds = [_ranks(meld, words) for meld in melds if not meld.canasta]
    told = []
    if done:
        told.append(words.say_canastas.format(cards=", ".join(done)))
    if open_melds:
        told.append(words.say_melds.format(cards=", ".join(open_melds)))
    if not melds and not side.opened:
        told.append(words.say_nothing_melded.format(n=side.minimum))
    return f"{head}: {'; '.join(told)}" if told else head


def _ranks(meld: Meld, words: Words) -> str:
    """What a meld is of, in short."""
    if not meld.ranks:
        return words.wild.lower()
    return "–".join(words.ranks[rank] for rank in meld.ranks)


def _side_full(picture: BoardPicture, side: SideView) -> str:
    """A side's score, melds and threes."""
    words, melds = picture.words, [meld_shown(meld) for meld in side.melds]
    head = words.say_side.format(name=side_name(picture, side), n=" / ".join(plain(score) for score in side.scores))
    standing = words.say_on_table.format(n=plain(side.on_table))
    told = [standing, *(meld_told(meld, words) for meld in melds)]
    if not melds and not side.opened:
        told.append(words.say_nothing_melded.format(n=side.minimum))
    if side.red_threes:
        red = all(suit_red(card) for card in side.red_threes)
        template = words.say_red_threes if red else words.say_threes
        told.append(f"{template.format(n=len(side.red_threes))} ({words.card_list(sorted(side.red_threes))})")
    return f"{head}: {', '.join(told)}"


def suit_red(card: Card) -> bool:
    """Whether the card is a heart or a diamond."""
    return card & 3 in (1, 2)


def meld_told(meld: Meld, words: Words) -> str:
    """One meld: "mixed canasta of 7 sevens (1 two)"."""
    if meld.kind == "wild":
        told = (words.say_wild_canasta if meld.canasta else words.say_wild_meld).format(n=meld.size)
        return f"{told} ({_wilds(meld.wild, words)})" if meld.wild else told
    if meld.kind == "run":
        template = words.say_run_canasta if meld.canasta else words.say_run
        low, high = (words.ranks[rank] for rank in (meld.ranks[0], meld.ranks[-1]))
        told = template.format(n=meld.size, low=low, high=high, suit=words.suits[meld.suit or 0])
        return f"{told} ({_wilds(meld.wild, words)})" if meld.wild else told
    templates = {"natural": words.say_natural, "mixed": words.say_mixed}
    template = templates.get(meld.canasta or "", words.say_meld)
    told = template.format(n=meld.size, rank=words.rank_plurals[meld.ranks[0]])
    return f"{told} ({_wilds(meld.wild, words)})" if meld.wild else told


def _wilds(letters: str, words: Words) -> str:
    """The wild cards of a meld: "1 joker, 1 two"."""
    kinds = {"j": 13, "2": 12}
    return ", ".join(words.ranks_held(kinds[letter], count) for letter, count in sorted(Counter(letters).items())[::-1])


def _pile(pile: PileView, words: Words) -> str:
    """The discard pile."""
    if not pile.cards:
        return words.say_pile_empty
    if pile.top is None:
        aside = words.say_pile_aside.format(n=pile.cards)
        return f"{aside} {words.say_frozen}" if pile.frozen else aside
    template = words.say_pile_frozen if pile.frozen else words.say_pile
    return template.format(n=pile.cards, card=words.name_of(pile.top))


def _by_rank(cards: Sequence[Card], words: Words) -> str:
    """How many of each rank: "2 aces, 3 kings, 1 joker"."""
    groups = groupby(hand_order(cards), key=kind_of)
    return ", ".join(words.ranks_held(kind, len(list(group))) for kind, group in groups)


def _cards(picture: HandPicture) -> str:
    """Every card in the order of the picture, ranks together: "aces of spades, hearts; 7 of clubs"."""
    words, cards = picture.words, ordered(picture)
    if picture.order is HandOrder.DRAWN:
        return words.card_list(cards)
    parts = []
    for kind, group in groupby(cards, key=kind_of):
        held = list(group)
        if not rank_text(kind) or len(held) == 1:
            parts.append(words.card_list(held))
        else:
            suits = ", ".join(words.suits[card & 3] for card in held)
            parts.append(words.card_name.format(rank=words.rank_plurals[kind], suit=suits))
    return "; ".join(parts)


def _score_short(picture: ScorePicture) -> list[str]:
    deal = picture.words.deal.format(n=picture.results[-1].deal)
    return [sentence(bounded(picture.banner, 80)), sentence(deal), *totals(picture)]


# Words for a picture take the one picture they are listed under, which a type checker cannot see in a table.
Telling = Callable[[Any], Iterable[str]]

ALTS: Final[Mapping[type[Picture], Telling]] = {
    BoardPicture: _board_short,
    HandPicture: _hand_short,
    ScorePicture: _score_short,
    BracketPicture: describe_sheets.bracket,
    StandingsPicture: describe_sheets.standings,
    RatingPicture: describe_sheets.rating,
}

FULLS: Final[Mapping[type[Picture], Telling]] = {
    BoardPicture: _board_full,
    HandPicture: _hand_full,
    ScorePicture: describe_sheets.score,
    BracketPicture: describe_sheets.bracket,
    StandingsPicture: describe_sheets.standings,
    RatingPicture: describe_sheets.rating,
}
