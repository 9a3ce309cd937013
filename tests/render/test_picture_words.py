"""Words on pictures: a language's catalogue may give every known key and no other."""

from dataclasses import fields, replace

import pytest

from render.picture_words import ENGLISH, PictureWords, picture_words_of


def test_a_catalogue_may_give_every_word() -> None:
    texts = {
        field.name: getattr(ENGLISH, field.name) for field in fields(PictureWords) if field.name != "thousands_from"
    }
    assert picture_words_of({**texts, "thousands_from": "1000"}) == ENGLISH


def test_words_missing_from_a_catalogue_stay_english() -> None:
    words = picture_words_of({"frozen": "Eingefroren", "suits": ["Pik", "Herz", "Karo", "Kreuz"]})
    assert words == replace(ENGLISH, frozen="Eingefroren", suits=("Pik", "Herz", "Karo", "Kreuz"))


@pytest.mark.parametrize(
    "texts",
    [
        {"unknown": "x"},
        {"deal": "Deal {number}"},
        {"suits": ["spades"]},
        {"suits": "spades"},
        {"thousands_from": "ten"},
        {"name_of": "x"},
    ],
)
def test_unknown_keys_are_refused(texts: dict[str, str | list[str]]) -> None:
    with pytest.raises(ValueError, match=next(iter(texts))):
        picture_words_of(texts)


@pytest.mark.parametrize(
    ("mark", "start", "expected"),
    [
        ("\N{THIN SPACE}", 1_000, "1\N{THIN SPACE}245"),
        (".", 1_000, "1.245"),
        (",", 1_000, "1,245"),
        ("", 1_000, "1245"),
        (".", 10_000, "1245"),
    ],
)
def test_scores_on_pictures_have_the_number_format_of_the_language(mark: str, start: int, expected: str) -> None:
    words = replace(ENGLISH, thousands=mark, thousands_from=start)
    assert expected == words.number_text(1245)
    assert f"+{expected}" == words.signed_number_text(1245)
    assert f"\N{MINUS SIGN}{expected}" == words.signed_number_text(-1245)
