"""Citations: the paragraph of the rules that explains a refusal at a table.

A code names the paragraph of the classic rules, or of the game that it was found in. Where a table's rule set differs
there from the classic rules, its own section is cited instead: a table of Cuban canasta reads what Cuban canasta says
about the largest meld. For a parameter that the table has changed itself, the code's own paragraph is cited.

Decides `docs/law/classic.md 2, 5`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine.moves.refusals import Code, Refusal
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS

_SECTIONS: Final[Mapping[str, str]] = {
    "afrikaans": "5",
    "bicycle": "5",
    "gamerules": "5",
    "italian-club": "5",
    "singkep": "5",
    "samba": "v3.1",
    "bolivia": "v3.2",
    "brazilian": "v3.3",
    "chilean": "v3.4",
    "cuban": "v3.5",
    "italian": "v3.6",
    "canastone": "v3.6",
    "uruguay": "v3.8",
    "joker": "v3.9",
    "modern-american": "v3.10",
    "hand-and-foot": "v3.11",
    "pennies": "v3.12",
    "tampa": "v3.13",
    "mexicana": "v3.13",
}
"""The section about a rule set, and about those whose names begin with its name."""

_BASED_ON: Final[Mapping[str, str]] = {
    "bolivia": "samba",
    "brazilian": "bolivia",
    "chilean": "bolivia",
    "tampa": "samba",
}
"""The rule set from which another is made; its section tells what both have in common."""

_FORM_PARAGRAPHS: Final[Mapping[int, str]] = {2: "2.1", 3: "2.2", 5: "2.3", 6: "2.4"}
"""The paragraph about a number of players."""

_CANASTAS: Final = ("out_canastas", "out_need")

_DECIDED_BY: Final[Mapping[Code, tuple[str, ...]]] = {
    Code.MELD_TOO_LARGE: ("meld_max", "meld_kinds"),
    Code.MELD_TOO_MANY_WILDS: ("wild_ratio", "max_wilds"),
    Code.MELD_NO_SECOND: ("same_rank_melds",),
    Code.WILD_ON_CANASTA: ("wild_on_canasta",),
    Code.WILDS_LOCKED: ("wild_lock",),
    Code.BLACK_THREES_NEVER: ("black3_meld",),
    Code.INITIAL_MELD_TOO_LOW: ("open_table",),
    Code.INITIAL_MELD_UNREACHABLE: ("open_table",),
    Code.PILE_CLOSED_UNOPENED: ("open_pile",),
    Code.PILE_FROZEN: ("pile_frozen",),
    Code.TAKE_NEEDS_PAIR: ("pile_frozen", "take_open"),
    Code.TAKE_NEEDS_CARDS: ("take_open",),
    Code.TAKE_ONTO_CANASTA: ("take_add_canasta",),
    Code.NEEDS_CANASTA: _CANASTAS,
    Code.NEEDS_CANASTA_KIND: _CANASTAS[::-1],
    Code.ASK_CANNOT_GO_OUT: _CANASTAS,
    Code.ANNOUNCE_CANNOT_GO_OUT: _CANASTAS,
    Code.OUT_NEEDS_DISCARD: ("out_discard",),
    Code.FOOT_WAITS: ("foot_pickup",),
    Code.MUST_TAKE: ("stock_out_force",),
}
"""The parameters that decide about a code's refusal, for rule sets that differ from its paragraph."""


def paragraph_of(rules: RuleSet, refusal: Refusal) -> str:
    """Return the paragraph of the rules that explains this refusal at a table with these rules."""
    form = RULE_SETS.get(rules.name, {}).get(rules.players)
    parameters = _DECIDED_BY.get(refusal.code, ())
    if form is None or any(getattr(rules, name) != getattr(form, name) for name in parameters):
        return refusal.code.paragraph
    found = (section for name in parameters if (section := _section_of_value(rules, name, refusal)))
    return next(found, refusal.code.paragraph)


_CLASSIC: Final = RULE_SETS["classic"][4]


def _section_of_value(rules: RuleSet, parameter: str, refusal: Refusal) -> str | None:
    """Return the section that introduces the parameter's value; None for the value of the classic rules."""
    value, forms = getattr(rules, parameter), RULE_SETS[rules.name]
    if value == getattr(_CLASSIC, parameter):
        return None
    if parameter == "open_table" and _scores_with_minimum(rules, refusal) == _scores_with_minimum(_CLASSIC, refusal):
        return None
    if 4 in forms and getattr(forms[4], parameter) == getattr(_CLASSIC, parameter):
        return _FORM_PARAGRAPHS[rules.players]
    name = rules.name
    while name in _BASED_ON and getattr(RULE_SETS[_BASED_ON[name]][rules.players], parameter) == value:
        name = _BASED_ON[name]
    homes = [home for home in _SECTIONS if f"{name}-".startswith(f"{home}-")]
    return _SECTIONS[max(homes, key=len)] if homes else None


def _scores_with_minimum(rules: RuleSet, refusal: Refusal) -> list[int | None]:
    """Return the scores from which a side needs the minimum that the refusal names."""
    return [start for start, points in rules.open_table if points == refusal.detail["required"]]
