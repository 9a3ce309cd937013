"""Build the private panel of a seat as a page: title, news, picture, controls. Pure.

Control actions: `draw`, `keep`, `take`, `play`, `open`, `lay`, `undo`, `out`, `discard`, `discard_card`,
`discard_surely`, `ask`, `announce`, `yes`, `no`, `pass`, `show`, `move`, `next`, `rematch` and `anyway` play, and are
refused if the table has changed; `stage`, `other`, `choose`, `change`, `target`, `clear` only change the draft;
`refresh`, `more`, `premove` and `hint` only show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum, auto
from typing import Any, Final

from discord import ui

from bot.engine.cards.cards import Card, Kind
from bot.engine.moves.actions import PASS
from bot.engine.moves.phases import Phase
from bot.engine.rules.rule_set import number_in_deal
from bot.engine.table.views import SeatView, SideView
from bot.i18n import Words, theme_words
from bot.tables.state.snapshots import SeatSnapshot
from cogs.shared.discord_api.card_emojis import EmojiOf, no_emoji
from cogs.shared.discord_api.components import (
    DANGER,
    LONGEST_TEXT,
    MOST_COMPONENTS,
    PRIMARY,
    RED,
    SUCCESS,
    TEXT_STYLE,
    Page,
    Part,
    Picture,
    button,
    button_row,
    button_rows,
    container,
    gallery,
    page,
    separator,
    small_text,
    suits_as_text,
    text,
)
from cogs.shared.discord_api.panel_state import PanelState
from cogs.shared.reading import card_text
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.meld_draft import NOTHING, Draft
from cogs.shared.showing.open_questions import end_pause_button
from cogs.shared.showing.panels import labels, reasons, titles
from cogs.shared.showing.panels.buttons import MOST_LAYINGS, Buttons
from cogs.shared.showing.panels.hint_page import HintDisplay
from cogs.shared.showing.panels.menus import Menus
from cogs.shared.showing.panels.review_page import review_button
from cogs.shared.showing.panels.titles import WAITING, Stage, edge_colour, may_lay_melds, stage_of
from cogs.shared.showing.paragraphs import paragraph_button
from cogs.shared.telling import names, status_text
from cogs.shared.telling.names import picture_words


class PanelPart(Enum):
    """The part of a panel shown below its title and picture."""

    PLAY = auto()  # the usual actions
    OTHER = auto()  # the menus to combine any cards
    SUITS = auto()  # choose which card of a rank to discard
    SURELY = auto()  # confirm a discard
    ASK = auto()  # confirm a question to the partner without a way to go out
    HINT = auto()  # a hint, with its first act


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelView:
    """How to show a panel: its draft, the part below the picture, and a note on what just happened.

    `offer` is a refused action that may be done at a penalty (`cogs.shared.reading.penalty_attempts`), `offer_label`
    its button's text, `paragraph` the rule that sets the penalty; `kind` is the rank a question is about, `hint` the
    hint.
    """

    note: str = ""
    draft: Draft = NOTHING
    side: PanelPart = PanelPart.PLAY
    kind: Kind = 0
    offer: str = ""
    offer_label: str = ""
    paragraph: str = ""
    hint: HintDisplay | None = None


PLAIN: Final = PanelView()
"""An empty draft and no note."""


MOST_ABOVE: Final = 1600
"""Maximum characters above the picture."""

MOST_AFTER: Final = 1100
"""Maximum characters of news since the player's turn, if shown below the controls."""

LEAST_ABOVE: Final = 700
LEAST_AFTER: Final = 300
"""Least characters for the text above the picture, and for the news, however long the other is."""

OF_CONTROLS: Final = 300
"""Characters reserved for headings between controls.

The rest of Discord's limit is for the text below the picture.
"""


class OmittedControls(IntEnum):
    """Controls to leave out of a panel with too many components.

    Each value also leaves out those before it.
    """

    NOTHING = 0
    MENU = 1  # the menu of wild cards
    HINT = 2
    FOURTH_LAYING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Everything that a panel's message is built from.

    `shown` says how to show it; the hand must hold its draft. `since` is what others did since the seat's own turn, one
    line each; `picture` shows the hand, or the text `description` replaces it; `sign` explains a sign on it.
    """

    words: Words
    snapshot: SeatSnapshot
    shown: PanelView = PLAIN
    since: Sequence[str] = ()
    picture: Picture | None = None
    description: str = ""
    sign: str = ""
    emoji: EmojiOf = no_emoji
    leave_out: OmittedControls = OmittedControls.NOTHING

    def page(self) -> Page:
        """Return the panel as a message, without less important controls if it has too many."""
        stage = stage_of(self.snapshot)
        edge = RED if self.shown.offer or self.shown.side is PanelPart.SURELY else edge_colour(stage)
        parts = [part for part in self._page_parts(stage) if part is not None]
        if 1 + sum(map(_count_components, parts)) > MOST_COMPONENTS and self.leave_out < max(OmittedControls):
            return replace(self, leave_out=OmittedControls(self.leave_out + 1)).page()
        pictures = () if self.picture is None else (self.picture,)
        shown = PanelState(self.snapshot.table.id, self.snapshot.table.version, self.shown.draft, stage in WAITING)
        return Page(page([container(*parts, edge=edge)]).view, pictures, shown=shown)

    def _page_parts(self, stage: Stage) -> Iterable[Part | None]:
        words, view = self.words, self.snapshot.view
        make = Buttons(words, self.snapshot, self.shown.draft, self.emoji)
        if view is None:
            yield text(
                "\n".join(filter(None, [f"### {titles.panel_title(words, self.snapshot, stage)}", *self._note_lines()]))
            )
            yield from button_rows([make.plain_button("refresh", "panel.refresh")])
            return
        before = stage in WAITING or view.table.phase is Phase.DRAW
        news = (
            self._news_text() if before else ""
        )  # in other stages the controls are needed at once, and news would push them down
        below = "\n".join(filter(None, self._text_below_picture(stage, view)))
        # Without a picture, the hand and the table in words are more important than the news, which is cut.
        room = LONGEST_TEXT - OF_CONTROLS - len(suits_as_text(below))
        head = "\n".join(filter(None, [*self._title_lines(stage, view), news]))
        head = self._shorten_text(head, min(MOST_ABOVE, max(room, LEAST_ABOVE)))
        room -= len(suits_as_text(head))
        after = "" if news else self._shorten_text(self._news_text(), min(MOST_AFTER, max(room, LEAST_AFTER)))
        yield text(head)
        yield gallery(self.picture)
        taken = len(suits_as_text(head)) + len(suits_as_text(after))
        yield text(self._shorten_text(below, LONGEST_TEXT - OF_CONTROLS - taken)) if below else None
        yield from self._control_parts(stage, view, make)
        if after:
            yield separator()
            yield text(after)

    # --- words

    def _note_lines(self) -> list[str]:
        return self.shown.note.splitlines()

    def _title_lines(self, stage: Stage, view: SeatView) -> list[str]:
        """Return lines with the panel's title, what just happened, and details below the title."""
        time = status_text.own_time_line(self.words, self.snapshot.table, self.snapshot.seat)
        texts = [time] if time and time not in self.shown.note else []  # the welcome note already contains the time
        lines = [f"### {titles.panel_title(self.words, self.snapshot, stage)}", *texts, *self._note_lines()]
        if self.shown.side is PanelPart.PLAY and not self.shown.draft:
            lines += titles.title_details(self.words, self.snapshot, stage)
            lines += reasons.lines_below_title(self.words, self.snapshot, stage)
        if self.shown.hint is not None:
            lines.append(self.shown.hint.text)
        lines += self._draft_lines(view)
        return [*lines, *self._theme_lines(view)]

    def _draft_lines(self, view: SeatView) -> list[str]:
        """Return lines on the cards prepared or laid for the initial meld, with their points."""
        words, side = self.words, view.side
        laid = view.laid_points if view.must_act else 0
        if self.shown.draft:
            melds = ", ".join(labels.staged_meld_label(staged) for staged in self.shown.draft.melds)
            points = self.shown.draft.points(view.table.rules) + (0 if side.opened else laid)
            if side.opened:
                return [words("panel.staged", melds=melds, points=points)]
            return [self._initial_meld_progress("staged", side, points, melds=melds)]
        if laid and not side.opened:
            return [self._initial_meld_progress("laid", side, laid)]
        return []

    def _initial_meld_progress(self, key: str, side: SideView, points: int, **more: str) -> str:
        """Return a line with the points laid so far, the minimum, and the canasta that is needed.

        `key` chooses the sentence.
        """
        if side.canasta == "none":
            return self.words(f"panel.{key}_minimum", points=points, minimum=side.minimum, **more)
        canasta = picture_words(self.words).required_canasta_text(side.canasta, side.minimum)
        return self.words(f"panel.{key}_canasta", points=points, canasta=canasta, **more)

    def _theme_lines(self, view: SeatView) -> list[str]:
        """Return lines on the themes' tasks in this deal, and on the seat's own rank if each seat has one."""
        if view.table.actor is None:
            return []
        lines = names.theme_texts(self.words, self.snapshot.table)
        own = theme_words.own_ranks_text(self.words, self.snapshot.table.terms.theme, view.table.deal, view.seat)
        return [*lines, self.words("panel.theme_own", ranks=own)] if own else lines

    def _text_below_picture(self, stage: Stage, view: SeatView) -> list[str]:
        """Return the text below the picture, or in its place if there is none."""
        lines = [self.description]
        exposed = view.table.seats[view.seat].exposed
        if exposed:
            lines.append(self.words("panel.exposed", cards=card_text.cards_label(exposed)))
        if stage is Stage.ASKED:
            lines.append(titles.answer_consequences_text(self.words, self.snapshot))
        if view.must_act and stage is not Stage.ASKED:
            lines += status_text.restriction_lines(self.words, view)
        now = reasons.score_now_text(self.words, self.snapshot)
        lines += [one if self.description else f"-# {one}" for one in (now, self.sign) if one]
        return lines

    def _news_text(self) -> str:
        """Return what others did, in small print; in normal size for readers without pictures."""
        lines = self.since if self.description else [f"-# {line}" for line in self.since]
        return "\n".join([self.words("panel.since"), *lines]) if lines else ""

    def _shorten_text(self, message: str, most: int) -> str:
        """Return the text cut to `most` characters as sent; a black suit counts as two."""
        sent = suits_as_text(message)
        if len(sent) <= most:
            return message
        kept = sent[: most - 1]
        whole = kept.removesuffix("♠").removesuffix("♣") if sent[most - 1] == TEXT_STYLE else kept
        return message[: len(whole) - whole.count(TEXT_STYLE)] + "…"

    # --- controls

    def _control_parts(self, stage: Stage, view: SeatView, make: Buttons) -> Iterable[Part | None]:
        if self.shown.side is PanelPart.OTHER and view.must_act:
            yield from Menus(self.words, self.snapshot, self.shown.draft, self.emoji).all_menus(view)
            yield from button_rows([*make.lay_draft_buttons(view), make.plain_button("panel", "panel.back")])
            return
        if self.shown.side is PanelPart.SURELY:
            yield from button_rows(make.confirm_discard_buttons(self.shown.kind))
            return
        if self.shown.side is PanelPart.ASK:
            yield from button_rows(
                [make.plain_button("ask", "panel.ask_all_the_same"), make.plain_button("refresh", "panel.back")]
            )
            return
        if self.shown.hint is not None:
            control = ControlId(self.snapshot.table.id, self.snapshot.table.version, *self.shown.hint.control)
            first = button(control, self.shown.hint.label, style=SUCCESS)
            yield from button_rows([first, make.plain_button("refresh", "panel.back")])
            return
        if self.shown.side is PanelPart.SUITS:
            yield text(self.words("panel.which_card", cards=card_text.kind_word(self.words, self.shown.kind, 2)))
            yield from button_rows(
                [*make.suit_buttons(view, self.shown.kind), make.plain_button("refresh", "panel.back")]
            )
            return
        yield from self._stage_controls(stage, view, make)
        if self.shown.offer:
            control = ControlId(self.snapshot.table.id, self.snapshot.table.version, "anyway", self.shown.offer)
            anyway = button(control, self.shown.offer_label, style=DANGER)
            yield button_row(anyway, paragraph_button(self.words, self.shown.paragraph))

    def _stage_controls(self, stage: Stage, view: SeatView, make: Buttons) -> Iterable[Part | None]:
        if stage is Stage.ASKED:
            yes = make.plain_button("yes", "panel.yes", SUCCESS)
            yield from button_rows(
                [yes, make.plain_button("no", "panel.no", DANGER), *self._hint_buttons(make), make.more_button()]
            )
        elif stage is Stage.BETWEEN:
            review = review_button(self.words, self.snapshot.table, self.snapshot.seat)
            following = [
                make.plain_button("next", "panel.next_deal", PRIMARY),
                make.plain_button("word", "panel.add_word"),
            ]
            yield from button_rows([*following, *review, make.more_button()])
        elif stage is Stage.OVER:
            again = (
                make.plain_button("rematch", "panel.play_again", SUCCESS)
                if self.snapshot.table.contest is None
                else None
            )
            review = review_button(self.words, self.snapshot.table, self.snapshot.seat)
            yield from button_rows(
                [*filter(None, [again]), make.plain_button("new_table", "panel.new_table"), *review, make.more_button()]
            )
        elif stage is Stage.PAUSED:
            yield from button_rows(
                [*self._pause_controls(), make.plain_button("refresh", "panel.refresh"), make.more_button()]
            )
        elif stage in WAITING or stage is Stage.CLOSED:
            yield from button_rows(
                [make.plain_button("refresh", "panel.refresh"), *make.premove_buttons(stage), make.more_button()]
            )
        elif view.table.phase is Phase.DRAW:
            yield from self._draw_controls(stage, view, make)
        else:
            yield from self._play_controls(stage, view, make)

    def _hint_buttons(self, make: Buttons) -> list[ui.Button[Any]]:
        return make.hint_buttons() if self.leave_out < OmittedControls.HINT else []

    def _pause_controls(self) -> list[ui.Button[Any]]:
        """Return the button *Go on* if the players may end the pause, else none."""
        found = end_pause_button(self.words, self.snapshot.table)
        return [] if found is None else [found]

    def _draw_controls(self, stage: Stage, view: SeatView, make: Buttons) -> Iterable[Part | None]:
        out = make.going_out_buttons(view, stage)
        yield from button_rows(out)
        saying = [] if out else make.ask_or_announce_buttons(view)
        yield from button_rows(
            [*make.draw_buttons(view), *saying, *make.undo_buttons(view), *self._hint_buttons(make), make.more_button()]
        )
        takes = make.take_buttons(view)
        if takes:
            yield separator()
            yield small_text(self._take_heading(view))
            yield from button_rows(takes)
        if may_lay_melds(view):
            yield from button_rows(
                [*make.laying_buttons(view), *make.lay_draft_buttons(view), *make.menu_buttons(view)]
            )
        elif self.shown.draft or (takes and not view.side.opened):
            yield from button_rows([*make.clear_draft_buttons(), make.plain_button("other", "panel.other")])

    def _take_heading(self, view: SeatView) -> str:
        """Return the heading above the buttons to take the pile.

        It says how many cards the player gets, of how many, and names the top card.
        """
        pile, numbers = view.table.pile, view.table.rules.pile_take
        top = "" if pile.top is None else self._card_text(pile.top)
        most = pile.cards if numbers is None else number_in_deal(numbers, view.table.deal)
        if most < pile.cards:
            return self.words("panel.take_some_heading", count=most, cards=pile.cards, top=top)
        return self.words("panel.take_heading", count=pile.cards, top=top)

    def _card_text(self, card: Card) -> str:
        """Return a card as a sign, or in words for readers without pictures."""
        return picture_words(self.words).spoken_card_name(card) if self.description else card_text.card_label(card)

    def _play_controls(self, stage: Stage, view: SeatView, make: Buttons) -> Iterable[Part | None]:
        first = [*make.show_hand_buttons(view), *make.going_out_buttons(view, stage), *make.initial_meld_buttons()]
        yield from button_rows(first[:5])
        saying = [] if stage in _ANNOUNCING_STAGES or first else make.ask_or_announce_buttons(view)
        most = MOST_LAYINGS - (self.leave_out >= OmittedControls.FOURTH_LAYING)
        layings = [
            *make.laying_buttons(view)[:most],
            *make.join_and_reclaim_buttons(view),
            *make.menu_buttons(view),
            *make.undo_buttons(view),
            *saying,
        ]
        yield from button_rows([*layings, *make.lay_draft_buttons(view)][:10])
        if self.leave_out < OmittedControls.MENU:
            yield Menus(self.words, self.snapshot, self.shown.draft, self.emoji).wild_card_menu(view)
        discards = [] if self.shown.draft else make.discard_buttons(view)
        if PASS in view.legal:
            yield from button_rows([make.plain_button("pass", "panel.pass")])
        if discards:
            yield separator()
            yield None if stage is Stage.DISCARD else small_text(self.words("panel.discard_heading"))
        yield from button_rows(discards)
        yield from button_rows(
            [*self._hint_buttons(make), make.more_button()]
        )  # *Hint* has a row of its own: beside the cards it would look like a discard


def _child_components(part: Part) -> list[Any]:
    return list(getattr(part, "children", ()))


def _count_components(part: Part) -> int:
    accessory = 1 if getattr(part, "accessory", None) is not None else 0
    return 1 + len(_child_components(part)) + accessory


_ANNOUNCING_STAGES = (Stage.BOUND, Stage.MUST_ASK, Stage.MUST_ANNOUNCE, Stage.CAN_GO_OUT)
"""Stages in which the buttons to ask or announce are next to the button to go out."""
