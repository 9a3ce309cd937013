"""Descriptions: the same as the picture, within Discord's limits, spelled for screen readers."""

from hypothesis import given

from render import describe
from render.inputs import BoardPicture, HandPicture, ScorePicture
from tests.render import samples, strategies

SUIT_SIGNS = set("♠♥♦♣")


@given(strategies.boards())
def test_a_board_is_described_within_the_limits(picture: BoardPicture) -> None:
    assert 0 < len(describe.board_alt(picture)) <= 256
    assert 0 < len(describe.board_text(picture)) <= 1024
    assert not SUIT_SIGNS & set(describe.board_text(BoardPicture(view=picture.view, names=samples.NAMES)))


@given(strategies.hands())
def test_a_hand_is_described_within_the_limits(picture: HandPicture) -> None:
    assert 0 < len(describe.hand_alt(picture)) <= 256
    assert 0 < len(describe.hand_text(picture)) <= 1024
    assert not SUIT_SIGNS & set(describe.hand_text(picture))


@given(strategies.scores())
def test_a_score_is_described_within_the_limits(picture: ScorePicture) -> None:
    assert 0 < len(describe.score_alt(picture)) <= 256
    assert 0 < len(describe.score_text(picture)) <= 1024


def test_the_short_text_of_a_board() -> None:
    expected = (
        "North to play. Stock 42. Pile 17, frozen, top 7 of spades. "
        "North & South 1245: canastas king, 7; melds 9, queen, 5. "
        "East & West 2180: canastas ace, jack; melds 10, 4, 6."
    )
    assert expected == describe.board_alt(samples.boards()["board_4"])


def test_the_full_text_of_a_board_names_melds_wild_cards_red_threes_and_hands() -> None:
    text = describe.board_text(samples.boards()["board_4"])
    for part in (
        "Draw, or take the pile.",
        "mixed canasta of 7 sevens (1 joker, 1 two)",
        "5 nines (1 two)",
        "red threes 2 (3 of hearts, 3 of diamonds)",
        "frozen by the joker",
        "West is the dealer",
        "West holds 12",
        "Deal 3, to 5000",
    ):
        assert part in text


def test_a_table_before_its_first_meld_is_told_what_it_needs() -> None:
    assert "nothing melded, needs 50" in describe.board_alt(samples.boards()["board_start"])


def test_the_short_text_of_a_hand_goes_by_rank() -> None:
    expected = "Your hand, 15 cards: 2 aces, 3 kings, 2 tens, 1 nine, 3 sevens, 1 four, 1 black three, 1 joker, 1 two."
    assert expected == describe.hand_alt(samples.hands()["hand_15"])


def test_the_full_text_of_a_hand_goes_by_card() -> None:
    text = describe.hand_text(samples.hands()["hand_15"])
    assert text.startswith("Your hand, 15 cards, 195 points: aces of spades, hearts; kings of spades, diamonds, clubs;")
    assert "New: joker." in text
    assert "Selected: 7 of spades, 7 of hearts, 7 of clubs." in text
    assert text.endswith("First meld needs 90. The pile is frozen.")


def test_an_empty_hand_is_said_to_be_empty() -> None:
    picture = HandPicture(view=samples.hand_of(""))
    assert describe.hand_alt(picture) == "Your hand is empty."
    assert describe.hand_text(picture) == "Your hand is empty. The pile is frozen."


def test_the_text_of_a_score_goes_line_by_line() -> None:
    text = describe.score_text(samples.scores()["score_3"])
    assert "North & South: natural canastas 500, mixed canastas 600, red threes 200, going out 0" in text
    assert "East & West: 2040 in this deal, total 2680." in text
    assert text.endswith("Deal 3: North & South 1645 to 2890, East & West 2040 to 2680.")
