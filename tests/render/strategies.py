"""Random views to draw: any hand, any table, any names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from bot.engine.cards import ACE, BLACK_THREE, JOKER_CARD, RED_THREE, TWO, Card, card_of
from bot.engine.packs import full_pack
from bot.engine.views import MeldView, PileView, PublicView, SideView
from render.inputs import BoardPicture, HandPicture, ScorePicture
from tests.render import samples

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
POINTS = st.integers(-4000, 25000).map(lambda value: value * 5)


@st.composite
def subsets(draw: st.DrawFn, cards: tuple[Card, ...], most: int = 12) -> tuple[Card, ...]:
    """Some of these cards."""
    places = draw(st.sets(st.integers(0, max(0, len(cards) - 1)), max_size=min(most, len(cards))))
    return tuple(cards[place] for place in sorted(places) if place < len(cards))


@st.composite
def hands(draw: st.DrawFn) -> HandPicture:
    """The hand of a seat, with cards selected, put together and newly come."""
    size = draw(st.integers(0, 60))
    hand = tuple(sorted(draw(st.permutations(HELD))[:size]))
    marked = draw(subsets(hand))
    cut = draw(st.integers(0, len(marked)))
    base = samples.hands()["hand_15"].view
    pile = replace(base.table.pile, frozen=draw(st.booleans()))
    opened = draw(st.booleans())
    sides = tuple(replace(side, opened=opened) for side in base.table.sides)
    view = replace(
        base,
        hand=hand,
        fresh=draw(subsets(hand)),
        hand_points=draw(st.integers(0, 2000)),
        laid_points=draw(st.integers(0, 200)),
        table=replace(base.table, pile=pile, sides=sides),
    )
    staged = (marked[cut:],) if marked[cut:] else ()
    return HandPicture(
        view=view, title=draw(NAMES), selected=marked[:cut], staged=staged, staged_points=draw(st.integers(0, 500))
    )


@st.composite
def melds(draw: st.DrawFn) -> tuple[MeldView, ...]:
    """What a side has laid."""
    kinds = draw(st.lists(st.sampled_from([*range(ACE + 1), BLACK_THREE]), unique=True, max_size=12))
    laid = []
    for kind in kinds:
        naturals, wilds = draw(st.integers(2, 8)), draw(st.integers(0, 3))
        cards = [card_of(kind, number % 4) for number in range(naturals)]
        cards += [draw(st.sampled_from([JOKER_CARD, card_of(TWO, 1)])) for _ in range(wilds)]
        canasta: Any = None if len(cards) < 7 else "mixed" if wilds else "natural"
        laid.append(MeldView(kind, tuple(sorted(cards)), naturals, wilds, canasta))
    return tuple(laid)


@st.composite
def tables(draw: st.DrawFn) -> PublicView:
    """A table of two or four, anywhere in a game."""
    base = samples.board(draw(st.sampled_from([samples.MIDDLE, samples.PAIR]))).view
    threes = [card_of(RED_THREE, 1), card_of(RED_THREE, 2)] * 2

    def side(before: SideView) -> SideView:
        return replace(
            before,
            score=draw(POINTS),
            on_table=draw(POINTS),
            opened=draw(st.booleans()),
            melds=draw(melds()),
            red_threes=tuple(threes[: draw(st.integers(0, 4))]),
        )

    count = draw(st.integers(0, 60))
    top = draw(st.sampled_from(ALL)) if count and draw(st.booleans()) else None
    frozen = draw(st.booleans())
    freezer = draw(st.sampled_from([None, JOKER_CARD, card_of(TWO, 2), card_of(RED_THREE, 1)])) if frozen else None
    return replace(
        base,
        sides=tuple(side(before) for before in base.sides),
        seats=tuple(replace(seat, cards=draw(st.integers(0, 60))) for seat in base.seats),
        actor=draw(st.sampled_from([None, *range(base.rules.players)])),
        dealer=draw(st.integers(0, base.rules.players - 1)),
        deal=draw(st.integers(1, 99)),
        stock=draw(st.integers(0, 85)),
        pile=PileView(count, top, frozen, freezer, aside=bool(count) and top is None),
    )


@st.composite
def boards(draw: st.DrawFn) -> BoardPicture:
    """A table with what is said about it."""
    return BoardPicture(
        view=draw(tables()),
        names=tuple(draw(st.lists(NAMES, max_size=4))),
        headline=draw(TEXTS),
        advice=draw(TEXTS),
        last=tuple(draw(st.lists(TEXTS, max_size=3))),
    )


@st.composite
def scores(draw: st.DrawFn) -> ScorePicture:
    """A game of some deals."""
    return ScorePicture(
        results=samples.results(draw(st.integers(1, 25))),
        side_names=tuple(draw(st.lists(NAMES, max_size=2))),
        target=draw(st.integers(1, 20)) * 500,
        rules_name=draw(NAMES),
        winner=draw(st.sampled_from([None, 0, 1])),
        banner=draw(TEXTS),
    )
