"""Games as somebody chooses among them: what one is in a sentence, for how many, how long, how hard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets.choosing import FAMILIES, FAVOURITES, GLANCES, deals_of
from bot.i18n import Words
from bot.tables.offers import PROGRAM, Offer
from cogs.shared.telling import names
from cogs.shared.telling.rule_names import rules_name

OFFERS: Final = {offer.name: offer for offer in PROGRAM}
"""The program's rule sets by name."""

IN_ORDER: Final = (*FAVOURITES, *(name for names_ in FAMILIES.values() for name in names_ if name not in FAVOURITES))
"""Every rule set of the program, the favourites first and then family by family."""


def offer_name(words: Words, offer: Offer) -> str:
    """What offered rules are called, for a message."""
    return names.shown(offer.name) if offer.saved else rules_name(words, offer.name)


def plain_name(words: Words, offer: Offer) -> str:
    """What offered rules are called, where nothing is markup."""
    return offer.name if offer.saved else rules_name(words, offer.name)


def sentence(words: Words, name: str) -> str:
    """A rule set of the program in a sentence."""
    return words(f"sentence.{name}")


def facts(words: Words, offer: Offer) -> str:
    """For how many, how long and how hard offered rules are; that they are the server's own, where they are."""
    rules = offer.forms[offer.usual_players]
    told = [players(words, offer.players), length(words, rules), difficulty(words, rules.name)]
    return " · ".join([*told, words("glance.own")] if offer.saved else told)


def of_table(words: Words, rules: RuleSet, players_: int, aim: str, *, deals: int | None = None) -> str:
    """A table's own number of players and aim, with how long and how hard its rules are.

    `deals` are those after which the game ends; where they come before the aim would, they are told instead.
    """
    if deals is not None and deals < _count(rules):
        rules = replace(rules, rounds=deals)
    told = [
        players(words, [players_]),
        f"{aim}, {length(words, rules)}" if rules.rounds is None else length(words, rules),
    ]
    return " · ".join([*told, difficulty(words, rules.name)])


def players(words: Words, counts: Sequence[int]) -> str:
    """For how many players: ``2–4 or 6 players``."""
    runs = [list(run) for _, run in groupby(enumerate(sorted(counts)), key=lambda one: one[1] - one[0])]
    parts = [part for run in runs for part in _range([count for _, count in run])]
    *first, last = parts
    told = words("glance.one_or_other", first=", ".join(first), last=last) if first else last
    return words("glance.players", players=told)


def _range(run: Sequence[int]) -> Iterable[str]:
    return (f"{run[0]}–{run[-1]}",) if len(run) > 2 else map(str, run)


def _count(rules: RuleSet) -> int:
    usual = OFFERS[rules.name]
    return deals_of(GLANCES[rules.name], rules, usual.forms[usual.usual_players])


def length(words: Words, rules: RuleSet) -> str:
    """How many deals a game takes, exactly where the rules say so, and whether they are long."""
    glance, count = GLANCES[rules.name], _count(rules)
    if rules.rounds is not None:
        return words("glance.deals_long" if glance.long else "glance.deals", count=count)
    return words("glance.about_long" if glance.long else "glance.about", count=count)


def difficulty(words: Words, name: str) -> str:
    """How hard a rule set is."""
    return words(f"difficulty.{GLANCES[name].difficulty}")


def label(words: Words, offer: Offer) -> str:
    """Offered rules in one line of plain text, the sentence last, since it may be cut."""
    told = f"{plain_name(words, offer)} · {facts(words, offer)}"
    return told if offer.saved else f"{told} · {sentence(words, offer.name)}"


def in_order(offers: Iterable[Offer]) -> list[Offer]:
    """A server's own rules first, then the favourites, then the others family by family."""
    listed = list(offers)
    program = {offer.name: offer for offer in listed if not offer.saved}
    return [*(offer for offer in listed if offer.saved), *(program[name] for name in IN_ORDER if name in program)]
