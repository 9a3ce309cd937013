"""What was agreed, and how anybody can check it: the rules in words, the lot, the seeds."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from bot.i18n import Words
from cogs.shared.telling import rules_text
from cogs.tournament.page.part_writing import PageSource, section, text
from cogs.tournament.page.replays import command, verify_command

_BOLD: Final = re.compile(r"\*\*(.+?)\*\*")

FINGERPRINT: Final = "python3 -c \"import hashlib; print(hashlib.sha256(bytes.fromhex('{seed}')).hexdigest())\""
"""A command that takes the fingerprint of a number."""


def terms(told: PageSource) -> str:
    """The rules of the tables, and what results are worth."""
    plan = told.material.tournament.plan
    rules = rules_text.whole(told.words, plan.rules, name=plan.saved_as)
    scoring = told.document["event"]["scoring"]
    worth = told.words("event_page.worth", win=told.points(scoring["win"]), tie=told.points(scoring["tie"]))
    cap = told.words("event_page.cap", cap=told.figure(told.document["event"]["net_cap"]))
    said = [worth, cap] if told.document["event"]["tiebreaks"] else []
    return section("rules", told.words("event_page.rules"), _marked(rules), *(f"<p>{text(one)}</p>" for one in said))


def _marked(told: str) -> str:
    """Lines of a message as paragraphs; bold is the only markup that they have."""
    lines = (escape(line.replace("\\", "")) for line in told.split("\n") if line)
    return "".join(f"<p>{bold}</p>" for bold in (_BOLD.sub(r"<b>\1</b>", line) for line in lines))


def fairness(told: PageSource) -> str:
    """The lot and the seeds with what was published before, and how to compare them."""
    tournament, words = told.material.tournament, told.words
    parts = []
    if tournament.commitment:
        parts.append(
            f"<p>{text(words('event_page.lot'))}</p>{_values(words, tournament.commitment, tournament.lot_shown)}"
        )
    if tournament.lot_shown:
        code = (
            f"python3 -c \"import hashlib; print(hashlib.sha256(bytes.fromhex('{tournament.lot_shown}')).hexdigest())\""
        )
        parts.append(command(code))
    if told.document["boards"]:
        parts.append(f"<p>{text(words('event_page.seeds'))}</p>")
        parts += [_board(told, number) for number in range(len(told.document["boards"]))]
    return section("fairness", words("event_page.fairness"), *parts)


def _values(words: Words, commitment: str, seed: str) -> str:
    told = seed or words("event_page.not_yet")
    rows = ((words("event_page.commitment"), commitment), (words("event_page.seed"), told))
    return (
        "<dl>"
        + "".join(f"<dt>{text(label)}</dt><dd><code>{text(value)}</code></dd>" for label, value in rows)
        + "</dl>"
    )


def _board(told: PageSource, place: int) -> str:
    board, plan = told.document["boards"][place], told.material.tournament.plan
    title = f"<h3>{text(told.words('event_page.board', board=board['number']))}</h3>"
    if board["seed"] is None:
        return title + _values(told.words, board["commitment"], "")
    line = verify_command(
        event=told.document["event"]["id"],
        board=board["number"],
        commitment=board["commitment"],
        seed=board["seed"],
        client=board["client"],
        decks=plan.rules.decks,
        jokers_per_deck=plan.rules.jokers_per_deck,
    )
    return title + command(line)
