"""Canastas: their sorts, their number, and whether they are enough for going out.

Decides `docs/law/classic.md 1.14, 1.15` and `docs/law/variants.md 3.2, 3.6, 3.11, 3.12`. Reads `canasta_size`,
`out_canastas`, `out_canastas_before`, `out_excludes`, `out_need`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from bot.engine.cards.cards import ACE, SEVEN, value_class
from bot.engine.cards.meld_places import DEUCE_MELD, FAMILIES, RUN, WILD_MELD, Family, Place, family_of
from bot.engine.melds.side_melds import Spread
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves.refusals import Code, Detail, Refusal
from bot.engine.rules.rule_set import RuleSet

# --- sorts of canastas ------------------------------------------------------------------------------------------------


CanastaKind: TypeAlias = Literal["natural", "mixed", "wild", "seq"]
"""The sort of a canasta; ``seq`` is a run."""


_WILD_FAMILIES: Final = frozenset({WILD_MELD, DEUCE_MELD})


def canasta_kind_at(place: Place, wilds: int) -> CanastaKind:
    """Return the sort of a canasta at that place with `wilds` wild cards."""
    family = place & FAMILIES - 1
    if family > ACE:
        if family >= RUN:
            return "seq"
        if family in _WILD_FAMILIES:
            return "wild"
    return "mixed" if wilds else "natural"


def canasta_kind(rules: RuleSet, meld: TableMeld) -> CanastaKind | None:
    """Return the sort of canasta that a meld is, or None if it is too small for one."""
    return canasta_kind_at(meld.place, meld.wilds) if len(meld.cards) >= rules.canasta_size else None


def is_canasta_of(rules: RuleSet, meld: TableMeld, families: frozenset[Family], kind: str) -> bool:
    """Return whether a meld is a canasta of one of the families and of that sort.

    ``any`` includes runs and wild canastas.
    """
    family = family_of(meld.place)
    if meld.size < rules.canasta_size or family not in families:
        return False
    return kind == "any" or (family <= ACE and (kind == "natural") == (not meld.wilds))


# --- numbers of canastas ----------------------------------------------------------------------------------------------


@value_class
class CanastaTally:
    """The number of canastas of each sort.

    Canastas of sevens are counted as natural or mixed, and again separately. `counting` is the number that counts for
    going out; `out_excludes` names sorts that do not.
    """

    natural: int
    mixed: int
    wild: int
    seq: int
    natural_sevens: int
    mixed_sevens: int
    counting: int

    @property
    def total(self) -> int:
        """The number of canastas of all sorts."""
        return self.natural + self.mixed + self.wild + self.seq

    @property
    def sevens(self) -> int:
        """The number of canastas of sevens."""
        return self.natural_sevens + self.mixed_sevens


_NO_CANASTAS: Final = CanastaTally(0, 0, 0, 0, 0, 0, 0)


def canasta_tally(rules: RuleSet, melds: Iterable[TableMeld]) -> CanastaTally:
    """Return the number of canastas of each sort among the melds."""
    size = rules.canasta_size
    found = [meld for meld in melds if len(meld.cards) >= size]
    if not found:
        return _NO_CANASTAS
    kinds = [canasta_kind_at(meld.place, meld.wilds) for meld in found]
    sevens = [canasta_kind_at(meld.place, meld.wilds) for meld in found if meld.kind == SEVEN]
    return CanastaTally(
        natural=kinds.count("natural"),
        mixed=kinds.count("mixed"),
        wild=kinds.count("wild"),
        seq=kinds.count("seq"),
        natural_sevens=sevens.count("natural"),
        mixed_sevens=sevens.count("mixed"),
        counting=sum([kind not in rules.out_excludes for kind in kinds]) if rules.out_excludes else len(kinds),
    )


def canastas_that_count(rules: RuleSet, spread: Spread) -> int:
    """Return the number of canastas in a spread that count for going out."""
    return canasta_tally(rules, spread.by_place.values()).counting if rules.out_excludes else spread.canastas


AUTO_WIN_CANASTAS: Final = 7
"""The number of canastas in one deal that wins the game (`auto_win`)."""


# --- enough canastas for going out ------------------------------------------------------------------------------------


def has_enough_canastas(rules: RuleSet, melds: Iterable[TableMeld]) -> bool:
    """Return whether these melds include enough canastas, of each required sort, to go out."""
    return is_enough_to_go_out(rules, canasta_tally(rules, melds))


def may_go_out_this_turn(rules: RuleSet, spread: Spread) -> bool:
    """Return whether a seat may go out in a turn that begins with this spread (`docs/law/classic.md H45`)."""
    return not rules.out_canastas_before or has_enough_canastas(rules, spread.by_place.values())


def is_enough_to_go_out(rules: RuleSet, held: CanastaTally) -> bool:
    """Return whether this number of canastas of each kind is enough to go out."""
    return held.counting >= rules.out_canastas and (
        not rules.out_need or next(_lacking_sorts(rules, held), None) is None
    )


def why_too_few_canastas(rules: RuleSet, melds: Iterable[TableMeld], *, left: int) -> Refusal | None:
    """Return the refusal for a side with too few canastas for going out, else None.

    `left` is the number of cards that would be left in the hand.
    """
    held = canasta_tally(rules, melds)
    if held.counting < rules.out_canastas:
        detail: Detail = {"canastas": held.counting, "required": rules.out_canastas, "left": left}
        if rules.out_need:
            detail = {**detail, "missing": _missing_sorts_text(rules, held)}
        if held.total > held.counting:
            there = {"natural": held.natural, "mixed": held.mixed, "wild": held.wild, "seq": held.seq}
            excluded = next(name for name in sorted(rules.out_excludes) if there[name])
            return Refusal(Code.NEEDS_COUNTING_CANASTA, {**detail, "canasta": excluded})
        return Refusal(Code.NEEDS_CANASTA, detail)
    lacking = next(_lacking_sorts(rules, held), None)
    if lacking is None:
        return None
    kind, held_of_kind, required = lacking
    return Refusal(Code.NEEDS_CANASTA_KIND, {"canasta": kind, "held": held_of_kind, "required": required, "left": left})


def _missing_sorts_text(rules: RuleSet, held: CanastaTally) -> str:
    """Return the sorts of canastas that are missing, each with its number: ``natural:1 7:1``."""
    return " ".join([f"{kind}:{required - there}" for kind, there, required in _lacking_sorts(rules, held)])


def _lacking_sorts(rules: RuleSet, held: CanastaTally) -> Iterator[tuple[str, int, int]]:
    """Yield each sort with too few canastas, the number on the table, and the number required.

    A canasta of sevens that is required as such does not also count as a natural or mixed one.
    """
    needed: dict[str, int] = dict(rules.out_need)
    there = {"natural": held.natural, "mixed": held.mixed, "wild": held.wild, "seq": held.seq, "7": held.sevens}
    if "7" in needed:
        _set_sevens_aside(there, held, needed)
    for kind, required in rules.out_need:
        if there[kind] < required:
            yield kind, there[kind], required


def _set_sevens_aside(there: dict[str, int], held: CanastaTally, needed: dict[str, int]) -> None:
    """Remove the required canastas of sevens from the sort, natural or mixed, that needs them less."""
    for _ in range(min(needed["7"], held.sevens)):
        spare = {
            "natural": held.natural_sevens - (held.natural - there["natural"]),
            "mixed": held.mixed_sevens - (held.mixed - there["mixed"]),
        }
        kinds = [kind for kind in spare if spare[kind]]
        there[max(kinds, key=lambda kind: there[kind] - needed.get(kind, 0))] -= 1
