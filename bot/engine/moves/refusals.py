"""Refusals: the reasons why actions are not allowed, as codes with numbers.

The engine uses codes; `bot.i18n` has the texts, one entry per code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from bot.engine.cards.cards import JOKER, RANK_LETTERS, RED_THREE, Kind

if TYPE_CHECKING:
    from bot.engine.moves.actions import Action
    from bot.engine.rules.irregularities import Penalty

Detail: TypeAlias = Mapping[str, int | str]
"""The numbers of one refusal: counts, points, seats and kinds by name."""


class Code(StrEnum):
    """Every reason to refuse an action: its stored name, which is the value, and its paragraph.

    Paragraphs are those of `docs/law/classic.md`; after a v, sections of `docs/law/variants.md`. The comments say when
    the reason applies, and name the values in the refusal's detail.
    """

    _value_: str
    paragraph: str

    def __new__(cls, name: str, paragraph: str) -> Self:
        code = str.__new__(cls, name)
        code._value_ = name
        code.paragraph = paragraph
        return code

    NO_DEAL = "no_deal", "1.9"  # no deal is being played
    DEAL_RUNNING = "deal_running", "1.3"  # a deal is being played already; values: "deal"
    GAME_OVER = "game_over", "1.21"
    WRONG_PACK = "wrong_pack", "1.1"  # the order offered is not this game's pack; values: "cards", "required"
    NOT_YOUR_TURN = "not_your_turn", "1.5"  # another seat must act, unless an answer is owed; values: "turn"
    RESTING = "resting", "2.3"  # the seat does not play in this deal; values: "deal"
    WAITING_FOR_ANSWER = "waiting_for_answer", "1.18"  # a yes or no is owed; values: "partner" (the seat that owes it)
    NO_QUESTION = "no_question", "1.18"  # no question was asked
    DRAW_FIRST = "draw_first", "1.9"
    ALREADY_DREW = "already_drew", "1.9"
    STOCK_EMPTY = "stock_empty", "1.19"  # values: "must" (whether the pile has to be taken)
    STOCK_NOT_EMPTY = "stock_not_empty", "1.19"  # passing needs an empty stock; values: "stock"
    MUST_TAKE = "must_take", "1.19"  # the stock is empty, and the pile must be taken; values: "kind", "unfitting"
    CARD_NOT_HELD = "card_not_held", "1.9"  # values: "kind" or "card", "held", "needed"
    NO_CARDS = "no_cards", "1.10"  # the move names no card
    PILE_EMPTY = "pile_empty", "1.12"
    PILE_BLOCKED = "pile_blocked", "1.12"  # a wild card or a three on top; values: "kind"
    PILE_BLOCKED_SEVEN = "pile_blocked_seven", "v3.13"  # a seven on top blocks the pile in these rules; values: "kind"
    PILE_FROZEN = "pile_frozen", "1.13"  # frozen for all seats, so a natural pair is needed; values: "kind"
    # frozen until the side opens: needs a natural pair; values: "kind"
    PILE_FROZEN_UNOPENED = "pile_frozen_unopened", "1.13"
    # frozen until the seat's first take: needs a pair; values: "kind"
    PILE_FROZEN_UNTAKEN = "pile_frozen_untaken", "1.13"
    PILE_CLOSED_UNOPENED = "pile_closed_unopened", "1.11"  # the side must open from the hand first; values: "required"
    # the seat melded before drawing and must take it; values: "kind"
    TAKE_AFTER_OPENING = "take_after_opening", "v3.10"
    # too few cards are held to claim the pile; values: "kind", "held", "required"
    TAKE_KEEP_CARDS = "take_keep_cards", "v3.10"
    TAKE_KEEP_CARDS_LEFT = "take_keep_cards_left", "v3.10"  # too few cards would be left; values: "left", "required"
    TAKE_NO_ROOM = "take_no_room", "v3.10"  # the meld would be too large or is closed; values: "kind", "allowed"
    # the points count without the claim; values: "count", "required", "kind"
    OPENING_NOT_FROM_HAND = "opening_not_from_hand", "v3.10"
    # the cards do not claim the top; values: "kind", "naturals", "wilds", "adds"
    TAKE_NEEDS_CARDS = "take_needs_cards", "1.12"
    # wild cards do not claim it; values: "kind", "naturals", "wilds", "adds"
    TAKE_NEEDS_PAIR = "take_needs_pair", "1.12"
    # only three naturals claim it; values: "kind", "naturals", "wilds", "wild"
    TAKE_NEEDS_TRIPLE = "take_needs_triple", "v3.6"
    TAKE_OTHER_RANK = "take_other_rank", "1.12"  # cards of another rank do not claim the top; values: "kind", "second"
    TAKE_NOT_WITH_RUN = "take_not_with_run", "v3.1"  # cards of the top's suit do not claim it; values: "kind", "adds"
    # only two twos of its colour claim it; values: "colour", "held", "required"
    TAKE_NEEDS_TWOS = "take_needs_twos", "1.12"
    TAKE_TWO_ALONE = "take_two_alone", "1.12"  # the pile is only a two, which cannot be taken
    TAKE_NO_MELD = "take_no_meld", "1.12"  # no meld of that rank to add the top card to; values: "kind"
    TAKE_NO_MELD_OR_RUN = "take_no_meld_or_run", "v3.1"  # no meld or run takes the top card; values: "kind"
    TAKE_ONTO_CANASTA = "take_onto_canasta", "1.12"  # a finished canasta may not take the top card; values: "kind"
    ONE_CARD_ONE_CARD = "one_card_one_card", "1.12"  # a single card in hand may not take a pile of a single card
    MELD_MIXED_RANKS = "meld_mixed_ranks", "1.10"  # more than one rank in a meld; values: "first", "second"
    MELD_NO_RANK = "meld_no_rank", "1.10"  # only wild cards, and no meld named to add them to
    MELD_TOO_SMALL = "meld_too_small", "1.10"  # values: "count", "required"
    MELD_TOO_FEW_NATURALS = "meld_too_few_naturals", "1.10"  # values: "naturals", "required", "few", "count", "least"
    # too many for the naturals; values: "wilds", "allowed", "ratio"
    MELD_TOO_MANY_WILDS = "meld_too_many_wilds", "1.10"
    MELD_TOO_LARGE = "meld_too_large", "1.10"  # values: "count", "allowed"
    # a canasta of naturals takes no wild card; values: "naturals"
    WILD_WOULD_COME_BACK = "wild_would_come_back", "1.10"
    RECLAIM_OFF = "reclaim_off", "1.10"  # in these rules wild cards stay in their melds
    # too few naturals to free wilds; values: "wilds", "naturals", "required"
    RECLAIM_TOO_EARLY = "reclaim_too_early", "1.10"
    RECLAIM_GOING_OUT = "reclaim_going_out", "1.10"  # wild cards cannot be freed while going out
    WILD_ON_CANASTA = "wild_on_canasta", "1.10"  # a finished canasta takes no wild card; values: "size"
    MELD_WRONG_TARGET = "meld_wrong_target", "1.10"  # there is no such meld, or it has another rank; values: "number"
    MELD_NO_SECOND = "meld_no_second", "1.10"  # the side's meld of that rank must be joined; values: "kind"
    RANK_CLOSED = "rank_closed", "v3.10"  # a side has a canasta of this rank; values: "kind"
    RANK_TAKES_NO_WILDS = "rank_takes_no_wilds", "v3.10"  # melds of the rank take no more wild cards; values: "kind"
    WILD_TOO_EARLY = "wild_too_early", "v3.10"  # the meld needs more naturals first; values: "naturals", "required"
    WILDS_LOCKED = "wilds_locked", "v3.10"  # an unfinished meld of wilds or twos needs them; values: "required", "twos"
    RUNS_OFF = "runs_off", "1.10"  # these rules have no runs
    RUN_RANKS = "run_ranks", "v3.1"  # ranks must follow one another from four to ace; values: "low", "high"
    RUN_SIZE = "run_size", "v3.1"  # values: "count", "least", "most"
    RUN_FULL = "run_full", "v3.1"  # a finished run takes no more cards; values: "size", "low", "high"
    RUN_GROWS_ONLY_OUT = "run_grows_only_out", "v3.3"  # a finished run grows only when going out; values: "left"
    RUN_NOT_AT_END = "run_not_at_end", "v3.1"  # the card fits neither end of the run; values: "low", "high"
    RUN_SUITS = "run_suits", "v3.1"  # the cards are of more than one suit
    RUN_WITHOUT_WILDS = "run_without_wilds", "v3.1"  # runs take no wild cards; values: "wilds"
    RUN_GAP = "run_gap", "v3.1"  # a rank is missing between the ends, or is there twice; values: "low", "high"
    CANNOT_COMBINE = "cannot_combine", "v3.1"  # the side has no two melds that may be combined
    MELD_AFTER_TAKE = "meld_after_take", "1.12"  # the pile was taken, so nothing more may be melded in this turn
    MELD_RED_THREE = "meld_red_three", "1.7"
    # such a three stays in the hand and costs points; values: "points"
    MELD_RED_THREE_HELD = "meld_red_three_held", "v3.11"
    # values: "left" (cards that would be left), "many" (whether several)
    BLACK_THREES_ONLY_OUT = "black_threes_only_out", "1.8"
    BLACK_THREES_NEVER = "black_threes_never", "1.8"  # black threes are never melded in these rules
    # the meld needs three or four and no wild card; values: "count", "wilds", "lie"
    BLACK_THREES_COUNT = "black_threes_count", "1.8"
    INITIAL_MELD_TOO_LOW = "initial_meld_too_low", "1.11"  # values: "count", "required"
    INITIAL_MELD_UNREACHABLE = "initial_meld_unreachable", "1.11"  # values: "count", "required", "best"
    OPENING_NEEDS_CLEAN = "opening_needs_clean", "v3.10"  # it needs three naturals of a rank; values: "required"
    # or else a meld of wild cards; values: "required"
    OPENING_NEEDS_CLEAN_OR_WILD = "opening_needs_clean_or_wild", "v3.10"
    OPENING_NEEDS_CANASTA = "opening_needs_canasta", "v3.3"  # values: "count", "required"
    # points of all melds count; values: "count", "required"
    OPENING_NEEDS_CANASTA_AND_POINTS = "opening_needs_canasta_and_points", "v3.3"
    # a mixed one will not do; values: "count", "required"
    OPENING_NEEDS_NATURAL_CANASTA = "opening_needs_natural_canasta", "v3.3"
    # the initial meld must be of naturals only; values: "wilds"
    OPENING_WITHOUT_WILDS = "opening_without_wilds", "v3.6"
    OPENING_MIXED_CANASTA = "opening_mixed_canasta", "v3.10"  # an initial meld has no mixed canasta; values: "size"
    DISCARD_JOKER = "discard_joker", "v2"  # jokers are not discarded; values: "others" (cards that may be)
    DISCARD_THREE = "discard_three", "v3.10"  # threes are not discarded; values: "others"
    DISCARD_WILD = "discard_wild", "v3.10"  # only the last card, or to go out; values: "others" (other cards held)
    # not a seven, wild card, ace or closed rank; values: "others"
    DISCARD_ON_EMPTY_PILE = "discard_on_empty_pile", "v3.10"
    # a side lacks a canasta of sevens; values: "canastas" (sides with one), "required"
    DISCARD_SEVEN = "discard_seven", "v3.12"
    DISCARD_LAST_SEVEN = "discard_last_seven", "v3.12"  # a seven may not be the card that goes out; values: "others"
    # the stock ended with a red three: meld or pass instead
    DISCARD_AFTER_LAST_THREE = "discard_after_last_three", "1.19"
    DISCARD_BLACK_THREE = "discard_black_three", "v3.5"  # not in the first round of turns; values: "turns", "required"
    # too few to go out; values: "canastas", "required", "left", "missing" (kinds)
    NEEDS_CANASTA = "needs_canasta", "1.15"
    # values: "canastas", "required", "canasta" (the sort that counts), "left"
    NEEDS_COUNTING_CANASTA = "needs_counting_canasta", "v3.6"
    # too few of one kind; values: "canasta", "held", "required", "left"
    NEEDS_CANASTA_KIND = "needs_canasta_kind", "1.15"
    # they were missing when the turn began; values: "required", "left"
    CANASTAS_NOT_BEFORE = "canastas_not_before", "1.15"
    FOOT_WAITS = "foot_waits", "v3.11"  # the foot must be picked up first; values: "cards"
    OUT_RED_THREES = "out_red_threes", "v3.13"  # going out needs more red threes; values: "held", "required"
    # the partner must pick up a foot first; values: "partner", "cards"
    PARTNER_FOOT_WAITS = "partner_foot_waits", "v3.11"
    OUT_WITHOUT_DISCARD = "out_without_discard", "1.15"  # going out needs every card melded; values: "left"
    OUT_NEEDS_DISCARD = "out_needs_discard", "1.15"  # going out needs a last card to discard; values: "left"
    OUT_LAST_CARD = "out_last_card", "v3.12"  # the card left over may not be discarded last; values: "left"
    OUT_UNFINISHED = "out_unfinished", "v3.10"  # a special meld is unfinished; values: "melds", "count", "required"
    OUT_NOT_ANNOUNCED = "out_not_announced", "1.15"  # the seat must announce going out before it melds; values: "left"
    OUT_NOT_ASKED = "out_not_asked", "1.18"  # the seat must ask its partner before it melds; values: "left"
    OUT_CARDS_STAY = "out_cards_stay", "1.15"  # the seat cannot go out with these cards; values: "cards"
    OUT_ANNOUNCED = "out_announced", "1.15"  # the seat announced going out, which this move would prevent
    PARTNER_SAID_NO = "partner_said_no", "1.18"  # the seat may not go out in this turn; values: "left"
    PARTNER_SAID_YES = "partner_said_yes", "1.18"  # the seat must go out, which this move would prevent
    ASK_OFF = "ask_off", "1.18"  # partners are not asked at this table
    ASKED_BEFORE = "asked_before", "v3.10"  # the seat has already asked in this deal, and may ask once
    ASKED_IN_TURN = "asked_in_turn", "1.18"  # the seat has already asked in this turn
    ASK_TOO_LATE = "ask_too_late", "1.18"  # the seat has already melded in this turn
    # too few canastas even after the turn; values: "canastas", "required"
    ASK_CANNOT_GO_OUT = "ask_cannot_go_out", "1.18"
    ANNOUNCE_TOO_LATE = "announce_too_late", "1.15"  # the seat has already announced going out
    ANNOUNCE_CANNOT_GO_OUT = "announce_cannot_go_out", "1.15"  # too few canastas; values: "canastas", "required"
    ANNOUNCE_OFF = "announce_off", "1.15"  # going out is not announced in these rules
    NO_SPECIAL_HANDS = "no_special_hands", "v3.10"  # these rules have no special hands
    SHOW_TOO_LATE = "show_too_late", "v3.10"  # the side has opened, cards are laid, or the pile was taken
    SHOW_CARDS = "show_cards", "v3.10"  # a special hand has another number of cards; values: "cards", "required"
    SHOW_NO_HAND = "show_no_hand", "v3.10"  # the hand is no special hand, or not the one named; values: "hands"
    THEME_NO_MELD = "theme_no_meld", "themes"  # a theme forbids to meld this rank; values: "theme", "kind"
    THEME_NOT_IN_OPENING = "theme_not_in_opening", "themes"  # a theme bans the rank there; values: "theme", "kind"
    # the initial meld must have one of these ranks; values: "theme", "ranks"
    THEME_OPENING_NEEDS = "theme_opening_needs", "themes"
    THEME_NO_DISCARD = "theme_no_discard", "themes"  # only if every card is banned; values: "theme", "kind", "others"
    # it may freeze only once in a deal; values: "theme", "kind", "others"
    THEME_FROZEN_ONCE = "theme_frozen_once", "themes"
    THEME_NO_CANASTA = "theme_no_canasta", "themes"  # a theme allows no canasta of this rank; values: "theme", "ranks"
    THEME_CANASTA_FIRST = "theme_canasta_first", "themes"  # other canastas come first; values: "theme", "ranks", "size"
    THEME_NO_PILE = "theme_no_pile", "themes"  # the pile is closed until an event; values: "theme", "until", "number"
    THEME_NO_OUT = "theme_no_out", "themes"  # no one goes out until an event; values: "theme", "until", "number"
    THEME_OUT_NEEDS = "theme_out_needs", "themes"  # values: "theme", "canasta", "ranks", "held", "required"
    MELD_AS_FAR_AS_POSSIBLE = "meld_as_far_as_possible", "1.22"  # a seat that failed to go out must meld all it can
    # a penalty card must be discarded first; values: "exposed" (cards)
    PENALTY_CARDS_FIRST = "penalty_cards_first", "1.22"
    KEEP_OFF = "keep_off", "v3.10"  # in these rules no three is kept
    KEEP_TOO_LATE = "keep_too_late", "v3.10"  # the side has opened, or the seat has not laid out what it was dealt
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back", "1.9"
    NOT_A_PLAYER = "not_a_player", "1.2"  # values: "seat", "players"


class Refusal(Exception):
    """An action that the rules do not allow; nothing has changed.

    `code` is the reason, `detail` its values. `legal` lists the seat's legal steps, computed when first read; it is
    empty if another seat must act. `penalty` is the cost of attempting the action, if this table penalises such
    irregularities.
    """

    def __init__(
        self, code: Code, detail: Detail | None = None, list_legal: Callable[[], tuple[Action, ...]] = tuple
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail: Detail = detail or {}
        self.list_legal = list_legal
        self.penalty: Penalty | None = None

    @property
    def legal(self) -> tuple[Action, ...]:
        return self.list_legal()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and (self.code, dict(self.detail)) == (other.code, dict(other.detail))

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"Refusal({self.code.value}, {dict(self.detail)})"


def raise_if_refused(refusal: Refusal | None) -> None:
    """Raise the refusal, if there is one."""
    if refusal is not None:
        raise refusal


def kind_name(kind: Kind) -> str:
    """Return the stored name of a kind in a refusal's detail: its letter, ``JK`` or ``R3``.

    Those are jokers and red threes.
    """
    return _NAMES.get(kind) or RANK_LETTERS[kind]


_NAMES: Final = {JOKER: "JK", RED_THREE: "R3"}
