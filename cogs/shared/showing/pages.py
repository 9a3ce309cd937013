"""Build boards and private panels with their pictures, ready to be sent.

A picture that cannot be drawn is left out; the text beside it says the same. This module also has the lines on how
reliably the players in a lobby have played, and the button by which a player adds a word to the seed of the shuffle.
"""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import Any, Final

from discord import ui

from bot.engine.moves.phases import Phase
from bot.engine.table.views import SeatView
from bot.i18n import Words
from bot.profiles.game_statistics import GameStatisticsService
from bot.profiles.preferences import DEFAULTS, Preferences
from bot.tables.state.snapshots import SeatSnapshot, Status, TableSnapshot
from cogs.shared.discord_api import interactions
from cogs.shared.discord_api.card_emojis import EmojiOf, no_emoji
from cogs.shared.discord_api.components import Page, Picture, button
from cogs.shared.reading.custom_ids import ControlId
from cogs.shared.reading.input_problems import InputCode, InputProblem
from cogs.shared.reading.meld_draft import Draft
from cogs.shared.showing import board as boards
from cogs.shared.showing import finished_games
from cogs.shared.showing.lobby import lobby_page
from cogs.shared.showing.panels import reasons
from cogs.shared.showing.panels.panel import LEAST_AFTER, PLAIN, Panel, PanelPart, PanelView
from cogs.shared.showing.picture_inputs import (
    board_input,
    hand_input,
    hand_picture,
    names_with_partner,
    order_hand,
    score_input,
    side_names,
    snapshot_with_names_at,
)
from cogs.shared.telling import names, play_text, status_text, text_only
from cogs.shared.telling.names import picture_words
from cogs.shared.telling.picture_signs import ExplainedSigns, picture_signs_shown, sign_explanation
from cogs.shared.telling.rating_text import reliability_text
from cogs.shared.telling.turn_text import MARKED, SPOKEN
from render import descriptions
from render.picture_inputs import Picture as AnyPicture
from render.picture_inputs import SheetKind
from render.picture_queue import PictureQueue, RequestSuperseded


async def reliability_lines(words: Words, snapshot: TableSnapshot, figures: GameStatisticsService) -> tuple[str, ...]:
    """Return lines on the reliability of each player, in the lobby of a slow or rated table."""
    if not (snapshot.settings.is_slow or snapshot.settings.rated):
        return ()
    found = []
    for seat, holder in enumerate(snapshot.seats):
        if holder.person is not None and not holder.is_former:
            text = reliability_text(words, await figures.statistics_of(holder.person))
            found.append(words("lobby.mark", name=names.seat_name(words, snapshot, seat), told=text))
    return tuple(found)


SINCE: Final = 900
"""Maximum characters of what happened since the player's own turn."""


GAMES_TO_LEARN: Final = 3
"""Finished games after which signs are explained no longer, unless the player wants them."""


class Pages:
    """Builds the pages that need pictures, emojis or players' statistics.

    Remembers which signs were explained to whom.
    """

    def __init__(
        self, pictures: PictureQueue, emoji: EmojiOf = no_emoji, *, figures: GameStatisticsService | None = None
    ) -> None:
        self._pictures = pictures
        self._emoji = emoji
        self._figures = figures
        self._explained = ExplainedSigns()
        self._experienced: set[int] = set()

    async def board(
        self,
        words: Words,
        snapshot: TableSnapshot,
        *,
        preferences: Preferences = DEFAULTS,
        mention: int | None = None,
        serial: int = 0,
    ) -> Page:
        """Return the public page of a table.

        `mention` is the person to notify; `serial` makes the names of picture files of one version unique.
        """
        if snapshot.status is Status.LOBBY:
            return await self.lobby(words, snapshot)
        picture = await self._board_picture(words, snapshot, preferences, serial)
        return boards.board_page(
            words, snapshot, picture=picture, mention=mention, description=board_in_words(words, snapshot, picture)
        )

    async def lobby(self, words: Words, snapshot: TableSnapshot, *, note: str = "") -> Page:
        """Return the public page of a lobby, with its players' reliability if known."""
        marks = () if self._figures is None else await reliability_lines(words, snapshot, self._figures)
        return lobby_page(words, snapshot, note=note, marks=marks)

    async def panel(
        self,
        words: Words,
        snapshot: SeatSnapshot,
        view: PanelView = PLAIN,
        *,
        preferences: Preferences = DEFAULTS,
        serial: int = 0,
    ) -> Page:
        """Return the private panel of a seat as `view` describes it; the hand must hold the draft's cards."""
        note = "\n".join(filter(None, [view.note, *status_text.premove_line(words, snapshot)]))
        view = replace(view, note=text_only.spell_cards(words, note) if preferences.is_text_only else note)
        if snapshot.view is None:
            return Panel(words=words, snapshot=snapshot, shown=view).page()
        picture = await self.hand_picture(words, snapshot, preferences, view.draft, serial)
        # A player without cards needs no text in place of the picture.
        pictured = picture is not None or not (snapshot.view.hand or preferences.is_text_only)
        text_style = SPOKEN if preferences.is_text_only else MARKED
        itself = status_text.last_automatic_turn(snapshot)
        since = play_text.lines_since_turn(
            words, snapshot.table, snapshot.seat, by_itself=itself, room=SINCE, text_style=text_style
        )
        if preferences.is_text_only:
            since = [text_only.spell_cards(words, line) for line in since]
        taken = len(view.note) + min(LEAST_AFTER, sum(map(len, since)))  # news longer than this is cut
        text = (
            ""
            if pictured
            else hand_in_words(words, snapshot, snapshot.view, preferences, used_length=taken, with_news=False)
        )
        sign = await self._sign_to_explain(words, snapshot, preferences) if view.side is PanelPart.PLAY else ""
        panel = Panel(
            words=words, snapshot=snapshot, shown=view, since=since, picture=picture, description=text, sign=sign
        )
        return replace(panel, emoji=self._emoji).page()

    async def _sign_to_explain(self, words: Words, snapshot: SeatSnapshot, preferences: Preferences) -> str:
        """Return a sentence that explains a sign on the picture, or "".

        It is "" if the player wants no explanations or has read all of these often enough.
        """
        person, table = snapshot.table.seats[snapshot.seat].person, snapshot.table
        if person is None or table.view is None or preferences.explain == "off" or table.status is not Status.PLAYING:
            return ""
        shown = (
            one
            for one in picture_signs_shown(table.view)
            if one != "frozen" or not reasons.is_frozen_pile_explained(snapshot)
        )
        fitting = self._explained.signs_to_explain(person, table.id, shown)
        told = next(((one, text) for one in fitting if (text := sign_explanation(words, table.terms, one))), None)
        if told is None or (preferences.explain == "auto" and not await self._is_new_to_games(person)):
            return ""
        self._explained.count_explanation(person, table.id, told[0])
        return told[1]

    async def _is_new_to_games(self, person: int) -> bool:
        """Return whether the person has finished fewer than three games."""
        if person in self._experienced or self._figures is None:
            return False
        new = len(await self._figures.finished_games(person, most=GAMES_TO_LEARN)) < GAMES_TO_LEARN
        if not new:
            self._experienced.add(person)
        return new

    async def sheet(
        self, words: Words, snapshot: TableSnapshot, deal: int, *, preferences: Preferences = DEFAULTS, serial: int = 0
    ) -> Page:
        """Return the score sheet of a finished deal as a message that is never edited.

        Raises `InputProblem` if the deal is not scored.
        """
        sheet = snapshot.sheet(deal)
        if sheet is None:
            raise InputProblem(InputCode.NO_SUCH_DEAL, {"deal": deal})
        picture = await self._score_picture(words, snapshot, preferences, serial, deal=deal)
        return finished_games.score_sheet_page(words, snapshot, sheet, picture)

    async def score_pictures(
        self, words: Words, snapshot: TableSnapshot, preferences: Preferences = DEFAULTS, *, serial: int = 0
    ) -> tuple[Picture, ...]:
        """Return the pictures of the last deal's sheet and, if it shows more, of the game's.

        The result is empty for people who want text only.
        """
        wanted: list[SheetKind | None] = [None]
        if snapshot.view is not None and snapshot.winner is None and len(snapshot.view.results) > 1:
            wanted.append(SheetKind.GAME)
        drawn = [await self._score_picture(words, snapshot, preferences, serial, sheet) for sheet in wanted]
        return tuple(picture for picture in drawn if picture is not None)

    async def _score_picture(
        self,
        words: Words,
        snapshot: TableSnapshot,
        preferences: Preferences,
        serial: int,
        sheet: SheetKind | None = None,
        *,
        deal: int | None = None,
    ) -> Picture | None:
        """Return the picture of a deal's score sheet, without `deal` of the last one.

        Return None if nothing is scored, or for text only.
        """
        if snapshot.view is None or not snapshot.view.results or preferences.is_text_only:
            return None
        told = replace(score_input(words, snapshot, snapshot.view, preferences, deal=deal), sheet=sheet)
        then = snapshot_with_names_at(snapshot, told.results[-1].deal, final=deal is None)
        asked = replace(
            told, side_names=side_names(words, names.snapshot_with_drawable_names(words, then), snapshot.view)
        )
        name = f"{sheet or 'score'}-{snapshot.id}-{deal or snapshot.version}-{serial}.png"
        return await _draw_picture_file(self._pictures.draw_score(asked), name, descriptions.score_text(told))

    async def draw_picture(self, picture: AnyPicture, name: str, text: str) -> Picture | None:
        """Return the drawn picture as a file with that name and description; None if it cannot be drawn."""
        return await _draw_picture_file(self._pictures.draw_png(picture), name, text)

    async def sample_hand_picture(
        self, words: Words, view: SeatView, preferences: Preferences, *, serial: int = 0
    ) -> Picture | None:
        """Return the picture of a sample hand with these preferences."""
        if preferences.is_text_only:
            return None
        asked = replace(hand_picture(view, preferences, view.fresh), words=picture_words(words))
        drawing = self._pictures.draw_hand(asked)
        return await _draw_picture_file(drawing, f"preview-{serial}.png", descriptions.hand_text(asked))

    async def _board_picture(
        self, words: Words, snapshot: TableSnapshot, preferences: Preferences, serial: int
    ) -> Picture | None:
        view = snapshot.view
        if view is None or snapshot.status is Status.CLOSED or not view.deal or preferences.is_text_only:
            return None
        if snapshot.status is Status.FINISHED:  # the sheet of the last deal is above and shows the same
            shown = snapshot.conclusion is None and len(view.results) == 1
            return None if shown else await self._score_picture(words, snapshot, preferences, serial, SheetKind.GAME)
        if view.phase in (Phase.BETWEEN, Phase.OVER):
            return None
        told = board_input(words, snapshot, view, preferences)
        asked = board_input(words, names.snapshot_with_drawable_names(words, snapshot), view, preferences)
        name = f"table-{snapshot.id}-{snapshot.version}-{serial}.png"
        return await _draw_picture_file(self._pictures.draw_board(asked), name, descriptions.board_text(told))

    async def hand_picture(
        self, words: Words, snapshot: SeatSnapshot, preferences: Preferences, draft: Draft, serial: int
    ) -> Picture | None:
        """Return the picture of a seat's hand with the draft marked.

        Return None without a hand, or for people who want text only.
        """
        if snapshot.view is None or not snapshot.view.hand or preferences.is_text_only:
            return None
        told = hand_input(words, snapshot, snapshot.view, draft, preferences)
        drawn = names.all_seat_names(words, names.snapshot_with_drawable_names(words, snapshot.table))
        asked = replace(told, names=names_with_partner(words, snapshot.view, drawn), title=drawn[snapshot.seat])
        name = f"hand-{snapshot.table.id}-{snapshot.table.version}-{serial}.png"
        drawing = self._pictures.draw_hand(
            asked, owner=snapshot.table.seats[snapshot.seat].person, subject=snapshot.table.id
        )
        return await _draw_picture_file(drawing, name, descriptions.hand_text(told))


def board_in_words(words: Words, snapshot: TableSnapshot, picture: Picture | None) -> str:
    """Return the table in words, or "" if there is a picture of it."""
    running = (
        snapshot.view is not None and snapshot.status is Status.PLAYING and snapshot.view.phase is not Phase.BETWEEN
    )
    return (
        text_only.describe_table(words, snapshot, snapshot.view)
        if running and picture is None and snapshot.view is not None
        else ""
    )


def hand_in_words(
    words: Words,
    snapshot: SeatSnapshot,
    view: SeatView,
    preferences: Preferences,
    *,
    used_length: int = 0,
    with_news: bool = True,
) -> str:
    """Return hand and table in words, with the others' actions if `with_news`.

    `used_length` is the number of characters that the rest of the page needs.
    """
    order = order_hand(view, preferences, snapshot.drawn)
    return text_only.describe_hand_and_table(
        words, snapshot, view, order, max(1000, text_only.ROOM - used_length), news=with_news
    )


def sample_hand_in_words(words: Words, view: SeatView, preferences: Preferences) -> str:
    """Return the settings page's sample hand in words."""
    return text_only.hand_by_card(words, view, order_hand(view, preferences, view.fresh))


async def _draw_picture_file(drawing: Awaitable[bytes], name: str, text: str) -> Picture | None:
    try:
        return Picture(name, await drawing, text)
    except RequestSuperseded:
        return None
    except Exception as error:  # noqa: BLE001 - a game goes on without its picture
        interactions.log_unexpected_error(error, "drawing a picture")
        return None


WORD = "word"
"""Action that opens the form for a word."""

WORD_TYPED = "word_typed"
"""Action of the sent form."""


def add_shuffle_word_button(words: Words, snapshot: TableSnapshot) -> ui.Button[Any]:
    """Return the button *Add a word*, with which a player adds a word to the next shuffle."""
    return button(ControlId(snapshot.id, snapshot.version, WORD), words("own_word.add"))
