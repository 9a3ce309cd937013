"""House rules: finds parameters that cannot work together, before a table plays them.

A problem is a code with its numbers, like a refusal; `bot.i18n` has the texts. Nearly every parameter is read, because
any of them may contradict another.

Decides `docs/law/classic.md 3`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from bot.engine.cards.cards import value_class
from bot.engine.law import theme_clashes
from bot.engine.melds.meld_shapes import is_meld
from bot.engine.melds.points import CANASTAS_FOR_THREES
from bot.engine.moves.refusals import Detail
from bot.engine.rules.case_fields import PositionError
from bot.engine.rules.parameters import BY_NAME, PARAMETERS, Parameter, ValueType, excessive_parameters
from bot.engine.rules.rule_options import read_value
from bot.engine.rules.rule_set import RuleSet, number_in_deal, numbers_of_all_deals
from bot.engine.rules.seating import PLAYERS_BY_TEAMS

LEAST_STOCK: Final = 20
"""The least number of cards left in the stock after the deal."""

LEAST_FOOT: Final = 2
"""The least size of a foot that is played at once: one card to discard, and one to keep."""

_LARGEST_UPCARD: Final = 13
"""The number of cards hidden under a king as upcard (`docs/law/variants.md 3.6`)."""

MOST_ALIKE: Final = 127
"""The most cards of one kind that the engine can count in a hand (`bot.engine.cards.packed_counts`)."""

MOST_JOKERS: Final = 4
"""The most jokers per deck of 52: as many as cards of any other rank."""

MOST_PACKS: Final = 8
"""The most decks of 52 that pictures and lists support."""


class ProblemCode(StrEnum):
    """Every reason why parameters do not work together; the value is its stored name.

    The comments say when the problem occurs, and name the numbers in its detail.
    """

    # the rules have no parameter of that name: {"parameter"}
    NO_SUCH_PARAMETER = "no_such_parameter"
    # the parameter cannot have that value: {"parameter"}
    NOT_A_VALUE = "not_a_value"
    # the number is too small or too large: {"parameter", "lowest", "highest"}
    OUT_OF_RANGE = "out_of_range"
    # the number is not a multiple of its unit: {"parameter", "number", "multiple"}
    NOT_A_MULTIPLE = "not_a_multiple"
    # this number of players does not fit the sides: {"players"}
    NO_FORM = "no_form"
    # the deal leaves too few cards in the stock: {"left", "required"}
    STOCK_TOO_SMALL = "stock_too_small"
    # each deck has too many jokers: {"jokers", "most"}
    TOO_MANY_JOKERS = "too_many_jokers"
    # the pack has too many decks: {"decks", "most"}
    PACK_TOO_LARGE = "pack_too_large"
    # too large for rules with runs or twos as a rank: {"parameter", "number", "most"}
    TOO_MUCH_AT_ONCE = "too_much_at_once"
    # feet are dealt, but no rule says when they are picked up: {}
    FOOT_NEVER_TAKEN = "foot_never_taken"
    # the foot has too few cards to discard one and keep one: {"cards", "least"}
    FOOT_TOO_SMALL = "foot_too_small"
    # the minimums of the initial meld do not ascend: {"row"}
    OPEN_TABLE_ORDER = "open_table_order"
    # no number of cards makes a meld: {"naturals", "size"}
    NO_MELDS = "no_melds"
    # canastas are impossible, but going out needs one: {"size"}
    NO_CANASTAS = "no_canastas"
    # going out needs more than the cards can make: {"canastas", "most"}
    TOO_MANY_CANASTAS = "too_many_canastas"
    # the largest meld is smaller than a canasta: {"meld_max", "canasta_size"}
    MELD_MAX_TOO_SMALL = "meld_max_too_small"
    # no meld can hold a natural canasta and a wild card: {"size"}
    RECLAIM_NEVER = "reclaim_never"
    # `wild_ratio` has no effect with these numbers: {"min_naturals", "max_wilds"}
    WILD_RATIO_IDLE = "wild_ratio_idle"
    # the rules have no melds of one rank: {}
    NO_SETS = "no_sets"
    # melds may be runs, but no rule for runs is chosen: {}
    RUNS_WITHOUT_RULE = "runs_without_rule"
    # going out needs a sort of canasta that no meld can be: {"need"}
    NEED_CANNOT_ARISE = "need_cannot_arise"
    # going out needs more canastas of a sort than are possible: {"need", "count", "most"}
    NEED_TOO_MANY = "need_too_many"
    # no sort of canasta counts for going out: {"canastas"}
    NOTHING_COUNTS = "nothing_counts"
    # no cards could take a pile that is not frozen: {}
    NO_WAY_TO_TAKE = "no_way_to_take"
    # `frozen_untaken` has no effect, as the pile is always frozen for all: {}
    FROZEN_UNTAKEN_IDLE = "frozen_untaken_idle"
    # `take_twos` has no effect: too few twos, or nothing comes with the top card: {}
    TWOS_TAKE_NOTHING = "twos_take_nothing"
    # `out_canastas_before` has no effect, as no canasta is needed: {}
    OUT_BEFORE_IDLE = "out_before_idle"
    # a side that opens from the hand takes the pile with a pair, which is forbidden: {}
    PAIR_NEEDED = "pair_needed"
    # asking the partner is mandatory, but nobody has a partner: {}
    NOBODY_TO_ASK = "nobody_to_ask"
    # one theme demands what the other forbids: {"theme", "other"}
    THEMES_CLASH = "themes_clash"
    # one condition of the theme forbids what another demands: {"theme"}
    THEME_AGAINST_ITSELF = "theme_against_itself"
    # the theme demands a canasta that these rules do not have: {"theme"}
    THEME_CANNOT_ARISE = "theme_cannot_arise"
    # too few ranks are left for an initial meld: {"deal"}
    THEMES_LEAVE_NO_RANKS = "themes_leave_no_ranks"
    # the themes ban every discard: {"deal"}
    THEMES_LEAVE_NO_DISCARDS = "themes_leave_no_discards"
    # no canasta is possible, but going out needs one: {"deal"}
    THEMES_LEAVE_NO_CANASTAS = "themes_leave_no_canastas"
    # the initial meld needs more cards than a hand has: {"deal", "cards", "hand"}
    THEMES_OPENING_TOO_LARGE = "themes_opening_too_large"
    # no one may go out, and the stock never ends: {"theme"}
    THEME_ENDLESS = "theme_endless"
    # the pack has more red threes than there are values: {"values", "required"}
    RED_THREE_VALUES = "red_three_values"
    # red threes count only with more canastas than a side can have: {"canastas", "most"}
    RED_THREES_NEVER_COUNT = "red_threes_never_count"
    # going out needs more red threes than a side can lay out: {"threes", "most"}
    OUT_RED_THREES_CANNOT_LIE = "out_red_threes_cannot_lie"
    # the pack has more black threes than there are values: {"values", "required"}
    BLACK_THREE_VALUES = "black_three_values"


@value_class
class RuleProblem:
    """A reason why a rule set cannot be played."""

    code: ProblemCode
    detail: Detail


class UnplayableRules(Exception):
    """House rules that cannot be played; `problems` holds the reasons."""

    def __init__(self, problems: tuple[RuleProblem, ...]) -> None:
        super().__init__(", ".join(problem.code.value for problem in problems))
        self.problems = problems


def with_house_rules(rules: RuleSet, options: Mapping[str, object]) -> RuleSet:
    """Return the rules with the parameters of `options`, values from JSON, in place of their own.

    Raises `UnplayableRules` for an impossible value, and for rules that cannot be played.
    """
    values: dict[str, Any] = {}
    problems: list[RuleProblem] = []
    for name, given in options.items():
        parameter = BY_NAME.get(name)
        if parameter is None:
            problems.append(RuleProblem(ProblemCode.NO_SUCH_PARAMETER, {"parameter": name}))
            continue
        try:
            values[name] = read_value(parameter, given, name)
        except PositionError:
            problems.append(_value_problem(parameter))
    made = replace(rules, **values)
    problems += find_rule_problems(made) if not problems else ()
    if problems:
        raise UnplayableRules(tuple(problems))
    return made


def _value_problem(parameter: Parameter) -> RuleProblem:
    """Return the problem of a value that the parameter cannot have."""
    if parameter.shape in (ValueType.NUMBER, ValueType.NUMBERS, ValueType.TABLE):
        detail: Detail = {"parameter": parameter.name, "lowest": parameter.lowest, "highest": parameter.highest}
        return RuleProblem(ProblemCode.OUT_OF_RANGE, detail)
    return RuleProblem(ProblemCode.NOT_A_VALUE, {"parameter": parameter.name})


def find_rule_problems(rules: RuleSet) -> tuple[RuleProblem, ...]:
    """Return every reason why these rules cannot be played; empty if they can."""
    checks = (
        _number_problems,
        _seat_problems,
        _card_problems,
        _three_problems,
        _meld_problems,
        _canasta_problems,
        _turn_problems,
        _taking_problems,
    )
    themes = (_theme_problems,) if rules.theme else ()
    return tuple(problem for check in (*checks, *themes) for problem in check(rules))


def _number_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield a problem for each number that is not a multiple of its parameter's unit."""
    for parameter in PARAMETERS:
        for number in numbers_to_hold_within_bounds(getattr(rules, parameter.name)):
            if number % parameter.multiple:
                detail: Detail = {"parameter": parameter.name, "number": number, "multiple": parameter.multiple}
                yield RuleProblem(ProblemCode.NOT_A_MULTIPLE, detail)


def numbers_to_hold_within_bounds(value: Any) -> tuple[int, ...]:
    """Return those numbers of a parameter's value that must be within the parameter's bounds."""
    if isinstance(value, tuple):
        last = [one[-1] if isinstance(one, tuple) else one for one in value]
        return tuple(number for one in last for number in numbers_to_hold_within_bounds(one))
    return (value,) if type(value) is int else ()


def _seat_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of the number of players, and of asking a partner where nobody has one."""
    if rules.players not in PLAYERS_BY_TEAMS[rules.teams]:
        yield RuleProblem(ProblemCode.NO_FORM, {"players": rules.players})
    elif rules.ask_partner == "mandatory" and not rules.asks:
        yield RuleProblem(ProblemCode.NOBODY_TO_ASK, {})


def _card_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of packs, hands and feet that are too large or too small to deal."""
    hidden = _LARGEST_UPCARD if rules.pile_hidden_by_rank else rules.pile_hidden
    left = rules.pack_size - rules.playing * (max(numbers_of_all_deals(rules.hand_size)) + rules.foot_size) - 1 - hidden
    if left < LEAST_STOCK:
        yield RuleProblem(ProblemCode.STOCK_TOO_SMALL, {"left": max(0, left), "required": LEAST_STOCK})
    if rules.jokers_per_deck > MOST_JOKERS:
        yield RuleProblem(ProblemCode.TOO_MANY_JOKERS, {"jokers": rules.jokers_per_deck, "most": MOST_JOKERS})
    most = min(MOST_PACKS, MOST_ALIKE // max(4, rules.jokers_per_deck))
    if rules.decks > most:
        yield RuleProblem(ProblemCode.PACK_TOO_LARGE, {"decks": rules.decks, "most": most})
    for one in excessive_parameters(rules):
        detail: Detail = {"parameter": one.parameter, "number": one.number, "most": one.most}
        yield RuleProblem(ProblemCode.TOO_MUCH_AT_ONCE, detail)
    if rules.foot_size and rules.foot_pickup == "none":
        yield RuleProblem(ProblemCode.FOOT_NEVER_TAKEN, {})
    if rules.foot_run and 0 < rules.foot_size < LEAST_FOOT:
        yield RuleProblem(ProblemCode.FOOT_TOO_SMALL, {"cards": rules.foot_size, "least": LEAST_FOOT})


def _three_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of threes: too few values, or more threes demanded than the pack has."""
    required = 2 * rules.decks
    if rules.red3_role == "bonus" and len(rules.red3_values) < required:
        yield RuleProblem(ProblemCode.RED_THREE_VALUES, {"values": len(rules.red3_values), "required": required})
    needed = rules.red_threes_needed
    most = required if rules.red3_role == "bonus" else 0
    if needed > most:
        yield RuleProblem(ProblemCode.OUT_RED_THREES_CANNOT_LIE, {"threes": needed, "most": most})
    if rules.black3_role == "bonus" and len(rules.black3_values) < required:
        yield RuleProblem(ProblemCode.BLACK_THREE_VALUES, {"values": len(rules.black3_values), "required": required})


def _meld_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of rules by which no meld, or no canasta, is possible."""
    naturals = 4 * rules.decks
    largest = naturals + (4 + rules.jokers_per_deck) * rules.decks
    sizes = [
        natural + wild
        for natural in range(naturals + 1)
        for wild in range(largest - naturals + 1)
        if is_meld(rules, natural, wild)
    ]
    if "set" not in rules.meld_kinds:
        yield RuleProblem(ProblemCode.NO_SETS, {})
    if "seq" in rules.meld_kinds and rules.seq_rule == "none":
        yield RuleProblem(ProblemCode.RUNS_WITHOUT_RULE, {})
    if rules.meld_max is not None and rules.meld_max < rules.canasta_size:
        detail = {"meld_max": rules.meld_max, "canasta_size": rules.canasta_size}
        yield RuleProblem(ProblemCode.MELD_MAX_TOO_SMALL, detail)
    if not sizes:
        yield RuleProblem(ProblemCode.NO_MELDS, {"naturals": rules.min_naturals, "size": rules.meld_min})
    elif max(sizes) < rules.canasta_size and rules.out_canastas:
        yield RuleProblem(ProblemCode.NO_CANASTAS, {"size": rules.canasta_size})
    grown = [(natural, 1) for natural in range(rules.canasta_size, naturals + 1)]
    if rules.wild_reclaim != "none" and not any(is_meld(rules, *meld) for meld in grown):
        yield RuleProblem(ProblemCode.RECLAIM_NEVER, {"size": rules.canasta_size})
    if rules.wild_ratio != "none" and rules.min_naturals >= _naturals_for_most_wilds(rules):
        detail = {"min_naturals": rules.min_naturals, "max_wilds": rules.max_wilds}
        yield RuleProblem(ProblemCode.WILD_RATIO_IDLE, detail)


def _canasta_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of demands for more canastas than the cards allow; threes make no canastas."""
    possible = most_canastas_by_sort(rules)
    cards = rules.pack_size - 4 * rules.decks
    most = min(cards // rules.canasta_size, _most_canastas_at_once(rules, possible))
    if rules.canastas_needed > most > 0:
        yield RuleProblem(ProblemCode.TOO_MANY_CANASTAS, {"canastas": rules.canastas_needed, "most": most})
    for kind, count in rules.out_need:
        if count and kind not in possible:
            yield RuleProblem(ProblemCode.NEED_CANNOT_ARISE, {"need": kind})
        elif count > possible.get(kind, 0):
            yield RuleProblem(ProblemCode.NEED_TOO_MANY, {"need": kind, "count": count, "most": possible[kind]})
    for_threes = 1 if rules.red3_sign == "sevens" else CANASTAS_FOR_THREES.get(rules.red3_sign, 0)
    likely = possible.get("7", 0) if rules.red3_sign == "sevens" else most
    if rules.red3_role == "bonus" and for_threes > likely:
        yield RuleProblem(ProblemCode.RED_THREES_NEVER_COUNT, {"canastas": for_threes, "most": likely})
    if rules.out_canastas and possible.keys() <= {"7", *rules.out_excludes}:
        yield RuleProblem(ProblemCode.NOTHING_COUNTS, {"canastas": rules.out_canastas})


def most_canastas_by_sort(rules: RuleSet) -> dict[str, int]:
    """Return the most canastas of each possible sort that a side may have, by the names of `out_need`."""
    naturals, size = 4 * rules.decks, rules.canasta_size
    wilds = (4 + rules.jokers_per_deck) * rules.decks
    fewest = min(
        [natural for natural in range(naturals + 1) if is_meld(rules, natural, max(1, size - natural))],
        default=naturals + 1,
    )
    each = {"natural": naturals // size, "mixed": naturals // fewest}
    if rules.same_rank_melds == "one":
        each = {kind: min(1, count) for kind, count in each.items()}
    with_wilds = _RANKS_TO_MELD - len(rules.no_wild_ranks)
    found = {"natural": _RANKS_TO_MELD * each["natural"], "mixed": min(with_wilds * each["mixed"], wilds)}
    if "seq" in rules.meld_kinds and size <= _RANKS_TO_MELD:
        found["seq"] = _SUITS if rules.same_rank_melds == "one" else _SUITS * rules.decks * (_RANKS_TO_MELD // size)
    if rules.meld_kinds & {"wild", "deuce"}:
        found["wild"] = wilds // size
    found["7"] = each["natural"] if "7" in rules.no_wild_ranks else max(each.values())
    return {kind: count for kind, count in found.items() if count}


def _most_canastas_at_once(rules: RuleSet, possible: Mapping[str, int]) -> int:
    """Return the most canastas of any sort that a side may have at the same time.

    At most one of a rank where a side has one meld of each.
    """
    ranks = possible.get("natural", 0) + possible.get("mixed", 0)
    if rules.same_rank_melds == "one":
        ranks = min(ranks, _RANKS_TO_MELD)
    return ranks + possible.get("seq", 0) + possible.get("wild", 0)


_RANKS_TO_MELD: Final = 11
"""The number of ranks that make melds, four to ace."""

_SUITS: Final = 4


def _theme_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of themes that contradict each other, themselves or the rules."""
    possible = most_canastas_by_sort(rules).keys()
    for theme, other in theme_clashes.clashing_themes(rules):
        if theme == other:
            yield RuleProblem(ProblemCode.THEME_AGAINST_ITSELF, {"theme": theme})
        else:
            yield RuleProblem(ProblemCode.THEMES_CLASH, {"theme": theme, "other": other})
    for theme in theme_clashes.impossible_themes(rules, possible):
        yield RuleProblem(ProblemCode.THEME_CANNOT_ARISE, {"theme": theme})
    for need in theme_clashes.impossible_canasta_sorts(
        rules, [kind for kind, count in rules.out_need if count and kind in possible]
    ):
        yield RuleProblem(ProblemCode.NEED_CANNOT_ARISE, {"need": need})
    yield from _emptying_theme_problems(rules, possible)
    lasting = theme_clashes.theme_without_deal_end(rules)
    if lasting is not None:
        yield RuleProblem(ProblemCode.THEME_ENDLESS, {"theme": lasting})


def _emptying_theme_problems(rules: RuleSet, possible: Collection[str]) -> Iterator[RuleProblem]:
    """Yield problems of deals in which themes leave too few ranks, discards or canastas to play."""
    lacking = {
        ProblemCode.THEMES_LEAVE_NO_RANKS: theme_clashes.first_deal_without_ranks(rules),
        ProblemCode.THEMES_LEAVE_NO_DISCARDS: theme_clashes.first_deal_without_discards(rules),
        ProblemCode.THEMES_LEAVE_NO_CANASTAS: theme_clashes.first_deal_without_canastas(rules, possible),
    }
    for code, deal in lacking.items():
        if deal is not None:
            yield RuleProblem(code, {"deal": deal})
    if (large := theme_clashes.first_deal_with_too_large_opening(rules)) is not None:
        detail: Detail = {"deal": large[0], "cards": large[1], "hand": number_in_deal(rules.hand_size, large[0])}
        yield RuleProblem(ProblemCode.THEMES_OPENING_TOO_LARGE, detail)


def _naturals_for_most_wilds(rules: RuleSet) -> int:
    """Return the number of naturals from which the ratio allows `max_wilds` wild cards."""
    return {"nat>=w": rules.max_wilds, "nat>w": rules.max_wilds + 1, "nat>=2w": 2 * rules.max_wilds}[rules.wild_ratio]


def _turn_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of minimums that do not ascend, and of a pile that no cards could take."""
    for row, (before, after) in enumerate(zip(rules.open_table, rules.open_table[1:], strict=False), 1):
        if after[0] is None or (before[0] is not None and after[0] <= before[0]) or after[1] < before[1]:
            yield RuleProblem(ProblemCode.OPEN_TABLE_ORDER, {"row": row})
    if rules.pile_frozen == "by_card" and not _ways_to_take(rules):
        yield RuleProblem(ProblemCode.NO_WAY_TO_TAKE, {})
    elif rules.open_pile == "hand_first" and rules.pile_frozen == "by_card" and "pair" not in rules.take_open:
        yield RuleProblem(ProblemCode.PAIR_NEEDED, {})


def _taking_problems(rules: RuleSet) -> Iterator[RuleProblem]:
    """Yield problems of house rules on the pile and on going out that would have no effect.

    Source: `docs/law/classic.md 3`.
    """
    if rules.frozen_untaken and rules.pile_frozen == "always":
        yield RuleProblem(ProblemCode.FROZEN_UNTAKEN_IDLE, {})
    top_alone = rules.pile_take is not None and max(numbers_of_all_deals(rules.pile_take)) == 1
    if rules.take_twos and (rules.decks == 1 or top_alone):
        yield RuleProblem(ProblemCode.TWOS_TAKE_NOTHING, {})
    if rules.out_canastas_before and not (rules.out_canastas or any(count for _, count in rules.out_need)):
        yield RuleProblem(ProblemCode.OUT_BEFORE_IDLE, {})


def _ways_to_take(rules: RuleSet) -> frozenset[str]:
    """Return the ways to take an unfrozen pile that are possible under these rules."""
    never = {"card+wild": not rules.max_wilds, "add_seq": "seq" not in rules.meld_kinds}
    return frozenset(way for way in rules.take_open if not never.get(way, False))
