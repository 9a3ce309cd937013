"""Rule sets in pages, one page per family, as the menus show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from bot.engine.rules.sets.difficulty_and_length import FAMILIES, FAVOURITES
from bot.i18n import Words
from bot.tables.seating.lobby_rules import RulesOffer, comparison_key
from cogs.shared.discord_api.components import Option
from cogs.shared.telling import rules_text

MOST: Final = 9
"""Maximum rule sets on a page, to stay below Discord's limit of 40 components."""

OWN: Final = "own"
"""The family of the guild's own rules; further pages of it are numbered."""


@dataclass(frozen=True, slots=True)
class FamilyPage:
    """A page of rule sets: its name in menus, its title, and its rule sets."""

    name: str
    title: str
    offers: tuple[RulesOffer, ...]


def family_pages(words: Words, offers: Sequence[RulesOffer]) -> tuple[FamilyPage, ...]:
    """Return all pages of rule sets: the server's own, its favourites, and the program's families."""
    program = {offer.name: offer for offer in offers if not offer.saved}
    own = [offer for offer in offers if offer.saved]
    named = {"favourites": FAVOURITES, **FAMILIES}
    return (
        *(_saved_rules_page(words, own, start) for start in range(0, len(own), MOST)),
        *(
            FamilyPage(name, words(f"family.{name}"), tuple(program[one] for one in those if one in program))
            for name, those in named.items()
        ),
    )


def _saved_rules_page(words: Words, own: Sequence[RulesOffer], start: int) -> FamilyPage:
    """Return the page of the server's own rules beginning with number `start`; several pages are numbered."""
    page_ = start // MOST + 1
    title = words("family.own") if len(own) <= MOST else f"{words('family.own')} · {page_}"
    return FamilyPage(OWN if page_ == 1 else f"{OWN}{page_}", title, tuple(own[start : start + MOST]))


def offer_argument(offer: RulesOffer) -> str:
    """Return the text by which a control's argument names a rule set.

    For a server's saved rules it is a hash of their name.
    """
    if offer.saved:
        return f"{OWN}.{crc32(comparison_key(offer.name).encode()):08x}"
    return offer.name.replace("-", ".")


def offer_of_argument(offers: Sequence[RulesOffer], argument: str) -> RulesOffer | None:
    """Return the rule set that a control's argument names; None if the server has deleted it."""
    return next((offer for offer in offers if offer_argument(offer) == argument), None)


def family_options(pages: Sequence[FamilyPage], page: FamilyPage) -> list[Option]:
    """Return the pages as choices of a menu; the one shown is preselected."""
    return [Option(one.name, one.title, chosen=one is page) for one in pages]


def offer_description(words: Words, offer: RulesOffer) -> str:
    """Return the description of a rule set in a menu."""
    name, facts = rules_text.name_of_offered_rules(words, offer), rules_text.offer_facts_text(words, offer)
    if offer.saved:
        return words("picker.saved", rules=name, facts=facts)
    return words("picker.game", rules=name, sentence=rules_text.rules_sentence(words, offer.name), facts=facts)
