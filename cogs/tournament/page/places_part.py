"""The places with all their figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cogs.tournament.page.part_writing import Json, PageSource, folded, section, text

MEDALS: Final = {1: "gold", 2: "silver", 3: "bronze"}

SHOWN: Final = ("h2h", "bc1", "sb", "net", "wins", "boards")
"""Figures with a column of their own; a shared place of a bracket is told with the place."""


def places(told: PageSource) -> str:
    """The places of now, list by list, and folded those after each round before."""
    standings = told.document["standings"]
    if not standings:
        return ""
    last, before = standings[-1], standings[:-1]
    earlier = "".join(
        folded(text(told.words("event_page.after_round", round=one["after_round"])), *_lists(told, one["rows"]))
        for one in reversed(before)
    )
    return section("places", told.words("event_page.places"), *_lists(told, last["rows"]), earlier, _penalties(told))


def _lists(told: PageSource, rows: Sequence[Json]) -> Iterator[str]:
    for name in dict.fromkeys(row["list"] for row in rows):
        if name:
            yield f"<h3>{text(told.words(f'event_list.{name}'))}</h3>"
        yield _table(told, [row for row in rows if row["list"] == name])


def _table(told: PageSource, rows: Sequence[Json]) -> str:
    figures = [one for one in SHOWN if any(row["figures"].get(one) is not None for row in rows)]
    points = any(row["points"] is not None for row in rows)
    head = ['<th scope="col" class="p">#</th>', f'<th scope="col">{text(told.words("event_page.entry"))}</th>']
    if points:
        head.append(f'<th scope="col" class="t">{text(told.words("event_page.points"))}</th>')
    head += [
        f'<th scope="col" class="f"><abbr title="{text(_long(told, one))}">{text(_short(told, one))}</abbr></th>'
        for one in figures
    ]
    body = "".join(_row(told, row, figures, points=points) for row in rows)
    return f'<table class="places"><thead><tr>{"".join(head)}</tr></thead><tbody>{body}</tbody></table>'


def _row(told: PageSource, row: Json, figures: Sequence[str], *, points: bool) -> str:
    place = row["place"]
    medal = MEDALS.get(place or 0, "")
    cells = [
        f'<td class="p"><span class="{medal}">{_place(row)}</span></td>',
        f'<th scope="row" class="n">{told.entry(row["entry"])}</th>',
    ]
    if points:
        cells.append(f'<td class="t">{told.points(row["points"])}</td>')
    for one in figures:
        shown = told.figure(row["figures"].get(one))
        cells.append(f'<td class="f" data-l="{text(_short(told, one))}">{shown}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _place(row: Json) -> str:
    """The place, as far as it reaches where several went out together; a dash without one."""
    first, last = row["place"], row["figures"].get("last")
    if first is None:
        return "–"
    return str(first) if last in (None, first) else f"{first}–{last}"


def _short(told: PageSource, figure: str) -> str:
    return told.words(f"event_short.{figure}")


def _long(told: PageSource, figure: str) -> str:
    return told.words(f"event_long.{figure}")


def _penalties(told: PageSource) -> str:
    """What was taken off, and why."""
    lines = []
    for one in told.document["penalties"]:
        said = told.words(
            "event_page.penalty",
            round=one["round"],
            level=one["level"],
            points=one["points"],
            reason=text(one["reason"]),
        )
        lines.append(f"<li>{told.entry(one['entry'])}: {said}</li>")
    return f"<h3>{text(told.words('event_page.penalties'))}</h3><ul>{''.join(lines)}</ul>" if lines else ""
