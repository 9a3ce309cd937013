"""The bot's client: its requests at the start, and its answers to every control."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

import discord as library

from bot.client import gateway_intents
from bot.clocks.clock import HOUR
from bot.clocks.quiet_hours import DatedQuietHours, QuietWindow
from bot.clocks.quiet_hours_and_vacation import PersonalHours, Vacation
from bot.clocks.time_rules import DAY, PRESETS, ClockTerms
from bot.engine.cards.cards import BLACK_THREE, NATURAL_KINDS
from bot.engine.rules.parameter_declarations import Topic
from bot.engine.rules.parameters import PARAMETERS, ValueType
from bot.engine.rules.sets import rule_set
from bot.engine.rules.themes.conditions import Condition
from bot.engine.rules.themes.named_themes import GROUPS, with_themes
from bot.engine.rules.themes.own_themes import CHOICES, MOST_CONDITIONS, with_condition
from bot.i18n import DEFAULT, Words, locales, words
from bot.lessons.lesson_replay import moment_at
from bot.lessons.lessons import all_lessons
from bot.profiles.preferences import DEFAULTS
from bot.tables.past import visible_history as past
from bot.tables.past.history import DealRecord
from bot.tables.seating.admission import MOST_WISHES
from bot.tables.seating.lobby_rules import PROGRAM
from bot.tables.state.absence import Absence, AbsenceReason, Claim, ClaimKind, SeatReturn, Vote
from bot.tables.state.clocks import MOST_DEALS, USUAL, AbsencePolicy, Conclusion, Pause, TableSettings
from bot.tables.state.premoves import PlannedTurn, Premove, PremoveBasis
from bot.tables.state.proposals import Proposal, ProposalKind, SubstituteSearch
from bot.tables.state.snapshots import ClosingReason, RollCall, SeatHolder, SeatSnapshot, Shuffle, Status, TableSnapshot
from cogs.guide.help import MINUTE, help_page
from cogs.guide.lesson_page import StepReply, completion_page, learner_seat, step_page
from cogs.guide.lesson_page import lesson_list_page as list_page_of_lessons
from cogs.past.pages import replay_page
from cogs.past.replay_frame import ReplayPlace, frame_at
from cogs.play.premoves import premove_page
from cogs.profile.export_and_delete import confirm_deletion_page
from cogs.profile.games_of_a_person import ON_A_PAGE, PersonGame, games_page
from cogs.profile.settings import PAGES, SAMPLE, SettingsView, settings_panel
from cogs.shared.discord_api.components import Page
from cogs.shared.posting.threads import announcement_page
from cogs.shared.reading.meld_draft import Draft, StagedMeld
from cogs.shared.serving.unseated_people import unseated_page, watching_page
from cogs.shared.showing import board as fair
from cogs.shared.showing import finished_games as deal_sheets
from cogs.shared.showing.board import board_page
from cogs.shared.showing.family_menus import family_pages
from cogs.shared.showing.finished_games import finished_games_list_page, game_page, log_page
from cogs.shared.showing.lobby import lobby_page
from cogs.shared.showing.open_questions import confirm_end_alone_page, confirm_resigning_page, refused_proposal_page
from cogs.shared.showing.open_seats_page import open_seats_page
from cogs.shared.showing.pages import sample_hand_in_words
from cogs.shared.showing.panels.menus import leaving_page, more_page
from cogs.shared.showing.panels.panel import PanelPart
from cogs.shared.showing.paused_games import page_after_leaving
from cogs.shared.telling import score_text
from cogs.table.clock_controls import settings_panel as further_panel
from cogs.table.game_picker import picker_panel
from cogs.table.options import theme_draft
from cogs.table.options.house_rules import house_rules_panel
from cogs.table.options.theme_panel import condition_panel, themes_panel
from cogs.table.rules import rule_list_page, rules_page, shown_rules_of_table
from cogs.table.setup import setup_panel
from tests.cogs.test_notice_buttons import notice_pages
from tests.support.desk_pages import desk_forms, desk_pages
from tests.support.discord import Discord, text_of
from tests.support.discord_limits import all_components, broken_limits
from tests.support.engine_games import played_positions, seat_snapshot, table_snapshot
from tests.support.game_histories import history_of_table
from tests.support.panel_pages import panel_page
from tests.support.random_play import play_random_game
from tests.support.seeds import SEARCHING
from tests.support.series_pages import series_forms, series_pages
from tests.support.tournament_pages import tournament_pages

WORDS = words()
OTHERS = cycle(words(locale) for locale in locales() if locale != DEFAULT)


def some_languages() -> tuple[Words, ...]:
    """Return English and one other language, another at each call; in a search, all languages."""
    return tuple(map(words, locales())) if SEARCHING else (WORDS, next(OTHERS))


LONG = "M" * 32


def test_no_privileged_intent_is_used() -> None:
    privileged = library.Intents(members=True, presences=True, message_content=True)
    assert 0 == gateway_intents().value & privileged.value
    assert library.Intents(guilds=True) == gateway_intents()


async def test_commands_are_for_servers_and_say_what_they_do(discord: Discord) -> None:
    tree = discord.application.client.tree
    told = [command.to_dict(tree) for command in tree.get_commands()]
    assert sorted(one["name"] for one in told) == sorted({one["name"] for one in told})
    for one in told:
        assert one["description"]
        assert ([0, 1] if one["name"] == "learn" else [0]) == one["contexts"]
        assert [0] == one["integration_types"]
        assert all(option["description"] not in ("", "…") for option in one.get("options", []))


def count_command_syncs(discord: Discord) -> int:
    return sum(one.method == "PUT" and one.path.endswith("/commands") for one in discord.environment.http_requests)


async def test_commands_are_registered_only_when_they_have_changed(discord: Discord) -> None:
    assert 1 == count_command_syncs(discord)
    await discord.restart(in_every_language=True)
    assert 2 == count_command_syncs(discord)
    await discord.restart(in_every_language=True)
    assert 2 == count_command_syncs(discord)
    noted = discord.database.with_name(discord.database.name + ".commands")
    noted.write_text("something else")
    await discord.restart(in_every_language=True)
    assert 3 == count_command_syncs(discord)
    discord.environment.backend.commands.clear()
    await discord.restart(in_every_language=True)
    assert 4 == count_command_syncs(discord)


def lobby_with_long_names(*, seats: int, status: Status = Status.LOBBY) -> TableSnapshot:
    """Return a lobby with that many people, all with long names."""
    snapshot = table_snapshot(next(played_positions(1)))
    holders = [SeatHolder("person", seat, LONG) if seat < seats else SeatHolder("empty") for seat in range(4)]
    return TableSnapshot(
        **{name: getattr(snapshot, name) for name in TableSnapshot.__slots__}
        | {"status": status, "view": None, "seats": tuple(holders), "closed_because": ClosingReason.EXPIRED}
    )


def lobby_with_many_changes() -> TableSnapshot:
    """Return a lobby in which nearly every rule was changed, some of them after a guest joined."""
    snapshot = lobby_with_long_names(seats=2)
    most: dict[str, Any] = {}
    for one in PARAMETERS:
        if one.shape is ValueType.WORDS:
            most[one.name] = frozenset(one.words)
        elif one.shape is ValueType.TABLE and one.words:
            most[one.name] = tuple((word, one.lowest or one.highest) for word in one.words)
        elif one.shape is ValueType.NUMBERS:
            most[one.name] = (one.highest,) * one.most
        elif one.shape is ValueType.NUMBER:
            most[one.name] = one.highest
    terms = dataclasses.replace(snapshot.terms, **most)
    return dataclasses.replace(snapshot, terms=terms, saved_as=LONG, version=10**18, id=10**18)


def themed_pages() -> list[Page]:
    """Return panels and boards of a lobby with the most themes and self-made conditions."""
    terms = with_themes(lobby_with_many_changes().terms, [name for group in GROUPS.values() for name in group[:2]])
    for number in range(MOST_CONDITIONS):
        condition = Condition("no_discard", CHOICES["no_discard"].ranks[number:], until="opened")
        terms = with_condition(terms, condition, by_deal=number % 2 == 0)
    snapshot = dataclasses.replace(lobby_with_many_changes(), terms=terms)
    pages = [
        themes_panel(catalogue, snapshot, group=group, note="x" * 200)
        for group in GROUPS
        for catalogue in some_languages()
    ]
    pages += [lobby_page(catalogue, snapshot, note="x" * 200) for catalogue in some_languages()]
    pages += [setup_panel(catalogue, snapshot, moving=0, note="x" * 200) for catalogue in some_languages()]
    for what, choices in CHOICES.items():
        begun = theme_draft.draft_with_ranks(theme_draft.new_draft(what), choices.ranks)
        for end in theme_draft.possible_ends(what):
            draft = dataclasses.replace(theme_draft.draft_with_end(begun, end), by_deal=True)
            pages += [condition_panel(catalogue, snapshot, draft, note="x" * 200) for catalogue in some_languages()]
    return pages


def ending_game_pages() -> list[Page]:
    """Return boards of games that are about to close or that some or all players have left."""
    snapshot = table_snapshot(next(played_positions(1)), names=(LONG,) * 4)
    first = snapshot.persons[0]
    open_ones = [
        Proposal(
            kind,
            first,
            10**13,
            (first,),
            days=14,
            clock=PRESETS["daily"] if kind is ProposalKind.SLOWER_CLOCK else None,
        )
        for kind in ProposalKind
    ]
    asked, *others = (dataclasses.replace(snapshot, proposal=one, proposal_until=10**13) for one in open_ones)
    kept = SeatHolder("computer", number=1, kept_for=1, kept_name=LONG)
    left = dataclasses.replace(asked, seats=(*asked.seats[:3], kept))
    paused = dataclasses.replace(snapshot, seats=(kept,) * 4, expires_at=10**13)
    standing = dataclasses.replace(asked, pause=Pause(first, 0, 10**13), sought=(SubstituteSearch(0, 0),))
    stopped = dataclasses.replace(snapshot, pause=Pause(first, 0, None, "x" * 200))
    ended = [
        dataclasses.replace(snapshot, status=Status.FINISHED, conclusion=Conclusion(how, winner, (0, 0), last=1))
        for how, winner in (("agreed", None), ("resigned", 0), ("forfeited", 0), ("latest_end", None), ("played", 0))
    ]
    those = (asked, *others, left, paused, standing, stopped, *ended)
    pages = [board_page(catalogue, one) for one in those for catalogue in some_languages()]
    refused = [refused_proposal_page(WORDS, asked, one, snapshot.persons[1]) for one in open_ones]
    return [
        *pages,
        *refused,
        confirm_end_alone_page(WORDS, left),
        confirm_resigning_page(WORDS, left),
        page_after_leaving(WORDS, left),
    ]


def lobbies_with_clocks() -> list[TableSnapshot]:
    """Return lobbies with the longest clock texts."""
    own = ClockTerms("custom", 14 * DAY, 13 * DAY + 23 * HOUR, 28 * DAY)
    chosen = TableSettings(clock=own, absent=AbsencePolicy.SUBSTITUTE, deals=MOST_DEALS, latest_end=180, idle=180)
    return [dataclasses.replace(lobby_with_long_names(seats=4), settings=one) for one in (USUAL, chosen)]


def absence_pages() -> list[Page]:
    """Return boards of games with absent people, and the pages for people without a seat there."""
    snapshot = table_snapshot(next(played_positions(1)), names=(LONG,) * 4, version=10**18, table=10**18)
    holder = SeatHolder("person", person=10**18, name=LONG)
    claims = tuple(Claim(kind, seat, holder, 10**13, unknown=True) for seat, kind in enumerate(ClaimKind))
    kept = SeatHolder("computer", number=1, kept_for=1, kept_name=LONG)
    found = []
    for why in AbsenceReason:
        vote = Vote(0, snapshot.persons[0], why, 10**13)
        absence = Absence(
            vote=vote, kept=(3,), claims=claims, returned=SeatReturn(1, (1, 0)), ends_at=10**13, idle_at=10**13
        )
        seats = (*snapshot.seats[:3], kept)
        absent = dataclasses.replace(snapshot, absence=absence, seats=seats, sought=(SubstituteSearch(3, 10**13),))
        found += [
            board_page(catalogue, one)
            for one in (absent, dataclasses.replace(absent, seats=snapshot.seats))
            for catalogue in some_languages()
        ]
        found += [unseated_page(catalogue, absent, 10**18, watches=False) for catalogue in some_languages()]
    return [*found, watching_page(WORDS, snapshot)]


def settings_pages() -> list[Page]:
    """Return a person's settings panel with much in it."""
    window = QuietWindow("America/Argentina/ComodRivadavia", 22 * 60, 10)
    personal = PersonalHours((DatedQuietHours(0, window), DatedQuietHours(10**13, None)), (Vacation(10**12, 10**13),))
    text = sample_hand_in_words(WORDS, SAMPLE, DEFAULTS)
    preferences = dataclasses.replace(DEFAULTS, zone=window.zone)
    return [
        settings_panel(
            catalogue,
            SettingsView(page=one, preferences=preferences, personal=personal, now=5, told=text, note="x" * 200),
        )
        for one in PAGES
        for catalogue in some_languages()
    ]


def game_list_pages() -> list[Page]:
    """Return a person's list of games as long as a page allows, in this server and in others."""
    snapshot = dataclasses.replace(table_snapshot(next(played_positions(1)), names=(LONG,) * 4), saved_as=LONG)
    here = PersonGame(snapshot, 0, "https://discord.com/channels/1/2/3", "")
    games = [here, *(dataclasses.replace(here, server=LONG) for _ in range(ON_A_PAGE - 1))]
    return [games_page(catalogue, games, page_number=2, pages=3) for catalogue in some_languages()]


def pages_of_every_feature() -> list[Page]:
    """Return boards and panels of all sorts, with those of a game.

    They are at every fifteenth position of the game, in a search at every fifth.
    """
    pages = [lobby_page(WORDS, lobby_with_long_names(seats=count)) for count in range(1, 5)]
    pages += [setup_panel(WORDS, lobby_with_long_names(seats=count), moving=count - 1) for count in range(1, 5)]
    pages += [
        board_page(WORDS, lobby_with_long_names(seats=1, status=Status.CLOSED)),
        announcement_page(WORDS, lobby_with_long_names(seats=1)),
    ]
    changed = lobby_with_many_changes()
    pages += [*settings_pages(), *game_list_pages()]
    waiting = tuple(SeatHolder("person", person, LONG) for person in range(10**18, 10**18 + MOST_WISHES))
    pages += [lobby_page(catalogue, dataclasses.replace(changed, wishes=waiting)) for catalogue in some_languages()]
    pages += [
        house_rules_panel(catalogue, changed, chosen=one, note="x" * 200)
        for one in PARAMETERS
        for catalogue in some_languages()
    ]
    pages += [
        house_rules_panel(catalogue, changed, topic=one) for one in (None, *Topic) for catalogue in some_languages()
    ]
    pages += [lobby_page(catalogue, changed) for catalogue in some_languages()]
    listed = [dataclasses.replace(changed, id=10**18 + number) for number in range(1_000)]
    call = "x" * 200
    pages += [
        open_seats_page(catalogue, listed, has_role_button=True, role_mention=call) for catalogue in some_languages()
    ]
    called = dataclasses.replace(lobby_with_long_names(seats=4), roll=RollCall(10**13, (0, 1, 2, 3), fill=True))
    pages += [lobby_page(catalogue, called) for catalogue in some_languages()]
    for one in lobbies_with_clocks():
        pages += [further_panel(catalogue, one, note="x" * 200) for catalogue in some_languages()]
        pages += [setup_panel(catalogue, one, moving=0, note="x" * 200) for catalogue in some_languages()]
    pages += ending_game_pages()
    pages += [page for catalogue in some_languages() for page in lesson_pages(catalogue)]
    pages += [confirm_deletion_page(catalogue) for catalogue in some_languages()]
    pages += absence_pages()
    pages += themed_pages()
    those = family_pages(WORDS, PROGRAM)
    pages += [picker_panel(WORDS, changed, those, back_action=""), rule_list_page(WORDS, those, PROGRAM[0])]
    pages += [rules_page(WORDS, shown_rules_of_table(WORDS, changed)), help_page(WORDS, (), MINUTE)]
    for seed, level in enumerate(("random", "casual")):
        for state in islice(played_positions(seed, level=level, deals=20), 0, None, 5 if SEARCHING else 15):
            names = (LONG,) * 4
            pages.append(
                board_page(WORDS, table_snapshot(state, names=names, version=10**18, table=10**18), mention=10**19)
            )
            for seat in range(4):
                pages += panel_variants(seat_snapshot(state, seat))
    snapshot = table_snapshot(next(played_positions(1)), names=(LONG,) * 4, version=10**18, table=10**18)
    pages += [
        more_page(WORDS, snapshot, is_seated=True, has_back_button=True),
        leaving_page(WORDS, snapshot, has_back_button=True),
    ]
    pages += [one for catalogue in some_languages() for one in notice_pages(catalogue)]
    pages += tournament_pages(large_in=locales() if SEARCHING else locales()[-1:])
    return pages + score_sheet_pages() + replay_pages() + desk_pages(long_record()) + series_pages()


def panel_variants(snapshot: SeatSnapshot) -> list[Page]:
    """Return panels without a draft, with a draft, with open menus, and with each question."""
    draft = Draft((StagedMeld(None, 0, 1), StagedMeld(5, 3)))
    pages = [
        panel_page(WORDS, snapshot),
        panel_page(WORDS, snapshot, draft=draft),
        panel_page(WORDS, snapshot, draft=draft, side=PanelPart.OTHER),
    ]
    asked = panel_page(WORDS, snapshot, side=PanelPart.SURELY, offer="x", price="50", paragraph="1.22")
    assert snapshot.view is not None
    pages.append(premove_page(WORDS, seat_with_premoves(snapshot), snapshot.view))
    return [*pages, asked, panel_page(WORDS, snapshot, side=PanelPart.SUITS, kind=5)]


def seat_with_premoves(snapshot: SeatSnapshot) -> SeatSnapshot:
    """Return the seat's snapshot with every possible premove set."""
    upon = PremoveBasis(seat=snapshot.seat, deal=1, turn=0, comes=1, takes=0, hand=(), melds=())
    wish = PlannedTurn(draw=True, ranks=tuple(NATURAL_KINDS), discard=BLACK_THREE << 2, agree=True)
    return dataclasses.replace(snapshot, premove=Premove(wish=wish, upon=upon))


def score_sheet_pages() -> list[Page]:
    """Return score sheets, and the pages that their buttons open."""
    state = next(state for state in played_positions(1, deals=9) if len(state.results) > 1)
    past = tuple(Shuffle(deal, "c" * 64, ("1",), "5" * 64) for deal in (1, 2))
    snapshot = dataclasses.replace(table_snapshot(state, names=(LONG,) * 4, version=10**18, table=10**18), shuffle=past)
    pages = [deal_sheets.score_sheet_page(WORDS, snapshot, sheet) for sheet in snapshot.sheets]
    return [
        *pages,
        fair.fair_dealing_page(WORDS, snapshot, "1"),
        fair.shuffle_check_page(WORDS, snapshot, 1),
        fair.shuffle_computation_page(WORDS, snapshot),
    ]


def lesson_pages(catalogue: Words) -> Iterator[Page]:
    """Yield every page of every lesson, with the list of lessons and the page at a lesson's end."""
    lessons = all_lessons()
    yield list_page_of_lessons(catalogue, lessons, {"seats"})
    for lesson in lessons.values():
        yield completion_page(catalogue, lesson, lesson)
        for number in range(1, len(lesson.steps) + 2):
            moment = moment_at(lesson, number)
            snapshot = learner_seat(catalogue, moment, 10**18)
            yield step_page(
                catalogue,
                moment,
                snapshot,
                answered=StepReply(note="x" * 200, paragraph="1.12"),
                description="x" * 3000,
            )


def replay_pages() -> list[Page]:
    """Return replays, logs and finished games, with the longest possible names and numbers."""
    rules = rule_set("classic", 4)
    history = history_of_table(
        rules, 0, [event for step in islice(play_random_game(rules, 5), 900) for event in step.events]
    )
    snapshot = table_snapshot(history.deals[-1].dealt, names=(LONG,) * 4, version=10**18, table=10**18)
    replay, log = past.replay_of(history, snapshot, 1), past.deal_log(history, snapshot, 1)
    places = [ReplayPlace(1, frame, seat) for frame in (0, 7, 9999) for seat in (None, 3)]
    pages = [replay_page(WORDS, frame_at(replay, place), None, "x" * 4000, with_hands_menu=True) for place in places]
    pages += [log_page(catalogue, log, part, in_words=True) for part in (None, 0) for catalogue in some_languages()]
    snapshots = [dataclasses.replace(snapshot, id=snapshot.id - number) for number in range(10)]
    return [*pages, finished_games_list_page(WORDS, snapshots, first=10, count=30), game_page(WORDS, snapshot)]


def long_record() -> DealRecord:
    """Return a long deal in a director's view, with the longest names."""
    rules = rule_set("classic", 4)
    history = history_of_table(
        rules, 0, [event for step in islice(play_random_game(rules, 5), 900) for event in step.events]
    )
    snapshot = table_snapshot(history.deals[-1].dealt, names=(LONG,) * 4, version=10**18, table=10**18)
    return past.deal_record(history, snapshot, 1)


async def test_every_control_that_is_shown_is_answered_and_every_message_fits(discord: Discord) -> None:
    actions = set()
    for page in pages_of_every_feature():
        components = page.view.to_components()  # type: ignore[no-untyped-call]
        assert [] == broken_limits(components)
        actions |= {one["custom_id"].split(":")[3] for one in all_components(components) if "custom_id" in one}
    # Some moves are too rare for a few games, or need other rules; forms have controls of their own.
    seldom = {"computer", "close_game", "announce", "anyway", "keep", "move", "pass", "show", "yes", "no"}
    seldom |= {
        "leaderboard",
        "replay_deal_typed",
        "replay_turn_typed",
        "rematch",
        "new_table",
        "clock_own",
        "forget_me_typed",
        "quiet_typed",
        "quiet_zone_typed",
        "options_typed",
        "theme_seated",
        "word",
        "word_typed",
        "hint",
        "review",
        "t_typed",
        "t_letter",
        "t_case",
        "t_offered",
    }
    seldom |= {one.custom_id.split(":")[3] for one in (*desk_forms(), *series_forms())}
    answered = discord.application.client.context.router.actions
    assert set() == (actions | seldom) ^ answered


def test_the_longest_score_fits_into_one_message() -> None:
    states = [state for state in played_positions(3, deals=30) if state.winner is not None]
    snapshot = table_snapshot(states[-1], names=("*" * 32,) * 4, version=10**18, table=10**18)
    word = str(10**19)
    past = tuple(Shuffle(10**6 + number, "c" * 64, (word,) * 4, "5" * 64) for number in range(30))
    told = dataclasses.replace(snapshot, shuffle=past)
    assert told.view is not None
    assert len(told.view.results) >= 3
    assert len(score_text.game_score_text(WORDS, told, told.view)) < 4000
    page = fair.shuffle_check_page(WORDS, told)
    components = page.view.to_components()  # type: ignore[no-untyped-call]
    assert [] == broken_limits(components)
    assert any(
        f"--contributions {','.join([word] * 4)}\n```" in one.get("content", "") for one in all_components(components)
    )


async def test_a_lost_connection_is_recorded_and_stops_clocks_until_it_returns(discord: Discord) -> None:
    client = discord.application.client
    assert client.is_reachable()
    client.dispatch("shard_disconnect", 0)
    await discord.environment.settle()
    assert not client.is_reachable()
    client.dispatch("shard_resumed", 0)
    await discord.environment.settle()
    assert client.is_reachable()


async def test_presses_and_commands_are_put_off_while_the_bot_stops(discord: Discord) -> None:
    you = discord.person(0)
    await you.run("table new")
    board, before = await discord.board(), await discord.snapshot()
    client = discord.application.client
    client.begin_to_stop()
    try:
        assert "Back in a minute. Nothing was lost." in text_of(await you.click(board, "start"))
        assert "Back in a minute. Nothing was lost." in text_of(await you.run("hand"))
    finally:
        client.stopping = client.context.router.stopping = False
    assert before.version == (await discord.snapshot()).version
