"""A finished deal with open hands as HTML: a list of turns that the page's script shows one by one.

Each turn contains only the hands and melds that it changed, so that a whole tournament fits into one file.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from bot.engine.cards.cards import JOKER, Card
from bot.engine.moves.events import DealEnded
from bot.engine.table.views import MeldView, SideView
from bot.i18n import Words
from bot.tables.past.history import Frame, Replay
from bot.tables.state.shuffle import digest_of_contributions
from bot.tables.state.snapshots import Shuffle, TableSnapshot
from cogs.shared.reading import card_text
from cogs.shared.showing.picture_inputs import strip_markup
from cogs.shared.telling import names, play_text, turn_text
from cogs.shared.telling.turn_text import LOGGED, Turn
from cogs.tournament.page.html import escape_html, name_html

RED: Final = (1, 2)
"""Hearts and diamonds."""

AS_TEXT: Final = "\ufe0e"
"""Appended to a suit symbol, so that phones do not show it as an emoji."""


def replay_html(words: Words, replay: Replay, *, board: bool = False) -> str:
    """Return a finished deal as HTML.

    For a `board` the shuffle is left out, because it is the same at all tables.
    """
    view, first = replay.snapshot, replay.frames[0]
    hands = "".join(
        f'<dt>{_holder_name(words, view, replay.deal, seat)}</dt><dd data-s="{seat}">{_hand_html(first, seat)}</dd>'
        for seat in range(len(first.hands))
        if seat not in first.table.resting_seats
    )
    dealer = words("event_page.dealt", name=_holder_name(words, view, replay.deal, first.table.dealer))
    turns = "".join(
        _turn_html(words, replay, before, after)
        for before, after in zip(replay.frames, replay.frames[1:], strict=False)
    )
    after = _deal_end_html(words, replay) + ("" if board else _shuffle_check_html(words, replay))
    return f'<div class="replay"><p>{dealer}</p><dl class="hands">{hands}</dl><ol>{turns}</ol>{after}</div>'


def _turn_html(words: Words, replay: Replay, frame_before: Frame, frame_after: Frame) -> str:
    turn = frame_after.turn
    if turn is None:
        return ""
    view, deal = replay.snapshot, replay.deal
    done = strip_markup(
        turn_text.turn_actions_text(words, view, Turn(deal, turn.number, turn.seat, turn.events), text_style=LOGGED)
    )
    text = f"<b>{_holder_name(words, view, deal, turn.seat, turn.number)}</b> {escape_html(done)}"
    changed = "".join(_changed_parts(words, replay, frame_before, frame_after))
    return f"<li><p>{text}</p>{changed}</li>"


def _changed_parts(words: Words, replay: Replay, frame_before: Frame, frame_after: Frame) -> Iterator[str]:
    """Yield as HTML the hands and melds that the turn changed."""
    actor = None if frame_after.turn is None else frame_after.turn.seat
    for seat in range(len(frame_after.hands)):
        if (frame_before.hands[seat], _foot_cards(frame_before, seat)) != (
            frame_after.hands[seat],
            _foot_cards(frame_after, seat),
        ):
            whose = (
                "" if seat == actor else f"<small>{_holder_name(words, replay.snapshot, replay.deal, seat)}: </small>"
            )
            yield f'<p class="h" data-s="{seat}">{whose}{_hand_html(frame_after, seat)}</p>'
    for was, side in zip(frame_before.table.sides, frame_after.table.sides, strict=True):
        if (was.melds, was.red_threes) != (side.melds, side.red_threes):
            yield f'<p class="m" data-d="{side.side}">{_melds_html(side)}</p>'


def _foot_cards(frame: Frame, seat: int) -> tuple[Card, ...]:
    return frame.feet[seat] if frame.feet else ()


def _hand_html(frame: Frame, seat: int) -> str:
    hand, foot = frame.hands[seat] or (), _foot_cards(frame, seat)
    return f"{_cards_html(hand)} | {_cards_html(foot)}" if foot else _cards_html(hand) or "–"


def _melds_html(side: SideView) -> str:
    shown = [_meld_html(one) for one in side.melds]
    if side.red_threes:
        shown.append(f"<span>{_cards_html(side.red_threes)}</span>")
    return " ".join(shown)


def _meld_html(meld: MeldView) -> str:
    kind = "" if meld.canasta is None else f' class="canasta {meld.canasta}"'
    return f"<span{kind}>{_cards_html(meld.cards)}</span>"


def _cards_html(cards: Iterable[Card]) -> str:
    return " ".join(map(_card_html, cards))


def _card_html(card: Card) -> str:
    kind, suit = card >> 2, card & 3
    if kind == JOKER:
        return "<u>JK</u>"
    text = card_text.card_label(card) + AS_TEXT
    return f"<i>{text}</i>" if suit in RED else text


def _holder_name(words: Words, snapshot: TableSnapshot, deal: int, seat: int, turn: int = 0) -> str:
    """Return the name of the player who held the seat at that time."""
    return name_html(names.holder_name(words, snapshot.holder_at(seat, deal, turn)))


def _deal_end_html(words: Words, replay: Replay) -> str:
    """Return the deal's end and its scores as HTML."""
    view = replay.snapshot.view
    results: Sequence[DealEnded] = () if view is None else view.results
    ended = next((one for one in results if one.deal == replay.deal), None)
    if ended is None:
        return ""
    how = words("happened.deal_over", deal=ended.deal, how=play_text.deal_end_text(words, replay.snapshot, ended))
    return f"<p>{escape_html(strip_markup(how))}</p>"


def _shuffle_check_html(words: Words, replay: Replay) -> str:
    """Return as HTML how to check the shuffle; "" if the cards were not shuffled."""
    shuffle = next((one for one in replay.snapshot.shuffle if one.deal == replay.deal), None)
    if shuffle is None or shuffle.seed is None or shuffle.contributions is None:
        return ""
    summary, command = escape_html(words("event_page.check")), command_html(_shuffle_command(replay, shuffle))
    return f"<details><summary>{summary}</summary>{command}</details>"


def _shuffle_command(replay: Replay, shuffle: Shuffle) -> str:
    rules = replay.snapshot.terms
    return verify_command(
        table=replay.snapshot.id,
        deal=replay.deal,
        commitment=shuffle.commitment,
        seed=shuffle.seed or "",
        client=digest_of_contributions(shuffle.contributions or ()),
        decks=rules.decks,
        jokers_per_deck=rules.jokers_per_deck,
    )


def verify_command(**values: int | str) -> str:
    """Return the command that checks a shuffle by its published values (`docs/shuffle.md`)."""
    told = (f"--{key.replace('_', '-')} {shlex.quote(str(value))}" for key, value in values.items())
    return " ".join(["canasta-bot verify", *told])


def command_html(line: str) -> str:
    """Return a command line as HTML that is easy to copy."""
    return f"<pre><code>{escape(line)}</code></pre>"
