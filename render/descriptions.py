"""Descriptions of pictures in words: alternative texts and full texts for screen readers.

`short_description` keeps to Discord's limit for alternative texts, `full_description` describes everything the picture
shows. Sentences are ordered by importance, because the last ones are cut first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, TypeAlias

from bot.engine.cards.cards import Card, kind_of
from bot.engine.table.views import PileView, PublicView, SeatView, SideView
from render.drawable_names import single_line_name
from render.layouts.hand import cards_in_order, sort_by_rank
from render.layouts.score import (
    MOST_DEALS,
    MOST_DEALS_OF_GAME,
    deal_rows,
    score_line_label,
    score_line_names,
    side_points_in_line,
)
from render.layouts.side_panel import ShownMeld, to_shown_meld
from render.layouts.table_notes import is_frozen_for, seat_name, side_name, sides_with_own_first, table_notes
from render.picture_inputs import (
    BoardPicture,
    BracketMatch,
    BracketPicture,
    HandOrder,
    HandPicture,
    Picture,
    RatingPicture,
    ReplayPicture,
    ScorePicture,
    SheetKind,
    StandingsPicture,
)
from render.picture_words import MINUS, PictureWords, rank_text


def describe_score(picture: ScorePicture) -> list[str]:
    """Return sentences on the last deal line by line, on the totals, and on the deals so far."""
    words, last = picture.words, picture.results[-1]
    head = [words.deal.format(n=last.deal), words.game_end_text(picture.target, picture.rounds, number=str)]
    if picture.rules_name:
        head.append(single_line_name(picture.rules_name, 60))
    parts = [with_full_stop(single_line_name(picture.banner, 120)), with_full_stop(", ".join(head))]
    if picture.kind is not SheetKind.GAME:
        for side in range(len(last.lines)):
            texts = [
                f"{score_line_label(picture, name).lower()} {number_for_screen_readers(points[side])}"
                for name in score_line_names(picture)
                for points in [side_points_in_line(last, name)]
            ]
            parts.append(with_full_stop(f"{_side_name(picture, side)}: {', '.join(texts)}"))
    parts += describe_totals(picture)
    most = MOST_DEALS if picture.kind is SheetKind.DEAL else MOST_DEALS_OF_GAME
    for row in deal_rows(picture.results, words, most):
        sides = [
            words.say_gain.format(
                name=_side_name(picture, side), gain=number_for_screen_readers(gain), n=number_for_screen_readers(total)
            )
            for side, (gain, total) in enumerate(zip(row.gains, row.totals, strict=True))
        ]
        parts.append(with_full_stop(f"{row.label}: {', '.join(sides)}"))
    return parts


def describe_totals(picture: ScorePicture) -> list[str]:
    """Return sentences on each side's points in the last deal and its total."""
    words, last = picture.words, picture.results[-1]
    return [
        with_full_stop(
            words.say_score.format(
                name=_side_name(picture, side),
                gain=number_for_screen_readers(lines.total),
                n=number_for_screen_readers(last.scores[side]),
            )
        )
        for side, lines in enumerate(last.lines)
    ]


def _side_name(picture: ScorePicture, side: int) -> str:
    """Return a side's name, made of the players' names in the picture."""
    names = picture.side_names
    return (single_line_name(names[side], 64) if side < len(names) else "") or str(side + 1)


def describe_bracket(picture: BracketPicture) -> list[str]:
    """Return sentences on a bracket round by round, the last and most important round first."""
    words = picture.words
    parts = [with_full_stop(single_line_name(picture.title, 80)), with_full_stop(single_line_name(picture.note, 80))]
    for number, matches in reversed(list(enumerate(picture.rounds))):
        names = picture.round_names
        label = names[number] if number < len(names) else words.bracket_round.format(n=number + 1)
        text = "; ".join(_describe_match(match, words) for match in matches)
        parts.append(with_full_stop(f"{single_line_name(label, 40)}: {text}"))
    return parts


def _describe_match(match: BracketMatch, words: PictureWords) -> str:
    """Return a match in words: names, points, winner."""
    first, second = (single_line_name(name, 64) or words.not_known for name in match.names)
    points = ["0" if value is None else number_for_screen_readers(value) for value in match.points]
    if match.points == (None, None) and match.winner is None:
        return words.say_match_ahead.format(first=first, second=second)
    template = words.say_match_open if match.winner is None else words.say_match
    winner = (first, second)[match.winner or 0]
    return template.format(first=first, first_points=points[0], second=second, second_points=points[1], winner=winner)


def describe_standings(picture: StandingsPicture) -> list[str]:
    """Return sentences on standings row by row from the top."""
    words = picture.words
    parts = [with_full_stop(single_line_name(picture.title, 80)), with_full_stop(single_line_name(picture.note, 80))]
    for row in picture.rows:
        texts = [
            f"{single_line_name(column, 40)} {number_for_screen_readers(value) if isinstance(value, int) else value}"
            for column, value in zip(picture.columns, row.values, strict=True)
        ]
        name = single_line_name(row.name, 64)
        parts.append(with_full_stop(words.say_place.format(place=row.place, name=name, values=", ".join(texts))))
    return parts


def describe_rating(picture: RatingPicture) -> list[str]:
    """Return sentences on the current rating and on its lowest and highest values."""
    words, points = picture.words, picture.points
    values = [point.value for point in points]
    text = words.say_rating.format(
        n=values[-1],
        deviation=words.deviation.format(n=points[-1].deviation),
        games=len(points) - 1,
        low=min(values),
        high=max(values),
    )
    return [
        with_full_stop(single_line_name(picture.title, 80)),
        with_full_stop(single_line_name(picture.note, 80)),
        text,
    ]


def number_for_screen_readers(value: int) -> str:
    """Return a number as text that screen readers read correctly."""
    return str(value).replace("-", MINUS)


def with_full_stop(text: str) -> str:
    """Return the text with a full stop, unless it ends with punctuation."""
    return text if not text or text[-1] in ".!?…" else text + "."


def join_sentences(parts: Iterable[str], longest: int, more: str) -> str:
    """Return the sentences that fit into `longest` characters; `more` is added if some are left out."""
    texts = [part for part in parts if part]
    text = " ".join(texts)
    if len(text) <= longest:
        return text
    while len(texts) > 1:
        texts.pop()
        text = " ".join([*texts, more])
        if len(text) <= longest:
            return text
    return text[: longest - 1].rstrip() + "…"


LONGEST_SHORT: Final = 1024
LONGEST_FULL: Final = 4000

MeldsDescriber: TypeAlias = Callable[[Sequence[ShownMeld], PictureWords], list[str]]
"""Describes the melds of a side, one by one or only by rank."""


def short_description(picture: Picture) -> str:
    """Return the picture in words, in at most 1024 characters.

    Melds are described only by rank if space is short.
    """
    text = join_sentences(FULL_DESCRIBERS[type(picture)](picture), LONGEST_FULL, "…")
    return (
        text
        if len(text) <= LONGEST_SHORT
        else join_sentences(
            SHORT_DESCRIBERS.get(type(picture), FULL_DESCRIBERS[type(picture)])(picture), LONGEST_SHORT, "…"
        )
    )


def full_description(picture: Picture) -> str:
    """Return everything the picture shows in words, in at most 4000 characters."""
    return join_sentences(FULL_DESCRIBERS[type(picture)](picture), LONGEST_FULL, "…")


def board_text(picture: BoardPicture) -> str:
    """Return the table in words, in at most 1024 characters."""
    return short_description(picture)


def hand_text(picture: HandPicture) -> str:
    """Return a hand and its table in words, in at most 1024 characters; private to the hand's holder."""
    return short_description(picture)


def replay_text(picture: ReplayPicture) -> str:
    """Return all open hands and the table in words, in at most 1024 characters."""
    return short_description(picture)


def score_text(picture: ScorePicture) -> str:
    """Return a score sheet in words, in at most 1024 characters."""
    return short_description(picture)


def _describe_board(picture: BoardPicture, melds: MeldsDescriber) -> list[str]:
    """Return sentences about the table."""
    view, words, names = picture.view, picture.words, picture.names
    headline = single_line_name(picture.headline, 120)
    if view.actor is not None and not headline:
        headline = words.to_play.format(name=seat_name(names, view.actor, words))
    parts = [with_full_stop(headline), with_full_stop(single_line_name(picture.advice, 120))]
    parts += [words.say_stock.format(n=view.stock), *_describe_pile(view.pile, words)]
    if view.pile.frozen and view.pile.freezer is not None:
        parts.append(with_full_stop(words.say_freezer.format(card=words.spoken_card_name(view.pile.freezer))))
    parts += [with_full_stop(_describe_side(picture, side, melds)) for side in view.sides]
    parts.append(with_full_stop(_describe_seats(view, names, words, clocks=picture.clocks)))
    parts.append(with_full_stop(words.say_dealer.format(name=seat_name(names, view.dealer, words))))
    parts += [with_full_stop(note) for note in table_notes(view, names, words, words.card_names)]
    text = f"{words.deal.format(n=view.deal)}, {words.game_end_text(view.rules.target, view.rules.rounds, number=str)}"
    return [*parts, with_full_stop(f"{text}, {picture.rules_name}" if picture.rules_name else text)]


def _describe_replay(picture: ReplayPicture, melds: MeldsDescriber) -> list[str]:
    """Return sentences on the open hands, then on the table."""
    words = picture.words
    hands = [
        f"{single_line_name(hand.title, 60)}: {words.card_names(sort_by_rank(hand.cards))}" for hand in picture.hands
    ]
    return [*map(with_full_stop, hands), *_describe_board(picture.board, melds)]


def _describe_hand(picture: HandPicture, melds: MeldsDescriber) -> list[str]:
    """Return sentences about a hand and its table."""
    return [
        *_describe_cards_held(picture),
        *(_describe_table_above_hand(picture, melds) if picture.names else _describe_frozen_and_waiting(picture)),
    ]


def _describe_cards_held(picture: HandPicture) -> Iterator[str]:
    """Yield sentences on the hand: its cards, which are new, selected or staged, and the first meld."""
    view, words = picture.view, picture.words
    yield with_full_stop(single_line_name(picture.title, 60))
    if view.hand:
        count, cards = words.cards_held_text(len(view.hand)), _cards_text(picture)
        yield words.say_hand.format(count=count, points=number_for_screen_readers(view.hand_points), cards=cards)
    else:
        yield words.say_empty_hand
    if view.fresh:
        yield words.say_new.format(cards=words.card_names(sort_by_rank(view.fresh)))
    if picture.selected:
        yield words.say_selected.format(cards=words.card_names(sort_by_rank(picture.selected)))
    if picture.staged:
        melds = "; ".join(words.card_names(sort_by_rank(meld)) for meld in picture.staged)
        yield words.say_staged.format(cards=melds, points=number_for_screen_readers(picture.staged_points))
    if not view.side.opened:
        laid = view.laid_points + picture.staged_points
        yield _describe_first_meld(view.side, laid, words)
    elif picture.staged and view.laid_points:
        yield with_full_stop(words.meld.format(n=view.laid_points + picture.staged_points))


def _describe_first_meld(side: SideView, laid: int, words: PictureWords) -> str:
    """Return a sentence on what the side's first meld needs and which points are reached."""
    if side.canasta == "none":
        return (words.say_towards if laid else words.say_minimum).format(n=side.minimum, laid=laid)
    canasta = words.required_canasta_text(side.canasta, side.minimum)
    template = words.say_demand_towards if laid and side.minimum else words.say_demand
    return template.format(canasta=canasta, laid=laid)


def _describe_frozen_and_waiting(picture: HandPicture) -> Iterator[str]:
    """Yield sentences on whether the pile is frozen for the seat, and on its cards face down."""
    view, words = picture.view, picture.words
    if is_frozen_for(view):
        yield words.say_frozen if view.table.pile.frozen else words.say_frozen_here
    yield from _describe_face_down_cards(view, words)


def _describe_face_down_cards(view: SeatView, words: PictureWords) -> Iterator[str]:
    """Yield sentences on the seat's foot and bonus cards."""
    if view.foot_size:
        yield words.say_foot.format(n=view.foot_size)
    if view.talon_size:
        yield words.say_talon.format(n=view.talon_size)


def _describe_table_above_hand(picture: HandPicture, melds: MeldsDescriber) -> Iterator[str]:
    """Yield sentences on what the strip above the hand shows, the viewer's side first."""
    view, words, names = picture.view, picture.words, picture.names
    yield from _describe_pile(view.table.pile, words)
    if is_frozen_for(view) and not view.table.pile.frozen:
        yield words.say_frozen_here
    yield words.say_stock.format(n=view.table.stock)
    yield from _describe_face_down_cards(view, words)
    yield with_full_stop(_describe_seats(view.table, names, words, left_out=view.seat))
    for side in sides_with_own_first(view):
        name = words.say_own_side if side is view.side else side_name(names, side, words)
        laid = "; ".join(melds([to_shown_meld(meld) for meld in side.melds], words)) or words.no_melds
        yield with_full_stop(f"{name}: {laid}")
    yield from (with_full_stop(note) for note in table_notes(view.table, names, words, words.card_names))


def _describe_seats(
    view: PublicView,
    names: Sequence[str],
    words: PictureWords,
    *,
    clocks: Sequence[str] = (),
    left_out: int | None = None,
) -> str:
    """Return sentences on each seat's cards, clock and cards face down; the seat `left_out` is not among them."""
    told = []
    for info in view.seats:
        if info.resting or info.seat == left_out:
            continue
        clock = clocks[info.seat] if info.seat < len(clocks) else ""
        template = words.say_holds if clock else words.say_seat
        held = template.format(name=seat_name(names, info.seat, words), n=info.cards, time=clock)
        told.append(f"{held} ({words.say_waiting.format(n=info.face_down_cards)})" if info.face_down_cards else held)
    return ", ".join(told)


def _short_ranks_text(meld: ShownMeld, words: PictureWords) -> str:
    """Return the ranks of a meld as short text."""
    if not meld.ranks:
        return words.wild.lower()
    return "–".join(words.ranks[rank] for rank in meld.ranks)


def _describe_by_ranks(melds: Sequence[ShownMeld], words: PictureWords) -> list[str]:
    """Return text on each meld with only its rank, canastas first."""
    told = []
    for template, those in (
        (words.say_canastas, [meld for meld in melds if meld.canasta]),
        (words.say_melds, [meld for meld in melds if not meld.canasta]),
    ):
        if those:
            told.append(template.format(cards=", ".join(_short_ranks_text(meld, words) for meld in those)))
    return told


def _describe_each_meld(melds: Sequence[ShownMeld], words: PictureWords) -> list[str]:
    """Return text on each meld with its size and wild cards."""
    return [describe_meld(meld, words) for meld in melds]


def _describe_side(picture: BoardPicture, side: SideView, melds: MeldsDescriber) -> str:
    """Return sentences on a side's score, melds and threes."""
    words = picture.words
    score = " / ".join(number_for_screen_readers(score) for score in side.scores)
    head = words.say_side.format(name=side_name(picture.names, side, words), n=score)
    texts = [words.say_on_table.format(n=number_for_screen_readers(side.on_table))]
    texts += melds([to_shown_meld(meld) for meld in side.melds], words)
    if not side.melds and not side.opened:
        canasta = words.required_canasta_text(side.canasta, side.minimum)
        needed = words.say_nothing_melded if side.canasta == "none" else words.say_nothing_demand
        texts.append(needed.format(n=side.minimum, canasta=canasta))
    if side.red_threes:
        red = all(is_red(card) for card in side.red_threes)
        template = words.say_red_threes if red else words.say_threes
        texts.append(f"{template.format(n=len(side.red_threes))} ({words.card_names(sorted(side.red_threes))})")
    return f"{head}: {', '.join(texts)}"


def is_red(card: Card) -> bool:
    """Return whether the card is a heart or a diamond."""
    return card & 3 in (1, 2)


def describe_meld(meld: ShownMeld, words: PictureWords) -> str:
    """Return one meld in words: "mixed canasta of 7 sevens (1 two)"."""
    if meld.kind == "wild":
        text = (words.say_wild_canasta if meld.canasta else words.say_wild_meld).format(n=meld.size)
        return f"{text} ({_wild_cards_text(meld.wild, words)})" if meld.wild else text
    if meld.kind == "run":
        template = words.say_run_canasta if meld.canasta else words.say_run
        low, high = (words.ranks[rank] for rank in (meld.ranks[0], meld.ranks[-1]))
        text = template.format(n=meld.size, low=low, high=high, suit=words.suits[meld.suit or 0])
        return f"{text} ({_wild_cards_text(meld.wild, words)})" if meld.wild else text
    templates = {"natural": words.say_natural, "mixed": words.say_mixed}
    template = templates.get(meld.canasta or "", words.say_meld)
    text = template.format(n=meld.size, rank=words.rank_plurals[meld.ranks[0]])
    return f"{text} ({_wild_cards_text(meld.wild, words)})" if meld.wild else text


def _wild_cards_text(letters: str, words: PictureWords) -> str:
    """Return the wild cards of a meld in words: "1 joker, 1 two"."""
    kinds = {"j": 13, "2": 12}
    counts = sorted(Counter(letters).items())[::-1]
    return ", ".join(words.ranks_held_text(kinds[letter], count) for letter, count in counts)


def _describe_pile(pile: PileView, words: PictureWords) -> Iterator[str]:
    """Yield sentences on the discard pile."""
    if not pile.cards:
        yield words.say_pile_empty
    elif pile.top is None:
        yield words.say_pile_aside.format(n=pile.cards)
        if pile.frozen:
            yield words.say_frozen
    else:
        template = words.say_pile_frozen if pile.frozen else words.say_pile
        yield template.format(n=pile.cards, card=words.spoken_card_name(pile.top))
    if pile.hidden and pile.cards:
        yield words.say_hidden.format(n=pile.hidden)


def _cards_text(picture: HandPicture) -> str:
    """Return the cards in picture order as text by rank: "aces of spades, hearts; 7 of clubs"."""
    words, cards = picture.words, cards_in_order(picture)
    if picture.order is HandOrder.DRAWN:
        return words.card_names(cards)
    parts = []
    for kind, group in groupby(cards, key=kind_of):
        held = list(group)
        if not rank_text(kind) or len(held) == 1:
            parts.append(words.card_names(held))
        else:
            suits = ", ".join(words.suits[card & 3] for card in held)
            parts.append(words.card_name.format(rank=words.rank_plurals[kind], suit=suits))
    return "; ".join(parts)


# `Any`: each function takes the type of its key, which the type of a mapping cannot express.
Describer = Callable[[Any], Iterable[str]]

FULL_DESCRIBERS: Final[Mapping[type[Picture], Describer]] = {
    BoardPicture: partial(_describe_board, melds=_describe_each_meld),
    HandPicture: partial(_describe_hand, melds=_describe_each_meld),
    ScorePicture: describe_score,
    BracketPicture: describe_bracket,
    StandingsPicture: describe_standings,
    RatingPicture: describe_rating,
    ReplayPicture: partial(_describe_replay, melds=_describe_each_meld),
}

SHORT_DESCRIBERS: Final[Mapping[type[Picture], Describer]] = {
    BoardPicture: partial(_describe_board, melds=_describe_by_ranks),
    HandPicture: partial(_describe_hand, melds=_describe_by_ranks),
    ReplayPicture: partial(_describe_replay, melds=_describe_by_ranks),
}
