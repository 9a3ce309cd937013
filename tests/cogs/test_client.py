"""The client: what it asks of Discord at the start, and that every control has somebody who answers it."""

from __future__ import annotations

import dataclasses
from itertools import islice
from typing import Any

import discord as library

from bot.client import intents
from bot.engine.cards import BLACK_THREE, NATURAL_KINDS
from bot.engine.parameter_shapes import Shape
from bot.engine.parameters import PARAMETERS, Topic
from bot.engine.themes.composing import CHOICES, MOST_CONDITIONS, with_condition
from bot.engine.themes.conditions import Condition
from bot.engine.themes.library import GROUPS, with_themes
from bot.i18n import locales, words
from bot.profiles.preferences import DEFAULTS
from bot.tables.looks import ClosedBecause, CloseVote, SeatHolder, SeatLook, Shuffle, Status, TableLook
from bot.tables.offers import PROGRAM
from bot.tables.premoves.values import Premove, Upon, Wish
from cogs.guide.pages import MINUTE, help_page
from cogs.play.premove_page import premove_page
from cogs.profile.panel import settings_panel
from cogs.profile.sample import SAMPLE
from cogs.shared.boards import fair, sheets
from cogs.shared.boards.board import board
from cogs.shared.boards.closing import alone_page
from cogs.shared.boards.lobby import lobby as lobby_page
from cogs.shared.boards.paused import left_page
from cogs.shared.boards.threads import announcement
from cogs.shared.cards.draft import Draft, Staged
from cogs.shared.interactions.layout import Page
from cogs.shared.private.pages import told_sample
from cogs.shared.private.panels.more import leaving_page, more_page
from cogs.shared.private.panels.view import Side
from cogs.shared.telling import score_text
from cogs.table import theme_draft
from cogs.table.families import families
from cogs.table.options_panel import options_panel
from cogs.table.picker import picker_panel
from cogs.table.rules_pages import list_page, of_table, rules_page
from cogs.table.setup_panel import setup_panel
from cogs.table.themes_panel import composing_panel, themes_panel
from tests.support.discord import Discord
from tests.support.games import positions, seat_look, table_look
from tests.support.limits import broken_limits, walk
from tests.support.panels import panel

WORDS = words()
LONG = "M" * 32


def test_no_intent_needs_discord_s_permission() -> None:
    privileged = library.Intents(members=True, presences=True, message_content=True)
    assert 0 == intents().value & privileged.value
    assert library.Intents(guilds=True) == intents()


async def test_commands_are_for_servers_and_say_what_they_do(discord: Discord) -> None:
    tree = discord.application.client.tree
    told = [command.to_dict(tree) for command in tree.get_commands()]
    assert sorted(one["name"] for one in told) == sorted({one["name"] for one in told})
    for one in told:
        assert one["description"]
        assert [0] == one["contexts"]
        assert [0] == one["integration_types"]
        assert all(option["description"] not in ("", "…") for option in one.get("options", []))


def syncs(discord: Discord) -> int:
    return sum(one.method == "PUT" and one.path.endswith("/commands") for one in discord.environment.http_requests)


async def test_commands_are_told_when_they_have_changed_and_not_otherwise(discord: Discord) -> None:
    assert 1 == syncs(discord)
    await discord.restart()
    assert 1 == syncs(discord)
    noted = discord.database.with_name(discord.database.name + ".commands")
    noted.write_text("something else")
    await discord.restart()
    assert 2 == syncs(discord)
    discord.environment.backend.commands.clear()
    await discord.restart()
    assert 3 == syncs(discord)


def lobby(*, seats: int, status: Status = Status.LOBBY) -> TableLook:
    """A lobby with so many persons of long names."""
    look = table_look(next(positions(1)))
    holders = [SeatHolder("person", seat, LONG) if seat < seats else SeatHolder("empty") for seat in range(4)]
    return TableLook(
        **{name: getattr(look, name) for name in TableLook.__slots__}
        | {"status": status, "view": None, "seats": tuple(holders), "closed_because": ClosedBecause.EXPIRED}
    )


def much_changed() -> TableLook:
    """A lobby in which nearly every rule has been changed, and again since somebody joined."""
    look = lobby(seats=2)
    most: dict[str, Any] = {}
    for one in PARAMETERS:
        if one.shape is Shape.WORDS:
            most[one.name] = frozenset(one.words)
        elif one.shape is Shape.TABLE and one.words:
            most[one.name] = tuple((word, one.lowest or one.highest) for word in one.words)
        elif one.shape is Shape.NUMBERS:
            most[one.name] = (one.highest,) * one.most
        elif one.shape is Shape.NUMBER:
            most[one.name] = one.highest
    terms = dataclasses.replace(look.terms, **most)
    return dataclasses.replace(look, terms=terms, saved_as=LONG, version=10**18, id=10**18)


def themed_pages() -> list[Page]:
    """Panels and boards of a lobby with many themes and as many conditions of its own as there may be."""
    terms = with_themes(much_changed().terms, [name for group in GROUPS.values() for name in group[:2]])
    for number in range(MOST_CONDITIONS):
        condition = Condition("no_discard", CHOICES["no_discard"].ranks[number:], until="opened")
        terms = with_condition(terms, condition, by_deal=number % 2 == 0)
    look = dataclasses.replace(much_changed(), terms=terms)
    found = [themes_panel(words(locale), look, group=group, note="x" * 200) for group in GROUPS for locale in locales()]
    found += [lobby_page(words(locale), look, note="x" * 200) for locale in locales()]
    found += [setup_panel(words(locale), look, moving=0, note="x" * 200) for locale in locales()]
    for what, choices in CHOICES.items():
        begun = theme_draft.with_ranks(theme_draft.begun(what), choices.ranks)
        for end in theme_draft.ends_of(what):
            draft = dataclasses.replace(theme_draft.with_end(begun, end), by_deal=True)
            found += [composing_panel(words(locale), look, draft, note="x" * 200) for locale in locales()]
    return found


def unsteady_pages() -> list[Page]:
    """Boards of games that are to be closed, and that somebody or everybody has left."""
    look = table_look(next(positions(1)), names=(LONG,) * 4)
    asked = dataclasses.replace(look, close_vote=CloseVote(look.persons[0], 10**13, look.persons[:1]))
    kept = SeatHolder("computer", number=1, kept_for=1, kept_name=LONG)
    left = dataclasses.replace(asked, seats=(*asked.seats[:3], kept))
    paused = dataclasses.replace(look, seats=(kept,) * 4, expires_at=10**13)
    found = [board(words(locale), one) for one in (asked, left, paused) for locale in locales()]
    return [*found, alone_page(WORDS, left), left_page(WORDS, left)]


def pages() -> list[Page]:
    """Boards and panels of all sorts."""
    found = [lobby_page(WORDS, lobby(seats=count)) for count in range(1, 5)]
    found += [setup_panel(WORDS, lobby(seats=count), moving=count - 1) for count in range(1, 5)]
    found += [board(WORDS, lobby(seats=1, status=Status.CLOSED)), announcement(WORDS, lobby(seats=1))]
    changed = much_changed()
    found.append(settings_panel(WORDS, DEFAULTS, told=told_sample(WORDS, SAMPLE, DEFAULTS), note="x"))
    found += [
        options_panel(words(locale), changed, chosen=one, note="x" * 200) for one in PARAMETERS for locale in locales()
    ]
    found += [options_panel(words(locale), changed, topic=one) for one in (None, *Topic) for locale in locales()]
    found += [lobby_page(words(locale), changed) for locale in locales()]
    found += unsteady_pages()
    found += themed_pages()
    those = families(WORDS, PROGRAM)
    found += [picker_panel(WORDS, changed, those, back=""), list_page(WORDS, those, PROGRAM[0])]
    found += [rules_page(WORDS, of_table(WORDS, changed)), help_page(WORDS, (), MINUTE)]
    for seed, level in enumerate(("random", "casual")):
        for state in islice(positions(seed, level=level, deals=20), 0, None, 5):
            names = (LONG,) * 4
            found.append(board(WORDS, table_look(state, names=names, version=10**18, table=10**18), mention=10**19))
            for seat in range(4):
                found += sides_of_a_panel(seat_look(state, seat))
    look = table_look(next(positions(1)), names=(LONG,) * 4, version=10**18, table=10**18)
    found += [more_page(WORDS, look, seated=True, back=True), leaving_page(WORDS, look, back=True)]
    return found + sheet_pages()


def sides_of_a_panel(look: SeatLook) -> list[Page]:
    """A panel with nothing put together, with melds, with its menus open, and with each question."""
    draft = Draft((Staged(None, 0, 1), Staged(5, 3)))
    found = [panel(WORDS, look), panel(WORDS, look, draft=draft), panel(WORDS, look, draft=draft, side=Side.OTHER)]
    asked = panel(WORDS, look, side=Side.SURELY, offer="x", price="50", paragraph="1.22")
    assert look.view is not None
    found.append(premove_page(WORDS, prepared_in(look), look.view))
    return [*found, asked, panel(WORDS, look, side=Side.SUITS, kind=5)]


def prepared_in(look: SeatLook) -> SeatLook:
    """The seat with everything prepared that there is."""
    upon = Upon(seat=look.seat, deal=1, turn=0, comes=1, takes=0, hand=(), melds=())
    wish = Wish(draw=True, ranks=tuple(NATURAL_KINDS), discard=BLACK_THREE << 2, agree=True)
    return dataclasses.replace(look, premove=Premove(wish=wish, upon=upon))


def sheet_pages() -> list[Page]:
    """Sheets of deals, and what their buttons answer."""
    state = next(state for state in positions(1, deals=9) if len(state.results) > 1)
    past = tuple(Shuffle(deal, "c" * 64, ("1",), "5" * 64) for deal in (1, 2))
    look = dataclasses.replace(table_look(state, names=(LONG,) * 4, version=10**18, table=10**18), shuffle=past)
    found = [sheets.sheet_page(WORDS, look, sheet) for sheet in look.sheets]
    return [*found, fair.about(WORDS, look, "1"), fair.checking(WORDS, look, 1), fair.computed(WORDS, look)]


async def test_every_control_that_is_shown_is_answered_and_every_message_fits(discord: Discord) -> None:
    actions = set()
    for page in pages():
        components = page.view.to_components()  # type: ignore[no-untyped-call]
        assert [] == broken_limits(components)
        actions |= {one["custom_id"].split(":")[3] for one in walk(components) if "custom_id" in one}
    # What is legal too seldom to be met in a few games, or under other rules; and what a form sends.
    seldom = {"computer", "close_game", "announce", "anyway", "keep", "move", "pass", "show", "yes", "no"}
    seldom |= {"rematch", "new_table", "options_typed", "theme_seated", "word", "word_typed"}
    answered = discord.application.client.context.router.actions
    assert set() == (actions | seldom) ^ answered


def test_the_longest_score_fits_into_one_message() -> None:
    states = [state for state in positions(3, deals=30) if state.winner is not None]
    look = table_look(states[-1], names=("*" * 32,) * 4, version=10**18, table=10**18)
    word = str(10**19)
    past = tuple(Shuffle(10**6 + number, "c" * 64, (word,) * 4, "5" * 64) for number in range(30))
    told = dataclasses.replace(look, shuffle=past)
    assert told.view is not None
    assert len(told.view.results) >= 3
    assert len(score_text.whole(WORDS, told, told.view)) < 4000
    page = fair.checking(WORDS, told)
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    assert any(f"--contributions {','.join([word] * 4)}\n```" in one.get("content", "") for one in walk(components))


async def test_a_lost_connection_is_noted_and_time_stands_until_it_is_back(discord: Discord) -> None:
    client = discord.application.client
    assert client.is_reachable()
    client.dispatch("shard_disconnect", 0)
    await discord.environment.settle()
    assert not client.is_reachable()
    client.dispatch("shard_resumed", 0)
    await discord.environment.settle()
    assert client.is_reachable()
