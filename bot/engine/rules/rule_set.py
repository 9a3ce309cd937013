"""Rule sets: one frozen record of parameters, named as in `docs/law/variants.md A.1`.

A rule set is resolved for a number of players; what a table plays is this record and nothing else. Fields at its end
follow from the others and are worked out once.

Decides `docs/law/classic.md 1.1, 1.11` and `docs/law/variants.md 3.3, 3.11`: card values, and the minimum of an initial
meld.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final, Literal, TypeAlias

from bot.engine.cards.cards import ACE, BLACK_THREE, EIGHT, FOUR, JOKER, KING, RED_THREE, SEVEN, TWO, Kind
from bot.engine.rules.seating import CUT_THROAT, Teams, scores_of, seating_of
from bot.engine.rules.themes.conditions import Theme

RULES_VERSION: Final = 1
"""The version of the parameters' meanings, which rises when one changes.

It is stored with every table; the store translates older ones.
"""

CardClass = Literal["W", "R3", "B3"]
"""Wild cards, red threes, black threes."""

TopCard = Literal["W", "R3", "B3", "7"]
"""The cards that may block the pile; sevens do in one game (`docs/law/variants.md 3.13`)."""


SpecialHand = Literal[
    "pairs",
    "wild_pairs",
    "miami_pairs",
    "zip_code",
    "straight",
    "garbage",
    "blast_off",
    "triples",
    "quads",
    "dream_4",
    "dream_5",
]
"""The special hands, fourteen cards each (`docs/law/variants.md 3.10`)."""

WildCanasta = Literal["any", "7_twos", "7_jokers", "4_jokers", "4_jokers_3_twos", "twos_and_jokers"]
"""The descriptions of what a wild canasta is made of."""

Rank = Literal["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
"""The ranks of naturals, by their letters."""

SpecialCanasta = Literal[
    "4",
    "4_natural",
    "4_mixed",
    "5",
    "5_natural",
    "5_mixed",
    "6",
    "6_natural",
    "6_mixed",
    "7",
    "7_natural",
    "7_mixed",
    "8",
    "8_natural",
    "8_mixed",
    "9",
    "9_natural",
    "9_mixed",
    "T",
    "T_natural",
    "T_mixed",
    "J",
    "J_natural",
    "J_mixed",
    "Q",
    "Q_natural",
    "Q_mixed",
    "K",
    "K_natural",
    "K_mixed",
    "A",
    "A_natural",
    "A_mixed",
]
"""The canastas of ranks that count otherwise; where a word names no kind, natural or mixed ones are meant."""

Unfinished = Literal["7", "A", "wild", "wild_4_jokers", "seq"]
"""The melds that cost points unless they are canastas; of sevens and aces, melds without a wild card."""

Unlucky = Literal["3_aces", "3_sevens", "4_black_threes"]
"""The cards that cost points beside their values where a hand still holds so many."""

Collection = Literal["5_natural", "4_natural_1_mixed", "7_any", "10_any"]
"""Collections of canastas."""

InitialCanasta = Literal["none", "canasta", "natural_canasta"]
"""The canasta that an initial meld has to hold: none, any, or one that is not mixed."""

Needed = Literal["natural", "mixed", "wild", "seq", "7"]
"""The kinds of canastas that going out may need."""


ByDeal: TypeAlias = int | tuple[int, ...]
"""One number for every deal, or one for each deal; after the last, that number goes on."""


def in_deal(numbers: ByDeal, deal: int) -> int:
    """The number that holds in that deal of a game; the first deal is 1."""
    return numbers if isinstance(numbers, int) else numbers[min(deal, len(numbers)) - 1]


def of_all_deals(numbers: ByDeal) -> tuple[int, ...]:
    """Every number that holds in some deal."""
    return (numbers,) if isinstance(numbers, int) else numbers


@dataclass(frozen=True, kw_only=True, slots=True)
class RuleSet:
    """Every decision of the rules as data.

    `open_table` holds rows ``(from score, minimum)`` in ascending order; ``None`` is the row for scores below zero.
    `red3_values` holds the total for one, two, three … red threes of a side. Points throughout. `direction` and
    `announce_one_card` change nothing in the rules: seats are numbered in playing order, and everybody sees how many
    cards a hand holds.
    """

    name: str
    players: int
    teams: Teams
    # deck, seats, deal
    decks: int = 2
    jokers_per_deck: int = 2
    ace_value: int = 20
    hand_size: ByDeal = 11
    foot_size: int = 0
    upcard: bool = True
    upcard_cover: frozenset[CardClass] = frozenset({"W", "R3"})
    upcard_freezes: frozenset[CardClass] = frozenset({"W", "R3"})
    upcard_specials: Literal["keep_in_pile", "keep_first_reinsert_rest", "reinsert_all"] = "keep_in_pile"
    pile_hidden: int = 0
    pile_hidden_by_rank: bool = False
    first_player: Literal["left", "dealer", "high_card"] = "left"
    direction: Literal["cw", "ccw"] = "cw"
    # turn
    draw: ByDeal = 1
    draw_with_pile: int = 0
    pile_take: ByDeal | None = None
    discard_bans: frozenset[Literal["J", "threes", "wilds", "swad", "7_until_both", "7_last", "black3_first_round"]] = (
        frozenset()
    )
    announce_one_card: bool = False
    # melds
    meld_kinds: frozenset[Literal["set", "seq", "wild", "deuce"]] = frozenset({"set"})
    meld_min: int = 3
    min_naturals: int = 2
    max_wilds: int = 3
    wild_ratio: Literal["none", "nat>=w", "nat>w", "nat>=2w"] = "none"
    wild_gate: int = 0
    wild_on_canasta: Literal["to_max", "never", "free"] = "to_max"
    wild_reclaim: Literal["none", "natural_canasta"] = "none"
    meld_max: int | None = None
    same_rank_melds: Literal["one", "many", "after_close"] = "one"
    no_wild_ranks: frozenset[Rank] = frozenset()
    open_wild_ranks: frozenset[Rank] = frozenset()
    dead_ranks: bool = False
    seq_rule: Literal["none", "closed", "grows_going_out"] = "none"
    wild_lock: Literal["none", "twos", "all"] = "none"
    black3_meld: Literal["go_out", "never"] = "go_out"
    canasta_size: int = 7
    # initial meld
    open_by: Literal["score", "round"] = "score"
    open_table: tuple[tuple[int | None, int], ...] = ((None, 15), (0, 50), (1500, 90), (3000, 120))
    open_shape: Literal["any", "clean3", "clean3_or_wild", "naturals", "br_ladder"] = "any"
    open_waiver: frozenset[Literal["concealed", "first_canasta_top", "splash"]] = frozenset({"concealed"})
    open_pile: Literal["yes", "no", "hand_first"] = "yes"
    open_count_top: bool = True
    talon: tuple[int, ...] = ()
    talon_stock: int = 9
    talon_with_pile: bool = False
    # discard pile
    pile_frozen: Literal["by_card", "always"] = "by_card"
    frozen_unopened: bool = True
    frozen_untaken: bool = False
    freeze_discards: frozenset[CardClass] = frozenset({"W"})
    top_blocks: frozenset[TopCard] = frozenset({"W", "B3"})
    take_frozen: Literal["pair", "triple", "triple_if_wild"] = "pair"
    take_open: frozenset[Literal["pair", "card+wild", "add", "add_seq"]] = frozenset({"pair", "card+wild", "add"})
    take_add_canasta: bool = True
    take_pair_canasta: bool = True
    take_twos: bool = False
    meld_after_take: bool = True
    one_card_guard: bool = True
    one_card_guard_stock_out: bool = True
    black3_in_pile: Literal["hand", "set_aside"] = "hand"
    # threes
    red3_role: Literal["bonus", "penalty"] = "bonus"
    black3_role: Literal["stopper", "bonus", "penalty"] = "stopper"
    red3_timing: Literal["immediate", "first_turn"] = "immediate"
    red3_values: tuple[int, ...] = (100, 200, 300, 800)
    red3_sign: Literal[
        "opened", "canastas>=1", "canastas>=2", "canastas>=3", "canastas>=4", "swing", "sevens", "always"
    ] = "opened"
    red3_in_hand: int = -500
    black3_values: tuple[int, ...] = ()
    black3_in_hand: int = -5
    # bonuses
    bonus_natural: int = 500
    bonus_mixed: int = 300
    bonus_seq: int = 0
    bonus_wild: tuple[tuple[WildCanasta, int], ...] = ()
    bonus_wild_out_only: bool = False
    bonus_rank: tuple[tuple[SpecialCanasta, int], ...] = ()
    incomplete_penalty: tuple[tuple[Unfinished, int], ...] = ()
    hand_penalty: tuple[tuple[Unlucky, int], ...] = ()
    collection_bonus: tuple[tuple[Collection, int], ...] = ()
    card_points: Literal["net", "swing"] = "net"
    count_card_values_in_canasta: bool = True
    bonus_black_threes: int = 0
    # going out
    out_canastas: int = 1
    out_need: tuple[tuple[Needed, int], ...] = ()
    out_canastas_before: bool = False
    out_excludes: frozenset[Literal["natural", "mixed", "wild", "seq"]] = frozenset()
    out_bonus: int = 100
    concealed_extra: int = 100
    concealed_test: Literal["no_prior_meld_and_own_canasta", "no_prior_meld", "all_melded_no_discard"] = (
        "no_prior_meld_and_own_canasta"
    )
    out_discard: Literal["optional", "mandatory", "forbidden"] = "optional"
    out_announce: bool = False
    out_clean: bool = False
    out_red_threes: int = 0
    ask_partner: Literal["none", "optional", "mandatory"] = "optional"
    ask_once: bool = False
    yes_binds: bool = True
    # foot
    foot_pickup: Literal["none", "hand_empty", "first_canasta"] = "none"
    foot_run: bool = False
    foot_partner_gate: Literal["none", "in_foot"] = "none"
    # end of the deal
    stock_end: Literal["pile_play", "one_more", "stop", "reshuffle"] = "pile_play"
    stock_out_force: Literal["if_top_fits_existing_meld_and_unfrozen", "never", "whenever_able"] = (
        "if_top_fits_existing_meld_and_unfrozen"
    )
    last_red3_ends: bool = True
    last_three: int | None = None
    # end of the game
    target: int = 5000
    rounds: int | None = None
    both_reach: Literal["higher", "raise_1000"] = "higher"
    game_bonus: int = 0
    special_hands: frozenset[SpecialHand] = frozenset()
    special_values: tuple[tuple[SpecialHand, int], ...] = ()
    auto_win: Literal["none", "7_canastas"] = "none"
    # irregularities
    penalties: Literal["off", "laws", "singkep", "italian-club"] = "off"
    # what a table lays over it
    theme: tuple[Theme, ...] = ()

    # what follows from the parameters, worked out once
    sides: int = field(init=False, compare=False, repr=False)
    """How many scores are kept. So many sides play, but fewer in cut-throat once it is settled who plays alone."""
    playing: int = field(init=False, compare=False, repr=False)
    """How many play in each deal: all but those who rest."""
    cut_throat: bool = field(init=False, compare=False, repr=False)
    """Whether the deal itself settles who plays alone against the others (`docs/law/classic.md 2.2`)."""
    asks: bool = field(init=False, compare=False, repr=False)
    """Whether anybody may ask a partner for permission to go out; nobody does where it is announced."""
    laid_out: frozenset[Kind] = field(init=False, compare=False, repr=False)
    """The threes that are laid out and replaced wherever they turn up."""
    never_gathered: frozenset[Kind] = field(init=False, compare=False, repr=False)
    """The threes that do not come to the hand with a pile."""
    passes_on: bool = field(init=False, compare=False, repr=False)
    """Whether a discard from several cards does nothing but pass the turn on as long as the stock lasts."""
    opening_matters: bool = field(init=False, compare=False, repr=False)
    """Whether what may be laid in the turn in which a side opens differs from what may be laid later."""
    runs_grow: bool = field(init=False, compare=False, repr=False)
    """Whether a finished run takes more cards in going out."""
    limits_discards: bool = field(init=False, compare=False, repr=False)
    """Whether some cards may not be discarded at times (`bot.engine.law.discards`)."""
    wins_at_once: bool = field(init=False, compare=False, repr=False)
    """Whether canastas can win the game before a deal is over."""
    needs_word: bool = field(init=False, compare=False, repr=False)
    """Whether nobody may go out without a word before: an announcement, or the partner's yes."""
    keeps_three: bool = field(init=False, compare=False, repr=False)
    """Whether a side that has not opened may keep a three in a hand, for a special hand.

    Source: `docs/law/variants.md 3.10`.
    """
    counts_red_threes: bool = field(init=False, compare=False, repr=False)
    """Whether red threes may stay in a hand, and so are counted with it."""
    card_values: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """Points of one card of each kind; a red three has none (`docs/law/classic.md 1.1`)."""
    held_values: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """What one card of each kind costs that is still held at the end of a deal."""

    digest: int = field(init=False, compare=False, repr=False)
    """The hash of the parameters, worked out once: rule sets are the keys of what is remembered about them."""

    def __hash__(self) -> int:
        return self.digest

    def __post_init__(self) -> None:
        sides = scores_of(self.teams, self.players)
        asks = self.ask_partner != "none" and sides < self.players and not self.out_announce
        roles = ((RED_THREE, self.red3_role), (BLACK_THREE, self.black3_role))
        laid_out = frozenset(kind for kind, role in roles if role == "bonus")
        follows: dict[str, object] = {
            "sides": sides,
            "playing": len(seating_of(self.teams, self.players, 1).seats),
            "cut_throat": self.teams == CUT_THROAT,
            "asks": asks,
            "needs_word": _needs_word(self),
            "passes_on": self._passes_on(),
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
        return any(one.what in whats for theme in self.theme for turn in theme.turns for one in turn)

    def _passes_on(self) -> bool:
        asides = bool(self.talon) or "straight" in self.special_hands
        return not asides and self.red3_timing == "immediate" and self.foot_pickup != "first_canasta"

    def _counts_red_threes(self) -> bool:
        return self.red3_role == "penalty" or "straight" in self.special_hands or self.last_three is not None

    def _held_values(self) -> tuple[int, ...]:
        """What a card of each kind costs in a hand.

        Red threes that wait for a seat's first turn cost nothing if that turn never comes (`docs/law/classic.md 1.7`).
        """
        values = list(_card_values(self.ace_value))
        values[BLACK_THREE] = -self.black3_in_hand
        values[RED_THREE] = 0 if self.red3_timing == "first_turn" else -self.red3_in_hand
        return tuple(values)

    def side_of(self, seat: int) -> int:
        """The number of the score that a seat shares. With whom it plays in a deal is said by that deal's seating."""
        return seat % self.sides

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats that share a score, those that rest in a deal included."""
        return tuple(range(side, self.players, self.sides))

    @property
    def pack_size(self) -> int:
        """How many cards the whole pack has."""
        return self.decks * (52 + self.jokers_per_deck)

    def initial_meld_minimum(self, score: int, deal: int = 1) -> int:
        """The points that a side's initial meld needs, by its score before the deal (`docs/law/classic.md 1.11`).

        With `open_by=round` the number of the deal in the game decides instead (`docs/law/variants.md 3.11`). Where a
        canasta is demanded (`initial_meld_canasta`), the canasta and the other melds together have to count so much.
        """
        rung = self._rung(score)
        if rung is not None:
            return rung[1]
        minimum = 0
        key = score if self.open_by == "score" else deal
        for start, points in self.open_table:
            if start is None or key >= start:
                minimum = points
        return minimum

    def initial_meld_canasta(self, score: int) -> InitialCanasta:
        """The canasta that a side's initial meld has to hold, by its score (`docs/law/variants.md 3.3`)."""
        rung = self._rung(score)
        return "none" if rung is None else rung[2]

    def _rung(self, score: int) -> tuple[int, int, InitialCanasta] | None:
        """The row of the ladder that holds at that score; None where none does."""
        if self.open_shape != "br_ladder":
            return None
        return next((rung for rung in _LADDER if score >= rung[0]), None)


_LADDER: Final[tuple[tuple[int, int, InitialCanasta], ...]] = (
    (9000, 0, "natural_canasta"),
    (8000, 200, "canasta"),
    (7000, 0, "canasta"),
)
"""The rows of `br_ladder`: from which score, how many points in all, which canasta (`docs/law/variants.md 3.3`)."""


def _needs_word(rules: RuleSet) -> bool:
    """Whether going out has to be announced, or a partner asked; nobody asks where everybody plays alone."""
    partners = scores_of(rules.teams, rules.players) < rules.players
    return rules.out_announce or (rules.ask_partner == "mandatory" and partners)


def _card_values(ace_value: int) -> tuple[int, ...]:
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
    """The class of a kind in the parameters' words, or None for four to ace."""
    if kind <= ACE:
        return None
    if kind == BLACK_THREE:
        return "B3"
    return "W" if kind in (TWO, JOKER) else "R3"
