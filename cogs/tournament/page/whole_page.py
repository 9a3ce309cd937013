"""The whole page, put together: nothing in it comes from elsewhere, and no name in it can do anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

from bot.i18n import Words
from bot.tournaments.event.values import Stage
from bot.tournaments.export.document import document
from bot.tournaments.export.material import Material
from cogs.tournament.page.bracket_part import bracket
from cogs.tournament.page.part_writing import Json, PageSource, instant, name, text
from cogs.tournament.page.places_part import places
from cogs.tournament.page.rounds_part import boards, rounds
from cogs.tournament.page.script import SCRIPT
from cogs.tournament.page.style import STYLE
from cogs.tournament.page.terms_part import fairness, terms

OVER = (Stage.CLOSING, Stage.CLOSED)

SECTIONS = ("places", "bracket", "boards", "rounds", "rules", "fairness")

LABELS = ("first", "back", "next", "last", "all")
"""What the script's buttons are called."""


def page(words: Words, material: Material, replays: Mapping[tuple[int, int], str], *, left_out: bool = False) -> str:
    """The page of a tournament; `replays` are deals as HTML (`cogs.tournament.page.replays`), by match and number.

    With `left_out` it says that there are replays which are not in it.
    """
    told = told_of(words, material, replays, document(material))
    parts = {
        "places": places(told),
        "bracket": bracket(told),
        "boards": boards(told),
        "rounds": rounds(told, left_out=left_out),
        "rules": terms(told),
        "fairness": fairness(told),
    }
    labels = "".join(f' data-{one}="{text(words(f"event_step.{one}"))}"' for one in LABELS)
    return (
        f'<!DOCTYPE html><html lang="{words.locale}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">'
        f"<title>{text(told.document['event']['name'])}</title><style>{STYLE}</style></head><body{labels}>"
        f"{_header(told, parts)}<main>{''.join(parts.values())}</main>{_footer(told)}"
        f"<script>{SCRIPT}</script></body></html>"
    )


def told_of(words: Words, material: Material, replays: Mapping[tuple[int, int], str], made: Json) -> PageSource:
    """What parts of the page, and pictures, are made from; `made` is the document of the material."""
    people = {one["id"]: one["name"] or words("seat.former") for one in made["people"]}
    names = {one["number"]: " & ".join(people[person] for person in one["people"]) for one in made["entries"]}
    return PageSource(
        words=words, material=material, document=made, course=material.course, names=names, replays=replays
    )


def _policy() -> str:
    """What a browser lets the page do: its own style and its own script, and nothing else."""
    return f"default-src 'none'; style-src {_digest(STYLE)}; script-src {_digest(SCRIPT)}; base-uri 'none'"


def _digest(source: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


def _header(told: PageSource, parts: Mapping[str, str]) -> str:
    words, event, tournament = told.words, told.document["event"], told.material.tournament
    about = words(
        "event_page.about",
        kind=words(f"event_kind.{event['kind']}"),
        entries=len(told.document["entries"]),
        rounds=len(told.document["rounds"]),
    )
    links = "".join(f'<a href="#{one}">{text(words(f"event_page.{one}"))}</a>' for one in SECTIONS if parts[one])
    state = "" if tournament.stage in OVER else f"<p>{text(words('event_page.not_over'))}</p>"
    return (
        f"<header><h1>{name(event['name'])}</h1><p>{instant(tournament.plan.starts_at)} · {text(about)}</p>"
        f"{state}{_champions(told)}<nav>{links}</nav></header>"
    )


def _champions(told: PageSource) -> str:
    """Who has won, once it is over; several where the first place is shared, and of several lists each."""
    if told.material.tournament.stage not in OVER or not told.document["standings"]:
        return ""
    return "".join(
        f'<p class="champion">{told.entry(row["entry"])}</p>'
        for row in told.document["standings"][-1]["rows"]
        if row["place"] == 1 and row["list"] != "second"
    )


def _footer(told: PageSource) -> str:
    event: Json = told.document["event"]
    return f"<footer><p>{text(told.words('event_page.footer', id=event['id']))}</p></footer>"
