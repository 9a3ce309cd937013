"""Rule sets: one frozen record of parameters, named as in `docs/law/variants.md A.1`.

A rule set is made for a number of players and is all that a table needs to play. The fields at its end are computed
once from the others.

Decides `docs/law/classic.md 1.1, 1.11` and `docs/law/variants.md 3.3, 3.11`: card values, and the minimum of an initial
meld.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final, Literal, TypeAlias

from bot.engine.cards.cards import ACE, BLACK_THREE, EIGHT, FOUR, JOKER, KING, RED_THREE, SEVEN, TWO, Kind
from bot.engine.rules.parameter_declarations import (
    MOST_POINTS,
    CardClass,
    Collection,
    DiscardBan,
    InitialCanasta,
    Needed,
    Rank,
    SpecialCanasta,
    SpecialHand,
    TopCard,
    Unfinished,
    Unlucky,
    WildCanasta,
    points_field,
    rule_field,
)
from bot.engine.rules.seating import CUT_THROAT, Teams, number_of_scores, seating_of
from bot.engine.rules.themes.conditions import Theme

RULES_VERSION: Final = 1
"""The version of the parameters' meanings; it rises when a meaning changes.

It is stored with every table; a migration translates older ones.
"""

ByDeal: TypeAlias = int | tuple[int, ...]
"""One number for every deal, or a tuple with a number for each deal; its last one holds for all later deals."""


def number_in_deal(numbers: ByDeal, deal: int) -> int:
    """Return the number that a parameter has in a deal of the game; the first deal is 1."""
    return numbers if isinstance(numbers, int) else numbers[min(deal, len(numbers)) - 1]


def numbers_of_all_deals(numbers: ByDeal) -> tuple[int, ...]:
    """Return every number that a parameter has in some deal."""
    return (numbers,) if isinstance(numbers, int) else numbers


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSet:
    """The rules of a game as one record: a value for each parameter.

    Each parameter is one `rule_field`: its name, possible values, value in the classic rules, topic, paragraph, and
    numbers (`bot.engine.rules.parameters.Parameter`).

    `open_table` holds rows ``(from score, minimum)`` in ascending order; ``None`` is the row for scores below zero.
    `red3_values` holds the total for one, two, three … red threes of a side. All in points. `direction` and
    `announce_one_card` change nothing: seats are numbered in playing order, and everybody sees the number of cards in a
    hand.
    """

    name: str
    players: int
    teams: Teams
    # cards and deal
    decks: int = rule_field(2, "A", "1.1", lowest=1, highest=12, usual=(2, 3, 4, 5, 6))
    jokers_per_deck: int = rule_field(2, "A", "1.1", highest=12, usual=(0, 1, 2, 3, 4))
    ace_value: int = points_field(20, "A", "1.1", lowest=5, highest=100, usual=(15, 20, 25))
    hand_size: ByDeal = rule_field(11, "A", "1.4", lowest=1, highest=100, usual=(7, 10, 11, 12, 13, 14, 15, 17))
    foot_size: int = rule_field(0, "A", "v3.11", highest=100, usual=(0, 11, 13, 14))
    upcard: bool = rule_field(True, "A", "1.6")
    upcard_cover: frozenset[CardClass] = rule_field(frozenset({"W", "R3"}), "A", "1.6")
    upcard_freezes: frozenset[CardClass] = rule_field(frozenset({"W", "R3"}), "A", "1.6")
    upcard_specials: Literal["keep_in_pile", "keep_first_reinsert_rest", "reinsert_all"] = rule_field(
        "keep_in_pile", "A", "1.6"
    )
    pile_hidden: int = rule_field(0, "A", "v3.1", highest=20, usual=(0, 3, 7))
    pile_hidden_by_rank: bool = rule_field(False, "A", "v3.6")
    first_player: Literal["left", "dealer", "high_card"] = rule_field("left", "A", "1.5")
    direction: Literal["cw", "ccw"] = rule_field("cw", "A", "1.5")
    # the turn
    draw: ByDeal = rule_field(1, "B", "1.9", lowest=1, highest=20, usual=(1, 2, 3, 4, 5))
    draw_with_pile: int = rule_field(0, "B", "2.1", highest=20, usual=(0, 1, 2))
    pile_take: ByDeal | None = rule_field(None, "B", "v3.11", lowest=1, highest=100, usual=(3, 5, 7, 10))
    discard_bans: frozenset[DiscardBan] = rule_field(frozenset(), "B", "v3.10")
    announce_one_card: bool = rule_field(False, "B", "1.9")
    # melds
    meld_kinds: frozenset[Literal["set", "seq", "wild", "deuce"]] = rule_field(frozenset({"set"}), "C", "v3.1")
    meld_min: int = rule_field(3, "C", "1.10", lowest=1, usual=(3, 4))
    min_naturals: int = rule_field(2, "C", "1.10", lowest=1, usual=(1, 2, 3, 4))
    max_wilds: int = rule_field(3, "C", "1.10", usual=(0, 1, 2, 3, 4, 5))
    wild_ratio: Literal["none", "nat>=w", "nat>w", "nat>=2w"] = rule_field("none", "C", "1.10")
    wild_gate: int = rule_field(0, "C", "v3.10", highest=7, usual=(0, 4, 5))
    wild_on_canasta: Literal["to_max", "never", "free"] = rule_field("to_max", "C", "1.10")
    wild_reclaim: Literal["none", "natural_canasta"] = rule_field("none", "C", "1.10")
    meld_max: int | None = rule_field(None, "C", "1.10", lowest=3, usual=(7, 8, 9, 10))
    same_rank_melds: Literal["one", "many", "after_close"] = rule_field("one", "C", "v3.1")
    no_wild_ranks: frozenset[Rank] = rule_field(frozenset(), "C", "v3.10")
    open_wild_ranks: frozenset[Rank] = rule_field(frozenset(), "C", "v3.10")
    dead_ranks: bool = rule_field(False, "C", "v3.10")
    seq_rule: Literal["none", "closed", "grows_going_out"] = rule_field("none", "C", "v3.1")
    wild_lock: Literal["none", "twos", "all"] = rule_field("none", "C", "v3.10")
    black3_meld: Literal["go_out", "never"] = rule_field("go_out", "C", "1.8")
    # the initial meld
    open_by: Literal["score", "round"] = rule_field("score", "D", "v3.11")
    open_table: tuple[tuple[int | None, int], ...] = points_field(
        ((None, 15), (0, 50), (1500, 90), (3000, 120)), "D", "1.11", highest=1000
    )
    open_shape: Literal["any", "clean3", "clean3_or_wild", "naturals", "br_ladder"] = rule_field("any", "D", "v3.10")
    open_waiver: frozenset[Literal["concealed", "first_canasta_top", "splash"]] = rule_field(
        frozenset({"concealed"}), "D", "1.11"
    )
    open_pile: Literal["yes", "no", "hand_first"] = rule_field("yes", "D", "1.11")
    open_count_top: bool = rule_field(True, "D", "1.11")
    talon: tuple[int, ...] = rule_field((), "D", "v3.10", highest=20, least=0, most=6)
    talon_with_pile: bool = rule_field(False, "D", "v3.13")
    talon_stock: int = rule_field(9, "D", "v3.10", highest=100, usual=(5, 9, 12))
    # the discard pile
    pile_frozen: Literal["by_card", "always"] = rule_field("by_card", "E", "1.13")
    frozen_unopened: bool = rule_field(True, "E", "1.13")
    frozen_untaken: bool = rule_field(False, "E", "1.13")
    freeze_discards: frozenset[CardClass] = rule_field(frozenset({"W"}), "E", "1.13")
    top_blocks: frozenset[TopCard] = rule_field(
        frozenset({"W", "B3"}), "E", "1.12", settled=frozenset({"W", "R3", "B3"})
    )
    take_frozen: Literal["pair", "triple", "triple_if_wild"] = rule_field("pair", "E", "v3.6")
    take_open: frozenset[Literal["pair", "card+wild", "add", "add_seq"]] = rule_field(
        frozenset({"pair", "card+wild", "add"}), "E", "1.12"
    )
    take_add_canasta: bool = rule_field(True, "E", "1.12")
    take_pair_canasta: bool = rule_field(True, "E", "1.12")
    take_twos: bool = rule_field(False, "E", "1.12")
    meld_after_take: bool = rule_field(True, "E", "1.12")
    one_card_guard: bool = rule_field(True, "E", "1.12")
    one_card_guard_stock_out: bool = rule_field(True, "E", "1.12")
    black3_in_pile: Literal["hand", "set_aside"] = rule_field("hand", "E", "v3.5")
    # threes
    red3_role: Literal["bonus", "penalty"] = rule_field("bonus", "F", "v3.11")
    black3_role: Literal["stopper", "bonus", "penalty"] = rule_field("stopper", "F", "v3.9")
    red3_timing: Literal["immediate", "first_turn"] = rule_field("immediate", "F", "1.7")
    red3_values: tuple[int, ...] = points_field((100, 200, 300, 800), "F", "1.17", lowest=-MOST_POINTS, most=24)
    red3_sign: Literal[
        "opened", "canastas>=1", "canastas>=2", "canastas>=3", "canastas>=4", "swing", "sevens", "always"
    ] = rule_field("opened", "F", "1.17")
    red3_in_hand: int = points_field(-500, "F", "v3.11", lowest=-MOST_POINTS, usual=(-500, -300, -200, -100, -5, 0))
    black3_values: tuple[int, ...] = points_field((), "F", "v3.9", lowest=-MOST_POINTS, least=0, most=24)
    black3_in_hand: int = points_field(-5, "F", "v3.2", lowest=-MOST_POINTS, usual=(-300, -100, -50, -5, 0))
    # canastas, and what else counts
    canasta_size: int = rule_field(7, "G", "1.14", lowest=4, usual=(5, 6, 7, 8))
    bonus_natural: int = points_field(500, "G", "1.14", usual=(300, 400, 500, 600, 700, 1000))
    bonus_mixed: int = points_field(300, "G", "1.14", usual=(100, 200, 300, 400, 500))
    bonus_seq: int = points_field(0, "G", "v3.1", usual=(0, 1000, 1500, 2000))
    bonus_wild: tuple[tuple[WildCanasta, int], ...] = points_field((), "G", "v3.8", least=0)
    bonus_wild_out_only: bool = rule_field(False, "G", "v3.6")
    bonus_rank: tuple[tuple[SpecialCanasta, int], ...] = points_field((), "G", "v3.10", least=0, most=33)
    incomplete_penalty: tuple[tuple[Unfinished, int], ...] = points_field(
        (), "G", "v3.10", lowest=-MOST_POINTS, highest=0, least=0
    )
    hand_penalty: tuple[tuple[Unlucky, int], ...] = points_field(
        (), "G", "v3.10", lowest=-MOST_POINTS, highest=0, least=0
    )
    collection_bonus: tuple[tuple[Collection, int], ...] = points_field((), "G", "v3.6", least=0)
    card_points: Literal["net", "swing"] = rule_field("net", "G", "v3.10")
    count_card_values_in_canasta: bool = rule_field(True, "G", "1.14")
    bonus_black_threes: int = points_field(0, "G", "1.8", usual=(0, 100, 200, 500))
    penalties: Literal["off", "laws", "singkep", "italian-club"] = rule_field("off", "G", "1.22")
    # going out
    out_canastas: int = rule_field(1, "H", "1.15", usual=(0, 1, 2, 3, 4, 5))
    out_need: tuple[tuple[Needed, int], ...] = rule_field((), "H", "v3.6", highest=10, least=0)
    out_canastas_before: bool = rule_field(False, "H", "1.15")
    out_excludes: frozenset[Literal["natural", "mixed", "wild", "seq"]] = rule_field(frozenset(), "H", "v3.6")
    out_bonus: int = points_field(100, "H", "1.15", usual=(0, 100, 200, 300, 500))
    concealed_extra: int = points_field(100, "H", "1.16", usual=(0, 100, 200, 500, 1000))
    concealed_test: Literal["no_prior_meld_and_own_canasta", "no_prior_meld", "all_melded_no_discard"] = rule_field(
        "no_prior_meld_and_own_canasta", "H", "1.16"
    )
    out_discard: Literal["optional", "mandatory", "forbidden"] = rule_field("optional", "H", "1.15")
    out_announce: bool = rule_field(False, "H", "1.15")
    out_clean: bool = rule_field(False, "H", "v3.10")
    out_red_threes: int = rule_field(0, "H", "v3.13", highest=2, usual=(0, 1))
    ask_partner: Literal["none", "optional", "mandatory"] = rule_field("optional", "H", "1.18")
    ask_once: bool = rule_field(False, "H", "v3.10")
    yes_binds: bool = rule_field(True, "H", "1.18")
    # the foot
    foot_pickup: Literal["none", "hand_empty", "first_canasta"] = rule_field("none", "I", "v3.11")
    foot_run: bool = rule_field(False, "I", "v3.11")
    foot_partner_gate: Literal["none", "in_foot"] = rule_field("none", "I", "v3.11")
    # the end of the deal and of the game
    stock_end: Literal["pile_play", "one_more", "stop", "reshuffle"] = rule_field("pile_play", "J", "1.19")
    stock_out_force: Literal["if_top_fits_existing_meld_and_unfrozen", "never", "whenever_able"] = rule_field(
        "if_top_fits_existing_meld_and_unfrozen", "J", "1.19"
    )
    last_red3_ends: bool = rule_field(True, "J", "1.19")
    last_three: int | None = points_field(None, "J", "v3.10", lowest=-MOST_POINTS, highest=0, usual=(-5, 0))
    target: int = points_field(5000, "J", "1.21", usual=(2500, 3000, 5000, 7500, 8500, 10_000, 15_000))
    rounds: int | None = rule_field(None, "J", "1.21", lowest=1, usual=(1, 2, 4, 6, 8))
    both_reach: Literal["higher", "raise_1000"] = rule_field("higher", "J", "1.21")
    game_bonus: int = points_field(0, "J", "1.21", usual=(0, 500, 1000))
    special_hands: frozenset[SpecialHand] = rule_field(frozenset(), "J", "v3.10")
    special_values: tuple[tuple[SpecialHand, int], ...] = points_field((), "J", "v3.10", least=0)
    auto_win: Literal["none", "7_canastas"] = rule_field("none", "J", "v2")
    # themes
    theme: tuple[Theme, ...] = ()

    # computed once from the parameters
    sides: int = field(init=False, compare=False, repr=False)
    """The number of scores: one per side, but in cut-throat one per player."""
    playing: int = field(init=False, compare=False, repr=False)
    """The number of seats that play in each deal, without those that rest."""
    cut_throat: bool = field(init=False, compare=False, repr=False)
    """Whether the deal itself decides who plays alone against the others (`docs/law/classic.md 2.2`)."""
    asks: bool = field(init=False, compare=False, repr=False)
    """Whether a seat may ask its partner for permission to go out; never if going out is announced."""
    laid_out: frozenset[Kind] = field(init=False, compare=False, repr=False)
    """The threes that are laid out and replaced when they appear."""
    never_gathered: frozenset[Kind] = field(init=False, compare=False, repr=False)
    """The threes that do not come to the hand with a pile."""
    opening_matters: bool = field(init=False, compare=False, repr=False)
    """Whether the turn in which a side opens allows other melds than later turns."""
    runs_grow: bool = field(init=False, compare=False, repr=False)
    """Whether a finished run takes more cards when its side goes out."""
    limits_discards: bool = field(init=False, compare=False, repr=False)
    """Whether some cards may not be discarded in some situations (`bot.engine.law.discard_bans`)."""
    wins_at_once: bool = field(init=False, compare=False, repr=False)
    """Whether canastas can win the game before a deal is over."""
    needs_word: bool = field(init=False, compare=False, repr=False)
    """Whether a seat must announce going out, or have its partner's yes."""
    keeps_three: bool = field(init=False, compare=False, repr=False)
    """Whether a side that has not opened may keep a three in a hand for a special hand.

    Source: `docs/law/variants.md 3.10`.
    """
    counts_red_threes: bool = field(init=False, compare=False, repr=False)
    """Whether red threes may stay in a hand, and so count with it."""
    card_values: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """Points of one card of each kind, indexed by kind; zero for a red three (`docs/law/classic.md 1.1`)."""
    held_values: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """The cost in points of one card of each kind left in a hand at the end of a deal."""

    digest: int = field(init=False, compare=False, repr=False)
    """The hash of the parameters, computed once, because rule sets are the keys of many caches."""

    def __hash__(self) -> int:
        return self.digest

    def __post_init__(self) -> None:
        sides = number_of_scores(self.teams, self.players)
        asks = self.ask_partner != "none" and sides < self.players and not self.out_announce
        roles = ((RED_THREE, self.red3_role), (BLACK_THREE, self.black3_role))
        laid_out = frozenset(kind for kind, role in roles if role == "bonus")
        follows: dict[str, object] = {
            "sides": sides,
            "playing": len(seating_of(self.teams, self.players, 1).seats),
            "cut_throat": self.teams == CUT_THROAT,
            "asks": asks,
            "needs_word": _must_ask_or_announce(self),
            "runs_grow": self.seq_rule == "grows_going_out",
            "limits_discards": bool(self.discard_bans) or self._has_condition("no_discard", "freeze_once"),
            "wins_at_once": self.auto_win != "none" or self._has_condition("wins_with"),
            "opening_matters": bool(self.wild_gate or self.open_wild_ranks) or self.open_shape != "any",
            "keeps_three": "straight" in self.special_hands,
            "counts_red_threes": self._counts_red_threes(),
            "card_values": _card_values(self.ace_value),
            "held_values": self._held_values(),
            "laid_out": laid_out,
            "never_gathered": laid_out | {BLACK_THREE} if self.black3_in_pile == "set_aside" else laid_out,
        }
        follows["digest"] = hash(tuple([getattr(self, one.name) for one in fields(self) if one.init]))
        for name, value in follows.items():
            object.__setattr__(self, name, value)

    def _has_condition(self, *whats: str) -> bool:
        """Return whether a theme of these rules has a condition of one of the given sorts."""
        return any(one.what in whats for theme in self.theme for turn in theme.turns for one in turn)

    def _counts_red_threes(self) -> bool:
        """Return whether red threes may stay in a hand."""
        return self.red3_role == "penalty" or "straight" in self.special_hands or self.last_three is not None

    def _held_values(self) -> tuple[int, ...]:
        """Return the cost of one card of each kind in a hand.

        Red threes that wait for a seat's first turn cost nothing if that turn never comes (`docs/law/classic.md 1.7`).
        """
        values = list(_card_values(self.ace_value))
        values[BLACK_THREE] = -self.black3_in_hand
        values[RED_THREE] = 0 if self.red3_timing == "first_turn" else -self.red3_in_hand
        return tuple(values)

    def side_of(self, seat: int) -> int:
        """Return the index of the score that counts for a seat, and for all seats that share it.

        The seat's partners in a deal depend on the deal's seating.
        """
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """Return the seats that share a score, those that rest in a deal included."""
        return tuple(range(side, self.players, self.sides))

    @property
    def pack_size(self) -> int:
        """The number of cards in the whole pack."""
        return self.decks * (52 + self.jokers_per_deck)

    @property
    def canastas_needed(self) -> int:
        """The number of canastas, of any sort, needed for going out."""
        return max(self.out_canastas, sum([count for _, count in self.out_need]))

    @property
    def red_threes_needed(self) -> int:
        """The number of red threes that a side must have laid out to go out."""
        return self.out_red_threes * max(1, self.out_canastas)

    def initial_meld_minimum(self, score: int, deal: int = 1) -> int:
        """Return the points that a side's initial meld needs, by its score before the deal.

        With `open_by=round` the number of the deal decides instead (`docs/law/variants.md 3.11`). If a canasta is
        demanded (`initial_meld_canasta`), the canasta and the other melds together must count that much. Source:
        `docs/law/classic.md 1.11`.
        """
        rung = self._initial_canasta_row(score)
        if rung is not None:
            return rung[1]
        minimum = 0
        key = score if self.open_by == "score" else deal
        for start, required in self.open_table:
            if start is None or key >= start:
                minimum = required
        return minimum

    def initial_meld_canasta(self, score: int) -> InitialCanasta:
        """Return the canasta that a side's initial meld has to hold, by its score.

        Source: `docs/law/variants.md 3.3`.
        """
        rung = self._initial_canasta_row(score)
        return "none" if rung is None else rung[2]

    def _initial_canasta_row(self, score: int) -> tuple[int, int, InitialCanasta] | None:
        """Return the row of `br_ladder` that holds for that score of a side, or None.

        A row has the score from which it holds, the minimum, and the canasta that the initial meld needs.
        """
        if self.open_shape != "br_ladder":
            return None
        return next((rung for rung in _LADDER if score >= rung[0]), None)


_LADDER: Final[tuple[tuple[int, int, InitialCanasta], ...]] = (
    (9000, 0, "natural_canasta"),
    (8000, 200, "canasta"),
    (7000, 0, "canasta"),
)
"""The rows of `br_ladder`: from which score, total points, required canasta.

Source: `docs/law/variants.md 3.3`.
"""


def _must_ask_or_announce(rules: RuleSet) -> bool:
    """Return whether going out must be announced, or a partner asked. Players without partners never ask."""
    partners = number_of_scores(rules.teams, rules.players) < rules.players
    return rules.out_announce or (rules.ask_partner == "mandatory" and partners)


def _card_values(ace_value: int) -> tuple[int, ...]:
    """Return the points of one card of each kind on the table."""
    values = [0] * (RED_THREE + 1)
    for kind in range(FOUR, SEVEN + 1):
        values[kind] = 5
    for kind in range(EIGHT, KING + 1):
        values[kind] = 10
    values[ACE] = ace_value
    values[BLACK_THREE] = 5
    values[TWO] = 20
    values[JOKER] = 50
    return tuple(values)


def card_class(kind: Kind) -> CardClass | None:
    """Return the word that parameters use for a kind, such as ``W`` for wild; None for four to ace."""
    if kind <= ACE:
        return None
    if kind == BLACK_THREE:
        return "B3"
    return "W" if kind in (TWO, JOKER) else "R3"
