"""The page of the paragraphs: what each number stands for that refusals, the referee and the law books cite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.engine.paragraphs import OF_ACTION, OF_REFUSAL
from bot.engine.parameters import PARAMETERS
from bot.i18n import words
from bot.i18n.catalogue import placeholders
from cogs.shared.parameters import title

LAWS: Final = {
    "1.1": "Jokers 50, twos and aces 20, king to eight 10, seven to four and black threes 5.",
    "1.2": "Partners sit opposite each other.",
    "1.3": "The deal passes to the next in the order of play.",
    "1.4": "Cards are dealt one at a time from the dealer's left; the rest is the stock.",
    "1.5": "The turn passes from seat to seat.",
    "1.6": "The stock's top card is turned and begins the discard pile.",
    "1.7": "They are laid out and replaced, and never kept in the hand nor melded.",
    "1.8": "They stop the next player, and are melded only in going out, without wild cards.",
    "1.9": "Draw or take the pile, lay melds if you like, discard one card.",
    "1.10": "Three or more of a rank, with at least two naturals, and one meld of each rank a side.",
    "1.11": "A side's first melds of a deal need a minimum of points, by its score before the deal.",
    "1.12": "Its top card has to be melded at once; then the whole pile comes to the hand.",
    "1.13": "Only a natural pair takes it, until it has been taken.",
    "1.14": "A meld of seven or more: natural without wild cards, mixed with them.",
    "1.15": "By melding the whole hand, or all of it but a last discard, with a canasta.",
    "1.16": "The whole hand in one turn, without having melded before.",
    "1.17": "For a side that has melded, against one that has not.",
    "1.18": "“May I go out?” The answer binds.",
    "1.19": "Play goes on as long as each player takes the pile.",
    "1.20": "Bonuses and cards on the table, less the cards still held.",
    "1.21": "The target is looked at when a deal is over.",
    "1.22": "What is not refused but paid for, at tables that play so.",
    "2": "Forms for two to six players.",
    "2.1": "Fifteen cards, two drawn, two canastas to go out.",
    "2.2": "Each alone.",
    "2.3": "Two against three, of whom one rests.",
    "2.4": "Three pairs, or two trios.",
    "v2": "What all rule sets share, and how the founding texts differ.",
    "v3.1": "Three packs; runs of a suit; several melds of a rank.",
    "v3.2": "Samba with melds of wild cards.",
    "v3.3": "Bolivia with canastas to open with.",
    "v3.4": "Little is known.",
    "v3.5": "Melds of wild cards, canastas of exactly seven, the pile always frozen.",
    "v3.6": "Cards hidden under the upcard; twos as a rank of their own.",
    "v3.7": "No text of its own was found.",
    "v3.8": "Melds of wild cards; the pile always frozen.",
    "v3.9": "Threes of both colours laid out; canastas of exactly seven.",
    "v3.10": "Talons, clean triples, the rule of five, dead ranks, special hands.",
    "v3.11": "A second hand, taken up when the first is used up.",
    "v3.12": "Two trios, a second hand, and canastas of sevens.",
    "v3.13": "Samba with melds of wild cards; an opening that draws more cards.",
    "themes": "What a table lays over its rules for an evening.",
}
"""What each paragraph says under the classic rules, in a sentence."""

INTRODUCTION: Final = (
    "Refusals and the referee name a paragraph. Here is what each is about, the parameters that decide it differently "
    "from rule set to rule set, and what is refused by it. Numbers that begin with v are sections on variants."
)


def link(paragraph: str) -> str:
    """A reference to a paragraph, which leads to it."""
    number = _short(paragraph)
    return f"[{number}](paragraphs.md#{_anchor(number)})"


def _anchor(paragraph: str) -> str:
    return f"p{paragraph.replace('.', '-')}"


def cited() -> list[str]:
    """Every paragraph that is cited anywhere, and those that have a law, in order."""
    found = {*OF_REFUSAL.values(), *OF_ACTION.values(), *(one.paragraph for one in PARAMETERS)}
    return sorted({*LAWS, *map(_short, found)}, key=_order)


def _short(paragraph: str) -> str:
    """A section on variants as its number with a v before it."""
    return paragraph.replace("variants ", "v")


def _order(paragraph: str) -> tuple[bool, bool, list[int]]:
    variant = paragraph.startswith("v")
    return (
        paragraph.isalpha(),
        variant,
        [int(number) for number in paragraph.removeprefix("v").split(".") if number.isdigit()],
    )


def page(made: str) -> str:
    """Every paragraph."""
    parts = ["# The paragraphs", made, INTRODUCTION]
    parts += ["\n\n".join(_paragraph(paragraph)) for paragraph in cited()]
    return "\n\n".join(parts) + "\n"


def _paragraph(paragraph: str) -> Iterator[str]:
    name = words()(f"paragraph.{paragraph}")
    yield f'<a id="{_anchor(paragraph)}"></a>'
    yield f"## § {paragraph} {name[:1].upper()}{name[1:]}"
    yield LAWS[paragraph]
    decided = [one for one in PARAMETERS if _short(one.paragraph) == paragraph]
    if decided:
        yield "\n".join(f"- **{title(words(), one.name)}** (`{one.name}`): {_about(one.name)}" for one in decided)
    refused = [code for code, cites in OF_REFUSAL.items() if _short(cites) == paragraph]
    if refused:
        yield "\n".join(f"- Refused (`{code.value}`): {_sentence(code.value)}" for code in refused)


def _about(name: str) -> str:
    return words()(f"parameter.{name}.about")


def _sentence(code: str) -> str:
    """The refusal's words, with what each number stands for in its place."""
    entry = words().entries[f"refusal.{code}"]
    text = entry if isinstance(entry, str) else entry["other"]
    return text.format_map({name: f"[{name}]" for name in placeholders(text)})
