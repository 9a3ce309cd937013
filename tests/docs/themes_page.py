"""Make the page of themes: what each demands, and its conditions."""

from __future__ import annotations

from typing import Final

from bot.engine.rules.themes.conditions import Condition, Theme, What
from bot.engine.rules.themes.named_themes import THEMES
from bot.engine.rules.themes.own_themes import CHOICES
from bot.i18n import words
from bot.i18n.theme_words import ranks_text, theme_description, theme_title

ENGLISH: Final = words()
ITALIAN: Final = words("it")

MEANING: Final[dict[What, str]] = {
    "open_with": "the first melds include a meld of one of these ranks",
    "open_without": "the first melds include none of these",
    "no_meld": "these are not melded",
    "no_discard": "these are not discarded",
    "no_canasta": "these make no canasta",
    "canasta_first": "a side makes such a canasta before any other",
    "out_with": "going out needs such canastas",
    "no_pile": "the pile is not taken",
    "no_out": "no player goes out",
    "wins_with": "such a canasta wins the game at once",
    "freeze_once": "a discard freezes the pile once a deal",
}

GIVES_WAY: Final[dict[What, str]] = {
    "open_with": "never: without such a rank the side does not open",
    "open_without": "never: the cards wait for a later turn",
    "no_meld": "never: the cards stay in the hand, or are discarded",
    "no_discard": "where the hand holds nothing else, the last card in going out included",
    "no_canasta": "never: the meld stays one card short",
    "canasta_first": "never: other melds stay one card short until then",
    "out_with": "never: a card is kept to discard and one more",
    "no_pile": "never: with the stock out a player passes, which ends the deal",
    "no_out": "never: a card is kept to discard and one more; the deal ends with the stock",
    "wins_with": "nothing is forbidden",
    "freeze_once": "where the hand holds nothing but wild cards",
}

ENDS: Final = {
    "opened": "until the side has opened",
    "canasta": "until the side has a canasta",
    "turn": "until every player's turn {number}",
    "deal": "until deal {number}",
}

INTRODUCTION: Final = (
    "A theme is added to any rule set when a table is opened (`/table new theme:` takes one or several), or by its "
    "host in the lobby: `/table options`, topic Themes. There the host chooses from the library and composes "
    "conditions of the table's own, one by one, for every deal or each with a deal of its own in turn. Conditions are "
    "stored with the table, so that a later library changes no game that runs, and with the rules that a server "
    "saves. Themes of one table hold together: a combination in which one asks for what another forbids is refused "
    "with the reason, and so are a canasta that the rules do not have, or that a theme makes impossible though going "
    "out needs it, fewer than three ranks left for the first melds, first melds larger than a hand, a ban on every "
    "discard, and a deal that could never end."
)

REMARKS: Final = (
    "All melds of the turn in which a side opens are its first melds. A rank in a run does not count as a meld of that "
    "rank, and a rank that may not be melded may not lie in a run either. A special hand is shown whatever a theme "
    "says of going out. What a theme asks of canastas is asked before the last card is laid: a step after which the "
    "turn could not end lawfully is not offered."
)


def page_text(origin_note: str) -> str:
    """Return the page of themes; `origin_note` is the note on how it was made."""
    rows = [
        f"| {theme_title(ENGLISH, name)} | `{name}` | {theme_description(ENGLISH, name)} "
        f"| {theme_title(ITALIAN, name)}: {theme_description(ITALIAN, name)} | {_theme_conditions(theme)} |"
        for name, theme in THEMES.items()
    ]
    themes = "\n".join(("| theme | name | what it asks | in Italian | conditions |", "| --- " * 5 + "|", *rows))
    asked = "\n".join(
        (
            "| condition | what it asks | what is chosen when it is composed | when it gives way |",
            "| --- " * 4 + "|",
            *(
                f"| `{what}` | {meaning} | {_host_choices(what)} | {GIVES_WAY[what]} |"
                for what, meaning in MEANING.items()
            ),
        )
    )
    return f"# Themes\n\n{origin_note}\n\n{INTRODUCTION}\n\n{themes}\n\n## Conditions\n\n{asked}\n\n{REMARKS}\n"


def _theme_conditions(theme: Theme) -> str:
    """Return the conditions of a theme, deal by deal if they change."""
    texts = ["; ".join(_condition_text(one) for one in turn) for turn in theme.turns]
    if len(texts) == 1:
        return texts[0]
    return "<br>".join(f"deal {number}: {one}" for number, one in enumerate(texts, 1))


def _host_choices(what: What) -> str:
    """Return what a host can choose for a condition of this kind."""
    choices = CHOICES[what]
    parts = [(choices.ranks, "ranks"), (choices.by_seat, "or a rank for each seat"), (choices.canastas, "canastas")]
    parts += [(choices.most, f"a number to {choices.most}"), (len(choices.untils) > 1, "when it ends")]
    return ", ".join(name for there, name in parts if there) or "nothing"


def _condition_text(condition: Condition) -> str:
    parts = [f"`{condition.what}`"]
    if condition.ranks:
        parts.append(ranks_text(ENGLISH, condition.ranks))
    if condition.by_seat:
        parts.append("seat by seat")
    if condition.canasta != "any":
        parts.append(condition.canasta)
    if condition.number and condition.until == "never":
        parts.append(str(condition.number))
    if condition.until != "never":
        parts.append(ENDS[condition.until].format(number=condition.number))
    return " ".join(parts)
