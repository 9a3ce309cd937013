"""Entering and leaving (`docs/tournaments.md` 1, 2, 8): places, partners who are asked, waiting, late entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.tournaments.event.entries import Entrant, EntryStage, Person
from bot.tournaments.event.match_state import RoundStage
from bot.tournaments.event.refusals import TournamentCode, TournamentRefusal
from bot.tournaments.event.steps import (
    LIVE,
    find_entrant,
    places_left,
    require_director,
    require_stage,
    tell,
    with_entrant,
)
from bot.tournaments.event.tournament import Audience, Stage, Tournament


def publish(tournament: Tournament, *, by: int, now: int, commitment: str) -> Tournament:
    """Let people enter; from now on the lot is committed to. Refusals: not_director, wrong_stage."""
    require_director(tournament, by)
    require_stage(tournament, Stage.DRAFT)
    return replace(tournament, stage=Stage.OPEN, commitment=commitment, since=now)


def unpublish(tournament: Tournament, *, by: int) -> Tournament:
    """Back to a draft, while nobody has entered; the lot and the boards are drawn anew when entering opens again.

    Refusals: not_director, wrong_stage, somebody_entered.
    """
    require_director(tournament, by)
    require_stage(tournament, Stage.OPEN)
    if tournament.entrants:
        raise TournamentRefusal(TournamentCode.SOMEBODY_ENTERED, {"entries": len(tournament.entrants)})
    return replace(tournament, stage=Stage.DRAFT)


def last_late_round(tournament: Tournament) -> int:
    """The last round that somebody may be entered for after the start: the first half of them (3, Swiss)."""
    planned = tournament.rounds_planned or 0
    takes_late = tournament.plan.traits.late == "first_half" and tournament.plan.late_entry
    return (planned + 1) // 2 if takes_late else 0


def next_round(tournament: Tournament) -> int:
    """The first round that is not called yet: one that is drawn can still be drawn anew."""
    turn = tournament.current
    if turn is None:
        return 1
    return turn.number if turn.stage is RoundStage.DRAWN else turn.number + 1


def enter(tournament: Tournament, *, people: Sequence[int], now: int) -> Tournament:
    """The first of `people` enters with the others, who are asked; somebody entered twice has one entry.

    Who has been asked by others says yes to them by naming them, and no by naming anybody else.

    Refusals: wrong_stage, partners_wrong, already_entered, entry_closed, no_place.
    """
    require_stage(tournament, *LIVE)
    captain, *others = people
    needed = tournament.plan.persons_each
    if len(set(people)) != needed:
        raise TournamentRefusal(TournamentCode.PARTNERS_WRONG, {"needed": needed, "given": len(set(people))})
    question = tournament.question_to(captain)
    if question is not None:
        if set(question.people) == set(people):
            return agree(tournament, person=captain, now=now)
        tournament = _unasked(tournament, question, now)
    for person in people:
        known = tournament.entry_of(person)
        if known is not None:
            raise TournamentRefusal(TournamentCode.ALREADY_ENTERED, {"entry": known.number})
    if tournament.stage is Stage.RUNNING:
        _require_late(tournament, needed)
    number = max((one.number for one in tournament.entrants), default=0) + 1
    entrant = Entrant(
        number=number,
        people=tuple(Person(one) for one in people),
        captain=Person(captain),
        stage=EntryStage.ASKED,
        entered_at=now,
        agreed=(Person(captain),),
        asked_until=now + tournament.plan.partner_answer if others else None,
    )
    if not others:
        return _settled(tournament, entrant, now)
    after = with_entrant(tournament, entrant)
    return tell(
        after,
        "partner_asked",
        now,
        audience=Audience.PERSONS,
        persons=tuple(others),
        entries=(number,),
        numbers={"until": entrant.asked_until or 0},
        pings=True,
    )


def _require_late(tournament: Tournament, people: int) -> None:
    """Refuse so many people who come once rounds are played: entry_closed, no_place."""
    if tournament.plan.traits.late != "always" and next_round(tournament) > last_late_round(tournament):
        raise TournamentRefusal(TournamentCode.ENTRY_CLOSED, {"round": last_late_round(tournament)})
    if places_left(tournament) < people:
        raise TournamentRefusal(TournamentCode.NO_PLACE, {"places": tournament.plan.places})


def _settled(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """The entry is complete: it has a place, waits for one, or is in from the next round on."""
    if tournament.stage is Stage.RUNNING:
        return _entered_late(tournament, entrant, now)
    others = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    stage = EntryStage.ENTERED if places_left(others) >= len(entrant.people) else EntryStage.WAITING
    return with_entrant(tournament, replace(entrant, stage=stage, asked_until=None, entered_at=now))


def _entered_late(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    first = next_round(tournament) if tournament.plan.traits.has_rounds else 1
    rank = max((one.rank for one in tournament.entrants), default=0) + 1
    entered = replace(
        entrant,
        stage=EntryStage.PLAYING,
        asked_until=None,
        here=entrant.people,
        rank=rank,
        from_round=first,
        entered_at=now,
    )
    after = with_entrant(tournament, entered)
    return tell(after, "entered_late", now, entries=(entered.number,), numbers={"round": first})


def agree(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """A partner says yes; the last one completes the entry.

    Refusals: wrong_stage, not_asked, entry_closed, no_place.
    """
    require_stage(tournament, *LIVE)
    entrant = _asked(tournament, person)
    agreed = (*entrant.agreed, Person(person))
    if set(agreed) != set(entrant.people):
        return with_entrant(tournament, replace(entrant, agreed=agreed))
    if tournament.stage is Stage.RUNNING:
        _require_late(tournament, len(entrant.people))
    after = _settled(tournament, replace(entrant, agreed=agreed), now)
    return tell(
        after,
        "partner_agreed",
        now,
        audience=Audience.PERSONS,
        persons=(entrant.captain,),
        entries=(entrant.number,),
    )


def decline(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """A partner says no, and there is no such entry. Refusals: wrong_stage, not_asked."""
    require_stage(tournament, *LIVE)
    entrant = _asked(tournament, person)
    return _unasked(tournament, entrant, now)


def lapse(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """A partner has not answered in time."""
    return _unasked(tournament, tournament.entrant(entry), now)


def _unasked(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    after = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    return tell(
        after,
        "partner_declined",
        now,
        audience=Audience.PERSONS,
        persons=(entrant.captain,),
        about=tuple(one for one in entrant.people if one not in entrant.agreed),
    )


def _asked(tournament: Tournament, person: int) -> Entrant:
    question = tournament.question_to(person)
    if question is None:
        raise TournamentRefusal(TournamentCode.NOT_ASKED)
    return question


def leave(tournament: Tournament, *, person: int, now: int, removed: bool = False) -> Tournament:
    """The person's entry leaves: before the start at once, later after the round that is played.

    Once a round is called its match is played or forfeited; what is played stays. Who asked a partner takes the
    question back so, and who was asked says no. Refusals: wrong_stage, not_entered.
    """
    require_stage(tournament, *LIVE)
    entrant = tournament.entry_of(person)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    if tournament.question_to(person) is not None:
        return _unasked(tournament, entrant, now)
    if entrant.stage is not EntryStage.PLAYING:
        return _withdrawn(tournament, entrant, now)
    gone = EntryStage.REMOVED if removed else EntryStage.LEFT
    turn = tournament.current
    last = 0 if turn is None else turn.number - (turn.stage is RoundStage.DRAWN)
    left = replace(entrant, stage=gone, last_round=last, annulled=_is_annulled(tournament, entrant))
    after = with_entrant(tournament, left)
    code = "removed" if removed else "left"
    return tell(after, code, now, entries=(entrant.number,), numbers={"entries": _playing(after)})


def _is_annulled(tournament: Tournament, entrant: Entrant) -> bool:
    """Whether the entry leaves a round robin before half of its matches: then they count for nobody (3)."""
    if not tournament.plan.traits.forfeits_count:
        return False
    played = sum(
        one.result is not None and not one.voided and any(entrant.number in side for side in one.sides)
        for one in tournament.matches
    )
    others = sum(1 for one in tournament.entrants if one.rank) - 1
    return 2 * played < others * tournament.plan.cycles


def _playing(tournament: Tournament) -> int:
    return sum(1 for one in tournament.entrants if one.active)


def _withdrawn(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    after = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    if tournament.stage is not Stage.OPEN:
        return after
    return moved_up(after, now)


def moved_up(tournament: Tournament, now: int) -> Tournament:
    """Whoever waits longest has the places that are free; those who move up are told."""
    for one in waiting(tournament):
        if places_left(tournament) < len(one.people):
            break
        tournament = with_entrant(tournament, replace(one, stage=EntryStage.ENTERED))
        tournament = tell(
            tournament, "moved_up", now, audience=Audience.PERSONS, persons=one.people, entries=(one.number,)
        )
    return tournament


def waiting(tournament: Tournament) -> tuple[Entrant, ...]:
    """The entries that wait for a place, in the order of coming."""
    found = (one for one in tournament.entrants if one.stage is EntryStage.WAITING)
    return tuple(sorted(found, key=lambda one: (one.entered_at, one.number)))


def sit_out(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Announce to miss the next round, once (`docs/tournaments.md` 3).

    Refusals: wrong_stage, not_entered, already_sat_out, last_round.
    """
    require_stage(tournament, Stage.RUNNING)
    entrant = tournament.entry_of(person)
    if entrant is None or not entrant.active:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    if not tournament.plan.traits.may_sit_out:  # elsewhere everybody is awaited in every round
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
    following = next_round(tournament)
    if following >= (tournament.rounds_planned or 0):
        raise TournamentRefusal(TournamentCode.LAST_ROUND, {"round": following})
    if following in entrant.sits_out:
        raise TournamentRefusal(TournamentCode.ALREADY_SAT_OUT, {"round": following})
    after = with_entrant(tournament, replace(entrant, sits_out=(*entrant.sits_out, following)))
    return tell(after, "sits_out", now, entries=(entrant.number,), numbers={"round": following})


def bring_back(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """An entry that has left takes part again from the next round on, or in a bracket while it is in it (2).

    Refusals: no_such_entry, wrong_stage.
    """
    require_stage(tournament, Stage.RUNNING, Stage.CLOSING)
    entrant = find_entrant(tournament, entry)
    if entrant.stage not in (EntryStage.LEFT, EntryStage.REMOVED) or entrant.rank == 0:
        raise TournamentRefusal(TournamentCode.NO_SUCH_ENTRY, {"entry": entry})
    after = with_entrant(tournament, replace(entrant, stage=EntryStage.PLAYING, last_round=None, annulled=False))
    return tell(after, "back", now, entries=(entry,))


def seeded(tournament: Tournament, order: Sequence[int]) -> Tournament:
    """The start order as given, by entries; those not named keep theirs behind them."""
    place = {number: rank for rank, number in enumerate(order)}
    ranked = sorted(
        (one for one in tournament.entrants if one.rank), key=lambda one: (place.get(one.number, len(place)), one.rank)
    )
    for rank, one in enumerate(ranked, 1):
        tournament = with_entrant(tournament, replace(one, rank=rank))
    return tournament
