"""Make the page of penalties, with the price of each irregularity by setting."""

from __future__ import annotations

from typing import Final

from bot.engine.rules.irregularities import REGIMES, Cost, Irregularity
from bot.i18n import words

SAY: Final = words()
NAMES: Final = {"laws": "classic laws", "singkep": "Indonesian text", "italian-club": "Italian club"}
EXPOSES: Final = {
    "nothing": "",
    "laid": "the cards shown become penalty cards",
    "hand": "the whole hand becomes penalty cards",
}


def page_text(origin_note: str) -> str:
    """Return the page of penalties; `origin_note` is the note on how it was made."""
    rows = [
        f"| {SAY(f'irregularity.{one.value}')} | `{one.value}` | "
        f"{' | '.join(_price_cell(name, one) for name in NAMES)} |"
        for one in Irregularity
    ]
    table = "\n".join(
        (
            f"| irregularity | name | {' | '.join(f'{text} (`{name}`)' for name, text in NAMES.items())} |",
            f"| --- | --- |{' --- |' * len(NAMES)}",
            *rows,
        )
    )
    return "\n\n".join((f"# The prices of irregularities\n\n{origin_note}", *INTRODUCTION, table, *REMARKS)) + "\n"


def _price_cell(name: str, irregularity: Irregularity) -> str:
    cost = REGIMES[name].get(irregularity)
    if cost is None:
        return "the yes lapses" if irregularity is Irregularity.COULD_NOT_GO_OUT else "refused"
    return f"{_price_in_words(cost)} ({cost.paragraph})"


def _price_in_words(cost: Cost) -> str:
    parts = [
        f"{cost.points} points" if cost.points else "",
        f"the minimum rises by {cost.raised} for the deal" if cost.raised else "",
        EXPOSES[cost.exposes] + (" until the side has opened" if cost.until_opened else ""),
        "what can be laid is laid first" if cost.melds_on else "",
        "the act stands" if cost.stands else "",
        "the seat has to go out, whatever the partner says" if cost.binds else "",
        f"refused where fewer than {cost.least_players} play" if cost.least_players > 2 else "",
    ]
    return "; ".join(part for part in parts if part)


INTRODUCTION: Final = (
    (
        "A table may pay for irregularities instead of having them refused: that is the parameter `penalties`, off "
        "unless a table changes it. Then the refusal tells the price, and only who chooses so does it anyway. What a "
        "text does not speak of stays refused."
    ),
    "S0 is the Indonesian text, S1 the Italian one; other numbers are [the paragraphs](paragraphs.md).",
)

REMARKS: Final = (
    "Points are paid by the side at the end of the deal, in the line `penalties` of the score.",
    (
        "Penalty cards stay in the hand and lie open: everybody sees them. They may be melded; as long as a seat holds "
        "any, each of its discards is one of them, and those that are left count against it. Where the rules forbid "
        "every one of them as a discard, the duty gives way."
    ),
    (
        "A short opening goes back whole, with everything laid before it in the turn, so that the raised minimum "
        "leaves nobody without a step. Red threes are never penalty cards."
    ),
    (
        "Who has asked, got a yes and turns out to be unable to go out has chosen nothing: that is paid at once, and "
        "binds no more. Where it costs something a partner may be asked after the draw with any cards, as before it. "
        "By the Indonesian text such a hand is melded as far as possible: the seat discards only once no card of it "
        "can be laid any more, and what it keeps are penalty cards."
    ),
    (
        "In the Indonesian text a question after laying cards obliges the seat to go out even after a no (1.4.l.g): "
        "whoever asks so all the same is bound at once, and shows its hand where it cannot. That somebody melds or "
        "tells something before the answer, so that the opponents decide (1.4.l.h), cannot happen here: while a "
        "partner owes an answer nothing else is done."
    ),
    (
        "The program sees an irregularity at once, so nothing is condoned because nobody noticed it in time. What it "
        "does itself cannot go wrong: drawing several cards at a time, mixing the pile with a hand, forgetting a red "
        "three."
    ),
)
