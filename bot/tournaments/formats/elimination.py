"""Elimination, single and double: a bracket decides the matches (`docs/tournaments.md` 3)."""

from __future__ import annotations

from dataclasses import replace

from bot.tournaments.brackets.bracket import Bracket, build_bracket
from bot.tournaments.brackets.results import BracketTerms, slot_outcomes
from bot.tournaments.brackets.voided_matches import repair_bracket as mend_bracket
from bot.tournaments.event.counted_results import course_of
from bot.tournaments.event.match_state import MatchState, RoundDraw, RoundStage
from bot.tournaments.event.matches import call_match
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import Stage, Tournament
from bot.tournaments.event.tournament_changes import add_news, with_round
from bot.tournaments.formats.format import Format, departed_entries, new_fixture, started_entries
from bot.tournaments.formats.ranking import Place, Ranking, round_number_or_newest
from bot.tournaments.seeded_draw import SeededDraw


class EliminationFormat(Format):
    """The elimination formats: matches come from a bracket, which is repaired after rulings."""

    def draw_next_round(self, tournament: Tournament, draws: SeededDraw) -> RoundDraw | None:
        """Return a round of the bracket's matches that are due; None once the bracket is decided."""
        now = bracket_of(tournament, draws)
        if now.due_stage is None or not now.ready_matches:
            return None
        gone = departed_entries(tournament)
        ready = now.due_stage.ready or now.ready_matches
        fixtures = tuple(new_fixture(tuple((entry,) for entry in one.sides), gone, one.slot) for one in ready)
        return RoundDraw(fixtures=fixtures, part=now.due_stage.name)

    def with_consequences(self, before: Tournament, after: Tournament, draws: SeededDraw, now: int) -> Tournament:
        """Return the tournament with its bracket repaired after a change of its rulings."""
        return after if before.rulings == after.rulings else repair_matches(after, draws, now=now)

    def ranking(self, tournament: Tournament, draws: SeededDraw, after_round: int | None) -> Ranking:
        """Return the places by the bracket; until it has a winner, entries still playing come first."""
        if not started_entries(tournament):
            return Ranking(round_number_or_newest(tournament, after_round), ())
        return Ranking(
            round_number_or_newest(tournament, after_round), _places_of_bracket(bracket_of(tournament, draws))
        )


def bracket_of(tournament: Tournament, draws: SeededDraw) -> Bracket:
    """Return the bracket so far, with results of the round in play."""
    results = slot_outcomes(course_of(tournament, running=True).rounds)
    terms, seeds = _bracket_terms(tournament.plan), _entries_by_seed(tournament)
    return build_bracket(terms, seeds, results=results, draw=lambda numbers: draws.draw_order(numbers, "second chance"))


def _bracket_terms(plan: Plan) -> BracketTerms:
    return BracketTerms(kind=plan.kind, third_place=plan.third_place, second_chance=plan.second_chance)


def _entries_by_seed(tournament: Tournament) -> tuple[int, ...]:
    """Return the entries in order of their seeds, the first seed first."""
    return tuple(one.number for one in started_entries(tournament))


def _places_of_bracket(bracket: Bracket) -> tuple[Place, ...]:
    """Return the places of a bracket, with entries still playing and the second chance."""
    found = [Place(first=one.first, last=one.last, entry=one.entry) for one in bracket.main.places]
    placed = {one.entry for one in found}
    playing = [Place(first=None, last=None, entry=one) for one in bracket.main.entries if one not in placed]
    second = () if bracket.second is None else bracket.second.places
    random = [Place(first=one.first, last=one.last, entry=one.entry, list_name="second") for one in second]
    return (*playing, *found, *random) if not found or found[0].first != 1 else (*found, *playing, *random)


def repair_matches(tournament: Tournament, draws: SeededDraw, *, now: int) -> Tournament:
    """Void matches that have the wrong sides, and call those that are ready instead."""
    if tournament.current_round is None:
        return tournament
    open_matches = [one for one in tournament.matches if one.result is None and not one.voided]
    found = mend_bracket(
        _bracket_terms(tournament.plan),
        _entries_by_seed(tournament),
        results=slot_outcomes(course_of(tournament, running=True).rounds),
        playing={one.slot: (one.sides[0][0], one.sides[1][0]) for one in open_matches},
        draw=lambda numbers: draws.draw_order(numbers, "second chance"),
    )
    if not found.void:
        return tournament
    matches = tuple(replace(one, voided=True) if one.slot in found.void else one for one in tournament.matches)
    after = add_news(replace(tournament, matches=matches), "bracket_mended", now, numbers={"matches": len(found.void)})
    ready = tuple(
        one
        for one in found.ready
        if not any(one.slot == open_.slot for open_ in open_matches if open_.slot not in found.void)
    )
    return _add_matches(after, [(one.slot, one.sides) for one in ready], now)


def _add_matches(tournament: Tournament, sides_by_slot: list[tuple[str, tuple[int, int]]], now: int) -> Tournament:
    """Add matches for these bracket slots to the current round."""
    turn = tournament.current_round
    if turn is None or not sides_by_slot:
        return tournament
    number = max((one.id for one in tournament.matches), default=0)
    table = len(tournament.matches_of(turn.number))
    added = []
    for place, (slot, sides) in enumerate(sides_by_slot, 1):
        match = MatchState(
            id=number + place,
            round=turn.number,
            table=table + place,
            sides=tuple((entry,) for entry in sides),
            slot=slot,
        )
        added.append(match if turn.stage is RoundStage.DRAWN else call_match(tournament, match, now))
    after = replace(tournament, matches=(*tournament.matches, *added), stage=Stage.RUNNING)
    if turn.stage in (RoundStage.COMPLETE, RoundStage.FINAL):
        after = with_round(after, replace(turn, stage=RoundStage.CALLED, complete_at=None))
    return after
