"""Descriptions of pictures: complete, within Discord's limits, spelled for screen readers."""

from hypothesis import given

from render import descriptions
from render.picture_inputs import BoardPicture, HandPicture, ScorePicture
from tests.render import picture_strategies, samples

SUIT_SIGNS = set("♠♥♦♣")


@given(picture_strategies.boards())
def test_a_board_is_described_within_the_limits(picture: BoardPicture) -> None:
    assert 0 < len(descriptions.board_text(picture)) <= 1024
    assert not SUIT_SIGNS & set(descriptions.board_text(BoardPicture(view=picture.view, names=samples.NAMES)))


@given(picture_strategies.hands())
def test_a_hand_is_described_within_the_limits(picture: HandPicture) -> None:
    assert 0 < len(descriptions.hand_text(picture)) <= 1024
    assert not SUIT_SIGNS & set(descriptions.hand_text(picture))


@given(picture_strategies.scores())
def test_a_score_is_described_within_the_limits(picture: ScorePicture) -> None:
    assert 0 < len(descriptions.score_text(picture)) <= 1024


def test_a_board_with_too_many_melds_is_described_by_rank() -> None:
    text = descriptions.board_text(samples.boards_of_many_seats()["board_feet"])
    assert "canastas ace, 4, king" in text
    assert text.endswith("Deal 3, to 5000, Hand and Foot.")


def test_the_full_text_of_a_board_names_melds_wild_cards_red_threes_and_hands() -> None:
    text = descriptions.board_text(samples.boards()["board_4"])
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


def test_before_the_first_meld_the_description_names_the_minimum() -> None:
    assert "nothing melded, needs 50" in descriptions.board_text(samples.boards()["board_start"])


def test_the_full_text_of_a_hand_names_every_card() -> None:
    text = descriptions.hand_text(samples.hands()["hand_15"])
    assert text.startswith("Your hand, 15 cards, 195 points: aces of spades, hearts; kings of spades, diamonds, clubs;")
    assert "New: joker." in text
    assert "Selected: 7 of spades, 7 of hearts, 7 of clubs." in text
    assert text.endswith("First meld needs 90. The pile is frozen.")


def test_an_empty_hand_is_described_as_empty() -> None:
    picture = HandPicture(view=samples.hand_of(""))
    assert descriptions.hand_text(picture) == "Your hand is empty. The pile is frozen."


def test_the_text_of_a_score_has_every_line() -> None:
    text = descriptions.score_text(samples.scores()["score_3"])
    assert "North & South: natural canastas 500, mixed canastas 600, red threes 200, going out 0" in text
    assert "East & West: 2040 in this deal, total 2680." in text
    assert text.endswith("Deal 3: North & South 1645 to 2890, East & West 2040 to 2680.")


def test_the_strip_of_a_hand_is_described() -> None:
    """The order is that of the picture: pile, stock, everyone's cards, own melds, others' melds."""
    expected = (
        "Anna. Your hand, 12 cards, 60 points: aces of spades, hearts; kings of spades, diamonds, clubs; 10 of hearts; "
        "9 of diamonds; sevens of spades, hearts, clubs; 4 of diamonds; 2 of clubs. New: king of clubs. "
        "Put together: king of spades, king of diamonds, king of clubs, 30 points. First meld needs 50, 30 so far. "
        "Pile 17, frozen, top 7 of spades. Stock 42. Computer 1 holds 9, Ben holds 14, Computer 2 holds 12. "
        "Your side: no melds yet. Computer 1 & Computer 2: mixed canasta of 7 aces (2 twos); "
        "natural canasta of 9 jacks; 5 tens (1 joker); 3 fours; 4 sixes."
    )
    assert expected == descriptions.hand_text(samples.strips()["strip_staged"])


def test_v3_3_the_opening_canasta_is_described() -> None:
    """From 7,000 a canasta is needed instead of points (`docs/law/variants.md 3.3`)."""
    strips = samples.strips()
    needed = "First meld needs a canasta and 200 points, 100 points so far."
    assert needed in descriptions.hand_text(strips["strip_canasta"])
    assert "First meld needs an unmixed canasta." in descriptions.hand_text(strips["strip_natural_canasta"])
    text = descriptions.board_text(samples.boards_of_many_seats()["board_canasta"])
    assert 2 == text.count("nothing melded, needs a canasta and 200 points")


def test_a_pile_frozen_only_for_an_unopened_side_is_described_as_such() -> None:
    strips = samples.strips()
    new = samples.hand_below_board(
        samples.with_unopened_sides(samples.with_pile(samples.boards_of_many_seats()["board_clocks"], frozen=False), 0),
        "As Ah",
    )
    assert "Pile 17, top 7 of spades. The pile is frozen for you." in descriptions.hand_text(new)
    assert "The pile is frozen" not in descriptions.hand_text(strips["strip_opened"])


def test_cards_waiting_for_a_seat_are_described() -> None:
    strips = samples.strips()
    assert "Bonus 3 cards face down." in descriptions.hand_text(strips["strip_talon"])
    assert "South holds 14 (11 more face down)" in descriptions.full_description(strips["strip_feet"])
    assert "Penalty cards of East: 7 of spades, king of hearts." in descriptions.hand_text(strips["strip_penalties"])


def test_a_strip_with_too_many_melds_is_described_by_rank() -> None:
    text = descriptions.hand_text(samples.strips()["strip_feet"])
    assert "Your side: canastas ace, 4, king" in text
    assert not text.endswith("…")
