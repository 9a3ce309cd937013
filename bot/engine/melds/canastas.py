"""Canastas: what they are called, how many lie there, and whether they are enough for going out.

Decides `docs/law/classic.md 1.14, 1.15` and `docs/law/variants.md 3.2, 3.6, 3.11, 3.12`. Reads `canasta_size`,
`out_canastas`, `out_canastas_before`, `out_excludes`, `out_need`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from bot.engine.cards.cards import ACE, SEVEN, value
from bot.engine.cards.places import DEUCE_MELD, FAMILIES, RUN, WILD_MELD, Family, Place, family_of
from bot.engine.melds.melds import TableMeld
from bot.engine.melds.spread import Spread
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.rules.rule_set import RuleSet

# --- what a canasta is called -----------------------------------------------------------------------------------------


CanastaKind: TypeAlias = Literal["natural", "mixed", "wild", "seq"]
"""What a canasta is called; ``seq`` is a run."""


_WILD_FAMILIES: Final = frozenset({WILD_MELD, DEUCE_MELD})


def kind_at(place: Place, wilds: int) -> CanastaKind:
    """What a canasta at that place is called when so many of its cards are wild."""
    family = place & FAMILIES - 1
    if family > ACE:
        if family >= RUN:
            return "seq"
        if family in _WILD_FAMILIES:
            return "wild"
    return "mixed" if wilds else "natural"


def canasta_kind(rules: RuleSet, meld: TableMeld) -> CanastaKind | None:
    """What a meld is called as a canasta; None while it is none."""
    return kind_at(meld.place, meld.wilds) if len(meld.cards) >= rules.canasta_size else None


def is_canasta_of(rules: RuleSet, meld: TableMeld, families: frozenset[Family], kind: str) -> bool:
    """Whether a meld is a canasta of one of the families, and of that kind; ``any`` means runs and wild cards too."""
    family = family_of(meld.place)
    if meld.size < rules.canasta_size or family not in families:
        return False
    return kind == "any" or (family <= ACE and (kind == "natural") == (not meld.wilds))


# --- how many lie there -----------------------------------------------------------------------------------------------


@value
class Tally:
    """How many canastas of each kind lie there.

    Canastas of sevens are counted as natural or mixed, and once more by themselves. `counting` is how many count for
    going out, which some kinds may not (`out_excludes`).
    """

    natural: int
    mixed: int
    wild: int
    seq: int
    natural_sevens: int
    mixed_sevens: int
    counting: int

    @property
    def all(self) -> int:
        """How many canastas of any kind."""
        return self.natural + self.mixed + self.wild + self.seq

    @property
    def sevens(self) -> int:
        """How many canastas of sevens."""
        return self.natural_sevens + self.mixed_sevens


_NO_CANASTAS: Final = Tally(0, 0, 0, 0, 0, 0, 0)


def canasta_tally(rules: RuleSet, melds: Iterable[TableMeld]) -> Tally:
    """How many canastas of each kind lie there."""
    size = rules.canasta_size
    found = [meld for meld in melds if len(meld.cards) >= size]
    if not found:
        return _NO_CANASTAS
    kinds = [kind_at(meld.place, meld.wilds) for meld in found]
    sevens = [kind_at(meld.place, meld.wilds) for meld in found if meld.kind == SEVEN]
    return Tally(
        natural=kinds.count("natural"),
        mixed=kinds.count("mixed"),
        wild=kinds.count("wild"),
        seq=kinds.count("seq"),
        natural_sevens=sevens.count("natural"),
        mixed_sevens=sevens.count("mixed"),
        counting=sum([kind not in rules.out_excludes for kind in kinds]) if rules.out_excludes else len(kinds),
    )


def counting_in(rules: RuleSet, spread: Spread) -> int:
    """How many canastas of a spread count for going out."""
    return canasta_tally(rules, spread.by_place.values()).counting if rules.out_excludes else spread.canastas


AUTO_WIN_CANASTAS: Final = 7
"""How many canastas of a side in one deal win the game, where the rules have that (`auto_win`)."""


# --- whether they are enough for going out ----------------------------------------------------------------------------


def enough(rules: RuleSet, melds: Iterable[TableMeld]) -> bool:
    """Whether these melds hold the canastas that going out takes: enough of them, and enough of each kind needed."""
    return meets(rules, canasta_tally(rules, melds))


def is_ready(rules: RuleSet, spread: Spread) -> bool:
    """Whether a seat may go out in a turn that begins with this spread (`docs/law/classic.md H45`)."""
    return not rules.out_canastas_before or enough(rules, spread.by_place.values())


def meets(rules: RuleSet, held: Tally) -> bool:
    """Whether so many canastas of each kind are enough for going out."""
    return held.counting >= rules.out_canastas and (not rules.out_need or next(_lacking(rules, held), None) is None)


def why_not_enough(rules: RuleSet, melds: Iterable[TableMeld], *, left: int) -> Refusal | None:
    """The refusal for a side without the canastas that going out takes; None where it has them.

    `left` cards would be left in the hand.
    """
    held = canasta_tally(rules, melds)
    if held.counting < rules.out_canastas:
        detail: Detail = {"canastas": held.counting, "required": rules.out_canastas, "left": left}
        if rules.out_need:
            detail = {**detail, "missing": _missing(rules, held)}
        if held.all > held.counting:
            there = {"natural": held.natural, "mixed": held.mixed, "wild": held.wild, "seq": held.seq}
            excluded = next(name for name in sorted(rules.out_excludes) if there[name])
            return Refusal(Code.NEEDS_COUNTING_CANASTA, {**detail, "canasta": excluded})
        return Refusal(Code.NEEDS_CANASTA, detail)
    lacking = next(_lacking(rules, held), None)
    if lacking is None:
        return None
    kind, held_of_kind, required = lacking
    return Refusal(Code.NEEDS_CANASTA_KIND, {"canasta": kind, "held": held_of_kind, "required": required, "left": left})


def _missing(rules: RuleSet, held: Tally) -> str:
    """The kinds of canastas that are missing, each with how many: ``natural:1 7:1``."""
    return " ".join([f"{kind}:{required - there}" for kind, there, required in _lacking(rules, held)])


def _lacking(rules: RuleSet, held: Tally) -> Iterator[tuple[str, int, int]]:
    """Each kind of which too few canastas lie there, how many do, and how many it takes.

    A canasta of sevens that is needed as such is not counted as a natural or mixed one besides.
    """
    needed: dict[str, int] = dict(rules.out_need)
    there = {"natural": held.natural, "mixed": held.mixed, "wild": held.wild, "seq": held.seq, "7": held.sevens}
    if "7" in needed:
        _set_sevens_aside(there, held, needed)
    for kind, required in rules.out_need:
        if there[kind] < required:
            yield kind, there[kind], required


def _set_sevens_aside(there: dict[str, int], held: Tally, needed: dict[str, int]) -> None:
    """Take canastas of sevens that are needed as such from the kind, natural or mixed, that can better do without."""
    for _ in range(min(needed["7"], held.sevens)):
        spare = {
            "natural": held.natural_sevens - (held.natural - there["natural"]),
            "mixed": held.mixed_sevens - (held.mixed - there["mixed"]),
        }
        kinds = [kind for kind in spare if spare[kind]]
        there[max(kinds, key=lambda kind: there[kind] - needed.get(kind, 0))] -= 1
