"""A tournament as a JSON document in the format `canasta-event` (`docs/event.md`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from bot.tables.past.record_rules import write_rules
from bot.tournaments.boards.movement import Movement
from bot.tournaments.boards.movement_balance import imbalance_of_movement
from bot.tournaments.counted_results import Deal, Entry, EntryWithoutMatch, Match, Penalty, Round, Side, UnpairedReason
from bot.tournaments.event.ladder import LadderEvent
from bot.tournaments.event.plan import Plan
from bot.tournaments.event.tournament import NightOf, Ruling, Tournament
from bot.tournaments.export.boards import ROOMS, boards_json, table_number_of
from bot.tournaments.export.export_input import ExportInput, LogLine
from bot.tournaments.export.places import standings_json, tiebreaks_of

FORMAT: Final = "canasta-event"
VERSION: Final = 2

UNTOLD: Final = ("case", "answer")
"""Steps that are left out of the published log."""

Json = dict[str, Any]


def tournament_document(export_input: ExportInput) -> Json:
    """Return the tournament as a document that may be published.

    Sealed boards are null, and so is the seed before the close.
    """
    tournament, course = export_input.tournament, export_input.course
    return {
        "format": FORMAT,
        "version": VERSION,
        "event": _event_json(export_input),
        "people": [_person_json(tournament, one) for one in _people_in_document(tournament)],
        "entries": [_entry_json(tournament, one) for one in course.entries],
        "rounds": [_round_json(tournament, one) for one in course.rounds],
        "rungs": [] if tournament.ladder is None else [_ladder_event_json(one) for one in tournament.ladder.events],
        "penalties": [_penalty_json(one) for one in course.penalties],
        "standings": standings_json(export_input),
        "boards": boards_json(export_input),
        "ratings": export_input.ratings,
        "audit": list(_log_lines_json(tournament.rulings, export_input.log)),
    }


def document_text(export_input: ExportInput) -> str:
    """Return the document on one line without spaces."""
    return json.dumps(tournament_document(export_input), separators=(",", ":"), ensure_ascii=False)


# --- the tournament --------------------------------------------------------------------------------------------------


def _event_json(export_input: ExportInput) -> Json:
    """Return the tournament's general data as JSON."""
    tournament, plan = export_input.tournament, export_input.tournament.plan
    scoring, duplicate = plan.scoring, plan.duplicate
    ranked = sorted((one for one in tournament.entrants if one.rank), key=lambda one: one.rank)
    return {
        "id": tournament.id,
        "name": plan.name,
        "kind": plan.kind.value,
        "entry_size": 1 if plan.traits.partners_change else plan.entry_size,
        "table_players": plan.players,
        "rules": _rules_json(plan),
        "themes_by_round": [list(one) for one in plan.themes_by_round],
        "match": {"deals": plan.deals, "target": plan.rules.target if plan.deals is None else None},
        "clock": None if plan.settings.clock is None else plan.settings.clock.name,
        "rounds_planned": tournament.rounds_planned,
        "cycles": plan.cycles,
        "scoring": {name: getattr(scoring, name) for name in ("win", "tie", "loss", "bye", "half")},
        "tiebreaks": tiebreaks_of(export_input),
        "swing_unit": scoring.swing_unit,
        "net_cap": scoring.net_cap,
        "seeding": plan.seeding.value,
        "lot": tournament.lot_shown or None,
        "computers": plan.computers,
        "rated": plan.rated,
        "ladder": export_input.ladder,
        "status": tournament.stage.value,
        "start_order": [one.number for one in ranked],
        "duplicate": None if duplicate is None else {"scoring": duplicate.scoring.value},
        "movement": None if tournament.movement is None else _movement_json(tournament.movement),
        "series": None if tournament.night is None else _night_json(tournament.night),
    }


def _night_json(night: NightOf) -> Json:
    return {
        "id": night.series,
        "name": night.name,
        "season": night.season,
        "night": night.number,
        "final": night.final,
    }


def _movement_json(movement: Movement) -> Json:
    return {
        "name": movement.name.value,
        "winners": movement.winners,
        "balance": round(imbalance_of_movement(movement.rounds), 4),
    }


def _rules_json(plan: Plan) -> Json:
    return {
        "set": plan.rules.name,
        "options": {
            name: value for name, value in write_rules(plan.rules).get("changed", {}).items() if name != "theme"
        },
        "theme": [one.name for one in plan.rules.theme],
    }


# --- persons and entries ---------------------------------------------------------------------------------------------


def _people_in_document(tournament: Tournament) -> Iterator[int]:
    """Yield every person named in the document, each once."""
    seated = (one for match in tournament.matches for one in match.seats if one is not None)
    entered = (one for entrant in tournament.entrants if entrant.rank for one in entrant.present_and_former_members)
    ruled = (one.by for one in tournament.rulings)
    yield from dict.fromkeys((*entered, *seated, *tournament.directors, *ruled))


def _person_json(tournament: Tournament, person: int) -> Json:
    """Return a person as JSON; a negative id was forgotten on request."""
    kind = "person" if person > 0 else "former"
    return {"id": str(person), "name": tournament.names.get(person, ""), "kind": kind}


def _entry_json(tournament: Tournament, entry: Entry) -> Json:
    entrant = tournament.entrant(entry.number)
    return {
        "number": entry.number,
        "name": entry_name(tournament, entry.number),
        "people": [str(one) for one in entry.people],
        "regulars": [str(one) for one in (*entrant.regulars, *entrant.former)],
        "spans": [[span.first, span.last] for span in entry.spans],
        "annulled": entry.annulled,
    }


def entry_name(tournament: Tournament, entry: int) -> str:
    """Return the name of an entry: its people's names."""
    return " & ".join(tournament.names.get(one, "") for one in tournament.entrant(entry).people)


# --- rounds ----------------------------------------------------------------------------------------------------------


def _round_json(tournament: Tournament, played_round: Round) -> Json:
    return {
        "number": played_round.number,
        "stage": played_round.stage,
        "order": list(played_round.order),
        "cost": list(played_round.cost),
        "by_hand": played_round.by_hand,
        "matches": [_match_json(tournament, match) for match in played_round.matches],
        "unpaired": [_unpaired_json(sat) for sat in played_round.unpaired],
    }


def _unpaired_json(unpaired: EntryWithoutMatch) -> Json:
    points = None if unpaired.code is UnpairedReason.SIT_OUT else unpaired.points
    return {"entry": unpaired.entry, "code": unpaired.code.value, "points": points}


def _match_json(tournament: Tournament, match: Match) -> Json:
    return {
        "id": match.id,
        "table": match.table,
        "kind": match.kind.value,
        "sides": [_side_json(one) for one in match.sides],
        "deals": [_deal_json(one) for one in match.deals],
        "set_by_director": match.set_by_director,
        "unrated": match.unrated,
        "reason": match.reason,
        "finished_at": match.finished_at,
        **_rooms_json(tournament, match),
    }


def _side_json(side: Side) -> Json:
    those: Json = {"entry": side.entries[0]} if len(side.entries) == 1 else {"entries": list(side.entries)}
    return {**those, "people": [str(one) for one in side.people], "points": side.points, "score": side.score}


def _deal_json(deal: Deal) -> Json:
    told: Json = {"number": deal.number, "scores": list(deal.scores), "void": deal.void}
    return told if deal.as_played is None else {**told, "as_played": list(deal.as_played)}


def _rooms_json(tournament: Tournament, match: Match) -> Json:
    """Return the numbers of a team match's tables and boards as JSON; empty in other tournaments."""
    if not tournament.plan.is_for_teams:
        return {}
    match_state = tournament.match(match.id)
    return {"tables": [table_number_of(match_state, room) for room in ROOMS], "boards": list(match_state.boards)}


def _penalty_json(penalty: Penalty) -> Json:
    return {
        "round": penalty.round,
        "entry": penalty.entry,
        "category": penalty.category,
        "level": penalty.level,
        "points": penalty.points,
        "reason": penalty.reason,
        "by": str(penalty.by),
        "at": penalty.at,
    }


def _ladder_event_json(event: LadderEvent) -> Json:
    return {
        "at": event.at,
        "what": event.what.value,
        "entry": event.entry,
        "other": event.other,
        "winner": event.winner,
        "rung": event.rung or None,
    }


# --- the log ---------------------------------------------------------------------------------------------------------


def _log_lines_json(rulings: Iterable[Ruling], log: Iterable[LogLine]) -> Iterator[Json]:
    """Yield the lines of the log as JSON.

    If a line undoes the ruling of another line, its `undoes` is the number of that line, from 1.
    """
    left, made_in = list(rulings), dict[int, int]()
    for number, line in enumerate((one for one in log if one.kind not in UNTOLD), 1):
        made = next((one for one in left if _can_be_ruling_of_line(one, line)), None)
        if made is not None:
            left.remove(made)
            made_in[made.number] = number
        yield {
            "at": line.at,
            "by": None if line.by is None else str(line.by),
            "step": line.kind,
            "reason": _reason_in_line(line.detail, made),
            "undoes": made_in.get(line.detail.get("ruling", 0)),
        }


def _can_be_ruling_of_line(ruling: Ruling, line: LogLine) -> bool:
    """Return whether the ruling can be the one made in that log line."""
    return ruling.what.value == line.kind and ruling.by == line.by and ruling.at <= line.at


def _reason_in_line(detail: Mapping[str, Any], ruling: Ruling | None) -> str | None:
    """Return the reason that is given in a log line or in its ruling; None without one."""
    told = detail.get("reason") or detail.get("text") or ("" if ruling is None else ruling.reason)
    return str(told) or None
