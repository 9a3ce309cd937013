"""A table's rules in words, in short or point by point, and descriptions of rule sets to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import PARAMETERS, parameters_of_topic
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import NOTES
from bot.engine.rules.sets.difficulty_and_length import FAMILIES, FAVOURITES, GLANCES, usual_number_of_deals
from bot.i18n import Words, theme_words
from bot.i18n.rule_set_notes import translated_note
from bot.tables.seating.lobby_rules import PROGRAM, RulesOffer
from bot.tables.state.snapshots import TableSnapshot
from cogs.shared.telling import names, parameter_text
from cogs.shared.telling.laws.endings import (
    foot_sentences,
    going_out_text,
    penalty_sentences,
    special_hand_sentences,
    stock_end_text,
    threes_sentences,
)
from cogs.shared.telling.laws.melds import initial_meld_text, melds_text
from cogs.shared.telling.laws.pile import discard_sentences, pile_text
from cogs.shared.telling.laws.scoring import score_text
from cogs.shared.telling.laws.setup import setup_lines
from cogs.shared.telling.names import original_rules_name, rules_name, table_rules_name

ROOM: Final = 3900
"""Maximum characters of one message."""


def table_rules_pages(words: Words, snapshot: TableSnapshot) -> list[str]:
    """Return a table's rules as the texts of messages: the host's changes, then all rules."""
    deal = 1 if snapshot.view is None else snapshot.view.deal
    changed = parameter_text.describe_rule_changes(words, snapshot.terms, snapshot.base)
    first = [words("law.changed", rules=original_rules_name(words, snapshot)), *changed, ""] if changed else []
    text = all_rules_text(words, snapshot.terms, name=table_rules_name(words, snapshot), deal=deal)
    return split_pages([*first, *text.split("\n")])


def rules_pages(words: Words, rules: RuleSet, *, name: str = "") -> list[str]:
    """Return the rules as the texts of as many messages as needed; `name` replaces the rule set's name."""
    return split_pages(all_rules_text(words, rules, name=name).split("\n"))


def split_pages(lines: Iterable[str]) -> list[str]:
    """Return the lines as the texts of as few messages as possible."""
    found = [""]
    for line in lines:
        longer = f"{found[-1]}\n{line}" if found[-1] else line
        if len(longer) <= ROOM:
            found[-1] = longer
        elif line:
            found.append(line[:ROOM])
    return found


def all_rules_text(words: Words, rules: RuleSet, *, name: str = "", deal: int = 1) -> str:
    """Return a rule set as short sentences, one line per part of the game, themes first."""
    return "\n".join(
        [
            *_theme_lines(words, rules, deal),
            *setup_lines(words, rules, name or rules_name(words, rules.name)),
            melds_text(words, rules),
            initial_meld_text(words, rules),
            pile_text(words, rules),
            *discard_sentences(words, rules),
            *threes_sentences(words, rules),
            *foot_sentences(words, rules),
            going_out_text(words, rules),
            score_text(words, rules),
            stock_end_text(words, rules),
            *special_hand_sentences(words, rules),
            *penalty_sentences(words, rules),
        ]
    )


def _theme_lines(words: Words, rules: RuleSet, deal: int) -> Iterator[str]:
    """Yield the themes, and the tasks of those that change from deal to deal."""
    if not rules.theme:
        return
    yield words("rules_text.themes")
    for theme in rules.theme:
        told = {"title": theme_words.theme_title(words, theme.name), "about": theme_words.theme_sentences(words, theme)}
        yield words("rules_text.theme", **told)
        if now := theme_words.deal_condition_sentence(words, theme, deal):
            yield words("rules_text.theme_now", condition=now)
    yield ""  # an empty line ends the list


# --- point by point ---------------------------------------------------------------------------------------------------


def all_parameter_pages(words: Words, rules: RuleSet, *, name: str = "") -> list[str]:
    """Return every parameter with its paragraph and its classic value, as the texts of messages."""
    differing = parameter_text.differences_from_classic(words, rules)
    lines = [
        words("rules_text.every_point", rules=name or rules_name(words, rules.name), players=rules.players),
        words("rules_text.differs" if differing else "rules_text.differs_not"),
        *differing,
        "",
        words("rules_text.all_points", count=len(PARAMETERS)),
    ]
    for topic in Topic:
        those = parameters_of_topic(topic)
        if those:
            lines.append(words(f"topic.{topic.value}.title"))
            lines += [
                words(
                    "rules_text.point",
                    told=parameter_text.parameter_in_words(words, rules, one.name),
                    paragraph=one.paragraph,
                )
                for one in those
            ]
    return split_pages(lines)


# --- open points ------------------------------------------------------------------------------------------------------


def sources_and_doubts_text(words: Words, rules: RuleSet, *, name: str = "") -> str:
    """Return text on the source of the rules, how certain it is, and what it leaves open.

    The open points are those for this number of players.
    """
    lines = [words("rules_text.doubts", rules=name or rules_name(words, rules.name))]
    notes = NOTES.get(rules.name)
    if notes is not None:
        lines.append(
            words("rules_text.source", source=translated_note(words, notes.source), sure=words(f"sure.{notes.sure}"))
        )
        points = notes.open_questions_for(rules.players)
        lines += [words("rules_text.open_point", point=translated_note(words, point)) for point in points]
        if not points:
            lines.append(words("rules_text.open_nothing"))
    return "\n".join(lines)


OFFERS: Final = {offer.name: offer for offer in PROGRAM}
"""The program's rule sets by name."""

IN_ORDER: Final = (*FAVOURITES, *(name for names_ in FAMILIES.values() for name in names_ if name not in FAVOURITES))
"""Every rule set of the program, favourites first, then by family."""


def name_of_offered_rules(words: Words, offer: RulesOffer) -> str:
    """Return for a message the name of rules that can be chosen."""
    return names.escape_name(offer.name) if offer.saved else rules_name(words, offer.name)


def plain_name_of_offered_rules(words: Words, offer: RulesOffer) -> str:
    """Return in plain text the name of rules that can be chosen."""
    return offer.name if offer.saved else rules_name(words, offer.name)


def rules_sentence(words: Words, name: str) -> str:
    """Return a rule set's description in one sentence."""
    return words(f"sentence.{name}")


def offer_facts_text(words: Words, offer: RulesOffer) -> str:
    """Return number of players, length and difficulty of rules that can be chosen.

    A server's own rules are marked as such.
    """
    rules = offer.forms[offer.usual_players]
    texts = [player_counts_text(words, offer.players), length_text(words, rules), difficulty_text(words, rules.name)]
    return " · ".join([*texts, words("glance.own")] if offer.saved else texts)


def table_facts_text(words: Words, rules: RuleSet, players_: int, aim: str, *, deals: int | None = None) -> str:
    """Return text on a table's number of players, aim, length and difficulty.

    `deals` is the limit of deals; it is shown instead of the aim if it comes first.
    """
    if deals is not None and deals < _usual_deal_count(rules):
        rules = replace(rules, rounds=deals)
    texts = [
        player_counts_text(words, [players_]),
        f"{aim}, {length_text(words, rules)}" if rules.rounds is None else length_text(words, rules),
    ]
    return " · ".join([*texts, difficulty_text(words, rules.name)])


def player_counts_text(words: Words, counts: Sequence[int]) -> str:
    """Return text on the numbers of players that a game is for: ``2–4 or 6 players``."""
    runs = [list(run) for _, run in groupby(enumerate(sorted(counts)), key=lambda one: one[1] - one[0])]
    parts = [part for run in runs for part in _range_texts([count for _, count in run])]
    *first, last = parts
    text = words("glance.one_or_other", first=", ".join(first), last=last) if first else last
    return words("glance.players", players=text)


def _range_texts(run: Sequence[int]) -> Iterable[str]:
    return (f"{run[0]}–{run[-1]}",) if len(run) > 2 else map(str, run)


def _usual_deal_count(rules: RuleSet) -> int:
    usual = OFFERS[rules.name]
    return usual_number_of_deals(GLANCES[rules.name], rules, usual.forms[usual.usual_players])


def length_text(words: Words, rules: RuleSet) -> str:
    """Return text on how many deals a game takes, and whether they are long.

    The number is exact if the rules fix it, else an estimate.
    """
    glance, count = GLANCES[rules.name], _usual_deal_count(rules)
    if rules.rounds is not None:
        return words("glance.deals_long" if glance.is_long else "glance.deals", count=count)
    return words("glance.about_long" if glance.is_long else "glance.about", count=count)


def difficulty_text(words: Words, name: str) -> str:
    """Return text on how difficult a rule set is."""
    return words(f"difficulty.{GLANCES[name].difficulty}")


def offer_label(words: Words, offer: RulesOffer) -> str:
    """Return one line of plain text on rules that can be chosen.

    The description is last, because it may be cut.
    """
    return " · ".join(filter(None, label_and_sentence(words, offer)))


def label_and_sentence(words: Words, offer: RulesOffer) -> tuple[str, str | None]:
    """Return a menu's two texts for rules that can be chosen: name with facts, and a description.

    A server's own rules have no description.
    """
    return (
        f"{plain_name_of_offered_rules(words, offer)} · {offer_facts_text(words, offer)}",
        None if offer.saved else rules_sentence(words, offer.name),
    )


def sort_offers(offers: Iterable[RulesOffer]) -> list[RulesOffer]:
    """Return the server's own rules first, then its favourites, then the others by family."""
    listed = list(offers)
    program = {offer.name: offer for offer in listed if not offer.saved}
    return [*(offer for offer in listed if offer.saved), *(program[name] for name in IN_ORDER if name in program)]
