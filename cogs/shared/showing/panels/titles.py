"""The stage of a seat (what its player should do), its title, and further sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from typing import Final

from bot.engine.cards.meld_places import family_of
from bot.engine.law.special_hands import special_points
from bot.engine.moves.actions import ANNOUNCE, ASK, DRAW, Combine, Discard, LayRun, Meld, Show
from bot.engine.moves.phases import Phase
from bot.engine.rules.irregularities import is_late_question_binding
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.advice import LayOffer, Partner, WayToGoOut
from bot.tables.state.snapshots import SeatSnapshot, Status
from cogs.shared.discord_api.components import GOLD, GREEN, GREY
from cogs.shared.reading import card_text
from cogs.shared.showing.panels import labels
from cogs.shared.showing.paused_games import paused_text
from cogs.shared.telling import names, play_text, turn_text
from cogs.shared.telling.numbers import group_thousands, number_with_sign


class Stage(Enum):
    """The stages of a turn: the player's next duty, or the reason to wait."""

    LOBBY = auto()
    CLOSED = auto()
    OVER = auto()
    PAUSED = auto()  # the game is paused
    BETWEEN = auto()
    RESTING = auto()
    WAITING = auto()  # another player's turn
    UNANSWERED = auto()  # waiting for the partner's answer
    ASKED = auto()  # the partner waits for this player's answer
    DRAW = auto()
    WAYS = auto()  # draw, or take the pile
    STOCK_OUT = auto()  # take the pile, or pass
    OPENING_FIRST = auto()  # the initial meld is laid; the player must now take the pile
    SPECIAL = auto()  # a special hand can be shown
    BOUND = auto()  # must go out, after a yes or an announcement
    CAN_GO_OUT = auto()
    MUST_ASK = auto()  # can go out if the partner agrees
    MUST_ANNOUNCE = auto()  # can go out, but must announce it first
    ASIDE = auto()  # the pile waits for the rest of the initial meld
    REFUSED = auto()  # the partner said no
    DISCARD = auto()
    LAY = auto()


_EDGES: Final[Mapping[Stage, int]] = {
    Stage.LOBBY: GREEN,
    Stage.CLOSED: GREY,
    Stage.OVER: GREEN,
    Stage.PAUSED: GREY,
    Stage.BETWEEN: GREY,
    Stage.RESTING: GREY,
    Stage.WAITING: GREY,
    Stage.UNANSWERED: GREY,
    Stage.SPECIAL: GREEN,
    Stage.BOUND: GREEN,
    Stage.CAN_GO_OUT: GREEN,
    Stage.MUST_ASK: GREEN,
    Stage.MUST_ANNOUNCE: GREEN,
}
"""Edge colours by stage (RGB); gold for all others."""

WAITING: Final = frozenset({Stage.LOBBY, Stage.PAUSED, Stage.RESTING, Stage.WAITING, Stage.UNANSWERED})
"""Stages in which the player waits for others."""

FINISHING: Final = frozenset({Stage.BOUND, Stage.CAN_GO_OUT, Stage.MUST_ASK, Stage.MUST_ANNOUNCE})
"""Stages in which a way to go out is shown."""


def edge_colour(stage: Stage) -> int:
    """Return the colour (RGB) of the panel's edge: gold to act, green to finish, grey to wait."""
    return _EDGES.get(stage, GOLD)


def stage_of(snapshot: SeatSnapshot) -> Stage:
    """Return the stage of the seat: what its player should do, or why they wait."""
    view = snapshot.view
    if snapshot.table.status is Status.CLOSED:
        return Stage.CLOSED
    if view is None:
        return Stage.LOBBY
    if snapshot.table.status is Status.FINISHED or view.table.phase is Phase.OVER:
        return Stage.OVER
    if snapshot.table.pause is not None:
        return Stage.PAUSED
    if view.table.phase is Phase.BETWEEN:
        return Stage.BETWEEN
    if view.is_resting:
        return Stage.RESTING
    if not view.must_act:
        asking = view.table.phase is Phase.ANSWER and view.table.turn == view.seat
        return Stage.UNANSWERED if asking else Stage.WAITING
    if view.table.phase is Phase.ANSWER:
        return Stage.ASKED
    if (ending := _stage_at_end(snapshot, view)) is not None:
        return ending
    return _stage_at_draw(snapshot, view) if view.table.phase is Phase.DRAW else _stage_in_play(view)


def _stage_at_end(snapshot: SeatSnapshot, view: SeatView) -> Stage | None:
    """Return the stage of a seat that may or must end the deal now; None if it cannot."""
    if any(isinstance(step, Show) for step in view.legal):
        return Stage.SPECIAL
    if view.table.permission:
        return Stage.BOUND
    return None if snapshot.offers.way_out is None else _stage_of_way_out(snapshot.offers.way_out)


def _stage_at_draw(snapshot: SeatSnapshot, view: SeatView) -> Stage:
    if DRAW not in view.legal:
        return Stage.OPENING_FIRST if view.table.stock else Stage.STOCK_OUT
    return Stage.WAYS if snapshot.offers.takes else Stage.DRAW


def _stage_in_play(view: SeatView) -> Stage:
    if view.table.pile.aside:
        return Stage.ASIDE
    if not any(not isinstance(step, Discard) for step in view.legal if step not in (ASK, ANNOUNCE)):
        return Stage.DISCARD
    return Stage.REFUSED if view.table.permission is False else Stage.LAY


def _stage_of_way_out(way: WayToGoOut) -> Stage:
    if way.word == "ask":
        return Stage.MUST_ASK
    return Stage.MUST_ANNOUNCE if way.word == "announce" else Stage.CAN_GO_OUT


def may_lay_melds(view: SeatView) -> bool:
    """Return whether any meld or run may be laid now."""
    return any(isinstance(step, Meld | LayRun) for step in view.legal)


def way_out_in_words(words: Words, snapshot: SeatSnapshot, way: WayToGoOut, stage: Stage) -> str:
    """Return the steps and result of going out: "Lay Q Q Q, discard 4. Your side then makes +870, …"."""
    done = ", ".join(_way_out_steps(words, snapshot, way))
    result = words("panel.out_result", points=number_with_sign(words, way.points))
    if way.partners:
        result = words(
            "panel.out_result_less",
            points=number_with_sign(words, way.points),
            held=", ".join(_cards_held_text(words, snapshot, one) for one in way.partners),
        )
    binding = words("panel.out_binds") if stage is Stage.MUST_ASK else ""
    return " ".join(filter(None, [f"{done[:1].upper()}{done[1:]}.", result, binding]))


def _way_out_steps(words: Words, snapshot: SeatSnapshot, way: WayToGoOut) -> Iterator[str]:
    top = None if snapshot.view is None else snapshot.view.table.pile.top
    if way.take is not None and top is not None:
        yield words("hint.take", how=turn_text.take_label(words, top >> 2, way.take))
    for laying in way.layings:
        yield _laying_text(words, laying)
    for united in way.united:
        yield words("panel.out_unite", kinds=_meld_name(words, united))
    if way.discard is not None:
        yield words("panel.out_discard", card=card_text.rank_label(way.discard))


def _laying_text(words: Words, laying: LayOffer) -> str:
    cards, family = labels.cards_label(laying), family_of(laying.place)
    if laying.new:
        return words("panel.out_lay", cards=cards)
    return words("panel.out_add", cards=cards, kinds=card_text.meld_word(words, family, 2))


def _meld_name(words: Words, united: Combine) -> str:
    return card_text.meld_word(words, family_of(united.onto), 2)


def _cards_held_text(words: Words, snapshot: SeatSnapshot, partner: Partner) -> str:
    name = names.seat_name(words, snapshot.table, partner.seat)
    return words("panel.out_held", name=name, count=partner.cards + partner.waiting)


def panel_title(words: Words, snapshot: SeatSnapshot, stage: Stage) -> str:
    """Return the panel's title: what the player should do or is waiting for."""
    return _TITLES[stage](words, snapshot) if stage in _TITLES else words(_FIXED_TITLES[stage])


def title_details(words: Words, snapshot: SeatSnapshot, stage: Stage) -> list[str]:
    """Return lines below the title: a way to go out, or facts for the partner."""
    view = snapshot.view
    if view is None:
        return []
    if stage in FINISHING and snapshot.offers.way_out is not None:
        return [way_out_in_words(words, snapshot, snapshot.offers.way_out, stage)]
    if stage is Stage.BOUND:
        return [] if _depends_duty_on_next_card(snapshot) else [words("panel.bound_no_more")]
    if stage is Stage.WAITING:
        return _partner_line(words, snapshot, view)
    if stage is Stage.OVER:
        return play_text.early_end_details(words, snapshot.table)
    if stage is Stage.PAUSED:
        return [paused_text(words, snapshot.table)]
    if stage is Stage.ASKED:
        return [_partner_facts(words, snapshot, view)]
    said_no = view.table.permission is False and stage is not Stage.REFUSED and view.table.actor == snapshot.seat
    return [_partner_refused_title(words, snapshot)] if said_no else []


def answer_consequences_text(words: Words, snapshot: SeatSnapshot) -> str:
    """Return a sentence for a player whose partner asks to go out: the effect of a yes and of a no."""
    rules = snapshot.table.terms
    binds = rules.yes_binds or rules.needs_word
    return words("panel.yes_or_no" if binds else "panel.yes_is_leave", name=_seat_in_turn_name(words, snapshot))


# --- titles -----------------------------------------------------------------------------------------------------------


def _waiting_title(words: Words, snapshot: SeatSnapshot) -> str:
    order = snapshot.table.view.playing if snapshot.table.view is not None else ()
    before = order[order.index(snapshot.seat) - 1] if snapshot.seat in order else snapshot.seat
    return words("panel.title_waiting", name=names.seat_name(words, snapshot.table, before))


def _partner_line(words: Words, snapshot: SeatSnapshot, view: SeatView) -> list[str]:
    """Return a line with the name of the seat's partner; an empty list without a single partner."""
    partners = [seat for seat in view.side.seats if seat != snapshot.seat]
    if len(partners) != 1:
        return []
    return [words("panel.your_partner", name=names.seat_name(words, snapshot.table, partners[0]))]


def _partner_has_not_answered_title(words: Words, snapshot: SeatSnapshot) -> str:
    view = snapshot.table.view
    asked = None if view is None else view.actor
    return words(
        "panel.title_unanswered", name=names.seat_name(words, snapshot.table, snapshot.seat if asked is None else asked)
    )


def _partner_asks_title(words: Words, snapshot: SeatSnapshot) -> str:
    return words("panel.title_asked", name=_seat_in_turn_name(words, snapshot))


def _seat_in_turn_name(words: Words, snapshot: SeatSnapshot) -> str:
    return "?" if snapshot.table.view is None else names.seat_name(words, snapshot.table, snapshot.table.view.turn)


def _depends_duty_on_next_card(snapshot: SeatSnapshot) -> bool:
    """Return whether a yes would bind the seat only if the card it draws lets it go out."""
    return snapshot.view is not None and snapshot.view.table.phase is Phase.DRAW and snapshot.offers.way_out is None


def _must_go_out_title(words: Words, snapshot: SeatSnapshot) -> str:
    if _depends_duty_on_next_card(snapshot):
        return words("panel.title_bound_later", name=partner_names(words, snapshot))
    if snapshot.table.terms.out_announce:
        return words("panel.title_announced")
    if is_late_question_binding(snapshot.table.terms):
        return words(
            "panel.title_bound_by_asking"
        )  # the seat may be bound by asking alone, before the partner has answered
    return words("panel.title_bound", name=partner_names(words, snapshot))


def _must_ask_title(words: Words, snapshot: SeatSnapshot) -> str:
    return words("panel.title_must_ask", name=partner_names(words, snapshot))


def _partner_refused_title(words: Words, snapshot: SeatSnapshot) -> str:
    return words("panel.title_refused", name=partner_names(words, snapshot))


def _resting_title(words: Words, snapshot: SeatSnapshot) -> str:
    return words("panel.title_resting", deal=0 if snapshot.view is None else snapshot.view.table.deal + 1)


def _special_hand_title(words: Words, snapshot: SeatSnapshot) -> str:
    legal = () if snapshot.view is None else snapshot.view.legal
    hand = next((step.hand for step in legal if isinstance(step, Show) and step.hand), "")
    points = special_points(snapshot.table.terms, hand)
    return words("panel.title_special", hand=words(f"special_hand.{hand}"), points=group_thousands(words, points))


def _title_between_deals(words: Words, snapshot: SeatSnapshot) -> str:
    view = snapshot.table.view
    if view is None or not view.results:
        return words("panel.deal_over")
    number, result = own_score_index(snapshot), view.results[-1]
    return words(
        "panel.title_between",
        deal=result.deal,
        points=number_with_sign(words, result.lines[number].total),
        score=group_thousands(words, result.scores[number]),
    )


def _game_over_title(words: Words, snapshot: SeatSnapshot) -> str:
    view = snapshot.table.view
    winner = snapshot.table.winner
    if view is None or winner is None:
        return words("panel.over")
    scores = [total.score for total in view.totals]
    own = own_score_index(snapshot)
    others = max((score for number, score in enumerate(scores) if number != own), default=0)
    won = winner == own
    return words(
        "panel.title_won" if won else "panel.title_lost",
        own=group_thousands(words, scores[own]),
        others=group_thousands(words, others),
        name=names.score_holder_names(words, snapshot.table, winner),
        score=group_thousands(words, scores[winner]),
    )


_TITLES: Final[Mapping[Stage, Callable[[Words, SeatSnapshot], str]]] = {
    Stage.WAITING: _waiting_title,
    Stage.UNANSWERED: _partner_has_not_answered_title,
    Stage.ASKED: _partner_asks_title,
    Stage.BOUND: _must_go_out_title,
    Stage.MUST_ASK: _must_ask_title,
    Stage.REFUSED: _partner_refused_title,
    Stage.RESTING: _resting_title,
    Stage.SPECIAL: _special_hand_title,
    Stage.BETWEEN: _title_between_deals,
    Stage.OVER: _game_over_title,
}
"""Writers of titles that contain names and numbers."""

_FIXED_TITLES: Final[Mapping[Stage, str]] = {
    Stage.LOBBY: "panel.title_lobby",
    Stage.CLOSED: "panel.title_closed",
    Stage.PAUSED: "consent.paused",
    Stage.DRAW: "panel.title_draw",
    Stage.WAYS: "panel.title_ways",
    Stage.STOCK_OUT: "panel.title_stock_out",
    Stage.OPENING_FIRST: "panel.title_opening_first",
    Stage.CAN_GO_OUT: "panel.title_can_go_out",
    Stage.MUST_ANNOUNCE: "panel.title_must_announce",
    Stage.ASIDE: "panel.title_aside",
    Stage.DISCARD: "panel.title_discard",
    Stage.LAY: "panel.title_lay",
}
"""Catalogue keys of titles that are fixed sentences."""


# --- further sentences ------------------------------------------------------------------------------------------------


def own_score_index(snapshot: SeatSnapshot) -> int:
    """Return the index of the seat's score among the scores of the game."""
    totals = () if snapshot.table.view is None else snapshot.table.view.totals
    return next((number for number, total in enumerate(totals) if snapshot.seat in total.seats), 0)


def partner_names(words: Words, snapshot: SeatSnapshot) -> str:
    """Return the names of the seat's partners."""
    seats = () if snapshot.view is None else snapshot.view.side.seats
    return names.joined_seat_names(words, snapshot.table, (seat for seat in seats if seat != snapshot.seat))


def _partner_facts(words: Words, snapshot: SeatSnapshot, view: SeatView) -> str:
    """Return text on facts that the partner needs in order to answer."""
    asking, side = view.table.seats[view.table.turn], view.side
    others = [info for info in view.table.seats if info.side != side.side and not info.resting]
    return words(
        "panel.asked_because",
        name=_seat_in_turn_name(words, snapshot),
        cards=asking.cards,
        own=len(view.hand),
        points=group_thousands(words, view.hand_points),
        table=number_with_sign(words, side.on_table),
        theirs=" / ".join(number_with_sign(words, one.on_table) for one in view.table.sides if one.side != side.side),
        held=sum(info.cards for info in others),
    )
