"""Every message and panel about tournaments, with the longest names and full lists."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from bot.engine.rules.sets import rule_set
from bot.i18n import DEFAULT, Words, locales, words
from bot.i18n.catalogue import placeholders
from bot.tables.seating.lobby_rules import PROGRAM
from bot.tournaments.boards.movement import make_movement
from bot.tournaments.core.faults import READ, TABLES, Fault, Outline
from bot.tournaments.counted_results import Deal, UnpairedReason
from bot.tournaments.event.alarms import AlarmKind
from bot.tournaments.event.entries import AskedRegular, Entrant, EntryStage, Person
from bot.tournaments.event.match_state import (
    MatchStage,
    MatchState,
    OfferedTime,
    Result,
    RoundStage,
    RoundState,
    UnpairedEntry,
)
from bot.tournaments.event.plan import SLOW, BoardScoring, Duplicate, Plan
from bot.tournaments.event.plan_check import PlanCheck, PlanError, PlanWarning
from bot.tournaments.event.tournament import Audience, BoardState, News, Stage, Tournament
from bot.tournaments.format_traits import FormatKind
from bot.tournaments.formats.by_kind import FORMATS
from bot.tournaments.formats.duplicate import movement_values
from bot.tournaments.formats.ranking import Place
from cogs.shared.discord_api.components import Page
from cogs.tournament import player_actions
from cogs.tournament.announcement import announcement_page
from cogs.tournament.fault_messages import fault_page
from cogs.tournament.news import ON_PAGES
from cogs.tournament.players.match_times import times_page
from cogs.tournament.players.rosters import roster_page
from cogs.tournament.round_messages import final_results_page, standings_page
from cogs.tournament.wanted_messages import news_page, wanted_messages
from cogs.tournament.wizard.pages import PAGES, WizardPanel, wizard_panel_page
from cogs.tournament.wizard.plan_edits import fill_in_plan
from tests.support.seeds import sample_cases

BIG = 10**18
LONG = "W" * 32
NOW = 1_700_000_000_000


def plans_of_every_format() -> list[Plan]:
    """Return plans of every format, live and slow, and plans with every kind of problem."""
    usual = Plan(name="N" * 60, rules=rule_set("classic", 4), saved_as="R" * 32, starts_at=NOW)
    found = [fill_in_plan(replace(usual, kind=kind, drawn=True)) for kind in FORMATS]
    teams = replace(
        usual, kind=FormatKind.DUPLICATE, duplicate=Duplicate(boards=36, scoring=BoardScoring.VICTORY_POINTS)
    )
    slow = replace(usual, **SLOW)
    return [*found, fill_in_plan(teams), slow, replace(usual, rules=rule_set("classic", 6), deals=None)]


def wizard_pages() -> list[Page]:
    """Return all pages of the wizard that makes tournaments, for all plans."""
    found = []
    for plan in plans_of_every_format():
        # Problems of movements have numbers that only plans with boards know.
        known = movement_values(plan).keys()
        told = {one: placeholders(words().entries[f"unfit.{one.value}"]) for one in PlanError}
        problems = PlanCheck(tuple(one for one in PlanError if told[one] <= known), tuple(PlanWarning))
        draft = Tournament(plan=plan, directors=(Person(BIG),), created_at=NOW, since=NOW, id=BIG, version=10**9)
        for zone, note in (("", ""), ("America/Argentina/ComodRivadavia", "x" * 300)):
            panel = WizardPanel(tournament=draft, offers=PROGRAM, fitness=problems, zone=zone, note=note)
            found += [wizard_panel_page(words(locale), panel, name) for name in PAGES for locale in locales()]
    return found


def running_tournament(stage: Stage = Stage.RUNNING, *, over: bool = False, entries: int = 64) -> Tournament:
    """Return a tournament of that many pairs in its first round, or after it."""
    plan = fill_in_plan(Plan(name="N" * 60, rules=rule_set("classic", 4), starts_at=NOW, places=256))
    people = [(Person(BIG + 2 * one), Person(BIG + 2 * one + 1)) for one in range(entries)]
    entrants = tuple(
        Entrant(
            number=number,
            people=pair,
            captain=pair[0],
            stage=EntryStage.WAITING if number > entries - 5 else EntryStage.PLAYING,
            entered_at=NOW,
            rank=number,
        )
        for number, pair in enumerate(people, 1)
    )
    result = Result(deals=(Deal(number=1, scores=(5000, -5000)),), finished_at=NOW) if over else None
    matches = tuple(
        MatchState(
            id=number,
            round=1,
            table=number,
            sides=((2 * number - 1,), (2 * number,)),
            stage=MatchStage.DONE if over else MatchStage.PLAYING,
            seats=tuple(person for place in zip(*people[2 * number - 2 : 2 * number], strict=True) for person in place),
            place=BIG + number,
            opened_at=NOW,
            due=NOW,
            result=result,
        )
        for number in range(1, entries // 2 + 1)
    )
    away = tuple(UnpairedEntry(entry=number, code=code, points=1) for number, code in enumerate(UnpairedReason, 1))
    turn = RoundState(number=1, stage=RoundStage.CALLED, drawn_at=NOW, away=away)
    boards = tuple(BoardState(number=number, minimum=120, dealer=0, commitment="c" * 64) for number in range(1, 37))
    return Tournament(
        plan=plan,
        directors=(Person(BIG),),
        created_at=NOW,
        since=NOW,
        id=BIG,
        channel=BIG,
        stage=stage,
        commitment="c" * 64,
        lot_shown="d" * 64 if stage is Stage.CLOSED else "",
        entrants=entrants,
        rounds=(turn,),
        matches=matches,
        boards=boards,
        movement=make_movement(range(1, 41), 9, two_winners=False),
        news=news_of_every_kind(),
        rounds_planned=7,
        names={person: LONG for pair in people for person in pair},
        closed_at=NOW,
    )


CODES = [
    "partner_asked",
    "partner_agreed",
    "partner_declined",
    "moved_up",
    "odd_one_waits",
    "planned_anew",
    "penalty",
    "case_called",
    "checked_in",
    "entered_late",
    "left",
    "removed",
    "back",
    "sits_out",
    "too_few",
    "next_round",
    "was_away",
    "round_void",
    "postponed",
    "paused",
    "resumed",
    "reopened",
    "cancelled",
    "announcement",
    "table_waits",
    "given_more_time",
    "no_show",
    "lost_at_table",
    "extended",
    "substituted",
    "ruled_forfeit",
    "ruled_adjust",
    "ruled_points",
    "ruled_void",
    "ruled_board",
    "undone",
    "bracket_mended",
    "challenged",
    "challenge_accepted",
    "challenge_declined",
    "challenge_lapsed",
    "ladder_idle",
    "board_over",
    "board_open",
    "case_open",
    "case_answered",
    "ten_minutes",
    "round_ends",
    "check_in_open",
    "movement",
    "called_off",
    "cancelled_by_host",
    "times_offered",
    "time_agreed",
    "time_near",
    "time_begins",
    "time_missed",
    "times_forfeited",
    "regular_asked",
    "regular_agreed",
    "regular_declined",
    "regular_left",
    "stood_in",
]
"""Every kind of news except the close, which has its own message."""


def news_of_every_kind() -> tuple[News, ...]:
    """Return a news item of every kind."""
    numbers = {
        "until": NOW + 10**6,
        "round": 3,
        "entries": 9,
        "level": 3,
        "points": 1,
        "case": 7,
        "table": 3,
        "out": 2,
        "in": 2,
        "minutes": 25,
        "sides": 1,
        "board": 1,
        "boards": 18,
        "of": 36,
        "matches": 2,
        "at": NOW,
        "times": 2,
        **{f"at{place}": NOW + 1000 * place for place in range(1, 6)},
    }
    persons = tuple(Person(BIG + one) for one in range(4))
    texts = {"reason": "r" * 400, "text": "t" * 400, "what": "adjust", "category": "late", "answer": "a" * 400}
    return tuple(
        News(
            number=number,
            code=code,
            at=NOW,
            audience=Audience.ALL,
            match=1,
            persons=persons,
            about=persons,
            entries=(1, 2),
            numbers=numbers,
            texts=texts,
        )
        for number, code in enumerate(CODES, 1)
    )


def standings_of(entries: int = 64) -> list[Place]:
    """Return standings with that many entries."""
    return [Place(first=one, last=one + one % 2, entry=one, points=Fraction(99)) for one in range(1, entries + 1)]


def tournament_pages(large_in: Collection[str]) -> list[Page]:
    """Return every page about tournaments, in every language.

    Each language except English has a part of the stages. Pages of large tournaments are in the languages of
    `large_in`.
    """
    pages, stages = wizard_pages(), [one for one in Stage if one is not Stage.DRAFT]
    for turn, locale in enumerate(locales()):
        said = words(locale)
        for stage in stages if locale == DEFAULT else sample_cases(stages, turn):
            tournament = running_tournament(stage, over=stage in (Stage.CLOSING, Stage.CLOSED))
            pages += [one.page for one in wanted_messages(said, tournament, {1: standings_of()})]
            pages += [announcement_page(said, tournament), final_results_page(said, tournament, standings_of())]
            pages.append(standings_page(said, tournament, standings_of(), round_number=1))
        called = running_tournament()
        pages += [
            news_page(said, called, one, text_before="b" * 100) for one in called.news if one.code not in ON_PAGES
        ]
        if locale in large_in:
            pages += _large_pages(said)
        pages += _fault_pages(said)
        offers = tuple(
            OfferedTime(
                at=NOW + 1000 * one, by=Person(BIG), offered_at=NOW, suits=tuple(Person(BIG + two) for two in range(4))
            )
            for one in range(1, 7)
        )
        match = replace(called.matches[0], times=offers, agreed_at=NOW)
        pages += [times_page(said, called, one, NOW) for one in (called.matches[0], match)]
        pages += _roster_pages(said, called)
        pages += [
            player_actions.partners_page(said, called, 3),
            player_actions.confirm_leaving_page(said, called, called.entrants[0]),
        ]
    return pages


def _roster_pages(words: Words, called_tournament: Tournament) -> Iterator[Page]:
    """Yield pages that show an entry's members: with the most regulars, with the most asked, and with neither."""
    plan = replace(called_tournament.plan, regulars=4)
    entrant = called_tournament.entrants[0]
    regulars = tuple(Person(BIG + 10_000 + one) for one in range(4))
    asked = tuple(AskedRegular(person=one, until=NOW) for one in regulars)
    for those in (replace(entrant, regulars=regulars), replace(entrant, asked=asked), entrant):
        tournament = replace(called_tournament, plan=plan, entrants=(those, *called_tournament.entrants[1:]))
        yield roster_page(words, tournament, those, those.people[0])
        yield announcement_page(words, tournament)
        for one in tournament.news:
            if one.code == "table_waits":
                yield news_page(words, tournament, replace(one, audience=Audience.MATCH), called=())


LARGE: Final = 1000
"""The largest number of entries that a tournament may have."""


def _large_pages(words: Words) -> Iterator[Page]:
    """Yield the messages of tournaments with the most entries possible, with news about all of them."""
    everybody = tuple(Person(BIG + one) for one in range(2 * LARGE))
    for stage in (Stage.OPEN, Stage.CHECK_IN, Stage.RUNNING, Stage.CLOSED):
        tournament = running_tournament(stage, over=stage is Stage.CLOSED, entries=LARGE)
        away = tuple(UnpairedEntry(entry=one, code=UnpairedReason.BYE, points=2) for one in range(1, LARGE + 1))
        tournament = replace(tournament, rounds=(replace(tournament.rounds[0], away=away),))
        yield from (one.page for one in wanted_messages(words, tournament, {1: standings_of(LARGE)}))
        yield announcement_page(words, tournament)
        yield final_results_page(words, tournament, standings_of(LARGE))
        yield standings_page(words, tournament, standings_of(LARGE), round_number=1)
    tournament = running_tournament(entries=LARGE)
    for one in tournament.news:
        if one.code not in ON_PAGES:
            about = replace(one, about=everybody, persons=everybody, entries=tuple(range(1, LARGE + 1)))
            yield news_page(words, tournament, about, text_before="b" * 100)


def _fault_pages(words: Words) -> Iterator[Page]:
    """Yield the messages about every possible fault of a tournament, and about its cancellation."""
    outline = Outline(id=BIG, guild=BIG, channel=BIG, name="N" * 60)
    for what in (READ, TABLES, *AlarmKind):
        fault = Fault(
            tournament=BIG,
            what=what,
            subject=BIG,
            code="ffff",
            tries=1,
            again_at=NOW,
            told_at=NOW,
            mended=False,
        )
        for one in (fault, replace(fault, tries=99), replace(fault, mended=True)):
            yield fault_page(words, outline, one, (99, 500))
