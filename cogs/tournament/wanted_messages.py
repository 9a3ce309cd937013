"""Lists all messages that a tournament should have on Discord now, in order of time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.clocks.clock import SECOND
from bot.i18n import Words
from bot.tournaments.core.promised_effects import direct_message_recipients
from bot.tournaments.desk.ruling_preview import may_see_open_hands
from bot.tournaments.event.boards import persons_in_room, rooms_of
from bot.tournaments.event.match_state import MatchStage, MatchState, RoundStage
from bot.tournaments.event.tournament import Audience, News, Stage, Tournament
from bot.tournaments.formats.ranking import Place
from cogs.shared.discord_api.components import SUCCESS, Page, Picture, button, button_row, page, text
from cogs.tournament import wording
from cogs.tournament.announcement import announcement_page, boards_page, withdrawn_tournament_page
from cogs.tournament.boards import own_result_page, revealed_board_buttons
from cogs.tournament.control_ids import control
from cogs.tournament.desk.opening import director_buttons
from cogs.tournament.ladder import challenge_buttons, ladder_page
from cogs.tournament.news import ON_PAGES, news_line
from cogs.tournament.players.match_times import accept_time_buttons
from cogs.tournament.players.rosters import regular_question_buttons, take_absent_seat_button
from cogs.tournament.round_messages import (
    check_in_page,
    final_results_page,
    match_call_page,
    pairing_page,
    standings_page,
)

EDIT_INTERVAL: Final = 15 * SECOND
"""Shortest time between two edits of the standings, in milliseconds."""

FOR_IMPARTIAL: Final = frozenset({"case_called"})
"""News for directors that is not sent to directors who play in the tournament."""

MOST_CALLED: Final = 80
"""Most people mentioned in one message; further messages mention the others."""


@dataclass(frozen=True, slots=True)
class WantedMessage:
    """A message that a tournament should have; one that is not `is_updated` is posted once and never edited.

    `name` identifies it in the store, `at` is the time of its event (UTC milliseconds), `channel` is where it goes.
    Between two edits of it are at least `edit_interval` milliseconds.
    """

    name: str
    at: int
    channel: int
    page: Page
    is_updated: bool = True
    edit_interval: int = 0

    @property
    def digest(self) -> str:
        """Return a hash of the message's content."""
        shown = json.dumps(
            self.page.view.to_components(),  # type: ignore[no-untyped-call]
            sort_keys=True,
            default=str,
        )
        files = (hashlib.sha256(one.data).hexdigest() for one in self.page.attachments)
        return hashlib.sha256("".join([shown, *files]).encode()).hexdigest()[:16]


def rounds_with_standings(tournament: Tournament) -> tuple[int, ...]:
    """Return the numbers of the rounds that have standings.

    These are the rounds with a result, and a ladder's only round from its start.
    """
    if not tournament.plan.traits.has_rounds:
        return tuple(one.number for one in tournament.rounds)
    return tuple(
        one.number
        for one in tournament.rounds
        if any(match.result is not None and match.called_at is not None for match in tournament.matches_of(one.number))
    )


def wanted_messages(
    words: Words,
    tournament: Tournament,
    places: Mapping[int, Sequence[Place]],
    pictures: Sequence[Picture] = (),
    *,
    previous: Tournament | None = None,
    posted: Collection[str] = (),
) -> list[WantedMessage]:
    """Return all messages that the tournament should have.

    `places` are the standings of the rounds to update, by round; `pictures` are the closing pictures. Left out are news
    that are `posted`, and earlier rounds unchanged since `previous`, the state in which all messages were up to date.
    """
    if not tournament.commitment:
        return []  # a draft, published or deleted, has no messages
    channel = tournament.channel
    if tournament.stage is Stage.DRAFT:
        names = ("announcement", "boards") if tournament.boards else ("announcement",)
        return [
            WantedMessage(one, tournament.created_at, channel, withdrawn_tournament_page(words, tournament))
            for one in names
        ]
    found = [WantedMessage("announcement", tournament.created_at, channel, announcement_page(words, tournament))]
    if tournament.boards:
        found.append(WantedMessage("boards", tournament.created_at, channel, boards_page(words, tournament)))
    found += _check_in_messages(words, tournament)
    found += _round_messages(words, tournament, previous)
    found += _news_messages(words, tournament, posted)
    for number, rows in places.items():
        if not tournament.plan.traits.has_rounds:
            found.append(
                WantedMessage(
                    "ladder",
                    tournament.created_at,
                    channel,
                    ladder_page(words, tournament, rows),
                    edit_interval=EDIT_INTERVAL,
                )
            )
            continue
        shown = standings_page(words, tournament, rows, round_number=number)
        turn = next(one for one in tournament.rounds if one.number == number)
        first = min((one.result.finished_at for one in tournament.matches_of(number) if one.result), default=0)
        found.append(
            WantedMessage(f"standings:{number}", turn.complete_at or first, channel, shown, edit_interval=EDIT_INTERVAL)
        )
    if tournament.stage in (Stage.CLOSED, Stage.CANCELLED) and tournament.rounds:
        last = places[max(places)] if places else ()
        shown = final_results_page(words, tournament, last, pictures)
        found.append(WantedMessage("closing", tournament.closed_at or 0, channel, shown))
    return sorted(found, key=lambda one: one.at)


def _check_in_messages(words: Words, tournament: Tournament) -> Iterator[WantedMessage]:
    for news in tournament.news:
        if news.code == "check_in_open":
            parts = [news.persons[start : start + MOST_CALLED] for start in range(0, len(news.persons), MOST_CALLED)]
            for number, part in enumerate(parts or [()], 1):
                shown = check_in_page(words, tournament, part)
                yield WantedMessage(f"check_in:{number}", news.at, tournament.channel, shown)


def _round_messages(words: Words, tournament: Tournament, previous: Tournament | None) -> Iterator[WantedMessage]:
    known = set() if previous is None else {id(one) for one in previous.matches}
    for turn in tournament.rounds:
        those = tournament.matches_of(turn.number)
        earlier = previous is not None and turn is not tournament.current_round and turn in previous.rounds
        if earlier and all(id(one) in known for one in those):
            continue
        if tournament.plan.traits.has_rounds:
            shown = pairing_page(words, tournament, turn)
            yield WantedMessage(f"round:{turn.number}", turn.drawn_at, tournament.channel, shown)
        if turn.stage is RoundStage.DRAWN:
            continue
        for match in those:
            if match.opened_at is not None and match.stage is not MatchStage.WAITING:
                yield from _call_messages(words, tournament, match, match.opened_at)
            yield from _own_result_messages(words, tournament, match)


def _call_messages(words: Words, tournament: Tournament, match: MatchState, called_at: int) -> Iterator[WantedMessage]:
    """Yield the messages that call the players of a match, one for each room."""
    for room in rooms_of(match):
        place = match.channel_of_room(room)
        if place is not None:
            shown = match_call_page(words, tournament, match, room=room)
            yield WantedMessage(f"call:{match.id}" + _room_suffix(room), called_at, place, shown)


def _own_result_messages(words: Words, tournament: Tournament, match: MatchState) -> Iterator[WantedMessage]:
    """Yield the messages with a table's own results on its boards, each for the table's own thread."""
    for made in match.played:
        place = match.channel_of_room(made.room)
        if place not in (None, tournament.channel):
            shown = own_result_page(words, tournament, match, made)
            yield WantedMessage(f"board:{match.id}:{made.board}" + _room_suffix(made.room), made.at, place or 0, shown)


def _room_suffix(room: int) -> str:
    return "" if room == 1 else f":{room}"


def _news_messages(words: Words, tournament: Tournament, posted: Collection[str]) -> Iterator[WantedMessage]:
    for news in tournament.news:
        if news.code in ON_PAGES or news.audience not in (Audience.ALL, Audience.MATCH):
            continue
        match = None if news.match is None else tournament.find_match(news.match)
        rooms = (1,) if match is None else rooms_of(match)
        if news.code != "board_open" and all(f"news:{news.number}" + _room_suffix(one) in posted for one in rooms):
            continue
        if news.audience is Audience.MATCH and match is not None and match.place is not None:
            yield from _match_news_messages(words, tournament, news, match)
            continue
        shown = news_page(words, tournament, news)
        yield WantedMessage(
            f"news:{news.number}", news.at, tournament.channel, shown, is_updated=news.code == "board_open"
        )


def _match_news_messages(
    words: Words, tournament: Tournament, news: News, match: MatchState
) -> Iterator[WantedMessage]:
    """Yield the messages with news of a match for its thread.

    With two rooms, news go to the room of the people named, else to both. People are never mentioned in the other
    room's thread, because a mention would give them access to it.
    """
    rooms = rooms_of(match)
    elsewhere = {
        room: {one for other in rooms if other != room for one in persons_in_room(match, other)} for room in rooms
    }
    named = [room for room in rooms if any(one not in elsewhere[room] for one in news.persons)]
    for room in named or rooms:
        place = match.channel_of_room(room)
        if place is not None:
            called = [one for one in news.persons if news.pings and one not in elsewhere[room]]
            shown = news_page(words, tournament, news, called=called)
            yield WantedMessage(f"news:{news.number}" + _room_suffix(room), news.at, place, shown, is_updated=False)


def news_page(
    words: Words, tournament: Tournament, news: News, *, called: Sequence[int] | None = None, text_before: str = ""
) -> Page:
    """Return a piece of news as a message that notifies `called` (by default the people in the news).

    `text_before` is put in front of the sentence.
    """
    parts = [text(text_before + news_line(words, tournament, news))]
    if news.code == "partner_asked":
        number = news.entries[0]
        row = button_row(
            button(control(tournament.id, "t_yes", number), words("tournament.yes"), style=SUCCESS),
            button(control(tournament.id, "t_no", number), words("tournament.no")),
        )
        parts += [] if row is None else [row]
    if news.code == "board_open":
        ways = revealed_board_buttons(words, tournament, news.numbers["board"])
        parts += [] if ways is None else [ways]
    rows = (
        accept_time_buttons(words, tournament, news),
        regular_question_buttons(words, tournament, news),
        button_row(take_absent_seat_button(words, tournament, news)) if news.audience is Audience.MATCH else None,
    )
    parts += [one for one in rows if one is not None]
    directing = director_buttons(words, tournament, news)
    parts += [] if directing is None else [directing]
    if news.code == "challenged":
        answers = challenge_buttons(words, tournament)
        parts += [] if answers is None else [answers]
    ping = (news.persons if news.pings else ()) if called is None else called
    return page(parts, mentions=[one for one in ping if one > 0])


def personal_news_of(tournament: Tournament, news_number: int, person: int) -> News | None:
    """Return the piece of news of that number if it is for the person, else None."""
    news = next((one for one in tournament.news if one.number == news_number), None)
    if news is None or person not in direct_message_recipients(tournament, news):
        return None
    return news if news.code not in FOR_IMPARTIAL or may_see_open_hands(tournament, person) else None


def message_heading(words: Words, tournament: Tournament) -> str:
    """Return the heading of a direct message: the tournament and its channel."""
    return words("tournament.letter", name=wording.tournament_name(tournament), place=f"<#{tournament.channel}>")
