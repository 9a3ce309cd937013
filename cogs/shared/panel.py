"""The private hand panel: a pure rendering of one seat's look, with the controls that are legal now.

Control actions: `draw`, `take`, `take_way`, `move`, `lay`, `undo`, `discard`, `ask`, `announce`, `yes`, `no`, `pass`,
`next` play, `anyway` at a price, and are refused when the table has moved on; `choose`, `change`, `target`, `clear`
only change the draft; `refresh` and `text` show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

import discord

from bot.engine.actions import ANNOUNCE, ASK, DRAW, DRAW_KEEPING, PASS, TAKE_SHOWING, YES, Discard, Meld, Show, Take
from bot.engine.cards import BLACK_THREE, JOKER, NATURAL_KINDS, TWO, Card, Kind
from bot.engine.phases import Phase
from bot.engine.views import SeatView
from bot.i18n import Words, theme_words
from bot.tables.looks import SeatLook, Status
from cogs.shared import attempts, binding, board, card_text, moves, names
from cogs.shared import draft as drafts
from cogs.shared.draft import NOTHING, Draft, Staged
from cogs.shared.ids import ControlId
from cogs.shared.layout import (
    DANGER,
    MOST_OPTIONS,
    PRIMARY,
    SUCCESS,
    Option,
    Page,
    Part,
    Picture,
    button,
    buttons,
    container,
    gallery,
    page,
    select,
    text,
)
from render.layout_hand import hand_order

WAYS: Final = {
    "p": Take(naturals=2),
    "t": Take(naturals=3),
    "2": Take(naturals=1, twos=1),
    "j": Take(naturals=1, jokers=1),
    "a": Take(),
    "w": TAKE_SHOWING,
}
"""How the pile can be taken, by the letter its control carries."""

EmojiOf: TypeAlias = Callable[[Card | None], discord.PartialEmoji | None]
"""The emoji of a card, if there is one."""


def no_emoji(_card: Card | None) -> discord.PartialEmoji | None:
    """Cards stand in text as they are."""
    return None


KIND_LETTERS: Final = "456789TJQKA3203"
DISCARD_VALUES: Final = (*"456789TJQKA32", "JK", "R3")


def panel(
    words: Words,
    look: SeatLook,
    *,
    draft: Draft = NOTHING,
    note: str = "",
    picture: Picture | None = None,
    told: str = "",
    emoji: EmojiOf = no_emoji,
    offer: str = "",
) -> Page:
    """The panel of a seat; `draft` must fit its hand, `note` says what just happened, `told` stands for the picture.

    `offer` is what was refused and can be done anyway (`cogs.shared.attempts`).
    """
    return _Panel(words, look, draft, note, picture, told, emoji, offer).page()


def claim_of(view: SeatView, way: str) -> Staged:
    """The cards with which a way of taking claims the top card. Raises `LookupError`."""
    take = WAYS[way]
    top = view.table.pile.top
    if top is None:
        raise LookupError(way)
    return Staged(top >> 2, take.naturals, take.twos, take.jokers)


def ways_to_take(view: SeatView) -> tuple[str, ...]:
    """The ways to take the pile that are legal now."""
    return tuple(way for way, take in WAYS.items() if take in view.legal)


def way_in_words(words: Words, kind: Kind, way: str) -> str:
    """One way of taking the pile."""
    one, many = card_text.kind_word(words, kind), card_text.kind_word(words, kind, 2)
    if way in ("p", "t"):
        return words("panel.take_pair" if way == "p" else "panel.take_triple", kinds=many)
    if way in ("a", "w"):
        return words("panel.take_add" if way == "a" else "panel.take_showing", kinds=many)
    return words("panel.take_with_two" if way == "2" else "panel.take_with_joker", kind=one)


class _Panel:
    """One rendering; holds what every part of it needs."""

    def __init__(
        self,
        words: Words,
        look: SeatLook,
        draft: Draft,
        note: str,
        picture: Picture | None,
        told: str,
        emoji: EmojiOf,
        offer: str,
    ) -> None:
        self.words = words
        self.look = look
        self.table = look.table
        self.view = look.view
        self.draft = draft
        self.note = note
        self.picture = picture
        self.told = told
        self.emoji = emoji
        self.offer = offer

    def page(self) -> Page:
        view = self.view
        pictures = () if self.picture is None else (self.picture,)
        if view is None:
            lobby = [container(*self._texts(self.words("panel.lobby"))), self._bottom()]
            return page([part for part in lobby if part is not None])
        parts = [
            container(
                *self._texts("\n".join([self._headline(view), *self._themes(view)])),
                gallery(self.picture),
                text(self._below(view)),
            ),
            self._anyway_row(),
            *self._menus(view),
            self._play_row(view),
            self._bottom(),
        ]
        return page([part for part in parts if part is not None], pictures)

    # --- words

    def _texts(self, headline: str) -> list[Part]:
        note = [text("\n".join(self.words("panel.note", note=line) for line in self.note.splitlines()))]
        return [text(headline), *(note if self.note else [])]

    def _headline(self, view: SeatView) -> str:
        if self.table.status is Status.FINISHED or view.table.phase is Phase.OVER:
            return self.words("panel.over")
        if view.table.phase is Phase.BETWEEN:
            return self.words("panel.between")
        if not view.to_act:
            seat = view.table.actor
            name = "?" if seat is None else names.of_seat(self.words, self.table, seat)
            waiting = self.words("panel.waiting", name=name)
            return f"{waiting}\n{board.moved(self.words, self.table)}"
        if view.table.phase is Phase.ANSWER:
            return self.words("panel.your_answer", name=names.of_seat(self.words, self.table, view.table.turn))
        if view.table.phase is Phase.DRAW:
            if DRAW not in view.legal:
                return self.words("panel.your_turn_opened" if view.table.stock else "panel.your_turn_stock_out")
            return self.words("panel.your_turn_draw" if ways_to_take(view) else "panel.your_turn_draw_only")
        if not view.table.laying:
            return self.words("panel.your_turn_discard")
        return self.words("panel.your_turn_aside" if view.table.pile.aside else "panel.your_turn_play")

    def _themes(self, view: SeatView) -> list[str]:
        """What the themes ask in the deal that is played, and which rank is meant where each seat has its own."""
        if view.table.phase not in (Phase.DRAW, Phase.PLAY, Phase.ANSWER):
            return []
        lines = board.themes_of(self.words, self.table)
        own = theme_words.own_ranks(self.words, self.table.terms.theme, view.table.deal, view.seat)
        return [*lines, self.words("panel.theme_own", ranks=own)] if own else lines

    def _below(self, view: SeatView) -> str:
        lines = [self.told or self._hand_line(view)]
        exposed = view.table.seats[view.seat].exposed
        if exposed:
            lines.append(self.words("panel.exposed", cards=card_text.cards(exposed)))
        if view.resting:
            lines = [self.words("panel.resting", deal=view.table.deal + 1), self.told]
        if self._planning(view):
            lines += [*binding.told(self.words, view), *self._draft_lines(view)]
        return "\n".join(line for line in lines if line)

    def _hand_line(self, view: SeatView) -> str:
        if not view.hand:
            return self.words("panel.hand_empty")
        cards = card_text.hand(hand_order(view.hand), view.table.rules)
        return self.words("panel.hand_line", count=len(view.hand), points=view.hand_points, cards=cards)

    def _draft_lines(self, view: SeatView) -> list[str]:
        rules, side, words = view.table.rules, view.side, self.words
        lines = []
        if not side.opened and view.laid_points:
            lines.append(words("panel.laid_minimum", points=view.laid_points, minimum=side.minimum))
        if self.draft:
            melds = ", ".join(self._meld(staged) for staged in self.draft.melds)
            points = self.draft.points(rules) + (0 if side.opened else view.laid_points)
            key = "panel.staged" if side.opened else "panel.staged_minimum"
            line = words(key, melds=melds, points=points, minimum=side.minimum)
            lines.append(line + self._with_pile(view))
        elif not side.opened and not view.laid_points and not self.told:
            lines.append(words("panel.minimum", minimum=side.minimum))
        return lines

    def _with_pile(self, view: SeatView) -> str:
        """What taking the pile would add to the melds put together, where the initial meld is still to be made."""
        top, ways = view.table.pile.top, ways_to_take(view)
        if view.side.opened or top is None or not ways:
            return ""
        claim, same = claim_of(view, ways[0]), self.draft.of(top >> 2)
        beside = Staged(claim.kind, max(0, claim.naturals - same.naturals) + 1, max(0, claim.twos - same.twos))
        return self.words("panel.with_pile", points=beside.points(view.table.rules))

    def _meld(self, staged: Staged) -> str:
        if staged.kind is None:
            return card_text.counted(TWO, staged.twos, 0, staged.jokers)
        return card_text.counted(staged.kind, staged.naturals, staged.twos, staged.jokers)

    # --- controls

    def _control(self, action: str, argument: str = "") -> ControlId:
        return ControlId(self.table.id, self.table.version, action, argument)

    def _with_draft(self, action: str) -> ControlId:
        return self._control(action, str(self.draft))

    def _planning(self, view: SeatView) -> bool:
        return view.to_act and view.table.phase in (Phase.DRAW, Phase.PLAY)

    def _menus(self, view: SeatView) -> list[Part | None]:
        if not self._planning(view):
            return []
        ways = ways_to_take(view)
        return [
            self._choose_menu(view),
            self._target_menu(view),
            self._change_menu(view),
            self._take_menu(view, ways) if len(ways) > 1 else None,
            self._moves_menu(view),
            self._discard_menu(view),
        ]

    def _choose_menu(self, view: SeatView) -> Part | None:
        """Natural ranks with all their cards, wild cards one by one: at most 25 choices however large the hand."""
        counts = drafts.left(self.draft, view.hand)
        values = view.table.rules.card_values
        options = [
            self._choice(KIND_LETTERS[kind], kind, counts[kind], values[kind])
            for kind in (*NATURAL_KINDS, BLACK_THREE)
            if counts[kind] > 0
        ]
        room = MOST_OPTIONS - len(options)
        jokers = min(counts[JOKER], room // 3)
        for kind, most in ((TWO, min(counts[TWO], room - jokers)), (JOKER, jokers)):
            letter = "2" if kind == TWO else "JK"
            options += [self._choice(f"{letter}.{count}", kind, count, values[kind]) for count in range(1, most + 1)]
        return select(self._with_draft("choose"), self.words("panel.choose"), options, most=len(options))

    def _choice(self, value: str, kind: Kind, count: int, each: int) -> Option:
        points = self.words("panel.option_points", points=count * each)
        return Option(value, card_text.counted(kind, count), points, emoji=self._emoji(kind))

    def _emoji(self, kind: Kind) -> discord.PartialEmoji | None:
        """The emoji of the first card of that kind in the hand."""
        hand = () if self.view is None else self.view.hand
        return self.emoji(next((card for card in hand if card >> 2 == kind), None))

    def _target_menu(self, view: SeatView) -> Part | None:
        if self.draft.waiting is None:
            return None
        options = [
            Option(
                KIND_LETTERS[kind], self.words("panel.option_target", kinds=card_text.kind_word(self.words, kind, 2))
            )
            for kind in drafts.targets(self.draft, view)
        ]
        return select(self._with_draft("target"), self.words("panel.target"), options)

    def _change_menu(self, view: SeatView) -> Part | None:
        """Each meld put together: taken away, with another number of naturals, or with a wild card less."""
        removals, changes = [], []
        free = drafts.left(self.draft, view.hand)
        for staged in self.draft.melds:
            nothing = replace(staged, naturals=0, twos=0, jokers=0)
            removals.append(Option(str(nothing), self.words("panel.option_remove", meld=self._meld(staged))))
            changes += [(staged, changed) for changed in _variations(staged, free)]
        options = removals + [
            Option(
                str(changed),
                self.words(
                    "panel.option_change",
                    kinds=card_text.kind_word(self.words, staged.kind, 2) if staged.kind is not None else "–",
                    cards=self._meld(changed),
                ),
            )
            for staged, changed in changes
        ]
        return select(self._with_draft("change"), self.words("panel.change"), options)

    def _take_menu(self, view: SeatView, ways: tuple[str, ...]) -> Part | None:
        top = view.table.pile.top
        if top is None:
            return None
        options = [Option(way, way_in_words(self.words, top >> 2, way)) for way in ways]
        return select(self._with_draft("take_way"), self.words("panel.take_how"), options)

    def _moves_menu(self, view: SeatView) -> Part | None:
        """What cannot be put together by rank, each move at once: runs, wild cards alone, one of several melds."""
        options = [Option(moves.text_of(move), moves.in_words(self.words, view, move)) for move in moves.moves_of(view)]
        return select(self._with_draft("move"), self.words("panel.moves"), options) if options else None

    def _discard_menu(self, view: SeatView) -> Part | None:
        kinds = [step.kind for step in view.legal if isinstance(step, Discard)]
        options = [
            Option(
                DISCARD_VALUES[kind],
                self._discard_label(view, kind),
                emoji=self._emoji(kind),
            )
            for kind in kinds
        ]
        return select(self._with_draft("discard"), self.words("panel.discard"), options)

    def _discard_label(self, view: SeatView, kind: Kind) -> str:
        held = sum(1 for one in view.hand if one >> 2 == kind)
        name = card_text.discard(self.words, kind, red_threes_stay=view.table.rules.counts_red_threes)
        label = self.words("panel.option_discard", card=name)
        return label if held == 1 else f"{label} (×{held})"

    def _play_row(self, view: SeatView) -> Part | None:
        words, legal, ways = self.words, view.legal, ways_to_take(view)
        if view.table.phase is Phase.ANSWER:
            if YES not in legal:  # somebody else is asked
                return None
            return buttons(
                button(self._control("yes"), words("panel.yes"), style=SUCCESS),
                button(self._control("no"), words("panel.no"), style=DANGER),
            )
        if view.table.phase not in (Phase.DRAW, Phase.PLAY) or view.resting:
            return None
        one_way = ways[0] if len(ways) == 1 else ""
        draws = DRAW in legal or attempts.may_draw(view)
        takes = bool(one_way) or (not ways and attempts.may_take(view))
        lay = (
            words("panel.lay_points", points=self.draft.points(view.table.rules)) if self.draft else words("panel.lay")
        )
        return buttons(
            button(self._with_draft("draw"), words("panel.draw"), style=PRIMARY, enabled=draws),
            button(self._control("take", f"{one_way or 'x'}.{self.draft}"), words("panel.take"), enabled=takes),
            button(self._with_draft("lay"), lay, style=SUCCESS, enabled=self._can_lay(view)),
            button(self._control("clear"), words("panel.clear"), enabled=bool(self.draft)),
            button(self._with_draft("undo"), words("panel.undo"), enabled=view.can_take_back),
        )

    def _anyway_row(self) -> Part | None:
        """What was refused, done anyway at the price that the note tells."""
        if not self.offer:
            return None
        return buttons(button(self._control("anyway", self.offer), self.words("panel.anyway"), style=DANGER))

    def _can_lay(self, view: SeatView) -> bool:
        """Whether the melds put together can be tried: enough for the initial meld, or all but a last discard."""
        begins = view.table.phase is not Phase.PLAY and not any(isinstance(step, Meld) for step in view.legal)
        if not (self.draft.laid and view.to_act) or begins or self.draft.waiting:
            return False
        enough = self.draft.points(view.table.rules) + view.laid_points >= view.side.minimum
        enough = enough or attempts.may_open_short(view)
        return view.side.opened or enough or len(view.hand) - self.draft.size <= 1

    def _bottom(self) -> Part | None:
        words, view = self.words, self.view
        playing = self.table.status is Status.PLAYING and view is not None
        rules = None if view is None else view.table.rules
        between = playing and view is not None and view.table.phase is Phase.BETWEEN
        resting = view is not None and view.resting
        legal = () if view is None else view.legal
        return buttons(
            button(self._with_draft("ask"), words("panel.ask"), enabled=ASK in legal)
            if playing and rules is not None and rules.asks and not between and not resting
            else None,
            button(self._with_draft("announce"), words("panel.announce"), enabled=ANNOUNCE in legal)
            if playing and rules is not None and rules.out_announce and not between and not resting
            else None,
            button(self._with_draft("keep"), words("panel.keep")) if DRAW_KEEPING in legal else None,
            button(self._with_draft("show"), words("panel.show"), style=SUCCESS)
            if any(isinstance(step, Show) for step in legal)
            else None,
            button(self._control("pass"), words("panel.pass")) if view is not None and PASS in view.legal else None,
            button(self._control("next"), words("panel.next_deal"), style=PRIMARY) if between else None,
            button(self._with_draft("refresh"), words("panel.refresh")),
            button(self._with_draft("text"), words("panel.text")) if view is not None else None,
        )


def _variations(staged: Staged, free: list[int]) -> list[Staged]:
    """The same meld with other numbers of its cards, as far as the hand goes."""
    if staged.kind is None:
        return []
    most = staged.naturals + max(0, free[staged.kind])
    found = [replace(staged, naturals=count) for count in range(1, most + 1) if count != staged.naturals]
    if staged.twos:
        found.append(replace(staged, twos=staged.twos - 1))
    if staged.jokers:
        found.append(replace(staged, jokers=staged.jokers - 1))
    return [changed for changed in found if changed.size]
