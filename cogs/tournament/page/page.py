"""The whole HTML page of a tournament, and its sections on places, rules and fairness.

The page loads nothing from other files, and all names in it are escaped.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

from bot.i18n import Words
from bot.tournaments.event.tournament import Stage
from bot.tournaments.export.document import tournament_document
from bot.tournaments.export.export_input import ExportInput
from cogs.shared.telling import rules_text
from cogs.tournament import wording
from cogs.tournament.page.html import Json, PageSource, escape_html, foldable_block, name_html, section_html, time_html
from cogs.tournament.page.replays import command_html, verify_command
from cogs.tournament.page.rounds import boards_section, bracket_section, rounds_section
from cogs.tournament.page.style import SCRIPT, STYLE

MEDALS: Final = {1: "gold", 2: "silver", 3: "bronze"}

SHOWN: Final = ("h2h", "bc1", "sb", "net", "wins", "boards")
"""Figures that have their own column; a bracket's shared place is written in the place column."""


def standings_section(source: PageSource) -> str:
    """Return the section on places: the current ones by list, and those after earlier rounds folded."""
    standings = source.document["standings"]
    if not standings:
        return ""
    last, before = standings[-1], standings[:-1]
    earlier = "".join(
        foldable_block(
            escape_html(source.words("event_page.after_round", round=one["after_round"])),
            *_standings_lists_html(source, one["rows"]),
        )
        for one in reversed(before)
    )
    return section_html(
        "places",
        source.words("event_page.places"),
        *_standings_lists_html(source, last["rows"]),
        earlier,
        _penalties_html(source),
    )


def _standings_lists_html(source: PageSource, rows: Sequence[Json]) -> Iterator[str]:
    for chosen in dict.fromkeys(row["list"] for row in rows):
        if chosen:
            yield f"<h3>{escape_html(source.words(f'event_list.{chosen}'))}</h3>"
        yield _table_html(source, [row for row in rows if row["list"] == chosen])


def _table_html(source: PageSource, rows: Sequence[Json]) -> str:
    figures = [one for one in SHOWN if any(row["figures"].get(one) is not None for row in rows)]
    points = any(row["points"] is not None for row in rows)
    head = ['<th scope="col" class="p">#</th>', f'<th scope="col">{escape_html(source.words("event_page.entry"))}</th>']
    if points:
        head.append(f'<th scope="col" class="t">{escape_html(source.words("event_page.points"))}</th>')
    head += [
        f'<th scope="col" class="f"><abbr title="{escape_html(_long_figure_title(source, one))}">'
        f"{escape_html(_short_figure_title(source, one))}</abbr></th>"
        for one in figures
    ]
    body = "".join(_row_html(source, row, figures, points=points) for row in rows)
    return f'<table class="places"><thead><tr>{"".join(head)}</tr></thead><tbody>{body}</tbody></table>'


def _row_html(source: PageSource, row: Json, figures: Sequence[str], *, points: bool) -> str:
    place = row["place"]
    medal = MEDALS.get(place or 0, "")
    cells = [
        f'<td class="p"><span class="{medal}">{_place_text(row)}</span></td>',
        f'<th scope="row" class="n">{source.entry_html(row["entry"])}</th>',
    ]
    if points:
        cells.append(f'<td class="t">{source.points_text(row["points"])}</td>')
    for one in figures:
        text = source.figure_text(row["figures"].get(one))
        cells.append(f'<td class="f" data-l="{escape_html(_short_figure_title(source, one))}">{text}</td>')
    return f"<tr>{''.join(cells)}</tr>"


def _place_text(row: Json) -> str:
    """Return the place as text: a range if entries share it, a dash without a place."""
    first, last = row["place"], row["figures"].get("last")
    if first is None:
        return "–"
    return str(first) if last in (None, first) else f"{first}–{last}"


def _short_figure_title(source: PageSource, figure: str) -> str:
    return source.words(f"event_short.{figure}")


def _long_figure_title(source: PageSource, figure: str) -> str:
    return source.words(f"event_long.{figure}")


def _penalties_html(source: PageSource) -> str:
    """Return as HTML the list of penalties with their reasons."""
    lines = []
    for one in source.document["penalties"]:
        text = source.words(
            "event_page.penalty",
            round=one["round"],
            level=one["level"],
            points=one["points"],
            reason=escape_html(one["reason"]),
        )
        lines.append(f"<li>{source.entry_html(one['entry'])}: {text}</li>")
    return f"<h3>{escape_html(source.words('event_page.penalties'))}</h3><ul>{''.join(lines)}</ul>" if lines else ""


_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")

FINGERPRINT: Final = "python3 -c \"import hashlib; print(hashlib.sha256(bytes.fromhex('{seed}')).hexdigest())\""
"""A command that computes the published hash of a seed."""


def rules_and_scoring_section(source: PageSource) -> str:
    """Return the section on the tables' rules and the scoring of results."""
    plan = source.material.tournament.plan
    rules = rules_text.all_rules_text(source.words, plan.rules, name=plan.saved_as)
    scoring = source.document["event"]["scoring"]
    worth = source.words(
        "event_page.worth", win=source.points_text(scoring["win"]), tie=source.points_text(scoring["tie"])
    )
    cap = source.words("event_page.cap", cap=source.figure_text(source.document["event"]["net_cap"]))
    texts = [worth, cap] if source.document["event"]["tiebreaks"] else []
    if source.material.tournament.movement is not None:
        texts.append(wording.pair_movement_text(source.words, source.material.tournament.movement, explained=True))
    return section_html(
        "rules",
        source.words("event_page.rules"),
        _paragraphs_html(rules),
        *(f"<p>{escape_html(one)}</p>" for one in texts),
    )


def _paragraphs_html(message: str) -> str:
    """Return the lines of a message as HTML paragraphs; bold is the only markup supported."""
    lines = (escape(line.replace("\\", "")) for line in message.split("\n") if line)
    return "".join(f"<p>{bold}</p>" for bold in (_BOLD.sub(r"<b>\1</b>", line) for line in lines))


def fairness_section(source: PageSource) -> str:
    """Return the section with all seeds, their published hashes, and how to compare the two."""
    tournament, words = source.material.tournament, source.words
    parts = []
    if tournament.commitment:
        parts.append(
            f"<p>{escape_html(words('event_page.lot'))}</p>"
            f"{_seed_values_html(words, tournament.commitment, tournament.lot_shown)}"
        )
    if tournament.lot_shown:
        code = (
            f"python3 -c \"import hashlib; print(hashlib.sha256(bytes.fromhex('{tournament.lot_shown}')).hexdigest())\""
        )
        parts.append(command_html(code))
    if source.document["boards"]:
        parts.append(f"<p>{escape_html(words('event_page.seeds'))}</p>")
        parts += [_board_html(source, number) for number in range(len(source.document["boards"]))]
    return section_html("fairness", words("event_page.fairness"), *parts)


def _seed_values_html(words: Words, commitment: str, seed: str) -> str:
    shown_seed = seed or words("event_page.not_yet")
    rows = ((words("event_page.commitment"), commitment), (words("event_page.seed"), shown_seed))
    return (
        "<dl>"
        + "".join(f"<dt>{escape_html(label)}</dt><dd><code>{escape_html(value)}</code></dd>" for label, value in rows)
        + "</dl>"
    )


def _board_html(source: PageSource, place: int) -> str:
    board, plan = source.document["boards"][place], source.material.tournament.plan
    title = f"<h3>{escape_html(source.words('event_page.board', board=board['number']))}</h3>"
    if board["seed"] is None:
        return title + _seed_values_html(source.words, board["commitment"], "")
    line = verify_command(
        event=source.document["event"]["id"],
        board=board["number"],
        commitment=board["commitment"],
        seed=board["seed"],
        client=board["client"],
        decks=plan.rules.decks,
        jokers_per_deck=plan.rules.jokers_per_deck,
    )
    return title + command_html(line)


OVER = (Stage.CLOSING, Stage.CLOSED)

SECTIONS = ("places", "bracket", "boards", "rounds", "rules", "fairness")

LABELS = ("first", "back", "next", "last", "all")
"""The labels of the script's buttons."""


def page_html(
    words: Words, material: ExportInput, replays: Mapping[tuple[int, int], str], *, left_out: bool = False
) -> str:
    """Return the whole page of a tournament as HTML.

    `replays` are deals as HTML (`cogs.tournament.page.replays`), by match and number. With `left_out` the page says
    that its replays were left out.
    """
    source = page_source(words, material, replays, tournament_document(material))
    parts = {
        "places": standings_section(source),
        "bracket": bracket_section(source),
        "boards": boards_section(source),
        "rounds": rounds_section(source, left_out=left_out),
        "rules": rules_and_scoring_section(source),
        "fairness": fairness_section(source),
    }
    labels = "".join(f' data-{one}="{escape_html(words(f"event_step.{one}"))}"' for one in LABELS)
    return (
        f'<!DOCTYPE html><html lang="{words.locale}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_security_policy()}">'
        f"<title>{escape_html(source.document['event']['name'])}</title><style>{STYLE}</style></head><body{labels}>"
        f"{_header_html(source, parts)}<main>{''.join(parts.values())}</main>{_footer_html(source)}"
        f"<script>{SCRIPT}</script></body></html>"
    )


def page_source(
    words: Words, material: ExportInput, replays: Mapping[tuple[int, int], str], document: Json
) -> PageSource:
    """Return the input for a tournament's page and pictures.

    `document` is the exported document of `material`; `replays` are deals as HTML, by match and number.
    """
    people = {one["id"]: one["name"] or words("seat.former") for one in document["people"]}
    names = {one["number"]: " & ".join(people[person] for person in one["people"]) for one in document["entries"]}
    return PageSource(
        words=words, material=material, document=document, course=material.course, names=names, replays=replays
    )


def _security_policy() -> str:
    """Return the content security policy: only the page's own style and script are allowed."""
    return (
        f"default-src 'none'; style-src {_source_digest(STYLE)}; script-src {_source_digest(SCRIPT)}; base-uri 'none'"
    )


def _source_digest(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def _header_html(source: PageSource, parts: Mapping[str, str]) -> str:
    words, event, tournament = source.words, source.document["event"], source.material.tournament
    about = words(
        "event_page.about",
        kind=words(f"event_kind.{event['kind']}"),
        entries=len(source.document["entries"]),
        rounds=len(source.document["rounds"]),
    )
    links = "".join(f'<a href="#{one}">{escape_html(words(f"event_page.{one}"))}</a>' for one in SECTIONS if parts[one])
    state = "" if tournament.stage in OVER else f"<p>{escape_html(words('event_page.not_over'))}</p>"
    return (
        f"<header><h1>{name_html(event['name'])}</h1>"
        f"<p>{time_html(tournament.plan.starts_at)} · {escape_html(about)}</p>"
        f"{_regulars_html(source)}{state}{_champions_html(source)}<nav>{links}</nav></header>"
    )


def _regulars_html(source: PageSource) -> str:
    """Return as HTML a line with the regulars of each entry that has any."""
    people = {one["id"]: one["name"] or source.words("seat.former") for one in source.document["people"]}
    those = [
        f"{source.entry_html(one['number'])}: {', '.join(name_html(people[person]) for person in one['regulars'])}"
        for one in source.document["entries"]
        if one["regulars"]
    ]
    return f"<p>{escape_html(source.words('event_page.regulars'))} {' · '.join(those)}</p>" if those else ""


def _champions_html(source: PageSource) -> str:
    """Return as HTML the winners of each list of a finished tournament.

    A list has several if they share the first place.
    """
    if source.material.tournament.stage not in OVER or not source.document["standings"]:
        return ""
    return "".join(
        f'<p class="champion">{source.entry_html(row["entry"])}</p>'
        for row in source.document["standings"][-1]["rows"]
        if row["place"] == 1 and row["list"] != "second"
    )


def _footer_html(source: PageSource) -> str:
    event: Json = source.document["event"]
    return f"<footer><p>{escape_html(source.words('event_page.footer', id=event['id']))}</p></footer>"
