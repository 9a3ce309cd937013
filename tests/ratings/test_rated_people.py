"""The people of a match who are rated, each with a rank and a share of the deals."""

from __future__ import annotations

from bot.ratings.rating_rules import (
    Ladder,
    MatchId,
    RatedMatch,
    SeatPlayed,
    SidePlayed,
    ladder_named,
    ladder_of,
    unrated_row,
)

RankedShares = list[tuple[int, int, float]]


def whole_seat(person: int, deals: int = 4) -> SeatPlayed:
    return SeatPlayed(((person, deals),))


def match_of_sides(*sides: SidePlayed) -> RatedMatch:
    return RatedMatch(id=MatchId(0, 7), at=5, ladder=Ladder("classic", 4), guild=9, sides=sides)


def rated_people(*sides: SidePlayed) -> RankedShares | None:
    """Return person, rank and share of each rated person; None if the match is not rated."""
    row = unrated_row(match_of_sides(*sides))
    return None if row is None else [(one.person, one.rank, one.share) for one in row.places]


def rated_people_with_seat(seat: SeatPlayed) -> RankedShares | None:
    """Return the rated people of a match that person 1 and this seat win against 3 and 4."""
    return rated_people(SidePlayed((whole_seat(1), seat), 900), SidePlayed((whole_seat(3), whole_seat(4)), 100))


OTHERS = [(3, 2, 1.0), (4, 2, 1.0)]


def test_the_person_with_most_deals_of_a_seat_is_rated() -> None:
    assert [(1, 1, 1.0), (2, 1, 0.75), *OTHERS] == rated_people_with_seat(SeatPlayed(((5, 1), (2, 3))))
    assert [(1, 1, 1.0), (5, 1, 0.5), *OTHERS] == rated_people_with_seat(SeatPlayed(((5, 2), (2, 2))))
    assert [(1, 1, 1.0), (5, 1, 0.4), *OTHERS] == rated_people_with_seat(SeatPlayed(((5, 2), (2, 2)), computer=1))


def test_a_computer_player_in_over_half_of_a_seat_ends_the_rating_and_half_does_not() -> None:
    assert [(1, 1, 1.0), (2, 1, 0.5), *OTHERS] == rated_people_with_seat(SeatPlayed(((2, 2),), computer=2))
    assert rated_people_with_seat(SeatPlayed(((2, 2),), computer=3)) is None
    assert rated_people_with_seat(SeatPlayed((), computer=4)) is None


def test_a_player_who_gave_up_is_rated_alone_if_a_computer_player_played_most() -> None:
    assert [(1, 1, 0.0), (2, 1, 1.0), (3, 2, 0.0), (4, 2, 0.0)] == rated_people_with_seat(
        SeatPlayed(((2, 1),), computer=3, lost=2)
    )


def test_a_match_against_oneself_or_without_a_deal_is_not_rated() -> None:
    assert rated_people_with_seat(whole_seat(3)) is None
    assert rated_people(SidePlayed((SeatPlayed(()),), 0), SidePlayed((SeatPlayed(()),), 0)) is None


def test_equal_totals_share_a_rank_and_sides_that_gave_up_come_last() -> None:
    sides = [
        SidePlayed((whole_seat(1),), 500),
        SidePlayed((whole_seat(2),), 900, last=True),
        SidePlayed((whole_seat(3),), 500),
    ]
    assert (1, 3, 1) == match_of_sides(*sides).ranks


def test_a_ladder_has_a_family_of_rules_and_a_name() -> None:
    assert Ladder("runs", 4) == ladder_of("samba", 4) == ladder_named("runs-4") == ladder_of("bolivia", 4)
    assert "classic-6" == ladder_of("classic-trios", 6).name
