"""Score sheets, brackets, standings and ratings in words, sentence by sentence, the most needed ones first."""

from __future__ import annotations

from collections.abc import Iterable

from render.drawable_names import bounded
from render.inputs import BracketPicture, Match, RatingPicture, ScorePicture, Sheet, StandingsPicture
from render.layout_score import MOST_DEALS, MOST_DEALS_OF_GAME, deal_rows, line_name, score_fields, score_points
from render.words import MINUS, Words


def score(picture: ScorePicture) -> list[str]:
    """The last deal line by line, the totals, and the deals so far."""
    words, last = picture.words, picture.results[-1]
    head = [words.deal.format(n=last.deal), words.aim(picture.target, picture.rounds, number=str)]
    if picture.rules_name:
        head.append(bounded(picture.rules_name, 60))
    parts = [sentence(bounded(picture.banner, 120)), sentence(", ".join(head))]
    if picture.kind is not Sheet.GAME:
        for side in range(len(last.lines)):
            told = [
                f"{line_name(picture, name).lower()} {plain(score_points(last, name)[side])}"
                for name in score_fields(picture)
            ]
            parts.append(sentence(f"{_side_name(picture, side)}: {', '.join(told)}"))
    parts += totals(picture)
    most = MOST_DEALS if picture.kind is Sheet.DEAL else MOST_DEALS_OF_GAME
    for row in deal_rows(picture.results, words, most):
        sides = [
            words.say_gain.format(name=_side_name(picture, side), gain=plain(gain), n=plain(total))
            for side, (gain, total) in enumerate(zip(row.gains, row.totals, strict=True))
        ]
        parts.append(sentence(f"{row.label}: {', '.join(sides)}"))
    return parts


def totals(picture: ScorePicture) -> list[str]:
    """What each side made in the last deal, and its total."""
    words, last = picture.words, picture.results[-1]
    return [
        sentence(
            words.say_score.format(name=_side_name(picture, side), gain=plain(lines.total), n=plain(last.scores[side]))
        )
        for side, lines in enumerate(last.lines)
    ]


def _side_name(picture: ScorePicture, side: int) -> str:
    names = picture.side_names
    return (bounded(names[side], 64) if side < len(names) else "") or str(side + 1)


def bracket(picture: BracketPicture) -> list[str]:
    """Round by round, the last one first: it matters most."""
    words = picture.words
    parts = [sentence(bounded(picture.title, 80)), sentence(bounded(picture.note, 80))]
    for number, matches in reversed(list(enumerate(picture.rounds))):
        names = picture.round_names
        label = names[number] if number < len(names) else words.bracket_round.format(n=number + 1)
        told = "; ".join(_match(match, words) for match in matches)
        parts.append(sentence(f"{bounded(label, 40)}: {told}"))
    return parts


def _match(match: Match, words: Words) -> str:
    """Who met, what each won, who won the match."""
    first, second = (bounded(name, 64) or words.not_known for name in match.names)
    points = ["0" if value is None else plain(value) for value in match.points]
    if match.points == (None, None) and match.winner is None:
        return words.say_match_ahead.format(first=first, second=second)
    template = words.say_match_open if match.winner is None else words.say_match
    winner = (first, second)[match.winner or 0]
    return template.format(first=first, first_points=points[0], second=second, second_points=points[1], winner=winner)


def standings(picture: StandingsPicture) -> list[str]:
    """Row by row from the top."""
    words = picture.words
    parts = [sentence(bounded(picture.title, 80)), sentence(bounded(picture.note, 80))]
    for row in picture.rows:
        told = [
            f"{bounded(column, 40)} {plain(value) if isinstance(value, int) else value}"
            for column, value in zip(picture.columns, row.values, strict=True)
        ]
        name = bounded(row.name, 64)
        parts.append(sentence(words.say_place.format(place=row.place, name=name, values=", ".join(told))))
    return parts


def rating(picture: RatingPicture) -> list[str]:
    """The rating of today, and between what it moved."""
    words, points = picture.words, picture.points
    values = [point.value for point in points]
    told = words.say_rating.format(
        n=values[-1],
        deviation=words.deviation.format(n=points[-1].deviation),
        games=len(points) - 1,
        low=min(values),
        high=max(values),
    )
    return [sentence(bounded(picture.title, 80)), sentence(bounded(picture.note, 80)), told]


def plain(value: int) -> str:
    """A number as a screen reader takes it."""
    return str(value).replace("-", MINUS)


def sentence(text: str) -> str:
    """The text with an end."""
    return text if not text or text[-1] in ".!?…" else text + "."


def joined(parts: Iterable[str], longest: int, more: str) -> str:
    """The sentences, as many as fit, and the hint that there is more where not all do."""
    told = [part for part in parts if part]
    text = " ".join(told)
    if len(text) <= longest:
        return text
    while len(told) > 1:
        told.pop()
        text = " ".join([*told, more])
        if len(text) <= longest:
            return text
    return text[: longest - 1].rstrip() + "…"
