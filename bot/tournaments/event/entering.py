"""Entering and leaving (`docs/tournaments.md` 1, 2, 8): places, partners, waiting list, late entries."""

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
    """Open a draft to entries, with the commitment to its seed. Refusals: not_director, wrong_stage."""
    require_director(tournament, by)
    require_stage(tournament, Stage.DRAFT)
    return replace(tournament, stage=Stage.OPEN, commitment=commitment, since=now)


def unpublish(tournament: Tournament, *, by: int) -> Tournament:
    """Return to a draft, if there are no entries; publishing again draws new seeds.

    Refusals: not_director, wrong_stage, somebody_entered.
    """
    require_director(tournament, by)
    require_stage(tournament, Stage.OPEN)
    if tournament.entrants:
        raise TournamentRefusal(TournamentCode.SOMEBODY_ENTERED, {"entries": len(tournament.entrants)})
    return replace(tournament, stage=Stage.DRAFT)


def last_late_round(tournament: Tournament) -> int:
    """Return the last round for late entries, the end of the first half (3, Swiss); 0 for none."""
    planned = tournament.rounds_planned or 0
    takes_late = tournament.plan.traits.late == "first_half" and tournament.plan.late_entry
    return (planned + 1) // 2 if takes_late else 0


def next_round(tournament: Tournament) -> int:
    """Return the first round not called yet; a round that is only drawn can be drawn again."""
    turn = tournament.current
    if turn is None:
        return 1
    return turn.number if turn.stage is RoundStage.DRAWN else turn.number + 1


def enter(tournament: Tournament, *, people: Sequence[int], now: int) -> Tournament:
    """Enter the first of `people` with the others, who are asked to agree.

    A person invited to another entry accepts it by naming the same people and declines it by naming others.
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
        tournament = _withdraw_question(tournament, question, now)
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
        return _place_entry(tournament, entrant, now)
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
    """Raise `TournamentRefusal` if that many people cannot enter late: entry_closed, no_place."""
    if tournament.plan.traits.late != "always" and next_round(tournament) > last_late_round(tournament):
        raise TournamentRefusal(TournamentCode.ENTRY_CLOSED, {"round": last_late_round(tournament)})
    if places_left(tournament) < people:
        raise TournamentRefusal(TournamentCode.NO_PLACE, {"places": tournament.plan.places})


def _place_entry(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    """Give a complete entry a place or a waiting position, or let it play from the next round."""
    if tournament.stage is Stage.RUNNING:
        return _enter_late(tournament, entrant, now)
    others = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    stage = EntryStage.ENTERED if places_left(others) >= len(entrant.people) else EntryStage.WAITING
    return with_entrant(tournament, replace(entrant, stage=stage, asked_until=None, entered_at=now))


def _enter_late(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
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
    """Accept as a partner; the last acceptance completes the entry.

    Refusals: wrong_stage, not_asked, entry_closed, no_place.
    """
    require_stage(tournament, *LIVE)
    entrant = _find_question(tournament, person)
    agreed = (*entrant.agreed, Person(person))
    if set(agreed) != set(entrant.people):
        return with_entrant(tournament, replace(entrant, agreed=agreed))
    if tournament.stage is Stage.RUNNING:
        _require_late(tournament, len(entrant.people))
    after = _place_entry(tournament, replace(entrant, agreed=agreed), now)
    return tell(
        after,
        "partner_agreed",
        now,
        audience=Audience.PERSONS,
        persons=(entrant.captain,),
        entries=(entrant.number,),
    )


def decline(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Decline as a partner, which removes the entry. Refusals: wrong_stage, not_asked."""
    require_stage(tournament, *LIVE)
    entrant = _find_question(tournament, person)
    return _withdraw_question(tournament, entrant, now)


def expire_question(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Remove an entry whose partner has not answered in time."""
    return _withdraw_question(tournament, tournament.entrant(entry), now)


def _withdraw_question(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    after = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    return tell(
        after,
        "partner_declined",
        now,
        audience=Audience.PERSONS,
        persons=(entrant.captain,),
        about=tuple(one for one in entrant.people if one not in entrant.agreed),
    )


def _find_question(tournament: Tournament, person: int) -> Entrant:
    question = tournament.question_to(person)
    if question is None:
        raise TournamentRefusal(TournamentCode.NOT_ASKED)
    return question


def leave(tournament: Tournament, *, person: int, now: int, removed: bool = False) -> Tournament:
    """Withdraw the person's entry: at once before the start, later after the current round.

    A match already called is played or forfeited; results stay. An entry still waiting for a partner's answer is
    removed, whoever of its people leaves. Refusals: wrong_stage, not_entered.
    """
    require_stage(tournament, *LIVE)
    entrant = tournament.entry_of(person)
    if entrant is None:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    if tournament.question_to(person) is not None:
        return _withdraw_question(tournament, entrant, now)
    if entrant.stage is not EntryStage.PLAYING:
        return _withdraw(tournament, entrant, now)
    gone = EntryStage.REMOVED if removed else EntryStage.LEFT
    turn = tournament.current
    last = 0 if turn is None else turn.number - (turn.stage is RoundStage.DRAWN)
    left = replace(entrant, stage=gone, last_round=last, annulled=_is_annulled(tournament, entrant))
    after = with_entrant(tournament, left)
    code = "removed" if removed else "left"
    return tell(after, code, now, entries=(entrant.number,), numbers={"entries": _count_playing(after)})


def _is_annulled(tournament: Tournament, entrant: Entrant) -> bool:
    """Return whether leaving now annuls its results: a round robin not half played (3)."""
    if not tournament.plan.traits.forfeits_count:
        return False
    played = sum(
        one.result is not None and not one.voided and any(entrant.number in side for side in one.sides)
        for one in tournament.matches
    )
    others = sum(1 for one in tournament.entrants if one.rank) - 1
    return 2 * played < others * tournament.plan.cycles


def _count_playing(tournament: Tournament) -> int:
    return sum(1 for one in tournament.entrants if one.active)


def _withdraw(tournament: Tournament, entrant: Entrant, now: int) -> Tournament:
    after = replace(tournament, entrants=tuple(one for one in tournament.entrants if one.number != entrant.number))
    if tournament.stage is not Stage.OPEN:
        return after
    return move_up_waiting(after, now)


def move_up_waiting(tournament: Tournament, now: int) -> Tournament:
    """Give free places to waiting entries, the longest waiting first, and notify them."""
    for one in waiting(tournament):
        if places_left(tournament) < len(one.people):
            break
        tournament = with_entrant(tournament, replace(one, stage=EntryStage.ENTERED))
        tournament = tell(
            tournament, "moved_up", now, audience=Audience.PERSONS, persons=one.people, entries=(one.number,)
        )
    return tournament


def waiting(tournament: Tournament) -> tuple[Entrant, ...]:
    """Return the entries waiting for a place, in order of entry."""
    found = (one for one in tournament.entrants if one.stage is EntryStage.WAITING)
    return tuple(sorted(found, key=lambda one: (one.entered_at, one.number)))


def sit_out(tournament: Tournament, *, person: int, now: int) -> Tournament:
    """Skip the next round, allowed once (`docs/tournaments.md` 3).

    Refusals: wrong_stage, not_entered, already_sat_out, last_round.
    """
    require_stage(tournament, Stage.RUNNING)
    entrant = tournament.entry_of(person)
    if entrant is None or not entrant.active:
        raise TournamentRefusal(TournamentCode.NOT_ENTERED)
    if not tournament.plan.traits.may_sit_out:  # other formats need all entries in every round
        raise TournamentRefusal(TournamentCode.WRONG_STAGE, {"stage": tournament.stage.value})
    following = next_round(tournament)
    if following >= (tournament.rounds_planned or 0):
        raise TournamentRefusal(TournamentCode.LAST_ROUND, {"round": following})
    if following in entrant.sits_out:
        raise TournamentRefusal(TournamentCode.ALREADY_SAT_OUT, {"round": following})
    after = with_entrant(tournament, replace(entrant, sits_out=(*entrant.sits_out, following)))
    return tell(after, "sits_out", now, entries=(entrant.number,), numbers={"round": following})


def bring_back(tournament: Tournament, *, entry: int, now: int) -> Tournament:
    """Let an entry that left play again from the next round, or while still in its bracket (2).

    Refusals: no_such_entry, wrong_stage.
    """
    require_stage(tournament, Stage.RUNNING, Stage.CLOSING)
    entrant = find_entrant(tournament, entry)
    if entrant.stage not in (EntryStage.LEFT, EntryStage.REMOVED) or entrant.rank == 0:
        raise TournamentRefusal(TournamentCode.NO_SUCH_ENTRY, {"entry": entry})
    after = with_entrant(tournament, replace(entrant, stage=EntryStage.PLAYING, last_round=None, annulled=False))
    return tell(after, "back", now, entries=(entry,))


def with_start_order(tournament: Tournament, order: Sequence[int]) -> Tournament:
    """Return the start order as given, by entries; entries not named follow in their old order."""
    place = {number: rank for rank, number in enumerate(order)}
    ranked = sorted(
        (one for one in tournament.entrants if one.rank), key=lambda one: (place.get(one.number, len(place)), one.rank)
    )
    for rank, one in enumerate(ranked, 1):
        tournament = with_entrant(tournament, replace(one, rank=rank))
    return tournament
