"""Descriptions contain everything that the picture shows."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.cards.cards import kind_of
from render import descriptions
from render.drawable_names import drawable_text
from render.drawing.fonts import FontRuler
from render.layout_items import CardBack, CardFace, CrosswiseCard, MeldTile, Text
from render.layouts import layout_of
from render.picture_inputs import HandPicture, Picture, RatingPicture
from render.picture_words import ENGLISH, MINUS, TIMES, rank_text
from tests.render import picture_strategies, samples
from tests.render.language_with_long_words import LONG
from tests.support.seeds import example_count

RULER = FontRuler()
ELLIPSIS = "…"
# Short forms that descriptions spell out, and marks that are no words.
SAID_ELSEWHERE = {"meld", "jk", "#", "·", "/", "&", "–", "±", "mix", "pts", "nat", "wild", "run"}


RANKS = {rank_text(kind): rank for kind, rank in enumerate(ENGLISH.ranks)}
SUITS = dict(zip("♠♥♦♣", ENGLISH.suits, strict=True))


def words_in(text: str) -> list[str]:
    """Return the words and numbers of a text in lower case, without signs inside numbers."""
    text = re.sub(r"(10|[2-9JQKA])([♠♥♦♣])", lambda sign: f"{RANKS[sign[1]]} {SUITS[sign[2]]}", text)
    plain = re.sub(r"(?<=\d)[,.](?=\d{3})", "", text.replace("+", " ").replace(TIMES, "").replace(MINUS, "-"))
    return re.findall(r"[^\s,;:()]+", plain.casefold())


def missing_words(picture: Picture) -> list[str]:
    """Return the picture's words that its description lacks.

    For a shortened word, only its visible part is searched.
    """
    layout = layout_of(picture, RULER)
    full = descriptions.full_description(picture)
    text = " ".join(words_in(full) + words_in(" ".join(drawable_text(word) for word in full.split())))
    return [
        word
        for item in layout.items
        if isinstance(item, Text)
        for word in (part.rstrip(ELLIPSIS).rstrip(".") for part in words_in(item.text))
        if word and word not in SAID_ELSEWHERE and word not in text and not is_label(item)
    ]


def is_label(text: Text) -> bool:
    """Return whether the text is a single digit or a count such as "+3", which no description repeats."""
    return (text.text.isdigit() and len(text.text) == 1) or re.fullmatch(r"\+\d+", text.text) is not None


def test_every_word_of_every_sample_is_in_the_description() -> None:
    for name, picture in samples.all_samples().items():
        if isinstance(picture, RatingPicture) or name in ("score_game", "score_final"):
            continue  # the numbers beside a chart's lines are a scale, which no description repeats
        missing = [word for word in missing_words(picture) if word not in HEADINGS]
        assert missing == [], name


HEADINGS = {"first", "score", "sheet", "final", "game", "this", "deal", "total", "your", "hand", "so", "far"}
"""Titles of sheets and columns."""


@settings(max_examples=example_count(60))
@given(st.one_of(picture_strategies.boards(), picture_strategies.hands()))
def test_every_meld_pile_and_three_is_described(picture: Picture) -> None:
    text, words = descriptions.full_description(picture), picture.words
    for item in layout_of(picture, RULER).items:
        if isinstance(item, CrosswiseCard) or (isinstance(item, CardFace) and item.number is None):
            assert words.spoken_card_name(item.card) in text
        elif isinstance(item, MeldTile) and item.mark and item.suit is None and TIMES not in item.mark[0]:
            rank = next(kind for kind in range(13) if rank_text(kind) == item.mark[0])
            names = {words.rank_plurals[kind] for kind in range(15) if rank_text(kind) == rank_text(rank)}
            assert any(name in text for name in names)
        elif isinstance(item, MeldTile) and item.suit is not None:
            assert words.suits[item.suit] in text
        elif isinstance(item, CardBack):
            assert words.say_stock.split("{n}")[0] in text


@settings(max_examples=example_count(60))
@given(picture_strategies.hands())
def test_every_card_of_a_hand_is_described(picture: HandPicture) -> None:
    text, words = descriptions.full_description(picture), picture.words
    for card in picture.view.hand:
        kind = kind_of(card)
        assert any(name in text for name in (words.ranks[kind], words.rank_plurals[kind], words.joker))
        if kind != 13:
            assert words.suits[card & 3] in text


@settings(max_examples=example_count(40))
@given(picture_strategies.pictures())
def test_the_full_description_is_complete(picture: Picture) -> None:
    assert len(descriptions.short_description(picture)) <= 1024
    assert len(descriptions.full_description(picture)) <= 4000
    # Both begin alike up to the first side's melds; a text that is too long names melds only by rank.
    short, full = descriptions.short_description(picture), descriptions.full_description(picture)
    assert short[:100].partition(":")[0] == full[:100].partition(":")[0]


def test_the_longest_tables_are_described_in_full() -> None:
    """No description is cut, because even the fullest sample fits."""
    for name, picture in samples.all_samples().items():
        assert not descriptions.full_description(picture).endswith(ELLIPSIS), name


def test_descriptions_use_only_words_of_their_language() -> None:
    english = samples.boards_of_many_seats()["board_clocks"]
    long = samples.with_words(english, LONG)
    text = " ".join(item.text for item in layout_of(long, RULER).items if isinstance(item, Text))
    assert "1.280" not in text  # that language groups digits only from 10.000 on
    assert "Kartengeber" in descriptions.full_description(long) or LONG.say_dealer == ENGLISH.say_dealer
    assert "Austeilung 3" in text
