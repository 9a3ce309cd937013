"""Every rule set and number of players is shown at positions of a deal.

Shown are panels, words, suggestions, pictures and score sheets.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final

import pytest

from bot.computer.player import player_for
from bot.engine.cards.cards import ACE, RANK_LETTERS, TWO
from bot.engine.moves.actions import (
    Announce,
    Answer,
    Ask,
    Combine,
    Discard,
    Draw,
    DrawKeeping,
    LayMelds,
    LayRun,
    Meld,
    Pass,
    Reclaim,
    Show,
    Step,
    Take,
)
from bot.engine.moves.events import Event
from bot.engine.moves.phases import Phase
from bot.engine.moves.refusals import Code
from bot.engine.play.building_views import seat_view
from bot.engine.play.decide import decide, why_not_allowed
from bot.engine.rules.rule_set import RuleSet
from bot.engine.rules.sets import RULE_SETS, player_counts, rule_set
from bot.engine.table.applying_events import fold
from bot.engine.table.state import State, seat_to_act
from bot.engine.table.views import SeatView, public_event
from bot.i18n import DEFAULT, Words, locales, words
from bot.profiles.preferences import DEFAULTS
from bot.tables.play.moves import visible_events
from bot.tables.state.snapshots import ActionResult, RecentEvent, SeatSnapshot
from cogs.play import draw_and_take, option_suggestions
from cogs.shared.discord_api.components import Page
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading import typed_play
from cogs.shared.reading.input_problems import InputProblem
from cogs.shared.reading.meld_draft import NOTHING, Draft
from cogs.shared.reading.vocabulary import vocabulary_of
from cogs.shared.showing import board, pages, picture_inputs
from cogs.shared.showing.panels.panel import LEAST_AFTER, PanelPart
from cogs.shared.telling import play_text, score_text, text_only
from render import descriptions
from render.drawing.fonts import FontRuler
from render.layouts import layout_of
from tests.support import panel_pages
from tests.support.discord_limits import TEXT, all_components, broken_limits
from tests.support.engine_games import seat_snapshot
from tests.support.language_faults import longest_words
from tests.support.random_play import deal_with_minimum
from tests.support.seeds import SEARCHING

KNOWN = vocabulary_of()

FORMS: Final = [(name, players) for name in RULE_SETS for players in player_counts(name)]
LONGEST_WORDS: Final = longest_words()
LANGUAGES: Final = (words(), LONGEST_WORDS, *(words(locale) for locale in locales() if locale != DEFAULT))
"""Catalogues that take turns: English, one of the longest text of every key, and every other language."""

NAMES: Final = ("W" * 32, "*" * 32, "<@1>" * 8, "@everyone" + "_" * 20, "South", "West")
SAID: Final[dict[type[Step], str]] = {
    Draw: "draw",
    DrawKeeping: "keep",
    Take: "take the pile",
    Meld: "lay ",
    LayRun: "run",
    Combine: "together",
    Reclaim: "back",
    Discard: "discard",
    Show: "show",
    Ask: "ask",
    Announce: "announce",
    Answer: "answer",
    Pass: "pass",
}
"""A word that names each sort of step in text-only panels."""

RULER: Final = FontRuler()
GAPS: Final = (5, 25) if SEARCHING else (15, 75)
"""Least and most positions that are skipped between two that are shown."""

NEEDS_MORE: Final = {Code.INITIAL_MELD_TOO_LOW}
"""Refusals of steps that are legal only together with further steps."""


def some_positions(rules: RuleSet, seed: int) -> Iterator[tuple[State, tuple[Event, ...], State]]:
    """Yield a few positions of a deal, the last one among them, each with the step that follows."""
    random, computer = Random(seed), player_for("casual", seed)
    state = deal_with_minimum(rules, seed, minimum=15)
    gap = random.randrange(10)
    while (seat := seat_to_act(state)) is not None:
        view = seat_view(state, seat)
        step = computer.choose(view).step if random.random() < 0.8 else random.choice(view.legal)
        events = decide(state, seat, step)
        after = fold(state, events)
        if not gap or seat_to_act(after) is None:
            yield state, events, after
            gap = random.randrange(*GAPS)
        gap -= 1
        state = after


def snapshot_with_events(state: State, seat: int, events: tuple[Event, ...] = ()) -> SeatSnapshot:
    snapshot = seat_snapshot(state, seat, names=NAMES)
    recent = tuple(
        RecentEvent(state.deal, state.turns, getattr(one, "seat", None), public_event(one)) for one in events
    )
    return replace(snapshot, table=replace(snapshot.table, recent=recent))


def check_page_fits(page: Page) -> None:
    assert [] == broken_limits(page.view.to_components())  # type: ignore[no-untyped-call]


@pytest.mark.parametrize(("name", "players"), FORMS)
def test_panels_and_texts_of_positions_fit_under_every_rule_set(name: str, players: int) -> None:
    """Positions are checked by turns: one in all that is shown, the next in whether its panels fit.

    The last one is checked in both ways. Playing a deal takes as long as showing a few of its positions.
    """
    random, turns = Random(players), count(players)
    for number, (before, events, after) in enumerate(some_positions(rule_set(name, players), players)):
        last = seat_to_act(after) is None
        if last or not number % 2:
            check_display_of_position(
                LANGUAGES[number // 2 % len(LANGUAGES)], before, events, after, number=number // 2
            )
        if last or number % 2:
            check_panels_fit(before, after, random, turns=turns)


def check_display_of_position(
    catalogue: Words, before: State, events: tuple[Event, ...], after: State, *, number: int
) -> None:
    """Check what is shown of a position to the player in turn and to another one."""
    check_descriptions(catalogue, before, events, after)
    check_suggestions(catalogue, before)
    for seat in {seat_to_act(before) or 0, number % before.rules.players}:
        check_panel(catalogue, snapshot_with_events(before, seat))
    check_panel(catalogue, snapshot_with_events(after, number % before.rules.players, events))


def check_descriptions(catalogue: Words, before: State, events: tuple[Event, ...], after: State) -> None:
    """Check how a step is described to its player and to the others."""
    seat = seat_to_act(before)
    assert seat is not None
    snapshot = snapshot_with_events(after, seat, events)
    note = play_text.own_action_text(catalogue, ActionResult(snapshot, visible_events(seat, events), repeated=False))
    check_page_fits(panel_pages.panel_page(catalogue, snapshot, note=note))
    lines = play_text.last_round_lines(catalogue, snapshot.table)
    assert all(line and "None" not in line for line in lines)
    assert all(len("\n".join(play_text.last_round_lines(catalogue, snapshot.table, room=60))) <= 60 for _ in lines[:1])


def check_panel(catalogue: Words, snapshot: SeatSnapshot) -> None:
    view = snapshot.view
    assert view is not None
    assert snapshot.table.view is not None
    check_page_fits(panel_pages.panel_page(catalogue, snapshot, note="x" * 300))
    check_page_fits(
        panel_pages.panel_page(
            catalogue, snapshot, description=pages.hand_in_words(catalogue, snapshot, view, DEFAULTS)
        )
    )
    check_page_fits(
        board.board_page(
            catalogue,
            snapshot.table,
            description=text_only.describe_table(catalogue, snapshot.table, snapshot.table.view),
        )
    )
    if view.table.phase in (Phase.BETWEEN, Phase.OVER):
        picture = picture_inputs.score_input(catalogue, snapshot.table, snapshot.table.view)
        assert 0 < len(score_text.game_score_text(catalogue, snapshot.table, snapshot.table.view)) <= TEXT
        assert layout_of(picture, RULER).items
        assert descriptions.full_description(picture)
    else:
        table = picture_inputs.board_input(catalogue, snapshot.table, snapshot.table.view)
        assert layout_of(table, RULER).items
        assert descriptions.full_description(table)
    if view.hand:
        hand = picture_inputs.hand_input(catalogue, snapshot, view)
        assert layout_of(hand, RULER).items
        assert descriptions.full_description(hand)


# --- the fullest panels -----------------------------------------------------------------------------------------------

LONGEST_NAMES: Final = ("W" * 32, "*" * 32, "_" * 32, "<@1>" * 8, "@everyone" + "_" * 20, "\\" * 32)
NEWS: Final = ("x♠" * 150, "y♣" * 150, "z" * 300)
"""The longest news of what others did: 900 characters, with black suits, which take two in a message."""


def check_panels_fit(before: State, after: State, random: Random, *, turns: Iterator[int]) -> None:
    """Check that panels in every stage and style fit, for the player in turn and for another one.

    Discord allows 40 components and 4,000 characters, here with the longest names, numbers and lines. The languages
    take turns; in a search each is tried at every position.
    """
    for state in (before, after):
        for seat in {seat_to_act(state) or 0, random.randrange(state.rules.players)}:
            snapshot = replace(seat_snapshot(state, seat, names=LONGEST_NAMES, version=10**18), seat=seat)
            for catalogue in LANGUAGES if SEARCHING else (LANGUAGES[next(turns) % len(LANGUAGES)],):
                check_both_parts_of_panel_fit(catalogue, state, snapshot, random)


def check_both_parts_of_panel_fit(catalogue: Words, state: State, snapshot: SeatSnapshot, random: Random) -> None:
    view = snapshot.view
    assert view is not None
    drafts_tried = [NOTHING, random_draft(view, random)] if view.must_act else [NOTHING]
    told = pages.hand_in_words(catalogue, snapshot, view, DEFAULTS, used_length=300 + LEAST_AFTER, with_news=False)
    for draft in drafts_tried:
        shown = (
            panel_pages.with_draft(state, snapshot, draft) if draft and draft.waiting_wild_cards is None else snapshot
        )
        for side in (PanelPart.PLAY, PanelPart.OTHER) if view.must_act else (PanelPart.PLAY,):
            check_page_fits(
                panel_pages.panel_page(catalogue, shown, draft=draft, note="x" * 300, since=NEWS, side=side)
            )
            page = panel_pages.panel_page(
                catalogue, shown, draft=draft, note="x" * 300, since=NEWS, side=side, description=told
            )
            check_page_fits(page)
            # `LONGEST_WORDS` is no real language, so its text and labels may be cut.
            assert catalogue is LONGEST_WORDS or [] == panel_pages.repeated_labels(page)
            assert told.replace("♠", "♠\ufe0e").replace("♣", "♣\ufe0e") in page_text(page), "nothing told is cut"
            assert catalogue is LONGEST_WORDS or not told.endswith("…"), "nor was it cut before"
    for kind in {card >> 2 for card in view.hand}:
        for side in (PanelPart.SUITS, PanelPart.SURELY):
            check_page_fits(
                panel_pages.panel_page(catalogue, snapshot, note="x" * 300, since=NEWS, side=side, kind=kind)
            )
    check_page_fits(
        panel_pages.panel_page(
            catalogue, snapshot, note="x" * 300, since=NEWS, offer="x" * 60, price="x" * 60, paragraph="1.22"
        )
    )


def page_text(page: Page) -> str:
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    return "\n".join(one["content"] for one in all_components(components) if one["type"] == 10)


def random_draft(view: SeatView, random: Random) -> Draft:
    """Return a random draft: some ranks of the hand, where possible with a wild card."""
    naturals = sorted({RANK_LETTERS[card >> 2] for card in view.hand if card >> 2 <= ACE})
    draft = NOTHING
    for letter in random.sample(naturals, min(len(naturals), random.randint(1, 8))):
        wild = ["2.1"] if random.random() < 0.3 and any(card >> 2 == TWO for card in view.hand) else []
        with suppress(InputProblem):
            draft = drafts.add_cards(draft, view, [letter, *wild])
    return drafts.fit_draft_to_hand(draft, view.hand)


def check_suggestions(catalogue: Words, state: State) -> None:
    """Check that every suggested move can be typed and is legal, except for the initial minimum."""
    seat = seat_to_act(state)
    assert seat is not None
    view = seat_view(state, seat)
    told = text_only.allowed_actions_text(LANGUAGES[0], view)
    for sort, page_text in SAID.items():
        assert any(isinstance(step, sort) for step in view.legal) <= (page_text in told)
    for label, value in option_suggestions.suggest_melds(catalogue, view, ""):
        assert label
        refusal = why_not_allowed(state, seat, LayMelds(typed_play.parse_melds(value, view, KNOWN)))
        assert refusal is None or refusal.code in NEEDS_MORE, f"{value}: {refusal}"
    for label, value in option_suggestions.suggest_ways_to_take_pile(catalogue, view, ""):
        assert label
        refusal = why_not_allowed(state, seat, draw_and_take.parse_take(catalogue, view, value, None))
        assert refusal is None or refusal.code in NEEDS_MORE, f"{value}: {refusal}"
