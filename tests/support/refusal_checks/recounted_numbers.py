"""Recount the numbers in refusals from hands, melds and parameters; check the cards they name.

The engine's own calculations are not used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from bot.engine.cards.cards import ACE, BLACK_THREE, FOUR, JOKER, RED_THREE, SEVEN, TWO, Card, Kind, is_red
from bot.engine.cards.meld_places import DEUCE_MELD, RUN, WILD_MELD, family_of, is_run
from bot.engine.melds.table_meld import TableMeld, meld_of
from bot.engine.moves import phases
from bot.engine.moves.actions import PASS, Discard, DiscardCard, LayMelds, LayRun, Meld, Take, TakePile
from bot.engine.moves.refusals import Code, kind_name
from bot.engine.play.decide import why_not_allowed
from bot.engine.rules.rule_set import RuleSet
from bot.engine.table.state import State
from tests.support.refusal_checks.cards_of_attempts import (
    cards_melded_by,
    cards_of,
    count_held,
    hand_of,
    is_single_set,
    kind_named,
    meld_counts_after,
    own_melds,
    takes_pile,
    target_meld,
    top_kind,
)
from tests.support.refusal_checks.refused_attempts import RefusedAttempt

Numbers: TypeAlias = Mapping[str, object]
"""Numbers that were counted again; the refusal must carry the same numbers under these names."""


Counted: TypeAlias = Callable[[RefusedAttempt], Numbers]


VALUES: Final = {
    **dict.fromkeys(range(4), 5),
    **dict.fromkeys(range(4, 10), 10),
    BLACK_THREE: 5,
    TWO: 20,
    JOKER: 50,
    RED_THREE: 0,
}


def points_of(rules: RuleSet, cards: Sequence[Card]) -> int:
    """Return the points of the cards (`docs/law/classic.md 1.1`)."""
    return sum(rules.ace_value if card >> 2 == ACE else VALUES[card >> 2] for card in cards)


def required_points(attempt: RefusedAttempt) -> int:
    """Return the minimum of the side in turn (`1.11`), raised by irregularities (`1.22`)."""
    state = attempt.state
    rules = state.rules
    partners = state.seating.seats_of(state.side)
    raised = 0 if state.penalties is None else sum(state.penalties.raised[seat] for seat in partners)
    key = state.scores[rules.side_of(state.turn)] if rules.open_by == "score" else max(1, state.deal)
    if rules.open_shape == "br_ladder" and key >= 7000:
        return raised + (200 if 8000 <= key < 9000 else 0)
    rows = [points for start, points in rules.open_table if start is None or key >= start]
    return raised + (rows[-1] if rows else 0)


def most_wilds(rules: RuleSet, naturals: int) -> int:
    """Return the most wild cards that a meld with that many naturals may have (`1.10`)."""
    ratio = {
        "none": rules.max_wilds,
        "nat>=w": naturals,
        "nat>w": max(0, naturals - 1),
        "nat>=2w": naturals // 2,
    }[rules.wild_ratio]
    return min(rules.max_wilds, ratio)


def count_canastas(rules: RuleSet, melds: Sequence[TableMeld]) -> Counter[str]:
    """Return the number of canastas of each kind, of sevens (``7``), and of those that count.

    ``counting`` are those that going out may need.
    """
    found: Counter[str] = Counter()
    for meld in melds:
        if len(meld.cards) >= rules.canasta_size:
            family = family_of(meld.place)
            kind = "seq" if family >= RUN else "wild" if family in (WILD_MELD, DEUCE_MELD) else ""
            kind = kind or ("mixed" if meld.wilds else "natural")
            found[kind] += 1
            found["7"] += family == SEVEN
            found["counting"] += kind not in rules.out_excludes
    return found


def melds_after(attempt: RefusedAttempt) -> list[TableMeld] | None:
    """Return the melds of the side in turn after the attempt; None if only the engine can tell."""
    melds, cards = list(own_melds(attempt.state)), cards_melded_by(attempt)
    if isinstance(attempt.action, Discard | DiscardCard):
        return melds
    if cards is None or attempt.state.rules.same_rank_melds != "one" or isinstance(attempt.action, LayRun):
        return None
    if takes_pile(attempt):
        cards = (*cards, attempt.state.pile[-1])
    lying = target_meld(attempt)
    if lying is not None:
        melds[melds.index(lying)] = meld_of(lying.place, tuple(sorted((*lying.cards, *cards))))
        return melds
    ranks = {card >> 2 for card in cards} - {TWO, JOKER}
    if isinstance(attempt.action, Meld):
        ranks = {family_of(attempt.action.place)}
    if len(ranks) != 1:
        return None
    return [*melds, meld_of(ranks.pop(), tuple(sorted(cards)))]


def cards_below_top(state: State) -> int:
    """Return how many known cards come to the hand when the pile's top card is taken."""
    rules = state.rules
    pile = state.pile if state.aside else state.pile[:-1]
    if rules.pile_take is not None:
        limits = (rules.pile_take,) if isinstance(rules.pile_take, int) else rules.pile_take
        most = limits[min(max(1, state.deal), len(limits)) - 1]
        pile = pile[max(0, len(pile) - most + 1) :]
    rest = len(state.pile) - (not state.aside) - len(pile)
    seen = pile[max(0, state.hidden - rest) :]
    away = {RED_THREE} if rules.red3_role == "bonus" else set()
    away |= {BLACK_THREE} if rules.black3_role == "bonus" or rules.black3_in_pile == "set_aside" else set()
    return sum(card >> 2 not in away for card in seen) + min(rules.draw_with_pile, len(state.stock))


def hand_size_after(attempt: RefusedAttempt) -> int | None:
    """Return the size of the hand after the attempt; None if only the engine can tell."""
    cards = cards_melded_by(attempt)
    if isinstance(attempt.action, Discard | DiscardCard):
        return len(hand_of(attempt)) - 1
    if cards is None:
        return None
    coming = cards_below_top(attempt.state) if takes_pile(attempt) or attempt.state.aside else 0
    return len(hand_of(attempt)) - len(cards) + coming


def named_numbers(**named: object) -> Numbers:
    """Return the given numbers by name, without those that are None."""
    return {name: number for name, number in named.items() if number is not None}


def _count_held(attempt: RefusedAttempt) -> Numbers:
    detail = attempt.refusal.detail
    if "card" in detail:
        return {"held": hand_of(attempt).count(int(detail["card"]))}
    kind = kind_named(detail["kind"])
    return {"held": count_held(attempt)[kind] if kind != RED_THREE or attempt.state.rules.counts_red_threes else 0}


def _check_no_meld(attempt: RefusedAttempt) -> list[str]:
    """Return an error text if the side has a meld of the top card's rank that the attempt does not name."""
    lying = any(family_of(meld.place) == top_kind(attempt.state) for meld in own_melds(attempt.state))
    named = isinstance(attempt.action, Take | TakePile) and attempt.action.onto is not None
    return ["a meld of that rank lies there"] * (lying and not named)


def _check_second_rank(attempt: RefusedAttempt) -> list[str]:
    detail = attempt.refusal.detail
    cards = cards_melded_by(attempt)
    if cards is None:
        return []
    there = {card >> 2 for card in cards}
    lying = target_meld(attempt)
    there |= {TWO, *([] if lying is None else [family_of(lying.place)])}
    there |= {top_kind(attempt.state)} if takes_pile(attempt) else set()
    names = {kind_name(kind) for kind in there if kind <= RED_THREE}
    return [f"{name} is not named" for name in (detail["first"], detail["second"]) if name not in names]


def _count_meld(attempt: RefusedAttempt) -> Numbers:
    """Return the numbers of cards in the meld after a plain attempt, and the limits that they break."""
    if not is_single_set(attempt):
        return {}
    naturals, wilds = meld_counts_after(attempt)
    rules = attempt.state.rules
    found = {
        Code.MELD_TOO_FEW_NATURALS: {
            "naturals": naturals,
            "required": rules.min_naturals,
            "count": naturals + wilds,
            "least": rules.meld_min,
            "few": int(naturals + wilds < rules.meld_min),
        },
        Code.MELD_TOO_SMALL: {"count": naturals + wilds, "required": rules.meld_min},
        Code.MELD_TOO_MANY_WILDS: {"wilds": wilds, "allowed": most_wilds(rules, naturals)},
        Code.WILD_TOO_EARLY: {"naturals": naturals, "required": rules.wild_gate},
    }
    return found[attempt.refusal.code]


def _count_too_large_meld(attempt: RefusedAttempt) -> Numbers:
    lying = target_meld(attempt)
    if not is_single_set(attempt) or takes_pile(attempt) or (lying is not None and family_of(lying.place) == WILD_MELD):
        return {}
    return {"count": sum(meld_counts_after(attempt)), "allowed": attempt.state.rules.meld_max}


def _check_meld_of_rank(attempt: RefusedAttempt) -> list[str]:
    """Return an error text if the side has no meld of the named rank."""
    kind = kind_named(attempt.refusal.detail["kind"])
    lying = any(family_of(meld.place) == kind for meld in own_melds(attempt.state))
    return [] if lying else ["the side has no meld of that rank"]


def _check_closing_canasta(attempt: RefusedAttempt) -> list[str]:
    """Return an error text if no canasta closes the named rank."""
    if attempt.state.rules.theme:
        return []
    kind = kind_named(attempt.refusal.detail["kind"])
    found = [meld for side in attempt.state.melds for meld in side if family_of(meld.place) == kind]
    closed = any(meld.size >= attempt.state.rules.canasta_size for meld in found)
    return [] if closed or makes_canasta(attempt, kind) else ["nobody has a canasta of that rank"]


def makes_canasta(attempt: RefusedAttempt, kind: Kind) -> bool:
    """Return whether the act itself may complete a canasta of the rank: by an earlier meld, or the pile."""
    if not isinstance(attempt.action, LayMelds | TakePile) or kind > ACE:
        return False
    lying = sum(meld.size for meld in own_melds(attempt.state) if family_of(meld.place) == kind)
    return cards_melded_by(attempt) is None or (takes_pile(attempt) and lying + 3 >= attempt.state.rules.canasta_size)


def _check_lock_of_wild_cards(attempt: RefusedAttempt) -> list[str]:
    size = attempt.state.rules.canasta_size
    binds = [
        meld
        for meld in own_melds(attempt.state)
        if family_of(meld.place) in (WILD_MELD, DEUCE_MELD) and meld.size < size
    ]
    several = (
        isinstance(attempt.action, LayMelds | TakePile) and cards_melded_by(attempt) is None
    )  # the act may make such a meld itself
    return [] if binds or several else ["no unfinished meld of wild cards lies there"]


def _count_run(attempt: RefusedAttempt) -> Numbers:
    place = attempt.action.place  # type: ignore[union-attr]
    meld = next(meld for meld in own_melds(attempt.state) if meld.place == place)
    naturals = meld.size if is_run(place) else sum(card >> 2 == family_of(place) for card in meld.cards)
    return {"naturals": naturals, "wilds": meld.size - naturals, "required": attempt.state.rules.canasta_size}


def _count_run_size(attempt: RefusedAttempt) -> Numbers:
    if not isinstance(attempt.action, LayRun):
        return {}
    lying = next((meld for meld in own_melds(attempt.state) if meld.place == attempt.action.place), None)
    return {
        "count": attempt.action.high - attempt.action.low + 1 + (0 if lying is None else lying.size),
        "least": 3,
    }


def _errors_of_run_ends(attempt: RefusedAttempt) -> list[str]:
    """Return an error text unless a run reaches from the lowest to the highest card named in the refusal."""
    if isinstance(attempt.action, LayMelds | TakePile) and cards_melded_by(attempt) is None:
        return []  # an earlier meld of the same act may have changed the run
    low, high = (kind_named(attempt.refusal.detail[name]) for name in ("low", "high"))
    ends = [(meld.cards[0] >> 2, meld.cards[-1] >> 2) for meld in own_melds(attempt.state) if is_run(meld.place)]
    return [] if (low, high) in ends else ["no such run lies there"]


def _count_cards_left_after_step(attempt: RefusedAttempt) -> Numbers:
    if attempt.state.phase is not phases.PLAY or cards_melded_by(attempt) is None or attempt.state.aside:
        return {}
    return named_numbers(left=hand_size_after(attempt))


def _count_laid_points(attempt: RefusedAttempt) -> Numbers:
    """Return the points melded in this turn, with those of the attempt if it names cards."""
    state = attempt.state
    rules = state.rules
    found: int | None = state.laid_points
    match attempt.action:
        case LayMelds(melds):
            found = state.laid_points + points_of(rules, [card for lay in melds for card in lay.cards])
        case TakePile(cards, melds):
            top = (state.pile[-1],) if rules.open_count_top and not state.started else ()
            named = [*cards, *(card for lay in melds for card in lay.cards), *top]
            found = None if rules.open_pile == "hand_first" else state.laid_points + points_of(rules, named)
        case Meld() | LayRun() | Take():
            found = None
    return named_numbers(count=found, required=required_points(attempt))


def _count_required(attempt: RefusedAttempt) -> Numbers:
    return {"required": required_points(attempt)}


def _count_best_points(attempt: RefusedAttempt) -> Numbers:
    """Return the minimum for the initial meld, and the most points that the hand can meld.

    The points are left out unless the rules have only sets and demand only points.
    """
    state = attempt.state
    rules = state.rules
    simple = rules.meld_kinds == {"set"} and rules.open_shape == "any" and rules.same_rank_melds == "one"
    if (
        not simple
        or not isinstance(attempt.action, Meld)
        or rules.theme
        or state.phase is not phases.PLAY
        or state.aside
    ):
        return {"required": required_points(attempt)}
    step = attempt.action
    lying = {family_of(meld.place): (meld.naturals, meld.wilds) for meld in own_melds(state)}
    now = lying.get(step.place, (0, 0))
    lying[step.place] = now[0] + step.naturals, now[1] + step.twos + step.jokers
    hand = count_held(attempt)
    hand.subtract({step.place: step.naturals, TWO: step.twos, JOKER: step.jokers})
    points = state.laid_points + points_of(rules, cards_melded_by(attempt) or ())
    return {
        "required": required_points(attempt),
        "count": points,
        "best": points + most_points(rules, hand, lying),
    }


def most_points(rules: RuleSet, hand: Mapping[Kind, int], melds_by_rank: Mapping[Kind, tuple[int, int]]) -> int:
    """Return the most points that a hand can meld in sets, by trying every way to share the wild cards."""
    ways: dict[tuple[int, int], int] = {(0, 0): 0}
    for kind in range(FOUR, ACE + 1):
        before = melds_by_rank.get(kind, (0, 0))
        better: dict[tuple[int, int], int] = {}
        for (twos, jokers), points in ways.items():
            for naturals in range(hand.get(kind, 0) + 1):
                for two in range(hand.get(TWO, 0) - twos + 1):
                    for joker in range(hand.get(JOKER, 0) - jokers + 1):
                        if naturals + two + joker and not _may_be_added_to_meld(rules, before, naturals, two + joker):
                            continue
                        cards = (*cards_of(kind, naturals), *cards_of(TWO, two), *cards_of(JOKER, joker))
                        place = (twos + two, jokers + joker)
                        better[place] = max(better.get(place, -1), points + points_of(rules, cards))
        ways = better
    return max(ways.values())


def _may_be_added_to_meld(rules: RuleSet, meld: tuple[int, int], naturals: int, wilds: int) -> bool:
    """Return whether these numbers of cards may be added at once to `meld`, its naturals and wild cards (`1.10`)."""
    together = meld[0] + naturals, meld[1] + wilds
    size = sum(together)
    if together[0] < rules.min_naturals or size < rules.meld_min or (rules.meld_max and size > rules.meld_max):
        return False
    if wilds and rules.wild_on_canasta == "never" and sum(meld) + wilds > rules.canasta_size:
        return False
    most = most_wilds(rules, together[0])
    free = rules.wild_on_canasta == "free" and together[0] + most >= rules.canasta_size
    return not wilds or together[1] <= most or free


def _count_wilds_alone(attempt: RefusedAttempt) -> Numbers:
    return {"others": sum(card >> 2 not in (TWO, JOKER) for card in hand_of(attempt))}


def _count_sides_with_sevens(attempt: RefusedAttempt) -> Numbers:
    rules = attempt.state.rules
    sides = sum(bool(count_canastas(rules, melds)["7"]) for melds in attempt.state.melds)
    return {"canastas": sides, "required": len(attempt.state.melds)}


def _count_canastas(attempt: RefusedAttempt) -> Numbers:
    """Return the canastas after the attempt, the canastas that are needed, and the cards left."""
    melds = melds_after(attempt)
    rules = attempt.state.rules
    words = attempt.refusal.code in (Code.ASK_CANNOT_GO_OUT, Code.ANNOUNCE_CANNOT_GO_OUT)
    if words:
        melds = list(own_melds(attempt.state))
    there = None if melds is None else count_canastas(rules, melds)
    found = None if there is None else there["counting"]
    needed = dict(rules.out_need)
    if there is not None and needed and "7" not in needed and "missing" in attempt.refusal.detail:
        lacking = [(kind, count - there[kind]) for kind, count in rules.out_need if there[kind] < count]
        missing = " ".join(f"{kind}:{count}" for kind, count in lacking)
        return named_numbers(canastas=found, required=rules.out_canastas, missing=missing, **_count_cards_left(attempt))
    return named_numbers(canastas=found, required=rules.out_canastas, **({} if words else _count_cards_left(attempt)))


def _count_cards_left(attempt: RefusedAttempt) -> dict[str, object]:
    """Return the cards left, if the refusal says how many to keep and the side has opened."""
    if "keep" not in attempt.refusal.detail or not attempt.state.opened[attempt.state.side]:
        return {}
    left, rules = hand_size_after(attempt), attempt.state.rules
    usual = rules.last_red3_ends and not rules.talon and rules.foot_pickup != "hand_empty"
    return {**({} if left is None else {"left": left}), **({"keep": 2} if usual else {})}


def _count_canastas_of_kind(attempt: RefusedAttempt) -> Numbers:
    melds = melds_after(attempt)
    needed = dict(attempt.state.rules.out_need)
    kind = str(attempt.refusal.detail["canasta"])
    if melds is None or "7" in needed:
        return named_numbers(required=needed.get(kind))  # type: ignore[call-overload]
    return named_numbers(held=count_canastas(attempt.state.rules, melds)[kind], required=needed.get(kind))  # type: ignore[call-overload]


def _count_foot_cards(attempt: RefusedAttempt) -> Numbers:
    feet = attempt.state.feet
    return {"cards": len(feet[int(attempt.refusal.detail.get("partner", attempt.state.turn))]) if feet else None}


def _count_red_threes(attempt: RefusedAttempt) -> Numbers:
    laid = attempt.state.red_threes[attempt.state.side]
    rules = attempt.state.rules
    needed = rules.out_red_threes * max(1, rules.out_canastas)
    return {"held": sum(card >> 2 == RED_THREE for card in laid), "required": needed}


def _check_theme(attempt: RefusedAttempt) -> list[str]:
    """Return an error text if the named theme is not in force."""
    names = {theme.name for theme in attempt.state.rules.theme}
    return [] if attempt.refusal.detail["theme"] in names else ["no such theme is in force"]


COUNTED: Final[Mapping[Code, Counted]] = {
    Code.DEAL_RUNNING: lambda attempt: {"deal": attempt.state.deal},
    Code.WRONG_PACK: lambda attempt: {
        "required": attempt.state.rules.decks * (52 + attempt.state.rules.jokers_per_deck)
    },
    Code.NOT_YOUR_TURN: lambda attempt: {"turn": attempt.state.turn},
    Code.RESTING: lambda attempt: {"deal": attempt.state.deal},
    Code.WAITING_FOR_ANSWER: lambda attempt: {"partner": attempt.state.seating.partner_by_seat[attempt.state.turn]},
    Code.STOCK_EMPTY: lambda attempt: {"must": int(why_not_allowed(attempt.state, attempt.seat, PASS) is not None)},
    Code.STOCK_NOT_EMPTY: lambda attempt: {"stock": len(attempt.state.stock)},
    Code.CARD_NOT_HELD: _count_held,
    Code.PILE_FROZEN: lambda attempt: {"held": count_held(attempt)[top_kind(attempt.state)]},
    Code.PILE_CLOSED_UNOPENED: _count_required,
    Code.OPENING_NOT_FROM_HAND: _count_required,
    Code.TAKE_NEEDS_CARDS: lambda attempt: (
        {"adds": int(not (cards_melded_by(attempt) or ()))} if cards_melded_by(attempt) is not None else {}
    ),
    Code.TAKE_NEEDS_TRIPLE: lambda attempt: {
        "wild": int(any(card >> 2 in (TWO, JOKER) for card in attempt.state.pile))
    },
    Code.TAKE_NEEDS_TWOS: lambda attempt: {
        "colour": "red" if is_red(attempt.state.pile[-1]) else "black",
        "required": 2,
    },
    Code.MELD_TOO_SMALL: _count_meld,
    Code.MELD_TOO_FEW_NATURALS: _count_meld,
    Code.MELD_TOO_MANY_WILDS: _count_meld,
    Code.WILD_TOO_EARLY: _count_meld,
    Code.MELD_TOO_LARGE: _count_too_large_meld,
    Code.RECLAIM_TOO_EARLY: _count_run,
    Code.WILDS_LOCKED: lambda attempt: {"required": attempt.state.rules.canasta_size},
    Code.RUN_SIZE: _count_run_size,
    Code.MELD_RED_THREE_HELD: lambda attempt: {"points": -attempt.state.rules.red3_in_hand},
    Code.BLACK_THREES_ONLY_OUT: _count_cards_left_after_step,
    Code.INITIAL_MELD_TOO_LOW: _count_laid_points,
    Code.INITIAL_MELD_UNREACHABLE: _count_best_points,
    Code.DISCARD_WILD: _count_wilds_alone,
    Code.DISCARD_SEVEN: _count_sides_with_sevens,
    Code.NEEDS_CANASTA: _count_canastas,
    Code.NEEDS_COUNTING_CANASTA: _count_canastas,
    Code.NEEDS_CANASTA_KIND: _count_canastas_of_kind,
    Code.FOOT_WAITS: _count_foot_cards,
    Code.PARTNER_FOOT_WAITS: _count_foot_cards,
    Code.OUT_RED_THREES: _count_red_threes,
    Code.OUT_CARDS_STAY: lambda attempt: {"cards": len(hand_of(attempt))},
    Code.ASK_CANNOT_GO_OUT: _count_canastas,
    Code.ANNOUNCE_CANNOT_GO_OUT: _count_canastas,
    Code.SHOW_CARDS: lambda attempt: {"cards": len(hand_of(attempt)), "required": 14},
    Code.SHOW_NO_HAND: lambda attempt: {"hands": len(attempt.state.rules.special_hands)},
    Code.NOT_A_PLAYER: lambda attempt: {"players": attempt.state.rules.players},
}
"""The numbers of a refusal, counted again."""


SEEN: Final[Mapping[Code, Callable[[RefusedAttempt], list[str]]]] = {
    Code.MELD_MIXED_RANKS: _check_second_rank,
    Code.TAKE_NO_MELD: _check_no_meld,
    Code.TAKE_NO_MELD_OR_RUN: _check_no_meld,
    Code.MELD_NO_SECOND: _check_meld_of_rank,
    Code.RANK_CLOSED: _check_closing_canasta,
    Code.WILDS_LOCKED: _check_lock_of_wild_cards,
    Code.RUN_NOT_AT_END: _errors_of_run_ends,
    Code.RUN_FULL: _errors_of_run_ends,
    **{code: _check_theme for code in Code if code.value.startswith("theme_")},
}
"""Checks of the table by refusal code; each function returns the claims that are false."""
