"""The buttons of a panel; each exists only while it can be used.

A control's argument stores what it was built with: prepared melds (`cogs.shared.reading.meld_draft`), the text of a
step (`cogs.shared.reading.typed_steps`) or a rank. It is checked again when it comes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from discord import ui

from bot.engine.cards.cards import Kind
from bot.engine.moves.actions import ANNOUNCE, ASK, DRAW, DRAW_KEEPING, PASS, Combine, Discard, Reclaim, Show
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.tables.advice import LayOffer, TakeWay
from bot.tables.state.snapshots import SeatSnapshot
from cogs.shared.discord_api.card_emojis import EmojiOf
from cogs.shared.discord_api.components import DANGER, PRIMARY, SECONDARY, SUCCESS, button, fit_text
from cogs.shared.reading import card_text, penalty_attempts, typed_steps
from cogs.shared.reading.card_text import DISCARD_VALUES
from cogs.shared.reading.custom_ids import LONGEST, ControlId, IdError
from cogs.shared.reading.meld_draft import Draft
from cogs.shared.showing.panels import labels, titles
from cogs.shared.showing.panels.titles import Stage, may_lay_melds
from cogs.shared.telling import turn_text
from render.layouts.hand import sort_by_rank

Button: TypeAlias = ui.Button[Any]

HINT: Final = "hint"
"""Action that asks for a hint."""

MOST_OF_NAMES: Final = 40
"""Characters of the partners' names on the button that asks them."""

MOST_LAYINGS: Final = 4
"""Maximum buttons that lay melds; other melds are in the "Other…" menus."""

MOST_TAKES: Final = 5
MOST_DISCARDS: Final = 15


@dataclass(frozen=True, slots=True)
class Buttons:
    """Builds the buttons of one panel. Each method returns an empty list if its buttons are of no use now."""

    words: Words
    snapshot: SeatSnapshot
    draft: Draft
    emoji: EmojiOf

    def _control(self, action: str, argument: str = "") -> ControlId:
        return ControlId(self.snapshot.table.id, self.snapshot.table.version, action, argument)

    def _control_with_draft(self, action: str) -> ControlId:
        return self._control(action, str(self.draft))

    def plain_button(self, action: str, key: str, style: Any = SECONDARY) -> Button:
        """Return a button that stores only the draft; `key` is its label's catalogue key."""
        return button(self._control_with_draft(action), self.words(key), style=style)

    def more_button(self) -> Button:
        """Return the button for rarely used actions."""
        return button(self._control("more"), "⋯")

    def hint_buttons(self) -> list[Button]:
        """Return the button *Hint*, if the seat must act at a table with hints."""
        view = self.snapshot.view
        wanted = view is not None and view.must_act and self.snapshot.table.has_hints
        return [button(self._control(HINT), self.words("hint.button"))] if wanted else []

    def premove_buttons(self, stage: Stage) -> list[Button]:
        """Return the button for automatic moves, if the player has to wait for their turn."""
        wanted = stage is Stage.WAITING and len(self.snapshot.table.persons) > 1
        return [button(self._control("premove"), self.words("premove.button"))] if wanted else []

    def _laying_button_style(self, price: int) -> Any:
        """Return the style of a button that lays melds: green unless they cost points if the deal ends now."""
        return SUCCESS if price >= 0 else SECONDARY

    # --- the beginning of a turn

    def draw_buttons(self, view: SeatView) -> list[Button]:
        """Return the buttons: draw, draw and keep a three, pass, show a special hand."""
        found = [self.plain_button("draw", "panel.draw", PRIMARY)] if DRAW in view.legal else []
        if DRAW_KEEPING in view.legal:
            found.append(self.plain_button("keep", "panel.keep"))
        if PASS in view.legal:
            found.append(self.plain_button("pass", "panel.pass"))
        return found + self.show_hand_buttons(view)

    def take_buttons(self, view: SeatView) -> list[Button]:
        """Return a button per way to take the pile; the one that costs no cards is green."""
        top = view.table.pile.top
        if top is None:
            return []
        takes = self.snapshot.offers.takes
        distinct = typed_steps.distinct_steps(view, [way.step for way in takes])
        found = []
        for number, way in enumerate(takes):
            if way.step not in distinct:
                continue
            control = self._control("take", f"{number}.{self.draft}")
            style = self._laying_button_style(way.price) if way.step.is_addition else SECONDARY
            found.append(button(control, self._take_label(view, top >> 2, way), style=style))
        return found[:MOST_TAKES]

    def _take_label(self, view: SeatView, top: Kind, way: TakeWay) -> str:
        if way.step.onto is not None:
            text = typed_steps.move_in_words(self.words, view, way.step)
        else:
            text = turn_text.take_label(self.words, top, way.step)
        added = " · ".join(labels.laying_label_in_list(self.words, laying) for laying in way.added)
        if added:
            text = self.words("panel.button_and", first=text, second=added)
        if way.points is not None and not view.side.opened:
            text = self.words("panel.button_makes", what=text, points=way.points)
        return labels.label_with_price(self.words, text, way.price)

    # --- laying

    def going_out_buttons(self, view: SeatView, stage: Stage) -> list[Button]:
        """Return the buttons to go out, or to ask the partner or announce it first."""
        way = self.snapshot.offers.way_out
        if way is None:
            return []
        direct = [self.plain_button("out", "panel.go_out", SUCCESS)] if stage in (Stage.CAN_GO_OUT, Stage.BOUND) else []
        return direct + self.ask_or_announce_buttons(view, first=not direct)

    def ask_or_announce_buttons(self, view: SeatView, *, first: bool = False) -> list[Button]:
        """Return the buttons to ask the partner and to announce going out."""
        style = SUCCESS if first else SECONDARY
        found = []
        if ASK in view.legal and self.snapshot.offers.way_out is not None:
            partners = fit_text(titles.partner_names(self.words, self.snapshot), MOST_OF_NAMES, may_be_cut=True)
            label = self.words("panel.ask_whom", name=partners)
            found.append(button(self._control_with_draft("ask"), label, style=style))
        if ANNOUNCE in view.legal:
            found.append(self.plain_button("announce", "panel.announce", style))
        return found

    def show_hand_buttons(self, view: SeatView) -> list[Button]:
        """Return the button to show a special hand."""
        return (
            [self.plain_button("show", "panel.show", SUCCESS)]
            if any(isinstance(step, Show) for step in view.legal)
            else []
        )

    def initial_meld_buttons(self) -> list[Button]:
        """Return the button that makes the initial meld, or the additions that the draft needs for it."""
        opening = self.snapshot.offers.opening
        if opening is None or (self.draft and not opening.added):
            return []
        cards = " · ".join(labels.laying_label_in_list(self.words, laying) for laying in opening.added)
        if self.draft:
            added = sum(laying.points for laying in opening.added)
            label = self.words("panel.button_completes", cards=cards, added=added, points=opening.points)
        else:
            label = self.words("panel.button_opens", cards=cards, points=opening.points)
        label = labels.label_with_price(self.words, label, opening.price)
        return [button(self._control_with_draft("open"), label, style=self._laying_button_style(opening.price))]

    def laying_buttons(self, view: SeatView) -> list[Button]:
        """Return a button per meld or addition.

        It lays the cards at once if the side has opened; before, it adds them to the draft.
        """
        opening = self.snapshot.offers.opening
        alone = opening.added[0].step if opening is not None and len(opening.added) == 1 else None
        # A meld that meets the initial minimum by itself already has its own button.
        layings = self.snapshot.offers.layings
        distinct = typed_steps.distinct_steps(view, [laying.step for laying in layings])
        those = (laying for laying in layings if laying.step != alone and laying.step in distinct)
        found = (self._laying_button(view, laying) for laying in those)
        return [one for one in found if one is not None][:MOST_LAYINGS]

    def _laying_button(self, view: SeatView, laying: LayOffer) -> Button | None:
        label = labels.laying_label(self.words, view, laying)
        staged = labels.step_as_staged_meld(laying.step)
        if view.side.opened or staged is None:
            if self.draft or laying.step not in view.legal:
                return None
            return button(self._control("play", typed_steps.menu_value(laying.step)), label)
        before = self.draft.meld_of(staged.kind)
        if before.size:
            return None
        label = self.words("panel.button_plus", what=label) if self.draft else label
        return _draft_button("stage", self.snapshot, self.draft.with_meld(staged), label)

    def join_and_reclaim_buttons(self, view: SeatView) -> list[Button]:
        """Return buttons to join melds and to take back wild cards, as many as there is room for."""
        steps = [step for step in view.legal if isinstance(step, Combine | Reclaim)]
        return [
            button(self._control("play", typed_steps.menu_value(step)), labels.step_label(self.words, view, step))
            for step in typed_steps.distinct_steps(view, steps)[:2]
        ]

    def lay_draft_buttons(self, view: SeatView) -> list[Button]:
        """Return the buttons to lay the draft or put it back."""
        if not self.draft:
            return []
        lacking, price = self._missing_for_initial_meld_text(view), self.snapshot.offers.staged_price
        if lacking:
            lay = button(self._control_with_draft("lay"), lacking, enabled=False)
        else:
            label = self.words("panel.lay_points", points=self.draft.points(view.table.rules))
            label = labels.label_with_price(self.words, label, price)
            lay = button(self._control_with_draft("lay"), label, style=self._laying_button_style(price))
        return [*self.clear_draft_buttons(), lay]

    def _missing_for_initial_meld_text(self, view: SeatView) -> str:
        """Return what the draft still lacks for an initial meld; "" if it can be laid."""
        if not self._must_open(view):
            return ""
        points = max(0, view.side.minimum - view.laid_points - self.draft.points(view.table.rules))
        if points:
            return self.words("panel.lay_missing", points=points)
        opening = self.snapshot.offers.opening
        if view.side.canasta == "none" or (opening is not None and not opening.added):
            return ""
        natural = view.side.canasta == "natural_canasta"
        return self.words("panel.lay_natural_canasta" if natural else "panel.lay_canasta")

    def clear_draft_buttons(self) -> list[Button]:
        """Return the button that clears the draft."""
        return [self.plain_button("clear", "panel.clear")] if self.draft else []

    def _must_open(self, view: SeatView) -> bool:
        """Return whether the draft must meet the minimum.

        It need not if it goes out, or if the player tries it at a penalty.
        """
        if (
            view.side.opened
            or self.draft.waiting_wild_cards is not None
            or penalty_attempts.may_try_opening_below_minimum(view)
        ):
            return False
        return len(view.hand) - self.draft.size > 1

    def undo_buttons(self, view: SeatView) -> list[Button]:
        """Return the button that takes back the last laid cards."""
        return [self.plain_button("undo", "panel.undo")] if view.can_take_back else []

    def menu_buttons(self, view: SeatView) -> list[Button]:
        """Return the button *Other…* that opens the menus, if any meld can be laid."""
        wanted = may_lay_melds(view) or bool(self.draft) or penalty_attempts.may_try_opening_below_minimum(view)
        return [self.plain_button("other", "panel.other")] if wanted else []

    # --- the end of a turn

    def discard_buttons(self, view: SeatView) -> list[Button]:
        """Return a button per rank that may be discarded, in the picture's order; at most fifteen."""
        kinds = [step.kind for step in view.legal if isinstance(step, Discard)]
        order = list(dict.fromkeys(card >> 2 for card in sort_by_rank(view.hand)))
        kinds.sort(key=lambda kind: order.index(kind) if kind in order else len(order))
        return [self._discard_button(view, kind) for kind in kinds[:MOST_DISCARDS]]

    def _discard_button(self, view: SeatView, kind: Kind) -> Button:
        cards = [card for card in view.hand if card >> 2 == kind]
        emoji = self.emoji(cards[0]) if cards else None
        label = labels.discard_label(self.words, kind, len(cards), view.table.rules, pictured=emoji is not None)
        return button(self._control("discard", DISCARD_VALUES[kind]), label, emoji=emoji)

    def suit_buttons(self, view: SeatView, kind: Kind) -> list[Button]:
        """Return a button per card of a rank, to choose which one is discarded."""
        cards = dict.fromkeys(card for card in sort_by_rank(view.hand) if card >> 2 == kind)
        return [
            button(self._control("discard_card", str(card)), card_text.card_label(card), emoji=self.emoji(card))
            for card in cards
        ]

    def confirm_discard_buttons(self, kind: Kind) -> list[Button]:
        """Return the buttons that confirm a discard."""
        return [
            button(
                self._control("discard_surely", DISCARD_VALUES[kind]),
                self.words("panel.discard_surely", card=card_text.rank_label(kind)),
                style=DANGER,
            ),
            self.plain_button("refresh", "panel.back"),
        ]


def _draft_button(action: str, snapshot: SeatSnapshot, draft: Draft, label: str) -> Button | None:
    """Return a button that stores the draft, or None if the draft is too long for a control."""
    control = ControlId(snapshot.table.id, snapshot.table.version, action, str(draft))
    try:
        return button(control, label) if len(str(control)) <= LONGEST else None
    except IdError:
        return None
