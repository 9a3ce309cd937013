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

    # no deal is being played
    NO_DEAL = "no_deal", "1.9"
    # a deal is being played already; values: "deal"
    DEAL_RUNNING = "deal_running", "1.3"
    # the game has a winner already
    GAME_OVER = "game_over", "1.21"
    # the cards to deal are not this game's pack; values: "cards", "required"
    WRONG_PACK = "wrong_pack", "1.1"
    # another seat must play, and no answer is awaited; values: "turn" (the seat in turn)
    NOT_YOUR_TURN = "not_your_turn", "1.5"
    # the seat does not play in this deal; values: "deal"
    RESTING = "resting", "2.3"
    # a partner must first say yes or no; values: "partner" (that seat)
    WAITING_FOR_ANSWER = "waiting_for_answer", "1.18"
    # the seat answers, but no question was asked
    NO_QUESTION = "no_question", "1.18"
    # the seat must draw or take the pile before it does this
    DRAW_FIRST = "draw_first", "1.9"
    # the seat has already drawn or taken the pile in this turn
    ALREADY_DREW = "already_drew", "1.9"
    # the stock has no card to draw; values: "must" (whether the pile has to be taken)
    STOCK_EMPTY = "stock_empty", "1.19"
    # a seat may pass only when the stock is empty; values: "stock"
    STOCK_NOT_EMPTY = "stock_not_empty", "1.19"
    # the stock is empty, so the seat must take the pile; values: "kind", "unfitting"
    MUST_TAKE = "must_take", "1.19"
    # the hand has too few of these cards; values: "kind" or "card", "held", "needed"
    CARD_NOT_HELD = "card_not_held", "1.9"
    # the move names no card
    NO_CARDS = "no_cards", "1.10"
    # the pile has no cards to take
    PILE_EMPTY = "pile_empty", "1.12"
    # the pile's top is a wild card or a three, which blocks it; values: "kind"
    PILE_BLOCKED = "pile_blocked", "1.12"
    # the pile's top is a seven, which blocks it in these rules; values: "kind"
    PILE_BLOCKED_SEVEN = "pile_blocked_seven", "v3.13"
    # the pile is frozen for all, so only naturals can take it; values: "kind"
    PILE_FROZEN = "pile_frozen", "1.13"
    # until the side opens, only naturals can take the pile; values: "kind"
    PILE_FROZEN_UNOPENED = "pile_frozen_unopened", "1.13"
    # until the seat has taken the pile once, only naturals can take it; values: "kind"
    PILE_FROZEN_UNTAKEN = "pile_frozen_untaken", "1.13"
    # the side must open from the hand first; values: "required"
    PILE_CLOSED_UNOPENED = "pile_closed_unopened", "1.11"
    # the seat melded before drawing, so it must take the pile; values: "kind"
    TAKE_AFTER_OPENING = "take_after_opening", "v3.10"
    # the hand must keep enough cards to claim the pile; values: "kind", "held", "required"
    TAKE_KEEP_CARDS = "take_keep_cards", "v3.10"
    # taking the pile would leave too few cards; values: "left", "required"
    TAKE_KEEP_CARDS_LEFT = "take_keep_cards_left", "v3.10"
    # the top's meld would be too large, or its rank is closed; values: "kind", "allowed"
    TAKE_NO_ROOM = "take_no_room", "v3.10"
    # cards that claim the pile do not count for the minimum; values: "count", "required", "kind"
    OPENING_NOT_FROM_HAND = "opening_not_from_hand", "v3.10"
    # the named cards do not claim the pile's top; values: "kind", "naturals", "wilds", "adds"
    TAKE_NEEDS_CARDS = "take_needs_cards", "1.12"
    # only a natural pair claims the pile's top; values: "kind", "naturals", "wilds", "adds"
    TAKE_NEEDS_PAIR = "take_needs_pair", "1.12"
    # only three naturals claim the pile's top; values: "kind", "naturals", "wilds", "wild"
    TAKE_NEEDS_TRIPLE = "take_needs_triple", "v3.6"
    # cards of another rank do not claim the top; values: "kind", "second"
    TAKE_OTHER_RANK = "take_other_rank", "1.12"
    # cards of the top's suit do not claim it; values: "kind", "adds"
    TAKE_NOT_WITH_RUN = "take_not_with_run", "v3.1"
    # only two twos of the top's colour take the pile; values: "colour", "held", "required"
    TAKE_NEEDS_TWOS = "take_needs_twos", "1.12"
    # the pile is only a two, which cannot be taken
    TAKE_TWO_ALONE = "take_two_alone", "1.12"
    # the side has no meld of the top's rank to add the top to; values: "kind"
    TAKE_NO_MELD = "take_no_meld", "1.12"
    # the side has no meld or run that takes the top card; values: "kind"
    TAKE_NO_MELD_OR_RUN = "take_no_meld_or_run", "v3.1"
    # a finished canasta may not take the top card; values: "kind"
    TAKE_ONTO_CANASTA = "take_onto_canasta", "1.12"
    # a seat with one card may not take a pile of one card
    ONE_CARD_ONE_CARD = "one_card_one_card", "1.12"
    # the cards of one meld have several ranks; values: "first", "second"
    MELD_MIXED_RANKS = "meld_mixed_ranks", "1.10"
    # the cards are only wild cards, and no meld is named for them
    MELD_NO_RANK = "meld_no_rank", "1.10"
    # the meld has too few cards; values: "count", "required"
    MELD_TOO_SMALL = "meld_too_small", "1.10"
    # the meld has too few naturals; values: "naturals", "required", "few", "count", "least"
    MELD_TOO_FEW_NATURALS = "meld_too_few_naturals", "1.10"
    # the meld has too many wild cards for its naturals; values: "wilds", "allowed", "ratio"
    MELD_TOO_MANY_WILDS = "meld_too_many_wilds", "1.10"
    # the meld would have too many cards; values: "count", "allowed"
    MELD_TOO_LARGE = "meld_too_large", "1.10"
    # a canasta of naturals takes no wild card, as it could be reclaimed; values: "naturals"
    WILD_WOULD_COME_BACK = "wild_would_come_back", "1.10"
    # in these rules wild cards stay in their melds
    RECLAIM_OFF = "reclaim_off", "1.10"
    # the naturals alone are not a canasta yet; values: "wilds", "naturals", "required"
    RECLAIM_TOO_EARLY = "reclaim_too_early", "1.10"
    # wild cards cannot be reclaimed while going out
    RECLAIM_GOING_OUT = "reclaim_going_out", "1.10"
    # a finished canasta takes no wild card; values: "size"
    WILD_ON_CANASTA = "wild_on_canasta", "1.10"
    # the named meld does not exist, or has another rank; values: "number"
    MELD_WRONG_TARGET = "meld_wrong_target", "1.10"
    # the cards must join the side's meld of that rank; values: "kind"
    MELD_NO_SECOND = "meld_no_second", "1.10"
    # a side has a canasta of this rank; values: "kind"
    RANK_CLOSED = "rank_closed", "v3.10"
    # melds of the rank take no more wild cards; values: "kind"
    RANK_TAKES_NO_WILDS = "rank_takes_no_wilds", "v3.10"
    # the meld needs more naturals first; values: "naturals", "required"
    WILD_TOO_EARLY = "wild_too_early", "v3.10"
    # an unfinished meld of wild cards or twos must get them first; values: "required", "twos"
    WILDS_LOCKED = "wilds_locked", "v3.10"
    # these rules have no runs
    RUNS_OFF = "runs_off", "1.10"
    # the cards of a run must be consecutive, from four to ace; values: "low", "high"
    RUN_RANKS = "run_ranks", "v3.1"
    # the run has too few or too many cards; values: "count", "least", "most"
    RUN_SIZE = "run_size", "v3.1"
    # a finished run takes no more cards; values: "size", "low", "high"
    RUN_FULL = "run_full", "v3.1"
    # a finished run grows only when going out; values: "left"
    RUN_GROWS_ONLY_OUT = "run_grows_only_out", "v3.3"
    # the card fits neither end of the run; values: "low", "high"
    RUN_NOT_AT_END = "run_not_at_end", "v3.1"
    # the cards are of more than one suit
    RUN_SUITS = "run_suits", "v3.1"
    # runs take no wild cards; values: "wilds"
    RUN_WITHOUT_WILDS = "run_without_wilds", "v3.1"
    # a rank between the ends of the run is missing or there twice; values: "low", "high"
    RUN_GAP = "run_gap", "v3.1"
    # the side has no two melds that may be merged
    CANNOT_COMBINE = "cannot_combine", "v3.1"
    # the pile was taken, so nothing more may be melded in this turn
    MELD_AFTER_TAKE = "meld_after_take", "1.12"
    # red threes are bonus cards, which cannot be melded
    MELD_RED_THREE = "meld_red_three", "1.7"
    # red threes are not melded; they stay in the hand and cost points; values: "points"
    MELD_RED_THREE_HELD = "meld_red_three_held", "v3.11"
    # black threes are melded only in going out; values: "left" (cards left), "many" (whether several)
    BLACK_THREES_ONLY_OUT = "black_threes_only_out", "1.8"
    # black threes are never melded in these rules
    BLACK_THREES_NEVER = "black_threes_never", "1.8"
    # a meld of black threes has three or four and no wild card; values: "count", "wilds", "lie"
    BLACK_THREES_COUNT = "black_threes_count", "1.8"
    # the initial meld has too few points; values: "count", "required"
    INITIAL_MELD_TOO_LOW = "initial_meld_too_low", "1.11"
    # after this move the minimum could not be reached; values: "count", "required", "best"
    INITIAL_MELD_UNREACHABLE = "initial_meld_unreachable", "1.11"
    # the initial meld needs three naturals of a rank, without wild cards; values: "required"
    OPENING_NEEDS_CLEAN = "opening_needs_clean", "v3.10"
    # the initial meld needs a clean meld or a meld of wild cards; values: "required"
    OPENING_NEEDS_CLEAN_OR_WILD = "opening_needs_clean_or_wild", "v3.10"
    # the initial meld needs a canasta; values: "count", "required"
    OPENING_NEEDS_CANASTA = "opening_needs_canasta", "v3.3"
    # the initial meld needs a canasta and points; values: "count", "required"
    OPENING_NEEDS_CANASTA_AND_POINTS = "opening_needs_canasta_and_points", "v3.3"
    # the initial meld needs a natural canasta; values: "count", "required"
    OPENING_NEEDS_NATURAL_CANASTA = "opening_needs_natural_canasta", "v3.3"
    # the initial meld must be of naturals only; values: "wilds"
    OPENING_WITHOUT_WILDS = "opening_without_wilds", "v3.6"
    # the initial meld may not have a mixed canasta; values: "size"
    OPENING_MIXED_CANASTA = "opening_mixed_canasta", "v3.10"
    # jokers may not be discarded; values: "others" (cards that may be)
    DISCARD_JOKER = "discard_joker", "v2"
    # threes may not be discarded; values: "others" (cards that may be)
    DISCARD_THREE = "discard_three", "v3.10"
    # a wild card is discarded only to go out, or if nothing else is held; values: "others" (other cards)
    DISCARD_WILD = "discard_wild", "v3.10"
    # a seven, wild card, ace or closed rank begins the pile only if nothing else is held; values: "others"
    DISCARD_ON_EMPTY_PILE = "discard_on_empty_pile", "v3.10"
    # sevens need a canasta of sevens on each side; values: "canastas" (sides with one), "required"
    DISCARD_SEVEN = "discard_seven", "v3.12"
    # a seven may not be the last discard, by which a seat goes out; values: "others"
    DISCARD_LAST_SEVEN = "discard_last_seven", "v3.12"
    # the stock's last card was a red three, so the seat melds or passes
    DISCARD_AFTER_LAST_THREE = "discard_after_last_three", "1.19"
    # no black three is discarded in the first round of turns; values: "turns", "required"
    DISCARD_BLACK_THREE = "discard_black_three", "v3.5"
    # the side has too few canastas to go out; values: "canastas", "required", "left", "missing" (kinds)
    NEEDS_CANASTA = "needs_canasta", "1.15"
    # canastas of one sort do not count for going out; values: "canastas", "required", "canasta" (sort), "left"
    NEEDS_COUNTING_CANASTA = "needs_counting_canasta", "v3.6"
    # going out needs more canastas of one sort; values: "canasta", "held", "required", "left"
    NEEDS_CANASTA_KIND = "needs_canasta_kind", "1.15"
    # the canastas must have been there when the turn began; values: "required", "left"
    CANASTAS_NOT_BEFORE = "canastas_not_before", "1.15"
    # the seat must pick up its foot before it goes out; values: "cards"
    FOOT_WAITS = "foot_waits", "v3.11"
    # the side needs more red threes to go out; values: "held", "required"
    OUT_RED_THREES = "out_red_threes", "v3.13"
    # the partner must pick up its foot first; values: "partner", "cards"
    PARTNER_FOOT_WAITS = "partner_foot_waits", "v3.11"
    # a seat that goes out must meld every card; values: "left"
    OUT_WITHOUT_DISCARD = "out_without_discard", "1.15"
    # a seat that goes out must keep a card to discard; values: "left"
    OUT_NEEDS_DISCARD = "out_needs_discard", "1.15"
    # the card that is left may not be the last discard; values: "left"
    OUT_LAST_CARD = "out_last_card", "v3.12"
    # an unfinished special meld forbids going out; values: "melds", "count", "required"
    OUT_UNFINISHED = "out_unfinished", "v3.10"
    # the seat must announce going out before it melds; values: "left"
    OUT_NOT_ANNOUNCED = "out_not_announced", "1.15"
    # the seat must ask its partner before it melds; values: "left"
    OUT_NOT_ASKED = "out_not_asked", "1.18"
    # the seat cannot go out with these cards; values: "cards"
    OUT_CARDS_STAY = "out_cards_stay", "1.15"
    # the seat announced going out, which this move would prevent
    OUT_ANNOUNCED = "out_announced", "1.15"
    # the seat may not go out in this turn; values: "left"
    PARTNER_SAID_NO = "partner_said_no", "1.18"
    # the seat must go out, which this move would prevent
    PARTNER_SAID_YES = "partner_said_yes", "1.18"
    # partners are not asked at this table
    ASK_OFF = "ask_off", "1.18"
    # the seat has already asked in this deal, where it may ask once
    ASKED_BEFORE = "asked_before", "v3.10"
    # the seat has already asked in this turn
    ASKED_IN_TURN = "asked_in_turn", "1.18"
    # the seat has already melded in this turn
    ASK_TOO_LATE = "ask_too_late", "1.18"
    # the side could not have enough canastas in this turn; values: "canastas", "required"
    ASK_CANNOT_GO_OUT = "ask_cannot_go_out", "1.18"
    # the seat has already announced going out
    ANNOUNCE_TOO_LATE = "announce_too_late", "1.15"
    # the side has too few canastas to go out; values: "canastas", "required"
    ANNOUNCE_CANNOT_GO_OUT = "announce_cannot_go_out", "1.15"
    # going out is not announced in these rules
    ANNOUNCE_OFF = "announce_off", "1.15"
    # these rules have no special hands
    NO_SPECIAL_HANDS = "no_special_hands", "v3.10"
    # the side has opened, the seat has melded, or it took the pile
    SHOW_TOO_LATE = "show_too_late", "v3.10"
    # a special hand has another number of cards than this hand; values: "cards", "required"
    SHOW_CARDS = "show_cards", "v3.10"
    # the hand is no special hand, or not the one named; values: "hands"
    SHOW_NO_HAND = "show_no_hand", "v3.10"
    # a theme forbids melding this rank; values: "theme", "kind"
    THEME_NO_MELD = "theme_no_meld", "themes"
    # a theme bans this rank from the initial meld; values: "theme", "kind"
    THEME_NOT_IN_OPENING = "theme_not_in_opening", "themes"
    # by a theme the initial meld must have one of these ranks; values: "theme", "ranks"
    THEME_OPENING_NEEDS = "theme_opening_needs", "themes"
    # a theme bans this discard while others are possible; values: "theme", "kind", "others"
    THEME_NO_DISCARD = "theme_no_discard", "themes"
    # by a theme only one discard a deal may freeze the pile; values: "theme", "kind", "others"
    THEME_FROZEN_ONCE = "theme_frozen_once", "themes"
    # a theme allows no canasta of this rank; values: "theme", "ranks"
    THEME_NO_CANASTA = "theme_no_canasta", "themes"
    # a theme wants another canasta first; values: "theme", "ranks", "size"
    THEME_CANASTA_FIRST = "theme_canasta_first", "themes"
    # a theme closes the pile until an event; values: "theme", "until", "number"
    THEME_NO_PILE = "theme_no_pile", "themes"
    # a theme forbids going out until an event; values: "theme", "until", "number"
    THEME_NO_OUT = "theme_no_out", "themes"
    # by a theme going out needs a canasta; values: "theme", "canasta", "ranks", "held", "required"
    THEME_OUT_NEEDS = "theme_out_needs", "themes"
    # a seat that failed to go out must meld all it can
    MELD_AS_FAR_AS_POSSIBLE = "meld_as_far_as_possible", "1.22"
    # the seat must discard a penalty card first; values: "exposed" (its penalty cards)
    PENALTY_CARDS_FIRST = "penalty_cards_first", "1.22"
    KEEP_OFF = "keep_off", "v3.10"  # in these rules no drawn three is kept in the hand
    KEEP_TOO_LATE = "keep_too_late", "v3.10"  # the side has opened, or the seat has not laid out its dealt threes yet
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back", "1.9"  # no cards have been laid that may be taken back
    NOT_A_PLAYER = "not_a_player", "1.2"  # the game has no such seat; values: "seat", "players"


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
