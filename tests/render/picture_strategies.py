"""Hypothesis strategies for pictures: any hand, any table, any names."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, JOKER_CARD, RED_THREE, TWO, Card, card_of, full_pack
from bot.engine.table.views import MeldView, PileView, PublicView, SeatInfo, SeatView, SideView
from render.layout_items import Deck, ThemeName
from render.layouts.side_panel import FIRST_RUN
from render.picture_inputs import (
    BoardPicture,
    BracketMatch,
    BracketPicture,
    HandOrder,
    HandPicture,
    OpenHand,
    Picture,
    RatingPicture,
    RatingPoint,
    ReplayPicture,
    ScorePicture,
    SheetKind,
    StandingsPicture,
    StandingsRow,
)
from render.picture_words import ENGLISH
from tests.render import samples
from tests.render.language_with_long_words import LONG

HELD = tuple(card for card in full_pack(2, 2) if card >> 2 != RED_THREE)
ALL = tuple(full_pack(2, 2))

NAMES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "W" * 32,
            "Жёлтый ёж",
            "N\u0303\u0303\u0303orth",
            "\u202eNorth",
            "北",
            "🎉 South 🎉",
            "\U0001d57e\U0001d594\U0001d59a\U0001d599\U0001d58d",
            "",
        ]
    ),
)
TEXTS = st.one_of(
    st.text(max_size=200), st.sampled_from(["North to play", "Draw, or take the pile", "W" * 100, "a " * 90])
)
THEMES = st.sampled_from(ThemeName)
WORDS = st.sampled_from([ENGLISH, LONG])
TEAMS = (
    ((0, 2), (1, 3)),
    ((0,), (1,)),
    ((0,), (1,), (2,)),
    ((0,), (1,), (2,), (3,)),
    ((0, 2), (1, 3, 4)),
    ((0,), (1,), (2,), (3,), (4,)),
    ((0, 2, 4), (1, 3, 5)),
    ((0, 3), (1, 4), (2, 5)),
    ((0,), (1,), (2,), (3,), (4,), (5,)),
)
WILD_CARDS = st.sampled_from([JOKER_CARD, card_of(TWO, 1)])
CHANCE = st.integers(0, 2**32).map(Random)
POINTS = st.integers(-4000, 25000).map(lambda value: value * 5)


@st.composite
def subsets(draw: st.DrawFn, cards: tuple[Card, ...], max_size: int = 12) -> tuple[Card, ...]:
    """Draw at most `max_size` of these cards, in their order."""
    places = draw(st.sets(st.integers(0, max(0, len(cards) - 1)), max_size=min(max_size, len(cards))))
    return tuple(cards[place] for place in sorted(places) if place < len(cards))


@cache
def middle_of_deal() -> SeatView:
    """Return the view of a seat in the middle of a deal, the base of every random hand."""
    return samples.hands()["hand_15"].view


@cache
def table_of(teams: tuple[tuple[int, ...], ...], resting: int) -> PublicView:
    """Return a table with those sides and resting seats in the middle of a deal."""
    return samples.with_seats(samples.board(samples.MIDDLE), teams, resting=resting).view


@st.composite
def hands(draw: st.DrawFn) -> HandPicture:
    """Draw a hand with selected, staged and newly drawn cards."""
    size = draw(st.integers(0, 60))
    hand = tuple(sorted(draw(CHANCE).sample(HELD, size)))
    marked = draw(subsets(hand))
    cut = draw(st.integers(0, len(marked)))
    base = middle_of_deal()
    pile = replace(base.table.pile, frozen=draw(st.booleans()))
    opened = draw(st.booleans())
    sides = tuple(replace(side, opened=opened) for side in base.table.sides)
    waiting = {"foot": draw(st.sampled_from([0, 11, 13])), "talon": draw(st.sampled_from([0, 0, 3, 28]))}
    view = replace(
        samples.with_waiting_cards(HandPicture(view=base), **waiting).view,
        hand=hand,
        fresh=draw(subsets(hand)),
        hand_points=draw(st.integers(0, 2000)),
        laid_points=draw(st.integers(0, 200)),
        table=replace(base.table, pile=pile, sides=sides),
    )
    staged = (marked[cut:],) if marked[cut:] else ()
    picture = HandPicture(
        view=view,
        title=draw(NAMES),
        selected=marked[:cut],
        staged=staged,
        staged_points=draw(st.integers(0, 500)),
        order=draw(st.sampled_from(HandOrder)),
        drawn=draw(subsets(hand, max_size=60)),
        words=draw(WORDS),
        theme=draw(THEMES),
        deck=draw(st.sampled_from(Deck)),
    )
    return draw(hand_below_table(picture)) if draw(st.booleans()) else picture


@st.composite
def hand_below_table(draw: st.DrawFn, picture: HandPicture) -> HandPicture:
    """Draw the same hand below a random table."""
    table, held = draw(tables()), len(picture.view.hand)
    seat = draw(st.sampled_from([info.seat for info in table.seats]))
    seats = tuple(replace(info, cards=held) if info.seat == seat else info for info in table.seats)
    view = replace(picture.view, table=replace(table, seats=seats), seat=seat)
    return replace(picture, view=view, names=tuple(draw(st.lists(NAMES, min_size=1, max_size=6))))


@st.composite
def melds(draw: st.DrawFn) -> tuple[MeldView, ...]:
    """Draw a side's melds under any rules: up to 40, several of a rank among them."""
    kinds = st.sampled_from([*range(ACE + 1), BLACK_THREE, TWO, JOKER, *range(FIRST_RUN, FIRST_RUN + 4)])
    most = draw(st.sampled_from([0, 5, 8, 12, 17, 30, 40]))
    return tuple(draw(meld(kind)) for kind in draw(st.lists(kinds, max_size=most)))


@st.composite
def meld(draw: st.DrawFn, kind: int) -> MeldView:
    """Draw a meld of that kind."""
    if kind >= FIRST_RUN:
        low = draw(st.integers(0, ACE - 2))
        naturals = [card_of(rank, kind - FIRST_RUN) for rank in range(low, draw(st.integers(low + 2, ACE)) + 1)]
    else:
        naturals = [card_of(kind, number % 4) for number in range(draw(st.integers(2, 12)))]
    wilds: list[Card] = []
    if kind == JOKER:
        naturals = [draw(WILD_CARDS) for _ in naturals]
    elif kind < FIRST_RUN:
        wilds = [JOKER_CARD if kind == TWO else draw(WILD_CARDS) for _ in range(draw(st.integers(0, 3)))]
    size = len(naturals) + len(wilds)
    whole: Any = "run" if kind >= FIRST_RUN else "wild" if kind == JOKER else "mixed" if wilds else "natural"
    return MeldView(kind, tuple(sorted(naturals + wilds)), len(naturals), len(wilds), whole if size >= 7 else None)


@st.composite
def seat_infos(draw: st.DrawFn, info: SeatInfo) -> SeatInfo:
    """Draw a seat's public facts: numbers of cards, foot, penalty cards."""
    return replace(
        info,
        cards=draw(st.integers(0, 60)),
        foot=draw(st.sampled_from([None, 0, 4, 11, 13])),
        exposed=draw(st.sampled_from([(), (), (), HELD[:2], HELD[:5]])),
    )


@st.composite
def tables(draw: st.DrawFn) -> PublicView:
    """Draw a table of two to six seats with two or more sides, at any point of a game."""
    teams = draw(st.sampled_from(TEAMS))
    base = table_of(teams, draw(st.integers(0, 1)))
    threes = [card_of(RED_THREE, 1), card_of(RED_THREE, 2), card_of(BLACK_THREE, 0), card_of(RED_THREE, 2)] * 2
    playing = [info.seat for info in base.seats if not info.resting]

    def random_side(before: SideView) -> SideView:
        return replace(
            before,
            score=draw(POINTS),
            on_table=draw(POINTS),
            opened=draw(st.booleans()),
            melds=draw(melds()),
            red_threes=tuple(threes[: draw(st.integers(0, 8))]),
            own_scores=tuple(draw(POINTS) for _ in before.seats) if draw(st.integers(0, 9)) == 9 else (),
            set_aside=tuple(threes[2:3]) * draw(st.sampled_from([0, 0, 0, 3])),
            penalties=draw(st.sampled_from([0, 0, 0, 150])),
        )

    count = draw(st.integers(0, 60))
    top = draw(st.sampled_from(ALL)) if count and draw(st.booleans()) else None
    frozen = draw(st.booleans())
    freezer = draw(st.sampled_from([None, JOKER_CARD, card_of(TWO, 2), card_of(RED_THREE, 1)])) if frozen else None
    return replace(
        base,
        sides=tuple(random_side(before) for before in base.sides),
        seats=tuple(draw(seat_infos(info)) for info in base.seats),
        actor=draw(st.sampled_from([None, *playing])),
        dealer=draw(st.sampled_from(playing)),
        deal=draw(st.integers(1, 99)),
        stock=draw(st.integers(0, 85)),
        pile=PileView(
            count,
            top,
            frozen,
            freezer,
            aside=bool(count) and top is None,
            hidden=min(max(0, count - 1), draw(st.sampled_from([0, 3, 13]))),
        ),
    )


@st.composite
def boards(draw: st.DrawFn) -> BoardPicture:
    """Draw a board with its texts: names, headline and advice."""
    view = draw(tables())
    return BoardPicture(
        view=view,
        names=tuple(draw(st.lists(NAMES, max_size=6))),
        headline=draw(TEXTS),
        advice=draw(TEXTS),
        rules_name=draw(NAMES),
        clocks=tuple(draw(st.lists(st.sampled_from(["", "0:07", "4:32", "12:30", "3 d 04:00"]), max_size=6))),
        words=draw(WORDS),
        theme=draw(THEMES),
        deck=draw(st.sampled_from(Deck)),
    )


@st.composite
def scores(draw: st.DrawFn) -> ScorePicture:
    """Draw the score sheet of some deals."""
    deals = draw(st.integers(1, 25))
    alone = draw(st.booleans())
    return ScorePicture(
        results=samples.sheet_of_six_alone(deals).results if alone else samples.deal_results(deals),
        side_names=tuple(draw(st.lists(NAMES, max_size=6))),
        target=draw(st.integers(1, 20)) * 500,
        rules_name=draw(NAMES),
        winner=draw(st.sampled_from([None, 0, 1])),
        banner=draw(TEXTS),
        sheet=draw(st.sampled_from([None, *SheetKind])),
        words=draw(WORDS),
        theme=draw(THEMES),
    )


@st.composite
def brackets(draw: st.DrawFn) -> BracketPicture:
    """Draw an elimination of 2 to 32 entries, or the half of one where pairs of rounds are equally long."""
    rounds = []
    lengths = [2**number for number in reversed(range(draw(st.integers(1, 5))))]
    if len(lengths) < 4 and draw(st.booleans()):
        lengths = [length for length in lengths for _ in range(2)]
    for length in lengths:
        matches = []
        for _ in range(length):
            points = draw(st.sampled_from([(None, None), (0, 0), (3, 1), (12, 15)]))
            matches.append(BracketMatch((draw(NAMES), draw(NAMES)), points, draw(st.sampled_from([None, 0, 1]))))
        rounds.append(tuple(matches))
    return BracketPicture(
        title=draw(TEXTS),
        note=draw(TEXTS),
        rounds=tuple(rounds),
        round_names=tuple(draw(st.lists(NAMES, max_size=5))),
        words=draw(WORDS),
        theme=draw(THEMES),
    )


@st.composite
def standings(draw: st.DrawFn) -> StandingsPicture:
    """Draw a table of standings."""
    columns = draw(
        st.lists(st.sampled_from(["played", "won", "points", "Spielpunkte", "W" * 20]), max_size=4, min_size=1)
    )
    rows = []
    for place in range(draw(st.integers(0, 24))):
        values = tuple(draw(st.one_of(POINTS, st.sampled_from(["1–0", "½"]))) for _ in columns)
        rows.append(StandingsRow(draw(st.integers(1, place + 1)), draw(NAMES), values, marked=draw(st.booleans())))
    return StandingsPicture(
        title=draw(TEXTS), note=draw(TEXTS), columns=tuple(columns), rows=tuple(rows), medals=draw(st.booleans()),
        words=draw(WORDS), theme=draw(THEMES),
    )  # fmt: skip


@st.composite
def ratings(draw: st.DrawFn) -> RatingPicture:
    """Draw a rating over some games."""
    point = st.builds(RatingPoint, st.integers(0, 3500), st.integers(0, 350))
    points = draw(st.lists(point, min_size=1, max_size=200))
    return RatingPicture(
        title=draw(TEXTS), note=draw(TEXTS), points=tuple(points), words=draw(WORDS), theme=draw(THEMES)
    )


def replays() -> st.SearchStrategy[ReplayPicture]:
    """Return a strategy for tables with up to six open hands."""
    cards = st.lists(st.sampled_from(full_pack(1, 1)), max_size=40).map(tuple)
    open_hands = st.lists(st.builds(OpenHand, title=NAMES, cards=cards, fresh=cards), max_size=6).map(tuple)
    return st.builds(ReplayPicture, board=boards(), hands=open_hands)


def pictures() -> st.SearchStrategy[Picture]:
    """Return a strategy for any picture of any kind."""
    return st.one_of(hands(), boards(), replays(), scores(), brackets(), standings(), ratings())
