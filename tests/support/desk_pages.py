"""Every page and dialog of the desk from which directors run a tournament.

They have the longest names and full lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from bot.i18n import DEFAULT, locales, words
from bot.tables.past.history import DealRecord
from bot.tournaments.counted_results import Deal
from bot.tournaments.desk.director_views import LogRow
from bot.tournaments.desk.ruling_preview import ProposedRuling, ProposedRulingKind, RulingPreview
from bot.tournaments.desk.unusual_play import UnusualPlay, UnusualPlayKind, UnusualPlayRow
from bot.tournaments.event.entries import EntryStage, Person
from bot.tournaments.event.ladder import Ladder, Rung
from bot.tournaments.event.tournament import Audience, Case, Ruling, RulingKind, Stage, Tournament
from bot.tournaments.standings.changed_places import PlaceChange, ResultChanges, ReversedResult
from cogs.shared.discord_api.components import Form, Page
from cogs.tournament.desk import cases as problem_page
from cogs.tournament.desk import entries, match_page, opening, rounds, search
from cogs.tournament.desk.desk_view import DeskView, home_page
from cogs.tournament.desk.log import log_page, unusual_figures_page
from cogs.tournament.news import ON_PAGES
from cogs.tournament.wanted_messages import news_page
from tests.support.seeds import sample_cases
from tests.support.tournament_pages import BIG, LARGE, NOW, running_tournament

REASON = "*" * 300


def tournament_with_rulings(stage: Stage, *, over: bool, entries: int = 64) -> Tournament:
    """Return a tournament with thirty rulings and as many cases."""
    tournament = running_tournament(stage, over=over, entries=entries)
    kinds = list(RulingKind)
    rulings = tuple(
        Ruling(
            number=number,
            what=kinds[number % len(kinds)],
            reason=REASON,
            by=Person(BIG),
            at=NOW,
            match=None if kinds[number % len(kinds)] is RulingKind.PENALTY else 1,
            entry=1 if kinds[number % len(kinds)] is RulingKind.PENALTY else None,
            category="conduct",
            level=3,
            points=(1,),
        )
        for number in range(1, 31)
    )
    by = Person(BIG)
    cases = tuple(Case(number=one, match=1, by=by, at=NOW, text="*" * 1000, deal=3) for one in range(1, 31))
    answered = replace(cases[0], answer="*" * 1000, answered_by=Person(BIG + 500))
    director = Person(BIG + 500)
    return replace(tournament, rulings=rulings, cases=(answered, *cases[1:]), directors=(director,), version=10**9)


def desk_views() -> Iterator[DeskView]:
    """Yield views of the desk, in English for every stage, in other languages for some stages.

    They include a director who plays, one who does not, a large tournament, and a paused one.
    """
    for turn, locale in enumerate(locales()):
        for stage in Stage if locale == DEFAULT else sample_cases(list(Stage), turn):
            tournament = tournament_with_rulings(stage, over=stage in (Stage.CLOSING, Stage.CLOSED))
            yield DeskView(words(locale), tournament, BIG + 500, NOW, "x" * 200)
        large = tournament_with_rulings(Stage.RUNNING, over=False, entries=LARGE)
        yield DeskView(words(locale), large, BIG + 500, NOW, "x" * 200)
        yield DeskView(
            words(locale),
            replace(tournament_with_rulings(Stage.RUNNING, over=False), directors=(Person(BIG),)),
            BIG,
            NOW,
        )
        yield DeskView(
            words(locale), replace(tournament_with_rulings(Stage.RUNNING, over=False), paused_at=NOW), BIG + 500, NOW
        )


def desk_pages(record: DealRecord) -> list[Page]:
    """Return every page of the directors' desk."""
    return [page for snapshot in desk_views() for page in _pages_of_view(snapshot, record)]


def _pages_of_view(view: DeskView, record: DealRecord) -> Iterator[Page]:
    match, entrant = view.tournament.matches[1], view.tournament.entrants[0]
    boards = replace(match, boards=(1, 2, 3, 4, 5, 6))
    yield home_page(view)
    yield home_page(replace(view, tournament=replace(view.tournament, ladder=Ladder())))
    yield rounds.round_page(view)
    yield match_page.matches_page(view, 1)
    yield match_page.matches_page(replace(view, tournament=_tournament_of_thirty_rounds(view.tournament)), 1)
    yield match_page.match_page(view, boards, _finished_deals())
    yield match_page.match_page(view, view.tournament.matches[0], ())
    yield match_page.substitute_page(view, match)
    yield match_page.substitute_choice_page(view, match, 1)
    yield match_page.forfeit_page(view, match)
    yield match_page.boards_page(view, boards)
    yield entries.entries_page(view)
    for number in (0, 1):
        yield search.search_results_page(view, number, "W")
        yield search.search_results_page(view, number, "nobody")
    yield entries.entry_page(view, replace(entrant, stage=EntryStage.LEFT))
    yield entries.entry_page(view, entrant)
    ladder = Ladder(rungs=(Rung(entry=entrant.number, active_at=0),))
    yield entries.entry_page(replace(view, tournament=replace(view.tournament, ladder=ladder)), entrant)
    yield entries.directors_page(view)
    yield problem_page.cases_page(view)
    yield problem_page.case_page(view, view.tournament.cases[0])
    yield problem_page.record_page(view, match, record, 0)
    yield log_page(view, _log_rows(view), 12)
    yield unusual_figures_page(view, _unusual_plays())
    for proposal in _proposed_rulings():
        yield rounds.ruling_preview_page(view, proposal, _preview_of_ruling(has_called_round=True))
    yield rounds.undo_page(view, view.tournament.rulings[0], _preview_of_ruling(has_called_round=False))
    for news in view.tournament.news:
        if news.code not in ON_PAGES:
            yield news_page(view.words, view.tournament, replace(news, audience=Audience.DIRECTORS))
    yield opening.become_director_page(view)
    yield opening.which_tournament_page(view.words, [view.tournament, replace(view.tournament, id=2)])


def _tournament_of_thirty_rounds(tournament: Tournament) -> Tournament:
    return replace(tournament, rounds=tuple(replace(tournament.rounds[0], number=number) for number in range(1, 31)))


def _finished_deals() -> tuple[Deal, ...]:
    return tuple(Deal(number=one, scores=(-5000, 5000), as_played=(5000, -5000)) for one in range(1, 21))


def _log_rows(view: DeskView) -> list[LogRow]:
    detail: dict[str, int | str] = {"match": 1, "reason": REASON, "amount": 60_000, "entry": 1, "level": 3}
    detail |= {"category": "late", "board": 6, "case": 7, "ruling": 3, "text": "t", "table": 5}
    kinds = [key.removeprefix("desk_step.") for key in view.words.entries if key.startswith("desk_step.")]
    told = view.tournament.news
    rows = [LogRow(version=one, at=NOW, by=BIG, kind=kind, detail=detail) for one, kind in enumerate(kinds)]
    return [*rows, LogRow(version=99, at=NOW, by=None, kind="clock", detail={}, told=told)]


def _unusual_plays() -> list[UnusualPlay]:
    persons = (Person(BIG), Person(BIG + 1), Person(BIG + 2), Person(BIG + 3))
    rows = tuple(UnusualPlayRow(persons=persons[:2], others=persons[2:], count=9, matches=(1, 2, 3)) for _ in range(20))
    return [UnusualPlay(what=one, rows=rows, mean=Fraction(1, 3)) for one in UnusualPlayKind]


def _preview_of_ruling(*, has_called_round: bool) -> RulingPreview:
    turned = (
        ReversedResult(match=1, groups=((1,), (2,))),
        ReversedResult(match=2, groups=((3, 4),)),
        ReversedResult(match=3, groups=()),
    )
    moved = tuple(PlaceChange(entry=one, before=one, after=65 - one) for one in range(1, 65))
    kept = (2, 3) if has_called_round else ()
    return RulingPreview(
        changes=ResultChanges(turned=turned, moved=moved),
        voided=(1, 2),
        called=kept,
        redrawn=None if has_called_round else 2,
    )


def _proposed_rulings() -> list[ProposedRuling]:
    scores = ((5000, -5000),) * 20
    return [
        ProposedRuling(does=ProposedRulingKind.ADJUST, match=1, scores=scores, reason=REASON),
        ProposedRuling(does=ProposedRulingKind.POINTS, match=1, points=(2, 0), reason=REASON),
        ProposedRuling(does=ProposedRulingKind.FORFEIT, match=1, sides=(0, 1), reason=REASON),
        ProposedRuling(does=ProposedRulingKind.VOID, match=1, reason=REASON),
    ]


def desk_forms() -> list[Form]:
    """Return every form (dialog) of the directors' desk."""
    return [made for snapshot in desk_views() for made in _forms_of_view(snapshot)]


def _forms_of_view(view: DeskView) -> Iterator[Form]:
    match = view.tournament.matches[0]
    yield rounds.void_form(view)
    yield rounds.cancel_form(view)
    yield rounds.postpone_form(view)
    yield rounds.pairing_form(view)
    yield rounds.announce_form(view)
    yield match_page.forfeit_form(view, match, "01", "over")
    yield match_page.void_form(view, match)
    yield match_page.extend_form(view, match)
    yield match_page.adjust_form(view, match, _finished_deals())
    yield match_page.points_form(view, match)
    yield match_page.board_form(view, match, "36", "1")
    yield entries.penalty_form(view, 64, "conduct", "5")
    yield entries.seeds_form(view)
    yield entries.rung_form(view, 64)
    yield search.search_form(view, 1)
    yield problem_page.answer_form(view, 30)
