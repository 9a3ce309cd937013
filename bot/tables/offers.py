"""Offers: the rules that a table can be opened with, those of the program and those that a server has saved."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.store.errors import Undecodable
from bot.store.game_forms import decode_rules, encode_rules
from bot.store.guilds import SavedRules
from bot.tables.clean_names import clean_name
from bot.tables.refusals import Detail, TableCode, TableRefusal

FIRST_CHOICE: Final = "classic"
"""What is played where nobody has chosen anything."""

USUAL_PLAYERS: Final = 4

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Offer:
    """Rules under a name, with the form for each number of players; `saved` if the server has saved them."""

    name: str
    forms: Mapping[int, RuleSet]
    saved: bool

    @property
    def players(self) -> tuple[int, ...]:
        """How many may play, ascending."""
        return tuple(sorted(self.forms))

    @property
    def usual_players(self) -> int:
        """How many play where nobody says: four, or the fewest that there is a form for."""
        return USUAL_PLAYERS if USUAL_PLAYERS in self.forms else self.players[0]


PROGRAM: Final = tuple(Offer(name, forms, saved=False) for name, forms in RULE_SETS.items())
"""The rule sets of the program."""


def folded(name: str) -> str:
    """A name as it is compared: neither case nor the marks between its words make a difference."""
    return "-".join(clean_name(name, nameless="").casefold().replace("-", " ").replace("_", " ").split())


def saved_offer(saved: SavedRules) -> Offer | None:
    """The offer of what a server has saved; None where this release cannot read it."""
    try:
        rules = decode_rules(json.loads(saved.rules))
    except (Undecodable, ValueError, TypeError):
        _tell_unreadable(saved.guild, saved.folded)
        return None
    return Offer(saved.name, {rules.players: rules}, saved=True)


@lru_cache(maxsize=1024)
def _tell_unreadable(guild: int, _: str) -> None:
    """Once for each; lists are made often."""
    logger.warning("saved rules cannot be read: damaged, or of another version", extra={"server": guild})


def written_rules(rules: RuleSet) -> str:
    """Rules as they are saved."""
    return json.dumps(encode_rules(rules), separators=(",", ":"), ensure_ascii=False)


def named(offers: Iterable[Offer], name: str) -> Offer:
    """The offer of that name; refusal: unknown_rules."""
    wanted = folded(name)
    found = next((offer for offer in offers if folded(offer.name) == wanted), None)
    if found is None:
        raise TableRefusal(TableCode.UNKNOWN_RULES, {"rules": name})
    return found


def form_of(offer: Offer, players: int | None) -> RuleSet:
    """The offer's form for so many players, or for as many as usual; refusal: players_not_offered."""
    wanted = offer.usual_players if players is None else players
    if wanted not in offer.forms:
        numbers = ", ".join(str(count) for count in offer.players)
        detail: Detail = {"rules": offer.name, "players": wanted, "offered": numbers}
        raise TableRefusal(TableCode.PLAYERS_NOT_OFFERED, detail)
    return offer.forms[wanted]
