"""Reading of positions, the one text format for a state (`docs/referee.md`).

A position need not include the whole pack. Missing parts follow from the rest as the format says. The writer adds
fields to the format where it could not express something, so that reading gives the same game:

- in the middle of a turn `begun`, `joined`, `permission`, `asked_in`, `lapsed`, `aside`, `claimed`,
  `canastas_before`, `ready` and `last_three`;
- in cut-throat `alone`;
- `talons` by seat if cards are set aside, `asked` if a seat may ask once per deal, `froze` if a discard has frozen the
  pile;
- after the end of a deal the phase ``over`` and its `result`;
- `penalties` if irregularities were penalised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.engine.cards.cards import BLACK_THREE, Card, Kind, full_pack
from bot.engine.cards.notation import card_text
from bot.engine.law.scoring import deal_end_events
from bot.engine.law.special_hands import PATTERNS
from bot.engine.melds.canastas import may_go_out_this_turn
from bot.engine.melds.table_meld import TableMeld, card_points_of
from bot.engine.moves.events import DealEnd, DealStarted
from bot.engine.moves.phases import Phase
from bot.engine.play.drawing import start_of_turn_events
from bot.engine.play.invariants import count_all_cards
from bot.engine.positions import position_parts
from bot.engine.positions.position_parts import entries_by_seat, form_by_sides, game_before_deal, read_seat, read_seats
from bot.engine.positions.position_writing import OVER, canastas_of_side_in_turn, write_position
from bot.engine.rules.case_fields import CaseFields, PositionError, read_cards, read_flag, read_whole_number
from bot.engine.rules.rule_options import read_options
from bot.engine.rules.rule_set import RuleSet, number_in_deal
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set
from bot.engine.rules.themes.named_themes import read_themes
from bot.engine.table import bonus_threes
from bot.engine.table.applying_events import evolve, fold
from bot.engine.table.charged_penalties import Penalties
from bot.engine.table.state import State
from bot.engine.table.state_queries import may_not_discard

__all__ = ["CASE_FIELDS", "POSITION_FIELDS", "PositionError", "read_position", "read_rules", "write_position"]

DEFAULT_TURNS: Final = 1000
"""The number of turns taken, for a position that does not say it."""

REMARKS: Final = ("id", "source", "title", "note", "comment", "description")
"""Fields of a case for its readers only."""

PROOF_FIELDS: Final = ("accepts", "refuses")
"""Fields of a case that name the parameters whose values it proves (`tests/referee/test_case_proofs.py`)."""

CASE_FIELDS: Final = frozenset(
    {
        *REMARKS,
        *("rules", "options", "themes", "players", "sides", "scores", "dealer", "deal"),
        *("position", "deck", "complete", "actions", "expect"),
        *PROOF_FIELDS,
    }
)

POSITION_FIELDS: Final = frozenset(
    {
        *("red_threes", "threes", "set_aside", "hidden", "shuffle_key"),
        *("turn", "phase", "hands", "feet", "stock", "pile", "frozen", "froze", "melds"),
        *("opened", "melded_before", "asked", "takers", "drew", "turns_played", "stock_out", "complete"),
        *("begun", "joined", "permission", "asked_in", "lapsed", "aside", "claimed"),
        *("canastas_before", "ready", "last_three"),
        *("alone", "talons", "result", "penalties"),
    }
)

_PENALTY_FIELDS: Final = frozenset({"points", "raised", "exposed", "until_opened"})
"""Penalties charged so far, each by the seats that committed the irregularities.

Points to pay, the raise of their side's minimum, penalty cards, and the seats whose penalty cards become free when
their side opens. A missing field means none.
"""

_OTHER_FORMS: Final = ("alone", "trios", "rotating", "cut-throat")
"""Endings of rule sets' names: forms for the same number of players with other sides."""

_PHASES: Final = {"draw": Phase.DRAW, "play": Phase.PLAY, "answer": Phase.ANSWER, OVER: Phase.PLAY}


def read_position(case: Mapping[str, Any]) -> State:
    """Return the state with which a case begins. Raises `PositionError`."""
    fields = CaseFields(case, "", CASE_FIELDS)
    rules = read_rules(fields)
    if not fields.has_field("position") and not fields.has_field("deck"):
        raise PositionError("position", "is missing, and there is no deck to deal")
    return _read_table(fields, rules) if fields.has_field("position") else _read_deck(fields, rules)


def read_rules(case: CaseFields) -> RuleSet:
    """Return the rules of a case."""
    name = case.text("rules", "classic")
    players = case.whole_number("players", 4)
    if name not in RULE_SETS:
        raise PositionError("rules", f"there is no rule set {name!r}; there are {', '.join(sorted(RULE_SETS))}")
    if players not in player_counts(name):
        raise PositionError("players", f"{name} is played by {', '.join(map(str, player_counts(name)))}, not {players}")
    forms = [name, *(f"{name}-{one}" for one in _OTHER_FORMS)]
    rules = form_by_sides(case, [rule_set(one, players) for one in forms if players in player_counts(one)])
    if case.has_field("options"):
        rules = read_options(rules, case.value("options"))
    if case.has_field("themes"):
        rules = replace(rules, theme=read_themes(case.value("themes"), "themes"))
    return rules


def _read_scores(case: CaseFields, rules: RuleSet) -> tuple[int, ...]:
    """Return the scores before the deal, as the case gives them."""
    given = case.rows("scores") or [0] * rules.sides
    if len(given) != rules.sides or not all(isinstance(score, int) and not isinstance(score, bool) for score in given):
        raise PositionError("scores", f"needs {rules.sides} whole numbers, one a side")
    return tuple(given)


def _read_deck(case: CaseFields, rules: RuleSet) -> State:
    """Return the game after dealing the pack that a case gives as `deck`.

    Without `dealer` the last seat deals, so that the first begins.
    """
    deck = case.cards("deck")
    difference = _pack_difference(Counter(deck), rules)
    if difference is not None:
        raise PositionError("deck", difference)
    before = game_before_deal(case, rules, _read_scores(case, rules))
    if rules.playing * (number_in_deal(rules.hand_size, before.deal) + rules.foot_size) >= rules.pack_size:
        raise PositionError("options.hand_size", f"the pack of {rules.pack_size} cards is too small for that")
    dealer = read_seat(before, case, "dealer", rules.playing - 1)
    state = evolve(replace(before, dealer=dealer), DealStarted(before.deal, dealer, deck))
    return fold(state, start_of_turn_events(state))


def _read_table(case: CaseFields, rules: RuleSet) -> State:
    """Return the game at the position that a case describes."""
    position = CaseFields(case.value("position"), "position", POSITION_FIELDS)
    _require_known_fields(position, rules)
    before = game_before_deal(case, rules, _read_scores(case, rules), position=position)
    turn = read_seat(before, position, "turn", 0)
    name = position.choice("phase", tuple(_PHASES), "draw")
    hands = position_parts.read_hands(position, before)
    melds = position_parts.read_melds(position, before)
    dealer = read_seat(before, case, "dealer", (before.seating.place_of(turn) - 1) % rules.playing)
    pile = position.cards("pile")
    hidden = position_parts.read_face_down_number(position, pile)
    frozen = position.flag("frozen", default=position_parts.has_freezing_card(rules, pile[hidden:]))
    state = replace(
        before,
        dealer=dealer,
        phase=_PHASES[name],
        turn=turn,
        turns=position.whole_number("turns_played", DEFAULT_TURNS, lowest=0),
        hands=hands,
        feet=position_parts.read_face_down(position, before, "feet") if rules.foot_size else (),
        talons=position_parts.read_face_down(position, before, "talons") if rules.talon else (),
        stock=tuple(reversed(position.cards("stock"))),
        pile=pile,
        hidden=hidden,
        frozen=frozen or rules.pile_frozen == "always",
        froze=position.flag("froze", default=False),
        melds=melds,
        red_threes=position_parts.read_threes(position, rules),
        set_aside=position_parts.read_set_aside(position, rules),
        shuffle_key=position.text("shuffle_key", ""),
        opened=_read_opened_sides(position, melds),
        melded_seats=_read_melded_before(position, before, melds),
        asked=_read_seats_that_asked(position, before),
        takers=read_seats(before, position, "takers"),
    )
    if case.flag("complete", default=False) or position.flag("complete", default=False):
        difference = _pack_difference(count_all_cards(state), rules)
        if difference is not None:
            raise PositionError("position", difference)
    state = _with_turn_record(position, state)
    state = replace(state, penalties=_read_penalties(position, state))
    state = replace(state, stock_out=_read_stock_emptier(position, state))
    state = replace(state, fresh=_read_cards_drawn_this_turn(position, state))
    return _with_result(position, state) if name == OVER else state


def _require_known_fields(position: CaseFields, rules: RuleSet) -> None:
    """Raise `PositionError` for fields of other rule sets, and for a result before the end."""
    none = "there are none in these rules"
    for name, known, reason in (
        ("feet", rules.foot_size, none),
        ("talons", rules.talon, none),
        ("threes", BLACK_THREE in rules.laid_out, none),
        ("asked", rules.ask_once, "says nothing where one may ask in every turn"),
        ("takers", rules.frozen_untaken, "says nothing where the pile is not frozen for who has not taken it"),
    ):
        if not known and position.value(name) not in (None, {}):
            raise PositionError(position.path_of(name), reason)
    if position.has_field("result") and position.value("phase") != OVER:
        raise PositionError(position.path_of("result"), f"belongs to the phase {OVER!r}")


def _read_stock_emptier(position: CaseFields, state: State) -> int | None:
    """Return the seat that drew the last card of the stock, or None if the stock has cards.

    By default it is the player before, or the seat in turn if it has just drawn.
    """
    if position.has_field("stock_out") and state.stock:
        raise PositionError(position.path_of("stock_out"), "the stock still has cards")
    if state.stock:
        return None
    place = state.seating.place_of(state.turn)
    return read_seat(
        state, position, "stock_out", place if state.drew == "stock" else (place - 1) % state.rules.playing
    )


def _read_cards_drawn_this_turn(position: CaseFields, state: State) -> tuple[Card, ...]:
    """Return the cards drawn in this turn, as far as needed to know whether the last was a red three.

    If it was not, any card of the hand is returned.
    """
    three = position.flag("last_three", default=False)
    barred = may_not_discard(state)
    if three and not barred:
        raise PositionError(
            position.path_of("last_three"), "is for a turn whose draw ended the stock, and rules that go on"
        )
    return state.hands[state.turn][:1] if barred and not three else state.fresh


def _read_opened_sides(position: CaseFields, melds: tuple[tuple[TableMeld, ...], ...]) -> tuple[bool, ...]:
    """Return whether each side has opened; by default if it has any meld."""
    opened = [bool(side) for side in melds]
    for side, (value, path) in position.by_number("opened", "side", len(melds)).items():
        opened[side] = read_flag(value, path)
    return tuple(opened)


def _read_melded_before(position: CaseFields, state: State, melds: tuple[tuple[TableMeld, ...], ...]) -> frozenset[int]:
    """Return the seats that melded before this turn; by default all seats of sides with melds."""
    if position.has_field("melded_before"):
        return read_seats(state, position, "melded_before")
    return frozenset(seat for seat in state.seating.seats if melds[state.seating.side_by_seat[seat]])


def _read_seats_that_asked(position: CaseFields, state: State) -> frozenset[int]:
    """Return the seats that have asked in this deal, where a seat may ask once per deal.

    A seat that has an answer, or waits for it, is included.
    """
    asks_now = state.rules.ask_once and (
        position.value("phase") == Phase.ANSWER.value or position.has_field("permission")
    )
    return read_seats(state, position, "asked") | ({read_seat(state, position, "turn", 0)} if asks_now else set())


def _with_turn_record(position: CaseFields, state: State) -> State:
    """Return the state with the turn's record: what the seat in turn has drawn, begun and asked so far."""
    asked_in = Phase(position.choice("asked_in", ("draw", "play"), "play")) if state.phase is Phase.ANSWER else None
    if position.has_field("asked_in") and asked_in is None:
        raise PositionError(position.path_of("asked_in"), "belongs to the phase 'answer'")
    if asked_in and state.seating.partner_by_seat[state.turn] is None:
        raise PositionError(position.path_of("phase"), "nobody has a partner to answer")
    state = replace(
        state,
        canastas_before=position.whole_number("canastas_before", canastas_of_side_in_turn(state), lowest=0),
        ready=position.flag("ready", default=may_go_out_this_turn(state.rules, state.spreads[state.side])),
        asked_in=asked_in,
        permission=position.flag("permission", default=False) if position.has_field("permission") else None,
        lapsed=position.flag("lapsed", default=False),
    )
    if Phase.DRAW in (state.phase, asked_in):
        return _with_turn_just_begun(position, state)
    aside = position.flag("aside", default=False)
    begun = _read_melds_begun(position, state)
    claimed = _read_claimed_rank(position, begun)
    laid_points = _points_on_table(state)
    if claimed is not None and not state.rules.open_count_top:
        laid_points -= state.rules.card_values[claimed]
    return replace(
        state,
        drew=position.choice("drew", ("stock", "pile"), "pile" if aside else "stock"),
        aside=aside,
        claimed=claimed,
        started=begun,
        joined=position.flag("joined", default=False),
        laid_points=0 if state.opened[state.side] else laid_points,
    )


def _with_turn_just_begun(position: CaseFields, state: State) -> State:
    """Return the state of a turn that has just begun. Raises `PositionError` for acts before the draw.

    Only an initial meld from the hand may have begun (`docs/law/variants.md 3.10`).
    """
    from_hand = state.rules.open_pile == "hand_first"
    for name in ("drew", "joined", "aside", "claimed", *(() if from_hand else ("begun",))):
        if position.has_field(name):
            raise PositionError(position.path_of(name), "comes after the draw, and the turn has just begun")
    if not position.has_field("begun"):
        return state
    points = 0 if state.opened[state.side] else _points_on_table(state)
    return replace(state, started=_read_melds_begun(position, state), laid_points=points)


def _points_on_table(state: State) -> int:
    """Return the points of the cards in the side's melds, without bonuses."""
    return sum(card_points_of(state.rules, meld.cards) for meld in state.melds[state.side])


def _read_claimed_rank(position: CaseFields, begun: frozenset[Kind]) -> Kind | None:
    """Return the rank of the top card that was taken, or None if unknown.

    By default it is that of the only meld begun, while the rest of the pile is aside.
    """
    if position.has_field("claimed"):
        kinds = {card >> 2 for card in position.cards("claimed")}
        if len(kinds) != 1:
            raise PositionError(position.path_of("claimed"), "needs a card of the rank that was taken")
        return kinds.pop()
    return next(iter(begun)) if len(begun) == 1 and position.flag("aside", default=False) else None


def _read_melds_begun(position: CaseFields, state: State) -> frozenset[Kind]:
    """Return the melds begun in this turn.

    By default all melds of a side that has not opened, or of which no seat had melded before.
    """
    melds = state.melds[state.side]
    if position.has_field("begun"):
        return frozenset(melds[number].place for number in position.item_indices("begun", "meld", len(melds)))
    seats = set(state.seating.seats_of(state.side))
    if state.opened[state.side] and seats & state.melded_seats:
        return frozenset()
    return frozenset(meld.place for meld in melds)


def _read_penalties(position: CaseFields, state: State) -> Penalties | None:
    """Return the penalties charged so far; `state` is the position without them."""
    if not position.has_field("penalties"):
        return None
    fields = CaseFields(position.value("penalties"), position.path_of("penalties"), _PENALTY_FIELDS)
    if state.rules.penalties == "off":
        raise PositionError(fields.path, "there are none in these rules; the parameter penalties is off")
    exposed: list[tuple[Card, ...]] = [()] * state.rules.players
    for seat, text, path in entries_by_seat(state, fields, "exposed"):
        exposed[seat] = tuple(sorted(read_cards(text, path)))
        if Counter(exposed[seat]) - Counter(state.hands[seat]):
            raise PositionError(path, "are not all in the hand; a penalty card is an open card of it")
    return Penalties(
        points=_read_points(fields, "points", state),
        raised=_read_points(fields, "raised", state),
        exposed=tuple(exposed),
        until_opened=read_seats(state, fields, "until_opened"),
    )


def _read_points(fields: CaseFields, name: str, state: State) -> tuple[int, ...]:
    """Return the points of each seat from a field; they must be multiples of five."""
    points = [0] * state.rules.players
    for seat, given, path in entries_by_seat(state, fields, name):
        points[seat] = read_whole_number(given, path, lowest=0)
        if points[seat] % 5:
            raise PositionError(path, "needs a multiple of five")
    return tuple(points)


def _with_result(position: CaseFields, state: State) -> State:
    """Return the game after its deal ended as the result says; the deal is scored from the state."""
    result = CaseFields(
        position.value("result") or {},
        position.path_of("result"),
        frozenset({"reason", "went_out", "concealed", "shown"}),
    )
    reason = result.choice("reason", tuple(DealEnd), DealEnd.STOCK)
    out = read_seat(state, result, "went_out", 0) if result.has_field("went_out") else -1
    if (out >= 0) != (reason is DealEnd.OUT):
        raise PositionError(result.path_of("went_out"), f"is a seat where the reason is {DealEnd.OUT.value!r}")
    concealed = result.flag("concealed", default=False)
    state = replace(state, shown=_read_shown_hand(result, state) if reason is DealEnd.SPECIAL_HAND else None)
    if reason is DealEnd.LAST_RED_THREE and state.rules.last_three is not None:
        state = replace(state, fresh=bonus_threes.split_threes(state.rules, state.hands[state.turn])[1][-1:])
    return fold(state, deal_end_events(state, reason, out if out >= 0 else None, concealed=concealed))


def _read_shown_hand(result: CaseFields, state: State) -> tuple[int, str]:
    """Return the seat that showed a special hand, and the hand's name."""
    shown = CaseFields(result.value("shown") or {}, result.path_of("shown"), frozenset({"seat", "hand"}))
    seat = read_seat(state, shown, "seat", state.seating.place_of(state.turn))
    return seat, shown.choice("hand", tuple(PATTERNS), "")


def _pack_difference(cards: Counter[Card], rules: RuleSet) -> str | None:
    """Return a description of the difference between the cards and the game's pack, or None."""
    pack = Counter(full_pack(rules.decks, rules.jokers_per_deck))
    for card in sorted(pack | cards):
        if cards[card] != pack[card]:
            counted = f"{card_text(card)} is there {cards[card]} times, not {pack[card]}"
            return f"is not the pack of {rules.pack_size} cards: {counted}"
    return None
