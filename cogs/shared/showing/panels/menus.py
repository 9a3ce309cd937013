"""The "Other…" menus (any cards of the hand, and special moves), and the page behind the ⋯ button."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.engine.cards.cards import ACE, BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Kind
from bot.engine.cards.meld_places import family_of
from bot.engine.moves.actions import LayRun, Meld
from bot.engine.moves.phases import Phase
from bot.engine.table.views import MeldView, SeatView
from bot.i18n import Words
from bot.tables.state.snapshots import SeatSnapshot, Status, TableSnapshot
from cogs.shared.discord_api.card_emojis import EmojiOf
from cogs.shared.discord_api.components import (
    DANGER,
    GREY,
    RED,
    SECONDARY,
    Option,
    Page,
    Part,
    button,
    button_rows,
    container,
    page,
    select,
    text,
)
from cogs.shared.discord_api.panel_state import PanelState
from cogs.shared.reading import card_text, typed_steps
from cogs.shared.reading import meld_draft as drafts
from cogs.shared.reading.card_text import KIND_LETTERS
from cogs.shared.reading.custom_ids import MOST_OPTIONS, ControlId
from cogs.shared.reading.meld_draft import NOTHING, Draft, StagedMeld
from cogs.shared.showing.panels import labels
from cogs.shared.telling.picture_signs import explain_all_signs


@dataclass(frozen=True, slots=True)
class Menus:
    """Builds the menus of one panel."""

    words: Words
    snapshot: SeatSnapshot
    draft: Draft
    emoji: EmojiOf

    def all_menus(self, view: SeatView) -> list[Part]:
        """Return all menus of the panel that offer at least one choice."""
        found = [
            self.card_menu(view),
            self.wild_card_target_menu(view),
            self.meld_change_menu(view),
            self.move_menu(view),
        ]
        return [one for one in found if one is not None]

    def _control(self, action: str) -> ControlId:
        return ControlId(self.snapshot.table.id, self.snapshot.table.version, action, str(self.draft))

    def wild_card_menu(self, view: SeatView) -> Part | None:
        """Return the menu *Put a wild card on…*, with each kind of wild card for each meld that takes one.

        It has at most 25 entries; None without any.
        """
        if self.draft or not view.side.opened:
            return None
        lying = {meld.place: meld for meld in view.side.melds}
        steps = [
            step
            for step in view.legal
            if isinstance(step, Meld) and step.place in lying and step.size == step.twos + step.jokers == 1
        ]
        options = []
        for step in typed_steps.distinct_steps(view, steps):
            told = self._wild_card_label(view, lying[step.place], JOKER if step.jokers else TWO)
            told = labels.label_with_price(self.words, told, labels.price_of_step(view, step))
            options.append(Option(typed_steps.menu_value(step), told))
        return select(self._control("move"), self.words("panel.wild_on"), options[:MOST_OPTIONS])

    def _wild_card_label(self, view: SeatView, meld: MeldView, wild: Kind) -> str:
        """Return the label of a wild card on a meld: "2 → kings · 6 of 7", "JK → nines · canasta, mixed"."""
        size = view.table.rules.canasta_size
        kinds = typed_steps.joined_meld_text(self.words, view, meld.place)
        told = self.words("panel.button_add", cards=card_text.rank_sign(wild << 2), kinds=kinds)
        if meld.size + 1 < size:
            return self.words("panel.wild_size", what=told, size=meld.size + 1, of=size)
        return self.words("panel.wild_canasta" if meld.size + 1 == size else "panel.wild_more", what=told)

    def card_menu(self, view: SeatView) -> Part | None:
        """Return the menu of the hand's cards: each rank, and each wild card; at most 25 choices."""
        counts = drafts.cards_left(self.draft, view.hand)
        values = view.table.rules.card_values
        options = [
            self._card_option(view, KIND_LETTERS[kind], kind, counts[kind], values[kind])
            for kind in (*reversed(NATURAL_KINDS), BLACK_THREE)
            if counts[kind] > 0
        ]
        room = MOST_OPTIONS - len(options)
        jokers = min(counts[JOKER], room // 3)
        for kind, most in ((JOKER, jokers), (TWO, min(counts[TWO], room - jokers))):
            letter = "2" if kind == TWO else "JK"
            options += [
                self._card_option(view, f"{letter}.{count}", kind, count, values[kind]) for count in range(1, most + 1)
            ]
        return select(self._control("choose"), self.words("panel.choose"), options, most=len(options))

    def _card_option(self, view: SeatView, value: str, kind: Kind, count: int, each: int) -> Option:
        told = self._laying_result_text(view, kind, count) or self.words("panel.option_points", points=count * each)
        return Option(value, card_text.meld_text(kind, count), told, emoji=self._card_emoji(view, kind))

    def _laying_result_text(self, view: SeatView, kind: Kind, count: int) -> str:
        """Return what all naturals of a rank now make: an addition, a meld, or one with wild cards.

        Return "" while nothing can be laid, or while a draft is prepared.
        """
        laying = [step for step in view.legal if isinstance(step, Meld)]
        if kind > ACE or not laying or self.draft:
            return ""
        values = view.table.rules.card_values
        those = [step for step in laying if family_of(step.place) == kind and step.naturals == count]
        if not those:
            return self.words("panel.option_no_meld", points=count * values[kind])
        step = min(those, key=lambda one: (one.twos + one.jokers, one.jokers))
        points = count * values[kind] + step.twos * values[TWO] + step.jokers * values[JOKER]
        if any(meld.place == step.place for meld in view.side.melds):
            return self.words("panel.option_joins", points=points, kinds=card_text.kind_word(self.words, kind, 2))
        wilds = step.twos + step.jokers
        if not wilds:
            return self.words("panel.option_meld", points=points)
        return self.words("panel.option_with_wild", count=wilds, points=points)

    def _card_emoji(self, view: SeatView, kind: Kind) -> discord.PartialEmoji | None:
        """Return the emoji of the hand's first card of that kind, or None."""
        return self.emoji(next((card for card in view.hand if card >> 2 == kind), None))

    def wild_card_target_menu(self, view: SeatView) -> Part | None:
        """Return the menu of melds that the waiting wild cards can join."""
        if self.draft.waiting_wild_cards is None:
            return None
        options = [
            Option(
                KIND_LETTERS[kind], self.words("panel.option_target", kinds=card_text.kind_word(self.words, kind, 2))
            )
            for kind in drafts.wild_card_targets(self.draft, view)
        ]
        return select(self._control("target"), self.words("panel.target"), options)

    def meld_change_menu(self, view: SeatView) -> Part | None:
        """Return the menu that changes prepared melds.

        Its entries remove a meld, change its number of natural cards, or take one wild card away.
        """
        removals, changes = [], []
        free = drafts.cards_left(self.draft, view.hand)
        for staged in self.draft.melds:
            nothing = replace(staged, naturals=0, twos=0, jokers=0)
            removals.append(
                Option(str(nothing), self.words("panel.option_remove", meld=labels.staged_meld_label(staged)))
            )
            changes += [(staged, changed) for changed in _meld_variations(staged, free)]
        options = removals + [
            Option(
                str(changed),
                self.words(
                    "panel.option_change",
                    kinds=card_text.kind_word(self.words, staged.kind, 2) if staged.kind is not None else "–",
                    cards=labels.staged_meld_label(changed),
                ),
            )
            for staged, changed in changes
        ]
        return select(self._control("change"), self.words("panel.change"), options)

    def move_menu(self, view: SeatView) -> Part | None:
        """Return the menu of moves that no rank identifies: runs, wild cards alone, one of several melds."""
        options = [
            Option(typed_steps.menu_value(move), self._move_in_words(view, move))
            for move in typed_steps.moves_for_menu(view)
        ]
        return select(self._control("move"), self.words("panel.moves"), options) if options else None

    def _move_in_words(self, view: SeatView, move: typed_steps.Move) -> str:
        told = typed_steps.move_in_words(self.words, view, move)
        price = labels.price_of_step(view, move) if isinstance(move, Meld | LayRun) else 0
        return labels.label_with_price(self.words, told, price)


def _meld_variations(staged: StagedMeld, free: list[int]) -> list[StagedMeld]:
    """Return the prepared meld with other numbers of its cards, as far as the hand has them."""
    if staged.kind is None:
        return []
    most = staged.naturals + max(0, free[staged.kind])
    found = [replace(staged, naturals=count) for count in range(1, most + 1) if count != staged.naturals]
    if staged.twos:
        found.append(replace(staged, twos=staged.twos - 1))
    if staged.jokers:
        found.append(replace(staged, jokers=staged.jokers - 1))
    return [changed for changed in found if changed.size]


_GAME: Final = {
    "score": "more.score",
    "board_text": "more.board_text",
    "fair": "more.fair",
    "signs": "signs.button",
}
_ALWAYS: Final = {"rules": "more.rules", "settings": "more.settings"}
_SEATED: Final = {"leave_ask": "more.leave_ask", "close_game": "more.close"}
"""Labels of the buttons for seated players, by action."""


def more_page(words: Words, snapshot: TableSnapshot, *, is_seated: bool, has_back_button: bool) -> Page:
    """Return the page behind ⋯; if `is_seated`, it lets the player leave, and the back button leads to the panel."""
    playing = snapshot.status is Status.PLAYING
    wanted = _ALWAYS if snapshot.view is None else _GAME | _ALWAYS
    wanted = wanted | _SEATED if playing and is_seated else wanted
    those = [button(_control(snapshot, action), words(key)) for action, key in wanted.items()]
    if has_back_button:
        those.append(button(_control(snapshot, "refresh"), words("panel.back")))
    title = words("more.title", table=snapshot.id)
    return _replacement_page(snapshot, [container(text(title), *button_rows(those), edge=GREY)])


def picture_signs_page(words: Words, snapshot: TableSnapshot, *, has_back_button: bool) -> Page:
    """Return the page that explains every sign of the table's rules; `has_back_button` leads to the panel."""
    told = explain_all_signs(words, snapshot.terms) or [words("signs.none")]
    lines = [words("signs.title", table=snapshot.id), *(f"- {line}" for line in told)]
    those = [button(_control(snapshot, "refresh"), words("panel.back"))] if has_back_button else []
    return _replacement_page(snapshot, [container(text("\n".join(lines)), *button_rows(those), edge=GREY)])


def leaving_page(words: Words, snapshot: TableSnapshot, *, has_back_button: bool) -> Page:
    """Return the page that asks for confirmation before a person leaves a running game."""
    between = snapshot.view is not None and snapshot.view.phase is Phase.BETWEEN
    those = [button(_control(snapshot, "leave"), words("more.leave"), style=DANGER)]
    if has_back_button:
        those.append(button(_control(snapshot, "refresh"), words("panel.back"), style=SECONDARY))
    said = words("more.leave_between" if between else "more.leave_sure")
    return _replacement_page(snapshot, [container(text(said), *button_rows(those), edge=RED)])


def _control(snapshot: TableSnapshot, action: str) -> ControlId:
    return ControlId(snapshot.id, snapshot.version, action)


def _replacement_page(snapshot: TableSnapshot, parts: Sequence[Part]) -> Page:
    """Return a page that replaces the panel until the next event restores it."""
    made = page(parts)
    return Page(made.view, shown=PanelState(snapshot.id, snapshot.version, NOTHING, waits=True))
