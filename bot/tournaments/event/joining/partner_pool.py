"""The pool: persons who are without a partner after partners were drawn (`docs/tournaments.md` 2, 3)."""

from __future__ import annotations

from dataclasses import replace

from bot.tournaments.counted_results import Span
from bot.tournaments.event.entries import Entrant, EntryStage
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.tournament import Audience, Stage, Tournament
from bot.tournaments.event.tournament_changes import add_news, with_entrant


def last_round_for_late_entries(tournament: Tournament) -> int:
    """Return the last round from which late entries may play; 0 if there are none.

    In a Swiss it is the end of the first half (`docs/tournaments.md` 3).
    """
    takes_late = tournament.plan.traits.late == "first_half" and tournament.plan.late_entry
    return last_round_of_first_half(tournament) if takes_late else 0


def last_round_of_first_half(tournament: Tournament) -> int:
    """Return the last round of the first half: ⌈R/2⌉ of R planned rounds."""
    return ((tournament.rounds_planned or 0) + 1) // 2


def takes_late_entries(tournament: Tournament) -> bool:
    """Return whether a running tournament takes new entries."""
    return tournament.plan.traits.late == "always" or next_round_number(tournament) <= last_round_for_late_entries(
        tournament
    )


def next_round_number(tournament: Tournament) -> int:
    """Return the number of the first round not called yet, even if it is drawn."""
    turn = tournament.current_round
    if turn is None:
        return 1
    return turn.number if turn.stage is RoundStage.DRAWN else turn.number + 1


def first_round_of_newcomers(tournament: Tournament) -> int:
    """Return the first round of an entry that enters now; 1 in a ladder."""
    return next_round_number(tournament) if tournament.plan.traits.has_rounds else 1


def waiting_entries(tournament: Tournament) -> tuple[Entrant, ...]:
    """Return the waiting entries in order of entry.

    They wait for a place or, after partners were drawn, for a partner.
    """
    found = (one for one in tournament.entrants if one.stage is EntryStage.WAITING)
    return tuple(sorted(found, key=lambda one: (one.entered_at, one.number)))


def pair_persons_in_pool(tournament: Tournament, *, now: int) -> Tournament:
    """Combine the persons in the pool into entries, the longest waiting first.

    When late entry is over, remove those who are left without a partner.
    """
    if tournament.stage is not Stage.RUNNING or not tournament.plan.drawn:
        return tournament
    size, after = tournament.plan.persons_in_entry, tournament
    open_ = takes_late_entries(tournament)
    while open_ and len(pool := waiting_entries(after)) >= size:
        after = _combine_into_entry(after, pool[:size], now)
    return after if open_ else _dissolve_pool(after, now)


def _combine_into_entry(tournament: Tournament, lone_entries: tuple[Entrant, ...], now: int) -> Tournament:
    """Combine these persons into an entry with the next number, which plays from the next round."""
    people = tuple(one.people[0] for one in lone_entries)
    first = first_round_of_newcomers(tournament)
    others = tuple(one for one in tournament.entrants if one not in lone_entries)
    entrant = replace(
        lone_entries[0],
        number=max(one.number for one in others) + 1,
        people=people,
        agreed=people,
        here=people,
        shares=tuple(share for one in lone_entries for share in one.shares),
        stage=EntryStage.PLAYING,
        rank=max(one.rank for one in others) + 1,
        spans=(Span(first),),
        entered_at=now,
    )
    after = with_entrant(replace(tournament, entrants=others), entrant)
    numbers = {"round": first}
    after = add_news(after, "entered_late", now, entries=(entrant.number,), numbers=numbers)
    for person in people:
        after = add_news(
            after,
            "partner_found",
            now,
            audience=Audience.PERSONS,
            persons=(person,),
            about=tuple(one for one in people if one != person),
            numbers=numbers,
        )
    return after


def _dissolve_pool(tournament: Tournament, now: int) -> Tournament:
    """Remove the persons in the pool from the tournament, and notify them that no partner can be found."""
    alone = waiting_entries(tournament)
    if not alone:
        return tournament
    after = replace(tournament, entrants=tuple(one for one in tournament.entrants if one not in alone))
    return add_news(
        after,
        "nobody_came",
        now,
        audience=Audience.PERSONS,
        persons=tuple(person for one in alone for person in one.people),
        pings=True,
    )
