"""Hypothesis strategies for the engine's types: all values they allow, not only reachable games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bot.engine.cards.cards import ACE, FOUR, RED_THREE, Card, full_pack
from bot.engine.law.special_hands import PATTERNS
from bot.engine.melds.table_meld import TableMeld
from bot.engine.moves import actions, events
from bot.engine.moves.phases import Phase
from bot.engine.rules.irregularities import Irregularity
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS
from bot.engine.table.charged_penalties import Penalties
from bot.engine.table.state import Laid, State
from tests.support import random_play

SEATS = st.integers(0, 5)
POINTS = st.integers(-5_000, 20_000)
COUNTS = st.integers(0, 200)
KINDS = st.integers(FOUR, RED_THREE)
CARDS: SearchStrategy[Card] = st.sampled_from(sorted(set(full_pack(1, 1))))


def cards(max_size: int = 20) -> SearchStrategy[tuple[Card, ...]]:
    """Return a strategy for tuples of up to `max_size` cards, in any order."""
    return st.lists(CARDS, max_size=max_size).map(tuple)


def tuples_of(values: SearchStrategy[object], max_size: int = 4) -> SearchStrategy[tuple[object, ...]]:
    """Return a strategy for tuples of up to `max_size` values, each drawn from the strategy `values`."""
    return st.lists(values, max_size=max_size).map(tuple)


LAYS = st.builds(actions.Lay, cards(), st.none() | SEATS)

PLAYED: SearchStrategy[actions.Step | actions.Act] = st.one_of(
    st.sampled_from((actions.DRAW, actions.DRAW_KEEPING)),
    st.builds(actions.Take, COUNTS, COUNTS, COUNTS),
    st.builds(actions.Meld, KINDS, COUNTS, COUNTS, COUNTS),
    st.builds(actions.Reclaim, KINDS),
    st.builds(actions.Discard, KINDS),
    st.just(actions.ASK),
    st.sampled_from((actions.YES, actions.NO)),
    st.just(actions.ANNOUNCE),
    st.just(actions.PASS),
    st.builds(actions.Show, st.none() | st.sampled_from(tuple(PATTERNS))),
    st.just(actions.TAKE_BACK),
    st.builds(actions.LayMelds, tuples_of(LAYS)),
    st.builds(actions.TakePile, cards(), tuples_of(LAYS)),
    st.builds(actions.DiscardCard, CARDS),
)

ACTIONS: SearchStrategy[actions.Action] = st.one_of(
    PLAYED,
    st.builds(actions.Attempt, PLAYED),
    st.builds(actions.StartDeal, cards(108), st.booleans()),
)

LINES = st.builds(events.ScoreLines, *[POINTS] * 9)
DEALS_ENDED = st.builds(
    events.DealEnded,
    deal=COUNTS,
    reason=st.sampled_from(events.DealEnd),
    went_out=st.none() | SEATS,
    concealed=st.booleans(),
    lines=tuples_of(LINES),
    scores=tuples_of(POINTS),
)

EVENTS: SearchStrategy[events.Event] = st.one_of(
    st.builds(events.DealStarted, COUNTS, SEATS, cards(108), st.booleans()),
    st.builds(events.Drew, SEATS, cards(), cards(), COUNTS),
    st.builds(events.LaidOut, SEATS, cards(), cards(), COUNTS),
    st.builds(events.SetTalon, SEATS, cards(), COUNTS),
    st.builds(events.TookTalon, SEATS, cards(), cards(), COUNTS),
    st.builds(events.TookFoot, SEATS, cards(), cards(), COUNTS),
    st.builds(events.Announced, SEATS),
    st.builds(events.TookTop, SEATS, KINDS, CARDS, cards()),
    st.builds(events.Gathered, SEATS, cards(), cards(), cards(), COUNTS, cards(), cards()),
    st.builds(events.Reshuffled, cards(), COUNTS),
    st.builds(events.Combined, SEATS, KINDS, KINDS),
    st.builds(events.Reclaimed, SEATS, KINDS, cards()),
    st.builds(events.Melded, SEATS, KINDS, cards()),
    st.builds(events.Opened, SEATS, POINTS),
    st.builds(events.TookBack, SEATS, KINDS, cards()),
    st.builds(events.Discarded, SEATS, CARDS),
    st.builds(events.Asked, SEATS, SEATS),
    st.builds(events.Answered, SEATS, st.booleans()),
    st.builds(events.PermissionLapsed, SEATS),
    st.builds(events.Passed, SEATS),
    st.builds(events.Showed, SEATS, st.sampled_from(tuple(PATTERNS)), cards(14)),
    st.builds(events.SidesFormed, SEATS),
    st.builds(
        events.Penalized,
        SEATS,
        st.sampled_from(Irregularity),
        COUNTS,
        COUNTS,
        cards(),
        until_opened=st.booleans(),
        released=st.booleans(),
    ),
    DEALS_ENDED,
    st.builds(events.GameEnded, SEATS),
)

RULES: SearchStrategy[RuleSet] = st.builds(
    replace,
    st.sampled_from([rules for forms in RULE_SETS.values() for rules in forms.values()]),
    name=st.text(max_size=20),
    target=COUNTS,
    hand_size=COUNTS | st.tuples(COUNTS, COUNTS, COUNTS),
    upcard_cover=st.frozensets(st.sampled_from(("W", "R3", "B3"))),
    open_table=tuples_of(st.tuples(st.none() | POINTS, POINTS)),
    frozen_unopened=st.booleans(),
    red3_values=tuples_of(POINTS),
)

_KIND_SETS = st.frozensets(st.integers(FOUR, ACE))
MELDS = st.builds(TableMeld, KINDS, COUNTS, COUNTS, cards())
LAID = st.builds(Laid, KINDS, cards(), st.none() | CARDS, st.booleans(), POINTS, _KIND_SETS, st.booleans())


def _states_under_rules(rules: RuleSet, turn: int, **rest: Any) -> State:
    """Return a strategy for states under these rules in which an existing seat is in turn."""
    return State(rules=rules, turn=turn % rules.players, **rest)


STATES: SearchStrategy[State] = st.builds(
    _states_under_rules,
    rules=RULES,
    scores=tuples_of(POINTS),
    dealer=SEATS,
    phase=st.sampled_from(Phase),
    deal=COUNTS,
    turn=SEATS,
    turns=COUNTS,
    hands=tuples_of(cards()),
    feet=tuples_of(cards()),
    talons=tuples_of(cards()),
    stock=cards(80),
    pile=cards(40),
    hidden=COUNTS,
    frozen=st.booleans(),
    froze=st.booleans(),
    asked=st.frozensets(SEATS),
    takers=st.frozensets(SEATS),
    melds=tuples_of(tuples_of(MELDS)),
    red_threes=tuples_of(cards(4)),
    set_aside=tuples_of(cards(4)),
    opened=tuples_of(st.booleans()),
    melded_seats=st.frozensets(SEATS),
    drew=st.sampled_from((None, "stock", "pile")),
    fresh=cards(),
    laid=tuples_of(LAID),
    laid_points=POINTS,
    aside=st.booleans(),
    claimed=st.none() | st.integers(FOUR, ACE),
    started=_KIND_SETS,
    joined=st.booleans(),
    permission=st.none() | st.booleans(),
    asked_in=st.none() | st.sampled_from(Phase),
    lapsed=st.booleans(),
    results=tuples_of(DEALS_ENDED),
    winner=st.none() | SEATS,
    stock_out=st.none() | SEATS,
    shown=st.none() | st.tuples(SEATS, st.sampled_from(tuple(PATTERNS))),
    canastas_before=COUNTS,
    ready=st.booleans(),
    alone=st.none() | SEATS,
    shuffle_key=st.sampled_from(("", "a1b2")),
    penalties=st.none()
    | st.builds(Penalties, tuples_of(COUNTS), tuples_of(COUNTS), tuples_of(cards()), st.frozensets(SEATS)),
    streams=tuples_of(COUNTS),
)


def states_in_progress(forms: SearchStrategy[RuleSet] | None = None) -> SearchStrategy[State]:
    """Return a strategy for states that random play reaches: any form, any minimum, with a seat to act."""
    every = st.sampled_from([rules for forms in RULE_SETS.values() for rules in forms.values()])
    return st.builds(
        random_play.play_random_steps,
        forms or every,
        st.integers(0, 10**6),
        st.integers(0, 160),
        minimum=st.sampled_from(sorted(random_play.SCORES_BY_MINIMUM)),
    )
