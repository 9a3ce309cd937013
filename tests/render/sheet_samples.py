"""Samples of the pictures of tournaments and profiles: standings, brackets and ratings."""

from __future__ import annotations

from random import Random

from render.picture_inputs import (
    BracketMatch,
    BracketPicture,
    Picture,
    RatingPicture,
    RatingPoint,
    StandingsPicture,
    StandingsRow,
)


def sheet_pictures() -> dict[str, Picture]:
    """Return sample pictures of tournaments and profiles, by name."""
    first = (
        BracketMatch(("North", "East"), (3, 1), 0),
        BracketMatch(("South", "West"), (3, 2), 0),
        BracketMatch(("Wilhelmina", "Maximilian"), (0, 3), 1),
        BracketMatch(("Zoë", "Жёлтый ёж"), (3, 1), 0),
    )
    second = (BracketMatch(("North", "South"), (2, 3), 1), BracketMatch(("Maximilian", "Zoë"), (1, 1)))
    rounds = (first, second, (BracketMatch(("South", "")),))
    rows = tuple(
        StandingsRow(place + 1, name, (6, 6 - place, 4_180 - 333 * place, 12 - 2 * place), marked=place == 2)
        for place, name in enumerate(("North", "South", "Wilhelmina", "East", "Maximilian", "West"))
    )
    random = Random(4)
    points, value, deviation = [], 1500.0, 86.0
    for _ in range(31):
        points.append(RatingPoint(round(value), round(deviation)))
        value, deviation = value + random.uniform(-16, 24), max(37.0, deviation * 0.95)
    return {
        "bracket": BracketPicture(
            title="Spring Cup",
            note="Knock-out · 8 players",
            rounds=rounds,
            round_names=("Quarter-finals", "Semi-finals", "Final"),
        ),
        "standings": StandingsPicture(
            title="Standings", note="Round 6 of 7", columns=("played", "won", "points", "score"), rows=rows
        ),
        "rating": RatingPicture(title="Rating", note="Wilhelmina", points=tuple(points)),
        "closing": closing_standings(),
        "lower_half": lower_bracket(),
    }


def closing_standings() -> StandingsPicture:
    """Return the final standings of a cup, with medals."""
    entries = (
        (1, "Zoë & Жёлтый ёж", ("27", "85.4", 12)),
        (2, "Wilhelmina & Maximilian", ("25", "−4", 10)),
        (3, "North & South", ("21", "0", 9)),
        (4, "East & West", ("23", "1.1", 8)),
        (5, "Ana & Dov", ("19", "−55.8", 6)),
        (6, "Eli & Flo", ("18", "−290.4", 4)),
    )
    rows = tuple(StandingsRow(place, name, values) for place, name, values in entries)
    note, columns = "Fri 20 Nov 2026 · Swiss", ("Cut 1", "net", "points")
    return StandingsPicture(title="Friday cup", note=note, columns=columns, rows=rows, medals=True)


def lower_bracket() -> BracketPicture:
    """Return a lower bracket, in which losers of the upper bracket join every other round."""
    zoe, ana, eli, ida, kim = "Zoë & Wilhelmina", "Ana & Dov", "Eli & Flo", "Ida & Maximilian", "Kim & Lou"
    rounds = (
        (
            BracketMatch((zoe, ana), (540, -320), 0),
            BracketMatch((eli, "–")),
        ),
        (BracketMatch((zoe, ida), (85, 540), 1), BracketMatch((eli, kim), (330, 1320), 1)),
        (BracketMatch((ida, kim), (1410, -95), 0),),
        (BracketMatch((ida, "")),),
    )
    names = ("Round 1", "Round 2", "Round 3", "Round 4")
    return BracketPicture(title="Spring Cup", note="Beaten once", rounds=rounds, round_names=names)
