"""The rules in messages: those of a table or of a rule set, and the list of everything that can be played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.engine.rules.rule_set import RuleSet
from bot.i18n import Words
from bot.tables.looks import TableSnapshot
from bot.tables.offers import Offer
from cogs.shared.door.components import Page, Part, button, buttons, container, page, section, select, text
from cogs.shared.reading.ids import ControlId
from cogs.shared.showing.family_menus import Family, argument_of, menu_of, told
from cogs.shared.showing.paragraph_pages import paragraph_menu
from cogs.shared.telling import offer_text, rules_text
from cogs.shared.telling.rule_names import rules_of


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose rules are told: those of a table, or of a form of an offer, which the argument of a control names."""

    name: str
    rules: RuleSet
    texts: tuple[str, ...]
    table: int = 0
    argument: str = ""


def of_table(words: Words, look: TableSnapshot) -> Subject:
    """The rules that a table plays."""
    texts = tuple(rules_text.of_table(words, look))
    return Subject(rules_of(words, look), look.terms, texts, table=look.id)


def of_offer(words: Words, offer: Offer, rules: RuleSet) -> Subject:
    """The rules of an offer's form."""
    name = offer_text.offer_name(words, offer)
    texts = tuple(rules_text.pages(words, rules, name=name))
    return Subject(name, rules, texts, argument=f"{rules.players}.{argument_of(offer)}")


def rules_page(words: Words, subject: Subject) -> Page:
    """The first message of the rules, with what leads further."""
    parts = [
        text(subject.texts[0]),
        paragraph_menu(words, subject.rules),
        buttons(
            button(ControlId(subject.table, 0, "doubts", subject.argument), words("rules_page.doubts")),
            button(ControlId(subject.table, 0, "every_point", subject.argument), words("rules_page.every_point")),
        ),
    ]
    return page([container(*parts)])


def list_page(words: Words, those: Sequence[Family], default: Offer, *, family: str = "") -> Page:
    """What can be played, family by family, each with a button that opens its rules."""
    shown = next((one for one in those if one.name == family), those[0])
    own = any(offer.saved for one in those for offer in one.offers)
    top = [words("rules_list.title"), *([] if own else [words("rules_list.none")])]
    parts: list[Part | None] = [
        text("\n".join(top)),
        select(ControlId(0, 0, "rules_family"), words("picker.families"), menu_of(those, shown)),
        *(_listed(words, shown, offer, usual=offer == default) for offer in shown.offers),
    ]
    return page([container(*parts)])


def _listed(words: Words, family: Family, offer: Offer, *, usual: bool) -> Part:
    shown = told(words, offer) + (words("rules_list.default") if usual else "")
    control = ControlId(0, 0, "rules_read", f"{family.name}.{offer.usual_players}.{argument_of(offer)}")
    return section(shown, button(control, words("board.rules")))
